//! Bulk actions: one request per template, retries only on request, and reconciliation of lost answers.

mod bulk;
mod lost;
pub(super) mod provider;
mod single;

use app::{Core, Timing};
use command_types::bulk_action::{
    BulkAction, BulkActionDetail, BulkActionId, BulkActionItem, BulkActionKind, BulkActionQuery, ItemState,
    PlanBulkAction, RetryBulkAction, StartBulkAction,
};
use command_types::event::DeskEvent;
use command_types::template::TemplateTarget;
use tempfile::TempDir;
use tokio::sync::mpsc;

use self::provider::{Provider, uuid};
use super::batches::{opened_with, wait_for_end};
use super::harness::short_timing;

/// A core with a workspace at a provider with templates.
struct Desk {
    core: Core,
    provider: Provider,
    workspace: String,
    events: mpsc::UnboundedReceiver<DeskEvent>,
    _folder: TempDir,
}

impl Desk {
    async fn start(templates: u32) -> Self {
        Self::start_with(templates, short_timing()).await
    }

    async fn start_with(templates: u32, timing: Timing) -> Self {
        let provider = Provider::start(templates).await;
        let (core, workspace, folder, events) = opened_with(&provider.url, timing).await;
        Self { core, provider, workspace, events, _folder: folder }
    }

    fn id(&self, bulk_action: &BulkAction) -> BulkActionId {
        BulkActionId { workspace: self.workspace.clone(), id: bulk_action.id.clone() }
    }

    /// Plans an action on templates by their numbers.
    async fn plan(&self, action: BulkActionKind, numbers: impl IntoIterator<Item = u32>) -> BulkAction {
        let target = TemplateTarget::References { references: numbers.into_iter().map(uuid).collect() };
        self.core
            .bulk_actions
            .plan_bulk_action(PlanBulkAction { workspace: self.workspace.clone(), action, target })
            .await
            .unwrap()
    }

    fn start_of(&self, bulk_action: &BulkAction) -> StartBulkAction {
        StartBulkAction {
            workspace: self.workspace.clone(),
            id: bulk_action.id.clone(),
            confirmation: bulk_action.confirmation.clone(),
        }
    }

    /// Plans and starts.
    async fn started(&self, action: BulkActionKind, numbers: impl IntoIterator<Item = u32>) -> BulkAction {
        let bulk_action = self.plan(action, numbers).await;
        self.core.bulk_actions.start_bulk_action(self.start_of(&bulk_action)).await.unwrap()
    }

    async fn wait_until_ended(&mut self, bulk_action: &BulkAction) -> BulkAction {
        wait_for_end(&mut self.events, &bulk_action.id).await;
        self.now(bulk_action).await
    }

    async fn detail(
        &self,
        bulk_action: &BulkAction,
        state: Option<ItemState>,
        after: Option<u32>,
        limit: u32,
    ) -> BulkActionDetail {
        let query =
            BulkActionQuery { workspace: self.workspace.clone(), id: bulk_action.id.clone(), state, after, limit };
        self.core.bulk_actions.get_bulk_action(query).await.unwrap()
    }

    async fn now(&self, bulk_action: &BulkAction) -> BulkAction {
        self.detail(bulk_action, None, None, 1).await.bulk_action
    }

    async fn items(&self, bulk_action: &BulkAction, state: ItemState) -> Vec<BulkActionItem> {
        self.detail(bulk_action, Some(state), None, 500).await.items
    }

    async fn retry(&self, bulk_action: &BulkAction) -> command_types::error::Result<BulkAction> {
        self.core.bulk_actions.retry_bulk_action(self.retry_of(bulk_action)).await
    }

    /// A retry of what failed.
    fn retry_of(&self, bulk_action: &BulkAction) -> RetryBulkAction {
        let id = self.id(bulk_action);
        RetryBulkAction { workspace: id.workspace, id: id.id, retry_unknown: None, retry_cancelled: None }
    }

    async fn close(self) {
        self.core.close().await;
    }
}

/// Number of items of a bulk action by state, without empty states.
fn counts(bulk_action: &BulkAction) -> Vec<(&str, u32)> {
    bulk_action.counts.iter().map(|counted| (counted.value.as_str(), counted.count)).collect()
}
