//! The run journal of a data folder: starts and stops, checks, backups, files that were moved aside.
//!
//! A small JSON file next to the databases, replaced as a whole and durable when a change returns. It is separate
//! because it must be readable when a database is not.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use ring::digest::{Context, SHA256};
use serde::{Deserialize, Serialize};

use crate::folder::{DataFolder, StoreFile};
use crate::{StoreError, atomic_file};

/// How the previous run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LastStop {
    /// Cleanly.
    Clean,
    /// By a crash, a kill or a power cut.
    Unclean,
    /// There was no previous run.
    First,
}

/// Content of the run journal.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct RunRecord {
    /// A run has the files open, or ended without closing them.
    pub running: bool,
    /// When that run began, in Unix milliseconds.
    pub started_at: Option<i64>,
    /// The delivery log at the last clean stop.
    pub delivery_log: Option<DeliveryLogMark>,
    /// The cache at the last clean stop; unknown while a run has it open.
    pub cache: Option<FileMark>,
    /// The last completed check.
    pub check: Option<CheckRecord>,
    /// Damaged files that are salvaged at the next start.
    pub damaged: Vec<StoreFile>,
    /// The last backup.
    pub backup: Option<BackupRecord>,
    /// The backup that replaces the current files at the next start.
    pub restore: Option<BackupRecord>,
    /// File swaps that have started and may not be complete.
    pub swaps: Vec<SwapRecord>,
    /// Files that were moved aside, oldest first.
    pub set_aside: Vec<AsideRecord>,
}

/// Content of a delivery log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DeliveryLogMark {
    /// Its identity.
    pub id: String,
    /// The last assigned sequence number.
    pub last_seq: i64,
    /// Number of deliveries removed by retention.
    pub removed: i64,
}

/// Size and digest of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FileMark {
    /// Its size.
    pub bytes: u64,
    /// SHA-256 in lower-case hexadecimal.
    pub sha256: String,
}

impl FileMark {
    /// The mark of a file; `None` if it is larger than `largest` bytes or missing.
    pub fn of(path: &Path, largest: u64) -> Result<Option<Self>, StoreError> {
        let read = || -> std::io::Result<Option<Self>> {
            let mut file = match File::open(path) {
                Ok(file) => file,
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
                Err(error) => return Err(error),
            };
            let bytes = file.metadata()?.len();
            if bytes > largest {
                return Ok(None);
            }
            let mut digest = Context::new(&SHA256);
            let mut piece = vec![0; 1 << 20];
            loop {
                match file.read(&mut piece)? {
                    0 => break,
                    length => digest.update(&piece[..length]),
                }
            }
            let sha256 = digest.finish().as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
            Ok(Some(Self { bytes, sha256 }))
        };
        read().map_err(|source| StoreError::Io { path: path.to_owned(), source })
    }
}

/// A completed check.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct CheckRecord {
    /// When it ended, in Unix milliseconds.
    pub at: i64,
    /// Problems, as text; empty if there are none.
    pub findings: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BackupRecord {
    /// Its folder.
    pub path: PathBuf,
    /// When it was made, in Unix milliseconds.
    pub at: i64,
}

/// A file that was moved aside.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AsideRecord {
    pub path: PathBuf,
    /// When it was moved, in Unix milliseconds.
    pub at: i64,
    /// The reason, as text.
    pub reason: String,
    pub recovered: Option<u64>,
    /// Rows lost, if known.
    pub lost: Option<u64>,
}

/// A file swap that has started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SwapRecord {
    /// The file to replace.
    pub file: StoreFile,
    /// The replacement, complete and closed.
    pub successor: PathBuf,
    /// Where the current file is moved to.
    pub aside: PathBuf,
}

/// The run journal of a data folder that this process owns.
#[derive(Debug)]
pub struct RunJournal {
    path: PathBuf,
    record: Mutex<RunRecord>,
    last_stop: LastStop,
    /// State at the last clean stop, removed from the record because it is outdated once files are open.
    previous: RunRecord,
    /// Why the start of this run could not be recorded.
    write_error: Option<String>,
}

impl RunJournal {
    /// Reads the run journal and records the start of a run, before any database is opened.
    ///
    /// An unreadable run journal is reset and counts as an unclean stop. If it cannot be written, for example on a full
    /// disk, the run continues and [`RunJournal::write_error`] returns the reason.
    #[must_use]
    pub fn begin(folder: &DataFolder) -> Self {
        let path = folder.root().join("logbook.json");
        let (previous, last_stop) = match std::fs::read(&path) {
            Ok(json) => match serde_json::from_slice::<RunRecord>(&json) {
                Ok(record) => {
                    let stop = if record.running { LastStop::Unclean } else { LastStop::Clean };
                    (record, stop)
                }
                Err(error) => {
                    tracing::warn!(%error, "the run journal cannot be read and is reset");
                    (RunRecord::default(), LastStop::Unclean)
                }
            },
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                // Earlier versions had no run journal: how they ended is unknown, and there is no sign of an unclean
                // stop.
                let known = folder.delivery_log().exists();
                (RunRecord::default(), if known { LastStop::Clean } else { LastStop::First })
            }
            Err(error) => {
                tracing::warn!(%error, "the run journal cannot be read");
                (RunRecord::default(), LastStop::Unclean)
            }
        };
        let record = RunRecord { running: true, started_at: None, cache: None, ..previous.clone() };
        let mut journal = Self { path, record: Mutex::new(record), last_stop, previous, write_error: None };
        if let Err(error) = journal.update(|_| {}) {
            tracing::error!(%error, "the run journal cannot be written");
            // The content would describe a stop that is no longer the last one. A missing file claims nothing.
            let _stale_if_it_fails = std::fs::remove_file(&journal.path);
            journal.write_error = Some(error.to_string());
        }
        journal
    }

    /// Why the start of this run could not be recorded; `None` if it was.
    #[must_use]
    pub fn write_error(&self) -> Option<&str> {
        self.write_error.as_deref()
    }

    /// How the previous run ended.
    #[must_use]
    pub fn last_stop(&self) -> LastStop {
        self.last_stop
    }

    /// The record before this run started.
    #[must_use]
    pub fn previous(&self) -> &RunRecord {
        &self.previous
    }

    /// The current record.
    #[must_use]
    pub fn record(&self) -> RunRecord {
        self.record.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Changes the record. When this returns, the change survives a power cut.
    ///
    /// # Errors
    /// [`StoreError::Io`] when it cannot be written; the change applies in memory until this run ends.
    pub fn update(&self, change: impl FnOnce(&mut RunRecord)) -> Result<(), StoreError> {
        let mut record = self.record.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut record);
        let json = serde_json::to_vec_pretty(&*record).map_err(|error| StoreError::Value(error.to_string()))?;
        atomic_file::write(&self.path, &json)
    }

    /// Records a clean stop. Call it after every file is closed.
    ///
    /// # Errors
    /// [`StoreError::Io`] when it cannot be written; then the stop counts as unclean.
    pub fn end(&self, delivery_log: Option<DeliveryLogMark>, cache: Option<FileMark>) -> Result<(), StoreError> {
        self.update(|record| {
            record.running = false;
            record.delivery_log = delivery_log.or(record.delivery_log.take());
            record.cache = cache;
        })
    }

    /// Path of the run journal in a folder.
    #[must_use]
    pub fn path_in(root: &Path) -> PathBuf {
        root.join("logbook.json")
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::*;

    #[test]
    fn first_clean_and_unclean_stops_are_distinguished() {
        let dir = tempfile::tempdir().unwrap();
        let folder = DataFolder::lock(dir.path()).unwrap();
        let journal = RunJournal::begin(&folder);
        assert_eq!(journal.last_stop(), LastStop::First);
        let mark = DeliveryLogMark { id: "i".to_owned(), last_seq: 3, removed: 0 };
        journal.end(Some(mark.clone()), Some(FileMark { bytes: 1, sha256: "x".to_owned() })).unwrap();

        let journal = RunJournal::begin(&folder);
        assert_eq!((journal.last_stop(), journal.previous().delivery_log.as_ref()), (LastStop::Clean, Some(&mark)));
        assert!(journal.previous().cache.is_some());
        journal.update(|record| record.damaged.push(StoreFile::DeliveryLog)).unwrap();
        // Dropped without `end`: not a clean stop.
        drop(journal);

        let journal = RunJournal::begin(&folder);
        assert_eq!(journal.last_stop(), LastStop::Unclean);
        assert_eq!(journal.record().damaged, [StoreFile::DeliveryLog]);
        assert_eq!(journal.previous().cache, None, "a file that was open is not known byte for byte");
        journal.end(None, None).unwrap();
        assert_eq!(journal.record().delivery_log, Some(mark));
    }

    #[test]
    fn an_unreadable_journal_counts_as_an_unclean_stop() {
        let dir = tempfile::tempdir().unwrap();
        let folder = DataFolder::lock(dir.path()).unwrap();
        for junk in ["", "{", "[1]", "\0\0\0"] {
            std::fs::write(RunJournal::path_in(dir.path()), junk).unwrap();
            assert_eq!(RunJournal::begin(&folder).last_stop(), LastStop::Unclean, "{junk:?}");
        }
        // Unknown fields of a later version are ignored, the rest is read.
        std::fs::write(RunJournal::path_in(dir.path()), r#"{"running":false,"new":1,"damaged":["desk"]}"#).unwrap();
        let journal = RunJournal::begin(&folder);
        assert_eq!((journal.last_stop(), journal.record().damaged), (LastStop::Clean, vec![StoreFile::Desk]));
    }

    #[test]
    fn an_unwritable_journal_does_not_prevent_the_run() {
        let dir = tempfile::tempdir().unwrap();
        let folder = DataFolder::lock(dir.path()).unwrap();
        // A folder in place of the new file cannot be written by any user.
        std::fs::create_dir(dir.path().join("logbook.json.tmp")).unwrap();
        let journal = RunJournal::begin(&folder);
        assert!(journal.write_error().is_some());
        assert!(journal.update(|record| record.damaged.push(StoreFile::Desk)).is_err());
        assert_eq!(journal.record().damaged, [StoreFile::Desk], "the change applies until this run ends");
        std::fs::remove_dir(dir.path().join("logbook.json.tmp")).unwrap();
        journal.end(None, None).unwrap();
        let journal = RunJournal::begin(&folder);
        assert_eq!((journal.last_stop(), journal.write_error()), (LastStop::Clean, None));
    }

    #[test]
    fn a_folder_without_a_journal_counts_as_a_clean_stop() {
        let dir = tempfile::tempdir().unwrap();
        let folder = DataFolder::lock(dir.path()).unwrap();
        std::fs::write(folder.delivery_log(), "").unwrap();
        assert_eq!(RunJournal::begin(&folder).last_stop(), LastStop::Clean);
    }
}
