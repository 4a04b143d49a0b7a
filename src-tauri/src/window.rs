//! What only a window has: native dialogs and the way to the browser.

use app::Core;
use app::error::{DeskError, Result};
use app::view::Nothing;
use app::view::activity::{ExportEvents, ExportReport};
use app::view::composer::{Attachment, Draft, InspectFile, PickFile};
use app::view::storage::{BackupReport, RestoreReport};
use app::view::workspace::WorkspaceId;

use crate::dialogs;
use crate::ipc::OpenLink;

/// Dialogs and the browser. What is chosen in a dialog goes to the core.
#[derive(Clone, Debug)]
pub struct Window {
    core: Core,
}

impl Window {
    pub(crate) fn new(core: Core) -> Self {
        Self { core }
    }

    /// Asks for a file with the desktop's own dialog.
    ///
    /// # Errors
    /// [`DeskError::File`] when the file chosen cannot be read.
    pub async fn pick_file(&self, request: PickFile) -> Result<Option<Attachment>> {
        match dialogs::pick_file(&request.format).await {
            Some(path) => {
                let path = path.to_string_lossy().into_owned();
                Ok(Some(self.core.inspect_file(InspectFile { path }).await?))
            }
            None => Ok(None),
        }
    }

    /// Asks for a JSON file and begins a draft from it.
    ///
    /// # Errors
    /// [`DeskError::File`] when the file chosen cannot be read as a template.
    pub async fn import_template(&self, request: WorkspaceId) -> Result<Option<Draft>> {
        match dialogs::pick_template_file().await {
            Some(path) => Ok(Some(self.core.import_file(&request.workspace, &path).await?)),
            None => Ok(None),
        }
    }

    /// Asks where to write events as JSON lines, and writes them there.
    ///
    /// # Errors
    /// [`DeskError::File`] when the file chosen cannot be written.
    pub async fn export_events(&self, request: ExportEvents) -> Result<Option<ExportReport>> {
        match dialogs::save_events_file().await {
            Some(path) => Ok(Some(self.core.export_events_to(&path, request).await?)),
            None => Ok(None),
        }
    }

    /// Asks for a folder and makes a backup in it.
    ///
    /// # Errors
    /// [`DeskError::File`] when it cannot be written there, or is not whole.
    pub async fn back_up(&self, _request: Nothing) -> Result<Option<BackupReport>> {
        match dialogs::pick_folder("Choose a folder for the backup").await {
            Some(path) => Ok(Some(self.core.back_up(&path).await?)),
            None => Ok(None),
        }
    }

    /// Asks for the folder of a backup and reads it in full.
    ///
    /// # Errors
    /// [`DeskError::File`] with what is wrong with it.
    pub async fn check_backup(&self, _request: Nothing) -> Result<Option<BackupReport>> {
        match dialogs::pick_folder("Choose the folder of a backup").await {
            Some(path) => Ok(Some(self.core.check_backup(&path).await?)),
            None => Ok(None),
        }
    }

    /// Asks for the folder of a backup and lets it take the place of the present files at the next start.
    ///
    /// # Errors
    /// [`DeskError::File`] with what is wrong with it.
    pub async fn restore_backup(&self, _request: Nothing) -> Result<Option<RestoreReport>> {
        match dialogs::pick_folder("Choose the folder of a backup").await {
            Some(path) => Ok(Some(self.core.restore_backup(&path).await?)),
            None => Ok(None),
        }
    }

    /// Opens an `https` address in the browser.
    ///
    /// # Errors
    /// [`DeskError::InvalidInput`] for any other address; [`DeskError::Internal`] when no browser can be started.
    pub async fn open_link(&self, request: OpenLink) -> Result<Nothing> {
        if !request.url.starts_with("https://") || request.url.chars().any(|c| c.is_control() || c.is_whitespace()) {
            return Err(DeskError::invalid("url", "Only https addresses are opened in the browser."));
        }
        let started = tokio::process::Command::new(opener())
            .arg(&request.url)
            .stdin(std::process::Stdio::null())
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn();
        started.map(|_| Nothing {}).map_err(|error| DeskError::Internal {
            message: format!("no browser could be started ({error}); the address is {}", request.url),
        })
    }
}

fn opener() -> &'static str {
    if cfg!(target_os = "macos") {
        "open"
    } else if cfg!(windows) {
        "explorer"
    } else {
        "xdg-open"
    }
}
