//! What was already done in a workspace: for the first steps and the tour of the window.

use model::vocabulary::TemplateStatus;
use store::desk::{CallState, SendFilter, Submission};

use crate::authoring::Authoring;
use command_types::error::Result;
use command_types::submission::{FirstSteps, SubmittedTemplate};
use command_types::workspace::WorkspaceId;

/// Number of newest submissions, and of newest sends, that are searched for an accepted one.
const MAX_SEARCHED: u32 = 100;

impl Authoring {
    pub async fn get_first_steps(&self, WorkspaceId { workspace }: WorkspaceId) -> Result<FirstSteps> {
        let desk = &self.0.context.desk;
        let submissions = desk.submissions(&workspace, MAX_SEARCHED).await?;
        let newest = submissions.iter().find(|made| made.state == CallState::Accepted && is_own(&made.id));
        // The generated past is older than everything a person sends.
        let newest_sends = SendFilter { workspace_id: workspace.clone(), limit: MAX_SEARCHED, ..SendFilter::default() };
        let sends = desk.sends(newest_sends).await?.rows;
        Ok(FirstSteps {
            submitted: newest.is_some(),
            sent: sends.iter().any(|send| send.state == CallState::Accepted && is_own(&send.id)),
            latest: match newest {
                Some(submission) => self.submitted_template(&workspace, submission).await?,
                None => None,
            },
        })
    }

    /// The template of an accepted submission; absent until its reference is known.
    async fn submitted_template(&self, workspace: &str, submission: &Submission) -> Result<Option<SubmittedTemplate>> {
        let Some(reference) = submission.template_ref.clone() else { return Ok(None) };
        let status = match self.0.context.cache.template(workspace, &reference).await? {
            Some(cached) => cached.row.status,
            None => String::new(),
        };
        let filter = SendFilter {
            workspace_id: workspace.to_owned(),
            template_ref: Some(reference.clone()),
            limit: MAX_SEARCHED,
            ..SendFilter::default()
        };
        let sends = self.0.context.desk.sends(filter).await?.rows;
        let send = sends.into_iter().find(|send| send.state == CallState::Accepted);
        Ok(Some(SubmittedTemplate {
            reference,
            submitted_at: submission.created_at,
            sendable: TemplateStatus::from(status.as_str()).is_sendable(),
            status,
            read: send.as_ref().is_some_and(|send| send.status.as_deref() == Some("read")),
            recipient: send.map(|send| send.recipient),
        }))
    }
}

/// Whether a record was made here: records of the past of a new sandbox have identifiers of another form.
fn is_own(id: &str) -> bool {
    uuid::Uuid::parse_str(id).is_ok()
}
