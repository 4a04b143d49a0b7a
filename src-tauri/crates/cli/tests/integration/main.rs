//! `tdesk` as a process: arguments in; exit codes, output and files out.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod check;
#[cfg(unix)]
mod desks_file;
mod doctor;
mod events;
mod feed;
mod files;
mod hostile;
mod lost_answers;
mod merged;
mod overload;
#[cfg(unix)]
mod postgres;
#[cfg(unix)]
mod private;
mod provider;
mod receive;
mod receiving;
mod sandbox;
mod sends;
#[cfg(target_os = "linux")]
mod stalled;
mod template_files;
