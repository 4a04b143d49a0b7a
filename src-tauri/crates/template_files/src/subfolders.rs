//! The template files of folders, and of the folders below them.

use std::path::{Path, PathBuf};

use super::{FilesError, disk};

/// Maximum depth below the chosen folder.
const MAX_DEPTH: usize = 8;
/// Maximum number of folders.
const MAX_FOLDERS: usize = 1_000;

/// The template files of paths.
#[derive(Debug, Default)]
pub struct FilesOfPaths {
    /// By folder, then by name.
    pub files: Vec<PathBuf>,
    /// Number of folders that are not read: links, and those too deep or too many.
    pub folders_left_out: usize,
}

/// The files of the paths; of a folder, the `.json` files in it and in the folders below it.
///
/// # Errors
/// [`FilesError::Disk`] when a path cannot be read.
pub async fn files_of(paths: &[PathBuf]) -> Result<FilesOfPaths, FilesError> {
    let Subfolders { paths, left_out } = with_subfolders(paths).await?;
    Ok(FilesOfPaths { files: expand_paths(&paths).await?, folders_left_out: left_out })
}

/// Expands the paths: a folder is replaced by the `.json` files in it, sorted by name.
pub(crate) async fn expand_paths(paths: &[PathBuf]) -> Result<Vec<PathBuf>, FilesError> {
    let mut files = Vec::new();
    for path in paths {
        if !tokio::fs::metadata(path).await.map_err(disk(path))?.is_dir() {
            files.push(path.clone());
            continue;
        }
        let mut inside = Vec::new();
        let mut entries = tokio::fs::read_dir(path).await.map_err(disk(path))?;
        while let Some(entry) = entries.next_entry().await.map_err(disk(path))? {
            let file = entry.path();
            let is_json = file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
            if is_json && tokio::fs::metadata(&file).await.is_ok_and(|metadata| metadata.is_file()) {
                inside.push(file);
            }
        }
        inside.sort();
        files.extend(inside);
    }
    Ok(files)
}

/// Paths with the folders below them.
#[derive(Debug, Default)]
struct Subfolders {
    /// The paths, each folder followed by those below it, in the order of their names.
    paths: Vec<PathBuf>,
    /// Number of folders that are left out.
    left_out: usize,
}

/// Adds the folders below each folder. Hidden folders and `node_modules` are no folders of templates.
async fn with_subfolders(paths: &[PathBuf]) -> Result<Subfolders, FilesError> {
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
