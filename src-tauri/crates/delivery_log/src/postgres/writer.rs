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
use tokio::time::timeout;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Statement};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::Database;
use super::months::{Month, remove_old};
use crate::error::LogError;

/// Maximum number of deliveries in a commit …
const GROUP_DELIVERIES: usize = 1_024;
/// … and their bytes: the first in the group must not wait for too many others.
const GROUP_BYTES: usize = 4 << 20;
/// After this time, the connection counts as broken; whether the group was stored is unknown.
const STORE_TIMEOUT: Duration = Duration::from_secs(10);

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
    superseded: CancellationToken,
    writer: Mutex<Option<JoinHandle<()>>>,
}

impl DeliveryLog {
    pub(super) async fn open(database: Database, node: String) -> Result<Self, LogError> {
        let backlog = Backlog::default();
        let (queue, appends) = mpsc::channel(backlog.deliveries);
        let waiting_bytes = Arc::<AtomicUsize>::default();
        let (closing, superseded) = (CancellationToken::new(), CancellationToken::new());
        let mut writer = Writer {
            database,
            node,
            appends,
            waiting_bytes: waiting_bytes.clone(),
            closing: closing.clone(),
            superseded: superseded.clone(),
            stream: None,
            open: None,
        };
        writer.connection().await?;
        let writer = Mutex::new(Some(tokio::spawn(writer.run())));
        Ok(Self(Arc::new(Inner { queue, waiting_bytes, backlog, closing, superseded, writer })))
    }

    /// Completes when another receiver of the same name has started; nothing is stored from then on.
    pub async fn superseded(&self) {
        self.0.superseded.cancelled().await;
    }

    /// Whether another receiver of the same name has started.
    #[must_use]
    pub fn is_superseded(&self) -> bool {
        self.0.superseded.is_cancelled()
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
    superseded: CancellationToken,
    /// The stream that this process began last.
    stream: Option<Uuid>,
    open: Option<Open>,
}

/// A connection on which this process is the only one that appends to its stream.
struct Open {
    client: Client,
    stream: Uuid,
    month: Option<(Month, Statement)>,
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
            let stored = match timeout(STORE_TIMEOUT, self.store(&group)).await {
                Ok(stored) => stored,
                Err(_) => Err(LogError::Slow),
            };
            self.waiting_bytes.fetch_sub(bytes, Ordering::Relaxed);
            if let Err(error) = &stored {
                // One line for an outage; the receiver logs each refused request.
                if refused == 0 {
                    tracing::error!(%error, "deliveries are not stored");
                } else {
                    tracing::debug!(%error, deliveries = group.len(), "deliveries are still not stored");
                }
                refused += group.len();
                self.open = None;
                if matches!(error, LogError::Superseded(_)) {
                    self.superseded.cancel();
                }
            } else {
                self.database.stored.notify_one();
                match std::mem::take(&mut refused) {
                    0 => {}
                    refused => tracing::info!(refused, "deliveries are stored again"),
                }
            }
            for append in group.drain(..) {
                let _ = append.answer.send(if stored.is_ok() { Ok(()) } else { Err(Refusal::Storage) });
            }
        }
    }

    /// Appends a group in one transaction.
    async fn store(&mut self, group: &[Append]) -> Result<(), LogError> {
        let node = self.node.clone();
        let open = self.connection().await?;
        let statement = open.statement(Utc::now()).await?;
        let endpoints: Vec<&str> = group.iter().map(|append| append.endpoint.as_str()).collect();
        let times: Vec<i64> = group.iter().map(|append| append.received_at).collect();
        let headers: Vec<&str> = group.iter().map(|append| append.headers.as_str()).collect();
        let bodies: Vec<&[u8]> = group.iter().map(|append| append.body.as_ref()).collect();
        let crc = |append: &Append| {
            i64::from(checksum::of_delivery(append.received_at, &append.endpoint, &append.headers, &append.body))
        };
        let crcs: Vec<i64> = group.iter().map(crc).collect();
        let count = i64::try_from(group.len()).expect("a group is small");
        let values: [&(dyn ToSql + Sync); 7] = [&open.stream, &count, &endpoints, &times, &headers, &bodies, &crcs];
        let rows = open.client.execute(&statement, &values).await?;
        // The stream is closed once another process has begun the next one of this node.
        if rows == 0 {
            return Err(LogError::Superseded(node));
        }
        Ok(())
    }

    /// The connection, connected again if it broke or the last group failed. Each connection begins a stream: whether a
    /// group was stored whose answer was lost is unknown, and a database that takes the place of the former one may
    /// lack what desks have fetched already. The numbers that they would share then belong to different streams.
    async fn connection(&mut self) -> Result<&mut Open, LogError> {
        if self.open.as_ref().is_none_or(|open| open.client.is_closed()) {
            self.open = None;
            let mut client = self.database.connect().await?;
            // What the session's role or database says otherwise does not count.
            client.batch_execute("SET synchronous_commit = on").await?;
            let stream = begin_stream(&mut client, &self.node, self.stream).await?;
            self.stream = Some(stream);
            self.open = Some(Open { client, stream, month: None });
        }
        Ok(self.open.as_mut().expect("opened above"))
    }
}

/// Closes the streams of a node and begins another, unless a later process has closed `own`. Empty streams that were
/// closed before are removed.
async fn begin_stream(client: &mut Client, node: &str, own: Option<Uuid>) -> Result<Uuid, LogError> {
    let transaction = client.transaction().await?;
    if let Some(own) = own {
        let sql = "SELECT closed FROM template_desk.stream WHERE id = $1 FOR UPDATE";
        // A stream that is missing is one that a restored database lacks.
        if transaction.query_opt(sql, &[&own]).await?.is_some_and(|row| row.get(0)) {
            return Err(LogError::Superseded(node.to_owned()));
        }
    }
    let remove = "DELETE FROM template_desk.stream WHERE node = $1 AND closed AND last_seq < first_seq";
    transaction.execute(remove, &[&node]).await?;
    // Waits for an append that is under way; later ones find their stream closed.
    transaction.execute("UPDATE template_desk.stream SET closed = true WHERE node = $1", &[&node]).await?;
    let before =
        "SELECT coalesce(max(ordinal), 0), coalesce(max(last_seq), 0) FROM template_desk.stream WHERE node = $1";
    let row = transaction.query_one(before, &[&node]).await?;
    let (ordinal, last): (i64, i64) = (row.get(0), row.get(1));
    let insert = "INSERT INTO template_desk.stream (id, node, ordinal, first_seq, last_seq, started_at)
                  VALUES ($1, $2, $3, $4, $5, $6)";
    let (stream, now) = (Uuid::new_v4(), Utc::now().timestamp_millis());
    transaction.execute(insert, &[&stream, &node, &(ordinal + 1), &(last + 1), &last, &now]).await?;
    transaction.commit().await?;
    Ok(stream)
}

impl Open {
    /// The statement that appends to the table of this month.
    async fn statement(&mut self, now: DateTime<Utc>) -> Result<Statement, LogError> {
        let month = Month::of(now);
        match &self.month {
            // A clock that is set back does not lead back to an earlier table: the tables of a stream are in its order.
            Some((current, statement)) if *current >= month => return Ok(statement.clone()),
            _ => {}
        }
        let known = "SELECT max(month), (extract(epoch FROM now()) * 1000)::bigint
                     FROM template_desk.segment WHERE stream = $1";
        let known = self.client.query_one(known, &[&self.stream]).await?;
        let newest = known.get::<_, Option<&str>>(0).and_then(Month::stored);
        // A clock that is behind must not put what is new into a month that retention removes.
        let of_database = DateTime::from_timestamp_millis(known.get(1)).map(Month::of);
        let month = [newest, of_database].into_iter().flatten().fold(month, Month::max);
        month.create(&self.client).await?;
        let segment = "INSERT INTO template_desk.segment (stream, month, first_seq)
                       SELECT id, $2, last_seq + 1 FROM template_desk.stream WHERE id = $1 ON CONFLICT DO NOTHING";
        self.client.execute(segment, &[&self.stream, &month.as_str()]).await?;
        let table = month.table();
        // One statement is one transaction and one round trip.
        let append = format!(
            "WITH appended AS (
               UPDATE template_desk.stream SET last_seq = last_seq + $2 WHERE id = $1 AND NOT closed
               RETURNING last_seq - $2 AS before)
             INSERT INTO {table} (stream, seq, endpoint, received_at, headers, body, crc)
             SELECT $1, appended.before + d.position, d.endpoint, d.received_at, d.headers, d.body, d.crc
             FROM appended, unnest($3::text[], $4::bigint[], $5::text[], $6::bytea[], $7::bigint[])
               WITH ORDINALITY AS d (endpoint, received_at, headers, body, crc, position)"
        );
        let statement = self.client.prepare(&append).await?;
        self.month = Some((month, statement.clone()));
        Ok(statement)
    }
}

impl Database {
    /// Removes the deliveries of all but the last `kept` months, this month included. Returns the removed months.
    pub async fn remove_old(&self, kept: u32) -> Result<Vec<String>, LogError> {
        let mut client = self.connect().await?;
        remove_old(&mut client, Utc::now(), kept).await
    }
}
