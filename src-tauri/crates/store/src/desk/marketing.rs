//! Who wants no marketing messages, and from which of our numbers. What a person chose and what was noted here have rows
//! of their own, since only its origin takes each back.

use rusqlite::{Connection, Row, params};

use super::{Desk, MarketingSource};
use crate::StoreError;
use crate::rows::{all, first, from_row, insert_row, to_json};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarketingPreference {
    pub workspace_id: String,
    /// The number's digits or the user id, as the source names the person.
    pub person: String,
    pub source: MarketingSource,
    /// The account and the number of ours that it is about; empty where that is not known.
    pub waba: String,
    pub number: String,
    pub is_stopped: bool,
    /// When it was chosen or noted, in Unix milliseconds.
    pub at: i64,
    /// Of a stop that a file brought: the name of the file, and the name of the person in it.
    pub file: Option<String>,
    pub name: Option<String>,
}

/// A row that an import stored, and the one that it replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportedPreference {
    before: Option<MarketingPreference>,
    after: MarketingPreference,
}

/// What is newer wins, in any order of arrival; a note replaces the one before, whatever the clock says. A person who is
/// stopped already keeps what is known of the first stop.
fn upsert(c: &Connection, preference: &MarketingPreference) -> Result<(), StoreError> {
    insert_row!(c, "marketing_preference" => preference {
        workspace_id, person, source, waba, number, is_stopped, at, file, name,
    }, "ON CONFLICT DO UPDATE SET is_stopped = excluded.is_stopped, at = max(at, excluded.at),
            file = iif(is_stopped, file, excluded.file), name = coalesce(excluded.name, name)
        WHERE excluded.at >= at OR source = 'note'")?;
    Ok(())
}

fn read(row: &Row<'_>) -> rusqlite::Result<MarketingPreference> {
    from_row!(row => MarketingPreference {
        workspace_id, person, source, waba, number, is_stopped, at, file, name,
    })
}

/// The stored row with the key of a preference.
fn stored(c: &Connection, of: &MarketingPreference) -> Result<Option<MarketingPreference>, StoreError> {
    let sql = "SELECT * FROM marketing_preference
               WHERE (workspace_id, person, source, waba, number) = (?1, ?2, ?3, ?4, ?5)";
    first(c, sql, params![of.workspace_id, of.person, of.source, of.waba, of.number], read)
}

impl Desk {
    pub async fn store_marketing_preferences(&self, preferences: Vec<MarketingPreference>) -> Result<(), StoreError> {
        self.database
            .write(move |c| {
                for preference in preferences {
                    upsert(c, &preference)?;
                }
                Ok(())
            })
            .await
    }

    /// Stores the preferences of a file, all or none, and returns what [`Desk::undo_marketing_import`] needs.
    pub async fn import_marketing_preferences(
        &self,
        preferences: Vec<MarketingPreference>,
    ) -> Result<Vec<ImportedPreference>, StoreError> {
        self.database
            .write(move |c| {
                let mut imported = Vec::new();
                for preference in preferences {
                    let before = stored(c, &preference)?;
                    upsert(c, &preference)?;
                    let after = stored(c, &preference)?;
                    imported.extend(
                        after
                            .filter(|after| before.as_ref() != Some(after))
                            .map(|after| ImportedPreference { before, after }),
                    );
                }
                Ok(imported)
            })
            .await
    }

    /// Takes back what an import stored, all or nothing; a row that changed since stays.
    pub async fn undo_marketing_import(&self, imported: Vec<ImportedPreference>) -> Result<(), StoreError> {
        self.database
            .write(move |c| {
                // A file may name a person twice: the last row first.
                for ImportedPreference { before, after } in imported.into_iter().rev() {
                    if stored(c, &after)?.as_ref() != Some(&after) {
                        continue;
                    }
                    let mut delete = c.prepare_cached(
                        "DELETE FROM marketing_preference
                         WHERE (workspace_id, person, source, waba, number) = (?1, ?2, ?3, ?4, ?5)",
                    )?;
                    delete.execute(params![
                        after.workspace_id,
                        after.person,
                        after.source,
                        after.waba,
                        after.number
                    ])?;
                    if let Some(before) = before {
                        upsert(c, &before)?;
                    }
                }
                Ok(())
            })
            .await
    }

    /// The preferences of some people, or of all.
    pub async fn marketing_preferences(
        &self,
        workspace_id: &str,
        people: Option<&[String]>,
    ) -> Result<Vec<MarketingPreference>, StoreError> {
        let key = (workspace_id.to_owned(), people.map(to_json).transpose()?);
        self.database
            .read(move |c| {
                let sql = "SELECT * FROM marketing_preference WHERE workspace_id = ?1
                           AND (?2 IS NULL OR person IN (SELECT value FROM json_each(?2)))";
                all(c, sql, key, read)
            })
            .await
    }
}
