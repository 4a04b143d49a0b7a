//! The state file: written whole into a neighbour, synced, then renamed over the old one.
//!
//! A crash at any point leaves either the old or the new state, never half of one.

use std::fs::{File, TryLockError};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// Replaces `path` with `bytes`.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".writing");
    let neighbour = path.with_file_name(name);
    let mut file = create(&neighbour)?;
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

/// Creates a file that only its owner can read, or empties the one that is there. What recipients see is in it.
fn create(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
        let file = options.mode(0o600).open(path)?;
        // An earlier run may have left it with other permissions. Some file systems have none.
        let _kept_where_there_are_some = file.set_permissions(std::fs::Permissions::from_mode(0o600));
        Ok(file)
    }
    #[cfg(not(unix))]
    options.open(path)
}

/// Takes the lock of a state file; `None` while another sandbox has it. It goes with the value, and with the process
/// however it ends. The file that stands for it stays: removing it would let two sandboxes lock two files of one name.
pub(crate) fn lock(path: &Path) -> io::Result<Option<File>> {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".lock");
    let lock = create(&path.with_file_name(name))?;
    match lock.try_lock() {
        Ok(()) => Ok(Some(lock)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Creates a folder that only its owner can open, or closes the one that is there to others.
pub(crate) fn create_folder(path: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)?;
    #[cfg(unix)]
    let _kept_where_there_are_some =
        std::fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o700));
    Ok(())
}

/// The folder of files, beside the state file.
pub(crate) fn media_folder(state: &Path) -> PathBuf {
    let mut name = state.file_name().unwrap_or_default().to_owned();
    name.push(".media");
    state.with_file_name(name)
}

/// The bytes at `path`; `None` when there is no such file yet.
pub(crate) fn read(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}
