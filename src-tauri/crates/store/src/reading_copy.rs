//! A copy of the desk and the cache, for a process that only reads them. Another process may own the folder: neither it
//! nor its files change, not even by companions that SQLite makes beside a file that it opens. Only the shared memory beside
//! a write-ahead log that is there already has the locks of the reader.

use std::fs;
use std::path::Path;

use crate::check::Stopper;
use crate::folder::{DataFolder, StoreFile};
use crate::{StoreError, atomic_file, backup};

/// Copies what there is of them into an empty folder. Blocks.
///
/// # Errors
/// [`StoreError::Io`] when there is no desk, or when something cannot be read or written; [`StoreError::Older`] or
/// [`StoreError::Newer`] when another version of the app is running on the folder.
pub fn copy_for_reading(from: &Path, to: &DataFolder) -> Result<(), StoreError> {
    for file in [StoreFile::Desk, StoreFile::Cache] {
        let (source, copy) = (from.join(file.file_name()), to.file(file));
        if file == StoreFile::Cache && !source.exists() {
            continue;
        }
        if atomic_file::has_write_ahead_log(&source) {
            backup::copy_pages(&source, &copy, file, &Stopper::default())?;
        } else {
            fs::copy(&source, &copy).map_err(|error| StoreError::Io { path: source, source: error })?;
        }
    }
    Ok(())
}
