//! Local files that go with a draft. The type is detected from the bytes, never from the name.

use std::fs::File;
use std::io::{BufReader, Read, Seek};
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::time::Duration;

use base64::Engine as _;
use image::{DynamicImage, ImageDecoder as _, ImageError, ImageReader, RgbImage};
use model::media::{self, Encoding};
use tokio::io::AsyncReadExt as _;
use tokio::sync::Semaphore;

use crate::file_name::shown_name;
use command_types::composer::Attachment;
use command_types::error::{DeskError, FileFault, Result};

mod encoding;
#[cfg(feature = "fuzzing")]
pub mod fuzzing;
mod mp4;
#[cfg(test)]
mod tests;

/// Bytes of a file that are read to detect its type.
const HEAD_BYTES: u64 = 4_096;
/// Longer side of a thumbnail, in pixels. Thumbnails are stored in drafts.
const THUMBNAIL_PIXELS: u32 = 320;
/// Memory limit for decoding a picture, in bytes; a picture that needs more gets no thumbnail.
const MAX_DECODE_BYTES: u64 = 256 * 1024 * 1024;
/// Pictures that have a thumbnail unless they are damaged.
const DECODED: [&str; 2] = ["image/jpeg", "image/png"];
/// Timeout for reading the properties of a chosen file.
const TIMEOUT: Duration = Duration::from_secs(6);
/// Thumbnails decoded concurrently. A decoder that exceeds [`TIMEOUT`] keeps its permit until it ends, so this also
/// limits how many bad files can occupy the machine.
static DECODE_PERMITS: Semaphore = Semaphore::const_new(2);

/// Reads name, size, type and encoding of a file, the duration of a video and a thumbnail of a picture. A picture that
/// cannot be decoded has no thumbnail; this is not an error, because the provider decides.
///
/// # Errors
/// [`DeskError::File`] when it cannot be read or is not a regular file.
pub async fn inspect(path: &Path) -> Result<Attachment> {
    let file = inspect_without_thumbnail(path).await?;
    let drawn = match Subject::of(&file.mime, file.size) {
        Some(Subject::Picture) => thumbnail_of_file(path.to_owned()).await,
        _ => Drawn::Unread,
    };
    let encoding = match drawn {
        Drawn::Damaged if DECODED.contains(&file.mime.as_str()) => {
            Some(Encoding { damaged: true, ..file.encoding.unwrap_or_default() })
        }
        _ => file.encoding,
    };
    Ok(Attachment { thumbnail: drawn.thumbnail(), encoding, ..file })
}

/// Reads a file like [`inspect`], without a thumbnail.
pub async fn inspect_without_thumbnail(path: &Path) -> Result<Attachment> {
    let (size, mime) = kind(path).await?;
    let Properties { encoding, duration_ms } = match Subject::of(mime, size) {
        Some(subject) => properties(path.to_owned(), subject).await,
        None => Properties::default(),
    };
    let (path, name) = (path.to_string_lossy().into_owned(), shown_name(path));
    Ok(Attachment { path, name, size, mime: mime.to_owned(), thumbnail: None, encoding, duration_ms })
}

fn name_of(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Size and media type of a file; the type is empty if the first bytes don't identify one.
async fn kind(path: &Path) -> Result<(u64, &'static str)> {
    let name = name_of(path);
    let failed = |error: std::io::Error| DeskError::file_io(shown_name(path), &error, error_text(&error));
    // Check first: opening a pipe would block until its other end is opened.
    let found = tokio::fs::metadata(path).await.map_err(failed)?;
    if !found.is_file() {
        let problem = found.is_dir().then_some(FileFault::IsFolder);
        let reason = "this is a folder or a device; choose a file".to_owned();
        return Err(DeskError::File { name: shown_name(path), reason, problem });
    }
    let file = tokio::fs::File::open(path).await.map_err(failed)?;
    let metadata = file.metadata().await.map_err(failed)?;
    if metadata.len() == 0 {
        let (reason, problem) = ("the file is empty; choose another".to_owned(), Some(FileFault::Empty));
        return Err(DeskError::File { name: shown_name(path), reason, problem });
    }
    let mut head = Vec::new();
    file.take(HEAD_BYTES).read_to_end(&mut head).await.map_err(failed)?;
    Ok((metadata.len(), media::of_file(whole_characters(&head), Some(&name)).unwrap_or_default()))
}

/// Removes an incomplete UTF-8 character from the end of `head`; it would make text look like binary data.
fn whole_characters(head: &[u8]) -> &[u8] {
    match std::str::from_utf8(head) {
        Err(error) if error.error_len().is_none() => &head[..error.valid_up_to()],
        _ => head,
    }
}

fn error_text(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "the file no longer exists; choose it again".to_owned(),
        std::io::ErrorKind::PermissionDenied => "access to the file is denied; check its permissions".to_owned(),
        _ => format!("the file cannot be read ({error})"),
    }
}

/// Kinds of files with properties in their bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Subject {
    Picture,
    Video,
}

impl Subject {
    fn of(mime: &str, size: u64) -> Option<Self> {
        match mime {
            // Only the index of a video is read, so the size doesn't matter.
            "video/mp4" | "video/3gpp" => Some(Self::Video),
            _ if mime.starts_with("image/") && size <= media::IMAGE_LIMIT * 4 => Some(Self::Picture),
            _ => None,
        }
    }
}

/// Properties stated in the headers of a picture or video.
#[derive(Debug, Default)]
struct Properties {
    encoding: Option<Encoding>,
    duration_ms: Option<u64>,
}

impl Properties {
    fn read(file: &mut (impl Read + Seek), subject: Subject) -> anyhow::Result<Self> {
        Ok(match subject {
            Subject::Picture => Self { encoding: Some(encoding::of_picture(file)?), duration_ms: None },
            Subject::Video => {
                let index = mp4::index(file)?;
                Self { encoding: encoding::of_video(&index), duration_ms: mp4::duration_ms(&index) }
            }
        })
    }
}

/// The properties of a file; empty if it is malformed or can't be read in time.
async fn properties(path: PathBuf, subject: Subject) -> Properties {
    let read = tokio::task::spawn_blocking(move || {
        guarded(|| Properties::read(&mut BufReader::new(File::open(path)?), subject))
    });
    let read = tokio::time::timeout(TIMEOUT, read).await;
    read.ok().and_then(|read| read.ok().flatten()).unwrap_or_default()
}

/// A thumbnail of a JPEG or PNG as a `data:` URL; `None` if it can't be decoded, or not in time.
pub async fn thumbnail_of(bytes: impl AsRef<[u8]> + Send + 'static) -> Option<String> {
    drawn(move || picture(std::io::Cursor::new(bytes))).await.thumbnail()
}

/// A thumbnail of a picture file, like [`thumbnail_of`].
async fn thumbnail_of_file(path: PathBuf) -> Drawn {
    drawn(move || picture(BufReader::new(File::open(path)?))).await
}

/// What came of decoding a picture.
enum Drawn {
    /// A JPEG.
    Thumbnail(Vec<u8>),
    /// Its bytes are not those of a whole picture.
    Damaged,
    /// It takes too much time or memory, or is in another format.
    Unread,
}

impl Drawn {
    /// The thumbnail as a `data:` URL.
    fn thumbnail(self) -> Option<String> {
        let Self::Thumbnail(jpeg) = self else { return None };
        Some(format!("data:image/jpeg;base64,{}", base64::engine::general_purpose::STANDARD.encode(jpeg)))
    }

    fn of(outcome: anyhow::Result<Vec<u8>>) -> Self {
        let error = match outcome {
            Ok(jpeg) => return Self::Thumbnail(jpeg),
            Err(error) => error,
        };
        tracing::debug!(error = format!("{error:#}"), "a picture cannot be decoded");
        match error.downcast_ref::<ImageError>() {
            Some(ImageError::Decoding(_)) => Self::Damaged,
            Some(ImageError::IoError(error)) if error.kind() == std::io::ErrorKind::UnexpectedEof => Self::Damaged,
            _ => Self::Unread,
        }
    }
}

async fn drawn(decode: impl FnOnce() -> anyhow::Result<DynamicImage> + Send + 'static) -> Drawn {
    let encoded = async {
        let permit = DECODE_PERMITS.acquire().await.ok()?;
        let encode = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            guarded(|| Ok(Drawn::of(decode().and_then(|picture| jpeg(&fitted(picture))))))
        });
        encode.await.ok()?
    };
    let Ok(drawn) = tokio::time::timeout(TIMEOUT, encoded).await else {
        tracing::debug!("the thumbnail timed out");
        return Drawn::Unread;
    };
    drawn.unwrap_or(Drawn::Unread)
}

/// Runs a decoder on untrusted bytes: errors and panics become `None`.
fn guarded<T>(decode: impl FnOnce() -> anyhow::Result<T>) -> Option<T> {
    match std::panic::catch_unwind(AssertUnwindSafe(decode)) {
        Ok(Ok(made)) => Some(made),
        Ok(Err(error)) => {
            tracing::debug!(error = format!("{error:#}"), "the properties of a file cannot be read");
            None
        }
        Err(_) => {
            tracing::warn!("the decoder of a file panicked");
            None
        }
    }
}

/// Decodes a picture and applies its EXIF orientation.
fn picture(file: impl std::io::BufRead + Seek) -> anyhow::Result<DynamicImage> {
    let mut reader = ImageReader::new(file).with_guessed_format()?;
    let mut limits = image::Limits::default();
    limits.max_alloc = Some(MAX_DECODE_BYTES);
    reader.limits(limits);
    let mut decoder = reader.into_decoder()?;
    anyhow::ensure!(decoder.total_bytes() <= MAX_DECODE_BYTES, "the picture is too large");
    let orientation = decoder.orientation()?;
    let mut picture = DynamicImage::from_decoder(decoder)?;
    picture.apply_orientation(orientation);
    Ok(picture)
}

/// Scales a picture down to the size of a thumbnail; never enlarges it.
fn fitted(picture: DynamicImage) -> RgbImage {
    let large = picture.width().max(picture.height()) > THUMBNAIL_PIXELS;
    let picture = if large { picture.thumbnail(THUMBNAIL_PIXELS, THUMBNAIL_PIXELS) } else { picture };
    if picture.color().has_alpha() { on_white(&picture.to_rgba8()) } else { picture.to_rgb8() }
}

/// Replaces transparency with white, as on the phone; a JPEG would show it black.
fn on_white(picture: &image::RgbaImage) -> RgbImage {
    RgbImage::from_fn(picture.width(), picture.height(), |x, y| {
        let [red, green, blue, alpha] = picture.get_pixel(x, y).0;
        let over = |colour: u8| 255 - u8::try_from(u16::from(255 - colour) * u16::from(alpha) / 255).unwrap_or(255);
        image::Rgb([over(red), over(green), over(blue)])
    })
}

fn jpeg(picture: &RgbImage) -> anyhow::Result<Vec<u8>> {
    let mut jpeg = Vec::new();
    image::codecs::jpeg::JpegEncoder::new_with_quality(&mut jpeg, 80).encode_image(picture)?;
    Ok(jpeg)
}
