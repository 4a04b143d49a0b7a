//! Reading a whole file to see whether it is sound: seconds for a large one, so never on the way of a start.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::{Connection, InterruptHandle};

use crate::connection;
use crate::folder::StoreFile;
use crate::schema::Schema;
use crate::{StoreError, cache, desk, inbox};

/// Findings that are listed; a wreck has millions.
const MOST_FINDINGS: usize = 20;

/// Stops a check that is under way, from another thread. Clones stop the same one.
#[derive(Clone, Debug, Default)]
pub struct Stopper(Arc<Inner>);

#[derive(Default)]
struct Inner {
    stopped: AtomicBool,
    running: Mutex<Option<InterruptHandle>>,
}

impl std::fmt::Debug for Inner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Inner").field("stopped", &self.stopped).finish_non_exhaustive()
    }
}

impl Stopper {
    /// Stops it, or lets it stop as soon as it begins.
    pub fn stop(&self) {
        self.0.stopped.store(true, Ordering::SeqCst);
        if let Some(running) = &*self.0.running.lock().unwrap_or_else(PoisonError::into_inner) {
            running.interrupt();
        }
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.0.stopped.load(Ordering::SeqCst)
    }

    /// Lets [`Stopper::stop`] reach the statements of `connection`.
    fn watch(&self, connection: &Connection) {
        *self.0.running.lock().unwrap_or_else(PoisonError::into_inner) = Some(connection.get_interrupt_handle());
    }
}

/// Reads a whole file beside whoever writes it and gives what is wrong with it, in words; empty when nothing is.
///
/// It finds every page that is out of shape and every table that does not fit its rules; in the inbox also every
/// delivery that is not what was stored. Blocks.
///
/// # Errors
/// [`StoreError::Closed`] when it was stopped; [`StoreError`] when the file cannot be opened for another reason than
/// damage.
pub fn check(path: &Path, file: StoreFile, stopper: &Stopper) -> Result<Vec<String>, StoreError> {
    match findings(path, file, stopper) {
        Err(_) if stopper.is_stopped() => Err(StoreError::Closed),
        Err(error) if error.is_damage() => Ok(vec![error.to_string()]),
        other => other,
    }
}

fn findings(path: &Path, file: StoreFile, stopper: &Stopper) -> Result<Vec<String>, StoreError> {
    let connection = connection::open_reader(path, schema(file))?;
    stopper.watch(&connection);
    if stopper.is_stopped() {
        return Err(StoreError::Closed);
    }
    let mut findings = whole(&connection, "quick_check")?;
    if file == StoreFile::Inbox && findings.is_empty() {
        let altered = inbox::altered(&connection, MOST_FINDINGS, || stopper.is_stopped())?;
        findings.extend(altered.into_iter().map(|seq| format!("delivery {seq} is not what was stored")));
    }
    Ok(findings)
}

/// What the pragma `quick_check` or `integrity_check` says; empty when that is "ok".
pub(crate) fn whole(connection: &Connection, pragma: &str) -> Result<Vec<String>, StoreError> {
    let mut statement = connection.prepare(&format!("PRAGMA {pragma}({MOST_FINDINGS})"))?;
    let mut findings = Vec::new();
    let mut rows = statement.query([])?;
    loop {
        match rows.next() {
            Ok(Some(row)) => findings.push(row.get::<_, String>(0)?),
            Ok(None) => break,
            // Where even the check cannot go on, what it found so far still counts.
            Err(error) => {
                let error = StoreError::from(error);
                if !error.is_damage() {
                    return Err(error);
                }
                findings.push(error.to_string());
                break;
            }
        }
    }
    findings.retain(|finding| finding != "ok");
    Ok(findings)
}

pub(crate) fn schema(file: StoreFile) -> &'static Schema {
    match file {
        StoreFile::Inbox => &inbox::SCHEMA,
        StoreFile::Desk => &desk::SCHEMA,
        StoreFile::Cache => &cache::SCHEMA,
    }
}

/// Size of a database with what SQLite keeps beside it.
///
/// # Errors
/// [`StoreError::Io`] when a file is there and cannot be looked at.
pub fn size(path: &Path) -> Result<u64, StoreError> {
    let mut bytes = 0;
    for path in crate::atomic_file::companions(path) {
        match path.metadata() {
            Ok(file) => bytes += file.len(),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(source) => return Err(StoreError::Io { path: PathBuf::from(&path), source }),
        }
    }
    Ok(bytes)
}
