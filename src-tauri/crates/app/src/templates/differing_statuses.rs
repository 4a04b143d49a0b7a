//! Statuses that differ between the accounts of a template, kept with what cannot be rebuilt: the listing has one status
//! for all accounts, and does not say whether it is older than an event about one of them.

use store::cache::DifferingStatuses;

use crate::templates::Templates;
use command_types::error::Result;
use outgoing::to_json;

impl Templates {
    /// Gives a new cache those of before. Until its first listing is complete, every listing does so.
    pub(super) async fn restore_differing_statuses(&self, workspace: &str) -> Result<()> {
        let Some(json) = self.0.context.desk.setting(&key(workspace)).await? else { return Ok(()) };
        let known: Vec<DifferingStatuses> = serde_json::from_str(&json).unwrap_or_default();
        Ok(self.0.context.cache.restore_statuses(workspace, known).await?)
    }

    /// Stores those of a workspace, if they changed; nothing while the cache has no complete listing.
    pub(crate) async fn keep_differing_statuses(&self, workspace: &str) -> Result<()> {
        let (cache, desk) = (&self.0.context.cache, &self.0.context.desk);
        if cache.listed_at(workspace).await?.is_none() {
            return Ok(());
        }
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

    /// Deletes those of a deleted workspace.
    pub(super) async fn delete_differing_statuses(&self, workspace: &str) -> Result<()> {
        Ok(self.0.context.desk.remove_setting(&key(workspace)).await?)
    }
}

fn key(workspace: &str) -> String {
    format!("differing_statuses.{workspace}")
}
