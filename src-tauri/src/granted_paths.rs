//! Files and folders that the page may name: those from a dialog, a drop, a draft or the recent files.
//!
//! Otherwise a compromised page could attach any file of the machine to a draft, and submit it.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use command_types::composer::{Attachment, Draft};
use command_types::error::{DeskError, Result};

/// The granted paths of this run. A restart begins with none; drafts and recent files grant theirs again.
#[derive(Clone, Debug, Default)]
pub(crate) struct GrantedPaths(Arc<Mutex<HashSet<PathBuf>>>);

impl GrantedPaths {
    pub(crate) fn grant(&self, path: impl Into<PathBuf>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(path.into());
    }

    /// Grants the files of a stored draft.
    pub(crate) fn grant_files_of(&self, draft: &Draft) {
        draft.files().for_each(|file| self.grant(&file.path));
    }

    /// Grants recently used files.
    pub(crate) fn grant_all(&self, files: &[Attachment]) {
        files.iter().for_each(|file| self.grant(&file.path));
    }

    /// Refuses a path that was not granted.
    pub(crate) fn check(&self, path: &str) -> Result<()> {
        let path = Path::new(path);
        if self.0.lock().unwrap_or_else(PoisonError::into_inner).contains(path) {
            return Ok(());
        }
        Err(DeskError::file(
            path.file_name().unwrap_or(path.as_os_str()).to_string_lossy(),
            "it was not chosen in this window; choose it in the dialog, or drop it on the window",
        ))
    }

    /// Refuses a draft with a file that was not granted.
    pub(crate) fn check_files_of(&self, draft: &Draft) -> Result<()> {
        draft.files().try_for_each(|file| self.check(&file.path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_exact_path_that_was_given_is_accepted() {
        let granted = GrantedPaths::default();
        granted.grant("/home/ana/spring.png");
        for (path, accepted) in [
            ("/home/ana/spring.png", true),
            ("/home/ana/other.png", false),
            ("/home/ana", false),
            ("/home/ana/spring.png/../other.png", false),
            ("/home/ana/../ana/spring.png", false),
            ("spring.png", false),
            ("", false),
        ] {
            assert_eq!(granted.check(path).is_ok(), accepted, "{path}");
        }
    }

    #[test]
    fn every_file_of_a_draft_is_checked() {
        let file = |path: &str| Attachment { path: path.to_owned(), ..Attachment::default() };
        let granted = GrantedPaths::default();
        granted.grant_all(&[file("/chosen")]);
        let other = || Some(file("/other"));
        for (draft, accepted) in [
            (Draft::default(), true),
            (Draft { header_file: Some(file("/chosen")), ..Draft::default() }, true),
            (Draft { header_file: other(), ..Draft::default() }, false),
            (Draft { card_files: vec![None, Some(file("/chosen")), other()], ..Draft::default() }, false),
            (Draft { pix_file: other(), ..Draft::default() }, false),
            (Draft { order_file: other(), ..Draft::default() }, false),
        ] {
            assert_eq!(granted.check_files_of(&draft).is_ok(), accepted, "{draft:?}");
        }
        granted.grant_files_of(&Draft { pix_file: other(), ..Draft::default() });
        assert!(granted.check("/other").is_ok());
    }
}
