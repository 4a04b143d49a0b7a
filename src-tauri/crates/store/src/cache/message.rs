//! Sent messages, as statuses speak of them.

use std::sync::LazyLock;

use rusqlite::{Connection, Row, params};

use super::Cache;
use super::projection::{ProjectedItem, StatusEffect};
use crate::database::{all, first};
use crate::{StoreError, status};

/// A message and everything reported about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageState {
    /// The channel's identifier.
    pub message_id: String,
    /// The endpoint its statuses came to.
    pub route: String,
    /// The recipient.
    pub recipient: Option<String>,
    /// The tracking id that came back.
    pub tracking_id: Option<String>,
    /// The callback data as it came back.
    pub callback_data: Option<String>,
    /// Where it stands: the most telling status reported.
    pub status: Option<String>,
    /// Since when.
    pub status_at: Option<i64>,
    /// When it failed, if that was reported: also beside a later or earlier `delivered`.
    pub failed_at: Option<i64>,
    /// The error object as JSON.
    pub error: Option<String>,
    /// The pricing object as JSON.
    pub pricing: Option<String>,
    /// The conversation object as JSON.
    pub conversation: Option<String>,
    /// Instant of the earliest status.
    pub first_at: i64,
    /// Instant of the latest status.
    pub last_at: i64,
    /// The statuses in the order in which they happened.
    pub reports: Vec<StatusReport>,
}

/// A reported status.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatusReport {
    /// The status.
    pub status: String,
    /// When it happened.
    pub at: i64,
    /// The delivery that brought it first.
    pub seq: i64,
    /// The error object as JSON.
    pub error: Option<String>,
}

impl Cache {
    /// What is known about a message.
    ///
    /// # Errors
    /// [`StoreError`] when the file cannot be read.
    pub async fn message_state(&self, message_id: &str) -> Result<Option<MessageState>, StoreError> {
        let message_id = message_id.to_owned();
        self.database.read(move |c| state(c, "message_id", &message_id)).await
    }

    /// What is known about the message that was sent with a tracking id.
    ///
    /// # Errors
    /// [`StoreError`] when the file cannot be read.
    pub async fn message_tracked(&self, tracking_id: &str) -> Result<Option<MessageState>, StoreError> {
        let tracking_id = tracking_id.to_owned();
        self.database.read(move |c| state(c, "tracking_id", &tracking_id)).await
    }
}

/// Reports leave things out (the price comes with some statuses only) and seldom contradict each other. Of two texts
/// the richer one stays: a choice that no order of arrival can change.
static UPSERT: LazyLock<String> = LazyLock::new(|| {
    let richer = ["recipient", "tracking_id", "callback_data", "error", "pricing", "conversation"]
        .map(|column| {
            format!(
                "{column} = CASE WHEN excluded.{column} IS NULL THEN {column} WHEN {column} IS NULL OR \
                 (length(excluded.{column}), excluded.{column}) > (length({column}), {column}) \
                 THEN excluded.{column} ELSE {column} END"
            )
        })
        .join(", ");
    format!(
        "INSERT INTO message
           (message_id, route, recipient, tracking_id, callback_data, error, pricing, conversation, first_at, last_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9)
         ON CONFLICT (message_id) DO UPDATE SET route = min(route, excluded.route), {richer},
           first_at = min(first_at, excluded.first_at), last_at = max(last_at, excluded.last_at)"
    )
});

/// Adds a status to its message. Says whether it is new.
pub(super) fn report(c: &Connection, item: &ProjectedItem, effect: &StatusEffect) -> Result<bool, StoreError> {
    let known = first(
        c,
        "SELECT 1 FROM message_status WHERE message_id = ?1 AND status = ?2 AND at = ?3",
        (&effect.message_id, &effect.status, effect.at),
        |_| Ok(()),
    )?
    .is_some();
    c.prepare_cached(
        "INSERT INTO message_status (message_id, status, at, seq, error) VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT DO UPDATE SET seq = min(seq, excluded.seq),
           error = CASE WHEN excluded.error IS NULL THEN error WHEN error IS NULL OR excluded.error > error
                        THEN excluded.error ELSE error END",
    )?
    .execute(params![effect.message_id, effect.status, effect.at, item.seq, effect.error])?;
    c.prepare_cached(&UPSERT)?.execute(params![
        effect.message_id,
        item.route,
        effect.recipient,
        effect.tracking_id,
        effect.callback_data,
        effect.error,
        effect.pricing,
        effect.conversation,
        effect.at
    ])?;
    if !known {
        let reports: Vec<(String, i64)> =
            all(c, "SELECT status, at FROM message_status WHERE message_id = ?1", [&effect.message_id], |row| {
                Ok((row.get(0)?, row.get(1)?))
            })?;
        let failed_at = reports.iter().filter(|(status, _)| status == "failed").map(|(_, at)| *at).min();
        let current = status::current(reports).unzip();
        c.prepare_cached("UPDATE message SET status = ?2, status_at = ?3, failed_at = ?4 WHERE message_id = ?1")?
            .execute(params![effect.message_id, current.0, current.1, failed_at])?;
    }
    Ok(!known)
}

fn state(c: &Connection, column: &str, value: &str) -> Result<Option<MessageState>, StoreError> {
    // A tracking id that was used twice: the message that was heard of last.
    let sql = format!("SELECT * FROM message WHERE {column} = ?1 ORDER BY last_at DESC LIMIT 1");
    let Some(mut state) = first(c, &sql, [value], message)? else { return Ok(None) };
    state.reports = all(
        c,
        "SELECT status, at, seq, error FROM message_status WHERE message_id = ?1 ORDER BY at, seq, status",
        [&state.message_id],
        |row| Ok(StatusReport { status: row.get(0)?, at: row.get(1)?, seq: row.get(2)?, error: row.get(3)? }),
    )?;
    Ok(Some(state))
}

fn message(row: &Row<'_>) -> rusqlite::Result<MessageState> {
    Ok(MessageState {
        message_id: row.get("message_id")?,
        route: row.get("route")?,
        recipient: row.get("recipient")?,
        tracking_id: row.get("tracking_id")?,
        callback_data: row.get("callback_data")?,
        status: row.get("status")?,
        status_at: row.get("status_at")?,
        failed_at: row.get("failed_at")?,
        error: row.get("error")?,
        pricing: row.get("pricing")?,
        conversation: row.get("conversation")?,
        first_at: row.get("first_at")?,
        last_at: row.get("last_at")?,
        reports: Vec::new(),
    })
}
