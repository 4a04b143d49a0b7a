//! What happened to the files of a data folder: starts and stops, checks, backups, files that were set aside.
//!
//! A small JSON file beside the databases, replaced as a whole and durable when a change returns. It is none of the
//! databases, because it has to be readable when one of them is not.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use ring::digest::{Context, SHA256};
use serde::{Deserialize, Serialize};

use crate::folder::{DataFolder, StoreFile};
use crate::{StoreError, atomic_file};

/// How the run before this one ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LastStop {
    /// In order.
    Clean,
    /// By a crash, a kill or a power cut.
    Unclean,
    /// There was none.
    First,
}

/// What the logbook says.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Record {
    /// A run has the files open, or ended without closing them.
    pub running: bool,
    /// The inbox as the last orderly stop left it.
    pub inbox: Option<InboxMark>,
    /// The cache as the last orderly stop left it; unknown while a run has it open.
    pub cache: Option<FileMark>,
    /// The last check that ended.
    pub check: Option<CheckRecord>,
    /// Files that were found damaged and are salvaged at the next start.
    pub damaged: Vec<StoreFile>,
    /// The last backup.
    pub backup: Option<BackupRecord>,
    /// The backup that takes the place of the present files at the next start.
    pub restore: Option<BackupRecord>,
    /// Exchanges of files that have begun and perhaps not ended.
    pub swaps: Vec<Swap>,
    /// Files that were set aside, oldest first.
    pub set_aside: Vec<AsideRecord>,
}

/// What an inbox held.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct InboxMark {
    /// Its identity.
    pub id: String,
    /// The last sequence number given.
    pub last_seq: i64,
    /// Deliveries taken out of it in order.
    pub removed: i64,
}

/// A file byte for byte.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FileMark {
    /// Its size.
    pub bytes: u64,
    /// SHA-256 in lower-case hexadecimal.
    pub sha256: String,
}

impl FileMark {
    /// A file as it is; none for one that is larger than `largest` bytes or missing.
    ///
    /// # Errors
    /// [`StoreError::Io`] when it cannot be read.
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

/// A check that ended.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct CheckRecord {
    /// When, in Unix milliseconds.
    pub at: i64,
    /// What is wrong, in words; empty when nothing is.
    pub findings: Vec<String>,
}

/// A backup that was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BackupRecord {
    /// Its folder.
    pub path: PathBuf,
    /// When, in Unix milliseconds.
    pub at: i64,
}

/// A file that was set aside.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AsideRecord {
    /// Where it is.
    pub path: PathBuf,
    /// When, in Unix milliseconds.
    pub at: i64,
    /// Why, in words.
    pub reason: String,
    /// Rows taken over from it.
    pub recovered: Option<u64>,
    /// Rows that were not, as far as that is known.
    pub lost: Option<u64>,
}

/// One exchange of files that has begun.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Swap {
    /// Which of the three.
    pub file: StoreFile,
    /// What takes its place, complete and closed.
    pub successor: PathBuf,
    /// Where the present file goes.
    pub aside: PathBuf,
}

/// The logbook of a data folder that this process owns.
#[derive(Debug)]
pub struct Logbook {
    path: PathBuf,
    record: Mutex<Record>,
    last_stop: LastStop,
    /// What the last orderly stop left, taken out of the record because it no longer holds once files are open.
    left: Record,
    /// Why the beginning of this run could not be written down.
    unwritten: Option<String>,
}

impl Logbook {
    /// Reads it and writes that a run has begun, before any database is opened.
    ///
    /// A logbook that cannot be read is started again and counts as an unclean stop. One that cannot be written, as on a
    /// full disk, keeps nobody from working: [`Logbook::unwritten`] says so.
    #[must_use]
    pub fn begin(folder: &DataFolder) -> Self {
        let path = folder.root().join("logbook.json");
        let (left, last_stop) = match std::fs::read(&path) {
            Ok(json) => match serde_json::from_slice::<Record>(&json) {
                Ok(record) => {
                    let stop = if record.running { LastStop::Unclean } else { LastStop::Clean };
                    (record, stop)
                }
                Err(error) => {
                    tracing::warn!(%error, "the logbook cannot be read and is started again");
                    (Record::default(), LastStop::Unclean)
                }
            },
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                // Versions before this one kept no logbook: how they ended is not known, and nothing speaks against it.
                let known = folder.inbox().exists();
                (Record::default(), if known { LastStop::Clean } else { LastStop::First })
            }
            Err(error) => {
                tracing::warn!(%error, "the logbook cannot be read");
                (Record::default(), LastStop::Unclean)
            }
        };
        let record = Record { running: true, cache: None, ..left.clone() };
        let mut logbook = Self { path, record: Mutex::new(record), last_stop, left, unwritten: None };
        if let Err(error) = logbook.update(|_| {}) {
            tracing::error!(%error, "the logbook cannot be written");
            // What stands in it speaks of a stop that will not be the last one. Without it, nothing is claimed.
            let _it_stays_as_it_was = std::fs::remove_file(&logbook.path);
            logbook.unwritten = Some(error.to_string());
        }
        logbook
    }

    /// Why the beginning of this run could not be written down; `None` when it was.
    #[must_use]
    pub fn unwritten(&self) -> Option<&str> {
        self.unwritten.as_deref()
    }

    /// How the run before this one ended.
    #[must_use]
    pub fn last_stop(&self) -> LastStop {
        self.last_stop
    }

    /// What it said before this run began.
    #[must_use]
    pub fn left(&self) -> &Record {
        &self.left
    }

    /// What it says.
    #[must_use]
    pub fn record(&self) -> Record {
        self.record.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Changes it. When this returns the change survives a power cut.
    ///
    /// # Errors
    /// [`StoreError::Io`] when it cannot be written; it says so all the same until this run ends.
    pub fn update(&self, change: impl FnOnce(&mut Record)) -> Result<(), StoreError> {
        let mut record = self.record.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut record);
        let json = serde_json::to_vec_pretty(&*record).map_err(|error| StoreError::Value(error.to_string()))?;
        atomic_file::write(&self.path, &json)
    }

    /// Writes that the run ends in order. To be called when every file is closed.
    ///
    /// # Errors
    /// [`StoreError::Io`] when it cannot be written; the stop counts as unclean then.
    pub fn end(&self, inbox: Option<InboxMark>, cache: Option<FileMark>) -> Result<(), StoreError> {
        self.update(|record| {
            record.running = false;
            record.inbox = inbox.or(record.inbox.take());
            record.cache = cache;
        })
    }

    /// Where it is in a folder.
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
    fn stops_are_told_apart() {
        let dir = tempfile::tempdir().unwrap();
        let folder = DataFolder::lock(dir.path()).unwrap();
        let logbook = Logbook::begin(&folder);
        assert_eq!(logbook.last_stop(), LastStop::First);
        let mark = InboxMark { id: "i".to_owned(), last_seq: 3, removed: 0 };
        logbook.end(Some(mark.clone()), Some(FileMark { bytes: 1, sha256: "x".to_owned() })).unwrap();

        let logbook = Logbook::begin(&folder);
        assert_eq!((logbook.last_stop(), logbook.left().inbox.as_ref()), (LastStop::Clean, Some(&mark)));
        assert!(logbook.left().cache.is_some());
        logbook.update(|record| record.damaged.push(StoreFile::Inbox)).unwrap();
        // Neither an end nor a drop says that it ended in order.
        drop(logbook);

        let logbook = Logbook::begin(&folder);
        assert_eq!(logbook.last_stop(), LastStop::Unclean);
        assert_eq!(logbook.record().damaged, [StoreFile::Inbox]);
        assert_eq!(logbook.left().cache, None, "a file that was open is not known byte for byte");
        logbook.end(None, None).unwrap();
        assert_eq!(logbook.record().inbox, Some(mark));
    }

    #[test]
    fn a_logbook_that_cannot_be_read_counts_as_unclean() {
        let dir = tempfile::tempdir().unwrap();
        let folder = DataFolder::lock(dir.path()).unwrap();
        for junk in ["", "{", "[1]", "\0\0\0"] {
            std::fs::write(Logbook::path_in(dir.path()), junk).unwrap();
            assert_eq!(Logbook::begin(&folder).last_stop(), LastStop::Unclean, "{junk:?}");
        }
        // What a later version adds is no reason to forget the rest.
        std::fs::write(Logbook::path_in(dir.path()), r#"{"running":false,"new":1,"damaged":["desk"]}"#).unwrap();
        let logbook = Logbook::begin(&folder);
        assert_eq!((logbook.last_stop(), logbook.record().damaged), (LastStop::Clean, vec![StoreFile::Desk]));
    }

    #[test]
    fn a_logbook_that_cannot_be_written_keeps_nobody_from_working() {
        let dir = tempfile::tempdir().unwrap();
        let folder = DataFolder::lock(dir.path()).unwrap();
        // A folder in the place of the new file cannot be written, whoever asks.
        std::fs::create_dir(dir.path().join("logbook.json.tmp")).unwrap();
        let logbook = Logbook::begin(&folder);
        assert!(logbook.unwritten().is_some());
        assert!(logbook.update(|record| record.damaged.push(StoreFile::Desk)).is_err());
        assert_eq!(logbook.record().damaged, [StoreFile::Desk], "it holds until this run ends");
        std::fs::remove_dir(dir.path().join("logbook.json.tmp")).unwrap();
        logbook.end(None, None).unwrap();
        let logbook = Logbook::begin(&folder);
        assert_eq!((logbook.last_stop(), logbook.unwritten()), (LastStop::Clean, None));
    }

    #[test]
    fn a_folder_of_before_there_was_a_logbook_is_not_called_unclean() {
        let dir = tempfile::tempdir().unwrap();
        let folder = DataFolder::lock(dir.path()).unwrap();
        std::fs::write(folder.inbox(), "").unwrap();
        assert_eq!(Logbook::begin(&folder).last_stop(), LastStop::Clean);
    }
}
