//! The thread that writes to the delivery log.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::Receiver;

use bytes::Bytes;
use model::checksum;
use rusqlite::{CachedStatement, Connection, Transaction, TransactionBehavior, params};
use tokio::sync::{oneshot, watch};

use super::named_files::NamedFiles;
use super::{DeliveryLogError, FeedPage, reader};
use crate::{StoreError, failpoint};

/// Maximum number of deliveries in a commit …
const GROUP_DELIVERIES: usize = 1_024;

/// … and their bytes: the first in the group must not wait for too many others.
const GROUP_BYTES: usize = 4 << 20;

/// The greatest number that a window can show exactly.
const MAX_DELIVERIES: u64 = (1 << 53) - 1;

/// A job on the file; gets the error if the file cannot be opened.
pub(super) type Work = Box<dyn FnOnce(Result<&mut Connection, StoreError>) -> bool + Send>;

/// A command for the thread.
pub(super) enum Command {
    /// Store a delivery.
    Append(Append),
    /// Store a page of a feed.
    Page(Page),
    /// Run a job on the file between two commits. Returns whether the connection can still be trusted.
    Work(Work),
    /// Close the file and end.
    End,
}

/// A delivery in the queue.
pub(super) struct Append {
    pub(super) received_at: i64,
    pub(super) route: String,
    /// JSON array of pairs.
    pub(super) headers: String,
    pub(super) body: Bytes,
    /// Bytes that it counts for in the backlog.
    pub(super) size: usize,
    pub(super) answer: oneshot::Sender<Result<i64, DeliveryLogError>>,
}

/// A page in the queue.
pub(super) struct Page {
    pub(super) page: FeedPage,
    pub(super) answer: oneshot::Sender<Result<i64, DeliveryLogError>>,
}

/// An open file and its next sequence number.
struct Open {
    connection: Connection,
    next: i64,
    files: NamedFiles,
}

impl Open {
    fn close(self) {
        self.files.close(self.connection);
    }
}

pub(super) struct Writer {
    current: Option<Open>,
    path: PathBuf,
    log_id: String,
    /// The files of the first opening: only this database is ever reopened.
    files: NamedFiles,
    open: Box<dyn FnMut() -> Result<Connection, StoreError> + Send>,
    commands: Receiver<Command>,
    waiting_bytes: Arc<AtomicUsize>,
    stored: watch::Sender<i64>,
    damage: watch::Sender<Option<String>>,
}

impl Writer {
    pub(super) fn new(
        path: &Path,
        connection: Connection,
        open: Box<dyn FnMut() -> Result<Connection, StoreError> + Send>,
        commands: Receiver<Command>,
        waiting_bytes: Arc<AtomicUsize>,
        stored: watch::Sender<i64>,
        damage: watch::Sender<Option<String>>,
    ) -> Result<Self, StoreError> {
        let next = reader::last_seq(&connection)? + 1;
        let log_id = reader::log_id(&connection)?;
        let files = NamedFiles::of_opened(path)?;
        let current = Some(Open { connection, next, files: files.clone() });
        Ok(Self { current, path: path.to_owned(), log_id, files, open, commands, waiting_bytes, stored, damage })
    }

    /// Writes until it gets the command to end or every sender is dropped, then closes the file.
    pub(super) fn run(mut self) {
        let mut held = None;
        loop {
            let Some(command) = held.take().or_else(|| self.commands.recv().ok()) else { break };
            match command {
                Command::Append(first) => {
                    let (group, next) = self.group(first);
                    held = next;
                    self.store_group(group);
                }
                Command::Page(Page { page, answer }) => {
                    let _ = answer.send(self.store_page(&page));
                }
                Command::Work(work) => {
                    let connection = self.current().map(|open| &mut open.connection);
                    // A panic concerns one caller; the next one gets a fresh connection.
                    let trusted = catch_unwind(AssertUnwindSafe(|| work(connection))).unwrap_or(false);
                    if !trusted {
                        self.close();
                    }
                }
                Command::End => break,
            }
        }
        if let Some(open) = self.current.take_if(|open| open.files.check().is_ok()) {
            // Readers may still have the file open: the last one to close it cannot checkpoint the log.
            let _ = open.connection.execute_batch("PRAGMA optimize; PRAGMA wal_checkpoint(TRUNCATE)");
        }
        self.close();
    }

    fn close(&mut self) {
        if let Some(open) = self.current.take() {
            open.close();
        }
    }

    fn store_group(&mut self, group: Vec<Append>) {
        let outcome = self.insert_group(&group);
        let bytes: usize = group.iter().map(|append| append.size).sum();
        self.waiting_bytes.fetch_sub(bytes, Ordering::Relaxed);
        match outcome {
            Ok(first) => {
                failpoint::pass("delivery_log.committed");
                let last = first + i64::try_from(group.len()).expect("a group is small") - 1;
                self.stored.send_replace(last);
                for (append, seq) in group.into_iter().zip(first..) {
                    let _ = append.answer.send(Ok(seq));
                }
            }
            Err(error) => {
                let reason = self.failed(&error, group.len());
                for append in group {
                    let _ = append.answer.send(Err(reason.clone()));
                }
            }
        }
    }

    fn store_page(&mut self, page: &FeedPage) -> Result<i64, DeliveryLogError> {
        match self.insert_page(page) {
            Ok(last) => {
                failpoint::pass("delivery_log.page_committed");
                self.stored.send_replace(last);
                Ok(last)
            }
            Err(error) => Err(self.failed(&error, page.deliveries.len())),
        }
    }

    /// Reports deliveries that were not stored.
    fn failed(&mut self, error: &StoreError, deliveries: usize) -> DeliveryLogError {
        tracing::error!(%error, deliveries, "deliveries were not stored");
        if error.is_damage() {
            self.damage.send_replace(Some(error.to_string()));
        }
        // After a failed fsync, only a new connection reads the actual content of the file.
        self.close();
        DeliveryLogError::Storage(error.to_string())
    }

    /// Adds everything already queued, up to a command that ends the group.
    fn group(&self, first: Append) -> (Vec<Append>, Option<Command>) {
        let mut bytes = first.size;
        let mut group = vec![first];
        while group.len() < GROUP_DELIVERIES && bytes < GROUP_BYTES {
            match self.commands.try_recv() {
                Ok(Command::Append(next)) => {
                    bytes += next.size;
                    group.push(next);
                }
                Ok(other) => return (group, Some(other)),
                Err(_) => break,
            }
        }
        (group, None)
    }

    fn current(&mut self) -> Result<&mut Open, StoreError> {
        if self.current.is_none() {
            // A new delivery log would begin its sequence again, in a folder that another process may use now.
            self.files.check_database()?;
            let connection = (self.open)()?;
            // Another file may have got the number of the removed one.
            if reader::log_id(&connection)? != self.log_id {
                return Err(StoreError::DeliveryLogRemoved(self.path.clone()));
            }
            // A failed commit may have reached the disk after all.
            let last = reader::last_seq(&connection)?;
            let files = NamedFiles::of_opened(&self.path)?;
            self.stored.send_replace(last);
            self.current = Some(Open { connection, next: last + 1, files });
        }
        Ok(self.current.as_mut().expect("opened above"))
    }

    /// Stores a group in one transaction and returns the sequence number of its first delivery.
    fn insert_group(&mut self, group: &[Append]) -> Result<i64, StoreError> {
        let Open { connection, next, files } = self.current()?;
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let first = *next;
        let mut insert = Insert::prepare(&transaction)?;
        for (append, seq) in group.iter().zip(first..) {
            insert.row(seq, append.received_at, &append.route, &append.headers, &append.body, None)?;
        }
        drop(insert);
        failpoint::pass("delivery_log.inserted");
        commit(transaction, files, || *next = first + i64::try_from(group.len()).expect("a group is small"))?;
        Ok(first)
    }

    /// Stores a page of a feed, its gaps and its cursor in one transaction. Returns the sequence number of the last delivery.
    fn insert_page(&mut self, page: &FeedPage) -> Result<i64, StoreError> {
        let Open { connection, next, files } = self.current()?;
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let mut seq = *next;
        let mut insert = Insert::prepare(&transaction)?;
        for (delivery, origin) in &page.deliveries {
            let headers =
                serde_json::to_string(&delivery.headers).map_err(|error| StoreError::Value(error.to_string()))?;
            let (at, route, body) = (delivery.received_at, &delivery.route, &delivery.body);
            insert.row(seq, at, route, &headers, body, Some(origin))?;
            seq += 1;
        }
        drop(insert);
        store_position(&transaction, page)?;
        failpoint::pass("delivery_log.page_inserted");
        commit(transaction, files, || *next = seq)?;
        Ok(seq - 1)
    }
}

/// The statement that stores a delivery, for all of one transaction.
struct Insert<'a>(CachedStatement<'a>);

impl<'a> Insert<'a> {
    fn prepare(transaction: &'a Transaction<'_>) -> Result<Self, StoreError> {
        Ok(Self(transaction.prepare_cached(
            "INSERT INTO delivery (seq, received_at, route, headers, body, crc, origin)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        )?))
    }

    fn row(
        &mut self,
        seq: i64,
        received_at: i64,
        route: &str,
        headers: &str,
        body: &[u8],
        origin: Option<&str>,
    ) -> Result<(), StoreError> {
        let crc = checksum::of_delivery(received_at, route, headers, body);
        self.0.execute(params![seq, received_at, route, headers, body, crc, origin])?;
        Ok(())
    }
}

/// Commits to the files that have the names of the delivery log.
fn commit(transaction: Transaction<'_>, files: &NamedFiles, committed: impl FnOnce()) -> Result<(), StoreError> {
    // A removed file could still be written. Checked before the commit, so that the files do not get what the sender
    // retries, and after it, so that nothing is acknowledged that is not on disk under its name.
    files.check()?;
    transaction.commit()?;
    committed();
    files.check()
}

/// Stores what was passed over and the position after a page.
fn store_position(transaction: &Transaction<'_>, page: &FeedPage) -> Result<(), StoreError> {
    for gap in &page.gaps {
        transaction.execute(
            "INSERT INTO feed_gap (source, why, deliveries, after, before)
             VALUES (?1, ?2, ?3, coalesce(?4, (SELECT received_at FROM feed_cursor WHERE source = ?1)), ?5)
             ON CONFLICT (source, why) DO UPDATE SET
               deliveries = min(deliveries + excluded.deliveries, ?6), before = max(before, excluded.before)",
            params![gap.source, gap.why, gap.deliveries.min(MAX_DELIVERIES), gap.after, gap.before, MAX_DELIVERIES],
        )?;
    }
    transaction.execute(
        "INSERT INTO feed_cursor (source, cursor, received_at) VALUES (?1, ?2, ?3)
         ON CONFLICT (source) DO UPDATE
         SET cursor = excluded.cursor, received_at = coalesce(excluded.received_at, received_at)",
        params![page.source, page.cursor, page.received_at],
    )?;
    Ok(())
}
