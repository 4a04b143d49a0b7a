//! Orders: each template is asked for once, what failed once more when somebody says so, and what was lost is looked up.

mod bulk;
mod lost;
pub(super) mod provider;
mod single;

use api::event::DeskEvent;
use api::order::{
    ItemState, Order, OrderAction, OrderDetail, OrderId, OrderItem, OrderQuery, PlanOrder, RetryOrder, StartOrder,
};
use api::template::TemplateTarget;
use app::Core;
use tempfile::TempDir;
use tokio::sync::mpsc;

use self::provider::{Provider, uuid};
use super::batches::{ended, opened};

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
        let provider = Provider::start(templates).await;
        let (core, workspace, folder, events) = opened(&provider.url).await;
        Self { core, provider, workspace, events, _folder: folder }
    }

    fn id(&self, order: &Order) -> OrderId {
        OrderId { workspace: self.workspace.clone(), id: order.id.clone() }
    }

    /// Plans an action on templates by their numbers.
    async fn plan(&self, action: OrderAction, numbers: impl IntoIterator<Item = u32>) -> Order {
        let target = TemplateTarget::References { references: numbers.into_iter().map(uuid).collect() };
        self.core
            .bulk_actions
            .plan_order(PlanOrder { workspace: self.workspace.clone(), action, target })
            .await
            .unwrap()
    }

    fn start_of(&self, order: &Order) -> StartOrder {
        StartOrder { workspace: self.workspace.clone(), id: order.id.clone(), confirmation: order.confirmation.clone() }
    }

    /// Plans and starts.
    async fn started(&self, action: OrderAction, numbers: impl IntoIterator<Item = u32>) -> Order {
        let order = self.plan(action, numbers).await;
        self.core.bulk_actions.start_order(self.start_of(&order)).await.unwrap()
    }

    /// Waits until an order has ended in some state.
    async fn ends(&mut self, order: &Order) -> Order {
        ended(&mut self.events, &order.id).await;
        self.now(order).await
    }

    async fn detail(&self, order: &Order, state: Option<ItemState>, after: Option<u32>, limit: u32) -> OrderDetail {
        let query = OrderQuery { workspace: self.workspace.clone(), id: order.id.clone(), state, after, limit };
        self.core.bulk_actions.get_order(query).await.unwrap()
    }

    /// An order as it stands.
    async fn now(&self, order: &Order) -> Order {
        self.detail(order, None, None, 1).await.order
    }

    /// The items in a state.
    async fn items(&self, order: &Order, state: ItemState) -> Vec<OrderItem> {
        self.detail(order, Some(state), None, 500).await.items
    }

    async fn retry(&self, order: &Order) -> api::error::Result<Order> {
        let id = self.id(order);
        self.core.bulk_actions.retry_order(RetryOrder { workspace: id.workspace, id: id.id, retry_unknown: None }).await
    }

    async fn end(self) {
        self.core.close().await;
    }
}

/// Items of an order by where they stand, those that are none left out.
fn counts(order: &Order) -> Vec<(&str, u32)> {
    order.counts.iter().map(|counted| (counted.value.as_str(), counted.count)).collect()
}
