//! Templates: one complete listing after another, single answers between them, and events that came in meanwhile.
//!
//! What a row says is the newest of what the provider answered and what its events reported. An answer is as new as
//! the instant its request left; an event is newer than every answer asked for before it came. Both instants are of
//! this machine's clock, so that a clock that differs from the provider's does no harm.

use std::collections::HashSet;

use rusqlite::types::Value;
use rusqlite::{Connection, Row, params};

use super::Cache;
use crate::StoreError;
use crate::database::{all, first};

/// A template in a list. Words are kept as the app writes them; an empty one was not said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TemplateRow {
    /// Workspace.
    pub workspace_id: String,
    /// The provider's reference.
    pub reference: String,
    /// The channel's identifier.
    pub channel_id: Option<String>,
    /// Name.
    pub name: String,
    /// Language.
    pub language: String,
    /// Status.
    pub status: String,
    /// Archived beside its status.
    pub archived: bool,
    /// Category.
    pub category: String,
    /// Subcategory.
    pub sub_category: Option<String>,
    /// Which sending API it is for.
    pub kind: String,
    /// Business manager.
    pub business_id: Option<String>,
    /// Quality score.
    pub quality: Option<String>,
    /// Why it was rejected.
    pub rejected_reason: Option<String>,
    /// WABAs it is in.
    pub wabas: Vec<String>,
    /// Format of its header.
    pub header_format: Option<String>,
    /// Text of its body.
    pub body_text: String,
    /// Last change. On the way in, 0 where the provider does not say: then it is when a change was first seen.
    pub updated_at: i64,
    /// When the request left whose answer this is.
    pub seen_at: i64,
}

/// A template with the provider's record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CachedTemplate {
    /// As in lists.
    pub row: TemplateRow,
    /// The record as JSON, as it came.
    pub record: String,
}

/// A difference between what was known and what the provider says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The provider's reference.
    pub reference: String,
    /// What differs. `added` and `removed` stand for the whole template, with its record as the value.
    pub field: String,
    /// The value before.
    pub before: Option<String>,
    /// The value after.
    pub after: Option<String>,
}

/// Names templates as events and answers do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TemplateMatch {
    /// By the provider's reference.
    Reference(String),
    /// By the channel's identifier.
    ChannelId(String),
    /// By name and language; `-` and `_` in the language are the same.
    Name {
        /// Name.
        name: String,
        /// Language.
        language: String,
    },
}

/// What an answer to a call says about a template.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TemplatePatch {
    /// Its status from now on.
    pub status: Option<String>,
    /// Whether it is archived from now on.
    pub archived: Option<bool>,
    /// Why it was rejected.
    pub rejected_reason: Option<String>,
    /// When the request left.
    pub at: i64,
}

/// An event about a template, as the inbox has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryEvent {
    /// Identity of the event.
    pub key: String,
    /// The delivery that brought it first.
    pub seq: i64,
    /// When it happened.
    pub at: i64,
    /// The event's word.
    pub event: String,
    /// The reason given.
    pub reason: Option<String>,
    /// The event as it came.
    pub value: String,
}

impl Cache {
    /// Takes a complete listing: adds, changes and removes so that the workspace holds exactly `templates`, and gives
    /// the differences. All or nothing. Rows with a reference that came before in the list are left out.
    ///
    /// `seen_at` is when the first request of the listing left.
    ///
    /// # Errors
    /// [`StoreError`] when it cannot be written.
    pub async fn replace_listing(
        &self,
        workspace_id: &str,
        templates: Vec<CachedTemplate>,
        seen_at: i64,
    ) -> Result<Vec<Change>, StoreError> {
        let workspace_id = workspace_id.to_owned();
        self.database.write(move |c| replace_listing(c, &workspace_id, templates, seen_at)).await
    }

    /// Takes one template as an answer gave it, seen at `row.seen_at`, and gives the differences.
    ///
    /// # Errors
    /// [`StoreError`] when it cannot be written.
    pub async fn upsert_template(&self, template: CachedTemplate) -> Result<Vec<Change>, StoreError> {
        self.database
            .write(move |c| {
                let mut changes = Vec::new();
                let id = put(c, template, &mut changes)?;
                overlay(c, id)?;
                Ok(changes)
            })
            .await
    }

    /// Changes what an answer said, and gives the references of the templates that differ now.
    ///
    /// # Errors
    /// [`StoreError`] when it cannot be written.
    pub async fn set_template_status(
        &self,
        workspace_id: &str,
        which: TemplateMatch,
        patch: TemplatePatch,
    ) -> Result<Vec<String>, StoreError> {
        let workspace_id = workspace_id.to_owned();
        self.database
            .write(move |c| {
                let mut changed = Vec::new();
                for id in matching(c, &workspace_id, &which)? {
                    let Some((old, record)) = by_id(c, id)? else { continue };
                    let mut new = old.clone();
                    new.status = patch.status.clone().unwrap_or(new.status);
                    new.archived = patch.archived.unwrap_or(new.archived);
                    new.rejected_reason = patch.rejected_reason.clone().or(new.rejected_reason);
                    new.seen_at = new.seen_at.max(patch.at);
                    let differs = TemplateRow { seen_at: old.seen_at, ..new.clone() } != old;
                    if differs {
                        new.updated_at = new.updated_at.max(patch.at);
                    }
                    rewrite(c, id, &old, &new, &record)?;
                    overlay(c, id)?;
                    if differs {
                        changed.push(new.reference);
                    }
                }
                Ok(changed)
            })
            .await
    }

    /// Removes a template. Says whether there was one.
    ///
    /// # Errors
    /// [`StoreError`] when it cannot be written.
    pub async fn remove_template(&self, workspace_id: &str, reference: &str) -> Result<bool, StoreError> {
        let key = (workspace_id.to_owned(), reference.to_owned());
        self.database
            .write(move |c| {
                let Some((id, row, _)) = by_reference(c, &key.0, &key.1)? else { return Ok(false) };
                remove(c, id, &row)?;
                Ok(true)
            })
            .await
    }

    /// Removes the templates of a workspace.
    ///
    /// # Errors
    /// [`StoreError`] when it cannot be written.
    pub async fn forget_workspace(&self, workspace_id: &str) -> Result<(), StoreError> {
        let workspace_id = workspace_id.to_owned();
        self.database
            .write(move |c| {
                for sql in [
                    "DELETE FROM entry WHERE workspace_id = ?1",
                    "DELETE FROM template WHERE workspace_id = ?1",
                    "DELETE FROM listing WHERE workspace_id = ?1",
                    "DELETE FROM read_mark WHERE route = ?1",
                ] {
                    c.execute(sql, [&workspace_id])?;
                }
                Ok(())
            })
            .await
    }

    /// One template.
    ///
    /// # Errors
    /// [`StoreError`] when the file cannot be read.
    pub async fn template(&self, workspace_id: &str, reference: &str) -> Result<Option<CachedTemplate>, StoreError> {
        let key = (workspace_id.to_owned(), reference.to_owned());
        self.database
            .read(move |c| Ok(by_reference(c, &key.0, &key.1)?.map(|(_, row, record)| CachedTemplate { row, record })))
            .await
    }

    /// The templates that an event or a send means.
    ///
    /// # Errors
    /// [`StoreError`] when the file cannot be read.
    pub async fn find_templates(
        &self,
        workspace_id: &str,
        which: TemplateMatch,
    ) -> Result<Vec<CachedTemplate>, StoreError> {
        let workspace_id = workspace_id.to_owned();
        self.database
            .read(move |c| {
                let mut found = Vec::new();
                for id in matching(c, &workspace_id, &which)? {
                    found.extend(by_id(c, id)?.map(|(row, record)| CachedTemplate { row, record }));
                }
                Ok(found)
            })
            .await
    }

    /// The languages of a name, by language.
    ///
    /// # Errors
    /// [`StoreError`] when the file cannot be read.
    pub async fn languages_of(&self, workspace_id: &str, name: &str) -> Result<Vec<TemplateRow>, StoreError> {
        let key = (workspace_id.to_owned(), name.to_owned());
        self.database
            .read(move |c| {
                let sql = format!(
                    "SELECT {COLUMNS} FROM template t WHERE t.workspace_id = ?1 AND t.name = ?2
                     ORDER BY t.language_key, t.id"
                );
                all(c, &sql, key, template_row)
            })
            .await
    }

    /// When the last complete listing of a workspace was asked for.
    ///
    /// # Errors
    /// [`StoreError`] when the file cannot be read.
    pub async fn listed_at(&self, workspace_id: &str) -> Result<Option<i64>, StoreError> {
        let workspace_id = workspace_id.to_owned();
        self.database.read(move |c| listed_at(c, &workspace_id)).await
    }

    /// The events about a template, newest first: those with its name and language, and those with the channel's
    /// identifier.
    ///
    /// # Errors
    /// [`StoreError`] when the file cannot be read.
    pub async fn template_history(
        &self,
        route: &str,
        name: &str,
        language: &str,
        channel_id: Option<&str>,
        limit: u32,
    ) -> Result<Vec<HistoryEvent>, StoreError> {
        let key = (route.to_owned(), name.to_owned(), language_key(language), channel_id.map(str::to_owned), limit);
        self.database
            .read(move |c| {
                let sql = "SELECT * FROM template_event WHERE route = ?1 AND name = ?2 AND language_key = ?3
                           UNION SELECT * FROM template_event WHERE route = ?1 AND channel_id = ?4
                           ORDER BY at DESC, seq DESC, ordinal DESC LIMIT ?5";
                all(c, sql, key, |row| {
                    Ok(HistoryEvent {
                        key: row.get("key")?,
                        seq: row.get("seq")?,
                        at: row.get("at")?,
                        event: row.get("event")?,
                        reason: row.get("reason")?,
                        value: row.get("value")?,
                    })
                })
            })
            .await
    }
}

/// Columns of a [`TemplateRow`] from `template t`.
pub(super) const COLUMNS: &str = "t.id, t.workspace_id, t.ref, t.channel_id, t.name, t.language, t.status, t.archived, \
     t.category, t.sub_category, t.kind, t.business_id, t.quality, t.rejected_reason, t.wabas, t.header_format, \
     t.body_text, t.updated_at, max(t.seen_at, coalesce((SELECT l.seen_at FROM listing l \
     WHERE l.workspace_id = t.workspace_id), 0)) AS seen_at";

pub(super) fn template_row(row: &Row<'_>) -> rusqlite::Result<TemplateRow> {
    let wabas: String = row.get("wabas")?;
    Ok(TemplateRow {
        workspace_id: row.get("workspace_id")?,
        reference: row.get("ref")?,
        channel_id: row.get("channel_id")?,
        name: row.get("name")?,
        language: row.get("language")?,
        status: row.get("status")?,
        archived: row.get("archived")?,
        category: row.get("category")?,
        sub_category: row.get("sub_category")?,
        kind: row.get("kind")?,
        business_id: row.get("business_id")?,
        quality: row.get("quality")?,
        rejected_reason: row.get("rejected_reason")?,
        wabas: wabas.split('\n').filter(|waba| !waba.is_empty()).map(str::to_owned).collect(),
        header_format: row.get("header_format")?,
        body_text: row.get("body_text")?,
        updated_at: row.get("updated_at")?,
        seen_at: row.get("seen_at")?,
    })
}

/// A language without the freedom of its notation (upstream §8.4).
pub(super) fn language_key(language: &str) -> String {
    language.replace('-', "_").to_ascii_lowercase()
}

fn replace_listing(
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
fn put(c: &Connection, template: CachedTemplate, changes: &mut Vec<Change>) -> Result<i64, StoreError> {
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

fn listed_at(c: &Connection, workspace_id: &str) -> Result<Option<i64>, StoreError> {
    first(c, "SELECT seen_at FROM listing WHERE workspace_id = ?1", [workspace_id], |row| row.get(0))
}

fn by_reference(
    c: &Connection,
    workspace_id: &str,
    reference: &str,
) -> Result<Option<(i64, TemplateRow, String)>, StoreError> {
    let sql = format!("SELECT {COLUMNS}, t.record FROM template t WHERE t.workspace_id = ?1 AND t.ref = ?2");
    first(c, &sql, (workspace_id, reference), |row| Ok((row.get("id")?, template_row(row)?, row.get("record")?)))
}

fn by_id(c: &Connection, id: i64) -> Result<Option<(TemplateRow, String)>, StoreError> {
    let sql = format!("SELECT {COLUMNS}, t.record FROM template t WHERE t.id = ?1");
    first(c, &sql, [id], |row| Ok((template_row(row)?, row.get("record")?)))
}

fn matching(c: &Connection, workspace_id: &str, which: &TemplateMatch) -> Result<Vec<i64>, StoreError> {
    match which {
        TemplateMatch::Reference(reference) => {
            all(c, "SELECT id FROM template WHERE workspace_id = ?1 AND ref = ?2", (workspace_id, reference), |row| {
                row.get(0)
            })
        }
        TemplateMatch::ChannelId(id) => named(c, workspace_id, "", "", Some(id)),
        TemplateMatch::Name { name, language } => named(c, workspace_id, name, &language_key(language), None),
    }
}

/// Templates by name and language, where there is a name, and by the channel's identifier. One template may have
/// several of those, one for each WABA, of which the row knows one: the name is the surer of the two.
pub(super) fn named(
    c: &Connection,
    workspace_id: &str,
    name: &str,
    language_key: &str,
    channel_id: Option<&str>,
) -> Result<Vec<i64>, StoreError> {
    all(
        c,
        "SELECT id FROM template WHERE workspace_id = ?1 AND name = ?2 AND language_key = ?3 AND ?2 <> ''
         UNION SELECT id FROM template WHERE workspace_id = ?1 AND channel_id = ?4",
        (workspace_id, name, language_key, channel_id),
        |row| row.get(0),
    )
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

fn insert(c: &Connection, row: &TemplateRow, record: &str) -> Result<i64, StoreError> {
    let id = c
        .prepare_cached(
            "INSERT INTO template
               (workspace_id, ref, channel_id, name, language, language_key, status, archived, category, sub_category,
                kind, business_id, quality, rejected_reason, wabas, header_format, body_text, updated_at, seen_at,
                record)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20)
             RETURNING id",
        )?
        .query_row(
            params![
                row.workspace_id,
                row.reference,
                row.channel_id,
                row.name,
                row.language,
                language_key(&row.language),
                row.status,
                row.archived,
                row.category,
                row.sub_category,
                row.kind,
                row.business_id,
                row.quality,
                row.rejected_reason,
                row.wabas.join("\n"),
                row.header_format,
                row.body_text,
                row.updated_at,
                row.seen_at,
                record
            ],
            |row| row.get(0),
        )?;
    enter(c, id, row)?;
    Ok(id)
}

fn rewrite(c: &Connection, id: i64, old: &TemplateRow, new: &TemplateRow, record: &str) -> Result<(), StoreError> {
    leave(c, id, old)?;
    c.prepare_cached(
        "UPDATE template SET channel_id = ?2, name = ?3, language = ?4, language_key = ?5, status = ?6, archived = ?7,
           category = ?8, sub_category = ?9, kind = ?10, business_id = ?11, quality = ?12, rejected_reason = ?13,
           wabas = ?14, header_format = ?15, body_text = ?16, updated_at = ?17, seen_at = ?18, record = ?19
         WHERE id = ?1",
    )?
    .execute(params![
        id,
        new.channel_id,
        new.name,
        new.language,
        language_key(&new.language),
        new.status,
        new.archived,
        new.category,
        new.sub_category,
        new.kind,
        new.business_id,
        new.quality,
        new.rejected_reason,
        new.wabas.join("\n"),
        new.header_format,
        new.body_text,
        new.updated_at,
        new.seen_at,
        record
    ])?;
    enter(c, id, new)
}

fn remove(c: &Connection, id: i64, row: &TemplateRow) -> Result<(), StoreError> {
    leave(c, id, row)?;
    c.prepare_cached("DELETE FROM template WHERE id = ?1")?.execute([id])?;
    Ok(())
}

/// The lists a template stands in: that of all, and that of each of its WABAs.
fn lists(row: &TemplateRow) -> impl Iterator<Item = &str> {
    std::iter::once("").chain(row.wabas.iter().map(String::as_str))
}

fn enter(c: &Connection, id: i64, row: &TemplateRow) -> Result<(), StoreError> {
    let mut statement = c.prepare_cached(
        "INSERT INTO entry
           (workspace_id, waba_id, updated_at, template_id, name, language, status, category, kind, archived)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
    )?;
    for waba in lists(row) {
        statement.execute(params![
            row.workspace_id,
            waba,
            row.updated_at,
            id,
            row.name,
            row.language,
            row.status,
            row.category,
            row.kind,
            row.archived
        ])?;
    }
    Ok(())
}

fn leave(c: &Connection, id: i64, row: &TemplateRow) -> Result<(), StoreError> {
    let mut statement = c.prepare_cached(
        "DELETE FROM entry WHERE workspace_id = ?1 AND waba_id = ?2 AND updated_at = ?3 AND template_id = ?4",
    )?;
    for waba in lists(row) {
        statement.execute(params![row.workspace_id, waba, row.updated_at, id])?;
    }
    Ok(())
}
