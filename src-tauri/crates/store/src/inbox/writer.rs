//! The thread that writes to the inbox.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::Receiver;

use bytes::Bytes;
use rusqlite::{Connection, TransactionBehavior, params};
use tokio::sync::{oneshot, watch};

use super::named_files::NamedFiles;
use super::{InboxError, reader, row};
use crate::{StoreError, failpoint};

/// Maximum number of deliveries in a commit …
const GROUP_DELIVERIES: usize = 1_024;

/// … and their bytes: the first in the group must not wait for too many others.
const GROUP_BYTES: usize = 4 << 20;

/// A job on the file; gets the error if the file cannot be opened.
pub(super) type Work = Box<dyn FnOnce(Result<&mut Connection, StoreError>) -> bool + Send>;

/// A command for the thread.
pub(super) enum Command {
    /// Store a delivery.
    Append(Append),
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
    pub(super) answer: oneshot::Sender<Result<i64, InboxError>>,
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
        let files = NamedFiles::of_opened(path)?;
        let current = Some(Open { connection, next, files: files.clone() });
        Ok(Self { current, path: path.to_owned(), files, open, commands, waiting_bytes, stored, damage })
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
                failpoint::pass("inbox.committed");
                let last = first + i64::try_from(group.len()).expect("a group is small") - 1;
                self.stored.send_replace(last);
                for (append, seq) in group.into_iter().zip(first..) {
                    let _ = append.answer.send(Ok(seq));
                }
            }
            Err(error) => {
                tracing::error!(%error, deliveries = group.len(), "deliveries were not stored");
                if error.is_damage() {
                    self.damage.send_replace(Some(error.to_string()));
                }
                // After a failed fsync, only a new connection reads the actual content of the file.
                self.close();
                let reason = InboxError::Storage(error.to_string());
                for append in group {
                    let _ = append.answer.send(Err(reason.clone()));
                }
            }
        }
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
            // A new inbox would begin its sequence again, in a folder that another process may use now.
            self.files.check_database()?;
            let connection = (self.open)()?;
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
        {
            let mut insert = transaction.prepare_cached(
                "INSERT INTO delivery (seq, received_at, route, headers, body, crc) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            )?;
            for (append, seq) in group.iter().zip(first..) {
                let crc = row::crc(append.received_at, &append.route, &append.headers, &append.body);
                insert.execute(params![
                    seq,
                    append.received_at,
                    append.route,
                    append.headers,
                    append.body.as_ref(),
                    crc
                ])?;
            }
        }
        failpoint::pass("inbox.inserted");
        // A removed file could still be written. Checked before the commit, so that the files do not get what the sender
        // retries, and after it, so that nothing is acknowledged that is not on disk under its name.
        files.check()?;
        transaction.commit()?;
        *next = first + i64::try_from(group.len()).expect("a group is small");
        files.check()?;
        Ok(first)
    }
}
