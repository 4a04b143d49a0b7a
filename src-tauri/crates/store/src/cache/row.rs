//! Rows of templates and of the lists they stand in, which always change together.

use rusqlite::{Connection, Row, params};

use super::lists::{enter, free_rank, leave};
use super::template::{TemplateMatch, TemplateRow};
use crate::StoreError;
use crate::database::{all, first};

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

pub(super) fn listed_at(c: &Connection, workspace_id: &str) -> Result<Option<i64>, StoreError> {
    first(c, "SELECT seen_at FROM listing WHERE workspace_id = ?1", [workspace_id], |row| row.get(0))
}

pub(super) fn by_reference(
    c: &Connection,
    workspace_id: &str,
    reference: &str,
) -> Result<Option<(i64, TemplateRow, String)>, StoreError> {
    let sql = format!("SELECT {COLUMNS}, t.record FROM template t WHERE t.workspace_id = ?1 AND t.ref = ?2");
    first(c, &sql, (workspace_id, reference), |row| Ok((row.get("id")?, template_row(row)?, row.get("record")?)))
}

pub(super) fn by_id(c: &Connection, id: i64) -> Result<Option<(TemplateRow, String)>, StoreError> {
    let sql = format!("SELECT {COLUMNS}, t.record FROM template t WHERE t.id = ?1");
    first(c, &sql, [id], |row| Ok((template_row(row)?, row.get("record")?)))
}

pub(super) fn matching(c: &Connection, workspace_id: &str, which: &TemplateMatch) -> Result<Vec<i64>, StoreError> {
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

pub(super) fn insert(c: &Connection, row: &TemplateRow, record: &str) -> Result<i64, StoreError> {
    let id = first(c, "SELECT coalesce(max(id), 0) + 1 FROM template", [], |row| row.get(0))?.unwrap_or(1);
    let rank = free_rank(c, row.updated_at, id)?;
    c.prepare_cached(
        "INSERT INTO template
           (id, rank, workspace_id, ref, channel_id, name, language, language_key, status, archived, category,
            sub_category, kind, business_id, quality, rejected_reason, wabas, header_format, body_text, updated_at,
            seen_at, record)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22)",
    )?
    .execute(params![
        id,
        rank,
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
    ])?;
    enter(c, rank, row)?;
    Ok(id)
}

pub(super) fn rewrite(
    c: &Connection,
    id: i64,
    old: &TemplateRow,
    new: &TemplateRow,
    record: &str,
) -> Result<(), StoreError> {
    let old_rank = rank(c, id)?;
    let rank = if new.updated_at == old.updated_at { old_rank } else { free_rank(c, new.updated_at, id)? };
    leave(c, old_rank, old)?;
    c.prepare_cached(
        "UPDATE template SET channel_id = ?2, name = ?3, language = ?4, language_key = ?5, status = ?6, archived = ?7,
           category = ?8, sub_category = ?9, kind = ?10, business_id = ?11, quality = ?12, rejected_reason = ?13,
           wabas = ?14, header_format = ?15, body_text = ?16, updated_at = ?17, seen_at = ?18, record = ?19, rank = ?20
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
        record,
        rank
    ])?;
    enter(c, rank, new)
}

pub(super) fn remove(c: &Connection, id: i64, row: &TemplateRow) -> Result<(), StoreError> {
    leave(c, rank(c, id)?, row)?;
    c.prepare_cached("DELETE FROM template WHERE id = ?1")?.execute([id])?;
    Ok(())
}

fn rank(c: &Connection, id: i64) -> Result<i64, StoreError> {
    Ok(c.prepare_cached("SELECT rank FROM template WHERE id = ?1")?.query_row([id], |row| row.get(0))?)
}
