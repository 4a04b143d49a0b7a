//! Opening the files at the start, and closing them in order at the end.

use std::path::PathBuf;

use store::{Cache, DataFolder, Desk, Inbox, InboxReader, Logbook};

use crate::core::Core;
use crate::error::{DeskError, Result};

/// The files of a folder, open.
#[derive(Debug)]
pub(crate) struct Files {
    pub(crate) folder: DataFolder,
    pub(crate) logbook: Logbook,
    pub(crate) inbox: Inbox,
    pub(crate) reader: InboxReader,
    pub(crate) desk: Desk,
    pub(crate) cache: Cache,
    /// What the person should know about how they were opened.
    pub(crate) notices: Vec<String>,
}

/// Takes the folder and opens what is in it. Blocks.
///
/// # Errors
/// [`DeskError::Conflict`] when another copy holds the folder; [`DeskError::Storage`] when a file cannot be opened.
pub(crate) fn open(data_folder: PathBuf) -> Result<Files> {
    let folder = DataFolder::lock(data_folder).map_err(|error| match error {
        store::StoreError::InUse(_) => DeskError::Conflict { message: error.to_string() },
        other => other.into(),
    })?;
    let logbook = Logbook::begin(&folder)?;
    let mut notices = Vec::new();
    let desk = Desk::open(&folder.desk())?;
    let cache = Cache::open_as_left(&folder.cache(), logbook.left().cache.as_ref());
    notices.extend(crate::parts::cache_notice(cache.opened()));
    let inbox = Inbox::open(&folder.inbox())?;
    let reader = InboxReader::open(&folder.inbox())?;
    Ok(Files { folder, logbook, inbox, reader, desk, cache, notices })
}

impl Core {
    /// Closes the files and writes that this run ended in order. What is asked of them from now on fails.
    pub(crate) async fn end_files(&self) {
        let mark = self.0.reader.mark().await.ok();
        let core = self.clone();
        let ended = tokio::task::spawn_blocking(move || {
            core.0.inbox.close();
            core.0.desk.close();
            core.0.cache.close();
            let cache = Cache::mark(&core.0.folder.cache()).unwrap_or_default();
            core.0.storage.logbook.end(mark, cache)
        });
        if let Err(error) = ended.await.map_err(|_| store::StoreError::Closed).flatten() {
            tracing::error!(%error, "the end of this run could not be written down; the next start checks the files");
        }
    }
}
