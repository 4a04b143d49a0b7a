//! Workspaces: connections to a provider, or the sandbox.

use rusqlite::Row;

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

impl Desk {
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
