//! Builds the message from the form values, with all problems that prevent it.

use model::vocabulary::TemplateStatus;

use crate::messaging::Messaging;
use command_types::error::Result;
use command_types::send::TemplateStanding;
use outgoing::message::SendPlan;

impl Messaging {
    pub(crate) async fn send_plan(&self, workspace: &str, reference: &str) -> Result<SendPlan> {
        let cached = self.0.templates.cached(workspace, reference).await?;
        // A template approved in one of several WABAs can be sent from that WABA's numbers.
        let waba_statuses = self.0.templates.waba_statuses(workspace, reference).await?;
        let usable = waba_statuses.iter().find(|of| TemplateStatus::from(of.status.as_str()).is_sendable());
        Ok(SendPlan {
            settings: self.0.workspaces.settings(workspace).await?,
            template: crate::templates::read(&cached)?.template,
            standing: TemplateStanding {
                status: usable.map_or(cached.row.status, |of| of.status.clone()),
                archived: cached.row.archived == Some(true),
                cached_at: Some(cached.row.asked.at).filter(|at| *at > 0),
            },
            wabas: cached.row.wabas,
            waba_statuses,
        })
    }
}
