//! Backups while the app is running.

use std::path::{Path, PathBuf};

use store::backup::{self, Manifest};
use store::check::Stopper;
use store::run_journal::BackupRecord;
use store::{DataFolder, FileSwap, RunJournal, StoreError};

use crate::data::Data;
use crate::text::file_timestamp;
use command_types::Nothing;
use command_types::error::{DeskError, FileFault, Result};
use command_types::event::DeskEvent;
use command_types::startup::RestoreOutcome;
use command_types::storage::{BackupReport, RestoreReport, StorageState};
use outgoing::compute::blocking;
use outgoing::now;

impl Data {
    /// Makes a backup in a new folder inside `parent` while the app is running. It contains every delivery that was
    /// acknowledged before it began, and is verified by reading it back.
    ///
    /// # Errors
    /// [`DeskError::File`] when the folder cannot be written or the copy is invalid; no files remain then.
    pub async fn back_up(&self, parent: &Path) -> Result<BackupReport> {
        let (data, parent, at) = (self.clone(), parent.to_owned(), now());
        let stopper = Stopper::default();
        let stop = stopper.clone();
        let making = blocking(move || {
            let name = format!("Template Desk {}", file_timestamp(at));
            let made = backup::back_up(&data.0.context.folder, &parent, &name, at, env!("CARGO_PKG_VERSION"), &stopper);
            made.map_err(|error| failed(&parent, error))
        });
        tokio::pin!(making);
        let (path, manifest) = tokio::select! {
            made = &mut making => made??,
            () = self.0.context.cancel.cancelled() => {
                stop.stop();
                making.await??
            }
        };
        let record = BackupRecord { path: path.clone(), at };
        self.update_journal(move |journal| journal.backup = Some(record)).await;
        self.0.context.emit(DeskEvent::StorageChanged {});
        Ok(report(&path, &manifest))
    }

    pub async fn check_backup(&self, path: &Path) -> Result<BackupReport> {
        let path = path.to_owned();
        blocking(move || {
            let manifest = backup::verify(&path).map_err(|error| failed(&path, error))?;
            Ok(report(&path, &manifest))
        })
        .await?
    }

    /// Verifies a backup and, if it is valid, schedules it to replace the present files at the next start. The replaced
    /// files are kept aside.
    ///
    /// # Errors
    /// [`DeskError::File`] with what is wrong with it; nothing changes then.
    pub async fn restore_backup(&self, path: &Path) -> Result<RestoreReport> {
        let data = self.clone();
        let from = path.to_owned();
        let manifest = blocking(move || {
            let manifest = backup::stage(&data.0.context.folder, &from).map_err(|error| failed(&from, error))?;
            let record = BackupRecord { path: from, at: manifest.at };
            data.0.journal.update(|journal| journal.restore = Some(record))?;
            store::failpoint::pass("restore.marked");
            Ok::<_, DeskError>(manifest)
        })
        .await??;
        let here = self.0.context.reader.mark().await?;
        let newer =
            if here.id == manifest.log_id { here.last_seq - manifest.last_seq } else { here.last_seq - here.removed };
        self.0.context.emit(DeskEvent::StorageChanged {});
        Ok(RestoreReport { backup: report(path, &manifest), newer_deliveries: u64::try_from(newer).unwrap_or(0) })
    }

    pub async fn cancel_restore(&self, _request: Nothing) -> Result<StorageState> {
        let data = self.clone();
        blocking(move || {
            data.0.journal.update(|journal| journal.restore = None)?;
            backup::unstage(&data.0.context.folder)
        })
        .await??;
        self.0.context.emit(DeskEvent::StorageChanged {});
        self.get_storage(Nothing {}).await
    }
}

/// Replaces the present files with a scheduled backup before they are opened.
pub(super) fn apply_scheduled_restore(folder: &DataFolder, journal: &RunJournal) -> Result<Option<RestoreOutcome>> {
    let Some(chosen) = journal.record().restore else {
        // Remove copies of a restore that was never confirmed.
        backup::unstage(folder)?;
        return Ok(None);
    };
    let made = file_timestamp(chosen.at);
    let Some(staged) = backup::staged(folder) else {
        journal.update(|record| record.restore = None)?;
        return Ok(Some(RestoreOutcome { at: chosen.at, is_done: false }));
    };
    let file_swaps = staged.into_iter().map(|(file, successor)| FileSwap {
        file,
        successor,
        what: "before-restore",
        reason: format!("the backup of {made} was restored"),
        recovered: None,
        lost: None,
    });
    let at = now();
    store::swap_files(folder, journal, file_swaps.collect(), at, &file_timestamp(at), |record| {
        record.restore = None;
        // The recorded state of the old delivery log does not apply to the restored one.
        record.delivery_log = None;
        record.check = None;
    })?;
    backup::unstage(folder)?;
    Ok(Some(RestoreOutcome { at: chosen.at, is_done: true }))
}

fn report(path: &Path, manifest: &Manifest) -> BackupReport {
    BackupReport {
        path: path.display().to_string(),
        at: manifest.at,
        bytes: manifest.bytes(),
        deliveries: manifest.deliveries,
        checked: true,
    }
}

/// The error for a failed backup: which file, why, and what to do.
fn failed(place: &Path, error: StoreError) -> DeskError {
    let mut problem = None;
    let (path, why): (PathBuf, String) = match error {
        StoreError::Closed => return DeskError::Cancelled {},
        StoreError::Io { path, source } if source.kind() == std::io::ErrorKind::NotFound => {
            (path, "it does not exist. Choose the folder of a backup, which contains manifest.json".to_owned())
        }
        StoreError::Io { path, source } => {
            problem = FileFault::of(&source);
            (path, format!("{source}. Choose a folder that can be written and has enough room"))
        }
        StoreError::Damaged { path, reason } => (path, format!("{reason}. Choose another backup")),
        other => (place.to_owned(), other.to_string()),
    };
    tracing::error!(path = %path.display(), why, "a backup failed");
    DeskError::File { name: outgoing::file_name::shown_name(&path), reason: why, problem }
}
