//! Measures the media that a message links to: the received size and type count, not what the sender declared.

use std::time::Duration;

use bytes::Bytes;
use model::media;
use model::vocabulary::HeaderFormat;
use serde_json::Value;

use crate::http_client::describe;
use crate::runtime::Runtime;
use crate::script::{media_error, oversize};

const MEDIA_TIMEOUT: Duration = Duration::from_secs(20);
/// Bytes to read beyond the limit when the length is not declared, so that the error can report the real size.
const BEYOND: u64 = 16 * 1024 * 1024;
/// Bytes of a file that are enough to detect its type.
const BEGINNING: usize = 512;

/// Fetches as much of a file as is needed to determine its size and type.
pub(crate) async fn measure(runtime: &Runtime, format: &HeaderFormat, link: &str) -> Result<(), Value> {
    let url = match reqwest::Url::parse(link) {
        Ok(url) if matches!(url.scheme(), "http" | "https") => url,
        _ => return Err(media_error(&format!("The media link {link} is no http or https address."))),
    };
    let unreachable = |error: reqwest::Error| {
        media_error(&format!("The media could not be downloaded from {link}: {}.", describe(&error)))
    };
    let request = runtime.media_client(&url).get(url).timeout(MEDIA_TIMEOUT);
    let mut response = request.send().await.map_err(unreachable)?;
    if !response.status().is_success() {
        let status = response.status().as_u16();
        return Err(media_error(&format!("The media could not be downloaded from {link}: it answered HTTP {status}.")));
    }
    let declared = response.content_length();
    let content_type = response
        .headers()
        .get(reqwest::header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .map(|value| value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase());
    let (limit, wanted) = media::limit_of(format);
    if let Some(size) = declared.filter(|size| *size > limit) {
        return Err(oversize(format, size, limit));
    }
    let mut size = 0_u64;
    let mut beginning = Vec::new();
    loop {
        match response.chunk().await {
            Ok(Some(chunk)) => {
                size += chunk.len() as u64;
                let missing = BEGINNING.saturating_sub(beginning.len());
                beginning.extend_from_slice(&chunk[..chunk.len().min(missing)]);
            }
            Ok(None) => break,
            // The size read so far already exceeds the limit.
            Err(_) if size > limit => break,
            Err(error) => return Err(unreachable(error)),
        }
        // A declared length within the limit can't be exceeded, so the first bytes are enough.
        if size > limit + BEYOND || (declared.is_some() && beginning.len() >= BEGINNING) {
            break;
        }
    }
    if size > limit {
        return Err(oversize(format, size, limit));
    }
    // Refused only if a type is known: the detected one, otherwise the server's `Content-Type`.
    let shown = media::sniff(&beginning).filter(|shown| !matches!(*shown, "text/plain" | "application/zip"));
    let claimed = content_type.as_deref().filter(|claimed| !matches!(*claimed, "" | "application/octet-stream"));
    match shown.or(claimed) {
        Some(mime_type) if !media::fits(format, mime_type) && claimed.is_none_or(|c| !media::fits(format, c)) => {
            Err(media_error(&format!("The file at {link} is {mime_type}; the header needs {wanted}.")))
        }
        _ => Ok(()),
    }
}

/// Downloads a picture that a message links to, as recipients' phones do; `None` if the download fails or the picture
/// exceeds the channel's limit.
pub(crate) async fn download_picture(runtime: &Runtime, link: &str) -> Option<Bytes> {
    let url = reqwest::Url::parse(link).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
    let mut response = runtime.media_client(&url).get(url).timeout(MEDIA_TIMEOUT).send().await.ok()?;
    if !response.status().is_success() {
        return None;
    }
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.ok()? {
        bytes.extend_from_slice(&chunk);
        if bytes.len() as u64 > media::IMAGE_LIMIT {
            return None;
        }
    }
    Some(bytes.into())
}
