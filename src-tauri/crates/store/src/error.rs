//! Errors of files.

use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

/// Why a file could not be opened, read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// Another process has locked the data folder.
    #[error("Template Desk or `tdesk` is already open with the data folder {}; switch to that window, or close it", .0.display())]
    InUse(PathBuf),
    /// Another process writes the delivery log.
    #[error(
        "{} is in use by another program (Template Desk or another `tdesk receive`); stop that one, or name another file",
        .0.display()
    )]
    DeliveryLogInUse(PathBuf),
    /// The delivery log or its log was removed or replaced while it was open.
    #[error(
        "{} was removed, renamed or replaced while it was open, so deliveries cannot be stored; move it back, or restart \
         to begin a new delivery log",
        .0.display()
    )]
    DeliveryLogRemoved(PathBuf),
    /// The file was written by a newer version of the program. It has not been touched.
    #[error(
        "{} was written by a newer version (format {found}, this version knows {known}); update to open it",
        .path.display()
    )]
    Newer {
        path: PathBuf,
        found: i32,
        /// The newest format this version knows.
        known: i32,
    },
    /// The file has an older format and was opened by something that does not migrate it.
    #[error(
        "{} has format {found}, this version reads {known}; open it once with the app to bring it up to date",
        .path.display()
    )]
    Older {
        path: PathBuf,
        found: i32,
        /// The format that is read.
        known: i32,
    },
    /// The file is a database of another program.
    #[error("{} is a database of another program; choose another folder", .0.display())]
    Foreign(PathBuf),
    /// The file is damaged or no database at all.
    #[error("{} is damaged: {reason}", .path.display())]
    Damaged {
        path: PathBuf,
        /// SQLite's message.
        reason: String,
    },
    /// A file or folder could not be created, moved or locked.
    #[error("{}: {source}; {}", .path.display(), disk_advice(source))]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// The SQLite library may corrupt files that several connections write.
    #[error("the SQLite library {0} is too old to be safe; at least 3.51.3 is needed")]
    OldLibrary(&'static str),
    /// A setting that durability depends on is not in effect.
    #[error("{} could not be set up safely: {setting} is {found}, not {wanted}", .path.display())]
    Setting {
        path: PathBuf,
        setting: &'static str,
        found: String,
        /// The value it must have.
        wanted: String,
    },
    /// A `next` cursor that does not belong to any page.
    #[error("this page no longer exists; start again from the first")]
    Page,
    /// A stored value cannot be read.
    #[error("a stored value cannot be read: {0}")]
    Value(String),
    /// The file has been closed, or the statement was interrupted.
    #[error("the store is closed")]
    Closed,
    /// Any other error of SQLite.
    #[error("the database reports: {0}{advice}", advice = sqlite_advice(.0))]
    Sqlite(#[from] rusqlite::Error),
}

impl StoreError {
    /// Whether the content of the file is damaged: a cache is then rebuilt, any other file restored.
    #[must_use]
    pub fn is_damage(&self) -> bool {
        match self {
            Self::Damaged { .. } => true,
            Self::Sqlite(error) => is_damage(error),
            _ => false,
        }
    }

    /// Whether the cause is the content to write, and not the file, the disk or the program: other content may be
    /// written successfully, the same content cannot.
    #[must_use]
    pub fn is_about_content(&self) -> bool {
        use rusqlite::Error;
        match self {
            Self::Value(_) => true,
            Self::Sqlite(error) => match error.sqlite_error_code() {
                Some(code) => matches!(
                    code,
                    ErrorCode::ConstraintViolation
                        | ErrorCode::TooBig
                        | ErrorCode::TypeMismatch
                        | ErrorCode::ParameterOutOfRange
                ),
                None => matches!(
                    error,
                    Error::ToSqlConversionFailure(_)
                        | Error::FromSqlConversionFailure(..)
                        | Error::IntegralValueOutOfRange(..)
                        | Error::InvalidColumnType(..)
                        | Error::NulError(_)
                        | Error::Utf8Error(..)
                ),
            },
            _ => false,
        }
    }

    /// Whether the connection that reported it must not be trusted. After a failed fsync the kernel may have dropped
    /// the very pages it failed on: the stored content is known only after reading it again.
    pub(crate) fn breaks_connection(&self) -> bool {
        match self {
            Self::Damaged { .. } | Self::Io { .. } | Self::Closed => true,
            Self::Sqlite(error) => matches!(
                error.sqlite_error_code(),
                Some(
                    ErrorCode::SystemIoFailure
                        | ErrorCode::DatabaseCorrupt
                        | ErrorCode::NotADatabase
                        | ErrorCode::CannotOpen
                        | ErrorCode::DiskFull
                )
            ),
            _ => false,
        }
    }

    /// Whether another process has locked the file.
    pub(crate) fn is_busy(&self) -> bool {
        matches!(self, Self::Sqlite(error)
            if matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked)))
    }

    /// Adds the path to errors of SQLite that concern the file.
    pub(crate) fn at(self, path: &Path) -> Self {
        match self {
            Self::Sqlite(error) if is_damage(&error) => {
                Self::Damaged { path: path.to_owned(), reason: error.to_string() }
            }
            other => other,
        }
    }
}

/// What to do about an error of the operating system.
#[must_use]
pub fn disk_advice(error: &std::io::Error) -> &'static str {
    use std::io::ErrorKind;
    match error.kind() {
        ErrorKind::NotFound => "check that it exists",
        ErrorKind::PermissionDenied => "check that you have access",
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "free some space on the disk, then try again",
        ErrorKind::AlreadyExists | ErrorKind::NotADirectory => {
            "a file has the name of a folder that is needed; rename it, or choose another folder"
        }
        ErrorKind::IsADirectory => "it is a folder; name a file",
        ErrorKind::ReadOnlyFilesystem => "the disk is read-only; choose another folder",
        _ => "check that it exists and that you have access",
    }
}

/// What to do about an error of the disk that SQLite reports, after a semicolon.
fn sqlite_advice(error: &rusqlite::Error) -> &'static str {
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => "; free some space on the disk, then try again",
        Some(ErrorCode::SystemIoFailure) => "; check the disk and its free space, then try again",
        Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen) => "; check that the file and its folder can be written",
        _ => "",
    }
}

fn is_damage(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase))
}

#[cfg(test)]
mod tests {
    use std::io::ErrorKind;

    use super::*;

    #[test]
    fn an_error_of_the_disk_says_what_to_do() {
        for (kind, advice) in [
            (ErrorKind::ReadOnlyFilesystem, "; the disk is read-only; choose another folder"),
            (ErrorKind::StorageFull, "; free some space on the disk, then try again"),
            (ErrorKind::PermissionDenied, "; check that you have access"),
        ] {
            let shown = StoreError::Io { path: "/data/desk".into(), source: kind.into() }.to_string();
            assert!(shown.starts_with("/data/desk: ") && shown.ends_with(advice), "{shown}");
        }
        for (code, advice) in [
            (rusqlite::ffi::SQLITE_FULL, "; free some space on the disk, then try again"),
            (rusqlite::ffi::SQLITE_IOERR_SHMSIZE, "; check the disk and its free space, then try again"),
            (rusqlite::ffi::SQLITE_READONLY, "; check that the file and its folder can be written"),
        ] {
            let shown =
                StoreError::from(rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(code), None)).to_string();
            assert!(shown.ends_with(advice), "{shown}");
        }
    }
}
