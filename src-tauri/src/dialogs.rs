//! Native file dialogs.

use std::path::PathBuf;

use api::error::DeskError;

/// Shows a file dialog.
///
/// # Errors
/// [`DeskError::File`] if this desktop has no program that shows one; without the check it would seem to be cancelled.
pub(crate) async fn ask(dialog: impl Future<Output = Option<PathBuf>>) -> Result<Option<PathBuf>, DeskError> {
    #[cfg(target_os = "linux")]
    linux::check(std::env::var_os("PATH"), zbus::connection::Builder::session()).await?;
    Ok(dialog.await)
}

#[cfg(target_os = "linux")]
mod linux {
    use std::ffi::OsString;

    use api::error::DeskError;
    use zbus::connection::Builder;

    const PORTAL: &str = "org.freedesktop.portal.Desktop";

    /// The dialogs are those of the desktop portal, and without it those of zenity.
    pub(super) async fn check(path: Option<OsString>, bus: zbus::Result<Builder<'_>>) -> Result<(), DeskError> {
        let has_zenity = path.is_some_and(|path| std::env::split_paths(&path).any(|at| at.join("zenity").is_file()));
        if has_zenity || has_portal(bus).await.unwrap_or(false) {
            return Ok(());
        }
        Err(DeskError::File {
            name: "File dialog".to_owned(),
            reason: "this desktop has no program that shows one; install zenity or xdg-desktop-portal, then try again"
                .to_owned(),
        })
    }

    async fn has_portal(bus: zbus::Result<Builder<'_>>) -> zbus::Result<bool> {
        let connection = bus?.build().await?;
        let bus = zbus::fdo::DBusProxy::new(&connection).await?;
        if bus.name_has_owner(PORTAL.try_into()?).await? {
            return Ok(true);
        }
        Ok(bus.list_activatable_names().await?.iter().any(|name| name.as_str() == PORTAL))
    }

    #[cfg(test)]
    mod tests {
        #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

        use super::*;
        use crate::session_bus::SessionBus;

        #[tokio::test]
        async fn a_desktop_without_file_dialogs_says_what_to_install() {
            let session = SessionBus::start();
            let path = session.home.path().as_os_str().to_owned();
            for bus in [session.address.as_str(), "unix:path=/nowhere"] {
                let refused = check(Some(path.clone()), Builder::address(bus)).await.unwrap_err().to_string();
                assert!(refused.contains("install zenity or xdg-desktop-portal"), "{refused}");
            }
            std::fs::write(session.home.path().join("zenity"), "").unwrap();
            check(Some(path), Builder::address(session.address.as_str())).await.unwrap();
        }

        #[tokio::test]
        async fn the_portal_shows_file_dialogs() {
            let session = SessionBus::start();
            let portal =
                Builder::address(session.address.as_str()).unwrap().name(PORTAL).unwrap().build().await.unwrap();
            check(None, Builder::address(session.address.as_str())).await.unwrap();
            drop(portal);
        }
    }
}

/// Asks for a file for a header of `format`; any file if that is empty. `None` if the dialog is cancelled.
pub(crate) async fn pick_file(format: &str) -> Option<PathBuf> {
    let dialog = rfd::AsyncFileDialog::new().set_title("Choose a file");
    let dialog = match format {
        "IMAGE" => dialog.add_filter("JPEG, PNG", &["jpg", "jpeg", "png"]),
        "VIDEO" => dialog.add_filter("MP4, 3GPP", &["mp4", "3gp", "3gpp"]),
        "DOCUMENT" => {
            dialog.add_filter("PDF, Office, text", &["pdf", "doc", "docx", "xls", "xlsx", "ppt", "pptx", "txt"])
        }
        _ => dialog,
    };
    pick(dialog).await
}

/// Asks for a file of a type that a phone can send. `None` if the dialog is cancelled.
pub(crate) async fn pick_phone_file() -> Option<PathBuf> {
    let dialog = rfd::AsyncFileDialog::new().set_title("Send a file from the phone");
    let dialog = dialog.add_filter("All files", &["*"]);
    let dialog = dialog.add_filter("Pictures and stickers", &["jpg", "jpeg", "png", "webp"]);
    let dialog = dialog.add_filter("Sounds", &["ogg", "opus", "mp3", "m4a", "aac", "amr"]);
    let dialog = dialog.add_filter("Films", &["mp4", "3gp"]);
    pick(dialog.add_filter("Documents", &["pdf", "txt", "doc", "docx", "xls", "xlsx", "ppt", "pptx"])).await
}

/// Asks for the JSON file of a template. `None` if the dialog is cancelled.
pub(crate) async fn pick_template_file() -> Option<PathBuf> {
    let dialog = rfd::AsyncFileDialog::new().set_title("Choose a template as JSON");
    pick(dialog.add_filter("JSON", &["json", "txt"])).await
}

/// Asks where to save events as JSON lines. `None` if the dialog is cancelled.
pub(crate) async fn save_events_file() -> Option<PathBuf> {
    let dialog = rfd::AsyncFileDialog::new().set_title("Export events").set_file_name("events.jsonl");
    let file = dialog.add_filter("JSON lines", &["jsonl", "ndjson"]).save_file().await?;
    Some(file.path().to_owned()).filter(|path| !path.as_os_str().is_empty())
}

/// Asks for a file of recipients and values. `None` if the dialog is cancelled.
pub(crate) async fn pick_csv_file() -> Option<PathBuf> {
    let dialog = rfd::AsyncFileDialog::new().set_title("Choose recipients and values as CSV");
    pick(dialog.add_filter("CSV, TSV, text", &["csv", "tsv", "tab", "txt"])).await
}

/// Asks where to save the results of a batch. `None` if the dialog is cancelled.
pub(crate) async fn save_batch_file(name: &str) -> Option<PathBuf> {
    save_csv_file("Export outcomes", name).await
}

/// Asks where to save insights. `None` if the dialog is cancelled.
pub(crate) async fn save_insights_file(name: &str) -> Option<PathBuf> {
    save_csv_file("Export figures", name).await
}

async fn save_csv_file(title: &str, name: &str) -> Option<PathBuf> {
    let dialog = rfd::AsyncFileDialog::new().set_title(title).set_file_name(name);
    let file = dialog.add_filter("CSV", &["csv"]).save_file().await?;
    Some(file.path().to_owned()).filter(|path| !path.as_os_str().is_empty())
}

/// Asks where to save a text. `None` if the dialog is cancelled.
pub(crate) async fn save_text_file(title: &str, name: &str) -> Option<PathBuf> {
    let dialog = rfd::AsyncFileDialog::new().set_title(title).set_file_name(name);
    let file = dialog.add_filter("Text", &["txt"]).save_file().await?;
    Some(file.path().to_owned()).filter(|path| !path.as_os_str().is_empty())
}

/// Asks where to save the file of a message; `name` is a plain file name. `None` if the dialog is cancelled.
pub(crate) async fn save_media_file(name: &str) -> Option<PathBuf> {
    let file = rfd::AsyncFileDialog::new().set_title("Save file").set_file_name(name).save_file().await?;
    Some(file.path().to_owned()).filter(|path| !path.as_os_str().is_empty())
}

/// Asks for a folder. `None` if the dialog is cancelled.
pub(crate) async fn pick_folder(title: &str) -> Option<PathBuf> {
    let folder = rfd::AsyncFileDialog::new().set_title(title).pick_folder().await?;
    Some(folder.path().to_owned()).filter(|path| !path.as_os_str().is_empty())
}

async fn pick(dialog: rfd::AsyncFileDialog) -> Option<PathBuf> {
    let file = dialog.pick_file().await?;
    // Some dialogs confirm without a selection.
    Some(file.path().to_owned()).filter(|path| !path.as_os_str().is_empty())
}

/// Shows in a native dialog why the app cannot start. The reason is also logged, for a start from a terminal.
pub(crate) fn show_start_error(reason: &str) {
    if std::env::var_os("DISPLAY").is_none()
        && std::env::var_os("WAYLAND_DISPLAY").is_none()
        && cfg!(target_os = "linux")
    {
        return;
    }
    show_error("Template Desk cannot start", reason);
}

/// Shows an error in a native dialog until it is closed. Blocks.
pub(crate) fn show_error(title: &str, text: &str) {
    rfd::MessageDialog::new().set_level(rfd::MessageLevel::Error).set_title(title).set_description(text).show();
}
