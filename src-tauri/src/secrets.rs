//! The system keyring behind the `Keyring` port: the Secret Service on Linux and similar desktops, otherwise the
//! platform's keyring.

mod entry;
#[cfg(any(test, target_os = "macos", windows))]
mod parts;
#[cfg(any(target_os = "macos", windows))]
mod platform;
#[cfg(not(any(target_os = "macos", windows)))]
mod secret_service;

#[cfg(any(target_os = "macos", windows))]
pub(crate) use platform::SystemKeyring;
#[cfg(not(any(target_os = "macos", windows)))]
pub(crate) use secret_service::SystemKeyring;
