//! Writes one template into a folder: its file and its sidecar media. Files are replaced atomically.

use std::path::{Path, PathBuf};

use model::component::UPLOAD_PENDING;
use model::template::{CreateTemplate, Template};
use tokio::io::AsyncWriteExt as _;

use super::disk::create_new;
use super::read::bytes_of;
use super::samples::Samples;
use super::sidecar_media::{MediaSlot, PARTIAL_EXTENSION, SidecarMedia, handle, media_headers};
use super::{FilesError, compare, disk, text};

/// What happened to a template's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteResult {
    New,
    Changed,
    /// It already had the same content and was not touched.
    Same,
}

#[derive(Clone, Debug)]
pub struct WrittenTemplate {
    pub path: PathBuf,
    pub became: WriteResult,
    /// Number of sidecar media files that belong to it.
    pub media: usize,
    /// Parts that could not be written, one sentence each.
    pub problems: Vec<String>,
}

/// Writes a template into its file. Without `samples` no media are fetched, and existing media stay.
///
/// A file with the same content keeps its formatting. Media files that no longer belong to the template are removed.
pub async fn write(
    path: PathBuf,
    sidecar_media: &SidecarMedia,
    samples: Option<&Samples>,
    mut create: CreateTemplate,
) -> Result<WrittenTemplate, FilesError> {
    // Anything but a regular file, such as a link to a device, may be endless; it is replaced without being read.
    let before = match tokio::fs::metadata(&path).await {
        Ok(metadata) if metadata.is_file() => Some(bytes_of(&path).await?),
        Ok(metadata) if metadata.is_dir() => return Err(disk(&path)(std::io::ErrorKind::IsADirectory.into())),
        Ok(_) => None,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        Err(error) => return Err(disk(&path)(error)),
    };
    let known = before
        .as_deref()
        .and_then(|bytes| serde_json::from_slice::<ExistingFile>(bytes).ok())
        .map(ExistingFile::into_create);
    if let Some(known) = &known {
        compare::keep_handles(&mut create.template, &known.template);
    }
    let mut written = WrittenTemplate { path, became: WriteResult::New, media: 0, problems: Vec::new() };
    written.media(&mut create.template, sidecar_media, samples).await?;
    if known.is_some_and(|known| compare::matches_creation(&known, &create)) {
        written.became = WriteResult::Same;
        return Ok(written);
    }
    let part = written.path.with_extension(format!("json.{PARTIAL_EXTENSION}"));
    write_file(&part, &written.path, text::text(&create).as_bytes()).await?;
    if before.is_some() {
        written.became = WriteResult::Changed;
    }
    Ok(written)
}

/// An existing file, which may omit `waba_ids`.
#[derive(serde::Deserialize)]
struct ExistingFile {
    #[serde(default)]
    waba_ids: Vec<model::Id>,
    #[serde(flatten)]
    template: Template,
}

impl ExistingFile {
    fn into_create(self) -> CreateTemplate {
        CreateTemplate { waba_ids: self.waba_ids, template: self.template }
    }
}

impl WrittenTemplate {
    /// Stores the samples beside the file, and sets their headers to the upload placeholder.
    async fn media(
        &mut self,
        template: &mut Template,
        sidecar_media: &SidecarMedia,
        samples: Option<&Samples>,
    ) -> Result<(), FilesError> {
        let stem = self.path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let there = sidecar_media.of(&stem);
        let mut slots = Vec::new();
        for (slot, header) in media_headers(template) {
            slots.push(slot);
            let url = handle(header).to_owned();
            if !compare::is_address(&url) {
                continue;
            }
            let name = format!("{stem}.{slot}");
            let part = self.path.with_file_name(format!("{name}.{PARTIAL_EXTENSION}"));
            let earlier = there.iter().any(|(known, _)| *known == slot);
            let fetched = match samples {
                Some(samples) => Some(samples.fetch(header, &url, &part).await),
                None => None,
            };
            match fetched {
                Some(Ok(extension)) => {
                    let path = self.path.with_file_name(format!("{name}{extension}"));
                    replace(&part, &path).await?;
                    for (_, other) in there.iter().filter(|(known, other)| *known == slot && *other != path) {
                        remove(other).await?;
                    }
                }
                Some(Err(reason)) if earlier => {
                    self.problems
                        .push(format!("The sample of its {} was not updated: {reason}.", media_file_name(slot)));
                }
                Some(Err(reason)) => {
                    self.problems
                        .push(format!("The sample of its {} could not be loaded: {reason}.", media_file_name(slot)));
                    continue;
                }
                None if !earlier => continue,
                None => {}
            }
            self.media += 1;
            header.example.get_or_insert_default().header_handle = vec![UPLOAD_PENDING.to_owned()];
        }
        for (_, path) in there.iter().filter(|(slot, _)| !slots.contains(slot)) {
            remove(path).await?;
        }
        Ok(())
    }
}

fn media_file_name(slot: MediaSlot) -> String {
    match slot {
        MediaSlot::Header => "header".to_owned(),
        MediaSlot::Card(card) => format!("card {}", card + 1),
    }
}

/// Writes to a temporary file and renames it, so that an interruption leaves no partial file.
pub(super) async fn write_file(part: &Path, path: &Path, bytes: &[u8]) -> Result<(), FilesError> {
    let write = async {
        let mut file = create_new(part).await?;
        file.write_all(bytes).await?;
        file.flush().await?;
        tokio::fs::rename(part, path).await
    };
    let written = write.await;
    if written.is_err() {
        // Ignore this error: the error of the write is the one to report.
        let _ = tokio::fs::remove_file(part).await;
    }
    written.map_err(disk(path))
}

/// Moves a fetched file to its path, unless the file there has the same bytes.
async fn replace(part: &Path, path: &Path) -> Result<(), FilesError> {
    let (new, old) = (part.to_owned(), path.to_owned());
    let same = outgoing::compute::blocking(move || {
        use outgoing::file_digest::of_file;
        old.is_file() && matches!((of_file(&new), of_file(&old)), (Ok(new), Ok(old)) if new == old)
    });
    if same.await.unwrap_or(false) {
        return remove(part).await;
    }
    tokio::fs::rename(part, path).await.map_err(disk(path))
}

async fn remove(path: &Path) -> Result<(), FilesError> {
    match tokio::fs::remove_file(path).await {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(disk(path)(error)),
        _ => Ok(()),
    }
}
