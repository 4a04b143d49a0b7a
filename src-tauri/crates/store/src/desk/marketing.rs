//! Who wants no marketing messages, and from which of our numbers. What a person chose and what was noted here have rows
//! of their own, since only its origin takes each back.

use super::{Desk, MarketingSource};
use crate::StoreError;
use crate::rows::{all, from_row, insert_row, to_json};

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
}

impl Desk {
    /// Stores preferences. What is newer wins, in any order of arrival; a note replaces the one before, whatever the clock
    /// says.
    pub async fn store_marketing_preferences(&self, preferences: Vec<MarketingPreference>) -> Result<(), StoreError> {
        self.database
            .write(move |c| {
                for preference in preferences {
                    insert_row!(c, "marketing_preference" => preference {
                        workspace_id, person, source, waba, number, is_stopped, at,
                    }, "ON CONFLICT DO UPDATE SET is_stopped = excluded.is_stopped, at = max(at, excluded.at)
                        WHERE excluded.at >= at OR source = 'note'")?;
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
                all(c, sql, key, |row| {
                    from_row!(row => MarketingPreference {
                        workspace_id, person, source, waba, number, is_stopped, at,
                    })
                })
            })
            .await
    }
}
