//! Sent messages, built from statuses.

mod conversation_text;
mod merged;
mod reports;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use rusqlite::types::Type;
use rusqlite::{Connection, Row};

pub(super) use self::merged::Messages;
use self::reports::{Origin, Report, StatusWord};
use super::Cache;
use super::item::hashed;
use crate::StoreError;
use crate::rows::{first, from_row, scalar};

/// A message and all reports about it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MessageState {
    /// The channel's identifier.
    pub message_id: String,
    /// The endpoint that received its statuses.
    pub route: String,
    pub recipient: Option<String>,
    /// The tracking id in its statuses.
    pub tracking_id: Option<String>,
    /// The callback data in its statuses.
    pub callback_data: Option<String>,
    /// Current status: the one with the highest rank.
    pub status: Option<String>,
    /// When it got that status.
    pub status_at: Option<i64>,
    /// When it failed, if that was reported, regardless of a `delivered` report.
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

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatusReport {
    pub status: String,
    pub at: i64,
    /// Its first delivery.
    pub seq: i64,
    /// The error object as JSON.
    pub error: Option<String>,
}

impl Cache {
    /// The state of a message according to the endpoint `route`.
    pub async fn message_state(&self, route: &str, message_id: &str) -> Result<Option<MessageState>, StoreError> {
        let values = (hash(route, message_id), message_id.to_owned(), route.to_owned());
        let message = self.database.read(move |c| first(c, BY_IDENTITY, values, StoredMessage::of)).await?;
        Ok(message.map(MessageState::from))
    }

    /// The state of the message with a tracking id, according to the endpoint `route`.
    pub async fn message_tracked(&self, route: &str, tracking_id: &str) -> Result<Option<MessageState>, StoreError> {
        let values = (tracking_id.to_owned(), route.to_owned());
        let message = self.database.read(move |c| first(c, BY_TRACKING_ID, values, StoredMessage::of)).await?;
        Ok(message.map(MessageState::from))
    }
}

/// A statement that reads rows for [`StoredMessage::of`]. Not from the view `message`, which expands the reports.
macro_rules! select {
    ($condition:literal) => {
        concat!(
            "SELECT m.id, m.message_id, r.value AS route, p.name AS recipient, m.tracking_id, m.callback_data, m.status,
               m.status_after, m.failed_after, m.error, v.value AS pricing, m.conversation, m.conversation_expires,
               s.value AS conversation_rest, m.first_at, m.last_after, m.first_seq, m.reports
             FROM message_row m JOIN shared_text r ON r.id = m.route LEFT JOIN person p ON p.id = m.recipient
               LEFT JOIN shared_text v ON v.id = m.pricing LEFT JOIN shared_text s ON s.id = m.conversation_rest
             WHERE ",
            $condition
        )
    };
}

/// The message with a hash, an identifier and a route.
const BY_IDENTITY: &str = select!("m.hash = ?1 AND m.message_id = ?2 AND r.value = ?3");

/// If a tracking id was used twice: the message with the latest report.
const BY_TRACKING_ID: &str =
    select!("m.tracking_id = ?1 AND r.value = ?2 ORDER BY m.first_at + m.last_after DESC LIMIT 1");

/// The reports of the message with a hash, an identifier and a route.
const REPORTS: &str =
    "SELECT m.first_at, m.first_seq, m.reports FROM message_row m JOIN shared_text r ON r.id = m.route
     WHERE m.hash = ?1 AND m.message_id = ?2 AND r.value = ?3";

/// The index value of a message: 32 bits of its identity, as a number that SQLite stores in four bytes. Two endpoints may
/// report about one identifier, each about its own message.
pub(super) fn hash(route: &str, message_id: &str) -> i64 {
    let [a, b, c, d, ..] = hashed(&[route, message_id]);
    i32::from_be_bytes([a, b, c, d]).into()
}

/// First deliveries of a message's statuses.
pub(super) fn seqs(c: &Connection, route: &str, message_id: &str) -> Result<Vec<i64>, StoreError> {
    let reports = first(c, REPORTS, (hash(route, message_id), message_id, route), reports_of)?;
    let mut seqs: Vec<i64> = reports.unwrap_or_default().into_iter().map(|report| report.seq).collect();
    seqs.sort_unstable();
    seqs.dedup();
    Ok(seqs)
}

/// Removes all reports of a message. Its row remains, because items refer to it: see [`delete_empty`].
pub(super) fn empty(c: &Connection, route: &str, message_id: &str) -> Result<(), StoreError> {
    let find = "SELECT id FROM message WHERE hash = ?1 AND message_id = ?2 AND route = ?3";
    let id = first(c, find, (hash(route, message_id), message_id, route), scalar::<i64>)?;
    if let Some(id) = id {
        c.prepare_cached(
            "UPDATE message_row SET recipient = NULL, tracking_id = NULL, callback_data = NULL, status = NULL,
               status_after = NULL, failed_after = NULL, error = NULL, pricing = NULL, conversation = NULL,
               conversation_expires = NULL, conversation_rest = NULL, reports = '[]'
             WHERE id = ?1",
        )?
        .execute([id])?;
    }
    Ok(())
}

/// Deletes a message if it has no reports.
pub(super) fn delete_empty(c: &Connection, route: &str, message_id: &str) -> Result<(), StoreError> {
    c.prepare_cached(
        "DELETE FROM message_row WHERE reports = '[]' AND id = (SELECT id FROM message
           WHERE hash = ?1 AND message_id = ?2 AND route = ?3)",
    )?
    .execute((hash(route, message_id), message_id, route))?;
    Ok(())
}

/// A message as its row has it.
struct StoredMessage {
    id: i64,
    message_id: String,
    route: String,
    recipient: Option<String>,
    tracking_id: Option<String>,
    callback_data: Option<String>,
    status: Option<StatusWord<'static>>,
    status_at: Option<i64>,
    failed_at: Option<i64>,
    error: Option<String>,
    pricing: Option<String>,
    conversation: Option<String>,
    first_at: i64,
    last_at: i64,
    reports: Vec<Report<'static>>,
}

impl StoredMessage {
    fn of(row: &Row<'_>) -> rusqlite::Result<Self> {
        let first_at: i64 = row.get("first_at")?;
        let at = |after: i64| first_at.wrapping_add(after);
        let rest = row.get_ref("conversation_rest")?.as_str_or_null()?;
        let expires = row.get("conversation_expires")?;
        let conversation: Option<_> = row.get("conversation")?;
        from_row!(row => Self {
            id, message_id, route, recipient, tracking_id, callback_data, status, error, pricing, first_at,
            status_at: row.get::<_, Option<i64>>("status_after")?.map(at),
            failed_at: row.get::<_, Option<i64>>("failed_after")?.map(at),
            conversation: conversation.map(|value| conversation_text::join(value, expires, rest)),
            last_at: at(row.get("last_after")?),
            reports: reports_of(row)?,
        })
    }
}

fn reports_of(row: &Row<'_>) -> rusqlite::Result<Vec<Report<'static>>> {
    let origin = Origin { at: row.get("first_at")?, seq: row.get("first_seq")? };
    reports::read(row.get_ref("reports")?.as_str()?, origin)
        .map_err(|error| rusqlite::Error::FromSqlConversionFailure(0, Type::Text, Box::new(error)))
}

impl From<StoredMessage> for MessageState {
    fn from(message: StoredMessage) -> Self {
        let StoredMessage { message_id, route, recipient, tracking_id, callback_data, status_at, failed_at, .. } =
            message;
        let StoredMessage { error, pricing, conversation, first_at, last_at, .. } = message;
        let status = message.status.map(|status| status.0.into_owned());
        let reports = message.reports.into_iter().map(StatusReport::from).collect();
        Self {
            message_id,
            route,
            recipient,
            tracking_id,
            callback_data,
            status,
            status_at,
            failed_at,
            error,
            pricing,
            conversation,
            first_at,
            last_at,
            reports,
        }
    }
}

impl From<Report<'_>> for StatusReport {
    fn from(Report { status, at, seq, error }: Report<'_>) -> Self {
        Self { status: status.0.into_owned(), at, seq, error: error.map(Cow::into_owned) }
    }
}
