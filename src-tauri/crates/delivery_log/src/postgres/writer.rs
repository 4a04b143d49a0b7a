//! The task that appends to the log.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use chrono::{DateTime, Utc};
use model::checksum;
use receiver::Refusal;
use store::delivery_log::Backlog;
use tokio::sync::{Mutex, mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout};
use tokio_postgres::types::Type;
use tokio_util::sync::CancellationToken;
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

/// One statement is one transaction and one round trip. Its settings end with it: the commit waits for the disk, and for a
/// synchronous standby if there is one, whatever the role or the database says; the lock on the end of the log is not
/// waited for without end; and the warning that a commit did not wait is heard.
const APPEND: &str = "
    WITH setting AS (
      SELECT set_config('synchronous_commit', CASE current_setting('synchronous_commit')
                          WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END, true) AS synchronous,
             set_config('lock_timeout', '8s', true) AS lock, set_config('client_min_messages', 'warning', true) AS heard),
    head AS (
      UPDATE template_desk.log SET last_seq = last_seq + cardinality($3) FROM setting
      WHERE id = 1 AND setting.synchronous <> '' AND setting.lock <> '' AND setting.heard <> ''
      RETURNING last_seq - cardinality($3) AS before,
                (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS stored_at)
    INSERT INTO template_desk.delivery (seq, mark, stored_at, node, endpoint, received_at, headers, body, crc)
    SELECT head.before + d.position, $1, head.stored_at, $2, d.endpoint, d.received_at, d.headers, d.body, d.crc
    FROM head, unnest($3, $4, $5, $6, $7)
      WITH ORDINALITY AS d (endpoint, received_at, headers, body, crc, position)";

/// A delivery in the queue.
struct Append {
    endpoint: String,
    received_at: i64,
    /// JSON array of pairs.
    headers: String,
    body: Bytes,
    answer: oneshot::Sender<Result<(), Refusal>>,
}

impl Append {
    fn size(&self) -> usize {
        self.body.len() + self.headers.len()
    }
}

/// The writing end of a log, for one receiver. Clones share it.
#[derive(Clone, Debug)]
pub struct DeliveryLog(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    queue: mpsc::Sender<Append>,
    waiting_bytes: Arc<AtomicUsize>,
    backlog: Backlog,
    closing: CancellationToken,
    writer: Mutex<Option<JoinHandle<()>>>,
}

impl DeliveryLog {
    pub(super) async fn open(database: Database, node: String) -> Result<Self, LogError> {
        let backlog = Backlog::default();
        let (queue, appends) = mpsc::channel(backlog.deliveries);
        let waiting_bytes = Arc::<AtomicUsize>::default();
        let closing = CancellationToken::new();
        let open = database.append_connection(&node, false).await?;
        let writer = Writer {
            database,
            node,
            appends,
            waiting_bytes: waiting_bytes.clone(),
            closing: closing.clone(),
            open: Some(open),
            pause: FIRST_PAUSE,
            refuse_until: None,
        };
        let writer = Mutex::new(Some(tokio::spawn(writer.run())));
        Ok(Self(Arc::new(Inner { queue, waiting_bytes, backlog, closing, writer })))
    }

    /// Stores what is queued and disconnects. Later deliveries are refused.
    pub async fn close(&self) {
        self.0.closing.cancel();
        if let Some(writer) = self.0.writer.lock().await.take()
            && let Err(error) = writer.await
        {
            tracing::error!(%error, "the writer of the log failed");
        }
    }

    fn enqueue(&self, delivery: receiver::Delivery) -> Result<oneshot::Receiver<Result<(), Refusal>>, Refusal> {
        let (answer, answered) = oneshot::channel();
        let append = Append {
            endpoint: delivery.route,
            received_at: unix_millis(delivery.received_at),
            headers: serde_json::to_string(&delivery.headers).map_err(|_| Refusal::Storage)?,
            body: delivery.body,
            answer,
        };
        let size = append.size();
        // An empty queue accepts a delivery of any size, which could otherwise never be stored.
        let before = self.0.waiting_bytes.fetch_add(size, Ordering::Relaxed);
        let is_full = before > 0 && before + size > self.0.backlog.bytes;
        let queued = if is_full { Err(Refusal::Busy) } else { self.0.queue.try_send(append).map_err(refusal) };
        if queued.is_err() {
            self.0.waiting_bytes.fetch_sub(size, Ordering::Relaxed);
        }
        queued.map(|()| answered)
    }
}

fn refusal<T>(error: mpsc::error::TrySendError<T>) -> Refusal {
    match error {
        mpsc::error::TrySendError::Full(_) => Refusal::Busy,
        mpsc::error::TrySendError::Closed(_) => Refusal::Storage,
    }
}

impl receiver::DeliveryLog for DeliveryLog {
    async fn append(&self, delivery: receiver::Delivery) -> Result<(), Refusal> {
        self.enqueue(delivery)?.await.unwrap_or(Err(Refusal::Storage))
    }
}

/// Unix milliseconds, negative before 1970.
fn unix_millis(time: SystemTime) -> i64 {
    DateTime::<Utc>::from(time).timestamp_millis()
}

struct Writer {
    database: Database,
    node: String,
    appends: mpsc::Receiver<Append>,
    waiting_bytes: Arc<AtomicUsize>,
    closing: CancellationToken,
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
        loop {
            tokio::select! {
                biased;
                received = self.appends.recv_many(&mut group, 1) => if received == 0 { break },
                () = self.closing.cancelled(), if !self.appends.is_closed() => {
                    // What is queued is still received.
                    self.appends.close();
                    continue;
                }
            }
            let mut bytes = group[0].size();
            while group.len() < GROUP_DELIVERIES
                && bytes < GROUP_BYTES
                && let Ok(next) = self.appends.try_recv()
            {
                bytes += next.size();
                group.push(next);
            }
            let stored = self.store(&group).await;
            self.waiting_bytes.fetch_sub(bytes, Ordering::Relaxed);
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
        let rows = timeout(STORE_TIMEOUT, append).await.map_err(|_| LogError::Slow)??;
        // A cancelled wait for a standby ends with success.
        if open.has_warned() {
            return Err(LogError::NotReplicated);
        }
        if rows != group.len() as u64 {
            return Err(LogError::Restored);
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
        if let Some(open) = self.open.take() {
            cancel(&open.client.cancel_token(), &self.database.tls).await;
        }
        self.refuse_until = Some(Instant::now() + self.pause);
        self.pause = (self.pause * 2).min(LONGEST_PAUSE);
    }
}
