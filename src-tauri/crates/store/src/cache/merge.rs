//! Merges what is known about a template: the newest of the provider's answers and its events.

use std::collections::HashSet;

use model::lifecycle;
use model::vocabulary::TemplateStatus;
use rusqlite::Connection;
use rusqlite::types::Value;

use super::account_records::{AccountNews, with_news};
use super::events_about::{EVENTS_ABOUT, event_subject, event_subjects};
use super::row::{EventSubject, by_id, by_reference, clear_omission, insert, listed_at, resolve_subject, rewrite};
use super::template::{CachedTemplate, Change, RequestMark, Since, TemplateRow};
use super::waba_status::{WabaStatus, is_archived, is_known_in, keep_statuses, listed, status_changes, waba_statuses};
use crate::StoreError;
use crate::rows::{all, first, scalar, tuple};

/// Events received after a listing was requested are newer than the listing.
pub(super) fn overlay_recent(
    c: &Connection,
    workspace_id: &str,
    asked: RequestMark,
    wanted: impl Fn(i64) -> bool,
) -> Result<(), StoreError> {
    let recent: Vec<EventSubject> = all(
        c,
        "SELECT DISTINCT name, language_key, channel_id, waba FROM template_event
         WHERE route = ?1 AND last_seq > ?2",
        (workspace_id, asked.last_seq),
        event_subject,
    )?;
    for event in recent {
        if let Some(id) = resolve_subject(c, workspace_id, &event)?.filter(|id| wanted(*id)) {
            overlay(c, id)?;
        }
    }
    Ok(())
}

/// The kind of answer that contained a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AnswerScope {
    /// In a listing, requested at `at`, which applies to all its templates.
    InListing { at: i64 },
    /// In an answer about this template alone.
    Alone,
}

pub(super) struct Upserted {
    pub(super) id: i64,
    /// The template was new.
    pub(super) added: bool,
    /// The stored answer is newer, so this one changed nothing.
    pub(super) is_outdated: bool,
    /// The WABAs in the listing, if the template is known to be in others too: those are kept for now.
    pub(super) named_wabas: Option<Vec<String>>,
}

/// Inserts or updates one template.
pub(super) fn upsert(
    c: &Connection,
    template: CachedTemplate,
    changes: &mut Vec<Change>,
    seen: AnswerScope,
) -> Result<Upserted, StoreError> {
    let CachedTemplate { row: mut new, record } = template;
    new.wabas.retain(|waba| !waba.is_empty() && !waba.contains('\n'));
    let mut once = HashSet::new();
    new.wabas.retain(|waba| once.insert(waba.clone()));
    new.statuses = WabaStatus::indexed(&listed(&record).collect::<Vec<_>>())?;
    let shown_at = match seen {
        AnswerScope::InListing { at } => at,
        AnswerScope::Alone => new.asked.at,
    };
    let Some((id, old, old_record)) = by_reference(c, &new.workspace_id, &new.reference)? else {
        // The first listing shows no instants of changes, and marking every template as new would be useless.
        let listed_at = listed_at(c, &new.workspace_id)?;
        if new.updated_at == 0 {
            let is_first_listing = listed_at.is_none() && seen != AnswerScope::Alone;
            new.updated_at = if is_first_listing { 0 } else { shown_at };
        }
        if listed_at.is_some() {
            let seen = Some(Since { at: shown_at, exact: false });
            new.status_since = new.status_since.or(seen);
            new.archived_since = new.archived_since.or(seen.filter(|_| new.archived == Some(true)));
        }
        changes.push(Change {
            reference: new.reference.clone(),
            field: "added".to_owned(),
            after: listed_at.is_some().then(|| record.clone()),
            since: listed_at,
            ..Change::default()
        });
        let id = insert(c, &new, &record)?;
        return Ok(Upserted { id, added: true, is_outdated: false, named_wabas: None });
    };
    // An answer requested before the stored one has nothing new.
    if new.asked.number < old.asked.number {
        return Ok(Upserted { id, added: false, is_outdated: true, named_wabas: None });
    }
    keep_omitted_fields(&old, &mut new);
    let named_wabas =
        if matches!(seen, AnswerScope::InListing { .. }) { add_known_wabas(&old.wabas, &mut new.wabas) } else { None };
    // An answer about the template alone follows a change of it, or that it was unarchived; a WABA that is no longer named
    // leaves.
    if (matches!(seen, AnswerScope::InListing { .. }) || is_archived(&old_record)) && named_wabas.is_none() {
        keep_statuses(c, id, (&old, &old_record), (&mut new, &record))?;
    }
    let before = changes.len();
    differences(&old, &old_record, &new, &record, changes);
    changes.extend(status_changes(&old, &new));
    if new.updated_at == 0 {
        // Another record of a template in the first listing is no change.
        let is_change = changes.len() > before
            && (old.updated_at > 0 || seen == AnswerScope::Alone || listed_at(c, &new.workspace_id)?.is_some());
        new.updated_at = if is_change { shown_at } else { old.updated_at };
    }
    keep_local_fields(&old, &mut new, shown_at);
    let same = record == old_record && TemplateRow { asked: old.asked, ..new.clone() } == old;
    if same {
        // An unchanged template is as new as its listing, once that is complete.
        if seen == AnswerScope::Alone {
            let RequestMark { number, last_seq, at } = new.asked;
            c.prepare_cached(
                "UPDATE template SET (asked_number, asked_last_seq, asked_at) = (?2, ?3, ?4) WHERE id = ?1",
            )?
            .execute((id, number, last_seq, at))?;
        }
    } else {
        rewrite(c, id, (&old, &old_record), (&new, &record))?;
    }
    if seen == AnswerScope::Alone {
        // It exists, even if the last listing omitted it.
        clear_omission(c, id)?;
    }
    Ok(Upserted { id, added: false, is_outdated: false, named_wabas })
}

/// Fields that an answer omits keep their known values. The contract names few fields of a record (§2.1), guarantees
/// none of them, and has none for archives.
fn keep_omitted_fields(old: &TemplateRow, new: &mut TemplateRow) {
    let keep = |word: &mut String, known: &String| {
        if word.is_empty() {
            word.clone_from(known);
        }
    };
    // If a provider marks archived templates by the status alone, another status means that the template is unarchived.
    let archived = |status: &str| TemplateStatus::from(status) == TemplateStatus::Archived;
    let is_back = archived(&old.status) && !new.status.is_empty() && !archived(&new.status);
    new.archived = new.archived.or(if is_back { Some(false) } else { old.archived });
    keep(&mut new.status, &old.status);
    keep(&mut new.category, &old.category);
    keep(&mut new.kind, &old.kind);
    if new.wabas.is_empty() {
        new.wabas.clone_from(&old.wabas);
    }
    new.channel_id = new.channel_id.take().or_else(|| old.channel_id.clone());
    new.business_id = new.business_id.take().or_else(|| old.business_id.clone());
    new.quality = new.quality.take().or_else(|| old.quality.clone());
    if new.status == old.status && new.status == TemplateStatus::Rejected.as_str() {
        new.rejected_reason = new.rejected_reason.take().or_else(|| old.rejected_reason.clone());
    }
}

/// Adds the known WABAs to those in the answer. Returns the WABAs of the answer if any were added.
fn add_known_wabas(known: &[String], wabas: &mut Vec<String>) -> Option<Vec<String>> {
    if known.iter().all(|waba| wabas.contains(waba)) {
        return None;
    }
    let all = known.iter().chain(wabas.iter().filter(|waba| !known.contains(waba))).cloned().collect();
    Some(std::mem::replace(wabas, all))
}

/// Keeps start instants, requested category and last send where answers omit them, which is usual.
fn keep_local_fields(old: &TemplateRow, new: &mut TemplateRow, shown_at: i64) {
    let seen = Some(Since { at: shown_at, exact: false });
    let known = if new.status == old.status { old.status_since } else { seen };
    new.status_since = new.status_since.or(known);
    let known = if new.archived == old.archived { old.archived_since } else { seen };
    new.archived_since = new.archived_since.or(known);
    new.asked_category = new.asked_category.take().or_else(|| asked_category(old, &new.category));
    new.last_sent_at = new.last_sent_at.max(old.last_sent_at);
    new.missing_since = old.missing_since;
}

/// The requested category, when a template turns out to be in this one.
fn asked_category(old: &TemplateRow, category: &str) -> Option<String> {
    old.asked_category
        .clone()
        .or_else(|| lifecycle::asked_category(&old.status, &old.category, category).map(str::to_owned))
}

/// Differences visible to a person. The channel's identifier is not one: answers may omit it.
fn differences(old: &TemplateRow, old_record: &str, new: &TemplateRow, record: &str, changes: &mut Vec<Change>) {
    let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let list = |wabas: &[String]| some(&wabas.join(", "));
    let mut compare = |field: &str, before: Option<String>, after: Option<String>| {
        if before != after {
            let (reference, since) = (new.reference.clone(), Some(old.asked.at));
            changes.push(Change { reference, field: field.to_owned(), before, after, since, ..Change::default() });
        }
    };
    compare("name", some(&old.name), some(&new.name));
    compare("language", some(&old.language), some(&new.language));
    compare("status", some(&old.status), some(&new.status));
    // The first value of a field is no change, except for the archived state: a provider may report it for archived
    // templates only.
    let archived = |row: &TemplateRow| Some((row.archived == Some(true)).to_string());
    compare("archived", archived(old), archived(new));
    let mut compare_stated = |field: &str, before: Option<String>, after: Option<String>| {
        if before.is_some() && after.is_some() {
            compare(field, before, after);
        }
    };
    compare_stated("category", some(&old.category), some(&new.category));
    compare_stated("type", some(&old.kind), some(&new.kind));
    compare_stated("business_id", old.business_id.clone(), new.business_id.clone());
    compare("sub_category", old.sub_category.clone(), new.sub_category.clone());
    compare("quality", old.quality.clone(), new.quality.clone());
    compare("rejected_reason", old.rejected_reason.clone(), new.rejected_reason.clone());
    if old.wabas.iter().collect::<HashSet<_>>() != new.wabas.iter().collect() {
        compare("waba_ids", list(&old.wabas), list(&new.wabas));
    }
    if old_record != record {
        let (before, after) = (components(old_record), components(record));
        if before != after {
            compare("components", before.map(|value| value.to_string()), after.map(|value| value.to_string()));
            if let Some(change) = changes.last_mut() {
                change.records = Some((old_record.to_owned(), record.to_owned()));
            }
        }
    }
}

fn components(record: &str) -> Option<serde_json::Value> {
    serde_json::from_str::<serde_json::Value>(record).ok()?.get_mut("components").map(serde_json::Value::take)
}

/// Categories and qualities that events named with their WABA after the row's answer was requested, the last one last.
fn account_news(c: &Connection, (row, names): (&TemplateRow, &str)) -> Result<Vec<AccountNews>, StoreError> {
    if row.wabas.len() < 2 {
        return Ok(Vec::new());
    }
    let sql = format!(
        "SELECT waba, category, quality FROM ({EVENTS_ABOUT})
         WHERE waba IS NOT NULL AND (category IS NOT NULL OR quality IS NOT NULL) ORDER BY at, seq, ordinal"
    );
    all(c, &sql, (&row.workspace_id, names, row.asked.last_seq), |row| {
        Ok(AccountNews { waba: row.get(0)?, category: row.get(1)?, quality: row.get(2)? })
    })
}

/// Applies the events delivered after the row's answer was requested. Returns the previous row if that changed it.
///
/// A function of the row and the set of events: the latest event counts, and of events of one instant (they carry whole
/// seconds) the one received last. Of statuses in several business accounts the most restrictive one counts.
pub(super) fn overlay(c: &Connection, id: i64) -> Result<Option<TemplateRow>, StoreError> {
    let Some((old, record)) = by_id(c, id)? else { return Ok(None) };
    let mut new = old.clone();
    let names = event_subjects(c, id, &old)?;
    let values = (&old.workspace_id, &names, old.asked.last_seq);
    let sql = format!("SELECT max(at) FROM ({EVENTS_ABOUT})");
    let last: Option<i64> = first(c, &sql, values, scalar)?.flatten();
    let latest = |column: &str| {
        let sql = format!(
            "SELECT {column}, reason, waba FROM ({EVENTS_ABOUT}) WHERE {column} IS NOT NULL
             ORDER BY at DESC, seq DESC, ordinal DESC LIMIT 1"
        );
        first(c, &sql, values, tuple::<(Value, Option<String>, _)>)
    };
    // The first event with this value after the last event with another. If there is no other, a known exact instant
    // may be earlier. Limited to one business account if given.
    let since = |column: &str, value: Value, known: Option<Since>, waba: Option<&str>| {
        let sql = format!(
            "WITH reported AS (SELECT at, {column} AS value FROM ({EVENTS_ABOUT})
                 WHERE {column} IS NOT NULL AND (?5 IS NULL OR waba IS ?5)),
               other AS (SELECT max(at) AS at FROM reported WHERE value <> ?4)
             SELECT (SELECT min(at) FROM reported WHERE value = ?4 AND at >= coalesce(other.at, at)), other.at FROM other"
        );
        let after = if waba.is_some() { old.statuses_after() } else { values.2 };
        let values = (values.0, values.1, after, value, waba);
        let reported: Option<(Option<i64>, Option<i64>)> = first(c, &sql, values, tuple)?;
        let (at, other) = reported.unwrap_or((None, None));
        let known = known.filter(|known| known.exact && other.is_none());
        let at = at.into_iter().chain(known.map(|known| known.at)).min();
        Ok::<_, StoreError>(at.map(|at| Since { at, exact: true }))
    };
    if let Some((Value::Text(status), reason, about)) = latest("status")? {
        let about: Option<String> = about;
        let mut several = waba_statuses(c, id, (&old, &record), old.statuses_after())?;
        // A listing without news keeps them, also if the row is the same.
        if WabaStatus::differ(&several) {
            new.statuses_seq = Some(old.statuses_after());
        }
        // An event of an unknown account applies to all accounts.
        several.retain(|_| about.as_deref().is_some_and(|waba| is_known_in(&old, waba)));
        new.statuses = WabaStatus::indexed(&several)?;
        let least = lifecycle::most_restrictive(several.iter().map(|of_waba| of_waba.status.as_str()));
        // The last event among the accounts that have this status.
        let decisive = several.iter().filter(|of_waba| Some(of_waba.status.as_str()) == least).max_by_key(|of| of.at);
        let (status, reason, waba) = match decisive {
            Some(of_waba) => (of_waba.status.clone(), of_waba.reason.clone(), Some(of_waba.waba.as_str())),
            None => (status, reason, None),
        };
        let known = old.status_since.filter(|_| old.status == status);
        if decisive.is_some_and(|of_waba| of_waba.at.is_none()) {
            // No event reports it there: the answer's status and its start remain.
            new.status_since = known;
            new.rejected_reason = old.rejected_reason.clone().filter(|_| old.status == status).or(reason);
        } else {
            new.rejected_reason = if status == TemplateStatus::Rejected.as_str() { reason } else { None };
            new.status_since = since("status", Value::Text(status.clone()), known, waba)?;
        }
        new.status = status;
    }
    if let Some((Value::Integer(archived), ..)) = latest("archived")? {
        let known = old.archived_since.filter(|_| old.archived == Some(archived != 0));
        new.archived_since = since("archived", Value::Integer(archived), known, None)?;
        new.archived = Some(archived != 0);
    }
    if let Some((Value::Text(category), ..)) = latest("category")? {
        new.asked_category = asked_category(&old, &category);
        new.category = category;
    }
    if let Some((Value::Text(quality), ..)) = latest("quality")? {
        new.quality = Some(quality);
    }
    let new_record = with_news(&record, &account_news(c, (&old, &names))?);
    let differs = new != old || new_record.is_some();
    new.updated_at = last.map_or(new.updated_at, |last| new.updated_at.max(last));
    if new != old || new_record.is_some() {
        rewrite(c, id, (&old, &record), (&new, new_record.as_ref().unwrap_or(&record)))?;
    }
    Ok(differs.then_some(old))
}
