//! Statuses that differ between the accounts of a template, kept with what cannot be rebuilt: the listing has one status
//! for all accounts, and does not say whether it is older than an event about one of them.

use store::cache::{DifferingStatuses, Opened};

use crate::context::lock;
use crate::templates::Templates;
use command_types::error::Result;
use outgoing::to_json;

impl Templates {
    /// Stores those of a workspace, if they changed.
    pub(crate) async fn keep_differing_statuses(&self, workspace: &str) -> Result<()> {
        let (cache, desk) = (&self.0.context.cache, &self.0.context.desk);
        let known = cache.differing_statuses(workspace).await?;
        let key = key(workspace);
        let stored = desk.setting(&key).await?;
        if known.is_empty() {
            if stored.is_some() {
                desk.remove_setting(&key).await?;
            }
            return Ok(());
        }
        let json = to_json(&known)?;
        if stored.as_ref() != Some(&json) {
            desk.set_setting(&key, json).await?;
        }
        Ok(())
    }

    /// After a listing: a new cache gets back those of before, and what holds now is stored.
    pub(super) async fn follow_differing_statuses(&self, workspace: &str) -> Result<()> {
        self.restore_differing_statuses(workspace).await?;
        self.keep_differing_statuses(workspace).await
    }

    async fn restore_differing_statuses(&self, workspace: &str) -> Result<()> {
        let (cache, desk) = (&self.0.context.cache, &self.0.context.desk);
        let is_first = lock(&self.0.first_listings).insert(workspace.to_owned());
        if !is_first || *cache.opened() == Opened::Existing {
            return Ok(());
        }
        let stored = desk.setting(&key(workspace)).await?;
        let known: Option<Vec<DifferingStatuses>> = stored.and_then(|json| serde_json::from_str(&json).ok());
        match known {
            Some(known) => Ok(cache.restore_statuses(workspace, known).await?),
            None => Ok(()),
        }
    }

    /// Deletes those of a deleted workspace.
    pub(super) async fn delete_differing_statuses(&self, workspace: &str) -> Result<()> {
        Ok(self.0.context.desk.remove_setting(&key(workspace)).await?)
    }
}

fn key(workspace: &str) -> String {
    format!("differing_statuses.{workspace}")
}
