//! Forms that were filled in and neither sent nor saved, to restore them after a restart.

use rusqlite::{Connection, params};

use super::Desk;
use crate::StoreError;
use crate::rows::{all, from_row};

/// Maximum number of stored forms.
const MAX_FORMS: u32 = 50;
/// Time after which a form is dropped, in milliseconds: 30 days.
const MAX_AGE: i64 = 30 * 24 * 60 * 60 * 1000;

/// A form that was filled in and neither sent nor saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnfinishedForm {
    /// Identifier of the workspace; without a dot.
    pub workspace: String,
    /// Which form of the workspace it is.
    pub form: String,
    /// What was filled in, as text that only the window interprets.
    pub content: String,
    /// When it was last changed.
    pub saved_at: i64,
}

// They are settings, by `form.<workspace>.<form>`; `/` is the character after the dot.
const IS_FORM: &str = "key >= 'form.' AND key < 'form/'";

fn key(workspace: &str, form: &str) -> String {
    format!("form.{workspace}.{form}")
}

pub(super) fn delete_of(connection: &Connection, workspace: &str) -> Result<(), StoreError> {
    connection
        .prepare_cached("DELETE FROM setting WHERE key >= ?1 AND key < ?2")?
        .execute([format!("form.{workspace}."), format!("form.{workspace}/")])?;
    Ok(())
}

impl Desk {
    /// Stores a form, replacing what it contained, and deletes the oldest ones.
    pub async fn save_unfinished_form(&self, form: UnfinishedForm) -> Result<(), StoreError> {
        self.database
            .write(move |c| {
                c.prepare_cached(
                    "INSERT INTO setting (key, value) VALUES (?1, json_object('content', ?2, 'savedAt', ?3))
                     ON CONFLICT DO UPDATE SET value = excluded.value",
                )?
                .execute(params![key(&form.workspace, &form.form), form.content, form.saved_at])?;
                c.prepare_cached(&format!(
                    "DELETE FROM setting WHERE {IS_FORM} AND (value ->> 'savedAt' < ?1 OR key IN
                       (SELECT key FROM setting WHERE {IS_FORM} ORDER BY value ->> 'savedAt' DESC, key LIMIT -1 OFFSET ?2))"
                ))?
                .execute(params![form.saved_at - MAX_AGE, MAX_FORMS])?;
                Ok(())
            })
            .await
    }

    /// Deletes a form that was sent, saved or cleared.
    pub async fn remove_unfinished_form(&self, workspace: &str, form: &str) -> Result<(), StoreError> {
        self.remove_setting(&key(workspace, form)).await
    }

    /// The forms of all workspaces that were changed in the 30 days before `now`, newest first.
    pub async fn unfinished_forms(&self, now: i64) -> Result<Vec<UnfinishedForm>, StoreError> {
        self.database
            .read(move |c| {
                let query = format!(
                    "SELECT substr(key, 6, instr(substr(key, 6), '.') - 1) AS workspace,
                            substr(key, 6 + instr(substr(key, 6), '.')) AS form,
                            value ->> 'content' AS content, value ->> 'savedAt' AS saved_at
                     FROM setting WHERE {IS_FORM} AND saved_at >= ?1 ORDER BY saved_at DESC, key"
                );
                all(
                    c,
                    &query,
                    [now - MAX_AGE],
                    |row| from_row!(row => UnfinishedForm { workspace, form, content, saved_at }),
                )
            })
            .await
    }
}
