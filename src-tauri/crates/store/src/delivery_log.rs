//! The delivery log: every accepted delivery as raw bytes, append-only, durable before the sender gets its response.
//!
//! One thread owns the writing connection. It inserts everything queued in one transaction and answers all of it after
//! one fsync; a single delivery does not wait for others. Readers keep their own sequence number and read the
//! deliveries after it: [`DeliveryLogReader::after`].

mod feed_page;
mod named_files;
mod pages;
mod reader;
mod retention;
mod row;
mod salvage;
mod streams;
mod writer;

use std::fs::File;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use bytes::Bytes;
use rusqlite::Connection;
use tokio::sync::{oneshot, watch};

pub use self::feed_page::{FeedGap, FeedPage};
pub use self::reader::{DeliveryLogReader, Extent};
pub(crate) use self::reader::{altered, mark};
pub use self::retention::{MAX_REMOVED, OldDeliveries};
pub use self::salvage::{Salvaged, salvage};
pub use self::streams::Stream;
use self::writer::{Append, Command, Writer};
use crate::connection;
use crate::run_journal::DeliveryLogMark;
use crate::schema::{Schema, Synchronous};
use crate::{StoreError, atomic_file, folder};

pub(crate) static SCHEMA: Schema = Schema {
    application_id: i32::from_be_bytes(*b"TDin"),
    synchronous: Synchronous::Full,
    // A short WAL is overwritten in place, which is faster than growing it.
    checkpoint_pages: 500,
    first: 1,
    steps: &[include_str!("../schema/inbox.sql")],
};

/// A delivery to store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewDelivery {
    /// When it arrived, in Unix milliseconds.
    pub received_at: i64,
    /// The endpoint that received it.
    pub route: String,
    /// Stored headers, in order.
    pub headers: Vec<(String, String)>,
    /// The body, byte for byte.
    pub body: Bytes,
}

/// A stored delivery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// Position in the order of arrival, from 1.
    pub seq: i64,
    /// When it arrived, in Unix milliseconds.
    pub received_at: i64,
    /// The endpoint that received it.
    pub route: String,
    /// Stored headers, in order.
    pub headers: Vec<(String, String)>,
    /// The body, byte for byte.
    pub body: Vec<u8>,
    /// Where it was fetched from; `None` if it was received here.
    pub origin: Option<String>,
}

/// Why a delivery is not stored. The sender should retry in every case.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DeliveryLogError {
    /// The queue exceeds the limits of [`Backlog`].
    #[error("the delivery log cannot keep up; come again shortly")]
    Full,
    /// The delivery log is being closed.
    #[error("the delivery log is closed")]
    Closed,
    /// The delivery could not be written; with the error's text.
    #[error("the delivery could not be stored: {0}")]
    Storage(String),
}

/// Limits of the queue in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Backlog {
    pub deliveries: usize,
    /// Total bytes of their bodies.
    pub bytes: usize,
}

impl Default for Backlog {
    /// 4,096 deliveries or 64 MiB: one second at the channel's published maximum rate.
    fn default() -> Self {
        Self { deliveries: 4_096, bytes: 64 << 20 }
    }
}

/// The writing end of the delivery log.
#[derive(Debug)]
pub struct DeliveryLog {
    queue: SyncSender<Command>,
    writer: Mutex<Option<Running>>,
    waiting_bytes: Arc<AtomicUsize>,
    backlog: Backlog,
    stored: watch::Receiver<i64>,
    damage: watch::Receiver<Option<String>>,
    opened: DeliveryLogMark,
}

/// The writing thread, and the lock that excludes other writing processes: two of them would refuse each other's
/// deliveries whenever one is slow.
#[derive(Debug)]
struct Running {
    thread: JoinHandle<()>,
    _lock: File,
}

impl DeliveryLog {
    /// Opens or creates the file. Blocks briefly.
    ///
    /// # Errors
    /// [`StoreError::DeliveryLogInUse`] when another process writes it; otherwise [`StoreError`] when the file cannot
    /// be opened safely.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Self::open_with(path, Backlog::default())
    }

    /// As [`DeliveryLog::open`], with the given queue limits.
    ///
    /// # Errors
    /// [`StoreError`] when the file cannot be opened safely.
    pub fn open_with(path: &Path, backlog: Backlog) -> Result<Self, StoreError> {
        let owned = path.to_owned();
        Self::start(path, backlog, move || open_writing(&owned))
    }

    fn start(
        path: &Path,
        backlog: Backlog,
        open: impl FnMut() -> Result<Connection, StoreError> + Send + 'static,
    ) -> Result<Self, StoreError> {
        let mut open = open;
        // The lock belongs to the file itself, even if it is opened through a link.
        let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let lock_path = atomic_file::with_suffix(&target, ".lock");
        let is_new = !lock_path.exists();
        let lock = folder::lock_file(&lock_path)?;
        let lock = lock.ok_or_else(|| StoreError::DeliveryLogInUse(path.to_owned()))?;
        let mut connection = open().inspect_err(|_| {
            // Don't leave a lock file next to a file that is not a delivery log.
            if is_new && let Err(error) = std::fs::remove_file(&lock_path) {
                tracing::debug!(%error, "a lock file could not be removed");
            }
        })?;
        let opened = mark(&connection)?;
        streams::begin(&mut connection, opened.last_seq)?;
        let (publish, stored) = watch::channel(opened.last_seq);
        let (queue, commands) = sync_channel(backlog.deliveries);
        let (report, damage) = watch::channel(None);
        let waiting_bytes = Arc::new(AtomicUsize::new(0));
        let writer = Writer::new(path, connection, Box::new(open), commands, waiting_bytes.clone(), publish, report)?;
        let thread = std::thread::Builder::new()
            .name("delivery_log".to_owned())
            .spawn(move || writer.run())
            .map_err(|source| StoreError::Io { path: path.to_owned(), source })?;
        let running = Running { thread, _lock: lock };
        Ok(Self { queue, writer: Mutex::new(Some(running)), waiting_bytes, backlog, stored, damage, opened })
    }

    /// Stores a delivery. `Ok` has its sequence number and guarantees that it survives a power cut.
    ///
    /// The delivery is queued when this is called, not when the future is first polled; dropping the future does not
    /// remove it. After an error the delivery may still be stored: a failed commit can have reached the disk.
    ///
    /// # Errors
    /// [`DeliveryLogError::Full`] at once when the queue is full, the others when it could not be stored.
    pub fn append(
        &self,
        delivery: NewDelivery,
    ) -> impl Future<Output = Result<i64, DeliveryLogError>> + Send + 'static + use<> {
        let queued = self.enqueue(delivery);
        async move { queued?.await.unwrap_or(Err(DeliveryLogError::Closed)) }
    }

    /// Sequence number of the last stored delivery; 0 if there is none. Changes after every commit.
    #[must_use]
    pub fn stored(&self) -> watch::Receiver<i64> {
        self.stored.clone()
    }

    /// Identity of this delivery log. A restored or replaced file has another identity, and cursors into it restart.
    #[must_use]
    pub fn log_id(&self) -> &str {
        &self.opened.id
    }

    /// Its content when it was opened.
    #[must_use]
    pub fn opened(&self) -> &DeliveryLogMark {
        &self.opened
    }

    /// The damage that the writer found, in SQLite's words; `None` if it found none.
    #[must_use]
    pub fn damage(&self) -> watch::Receiver<Option<String>> {
        self.damage.clone()
    }

    /// Stores the queued deliveries and closes the file, even while others still hold the delivery log: their later
    /// deliveries fail with [`DeliveryLogError::Closed`]. Blocks until that is done.
    pub fn close(&self) {
        let writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(running) = writer {
            // Waits if the queue is full: everything in it has been accepted.
            let _ = self.queue.send(Command::End);
            let _ = running.thread.join();
        }
    }

    /// Runs `work` on the writer's connection, between two commits. Blocks while the queue is full.
    fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> impl Future<Output = Result<T, StoreError>> + Send + 'static {
        let (answer, answered) = oneshot::channel();
        let job = Box::new(move |connection: Result<&mut Connection, StoreError>| {
            let result = connection.and_then(work);
            let trusted = !result.as_ref().err().is_some_and(StoreError::breaks_connection);
            // The receiver may be gone; the work is done anyway.
            let _ = answer.send(result);
            trusted
        });
        let queue = self.queue.clone();
        async move {
            let sent = tokio::task::spawn_blocking(move || queue.send(Command::Work(job)).is_ok()).await;
            if !sent.unwrap_or(false) {
                return Err(StoreError::Closed);
            }
            answered.await.unwrap_or(Err(StoreError::Closed))
        }
    }

    fn enqueue(
        &self,
        delivery: NewDelivery,
    ) -> Result<oneshot::Receiver<Result<i64, DeliveryLogError>>, DeliveryLogError> {
        let headers =
            serde_json::to_string(&delivery.headers).map_err(|error| DeliveryLogError::Storage(error.to_string()))?;
        let size = delivery.body.len() + headers.len();
        // An empty queue accepts a delivery of any size, which could otherwise never be stored.
        let before = self.waiting_bytes.fetch_add(size, Ordering::Relaxed);
        if before > 0 && before + size > self.backlog.bytes {
            self.waiting_bytes.fetch_sub(size, Ordering::Relaxed);
            return Err(DeliveryLogError::Full);
        }
        let (answer, answered) = oneshot::channel();
        let append = Append {
            received_at: delivery.received_at,
            route: delivery.route,
            headers,
            body: delivery.body,
            size,
            answer,
        };
        self.queue.try_send(Command::Append(append)).map(|()| answered).map_err(|error| {
            self.waiting_bytes.fetch_sub(size, Ordering::Relaxed);
            match error {
                TrySendError::Full(_) => DeliveryLogError::Full,
                TrySendError::Disconnected(_) => DeliveryLogError::Closed,
            }
        })
    }
}

impl Drop for DeliveryLog {
    /// Stores the queued deliveries, then closes the file.
    fn drop(&mut self) {
        self.close();
    }
}

fn open_writing(path: &Path) -> Result<Connection, StoreError> {
    let connection = connection::open(path, &SCHEMA)?;
    connection.execute(
        "INSERT INTO meta (id, log_id) VALUES (1, ?1) ON CONFLICT DO NOTHING",
        [uuid::Uuid::new_v4().to_string()],
    )?;
    Ok(connection)
}

#[cfg(test)]
mod tests;
