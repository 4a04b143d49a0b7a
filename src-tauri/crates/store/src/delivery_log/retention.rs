//! Finds old deliveries and removes them from the delivery log, in steps between the commits of new ones.

use rusqlite::{Connection, TransactionBehavior};

use super::reader::PAGE_BYTES;
use super::row::{COLUMNS, delivery};
use super::{Delivery, DeliveryLog, DeliveryLogReader};
use crate::{StoreError, failpoint};

/// Maximum number of deliveries removed in one step.
pub const MAX_REMOVED: usize = 10_000;
/// Pages returned to the file system in one step.
const STEP_PAGES: u32 = 1_000;

/// Deliveries whose age is compared in one step. Others that read the file wait for that long.
const STEP_ROWS: u32 = 10_000;

/// Old deliveries among some that follow each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OldDeliveries {
    pub deliveries: Vec<Delivery>,
    /// Sequence number of the first one that is not old.
    pub first_young: Option<i64>,
    /// Sequence number of the last one whose age was compared.
    pub last: i64,
}

impl DeliveryLogReader {
    /// Those of the deliveries after `seq` that were received before `instant`: at most `limit`, and fewer if they are
    /// large or far between. Sequence numbers do not follow the time: a feed brings deliveries that are older than those
    /// before them. `None` at the end.
    ///
    /// Rows altered on the disk are left out, and reported by [`DeliveryLogReader::damage`].
    pub async fn older_than(&self, instant: i64, seq: i64, limit: u32) -> Result<Option<OldDeliveries>, StoreError> {
        let read = self.read(move |connection| {
            let sql = format!("SELECT {COLUMNS} FROM delivery WHERE seq > ?1 ORDER BY seq LIMIT ?2");
            let mut statement = connection.prepare_cached(&sql)?;
            let mut rows = statement.query((seq, STEP_ROWS))?;
            let mut old = OldDeliveries { deliveries: Vec::new(), first_young: None, last: seq };
            let (mut altered, mut bytes) = (Vec::new(), 0);
            while old.deliveries.len() < limit as usize
                && bytes < PAGE_BYTES
                && let Some(row) = rows.next()?
            {
                old.last = row.get(0)?;
                // The body of a young one is not read.
                if row.get::<_, i64>(1).is_ok_and(|received_at| received_at >= instant) {
                    old.first_young.get_or_insert(old.last);
                    continue;
                }
                match delivery(row)? {
                    Ok(delivery) => {
                        bytes += delivery.body.len();
                        old.deliveries.push(delivery);
                    }
                    Err(seq) => altered.push(seq),
                }
            }
            Ok((old.last > seq).then_some((old, altered)))
        });
        Ok(read.await?.map(|(old, altered)| {
            self.report(&altered);
            old
        }))
    }
}

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
