//! Bulk actions: archive, unarchive and delete, one template or many. Each item is recorded before it is sent. Items
//! that the provider refused or whose answer was lost are sent again only when a person asks for it.

mod approved_before;
mod plan;
mod reconcile;
mod run;
mod single;

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use store::desk::{self, ItemState, JobKind, RunState, RunStep};

use self::plan::Facts;
use crate::context::Context;
use crate::jobs;
use crate::jobs::running::RunningJobs;
use crate::templates::Templates;
use crate::templates::queries::MAX_ROWS;
use crate::workspaces::Workspaces;
use command_types::Nothing;
use command_types::bulk_action::{
    BulkAction, BulkActionDetail, BulkActionId, BulkActionItem, BulkActionQuery, ItemCount, RetryBulkAction,
    StartBulkAction,
};
use command_types::error::{ConflictFault, DeskError, Missing, Result};
use command_types::event::DeskEvent;
use command_types::workspace::WorkspaceId;
use outgoing::now;

const MAX_LISTED: u32 = 50;
const END_STATES: [RunState; 3] = [RunState::Done, RunState::Cancelled, RunState::Interrupted];

/// Bulk actions of all workspaces. Clones share one state.
#[derive(Clone, Debug)]
pub struct BulkActions(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    context: Arc<Context>,
    workspaces: Workspaces,
    templates: Templates,
    running: RunningJobs,
    /// When the last scheduled listing of each workspace is due: an earlier one needs no other.
    next_listing: Mutex<HashMap<String, Instant>>,
}

impl BulkActions {
    pub(crate) fn is_running(&self) -> bool {
        !self.0.running.is_empty()
    }

    pub(crate) fn new(context: Arc<Context>, workspaces: Workspaces, templates: Templates) -> Self {
        let running = RunningJobs::new(JobKind::BulkAction);
        let bulk_actions =
            Self(Arc::new(Inner { context, workspaces, templates, running, next_listing: Mutex::default() }));
        let weak = Arc::downgrade(&bulk_actions.0);
        bulk_actions.0.templates.listed().add(move |listing| {
            let bulk_actions = weak.upgrade().map(Self);
            async move {
                match bulk_actions {
                    // One that is not whole says nothing, and the one before it was asked already.
                    Some(bulk_actions) if listing.is_whole => {
                        bulk_actions.reconcile_bulk_actions(&listing.workspace).await
                    }
                    _ => Ok(()),
                }
            }
        });
        bulk_actions
    }
}

impl BulkActions {
    /// # Errors
    /// [`DeskError::InvalidInput`] at `confirmation` unless it matches; [`DeskError::Conflict`] when there is nothing
    /// to do, when it was started before, or while another bulk action is running on one of its templates;
    /// [`DeskError::MissingCredentials`].
    pub async fn start_bulk_action(&self, request: StartBulkAction) -> Result<BulkAction> {
        let bulk_action = self.load_bulk_action(&request.workspace, &request.id).await?;
        if bulk_action.state == RunState::Planned {
            if count(&bulk_action, ItemState::Planned) == 0 {
                return conflict(ConflictFault::NothingToDo {});
            }
            if let Some(wanted) = Facts::of(&bulk_action).confirmation
                && request.confirmation.as_deref() != Some(wanted.as_str())
            {
                return Err(DeskError::invalid(
                    "confirmation",
                    format!("Type {wanted} to delete. This cannot be undone."),
                ));
            }
        }
        self.start_planned(bulk_action, vec![RunState::Planned], Vec::new()).await
    }

    /// Retries the items of a bulk action that failed or were not sent because it was interrupted. Items that a person
    /// cancelled stay cancelled unless the request includes them.
    ///
    /// # Errors
    /// [`DeskError::Conflict`] when there are none, or as [`Self::start_bulk_action`].
    pub async fn retry_bulk_action(&self, request: RetryBulkAction) -> Result<BulkAction> {
        let bulk_action = self.load_bulk_action(&request.workspace, &request.id).await?;
        let included = [(request.retry_unknown, ItemState::Unknown), (request.retry_cancelled, ItemState::Cancelled)];
        let included =
            included.into_iter().filter(|(included, _)| included.unwrap_or_default()).map(|(_, state)| state);
        let again: Vec<_> = std::iter::once(ItemState::Failed).chain(included).collect();
        let sent = count(&bulk_action, ItemState::Planned);
        let sent = again.iter().fold(sent, |sent, state| sent + count(&bulk_action, *state));
        if END_STATES.contains(&bulk_action.state) && sent == 0 {
            return conflict(ConflictFault::NothingToRetry {});
        }
        self.start_planned(bulk_action, END_STATES.to_vec(), again).await
    }

    /// Cancels a bulk action: sends no further item, and waits for those in flight.
    ///
    /// # Errors
    /// [`DeskError::Conflict`] when it has already ended; [`DeskError::NotFound`].
    pub async fn cancel_bulk_action(&self, request: BulkActionId) -> Result<BulkAction> {
        let bulk_action = self.load_bulk_action(&request.workspace, &request.id).await?;
        match self.0.running.cancel(&self.0.context.desk, &bulk_action.id).await? {
            RunStep::Done | RunStep::State(RunState::Cancelling) => {}
            step => return Err(step_conflict(&step)),
        }
        self.report_and_load(&request.workspace, &bulk_action.id).await
    }

    /// # Errors
    /// [`DeskError::Conflict`] when it was started; [`DeskError::NotFound`].
    pub async fn discard_bulk_action(&self, request: BulkActionId) -> Result<Nothing> {
        let bulk_action = self.load_bulk_action(&request.workspace, &request.id).await?;
        match self.0.context.desk.discard_bulk_action(&bulk_action.id).await? {
            RunStep::Done => Ok(Nothing {}),
            step => Err(step_conflict(&step)),
        }
    }

    /// A bulk action and a page of its items.
    pub async fn get_bulk_action(&self, query: BulkActionQuery) -> Result<BulkActionDetail> {
        let bulk_action = self.load_bulk_action(&query.workspace, &query.id).await?;
        let limit = query.limit.clamp(1, MAX_ROWS);
        let from = query.after.map_or(0, |after| after.saturating_add(1));
        let mut items = self.0.context.desk.bulk_action_items(&bulk_action.id, query.state, from, limit + 1).await?;
        let more = items.len() > limit as usize;
        items.truncate(limit as usize);
        let next = items.last().filter(|_| more).map(|item| item.position);
        Ok(BulkActionDetail {
            bulk_action: self.bulk_action_view(bulk_action),
            items: items.into_iter().map(item_view).collect(),
            next,
        })
    }

    /// Bulk actions of a workspace, newest first.
    pub async fn list_bulk_actions(&self, request: WorkspaceId) -> Result<Vec<BulkAction>> {
        let bulk_actions = self.0.context.desk.bulk_actions(&request.workspace, MAX_LISTED).await?;
        Ok(bulk_actions.into_iter().map(|bulk_action| self.bulk_action_view(bulk_action)).collect())
    }

    async fn start_planned(
        &self,
        bulk_action: desk::BulkAction,
        from: Vec<RunState>,
        again: Vec<ItemState>,
    ) -> Result<BulkAction> {
        // Errors that affect every item are returned before anything changes.
        let client = self.0.workspaces.client(&bulk_action.workspace_id).await?;
        match self.0.context.desk.start_bulk_action(&bulk_action.id, from, again, now()).await? {
            RunStep::Done => {}
            step => return Err(step_conflict(&step)),
        }
        self.run_bulk_action(&bulk_action, client);
        self.report_and_load(&bulk_action.workspace_id, &bulk_action.id).await
    }

    /// The current state of a bulk action; also emits it to the window.
    async fn report_and_load(&self, workspace: &str, id: &str) -> Result<BulkAction> {
        let bulk_action = self.load_bulk_action(workspace, id).await?;
        self.report_bulk_action(&bulk_action);
        Ok(self.bulk_action_view(bulk_action))
    }

    async fn load_bulk_action(&self, workspace: &str, id: &str) -> Result<desk::BulkAction> {
        let bulk_action =
            self.0.context.desk.bulk_action(id).await?.filter(|bulk_action| bulk_action.workspace_id == workspace);
        bulk_action.ok_or_else(|| DeskError::not_found(Missing::BulkAction))
    }

    fn report_bulk_action(&self, bulk_action: &desk::BulkAction) {
        let open = [ItemState::Planned, ItemState::InFlight, ItemState::Cancelled];
        let open: u32 = open.map(|state| count(bulk_action, state)).iter().sum();
        self.0.context.emit(DeskEvent::BulkActionProgress {
            workspace: bulk_action.workspace_id.clone(),
            id: bulk_action.id.clone(),
            done: bulk_action.total.saturating_sub(open),
            total: bulk_action.total,
            state: bulk_action.state,
        });
    }

    fn bulk_action_view(&self, bulk_action: desk::BulkAction) -> BulkAction {
        let waiting = self.0.running.waiting(&bulk_action.id);
        let facts = Facts::of(&bulk_action);
        BulkAction {
            undoable: plan::is_undoable(&bulk_action),
            retryable: if END_STATES.contains(&bulk_action.state) { retryable(&bulk_action) } else { 0 },
            counts: bulk_action.counts.iter().map(|&(value, count)| ItemCount { value, count }).collect(),
            names: facts.names,
            name_count: facts.name_count,
            approved: facts.approved,
            approved_before: facts.approved_before,
            may_be_approved: facts.may_be_approved,
            archived: facts.archived,
            recent_sends: facts.recent_sends,
            confirmation: facts.confirmation,
            id: bulk_action.id,
            workspace: bulk_action.workspace_id,
            action: bulk_action.action,
            state: bulk_action.state,
            total: bulk_action.total,
            error: bulk_action.error.as_deref().and_then(|json| serde_json::from_str(json).ok()),
            undo_of: bulk_action.undo_of,
            waiting_until: waiting.as_ref().map(|waiting| waiting.until),
            waiting_reason: waiting.map(|waiting| waiting.reason),
            created_at: bulk_action.created_at,
            started_at: bulk_action.started_at,
            ended_at: bulk_action.ended_at,
        }
    }
}

fn item_view(item: desk::BulkActionItem) -> BulkActionItem {
    BulkActionItem {
        position: item.position,
        reference: item.template_ref,
        name: item.name,
        language: item.language,
        state: item.state,
        // Stored JSON that can no longer be read must not hide the item.
        error: item.error.as_deref().and_then(|json| serde_json::from_str(json).ok()),
        at: item.answered_at.or(item.sent_at),
        attempts: item.attempts,
    }
}

/// How many items a retry would send.
fn retryable(bulk_action: &desk::BulkAction) -> u32 {
    count(bulk_action, ItemState::Failed) + count(bulk_action, ItemState::Planned)
}

fn count(bulk_action: &desk::BulkAction, state: ItemState) -> u32 {
    bulk_action.counts.iter().find(|(known, _)| *known == state).map_or(0, |(_, n)| *n)
}

fn conflict<T>(fault: ConflictFault) -> Result<T> {
    Err(DeskError::conflict(fault))
}

fn step_conflict(step: &RunStep) -> DeskError {
    jobs::step_conflict::step_conflict(step, Missing::BulkAction, ConflictFault::TemplatesBusy {})
}
