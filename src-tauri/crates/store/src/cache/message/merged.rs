//! The messages of one transaction's statuses: each is read once, merged with its reports, and written once.

use std::borrow::Cow;
use std::collections::HashMap;

use rusqlite::{CachedStatement, Connection, OptionalExtension as _, ToSql};

use super::conversation_text::Parts;
use super::reports::{self, Origin, Report, StatusWord};
use super::{BY_IDENTITY, StoredMessage, hash};
use crate::cache::effect::{ProjectedItem, StatusEffect};
use crate::cache::interner::{Interner, TextTable};
use crate::{StoreError, status};

/// Effect of a status on its message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cache) struct StatusChange {
    /// The status is new.
    pub(in crate::cache) is_new: bool,
    /// The message changed.
    pub(in crate::cache) differs: bool,
}

/// The messages of one transaction's statuses. Each is read once and written once, by [`Messages::finish`]: a message
/// holds all its reports, and thousands of statuses of one message would otherwise read and write thousands of reports
/// each.
pub(in crate::cache) struct Messages<'a> {
    c: &'a Connection,
    find: CachedStatement<'a>,
    people: Interner<'a>,
    texts: Interner<'a>,
    /// The next unused row number; absent until one is needed.
    next_id: Option<i64>,
    /// In the order of their first report.
    merged: Vec<MergedMessage<'a>>,
    /// By route and identifier.
    positions: HashMap<(&'a str, &'a str), usize>,
}

impl<'a> Messages<'a> {
    pub(in crate::cache) fn new(c: &'a Connection) -> Result<Self, StoreError> {
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
    pub(in crate::cache) fn of(
        &mut self,
        item: &'a ProjectedItem,
        effect: &'a StatusEffect,
    ) -> Result<(usize, i64), StoreError> {
        let identity = (item.route.as_str(), effect.message_id.as_str());
        if let Some(position) = self.positions.get(&identity) {
            return Ok((*position, self.merged[*position].id));
        }
        let hash = hash(&item.route, &effect.message_id);
        let known = self.find.query_row((hash, &effect.message_id, &item.route), StoredMessage::of).optional()?;
        let merged = match known {
            Some(stored) => MergedMessage::known(stored, hash, item, effect),
            None => MergedMessage::new(self.new_id()?, hash, item, effect),
        };
        let id = merged.id;
        self.merged.push(merged);
        self.positions.insert(identity, self.merged.len() - 1);
        Ok((self.merged.len() - 1, id))
    }

    /// Adds a status to the message at a position. The message is a join of its reports: neither order nor repetition
    /// changes the result.
    pub(in crate::cache) fn report(
        &mut self,
        position: usize,
        item: &ProjectedItem,
        effect: &'a StatusEffect,
    ) -> StatusChange {
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
    pub(in crate::cache) fn finish(mut self) -> Result<(), StoreError> {
        let mut insert = self.c.prepare_cached(INSERT)?;
        let mut update = self.c.prepare_cached(UPDATE)?;
        let mut update_indexed = self.c.prepare_cached(UPDATE_INDEXED)?;
        let mut reports = String::new();
        for mut merged in self.merged.into_iter().filter(|merged| merged.differs) {
            merged.reports.sort_by(|a, b| (a.at, a.seq, &a.status).cmp(&(b.at, b.seq, &b.status)));
            let first_at = merged.first_at;
            let origin = Origin { at: first_at, seq: merged.reports.first().map_or(0, |report| report.seq) };
            reports::write(&merged.reports, origin, &mut reports)?;
            let after = |at: i64| at.wrapping_sub(first_at);
            let failures = merged.reports.iter().filter(|report| report.status.as_ref() == "failed");
            let failed_after = failures.map(|report| report.at).min().map(after);
            let (status, status_at) =
                status::current(merged.reports.iter().map(|report| (&report.status, report.at))).unzip();
            let conversation = merged.conversation.as_deref().map(Parts::of);
            let conversation_rest = conversation.as_ref().and_then(|parts| parts.rest.as_deref());
            let conversation_rest = self.texts.maybe_id(conversation_rest)?;
            let route = self.texts.id(merged.route)?;
            let pricing = self.texts.maybe_id(merged.pricing.as_deref())?;
            let recipient = self.people.maybe_id(merged.recipient.as_deref())?;
            let values: [&dyn ToSql; 19] = [
                &merged.id,
                &merged.callback_data,
                &status,
                &status_at.map(after),
                &failed_after,
                &merged.error,
                &pricing,
                &conversation.as_ref().map(|parts| &parts.value),
                &conversation.as_ref().and_then(|parts| parts.expires),
                &conversation_rest,
                &after(merged.last_at),
                &origin.seq,
                &reports,
                &recipient,
                &merged.tracking_id,
                &first_at,
                &merged.hash,
                &merged.message_id,
                &route,
            ];
            match (merged.is_new, merged.is_indexed_changed) {
                (true, _) => insert.execute(&values[..])?,
                (false, true) => update_indexed.execute(&values[..16])?,
                (false, false) => update.execute(&values[..13])?,
            };
        }
        Ok(())
    }
}

const INSERT: &str = "INSERT INTO message_row (id, callback_data, status, status_after, failed_after, error, pricing,
     conversation, conversation_expires, conversation_rest, last_after, first_seq, reports,
     recipient, tracking_id, first_at, hash, message_id, route)
   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19)";

/// Leaves out the indexed columns: setting one rewrites its index even if the value is the same.
const UPDATE: &str = "UPDATE message_row SET (callback_data, status, status_after, failed_after, error, pricing,
     conversation, conversation_expires, conversation_rest, last_after, first_seq, reports)
   = (?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13) WHERE id = ?1";

const UPDATE_INDEXED: &str =
    "UPDATE message_row SET (callback_data, status, status_after, failed_after, error, pricing,
     conversation, conversation_expires, conversation_rest, last_after, first_seq, reports,
     recipient, tracking_id, first_at)
   = (?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16) WHERE id = ?1";

/// A message with the additions of a transaction, with texts of its row and of the transaction's items.
struct MergedMessage<'a> {
    id: i64,
    hash: i64,
    /// Whether it has no row yet.
    is_new: bool,
    /// Whether a column with an index changed.
    is_indexed_changed: bool,
    /// Whether it differs from the stored message.
    differs: bool,
    message_id: &'a str,
    route: &'a str,
    recipient: Option<Cow<'a, str>>,
    tracking_id: Option<Cow<'a, str>>,
    callback_data: Option<Cow<'a, str>>,
    error: Option<Cow<'a, str>>,
    pricing: Option<Cow<'a, str>>,
    conversation: Option<Cow<'a, str>>,
    first_at: i64,
    last_at: i64,
    /// Ordered by instant and status, of which no two have the same.
    reports: Vec<Report<'a>>,
}

impl<'a> MergedMessage<'a> {
    fn new(id: i64, hash: i64, item: &'a ProjectedItem, effect: &'a StatusEffect) -> Self {
        Self {
            id,
            hash,
            is_new: true,
            is_indexed_changed: false,
            differs: false,
            message_id: &effect.message_id,
            route: &item.route,
            recipient: None,
            tracking_id: None,
            callback_data: None,
            error: None,
            pricing: None,
            conversation: None,
            first_at: effect.at,
            last_at: effect.at,
            reports: Vec::new(),
        }
    }

    fn known(stored: StoredMessage, hash: i64, item: &'a ProjectedItem, effect: &'a StatusEffect) -> Self {
        let mut reports = stored.reports;
        reports.sort_by(|a, b| (a.at, &a.status).cmp(&(b.at, &b.status)));
        // A message that retention emptied begins again.
        let is_empty = reports.is_empty();
        let (first_at, last_at) = if is_empty { (effect.at, effect.at) } else { (stored.first_at, stored.last_at) };
        Self {
            is_new: false,
            is_indexed_changed: is_empty,
            recipient: stored.recipient.map(Cow::Owned),
            tracking_id: stored.tracking_id.map(Cow::Owned),
            callback_data: stored.callback_data.map(Cow::Owned),
            error: stored.error.map(Cow::Owned),
            pricing: stored.pricing.map(Cow::Owned),
            conversation: stored.conversation.map(Cow::Owned),
            first_at,
            last_at,
            reports,
            ..Self::new(stored.id, hash, item, effect)
        }
    }

    fn merge(&mut self, item: &ProjectedItem, effect: &'a StatusEffect) -> StatusChange {
        let mut is_indexed_changed = richer(&mut self.recipient, effect.recipient.as_deref());
        is_indexed_changed |= richer(&mut self.tracking_id, effect.tracking_id.as_deref());
        is_indexed_changed |= effect.at < self.first_at;
        self.is_indexed_changed |= is_indexed_changed;
        let mut differs = is_indexed_changed;
        differs |= richer(&mut self.callback_data, effect.callback_data.as_deref());
        differs |= richer(&mut self.error, effect.error.as_deref());
        differs |= richer(&mut self.pricing, effect.pricing.as_deref());
        differs |= richer(&mut self.conversation, effect.conversation.as_deref());
        differs |= effect.at > self.last_at;
        self.first_at = self.first_at.min(effect.at);
        self.last_at = self.last_at.max(effect.at);
        let reported = (effect.at, effect.status.as_str());
        let found = self.reports.binary_search_by(|report| (report.at, report.status.as_ref()).cmp(&reported));
        match found {
            Ok(position) => {
                let report = &mut self.reports[position];
                differs |= item.seq < report.seq;
                report.seq = report.seq.min(item.seq);
                differs |= richer(&mut report.error, effect.error.as_deref());
            }
            Err(position) => {
                let status = StatusWord(Cow::Borrowed(&effect.status));
                let error = effect.error.as_deref().map(Cow::Borrowed);
                self.reports.insert(position, Report { status, at: effect.at, seq: item.seq, error });
                differs = true;
            }
        }
        self.differs |= differs;
        StatusChange { is_new: found.is_err(), differs }
    }
}

/// Reports omit fields (the price is only in some statuses) and seldom contradict each other. Keeps the richer of two
/// texts, which is independent of the order of arrival. Returns whether the text changed.
fn richer<'a>(known: &mut Option<Cow<'a, str>>, reported: Option<&'a str>) -> bool {
    match reported {
        Some(reported) if known.as_deref().is_none_or(|known| (reported.len(), reported) > (known.len(), known)) => {
            *known = Some(Cow::Borrowed(reported));
            true
        }
        _ => false,
    }
}
