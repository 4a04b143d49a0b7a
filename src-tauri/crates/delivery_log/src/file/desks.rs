//! The desks that may read an inbox file, in a file beside it.
//!
//! An administrator changes the list, often as root, in a folder of the service's user. Nothing there is trusted: the
//! folder is opened once, no link in it is followed, and no name that can be predicted is written to.

use std::path::{Path, PathBuf};

use crate::access::Access;
use crate::error::LogError;

/// The file with the desks that may read an inbox file.
#[derive(Clone, Debug)]
pub struct DesksFile {
    path: PathBuf,
    delivery_log: PathBuf,
}

impl DesksFile {
    /// The desks of the inbox file at `path`.
    #[must_use]
    pub fn of(path: &Path) -> Self {
        let mut name = path.as_os_str().to_owned();
        name.push(".desks.json");
        Self { path: name.into(), delivery_log: path.to_owned() }
    }

    pub(crate) async fn list(&self) -> Result<Vec<Access>, LogError> {
        self.blocking(|file| file.read(&file.open_folder()?)).await
    }

    /// Changes the list, while no other process changes it.
    pub(crate) async fn change<T: Send + 'static>(
        &self,
        change: impl FnOnce(&mut Vec<Access>) -> T + Send + 'static,
    ) -> Result<T, LogError> {
        self.blocking(|file| {
            let mut folder = file.open_folder()?;
            folder.lock().map_err(|error| file.unusable(&error))?;
            let mut desks = file.read(&folder)?;
            let result = change(&mut desks);
            desks.sort_by(|one, other| one.name.cmp(&other.name));
            let json = serde_json::to_vec_pretty(&desks).map_err(|error| file.unusable(&error))?;
            folder.replace(&file.path, &json, &file.delivery_log).map_err(|error| file.unusable(&error))?;
            Ok(result)
        })
        .await
    }

    fn open_folder(&self) -> Result<Folder, LogError> {
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let in_folder = |error| LogError::Access(format!("the folder {} cannot be opened: {error}", folder.display()));
        Folder::open(folder).map_err(in_folder)
    }

    /// The desks in the file; none without a file.
    fn read(&self, folder: &Folder) -> Result<Vec<Access>, LogError> {
        match folder.read(&self.path) {
            Ok(json) => serde_json::from_slice(&json).map_err(|error| self.unusable(&error)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(self.unusable(&error)),
        }
    }

    fn unusable(&self, error: &dyn std::fmt::Display) -> LogError {
        LogError::Access(format!("{}: {error}", self.path.display()))
    }

    async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Self) -> Result<T, LogError> + Send + 'static,
    ) -> Result<T, LogError> {
        let file = self.clone();
        let working = tokio::task::spawn_blocking(move || work(&file));
        working.await.unwrap_or_else(|error| Err(self.unusable(&error)))
    }
}

#[cfg(unix)]
use self::unix::Folder;

#[cfg(unix)]
mod unix {
    use std::fs::{File, TryLockError};
    use std::io::{self, Read as _, Write as _};
    use std::os::unix::fs::{MetadataExt as _, fchown};
    use std::path::Path;
    use std::time::{Duration, Instant};

    use rustix::fs::{AtFlags, FileType, Mode, OFlags, openat, renameat, statat, unlinkat};
    use rustix::io::Errno;
    use uuid::Uuid;

    /// The user of the folder can hold its lock; a command does not wait for that longer.
    const LOCK_TIMEOUT: Duration = Duration::from_secs(10);
    const LOCK_INTERVAL: Duration = Duration::from_millis(20);
    /// Maximum size of a list: some ten thousand desks.
    const MAX_BYTES: u64 = 8 << 20;

    /// An opened folder. What its owner does to its path changes nothing.
    pub(super) struct Folder(File);

    impl Folder {
        pub(super) fn open(path: &Path) -> io::Result<Self> {
            File::open(path).map(Self)
        }

        /// Waits until no other process has the folder locked.
        pub(super) fn lock(&mut self) -> io::Result<()> {
            let started = Instant::now();
            loop {
                match self.0.try_lock() {
                    Ok(()) => return Ok(()),
                    Err(TryLockError::WouldBlock) if started.elapsed() < LOCK_TIMEOUT => {
                        std::thread::sleep(LOCK_INTERVAL);
                    }
                    Err(TryLockError::WouldBlock) => {
                        return Err(io::Error::other("another program has locked its folder; end it, and try again"));
                    }
                    Err(TryLockError::Error(error)) => return Err(error),
                }
            }
        }

        /// The content of a file that is no link.
        pub(super) fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
            // Opening a pipe would wait for its other end.
            let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
            let file = match openat(&self.0, name(path)?, flags, Mode::empty()) {
                Err(Errno::LOOP | Errno::MLINK) => {
                    return Err(io::Error::other("this is a link; remove it, and add the desks again"));
                }
                opened => File::from(opened?),
            };
            if !file.metadata()?.is_file() {
                return Err(io::Error::other("this is not a file; remove it, and add the desks again"));
            }
            let mut content = Vec::new();
            file.take(MAX_BYTES + 1).read_to_end(&mut content)?;
            if content.len() as u64 > MAX_BYTES {
                return Err(io::Error::other("this file is too long; remove it, and add the desks again"));
            }
            Ok(content)
        }

        /// Replaces a file with one that only the owner of `delivery_log` can read, or of the folder before there is
        /// a delivery log. After a crash it has either its old or its new content.
        pub(super) fn replace(&self, path: &Path, content: &[u8], delivery_log: &Path) -> io::Result<()> {
            let (fresh, name) = (format!(".tdesk-{}", Uuid::new_v4()), name(path)?);
            let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            let mut file = File::from(openat(&self.0, &fresh, flags, Mode::RUSR | Mode::WUSR)?);
            let mut attempt = || {
                file.write_all(content)?;
                self.give_to_owner(&file, delivery_log)?;
                file.sync_all()?;
                renameat(&self.0, &fresh, &self.0, name)?;
                self.0.sync_all()
            };
            attempt().inspect_err(|_| {
                let _ = unlinkat(&self.0, &fresh, AtFlags::empty());
            })
        }

        fn give_to_owner(&self, file: &File, delivery_log: &Path) -> io::Result<()> {
            let of_log = statat(&self.0, name(delivery_log)?, AtFlags::SYMLINK_NOFOLLOW).ok();
            let of_log = of_log.filter(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile);
            let (uid, gid) = match &of_log {
                Some(stat) => (stat.st_uid, stat.st_gid),
                None => self.0.metadata().map(|folder| (folder.uid(), folder.gid()))?,
            };
            if file.metadata()?.uid() == uid {
                return Ok(());
            }
            match fchown(file, Some(uid), Some(gid)) {
                // The first start will be by the user of this command, as far as is known.
                Err(error) if error.kind() == io::ErrorKind::PermissionDenied && of_log.is_none() => Ok(()),
                Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                    let advice = "the receiver of another user could not read it; run this command as root or as \
                                  the user of the receiver";
                    Err(io::Error::new(error.kind(), advice))
                }
                given => given,
            }
        }
    }

    fn name(path: &Path) -> io::Result<&std::ffi::OsStr> {
        path.file_name().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "this is not a path of a file"))
    }
}

#[cfg(not(unix))]
use self::other::Folder;

/// Systems other than Unix keep the folder in the user's profile, which is private.
#[cfg(not(unix))]
mod other {
    use std::fs::File;
    use std::io;
    use std::path::{Path, PathBuf};

    use store::private;

    pub(super) struct Folder {
        path: PathBuf,
        _lock: Option<File>,
    }

    impl Folder {
        pub(super) fn open(path: &Path) -> io::Result<Self> {
            Ok(Self { path: path.to_owned(), _lock: None })
        }

        /// Waits until no other process has the folder locked.
        pub(super) fn lock(&mut self) -> io::Result<()> {
            let file = private::create(&self.path.join("desks.lock"))?;
            file.lock()?;
            self._lock = Some(file);
            Ok(())
        }

        pub(super) fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
            std::fs::read(path)
        }

        pub(super) fn replace(&self, path: &Path, content: &[u8], _delivery_log: &Path) -> io::Result<()> {
            store::replace_file(path, content).map_err(io::Error::other)
        }
    }
}
