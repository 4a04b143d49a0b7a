//! Creates files in folders that other people control.

use std::path::Path;

use tokio::fs::File;

/// Creates a new file. A leftover file of an earlier run is removed. A symbolic link at the path is not followed:
/// template folders come from untrusted sources, and writes must stay inside them.
pub(super) async fn create_new(path: &Path) -> std::io::Result<File> {
    match tokio::fs::remove_file(path).await {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    File::options().write(true).create_new(true).open(path).await
}
