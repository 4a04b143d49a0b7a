//! The media that a template was submitted with. A copy needs them: a creation with the listed address of a sample is
//! rejected.

use std::path::Path;

use model::component::Component;
use model::template::Template;
use store::desk::{CallState, Submission};

use crate::authoring::Authoring;
use command_types::composer::{Attachment, SubmittedFiles};
use command_types::error::Result;
use outgoing::attachment;

/// Number of newest submissions of a template that are searched.
const MAX_SEARCHED: u32 = 20;

impl Authoring {
    /// The files of the newest submission that had some, as far as they still exist and belong to the present content.
    pub(super) async fn known_files(
        &self,
        workspace: &str,
        reference: &str,
        template: &Template,
    ) -> Result<SubmittedFiles> {
        let submissions = self.0.context.desk.submissions_of_template(workspace, reference, MAX_SEARCHED).await?;
        let Some((sent, files)) = submissions.iter().find_map(with_files) else { return Ok(SubmittedFiles::default()) };
        let header = match files.header {
            Some(file) if media_format(&sent.components) == media_format(&template.components) => {
                unchanged(&file).await
            }
            _ => None,
        };
        let mut cards = Vec::new();
        for (file, (sent, now)) in files.cards.into_iter().zip(cards_of(&sent).into_iter().zip(cards_of(template))) {
            // Cards can be moved: the picture belongs to the texts that it was submitted with.
            let is_same = without_header(sent) == without_header(now) && media_format(sent) == media_format(now);
            cards.push(match file {
                Some(file) if is_same => unchanged(&file).await,
                _ => None,
            });
        }
        Ok(SubmittedFiles { header, cards })
    }
}

/// The content and the files of an accepted submission; `None` if it had no files.
fn with_files(submission: &Submission) -> Option<(Template, SubmittedFiles)> {
    let files = submission.files.as_deref().filter(|_| submission.state == CallState::Accepted)?;
    Some((serde_json::from_str(&submission.request).ok()?, serde_json::from_str(files).ok()?))
}

/// The file as it is now; `None` if it is gone, or is another one.
async fn unchanged(file: &Attachment) -> Option<Attachment> {
    let now = attachment::inspect(Path::new(&file.path)).await.ok()?;
    (now.size == file.size && now.mime == file.mime).then_some(now)
}

/// The format of the media header.
fn media_format(components: &[Component]) -> Option<&str> {
    components.iter().find_map(|component| match component {
        Component::Header(header) if header.format.is_media() => Some(header.format.as_str()),
        _ => None,
    })
}

fn cards_of(template: &Template) -> Vec<&[Component]> {
    let cards = template.components.iter().find_map(|component| match component {
        Component::Carousel(carousel) => Some(&carousel.cards),
        _ => None,
    });
    cards.into_iter().flatten().map(|card| card.components.as_slice()).collect()
}

fn without_header(components: &[Component]) -> Vec<&Component> {
    components.iter().filter(|component| !matches!(component, Component::Header(_))).collect()
}
