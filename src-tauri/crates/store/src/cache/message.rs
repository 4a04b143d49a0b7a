//! Sent messages, built from statuses.

use std::collections::HashMap;

use rusqlite::{CachedStatement, Connection, OptionalExtension as _, Row, ToSql};

use super::Cache;
use super::effect::{ProjectedItem, StatusEffect};
use super::interner::{Interner, TextTable};
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
        let values = (hash(route, message_id), message_id.to_owned(), route.to_owned());
        self.database.read(move |c| first(c, BY_IDENTITY, values, message)).await
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

/// The message with a hash, an identifier and a route.
const BY_IDENTITY: &str = "SELECT * FROM message WHERE hash = ?1 AND message_id = ?2 AND route = ?3";

/// Identity of a message. Two endpoints may report about one identifier, each about its own message.
fn key(route: &str, message_id: &str) -> Key {
    hashed(&[route, message_id])
}

/// The part of an identity that is indexed: 48 bits, because SQLite stores such numbers in six bytes.
fn hash_of(key: &Key) -> i64 {
    key[..6].iter().fold(0, |hash, byte| hash << 8 | i64::from(*byte))
}

/// The index value of a message.
pub(super) fn hash(route: &str, message_id: &str) -> i64 {
    hash_of(&key(route, message_id))
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
    find: CachedStatement<'a>,
    people: Interner<'a>,
    texts: Interner<'a>,
    /// The next unused row number; absent until one is needed.
    next_id: Option<i64>,
    /// In the order of their first report.
    merged: Vec<MergedMessage>,
    positions: HashMap<Key, usize>,
}

impl<'a> Messages<'a> {
    pub(super) fn new(c: &'a Connection) -> Result<Self, StoreError> {
        Ok(Self {
            c,
            find: c.prepare_cached(BY_IDENTITY)?,
            people: Interner::new(c, TextTable::Person)?,
            texts: Interner::new(c, TextTable::Shared)?,
            next_id: None,
            merged: Vec::new(),
            positions: HashMap::new(),
        })
    }

    /// The message of a status: its position, and its row.
    pub(super) fn of(&mut self, item: &ProjectedItem, effect: &StatusEffect) -> Result<(usize, i64), StoreError> {
        let key = key(&item.route, &effect.message_id);
        if let Some(position) = self.positions.get(&key) {
            return Ok((*position, self.merged[*position].id));
        }
        let hash = hash_of(&key);
        let known =
            self.find.query_row((hash, &effect.message_id, &item.route), |row| Ok((row.get("id")?, message(row)?)));
        let merged = match known.optional()? {
            Some((id, state)) => MergedMessage::known(id, hash, state, effect),
            None => MergedMessage::new(self.new_id()?, hash, item, effect),
        };
        let id = merged.id;
        self.merged.push(merged);
        self.positions.insert(key, self.merged.len() - 1);
        Ok((self.merged.len() - 1, id))
    }

    /// Adds a status to the message at a position. The message is a join of its reports: neither order nor repetition
    /// changes the result.
    pub(super) fn report(&mut self, position: usize, item: &ProjectedItem, effect: &StatusEffect) -> StatusChange {
        self.merged[position].merge(item, effect)
    }

    fn new_id(&mut self) -> Result<i64, StoreError> {
        let id = match self.next_id {
            Some(id) => id,
            None => self.c.query_row("SELECT coalesce(max(id), 0) + 1 FROM message_row", [], |row| row.get(0))?,
        };
        self.next_id = Some(id + 1);
        Ok(id)
    }

    /// Writes the messages that changed.
    pub(super) fn finish(mut self) -> Result<(), StoreError> {
        let mut insert = self.c.prepare_cached(INSERT)?;
        let mut update = self.c.prepare_cached(UPDATE)?;
        let mut update_indexed = self.c.prepare_cached(UPDATE_INDEXED)?;
        for merged in self.merged.into_iter().filter(|merged| merged.differs) {
            let MergedMessage { id, hash, is_new, is_indexed_changed, mut state, .. } = merged;
            state.reports.sort_by(|a, b| (a.at, a.seq, &a.status).cmp(&(b.at, b.seq, &b.status)));
            let failures = state.reports.iter().filter(|report| report.status == "failed");
            state.failed_at = failures.map(|report| report.at).min();
            let reports = state.reports.iter().map(|report| (report.status.clone(), report.at));
            (state.status, state.status_at) = status::current(reports).unzip();
            let route = self.texts.id(&state.route)?;
            let pricing = self.texts.maybe_id(state.pricing.as_deref())?;
            let recipient = self.people.maybe_id(state.recipient.as_deref())?;
            let reports = reports_json(&state.reports)?;
            let changing: &[&dyn ToSql] = &[
                &id,
                &state.callback_data,
                &state.status,
                &state.status_at,
                &state.failed_at,
                &state.error,
                &pricing,
                &state.conversation,
                &state.last_at,
                &reports,
            ];
            let indexed: &[&dyn ToSql] = &[&recipient, &state.tracking_id, &state.first_at];
            let identity: &[&dyn ToSql] = &[&hash, &state.message_id, &route];
            match (is_new, is_indexed_changed) {
                (true, _) => insert.execute(&*[changing, indexed, identity].concat())?,
                (false, true) => update_indexed.execute(&*[changing, indexed].concat())?,
                (false, false) => update.execute(changing)?,
            };
        }
        Ok(())
    }
}

const INSERT: &str = "INSERT INTO message_row (id, callback_data, status, status_at, failed_at, error, pricing,
     conversation, last_at, reports, recipient, tracking_id, first_at, hash, message_id, route)
   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)";

/// Leaves out the indexed columns: setting one rewrites its index even if the value is the same.
const UPDATE: &str =
    "UPDATE message_row SET (callback_data, status, status_at, failed_at, error, pricing, conversation,
     last_at, reports) = (?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) WHERE id = ?1";

const UPDATE_INDEXED: &str = "UPDATE message_row SET (callback_data, status, status_at, failed_at, error, pricing,
     conversation, last_at, reports, recipient, tracking_id, first_at)
   = (?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13) WHERE id = ?1";

/// A message with the additions of a transaction.
struct MergedMessage {
    id: i64,
    hash: i64,
    /// Whether it has no row yet.
    is_new: bool,
    /// Whether a column with an index changed.
    is_indexed_changed: bool,
    /// The reports, unordered, without the fields derived from all of them.
    state: MessageState,
    /// Index of each report, by status and instant.
    positions: HashMap<(String, i64), usize>,
    /// Whether it differs from the stored message.
    differs: bool,
}

impl MergedMessage {
    fn new(id: i64, hash: i64, item: &ProjectedItem, effect: &StatusEffect) -> Self {
        let state = MessageState {
            message_id: effect.message_id.clone(),
            route: item.route.clone(),
            first_at: effect.at,
            last_at: effect.at,
            ..MessageState::default()
        };
        Self { id, hash, is_new: true, is_indexed_changed: false, state, positions: HashMap::new(), differs: false }
    }

    fn known(id: i64, hash: i64, mut state: MessageState, effect: &StatusEffect) -> Self {
        // A message that retention emptied begins again.
        let is_empty = state.reports.is_empty();
        if is_empty {
            (state.first_at, state.last_at) = (effect.at, effect.at);
        }
        let of = |(position, report): (usize, &StatusReport)| ((report.status.clone(), report.at), position);
        let positions = state.reports.iter().enumerate().map(of).collect();
        Self { id, hash, is_new: false, is_indexed_changed: is_empty, state, positions, differs: false }
    }

    fn merge(&mut self, item: &ProjectedItem, effect: &StatusEffect) -> StatusChange {
        let state = &mut self.state;
        let mut differs = false;
        let mut is_indexed_changed = richer(&mut state.recipient, effect.recipient.as_ref());
        is_indexed_changed |= richer(&mut state.tracking_id, effect.tracking_id.as_ref());
        is_indexed_changed |= effect.at < state.first_at;
        self.is_indexed_changed |= is_indexed_changed;
        differs |= is_indexed_changed;
        differs |= richer(&mut state.callback_data, effect.callback_data.as_ref());
        differs |= richer(&mut state.error, effect.error.as_ref());
        differs |= richer(&mut state.pricing, effect.pricing.as_ref());
        differs |= richer(&mut state.conversation, effect.conversation.as_ref());
        differs |= effect.at > state.last_at;
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

fn reports_json(reports: &[StatusReport]) -> Result<String, StoreError> {
    let reports: Vec<_> = reports.iter().map(|report| (&report.status, report.at, report.seq, &report.error)).collect();
    serde_json::to_string(&reports).map_err(|error| StoreError::Value(error.to_string()))
}

/// First deliveries of a message's statuses.
pub(super) fn seqs(c: &Connection, route: &str, message_id: &str) -> Result<Vec<i64>, StoreError> {
    let reports = first(c, BY_IDENTITY, (hash(route, message_id), message_id, route), reports_in)?;
    let mut seqs: Vec<i64> = reports.unwrap_or_default().into_iter().map(|report| report.seq).collect();
    seqs.sort_unstable();
    seqs.dedup();
    Ok(seqs)
}

/// Removes all reports of a message. Its row remains, because items refer to it: see [`delete_empty`].
pub(super) fn empty(c: &Connection, route: &str, message_id: &str) -> Result<(), StoreError> {
    let find = "SELECT id FROM message WHERE hash = ?1 AND message_id = ?2 AND route = ?3";
    let id = first(c, find, (hash(route, message_id), message_id, route), |row| row.get::<_, i64>(0))?;
    if let Some(id) = id {
        c.prepare_cached(
            "UPDATE message_row SET recipient = NULL, tracking_id = NULL, callback_data = NULL, status = NULL,
               status_at = NULL, failed_at = NULL, error = NULL, pricing = NULL, conversation = NULL, reports = '[]'
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
