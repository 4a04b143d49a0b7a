//! Names of files as a terminal shows them.

use std::path::Path;

/// A path with what hides in it shown.
pub(crate) fn shown(path: &Path) -> String {
    model::visible::visible(&path.to_string_lossy()).into_owned()
}
