//! What is known about a template: of what the provider answered and what its events reported, the newest.

use std::collections::HashSet;

use rusqlite::Connection;
use rusqlite::types::Value;

use super::row::{by_id, by_reference, insert, language_key, listed_at, named, remove, rewrite};
use super::template::{CachedTemplate, Change, TemplateRow};
use crate::StoreError;
use crate::database::{all, first};

pub(super) fn replace_listing(
    c: &Connection,
    workspace_id: &str,
    templates: Vec<CachedTemplate>,
    seen_at: i64,
) -> Result<Vec<Change>, StoreError> {
    let mut changes = Vec::new();
    let mut listed = HashSet::with_capacity(templates.len());
    for mut template in templates {
        if !listed.insert(template.row.reference.clone()) {
            continue;
        }
        workspace_id.clone_into(&mut template.row.workspace_id);
        template.row.seen_at = seen_at;
        put(c, template, &mut changes)?;
    }
    let known: Vec<(i64, String)> =
        all(c, "SELECT id, ref FROM template WHERE workspace_id = ?1", [workspace_id], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })?;
    for (id, reference) in known {
        if !listed.contains(&reference)
            && let Some((row, record)) = by_id(c, id)?
        {
            // Made here after the listing was asked for: it could not be in it.
            if row.seen_at > seen_at {
                continue;
            }
            remove(c, id, &row)?;
            changes.push(Change { reference, field: "removed".to_owned(), before: Some(record), after: None });
        }
    }
    c.prepare_cached(
        "INSERT INTO listing (workspace_id, seen_at) VALUES (?1, ?2)
         ON CONFLICT DO UPDATE SET seen_at = max(seen_at, excluded.seen_at)",
    )?
    .execute((workspace_id, seen_at))?;
    // Events that came while the listing was under way are newer than it.
    let recent: Vec<(String, String, Option<String>)> = all(
        c,
        "SELECT DISTINCT name, language_key, channel_id FROM template_event WHERE route = ?1 AND received_at >= ?2",
        (workspace_id, seen_at),
        |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
    )?;
    for (name, language, channel_id) in recent {
        for id in named(c, workspace_id, &name, &language, channel_id.as_deref())? {
            overlay(c, id)?;
        }
    }
    Ok(changes)
}

/// Adds or changes one template.
pub(super) fn put(c: &Connection, template: CachedTemplate, changes: &mut Vec<Change>) -> Result<i64, StoreError> {
    let CachedTemplate { row: mut new, record } = template;
    new.wabas.retain(|waba| !waba.is_empty() && !waba.contains('\n'));
    let mut once = HashSet::new();
    new.wabas.retain(|waba| once.insert(waba.clone()));
    let Some((id, old, old_record)) = by_reference(c, &new.workspace_id, &new.reference)? else {
        if new.updated_at == 0 {
            new.updated_at = new.seen_at;
        }
        changes.push(Change {
            reference: new.reference.clone(),
            field: "added".to_owned(),
            before: None,
            after: Some(record.clone()),
        });
        return insert(c, &new, &record);
    };
    // An answer that was asked for before the one that is known says nothing new.
    if new.seen_at < old.seen_at {
        return Ok(id);
    }
    let before = changes.len();
    differences(&old, &old_record, &new, &record, changes);
    if new.updated_at == 0 {
        new.updated_at = if changes.len() > before { new.seen_at } else { old.updated_at };
    }
    let same = record == old_record && TemplateRow { seen_at: old.seen_at, ..new.clone() } == old;
    if same {
        // Rewriting a row costs its whole record; an unchanged one of a listing is as new as the listing.
        if listed_at(c, &new.workspace_id)?.unwrap_or(0) < new.seen_at {
            c.prepare_cached("UPDATE template SET seen_at = ?2 WHERE id = ?1")?.execute((id, new.seen_at))?;
        }
    } else {
        rewrite(c, id, &old, &new, &record)?;
    }
    Ok(id)
}

/// What a person would call different. The channel's identifier is none of it: answers may leave it out.
fn differences(old: &TemplateRow, old_record: &str, new: &TemplateRow, record: &str, changes: &mut Vec<Change>) {
    let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let list = |wabas: &[String]| some(&wabas.join(", "));
    let mut compare = |field: &str, before: Option<String>, after: Option<String>| {
        if before != after {
            changes.push(Change { reference: new.reference.clone(), field: field.to_owned(), before, after });
        }
    };
    compare("name", some(&old.name), some(&new.name));
    compare("language", some(&old.language), some(&new.language));
    compare("status", some(&old.status), some(&new.status));
    compare("archived", Some(old.archived.to_string()), Some(new.archived.to_string()));
    compare("category", some(&old.category), some(&new.category));
    compare("sub_category", old.sub_category.clone(), new.sub_category.clone());
    compare("type", some(&old.kind), some(&new.kind));
    compare("business_id", old.business_id.clone(), new.business_id.clone());
    compare("quality", old.quality.clone(), new.quality.clone());
    compare("rejected_reason", old.rejected_reason.clone(), new.rejected_reason.clone());
    if old.wabas.iter().collect::<HashSet<_>>() != new.wabas.iter().collect() {
        compare("waba_ids", list(&old.wabas), list(&new.wabas));
    }
    if old_record != record {
        let (before, after) = (components(old_record), components(record));
        if before != after {
            compare("components", before.map(|value| value.to_string()), after.map(|value| value.to_string()));
        }
    }
}

fn components(record: &str) -> Option<serde_json::Value> {
    serde_json::from_str::<serde_json::Value>(record).ok()?.get_mut("components").map(serde_json::Value::take)
}

/// Brings a row up to what events reported after its answer was asked for. Says whether that changed it.
///
/// A function of the row and the set of events: of several events the one that happened last counts, and of those of
/// one instant (events carry whole seconds) the one that came last.
pub(super) fn overlay(c: &Connection, id: i64) -> Result<bool, StoreError> {
    let Some((old, record)) = by_id(c, id)? else { return Ok(false) };
    let mut new = old.clone();
    let key = language_key(&old.language);
    let about = "SELECT * FROM template_event WHERE route = ?1 AND name = ?2 AND language_key = ?3
                 UNION SELECT * FROM template_event WHERE route = ?1 AND channel_id = ?4";
    let values = (&old.workspace_id, &old.name, &key, &old.channel_id, old.seen_at);
    let sql = format!("SELECT max(at) FROM ({about}) WHERE received_at >= ?5");
    let Some(last): Option<i64> = first(c, &sql, values, |row| row.get(0))?.flatten() else { return Ok(false) };
    let latest = |column: &str| {
        let sql = format!(
            "SELECT {column}, reason FROM ({about}) WHERE received_at >= ?5 AND {column} IS NOT NULL
             ORDER BY at DESC, seq DESC, ordinal DESC LIMIT 1"
        );
        first(c, &sql, values, |row| Ok((row.get::<_, Value>(0)?, row.get::<_, Option<String>>(1)?)))
    };
    if let Some((Value::Text(status), reason)) = latest("status")? {
        new.rejected_reason = if status == "REJECTED" { reason } else { None };
        new.status = status;
    }
    if let Some((Value::Integer(archived), _)) = latest("archived")? {
        new.archived = archived != 0;
    }
    if let Some((Value::Text(category), _)) = latest("category")? {
        new.category = category;
    }
    if let Some((Value::Text(quality), _)) = latest("quality")? {
        new.quality = Some(quality);
    }
    let differs = new != old;
    new.updated_at = new.updated_at.max(last);
    if new != old {
        rewrite(c, id, &old, &new, &record)?;
    }
    Ok(differs)
}
