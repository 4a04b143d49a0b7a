//! The environment variables of the app.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context as _;
use sandbox::{Profile, Seed};
use tauri::{AppHandle, Manager as _};

/// Overrides the data folder.
const HOME: &str = "TEMPLATE_DESK_HOME";
/// Overrides the address of the receiver, for example `127.0.0.1:0`.
const RECEIVER: &str = "TEMPLATE_DESK_RECEIVER";

/// Lets every workspace fetch media from loopback addresses, to develop a provider on this machine.
const LOOPBACK_MEDIA: &str = "TEMPLATE_DESK_ALLOW_LOOPBACK_MEDIA";

/// Overrides what the built-in sandbox starts with: `history`, `samples` or `empty`.
const SANDBOX_SEED: &str = "TEMPLATE_DESK_SANDBOX_SEED";

/// Overrides the profile of the built-in sandbox: `whatsapp`, `minimal` or `agency`.
const SANDBOX_PROFILE: &str = "TEMPLATE_DESK_SANDBOX_PROFILE";

/// Overrides how long a review of the built-in sandbox takes, and each status of a message: milliseconds.
const SANDBOX_DELAY: &str = "TEMPLATE_DESK_SANDBOX_DELAY";

/// Exists in every Flatpak.
pub(crate) const FLATPAK: &str = "/.flatpak-info";

fn variable(name: &str) -> Option<OsString> {
    non_empty(std::env::var_os(name))
}

/// An empty variable counts as not set.
fn non_empty(value: Option<OsString>) -> Option<OsString> {
    value.filter(|value| !value.is_empty())
}

/// A value that can be read; others count as not set.
fn parsed<T: std::str::FromStr>(name: &str) -> Option<T> {
    variable(name)?.to_str()?.parse().ok()
}

/// Whether media may be fetched from loopback addresses.
pub(crate) fn may_fetch_loopback_media() -> bool {
    variable(LOOPBACK_MEDIA).is_some_and(|value| value == "1")
}

/// What the built-in sandbox starts with at its first start.
pub(crate) fn sandbox_seed() -> Seed {
    parsed(SANDBOX_SEED).unwrap_or(Seed::History)
}

/// The profile of the built-in sandbox until a person chooses one.
pub(crate) fn sandbox_profile() -> Profile {
    parsed(SANDBOX_PROFILE).unwrap_or_default()
}

/// How long a review of the built-in sandbox takes, and each status of a message, until a person sets it.
pub(crate) fn sandbox_delay() -> Option<Duration> {
    parsed(SANDBOX_DELAY).map(Duration::from_millis)
}

/// Folder of the databases.
pub(crate) fn data_folder(handle: &AppHandle) -> anyhow::Result<PathBuf> {
    match variable(HOME) {
        Some(folder) => Ok(folder.into()),
        None => handle.path().app_local_data_dir().context("this system names no folder for application data"),
    }
}

/// Address of the receiver for this start, which overrides the stored one.
pub(crate) fn receiver_address() -> Option<String> {
    variable(RECEIVER)?.into_string().ok()
}

/// Whether the single-instance plugin, which raises the window of a running copy, can be used: it needs a session bus
/// and ends the process without one, and it does not distinguish data folders. The lock on the data folder is what
/// separates two copies.
pub(crate) fn may_ask_for_other_instance() -> bool {
    let bus = !cfg!(target_os = "linux") || variable("DBUS_SESSION_BUS_ADDRESS").is_some();
    bus && variable(HOME).is_none()
}

#[cfg(test)]
mod tests {
    use super::non_empty;

    #[test]
    fn an_empty_variable_counts_as_unset() {
        assert_eq!(non_empty(None), None);
        assert_eq!(non_empty(Some("".into())), None);
        assert_eq!(non_empty(Some("/data".into())), Some("/data".into()));
    }
}
