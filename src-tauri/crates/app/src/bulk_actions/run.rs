//! A bulk action as a job: each item is recorded before its request is sent, and shown in the lists once it is done.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use model::vocabulary::TemplateStatus;
use provider_client::Client;
use store::cache::{RequestMark, TemplateMatch, TemplatePatch};
use store::desk::{self, BulkActionItem, BulkActionKind, ItemState};
use tokio_util::sync::CancellationToken;

use crate::bulk_actions::BulkActions;
use crate::context::{Context, lock};
use crate::jobs::answer::{Answer, RequestKind};
use crate::jobs::engine::{self, Job};
use crate::jobs::running::RunningJobs;
use crate::recorded_answer::{failed, unrecorded};
use command_types::error::{DeskError, Result};
use command_types::event::DeskEvent;
use outgoing::now;

/// Interval between two events that report a changed list: each makes the window reload it.
const CHANGES_INTERVAL: Duration = Duration::from_secs(1);

#[derive(Debug)]
struct BulkActionJob {
    bulk_actions: BulkActions,
    id: String,
    workspace: String,
    action: BulkActionKind,
    client: Client,
    effects: Mutex<Effects>,
}

/// Changes that the items have made so far.
#[derive(Debug)]
struct Effects {
    /// When a changed list was last reported to the window.
    reported_at: Instant,
    /// Whether it has changed since.
    is_report_due: bool,
    /// Whether the listing is needed to reconcile an item.
    needs_listing: bool,
}

impl BulkActions {
    /// Starts the job of a bulk action that is recorded as running.
    pub(super) fn run_bulk_action(&self, bulk_action: &desk::BulkAction, client: Client) {
        let _running = engine::start(BulkActionJob {
            bulk_actions: self.clone(),
            id: bulk_action.id.clone(),
            workspace: bulk_action.workspace_id.clone(),
            action: bulk_action.action,
            client,
            effects: Mutex::new(Effects { reported_at: Instant::now(), is_report_due: false, needs_listing: false }),
        });
    }

    /// Carries out the action for one template: records the item as sent, sends it, and records the outcome. An item
    /// whose answer `replan` accepts is planned again. `was_lost`: an earlier request may have carried it out.
    pub(super) async fn run_item(
        &self,
        bulk_action: &str,
        (workspace, action): (&str, BulkActionKind),
        item: &BulkActionItem,
        client: &Client,
        was_lost: bool,
        replan: impl FnOnce(&Answer) -> bool,
    ) -> Result<Answer> {
        let (reference, asked) = (&item.template_ref, self.0.context.request_mark());
        let answered = match action {
            BulkActionKind::Archive => client.archive_template(reference).await,
            BulkActionKind::Unarchive => client.unarchive_template(reference).await,
            BulkActionKind::Delete => client.delete_template(reference).await,
        };
        let (state, error, answer) = match answered {
            // It was deleted by the request whose answer was lost, or elsewhere: neither the listing nor the provider
            // has it.
            Err(provider_client::Error::NotFound(_))
                if action == BulkActionKind::Delete
                    && (was_lost || self.0.context.cache.omission(workspace, reference).await?.is_some()) =>
            {
                (ItemState::Done, None, Answer::Done)
            }
            Ok(_) => (ItemState::Done, None, Answer::Done),
            Err(error) => {
                let (failed, error) = failed(error)?;
                let answer = Answer::of(RequestKind::Templates, error);
                let state = match &answer {
                    Answer::Unknown(_) => ItemState::Unknown,
                    answer if replan(answer) => ItemState::Planned,
                    _ => ItemState::Failed,
                };
                (state, failed.error, answer)
            }
        };
        let moved = (ItemState::InFlight, state);
        let recorded = self.0.context.desk.move_item(bulk_action, item.position, moved, error, now()).await;
        recorded.map_err(|error| unrecorded(!matches!(state, ItemState::Done | ItemState::Unknown), error))?;
        if state == ItemState::Done {
            // Done, whatever the cache says of it.
            if let Err(error) = self.update_cache(workspace, action, reference, asked).await {
                tracing::warn!(%error, reference, "a changed template cannot be cached; the listing is fetched");
                self.0.templates.sync_in_background(workspace);
            }
        }
        Ok(answer)
    }

    async fn update_cache(
        &self,
        workspace: &str,
        action: BulkActionKind,
        reference: &str,
        asked: RequestMark,
    ) -> Result<()> {
        let cache = &self.0.context.cache;
        if action == BulkActionKind::Delete {
            cache.remove_template(workspace, reference).await?;
            return Ok(());
        }
        let patch =
            TemplatePatch { archived: Some(action == BulkActionKind::Archive), asked, ..TemplatePatch::default() };
        cache.set_template_status(workspace, TemplateMatch::Reference(reference.to_owned()), patch).await?;
        if action == BulkActionKind::Unarchive {
            self.0.templates.restore_unarchived(workspace, reference, asked).await?;
        }
        Ok(())
    }
}

/// Whether only the provider knows the status after an action: its list marks archived templates by their status.
pub(super) fn is_status_lost(action: BulkActionKind, item: &BulkActionItem) -> bool {
    let before = item.status_before.as_deref().map(TemplateStatus::from);
    action == BulkActionKind::Unarchive && before == Some(TemplateStatus::Archived)
}

/// Whether an earlier request for a planned item may have carried it out: its answer was lost.
fn was_lost(item: &BulkActionItem) -> bool {
    let error = item.error.as_deref().and_then(|json| serde_json::from_str(json).ok());
    let is_answered =
        error.is_some_and(|error| !matches!(error, DeskError::OutcomeUnknown { .. } | DeskError::Conflict { .. }));
    item.attempts > 0 && !is_answered
}

/// Whether the listing was fetched after an earlier request for this item: other templates are as it shows them.
fn needed_listing(item: &BulkActionItem) -> bool {
    let error = item.error.as_deref().and_then(|json| serde_json::from_str(json).ok());
    item.attempts > 0 && (was_lost(item) || error.is_some_and(|error| is_listing_needed(&error)))
}

fn is_listing_needed(error: &DeskError) -> bool {
    matches!(error, DeskError::Service { status: 404 | 410 | 500.., .. })
}

impl Job for BulkActionJob {
    type Item = BulkActionItem;

    const MAX_IN_FLIGHT: usize = 4;

    fn id(&self) -> &str {
        &self.id
    }

    fn context(&self) -> &Context {
        &self.bulk_actions.0.context
    }

    fn running(&self) -> &RunningJobs {
        &self.bulk_actions.0.running
    }

    async fn planned(&self, after: Option<u32>, limit: u32) -> Result<Vec<(u32, BulkActionItem)>> {
        let from = after.map_or(0, |after| after + 1);
        let items = self.context().desk.bulk_action_items(&self.id, Some(ItemState::Planned), from, limit).await?;
        Ok(items.into_iter().map(|item| (item.position, item)).collect())
    }

    async fn send(&self, item: &BulkActionItem, attempt: u32, _stop: &CancellationToken) -> Result<Answer> {
        if !self.context().desk.begin_item(&self.id, item.position, now()).await? {
            return Ok(Answer::NotSent);
        }
        let replan = |answer: &Answer| answer.is_retried(attempt);
        let of = (self.workspace.as_str(), self.action);
        let answer = self.bulk_actions.run_item(&self.id, of, item, &self.client, was_lost(item), replan).await?;
        let mut effects = lock(&self.effects);
        effects.is_report_due |= answer == Answer::Done;
        effects.needs_listing |= match &answer {
            Answer::Unknown(_) => true,
            Answer::Done => is_status_lost(self.action, item) || needed_listing(item),
            // A template that the provider does not know should not be listed.
            Answer::Refused(error) => is_listing_needed(error),
            _ => false,
        };
        Ok(answer)
    }

    async fn report(&self, is_last: bool) -> Result<()> {
        let (has_changed, needs_listing) = {
            let mut effects = lock(&self.effects);
            let is_time = is_last || effects.reported_at.elapsed() >= CHANGES_INTERVAL;
            let has_changed = effects.is_report_due && is_time;
            if has_changed {
                (effects.reported_at, effects.is_report_due) = (Instant::now(), false);
            }
            (has_changed, is_last && effects.needs_listing)
        };
        if has_changed {
            self.context().emit(DeskEvent::TemplatesChanged { workspace: self.workspace.clone() });
        }
        let bulk_action = self.bulk_actions.load_bulk_action(&self.workspace, &self.id).await;
        if let Ok(bulk_action) = &bulk_action {
            self.bulk_actions.report_bulk_action(bulk_action);
        }
        if needs_listing {
            self.bulk_actions.0.templates.sync_in_background(&self.workspace);
        }
        bulk_action.map(|_| ())
    }
}
