//! The rate card of a workspace.

use super::Desk;
use crate::StoreError;
use crate::rows::{first, from_row, insert_row};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredRateCard {
    pub workspace_id: String,
    /// Name of its file.
    pub name: String,
    /// In Unix milliseconds.
    pub imported_at: i64,
    /// The prices as JSON.
    pub card: String,
}

impl Desk {
    pub async fn rate_card(&self, workspace_id: &str) -> Result<Option<StoredRateCard>, StoreError> {
        let workspace_id = workspace_id.to_owned();
        let sql = "SELECT * FROM rate_card WHERE workspace_id = ?1";
        self.database
            .read(move |c| {
                first(
                    c,
                    sql,
                    [workspace_id],
                    |row| from_row!(row => StoredRateCard { workspace_id, name, imported_at, card }),
                )
            })
            .await
    }

    /// Replaces the rate card of a workspace.
    pub async fn set_rate_card(&self, card: StoredRateCard) -> Result<(), StoreError> {
        self.database
            .write(move |c| {
                insert_row!(c, "rate_card" => card { workspace_id, name, imported_at, card },
                    "ON CONFLICT DO UPDATE SET name = excluded.name, imported_at = excluded.imported_at,
                       card = excluded.card")?;
                Ok(())
            })
            .await
    }

    /// Removes the rate card of a workspace, if it has one.
    pub async fn remove_rate_card(&self, workspace_id: &str) -> Result<(), StoreError> {
        let workspace_id = workspace_id.to_owned();
        self.database
            .write(move |c| {
                c.prepare_cached("DELETE FROM rate_card WHERE workspace_id = ?1")?.execute([workspace_id])?;
                Ok(())
            })
            .await
    }
}
