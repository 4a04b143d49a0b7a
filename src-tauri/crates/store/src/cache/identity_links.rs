//! Applies what deliveries say about identifiers: contacts and revisions follow the persons.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::{Connection, params};

use super::effect::{PersonEffect, ProjectedItem};
use super::identity::{connected, person_of, persons};
use super::{contact, revision};
use crate::StoreError;
use crate::rows::{all, first, scalar, tuple};

/// Records what an item says about its person.
pub(super) fn record(c: &Connection, item: &ProjectedItem, person: &PersonEffect) -> Result<(), StoreError> {
    let route = item.route.as_str();
    let mut changed = false;
    for link in &person.links {
        changed |= c
            .prepare_cached(
                "INSERT INTO identity_link (route, a, b, is_change, at) VALUES (?1, ?2, ?3, ?4, ?5)
                 ON CONFLICT DO UPDATE SET at = excluded.at WHERE excluded.at > at",
            )?
            .execute(params![route, link.from, link.to, link.is_change, item.at])?
            > 0;
    }
    if let Some(link) = person.links.first().filter(|_| changed) {
        resolve(c, route, &link.from)?;
    }
    if let (Some(name), false) = (&person.username, person.id.is_empty()) {
        let renamed = c
            .prepare_cached(
                "INSERT INTO username (route, alias, name, at) VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT DO UPDATE SET at = excluded.at, name = excluded.name
                   WHERE (excluded.at, excluded.name) > (at, name)",
            )?
            .execute((route, &person.id, name, item.at))?;
        if renamed > 0 {
            contact::reindex(c, route, &person_of(c, route, &person.id)?)?;
        }
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
    let mut names: BTreeMap<&String, (i64, String)> = BTreeMap::new();
    let mut word_rows: BTreeMap<&String, i64> = BTreeMap::new();
    for (alias, person) in persons {
        let sql = "SELECT name_at, name, words_id FROM contact WHERE route = ?1 AND contact = ?2 AND number_id = ''";
        let row = first(c, sql, (route, alias), tuple::<(Option<i64>, Option<String>, i64)>)?;
        let Some((name_at, name, words_id)) = row else { continue };
        word_rows.entry(person).and_modify(|id| *id = words_id.min(*id)).or_insert(words_id);
        if let Some(name) = name_at.zip(name) {
            names.entry(person).and_modify(|known| *known = name.clone().max(known.clone())).or_insert(name);
        }
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
        if let Some((name_at, name)) = names.get(person) {
            c.prepare_cached(
                "UPDATE contact SET name = ?3, name_at = ?4 WHERE route = ?1 AND contact = ?2 AND number_id = ''",
            )?
            .execute((route, person, name, name_at))?;
        }
        contact::rebuild(c, route, person)?;
        contact::reindex(c, route, person)?;
    }
    Ok(())
}

/// Messages with revisions that have one of these authors.
fn revised_by<'a>(
    c: &Connection,
    route: &str,
    ids: impl Iterator<Item = &'a String>,
) -> Result<BTreeSet<String>, StoreError> {
    let mut originals = BTreeSet::new();
    for id in ids {
        let sql = "SELECT n.message_id FROM inbound n WHERE n.route = ?1 AND n.contact = ?2 AND EXISTS
                     (SELECT 1 FROM revision r WHERE r.route = n.route AND r.original_id = n.message_id)";
        originals.extend(all(c, sql, (route, id), scalar::<String>)?);
    }
    Ok(originals)
}

#[cfg(test)]
mod tests;
