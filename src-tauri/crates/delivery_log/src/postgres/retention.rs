//! Removes old deliveries.

use chrono::Utc;
use serde::Serialize;
use tokio_postgres::types::Type;
use tokio_postgres::{Client, Row};

use super::Database;
use super::connection::Value;
use crate::error::LogError;

/// Numbers that one transaction removes: short enough for every lock to be released soon.
const BATCH: i64 = 5_000;
const DAY_MILLIS: i64 = 24 * 60 * 60 * 1_000;

/// One transaction at a time removes; the others have nothing to do. A commit that is lost removes again, so that it waits
/// for no standby.
const BEGIN: &str = "
    BEGIN; SET LOCAL synchronous_commit = local; SET LOCAL lock_timeout = '2s'; SET LOCAL statement_timeout = '30s'";
/// With the earlier of both clocks ($1): one that is ahead must not remove what is recent. `newest` is when the delivery
/// at the end was stored.
const STATE: &str = "
    SELECT r.first_seq, r.keep_days, l.last_seq,
           least($1, (extract(epoch FROM clock_timestamp()) * 1000)::bigint) AS now,
           (SELECT stored_at FROM template_desk.delivery WHERE seq = l.last_seq) AS newest,
           (SELECT stored_at FROM template_desk.delivery WHERE seq >= r.first_seq ORDER BY seq LIMIT 1) AS oldest
    FROM template_desk.retention AS r, template_desk.log AS l";
/// The last number of a batch that can go: nothing up to it is between the limit ($3) and now ($4). What seems to be from
/// the future was stored while the clock was ahead, and goes with what follows it.
const OLD: &str = "
    WITH batch AS (SELECT seq, stored_at FROM template_desk.delivery WHERE seq BETWEEN $1 AND $2)
    SELECT (SELECT max(seq) FROM batch
            WHERE stored_at < $3
              AND seq < (SELECT coalesce(min(seq), $2 + 1) FROM batch WHERE stored_at BETWEEN $3 AND $4)),
           EXISTS (SELECT 1 FROM batch WHERE stored_at BETWEEN $3 AND $4)";
const DELETE: &str = "DELETE FROM template_desk.delivery WHERE seq BETWEEN $1 AND $2";
const MOVE: &str = "UPDATE template_desk.retention SET first_seq = $1 WHERE id = 1";
const DESKS: &str = "
    SELECT d.name, d.read_to, d.read_at,
           (SELECT stored_at FROM template_desk.delivery WHERE seq > d.read_to ORDER BY seq LIMIT 1),
           greatest(r.first_seq - 1 - d.read_to, 0)
    FROM template_desk.desk AS d, template_desk.retention AS r WHERE d.read_to IS NOT NULL ORDER BY d.name";

/// What the log keeps.
#[derive(Debug, Serialize)]
pub struct Kept {
    /// `None` keeps everything.
    pub keep_days: Option<i32>,
    /// What is before it was removed.
    pub first_seq: i64,
    pub last_seq: i64,
    /// When the oldest delivery was stored, in Unix milliseconds.
    pub oldest: Option<i64>,
    /// When the newest was.
    #[serde(skip)]
    newest: Option<i64>,
    /// By the clock that is behind, in Unix milliseconds.
    #[serde(skip)]
    now: i64,
    pub desks: Vec<DeskPosition>,
}

/// Up to where a desk has read the log.
#[derive(Debug, Serialize)]
pub struct DeskPosition {
    pub name: String,
    pub read_to: i64,
    /// When it had, in Unix milliseconds.
    pub read_at: i64,
    /// When the oldest delivery was stored that it has not read and that is still there.
    pub unread_since: Option<i64>,
    /// Deliveries that it had not read when they were removed.
    pub missed: i64,
}

impl Kept {
    /// Whether deliveries that a desk has not read are removed within a day, unless it reads them.
    #[must_use]
    pub fn is_overtaken_soon(&self, desk: &DeskPosition) -> bool {
        self.limit().zip(desk.unread_since).is_some_and(|(limit, unread)| unread < limit + DAY_MILLIS)
    }

    /// What was stored before is old.
    fn limit(&self) -> Option<i64> {
        Some(self.now - i64::from(self.keep_days?) * DAY_MILLIS)
    }
}

impl Database {
    /// What the log keeps, and how far its desks are.
    pub async fn kept(&self) -> Result<Kept, LogError> {
        let client = self.connect().await?;
        let mut kept = state(&client, "").await?.ok_or(LogError::Restored)?;
        let rows = client.query_typed(DESKS, &[]).await?;
        let desk = |row: &Row| DeskPosition {
            name: row.get(0),
            read_to: row.get(1),
            read_at: row.get(2),
            unread_since: row.get(3),
            missed: row.get(4),
        };
        kept.desks = rows.iter().map(desk).collect();
        Ok(kept)
    }

    /// Keeps deliveries for so many days, or all of them.
    pub async fn keep(&self, days: Option<i32>) -> Result<(), LogError> {
        let client = self.connect().await?;
        let sql = "UPDATE template_desk.retention SET keep_days = $1 WHERE id = 1";
        client.execute_typed(sql, &[(&days, Type::INT4)]).await?;
        Ok(())
    }

    /// Removes old deliveries. Returns how many numbers are free now. Keeps everything if the newest delivery is old, too:
    /// then a clock is probably wrong.
    pub async fn remove_old(&self) -> Result<i64, LogError> {
        let client = self.connect().await?;
        let (mut removed, mut from) = (0, 0);
        loop {
            client.batch_execute(BEGIN).await?;
            let step = step(&client, from).await;
            client.batch_execute(if step.is_ok() { "COMMIT" } else { "ROLLBACK" }).await?;
            let Some((of_step, next)) = step? else { return Ok(removed) };
            removed += of_step;
            from = next;
        }
    }
}

/// Looks at the batch from a number on and removes what is old. Returns how much that was, and where the next batch
/// begins; `None` at the end.
async fn step(client: &Client, from: i64) -> Result<Option<(i64, i64)>, LogError> {
    // None if another process removes.
    let Some(kept) = state(client, "FOR UPDATE OF r SKIP LOCKED").await? else { return Ok(None) };
    let (Some(limit), Some(newest)) = (kept.limit(), kept.newest) else { return Ok(None) };
    if newest < limit {
        tracing::warn!("every delivery is older than what is kept; nothing is removed, because the clock may be wrong");
        return Ok(None);
    }
    let from = from.max(kept.first_seq);
    // The newest delivery always stays.
    let to = (from + BATCH - 1).min(kept.last_seq - 1);
    if from > to {
        return Ok(None);
    }
    let row = client.query_typed_one(OLD, &[int(&from), int(&to), int(&limit), int(&kept.now)]).await?;
    let (old, is_recent): (Option<i64>, bool) = (row.get(0), row.get(1));
    let Some(old) = old else { return Ok((!is_recent).then_some((0, to + 1))) };
    // Behind many that seem to be from the future, there is more than one batch to remove.
    let (old, next) = if old - kept.first_seq < BATCH { (old, old + 1) } else { (kept.first_seq + BATCH - 1, from) };
    client.execute_typed(DELETE, &[int(&kept.first_seq), int(&old)]).await?;
    client.execute_typed(MOVE, &[int(&(old + 1))]).await?;
    Ok(Some((old + 1 - kept.first_seq, next)))
}

fn int(value: &i64) -> Value<'_> {
    (value, Type::INT8)
}

async fn state(client: &Client, lock: &str) -> Result<Option<Kept>, LogError> {
    let sql = format!("{STATE} {lock}");
    let now = Utc::now().timestamp_millis();
    let row = client.query_typed_opt(&sql, &[(&now, Type::INT8)]).await?;
    Ok(row.map(|row| Kept {
        first_seq: row.get(0),
        keep_days: row.get(1),
        last_seq: row.get(2),
        now: row.get(3),
        newest: row.get(4),
        oldest: row.get(5),
        desks: Vec::new(),
    }))
}
