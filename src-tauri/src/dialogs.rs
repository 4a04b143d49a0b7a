//! Native file dialogs.

use std::path::PathBuf;

/// Asks for a file that fits a header of `format`; any file where that is empty. `None` when the person changed their
/// mind.
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
    chosen(dialog).await
}

/// Asks for the JSON file of a template. `None` when the person changed their mind.
pub(crate) async fn pick_template_file() -> Option<PathBuf> {
    let dialog = rfd::AsyncFileDialog::new().set_title("Choose a template as JSON");
    chosen(dialog.add_filter("JSON", &["json", "txt"])).await
}

/// Asks where to keep events as JSON lines. `None` when the person changed their mind.
pub(crate) async fn save_events_file() -> Option<PathBuf> {
    let dialog = rfd::AsyncFileDialog::new().set_title("Export events").set_file_name("events.jsonl");
    let file = dialog.add_filter("JSON lines", &["jsonl", "ndjson"]).save_file().await?;
    Some(file.path().to_owned()).filter(|path| !path.as_os_str().is_empty())
}

/// Asks for a folder. `None` when the person changed their mind.
pub(crate) async fn pick_folder(title: &str) -> Option<PathBuf> {
    let folder = rfd::AsyncFileDialog::new().set_title(title).pick_folder().await?;
    Some(folder.path().to_owned()).filter(|path| !path.as_os_str().is_empty())
}

async fn chosen(dialog: rfd::AsyncFileDialog) -> Option<PathBuf> {
    let file = dialog.pick_file().await?;
    // Some dialogs say yes without a choice.
    Some(file.path().to_owned()).filter(|path| !path.as_os_str().is_empty())
}

/// Says why the app cannot start, in a dialog of the desktop. It is in the log as well, for a start from a terminal.
pub(crate) fn tell_failed_start(reason: &str) {
    if std::env::var_os("DISPLAY").is_none()
        && std::env::var_os("WAYLAND_DISPLAY").is_none()
        && cfg!(target_os = "linux")
    {
        return;
    }
    rfd::MessageDialog::new()
        .set_level(rfd::MessageLevel::Error)
        .set_title("Template Desk cannot start")
        .set_description(reason)
        .show();
}
