//! Swaps files with an idempotent journal, and keeps the replaced file aside.
//!
//! The swap is recorded in the run journal first. Every step can be repeated: a successor that no longer exists under
//! its own name is already in place.

use std::path::{Path, PathBuf};

use crate::folder::{DataFolder, StoreFile};
use crate::run_journal::{AsideRecord, Logbook, Record, Swap};
use crate::{StoreError, atomic_file, failpoint};

/// A file to replace, with the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// The file to replace.
    pub file: StoreFile,
    /// The replacement, complete and closed.
    pub successor: PathBuf,
    /// A word for the name of the replaced file, such as `damaged`.
    pub what: &'static str,
    /// The reason, for people.
    pub reason: String,
    /// Rows that were recovered.
    pub recovered: Option<u64>,
    /// Rows that were lost.
    pub lost: Option<u64>,
}

/// Records the swaps in the run journal and carries them out. `stamp` is the instant as used in file names.
///
/// # Errors
/// [`StoreError`] when a file cannot be moved; the next start continues from there.
pub fn exchange(
    folder: &DataFolder,
    logbook: &Logbook,
    exchanges: Vec<Exchange>,
    at: i64,
    stamp: &str,
    note: impl FnOnce(&mut Record),
) -> Result<(), StoreError> {
    let mut swaps = Vec::new();
    let mut asides = Vec::new();
    for exchange in exchanges {
        let present = folder.file(exchange.file);
        let aside = atomic_file::aside(&present, exchange.what, stamp);
        if present.exists() {
            asides.push(AsideRecord {
                path: aside.clone(),
                at,
                reason: exchange.reason,
                recovered: exchange.recovered,
                lost: exchange.lost,
            });
        }
        swaps.push(Swap { file: exchange.file, successor: exchange.successor, aside });
    }
    logbook.update(|record| {
        record.damaged.retain(|damaged| !swaps.iter().any(|swap| swap.file == *damaged));
        record.swaps.extend(swaps);
        record.set_aside.extend(asides);
        note(record);
    })?;
    finish(folder, logbook)
}

/// Carries out the swaps recorded in the run journal, and removes leftovers of swaps that were never recorded. Call it
/// before the files are opened.
///
/// # Errors
/// [`StoreError`] when a file cannot be moved.
pub fn finish(folder: &DataFolder, logbook: &Logbook) -> Result<(), StoreError> {
    let swaps = logbook.record().swaps;
    for swap in &swaps {
        if !swap.successor.exists() {
            continue;
        }
        let present = folder.file(swap.file);
        if companion_exists(&present) {
            atomic_file::move_database(&present, &swap.aside)?;
        }
        let aside = point(swap, "aside");
        failpoint::step(aside)?;
        atomic_file::move_database(&swap.successor, &present)?;
        failpoint::step(point(swap, "placed"))?;
    }
    if !swaps.is_empty() {
        logbook.update(|record| record.swaps.clear())?;
    }
    for file in StoreFile::ALL {
        for left in ["successor.tmp", "successor"] {
            atomic_file::remove_database(&atomic_file::with_suffix(&folder.file(file), &format!(".{left}")))?;
        }
    }
    Ok(())
}

fn companion_exists(path: &Path) -> bool {
    atomic_file::companions(path).iter().any(|file| file.exists())
}

fn point(swap: &Swap, step: &str) -> &'static str {
    let salvage = swap.successor.extension().is_some_and(|extension| extension == "successor");
    match (salvage, step) {
        (true, "aside") => "salvage.aside",
        (true, _) => "salvage.placed",
        (false, "aside") => "restore.moved",
        (false, _) => "restore.placed",
    }
}
