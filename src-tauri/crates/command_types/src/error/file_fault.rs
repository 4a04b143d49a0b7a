//! What is wrong with a file, as far as the window has words for it.

use std::io::ErrorKind;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Error of Windows for a file that another program has opened for itself (`ERROR_SHARING_VIOLATION`).
#[cfg(windows)]
const SHARING_VIOLATION: i32 = 32;

/// A kind of problem that the window has words for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub enum FileFault {
    NotFound,
    NoPermission,
    DiskFull,
    /// A folder where a file is needed.
    IsFolder,
    /// Another program is using it.
    InUse,
    ReadOnly,
    Empty,
    TooLarge,
    /// The channel has no messages with such a file.
    NotCarried,
    /// Bytes that are no text, such as a workbook.
    NotText,
    /// Text in another encoding than it is marked with.
    Encoding,
    /// A quote that is never closed.
    OpenQuote,
    /// A row with more cells than are read.
    TooWide,
    TooManyRows,
}

impl FileFault {
    /// The kind of an error of the system; `None` for others, which only the system's own words describe.
    #[must_use]
    pub fn of(error: &std::io::Error) -> Option<Self> {
        #[cfg(windows)]
        if error.raw_os_error() == Some(SHARING_VIOLATION) {
            return Some(Self::InUse);
        }
        Some(match error.kind() {
            ErrorKind::NotFound => Self::NotFound,
            ErrorKind::PermissionDenied => Self::NoPermission,
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => Self::DiskFull,
            ErrorKind::IsADirectory => Self::IsFolder,
            ErrorKind::ResourceBusy | ErrorKind::ExecutableFileBusy => Self::InUse,
            ErrorKind::ReadOnlyFilesystem => Self::ReadOnly,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::io::Error;

    use super::*;

    #[test]
    fn kinds_of_the_system_have_words_of_the_window() {
        for (kind, fault) in [
            (ErrorKind::NotFound, Some(FileFault::NotFound)),
            (ErrorKind::PermissionDenied, Some(FileFault::NoPermission)),
            (ErrorKind::StorageFull, Some(FileFault::DiskFull)),
            (ErrorKind::QuotaExceeded, Some(FileFault::DiskFull)),
            (ErrorKind::IsADirectory, Some(FileFault::IsFolder)),
            (ErrorKind::ResourceBusy, Some(FileFault::InUse)),
            (ErrorKind::ReadOnlyFilesystem, Some(FileFault::ReadOnly)),
            (ErrorKind::InvalidData, None),
        ] {
            assert_eq!(FileFault::of(&Error::from(kind)), fault, "{kind:?}");
        }
    }
}
