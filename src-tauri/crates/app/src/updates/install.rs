//! Installation of a newer version: download, wait for what is being sent, and the host's installer.

use std::sync::Arc;

use super::announcement::{self, AnnouncedFile};
use super::{Known, Updates, fetch, parsed};
use crate::context::lock;
use crate::context::ports::UpdateFile;
use command_types::Nothing;
use command_types::error::{ConflictFault, DeskError, Missing, Result};
use command_types::event::DeskEvent;
use command_types::updates::{InstallStep, UpdateProblem, UpdateState};
use outgoing::compute::blocking;
use url::Url;

/// Maximum size of a file, in bytes: it is verified in memory.
const MAX_FILE: u64 = 256 << 20;
/// Progress is reported each time that so many more bytes have arrived.
const PROGRESS_BYTES: u64 = 1 << 20;

impl Updates {
    /// Downloads and installs the version that is available, and ends the app, which the new version follows. Does nothing
    /// while that is under way.
    ///
    /// # Errors
    /// [`DeskError::NotFound`] if none is available, [`DeskError::Conflict`] if this copy does not replace itself. An
    /// installation that fails is a [`UpdateProblem`] of the state; nothing has changed then.
    pub async fn install_update(&self, _request: Nothing) -> Result<UpdateState> {
        let known = self.newer().ok_or_else(|| DeskError::not_found(Missing::NewerVersion))?;
        if !self.0.installer.installation().is_replaceable() {
            return Err(DeskError::conflict(ConflictFault::NotReplaceable {}));
        }
        if let Ok(_installing) = self.0.installing.try_lock() {
            let version = known.announcement.version.clone();
            self.set_step(InstallStep::Downloading { received: 0, total: None });
            // Without an error the app ends now.
            if let Err(problem) = self.install(known).await {
                tracing::warn!(?problem, version, "a newer version was not installed");
                self.set_step(InstallStep::Failed { problem });
            }
        }
        Ok(self.state())
    }

    async fn install(&self, known: Known) -> std::result::Result<(), UpdateProblem> {
        let source = self.source(&lock(&self.0.stored).settings);
        let (address, key) = parsed(&source)?;
        let installation = self.0.installer.installation();
        let verified = announcement::verify(known.document.as_bytes(), &address, &key, installation)?;
        let AnnouncedFile { system, url } = verified.file.ok_or(UpdateProblem::Malformed {})?;
        let url = Url::parse(&url).map_err(|_| UpdateProblem::Malformed {})?;
        self.nothing_changes().await?;
        let mut reported = 0;
        let bytes = fetch::fetch(&address, url, MAX_FILE, |received, total| {
            if received - reported >= PROGRESS_BYTES {
                reported = received;
                self.set_step(InstallStep::Downloading { received, total });
            }
        });
        let bytes = bytes.await?;
        self.set_step(InstallStep::Finishing {});
        self.nothing_changes().await?;
        self.mark(Some(verified.announcement.version)).await?;
        let file = UpdateFile { announcement: known.document, system, public_key: key.for_tauri(), bytes };
        let installer = Arc::clone(&self.0.installer);
        let installed = blocking(move || installer.install(file)).await;
        let installed = installed.unwrap_or_else(|error| Err(failed(&error)));
        if installed.is_err() {
            self.mark(None).await?;
        }
        installed
    }

    /// Waits until nothing changes anything at the provider.
    async fn nothing_changes(&self) -> std::result::Result<(), UpdateProblem> {
        let none = self.0.context.changing.none();
        let patience = self.0.context.timing.update_patience;
        tokio::time::timeout(patience, none).await.map_err(|_| UpdateProblem::Busy {})
    }

    /// Records which version the app is closed for, so that the next start can tell whether it was installed.
    async fn mark(&self, installing: Option<String>) -> std::result::Result<(), UpdateProblem> {
        let _checking = self.0.checking.lock().await;
        let mut stored = lock(&self.0.stored).clone();
        stored.installing = installing;
        self.store(stored).await.map_err(|error| failed(&error))
    }

    fn set_step(&self, step: InstallStep) {
        *lock(&self.0.step) = Some(step);
        self.0.context.emit(DeskEvent::UpdatesChanged {});
    }
}

fn failed(error: &DeskError) -> UpdateProblem {
    UpdateProblem::InstallerFailed { reason: error.to_string() }
}
