//! The media folder: files named by their SHA-256, and an index from messages to files.
//!
//! It is a cache of bounded size: the least recently used file is evicted first. Like the rest of the data folder, it
//! is not readable by other users of the machine.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, Weak};
use std::time::SystemTime;

use provider_client::{PublicFiles, Reach, Timeouts};
use serde::{Deserialize, Serialize};
use store::cache::Key;
use store::private;
use tokio::sync::{OnceCell, Semaphore, SemaphorePermit};

use super::unreadable;
use crate::context::lock;
use command_types::error::Result;
use outgoing::compute::blocking;
use outgoing::file_digest::{self, DigestWriter};

const MAX_TOTAL_BYTES: u64 = 500 * 1024 * 1024;
const MAX_CONCURRENT_DOWNLOADS: usize = 3;
/// Prefix of the names of incomplete files.
const PARTIAL_PREFIX: &str = "part-";
const INDEX_FOLDER: &str = "messages";

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct StoredMedia {
    pub(super) path: PathBuf,
    /// In hexadecimal.
    pub(super) sha256: String,
    pub(super) bytes: u64,
    /// Media type declared by the server.
    pub(super) mime: Option<String>,
}

/// The index entry of a message.
#[derive(Debug, Serialize, Deserialize)]
struct IndexEntry {
    sha256: String,
    mime: Option<String>,
}

/// A file that is being downloaded. It is removed on drop unless it was stored before.
#[derive(Debug)]
pub(super) struct PartialFile {
    path: PathBuf,
    sink: Option<DigestWriter>,
}

impl PartialFile {
    pub(super) fn sink(&mut self) -> &mut provider_client::Sink<'static> {
        self.sink.as_mut().expect("the sink is taken only when the file is stored")
    }
}

impl Drop for PartialFile {
    fn drop(&mut self) {
        // Already stored, or incomplete: a file that cannot be removed now is removed at the next start.
        drop(std::fs::remove_file(&self.path));
    }
}

#[derive(Debug)]
pub(crate) struct MediaFiles {
    root: PathBuf,
    max_bytes: u64,
    /// The folder exists and contains no incomplete files.
    ready: OnceCell<()>,
    internet: OnceLock<PublicFiles>,
    with_loopback: OnceLock<PublicFiles>,
    permits: Semaphore,
    /// Locks of files that are being looked up, by message.
    file_locks: Mutex<HashMap<String, Weak<tokio::sync::Mutex<()>>>>,
    /// Files whose content was compared with their name, with what the file system said of them then: a file is read
    /// whole once, not at each look.
    verified: Arc<Mutex<HashMap<PathBuf, FileStamp>>>,
}

/// What the file system says of a file; it differs when the file was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FileStamp {
    bytes: u64,
    modified: SystemTime,
}

impl FileStamp {
    fn of(path: &Path) -> std::io::Result<Self> {
        let metadata = std::fs::metadata(path)?;
        Ok(Self { bytes: metadata.len(), modified: metadata.modified()? })
    }
}

impl MediaFiles {
    pub(crate) fn new(data_folder: &Path) -> Self {
        Self {
            root: data_folder.join("media"),
            max_bytes: MAX_TOTAL_BYTES,
            ready: OnceCell::new(),
            internet: OnceLock::new(),
            with_loopback: OnceLock::new(),
            permits: Semaphore::new(MAX_CONCURRENT_DOWNLOADS),
            file_locks: Mutex::default(),
            verified: Arc::default(),
        }
    }

    /// The client for addresses from untrusted messages.
    pub(super) fn public(&self, reach: Reach) -> std::result::Result<&PublicFiles, provider_client::Error> {
        let cell = match reach {
            Reach::Internet => &self.internet,
            Reach::InternetAndLoopback => &self.with_loopback,
        };
        if let Some(public) = cell.get() {
            return Ok(public);
        }
        let public = PublicFiles::new(Timeouts::default(), reach)?;
        Ok(cell.get_or_init(|| public))
    }

    pub(super) async fn acquire_permit(&self) -> SemaphorePermit<'_> {
        self.permits.acquire().await.expect("the semaphore is never closed")
    }

    pub(super) fn file_lock(&self, key: &str) -> Arc<tokio::sync::Mutex<()>> {
        let mut file_locks = lock(&self.file_locks);
        if let Some(file_lock) = file_locks.get(key).and_then(Weak::upgrade) {
            return file_lock;
        }
        file_locks.retain(|_, file_lock| file_lock.strong_count() > 0);
        let file_lock = Arc::default();
        file_locks.insert(key.to_owned(), Arc::downgrade(&file_lock));
        file_lock
    }

    /// The file of a message, if it is stored and unchanged.
    pub(super) async fn find(&self, key: &str) -> Result<Option<StoredMedia>> {
        self.prepare().await?;
        let (index_entry, root, verified) = (self.index_entry(key), self.root.clone(), self.verified.clone());
        blocking(move || {
            let Ok(json) = std::fs::read(&index_entry) else { return Ok(None) };
            let Ok(IndexEntry { sha256, mime }) = serde_json::from_slice(&json) else { return Ok(None) };
            if !is_digest(&sha256) {
                return Ok(None);
            }
            let path = root.join(&sha256);
            let is_intact = FileStamp::of(&path).and_then(|stamp| {
                Ok(lock(&verified).get(&path) == Some(&stamp) || file_digest::of_file(&path)?.0 == sha256)
            });
            if !matches!(is_intact, Ok(true)) {
                lock(&verified).remove(&path);
            }
            match is_intact {
                Ok(true) => {
                    touch(&path);
                    let stamp = FileStamp::of(&path)?;
                    lock(&verified).insert(path.clone(), stamp);
                    Ok(Some(StoredMedia { path, sha256, bytes: stamp.bytes, mime }))
                }
                Ok(false) => {
                    tracing::warn!("a stored media file has changed; it is fetched again");
                    std::fs::remove_file(&path)?;
                    Ok(None)
                }
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
                Err(error) => Err(error),
            }
        })
        .await?
        .map_err(|error| unreadable(&error))
    }

    pub(super) async fn create_partial(&self) -> Result<PartialFile> {
        self.prepare().await?;
        let path = self.root.join(format!("{PARTIAL_PREFIX}{}", uuid::Uuid::new_v4().simple()));
        let file = blocking({
            let path = path.clone();
            move || private::create_new(&path)
        });
        let file = file.await?.map_err(|error| unreadable(&error))?;
        Ok(PartialFile { path, sink: Some(DigestWriter::new(tokio::fs::File::from_std(file))) })
    }

    /// Stores a completed file as that of a message, and evicts others if needed.
    pub(super) async fn store(&self, mut partial: PartialFile, key: &str, mime: Option<String>) -> Result<StoredMedia> {
        let sha256 = partial.sink.take().expect("a file is stored once").finish();
        let path = self.root.join(&sha256);
        let index_entry = IndexEntry { sha256: sha256.clone(), mime: mime.clone() };
        let (index_entry, entry_path) = (outgoing::to_json(&index_entry)?, self.index_entry(key));
        let (root, max_bytes) = (self.root.clone(), self.max_bytes);
        blocking(move || {
            let bytes = std::fs::metadata(&partial.path)?.len();
            std::fs::rename(&partial.path, &path)?;
            write_file(
                &root.join(format!("{PARTIAL_PREFIX}{}", uuid::Uuid::new_v4().simple())),
                &entry_path,
                index_entry.as_bytes(),
            )?;
            evict(&root, &sha256, max_bytes)?;
            Ok(StoredMedia { path, sha256, bytes, mime })
        })
        .await?
        .map_err(|error| unreadable(&error))
    }

    /// The index entries: each name, and the key of the message's item.
    pub(super) async fn keys(&self) -> Result<Vec<(String, Key)>> {
        self.prepare().await?;
        let folder = self.root.join(INDEX_FOLDER);
        let keys = blocking(move || {
            let names = file_names(&folder)?;
            Ok(names.into_iter().filter_map(|name| key_of(&name).map(|key| (name, key))).collect())
        });
        keys.await?.map_err(|error: std::io::Error| unreadable(&error))
    }

    /// Removes index entries, and files that no entry refers to.
    pub(super) async fn remove(&self, notes: Vec<String>) -> Result<()> {
        if notes.is_empty() {
            return Ok(());
        }
        // Acquire all permits: a file without its index entry must not be removed.
        let all = u32::try_from(MAX_CONCURRENT_DOWNLOADS).expect("a few");
        let _all_permits = self.permits.acquire_many(all).await.expect("the semaphore is never closed");
        let root = self.root.clone();
        blocking(move || {
            let folder = root.join(INDEX_FOLDER);
            for index_entry in notes {
                ignore_missing(std::fs::remove_file(folder.join(index_entry)))?;
            }
            let mut referenced = std::collections::HashSet::new();
            for index_entry in file_names(&folder)? {
                let json = std::fs::read(folder.join(index_entry))?;
                referenced
                    .extend(serde_json::from_slice::<IndexEntry>(&json).ok().map(|index_entry| index_entry.sha256));
            }
            for name in file_names(&root)? {
                if is_digest(&name) && !referenced.contains(&name) {
                    ignore_missing(std::fs::remove_file(root.join(name)))?;
                }
            }
            Ok(())
        })
        .await?
        .map_err(|error: std::io::Error| unreadable(&error))
    }

    /// Bytes of all files.
    pub(crate) async fn size(&self) -> Result<u64> {
        let root = self.root.clone();
        blocking(move || match contents(&root) {
            Ok(contents) => Ok(contents.iter().map(|file| file.bytes).sum()),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(0),
            Err(error) => Err(unreadable(&error)),
        })
        .await?
    }

    fn index_entry(&self, key: &str) -> PathBuf {
        self.root.join(INDEX_FOLDER).join(key)
    }

    /// Creates the folder, and removes incomplete files of an earlier run.
    async fn prepare(&self) -> Result<()> {
        let root = self.root.clone();
        let prepared = self.ready.get_or_try_init(|| async {
            blocking(move || {
                private::create_folder(&root.join(INDEX_FOLDER))?;
                for name in file_names(&root)?.into_iter().filter(|name| name.starts_with(PARTIAL_PREFIX)) {
                    std::fs::remove_file(root.join(name))?;
                }
                Ok(())
            })
            .await?
            .map_err(|error: std::io::Error| unreadable(&error))
        });
        prepared.await.copied()
    }
}

/// A file in the content folder.
struct ContentFile {
    name: String,
    bytes: u64,
    last_used: SystemTime,
}

fn contents(root: &Path) -> std::io::Result<Vec<ContentFile>> {
    let mut contents = Vec::new();
    for entry in std::fs::read_dir(root)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if is_digest(&name) {
            let metadata = entry.metadata()?;
            contents.push(ContentFile { name, bytes: metadata.len(), last_used: metadata.modified()? });
        }
    }
    Ok(contents)
}

/// Evicts the least recently used files, except `newest`, until the total size is at most `max_bytes`.
fn evict(root: &Path, newest: &str, max_bytes: u64) -> std::io::Result<()> {
    let mut contents = contents(root)?;
    let mut total: u64 = contents.iter().map(|file| file.bytes).sum();
    contents.retain(|file| file.name != newest);
    contents.sort_by_key(|file| file.last_used);
    for file in contents {
        if total <= max_bytes {
            break;
        }
        ignore_missing(std::fs::remove_file(root.join(&file.name)))?;
        total -= file.bytes;
    }
    Ok(())
}

/// Treats a file that was removed concurrently as removed.
fn ignore_missing(removed: std::io::Result<()>) -> std::io::Result<()> {
    match removed {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

/// Marks a file as recently used. A failure is ignored.
fn touch(path: &Path) {
    let touched = std::fs::File::options().write(true).open(path).and_then(|file| file.set_modified(SystemTime::now()));
    if let Err(error) = touched {
        tracing::debug!(%error, "the last use of a media file could not be recorded");
    }
}

fn is_digest(name: &str) -> bool {
    name.len() == 64 && name.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

fn key_of(name: &str) -> Option<Key> {
    let byte = |position: usize| u8::from_str_radix(name.get(2 * position..2 * position + 2)?, 16).ok();
    let key: Option<Vec<u8>> = (0..16).map(byte).collect();
    (name.len() == 32).then_some(key)??.try_into().ok()
}

fn file_names(folder: &Path) -> std::io::Result<Vec<String>> {
    std::fs::read_dir(folder)?
        .filter_map(|entry| match entry {
            Ok(entry) if entry.file_type().is_ok_and(|kind| kind.is_dir()) => None,
            Ok(entry) => entry.file_name().into_string().ok().map(Ok),
            Err(error) => Some(Err(error)),
        })
        .collect()
}

/// Writes a small file atomically.
fn write_file(partial: &Path, path: &Path, content: &[u8]) -> std::io::Result<()> {
    std::io::Write::write_all(&mut private::create_new(partial)?, content)?;
    std::fs::rename(partial, path)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::time::Duration;

    use tokio::io::AsyncWriteExt as _;

    use super::*;

    async fn store(files: &MediaFiles, key: &str, content: &[u8]) -> StoredMedia {
        let mut partial = files.create_partial().await.unwrap();
        partial.sink().write_all(content).await.unwrap();
        partial.sink().flush().await.unwrap();
        files.store(partial, key, Some("image/png".to_owned())).await.unwrap()
    }

    /// Sets the last use of a file to `seconds` seconds ago.
    fn set_last_used(stored: &StoredMedia, seconds: u64) {
        let file = std::fs::File::options().write(true).open(&stored.path).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(seconds)).unwrap();
    }

    #[tokio::test]
    async fn the_least_recently_used_file_is_evicted_first() {
        let folder = tempfile::tempdir().unwrap();
        let files = MediaFiles { max_bytes: 25, ..MediaFiles::new(folder.path()) };
        let old = store(&files, "a", b"0123456789").await;
        let older = store(&files, "b", b"9876543210").await;
        set_last_used(&old, 50);
        set_last_used(&older, 100);
        // After this lookup, the older file is the more recently used one.
        assert_eq!(files.find("b").await.unwrap().unwrap(), older);
        let newest = store(&files, "c", b"5555555555").await;
        assert_eq!(files.find("a").await.unwrap(), None);
        assert_eq!(files.find("b").await.unwrap().unwrap(), older);
        assert_eq!(files.find("c").await.unwrap().unwrap(), newest);
        assert_eq!(files.size().await.unwrap(), 20);
        // A file larger than the limit is kept until the next one is stored.
        let large = store(&files, "d", &[7; 100]).await;
        assert_eq!(files.find("d").await.unwrap().unwrap(), large);
        assert_eq!(files.size().await.unwrap(), 100);
    }

    #[tokio::test]
    async fn aborted_downloads_and_crashes_leave_no_partial_file() {
        let folder = tempfile::tempdir().unwrap();
        let files = MediaFiles::new(folder.path());
        let mut partial = files.create_partial().await.unwrap();
        partial.sink().write_all(b"half of").await.unwrap();
        drop(partial);
        let names = || file_names(&folder.path().join("media")).unwrap();
        assert_eq!(names(), Vec::<String>::new());
        std::fs::write(folder.path().join("media/part-of-a-crash"), "x").unwrap();
        let files = MediaFiles::new(folder.path());
        assert_eq!(files.find("a").await.unwrap(), None);
        assert_eq!(names(), Vec::<String>::new());
    }

    #[tokio::test]
    async fn invalid_index_entries_are_ignored() {
        let folder = tempfile::tempdir().unwrap();
        let files = MediaFiles::new(folder.path());
        let stored = store(&files, "0123456789abcdef0123456789abcdef", b"content").await;
        for index_entry in ["", "{}", r#"{"sha256":"../../desk.sqlite","mime":null}"#, r#"{"sha256":"","mime":null}"#] {
            std::fs::write(folder.path().join("media/messages/0123456789abcdef0123456789abcdee"), index_entry).unwrap();
            assert_eq!(files.find("0123456789abcdef0123456789abcdee").await.unwrap(), None, "{index_entry}");
        }
        std::fs::write(folder.path().join("media/messages/no key"), "x").unwrap();
        let keys = files.keys().await.unwrap();
        assert_eq!(keys.len(), 2);
        let invalid = keys.into_iter().filter(|(name, _)| name.ends_with("ee")).map(|(name, _)| name).collect();
        files.remove(invalid).await.unwrap();
        assert_eq!(files.find("0123456789abcdef0123456789abcdef").await.unwrap(), Some(stored));
        files.remove(vec!["0123456789abcdef0123456789abcdef".to_owned()]).await.unwrap();
        assert_eq!(files.size().await.unwrap(), 0);
    }
}
