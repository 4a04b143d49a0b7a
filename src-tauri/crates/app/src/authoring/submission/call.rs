//! A request on its way: the one place from which creations and edits leave, for drafts and for files alike.

use service::{Client, Error, TemplateFiles, Upload};
use store::desk::Answer;

use super::plan::Request;
use crate::parts::accepted;
use api::composer::Attachment;

/// Makes the call, once, and gives the template's reference and the answer.
///
/// # Errors
/// [`Error`]: whether it may have been carried out all the same, the error knows.
pub(crate) async fn call(client: &Client, request: &Request, files: TemplateFiles) -> Result<(String, Answer), Error> {
    match request {
        Request::Create(create) => {
            let created = client.create_template(create).await?;
            Ok((created.uuid, accepted(created.http_status, created.body)))
        }
        Request::CreateWithFiles { template, waba, .. } => {
            let created = client.create_template_with_files(template, waba, files).await?;
            Ok((created.uuid, accepted(created.http_status, created.body)))
        }
        Request::Edit { reference, edit, .. } => {
            let edited = client.edit_template_with_files(reference, edit, files).await?;
            Ok((reference.clone(), accepted(edited.http_status, edited.body)))
        }
    }
}

/// The files of a request, ready to be sent.
///
/// # Errors
/// [`Error::File`] when one cannot be read, or is not what was judged and shown.
pub(crate) async fn uploads(files: &TemplateFiles<Attachment>) -> Result<TemplateFiles, Error> {
    let mut carousel_files = Vec::with_capacity(files.carousel_files.len());
    for file in &files.carousel_files {
        carousel_files.push(upload(file).await?);
    }
    Ok(TemplateFiles {
        header_file: maybe(files.header_file.as_ref()).await?,
        carousel_files,
        pix_file: maybe(files.pix_file.as_ref()).await?,
        order_file: maybe(files.order_file.as_ref()).await?,
    })
}

async fn maybe(file: Option<&Attachment>) -> Result<Option<Upload>, Error> {
    match file {
        Some(file) => upload(file).await.map(Some),
        None => Ok(None),
    }
}

async fn upload(file: &Attachment) -> Result<Upload, Error> {
    let upload = Upload::open(&file.path).await?;
    if let Some(reason) = unusable(file).await {
        return Err(Error::File { name: file.name.clone(), message: format!("{reason}.") });
    }
    Ok(if file.mime.is_empty() { upload } else { upload.with_content_type(&file.mime) })
}

/// Why a file is no longer what was chosen and judged; `None` while it is.
pub(super) async fn unusable(file: &Attachment) -> Option<String> {
    match tokio::fs::metadata(&file.path).await {
        Ok(now) if now.is_file() && now.len() == file.size => None,
        Ok(_) => Some("it has changed since it was chosen; choose it again".to_owned()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            Some("it is no longer there; choose it again".to_owned())
        }
        Err(error) => Some(format!("it cannot be read ({error}); choose it again")),
    }
}
