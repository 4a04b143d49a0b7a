//! Names and paths of files for display.

use std::path::Path;

use model::visible::visible;

/// A path for display.
pub fn shown(path: &Path) -> String {
    visible(&path.to_string_lossy()).into_owned()
}

/// The name of a file for display.
pub fn shown_name(path: &Path) -> String {
    visible(&path.file_name().unwrap_or(path.as_os_str()).to_string_lossy()).into_owned()
}
