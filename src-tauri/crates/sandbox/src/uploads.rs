//! Files of a template: checked against their header, stored, and returned as download URLs.
//!
//! A stored file has a handle like those of the channel's uploads. In responses the handle is replaced by a URL
//! (upstream §1.3); when an edit sends that URL back, it is resolved to the handle.

use std::sync::Arc;

use model::component::Component;
use model::media;
use model::vocabulary::HeaderFormat;

use crate::body::{Fields, Upload};
use crate::content::{MediaHeader, card_headers, media_header};
use crate::refusal::Refusal;
use crate::runtime::Runtime;
use crate::state::Media;

const HANDLE: &str = "4::sandbox-";
const ADDRESS: &str = "/sandbox/public/";

/// Stores the files of a request and puts their handles into the media headers of `components`.
pub(crate) async fn attach(
    runtime: &Arc<Runtime>,
    components: &mut [Component],
    fields: &mut Fields,
) -> Result<(), Refusal> {
    let header_file = fields.take_file("header_file")?;
    match (media_header(components), header_file) {
        (Some(mut header), Some(file)) => fill(runtime, &mut header, file).await?,
        (Some(mut header), None) => require_handle(runtime, &mut header, "header_file")?,
        (None, Some(_)) => {
            return Err(Refusal::field(
                "/header_file",
                "belongs to no header; `components` needs a HEADER with the format IMAGE, VIDEO or DOCUMENT",
            ));
        }
        (None, None) => {}
    }

    let (mut cards, rest) =
        std::mem::take(&mut fields.files).into_iter().partition::<Vec<_>, _>(|file| file.part == "carousel_files[]");
    fields.files = rest;
    cards.reverse();
    // Files are assigned to the cards that await one, in order; if no card does, to all cards in order.
    let none_awaits = !card_headers(components).iter().any(MediaHeader::awaits_file);
    for mut header in card_headers(components) {
        let takes_file = header.awaits_file() || none_awaits;
        match if takes_file { cards.pop() } else { None } {
            Some(file) => fill(runtime, &mut header, file).await?,
            None => require_handle(runtime, &mut header, "carousel_files[]")?,
        }
    }
    if !cards.is_empty() {
        return Err(Refusal::field(
            "/carousel_files[]",
            "holds more files than there are cards that await one; send one file for each such card",
        ));
    }
    Ok(())
}

async fn fill(runtime: &Arc<Runtime>, header: &mut MediaHeader<'_>, file: Upload) -> Result<(), Refusal> {
    let handle = store(runtime, &header.header.format, file).await?;
    header.set_handle(handle);
    Ok(())
}

fn require_handle(runtime: &Runtime, header: &mut MediaHeader<'_>, part: &str) -> Result<(), Refusal> {
    let path = format!("{}/example/header_handle", header.path);
    if header.awaits_file() {
        return Err(Refusal::field(
            format!("{path}/0"),
            format!("is `UPLOAD_PENDING`, but the request has no `{part}`; send the file in a multipart body"),
        ));
    }
    let minimal = runtime.read(|state| state.settings.is_minimal());
    // The contract requires no sample (§2.2).
    if header.handle().is_none() && !minimal {
        return Err(Refusal::field(
            path,
            format!("is required: a media header needs the handle of a sample, or a `{part}` in a multipart body"),
        ));
    }
    Ok(())
}

/// Replaces the download URLs of stored files by their handles. Other addresses are no samples.
pub(crate) fn resolve(runtime: &Runtime, components: &mut [Component]) {
    let resolve_one = |header: &mut MediaHeader<'_>| {
        if let Some(own) = header.handle().and_then(|handle| own_handle(runtime, handle)) {
            header.set_handle(own);
        }
    };
    media_header(components).iter_mut().for_each(resolve_one);
    card_headers(components).iter_mut().for_each(resolve_one);
}

/// The handle of a URL that this sandbox returned.
fn own_handle(runtime: &Runtime, handle: &str) -> Option<String> {
    let id = handle.strip_prefix(&runtime.address(ADDRESS))?;
    runtime.read(|state| state.media.contains_key(id)).then(|| format!("{HANDLE}{id}"))
}

/// Stores a file that must match a header format, and returns its handle.
pub(crate) async fn store(runtime: &Arc<Runtime>, format: &HeaderFormat, file: Upload) -> Result<String, Refusal> {
    let path = format!("/{}", file.part);
    let (limit, wanted) = media::limit_of(format);
    let size = file.bytes.len() as u64;
    if size == 0 {
        return Err(Refusal::field(path, "is an empty file"));
    }
    let mime_type = media::of_file(&file.bytes, file.filename.as_deref());
    match mime_type {
        Some(mime_type) if media::fits(format, mime_type) => {}
        other => {
            let is = other.unwrap_or("of a type the channel does not carry");
            return Err(Refusal::field(
                path,
                format!("is {is}, but the header's format is {format}, which needs {wanted}"),
            ));
        }
    }
    if size > limit {
        return Err(Refusal::field(path, format!("has {size} bytes; a header of format {format} may have {limit}")));
    }
    keep(runtime, file, mime_type.unwrap_or("application/octet-stream")).await
}

/// Stores a file for `pix_data` or `order_data`, for which the contract names no types.
pub(crate) async fn store_any(runtime: &Arc<Runtime>, file: Upload) -> Result<String, Refusal> {
    if file.bytes.is_empty() {
        return Err(Refusal::field(format!("/{}", file.part), "is an empty file"));
    }
    let mime_type = media::of_file(&file.bytes, file.filename.as_deref()).unwrap_or("application/octet-stream");
    keep(runtime, file, mime_type).await
}

async fn keep(runtime: &Arc<Runtime>, file: Upload, mime_type: &str) -> Result<String, Refusal> {
    let media = Media::new(mime_type, file.filename, file.bytes.len() as u64);
    let id = runtime.store_file(file.bytes, media).await.map_err(Refusal::unstored)?;
    Ok(format!("{HANDLE}{id}"))
}

/// Replaces the handles of stored files by download URLs.
pub(crate) fn show(runtime: &Runtime, components: &mut [Component]) {
    if let Some(mut header) = media_header(components) {
        show_one(runtime, &mut header);
    }
    for mut header in card_headers(components) {
        show_one(runtime, &mut header);
    }
}

fn show_one(runtime: &Runtime, header: &mut MediaHeader<'_>) {
    if let Some(address) = header.handle().and_then(|handle| address_of(runtime, handle)) {
        header.set_handle(address);
    }
}

/// The download URL of a stored file, by its handle.
pub(crate) fn address_of(runtime: &Runtime, handle: &str) -> Option<String> {
    handle.strip_prefix(HANDLE).map(|id| runtime.address(&format!("{ADDRESS}{id}")))
}

/// The handle of a stored file, by its identifier.
pub(crate) fn handle_of(id: &str) -> String {
    format!("{HANDLE}{id}")
}
