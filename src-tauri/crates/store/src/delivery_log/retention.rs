//! Removes deliveries from the delivery log, in steps between the commits of new ones.

use rusqlite::{Connection, TransactionBehavior};

use super::DeliveryLog;
use crate::{StoreError, failpoint};

/// Maximum number of deliveries removed in one step.
pub const MAX_REMOVED: usize = 10_000;
/// Pages returned to the file system in one step.
const STEP_PAGES: u32 = 1_000;

impl DeliveryLog {
    /// Removes deliveries in one transaction: at most [`MAX_REMOVED`], the rest stays. Returns how many were removed.
    /// The last delivery is never removed, so that no sequence number is assigned twice.
    ///
    /// # Errors
    /// [`StoreError`] when the file cannot be written; then nothing is removed.
    pub async fn remove(&self, mut seqs: Vec<i64>) -> Result<u64, StoreError> {
        seqs.truncate(MAX_REMOVED);
        self.work(move |connection| {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let last: i64 =
                transaction.query_row("SELECT coalesce(max(seq), 0) FROM delivery", [], |row| row.get(0))?;
            let mut removed: i64 = 0;
            {
                let mut delete = transaction.prepare_cached("DELETE FROM delivery WHERE seq = ?1")?;
                for seq in seqs.into_iter().filter(|seq| *seq != last) {
                    removed += i64::try_from(delete.execute([seq])?).expect("a row is one row");
                }
            }
            transaction.execute("UPDATE meta SET removed = removed + ?1", [removed])?;
            failpoint::step("retention.deleted")?;
            transaction.commit()?;
            Ok(removed.cast_unsigned())
        })
        .await
    }

    /// Returns some free pages to the file system. Returns whether there are more.
    pub async fn shrink(&self) -> Result<bool, StoreError> {
        self.work(|connection| {
            // Each freed page is a row of the result.
            let mut vacuum = connection.prepare(&format!("PRAGMA incremental_vacuum({STEP_PAGES})"))?;
            let mut rows = vacuum.query([])?;
            while rows.next()?.is_some() {}
            drop(rows);
            drop(vacuum);
            failpoint::step("retention.vacuumed")?;
            Ok(free_pages(connection)? > 0)
        })
        .await
    }

    /// Checkpoints the log into the file and truncates it, so that it contains no removed data.
    pub async fn checkpoint(&self) -> Result<(), StoreError> {
        self.work(|connection| {
            connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
            Ok(())
        })
        .await
    }
}

fn free_pages(connection: &Connection) -> Result<i64, StoreError> {
    Ok(connection.pragma_query_value(None, "freelist_count", |row| row.get(0))?)
}
