//! Rows of batches that wait until the messaging limit has room for them.

use super::Desk;
use crate::StoreError;
use crate::rows::{all, tuple};

impl Desk {
    /// Sets which rows of a batch wait, and until when; all others wait no longer.
    pub async fn set_batch_delays(&self, id: &str, delays: Vec<(u32, i64)>) -> Result<(), StoreError> {
        let id = id.to_owned();
        self.database
            .write(move |c| {
                c.execute("DELETE FROM batch_delay WHERE batch_id = ?1", [&id])?;
                let sql = "INSERT INTO batch_delay (batch_id, row, not_before) VALUES (?1, ?2, ?3)";
                for (row, not_before) in delays {
                    c.prepare_cached(sql)?.execute((&id, row, not_before))?;
                }
                Ok(())
            })
            .await
    }

    /// The rows of a batch after the row `after` that wait, and until when by the provider's clock.
    pub async fn batch_delays(&self, id: &str, after: u32) -> Result<Vec<(u32, i64)>, StoreError> {
        let key = (id.to_owned(), after);
        let sql = "SELECT row, not_before FROM batch_delay WHERE batch_id = ?1 AND row > ?2";
        self.database.read(move |c| all(c, sql, key, tuple)).await
    }
}
