//! The template files that lie in a folder, by the template they hold: people name their files as they like.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::read::bytes_of;
use super::{FilesError, disk, expanded, file_name, key};

/// Files by name and language.
#[derive(Debug, Default)]
pub(crate) struct Held(BTreeMap<(String, String), Vec<PathBuf>>);

impl Held {
    /// Reads the files of a folder. Of a folder that is not there, there are none; what holds no template is left out.
    pub(crate) async fn read(folder: &Path) -> Result<Self, FilesError> {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let mut held = Self::default();
        if !tokio::fs::try_exists(folder).await.map_err(disk(folder))? {
            return Ok(held);
        }
        for file in expanded(&[folder.to_owned()]).await? {
            let Ok(json) = model::file::json(&bytes_of(&file).await?) else { continue };
            let text = |key: &str| json.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
            if let (Some(name), Some(language)) = (text("name"), text("language")) {
                held.0.entry(key(name, language)).or_default().push(file);
            }
        }
        Ok(held)
    }

    /// Where the file of a template is, or is to be.
    pub(crate) fn path_of(&self, folder: &Path, name: &str, language: &str) -> PathBuf {
        let own = folder.join(file_name(name, language));
        match self.0.get(&key(name, language)).map(Vec::as_slice) {
            Some(paths @ [first, ..]) if !paths.contains(&own) => first.clone(),
            _ => own,
        }
    }

    /// The files of templates that are not `listed`.
    pub(crate) fn without(&self, listed: impl Fn(&(String, String)) -> bool) -> Vec<PathBuf> {
        self.0.iter().filter(|(key, _)| !listed(key)).flat_map(|(_, files)| files.clone()).collect()
    }
}
