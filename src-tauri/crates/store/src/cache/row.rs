//! Template rows, each with the provider's record.

use rusqlite::{Connection, Row, params};

use super::template::{RequestMark, Since, TemplateMatch, TemplateRow};
use crate::StoreError;
use crate::rows::{all, first, from_row, scalar, tuple};

/// Templates, each with the last listing of its workspace if that is newer than its own answer and contained it.
pub(super) const TEMPLATES: &str = "template t LEFT JOIN listing l ON l.workspace_id = t.workspace_id AND \
     l.asked_number > t.asked_number AND t.left_out_by IS NULL";

/// Columns of a [`TemplateRow`] from [`TEMPLATES`].
pub(super) const COLUMNS: &str = "t.id, t.workspace_id, t.ref, t.channel_id, t.name, t.language, t.status, t.archived, \
     t.category, t.sub_category, t.kind, t.business_id, t.quality, t.rejected_reason, t.wabas, t.statuses_seq, \
     t.statuses, t.header_format, t.carousel, t.sample, t.asked_category, t.shape, t.body_text, t.updated_at, \
     coalesce(l.asked_number, t.asked_number) AS asked_number, coalesce(l.asked_last_seq, t.asked_last_seq) AS \
     asked_last_seq, coalesce(l.asked_at, t.asked_at) AS asked_at, t.status_since, t.status_exact, \
     t.archived_since, t.archived_exact, t.last_sent_at, \
     CASE WHEN t.archived IS NOT TRUE THEN t.left_out_at END AS missing_since";

pub(super) fn template_row(row: &Row<'_>) -> rusqlite::Result<TemplateRow> {
    let wabas: String = row.get("wabas")?;
    let since = |at: &str, exact: &str| {
        let at: Option<i64> = row.get(at)?;
        let exact = row.get(exact)?;
        Ok::<_, rusqlite::Error>(at.map(|at| Since { at, exact }))
    };
    from_row!(row => TemplateRow {
        workspace_id, reference = "ref", channel_id, name, language, status, archived, category, sub_category, kind,
        business_id, quality, rejected_reason,
        wabas: wabas.split('\n').filter(|waba| !waba.is_empty()).map(str::to_owned).collect(),
        statuses_seq, statuses, header_format, carousel, sample, asked_category, shape, body_text, updated_at,
        asked: RequestMark {
            number: row.get("asked_number")?,
            last_seq: row.get("asked_last_seq")?,
            at: row.get("asked_at")?,
        },
        status_since: since("status_since", "status_exact")?,
        archived_since: since("archived_since", "archived_exact")?,
        last_sent_at, missing_since,
    })
}

/// Normalizes a language for comparison (upstream §8.4).
pub(super) fn language_key(language: &str) -> String {
    language.replace('-', "_").to_ascii_lowercase()
}

pub(super) fn listed_at(c: &Connection, workspace_id: &str) -> Result<Option<i64>, StoreError> {
    first(c, "SELECT asked_at FROM listing WHERE workspace_id = ?1", [workspace_id], scalar)
}

pub(super) fn by_reference(
    c: &Connection,
    workspace_id: &str,
    reference: &str,
) -> Result<Option<(i64, TemplateRow, String)>, StoreError> {
    let sql = format!(
        "SELECT {COLUMNS}, r.record FROM {TEMPLATES} JOIN template_record r ON r.id = t.id
         WHERE t.workspace_id = ?1 AND t.ref = ?2"
    );
    first(c, &sql, (workspace_id, reference), |row| Ok((row.get("id")?, template_row(row)?, row.get("record")?)))
}

pub(super) fn by_id(c: &Connection, id: i64) -> Result<Option<(TemplateRow, String)>, StoreError> {
    let sql =
        format!("SELECT {COLUMNS}, r.record FROM {TEMPLATES} JOIN template_record r ON r.id = t.id WHERE t.id = ?1");
    first(c, &sql, [id], |row| Ok((template_row(row)?, row.get("record")?)))
}

pub(super) fn matching(c: &Connection, workspace_id: &str, which: &TemplateMatch) -> Result<Vec<i64>, StoreError> {
    match which {
        TemplateMatch::Reference(reference) => {
            all(c, "SELECT id FROM template WHERE workspace_id = ?1 AND ref = ?2", (workspace_id, reference), scalar)
        }
        TemplateMatch::ChannelId(id) => named(c, workspace_id, "", "", Some(id)),
        TemplateMatch::Name { name, language } => named(c, workspace_id, name, &language_key(language), None),
    }
}

/// The identifiers of a template in an event.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct EventSubject {
    /// Name; empty if the event has none.
    pub name: String,
    /// Normalized language.
    pub language_key: String,
    /// The channel's identifier, which differs between WABAs.
    pub channel_id: Option<String>,
    /// The business account.
    pub waba: Option<String>,
}

/// The template that an event refers to, if unambiguous: the one with the channel's identifier; else, of those with the
/// name and language, the one in the event's WABA; else the only one with unknown WABAs. Templates known to be in other
/// WABAs do not match, nor does any if several fit: a listing decides.
pub(super) fn resolve_subject(
    c: &Connection,
    workspace_id: &str,
    event: &EventSubject,
) -> Result<Option<i64>, StoreError> {
    let sql = "SELECT id, channel_id IS NOT NULL AND channel_id IS ?4, wabas FROM template
                 WHERE workspace_id = ?1 AND name = ?2 AND language_key = ?3 AND ?2 <> ''
               UNION SELECT id, 1, wabas FROM template WHERE workspace_id = ?1 AND channel_id = ?4";
    let values = (workspace_id, &event.name, &event.language_key, &event.channel_id);
    let found: Vec<(i64, bool, String)> = all(c, sql, values, tuple)?;
    let only = |ids: Vec<i64>| match ids.as_slice() {
        [id] => Some(*id),
        _ => None,
    };
    let is_in = |wabas: &str| event.waba.as_deref().is_some_and(|waba| wabas.split('\n').any(|known| known == waba));
    let of = |fits: &dyn Fn(&(i64, bool, String)) -> bool| -> Vec<i64> {
        found.iter().filter(|row| fits(row)).map(|(id, ..)| *id).collect()
    };
    let by_id = of(&|(_, same_id, _)| *same_id);
    if !by_id.is_empty() {
        return Ok(only(by_id).or_else(|| only(of(&|(_, same_id, wabas)| *same_id && is_in(wabas)))));
    }
    if event.waba.is_none() {
        return Ok(only(of(&|_| true)));
    }
    let here = of(&|(_, _, wabas)| is_in(wabas));
    Ok(if here.is_empty() { only(of(&|(_, _, wabas)| wabas.is_empty())) } else { only(here) })
}

/// Templates by name and language, if there is a name, and by the channel's identifier.
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
        scalar,
    )
}

pub(super) fn insert(c: &Connection, row: &TemplateRow, record: &str) -> Result<i64, StoreError> {
    let id = first(c, "SELECT coalesce(max(id), 0) + 1 FROM template", [], scalar)?.unwrap_or(1);
    write(c, id, row)?;
    c.prepare_cached("INSERT INTO template_record (id, record) VALUES (?1, ?2)")?.execute((id, record))?;
    Ok(id)
}

/// Writes only what changed: rewriting a record costs more than everything else.
pub(super) fn rewrite(
    c: &Connection,
    id: i64,
    old: (&TemplateRow, &str),
    new: (&TemplateRow, &str),
) -> Result<(), StoreError> {
    write(c, id, new.0)?;
    if old.1 != new.1 {
        c.prepare_cached("UPDATE template_record SET record = ?2 WHERE id = ?1")?.execute((id, new.1))?;
    }
    Ok(())
}

pub(super) fn remove(c: &Connection, id: i64) -> Result<(), StoreError> {
    c.prepare_cached(
        "INSERT INTO template_gone (workspace_id, version, id) SELECT workspace_id, ?2, id FROM template WHERE id = ?1",
    )?
    .execute((id, tick(c)?))?;
    c.prepare_cached("DELETE FROM template WHERE id = ?1")?.execute([id])?;
    Ok(())
}

/// The template exists, even if a listing omitted it.
pub(super) fn clear_omission(c: &Connection, id: i64) -> Result<(), StoreError> {
    c.prepare_cached("UPDATE template SET (left_out_by, left_out_at) = (NULL, NULL) WHERE id = ?1")?.execute([id])?;
    Ok(())
}

/// Advances the template clock, and returns the number of the change.
pub(super) fn tick(c: &Connection) -> Result<i64, StoreError> {
    let sql = "UPDATE template_clock SET version = version + 1 RETURNING version";
    Ok(c.prepare_cached(sql)?.query_row([], scalar)?)
}

fn write(c: &Connection, id: i64, row: &TemplateRow) -> Result<(), StoreError> {
    let (status, archived) = (row.status_since, row.archived_since);
    c.prepare_cached(
        "INSERT INTO template
           (id, workspace_id, ref, channel_id, name, language, language_key, status, archived, category, sub_category,
            kind, business_id, quality, rejected_reason, wabas, header_format, carousel, sample, asked_category, shape,
            body_text, updated_at, asked_number, status_since, status_exact, archived_since, archived_exact, last_sent_at,
            version, asked_last_seq, asked_at, statuses_seq, statuses)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22,
                 ?23, ?24, ?25, ?26, ?27, ?28, ?29, ?30, ?31, ?32, ?33, ?34)
         ON CONFLICT (id) DO UPDATE SET
           (channel_id, name, language, language_key, status, archived, category, sub_category, kind, business_id,
            quality, rejected_reason, wabas, header_format, carousel, sample, asked_category, shape, body_text,
            updated_at, asked_number, status_since, status_exact, archived_since, archived_exact, last_sent_at, version,
            asked_last_seq, asked_at, statuses_seq, statuses, left_out_by, left_out_at)
           = (?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24, ?25,
              ?26, ?27, ?28, ?29, ?30, ?31, ?32, ?33, ?34, CASE WHEN archived IS ?9 THEN left_out_by END,
              CASE WHEN archived IS ?9 THEN left_out_at END)",
    )?
    .execute(params![
        id,
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
        row.carousel,
        row.sample,
        row.asked_category,
        row.shape,
        row.body_text,
        row.updated_at,
        row.asked.number,
        status.map(|since| since.at),
        status.is_some_and(|since| since.exact),
        archived.map(|since| since.at),
        archived.is_some_and(|since| since.exact),
        row.last_sent_at,
        tick(c)?,
        row.asked.last_seq,
        row.asked.at,
        row.statuses_seq,
        row.statuses
    ])?;
    Ok(())
}
