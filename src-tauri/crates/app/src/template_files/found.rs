//! Reads templates from a text or from files, to choose those that become drafts.

use std::path::{Path, PathBuf};

use tokio::io::AsyncReadExt as _;

use crate::template_files::TemplateFiles;
use ::template_files::{FilesOfPaths, FolderMedia, Links, Read, SidecarMedia, files_of, refusal};
use command_types::composer::TextFault;
use command_types::error::{DeskError, Result};
use command_types::transfer::{ChooseTemplates, FindTemplates, FoundTemplate, FoundTemplates, UnreadableTemplate};
use outgoing::compute;
use outgoing::file_name::{shown, shown_name};
use outgoing::template_list::{self, MAX_LIST_BYTES, MAX_TEMPLATES};
use outgoing::template_text::at_start;

/// Maximum number of files that are read at once.
const MAX_FILES: usize = 2_000;

impl TemplateFiles {
    /// Reads the templates of a pasted text. Stores nothing.
    pub async fn find_templates(&self, request: FindTemplates) -> Result<FoundTemplates> {
        let FindTemplates { workspace, text, waba_ids } = request;
        let waba_ids = self.0.authoring.accounts_for_new(&workspace, &waba_ids).await?;
        if text.len() as u64 > MAX_LIST_BYTES {
            return Err(DeskError::invalid("text", "The text is larger than 16 MiB. Import it in parts."));
        }
        let read = compute::run(move || template_list::read(&text, &workspace)).await?;
        let found = read.unwrap_or_else(|fault| FoundTemplates { fault: Some(fault), ..FoundTemplates::default() });
        self.with_taken_names(FoundTemplates { waba_ids, ..found }).await
    }

    /// Adds the findings for names that are in use.
    async fn with_taken_names(&self, mut found: FoundTemplates) -> Result<FoundTemplates> {
        for FoundTemplate { draft, findings, .. } in &mut found.templates {
            let named = if draft.waba_ids.is_empty() { &found.waba_ids } else { &draft.waba_ids };
            let wabas: Vec<&String> = named.iter().collect();
            findings.extend(self.0.authoring.taken_names(&draft.workspace, &draft.template, &wabas).await?);
        }
        Ok(found)
    }

    /// Reads the templates of files, and of the `.json` files in folders, with the media next to them. Stores nothing.
    /// What cannot be read is named in the result.
    ///
    /// # Errors
    /// [`DeskError::File`] when a folder cannot be read, or when there is nothing or too much to read.
    pub async fn find_templates_in(&self, request: ChooseTemplates, paths: &[PathBuf]) -> Result<FoundTemplates> {
        let ChooseTemplates { workspace, waba_ids, .. } = request;
        let waba_ids = self.0.authoring.accounts_for_new(&workspace, &waba_ids).await?;
        let refused =
            |reason: &str| Err(DeskError::file(paths.first().map(|path| shown(path)).unwrap_or_default(), reason));
        let FilesOfPaths { files, folders_left_out } = files_of(paths).await?;
        if files.is_empty() {
            return refused("it has no .json files; choose a folder with template files");
        }
        if files.len() > MAX_FILES {
            return refused("there are more than 2,000 files; choose a folder with fewer");
        }
        let mut found = FoundTemplates { waba_ids, folders_left_out, ..FoundTemplates::default() };
        let mut media = FolderMedia::default();
        for file in files {
            let sidecar_media = media.beside(&file).await?;
            let links = if paths.contains(&file) { Links::Follow } else { Links::Refuse };
            let one = templates_of(&workspace, &file, &sidecar_media, links).await;
            let source = source_of(paths, &file);
            match one {
                Ok(mut one) => {
                    one.templates.iter_mut().for_each(|template| template.source.clone_from(&source));
                    one.unreadable.iter_mut().for_each(|unreadable| unreadable.source.clone_from(&source));
                    found.templates.append(&mut one.templates);
                    found.unreadable.append(&mut one.unreadable);
                }
                Err(reason) => {
                    found.unreadable.push(UnreadableTemplate { source, place: None, name: String::new(), reason });
                }
            }
            if found.templates.len() + found.unreadable.len() > MAX_TEMPLATES {
                return refused("there are more than 10,000 templates; import them in parts");
            }
        }
        self.with_taken_names(found).await
    }
}

/// The name of a file; its path from the chosen folder if it is in a folder below it.
fn source_of(chosen: &[PathBuf], file: &Path) -> String {
    let below = chosen.iter().find_map(|folder| file.strip_prefix(folder).ok());
    below.filter(|path| path.components().count() > 1).map_or_else(|| shown_name(file), shown)
}

/// The templates of a file, or why it cannot be read.
async fn templates_of(
    workspace: &str,
    file: &Path,
    sidecar_media: &SidecarMedia,
    links: Links,
) -> std::result::Result<FoundTemplates, TextFault> {
    if let Some(refusal) = refusal(file, links).await {
        return Err(at_start("read.link", refusal));
    }
    let text = read_text(file).await?;
    let workspace = workspace.to_owned();
    let read = compute::run(move || template_list::read(&text, &workspace)).await;
    let read = read.map_err(|error| at_start("read.failed", error.to_string()))?;
    let mut found = read?;
    for template in found.templates.iter_mut().filter(|template| template.place.is_none() && !template.is_plain_text) {
        let draft = std::mem::take(&mut template.draft);
        (template.draft, template.findings) = Read::complete_draft(draft, file.to_owned(), sidecar_media).await;
    }
    Ok(found)
}

/// The text of a file, or the reason why it cannot hold templates.
async fn read_text(path: &Path) -> std::result::Result<String, TextFault> {
    let unreadable = |error: std::io::Error| at_start("read.failed", format!("The file cannot be read ({error})."));
    let metadata = tokio::fs::metadata(path).await.map_err(unreadable)?;
    if !metadata.is_file() {
        return Err(at_start("read.folder", "This is a folder or a device. Choose a file.".to_owned()));
    }
    let mut bytes = Vec::new();
    let file = tokio::fs::File::open(path).await.map_err(unreadable)?;
    file.take(MAX_LIST_BYTES + 1).read_to_end(&mut bytes).await.map_err(unreadable)?;
    if bytes.len() as u64 > MAX_LIST_BYTES {
        return Err(at_start("read.large", "The file is larger than 16 MiB. Import it in parts.".to_owned()));
    }
    let text = String::from_utf8(bytes).ok().filter(|text| !is_binary(text));
    let message = "This is neither JSON nor text in UTF-8. Choose a JSON file or a text file.";
    text.ok_or_else(|| at_start("read.binary", message.to_owned()))
}

/// Whether a text holds what no message has: a PDF may be valid UTF-8.
fn is_binary(text: &str) -> bool {
    text.starts_with("%PDF-") || text.contains(|c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t'))
}
