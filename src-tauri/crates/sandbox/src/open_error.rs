//! Errors that prevent a sandbox from opening.

use std::path::PathBuf;

/// Why a sandbox could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The state file is there and cannot be read.
    #[error("the state file {} could not be read", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// Another sandbox keeps its state there.
    #[error("another sandbox keeps its state in {}; name another file, or end that sandbox", path.display())]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// The state file holds something else.
    #[error("{} is not a state file of the sandbox; name another file, or remove it to start again", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// The state file could not be written.
    #[error("the state file {} could not be written; name a file in a folder that exists and may be written", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The file of the samples could not be stored beside the state file.
    #[error("the samples could not be stored beside the state file; is its folder writable?")]
    Seed(#[source] std::io::Error),
    /// No HTTP client could be built.
    #[error("the HTTP client could not be set up")]
    Client(#[source] reqwest::Error),
    /// The channel's name cannot stand in a path.
    #[error("`{0}` cannot be a channel's name: use letters, digits, `-` and `_`, and not `sandbox`")]
    Channel(String),
    /// A workspace is no UUID.
    #[error("`{0}` is no UUID; a workspace is named by one")]
    Workspace(String),
}
