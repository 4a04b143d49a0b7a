//! Edits and deletions of received messages by their authors.
//!
//! The content of a message is a function of the message and of the set of its revisions: the last edit replaces the
//! text, and a deletion the whole content. A message that only revisions report has a row with what these say, which the
//! message itself replaces when it arrives. Revisions of a message by another person or to another number change
//! nothing.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use model::item::message_key;
use rusqlite::{Connection, Row, params};

use super::Cache;
use super::contact;
use super::effect::{Effect, MessageEffect, ProjectedItem, RevisionEffect};
use super::identity::person_of;
use super::item::{self, item_key, stored_key};
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
    let key = stored_key(&item_key(&route, &message_key(&original_id)));
    let is_ignored = match first(c, ORIGINAL, (key, &route), tuple::<OriginalRow>)? {
        Some((author, _, of_original)) => {
            let (author, person) = (person_of(c, &route, &author)?, person_of(c, &route, &contact)?);
            !is_by_author((&author, &of_original), (&person, &number))
        }
        None => is_sent(c, &route, &original_id)?,
    };
    let original = first(c, "SELECT id FROM item_row WHERE key = ?1", [key], scalar::<i64>)?;
    let original = original.map(|id| item::row(c, id)).transpose()?.flatten();
    Ok(Some(ItemRevision { is_deletion, is_ignored, original_text: original.map(|row| row.text) }))
}

/// In the order in which they were sent.
const REVISIONS: &str = "SELECT contact, at, item_id, number_id, kind, text, context_id, value FROM revision
  WHERE route = ?1 AND original_id = ?2 ORDER BY at, message_id";

/// The author and the number of a received message, by its item, as in `conversation`.
const ORIGINAL: &str = "SELECT n.contact, n.at, n.number_id FROM item_row i
  CROSS JOIN person p ON p.id = i.contact
  CROSS JOIN inbound n ON n.route = ?2 AND n.contact = p.name AND n.at = i.at AND n.message_id = i.message_id
  WHERE i.key = ?1 AND n.is_received";

/// Author, instant and number.
type OriginalRow = (String, i64, String);

const MISSING: &str = "SELECT contact FROM inbound WHERE route = ?1 AND message_id = ?2 AND is_received = 0";

/// Instant, item, and instants of the last edit and of the deletion.
type MissingRow = (i64, i64, Option<i64>, Option<i64>);

const MISSING_ROW: &str = "SELECT at, item_id, edited_at, deleted_at FROM inbound
  WHERE route = ?1 AND message_id = ?2 AND contact = ?3 AND is_received = 0";

/// Adds a revision, and applies it. Returns whether a message changed.
pub(super) fn revise(
    c: &Connection,
    item: &ProjectedItem,
    effect: &RevisionEffect,
    item_id: i64,
) -> Result<bool, StoreError> {
    insert_row!(c, "revision" => effect {
        route: item.route, original_id, contact, at, message_id, item_id: item_id,
        number_id: item.number_id.as_deref().unwrap_or_default(), kind, text, context_id, value: item.value,
    }, "ON CONFLICT DO NOTHING")?;
    refresh(c, &item.route, &effect.original_id)
}

/// Applies known revisions to a message that has just been added.
pub(super) fn apply_to_new(c: &Connection, item: &ProjectedItem, effect: &MessageEffect) -> Result<(), StoreError> {
    let is_revised = "SELECT 1 FROM revision WHERE route = ?1 AND original_id = ?2";
    if c.prepare_cached(is_revised)?.exists((&item.route, &effect.message_id))? {
        refresh(c, &item.route, &effect.message_id)?;
        // It may have replaced a row of the same instant.
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
    let key = (stored_key(&item_key(route, &message_key(original_id))), route);
    let original = first(c, ORIGINAL, key, tuple::<OriginalRow>)?;
    let mut missing: BTreeMap<&str, Vec<&Revision>> = BTreeMap::new();
    let mut changed = false;
    let mut persons = Vec::with_capacity(revisions.len());
    for revision in &revisions {
        persons.push(person_of(c, route, &revision.contact)?);
    }
    if let Some((contact, at, number)) = &original {
        let author = person_of(c, route, contact)?;
        let is_of_author =
            |(revision, person): &(&Revision, &String)| is_by_author((&author, number), (person, &revision.number_id));
        if let Some(revised) =
            Revised::of(revisions.iter().zip(&persons).filter(is_of_author).map(|(revision, _)| revision))
        {
            changed = change_original(c, (route, contact, *at, original_id), &revised)?;
        }
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

fn change_original(c: &Connection, key: (&str, &str, i64, &str), revised: &Revised<'_>) -> Result<bool, StoreError> {
    let (route, contact, at, message_id) = key;
    let deleted = revised.deleted_at.map(|_| DELETED);
    let changed = c
        .prepare_cached(
            "UPDATE inbound SET kind = coalesce(?5, kind), text = ?6, edited_at = ?7, edit = ?8, deleted_at = ?9
             WHERE route = ?1 AND contact = ?2 AND at = ?3 AND message_id = ?4
               AND (kind <> coalesce(?5, kind) OR text <> ?6 OR edited_at IS NOT ?7 OR edit IS NOT ?8
                 OR deleted_at IS NOT ?9)
             RETURNING kind",
        )?
        .query_map(
            params![
                route,
                contact,
                at,
                message_id,
                deleted,
                revised.last.text,
                revised.edited_at(),
                revised.edit(),
                revised.deleted_at
            ],
            scalar::<String>,
        )?
        .next()
        .transpose()?;
    if let Some(kind) = &changed {
        contact::update_last_message(c, (route, contact, message_id), kind, &revised.last.text)?;
    }
    Ok(changed.is_some())
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
        let after = wanted
            .as_ref()
            .map(|(revised, first)| (first.at, revised.last.item_id, revised.edited_at(), revised.deleted_at));
        if before == after {
            continue;
        }
        changed = true;
        c.prepare_cached(
            "DELETE FROM inbound WHERE route = ?1 AND message_id = ?2 AND contact = ?3 AND is_received = 0",
        )?
        .execute((route, original_id, contact))?;
        if let Some((revised, first)) = wanted {
            let last = revised.last;
            insert_row!(c, "inbound" => last {
                route: route, contact: contact, at: first.at, message_id: original_id, item_id, number_id,
                kind: last.kind.as_deref().unwrap_or(DELETED), text, context_id, value,
                edited_at: revised.edited_at(), edit: revised.edit(), deleted_at: revised.deleted_at,
                is_received: false,
            }, "")?;
            contact::add(c, route, &person_of(c, route, contact)?, &last.number_id, last.item_id)?;
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

/// The messages that the item with this identifier changes: one, or none for another item.
pub(super) fn originals_of(c: &Connection, item_id: i64) -> Result<Vec<String>, StoreError> {
    all(c, "SELECT original_id FROM revision WHERE item_id = ?1", [item_id], scalar)
}

pub(super) fn remove(c: &Connection, item_id: i64) -> Result<(), StoreError> {
    c.prepare_cached("DELETE FROM revision WHERE item_id = ?1")?.execute([item_id])?;
    Ok(())
}

#[cfg(test)]
pub(super) mod tests;
