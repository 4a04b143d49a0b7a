//! Errors that prevent a sandbox from opening.

use std::path::PathBuf;

#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The state file exists and can't be read.
    #[error("the state file {} could not be read", path.display())]
    Read { path: PathBuf, source: std::io::Error },
    /// Another sandbox uses the state file.
    #[error("another sandbox keeps its state in {}; name another file, or end that sandbox", path.display())]
    InUse { path: PathBuf },
    /// The state file is not a sandbox state.
    #[error("{} is not a state file of the sandbox; name another file, or remove it to start again", path.display())]
    Malformed { path: PathBuf, source: serde_json::Error },
    #[error("the state file {} could not be written; {}", path.display(), advice(source))]
    Write { path: PathBuf, source: std::io::Error },
    /// The sample file could not be stored in the media folder of the state file.
    #[error("the samples could not be stored beside the state file; {}", advice(.0))]
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

/// What to do about a file that could not be written.
fn advice(error: &std::io::Error) -> &'static str {
    use std::io::ErrorKind;
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "free some space on the disk, then start again",
        _ => "name a file in a folder that exists and may be written",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_distinguished_from_a_wrong_folder() {
        let full = || std::io::Error::from(std::io::ErrorKind::StorageFull);
        let write = OpenError::Write { path: "sandbox.json".into(), source: full() };
        for error in [write, OpenError::Seed(full())] {
            assert!(error.to_string().ends_with("; free some space on the disk, then start again"), "{error}");
        }
        let denied = OpenError::Seed(std::io::ErrorKind::PermissionDenied.into());
        assert!(denied.to_string().ends_with("in a folder that exists and may be written"), "{denied}");
    }
}
