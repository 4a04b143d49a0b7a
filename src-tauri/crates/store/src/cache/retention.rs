//! Removes deliveries from the projection when retention removes them from the delivery log.
//!
//! Afterwards the projection equals a rebuild from the remaining deliveries. State merged from several deliveries
//! cannot be split: messages and contacts that lose a part are deleted and rebuilt from the remaining deliveries, which
//! [`Cache::related_deliveries`] returns.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::Connection;

use super::effect::{Effect, ProjectedItem};
use super::interner::remove_unused_person;
use super::item::{ItemRow, instants, item_key, last_item_of, position_id, position_of, row, stored_key};
use super::message::{self, Messages};
use super::projection::{self, ApplyError};
use super::record::{MOMENT_BITS, Recorder};
use super::{Cache, contact, identity, identity_links, revision};
use crate::StoreError;
use crate::rows::{all, first, scalar, tuple};

/// Result of the removal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Removal {
    /// Done; this many deliveries of items were removed.
    Done(u64),
    /// Nothing was changed: these deliveries must be applied again, and were missing in the call.
    Missing(Vec<i64>),
}

/// Everything that the doomed deliveries contributed to.
#[derive(Debug, Default)]
struct Affected {
    /// Their items, first delivered or redelivered, as stored.
    items: Vec<ItemRow>,
    /// Messages of their statuses, by route and identifier.
    messages: BTreeSet<(String, String)>,
    /// Contacts to rebuild, by route and contact.
    contacts: BTreeSet<(String, String)>,
    /// Received messages that lose a revision, or that only revisions report, by route and identifier.
    revised: BTreeSet<(String, String)>,
    /// Authors of messages and revisions, by route and identifier.
    authors: BTreeSet<(String, String)>,
    /// Contacts to recount only.
    counted: BTreeSet<(String, String)>,
    /// Remaining deliveries that contributed to the same.
    rest: BTreeSet<i64>,
}

impl Cache {
    /// Deliveries that go together with the doomed ones: a message and its edits and deletions go with the first of
    /// them. Without its message, an edit would be shown as one that nobody has read; without its deletion, a message
    /// would be shown again. Deliveries with anything else stay.
    pub async fn deliveries_of_same_messages(&self, to_remove: Vec<i64>) -> Result<Vec<i64>, StoreError> {
        self.database.read(move |c| of_same_messages(c, &to_remove)).await
    }

    /// Remaining deliveries that contributed to the same state as the doomed ones: pass their items to
    /// [`Cache::remove_deliveries`].
    pub async fn related_deliveries(&self, to_remove: Vec<i64>) -> Result<Vec<i64>, StoreError> {
        self.database.read(move |c| Ok(affected(c, &to_remove)?.rest.into_iter().collect())).await
    }

    /// Removes the content of the doomed deliveries, in one transaction. `rest` are the deliveries from
    /// [`Cache::related_deliveries`], with all their items.
    ///
    /// # Errors
    /// [`ApplyError::Cursor`] unless all of them have been applied from that delivery log.
    pub async fn remove_deliveries(
        &self,
        log_id: &str,
        to_remove: Vec<i64>,
        rest: Vec<i64>,
        items: Vec<ProjectedItem>,
    ) -> Result<Removal, ApplyError> {
        let log_id = log_id.to_owned();
        let outcome = self
            .database
            .write(move |c| {
                let cursor = projection::cursor(c)?;
                let last = to_remove.iter().chain(&rest).max().copied().unwrap_or(0);
                if !cursor.as_ref().is_some_and(|cursor| cursor.log_id == log_id && cursor.seq >= last) {
                    return Ok(Err(cursor));
                }
                let affected = affected(c, &to_remove)?;
                let missing: Vec<i64> =
                    affected.rest.iter().copied().filter(|seq| rest.binary_search(seq).is_err()).collect();
                if !missing.is_empty() {
                    return Ok(Ok(Removal::Missing(missing)));
                }
                Ok(Ok(Removal::Done(remove_deliveries(c, &to_remove, &affected, &items)?)))
            })
            .await?;
        outcome.map_err(ApplyError::Cursor)
    }
}

/// The items that a delivery brought first, and those that it brought again.
const DELIVERED: [&str; 2] =
    ["SELECT id FROM item_row WHERE id BETWEEN ?1 AND ?2", "SELECT item_id FROM repeat WHERE id BETWEEN ?1 AND ?2"];

fn items_of(c: &Connection, seq: i64) -> Result<BTreeSet<i64>, StoreError> {
    let positions = (position_id(seq, 0), last_item_of(seq));
    let mut ids = BTreeSet::new();
    for sql in DELIVERED {
        ids.extend(all(c, sql, positions, scalar::<i64>)?);
    }
    Ok(ids)
}

fn of_same_messages(c: &Connection, to_remove: &[i64]) -> Result<Vec<i64>, StoreError> {
    let removed: BTreeSet<i64> = to_remove.iter().copied().collect();
    let mut messages = BTreeSet::new();
    for &seq in &removed {
        for id in items_of(c, seq)? {
            let mut deliveries = BTreeSet::new();
            add_deliveries(c, id, &mut deliveries)?;
            let Some(item) = row(c, id)?.filter(|item| is_message(item) && deliveries.is_subset(&removed)) else {
                continue;
            };
            messages.extend(item.message_id.map(|message| (item.route.clone(), message)));
            let originals = all(c, "SELECT original_id FROM revision WHERE item_id = ?1", [id], scalar::<String>)?;
            messages.extend(originals.into_iter().map(|original| (item.route.clone(), original)));
        }
    }
    let mut ids: BTreeSet<i64> = BTreeSet::new();
    for message in &messages {
        let revisions = all(c, REVISIONS, message.clone(), scalar::<i64>)?;
        if !revisions.is_empty() {
            ids.extend(revisions);
            ids.extend(all(c, RECEIVED, message.clone(), scalar::<i64>)?);
        }
    }
    let mut seqs = BTreeSet::new();
    for &id in &ids {
        add_deliveries(c, id, &mut seqs)?;
    }
    let mut more = Vec::new();
    for &seq in seqs.difference(&removed) {
        if items_of(c, seq)?.is_subset(&ids) {
            more.push(seq);
        }
    }
    Ok(more)
}

const REVISIONS: &str = "SELECT item_id FROM revision WHERE route = ?1 AND original_id = ?2";
const RECEIVED: &str = "SELECT item_id FROM inbound WHERE route = ?1 AND message_id = ?2 AND is_received";

fn affected(c: &Connection, to_remove: &[i64]) -> Result<Affected, StoreError> {
    let removed: BTreeSet<i64> = to_remove.iter().copied().collect();
    let mut affected = Affected::default();
    let mut ids = BTreeSet::new();
    for &seq in &removed {
        ids.extend(items_of(c, seq)?);
    }
    for &id in &ids {
        affected.items.extend(row(c, id)?);
    }
    let mut rest = BTreeSet::new();
    let mut losses: BTreeMap<(String, String), i64> = BTreeMap::new();
    for item in &affected.items {
        add_deliveries(c, item.id, &mut rest)?;
        if let Some(message) = &item.message_id {
            affected.messages.insert((item.route.clone(), message.clone()));
        }
        if !is_message(item) {
            continue;
        }
        for (contact, at, revised) in contributions(c, item)? {
            let person = identity::person_of(c, &item.route, &contact)?;
            affected.authors.insert((item.route.clone(), contact));
            let latest = losses.entry((item.route.clone(), person)).or_insert(at);
            *latest = at.max(*latest);
            affected.revised.extend(revised.map(|original| (item.route.clone(), original)));
        }
    }
    for (route, message) in &affected.messages {
        for seq in message::seqs(c, route, message)? {
            let sql = "SELECT id FROM item WHERE id BETWEEN ?1 AND ?2 AND message_id = ?3";
            let positions = (position_id(seq, 0), last_item_of(seq), message);
            for id in all(c, sql, positions, scalar::<i64>)? {
                add_deliveries(c, id, &mut rest)?;
            }
        }
    }
    for (key, latest) in losses {
        let known = first(c, EARLIEST, (&key.0, &key.1), scalar::<Option<i64>>)?;
        // The contact's row comes from remaining messages: only the count changes.
        if known.flatten().is_some_and(|earlier| latest < earlier) {
            affected.counted.insert(key);
            continue;
        }
        for alias in identity::aliases(c, &key.0, &key.1)? {
            let sql = "SELECT item_id FROM inbound WHERE route = ?1 AND contact = ?2";
            for id in all(c, sql, (&key.0, &alias), scalar::<i64>)? {
                add_deliveries(c, id, &mut rest)?;
            }
            let missing = "SELECT message_id FROM inbound WHERE route = ?1 AND contact = ?2 AND is_received = 0";
            for original in all(c, missing, (&key.0, &alias), scalar::<String>)? {
                affected.revised.insert((key.0.clone(), original));
            }
        }
        affected.contacts.insert(key);
    }
    affected.rest = rest.difference(&removed).copied().collect();
    Ok(affected)
}

/// The instant of the earliest message that the rows of a contact come from.
const EARLIEST: &str = "SELECT min(at) FROM (
  SELECT last_at AS at FROM contact WHERE route = ?1 AND contact = ?2
  UNION ALL SELECT n.at FROM person_name n WHERE n.route = ?1 AND n.is_username = 0
    AND n.alias IN (SELECT ?2 UNION ALL SELECT alias FROM identity WHERE route = ?1 AND person = ?2))";

/// What an item gave to conversations: its author, its instant, and the message that it revises.
fn contributions(c: &Connection, item: &ItemRow) -> Result<Vec<(String, i64, Option<String>)>, StoreError> {
    let received = "SELECT contact, at, NULL FROM inbound WHERE route = ?1 AND message_id = ?2 AND is_received";
    let mut found = all(c, received, (&item.route, &item.message_id), tuple)?;
    // The row of a contact does not say which revisions it comes from.
    let revisions = "SELECT contact, 9223372036854775807, original_id FROM revision WHERE item_id = ?1";
    found.extend(all(c, revisions, [item.id], tuple)?);
    Ok(found)
}

/// Adds the deliveries of an item.
fn add_deliveries(c: &Connection, id: i64, seqs: &mut BTreeSet<i64>) -> Result<(), StoreError> {
    seqs.insert(position_of(id).0);
    seqs.extend(all(c, "SELECT id FROM repeat WHERE item_id = ?1", [id], |row| Ok(position_of(row.get(0)?).0))?);
    Ok(())
}

fn is_message(item: &ItemRow) -> bool {
    item.kind == "message"
}

fn remove_deliveries(
    c: &Connection,
    to_remove: &[i64],
    affected: &Affected,
    items: &[ProjectedItem],
) -> Result<u64, StoreError> {
    for item in affected.items.iter().filter(|item| is_message(item)) {
        c.prepare_cached("DELETE FROM inbound WHERE route = ?1 AND message_id = ?2 AND is_received")?
            .execute((&item.route, &item.message_id))?;
        revision::remove(c, item.id)?;
    }
    for (route, contact) in &affected.contacts {
        for alias in identity::aliases(c, route, contact)? {
            for sql in [
                "DELETE FROM inbound WHERE route = ?1 AND contact = ?2",
                "DELETE FROM person_name WHERE route = ?1 AND alias = ?2 AND is_username = 0",
            ] {
                c.prepare_cached(sql)?.execute((route, &alias))?;
            }
        }
        contact::delete(c, route, contact)?;
    }
    for (route, message) in &affected.messages {
        message::empty(c, route, message)?;
    }
    let mut recorder = Recorder::new(c)?;
    let mut removed = 0;
    for &seq in to_remove {
        c.prepare_cached("DELETE FROM template_event WHERE seq = ?1")?.execute([seq])?;
        removed += recorder.remove_stale(seq, &[])?;
    }
    recorder.finish()?;
    projection::apply(c, items, None)?;
    for (route, message) in &affected.messages {
        message::delete_empty(c, route, message)?;
    }
    for (route, original) in affected.revised.union(&affected.messages) {
        revision::refresh(c, route, original)?;
    }
    // An undated item happened when its first delivery arrived, which may now be another one.
    let mut recorder = Recorder::new(c)?;
    let mut messages = Messages::new(c)?;
    for item in items {
        let position = position_id(item.seq, item.ordinal);
        let key = stored_key(&item_key(&item.route, &item.event_key()));
        if row(c, position)?.is_some_and(|row| row.key == key) {
            let message = match &item.effect {
                Effect::Status(effect) => Some(messages.of(item, effect)?.1),
                _ => None,
            };
            recorder.correct(position, item, message)?;
        }
    }
    recorder.finish()?;
    for (route, contact) in affected.counted.iter().chain(&affected.contacts) {
        contact::count_unread(c, route, contact)?;
    }
    c.execute("DELETE FROM class WHERE n = 0", [])?;
    let people: BTreeSet<&String> = affected.items.iter().filter_map(|item| item.contact.as_ref()).collect();
    for person in people {
        remove_unused_person(c, person)?;
    }
    let seen = affected.items.iter().filter_map(|item| Some((item.route.clone(), item.contact.clone()?)));
    for (route, id) in seen.chain(affected.authors.iter().cloned()).collect::<BTreeSet<_>>() {
        identity_links::remove_unused(c, &route, &id)?;
    }
    let blocks: BTreeSet<i64> = to_remove.iter().map(|seq| seq >> MOMENT_BITS).collect();
    for block in blocks {
        update_block(c, block)?;
    }
    Ok(removed)
}

/// Updates the first and last arrival of a block of deliveries from the remaining ones.
fn update_block(c: &Connection, block: i64) -> Result<(), StoreError> {
    let positions = (position_id(block << MOMENT_BITS, 0), position_id((block + 1) << MOMENT_BITS, 0) - 1);
    let first_arrivals = all(c, "SELECT key, at, delay FROM item_row WHERE id BETWEEN ?1 AND ?2", positions, |row| {
        Ok(instants(&row.get(0)?, row.get(1)?, row.get(2)?).1)
    })?;
    let further = "SELECT min(received_at), max(received_at) FROM repeat WHERE id BETWEEN ?1 AND ?2";
    let (from, to): (Option<i64>, Option<i64>) = c.prepare_cached(further)?.query_row(positions, tuple)?;
    let from = first_arrivals.iter().copied().chain(from).min();
    let to = first_arrivals.iter().copied().chain(to).max();
    if let (Some(from), Some(to)) = (from, to) {
        c.prepare_cached("UPDATE moment SET first_at = ?2, last_at = ?3 WHERE block = ?1")?
            .execute((block, from, to))?;
    } else {
        c.prepare_cached("DELETE FROM moment WHERE block = ?1")?.execute([block])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use model::event::identity::IdentityLink;
    use proptest::prelude::*;

    use super::super::SCHEMA;
    use super::super::effect::{PersonEffect, StatusEffect};
    use super::super::revision::tests::{deliveries, state};
    use super::*;
    use crate::connection;

    fn status(seq: i64, contact: &str, message_id: &str) -> ProjectedItem {
        let effect = StatusEffect {
            message_id: message_id.to_owned(),
            status: "sent".to_owned(),
            at: seq,
            ..StatusEffect::default()
        };
        ProjectedItem {
            seq,
            route: "a".to_owned(),
            key: seq.to_string(),
            kind: "status".to_owned(),
            at: seq,
            contact: Some(contact.to_owned()),
            message_id: Some(message_id.to_owned()),
            effect: Effect::Status(StatusEffect { recipient: Some(contact.to_owned()), ..effect }),
            ..ProjectedItem::default()
        }
    }

    #[test]
    fn people_and_messages_go_with_their_last_event() {
        let c = connection::open_in_memory(&SCHEMA).unwrap();
        let items = [status(1, "111", "m1"), status(2, "222", "m2"), status(3, "222", "m2")];
        projection::apply(&c, &items, None).unwrap();
        let state = || {
            let texts = |sql| all(&c, sql, [], scalar::<String>).unwrap();
            (texts("SELECT name FROM person ORDER BY 1"), texts("SELECT message_id || reports FROM message ORDER BY 1"))
        };
        let affected_first = affected(&c, &[1, 2]).unwrap();
        assert_eq!(affected_first.rest.iter().copied().collect::<Vec<_>>(), [3]);
        remove_deliveries(&c, &[1, 2], &affected_first, &items[2..]).unwrap();
        assert_eq!(state(), (vec!["222".to_owned()], vec![r#"m2[["sent",3,3,null]]"#.to_owned()]));
        let row = row(&c, position_id(3, 0)).unwrap().unwrap();
        assert_eq!((row.message_id.as_deref(), row.contact.as_deref()), (Some("m2"), Some("222")));
        let affected_last = affected(&c, &[3]).unwrap();
        remove_deliveries(&c, &[3], &affected_last, &[]).unwrap();
        assert_eq!(state(), (Vec::new(), Vec::new()));
    }

    /// The state after deliveries, of which everybody has read those up to a sequence number.
    fn marked(read: i64, items: &[ProjectedItem]) -> Connection {
        let c = connection::open_in_memory(&SCHEMA).unwrap();
        for contact in ["111", "222"] {
            let mark = ("w", contact, position_id(read, 0));
            c.execute("INSERT INTO read_mark (route, contact, item_id) VALUES (?1, ?2, ?3)", mark).unwrap();
        }
        for item in items {
            projection::apply(&c, std::slice::from_ref(item), None).unwrap();
        }
        c
    }

    fn unread(c: &Connection) -> BTreeMap<String, i64> {
        let sql = "SELECT contact, unread FROM contact WHERE number_id = ''";
        all(c, sql, [], tuple).unwrap().into_iter().collect()
    }

    #[test]
    fn identifiers_go_with_the_last_event_of_their_person() {
        let c = connection::open_in_memory(&SCHEMA).unwrap();
        let link = IdentityLink::Same { number: "111".to_owned(), user_id: "BR.1".to_owned() };
        let person = PersonEffect { id: "BR.1".to_owned(), links: vec![link], username: Some("ana".to_owned()) };
        let items = [ProjectedItem { person: Some(person), ..status(1, "111", "m1") }, status(2, "111", "m2")];
        projection::apply(&c, &items, None).unwrap();
        let count = || -> i64 {
            let sql = "SELECT (SELECT count(*) FROM identity) + (SELECT count(*) FROM identity_link)
                         + (SELECT count(*) FROM person_name)";
            first(&c, sql, [], scalar).unwrap().unwrap()
        };
        for (seq, expected) in [(1, 4), (2, 0)] {
            let affected = affected(&c, &[seq]).unwrap();
            remove_deliveries(&c, &[seq], &affected, &[]).unwrap();
            assert_eq!(count(), expected);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn what_remains_of_revised_messages_equals_a_rebuild(
            order in Just(deliveries()).prop_shuffle(), count in 1..13_usize, read in 0..14_i64
        ) {
            let items: Vec<ProjectedItem> =
                (1..).zip(order).map(|(seq, item)| ProjectedItem { seq, ..item }).collect();
            let mut removed: Vec<i64> = items[..count].iter().map(|item| item.seq).collect();
            let c = marked(read, &items);
            let before = unread(&c);
            removed.extend(of_same_messages(&c, &removed).unwrap());
            removed.sort_unstable();
            let affected = affected(&c, &removed).unwrap();
            let rest: Vec<ProjectedItem> =
                items.iter().filter(|item| affected.rest.contains(&item.seq)).cloned().collect();
            remove_deliveries(&c, &removed, &affected, &rest).unwrap();
            let remaining: Vec<ProjectedItem> =
                items.iter().filter(|item| !removed.contains(&item.seq)).cloned().collect();
            prop_assert_eq!(state(&c), state(&marked(read, &remaining)));
            // What was read stays read.
            for (contact, count) in unread(&c) {
                prop_assert!(before.get(&contact).is_some_and(|before| count <= *before), "{}", contact);
            }
        }
    }
}
