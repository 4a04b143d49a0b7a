//! Sidecar media of a template's file: `a.en.header.png` and `a.en.card0.mp4` for `a.en.json`.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use model::component::{Component, Header, UPLOAD_PENDING};
use model::template::Template;

use super::{FilesError, disk};
use command_types::composer::{Attachment, Draft};

/// Extension of a file that is not complete yet.
pub(super) const PARTIAL_EXTENSION: &str = "part";

/// Where a sample file is used in a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MediaSlot {
    Header,
    /// The header of a card.
    Card(usize),
}

impl MediaSlot {
    fn read(word: &str) -> Option<Self> {
        if word == "header" {
            return Some(Self::Header);
        }
        let digits = word.strip_prefix("card").filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))?;
        digits.parse().ok().map(Self::Card)
    }

    /// Puts a file to this place of a draft.
    pub(super) fn attach(self, draft: &mut Draft, file: Attachment) {
        match self {
            Self::Header => draft.header_file = Some(file),
            Self::Card(card) => {
                draft.card_files.resize(draft.card_files.len().max(card + 1), None);
                draft.card_files[card] = Some(file);
            }
        }
    }
}

impl std::fmt::Display for MediaSlot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Header => f.write_str("header"),
            Self::Card(card) => write!(f, "card{card}"),
        }
    }
}

/// The media files of a folder, by the stem of their template file.
#[derive(Debug, Default)]
pub struct SidecarMedia(HashMap<String, Vec<(MediaSlot, PathBuf)>>);

impl SidecarMedia {
    /// Reads the names in a folder. A missing folder is empty.
    pub async fn read(folder: &Path) -> Result<Self, FilesError> {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let mut sidecar_media = Self::default();
        let mut entries = match tokio::fs::read_dir(folder).await {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(sidecar_media),
            Err(error) => return Err(disk(folder)(error)),
        };
        while let Some(entry) = entries.next_entry().await.map_err(disk(folder))? {
            if let Some((stem, slot)) = entry.file_name().to_str().and_then(media_file) {
                sidecar_media.0.entry(stem.to_owned()).or_default().push((slot, entry.path()));
            }
        }
        sidecar_media.0.values_mut().for_each(|media| media.sort());
        Ok(sidecar_media)
    }

    /// The media files for the template file with this stem, sorted by place.
    pub fn of(&self, stem: &str) -> &[(MediaSlot, PathBuf)] {
        self.0.get(stem).map(Vec::as_slice).unwrap_or_default()
    }
}

/// The media files of several folders, each read once.
#[derive(Debug, Default)]
pub struct FolderMedia(HashMap<PathBuf, Arc<SidecarMedia>>);

impl FolderMedia {
    /// The media files in the folder of a template file.
    pub async fn beside(&mut self, file: &Path) -> Result<Arc<SidecarMedia>, FilesError> {
        let folder = file.parent().unwrap_or(Path::new(""));
        if let Some(known) = self.0.get(folder) {
            return Ok(known.clone());
        }
        let read = Arc::new(SidecarMedia::read(folder).await?);
        self.0.insert(folder.to_owned(), read.clone());
        Ok(read)
    }
}

/// Splits the name of a media file into stem and place.
fn media_file(name: &str) -> Option<(&str, MediaSlot)> {
    let (start, extension) = name.rsplit_once('.')?;
    if extension == PARTIAL_EXTENSION {
        return None;
    }
    // The last segment that names a place ends the stem.
    let mut end = start.len();
    while let Some(dot) = start[..end].rfind('.') {
        if let Some(slot) = MediaSlot::read(&start[dot + 1..end]) {
            return Some((&start[..dot], slot));
        }
        end = dot;
    }
    None
}

/// The headers that take a file, with their places.
pub(crate) fn media_headers(template: &mut Template) -> Vec<(MediaSlot, &mut Header)> {
    fn header(components: &mut [Component]) -> Option<&mut Header> {
        components.iter_mut().find_map(|component| match component {
            Component::Header(header) if header.format.is_media() => Some(header),
            _ => None,
        })
    }
    let (mut own, mut cards) = (None, None);
    for component in &mut template.components {
        match component {
            Component::Header(header) if header.format.is_media() && own.is_none() => own = Some(header),
            Component::Carousel(carousel) if cards.is_none() => cards = Some(&mut carousel.cards),
            _ => {}
        }
    }
    let cards = cards.into_iter().flatten().enumerate();
    let cards = cards.filter_map(|(at, card)| Some((MediaSlot::Card(at), header(&mut card.components)?)));
    own.into_iter().map(|own| (MediaSlot::Header, own)).chain(cards).collect()
}

/// The sample of a header: its handle or address; empty if there is none.
pub(crate) fn handle(header: &Header) -> &str {
    header.example.as_ref().and_then(|example| example.header_handle.first()).map(String::as_str).unwrap_or_default()
}

/// The places whose header expects a file.
pub(crate) fn expected_files(template: &Template) -> Vec<MediaSlot> {
    let waits = |header: &Header| {
        header.example.iter().flat_map(|example| &example.header_handle).any(|handle| handle == UPLOAD_PENDING)
    };
    let mut template = template.clone();
    media_headers(&mut template).into_iter().filter(|(_, header)| waits(header)).map(|(slot, _)| slot).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn media_file_names_identify_their_template() {
        for (name, expected) in [
            ("a.en.header.png", Some(("a.en", MediaSlot::Header))),
            ("a.en.card0.mp4", Some(("a.en", MediaSlot::Card(0)))),
            ("a.en.card12.mp4", Some(("a.en", MediaSlot::Card(12)))),
            ("header.en.header.png", Some(("header.en", MediaSlot::Header))),
            ("one.header.tar.gz", Some(("one", MediaSlot::Header))),
            ("a.en.json", None),
            ("a.en.header", None),
            ("a.en.header.part", None),
            ("a.en.card.png", None),
            ("a.en.card1x.png", None),
            ("a.en.card+1.png", None),
            ("header.png", None),
        ] {
            assert_eq!(media_file(name), expected, "{name}");
        }
    }
}
