//! Workspaces: connections to a provider, or the sandbox.

use rusqlite::Row;
use serde::Serialize;
use ts_rs::TS;

use super::{Desk, unfinished_form};
use crate::StoreError;
use crate::rows::{all, first, from_row, insert_row};

/// A connection to a provider, or the sandbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workspace {
    pub id: String,
    /// Position in the list.
    pub position: i64,
    /// Settings as JSON. Never a secret: those are in the keyring.
    pub settings: String,
    pub created_at: i64,
    /// When it was last changed.
    pub updated_at: i64,
}

/// How much is deleted with a workspace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct WorkspaceContents {
    pub drafts: u32,
    /// Also those of batches.
    pub sends: u32,
    /// Those that were begun.
    pub batches: u32,
    /// People in the address book.
    pub recipients: u32,
    pub saved_replies: u32,
    pub has_rate_card: bool,
}

impl Desk {
    pub async fn workspace_contents(&self, id: &str) -> Result<WorkspaceContents, StoreError> {
        let id = id.to_owned();
        let sql = "SELECT (SELECT count(*) FROM draft WHERE workspace_id = ?1) AS drafts,
                     (SELECT count(*) FROM send WHERE workspace_id = ?1) AS sends,
                     (SELECT count(*) FROM batch WHERE workspace_id = ?1 AND state <> 'planned') AS batches,
                     (SELECT count(*) FROM recipient WHERE workspace_id = ?1) AS recipients,
                     (SELECT count(*) FROM saved_reply WHERE workspace_id = ?1) AS saved_replies,
                     EXISTS (SELECT 1 FROM rate_card WHERE workspace_id = ?1) AS has_rate_card";
        let contents = |row: &Row<'_>| {
            from_row!(row => WorkspaceContents {
                drafts, sends, batches, recipients, saved_replies, has_rate_card,
            })
        };
        Ok(self.database.read(move |c| first(c, sql, [id], contents)).await?.unwrap_or_default())
    }

    /// Whether a template of a workspace is being submitted.
    pub async fn is_submitting(&self, id: &str) -> Result<bool, StoreError> {
        let id = id.to_owned();
        let sql = "SELECT 1 FROM submission WHERE workspace_id = ?1 AND state = 'recorded'";
        Ok(self.database.read(move |c| first(c, sql, [id], |_| Ok(()))).await?.is_some())
    }

    /// All workspaces in their order.
    pub async fn workspaces(&self) -> Result<Vec<Workspace>, StoreError> {
        self.database.read(|c| all(c, "SELECT * FROM workspace ORDER BY position, created_at, id", [], workspace)).await
    }

    pub async fn workspace(&self, id: &str) -> Result<Option<Workspace>, StoreError> {
        let id = id.to_owned();
        self.database.read(move |c| first(c, "SELECT * FROM workspace WHERE id = ?1", [id], workspace)).await
    }

    /// Adds or replaces a workspace; `created_at` keeps its first value.
    pub async fn upsert_workspace(&self, workspace: Workspace) -> Result<(), StoreError> {
        self.database
            .write(move |c| {
                insert_row!(c, "workspace" => workspace {
                    id, position, settings, created_at, updated_at,
                }, "ON CONFLICT DO UPDATE SET position = excluded.position, settings = excluded.settings,
                       updated_at = excluded.updated_at")?;
                Ok(())
            })
            .await
    }

    /// Removes a workspace and everything that belongs to it. Returns whether it existed.
    pub async fn delete_workspace(&self, id: &str) -> Result<bool, StoreError> {
        let id = id.to_owned();
        self.database
            .write(move |c| {
                c.execute("DELETE FROM template_event WHERE workspace_id = ?1", [&id])?;
                c.execute("DELETE FROM marketing_preference WHERE workspace_id = ?1", [&id])?;
                unfinished_form::delete_of(c, &id)?;
                Ok(c.execute("DELETE FROM workspace WHERE id = ?1", [&id])? > 0)
            })
            .await
    }
}

fn workspace(row: &Row<'_>) -> rusqlite::Result<Workspace> {
    from_row!(row => Workspace { id, position, settings, created_at, updated_at })
}
