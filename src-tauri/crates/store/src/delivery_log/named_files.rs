//! Detects that the files of an open delivery log were removed or replaced.
//!
//! A removed file can be written until it is closed, but what is written is lost then. Only the metadata is read:
//! closing another handle of the file would release SQLite's locks.

use std::path::{Path, PathBuf};

use rusqlite::Connection;
use rusqlite::config::DbConfig;

use crate::{StoreError, atomic_file};

/// Device and inode. Other systems do not let an open database be removed.
#[cfg(unix)]
type FileId = (u64, u64);
#[cfg(not(unix))]
type FileId = ();

/// The identity of the file with this name; `None` if there is none.
fn file_id(path: &Path) -> Option<FileId> {
    let metadata = std::fs::metadata(path).ok()?;
    #[cfg(unix)]
    let id = {
        use std::os::unix::fs::MetadataExt as _;
        (metadata.dev(), metadata.ino())
    };
    #[cfg(not(unix))]
    let id = drop(metadata);
    Some(id)
}

/// The files of an open delivery log.
#[derive(Clone, Debug)]
pub(super) struct NamedFiles {
    database: (PathBuf, FileId),
    /// The log of the database, which holds the newest deliveries. Recreated when the file is reopened.
    log: (PathBuf, Option<FileId>),
}

impl NamedFiles {
    /// The files of the delivery log that was just opened and read at `path`.
    pub(super) fn of_opened(path: &Path) -> Result<Self, StoreError> {
        // The log is beside the file itself, even if the file is opened through a link.
        let path = path.canonicalize().map_err(|_| StoreError::DeliveryLogRemoved(path.to_owned()))?;
        let id = file_id(&path).ok_or_else(|| StoreError::DeliveryLogRemoved(path.clone()))?;
        let log = atomic_file::with_suffix(&path, "-wal");
        let log_id = file_id(&log);
        Ok(Self { database: (path, id), log: (log, log_id) })
    }

    /// Checks that both files still have their names.
    ///
    /// # Errors
    /// [`StoreError::DeliveryLogRemoved`].
    pub(super) fn check(&self) -> Result<(), StoreError> {
        self.check_database()?;
        let (log, id) = &self.log;
        if id.is_some() && file_id(log) != *id { Err(StoreError::DeliveryLogRemoved(log.clone())) } else { Ok(()) }
    }

    /// Checks the database alone, before it is reopened: that must not create a new one.
    ///
    /// # Errors
    /// [`StoreError::DeliveryLogRemoved`].
    pub(super) fn check_database(&self) -> Result<(), StoreError> {
        let (path, id) = &self.database;
        if file_id(path) == Some(*id) { Ok(()) } else { Err(StoreError::DeliveryLogRemoved(path.clone())) }
    }

    /// Closes the connection. After the files were removed or replaced, it deletes no log: the name may belong to the
    /// delivery log of another process.
    pub(super) fn close(&self, connection: Connection) {
        if self.check().is_ok() {
            return;
        }
        if let Err(error) = connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true) {
            tracing::error!(%error, "the log of the delivery log cannot be kept");
        }
    }
}
