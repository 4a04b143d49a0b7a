//! The state file: written to a temporary file, synced, then renamed over the old file.
//!
//! A crash at any point leaves either the complete old or the complete new state.

use std::fs::{File, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

/// Maximum size of a state file.
const MAX_BYTES: u64 = 512 * 1024 * 1024;

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
    // The rename is durable only after the folder is synced.
    #[cfg(unix)]
    if let Some(folder) = path.parent() {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}

/// Creates or truncates a file that only its owner can read, because it contains messages.
fn create(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
        let file = options.mode(0o600).open(path)?;
        // The file may exist with other permissions. Some file systems have no permissions.
        let _kept_where_there_are_some = file.set_permissions(std::fs::Permissions::from_mode(0o600));
        Ok(file)
    }
    #[cfg(not(unix))]
    options.open(path)
}

/// Takes the lock of a state file; `None` while another sandbox holds it. The lock ends with the value or with the
/// process. The lock file is never removed: otherwise two sandboxes could lock two files with the same name.
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

/// Creates a folder that only its owner can open, or restricts the existing one.
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

/// The media folder, next to the state file.
pub(crate) fn media_folder(state: &Path) -> PathBuf {
    let mut name = state.file_name().unwrap_or_default().to_owned();
    name.push(".media");
    state.with_file_name(name)
}

/// Checks that a state file that exists can be one: a regular file of at most [`MAX_BYTES`].
pub(crate) fn check(path: &Path) -> io::Result<()> {
    let metadata = match std::fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        metadata => metadata?,
    };
    if !metadata.is_file() {
        return Err(io::Error::other("it is not a regular file; name another file"));
    }
    if metadata.len() > MAX_BYTES {
        let limit = MAX_BYTES / (1024 * 1024);
        return Err(io::Error::other(format!("it is larger than {limit} MiB; name another file, or remove it")));
    }
    Ok(())
}

/// The bytes at `path`; `None` if the file does not exist.
pub(crate) fn read(path: &Path) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    match File::open(path).and_then(|file| file.take(MAX_BYTES).read_to_end(&mut bytes)) {
        Ok(_) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}
