//! Atomic file writes: after a crash, a file has either its old or its new content.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::{StoreError, private};

/// Replaces a file that only its owner can read. Afterwards it holds `content`, even after a power cut; before that,
/// its previous content.
///
/// # Errors
/// [`StoreError::Io`] when it cannot be written.
pub fn write(path: &Path, content: &[u8]) -> Result<(), StoreError> {
    let fresh = with_suffix(path, ".tmp");
    let attempt = || {
        let mut file = private::create(&fresh)?;
        file.write_all(content)?;
        file.sync_all()?;
        drop(file);
        fs::rename(&fresh, path)?;
        sync_folder_of(path)
    };
    attempt().map_err(|source| StoreError::Io { path: path.to_owned(), source })
}

/// Syncs the folder of `path`, so that a new, renamed or removed name survives a power cut.
#[cfg(unix)]
pub(crate) fn sync_folder_of(path: &Path) -> io::Result<()> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::File::open(folder)?.sync_all()?;
    }
    Ok(())
}

/// Windows keeps a journal of names, and cannot open folders as files.
#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "the same on every system")]
pub(crate) fn sync_folder_of(_path: &Path) -> io::Result<()> {
    Ok(())
}

/// A database, its write-ahead log and its shared memory.
pub(crate) fn companions(path: &Path) -> [PathBuf; 3] {
    ["", "-wal", "-shm"].map(|suffix| with_suffix(path, suffix))
}

/// Moves a database that is not open, with its companions. Missing files are ignored.
pub(crate) fn move_database(from: &Path, to: &Path) -> Result<(), StoreError> {
    // The main file last: while it exists, an interrupted move can be repeated.
    for (from, to) in companions(from).into_iter().zip(companions(to)).rev() {
        match fs::rename(&from, &to) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => {
                return Err(StoreError::Io { path: from, source });
            }
            _ => {}
        }
    }
    for path in [from, to] {
        sync_folder_of(path).map_err(|source| StoreError::Io { path: path.to_owned(), source })?;
    }
    Ok(())
}

/// Removes a database that is not open, with its companions. Missing files are ignored.
pub(crate) fn remove_database(path: &Path) -> Result<(), StoreError> {
    for path in companions(path) {
        match fs::remove_file(&path) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => return Err(StoreError::Io { path, source }),
            _ => {}
        }
    }
    Ok(())
}

/// An unused name next to `path`: `inbox.sqlite` becomes `inbox.WHAT-STAMP.sqlite`.
pub(crate) fn aside(path: &Path, what: &str, stamp: &str) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let extension = path.extension().map_or_else(String::new, |extension| format!(".{}", extension.to_string_lossy()));
    (1_u32..)
        .map(|attempt| {
            let more = if attempt == 1 { String::new() } else { format!("-{attempt}") };
            path.with_file_name(format!("{stem}.{what}-{stamp}{more}{extension}"))
        })
        .find(|candidate| !companions(candidate).iter().any(|taken| taken.exists()))
        .expect("some number is free")
}

/// `path` with a suffix.
pub(crate) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// Whether a database file has a write-ahead log: a process has it open, or crashed with it.
pub(crate) fn has_write_ahead_log(file: &Path) -> bool {
    with_suffix(file, "-wal").exists()
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::*;

    #[test]
    fn a_file_is_replaced_completely() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.json");
        write(&path, b"old").unwrap();
        write(&path, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "no other file remains");
        assert!(write(&dir.path().join("absent/a.json"), b"").is_err());
    }

    #[test]
    fn names_for_files_moved_aside_are_unused() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("inbox.sqlite");
        let first = aside(&path, "damaged", "T");
        assert_eq!(first, dir.path().join("inbox.damaged-T.sqlite"));
        fs::write(with_suffix(&first, "-wal"), "").unwrap();
        assert_eq!(aside(&path, "damaged", "T"), dir.path().join("inbox.damaged-T-2.sqlite"));
    }

    #[test]
    fn a_database_is_moved_with_its_log() {
        let dir = tempfile::tempdir().unwrap();
        let (from, to) = (dir.path().join("a.sqlite"), dir.path().join("b.sqlite"));
        fs::write(&from, "main").unwrap();
        fs::write(with_suffix(&from, "-wal"), "log").unwrap();
        move_database(&from, &to).unwrap();
        assert_eq!(fs::read(with_suffix(&to, "-wal")).unwrap(), b"log");
        assert!(!from.exists());
        move_database(&from, &to).unwrap();
        assert_eq!(fs::read(&to).unwrap(), b"main", "a repetition changes nothing");
    }
}
