//! Writes the projection: applies each item of the delivery log once.
//!
//! Every effect is a set union: a status is added to those of its message, a message to those of its contact, an event
//! to those of its template, and the displayed state is derived from the set. So neither the order of deliveries nor
//! their repetition matters. The cursor moves in the same transaction, so that after an interruption a batch is
//! repeated without partial effects.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::{Connection, params};

use super::effect::{Effect, ProjectedItem, TemplateEffect};
use super::item::{position_id, position_of};
use super::message::Messages;
use super::record::{Recorded, Recorder};
use super::row::EventSubject;
use super::{Cache, TemplateRow, conversation, identity, identity_links, merge, revision, row};
use crate::rows::first;
use crate::{StoreError, failpoint};

/// How much of a delivery log is projected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cursor {
    pub log_id: String,
    /// The last fully applied delivery.
    pub seq: i64,
    /// Number of items of the next delivery that are already applied.
    pub items: i64,
}

impl Cursor {
    /// Its position.
    #[must_use]
    pub fn mark(&self) -> ProjectionMark {
        ProjectionMark { seq: self.seq, items: self.items }
    }
}

/// A position in a delivery log: all deliveries up to `seq`, and some items of the next one, since one delivery may
/// exceed one transaction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct ProjectionMark {
    /// The last delivery before the position.
    pub seq: i64,
    /// Number of items of delivery `seq + 1` before the position.
    pub items: i64,
}

impl From<i64> for ProjectionMark {
    fn from(seq: i64) -> Self {
        Self { seq, items: 0 }
    }
}

/// Result of a batch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Applied {
    pub new_items: usize,
    /// Redelivered items.
    pub repeated_items: usize,
    /// Messages with a new status.
    pub messages: Vec<String>,
    /// Templates that changed, each once.
    pub templates: Vec<TemplateChange>,
    /// Events about unknown templates, each once: route and key.
    pub unknown_events: BTreeSet<(String, String)>,
    /// Routes where an event changed a template but may be the redelivery of an earlier event: a listing decides.
    pub unconfirmed: BTreeSet<String>,
    /// Contacts with a new or a changed message: route and contact.
    pub contacts: Vec<(String, String)>,
    /// When deliveries are applied again: number of items and effects that were corrected.
    pub corrected: u64,
}

/// A template that a batch changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateChange {
    /// Its workspace.
    pub route: String,
    pub reference: String,
    /// Its row before the batch.
    pub before: TemplateRow,
}

/// Why a batch was not applied.
#[derive(Debug, thiserror::Error)]
pub enum ApplyError {
    /// It does not continue at the cursor; nothing was changed. `None`: nothing has been applied yet.
    #[error("the batch does not start at the cursor of the projection")]
    Cursor(Option<Cursor>),
    /// It could not be written; nothing was changed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Cache {
    /// Applies the items between two positions of a delivery log, and moves the cursor, in one transaction.
    ///
    /// # Errors
    /// [`ApplyError::Cursor`] unless the cursor is at `from` of that delivery log, or there is no cursor and `from` is
    /// the beginning. For another delivery log, call [`Cache::reset_projection`] first.
    pub async fn apply(
        &self,
        log_id: &str,
        from: impl Into<ProjectionMark>,
        to: impl Into<ProjectionMark>,
        items: Vec<ProjectedItem>,
    ) -> Result<Applied, ApplyError> {
        let (from, to) = (from.into(), to.into());
        let log_id = log_id.to_owned();
        let outcome = self
            .database
            .write(move |c| {
                let cursor = cursor(c)?;
                let follows = match &cursor {
                    Some(cursor) => cursor.log_id == log_id && cursor.mark() == from,
                    None => from == ProjectionMark::default(),
                };
                if !follows || to < from {
                    return Ok(Err(cursor));
                }
                let applied = apply(c, &items, None)?;
                failpoint::pass("cache.applied");
                c.prepare_cached(
                    "INSERT INTO cursor (id, log_id, seq, items) VALUES (1, ?1, ?2, ?3) ON CONFLICT DO UPDATE SET
                       log_id = excluded.log_id, seq = excluded.seq, items = excluded.items",
                )?
                .execute((log_id, to.seq, to.items))?;
                failpoint::pass("cache.moved");
                Ok(Ok(applied))
            })
            .await?;
        outcome.map_err(ApplyError::Cursor)
    }

    pub async fn cursor(&self) -> Result<Option<Cursor>, StoreError> {
        self.database.read(cursor).await
    }

    /// Applies deliveries again, each with all its items: differences are corrected, items that an earlier version
    /// found in them and that are not in `items` are removed, and nothing is counted twice. Effects are only added; use
    /// [`Cache::reset_projection`] to remove effects.
    ///
    /// # Errors
    /// [`ApplyError::Cursor`] unless all of them have been applied from that delivery log.
    pub async fn apply_again(
        &self,
        log_id: &str,
        seqs: Vec<i64>,
        items: Vec<ProjectedItem>,
    ) -> Result<Applied, ApplyError> {
        let log_id = log_id.to_owned();
        let outcome = self
            .database
            .write(move |c| {
                let cursor = cursor(c)?;
                let last = seqs.iter().max().copied().unwrap_or(0);
                if !cursor.as_ref().is_some_and(|cursor| cursor.log_id == log_id && cursor.seq >= last) {
                    return Ok(Err(cursor));
                }
                Ok(Ok(apply(c, &items, Some(&seqs))?))
            })
            .await?;
        outcome.map_err(ApplyError::Cursor)
    }

    /// Has no request come after more deliveries than the delivery log has: it may be another one.
    pub async fn limit_requests(&self, last_seq: i64) -> Result<(), StoreError> {
        self.database
            .write(move |c| {
                for table in ["template", "listing"] {
                    let sql = format!("UPDATE {table} SET asked_last_seq = ?1 WHERE asked_last_seq > ?1");
                    c.execute(&sql, [last_seq])?;
                }
                c.execute("UPDATE template SET statuses_seq = ?1 WHERE statuses_seq > ?1", [last_seq])?;
                Ok(())
            })
            .await
    }

    /// Deletes everything that came from the delivery log, to project it again. Templates and read marks remain.
    ///
    /// `other_log` is the last sequence number of another delivery log, to which the next positions belong: what it
    /// holds already is not newer than the templates.
    pub async fn reset_projection(&self, other_log: Option<i64>) -> Result<(), StoreError> {
        self.database
            .write(move |c| {
                if let Some(last_seq) = other_log {
                    c.execute("UPDATE template SET (asked_last_seq, statuses_seq) = (?1, NULL)", [last_seq])?;
                    c.execute("UPDATE listing SET asked_last_seq = ?1", [last_seq])?;
                }
                c.execute_batch(
                    "DELETE FROM cursor; DELETE FROM item_row; DELETE FROM repeat; DELETE FROM undated; DELETE FROM class; DELETE FROM counter;
                     DELETE FROM moment; DELETE FROM message_row; DELETE FROM person;
                     DELETE FROM shared_text; DELETE FROM inbound; DELETE FROM revision; DELETE FROM contact;
                     DELETE FROM identity_link; DELETE FROM identity; DELETE FROM person_name;
                     DELETE FROM template_event;
                     INSERT INTO item_words (item_words) VALUES ('delete-all');
                     INSERT INTO contact_words (contact_words) VALUES ('delete-all');",
                )?;
                Ok(())
            })
            .await
    }
}

pub(super) fn cursor(c: &Connection) -> Result<Option<Cursor>, StoreError> {
    first(c, "SELECT log_id, seq, items FROM cursor", [], |row| {
        Ok(Cursor { log_id: row.get(0)?, seq: row.get(1)?, items: row.get(2)? })
    })
}

/// Applies items; `again` lists the deliveries that are applied again, if any.
pub(super) fn apply(c: &Connection, items: &[ProjectedItem], again: Option<&[i64]>) -> Result<Applied, StoreError> {
    let mut applied = Applied::default();
    let mut messages = BTreeSet::new();
    let mut templates = BTreeMap::new();
    let mut contacts = BTreeSet::new();
    let mut recorder = Recorder::new(c)?;
    let mut merged = Messages::new(c)?;
    if let Some(seqs) = again {
        let mut by_seq: BTreeMap<i64, Vec<&ProjectedItem>> = seqs.iter().map(|seq| (*seq, Vec::new())).collect();
        for item in items {
            by_seq.entry(item.seq).or_default().push(item);
        }
        for (seq, items) in by_seq {
            applied.corrected += recorder.remove_stale(seq, &items)?;
        }
    }
    let correct = again.is_some();
    for item in items {
        let message = match &item.effect {
            Effect::Status(effect) => Some(merged.of(item, effect)?),
            _ => None,
        };
        let row = message.map(|(_, row)| row);
        let id = match recorder.record(item, row)? {
            Recorded::New(id) => {
                applied.new_items += 1;
                applied.corrected += u64::from(correct);
                id
            }
            Recorded::Known(id) => {
                applied.repeated_items += 1;
                // The instant of an undated item is the arrival of its first delivery, not of a redelivery.
                let is_further = item.subject.is_some() && id != position_id(item.seq, item.ordinal);
                applied.corrected += u64::from(correct && !is_further && recorder.correct(id, item, row)?);
                id
            }
        };
        if let Some(person) = &item.person {
            identity_links::record(c, item, person)?;
        }
        // Also for redelivered items: effects are idempotent, and an earlier delivery can correct the instant.
        let differs = match &item.effect {
            Effect::None => false,
            Effect::Status(effect) => {
                let Some((position, _)) = message else { continue };
                let changed = merged.report(position, item, effect);
                if changed.is_new {
                    messages.insert(effect.message_id.as_str());
                }
                changed.differs
            }
            Effect::Message(effect) => {
                let changed = conversation::receive(c, item, effect, id, correct)?;
                if changed {
                    contacts.insert((item.route.clone(), identity::person_of(c, &item.route, &effect.contact)?));
                }
                changed
            }
            Effect::Revision(effect) => {
                let (is_corrected, is_shown) = revision::revise(c, item, effect, id, correct)?;
                if is_shown {
                    contacts.insert((item.route.clone(), identity::person_of(c, &item.route, &effect.contact)?));
                }
                is_corrected || is_shown
            }
            Effect::Template(effect) => {
                let first = Some(id).filter(|id| item.subject.is_some() && *id != position_id(item.seq, item.ordinal));
                let result = template_event(c, item, effect, first, correct)?;
                if !result.is_known {
                    applied.unknown_events.insert((item.route.clone(), item.event_key()));
                }
                if !result.changed.is_empty() && recorder.was_in_earlier_delivery(item)? {
                    applied.unconfirmed.insert(item.route.clone());
                }
                for before in result.changed {
                    // If several events of a batch changed a template, keep its state before the first.
                    templates.entry((item.route.clone(), before.reference.clone())).or_insert(before);
                }
                result.differs
            }
        };
        applied.corrected += u64::from(correct && differs);
    }
    recorder.finish()?;
    merged.finish()?;
    revision::remove_sent(c, items)?;
    applied.messages = messages.into_iter().map(str::to_owned).collect();
    let change = |((route, reference), before)| TemplateChange { route, reference, before };
    applied.templates = templates.into_iter().map(change).collect();
    applied.contacts = contacts.into_iter().collect();
    Ok(applied)
}

/// Effect of an event about a template.
struct EventResult {
    /// Previous rows of the changed templates.
    changed: Vec<TemplateRow>,
    /// Whether it refers to a known template.
    is_known: bool,
    /// Whether the stored event changed.
    differs: bool,
}

/// Adds an event and applies it to its templates.
fn template_event(
    c: &Connection,
    item: &ProjectedItem,
    effect: &TemplateEffect,
    first: Option<i64>,
    correct: bool,
) -> Result<EventResult, StoreError> {
    let key = item.event_key();
    let name = effect.name.as_deref().unwrap_or_default();
    let language = row::language_key(effect.language.as_deref().unwrap_or_default());
    // An undated event that is delivered again is as recent as this delivery.
    if let Some(first) = first {
        let (seq, ordinal) = position_of(first);
        c.prepare_cached(
            "UPDATE template_event SET last_seq = max(last_seq, ?4)
             WHERE route = ?1 AND seq = ?2 AND ordinal = ?3",
        )?
        .execute((&item.route, seq, ordinal, item.seq))?;
    }
    let written = if first.is_some() {
        0
    } else {
        c.prepare_cached(
            "INSERT INTO template_event
               (route, key, seq, ordinal, channel_id, name, language_key, at, received_at, event, reason, status,
                archived, category, quality, value, waba, last_seq)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?3)
             ON CONFLICT (route, key) DO UPDATE SET seq = excluded.seq, ordinal = excluded.ordinal,
               received_at = excluded.received_at, last_seq = excluded.last_seq WHERE (excluded.seq, excluded.ordinal) < (seq, ordinal)",
        )?
        .execute(params![
            item.route,
            key,
            item.seq,
            item.ordinal,
            effect.channel_id,
            name,
            language,
            effect.at,
            item.received_at,
            effect.event,
            effect.reason,
            effect.status,
            effect.archived,
            effect.category,
            effect.quality,
            item.value,
            item.entry_id
        ])?
    };
    let mut differs = written > 0;
    if correct && !differs && first.is_none() {
        let values = params![
            item.route,
            key,
            effect.channel_id,
            name,
            language,
            effect.at,
            effect.event,
            effect.reason,
            effect.status,
            effect.archived,
            effect.category,
            effect.quality
        ];
        let corrected = c
            .prepare_cached(
                "UPDATE template_event SET (channel_id, name, language_key, at, event, reason, status, archived,
                   category, quality) = (?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
                 WHERE route = ?1 AND key = ?2 AND (channel_id IS NOT ?3 OR name <> ?4 OR language_key <> ?5 OR at <> ?6
                   OR event <> ?7 OR reason IS NOT ?8 OR status IS NOT ?9 OR archived IS NOT ?10
                   OR category IS NOT ?11 OR quality IS NOT ?12)",
            )?
            .execute(values)?;
        differs = corrected > 0;
    }
    let (channel_id, waba) = (effect.channel_id.clone(), item.entry_id.clone());
    let subject = EventSubject { name: name.to_owned(), language_key: language, channel_id, waba };
    let resolve_subject = row::resolve_subject(c, &item.route, &subject)?;
    let changed = match resolve_subject {
        Some(id) => merge::overlay(c, id)?.into_iter().collect(),
        None => Vec::new(),
    };
    Ok(EventResult { changed, is_known: resolve_subject.is_some(), differs })
}
