//! Files of this machine that go with a draft: what they are is read from their bytes, never from their names.

use std::fs::File;
use std::io::BufReader;
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::time::Duration;

use base64::Engine as _;
use image::{DynamicImage, ImageDecoder as _, ImageReader, RgbImage};
use model::media::{self, Encoding};
use tokio::io::AsyncReadExt as _;
use tokio::sync::{Semaphore, oneshot};

use crate::file_name::shown_name;
use api::composer::Attachment;
use api::error::{DeskError, Result};

mod encoding;
#[cfg(feature = "fuzzing")]
pub mod fuzzing;
mod page;
#[cfg(test)]
mod tests;
mod video;

/// Enough of a file to know its type.
const HEAD: u64 = 4_096;
/// Longer side of a thumbnail, in pixels. Thumbnails travel inside drafts.
const THUMBNAIL: u32 = 320;
/// What a picture may need while it is decoded, in bytes; more gets no thumbnail.
const DECODED: u64 = 256 * 1024 * 1024;
/// How long the choice of a file may wait for its thumbnail.
const PATIENCE: Duration = Duration::from_secs(6);
/// Documents nest, and what reads them recurses: more stack than threads have of themselves.
const STACK: usize = 64 * 1024 * 1024;
/// Thumbnails drawn at once. One that outlasts [`PATIENCE`] keeps its place until it ends, so this also bounds how many
/// hopeless files can occupy the machine.
static DRAWING: Semaphore = Semaphore::const_new(2);

/// Looks at a file: name, size, type, and a thumbnail of a picture, of a film's first key frame or of a PDF's first
/// page. A file that cannot be drawn has no thumbnail; that is no fault here, because the provider judges it.
///
/// # Errors
/// [`DeskError::File`] when it cannot be read or is no file.
pub async fn inspect(path: &Path) -> Result<Attachment> {
    let (file, thumbnail) = tokio::join!(look(path), async {
        let (size, mime) = kind(path).await.ok()?;
        thumbnail(path.to_owned(), Subject::of(mime, size)?).await
    });
    Ok(Attachment { thumbnail, ..file? })
}

/// Looks at a file like [`inspect`], and draws nothing.
///
/// # Errors
/// [`DeskError::File`] when it cannot be read or is no file.
pub async fn look(path: &Path) -> Result<Attachment> {
    let (size, mime) = kind(path).await?;
    let encoding = match Subject::of(mime, size) {
        Some(subject) => encoding_of(path.to_owned(), subject).await,
        None => None,
    };
    let (path, name) = (path.to_string_lossy().into_owned(), shown_name(path));
    Ok(Attachment { path, name, size, mime: mime.to_owned(), thumbnail: None, encoding })
}

fn name_of(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Size and media type of a file; the type is empty where its first bytes tell none.
async fn kind(path: &Path) -> Result<(u64, &'static str)> {
    let name = name_of(path);
    let unreadable = |reason: String| DeskError::File { name: shown_name(path), reason };
    // Whoever opens a pipe waits for its other end.
    let found = tokio::fs::metadata(path).await.map_err(|error| unreadable(words(&error)))?;
    if !found.is_file() {
        return Err(unreadable("this is a folder or a device; choose a file".to_owned()));
    }
    let file = tokio::fs::File::open(path).await.map_err(|error| unreadable(words(&error)))?;
    let metadata = file.metadata().await.map_err(|error| unreadable(words(&error)))?;
    if metadata.len() == 0 {
        return Err(unreadable("the file is empty; choose another".to_owned()));
    }
    let mut head = Vec::new();
    file.take(HEAD).read_to_end(&mut head).await.map_err(|error| unreadable(words(&error)))?;
    Ok((metadata.len(), media::of_file(whole_characters(&head), Some(&name)).unwrap_or_default()))
}

/// The beginning of a file without the character that its end cuts in two, by which a text would seem to be none.
fn whole_characters(head: &[u8]) -> &[u8] {
    match std::str::from_utf8(head) {
        Err(error) if error.error_len().is_none() => &head[..error.valid_up_to()],
        _ => head,
    }
}

fn words(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "the file is no longer there; choose it again".to_owned(),
        std::io::ErrorKind::PermissionDenied => "the file may not be read; check its permissions".to_owned(),
        _ => format!("the file cannot be read ({error})"),
    }
}

/// What a thumbnail can be made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Subject {
    Picture,
    Film,
    Page,
}

impl Subject {
    fn of(mime: &str, size: u64) -> Option<Self> {
        match mime {
            // Of a film only the index and one frame are read, so its size does not matter.
            "video/mp4" | "video/3gpp" => Some(Self::Film),
            "application/pdf" if size <= page::LIMIT => Some(Self::Page),
            _ if mime.starts_with("image/") && size <= media::IMAGE_LIMIT * 4 => Some(Self::Picture),
            _ => None,
        }
    }
}

/// How a picture or a film is encoded; `None` for what does not tell, or not in time.
async fn encoding_of(path: PathBuf, subject: Subject) -> Option<Encoding> {
    let read = tokio::task::spawn_blocking(move || {
        guarded(|| {
            let mut file = BufReader::new(File::open(path)?);
            match subject {
                Subject::Picture => encoding::of_picture(&mut file),
                Subject::Film => encoding::of_film(&mut file),
                Subject::Page => anyhow::bail!("a document has no codec"),
            }
        })
    });
    tokio::time::timeout(PATIENCE, read).await.ok()?.ok().flatten()
}

/// A small picture of a JPEG or PNG as a `data:` URL; `None` for what cannot be drawn, or not in time.
pub async fn thumbnail_of(bytes: impl AsRef<[u8]> + Send + 'static) -> Option<String> {
    drawn(move || picture(std::io::Cursor::new(bytes))).await
}

/// A small picture of a file as a data URL; `None` for what cannot be drawn, or not in time.
async fn thumbnail(path: PathBuf, subject: Subject) -> Option<String> {
    drawn(move || paint(&path, subject)).await
}

async fn drawn(paint: impl FnOnce() -> anyhow::Result<DynamicImage> + Send + 'static) -> Option<String> {
    let drawn = async {
        let place = DRAWING.acquire().await.ok()?;
        let (done, drawn) = oneshot::channel();
        let thread = std::thread::Builder::new().name("thumbnail".to_owned()).stack_size(STACK);
        let started = thread.spawn(move || {
            let _place = place;
            let picture = guarded(|| jpeg(&fitted(paint()?)));
            // Nobody waits any longer when it came too late.
            let _late = done.send(picture);
        });
        if let Err(error) = started {
            tracing::warn!(%error, "no thread could be started to draw a thumbnail");
        }
        drawn.await.ok()?
    };
    let Ok(jpeg) = tokio::time::timeout(PATIENCE, drawn).await else {
        tracing::debug!("a thumbnail was not drawn in time");
        return None;
    };
    jpeg.map(|jpeg| format!("data:image/jpeg;base64,{}", base64::engine::general_purpose::STANDARD.encode(jpeg)))
}

/// Runs what decodes the bytes of others: neither its refusals nor its panics reach out.
fn guarded<T>(decode: impl FnOnce() -> anyhow::Result<T>) -> Option<T> {
    match std::panic::catch_unwind(AssertUnwindSafe(decode)) {
        Ok(Ok(made)) => Some(made),
        Ok(Err(error)) => {
            tracing::debug!(error = format!("{error:#}"), "a file does not show what it holds");
            None
        }
        Err(_) => {
            tracing::warn!("the decoder of a file panicked");
            None
        }
    }
}

fn paint(path: &Path, subject: Subject) -> anyhow::Result<DynamicImage> {
    let file = File::open(path)?;
    match subject {
        Subject::Picture => picture(BufReader::new(file)),
        Subject::Film => video::first_key_frame(&mut BufReader::new(file)),
        Subject::Page => page::first(file),
    }
}

/// A picture, turned upright as its camera noted.
fn picture(file: impl std::io::BufRead + std::io::Seek) -> anyhow::Result<DynamicImage> {
    let mut reader = ImageReader::new(file).with_guessed_format()?;
    let mut limits = image::Limits::default();
    limits.max_alloc = Some(DECODED);
    reader.limits(limits);
    let mut decoder = reader.into_decoder()?;
    anyhow::ensure!(decoder.total_bytes() <= DECODED, "the picture is too large");
    let orientation = decoder.orientation()?;
    let mut picture = DynamicImage::from_decoder(decoder)?;
    picture.apply_orientation(orientation);
    Ok(picture)
}

/// Not larger than a thumbnail, and never enlarged.
fn fitted(picture: DynamicImage) -> RgbImage {
    let large = picture.width().max(picture.height()) > THUMBNAIL;
    let picture = if large { picture.thumbnail(THUMBNAIL, THUMBNAIL) } else { picture };
    if picture.color().has_alpha() { on_white(&picture.to_rgba8()) } else { picture.to_rgb8() }
}

/// What shows through is white, as on the phone; a JPEG would leave it black.
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
