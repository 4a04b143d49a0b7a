//! The three SQLite files of a data folder, divided by what their loss would mean.
//!
//! - [`delivery_log`]: every accepted delivery as raw bytes, append-only. A lost row is an event lost permanently.
//! - [`desk`]: data that people created here: workspaces, drafts, submissions, sends, and the history that must outlive
//!   the delivery log.
//! - [`cache`]: the provider's templates and the projection of the delivery log. It can be deleted at any time.
//!
//! Instants are Unix milliseconds in UTC. JSON is stored as text, unchanged. Every file has one writer thread; reads
//! run on a small pool of connections. Nothing here blocks the async runtime, except the `open` functions, which are
//! meant for the start of the program.

mod atomic_file;
mod connection;
mod database;
mod error;
mod file_swap;
mod fold;
mod folder;
mod migration;
mod reading_copy;
mod rows;
mod schema;
mod status;

pub mod backup;
pub mod cache;
pub mod check;
pub mod delivery_log;
pub mod desk;
pub mod failpoint;
#[cfg(feature = "fuzzing")]
pub mod fuzzing;
pub mod private;
pub mod row_counts;
pub mod run_journal;

pub use atomic_file::write as replace_file;
pub use cache::Cache;
pub use delivery_log::{DeliveryLog, DeliveryLogReader};
pub use desk::Desk;
pub use error::{StoreError, disk_advice};
pub use file_swap::{FileSwap, finish as finish_file_swaps, swap_files};
pub use fold::fold;
pub use folder::{DataFolder, StoreFile};
pub use reading_copy::copy_for_reading;
pub use run_journal::RunJournal;
