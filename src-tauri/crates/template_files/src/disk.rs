//! Files that are written into folders of other people.

use std::path::Path;

use tokio::fs::File;

/// A file that was not there. What an earlier run left behind goes; a link that somebody has put there is not followed:
/// folders of templates come from elsewhere, and what is written must stay in them.
pub(super) async fn fresh(path: &Path) -> std::io::Result<File> {
    match tokio::fs::remove_file(path).await {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    File::options().write(true).create_new(true).open(path).await
}
