//! Errors that prevent a sandbox from opening.

use std::path::PathBuf;

/// Why a sandbox could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The state file exists and can't be read.
    #[error("the state file {} could not be read", path.display())]
    Read {
        /// Path of the state file.
        path: PathBuf,
        /// Error of the operating system.
        source: std::io::Error,
    },
    /// Another sandbox uses the state file.
    #[error("another sandbox keeps its state in {}; name another file, or end that sandbox", path.display())]
    InUse {
        /// Path of the state file.
        path: PathBuf,
    },
    /// The state file is not a sandbox state.
    #[error("{} is not a state file of the sandbox; name another file, or remove it to start again", path.display())]
    Malformed {
        /// Path of the state file.
        path: PathBuf,
        /// Parse error.
        source: serde_json::Error,
    },
    /// The state file could not be written.
    #[error("the state file {} could not be written; name a file in a folder that exists and may be written", path.display())]
    Write {
        /// Path of the state file.
        path: PathBuf,
        /// Error of the operating system.
        source: std::io::Error,
    },
    /// The sample file could not be stored in the media folder of the state file.
    #[error("the samples could not be stored beside the state file; is its folder writable?")]
    Seed(#[source] std::io::Error),
    /// The HTTP clients could not be built.
    #[error("the HTTP client could not be set up")]
    Client(#[source] reqwest::Error),
    /// The channel's name is not valid in a path.
    #[error("`{0}` cannot be a channel's name: use letters, digits, `-` and `_`, and not `sandbox`")]
    Channel(String),
    /// A workspace is not a UUID.
    #[error("`{0}` is no UUID; a workspace is named by one")]
    Workspace(String),
}
