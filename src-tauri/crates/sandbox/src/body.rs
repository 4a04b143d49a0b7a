//! Reads request bodies, JSON or multipart, into one object of fields and a list of files.

use axum::body::{Body, to_bytes};
use axum::extract::{FromRequest as _, Multipart, Request};
use axum::http::{StatusCode, header};
use bytes::Bytes;
use model::Object;
use serde_json::Value;

use crate::refusal::Refusal;

/// Maximum size of a JSON body: 1 MiB.
pub(crate) const JSON_LIMIT: usize = 1024 * 1024;
/// Maximum size of a multipart body: the largest document (100 MiB, upstream §4.2) plus 16 MiB for the other parts.
pub(crate) const MULTIPART_LIMIT: usize = 116 * 1024 * 1024;

/// Names of the file parts; every other part is text.
const FILE_PARTS: &[&str] = &["header_file", "pix_file", "order_file", "carousel_files", "carousel_files[]", "file"];

/// Text parts that clients may also send as a file: JSON documents (contract §4.2, §4.3).
const DOCUMENT_PARTS: &[&str] = &["components", "pix_data", "order_data"];

/// A file from a multipart body.
#[derive(Debug)]
pub(crate) struct Upload {
    pub(crate) part: String,
    pub(crate) filename: Option<String>,
    pub(crate) bytes: Bytes,
}

/// The fields and files of a request.
#[derive(Debug, Default)]
pub(crate) struct Fields {
    pub(crate) object: Object,
    pub(crate) files: Vec<Upload>,
    pub(crate) multipart: bool,
}

impl Fields {
    /// Removes and returns the one file of a part.
    pub(crate) fn take_file(&mut self, part: &str) -> Result<Option<Upload>, Refusal> {
        let mut found = None;
        for index in (0..self.files.len()).rev() {
            if self.files[index].part == part {
                let file = self.files.remove(index);
                if found.replace(file).is_some() {
                    return Err(Refusal::field(format!("/{part}"), "may be sent only once"));
                }
            }
        }
        Ok(found)
    }
}

/// Reads JSON or multipart, depending on the content type.
pub(crate) async fn fields(request: Request) -> Result<Fields, Refusal> {
    match content_type(&request).as_str() {
        "application/json" => Ok(Fields { object: json_object(request).await?, ..Fields::default() }),
        "multipart/form-data" => multipart(request).await,
        other => Err(unsupported(other, "application/json, or multipart/form-data when a file is sent")),
    }
}

/// Reads a JSON object; rejects every other content type.
pub(crate) async fn json(request: Request) -> Result<Object, Refusal> {
    match content_type(&request).as_str() {
        "application/json" => json_object(request).await,
        other => Err(unsupported(other, "application/json")),
    }
}

fn content_type(request: &Request) -> String {
    let value = request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

fn unsupported(given: &str, wanted: &str) -> Refusal {
    let given = if given.is_empty() { "is missing".to_owned() } else { format!("is `{given}`") };
    Refusal::new(
        StatusCode::UNSUPPORTED_MEDIA_TYPE,
        "Unsupported content type",
        format!("the header `Content-Type` {given}; send {wanted}"),
    )
}

async fn json_object(request: Request) -> Result<Object, Refusal> {
    let bytes = to_bytes(Body::new(request.into_body()), JSON_LIMIT).await.map_err(|error| {
        if is_too_large(&error) {
            too_large(JSON_LIMIT)
        } else {
            Refusal::new(StatusCode::BAD_REQUEST, "Body not received", format!("the body ended early: {error}"))
        }
    })?;
    match serde_json::from_slice(&bytes) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err(Refusal::new(StatusCode::BAD_REQUEST, "Invalid body", "the body must be a JSON object")),
        Err(error) => Err(Refusal::new(
            StatusCode::BAD_REQUEST,
            "Malformed JSON",
            format!("the body is not valid JSON: {error}; correct the syntax there"),
        )),
    }
}

fn is_too_large(error: &axum::Error) -> bool {
    let mut source: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(cause) = source {
        if cause.to_string().contains("length limit exceeded") {
            return true;
        }
        source = cause.source();
    }
    false
}

fn too_large(limit: usize) -> Refusal {
    Refusal::new(
        StatusCode::PAYLOAD_TOO_LARGE,
        "Body too large",
        format!("the body may have at most {limit} bytes; send less"),
    )
}

async fn multipart(request: Request) -> Result<Fields, Refusal> {
    let broken = |error: axum::extract::multipart::MultipartError| {
        if error.status() == StatusCode::PAYLOAD_TOO_LARGE {
            too_large(MULTIPART_LIMIT)
        } else {
            Refusal::new(
                StatusCode::BAD_REQUEST,
                "Malformed multipart body",
                format!("the parts could not be read: {}", error.body_text()),
            )
        }
    };
    let mut parts = Multipart::from_request(request, &())
        .await
        .map_err(|error| Refusal::new(StatusCode::BAD_REQUEST, "Malformed multipart body", error.body_text()))?;
    let mut fields = Fields { multipart: true, ..Fields::default() };
    while let Some(part) = parts.next_field().await.map_err(broken)? {
        let Some(name) = part.name().map(str::to_owned).filter(|name| !name.is_empty()) else {
            return Err(Refusal::new(
                StatusCode::BAD_REQUEST,
                "Malformed multipart body",
                "a part has no name; give each part a `name`",
            ));
        };
        let filename = part.file_name().map(str::to_owned);
        let bytes = part.bytes().await.map_err(broken)?;
        if FILE_PARTS.contains(&name.as_str()) {
            let part = if name == "carousel_files" { "carousel_files[]".to_owned() } else { name };
            fields.files.push(Upload { part, filename, bytes });
            continue;
        }
        // Otherwise a file under a wrong name would be stored as an unknown text field without an error.
        if filename.is_some() && !DOCUMENT_PARTS.contains(&name.as_str()) {
            return Err(Refusal::field(
                format!("/{name}"),
                "is no part that takes a file; files go into header_file, pix_file, order_file or carousel_files[]",
            ));
        }
        let text = String::from_utf8(bytes.to_vec())
            .map_err(|_| Refusal::field(format!("/{name}"), "must be UTF-8 text; files belong into a file part"))?;
        if fields.object.insert(name.clone(), Value::String(text)).is_some() {
            return Err(Refusal::field(format!("/{name}"), "may be sent only once"));
        }
    }
    Ok(fields)
}
