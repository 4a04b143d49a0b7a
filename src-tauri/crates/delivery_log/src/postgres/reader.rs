//! Reads the log.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use deadpool_postgres::{Manager, ManagerConfig, Object, Pool, RecyclingMethod, Runtime};
use feed::Delivery;
use model::checksum;
use tokio::sync::{Notify, watch};
use tokio::time::timeout;
use tokio_postgres::Row as Columns;
use tokio_postgres::types::Type;
use tokio_postgres_rustls::MakeRustlsConnect;

use super::Database;
use super::connection::{Value, cancel};
use crate::error::LogError;
use crate::rows::{Content, GATHER_TIME, Head, Row, Wanted};

/// Connections for reading deliveries.
const CONNECTIONS: usize = 4;
/// Connections for checking tokens, so that neither waits for the other.
const ACCESS_CONNECTIONS: usize = 2;
const WAIT_FOR_CONNECTION: Duration = Duration::from_secs(5);
const STATEMENT_TIMEOUT: Duration = Duration::from_secs(10);
/// How often the deliveries of other receivers are looked for while desks wait.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

const HEAD: &str = "
    SELECT r.first_seq, l.last_seq,
           (SELECT md5(string_agg(name || token_hash || endpoints, ' ' ORDER BY name))::uuid FROM template_desk.desk)
    FROM template_desk.log AS l, template_desk.retention AS r";
/// `$1` is the delivery of which only the mark is read. What does not fit is returned without its content.
const ROWS: &str = "
    SELECT seq, mark, is_wanted, node, endpoint, received_at, crc, CASE WHEN fits THEN headers END,
           CASE WHEN fits THEN body END
    FROM (SELECT *, is_wanted AND wanted <= $4 AND (bytes <= $5 OR ($6 AND wanted = 1)) AS fits
          FROM (SELECT *, count(*) FILTER (WHERE is_wanted) OVER upto AS wanted,
                       sum(octet_length(body)) FILTER (WHERE is_wanted) OVER upto AS bytes
                FROM (SELECT *, seq > $1 AND (cardinality($3) = 0 OR endpoint = ANY ($3)) AS is_wanted
                      FROM template_desk.delivery WHERE seq BETWEEN $1 AND $2) AS part
                WINDOW upto AS (ORDER BY seq ROWS UNBOUNDED PRECEDING)) AS part) AS part
    ORDER BY seq";

/// The reading end of a log. Clones share its connections.
#[derive(Clone)]
pub struct Reader {
    /// For cancelling a statement.
    tls: MakeRustlsConnect,
    pool: Pool,
    access: Pool,
    /// Shared by clones, so that the number of receivers tells whether desks wait.
    head: Arc<watch::Receiver<Option<Head>>>,
}

impl fmt::Debug for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader").field("pool", &self.pool.status()).finish_non_exhaustive()
    }
}

impl Reader {
    pub(super) fn open(database: &Database) -> Result<Self, LogError> {
        let (publish, head) = watch::channel(None);
        let reader = Self {
            tls: database.tls.clone(),
            pool: pool(database, CONNECTIONS)?,
            access: pool(database, ACCESS_CONNECTIONS)?,
            head: Arc::new(head),
        };
        // The task has no reader, whose end it waits for.
        tokio::spawn(poll(database.tls.clone(), reader.pool.clone(), database.stored.clone(), publish));
        Ok(reader)
    }

    pub(crate) async fn head(&self) -> Result<Head, LogError> {
        head(&self.tls, &self.pool).await
    }

    pub(crate) fn watch(&self) -> watch::Receiver<Option<Head>> {
        (*self.head).clone()
    }

    pub(crate) async fn read(&self, after: i64, end: i64, wanted: Wanted<'_>) -> Result<Vec<Row>, LogError> {
        let bytes = i64::try_from(wanted.bytes).unwrap_or(i64::MAX);
        let values: [Value<'_>; 6] = [
            (&after, Type::INT8),
            (&end, Type::INT8),
            (&wanted.endpoints, Type::TEXT_ARRAY),
            (&wanted.limit, Type::INT8),
            (&bytes, Type::INT8),
            (&wanted.first, Type::BOOL),
        ];
        Ok(query(&self.tls, &self.pool, ROWS, &values).await?.iter().map(row).collect())
    }

    /// A statement that is not about deliveries.
    pub(super) async fn access(&self, sql: &str, values: &[Value<'_>]) -> Result<Vec<Columns>, LogError> {
        query(&self.tls, &self.access, sql, values).await
    }
}

fn pool(database: &Database, connections: usize) -> Result<Pool, LogError> {
    let recycling = ManagerConfig { recycling_method: RecyclingMethod::Fast };
    Pool::builder(Manager::from_config(database.config.clone(), database.tls.clone(), recycling))
        .max_size(connections)
        .wait_timeout(Some(WAIT_FOR_CONNECTION))
        .create_timeout(Some(WAIT_FOR_CONNECTION))
        .runtime(Runtime::Tokio1)
        .build()
        .map_err(|error| LogError::Address(error.to_string()))
}

/// Runs a statement. One that takes too long is cancelled, and its connection is not used again.
async fn query(
    tls: &MakeRustlsConnect,
    pool: &Pool,
    sql: &str,
    values: &[Value<'_>],
) -> Result<Vec<Columns>, LogError> {
    let client = pool.get().await?;
    match timeout(STATEMENT_TIMEOUT, client.query_typed(sql, values)).await {
        Ok(rows) => Ok(rows?),
        Err(_) => {
            cancel(&client.cancel_token(), tls).await;
            drop(Object::take(client));
            Err(LogError::Slow)
        }
    }
}

async fn head(tls: &MakeRustlsConnect, pool: &Pool) -> Result<Head, LogError> {
    let rows = query(tls, pool, HEAD, &[]).await?;
    let [row] = rows.as_slice() else { return Err(LogError::Restored) };
    Ok(Head { first: row.get(0), last: row.get(1), desks: row.get(2) })
}

/// Publishes the numbers of the log while desks wait for them.
async fn poll(tls: MakeRustlsConnect, pool: Pool, stored: Arc<Notify>, publish: watch::Sender<Option<Head>>) {
    loop {
        tokio::select! {
            () = stored.notified() => tokio::time::sleep(GATHER_TIME).await,
            () = tokio::time::sleep(POLL_INTERVAL) => {}
            () = publish.closed() => return,
        }
        // The reader itself holds one.
        if publish.receiver_count() <= 1 {
            continue;
        }
        let now = head(&tls, &pool).await;
        let now = now.inspect_err(|error| tracing::debug!(%error, "the log cannot be read")).ok();
        publish.send_if_modified(|before| {
            let is_new = *before != now;
            *before = now;
            is_new
        });
    }
}

fn row(row: &Columns) -> Row {
    let (seq, is_wanted): (i64, bool) = (row.get(0), row.get(2));
    let content = match (is_wanted, row.get::<_, Option<&str>>(7), row.get::<_, Option<&[u8]>>(8)) {
        (false, ..) => Content::Other,
        (true, Some(headers), Some(body)) => {
            delivery(row, seq, headers, body).map_or(Content::Altered, Content::Delivery)
        }
        (true, ..) => Content::Later,
    };
    Row { seq, mark: row.get(1), content }
}

/// The delivery of a row, if its checksum matches.
fn delivery(row: &Columns, seq: i64, headers: &str, body: &[u8]) -> Option<Delivery> {
    let (node, endpoint, received_at, crc): (_, String, i64, i64) = (row.get(3), row.get(4), row.get(5), row.get(6));
    if i64::from(checksum::of_delivery(received_at, &endpoint, headers, body)) != crc {
        return None;
    }
    let headers = serde_json::from_str(headers).ok()?;
    Some(Delivery { node, seq, endpoint, received_at, headers, body: body.to_vec().into() })
}
