//! Commands for support: diagnostics, failures of the page, the folder of the log files.

use std::sync::{Arc, Mutex, PoisonError};

use app::Core;
use command_types::Nothing;
use command_types::error::{DeskError, Missing, Result};
use command_types::support::{Diagnostics, FailureDetails, PageFailure, SavedDiagnostics};

use crate::{dialogs, opener};

/// Tools for support.
#[derive(Clone, Debug)]
pub struct Support {
    core: Core,
    /// The diagnostics that were shown last: what is saved is what was shown.
    shown: Arc<Mutex<Option<String>>>,
}

impl Support {
    pub(crate) fn new(core: Core) -> Self {
        Self { core, shown: Arc::default() }
    }

    /// Diagnostics to show before they are saved.
    pub async fn get_diagnostics(&self, _request: Nothing) -> Result<Diagnostics> {
        let text = self.core.data.diagnostics(system()).await?;
        *self.shown.lock().unwrap_or_else(PoisonError::into_inner) = Some(text.clone());
        Ok(Diagnostics { text })
    }

    /// Asks for a file and saves the diagnostics that were shown last to it.
    ///
    /// # Errors
    /// [`DeskError::File`] if the file can't be written; [`DeskError::NotFound`] if none were shown.
    pub async fn save_diagnostics(&self, _request: Nothing) -> Result<Option<SavedDiagnostics>> {
        let shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let text = shown.ok_or_else(|| DeskError::not_found(Missing::Diagnostics))?;
        match dialogs::save_text_file("Save diagnostics", &self.core.data.diagnostics_file_name()).await? {
            Some(path) => Ok(Some(self.core.data.save_diagnostics_to(&path, text).await?)),
            None => Ok(None),
        }
    }

    pub async fn report_page_failure(&self, failure: PageFailure) -> Result<FailureDetails> {
        self.core.data.report_page_failure(failure).await
    }

    /// Opens the folder of the log files in the desktop's file manager.
    pub async fn open_log_folder(&self, _request: Nothing) -> Result<Nothing> {
        let folder = self.core.data.log_folder();
        opener::open(&folder).map(|()| Nothing {}).map_err(|error| DeskError::Internal {
            message: format!("no file manager could be started ({error}); the folder is {}", folder.display()),
        })
    }
}

/// Facts about the system.
fn system() -> Vec<(&'static str, String)> {
    let variable = |name: &str| std::env::var(name).unwrap_or_else(|_| "unknown".to_owned());
    let release = std::fs::read_to_string("/etc/os-release").unwrap_or_default();
    let name = release.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="));
    vec![
        ("distribution", name.map_or_else(|| "unknown".to_owned(), |name| name.trim_matches('"').to_owned())),
        ("desktop", variable("XDG_CURRENT_DESKTOP")),
        ("session", variable("XDG_SESSION_TYPE")),
        ("web engine", tauri::webview_version().unwrap_or_else(|_| "unknown".to_owned())),
    ]
}
