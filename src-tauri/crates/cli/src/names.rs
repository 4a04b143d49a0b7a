//! File names for the terminal.

use std::path::Path;

/// A path with its invisible characters escaped.
pub(crate) fn shown(path: &Path) -> String {
    model::visible::visible(&path.to_string_lossy()).into_owned()
}
