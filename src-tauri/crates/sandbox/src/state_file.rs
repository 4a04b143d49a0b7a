//! The state file: written whole into a neighbour, synced, then renamed over the old one.
//!
//! A crash at any point leaves either the old or the new state, never half of one.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::Path;

/// Replaces `path` with `bytes`.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".writing");
    let neighbour = path.with_file_name(name);
    let mut file = File::create(&neighbour)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    drop(file);
    std::fs::rename(&neighbour, path)?;
    // The rename itself is durable only once the folder is.
    #[cfg(unix)]
    if let Some(folder) = path.parent() {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}

/// The bytes at `path`; `None` when there is no such file yet.
pub(crate) fn read(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}
