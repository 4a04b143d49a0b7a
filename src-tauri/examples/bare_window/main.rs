//! The smallest window that shows a list from one command: what every Tauri window of this machine costs. `make bench`
//! measures the start of the app beside it.

use tauri::WebviewUrl;

/// Rows of the list, as many as the app's window shows.
const ROWS: usize = 40;

/// The rows. The command has this name because the permissions of the package know it.
#[tauri::command]
fn list_templates() -> Vec<String> {
    (1..=ROWS).map(|number| format!("Row number {number} of the list in a bare window")).collect()
}

fn main() -> anyhow::Result<()> {
    let app = tauri::Builder::default()
        .invoke_handler(tauri::generate_handler![list_templates])
        .build(tauri::generate_context!("src-tauri/examples/bare_window/tauri.conf.json"))?;
    tauri::WebviewWindowBuilder::new(&app, "main", WebviewUrl::default()).inner_size(1280.0, 820.0).build()?;
    app.run(|_, _| {});
    Ok(())
}
