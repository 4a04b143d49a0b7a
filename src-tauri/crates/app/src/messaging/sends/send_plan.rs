//! From what a person filled in to the message, with everything that stands in its way.

use model::vocabulary::TemplateStatus;

use crate::messaging::Messaging;
use api::error::Result;
use api::send::TemplateStanding;
use requests::message::SendPlan;

impl Messaging {
    /// The plan of a template's sends.
    ///
    /// # Errors
    /// [`DeskError::NotFound`] when the cache does not know the template, or there is no such workspace.
    pub(crate) async fn send_plan(&self, workspace: &str, reference: &str) -> Result<SendPlan> {
        let cached = self.0.templates.cached(workspace, reference).await?;
        // Approved in one WABA of several, it can be sent from that one's numbers; which those are only the provider
        // knows, and it says so.
        let accounts = self.0.templates.waba_statuses(workspace, reference).await?;
        let usable = accounts.into_iter().find(|of| TemplateStatus::from(of.status.as_str()).is_sendable());
        Ok(SendPlan {
            settings: self.0.workspaces.settings(workspace).await?,
            template: crate::templates::read(&cached)?.template,
            standing: TemplateStanding {
                status: usable.map_or(cached.row.status, |of| of.status),
                archived: cached.row.archived == Some(true),
                cached_at: Some(cached.row.seen_at).filter(|at| *at > 0),
            },
        })
    }
}
