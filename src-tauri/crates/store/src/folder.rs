//! The data folder with the three files.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::{StoreError, private};

/// One of the three files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum StoreFile {
    /// Deliveries as received.
    DeliveryLog,
    /// Data that people created here.
    Desk,
    /// Data that can be rebuilt from the delivery log and the provider.
    Cache,
}

impl StoreFile {
    /// All three files.
    pub const ALL: [Self; 3] = [Self::DeliveryLog, Self::Desk, Self::Cache];

    #[must_use]
    pub fn file_name(self) -> &'static str {
        match self {
            Self::DeliveryLog => "inbox.sqlite",
            Self::Desk => "desk.sqlite",
            Self::Cache => "cache.sqlite",
        }
    }
}

/// A data folder that this process owns. The lock is released with the value, and when the process ends in any way.
#[derive(Debug)]
pub struct DataFolder {
    root: PathBuf,
    _lock: File,
    exposed: Option<String>,
}

impl DataFolder {
    /// Creates the folder if it is missing, locks it, and restricts it and its files to their owner. Call it before
    /// anything in it is opened or written: of two processes started at the same moment, exactly one gets the lock.
    ///
    /// # Errors
    /// [`StoreError::InUse`] when another process has the lock; [`StoreError::Io`] when it cannot be created or locked.
    pub fn lock(root: impl Into<PathBuf>) -> Result<Self, StoreError> {
        let root = root.into();
        // A folder that other users can open is used anyway: see `exposed`.
        let created = private::create_folder(&root);
        if !root.is_dir() {
            let source = created.err().unwrap_or_else(|| std::io::ErrorKind::NotADirectory.into());
            return Err(StoreError::Io { path: root, source });
        }
        let lock = lock_file(&root.join("lock"))?.ok_or_else(|| StoreError::InUse(root.clone()))?;
        let restricted = created.and_then(|()| private::restrict_contents(&root));
        Ok(Self { root, _lock: lock, exposed: restricted.err().map(|error| error.to_string()) })
    }

    /// Why other users of this machine may be able to read the folder, as system error; `None` if they cannot.
    #[must_use]
    pub fn exposed(&self) -> Option<&str> {
        self.exposed.as_deref()
    }

    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    #[must_use]
    pub fn file(&self, file: StoreFile) -> PathBuf {
        self.root.join(file.file_name())
    }

    #[must_use]
    pub fn delivery_log(&self) -> PathBuf {
        Self::delivery_log_in(&self.root)
    }

    #[must_use]
    pub fn desk(&self) -> PathBuf {
        self.root.join("desk.sqlite")
    }

    #[must_use]
    pub fn cache(&self) -> PathBuf {
        self.root.join("cache.sqlite")
    }

    #[must_use]
    pub fn logs(&self) -> PathBuf {
        self.root.join("logs")
    }

    /// Path of the delivery log in a folder that another process may own; readers need no lock.
    #[must_use]
    pub fn delivery_log_in(root: &Path) -> PathBuf {
        root.join("inbox.sqlite")
    }
}

/// Locks a lock file; `None` while another process has the lock. The file remains after the lock is released: if it
/// were removed, two processes could lock two files of one name.
pub(crate) fn lock_file(path: &Path) -> Result<Option<File>, StoreError> {
    let io = |source| StoreError::Io { path: path.to_owned(), source };
    let file = match private::create_new(path) {
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => File::options().write(true).open(path),
        created => created,
    };
    let file = file.map_err(io)?;
    match file.try_lock() {
        Ok(()) => {
            if let Err(error) = private::restrict(path) {
                tracing::debug!(%error, "the lock file cannot be restricted to its owner");
            }
            Ok(Some(file))
        }
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(source)) => Err(io(source)),
    }
}
