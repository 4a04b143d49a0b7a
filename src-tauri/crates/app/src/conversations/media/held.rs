//! The media folder: files named by their SHA-256, and an index from messages to files.
//!
//! It is a cache of bounded size: the least recently used file is evicted first. Like the rest of the data folder, it
//! is not readable by other users of the machine.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, Weak};
use std::time::SystemTime;

use serde::{Deserialize, Serialize};
use service::{PublicFiles, Reach, Timeouts};
use store::cache::Key;
use store::private;
use tokio::sync::{OnceCell, Semaphore, SemaphorePermit};

use super::unreadable;
use crate::context::lock;
use api::error::Result;
use requests::compute::blocking;
use requests::file_digest::{self, DigestWriter};

/// Maximum total size of all files.
const LARGEST: u64 = 500 * 1024 * 1024;
/// Maximum number of concurrent downloads.
const AT_ONCE: usize = 3;
/// Prefix of the names of incomplete files.
const PART: &str = "part-";
/// Folder of the index.
const MESSAGES: &str = "messages";

/// A stored file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Held {
    pub(super) path: PathBuf,
    /// In hexadecimal.
    pub(super) sha256: String,
    pub(super) bytes: u64,
    /// Media type declared by the server.
    pub(super) mime: Option<String>,
}

/// The index entry of a message.
#[derive(Debug, Serialize, Deserialize)]
struct Note {
    sha256: String,
    mime: Option<String>,
}

/// A file that is being downloaded. It is removed on drop unless it was stored before.
#[derive(Debug)]
pub(super) struct Part {
    path: PathBuf,
    sink: Option<DigestWriter>,
}

impl Part {
    pub(super) fn sink(&mut self) -> &mut service::Sink<'static> {
        self.sink.as_mut().expect("it is taken when the file is kept")
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        // Already stored, or incomplete: a file that cannot be removed now is removed at the next start.
        drop(std::fs::remove_file(&self.path));
    }
}

/// The media folder.
#[derive(Debug)]
pub(crate) struct MediaFiles {
    root: PathBuf,
    most: u64,
    /// The folder exists and contains no incomplete files.
    ready: OnceCell<()>,
    internet: OnceLock<PublicFiles>,
    with_loopback: OnceLock<PublicFiles>,
    places: Semaphore,
    /// Locks of files that are being looked up, by message.
    turns: Mutex<HashMap<String, Weak<tokio::sync::Mutex<()>>>>,
}

impl MediaFiles {
    pub(crate) fn new(data_folder: &Path) -> Self {
        Self {
            root: data_folder.join("media"),
            most: LARGEST,
            ready: OnceCell::new(),
            internet: OnceLock::new(),
            with_loopback: OnceLock::new(),
            places: Semaphore::new(AT_ONCE),
            turns: Mutex::default(),
        }
    }

    /// The client for addresses from untrusted messages.
    pub(super) fn public(&self, reach: Reach) -> std::result::Result<&PublicFiles, service::Error> {
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

    /// Acquires a download permit.
    pub(super) async fn place(&self) -> SemaphorePermit<'_> {
        self.places.acquire().await.expect("it is never closed")
    }

    /// The lock of a message's file.
    pub(super) fn turn(&self, key: &str) -> Arc<tokio::sync::Mutex<()>> {
        let mut turns = lock(&self.turns);
        if let Some(turn) = turns.get(key).and_then(Weak::upgrade) {
            return turn;
        }
        turns.retain(|_, turn| turn.strong_count() > 0);
        let turn = Arc::default();
        turns.insert(key.to_owned(), Arc::downgrade(&turn));
        turn
    }

    /// The file of a message, if it is stored and unchanged.
    pub(super) async fn find(&self, key: &str) -> Result<Option<Held>> {
        self.prepare().await?;
        let (note, root) = (self.note(key), self.root.clone());
        blocking(move || {
            let Ok(json) = std::fs::read(&note) else { return Ok(None) };
            let Ok(Note { sha256, mime }) = serde_json::from_slice(&json) else { return Ok(None) };
            if !is_digest(&sha256) {
                return Ok(None);
            }
            let path = root.join(&sha256);
            match file_digest::of_file(&path) {
                Ok((found, bytes)) if found == sha256 => {
                    touch(&path);
                    Ok(Some(Held { path, sha256, bytes, mime }))
                }
                Ok(_) => {
                    tracing::warn!("a file of a message is not what it was and is fetched again");
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

    /// Creates an incomplete file.
    pub(super) async fn begin(&self) -> Result<Part> {
        self.prepare().await?;
        let path = self.root.join(format!("{PART}{}", uuid::Uuid::new_v4().simple()));
        let file = blocking({
            let path = path.clone();
            move || private::create_new(&path)
        });
        let file = file.await?.map_err(|error| unreadable(&error))?;
        Ok(Part { path, sink: Some(DigestWriter::new(tokio::fs::File::from_std(file))) })
    }

    /// Stores a completed file as that of a message, and evicts others if needed.
    pub(super) async fn keep(&self, mut part: Part, key: &str, mime: Option<String>) -> Result<Held> {
        let sha256 = part.sink.take().expect("it is kept once").finish();
        let path = self.root.join(&sha256);
        let note = Note { sha256: sha256.clone(), mime: mime.clone() };
        let (note, place) = (crate::parts::to_json(&note)?, self.note(key));
        let (root, most) = (self.root.clone(), self.most);
        blocking(move || {
            let bytes = std::fs::metadata(&part.path)?.len();
            std::fs::rename(&part.path, &path)?;
            write_file(&root.join(format!("{PART}{}", uuid::Uuid::new_v4().simple())), &place, note.as_bytes())?;
            make_room(&root, &sha256, most)?;
            Ok(Held { path, sha256, bytes, mime })
        })
        .await?
        .map_err(|error| unreadable(&error))
    }

    /// The index entries: each name, and the key of the message's item.
    pub(super) async fn keys(&self) -> Result<Vec<(String, Key)>> {
        self.prepare().await?;
        let folder = self.root.join(MESSAGES);
        let keys = blocking(move || {
            let names = names_in(&folder)?;
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
        let all = u32::try_from(AT_ONCE).expect("a few");
        let _alone = self.places.acquire_many(all).await.expect("it is never closed");
        let root = self.root.clone();
        blocking(move || {
            let folder = root.join(MESSAGES);
            for note in notes {
                gone(std::fs::remove_file(folder.join(note)))?;
            }
            let mut named = std::collections::HashSet::new();
            for note in names_in(&folder)? {
                let json = std::fs::read(folder.join(note))?;
                named.extend(serde_json::from_slice::<Note>(&json).ok().map(|note| note.sha256));
            }
            for name in names_in(&root)? {
                if is_digest(&name) && !named.contains(&name) {
                    gone(std::fs::remove_file(root.join(name)))?;
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

    fn note(&self, key: &str) -> PathBuf {
        self.root.join(MESSAGES).join(key)
    }

    /// Creates the folder, and removes incomplete files of an earlier run.
    async fn prepare(&self) -> Result<()> {
        let root = self.root.clone();
        let prepared = self.ready.get_or_try_init(|| async {
            blocking(move || {
                private::create_folder(&root.join(MESSAGES))?;
                for name in names_in(&root)?.into_iter().filter(|name| name.starts_with(PART)) {
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
struct Content {
    name: String,
    bytes: u64,
    used: SystemTime,
}

fn contents(root: &Path) -> std::io::Result<Vec<Content>> {
    let mut contents = Vec::new();
    for entry in std::fs::read_dir(root)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if is_digest(&name) {
            let metadata = entry.metadata()?;
            contents.push(Content { name, bytes: metadata.len(), used: metadata.modified()? });
        }
    }
    Ok(contents)
}

/// Evicts the least recently used files, except `newest`, until the total size is at most `most`.
fn make_room(root: &Path, newest: &str, most: u64) -> std::io::Result<()> {
    let mut contents = contents(root)?;
    let mut total: u64 = contents.iter().map(|file| file.bytes).sum();
    contents.retain(|file| file.name != newest);
    contents.sort_by_key(|file| file.used);
    for file in contents {
        if total <= most {
            break;
        }
        gone(std::fs::remove_file(root.join(&file.name)))?;
        total -= file.bytes;
    }
    Ok(())
}

/// Treats a file that was removed concurrently as removed.
fn gone(removed: std::io::Result<()>) -> std::io::Result<()> {
    match removed {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

/// Marks a file as recently used. A failure is ignored.
fn touch(path: &Path) {
    let touched = std::fs::File::options().write(true).open(path).and_then(|file| file.set_modified(SystemTime::now()));
    if let Err(error) = touched {
        tracing::debug!(%error, "it cannot be noted that a file was looked at");
    }
}

fn is_digest(name: &str) -> bool {
    name.len() == 64 && name.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

fn key_of(name: &str) -> Option<Key> {
    let byte = |place: usize| u8::from_str_radix(name.get(2 * place..2 * place + 2)?, 16).ok();
    let key: Option<Vec<u8>> = (0..16).map(byte).collect();
    (name.len() == 32).then_some(key)??.try_into().ok()
}

fn names_in(folder: &Path) -> std::io::Result<Vec<String>> {
    std::fs::read_dir(folder)?
        .filter_map(|entry| match entry {
            Ok(entry) if entry.file_type().is_ok_and(|kind| kind.is_dir()) => None,
            Ok(entry) => entry.file_name().into_string().ok().map(Ok),
            Err(error) => Some(Err(error)),
        })
        .collect()
}

/// Writes a small file atomically.
fn write_file(part: &Path, path: &Path, content: &[u8]) -> std::io::Result<()> {
    std::io::Write::write_all(&mut private::create_new(part)?, content)?;
    std::fs::rename(part, path)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::time::Duration;

    use tokio::io::AsyncWriteExt as _;

    use super::*;

    /// Stores a file for a message.
    async fn keep(files: &MediaFiles, key: &str, content: &[u8]) -> Held {
        let mut part = files.begin().await.unwrap();
        part.sink().write_all(content).await.unwrap();
        part.sink().flush().await.unwrap();
        files.keep(part, key, Some("image/png".to_owned())).await.unwrap()
    }

    /// Sets the last use of a file to `seconds` seconds ago.
    fn age(held: &Held, seconds: u64) {
        let file = std::fs::File::options().write(true).open(&held.path).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(seconds)).unwrap();
    }

    #[tokio::test]
    async fn what_was_not_looked_at_for_the_longest_time_goes_first() {
        let folder = tempfile::tempdir().unwrap();
        let files = MediaFiles { most: 25, ..MediaFiles::new(folder.path()) };
        let old = keep(&files, "a", b"0123456789").await;
        let older = keep(&files, "b", b"9876543210").await;
        age(&old, 50);
        age(&older, 100);
        // After this lookup, the older file is the more recently used one.
        assert_eq!(files.find("b").await.unwrap().unwrap(), older);
        let newest = keep(&files, "c", b"5555555555").await;
        assert_eq!(files.find("a").await.unwrap(), None);
        assert_eq!(files.find("b").await.unwrap().unwrap(), older);
        assert_eq!(files.find("c").await.unwrap().unwrap(), newest);
        assert_eq!(files.size().await.unwrap(), 20);
        // A file larger than the limit is kept until the next one is stored.
        let large = keep(&files, "d", &[7; 100]).await;
        assert_eq!(files.find("d").await.unwrap().unwrap(), large);
        assert_eq!(files.size().await.unwrap(), 100);
    }

    #[tokio::test]
    async fn what_is_given_up_leaves_nothing_and_neither_does_a_crash() {
        let folder = tempfile::tempdir().unwrap();
        let files = MediaFiles::new(folder.path());
        let mut part = files.begin().await.unwrap();
        part.sink().write_all(b"half of").await.unwrap();
        drop(part);
        let names = || names_in(&folder.path().join("media")).unwrap();
        assert_eq!(names(), Vec::<String>::new());
        std::fs::write(folder.path().join("media/part-of-a-crash"), "x").unwrap();
        let files = MediaFiles::new(folder.path());
        assert_eq!(files.find("a").await.unwrap(), None);
        assert_eq!(names(), Vec::<String>::new());
    }

    #[tokio::test]
    async fn notes_that_lie_lead_nowhere() {
        let folder = tempfile::tempdir().unwrap();
        let files = MediaFiles::new(folder.path());
        let held = keep(&files, "0123456789abcdef0123456789abcdef", b"content").await;
        for note in ["", "{}", r#"{"sha256":"../../desk.sqlite","mime":null}"#, r#"{"sha256":"","mime":null}"#] {
            std::fs::write(folder.path().join("media/messages/0123456789abcdef0123456789abcdee"), note).unwrap();
            assert_eq!(files.find("0123456789abcdef0123456789abcdee").await.unwrap(), None, "{note}");
        }
        std::fs::write(folder.path().join("media/messages/no key"), "x").unwrap();
        let keys = files.keys().await.unwrap();
        assert_eq!(keys.len(), 2);
        let lying = keys.into_iter().filter(|(name, _)| name.ends_with("ee")).map(|(name, _)| name).collect();
        files.remove(lying).await.unwrap();
        assert_eq!(files.find("0123456789abcdef0123456789abcdef").await.unwrap(), Some(held));
        files.remove(vec!["0123456789abcdef0123456789abcdef".to_owned()]).await.unwrap();
        assert_eq!(files.size().await.unwrap(), 0);
    }
}
