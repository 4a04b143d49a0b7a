//! Media of messages: fetched once, verified against the announced digest, stored in the data folder, and saved on
//! request.

pub(crate) mod fetch;
pub(crate) mod media_files;

use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use model::event::message::InboundMedia;
use model::event::reading::read_message;
use model::event::revision::read_edited;
use serde_json::Value;
use store::cache::{ConversationMessage, item_key};
use tokio::io::AsyncReadExt as _;

use self::fetch::Failed;
pub(crate) use self::media_files::MediaFiles;
use self::media_files::StoredMedia;
use crate::conversations::Conversations;
use crate::text::file_timestamp;
use command_types::conversations::{DigestVerdict, MediaFile, MediaFileState, MediaRequest, SavedMedia};
use command_types::error::{DeskError, Missing, Result};
use outgoing::compute::blocking;
use outgoing::file_digest::{AnnouncedDigest, hex};
use outgoing::media_name;

/// Largest image or sticker that is sent to the window, in bytes.
const MAX_SHOWN_PICTURE: u64 = 8 * 1024 * 1024;
/// Largest audio or video that is sent to the window, in bytes.
const MAX_SHOWN_VIDEO: u64 = 16 * 1024 * 1024;
/// How many bytes are read to detect the media type.
const HEAD_BYTES: u64 = 4_096;

struct MessageFile {
    workspace: String,
    /// Identifies the message in the media folder.
    key: String,
    kind: String,
    at: i64,
    media: InboundMedia,
    announced_digest: Option<AnnouncedDigest>,
}

/// Whether the workspace's token may be sent to fetch a file.
#[derive(Clone, Copy)]
struct TokenUse<'a> {
    /// The person requested the file: a file that is merely visible is not fetched with the token.
    requested: bool,
    /// The host that the person confirmed for it.
    confirmed: Option<&'a str>,
}

/// The result of looking a file up and fetching it.
enum Lookup {
    Stored(StoredMedia),
    Fetched(StoredMedia),
    Failed(Failed),
}

impl Conversations {
    /// The file of a message: stored, or fetched from the provider's address or, if the person requested it, from the
    /// channel's address, which needs the workspace's token.
    ///
    /// # Errors
    /// [`DeskError::MediaHostUnconfirmed`] when the token may not be sent to the file's host yet;
    /// [`DeskError::NotFound`] when there is no such message or it has no file; [`DeskError::Storage`] when it cannot
    /// be stored. A file that cannot be fetched is reported in the result, not as an error.
    pub async fn get_media(&self, request: MediaRequest) -> Result<MediaFile> {
        let message_file = self.message_file(&request).await?;
        let token = TokenUse { requested: request.with_token, confirmed: request.confirmed_host.as_deref() };
        let (stored, cached) = match self.find(&message_file, token).await? {
            Lookup::Stored(stored) => (stored, true),
            Lookup::Fetched(stored) => (stored, false),
            Lookup::Failed(failed) => return Ok(message_file.unavailable(failed)),
        };
        let mime = mime_of(&stored, &message_file).await?;
        Ok(MediaFile {
            data_url: data_url(&stored, &message_file.kind, &mime).await?,
            file_name: message_file.name(&mime),
            mime,
            bytes: stored.bytes,
            sha256: message_file.compare_digest(&stored),
            state: MediaFileState::Ok,
            detail: None,
            cached,
            token_host: None,
        })
    }

    /// A file name for saving the file of a stored message.
    ///
    /// # Errors
    /// [`DeskError::File`] when it cannot be fetched; otherwise as [`Self::get_media`].
    pub async fn media_name(&self, request: &MediaRequest) -> Result<String> {
        let (message_file, stored) = self.require_file(request).await?;
        Ok(message_file.name(&mime_of(&stored, &message_file).await?))
    }

    /// Writes the file of a message to `path` atomically.
    ///
    /// # Errors
    /// [`DeskError::File`] when it cannot be fetched or written; otherwise as [`Self::get_media`].
    pub async fn save_media_to(&self, path: &Path, request: &MediaRequest) -> Result<SavedMedia> {
        let (_, stored) = self.require_file(request).await?;
        let target = path.to_owned();
        let sha256 = stored.sha256.clone();
        blocking(move || copy_atomically(&stored, &target)).await?.map_err(|error| {
            let reason = format!("it cannot be written there ({error}); choose another folder");
            DeskError::file_io(outgoing::file_name::shown_name(path), &error, reason)
        })?;
        Ok(SavedMedia { path: outgoing::file_name::shown(path), sha256 })
    }

    async fn require_file(&self, request: &MediaRequest) -> Result<(MessageFile, StoredMedia)> {
        let message_file = self.message_file(request).await?;
        let token = TokenUse { requested: true, confirmed: request.confirmed_host.as_deref() };
        match self.find(&message_file, token).await? {
            Lookup::Stored(stored) | Lookup::Fetched(stored) => Ok((message_file, stored)),
            Lookup::Failed(Failed { state, detail, .. }) => {
                // The window has its own texts for the states; an error has its own message.
                let advice = match state {
                    MediaFileState::Expired => {
                        " Such addresses live for some minutes only, and need the workspace's token; ask the person to \
                         send the file again."
                    }
                    MediaFileState::Unreachable => " Try again in a while.",
                    MediaFileState::Refused
                    | MediaFileState::Private
                    | MediaFileState::NeedsToken
                    | MediaFileState::Ok => "",
                };
                Err(DeskError::file(message_file.name(""), detail + advice))
            }
        }
    }

    async fn message_file(&self, request: &MediaRequest) -> Result<MessageFile> {
        let missing = || DeskError::not_found(Missing::Message);
        let event = request.event.parse().map_err(|_| missing())?;
        let message = self.0.context.cache.inbound_of(&request.workspace, event).await?.ok_or_else(missing)?;
        MessageFile::of(&request.workspace, message).ok_or_else(|| DeskError::not_found(Missing::MessageFile))
    }

    async fn find(&self, message_file: &MessageFile, token: TokenUse<'_>) -> Result<Lookup> {
        let files = &self.0.media;
        // Concurrent requests for the same file wait for one download.
        let file_lock = files.file_lock(&message_file.key);
        let _guard = file_lock.lock().await;
        if let Some(stored) = files.find(&message_file.key).await? {
            return Ok(Lookup::Stored(stored));
        }
        Ok(match self.fetch(message_file, token).await? {
            Ok(stored) => Lookup::Fetched(stored),
            Err(failed) => Lookup::Failed(failed),
        })
    }

    /// Removes files of messages that no longer exist.
    pub(crate) async fn remove_orphaned_media(&self) -> Result<()> {
        let keys = self.0.media.keys().await?;
        let known = self.0.context.cache.items_of(keys.iter().map(|(_, key)| *key).collect()).await?;
        let known: std::collections::HashSet<_> = known.into_iter().map(|(key, _)| key).collect();
        let gone = keys.into_iter().filter(|(_, key)| !known.contains(key)).map(|(name, _)| name).collect();
        self.0.media.remove(gone).await
    }
}

impl MessageFile {
    fn of(workspace: &str, message: ConversationMessage) -> Option<Self> {
        if message.deleted_at.is_some() {
            return None;
        }
        let value: Value = serde_json::from_str(message.value.as_deref()?).ok()?;
        let reading = if message.is_received { read_message(&value) } else { read_edited(None, &value) };
        let media = reading.media?;
        let announced_digest = media.sha256.as_deref().and_then(AnnouncedDigest::read);
        let key = item_key(workspace, &model::item::message_key(&message.message_id));
        Some(Self {
            workspace: workspace.to_owned(),
            key: hex(&key),
            kind: message.kind,
            at: message.at,
            media,
            announced_digest,
        })
    }

    fn compare_digest(&self, stored: &StoredMedia) -> DigestVerdict {
        match &self.announced_digest {
            None => DigestVerdict::Absent,
            Some(announced_digest) if announced_digest.matches(&stored.sha256) => DigestVerdict::Matches,
            Some(_) => DigestVerdict::Differs,
        }
    }

    fn unavailable(&self, failed: Failed) -> MediaFile {
        let mime = self.media.mime_type.clone().unwrap_or_default();
        MediaFile {
            file_name: self.name(&mime),
            mime,
            bytes: 0,
            data_url: None,
            sha256: DigestVerdict::Absent,
            state: failed.state,
            detail: Some(failed.detail).filter(|detail| !detail.is_empty()),
            cached: false,
            token_host: failed.token_host,
        }
    }

    fn name(&self, mime: &str) -> String {
        let own = self.media.filename.as_deref().and_then(media_name::cleaned);
        own.unwrap_or_else(|| {
            format!("{}-{}{}", self.kind, file_timestamp(self.at), media_name::extension(mime, &self.kind))
        })
    }
}

/// The media type detected from the bytes, else from the message, else from the server.
async fn mime_of(stored: &StoredMedia, message_file: &MessageFile) -> Result<String> {
    let mut head = Vec::new();
    open(&stored.path).await?.take(HEAD_BYTES).read_to_end(&mut head).await.map_err(|error| unreadable(&error))?;
    let shown = model::media::of_file(&head, message_file.media.filename.as_deref());
    let declared_mime = || message_file.media.mime_type.clone().filter(|mime| !mime.is_empty());
    // Bytes that look like plain text may have any text-based type.
    Ok(match shown.filter(|mime| *mime != "text/plain") {
        Some(shown) => shown.to_owned(),
        None => declared_mime().or_else(|| stored.mime.clone()).or(shown.map(str::to_owned)).unwrap_or_default(),
    })
}

/// The file for the window, if it is small enough and of a type that is only displayed or played.
async fn data_url(stored: &StoredMedia, kind: &str, mime: &str) -> Result<Option<String>> {
    let plain = mime.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let limit = match kind {
        "image" | "sticker" if matches!(plain.as_str(), "image/jpeg" | "image/png" | "image/webp" | "image/gif") => {
            MAX_SHOWN_PICTURE
        }
        "audio" if plain.starts_with("audio/") || plain == "video/mp4" => MAX_SHOWN_VIDEO,
        "video" if plain.starts_with("video/") => MAX_SHOWN_VIDEO,
        _ => return Ok(None),
    };
    let harmless = plain.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/.+-".contains(&byte));
    if stored.bytes > limit || !harmless {
        return Ok(None);
    }
    let plain = if kind == "audio" && plain == "video/mp4" { "audio/mp4".to_owned() } else { plain };
    let path = stored.path.clone();
    let encode = move || Ok(format!("data:{plain};base64,{}", STANDARD.encode(std::fs::read(path)?)));
    blocking(encode).await?.map(Some).map_err(|error: std::io::Error| unreadable(&error))
}

async fn open(path: &Path) -> Result<tokio::fs::File> {
    tokio::fs::File::open(path).await.map_err(|error| unreadable(&error))
}

fn unreadable(error: &std::io::Error) -> DeskError {
    DeskError::Storage { reason: format!("a file in the media folder cannot be used: {error}") }
}

/// Copies to a temporary file next to the target first, so that the target is never incomplete.
fn copy_atomically(stored: &StoredMedia, target: &Path) -> std::io::Result<()> {
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let partial: PathBuf = folder.join(format!(".{}.part", uuid::Uuid::new_v4().simple()));
    let copied = (|| {
        let mut file = store::private::create_new(&partial)?;
        std::io::copy(&mut std::fs::File::open(&stored.path)?, &mut file)?;
        file.sync_all()?;
        drop(file);
        std::fs::rename(&partial, target)
    })();
    if copied.is_err() {
        // The clean-up is best effort; the error reports the cause.
        drop(std::fs::remove_file(&partial));
    }
    copied
}
