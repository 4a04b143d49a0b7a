//! The shell: the only code that names Tauri, the keyring and native dialogs.

pub mod ipc;
