//! Before a send: is the template still sendable, is the recipient a number, do the media links lead to files that the
//! channel takes? Errors of the contract stop a send; what is likely to fail is a warning, which a person may override.

use crate::messaging::Messaging;
use crate::parts::now;
use api::error::Result;
use api::send::{LinkPicture, LinkedPicture, Preflight, SendRequest};
use requests::attachment::thumbnail_of;
use requests::media_links::{check_media, links};
use requests::message::TRACKING_PREVIEW;

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
