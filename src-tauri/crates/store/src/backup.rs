//! Backups: a consistent copy of the delivery log and the desk, in a folder with a manifest.
//!
//! The cache is not included, because it can be rebuilt. Secrets are not included, because no file contains them.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use rusqlite::backup::{Backup, StepResult};
use serde::{Deserialize, Serialize};

use crate::check::{Stopper, run_check};
use crate::folder::{DataFolder, StoreFile};
use crate::run_journal::FileMark;
use crate::{StoreError, atomic_file, check, connection, delivery_log, desk, failpoint, private};

/// The files that cannot be rebuilt.
const FILES: [StoreFile; 2] = [StoreFile::DeliveryLog, StoreFile::Desk];
/// Pages copied between checks for a stop request.
const STEP_PAGES: i32 = 1_024;
/// Format of [`Manifest`].
const FORMAT: u32 = 1;
const MANIFEST: &str = "manifest.json";

/// Description of a backup.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Manifest {
    /// Format of this file.
    pub format: u32,
    /// Version of the program that made it.
    pub version: String,
    /// When it was started, in Unix milliseconds. It contains everything acknowledged by then.
    pub at: i64,
    /// Identity of its delivery log.
    pub log_id: String,
    pub last_seq: i64,
    pub deliveries: u64,
    /// Its files, byte for byte.
    pub files: Vec<FileEntry>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FileEntry {
    /// Its name in the folder.
    pub name: String,
    /// Size and digest.
    #[serde(flatten)]
    pub mark: FileMark,
    /// Total number of rows of all tables.
    pub rows: u64,
}

impl Manifest {
    /// Total size of the files.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.mark.bytes).sum()
    }
}

/// Copies the files into a new folder `name` in `parent` while they may be written to, and verifies the copies. The
/// folder is called `….tmp` until it is complete and synced. Blocks.
///
/// # Errors
/// [`StoreError`] when something cannot be read or written, or the copy is incomplete; [`StoreError::Closed`] when it
/// was stopped. Then nothing remains on the disk.
pub fn back_up(
    folder: &DataFolder,
    parent: &Path,
    name: &str,
    at: i64,
    version: &str,
    stopper: &Stopper,
) -> Result<(PathBuf, Manifest), StoreError> {
    let io = |path: &Path| {
        let path = path.to_owned();
        move |source| StoreError::Io { path, source }
    };
    let path = (1_u32..)
        .map(|attempt| parent.join(if attempt == 1 { name.to_owned() } else { format!("{name} {attempt}") }))
        .find(|path| !path.exists() && !atomic_file::with_suffix(path, ".tmp").exists())
        .expect("there are unused names");
    let fresh = atomic_file::with_suffix(&path, ".tmp");
    private::create_folder(&fresh).map_err(io(&fresh))?;
    let made = copy_files(folder, &fresh, at, version, stopper).and_then(|manifest| {
        atomic_file::sync_folder_of(&fresh.join(MANIFEST)).map_err(io(&fresh))?;
        failpoint::step("backup.manifest")?;
        fs::rename(&fresh, &path).map_err(io(&path))?;
        atomic_file::sync_folder_of(&path).map_err(io(&path))?;
        Ok(manifest)
    });
    match made {
        Ok(manifest) => {
            failpoint::pass("backup.named");
            Ok((path, manifest))
        }
        Err(error) => {
            if let Err(error) = fs::remove_dir_all(&fresh) {
                tracing::warn!(%error, path = %fresh.display(), "an incomplete backup cannot be removed");
            }
            Err(error)
        }
    }
}

fn copy_files(
    folder: &DataFolder,
    fresh: &Path,
    at: i64,
    version: &str,
    stopper: &Stopper,
) -> Result<Manifest, StoreError> {
    failpoint::step("backup.started")?;
    let mut manifest = Manifest {
        format: FORMAT,
        version: version.to_owned(),
        at,
        log_id: String::new(),
        last_seq: 0,
        deliveries: 0,
        files: Vec::new(),
    };
    for file in FILES {
        let copy = fresh.join(file.file_name());
        copy_pages(&folder.file(file), &copy, file, stopper)?;
        failpoint::step("backup.copied")?;
        let connection = connection::open_any(&copy, check::schema(file))?;
        check_pages(&connection, &copy)?;
        let rows = count(&connection)?;
        if file == StoreFile::DeliveryLog {
            let mark = delivery_log::mark(&connection)?;
            manifest.deliveries = connection.query_row("SELECT count(*) FROM delivery", [], |row| row.get(0))?;
            (manifest.log_id, manifest.last_seq) = (mark.id, mark.last_seq);
        }
        drop(connection);
        let mark = FileMark::of(&copy, u64::MAX)?.ok_or(StoreError::Closed)?;
        manifest.files.push(FileEntry { name: file.file_name().to_owned(), mark, rows });
    }
    let json = serde_json::to_vec_pretty(&manifest).map_err(|error| StoreError::Value(error.to_string()))?;
    atomic_file::write(&fresh.join(MANIFEST), &json)?;
    Ok(manifest)
}

/// Copies the current state of a database that others write to.
pub(crate) fn copy_pages(from: &Path, to: &Path, file: StoreFile, stopper: &Stopper) -> Result<(), StoreError> {
    let source = connection::open_reader(from, check::schema(file))?;
    // Our own transaction fixes the state: without it, every commit would restart the copy.
    let moment = source.unchecked_transaction()?;
    let _starts_transaction: i64 = moment.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    private::create_new(to).map_err(|source| StoreError::Io { path: to.to_owned(), source })?;
    let mut copy = Connection::open(to)?;
    {
        let backup = Backup::new(&moment, &mut copy)?;
        loop {
            if stopper.is_stopped() {
                return Err(StoreError::Closed);
            }
            failpoint::step("backup.pages")?;
            match backup.step(STEP_PAGES)? {
                StepResult::Done => break,
                // No other process has the copy, and the source is only read: retry at once.
                _ => std::thread::yield_now(),
            }
        }
    }
    drop(moment);
    // One file that can be read from any medium, without a write-ahead log.
    copy.pragma_update_and_check(None, "journal_mode", "DELETE", |_| Ok(()))?;
    copy.close().map_err(|(_, error)| error)?;
    let synced = File::options().write(true).open(to).and_then(|copied| copied.sync_all());
    synced.map_err(|source| StoreError::Io { path: to.to_owned(), source })
}

fn check_pages(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    match run_check(connection, "integrity_check")?.into_iter().next() {
        None => Ok(()),
        Some(reason) => Err(StoreError::Damaged { path: path.to_owned(), reason }),
    }
}

fn count(connection: &Connection) -> Result<u64, StoreError> {
    let names: Vec<String> = crate::rows::all(
        connection,
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
        [],
        |row| row.get(0),
    )?;
    let mut rows = 0;
    for name in names {
        rows += connection.query_row(&format!("SELECT count(*) FROM \"{name}\""), [], |row| row.get::<_, u64>(0))?;
    }
    Ok(rows)
}

/// Verifies a backup: every file exists, matches its digest, and is sound. Blocks.
///
/// # Errors
/// [`StoreError::Damaged`] or [`StoreError::Io`] with the problem; [`StoreError::Newer`] for a backup of a newer
/// version.
pub fn verify(backup: &Path) -> Result<Manifest, StoreError> {
    let path = backup.join(MANIFEST);
    let json = fs::read(&path).map_err(|source| StoreError::Io { path: path.clone(), source })?;
    let damaged = |path: &Path, reason: String| StoreError::Damaged { path: path.to_owned(), reason };
    let manifest: Manifest = serde_json::from_slice(&json).map_err(|error| damaged(&path, error.to_string()))?;
    if manifest.format > FORMAT {
        let found = i32::try_from(manifest.format).unwrap_or(i32::MAX);
        return Err(StoreError::Newer { path, found, known: 1 });
    }
    for file in FILES {
        let copy = backup.join(file.file_name());
        let Some(entry) = manifest.files.iter().find(|entry| entry.name == file.file_name()) else {
            return Err(damaged(&path, format!("it does not mention {}", file.file_name())));
        };
        match FileMark::of(&copy, u64::MAX)? {
            None => return Err(damaged(&copy, "it is missing".to_owned())),
            Some(mark) if mark != entry.mark => {
                return Err(damaged(&copy, "it differs from the manifest of the backup".to_owned()));
            }
            Some(_) => {}
        }
        let connection = connection::open_any(&copy, check::schema(file))?;
        check_pages(&connection, &copy)?;
        let rows = count(&connection)?;
        if rows != entry.rows {
            return Err(damaged(&copy, format!("it holds {rows} rows, not {}", entry.rows)));
        }
    }
    Ok(manifest)
}

/// The folder where the files of a backup wait for the next start.
#[must_use]
pub fn staging_folder(folder: &DataFolder) -> PathBuf {
    folder.root().join("restore")
}

/// Copies a verified backup next to the current files, migrates it to the newest format, and gives its delivery log a
/// new identity. It takes effect only once the run journal says so. Blocks.
///
/// # Errors
/// [`StoreError`] when the backup is incomplete or the copies cannot be written.
pub fn stage(folder: &DataFolder, backup: &Path) -> Result<Manifest, StoreError> {
    let manifest = verify(backup)?;
    let place = staging_folder(folder);
    unstage(folder)?;
    let io = |path: &Path| {
        let path = path.to_owned();
        move |source| StoreError::Io { path, source }
    };
    private::create_folder(&place).map_err(io(&place))?;
    for file in FILES {
        let copy = place.join(file.file_name());
        // Until it is opened below, the copy has the permissions of its source, but the folder is private.
        fs::copy(backup.join(file.file_name()), &copy).map_err(io(&copy))?;
        let connection = connection::open(&copy, check::schema(file))?;
        match file {
            // Cursors into it restart: deliveries since the backup are missing, and their numbers are assigned again.
            StoreFile::DeliveryLog => {
                connection.execute("UPDATE meta SET log_id = ?1", [uuid::Uuid::new_v4().to_string()])?;
            }
            // Rows of batches that were not sent then may have been sent since, and nobody may get a message twice.
            StoreFile::Desk => desk::mark_unsent_unknown(&connection)?,
            StoreFile::Cache => {}
        }
        connection::close_checkpointed(connection)?;
        File::options().write(true).open(&copy).and_then(|copied| copied.sync_all()).map_err(io(&copy))?;
        atomic_file::sync_folder_of(&copy).map_err(io(&copy))?;
    }
    failpoint::step("restore.staged")?;
    Ok(manifest)
}

/// The files to replace, each with its staged replacement; `None` unless all replacements exist.
#[must_use]
pub fn staged(folder: &DataFolder) -> Option<Vec<(StoreFile, PathBuf)>> {
    let place = staging_folder(folder);
    let files: Vec<_> = FILES.map(|file| (file, place.join(file.file_name()))).into();
    files.iter().all(|(_, path)| path.exists()).then_some(files)
}

/// Removes the staged files.
///
/// # Errors
/// [`StoreError::Io`] when they cannot be removed.
pub fn unstage(folder: &DataFolder) -> Result<(), StoreError> {
    let place = staging_folder(folder);
    match fs::remove_dir_all(&place) {
        Err(source) if source.kind() != std::io::ErrorKind::NotFound => Err(StoreError::Io { path: place, source }),
        _ => Ok(()),
    }
}
