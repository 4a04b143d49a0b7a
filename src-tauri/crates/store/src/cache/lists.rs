//! Where a template stands: in the lists of its combinations of properties, and in the indexes that searches use.

use rusqlite::{Connection, params};

use super::search;
use super::template::TemplateRow;
use crate::StoreError;
use crate::database::first;

/// Bits of a rank that tell templates of one instant apart. The instant has the rest: enough until the year 2109.
const TIE_BITS: u32 = 21;
const LAST_INSTANT: i64 = (1 << (62 - TIE_BITS + 1)) - 2;

/// A rank for a template changed at that instant (Unix milliseconds) that no other has.
///
/// Ranks are in the order of the instants, and of one instant in that of the identifiers as long as these have
/// [`TIE_BITS`].
pub(super) fn free_rank(c: &Connection, updated_at: i64, id: i64) -> Result<i64, StoreError> {
    let ties = (1 << TIE_BITS) - 1;
    let instant = updated_at.clamp(0, LAST_INSTANT) << TIE_BITS;
    let mut tie = id & ties;
    loop {
        let rank = instant | tie;
        let sql = "SELECT id FROM template WHERE rank = ?1";
        match first(c, sql, [rank], |row| row.get::<_, i64>(0))? {
            Some(other) if other != id => tie = (tie + 1) & ties,
            _ => return Ok(rank),
        }
    }
}

/// The lists a template stands in: that of all, and that of each of its WABAs.
fn lists(row: &TemplateRow) -> impl Iterator<Item = &str> {
    std::iter::once("").chain(row.wabas.iter().map(String::as_str))
}

/// The combinations it counts in, in each of its lists: of every language, and with its own.
fn combinations(row: &TemplateRow) -> impl Iterator<Item = (&str, bool, &str)> {
    lists(row).flat_map(|waba| [(waba, false, ""), (waba, true, row.language.as_str())])
}

pub(super) fn enter(c: &Connection, rank: i64, row: &TemplateRow) -> Result<(), StoreError> {
    let mut count = c.prepare_cached(
        "INSERT INTO tally (workspace_id, waba_id, one_language, language, status, category, kind, archived, n)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 1)
         ON CONFLICT DO UPDATE SET n = n + 1 RETURNING id",
    )?;
    let mut newest = c.prepare_cached("INSERT INTO entry (tally_id, rank) VALUES (?1, ?2)")?;
    let mut by_name =
        c.prepare_cached("INSERT INTO entry_name (tally_id, name, language, rank) VALUES (?1, ?2, ?3, ?4)")?;
    for (waba, one_language, language) in combinations(row) {
        let values =
            params![row.workspace_id, waba, one_language, language, row.status, row.category, row.kind, row.archived];
        let tally: i64 = count.query_row(values, |row| row.get(0))?;
        newest.execute((tally, rank))?;
        by_name.execute(params![tally, row.name, row.language, rank])?;
    }
    let scope = scope(row);
    c.prepare_cached("INSERT INTO template_words (rowid, name, body_text, scope) VALUES (?1, ?2, ?3, ?4)")?
        .execute(params![rank, row.name, row.body_text, scope])?;
    c.prepare_cached("INSERT INTO template_pieces (rowid, pieces, scope) VALUES (?1, ?2, ?3)")?.execute(params![
        rank,
        search::name_pieces(&row.name),
        scope
    ])?;
    Ok(())
}

pub(super) fn leave(c: &Connection, rank: i64, row: &TemplateRow) -> Result<(), StoreError> {
    let mut uncount = c.prepare_cached(
        "UPDATE tally SET n = n - 1
         WHERE workspace_id = ?1 AND waba_id = ?2 AND one_language = ?3 AND language = ?4 AND status = ?5
           AND category = ?6 AND kind = ?7 AND archived = ?8
         RETURNING id, n",
    )?;
    let mut newest = c.prepare_cached("DELETE FROM entry WHERE tally_id = ?1 AND rank = ?2")?;
    let mut by_name =
        c.prepare_cached("DELETE FROM entry_name WHERE tally_id = ?1 AND name = ?2 AND language = ?3 AND rank = ?4")?;
    for (waba, one_language, language) in combinations(row) {
        let values =
            params![row.workspace_id, waba, one_language, language, row.status, row.category, row.kind, row.archived];
        let (tally, left): (i64, i64) = uncount.query_row(values, |row| Ok((row.get(0)?, row.get(1)?)))?;
        newest.execute((tally, rank))?;
        by_name.execute(params![tally, row.name, row.language, rank])?;
        if left == 0 {
            c.prepare_cached("DELETE FROM tally WHERE id = ?1")?.execute([tally])?;
        }
    }
    for table in ["template_words", "template_pieces"] {
        c.prepare_cached(&format!("DELETE FROM {table} WHERE rowid = ?1"))?.execute([rank])?;
    }
    Ok(())
}

/// The tokens by which searches are filtered.
fn scope(row: &TemplateRow) -> String {
    let mut tokens: Vec<String> = lists(row).map(|waba| search::list_token(&row.workspace_id, waba)).collect();
    for (property, value) in [
        ("status", row.status.as_str()),
        ("category", &row.category),
        ("language", &row.language),
        ("kind", &row.kind),
        ("archived", if row.archived { "1" } else { "0" }),
    ] {
        tokens.push(search::token(property, value));
    }
    tokens.join(" ")
}
