//! Files of this machine that go with a draft: what they are is read from their bytes, never from their names.

use std::path::{Path, PathBuf};

use base64::Engine as _;
use model::media;
use tokio::io::AsyncReadExt as _;

use crate::error::{DeskError, Result};
use crate::view::composer::Attachment;

/// Enough of a file to know its type.
const HEAD: u64 = 4_096;
/// Longer side of a thumbnail, in pixels.
const THUMBNAIL: u32 = 480;
/// What a picture may need while it is decoded, in bytes; more gets no thumbnail.
const DECODED: u64 = 256 * 1024 * 1024;

/// Looks at a file: name, size, type, and a thumbnail of a picture.
///
/// # Errors
/// [`DeskError::File`] when it cannot be read or is no file.
pub async fn inspect(path: &Path) -> Result<Attachment> {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let unreadable = |reason: String| DeskError::File { name: name.clone(), reason };
    let file = tokio::fs::File::open(path).await.map_err(|error| unreadable(words(&error)))?;
    let metadata = file.metadata().await.map_err(|error| unreadable(words(&error)))?;
    if !metadata.is_file() {
        return Err(unreadable("this is a folder or a device; choose a file".to_owned()));
    }
    if metadata.len() == 0 {
        return Err(unreadable("the file is empty; choose another".to_owned()));
    }
    let mut head = Vec::new();
    file.take(HEAD).read_to_end(&mut head).await.map_err(|error| unreadable(words(&error)))?;
    let mime = media::of_file(&head, Some(&name)).unwrap_or_default().to_owned();
    let thumbnail = if mime.starts_with("image/") && metadata.len() <= media::IMAGE_LIMIT * 4 {
        thumbnail(path.to_owned()).await
    } else {
        None
    };
    Ok(Attachment { path: path.to_string_lossy().into_owned(), name, size: metadata.len(), mime, thumbnail })
}

fn words(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "the file is no longer there; choose it again".to_owned(),
        std::io::ErrorKind::PermissionDenied => "the file may not be read; check its permissions".to_owned(),
        _ => format!("the file cannot be read ({error})"),
    }
}

/// A small picture as a data URL; `None` for what cannot be decoded, which is no fault here: the provider judges it.
async fn thumbnail(path: PathBuf) -> Option<String> {
    let made = tokio::task::spawn_blocking(move || -> image::ImageResult<Vec<u8>> {
        let mut reader = image::ImageReader::open(path)?.with_guessed_format()?;
        let mut limits = image::Limits::default();
        limits.max_alloc = Some(DECODED);
        reader.limits(limits);
        let small = reader.decode()?.thumbnail(THUMBNAIL, THUMBNAIL).to_rgb8();
        let mut jpeg = Vec::new();
        image::codecs::jpeg::JpegEncoder::new_with_quality(&mut jpeg, 80).encode_image(&small)?;
        Ok(jpeg)
    })
    .await;
    match made {
        Ok(Ok(jpeg)) => {
            Some(format!("data:image/jpeg;base64,{}", base64::engine::general_purpose::STANDARD.encode(jpeg)))
        }
        Ok(Err(error)) => {
            tracing::debug!(%error, "a picture has no thumbnail");
            None
        }
        Err(error) => {
            tracing::warn!(%error, "decoding a picture failed");
            None
        }
    }
}
