//! Before a send: is the template still sendable, is the recipient a number, do the media links lead to files that the
//! channel takes? Errors of the contract stop a send; what is likely to fail is a warning, which a person may override.

mod link;
pub(crate) mod recipient;

use std::collections::{BTreeMap, BTreeSet};

use futures_util::StreamExt as _;
use model::media;
use model::send::{PartKind, PartMedia, SendPart, SendProblem, SendProblemCode, SendValues, send_form};
use model::template::Template;
use service::Reach;

pub(crate) use self::link::{Found, Links};
use crate::attachment::thumbnail_of;
use crate::messaging::Messaging;
use crate::messaging::sends::TRACKING_PREVIEW;
use crate::parts::now;
use api::error::Result;
use api::send::{LinkPicture, LinkedPicture, MediaCheck, MediaState, Preflight, SendRequest};

/// Links looked at side by side.
const AT_ONCE: usize = 4;
/// Types of documents (upstream §4.2), besides those of the office programs.
const DOCUMENTS: &[&str] = &["application/pdf", "text/plain", "application/msword"];

impl Messaging {
    /// Looks at everything about a send that can be known before it leaves. Fetches the media links of the values, each
    /// once, unless that was done within the last minute.
    ///
    /// # Errors
    /// [`DeskError::NotFound`](api::error::DeskError::NotFound) when the cache does not know the template. What is
    /// found is no error.
    pub async fn preflight_send(&self, request: SendRequest) -> Result<Preflight> {
        let plan = self.send_plan(&request.workspace, &request.reference).await?;
        let prepared = plan.prepare(&request, TRACKING_PREVIEW);
        let mut problems = prepared.problems;
        let reach = self.0.workspaces.reach(&request.workspace);
        let (media, of_media) = check_media(&self.0.links, &links(&plan.template, &request.values), reach).await;
        problems.extend(of_media);
        Ok(Preflight { problems, media, template: plan.standing, recipient: prepared.recipient, checked_at: now() })
    }

    /// A small form of the picture a link leads to, for the phone beside the form. The page itself loads nothing from
    /// elsewhere.
    ///
    /// # Errors
    /// None: what cannot be shown is absent.
    pub async fn get_link_picture(&self, request: LinkPicture) -> Result<LinkedPicture> {
        let thumbnail = match self.0.links.picture(&request.url, self.0.workspaces.reach(&request.workspace)).await {
            Some(bytes) => thumbnail_of(bytes).await,
            None => None,
        };
        Ok(LinkedPicture { thumbnail })
    }
}

/// A link among the values of a send.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MediaLink {
    /// Its part of the form.
    pub(crate) part: String,
    /// What it has to lead to.
    pub(crate) media: PartMedia,
    /// The link.
    pub(crate) url: String,
}

/// Bytes at most (contract §8; upstream §4.2).
fn limit(media: PartMedia) -> u64 {
    match media {
        PartMedia::Image => media::IMAGE_LIMIT,
        PartMedia::Video => media::VIDEO_LIMIT,
        PartMedia::Document => media::DOCUMENT_LIMIT,
    }
}

fn takes(media: PartMedia, mime: &str) -> bool {
    match media {
        PartMedia::Image => matches!(mime, "image/jpeg" | "image/png"),
        PartMedia::Video => matches!(mime, "video/mp4" | "video/3gpp"),
        PartMedia::Document => {
            DOCUMENTS.contains(&mime)
                || mime.starts_with("application/vnd.openxmlformats-officedocument.")
                || mime.starts_with("application/vnd.ms-")
                // Office documents are archives; a server that looks inside may say so.
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

/// The links among the values. The identifier of an upload is none.
pub(crate) fn links(template: &Template, values: &SendValues) -> Vec<MediaLink> {
    let of_part = |part: SendPart| {
        let url = values.get(&part.id).map(|value| value.trim())?;
        let media = part.media?;
        let is_link = part.kind == PartKind::Link && !url.is_empty() && !url.bytes().all(|byte| byte.is_ascii_digit());
        is_link.then(|| MediaLink { part: part.id, media, url: url.to_owned() })
    };
    send_form(template).parts.into_iter().filter_map(of_part).collect()
}

/// Looks at links, each address once however many parts have it.
pub(crate) async fn check_media(
    links: &Links,
    wanted: &[MediaLink],
    reach: Reach,
) -> (Vec<MediaCheck>, Vec<SendProblem>) {
    let urls: BTreeSet<String> = wanted.iter().map(|link| link.url.clone()).collect();
    let looks = urls.into_iter().map(|url| async move {
        let found = links.look(&url, reach).await;
        (url, found)
    });
    let found: BTreeMap<String, Found> = futures_util::stream::iter(looks).buffer_unordered(AT_ONCE).collect().await;
    let judged = wanted.iter().map(|link| judge(link, &found[&link.url]));
    let (checks, problems): (Vec<_>, Vec<_>) = judged.unzip();
    (checks, problems.into_iter().flatten().collect())
}

/// What the channel will say of what a link leads to.
fn judge(link: &MediaLink, found: &Found) -> (MediaCheck, Option<SendProblem>) {
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
        Found::Nothing(fault) => (
            MediaCheck { detail: Some(fault.detail.clone()), ..check(MediaState::Unreachable) },
            // The window says the fault in the person's language; the detail is its English.
            problem(SendProblemCode::MediaUnreachable, &[("detail", &fault.detail), ("fault", &fault.word)]),
        ),
        Found::Status(status) => (
            MediaCheck { detail: Some(status.to_string()), ..check(MediaState::Unreachable) },
            problem(SendProblemCode::MediaStatus, &[("status", status)]),
        ),
        Found::File { bytes, mime } => {
            let limit = limit(link.media);
            let (state, problem) = match (bytes, mime.as_deref()) {
                (Some(bytes), _) if *bytes > limit => {
                    let found = problem(SendProblemCode::MediaTooLarge, &[("bytes", bytes), ("limit", &limit)]);
                    // The contract states the limit of pictures alone (§8).
                    let stated = link.media == PartMedia::Image;
                    (MediaState::TooLarge, found.map(|found| if stated { found } else { found.as_warning() }))
                }
                (_, Some(mime)) if !takes(link.media, mime) => {
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
