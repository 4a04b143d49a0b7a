//! The folder that holds the three files.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

use crate::StoreError;
use crate::logbook::StoreFile;

/// A data folder that this process owns. The lock goes with the value, and with the process however it ends.
#[derive(Debug)]
pub struct DataFolder {
    root: PathBuf,
    _lock: File,
}

impl DataFolder {
    /// Creates the folder if it is missing and takes it. To be called before any file in it is opened: of two copies
    /// started at the same moment exactly one gets it.
    ///
    /// # Errors
    /// [`StoreError::InUse`] when another process has it; [`StoreError::Io`] when it cannot be created or locked.
    pub fn lock(root: impl Into<PathBuf>) -> Result<Self, StoreError> {
        let root = root.into();
        create_private(&root).map_err(|source| StoreError::Io { path: root.clone(), source })?;
        let path = root.join("lock");
        let file = File::options()
            .create(true)
            .write(true)
            .truncate(false)
            .open(&path)
            .map_err(|source| StoreError::Io { path: path.clone(), source })?;
        match file.try_lock() {
            Ok(()) => Ok(Self { root, _lock: file }),
            Err(TryLockError::WouldBlock) => Err(StoreError::InUse(root)),
            Err(TryLockError::Error(source)) => Err(StoreError::Io { path, source }),
        }
    }

    /// The folder.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Where one of the files is.
    #[must_use]
    pub fn file(&self, file: StoreFile) -> PathBuf {
        self.root.join(file.file_name())
    }

    /// Where the inbox is.
    #[must_use]
    pub fn inbox(&self) -> PathBuf {
        Self::inbox_in(&self.root)
    }

    /// Where the desk is.
    #[must_use]
    pub fn desk(&self) -> PathBuf {
        self.root.join("desk.sqlite")
    }

    /// Where the cache is.
    #[must_use]
    pub fn cache(&self) -> PathBuf {
        self.root.join("cache.sqlite")
    }

    /// Where the inbox of a folder is that another process may own; readers need no lock.
    #[must_use]
    pub fn inbox_in(root: &Path) -> PathBuf {
        root.join("inbox.sqlite")
    }
}

/// Messages and recipients are in there: nobody else on the machine reads them.
pub(crate) fn create_private(root: &Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(root)
}
