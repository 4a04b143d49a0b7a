//! The files of a folder that hold what the channel has approved, as the last pull wrote them.
//!
//! They are listed in [`FILE`], in the format of `sha256sum`. A file that was edited since has another digest.

use std::collections::BTreeMap;
use std::path::Path;

use super::read::bytes_of;
use super::write::write_file;
use super::{FilesError, disk};
use outgoing::file_digest as sha256;
use outgoing::file_name::shown_name;

/// Name of the list in a folder of template files.
const FILE: &str = ".tdesk-approved";

/// The digests of the approved files of a folder, by the names of the files.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Approved(BTreeMap<String, String>);

impl Approved {
    /// Reads the list of a folder. A missing list is empty, and lines in another format are ignored: they would only
    /// make notes of findings.
    pub async fn read(folder: &Path) -> Result<Self, FilesError> {
        let path = folder.join(FILE);
        // A link in a folder from others can lead to a device, which may be endless.
        match tokio::fs::symlink_metadata(&path).await {
            Ok(metadata) if metadata.is_file() => {}
            Ok(_) => return Ok(Self::default()),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Self::default()),
            Err(error) => return Err(disk(&path)(error)),
        }
        let text = tokio::fs::read_to_string(&path).await.map_err(disk(&path))?;
        let entry = |line: &str| line.split_once("  ").map(|(digest, name)| (name.to_owned(), digest.to_owned()));
        Ok(Self(text.lines().filter_map(entry).collect()))
    }

    /// Whether the channel has approved exactly these bytes of a file.
    #[must_use]
    pub fn has(&self, file: &Path, bytes: &[u8]) -> bool {
        self.0.get(&shown_name(file)).is_some_and(|digest| *digest == sha256::of(bytes))
    }

    /// Records a file as it is now: approved, or not.
    pub(super) async fn record(&mut self, file: &Path, is_approved: bool) -> Result<(), FilesError> {
        let name = shown_name(file);
        if is_approved {
            self.0.insert(name, sha256::of(&bytes_of(file).await?));
        } else {
            self.0.remove(&name);
        }
        Ok(())
    }

    /// Writes the list, if it differs from `before`.
    pub(super) async fn write(&self, folder: &Path, before: &Self) -> Result<(), FilesError> {
        if self == before {
            return Ok(());
        }
        let path = folder.join(FILE);
        let text: String = self.0.iter().map(|(name, digest)| format!("{digest}  {name}\n")).collect();
        write_file(&path.with_extension("part"), &path, text.as_bytes()).await
    }
}
