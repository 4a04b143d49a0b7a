//! Uploads files to the provider, streamed from disk and never held in memory.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use bytes::{Bytes, BytesMut};
use futures_util::Stream;
use reqwest::multipart::Part;
use tokio::fs::File;
use tokio::io::AsyncReadExt as _;
use tokio::sync::watch;

use crate::Error;

/// Size of a chunk, in bytes.
const CHUNK_BYTES: usize = 64 * 1024;

/// Callback with the bytes of a file that were sent, and its size.
pub type Progress = Arc<dyn Fn(u64, u64) + Send + Sync>;

/// A file, with its properties when it was chosen.
#[derive(Clone)]
pub struct Upload {
    path: PathBuf,
    file_name: String,
    content_type: String,
    length: u64,
    modified: Option<SystemTime>,
    progress: Option<Progress>,
}

impl fmt::Debug for Upload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Upload")
            .field("file_name", &self.file_name)
            .field("content_type", &self.content_type)
            .field("length", &self.length)
            .finish_non_exhaustive()
    }
}

impl Upload {
    /// Checks the file. Its content type is that of its extension.
    ///
    /// # Errors
    /// [`Error::File`] when it can't be read, is empty, or is not a regular file.
    pub async fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref().to_path_buf();
        let file_name = name_of(&path);
        let (_, length, modified) = open_file(&path, &file_name).await?;
        if length == 0 {
            return Err(Error::File { name: file_name, message: "the file is empty; choose another.".into() });
        }
        let content_type = content_type_of(&path).to_owned();
        Ok(Self { path, file_name, content_type, length, modified, progress: None })
    }

    /// Sets another content type, such as `image/jpeg`.
    #[must_use]
    pub fn with_content_type(mut self, content_type: impl Into<String>) -> Self {
        self.content_type = content_type.into();
        self
    }

    /// Sends the file under another name.
    #[must_use]
    pub fn with_file_name(mut self, name: &str) -> Self {
        self.file_name = without_control_characters(name);
        self
    }

    #[must_use]
    pub fn with_progress(mut self, progress: Progress) -> Self {
        self.progress = Some(progress);
        self
    }

    /// Length in bytes.
    #[must_use]
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Name without the folder.
    #[must_use]
    pub fn file_name(&self) -> &str {
        &self.file_name
    }

    /// Media type that is declared to the provider.
    #[must_use]
    pub fn content_type(&self) -> &str {
        &self.content_type
    }

    /// The form part that streams the file; `progress_signal` is updated with every chunk.
    pub(crate) async fn into_part(self, progress_signal: watch::Sender<u64>) -> Result<Part, Error> {
        let (file, length, modified) = open_file(&self.path, &self.file_name).await?;
        if length != self.length || modified != self.modified {
            return Err(FileChanged { name: self.file_name }.to_error());
        }
        let name = self.file_name.clone();
        let content_type = self.content_type.clone();
        let body = reqwest::Body::wrap_stream(chunks(file, self, progress_signal));
        Part::stream_with_length(body, length).file_name(name.clone()).mime_str(&content_type).map_err(|_| {
            Error::File {
                name,
                message: format!("`{content_type}` is not a media type; choose a file of a known type."),
            }
        })
    }
}

fn chunks(file: File, upload: Upload, progress_signal: watch::Sender<u64>) -> impl Stream<Item = io::Result<Bytes>> {
    let state = (file.take(upload.length), 0_u64, upload, progress_signal);
    futures_util::stream::try_unfold(state, |(mut reader, sent, upload, progress_signal)| async move {
        let changed = || io::Error::other(FileChanged { name: upload.file_name.clone() });
        if sent == upload.length {
            return Ok(None);
        }
        let mut chunk = BytesMut::with_capacity(CHUNK_BYTES);
        if reader.read_buf(&mut chunk).await? == 0 {
            return Err(changed());
        }
        let sent = sent + chunk.len() as u64;
        // Check before the last chunk is sent: a mixture of the old and the new file must not arrive complete.
        if sent == upload.length {
            let now = reader.get_ref().metadata().await?;
            if now.len() != upload.length || now.modified().ok() != upload.modified {
                return Err(changed());
            }
        }
        progress_signal.send_modify(|total| *total += chunk.len() as u64);
        if let Some(progress) = &upload.progress {
            progress(sent, upload.length);
        }
        Ok(Some((chunk.freeze(), (reader, sent, upload, progress_signal))))
    })
}

async fn open_file(path: &Path, name: &str) -> Result<(File, u64, Option<SystemTime>), Error> {
    let refuse = |message: String| Error::File { name: name.to_owned(), message };
    let explain = |error: io::Error| {
        refuse(match error.kind() {
            io::ErrorKind::NotFound => "the file no longer exists; choose it again.".to_owned(),
            io::ErrorKind::PermissionDenied => {
                "access to the file is denied; change its permissions or choose another.".to_owned()
            }
            _ => format!("the file cannot be read ({error}); choose another."),
        })
    };
    // Check first: opening a pipe would wait for a writer.
    if !tokio::fs::metadata(path).await.map_err(explain)?.is_file() {
        return Err(refuse("this is not a file; choose a file.".to_owned()));
    }
    let file = File::open(path).await.map_err(explain)?;
    let metadata = file.metadata().await.map_err(explain)?;
    Ok((file, metadata.len(), metadata.modified().ok()))
}

fn name_of(path: &Path) -> String {
    without_control_characters(&path.file_name().unwrap_or_default().to_string_lossy())
}

/// Replaces control characters in a file name: a line break would end the header.
fn without_control_characters(name: &str) -> String {
    name.chars().map(|letter| if letter.is_control() { '_' } else { letter }).collect()
}

/// The file differs from the one that was chosen.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{name} changed")]
pub(crate) struct FileChanged {
    pub(crate) name: String,
}

impl FileChanged {
    pub(crate) fn to_error(&self) -> Error {
        Error::File {
            name: self.name.clone(),
            message: "the file changed since it was chosen; choose it again.".into(),
        }
    }
}

/// Media type for the extension of the name; `application/octet-stream` if unknown (upstream §4.2).
#[must_use]
pub fn content_type_of(path: &Path) -> &'static str {
    let extension = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    match extension.as_str() {
        "jpg" | "jpeg" => "image/jpeg",
        "png" => "image/png",
        "webp" => "image/webp",
        "gif" => "image/gif",
        "mp4" | "m4v" => "video/mp4",
        "3gp" | "3gpp" => "video/3gpp",
        "pdf" => "application/pdf",
        "txt" => "text/plain",
        "doc" => "application/msword",
        "docx" => "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "xls" => "application/vnd.ms-excel",
        "xlsx" => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "ppt" => "application/vnd.ms-powerpoint",
        "pptx" => "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        _ => "application/octet-stream",
    }
}
