//! Media of messages: fetched once, verified against the announced digest, stored in the data folder, and saved on
//! request.

pub(crate) mod fetch;
pub(crate) mod held;

use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use model::event::message::InboundMedia;
use model::event::reading::read_message;
use serde_json::Value;
use store::cache::{ConversationMessage, item_key};
use tokio::io::AsyncReadExt as _;

use self::fetch::Failed;
use self::held::Held;
pub(crate) use self::held::MediaFiles;
use crate::conversations::Conversations;
use crate::parts::stamp;
use api::error::{DeskError, Result};
use api::inbox::{DigestVerdict, MediaFile, MediaFileState, MediaRequest, SavedMedia};
use requests::compute::blocking;
use requests::file_digest::{AnnouncedDigest, hex};
use requests::media_name;

/// Largest image or sticker that is sent to the window, in bytes.
const SHOWN_PICTURE: u64 = 8 * 1024 * 1024;
/// Largest audio or video that is sent to the window, in bytes.
const SHOWN_FILM: u64 = 16 * 1024 * 1024;
/// How many bytes are read to detect the media type.
const HEAD: u64 = 4_096;

/// The file that a message refers to.
struct Wanted {
    workspace: String,
    /// Identifies the message in the media folder.
    key: String,
    kind: String,
    at: i64,
    media: InboundMedia,
    announced: Option<AnnouncedDigest>,
}

/// Whether the workspace's token may be sent to fetch a file.
#[derive(Clone, Copy)]
struct TokenUse<'a> {
    /// The person requested the file: a file that is merely visible is not fetched with the token.
    asked: bool,
    /// The host that the person confirmed for it.
    confirmed: Option<&'a str>,
}

/// The result of looking a file up and fetching it.
enum Found {
    Here(Held),
    Fetched(Held),
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
        let wanted = self.wanted(&request).await?;
        let token = TokenUse { asked: request.with_token, confirmed: request.confirmed_host.as_deref() };
        let (held, cached) = match self.find(&wanted, token).await? {
            Found::Here(held) => (held, true),
            Found::Fetched(held) => (held, false),
            Found::Failed(failed) => return Ok(wanted.absent(failed)),
        };
        let mime = mime_of(&held, &wanted).await?;
        Ok(MediaFile {
            data_url: data_url(&held, &wanted.kind, &mime).await?,
            file_name: wanted.name(&mime),
            mime,
            bytes: held.bytes,
            sha256: wanted.verdict(&held),
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
        let (wanted, held) = self.had(request).await?;
        Ok(wanted.name(&mime_of(&held, &wanted).await?))
    }

    /// Writes the file of a message to `path` atomically.
    ///
    /// # Errors
    /// [`DeskError::File`] when it cannot be fetched or written; otherwise as [`Self::get_media`].
    pub async fn save_media_to(&self, path: &Path, request: &MediaRequest) -> Result<SavedMedia> {
        let (_, held) = self.had(request).await?;
        let target = path.to_owned();
        let sha256 = held.sha256.clone();
        blocking(move || copy_whole(&held, &target)).await?.map_err(|error| DeskError::File {
            name: requests::file_name::shown_name(path),
            reason: format!("it cannot be written there ({error}); choose another folder"),
        })?;
        Ok(SavedMedia { path: requests::file_name::shown(path), sha256 })
    }

    async fn had(&self, request: &MediaRequest) -> Result<(Wanted, Held)> {
        let wanted = self.wanted(request).await?;
        let token = TokenUse { asked: true, confirmed: request.confirmed_host.as_deref() };
        match self.find(&wanted, token).await? {
            Found::Here(held) | Found::Fetched(held) => Ok((wanted, held)),
            Found::Failed(Failed { state, detail, .. }) => {
                // The window has its own texts for the states; an error has its own message.
                let advice = match state {
                    MediaFileState::Expired => {
                        " Such addresses live for some minutes only, and need the workspace's token; ask the person to \
                         send the file again."
                    }
                    MediaFileState::Unreachable => " Try again in a while.",
                    MediaFileState::Refused | MediaFileState::NeedsToken | MediaFileState::Ok => "",
                };
                Err(DeskError::File { name: wanted.name(""), reason: detail + advice })
            }
        }
    }

    async fn wanted(&self, request: &MediaRequest) -> Result<Wanted> {
        let missing = || DeskError::not_found("The message");
        let event = request.event.parse().map_err(|_| missing())?;
        let message = self.0.context.cache.inbound_of(&request.workspace, event).await?.ok_or_else(missing)?;
        Wanted::of(&request.workspace, message).ok_or_else(|| DeskError::not_found("The file of this message"))
    }

    async fn find(&self, wanted: &Wanted, token: TokenUse<'_>) -> Result<Found> {
        let files = &self.0.media;
        // Concurrent requests for the same file wait for one download.
        let turn = files.turn(&wanted.key);
        let _turn = turn.lock().await;
        if let Some(held) = files.find(&wanted.key).await? {
            return Ok(Found::Here(held));
        }
        Ok(match self.fetch(wanted, token).await? {
            Ok(held) => Found::Fetched(held),
            Err(failed) => Found::Failed(failed),
        })
    }

    /// Removes files of messages that no longer exist.
    pub(crate) async fn sweep_media(&self) -> Result<()> {
        let keys = self.0.media.keys().await?;
        let known = self.0.context.cache.items_of(keys.iter().map(|(_, key)| *key).collect()).await?;
        let known: std::collections::HashSet<_> = known.into_iter().map(|row| row.key).collect();
        let gone = keys.into_iter().filter(|(_, key)| !known.contains(key)).map(|(name, _)| name).collect();
        self.0.media.remove(gone).await
    }
}

impl Wanted {
    fn of(workspace: &str, message: ConversationMessage) -> Option<Self> {
        let value: Value = serde_json::from_str(message.value.as_deref()?).ok()?;
        let media = read_message(&value).media?;
        let announced = media.sha256.as_deref().and_then(AnnouncedDigest::read);
        let key = item_key(workspace, &model::item::message_key(&message.message_id));
        Some(Self {
            workspace: workspace.to_owned(),
            key: hex(&key),
            kind: message.kind,
            at: message.at,
            media,
            announced,
        })
    }

    fn verdict(&self, held: &Held) -> DigestVerdict {
        match &self.announced {
            None => DigestVerdict::Absent,
            Some(announced) if announced.matches(&held.sha256) => DigestVerdict::Matches,
            Some(_) => DigestVerdict::Differs,
        }
    }

    fn absent(&self, failed: Failed) -> MediaFile {
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
        own.unwrap_or_else(|| format!("{}-{}{}", self.kind, stamp(self.at), media_name::extension(mime, &self.kind)))
    }
}

/// The media type detected from the bytes, else from the message, else from the server.
async fn mime_of(held: &Held, wanted: &Wanted) -> Result<String> {
    let mut head = Vec::new();
    open(&held.path).await?.take(HEAD).read_to_end(&mut head).await.map_err(|error| unreadable(&error))?;
    let shown = model::media::of_file(&head, wanted.media.filename.as_deref());
    let said = || wanted.media.mime_type.clone().filter(|mime| !mime.is_empty());
    // Bytes that look like plain text may have any text-based type.
    Ok(match shown.filter(|mime| *mime != "text/plain") {
        Some(shown) => shown.to_owned(),
        None => said().or_else(|| held.mime.clone()).or(shown.map(str::to_owned)).unwrap_or_default(),
    })
}

/// The file for the window, if it is small enough and of a type that is only displayed or played.
async fn data_url(held: &Held, kind: &str, mime: &str) -> Result<Option<String>> {
    let plain = mime.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let limit = match kind {
        "image" | "sticker" if matches!(plain.as_str(), "image/jpeg" | "image/png" | "image/webp" | "image/gif") => {
            SHOWN_PICTURE
        }
        "audio" if plain.starts_with("audio/") || plain == "video/mp4" => SHOWN_FILM,
        "video" if plain.starts_with("video/") => SHOWN_FILM,
        _ => return Ok(None),
    };
    let harmless = plain.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/.+-".contains(&byte));
    if held.bytes > limit || !harmless {
        return Ok(None);
    }
    let bytes = tokio::fs::read(&held.path).await.map_err(|error| unreadable(&error))?;
    let plain = if kind == "audio" && plain == "video/mp4" { "audio/mp4".to_owned() } else { plain };
    Ok(Some(format!("data:{plain};base64,{}", STANDARD.encode(bytes))))
}

async fn open(path: &Path) -> Result<tokio::fs::File> {
    tokio::fs::File::open(path).await.map_err(|error| unreadable(&error))
}

fn unreadable(error: &std::io::Error) -> DeskError {
    DeskError::Storage { reason: format!("a file in the folder of media cannot be used: {error}") }
}

/// Copies to a temporary file next to the target first, so that the target is never incomplete.
fn copy_whole(held: &Held, target: &Path) -> std::io::Result<()> {
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let part: PathBuf = folder.join(format!(".{}.part", uuid::Uuid::new_v4().simple()));
    let copied = (|| {
        let mut file = store::private::create_new(&part)?;
        std::io::copy(&mut std::fs::File::open(&held.path)?, &mut file)?;
        file.sync_all()?;
        drop(file);
        std::fs::rename(&part, target)
    })();
    if copied.is_err() {
        // The clean-up is best effort; the error reports the cause.
        drop(std::fs::remove_file(&part));
    }
    copied
}
