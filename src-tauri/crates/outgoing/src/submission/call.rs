//! Sends creations and edits, for drafts and for files alike.

use super::request::Request;
use command_types::composer::Attachment;
use model::vocabulary::{Category, TemplateStatus};
use provider_client::{Client, Error, TemplateFiles, Upload};
use serde_json::Value;

/// A request that the provider accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accepted {
    pub reference: String,
    pub status: u16,
    pub body: String,
}

/// Sends the request once; returns the template's reference and the answer.
pub async fn call(client: &Client, request: &Request, files: TemplateFiles) -> Result<Accepted, Error> {
    match request {
        Request::Create(create) => {
            let created = client.create_template(create).await?;
            Ok(Accepted { reference: created.uuid, status: created.http_status, body: created.body })
        }
        Request::CreateWithFiles { template, waba, .. } => {
            let created = client.create_template_with_files(template, waba, files).await?;
            Ok(Accepted { reference: created.uuid, status: created.http_status, body: created.body })
        }
        Request::Edit { reference, edit, .. } => {
            let edited = client.edit_template_with_files(reference, edit, files).await?;
            Ok(Accepted { reference: reference.clone(), status: edited.http_status, body: edited.body })
        }
    }
}

/// The files of a request, opened for the upload.
///
/// # Errors
/// [`Error::File`] when one cannot be read, or is not the file that was checked and shown.
pub async fn uploads(files: &TemplateFiles<Attachment>) -> Result<TemplateFiles, Error> {
    let mut carousel_files = Vec::with_capacity(files.carousel_files.len());
    for file in &files.carousel_files {
        carousel_files.push(upload(file).await?);
    }
    Ok(TemplateFiles {
        header_file: optional_upload(files.header_file.as_ref()).await?,
        carousel_files,
        pix_file: optional_upload(files.pix_file.as_ref()).await?,
        order_file: optional_upload(files.order_file.as_ref()).await?,
    })
}

async fn optional_upload(file: Option<&Attachment>) -> Result<Option<Upload>, Error> {
    match file {
        Some(file) => upload(file).await.map(Some),
        None => Ok(None),
    }
}

async fn upload(file: &Attachment) -> Result<Upload, Error> {
    let upload = Upload::open(&file.path).await?;
    if let Some(reason) = change_of_file(file).await {
        return Err(Error::File { name: file.name.clone(), message: format!("{reason}.") });
    }
    Ok(if file.mime.is_empty() { upload } else { upload.with_content_type(&file.mime) })
}

/// Why a file differs from the one that was chosen and checked; `None` if it is unchanged.
pub async fn change_of_file(file: &Attachment) -> Option<String> {
    match tokio::fs::metadata(&file.path).await {
        Ok(now) if now.is_file() && now.len() == file.size => None,
        Ok(_) => Some("it has changed since it was chosen; choose it again".to_owned()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            Some("it no longer exists; choose it again".to_owned())
        }
        Err(error) => Some(format!("it cannot be read ({error}); choose it again")),
    }
}

/// The status and the category in the answer to an accepted request.
#[must_use]
pub fn answered(body: Option<&str>) -> (Option<TemplateStatus>, Option<Category>) {
    let answer = answer(body).unwrap_or_default();
    let word = |field: &str| answer.get(field).and_then(Value::as_str);
    (word("status").map(TemplateStatus::from), word("category").map(Category::from))
}

/// The template object in the answer to an accepted request; unwraps `data`.
#[must_use]
pub fn answer(body: Option<&str>) -> Option<Value> {
    let mut value: Value = serde_json::from_str(body?).ok()?;
    Some(match value.get_mut("data") {
        Some(data) if data.is_object() => data.take(),
        _ => value,
    })
}
