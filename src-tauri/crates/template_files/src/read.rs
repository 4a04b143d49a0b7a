//! Reads a template's file and its sidecar media as a snapshot.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use model::finding::{Finding, Severity};
use model::lint::{LintContext, lint_json, lint_with, phone_button_findings};
use model::template::Template;
use model::visible::visible;
use ring::digest::{SHA256, digest};
use serde_json::Value;

use super::sidecar_media::{MediaSlot, SidecarMedia, expected_files};
use super::{FilesError, disk};
use command_types::composer::{Attachment, Draft};
use outgoing::attachment;
use outgoing::compute;
use outgoing::compute::blocking;
use outgoing::file_digest as sha256;
use outgoing::file_name::{shown, shown_name};
use outgoing::inspection::draft_findings;
use outgoing::recipient::is_whole_number;
use outgoing::submission::facts;
use outgoing::template_text::MAX_TEXT_BYTES;

/// How to handle a symbolic link that leads out of its folder. Template folders come from untrusted sources, and such a
/// link can lead to any file on this machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Links {
    /// The link blocks the file.
    Refuse,
    /// The target of the link is read and sent.
    Follow,
}

/// Fields that an edit can clear (contract §4.3).
const CLEARABLE_FIELDS: [&str; 4] = ["sub_category", "parameter_format", "pix_data", "order_data"];

/// A template file that was read.
#[derive(Clone, Debug, Default)]
pub struct Read {
    pub(super) file: PathBuf,
    /// SHA-256 of the file's bytes.
    digest: Vec<u8>,
    /// The template; empty if it cannot be read.
    pub template: Template,
    /// Fields that the file sets to `null`: an edit clears them. Fields that it doesn't name stay unchanged.
    pub(super) cleared: Vec<&'static str>,
    /// WABAs that the file names.
    pub(super) wabas: Vec<String>,
    /// Media for the headers that expect a file.
    pub(super) media: Vec<MediaFile>,
    /// Reasons why the file can't be used for any action, one sentence each.
    pub(super) faults: Vec<String>,
    /// Why its media can't be sent.
    pub(super) missing: Option<String>,
    /// Findings of the rules.
    pub(super) findings: Vec<Finding>,
}

/// A file that goes with a template.
#[derive(Clone, Debug)]
pub(crate) struct MediaFile {
    pub(super) slot: MediaSlot,
    pub(super) file: Attachment,
    /// SHA-256 in hex; set for media to be sent.
    digest: Option<String>,
}

impl Read {
    /// A media file with unknown properties.
    pub(super) fn of(file: PathBuf) -> Self {
        Self { file, ..Self::default() }
    }

    /// Reads a file, and its media among `sidecar_media`. If a link out of the folder is refused, its target is not read.
    ///
    /// # Errors
    /// [`FilesError::Disk`] when the file cannot be read. Problems in the content are reported as faults and findings.
    pub async fn file(file: PathBuf, sidecar_media: &SidecarMedia, links: Links) -> Result<Self, FilesError> {
        if let Some(refusal) = refusal(&file, links).await {
            return Ok(Self { faults: vec![refusal], ..Self::of(file) });
        }
        let bytes = bytes_of(&file).await?;
        let mut read = Self { digest: digest(&SHA256, &bytes).as_ref().to_vec(), file, ..Self::default() };
        if bytes.len() as u64 > MAX_TEXT_BYTES {
            read.faults.push("The file is larger than 1 MiB, which is too large for a template.".to_owned());
            return Ok(read);
        }
        let json: Value = match model::file::json(&bytes) {
            Ok(json) => json,
            Err(error) => {
                read.faults.push(format!("Invalid JSON: {error}."));
                return Ok(read);
            }
        };
        read.wabas = wabas_of(&json);
        read.cleared =
            CLEARABLE_FIELDS.into_iter().filter(|field| json.get(field).is_some_and(Value::is_null)).collect();
        let inspected = compute::run(move || {
            let findings = lint_json(&json);
            (json, findings)
        });
        let mut content = match inspected.await {
            Ok((json, findings)) => {
                read.findings = findings;
                json
            }
            Err(error) => {
                read.faults.push(error.to_string());
                return Ok(read);
            }
        };
        if let Value::Object(fields) = &mut content {
            fields.shift_remove("waba_ids");
        }
        match model::json::read::<Template>(&content) {
            Ok(template) => read.template = template,
            Err(error) => {
                if read.findings.iter().all(|finding| finding.severity != Severity::Error) {
                    read.faults.push(format!("The file is not a template: {error}."));
                }
                return Ok(read);
            }
        }
        read.find_sidecar_media(sidecar_media, links).await;
        Ok(read)
    }

    /// Assigns the media to the headers that expect a file, and lints the template with them.
    async fn find_sidecar_media(&mut self, sidecar_media: &SidecarMedia, links: Links) {
        let stem = self.file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let candidates = sidecar_media.of(&stem);
        let stem = visible(&stem);
        let expected_files = expected_files(&self.template);
        let cards: Vec<&PathBuf> =
            candidates.iter().filter(|(slot, _)| *slot != MediaSlot::Header).map(|(_, path)| path).collect();
        let (mut waiting_cards, mut by_name) = (0, true);
        for card in expected_files.iter().filter(|slot| **slot != MediaSlot::Header) {
            waiting_cards += 1;
            by_name &= candidates.iter().any(|(known, _)| known == card);
        }
        let mut in_order = cards.iter();
        for slot in expected_files {
            let mut of_slot = candidates.iter().filter(|(known, _)| *known == slot).map(|(_, path)| path);
            let (named, other) = (of_slot.next(), of_slot.next());
            if let (Some(one), Some(other)) = (named, other) {
                // A merge kept the replacement files of two people.
                let [one, other] = [one, other].map(|path| shown_name(path));
                let message = || format!("Only one of {one} and {other} can be used. Remove the other one.");
                self.missing.get_or_insert_with(message);
                continue;
            }
            let path = match slot {
                // The card numbers don't match, but the counts do: assign in order.
                MediaSlot::Card(_) if !by_name && cards.len() == waiting_cards => in_order.next().copied(),
                _ => named,
            };
            let Some(path) = path else {
                self.missing.get_or_insert_with(|| match slot {
                    MediaSlot::Header => format!(
                        "The header needs a file. Add one with a name like {stem}.header.png to the same folder."
                    ),
                    MediaSlot::Card(_) => format!(
                        "{waiting_cards} cards need a file and {} files were found; name them {stem}.card0.png, \
                         {stem}.card1.png and so on.",
                        cards.len()
                    ),
                });
                continue;
            };
            if let Some(refusal) = refusal(path, links).await {
                self.missing.get_or_insert(refusal);
                continue;
            }
            match attachment::inspect_without_thumbnail(path).await {
                Ok(file) => self.media.push(MediaFile { slot, file, digest: None }),
                Err(error) => self.missing = self.missing.take().or(Some(error.to_string())),
            }
        }
        // Skip findings that were already reported for the text.
        let mut more = lint_with(&self.template, &self.context());
        more.extend(phone_button_findings(&self.template, is_whole_number));
        let key = |finding: &Finding| (finding.code, finding.path.clone(), finding.message.clone());
        let known: HashSet<_> = self.findings.iter().map(key).collect();
        self.findings.extend(more.into_iter().filter(|finding| !known.contains(&key(finding))));
    }

    /// The draft of a template file that was read, with the media next to the file, and its findings.
    pub async fn complete_draft(draft: Draft, file: PathBuf, sidecar_media: &SidecarMedia) -> (Draft, Vec<Finding>) {
        let mut read = Self { file, template: draft.template.clone(), ..Self::default() };
        read.find_sidecar_media(sidecar_media, Links::Refuse).await;
        let mut draft = draft;
        for MediaFile { slot, file, .. } in read.media {
            let drawn = attachment::inspect(Path::new(&file.path)).await.unwrap_or_else(|_| file.clone());
            slot.attach(&mut draft, Attachment { thumbnail: drawn.thumbnail, encoding: drawn.encoding, ..file });
        }
        let findings = draft_findings(&draft, None);
        (draft, findings)
    }

    fn context(&self) -> LintContext {
        let header = self.media.iter().find(|media_file| media_file.slot == MediaSlot::Header);
        let mut card_files = Vec::new();
        for media_file in &self.media {
            if let MediaSlot::Card(card) = media_file.slot {
                card_files.resize(card, None);
                card_files.push(Some(facts(&media_file.file)));
            }
        }
        LintContext {
            files_known: header.is_some(),
            header_file: header.map(|media_file| facts(&media_file.file)),
            card_files,
        }
    }

    /// Records the digests of the media to be sent.
    pub async fn record_digests(&mut self) -> Result<(), FilesError> {
        for media_file in &mut self.media {
            media_file.digest = Some(digest_of(Path::new(&media_file.file.path)).await?);
        }
        Ok(())
    }

    /// Notes about media files that are symbolic links.
    pub(super) async fn links(&self) -> Vec<String> {
        let mut links = Vec::new();
        for media_file in &self.media {
            let path = Path::new(&media_file.file.path);
            let is_link = tokio::fs::symlink_metadata(path).await.is_ok_and(|metadata| metadata.is_symlink());
            if is_link && let Ok(target) = tokio::fs::canonicalize(path).await {
                let (name, target) = (&media_file.file.name, shown(&target));
                links.push(format!("{name} is a link to {target}; the linked file is used."));
            }
        }
        links
    }

    /// Names of the file and of its media, each with its SHA-256 in hex.
    pub(super) fn digests(&self) -> Vec<(String, String)> {
        let file = (shown_name(&self.file), sha256::hex(&self.digest));
        let media = self
            .media
            .iter()
            .map(|media_file| (media_file.file.name.clone(), media_file.digest.clone().unwrap_or_default()));
        std::iter::once(file).chain(media).collect()
    }

    /// Why the files differ from those that were read; `None` if they are unchanged.
    pub async fn change_reason(&self) -> Option<String> {
        let change_reason = |name: &str| Some(format!("{name} has changed since the check. Check again."));
        let name = shown_name(&self.file);
        match bytes_of(&self.file).await {
            Err(error) => return Some(error.to_string()),
            Ok(bytes) if digest(&SHA256, &bytes).as_ref() != self.digest => return change_reason(&name),
            Ok(_) => {}
        }
        for media_file in &self.media {
            match digest_of(Path::new(&media_file.file.path)).await {
                Err(error) => return Some(error.to_string()),
                Ok(now) if media_file.digest.as_ref() != Some(&now) => return change_reason(&media_file.file.name),
                Ok(_) => {}
            }
        }
        None
    }
}

/// The bytes of a file. Of an oversized file, enough to detect that it is too large.
pub(super) async fn bytes_of(file: &Path) -> Result<Vec<u8>, FilesError> {
    use tokio::io::AsyncReadExt as _;
    let mut bytes = Vec::new();
    let open = tokio::fs::File::open(file).await.map_err(disk(file))?;
    open.take(MAX_TEXT_BYTES + 1).read_to_end(&mut bytes).await.map_err(disk(file))?;
    Ok(bytes)
}

async fn digest_of(file: &Path) -> Result<String, FilesError> {
    let path = file.to_owned();
    let read = blocking(move || sha256::of_file(&path)).await;
    let read = read.unwrap_or_else(|error| Err(std::io::Error::other(error.to_string())));
    read.map(|(digest, _)| digest).map_err(disk(file))
}

/// Why a file must not be read; `None` if it may be. Links within the folder are followed.
pub async fn refusal(file: &Path, links: Links) -> Option<String> {
    if links == Links::Follow {
        return None;
    }
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // A path that cannot be resolved fails later, when it is read.
    let folder = tokio::fs::canonicalize(folder).await.ok()?;
    let target = tokio::fs::canonicalize(file).await.ok()?;
    let leaves_folder = !target.starts_with(&folder);
    leaves_folder.then(|| {
        format!(
            "{} is a link that leaves the folder, to {}. Replace it with the file itself, or use --follow-links in tdesk.",
            shown_name(file),
            shown(&target)
        )
    })
}

/// The WABAs that the template's JSON names.
pub(super) fn wabas_of(json: &Value) -> Vec<String> {
    match json.get("waba_ids") {
        Some(Value::Array(ids)) => ids.iter().filter_map(waba).collect(),
        Some(id) => waba(id).into_iter().collect(),
        None => Vec::new(),
    }
}

fn waba(id: &Value) -> Option<String> {
    match id {
        Value::Number(number) => Some(number.to_string()),
        Value::String(text) => Some(text.clone()),
        _ => None,
    }
}
