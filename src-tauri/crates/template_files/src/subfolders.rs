//! Folders below a chosen folder.

use std::path::{Path, PathBuf};

use super::{FilesError, disk};

/// Maximum depth below the chosen folder.
const MAX_DEPTH: usize = 8;
/// Maximum number of folders.
const MAX_FOLDERS: usize = 1_000;

/// Paths with the folders below them.
#[derive(Debug, Default)]
pub struct Subfolders {
    /// The paths, each folder followed by those below it, in the order of their names.
    pub paths: Vec<PathBuf>,
    /// Number of folders that are left out: links, and those too deep or too many.
    pub left_out: usize,
}

/// Adds the folders below each folder. Hidden folders and `node_modules` are no folders of templates.
///
/// # Errors
/// [`FilesError::Disk`] when a folder cannot be read.
pub async fn with_subfolders(paths: &[PathBuf]) -> Result<Subfolders, FilesError> {
    let mut all = Subfolders::default();
    for path in paths {
        let is_folder = tokio::fs::metadata(path).await.map_err(disk(path))?.is_dir();
        let mut waiting = vec![(path.clone(), if is_folder { 0 } else { MAX_DEPTH + 1 })];
        while let Some((folder, depth)) = waiting.pop() {
            if depth <= MAX_DEPTH {
                let (below, links) = folders_in(&folder).await?;
                all.left_out += links;
                let has_room = depth < MAX_DEPTH && all.paths.len() + waiting.len() + below.len() < MAX_FOLDERS;
                if has_room {
                    waiting.extend(below.into_iter().rev().map(|folder| (folder, depth + 1)));
                } else {
                    all.left_out += below.len();
                }
            }
            all.paths.push(folder);
        }
    }
    Ok(all)
}

/// The folders in a folder by name, and the number of links to others.
async fn folders_in(folder: &Path) -> Result<(Vec<PathBuf>, usize), FilesError> {
    let (mut below, mut links) = (Vec::new(), 0);
    let mut entries = tokio::fs::read_dir(folder).await.map_err(disk(folder))?;
    while let Some(entry) = entries.next_entry().await.map_err(disk(folder))? {
        let name = entry.file_name();
        if name.as_encoded_bytes().starts_with(b".") || name == "node_modules" {
            continue;
        }
        let kind = entry.file_type().await.map_err(disk(folder))?;
        if kind.is_dir() {
            below.push(entry.path());
        } else if kind.is_symlink() && tokio::fs::metadata(entry.path()).await.is_ok_and(|target| target.is_dir()) {
            links += 1;
        }
    }
    below.sort();
    Ok((below, links))
}
