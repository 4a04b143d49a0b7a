//! Opens the files at the start, repairing damage, and closes them cleanly at the end.

use std::path::Path;

use store::cache::Opened;
use store::delivery_log::Salvaged;
use store::run_journal::{DeliveryLogMark, LastStop};
use store::{Cache, DataFolder, DeliveryLog, DeliveryLogReader, Desk, FileSwap, RunJournal, StoreError, StoreFile};

use super::backup;
use crate::data::Data;
use crate::text::file_timestamp;
use command_types::error::{DeskError, Result};
use command_types::startup::RestoreOutcome;
use outgoing::now;

#[derive(Debug)]
pub(crate) struct Files {
    pub(crate) folder: DataFolder,
    pub(crate) journal: RunJournal,
    pub(crate) delivery_log: DeliveryLog,
    pub(crate) reader: DeliveryLogReader,
    pub(crate) desk: Desk,
    pub(crate) cache: Cache,
    /// Notices about how they were opened.
    pub(crate) notices: Vec<String>,
    pub(crate) restore: Option<RestoreOutcome>,
}

/// Locks the data folder for this process, before anything is written in it. Creates it if it is missing. Blocks.
///
/// # Errors
/// [`DeskError::Conflict`] when another process uses it; [`DeskError::Storage`] when it cannot be created.
pub fn lock_data_folder(path: &Path) -> Result<DataFolder> {
    DataFolder::lock(path).map_err(|error| match error {
        StoreError::InUse(_) => DeskError::other_conflict(error.to_string()),
        other => other.into(),
    })
}

/// Opens the files of the folder. Damaged files are kept, and everything readable in them is copied into new ones.
/// Blocks.
pub(crate) fn open(folder: DataFolder) -> Result<Files> {
    let journal = RunJournal::begin(&folder);
    if let Err(error) = journal.update(|record| record.started_at = Some(now())) {
        tracing::warn!(%error, "when this run began cannot be written");
    }
    let mut notices = Vec::new();
    if let Some(reason) = folder.exposed() {
        notices.push(format!(
            "Other users of this computer may be able to read the data folder, because its permissions could not be \
             changed ({reason}). Move the folder to a disk that keeps permissions, or set TEMPLATE_DESK_HOME to one \
             that only you can open, and start Template Desk again."
        ));
    }
    if let Some(reason) = journal.write_error() {
        notices.push(format!(
            "The data folder cannot be written ({reason}), so a crash would not be detected, and new webhooks may be \
             refused for now. Free some disk space or make the folder writable, then start Template Desk again."
        ));
    }
    store::finish_file_swaps(&folder, &journal)?;
    let restore = backup::apply_scheduled_restore(&folder, &journal)?;
    let is_restored = restore.as_ref().is_some_and(|restore| restore.is_done);
    let desk = open_desk(&folder, &journal, &mut notices)?;
    let cache = Cache::open_verified(&folder.cache(), journal.previous().cache.as_ref());
    notices.extend(cache_notice(cache.opened()));
    let delivery_log = open_delivery_log(&folder, &journal, &cache, is_restored, &mut notices)?;
    let reader = DeliveryLogReader::open(&folder.delivery_log())?;
    Ok(Files { folder, journal, delivery_log, reader, desk, cache, notices, restore })
}

fn open_desk(folder: &DataFolder, journal: &RunJournal, notices: &mut Vec<String>) -> Result<Desk> {
    let path = folder.desk();
    let backup = journal.record().backup;
    let backup = backup.map_or_else(
        || "No backup has been made here.".to_owned(),
        |backup| {
            format!("The last backup is at {}; it can be restored under Settings, Storage.", backup.path.display())
        },
    );
    let missing = !path.exists() && journal.previous().delivery_log.is_some();
    let reason = if journal.record().damaged.contains(&StoreFile::Desk) {
        "it was found damaged while the app was running".to_owned()
    } else {
        match Desk::open(&path) {
            Err(error) if error.is_damage() => error.to_string(),
            opened => {
                if missing {
                    notices.push(format!(
                        "The file with your workspaces, drafts and sends (desk.sqlite) was missing from the data \
                         folder, so they start empty. {backup}"
                    ));
                }
                return Ok(opened?);
            }
        }
    };
    tracing::error!(reason, "the desk is damaged and is salvaged");
    let salvaged = store::desk::salvage(&path)?;
    let all = match salvaged.lost {
        Some(0) => "No missing entries were found.",
        _ => "Some may be missing.",
    };
    notices.push(format!(
        "The file with your workspaces, drafts and sends (desk.sqlite) was damaged ({reason}). {} entries were moved \
         into a new file. {all} The damaged file is kept in the data folder. {backup}",
        salvaged.recovered
    ));
    let swap = FileSwap {
        file: StoreFile::Desk,
        successor: salvaged.file,
        what: "damaged",
        reason,
        recovered: Some(salvaged.recovered),
        lost: salvaged.lost,
    };
    let at = now();
    store::swap_files(folder, journal, vec![swap], at, &file_timestamp(at), |_| {})?;
    Ok(Desk::open(&path)?)
}

fn open_delivery_log(
    folder: &DataFolder,
    journal: &RunJournal,
    cache: &Cache,
    is_restored: bool,
    notices: &mut Vec<String>,
) -> Result<DeliveryLog> {
    let path = folder.delivery_log();
    let projected =
        cache.opened_at().map(|cursor| DeliveryLogMark { id: cursor.log_id.clone(), last_seq: cursor.seq, removed: 0 });
    let known: Vec<DeliveryLogMark> = journal.record().delivery_log.into_iter().chain(projected).collect();
    let held = known.iter().map(|mark| mark.last_seq - mark.removed).max().unwrap_or(0);
    let reason = if journal.record().damaged.contains(&StoreFile::DeliveryLog) {
        "it was found damaged while the app was running".to_owned()
    } else if !path.exists() && held > 0 {
        "it was missing from the data folder".to_owned()
    } else {
        match DeliveryLog::open(&path) {
            Err(error) if error.is_damage() => error.to_string(),
            Err(error) => return Err(error.into()),
            Ok(delivery_log) => {
                let opened = delivery_log.opened();
                let behind = known.iter().any(|mark| mark.id == opened.id && mark.last_seq > opened.last_seq);
                if !behind {
                    // A restored file is another one by the person's own choice.
                    if !is_restored
                        && journal.last_stop() != LastStop::First
                        && let Some(mark) = known.first().filter(|mark| mark.id != opened.id)
                    {
                        notices.push(format!(
                            "The file with the received webhooks (inbox.sqlite) is not the one of the last run, \
                             which had {} deliveries. If you did not replace it, find the old one and restore it.",
                            mark.last_seq - mark.removed
                        ));
                    }
                    return Ok(delivery_log);
                }
                "its newest deliveries are missing".to_owned()
            }
        }
    };
    tracing::error!(reason, "the delivery log is damaged and is salvaged");
    let Salvaged { file, recovered, lost } = store::delivery_log::salvage(&path, &known)?;
    let count = match lost {
        0 => format!("All {recovered} deliveries were moved into a new file."),
        _ => format!("{recovered} deliveries were moved into a new file; {lost} could not be read and are missing."),
    };
    let kept = if path.exists() { " The damaged file is kept in the data folder." } else { "" };
    let note = format!(
        "The file with the received webhooks (inbox.sqlite) could not be used: {reason}. {count}{kept} The provider \
         does not send old deliveries again; a backup may contain the missing ones."
    );
    tracing::warn!(note, "the delivery log was salvaged");
    notices.push(note);
    let swap = FileSwap {
        file: StoreFile::DeliveryLog,
        successor: file,
        what: "damaged",
        reason,
        recovered: Some(recovered),
        lost: Some(lost),
    };
    let at = now();
    // The recorded state of the damaged delivery log does not apply to its replacement.
    store::swap_files(folder, journal, vec![swap], at, &file_timestamp(at), |record| record.delivery_log = None)?;
    Ok(DeliveryLog::open(&path)?)
}

impl Data {
    /// Closes the files and records a clean shutdown. Later calls on them fail.
    pub(crate) async fn close_files(&self) {
        let data = self.clone();
        let ended = tokio::task::spawn_blocking(move || {
            data.0.context.delivery_log.close();
            data.0.context.desk.close();
            data.0.context.cache.close();
            let cache = Cache::mark(&data.0.context.folder.cache()).unwrap_or_default();
            // Read after the last write.
            let delivery_log = DeliveryLogReader::open(&data.0.context.folder.delivery_log())
                .and_then(|reader| reader.mark_now())
                .ok();
            data.0.journal.end(delivery_log, cache)
        });
        if let Err(error) = ended.await.map_err(|_| StoreError::Closed).flatten() {
            tracing::error!(%error, "the end of this run could not be recorded; the next start checks the files");
        }
    }
}

/// A notice about how the cache was opened, if the person should know.
fn cache_notice(opened: &Opened) -> Option<String> {
    match opened {
        Opened::Existing | Opened::New => None,
        Opened::Rebuilt { reason, .. } => Some(format!(
            "The cache of templates and webhooks could not be used and is being rebuilt ({reason}). Nothing you made is lost."
        )),
        Opened::InMemory { reason } => Some(format!(
            "The cache cannot be written ({reason}). The app works, but starts with an empty list each time until this is fixed."
        )),
    }
}
