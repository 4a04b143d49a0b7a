//! Taking deliveries out of the inbox, in steps between the commits of those that come in.

use rusqlite::{Connection, TransactionBehavior};

use super::Inbox;
use crate::{StoreError, failpoint};

/// Deliveries that one step takes out at most.
pub const MOST_REMOVED: usize = 10_000;
/// Pages given back to the file system in one step.
const STEP_PAGES: u32 = 1_000;

impl Inbox {
    /// Takes deliveries out, in one transaction: at most [`MOST_REMOVED`], what is beyond stays. Gives how many there
    /// were. The last delivery of all stays, so that no sequence number is given twice.
    ///
    /// # Errors
    /// [`StoreError`] when the file cannot be written; nothing is taken out then.
    pub async fn remove(&self, mut seqs: Vec<i64>) -> Result<u64, StoreError> {
        seqs.truncate(MOST_REMOVED);
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

    /// Gives some pages that removing has emptied back to the file system. Says whether there are more.
    ///
    /// # Errors
    /// [`StoreError`] when the file cannot be written.
    pub async fn shrink(&self) -> Result<bool, StoreError> {
        self.work(|connection| {
            // Each page that is given back is a row of the answer.
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

    /// Moves the log into the file and empties it, so that nothing of what was removed is left there.
    ///
    /// # Errors
    /// [`StoreError`] when the file cannot be written.
    pub async fn settle(&self) -> Result<(), StoreError> {
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
