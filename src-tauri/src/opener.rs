//! Opens addresses and folders with the desktop's own programs.

use std::ffi::OsStr;
use std::io;
use std::process::Stdio;

/// Starts the program that the desktop has for `target`, an address or a folder.
pub(crate) fn open(target: impl AsRef<OsStr>) -> io::Result<()> {
    let program = if cfg!(target_os = "macos") {
        "open"
    } else if cfg!(windows) {
        "explorer"
    } else {
        "xdg-open"
    };
    let mut command = tokio::process::Command::new(program);
    #[cfg(target_os = "linux")]
    crate::page_environment::leave_out(&mut command);
    let command = command.arg(target).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().map(drop)
}
