//! Drafts: templates that are not submitted yet.

use rusqlite::{Connection, Row, params};

use super::Desk;
use crate::StoreError;
use crate::rows::{all, first, from_row, insert_row};

/// A template that is not submitted yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    pub id: String,
    /// Workspace it is for.
    pub workspace_id: String,
    /// Current name; may be empty.
    pub name: String,
    /// Current language; may be empty.
    pub language: String,
    /// Content as JSON.
    pub document: String,
    /// The template it edits; absent for a new one.
    pub template_ref: Option<String>,
    pub created_at: i64,
    /// When it was last changed.
    pub updated_at: i64,
}

/// Replaces a draft; workspace and `created_at` keep their first values.
const REPLACE: &str = "ON CONFLICT DO UPDATE SET name = excluded.name, language = excluded.language,
      document = excluded.document, template_ref = coalesce(draft.template_ref, excluded.template_ref),
      updated_at = excluded.updated_at";

impl Desk {
    /// Adds or replaces a draft; workspace and `created_at` keep their first values.
    pub async fn upsert_draft(&self, draft: Draft) -> Result<(), StoreError> {
        self.database.write(move |c| insert(c, &draft, REPLACE)).await
    }

    pub async fn draft(&self, id: &str) -> Result<Option<Draft>, StoreError> {
        let id = id.to_owned();
        self.database.read(move |c| first(c, "SELECT * FROM draft WHERE id = ?1", [id], draft)).await
    }

    /// The drafts of a workspace, last changed first.
    pub async fn drafts(&self, workspace_id: &str) -> Result<Vec<Draft>, StoreError> {
        let workspace_id = workspace_id.to_owned();
        self.database
            .read(move |c| {
                let sql = "SELECT * FROM draft WHERE workspace_id = ?1 ORDER BY updated_at DESC, id DESC";
                all(c, sql, [workspace_id], draft)
            })
            .await
    }

    /// Removes a draft; its submissions remain. Returns whether it existed.
    pub async fn delete_draft(&self, id: &str) -> Result<bool, StoreError> {
        let id = id.to_owned();
        self.database.write(move |c| Ok(c.execute("DELETE FROM draft WHERE id = ?1", [id])? > 0)).await
    }

    /// Removes a draft if its document is still `document`. Returns whether it was removed.
    pub async fn delete_unchanged_draft(&self, id: &str, document: &str) -> Result<bool, StoreError> {
        let (id, document) = (id.to_owned(), document.to_owned());
        let sql = "DELETE FROM draft WHERE id = ?1 AND document = ?2";
        self.database.write(move |c| Ok(c.execute(sql, params![id, document])? > 0)).await
    }

    /// Turns the draft of a new template into an edit of the template created from it. A draft that is already an edit
    /// does not change.
    pub async fn turn_draft_into_edit(&self, id: &str, template_ref: &str) -> Result<(), StoreError> {
        let (id, template_ref) = (id.to_owned(), template_ref.to_owned());
        let sql = "UPDATE draft SET template_ref = ?2 WHERE id = ?1 AND template_ref IS NULL";
        self.database.write(move |c| Ok(c.execute(sql, params![id, template_ref]).map(drop)?)).await
    }
}

/// Adds a draft, with an `ON CONFLICT` clause.
pub(super) fn insert(c: &Connection, draft: &Draft, on_conflict: &str) -> Result<(), StoreError> {
    insert_row!(c, "draft" => draft {
        id, workspace_id, name, language, document, template_ref, created_at, updated_at,
    }, on_conflict)?;
    Ok(())
}

fn draft(row: &Row<'_>) -> rusqlite::Result<Draft> {
    from_row!(row => Draft { id, workspace_id, name, language, document, template_ref, created_at, updated_at })
}
