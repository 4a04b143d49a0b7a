//! Preflight checks of a send: whether the template can still be sent, the recipient is a number, and the media links
//! lead to files that the channel accepts. Violations of the contract prevent a send; likely failures are warnings,
//! which a person may override.

use model::send::{SendPart, SendProblem, SendProblemCode, send_form};

use crate::costs;
use crate::messaging::Messaging;
use command_types::error::Result;
use command_types::send::{LinkPicture, LinkedPicture, MediaCheck, Preflight, RecipientFacts, SendRequest};
use outgoing::attachment::thumbnail_of;
use outgoing::media_links::{check_media, links};
use outgoing::message::{SendPlan, TRACKING_PREVIEW};
use outgoing::now;
use outgoing::sandbox_address::moved;

/// A send and what was found.
pub(super) struct CheckedSend {
    plan: SendPlan,
    recipient: RecipientFacts,
    pub(super) problems: Vec<SendProblem>,
    media: Vec<MediaCheck>,
}

impl Messaging {
    /// Checks a send before it is made, and says what it costs. Fetches the media links of the values, each once, unless
    /// that was done within the last minute.
    ///
    /// # Errors
    /// [`DeskError::NotFound`](command_types::error::DeskError::NotFound) when the template is not cached. Problems that are
    /// found are not errors.
    pub async fn preflight_send(&self, request: SendRequest) -> Result<Preflight> {
        let CheckedSend { plan, recipient, problems, media } = self.check_send(&request).await?;
        let category = plan.template.category.as_str().to_lowercase();
        let country = costs::by_country([recipient.country.clone()]);
        let cost = match recipient.addressee() {
            Some(_) => costs::estimate(&self.0.context, &request.workspace, &category, &country).await,
            None => None,
        };
        Ok(Preflight { problems, media, template: plan.standing, recipient, cost, checked_at: now() })
    }

    /// As [`Self::preflight_send`], without the price.
    pub(super) async fn check_send(&self, request: &SendRequest) -> Result<CheckedSend> {
        let plan = self.single_send_plan(request).await?;
        let prepared = plan.prepare(request, TRACKING_PREVIEW);
        let mut problems = prepared.problems;
        self.allow_known(&request.workspace, &prepared.recipient, &mut problems).await;
        problems.extend(self.0.templates.contradicted_problem(&request.workspace, &request.reference).await?);
        problems.extend(samples_in_answer(&plan, request));
        problems.extend(self.same_message(&plan, request, &prepared.recipient).await?);
        problems.extend(self.restriction(&plan.settings, &request.workspace, &request.number).await?);
        let reach = self.0.workspaces.reach(&request.workspace);
        let (media, of_media) = check_media(&self.0.links, &links(&plan.template, &request.values), reach).await;
        problems.extend(of_media);
        Ok(CheckedSend { plan, recipient: prepared.recipient, problems, media })
    }

    /// A thumbnail of the image at a link, for the phone preview next to the form. The page itself loads nothing from
    /// the network.
    ///
    /// # Errors
    /// None: an image that cannot be shown is absent.
    pub async fn get_link_picture(&self, request: LinkPicture) -> Result<LinkedPicture> {
        let LinkPicture { workspace, url, sandbox_only } = request;
        let sandbox = self.0.workspaces.sandbox(&workspace);
        let in_sandbox = sandbox.and_then(|sandbox| moved(&url, &sandbox.settings.base_url));
        let url = match in_sandbox {
            Some(current) => current,
            None if sandbox_only => return Ok(LinkedPicture { thumbnail: None }),
            None => url,
        };
        let thumbnail = match self.0.links.picture(&url, self.0.workspaces.reach(&workspace)).await {
            Some(bytes) => thumbnail_of(bytes).await,
            None => None,
        };
        Ok(LinkedPicture { thumbnail })
    }
}

/// Problems of samples of the review in a message that answers a person. Other sends may be tests.
fn samples_in_answer(plan: &SendPlan, request: &SendRequest) -> Vec<SendProblem> {
    if request.answers != Some(true) {
        return Vec::new();
    }
    let left = |part: &SendPart| request.values.get(&part.id).is_some_and(|value| part.is_left_sample(value));
    send_form(&plan.template)
        .parts
        .into_iter()
        .filter(left)
        .map(|part| SendProblem::new(part.id, SendProblemCode::ValueSample, &[("sample", &part.sample.trim())]))
        .collect()
}
