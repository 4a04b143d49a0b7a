//! What only a window has: native dialogs and the way to the browser.

use app::error::{DeskError, Result};
use app::view::Nothing;
use app::view::composer::{Attachment, PickFile};

use crate::dialogs;
use crate::ipc::OpenLink;

/// Dialogs and the browser.
#[derive(Clone, Copy, Debug, Default)]
pub struct Window;

impl Window {
    /// Asks for a file with the desktop's own dialog.
    ///
    /// # Errors
    /// [`DeskError::File`] when the file chosen cannot be read.
    pub async fn pick_file(&self, request: PickFile) -> Result<Option<Attachment>> {
        match dialogs::pick_header_file(&request.format).await {
            Some(path) => Ok(Some(app::attachment::inspect(&path).await?)),
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
