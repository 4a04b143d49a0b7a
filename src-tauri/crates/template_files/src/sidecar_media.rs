//! Sidecar media of a template's file: `a.en.header.png` and `a.en.card0.mp4` for `a.en.json`.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use model::component::{Component, Header, UPLOAD_PENDING};
use model::template::Template;

use super::{FilesError, disk};

/// Extension of a file that is not complete yet.
pub(super) const PART: &str = "part";

/// Where a sample file is used in a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// The header.
    Header,
    /// The header of a card.
    Card(usize),
}

impl Place {
    fn read(word: &str) -> Option<Self> {
        if word == "header" {
            return Some(Self::Header);
        }
        let digits = word.strip_prefix("card").filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))?;
        digits.parse().ok().map(Self::Card)
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Header => f.write_str("header"),
            Self::Card(card) => write!(f, "card{card}"),
        }
    }
}

/// The media files of a folder, by the stem of their template file.
#[derive(Debug, Default)]
pub struct Beside(HashMap<String, Vec<(Place, PathBuf)>>);

impl Beside {
    /// Reads the names in a folder. A missing folder is empty.
    pub async fn read(folder: &Path) -> Result<Self, FilesError> {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let mut beside = Self::default();
        let mut entries = match tokio::fs::read_dir(folder).await {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(beside),
            Err(error) => return Err(disk(folder)(error)),
        };
        while let Some(entry) = entries.next_entry().await.map_err(disk(folder))? {
            if let Some((stem, place)) = entry.file_name().to_str().and_then(medium) {
                beside.0.entry(stem.to_owned()).or_default().push((place, entry.path()));
            }
        }
        beside.0.values_mut().for_each(|media| media.sort());
        Ok(beside)
    }

    /// The media files for the template file with this stem, sorted by place.
    pub fn of(&self, stem: &str) -> &[(Place, PathBuf)] {
        self.0.get(stem).map(Vec::as_slice).unwrap_or_default()
    }
}

/// Splits the name of a media file into stem and place.
fn medium(name: &str) -> Option<(&str, Place)> {
    let (start, extension) = name.rsplit_once('.')?;
    if extension == PART {
        return None;
    }
    // The last segment that names a place ends the stem.
    let mut end = start.len();
    while let Some(dot) = start[..end].rfind('.') {
        if let Some(place) = Place::read(&start[dot + 1..end]) {
            return Some((&start[..dot], place));
        }
        end = dot;
    }
    None
}

/// The headers that take a file, with their places.
pub(crate) fn media_headers(template: &mut Template) -> Vec<(Place, &mut Header)> {
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
    let cards = cards.filter_map(|(at, card)| Some((Place::Card(at), header(&mut card.components)?)));
    own.into_iter().map(|own| (Place::Header, own)).chain(cards).collect()
}

/// The sample of a header: its handle or address; empty if there is none.
pub(crate) fn handle(header: &Header) -> &str {
    header.example.as_ref().and_then(|example| example.header_handle.first()).map(String::as_str).unwrap_or_default()
}

/// The places whose header expects a file.
pub(crate) fn waiting(template: &Template) -> Vec<Place> {
    let waits = |header: &Header| {
        header.example.iter().flat_map(|example| &example.header_handle).any(|handle| handle == UPLOAD_PENDING)
    };
    let mut template = template.clone();
    media_headers(&mut template).into_iter().filter(|(_, header)| waits(header)).map(|(place, _)| place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_medium_tells_whose_it_is() {
        for (name, expected) in [
            ("a.en.header.png", Some(("a.en", Place::Header))),
            ("a.en.card0.mp4", Some(("a.en", Place::Card(0)))),
            ("a.en.card12.mp4", Some(("a.en", Place::Card(12)))),
            ("header.en.header.png", Some(("header.en", Place::Header))),
            ("one.header.tar.gz", Some(("one", Place::Header))),
            ("a.en.json", None),
            ("a.en.header", None),
            ("a.en.header.part", None),
            ("a.en.card.png", None),
            ("a.en.card1x.png", None),
            ("a.en.card+1.png", None),
            ("header.png", None),
        ] {
            assert_eq!(medium(name), expected, "{name}");
        }
    }
}
