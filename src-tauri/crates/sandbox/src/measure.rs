//! Measuring the media that a message links to: what is really sent counts, whatever was said about it before.

use std::time::Duration;

use bytes::Bytes;
use model::media;
use model::vocabulary::HeaderFormat;
use serde_json::Value;

use crate::http_client::describe;
use crate::runtime::Runtime;
use crate::script::{media_error, oversize};

/// How long a media link has to answer.
const MEDIA_TIMEOUT: Duration = Duration::from_secs(20);
/// How far beyond its limit a file without a declared length is read, so that the error can tell its real size.
const BEYOND: u64 = 16 * 1024 * 1024;
/// Enough of a file to know its type.
const BEGINNING: usize = 512;

/// Fetches a file as far as needed to know its size and type.
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
            // What was read is too much already, however it would have gone on.
            Err(_) if size > limit => break,
            Err(error) => return Err(unreachable(error)),
        }
        // A declared length within the limit cannot be exceeded, and needs no more than the first bytes.
        if size > limit + BEYOND || (declared.is_some() && beginning.len() >= BEGINNING) {
            break;
        }
    }
    if size > limit {
        return Err(oversize(format, size, limit));
    }
    // Refused only when something says it is of another kind: the bytes first, else what the server claims.
    let shown = media::sniff(&beginning).filter(|shown| !matches!(*shown, "text/plain" | "application/zip"));
    let claimed = content_type.as_deref().filter(|claimed| !matches!(*claimed, "" | "application/octet-stream"));
    match shown.or(claimed) {
        Some(mime_type) if !media::fits(format, mime_type) && claimed.is_none_or(|c| !media::fits(format, c)) => {
            Err(media_error(&format!("The file at {link} is {mime_type}; the header needs {wanted}.")))
        }
        _ => Ok(()),
    }
}

/// Downloads a picture that a message links to, as the phones of its recipients do; `None` where it cannot be had, or
/// is larger than the channel accepts.
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
