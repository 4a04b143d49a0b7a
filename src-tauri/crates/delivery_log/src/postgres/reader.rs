//! Reads the log.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use deadpool_postgres::{Manager, ManagerConfig, Pool, RecyclingMethod, Runtime};
use feed::Delivery;
use model::checksum;
use tokio::sync::{Notify, watch};
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;
use uuid::Uuid;

use super::Database;
use super::months::Month;
use crate::access::{Access, TokenHash};
use crate::error::LogError;
use crate::stream::{Positions, Stream};

/// Connections for reading deliveries.
const CONNECTIONS: usize = 4;
/// Connections for checking tokens, so that neither waits for the other.
const ACCESS_CONNECTIONS: usize = 2;
const WAIT_FOR_CONNECTION: Duration = Duration::from_secs(10);
/// The database gives up a statement after this time, also if nobody waits for it any more.
const STATEMENT_TIMEOUT: &str = "-c statement_timeout=20s";
/// How often the deliveries of other receivers are looked for while desks wait.
const POLL_INTERVAL: Duration = Duration::from_millis(200);
/// Maximum bytes of bodies in a page.
const PAGE_BYTES: usize = 4 << 20;

/// The reading end of a log. Clones share its connections.
#[derive(Clone)]
pub struct Reader {
    pool: Pool,
    access: Pool,
    /// Shared by clones, so that the number of receivers tells whether desks wait.
    positions: Arc<watch::Receiver<Option<Positions>>>,
}

impl fmt::Debug for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader").field("pool", &self.pool.status()).finish_non_exhaustive()
    }
}

impl Reader {
    pub(super) fn open(database: &Database) -> Result<Self, LogError> {
        let deliveries = pool(database, CONNECTIONS)?;
        let (publish, positions) = watch::channel(None);
        tokio::spawn(poll(deliveries.clone(), database.stored.clone(), publish));
        Ok(Self { pool: deliveries, access: pool(database, ACCESS_CONNECTIONS)?, positions: Arc::new(positions) })
    }

    pub(crate) async fn positions(&self) -> Result<Positions, LogError> {
        positions(&self.pool).await
    }

    pub(crate) fn watch(&self) -> watch::Receiver<Option<Positions>> {
        (*self.positions).clone()
    }

    /// The deliveries of a stream after `after`, at most `limit`, and the position up to which it was read.
    pub(crate) async fn read(
        &self,
        stream: &Stream,
        after: i64,
        limit: u32,
        endpoints: &[String],
    ) -> Result<(Vec<Delivery>, i64), LogError> {
        let client = self.pool.get().await?;
        let segments = "SELECT month, first_seq FROM template_desk.segment WHERE stream = $1 ORDER BY month";
        let segments = client.query(&client.prepare_cached(segments).await?, &[&stream.id]).await?;
        let segments: Vec<(Month, i64)> =
            segments.iter().filter_map(|row| Some((Month::stored(row.get(0))?, row.get(1)))).collect();
        let at = segments.iter().rposition(|(_, first)| *first <= after + 1).unwrap_or(0);
        let Some((month, first)) = segments.get(at) else { return Ok((Vec::new(), stream.last_seq)) };
        let end = segments.get(at + 1).map_or(stream.last_seq, |(_, next)| (next - 1).min(stream.last_seq));
        let after = after.max(first - 1);
        if end <= after {
            return Ok((Vec::new(), end.max(after)));
        }
        let filter = if endpoints.is_empty() { "" } else { "AND endpoint = ANY($5)" };
        let table = month.table();
        let sql = format!(
            "SELECT seq, endpoint, received_at, headers, body, crc
             FROM (SELECT *, sum(octet_length(body)) OVER (ORDER BY seq) - octet_length(body) AS bytes_before
                   FROM (SELECT seq, endpoint, received_at, headers, body, crc FROM {table}
                         WHERE stream = $1 AND seq > $2 AND seq <= $3 {filter} ORDER BY seq LIMIT $4) AS page) AS page
             WHERE bytes_before < {PAGE_BYTES} ORDER BY seq"
        );
        let statement = client.prepare_cached(&sql).await?;
        let limit = i64::from(limit);
        let mut values: Vec<&(dyn ToSql + Sync)> = vec![&stream.id, &after, &end, &limit];
        if !endpoints.is_empty() {
            values.push(&endpoints);
        }
        let rows = client.query(&statement, &values).await?;
        let is_end = rows.len() < usize::try_from(limit).unwrap_or(usize::MAX)
            && rows.iter().map(|row| row.get::<_, &[u8]>(4).len()).sum::<usize>() < PAGE_BYTES;
        let to = rows.last().filter(|_| !is_end).map_or(end, |row| row.get(0));
        Ok((rows.iter().filter_map(|row| delivery(row, &stream.node)).collect(), to))
    }

    pub(crate) async fn desk_of(&self, hash: &TokenHash) -> Result<Option<Access>, LogError> {
        let client = self.access.get().await?;
        let sql = "SELECT name, token_hash, endpoints, created_at FROM template_desk.desk WHERE token_hash = $1";
        let row = client.query_opt(&client.prepare_cached(sql).await?, &[&hash.0]).await?;
        Ok(row.as_ref().and_then(desk))
    }

    pub(crate) async fn desks(&self) -> Result<Vec<Access>, LogError> {
        let client = self.access.get().await?;
        let sql = "SELECT name, token_hash, endpoints, created_at FROM template_desk.desk ORDER BY name";
        let rows = client.query(sql, &[]).await?;
        Ok(rows.iter().filter_map(desk).collect())
    }

    pub(crate) async fn add_desk(&self, desk: Access) -> Result<(), LogError> {
        let client = self.access.get().await?;
        let sql = "INSERT INTO template_desk.desk (name, token_hash, endpoints, created_at) VALUES ($1, $2, $3, $4)
                   ON CONFLICT (name) DO UPDATE SET token_hash = excluded.token_hash, endpoints = excluded.endpoints,
                     created_at = excluded.created_at";
        let endpoints = serde_json::to_string(&desk.endpoints).map_err(|error| LogError::Access(error.to_string()))?;
        client.execute(sql, &[&desk.name, &desk.hash.0, &endpoints, &desk.created_at]).await?;
        Ok(())
    }

    pub(crate) async fn revoke_desk(&self, name: &str) -> Result<bool, LogError> {
        let client = self.access.get().await?;
        Ok(client.execute("DELETE FROM template_desk.desk WHERE name = $1", &[&name]).await? > 0)
    }
}

fn pool(database: &Database, connections: usize) -> Result<Pool, LogError> {
    let mut config = database.config.clone();
    config.options(STATEMENT_TIMEOUT);
    let recycling = ManagerConfig { recycling_method: RecyclingMethod::Fast };
    Pool::builder(Manager::from_config(config, database.tls.clone(), recycling))
        .max_size(connections)
        .wait_timeout(Some(WAIT_FOR_CONNECTION))
        .create_timeout(Some(WAIT_FOR_CONNECTION))
        .runtime(Runtime::Tokio1)
        .build()
        .map_err(|error| LogError::Address(error.to_string()))
}

fn desk(row: &Row) -> Option<Access> {
    // A list that cannot be read must not become access to every endpoint.
    let endpoints = serde_json::from_str(row.get(2)).ok()?;
    Some(Access { name: row.get(0), hash: TokenHash(row.get(1)), endpoints, created_at: row.get(3) })
}

async fn positions(pool: &Pool) -> Result<Positions, LogError> {
    let client = pool.get().await?;
    let sql = "SELECT id, node, first_seq, last_seq FROM template_desk.stream ORDER BY node, ordinal";
    let rows = client.query(&client.prepare_cached(sql).await?, &[]).await?;
    let stream =
        |row: &Row| Stream { id: row.get::<_, Uuid>(0), node: row.get(1), first_seq: row.get(2), last_seq: row.get(3) };
    Ok(Arc::new(rows.iter().map(stream).collect()))
}

/// Publishes the positions while desks wait for them.
async fn poll(pool: Pool, stored: Arc<Notify>, publish: watch::Sender<Option<Positions>>) {
    loop {
        tokio::select! {
            () = stored.notified() => {}
            () = tokio::time::sleep(POLL_INTERVAL) => {}
            () = publish.closed() => return,
        }
        // The reader itself holds one.
        if publish.receiver_count() <= 1 {
            continue;
        }
        let now = positions(&pool).await.inspect_err(|error| tracing::debug!(%error, "the log cannot be read")).ok();
        publish.send_if_modified(|before| {
            let is_new = *before != now;
            *before = now;
            is_new
        });
    }
}

/// The delivery of a row, if its checksum matches.
fn delivery(row: &Row, node: &str) -> Option<Delivery> {
    let (seq, endpoint, received_at): (i64, String, i64) = (row.get(0), row.get(1), row.get(2));
    let (headers, body, crc): (&str, &[u8], i64) = (row.get(3), row.get(4), row.get(5));
    let matches = i64::from(checksum::of_delivery(received_at, &endpoint, headers, body)) == crc;
    match serde_json::from_str(headers) {
        Ok(headers) if matches => {
            let body = body.to_vec().into();
            Some(Delivery { node: node.to_owned(), seq, endpoint, received_at, headers, body })
        }
        _ => {
            tracing::error!(node, seq, "a delivery was altered after it was stored");
            None
        }
    }
}
