//! Copies everything readable from a damaged desk into a new one, table by table.

use std::path::{Path, PathBuf};

use rusqlite::config::DbConfig;
use rusqlite::types::Value;
use rusqlite::{Connection, OpenFlags, params_from_iter};

use super::SCHEMA;
use crate::rows::{all, scalar, tuple};
use crate::{StoreError, atomic_file, connection, failpoint};

/// Maximum number of row numbers that are tried one by one between the last one readable from the front and the last
/// one readable from the back.
const MAX_PROBES: i64 = 1_000_000;

/// A desk made from the readable rows of a damaged one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Salvaged {
    /// The new file, complete and closed.
    pub file: PathBuf,
    /// Rows in the new file.
    pub recovered: u64,
    /// Missing rows: 0 when every table was read to its end, unknown otherwise.
    pub lost: Option<u64>,
}

/// A table that both files have.
struct Table {
    name: String,
    /// Columns that both have, quoted.
    columns: Vec<String>,
    /// Order of the rows: the row number, or the primary key if there is none.
    order: Vec<String>,
    has_rowid: bool,
}

/// Reads everything readable from a damaged desk that is not open, and writes it into a new one. The damaged file does
/// not change.
///
/// Rows of a workspace whose own row is lost get a workspace with the same identifier, without settings.
///
/// # Errors
/// [`StoreError`] when the new file cannot be written.
pub fn salvage(path: &Path) -> Result<Salvaged, StoreError> {
    failpoint::step("salvage.started")?;
    let fresh = atomic_file::with_suffix(path, ".successor.tmp");
    atomic_file::remove_database(&fresh)?;
    let new = connection::open(&fresh, &SCHEMA)?;
    new.pragma_update(None, "foreign_keys", false)?;
    // The rows already contain the effects of the triggers.
    new.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false)?;
    let mut whole = true;
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    match Connection::open_with_flags(path, flags) {
        Ok(old) => {
            for table in tables(&new)? {
                whole &= copy(&old, &new, table)?;
                failpoint::step("salvage.copied")?;
            }
        }
        Err(_) => whole = false,
    }
    repair_references(&new)?;
    let mut recovered = 0_u64;
    for table in tables(&new)? {
        recovered += new.query_row(&format!("SELECT count(*) FROM {}", table.name), [], scalar::<u64>)?;
    }
    connection::close_checkpointed(new)?;
    let file = atomic_file::with_suffix(path, ".successor");
    atomic_file::remove_database(&file)?;
    atomic_file::move_database(&fresh, &file)?;
    Ok(Salvaged { file, recovered, lost: whole.then_some(0) })
}

fn tables(connection: &Connection) -> Result<Vec<Table>, StoreError> {
    let names: Vec<(String, bool)> = all(
        connection,
        "SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'",
        [],
        tuple,
    )?;
    let quoted = |name: String| format!("\"{name}\"");
    names
        .into_iter()
        .map(|(name, without_rowid)| {
            let columns: Vec<(String, i64)> =
                all(connection, "SELECT name, pk FROM pragma_table_info(?1)", [&name], tuple)?;
            let mut key: Vec<_> = columns.iter().filter(|(_, place)| *place > 0).collect();
            key.sort_by_key(|(_, place)| *place);
            let order = if without_rowid {
                key.into_iter().map(|(name, _)| quoted(name.clone())).collect()
            } else {
                vec!["rowid".to_owned()]
            };
            Ok(Table {
                name: quoted(name),
                columns: columns.into_iter().map(|(name, _)| quoted(name)).collect(),
                order,
                has_rowid: !without_rowid,
            })
        })
        .collect()
}

/// Copies the readable rows of a table: from the front, from the back, and the rest one by one. Returns whether the
/// table was read without an error.
fn copy(old: &Connection, new: &Connection, mut table: Table) -> Result<bool, StoreError> {
    let known: Vec<String> =
        match all(old, "SELECT name FROM pragma_table_info(?1)", [table.name.trim_matches('"')], scalar::<String>) {
            Ok(known) => known,
            Err(_) => return Ok(false),
        };
    table.columns.retain(|column| known.iter().any(|known| *column == format!("\"{known}\"")));
    if table.columns.is_empty() {
        // An older format without the table has lost nothing; one that should have the table has lost all of it.
        return Ok(old.prepare(&format!("SELECT 1 FROM {}", table.name)).is_err() && is_sound_schema(old));
    }
    let columns = table.columns.join(", ");
    let places = vec!["?"; table.columns.len()].join(", ");
    let insert = format!("INSERT OR IGNORE INTO {} ({columns}) VALUES ({places})", table.name);
    let number = if table.has_rowid { "rowid" } else { "0" };
    let walk = |direction: &str| -> Result<(bool, Option<i64>), StoreError> {
        let order = table.order.iter().map(|column| format!("{column} {direction}")).collect::<Vec<_>>().join(", ");
        let sql = format!("SELECT {number}, {columns} FROM {} ORDER BY {order}", table.name);
        let mut last = None;
        let Ok(mut statement) = old.prepare(&sql) else { return Ok((false, last)) };
        let Ok(mut rows) = statement.query([]) else { return Ok((false, last)) };
        let transaction = new.unchecked_transaction()?;
        let through = loop {
            match rows.next() {
                Ok(Some(row)) => {
                    last = row.get(0).ok().or(last);
                    copy_row(&transaction, &insert, row, table.columns.len())?;
                }
                Ok(None) => break true,
                Err(_) => break false,
            }
        };
        transaction.commit()?;
        Ok((through, last))
    };
    let (through, front) = walk("ASC")?;
    if through {
        return Ok(true);
    }
    let (_, back) = walk("DESC")?;
    if table.has_rowid {
        let (from, to) = (front.unwrap_or(0) + 1, back.unwrap_or(front.unwrap_or(0) + MAX_PROBES));
        let transaction = new.unchecked_transaction()?;
        if let Ok(mut probe) = old.prepare(&format!("SELECT 0, {columns} FROM {} WHERE rowid = ?1", table.name)) {
            for number in from..to.min(from.saturating_add(MAX_PROBES)) {
                let Ok(mut rows) = probe.query([number]) else { continue };
                if let Ok(Some(row)) = rows.next() {
                    copy_row(&transaction, &insert, row, table.columns.len())?;
                }
            }
        }
        transaction.commit()?;
    }
    Ok(false)
}

/// Copies one row. A row that violates the new schema was not written by this program and is skipped.
fn copy_row(new: &Connection, insert: &str, row: &rusqlite::Row<'_>, columns: usize) -> Result<(), StoreError> {
    let values: Result<Vec<Value>, _> = (1..=columns).map(|column| row.get(column)).collect();
    let Ok(values) = values else { return Ok(()) };
    match new.prepare_cached(insert)?.execute(params_from_iter(values)) {
        Ok(_) => Ok(()),
        Err(error) if error.sqlite_error_code() == Some(rusqlite::ErrorCode::ConstraintViolation) => Ok(()),
        // A CHECK with json_valid failed, or STRICT rejected a type.
        Err(rusqlite::Error::SqliteFailure(error, _)) if error.code == rusqlite::ErrorCode::TypeMismatch => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Whether the list of tables can be read to its end.
fn is_sound_schema(old: &Connection) -> bool {
    all(old, "SELECT name FROM sqlite_schema", [], scalar::<Option<String>>).is_ok_and(|names| !names.is_empty())
}

/// Repairs references: adds the missing row or clears the reference.
fn repair_references(new: &Connection) -> Result<(), StoreError> {
    let transaction = new.unchecked_transaction()?;
    for table in [
        "draft",
        "submission",
        "version",
        "send",
        "observation",
        "read_mark",
        "no_answer",
        "recipient",
        "saved_reply",
        "batch",
        "template_order",
    ] {
        transaction.execute(
            &format!(
                "INSERT INTO workspace (id, position, settings, created_at, updated_at)
                 SELECT DISTINCT workspace_id, 1 + coalesce((SELECT max(position) FROM workspace), 0),
                   '{{\"name\":\"Recovered\"}}', 0, 0
                 FROM {table} WHERE workspace_id NOT IN (SELECT id FROM workspace)"
            ),
            [],
        )?;
    }
    transaction.execute_batch(
        "UPDATE submission SET draft_id = NULL WHERE draft_id NOT IN (SELECT id FROM draft);
         DELETE FROM send_outcome WHERE send_id NOT IN (SELECT id FROM send);
         DELETE FROM batch_row WHERE batch_id NOT IN (SELECT id FROM batch);
         DELETE FROM batch_round WHERE batch_id NOT IN (SELECT id FROM batch);
         DELETE FROM batch_round_row WHERE batch_id NOT IN (SELECT batch_id FROM batch_round);
         DELETE FROM batch_file WHERE batch_id NOT IN (SELECT id FROM batch);
         DELETE FROM batch_file_row WHERE batch_id NOT IN (SELECT batch_id FROM batch_file);
         DELETE FROM batch_count;
         INSERT INTO batch_count (batch_id, state, n) SELECT batch_id, state, count(*) FROM batch_row GROUP BY 1, 2;
         DELETE FROM template_order_item WHERE order_id NOT IN (SELECT id FROM template_order);
         DELETE FROM template_order_count;
         INSERT INTO template_order_count (order_id, state, n)
           SELECT order_id, state, count(*) FROM template_order_item GROUP BY 1, 2;",
    )?;
    transaction.execute_batch(super::figure::REBUILD)?;
    transaction.commit()?;
    Ok(())
}
