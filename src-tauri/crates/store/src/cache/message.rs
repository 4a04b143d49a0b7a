//! Sent messages, built from statuses.

use std::collections::HashMap;

use rusqlite::{Connection, Row, params};

use super::Cache;
use super::effect::{ProjectedItem, StatusEffect};
use super::item::{Key, hashed};
use crate::database::first;
use crate::{StoreError, status};

/// A message and all reports about it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MessageState {
    /// The channel's identifier.
    pub message_id: String,
    /// The endpoint that received its statuses.
    pub route: String,
    /// The recipient.
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

/// A reported status.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatusReport {
    /// The status.
    pub status: String,
    /// When it happened.
    pub at: i64,
    /// Its first delivery.
    pub seq: i64,
    /// The error object as JSON.
    pub error: Option<String>,
}

impl Cache {
    /// The state of a message according to the endpoint `route`.
    ///
    /// # Errors
    /// [`StoreError`] when the file cannot be read.
    pub async fn message_state(&self, route: &str, message_id: &str) -> Result<Option<MessageState>, StoreError> {
        let key = key(route, message_id);
        self.database.read(move |c| first(c, "SELECT * FROM message WHERE key = ?1", [key], message)).await
    }

    /// The state of the message with a tracking id, according to the endpoint `route`.
    ///
    /// # Errors
    /// [`StoreError`] when the file cannot be read.
    pub async fn message_tracked(&self, route: &str, tracking_id: &str) -> Result<Option<MessageState>, StoreError> {
        let values = (tracking_id.to_owned(), route.to_owned());
        // If a tracking id was used twice: the message with the latest report.
        let sql = "SELECT * FROM message WHERE tracking_id = ?1 AND route = ?2 ORDER BY last_at DESC LIMIT 1";
        self.database.read(move |c| first(c, sql, values, message)).await
    }
}

/// Index key of a message. Two endpoints may report about one identifier, each about its own message.
pub(super) fn key(route: &str, message_id: &str) -> Key {
    hashed(&[route, message_id])
}

/// Effect of a status on its message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StatusChange {
    /// The status is new.
    pub(super) is_new: bool,
    /// The message changed.
    pub(super) differs: bool,
}

/// The messages of one transaction's statuses. Each is read once and written once, by [`Messages::finish`]: a message
/// holds all its reports, and thousands of statuses of one message would otherwise read and write thousands of reports
/// each.
pub(super) struct Messages<'a> {
    c: &'a Connection,
    /// In the order of their first report.
    merged: Vec<MergedMessage>,
    positions: HashMap<Key, usize>,
}

impl<'a> Messages<'a> {
    pub(super) fn new(c: &'a Connection) -> Self {
        Self { c, merged: Vec::new(), positions: HashMap::new() }
    }

    /// Adds a status to its message. The message is a join of its reports: neither order nor repetition changes the
    /// result.
    pub(super) fn report(&mut self, item: &ProjectedItem, effect: &StatusEffect) -> Result<StatusChange, StoreError> {
        let key = key(&item.route, &effect.message_id);
        let position = match self.positions.get(&key) {
            Some(position) => *position,
            None => {
                self.merged.push(MergedMessage::read(self.c, key, item, effect)?);
                self.positions.insert(key, self.merged.len() - 1);
                self.merged.len() - 1
            }
        };
        Ok(self.merged[position].merge(item, effect))
    }

    /// Writes the messages that changed.
    pub(super) fn finish(self) -> Result<(), StoreError> {
        for merged in self.merged.into_iter().filter(|merged| merged.differs) {
            let MergedMessage { id, key, mut state, .. } = merged;
            state.reports.sort_by(|a, b| (a.at, a.seq, &a.status).cmp(&(b.at, b.seq, &b.status)));
            let failures = state.reports.iter().filter(|report| report.status == "failed");
            state.failed_at = failures.map(|report| report.at).min();
            let reports = state.reports.iter().map(|report| (report.status.clone(), report.at));
            (state.status, state.status_at) = status::current(reports).unzip();
            write(self.c, id, &key, &state)?;
        }
        Ok(())
    }
}

/// A message with the additions of a transaction.
struct MergedMessage {
    /// Absent for a new message.
    id: Option<i64>,
    key: Key,
    /// The reports, unordered, without the fields derived from all of them.
    state: MessageState,
    /// Index of each report, by status and instant.
    positions: HashMap<(String, i64), usize>,
    /// Whether it differs from the stored message.
    differs: bool,
}

impl MergedMessage {
    fn read(c: &Connection, key: Key, item: &ProjectedItem, effect: &StatusEffect) -> Result<Self, StoreError> {
        let known = first(c, "SELECT * FROM message WHERE key = ?1", [key], |row| Ok((row.get("id")?, message(row)?)))?;
        let (id, state) = known.map_or_else(
            || {
                let state = MessageState {
                    message_id: effect.message_id.clone(),
                    route: item.route.clone(),
                    first_at: effect.at,
                    last_at: effect.at,
                    ..MessageState::default()
                };
                (None, state)
            },
            |(id, state)| (Some(id), state),
        );
        let of = |(position, report): (usize, &StatusReport)| ((report.status.clone(), report.at), position);
        let positions = state.reports.iter().enumerate().map(of).collect();
        Ok(Self { id, key, state, positions, differs: false })
    }

    fn merge(&mut self, item: &ProjectedItem, effect: &StatusEffect) -> StatusChange {
        let state = &mut self.state;
        let mut differs = false;
        differs |= richer(&mut state.recipient, effect.recipient.as_ref());
        differs |= richer(&mut state.tracking_id, effect.tracking_id.as_ref());
        differs |= richer(&mut state.callback_data, effect.callback_data.as_ref());
        differs |= richer(&mut state.error, effect.error.as_ref());
        differs |= richer(&mut state.pricing, effect.pricing.as_ref());
        differs |= richer(&mut state.conversation, effect.conversation.as_ref());
        differs |= effect.at < state.first_at || effect.at > state.last_at;
        state.first_at = state.first_at.min(effect.at);
        state.last_at = state.last_at.max(effect.at);
        let position = *self.positions.entry((effect.status.clone(), effect.at)).or_insert(state.reports.len());
        let is_new = position == state.reports.len();
        if is_new {
            state.reports.push(StatusReport {
                status: effect.status.clone(),
                at: effect.at,
                seq: item.seq,
                error: effect.error.clone(),
            });
        } else {
            let report = &mut state.reports[position];
            differs |= item.seq < report.seq;
            report.seq = report.seq.min(item.seq);
            differs |= richer(&mut report.error, effect.error.as_ref());
        }
        differs |= is_new;
        self.differs |= differs;
        StatusChange { is_new, differs }
    }
}

/// Reports omit fields (the price is only in some statuses) and seldom contradict each other. Keeps the richer of two
/// texts, which is independent of the order of arrival. Returns whether the text changed.
fn richer(known: &mut Option<String>, reported: Option<&String>) -> bool {
    match reported {
        Some(reported) if known.as_ref().is_none_or(|known| (reported.len(), reported) > (known.len(), known)) => {
            *known = Some(reported.clone());
            true
        }
        _ => false,
    }
}

fn write(c: &Connection, id: Option<i64>, key: &Key, message: &MessageState) -> Result<(), StoreError> {
    let reports: Vec<_> =
        message.reports.iter().map(|report| (&report.status, report.at, report.seq, &report.error)).collect();
    let reports = serde_json::to_string(&reports).map_err(|error| StoreError::Value(error.to_string()))?;
    let values = params![
        id,
        key,
        message.message_id,
        message.route,
        message.recipient,
        message.tracking_id,
        message.callback_data,
        message.status,
        message.status_at,
        message.failed_at,
        message.error,
        message.pricing,
        message.conversation,
        message.first_at,
        message.last_at,
        reports
    ];
    let sql = if id.is_none() {
        "INSERT INTO message (id, key, message_id, route, recipient, tracking_id, callback_data, status, status_at,
           failed_at, error, pricing, conversation, first_at, last_at, reports)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)"
    } else {
        "UPDATE message SET (message_id, route, recipient, tracking_id, callback_data, status, status_at, failed_at,
           error, pricing, conversation, first_at, last_at, reports)
           = (?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16) WHERE id = ?1 AND key = ?2"
    };
    c.prepare_cached(sql)?.execute(values)?;
    Ok(())
}

/// First deliveries of a message's statuses.
pub(super) fn seqs(c: &Connection, route: &str, message_id: &str) -> Result<Vec<i64>, StoreError> {
    let reports = first(c, "SELECT reports FROM message WHERE key = ?1", [key(route, message_id)], reports_in)?;
    let mut seqs: Vec<i64> = reports.unwrap_or_default().into_iter().map(|report| report.seq).collect();
    seqs.sort_unstable();
    seqs.dedup();
    Ok(seqs)
}

fn reports_in(row: &Row<'_>) -> rusqlite::Result<Vec<StatusReport>> {
    let json: String = row.get("reports")?;
    let reports: Vec<(String, i64, i64, Option<String>)> = serde_json::from_str(&json)
        .map_err(|error| rusqlite::Error::FromSqlConversionFailure(0, rusqlite::types::Type::Text, Box::new(error)))?;
    Ok(reports.into_iter().map(|(status, at, seq, error)| StatusReport { status, at, seq, error }).collect())
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
        reports: reports_in(row)?,
    })
}
