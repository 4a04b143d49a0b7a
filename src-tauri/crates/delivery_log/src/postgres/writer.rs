//! The task that appends to the log.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use chrono::{DateTime, Utc};
use model::checksum;
use receiver::Refusal;
use store::delivery_log::Backlog;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout};
use tokio_postgres::types::Type;
use uuid::Uuid;

use super::Database;
use super::connection::{Connection, Value, cancel};
use crate::error::LogError;

/// Maximum number of deliveries in a commit …
const GROUP_DELIVERIES: usize = 1_024;
/// … and their bytes: the first in the group must not wait for too many others.
const GROUP_BYTES: usize = 4 << 20;
/// After this time, whether the group was stored is unknown.
const STORE_TIMEOUT: Duration = Duration::from_secs(10);
/// After a connection failed, deliveries are refused at once for a time that doubles, up to the longest.
const FIRST_PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(15);

/// One transaction and one round trip.
const APPEND: &str = "SELECT template_desk.append($1, $2, $3, $4, $5, $6, $7)";

/// A delivery in the queue.
struct Append {
    endpoint: String,
    received_at: i64,
    /// JSON array of pairs.
    headers: String,
    body: Bytes,
    /// Its bytes in the queue.
    room: OwnedSemaphorePermit,
    answer: oneshot::Sender<Result<(), Refusal>>,
}

/// The writing end of a log, for one receiver. Clones share it.
#[derive(Clone, Debug)]
pub struct DeliveryLog(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    /// Missing once the log is closed.
    queue: Mutex<Option<mpsc::Sender<Append>>>,
    /// Bytes that the queue has room for.
    room: Arc<Semaphore>,
    writer: Mutex<Option<JoinHandle<()>>>,
}

impl DeliveryLog {
    pub(super) async fn open(database: Database, node: String) -> Result<Self, LogError> {
        let backlog = Backlog::default();
        let (queue, appends) = mpsc::channel(backlog.deliveries);
        let open = Some(database.append_connection(&node, false).await?);
        let writer = Writer { database, node, appends, open, pause: FIRST_PAUSE, refuse_until: None };
        let room = Arc::new(Semaphore::new(backlog.bytes));
        let writer = Mutex::new(Some(tokio::spawn(writer.run())));
        Ok(Self(Arc::new(Inner { queue: Mutex::new(Some(queue)), room, writer })))
    }

    /// Stores what is queued and disconnects. Later deliveries are refused.
    pub async fn close(&self) {
        drop(lock(&self.0.queue).take());
        let writer = lock(&self.0.writer).take();
        if let Some(writer) = writer
            && let Err(error) = writer.await
        {
            tracing::error!(%error, "the writer of the log failed");
        }
    }

    fn enqueue(&self, delivery: receiver::Delivery) -> Result<oneshot::Receiver<Result<(), Refusal>>, Refusal> {
        let headers = serde_json::to_string(&delivery.headers).map_err(|_| Refusal::Storage)?;
        let size = u32::try_from(delivery.body.len() + headers.len()).map_err(|_| Refusal::Busy)?;
        let room = self.0.room.clone().try_acquire_many_owned(size).map_err(|_| Refusal::Busy)?;
        let received_at = DateTime::<Utc>::from(delivery.received_at).timestamp_millis();
        let (answer, answered) = oneshot::channel();
        let append = Append { endpoint: delivery.route, received_at, headers, body: delivery.body, room, answer };
        match lock(&self.0.queue).as_ref().map(|queue| queue.try_send(append)) {
            Some(Ok(())) => Ok(answered),
            Some(Err(mpsc::error::TrySendError::Full(_))) => Err(Refusal::Busy),
            _ => Err(Refusal::Storage),
        }
    }
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

impl receiver::DeliveryLog for DeliveryLog {
    async fn append(&self, delivery: receiver::Delivery) -> Result<(), Refusal> {
        self.enqueue(delivery)?.await.unwrap_or(Err(Refusal::Storage))
    }
}

struct Writer {
    database: Database,
    node: String,
    appends: mpsc::Receiver<Append>,
    /// Missing after an error.
    open: Option<Connection>,
    /// The pause after the next error.
    pause: Duration,
    refuse_until: Option<Instant>,
}

impl Writer {
    async fn run(mut self) {
        // Deliveries that were refused since the last one that was stored.
        let (mut group, mut refused) = (Vec::new(), 0);
        while let Some(first) = self.appends.recv().await {
            let mut bytes = first.room.num_permits();
            group.push(first);
            while group.len() < GROUP_DELIVERIES
                && bytes < GROUP_BYTES
                && let Ok(next) = self.appends.try_recv()
            {
                bytes += next.room.num_permits();
                group.push(next);
            }
            let stored = self.store(&group).await;
            // Before the connection is given up: the senders wait.
            for append in group.drain(..) {
                let _ = append.answer.send(stored.as_ref().copied().map_err(|_| Refusal::Storage));
                refused += usize::from(stored.is_err());
            }
            match stored {
                Ok(()) => {
                    self.database.stored.notify_one();
                    match std::mem::take(&mut refused) {
                        0 => {}
                        refused => tracing::info!(refused, "deliveries are stored again"),
                    }
                }
                Err(error) => self.give_up(&error).await,
            }
        }
    }

    /// Appends a group in one transaction.
    async fn store(&mut self, group: &[Append]) -> Result<(), LogError> {
        if self.refuse_until.is_some_and(|until| Instant::now() < until) {
            return Err(LogError::Slow);
        }
        let open = match self.open.take().filter(|open| !open.client.is_closed()) {
            Some(open) => open,
            None => self.database.append_connection(&self.node, true).await?,
        };
        let open = self.open.insert(open);
        let endpoints: Vec<&str> = group.iter().map(|append| append.endpoint.as_str()).collect();
        let times: Vec<i64> = group.iter().map(|append| append.received_at).collect();
        let headers: Vec<&str> = group.iter().map(|append| append.headers.as_str()).collect();
        let bodies: Vec<&[u8]> = group.iter().map(|append| append.body.as_ref()).collect();
        let crc = |append: &Append| {
            i64::from(checksum::of_delivery(append.received_at, &append.endpoint, &append.headers, &append.body))
        };
        let crcs: Vec<i64> = group.iter().map(crc).collect();
        let mark = Uuid::new_v4();
        let values: [Value<'_>; 7] = [
            (&mark, Type::UUID),
            (&self.node, Type::TEXT),
            (&endpoints, Type::TEXT_ARRAY),
            (&times, Type::INT8_ARRAY),
            (&headers, Type::TEXT_ARRAY),
            (&bodies, Type::BYTEA_ARRAY),
            (&crcs, Type::INT8_ARRAY),
        ];
        let append = open.client.execute_typed(APPEND, &values);
        timeout(STORE_TIMEOUT, append).await.map_err(|_| LogError::Slow)??;
        // A cancelled wait for a standby ends with success.
        if open.has_warned() {
            return Err(LogError::NotReplicated);
        }
        self.pause = FIRST_PAUSE;
        self.refuse_until = None;
        Ok(())
    }

    /// Ends a connection whose statement failed or was not answered, and refuses deliveries for a time. What it may still
    /// store was refused, and stays refused.
    async fn give_up(&mut self, error: &LogError) {
        if self.refuse_until.is_some_and(|until| Instant::now() < until) {
            return;
        }
        // One line for an outage; the receiver logs each refused request.
        if self.refuse_until.is_none() {
            tracing::error!(%error, "deliveries are not stored");
        } else {
            tracing::debug!(%error, "deliveries are still not stored");
        }
        // What was answered is over. PgBouncer 1.18 can end when nothing is left to cancel (its issue 801).
        if let Some(open) = self.open.take()
            && matches!(error, LogError::Slow)
        {
            cancel(&open.client.cancel_token(), &self.database.tls).await;
        }
        self.refuse_until = Some(Instant::now() + self.pause);
        self.pause = (self.pause * 2).min(LONGEST_PAUSE);
    }
}
