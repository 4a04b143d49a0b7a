//! Native dialogs.
//!
//! Those that ask for a file or folder return `None` if they are cancelled, and fail with [`DeskError::File`] if this
//! desktop has no program that shows them; without that check they would seem to be cancelled.

use std::path::PathBuf;

use command_types::error::DeskError;

type Result<T> = std::result::Result<T, DeskError>;

#[cfg(target_os = "linux")]
mod linux {
    use std::ffi::OsString;

    use command_types::error::DeskError;
    use zbus::connection::Builder;

    const PORTAL: &str = "org.freedesktop.portal.Desktop";

    /// The dialogs are those of the desktop portal, and without it those of zenity.
    pub(super) async fn check(path: Option<OsString>, bus: zbus::Result<Builder<'_>>) -> super::Result<()> {
        let has_zenity = path.is_some_and(|path| std::env::split_paths(&path).any(|at| at.join("zenity").is_file()));
        if has_zenity || has_portal(bus).await.unwrap_or(false) {
            return Ok(());
        }
        Err(DeskError::file(
            "File dialog",
            "this desktop has no program that shows one; install zenity or xdg-desktop-portal, then try again",
        ))
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

/// Asks for a file for a header of `format`; any file if that is empty.
pub(crate) async fn pick_file(format: &str) -> Result<Option<PathBuf>> {
    let dialog = rfd::AsyncFileDialog::new().set_title("Choose a file");
    let dialog = match format {
        "IMAGE" => dialog.add_filter("JPEG, PNG", &["jpg", "jpeg", "png"]),
        "VIDEO" => dialog.add_filter("MP4, 3GPP", &["mp4", "3gp", "3gpp"]),
        "DOCUMENT" => {
            dialog.add_filter("PDF, Office, text", &["pdf", "doc", "docx", "xls", "xlsx", "ppt", "pptx", "txt"])
        }
        _ => dialog,
    };
    show(dialog.pick_file()).await
}

/// Asks for a file of a type that a phone can send.
pub(crate) async fn pick_phone_file() -> Result<Option<PathBuf>> {
    let dialog = rfd::AsyncFileDialog::new().set_title("Send a file from the phone");
    let dialog = dialog.add_filter("All files", &["*"]);
    let dialog = dialog.add_filter("Pictures and stickers", &["jpg", "jpeg", "png", "webp"]);
    let dialog = dialog.add_filter("Sounds", &["ogg", "opus", "mp3", "m4a", "aac", "amr"]);
    let dialog = dialog.add_filter("Films", &["mp4", "3gp"]);
    show(dialog.add_filter("Documents", &["pdf", "txt", "doc", "docx", "xls", "xlsx", "ppt", "pptx"]).pick_file()).await
}

/// Asks for JSON files with templates.
pub(crate) async fn pick_template_files() -> Result<Option<Vec<PathBuf>>> {
    let dialog = rfd::AsyncFileDialog::new().set_title("Choose templates as JSON or text");
    check_program().await?;
    let files = dialog.add_filter("JSON, text", &["json", "txt", "md"]).pick_files().await;
    let paths = files.into_iter().flatten().map(|file| file.path().to_owned());
    let paths: Vec<_> = paths.filter(|path| !path.as_os_str().is_empty()).collect();
    Ok(Some(paths).filter(|paths| !paths.is_empty()))
}

/// Asks where to save events as JSON lines.
pub(crate) async fn save_events_file() -> Result<Option<PathBuf>> {
    let dialog = rfd::AsyncFileDialog::new().set_title("Export events").set_file_name("events.jsonl");
    show(dialog.add_filter("JSON lines", &["jsonl", "ndjson"]).save_file()).await
}

/// Asks for a file of recipients and values.
pub(crate) async fn pick_csv_file() -> Result<Option<PathBuf>> {
    pick_table_file("Choose recipients and values as CSV").await
}

async fn pick_table_file(title: &str) -> Result<Option<PathBuf>> {
    let dialog = rfd::AsyncFileDialog::new().set_title(title);
    show(dialog.add_filter("CSV, TSV, text", &["csv", "tsv", "tab", "txt"]).pick_file()).await
}

/// Asks where to save the results of a batch.
pub(crate) async fn save_batch_file(name: &str) -> Result<Option<PathBuf>> {
    save_csv_file("Export outcomes", name).await
}

/// Asks where to save opt-outs.
pub(crate) async fn save_opt_outs_file(name: &str) -> Result<Option<PathBuf>> {
    save_csv_file("Export opt-outs", name).await
}

/// Asks for a file of opt-outs.
pub(crate) async fn pick_opt_outs_file() -> Result<Option<PathBuf>> {
    pick_table_file("Choose opt-outs as CSV").await
}

/// Asks for a file of people for the address book.
pub(crate) async fn pick_people_file() -> Result<Option<PathBuf>> {
    pick_table_file("Choose people as CSV").await
}

/// Asks where to save people of the address book.
pub(crate) async fn save_people_file(name: &str) -> Result<Option<PathBuf>> {
    save_csv_file("Export recipients", name).await
}

/// Asks where to save the sample of a rate card.
pub(crate) async fn save_sample_rate_card_file(name: &str) -> Result<Option<PathBuf>> {
    save_csv_file("Save a sample rate card", name).await
}

/// Asks for a rate card.
pub(crate) async fn pick_rate_card_file() -> Result<Option<PathBuf>> {
    pick_table_file("Choose a rate card as CSV").await
}

/// Asks where to save insights.
pub(crate) async fn save_insights_file(name: &str) -> Result<Option<PathBuf>> {
    save_csv_file("Export figures", name).await
}

async fn save_csv_file(title: &str, name: &str) -> Result<Option<PathBuf>> {
    let dialog = rfd::AsyncFileDialog::new().set_title(title).set_file_name(name);
    show(dialog.add_filter("CSV", &["csv"]).save_file()).await
}

/// Asks where to save a text.
pub(crate) async fn save_text_file(title: &str, name: &str) -> Result<Option<PathBuf>> {
    let dialog = rfd::AsyncFileDialog::new().set_title(title).set_file_name(name);
    show(dialog.add_filter("Text", &["txt"]).save_file()).await
}

/// Asks where to save the file of a message; `name` is a plain file name.
pub(crate) async fn save_media_file(name: &str) -> Result<Option<PathBuf>> {
    show(rfd::AsyncFileDialog::new().set_title("Save file").set_file_name(name).save_file()).await
}

pub(crate) async fn pick_folder(title: &str) -> Result<Option<PathBuf>> {
    show(rfd::AsyncFileDialog::new().set_title(title).pick_folder()).await
}

/// Fails if this desktop has no program that shows dialogs.
async fn check_program() -> Result<()> {
    #[cfg(target_os = "linux")]
    linux::check(std::env::var_os("PATH"), zbus::connection::Builder::session()).await?;
    Ok(())
}

async fn show(dialog: impl Future<Output = Option<rfd::FileHandle>>) -> Result<Option<PathBuf>> {
    check_program().await?;
    let chosen = dialog.await.map(|file| file.path().to_owned());
    // Some dialogs confirm without a selection.
    Ok(chosen.filter(|path| !path.as_os_str().is_empty()))
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
