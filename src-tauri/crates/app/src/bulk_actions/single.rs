//! Archives, unarchives or deletes one template: a bulk action with one item that returns the provider's answer.

use store::desk::{self, BulkActionItem, BulkActionKind, ItemState, JobKind, RunState, RunStep};

use super::plan::{Facts, new_bulk_action};
use super::run::is_status_lost;
use super::step_conflict;
use crate::bulk_actions::BulkActions;
use crate::jobs::answer::Answer;
use crate::recorded_answer::lost;
use command_types::Nothing;
use command_types::error::{DeskError, Result};
use command_types::event::DeskEvent;
use command_types::template::{DeleteTemplate, TemplateId};
use outgoing::now;

impl BulkActions {
    /// Archives a template; this can be undone.
    ///
    /// # Errors
    /// Any error of the request; [`DeskError::Conflict`] while a bulk action is running on the template.
    pub async fn archive_template(&self, id: TemplateId) -> Result<Nothing> {
        self.run_single(id, BulkActionKind::Archive).await
    }

    pub async fn unarchive_template(&self, id: TemplateId) -> Result<Nothing> {
        self.run_single(id, BulkActionKind::Unarchive).await
    }

    /// Deletes a template at the provider; this cannot be undone.
    ///
    /// # Errors
    /// [`DeskError::InvalidInput`] unless its name was typed; as [`Self::archive_template`].
    pub async fn delete_template(&self, request: DeleteTemplate) -> Result<Nothing> {
        let cached = self.0.templates.cached(&request.workspace, &request.reference).await?;
        if request.confirmed_name.trim() != cached.row.name {
            return Err(DeskError::invalid(
                "confirmedName",
                format!("Type {} to delete it. This cannot be undone.", cached.row.name),
            ));
        }
        let id = TemplateId { workspace: request.workspace, reference: request.reference };
        self.run_single(id, BulkActionKind::Delete).await
    }

    async fn run_single(&self, id: TemplateId, action: BulkActionKind) -> Result<Nothing> {
        let client = self.0.workspaces.client(&id.workspace).await?;
        let row = self
            .0
            .context
            .cache
            .template(&id.workspace, &id.reference)
            .await?
            .map(|cached| cached.row)
            .unwrap_or_default();
        let item = BulkActionItem {
            template_ref: id.reference,
            channel_id: row.channel_id,
            name: row.name,
            language: row.language,
            status_before: Some(row.status).filter(|status| !status.is_empty()),
            archived_before: row.archived == Some(true),
            state: ItemState::InFlight,
            attempts: 1,
            sent_at: Some(now()),
            ..BulkActionItem::default()
        };
        let is_status_lost = is_status_lost(action, &item);
        let items = vec![item.clone()];
        let planned = new_bulk_action(&id.workspace, action, Facts::from_items(action, &items), &items)?;
        let bulk_action =
            desk::BulkAction { state: RunState::Running, started_at: Some(planned.created_at), ..planned };
        match self.0.context.desk.add_bulk_action(bulk_action.clone(), items, u32::MAX).await? {
            RunStep::Done => {}
            step => return Err(step_conflict(&step)),
        }
        // A separate task: reloading the window must not lose the answer.
        let (bulk_actions, workspace) = (self.clone(), id.workspace.clone());
        let work = self.0.context.spawn_changing(async move {
            let answer =
                bulk_actions.run_item(&bulk_action.id, (&workspace, action), &item, &client, false, |_| false).await;
            // The outcome of the request is known, whether or not the rest can be recorded.
            let desk = &bulk_actions.0.context.desk;
            if let Err(error) = desk.end_job(JobKind::BulkAction, &bulk_action.id, RunState::Done, None, now()).await {
                tracing::error!(%error, id = bulk_action.id, "the end of an action cannot be recorded");
            }
            if let Err(error) = bulk_actions.report_and_load(&workspace, &bulk_action.id).await {
                tracing::warn!(%error, id = bulk_action.id, "the progress of an action cannot be read");
            }
            answer
        });
        let answer = work.await.map_err(lost)??;
        if matches!(answer, Answer::Unknown(_)) || is_status_lost && answer == Answer::Done {
            // The listing shows what came of it.
            self.0.templates.sync_in_background(&id.workspace);
        }
        if let Some(error) = answer.error() {
            return Err(error.clone());
        }
        self.0.context.emit(DeskEvent::TemplatesChanged { workspace: id.workspace });
        Ok(Nothing {})
    }
}
