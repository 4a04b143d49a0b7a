//! Swaps files with an idempotent journal, and keeps the replaced file aside.
//!
//! The swap is recorded in the run journal first. Every step can be repeated: a successor that no longer exists under
//! its own name is already in place.

use std::path::{Path, PathBuf};

use crate::folder::{DataFolder, StoreFile};
use crate::run_journal::{AsideRecord, RunJournal, RunRecord, SwapRecord};
use crate::{StoreError, atomic_file, failpoint};

/// A file to replace, with the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileSwap {
    /// The file to replace.
    pub file: StoreFile,
    /// The replacement, complete and closed.
    pub successor: PathBuf,
    /// A word for the name of the replaced file, such as `damaged`.
    pub what: &'static str,
    /// The reason, for people.
    pub reason: String,
    pub recovered: Option<u64>,
    pub lost: Option<u64>,
}

/// Records the swaps in the run journal and carries them out. `stamp` is the instant as used in file names.
///
/// # Errors
/// [`StoreError`] when a file cannot be moved; the next start continues from there.
pub fn swap_files(
    folder: &DataFolder,
    journal: &RunJournal,
    file_swaps: Vec<FileSwap>,
    at: i64,
    stamp: &str,
    note: impl FnOnce(&mut RunRecord),
) -> Result<(), StoreError> {
    let mut swaps = Vec::new();
    let mut asides = Vec::new();
    for swap in file_swaps {
        let present = folder.file(swap.file);
        let aside = atomic_file::aside(&present, swap.what, stamp);
        if present.exists() {
            asides.push(AsideRecord {
                path: aside.clone(),
                at,
                reason: swap.reason,
                recovered: swap.recovered,
                lost: swap.lost,
            });
        }
        swaps.push(SwapRecord { file: swap.file, successor: swap.successor, aside });
    }
    journal.update(|record| {
        record.damaged.retain(|damaged| !swaps.iter().any(|swap| swap.file == *damaged));
        record.swaps.extend(swaps);
        record.set_aside.extend(asides);
        note(record);
    })?;
    finish(folder, journal)
}

/// Carries out the swaps recorded in the run journal, and removes leftovers of swaps that were never recorded. Call it
/// before the files are opened.
///
/// # Errors
/// [`StoreError`] when a file cannot be moved.
pub fn finish(folder: &DataFolder, journal: &RunJournal) -> Result<(), StoreError> {
    let swaps = journal.record().swaps;
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
        journal.update(|record| record.swaps.clear())?;
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

fn point(swap: &SwapRecord, step: &str) -> &'static str {
    let salvage = swap.successor.extension().is_some_and(|extension| extension == "successor");
    match (salvage, step) {
        (true, "aside") => "salvage.aside",
        (true, _) => "salvage.placed",
        (false, "aside") => "restore.moved",
        (false, _) => "restore.placed",
    }
}
