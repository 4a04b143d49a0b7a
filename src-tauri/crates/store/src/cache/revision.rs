//! Edits and deletions of received messages by their authors.
//!
//! The content of a message is a function of the message and of the set of its revisions: the last edit replaces the
//! text, and a deletion the whole content. A message that only revisions report has a row with what these say, which the
//! message itself replaces when it arrives. Revisions of a message by another person or to another number change
//! nothing.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use rusqlite::{Connection, Row, params};

use super::Cache;
use super::contact;
use super::effect::{Effect, MessageEffect, ProjectedItem, RevisionEffect};
use super::identity::person_of;
use super::item::position_id;
use super::message;
use crate::StoreError;
use crate::rows::{all, first, from_row, insert_row, scalar, tuple};

/// Type of a deleted message.
const DELETED: &str = "revoke";

/// An edit or a deletion, by its item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemRevision {
    pub is_deletion: bool,
    /// Whether it is known to change nothing, because its author did not write the message to this number.
    pub is_ignored: bool,
    /// The text of the message as it arrived, if it did.
    pub original_text: Option<String>,
}

struct Revision {
    contact: String,
    at: i64,
    item_id: i64,
    number_id: String,
    /// The type of the new content; absent for a deletion.
    kind: Option<String>,
    text: String,
    context_id: Option<String>,
    value: String,
}

/// What revisions make of a message.
struct Revised<'a> {
    /// The last one that counts.
    last: &'a Revision,
    deleted_at: Option<i64>,
}

impl<'a> Revised<'a> {
    /// In the order of [`REVISIONS`]. `None` without revisions.
    fn of(revisions: impl IntoIterator<Item = &'a Revision>) -> Option<Self> {
        let mut last: Option<Revised<'a>> = None;
        for revision in revisions {
            match (&last, &revision.kind) {
                (Some(Revised { deleted_at: Some(_), .. }), _) => {}
                (_, Some(_)) => last = Some(Self { last: revision, deleted_at: None }),
                (_, None) => last = Some(Self { last: revision, deleted_at: Some(revision.at) }),
            }
        }
        last
    }

    fn edit(&self) -> Option<&'a str> {
        self.deleted_at.is_none().then_some(self.last.value.as_str())
    }

    fn edited_at(&self) -> Option<i64> {
        self.deleted_at.is_none().then_some(self.last.at)
    }
}

impl Cache {
    /// Those of these items that are edits or deletions.
    pub async fn revisions_of(&self, items: Vec<i64>) -> Result<HashMap<i64, ItemRevision>, StoreError> {
        self.database
            .read(move |c| {
                let mut found = HashMap::new();
                for item in items {
                    if let Some(revision) = item_revision(c, item)? {
                        found.insert(item, revision);
                    }
                }
                Ok(found)
            })
            .await
    }
}

fn item_revision(c: &Connection, item_id: i64) -> Result<Option<ItemRevision>, StoreError> {
    let sql = "SELECT route, original_id, contact, number_id, kind IS NULL FROM revision WHERE item_id = ?1";
    let Some((route, original_id, contact, number, is_deletion)) =
        first(c, sql, [item_id], tuple::<(String, String, String, String, bool)>)?
    else {
        return Ok(None);
    };
    let original = first(c, ORIGINAL, (&route, &original_id), original)?;
    let is_ignored = match &original {
        Some(original) => {
            let (author, person) = (person_of(c, &route, &original.contact)?, person_of(c, &route, &contact)?);
            !is_by_author((&author, &original.number_id), (&person, &number))
        }
        None => is_sent(c, &route, &original_id)?,
    };
    Ok(Some(ItemRevision { is_deletion, is_ignored, original_text: original.map(|original| original.own_text) }))
}

/// In the order in which they were sent.
const REVISIONS: &str = "SELECT contact, at, item_id, number_id, kind, text, context_id, value FROM revision
  WHERE route = ?1 AND original_id = ?2 ORDER BY at, message_id";

/// A received message, and what revisions made of it.
const ORIGINAL: &str = "SELECT contact, at, item_id, number_id, coalesce(original_kind, kind) AS own_kind,
    coalesce(original_text, text) AS own_text, original_kind IS NOT NULL AS is_revised, arrival, kind, text, edited_at,
    edit, deleted_at
  FROM inbound WHERE route = ?1 AND message_id = ?2 AND is_received";

struct Original {
    contact: String,
    at: i64,
    item_id: i64,
    number_id: String,
    own_kind: String,
    own_text: String,
    content: Content,
}

/// What a row shows.
#[derive(Debug, PartialEq, Eq)]
struct Content {
    is_revised: bool,
    arrival: i64,
    kind: String,
    text: String,
    edited_at: Option<i64>,
    edit: Option<String>,
    deleted_at: Option<i64>,
}

const MISSING: &str = "SELECT contact FROM inbound WHERE route = ?1 AND message_id = ?2 AND is_received = 0";

const MISSING_ROW: &str =
    "SELECT at, item_id, number_id, kind, text, context_id, value, edited_at, deleted_at FROM inbound
  WHERE route = ?1 AND message_id = ?2 AND contact = ?3 AND is_received = 0";

/// A message that only revisions report, in the order of [`MISSING_ROW`].
type MissingRow = (i64, i64, String, String, String, Option<String>, String, Option<i64>, Option<i64>);

/// Adds a revision, or updates a known one if requested. Returns whether the revision and whether the message changed.
pub(super) fn revise(
    c: &Connection,
    item: &ProjectedItem,
    effect: &RevisionEffect,
    item_id: i64,
    correct: bool,
) -> Result<(bool, bool), StoreError> {
    let mut is_shown = false;
    let mut is_moved = false;
    if correct {
        let sql = "DELETE FROM revision WHERE item_id = ?1 AND original_id <> ?2 RETURNING original_id";
        for original in all(c, sql, (item_id, &effect.original_id), scalar::<String>)? {
            is_moved = true;
            is_shown |= refresh(c, &item.route, &original)?;
        }
    }
    // As for messages, the earliest instant counts, and of equal ones the user id.
    let is_own = item_id == position_id(item.seq, item.ordinal);
    let condition = if correct && is_own {
        "WHERE (item_id, contact, at, number_id, kind, text, context_id) IS NOT
           (excluded.item_id, excluded.contact, excluded.at, excluded.number_id, excluded.kind, excluded.text,
            excluded.context_id)"
    } else {
        "WHERE excluded.at < at OR (excluded.at = at AND excluded.contact > contact)"
    };
    let on_conflict = format!(
        "ON CONFLICT DO UPDATE SET contact = excluded.contact, at = excluded.at, item_id = excluded.item_id,
           number_id = excluded.number_id, kind = excluded.kind, text = excluded.text,
           context_id = excluded.context_id, value = excluded.value {condition}"
    );
    let written = insert_row!(c, "revision" => effect {
        route: item.route, original_id, contact, at, message_id, item_id: item_id,
        number_id: item.number_id.as_deref().unwrap_or_default(), kind, text, context_id, value: item.value,
    }, on_conflict)?;
    is_shown |= refresh(c, &item.route, &effect.original_id)?;
    Ok((is_moved || written > 0, is_shown))
}

/// Applies known revisions to a message that has just been added.
pub(super) fn apply_to_new(c: &Connection, item: &ProjectedItem, effect: &MessageEffect) -> Result<(), StoreError> {
    let is_revised = "SELECT 1 FROM revision WHERE route = ?1 AND original_id = ?2";
    if c.prepare_cached(is_revised)?.exists((&item.route, &effect.message_id))? {
        refresh(c, &item.route, &effect.message_id)?;
        // It may have replaced the row that stood for it.
        contact::rebuild(c, &item.route, &person_of(c, &item.route, &effect.contact)?)?;
    }
    Ok(())
}

/// Removes messages that only revisions report if these statuses show that we sent them.
pub(super) fn remove_sent(c: &Connection, items: &[ProjectedItem]) -> Result<(), StoreError> {
    if !c.prepare_cached("SELECT 1 FROM inbound WHERE is_received = 0")?.exists([])? {
        return Ok(());
    }
    let mut find = c.prepare_cached(MISSING)?;
    for item in items {
        let Effect::Status(effect) = &item.effect else { continue };
        if find.exists((&item.route, &effect.message_id))? {
            refresh(c, &item.route, &effect.message_id)?;
        }
    }
    Ok(())
}

/// Derives a message from its revisions. Returns whether it changed.
pub(super) fn refresh(c: &Connection, route: &str, original_id: &str) -> Result<bool, StoreError> {
    let revisions = all(c, REVISIONS, (route, original_id), revision)?;
    let mut missing: BTreeMap<&str, Vec<&Revision>> = BTreeMap::new();
    let mut changed = false;
    let mut persons = Vec::with_capacity(revisions.len());
    for revision in &revisions {
        persons.push(person_of(c, route, &revision.contact)?);
    }
    if let Some(original) = first(c, ORIGINAL, (route, original_id), original)? {
        let author = person_of(c, route, &original.contact)?;
        let is_of_author = |(revision, person): &(&Revision, &String)| {
            is_by_author((&author, &original.number_id), (person, &revision.number_id))
        };
        let counting: Vec<&Revision> =
            revisions.iter().zip(&persons).filter(is_of_author).map(|(revision, _)| revision).collect();
        changed = change_original(c, route, &original, &counting)?;
    } else if !is_sent(c, route, original_id)? {
        // The row has the identifier that the person used first.
        let mut firsts: BTreeMap<&String, &str> = BTreeMap::new();
        for (revision, person) in revisions.iter().zip(&persons) {
            let contact = *firsts.entry(person).or_insert(&revision.contact);
            missing.entry(contact).or_default().push(revision);
        }
    }
    changed |= replace_missing(c, route, original_id, &missing)?;
    Ok(changed)
}

/// Whether the person who wrote a message to a number also made a revision. A delivery may not name the number.
fn is_by_author((author, number): (&str, &str), (person, of_revision): (&str, &str)) -> bool {
    person == author && (number.is_empty() || of_revision.is_empty() || number == of_revision)
}

fn change_original(
    c: &Connection,
    route: &str,
    original: &Original,
    revisions: &[&Revision],
) -> Result<bool, StoreError> {
    let first_revision = revisions.iter().map(|revision| revision.item_id).min();
    let arrival = first_revision.unwrap_or(original.item_id).min(original.item_id);
    let content = match Revised::of(revisions.iter().copied()) {
        None => Content {
            is_revised: false,
            arrival,
            kind: original.own_kind.clone(),
            text: original.own_text.clone(),
            edited_at: None,
            edit: None,
            deleted_at: None,
        },
        Some(revised) => Content {
            is_revised: true,
            arrival,
            kind: revised.deleted_at.map_or_else(|| original.own_kind.clone(), |_| DELETED.to_owned()),
            text: revised.last.text.clone(),
            edited_at: revised.edited_at(),
            edit: revised.edit().map(str::to_owned),
            deleted_at: revised.deleted_at,
        },
    };
    if content == original.content {
        return Ok(false);
    }
    let Original { contact, at, item_id, own_kind, own_text, .. } = original;
    c.prepare_cached(
        "UPDATE inbound SET kind = ?5, text = ?6, edited_at = ?7, edit = ?8, deleted_at = ?9, arrival = ?10,
           original_kind = ?11, original_text = ?12
         WHERE route = ?1 AND contact = ?2 AND at = ?3 AND item_id = ?4",
    )?
    .execute(params![
        route,
        contact,
        at,
        item_id,
        content.kind,
        content.text,
        content.edited_at,
        content.edit,
        content.deleted_at,
        content.arrival,
        content.is_revised.then_some(own_kind),
        content.is_revised.then_some(own_text)
    ])?;
    contact::update_last_message(c, (route, contact, *item_id), &content.kind, &content.text)?;
    if content.arrival != original.content.arrival {
        contact::count_unread(c, route, &person_of(c, route, contact)?)?;
    }
    Ok(true)
}

fn original(row: &Row<'_>) -> rusqlite::Result<Original> {
    from_row!(row => Original {
        contact, at, item_id, number_id, own_kind, own_text,
        content: from_row!(row => Content { is_revised, arrival, kind, text, edited_at, edit, deleted_at })?,
    })
}

/// Replaces the rows of a message that was not received: one for each author of revisions.
fn replace_missing(
    c: &Connection,
    route: &str,
    original_id: &str,
    missing: &BTreeMap<&str, Vec<&Revision>>,
) -> Result<bool, StoreError> {
    let mut contacts: BTreeSet<String> = all(c, MISSING, (route, original_id), scalar)?.into_iter().collect();
    contacts.extend(missing.keys().map(|&contact| contact.to_owned()));
    let mut changed = false;
    for contact in &contacts {
        let revisions = missing.get(contact.as_str()).map(Vec::as_slice).unwrap_or_default();
        let wanted = Revised::of(revisions.iter().copied()).zip(revisions.first());
        let before = first(c, MISSING_ROW, (route, original_id, contact), tuple::<MissingRow>)?;
        let after: Option<MissingRow> = wanted.as_ref().map(|(revised, first)| {
            let last = revised.last;
            let first_item = revisions.iter().map(|revision| revision.item_id).min().unwrap_or(last.item_id);
            let kind = last.kind.as_deref().unwrap_or(DELETED).to_owned();
            let (number, text, value) = (last.number_id.clone(), last.text.clone(), last.value.clone());
            let (edited_at, deleted_at) = (revised.edited_at(), revised.deleted_at);
            (first.at, first_item, number, kind, text, last.context_id.clone(), value, edited_at, deleted_at)
        });
        if before == after {
            continue;
        }
        changed = true;
        c.prepare_cached(
            "DELETE FROM inbound WHERE route = ?1 AND message_id = ?2 AND contact = ?3 AND is_received = 0",
        )?
        .execute((route, original_id, contact))?;
        if let Some(((at, item_id, number_id, kind, text, context_id, value, edited_at, deleted_at), (revised, _))) =
            after.zip(wanted)
        {
            insert_row!(c, "inbound" => revised {
                route: route, contact: contact, at: at, item_id: item_id, arrival: item_id, message_id: original_id,
                number_id: number_id, kind: kind, text: text, context_id: context_id, value: value,
                edited_at: edited_at, edit: revised.edit(), deleted_at: deleted_at, is_received: false,
            }, "ON CONFLICT DO NOTHING")?;
            contact::add(c, route, &person_of(c, route, contact)?, &number_id, item_id)?;
        }
        contact::rebuild(c, route, &person_of(c, route, contact)?)?;
    }
    Ok(changed)
}

/// Whether statuses report that we sent a message.
fn is_sent(c: &Connection, route: &str, message_id: &str) -> Result<bool, StoreError> {
    let sql = "SELECT 1 FROM message WHERE hash = ?1 AND message_id = ?2 AND route = ?3";
    Ok(c.prepare_cached(sql)?.exists((message::hash(route, message_id), message_id, route))?)
}

fn revision(row: &Row<'_>) -> rusqlite::Result<Revision> {
    from_row!(row => Revision { contact, at, item_id, number_id, kind, text, context_id, value })
}

pub(super) fn remove(c: &Connection, item_id: i64) -> Result<(), StoreError> {
    c.prepare_cached("DELETE FROM revision WHERE item_id = ?1")?.execute([item_id])?;
    Ok(())
}

#[cfg(test)]
pub(super) mod tests;
