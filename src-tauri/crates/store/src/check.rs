//! Full integrity checks of a file. They take seconds for a large file, so they never run during the start.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::{Connection, InterruptHandle};

use crate::connection;
use crate::folder::StoreFile;
use crate::schema::Schema;
use crate::{StoreError, cache, delivery_log, desk};

/// Maximum number of listed findings; a damaged file can have millions.
const MAX_FINDINGS: usize = 20;

/// Stops a running check from another thread. Clones stop the same check.
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
    /// Stops the check, or lets it stop as soon as it starts.
    pub fn stop(&self) {
        self.0.stopped.store(true, Ordering::SeqCst);
        if let Some(running) = &*self.0.running.lock().unwrap_or_else(PoisonError::into_inner) {
            running.interrupt();
        }
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.0.stopped.load(Ordering::SeqCst)
    }

    /// Makes [`Stopper::stop`] interrupt the statements of `connection`.
    fn watch(&self, connection: &Connection) {
        *self.0.running.lock().unwrap_or_else(PoisonError::into_inner) = Some(connection.get_interrupt_handle());
    }
}

/// Reads a whole file, while others may write to it, and returns its problems as text; empty if there are none.
///
/// It finds malformed pages and tables that violate their constraints; in the delivery log also deliveries with altered
/// content. Blocks.
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
    let mut findings = run_check(&connection, "quick_check")?;
    if file == StoreFile::DeliveryLog && findings.is_empty() {
        let altered = delivery_log::altered(&connection, MAX_FINDINGS, || stopper.is_stopped())?;
        findings.extend(altered.into_iter().map(|seq| format!("delivery {seq} was altered after it was stored")));
    }
    Ok(findings)
}

/// Result of the pragma `quick_check` or `integrity_check`; empty if it is "ok".
pub(crate) fn run_check(connection: &Connection, pragma: &str) -> Result<Vec<String>, StoreError> {
    let mut statement = connection.prepare(&format!("PRAGMA {pragma}({MAX_FINDINGS})"))?;
    let mut findings = Vec::new();
    let mut rows = statement.query([])?;
    loop {
        match rows.next() {
            Ok(Some(row)) => findings.push(row.get::<_, String>(0)?),
            Ok(None) => break,
            // If the check itself fails, keep its findings so far.
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
        StoreFile::DeliveryLog => &delivery_log::SCHEMA,
        StoreFile::Desk => &desk::SCHEMA,
        StoreFile::Cache => &cache::SCHEMA,
    }
}

/// Size of a database with its companions.
///
/// # Errors
/// [`StoreError::Io`] when the metadata of an existing file cannot be read.
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
