//! Applies what deliveries say about identifiers: contacts and revisions follow the persons.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::{Connection, params};

use super::effect::{PersonEffect, ProjectedItem};
use super::identity::{LinkKind, NameKind, connected, person_of, persons, record_name};
use super::{contact, revision};
use crate::StoreError;
use crate::rows::{all, first, scalar, tuple};

/// Records what an item says about its person.
pub(super) fn record(c: &Connection, item: &ProjectedItem, person: &PersonEffect) -> Result<(), StoreError> {
    let route = item.route.as_str();
    let mut changed = false;
    for link in &person.links {
        let (a, b, kind) = LinkKind::of(link);
        changed |= c
            .prepare_cached(
                "INSERT INTO identity_link (route, a, b, kind, first_at, last_at) VALUES (?1, ?2, ?3, ?4, ?5, ?5)
                 ON CONFLICT DO UPDATE SET first_at = min(first_at, excluded.first_at),
                   last_at = max(last_at, excluded.last_at)
                   WHERE excluded.first_at < first_at OR excluded.last_at > last_at",
            )?
            .execute(params![route, a, b, kind as i64, item.at])?
            > 0;
    }
    if changed {
        let mut starts: Vec<&str> = person.links.iter().map(|link| LinkKind::of(link).0).collect();
        starts.dedup();
        for start in starts {
            resolve(c, route, start)?;
        }
    }
    if let (Some(name), false) = (&person.username, person.id.is_empty())
        && record_name(c, route, &person.id, NameKind::Username, (name, item.at))?
    {
        contact::reindex(c, route, &person_of(c, route, &person.id)?)?;
    }
    Ok(())
}

/// Derives the persons of everything that links connect with an identifier, and moves their contacts.
fn resolve(c: &Connection, route: &str, start: &str) -> Result<(), StoreError> {
    let links = connected(c, route, start)?;
    let after = persons(&links);
    let mut before = BTreeMap::new();
    for alias in after.keys() {
        let sql = "SELECT person FROM identity WHERE route = ?1 AND alias = ?2";
        before.insert(alias.clone(), first(c, sql, (route, alias), scalar::<String>)?);
    }
    if after.iter().all(|(alias, person)| before[alias].as_ref() == Some(person)) {
        return Ok(());
    }
    for (alias, person) in &after {
        c.prepare_cached(
            "INSERT INTO identity (route, alias, person) VALUES (?1, ?2, ?3)
             ON CONFLICT DO UPDATE SET person = excluded.person",
        )?
        .execute((route, alias, person))?;
    }
    regroup(c, route, &after)?;
    for original in revised_by(c, route, after.keys())? {
        revision::refresh(c, route, &original)?;
    }
    Ok(())
}

/// Makes the contacts of identifiers those of their persons.
fn regroup(c: &Connection, route: &str, persons: &BTreeMap<String, String>) -> Result<(), StoreError> {
    let mut word_rows: BTreeMap<&String, i64> = BTreeMap::new();
    for (alias, person) in persons {
        let sql = "SELECT words_id FROM contact WHERE route = ?1 AND contact = ?2 AND number_id = ''";
        let Some(words_id) = first(c, sql, (route, alias), scalar::<i64>)? else { continue };
        word_rows.entry(person).and_modify(|id| *id = words_id.min(*id)).or_insert(words_id);
        contact::delete(c, route, alias)?;
    }
    for person in persons.values().collect::<BTreeSet<_>>() {
        for (alias, _) in persons.iter().filter(|(_, other)| *other == person) {
            let sql =
                "SELECT number_id, min(item_id) FROM inbound WHERE route = ?1 AND contact = ?2 GROUP BY number_id";
            for (number, item_id) in all(c, sql, (route, alias), tuple::<(String, i64)>)? {
                contact::add(c, route, person, &number, word_rows.get(person).copied().unwrap_or(item_id))?;
            }
        }
        contact::rebuild(c, route, person)?;
    }
    Ok(())
}

/// Messages with revisions where the message or a revision has one of these authors.
fn revised_by<'a>(
    c: &Connection,
    route: &str,
    ids: impl Iterator<Item = &'a String>,
) -> Result<BTreeSet<String>, StoreError> {
    let mut originals = BTreeSet::new();
    for id in ids {
        for sql in [
            "SELECT n.message_id FROM inbound n WHERE n.route = ?1 AND n.contact = ?2 AND EXISTS
               (SELECT 1 FROM revision r WHERE r.route = n.route AND r.original_id = n.message_id)",
            "SELECT original_id FROM revision WHERE route = ?1 AND contact = ?2",
        ] {
            originals.extend(all(c, sql, (route, id), scalar::<String>)?);
        }
    }
    Ok(originals)
}

/// Removes what is known of a person of whom no message, revision or event is left.
pub(super) fn remove_unused(c: &Connection, route: &str, id: &str) -> Result<(), StoreError> {
    let links = connected(c, route, id)?;
    let mut ids: BTreeSet<String> = persons(&links).into_keys().collect();
    ids.insert(id.to_owned());
    for id in &ids {
        if first(c, IS_USED, (route, id), |_| Ok(()))?.is_some() {
            return Ok(());
        }
    }
    for id in &ids {
        for sql in [
            "DELETE FROM identity_link WHERE route = ?1 AND a = ?2",
            "DELETE FROM identity_link WHERE route = ?1 AND b = ?2",
            "DELETE FROM identity WHERE route = ?1 AND alias = ?2",
            "DELETE FROM person_name WHERE route = ?1 AND alias = ?2",
        ] {
            c.prepare_cached(sql)?.execute((route, id))?;
        }
    }
    Ok(())
}

const IS_USED: &str = "SELECT 1 WHERE EXISTS (SELECT 1 FROM inbound WHERE route = ?1 AND contact = ?2)
  OR EXISTS (SELECT 1 FROM revision WHERE route = ?1 AND contact = ?2)
  OR EXISTS (SELECT 1 FROM person p CROSS JOIN item_row i ON i.contact = p.id CROSS JOIN class k ON k.id = i.class
    WHERE p.name = ?2 AND k.route = ?1)
  OR EXISTS (SELECT 1 FROM person p CROSS JOIN message_row m ON m.recipient = p.id
    CROSS JOIN shared_text r ON r.id = m.route WHERE p.name = ?2 AND r.value = ?1)";

#[cfg(test)]
mod tests;
