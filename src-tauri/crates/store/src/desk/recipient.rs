//! The address book of a workspace.

use rusqlite::{Connection, Row};

use super::Desk;
use crate::StoreError;
use crate::rows::{all, first, from_row, insert_row, to_json, tuple};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recipient {
    pub id: String,
    pub workspace_id: String,
    /// Name in the address book.
    pub name: String,
    /// Digits with country code; unique in a workspace.
    pub number: String,
    /// Labels as a JSON array of strings.
    pub labels: String,
    /// Free-text note.
    pub note: String,
    /// When they were added.
    pub created_at: i64,
    /// When they were last changed.
    pub updated_at: i64,
    /// When the number was last sent to from this workspace. Ignored when written.
    pub last_sent_at: Option<i64>,
}

/// Result of writing a recipient.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecipientResult {
    /// It is stored.
    Done,
    /// Another recipient has the number; nothing was changed.
    Taken(Recipient),
}

/// Without when they were last sent to.
pub(super) const STORED: &str = "SELECT *, NULL AS last_sent_at FROM recipient";

const SELECT: &str = "SELECT *, (SELECT max(created_at) FROM send
      WHERE send.workspace_id = recipient.workspace_id AND send.recipient = recipient.number) AS last_sent_at
    FROM recipient";

/// Replaces a recipient; workspace and `created_at` keep their first values.
pub(super) const REPLACE: &str = "ON CONFLICT (id) DO UPDATE SET name = excluded.name, number = excluded.number,
      labels = excluded.labels, note = excluded.note, updated_at = excluded.updated_at";

impl Desk {
    /// Adds or replaces a recipient; workspace and `created_at` keep their first values.
    pub async fn upsert_recipient(&self, recipient: Recipient) -> Result<RecipientResult, StoreError> {
        self.database
            .write(move |c| {
                let sql = format!("{SELECT} WHERE workspace_id = ?1 AND number = ?2 AND id <> ?3");
                let key = (&recipient.workspace_id, &recipient.number, &recipient.id);
                if let Some(other) = first(c, &sql, key, read)? {
                    return Ok(RecipientResult::Taken(other));
                }
                insert(c, &recipient, REPLACE)?;
                Ok(RecipientResult::Done)
            })
            .await
    }

    pub async fn recipient(&self, id: &str) -> Result<Option<Recipient>, StoreError> {
        let id = id.to_owned();
        self.database.read(move |c| first(c, &format!("{SELECT} WHERE id = ?1"), [id], read)).await
    }

    /// The address book, by name.
    pub async fn recipients(&self, workspace_id: &str) -> Result<Vec<Recipient>, StoreError> {
        let workspace_id = workspace_id.to_owned();
        self.database
            .read(move |c| {
                let sql = format!("{SELECT} WHERE workspace_id = ?1 ORDER BY name COLLATE NOCASE, number");
                all(c, &sql, [workspace_id], read)
            })
            .await
    }

    /// The names in the address book of some of these numbers.
    pub async fn recipient_names(
        &self,
        workspace_id: &str,
        numbers: &[String],
    ) -> Result<Vec<(String, String)>, StoreError> {
        let numbers = to_json(numbers)?;
        let key = (workspace_id.to_owned(), numbers);
        self.database
            .read(move |c| {
                let sql = "SELECT r.number, r.name FROM json_each(?2) n CROSS JOIN recipient r
                           ON r.workspace_id = ?1 AND r.number = n.value";
                all(c, sql, key, tuple)
            })
            .await
    }

    /// Removes recipients of a workspace. Unknown ones are ignored.
    ///
    /// # Errors
    /// [`StoreError`] when it cannot be written; then nothing is removed.
    pub async fn delete_recipients(&self, workspace_id: &str, ids: Vec<String>) -> Result<(), StoreError> {
        let workspace_id = workspace_id.to_owned();
        self.database
            .write(move |c| {
                let mut delete = c.prepare_cached("DELETE FROM recipient WHERE workspace_id = ?1 AND id = ?2")?;
                for id in ids {
                    delete.execute((&workspace_id, id))?;
                }
                Ok(())
            })
            .await
    }
}

/// Adds a recipient, with an `ON CONFLICT` clause.
pub(super) fn insert(c: &Connection, recipient: &Recipient, on_conflict: &str) -> Result<(), StoreError> {
    insert_row!(c, "recipient" => recipient {
        id, workspace_id, name, number, labels, note, created_at, updated_at,
    }, on_conflict)?;
    Ok(())
}

pub(super) fn read(row: &Row<'_>) -> rusqlite::Result<Recipient> {
    from_row!(row => Recipient { id, workspace_id, name, number, labels, note, created_at, updated_at, last_sent_at })
}
