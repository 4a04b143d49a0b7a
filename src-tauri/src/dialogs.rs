//! Native file dialogs.

use std::path::PathBuf;

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
