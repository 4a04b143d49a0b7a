//! Saved replies of workspaces.

use rusqlite::{Connection, Row};

use super::Desk;
use crate::StoreError;
use crate::rows::{all, first, from_row, insert_row};

/// A text that a workspace keeps for replies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SavedReply {
    pub id: String,
    pub workspace_id: String,
    pub name: String,
    pub text: String,
    /// When it was added.
    pub created_at: i64,
    /// When it was last changed.
    pub updated_at: i64,
}

/// Result of writing a saved reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SavedReplyResult {
    Done,
    /// Another one of the workspace has the name; nothing was changed.
    Taken,
    /// The workspace has as many as it may; nothing was changed.
    Full,
    /// The identifier is that of another workspace; nothing was changed.
    Elsewhere,
}

/// Replaces a saved reply; `created_at` keeps its first value.
const REPLACE: &str =
    "ON CONFLICT (id) DO UPDATE SET name = excluded.name, text = excluded.text, updated_at = excluded.updated_at";

impl Desk {
    /// Adds or replaces a saved reply, unless its workspace has `most` others.
    pub async fn upsert_saved_reply(&self, reply: SavedReply, most: usize) -> Result<SavedReplyResult, StoreError> {
        self.database
            .write(move |c| {
                let mut others = of_workspace(c, &reply.workspace_id)?;
                others.retain(|other| other.id != reply.id);
                // Here and not in SQLite, whose `lower` leaves letters with accents as they are.
                let name = reply.name.to_lowercase();
                if others.iter().any(|other| other.name.to_lowercase() == name) {
                    return Ok(SavedReplyResult::Taken);
                }
                if others.len() >= most {
                    return Ok(SavedReplyResult::Full);
                }
                let known = first(c, "SELECT * FROM saved_reply WHERE id = ?1", [&reply.id], read)?;
                if known.is_some_and(|known| known.workspace_id != reply.workspace_id) {
                    return Ok(SavedReplyResult::Elsewhere);
                }
                insert_row!(c, "saved_reply" => reply { id, workspace_id, name, text, created_at, updated_at }, REPLACE)?;
                Ok(SavedReplyResult::Done)
            })
            .await
    }

    pub async fn saved_reply(&self, workspace_id: &str, id: &str) -> Result<Option<SavedReply>, StoreError> {
        let key = (workspace_id.to_owned(), id.to_owned());
        let sql = "SELECT * FROM saved_reply WHERE workspace_id = ?1 AND id = ?2";
        self.database.read(move |c| first(c, sql, key, read)).await
    }

    /// The saved replies of a workspace, in no order.
    pub async fn saved_replies(&self, workspace_id: &str) -> Result<Vec<SavedReply>, StoreError> {
        let workspace_id = workspace_id.to_owned();
        self.database.read(move |c| of_workspace(c, &workspace_id)).await
    }

    /// Deletes a saved reply. Does nothing if there is none.
    pub async fn delete_saved_reply(&self, workspace_id: &str, id: &str) -> Result<(), StoreError> {
        let key = (workspace_id.to_owned(), id.to_owned());
        self.database
            .write(move |c| {
                c.prepare_cached("DELETE FROM saved_reply WHERE workspace_id = ?1 AND id = ?2")?.execute(key)?;
                Ok(())
            })
            .await
    }
}

fn of_workspace(c: &Connection, workspace_id: &str) -> Result<Vec<SavedReply>, StoreError> {
    all(c, "SELECT * FROM saved_reply WHERE workspace_id = ?1", [workspace_id], read)
}

fn read(row: &Row<'_>) -> rusqlite::Result<SavedReply> {
    from_row!(row => SavedReply { id, workspace_id, name, text, created_at, updated_at })
}
