//! What is kept of the files that were read in this run, until the person answers or takes an import back.

use std::collections::HashMap;
use std::sync::Mutex;

use crate::context::lock;
use command_types::error::{DeskError, Missing, Result};

/// Something of each import, by workspace and import.
#[derive(Debug)]
pub(crate) struct Kept<T>(Mutex<HashMap<(String, String), T>>);

impl<T> Default for Kept<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T> Kept<T> {
    pub(crate) fn put(&self, workspace: &str, id: &str, of: T) {
        lock(&self.0).insert((workspace.to_owned(), id.to_owned()), of);
    }

    /// # Errors
    /// [`DeskError::NotFound`] when it was taken before, or was not of this run.
    pub(crate) fn take(&self, workspace: &str, id: &str) -> Result<T> {
        let of = lock(&self.0).remove(&(workspace.to_owned(), id.to_owned()));
        of.ok_or_else(|| DeskError::not_found(Missing::Import))
    }

    pub(crate) fn clear(&self) {
        lock(&self.0).clear();
    }
}

impl<T: Clone> Kept<T> {
    /// As [`Self::take`], and keeps it.
    pub(crate) fn get(&self, workspace: &str, id: &str) -> Result<T> {
        let of = lock(&self.0).get(&(workspace.to_owned(), id.to_owned())).cloned();
        of.ok_or_else(|| DeskError::not_found(Missing::Import))
    }
}
