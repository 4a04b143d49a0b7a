//! What the environment says about this start.

use std::path::PathBuf;

use anyhow::Context as _;
use tauri::{AppHandle, Manager as _};

/// Overrides the data folder.
const HOME: &str = "TEMPLATE_DESK_HOME";
/// Overrides the address of the receiver, such as `127.0.0.1:0`.
const RECEIVER: &str = "TEMPLATE_DESK_RECEIVER";

/// Folder of the databases.
pub(crate) fn data_folder(handle: &AppHandle) -> anyhow::Result<PathBuf> {
    match std::env::var_os(HOME) {
        Some(folder) if !folder.is_empty() => Ok(folder.into()),
        _ => handle.path().app_local_data_dir().context("this system names no folder for application data"),
    }
}

/// Address of the receiver for this start, in place of the stored one.
pub(crate) fn receiver_address() -> Option<String> {
    std::env::var(RECEIVER).ok().filter(|address| !address.is_empty())
}

/// Whether the plugin that raises the window of a running copy may be used: it needs a session bus and ends the process
/// without one, and it knows nothing of data folders. The lock on the data folder is what keeps two copies apart.
pub(crate) fn may_ask_for_other_instance() -> bool {
    let elsewhere = std::env::var_os(HOME).is_some_and(|folder| !folder.is_empty());
    let bus =
        !cfg!(target_os = "linux") || std::env::var_os("DBUS_SESSION_BUS_ADDRESS").is_some_and(|bus| !bus.is_empty());
    bus && !elsewhere
}
