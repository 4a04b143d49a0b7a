//! Private folders and files: mode 0700 and 0600, regardless of the umask and of who created them.
//!
//! On Windows, folders outside the person's profile get an access list, which their files inherit; a profile is private
//! already. A single file is as private there as its folder.

#[cfg(any(test, windows))]
mod acl;

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::Path;

/// Creates a folder and its parents so that only the owner can open them. An existing folder is restricted.
///
/// # Errors
/// The system's error when it cannot be created or, except on Windows, restricted.
pub fn create_folder(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)?;
    #[cfg(windows)]
    if let Err(error) = acl::restrict_folder(path) {
        // Such as a stick without access control, or a computer on which only chosen programs start.
        tracing::warn!(%error, folder = %path.display(), "other people of this computer may open the folder");
    }
    #[cfg(not(windows))]
    restrict(path)?;
    Ok(())
}

/// Creates a file that only its owner can read, or truncates the existing one.
pub fn create(path: &Path) -> io::Result<File> {
    let file = options().create(true).truncate(true).open(path)?;
    restrict(path)?;
    Ok(file)
}

/// Creates a file that only its owner can read.
///
/// # Errors
/// [`io::ErrorKind::AlreadyExists`] when it exists; otherwise the system's error.
pub fn create_new(path: &Path) -> io::Result<File> {
    options().create_new(true).open(path)
}

/// Writes a file that only its owner can read, and replaces an existing one.
pub fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    io::Write::write_all(&mut create(path)?, content)
}

fn options() -> OpenOptions {
    let mut options = File::options();
    options.write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Removes all permissions of other users from a file or folder. Does not open it: SQLite's locks on a database end
/// when any handle of the process to that file is closed.
///
/// # Errors
/// The system's error when other users keep a permission. A missing file is no error.
pub fn restrict(path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = |path: &Path| fs::metadata(path).map(|metadata| metadata.permissions().mode());
        let restricted = || {
            let before = mode(path)?;
            if before & 0o077 == 0 {
                return Ok(());
            }
            fs::set_permissions(path, fs::Permissions::from_mode(before & 0o7700))?;
            // Some file systems have no permissions and report no error.
            if mode(path)? & 0o077 == 0 {
                return Ok(());
            }
            Err(io::Error::new(io::ErrorKind::Unsupported, "this file system keeps no permissions"))
        };
        match restricted() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            restricted => restricted,
        }
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        Ok(())
    }
}

/// Restricts files that exist in a data folder, such as those of an older version. Unknown names do not change: the
/// person may have chosen a folder that holds other things too.
pub(crate) fn restrict_contents(root: &Path) -> io::Result<()> {
    const FILES: [&str; 5] = ["inbox.", "desk.", "cache.", "sandbox.", "logbook."];
    const FOLDERS: [&str; 4] = ["logs", "media", "restore", "transfer"];
    for entry in fs::read_dir(root)? {
        let entry = entry?;
        let name = entry.file_name();
        let is_own = |name: &str| FOLDERS.contains(&name) || FILES.iter().any(|own| name.starts_with(own));
        if name.to_str().is_some_and(is_own) {
            restrict_tree(&entry)?;
        }
    }
    Ok(())
}

fn restrict_tree(entry: &fs::DirEntry) -> io::Result<()> {
    let kind = entry.file_type()?;
    if kind.is_symlink() {
        return Ok(());
    }
    restrict(&entry.path())?;
    if kind.is_dir() {
        for below in fs::read_dir(entry.path())? {
            restrict_tree(&below?)?;
        }
    }
    Ok(())
}
