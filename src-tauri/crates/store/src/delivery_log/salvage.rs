//! Copies everything readable from a damaged delivery log into a new one.

use std::path::{Path, PathBuf};

use model::checksum;
use rusqlite::{Connection, OpenFlags, params};

use super::{SCHEMA, pages, reader};
use crate::run_journal::DeliveryLogMark;
use crate::{StoreError, atomic_file, connection, failpoint};

/// Deliveries in one transaction.
const BATCH: usize = 1_000;

/// A delivery log made from the readable deliveries of a damaged one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Salvaged {
    /// The new file, complete and closed.
    pub file: PathBuf,
    /// Deliveries in the new file.
    pub recovered: u64,
    /// Deliveries that the damaged one must also have contained.
    pub lost: u64,
}

/// Reads everything readable from a damaged delivery log that is not open, and writes it into a new one with a new
/// identity. The damaged file does not change.
///
/// The positions in feeds are left out: what was lost is fetched again. Sequence numbers are kept, and none that may
/// have been assigned is assigned again. Missing deliveries are computed: lost = last sequence − removed − recovered.
/// `known` has the last sequence number at the last clean stop, or of a projection of this delivery log.
///
/// # Errors
/// [`StoreError`] when the new file cannot be written.
pub fn salvage(path: &Path, known: &[DeliveryLogMark]) -> Result<Salvaged, StoreError> {
    failpoint::step("salvage.started")?;
    let fresh = atomic_file::with_suffix(path, ".successor.tmp");
    atomic_file::remove_database(&fresh)?;
    // The damaged file's own mark counts as well, if it is readable.
    let own = own_mark(path);
    let id = own.as_ref().or(known.first()).map(|mark| mark.id.clone());
    let (mut last, mut removed) = (0, 0);
    for mark in own.iter().chain(known).filter(|mark| Some(&mark.id) == id.as_ref()) {
        last = mark.last_seq.max(last);
        removed = mark.removed.max(removed);
    }

    let mut new = connection::open(&fresh, &SCHEMA)?;
    let mut waiting = Vec::with_capacity(BATCH);
    pages::scan(path, |delivery| {
        waiting.push(delivery);
        if waiting.len() == BATCH { store_group(&mut new, &mut waiting) } else { Ok(()) }
    })?;
    store_group(&mut new, &mut waiting)?;
    let (recovered, greatest): (i64, i64) =
        new.query_row("SELECT count(*), coalesce(max(seq), 0) FROM delivery", [], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })?;
    let last = last.max(greatest);
    let lost = (last - removed - recovered).max(0);
    new.execute(
        "INSERT INTO meta (id, log_id, floor, removed) VALUES (1, ?1, ?2, ?3)",
        (uuid::Uuid::new_v4().to_string(), last, last - recovered),
    )?;
    connection::close_checkpointed(new)?;
    let file = atomic_file::with_suffix(path, ".successor");
    atomic_file::remove_database(&file)?;
    atomic_file::move_database(&fresh, &file)?;
    Ok(Salvaged { file, recovered: recovered.cast_unsigned(), lost: lost.cast_unsigned() })
}

fn store_group(new: &mut Connection, waiting: &mut Vec<super::Delivery>) -> Result<(), StoreError> {
    let transaction = new.transaction()?;
    {
        let mut insert = transaction.prepare_cached(
            "INSERT INTO delivery (seq, received_at, route, headers, body, crc, origin)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT DO NOTHING",
        )?;
        for delivery in waiting.drain(..) {
            let headers =
                serde_json::to_string(&delivery.headers).map_err(|error| StoreError::Value(error.to_string()))?;
            let crc = checksum::of_delivery(delivery.received_at, &delivery.route, &headers, &delivery.body);
            let super::Delivery { seq, received_at, route, body, origin, .. } = delivery;
            insert.execute(params![seq, received_at, route, headers, body, crc, origin])?;
        }
    }
    transaction.commit()?;
    failpoint::step("salvage.copied")
}

/// The mark stored in the damaged file.
fn own_mark(path: &Path) -> Option<DeliveryLogMark> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).ok()?;
    reader::mark(&connection).ok()
}
