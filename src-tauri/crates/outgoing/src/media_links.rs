//! Checks the media links among the values of a send: the expected type of file, and the actual one.

mod link;

use std::collections::{BTreeMap, BTreeSet};

use futures_util::StreamExt as _;
use model::media;
use model::send::{PartKind, PartMedia, SendPart, SendProblem, SendProblemCode, SendValues, send_form};
use model::template::Template;
use provider_client::Reach;

pub use self::link::{LinkTarget, Links};
use command_types::send::{MediaCheck, MediaState};

/// Links checked concurrently.
const MAX_CONCURRENT_CHECKS: usize = 4;

/// Document types (upstream §4.2), besides those of office programs.
const DOCUMENTS: &[&str] = &["application/pdf", "text/plain", "application/msword"];

/// A link among the values of a send.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MediaLink {
    /// The part of the form that it fills.
    pub part: String,
    pub media: PartMedia,
    pub url: String,
}

/// Maximum size in bytes (contract §8; upstream §4.2).
fn limit(media: PartMedia) -> u64 {
    match media {
        PartMedia::Image => media::IMAGE_LIMIT,
        PartMedia::Video => media::VIDEO_LIMIT,
        PartMedia::Document => media::DOCUMENT_LIMIT,
    }
}

fn accepts(media: PartMedia, mime: &str) -> bool {
    match media {
        PartMedia::Image => matches!(mime, "image/jpeg" | "image/png"),
        PartMedia::Video => matches!(mime, "video/mp4" | "video/3gpp"),
        PartMedia::Document => {
            DOCUMENTS.contains(&mime)
                || mime.starts_with("application/vnd.openxmlformats-officedocument.")
                || mime.starts_with("application/vnd.ms-")
                // Office documents are ZIP archives, and a server that detects the type by content may say so.
                || mime == "application/zip"
        }
    }
}

fn expected(media: PartMedia) -> &'static str {
    match media {
        PartMedia::Image => "image/jpeg or image/png",
        PartMedia::Video => "video/mp4 or video/3gpp",
        PartMedia::Document => "application/pdf",
    }
}

/// The links among the values. Identifiers of uploads are skipped.
pub fn links(template: &Template, values: &SendValues) -> Vec<MediaLink> {
    let of_part = |part: SendPart| {
        let url = values.get(&part.id).map(|value| value.trim())?;
        let media = part.media?;
        let is_link = part.kind == PartKind::Link && !url.is_empty() && !url.bytes().all(|byte| byte.is_ascii_digit());
        is_link.then(|| MediaLink { part: part.id, media, url: url.to_owned() })
    };
    send_form(template).parts.into_iter().filter_map(of_part).collect()
}

/// Checks links; an address that several parts have is checked once.
pub async fn check_media(links: &Links, wanted: &[MediaLink], reach: Reach) -> (Vec<MediaCheck>, Vec<SendProblem>) {
    let urls: BTreeSet<String> = wanted.iter().map(|link| link.url.clone()).collect();
    let looks = urls.into_iter().map(|url| async move {
        let found = links.check(&url, reach).await;
        (url, found)
    });
    let found: BTreeMap<String, LinkTarget> =
        futures_util::stream::iter(looks).buffer_unordered(MAX_CONCURRENT_CHECKS).collect().await;
    let checked = wanted.iter().map(|link| check_target(link, &found[&link.url]));
    let (checks, problems): (Vec<_>, Vec<_>) = checked.unzip();
    (checks, problems.into_iter().flatten().collect())
}

/// Compares the target of a link with the requirements of the channel.
fn check_target(link: &MediaLink, found: &LinkTarget) -> (MediaCheck, Option<SendProblem>) {
    let problem = |code, values: &[(&str, &dyn std::fmt::Display)]| Some(SendProblem::new(&link.part, code, values));
    let check = |state| MediaCheck {
        part: link.part.clone(),
        url: link.url.clone(),
        state,
        bytes: None,
        mime: None,
        detail: None,
    };
    match found {
        LinkTarget::Nothing(fault) => (
            MediaCheck { detail: Some(fault.detail.clone()), ..check(MediaState::Unreachable) },
            // The window translates the fault; `detail` is the English text.
            problem(SendProblemCode::MediaUnreachable, &[("detail", &fault.detail), ("fault", &fault.word)]),
        ),
        LinkTarget::Status(status) => (
            MediaCheck { detail: Some(status.to_string()), ..check(MediaState::Unreachable) },
            problem(SendProblemCode::MediaStatus, &[("status", status)]),
        ),
        LinkTarget::File { bytes, mime } => {
            let limit = limit(link.media);
            let (state, problem) = match (bytes, mime.as_deref()) {
                (Some(bytes), _) if *bytes > limit => {
                    let found = problem(SendProblemCode::MediaTooLarge, &[("bytes", bytes), ("limit", &limit)]);
                    // The contract states a limit for images only (§8).
                    let stated = link.media == PartMedia::Image;
                    (MediaState::TooLarge, found.map(|found| if stated { found } else { found.as_warning() }))
                }
                (_, Some(mime)) if !accepts(link.media, mime) => {
                    let expected = expected(link.media);
                    let found = problem(SendProblemCode::MediaWrongType, &[("mime", &mime), ("expected", &expected)]);
                    (MediaState::WrongType, found)
                }
                (Some(_), _) => (MediaState::Ok, None),
                (None, _) => (MediaState::Unknown, problem(SendProblemCode::MediaSizeUnknown, &[])),
            };
            (MediaCheck { bytes: *bytes, mime: mime.clone(), ..check(state) }, problem)
        }
    }
}
