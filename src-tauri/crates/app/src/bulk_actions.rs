//! Orders: archive, unarchive and delete, one template or many. Each item is on disk as leaving before it leaves; what
//! failed leaves again only when a person says so.

mod plan;
mod reconcile;
mod run;
mod single;

use std::sync::Arc;

use model::lifecycle;
use store::desk::{self, ItemState, RunState, RunStep};

use self::plan::Facts;
use crate::context::Context;
use crate::jobs::running::RunningJobs;
use crate::parts::now;
use crate::templates::Templates;
use crate::templates::queries::MOST_ROWS;
use crate::workspaces::Workspaces;
use api::Nothing;
use api::error::{DeskError, Result};
use api::event::DeskEvent;
use api::order::{ItemCount, Order, OrderDetail, OrderId, OrderItem, OrderQuery, RetryOrder, StartOrder};
use api::workspace::WorkspaceId;

/// Orders listed.
const LISTED: u32 = 50;
/// States in which nothing more happens by itself.
const ENDED: [RunState; 3] = [RunState::Done, RunState::Cancelled, RunState::Interrupted];

/// Bulk actions of all workspaces. Clones share one state.
#[derive(Clone, Debug)]
pub struct BulkActions(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    context: Arc<Context>,
    workspaces: Workspaces,
    templates: Templates,
    running: RunningJobs,
}

impl BulkActions {
    pub(crate) fn new(context: Arc<Context>, workspaces: Workspaces, templates: Templates) -> Self {
        let running = RunningJobs::default();
        let bulk_actions = Self(Arc::new(Inner { context, workspaces, templates, running }));
        let weak = Arc::downgrade(&bulk_actions.0);
        bulk_actions.0.templates.listed().add(move |listing| {
            let bulk_actions = weak.upgrade().map(Self);
            async move {
                match bulk_actions {
                    Some(bulk_actions) => bulk_actions.settle_orders(&listing.workspace, listing.is_whole).await,
                    None => Ok(()),
                }
            }
        });
        bulk_actions
    }
}

impl BulkActions {
    /// Lets a planned order run.
    ///
    /// # Errors
    /// [`DeskError::InvalidInput`] at `confirmation` unless it is what has to be typed; [`DeskError::Conflict`] when
    /// there is nothing to do, when it was started before, or while another order is at work on one of its templates;
    /// [`DeskError::MissingCredentials`].
    pub async fn start_order(&self, request: StartOrder) -> Result<Order> {
        let order = self.known_order(&request.workspace, &request.id).await?;
        if order.state == RunState::Planned {
            if count(&order, ItemState::Planned) == 0 {
                return conflict("There is nothing to do: see at each template why.");
            }
            if let Some(wanted) = Facts::of(&order).confirmation
                && request.confirmation.as_deref() != Some(wanted.as_str())
            {
                return Err(DeskError::invalid(
                    "confirmation",
                    format!("Type {wanted} to delete. This cannot be undone."),
                ));
            }
        }
        self.set_order_off(order, vec![RunState::Planned], Vec::new()).await
    }

    /// Lets items of an order leave again that failed, and those that never left because it was interrupted. What a
    /// person cancelled stays cancelled.
    ///
    /// # Errors
    /// [`DeskError::Conflict`] when there are none, or as [`Self::start_order`].
    pub async fn retry_order(&self, request: RetryOrder) -> Result<Order> {
        let order = self.known_order(&request.workspace, &request.id).await?;
        let unknown = request.retry_unknown.unwrap_or_default();
        let lost = if unknown { count(&order, ItemState::Unknown) } else { 0 };
        if ENDED.contains(&order.state) && retryable(&order) + lost == 0 {
            return conflict("None of its templates failed.");
        }
        let mut again = vec![ItemState::Failed];
        again.extend(unknown.then_some(ItemState::Unknown));
        self.set_order_off(order, ENDED.to_vec(), again).await
    }

    /// Lets no further item of an order leave. Those on their way are waited for.
    ///
    /// # Errors
    /// [`DeskError::Conflict`] when it has ended already; [`DeskError::NotFound`].
    pub async fn cancel_order(&self, request: OrderId) -> Result<Order> {
        let order = self.known_order(&request.workspace, &request.id).await?;
        match self.0.context.desk.cancel_order(&order.id, now()).await? {
            RunStep::Done | RunStep::State(RunState::Cancelling) => {}
            step => return Err(step_refused(&step)),
        }
        if !self.0.running.stop(&order.id) {
            // It has ended, which could not be recorded, say on a full disk.
            self.0.context.desk.end_order(&order.id, RunState::Cancelled, None, now()).await?;
        }
        self.told_order(&request.workspace, &order.id).await
    }

    /// Forgets an order that was never started.
    ///
    /// # Errors
    /// [`DeskError::Conflict`] when it was; [`DeskError::NotFound`].
    pub async fn discard_order(&self, request: OrderId) -> Result<Nothing> {
        let order = self.known_order(&request.workspace, &request.id).await?;
        match self.0.context.desk.discard_order(&order.id).await? {
            RunStep::Done => Ok(Nothing {}),
            step => Err(step_refused(&step)),
        }
    }

    /// An order and a page of its items.
    ///
    /// # Errors
    /// [`DeskError::NotFound`] when there is no such order.
    pub async fn get_order(&self, query: OrderQuery) -> Result<OrderDetail> {
        let order = self.known_order(&query.workspace, &query.id).await?;
        let limit = query.limit.clamp(1, MOST_ROWS);
        let from = query.after.map_or(0, |after| after.saturating_add(1));
        let mut items = self.0.context.desk.order_items(&order.id, query.state, from, limit + 1).await?;
        let more = items.len() > limit as usize;
        items.truncate(limit as usize);
        let next = items.last().filter(|_| more).map(|item| item.position);
        Ok(OrderDetail { order: self.shown_order(order), items: items.into_iter().map(shown_item).collect(), next })
    }

    /// Orders of a workspace, newest first.
    ///
    /// # Errors
    /// [`DeskError::Storage`] when the desk cannot be read.
    pub async fn list_orders(&self, request: WorkspaceId) -> Result<Vec<Order>> {
        let orders = self.0.context.desk.orders(&request.workspace, LISTED).await?;
        Ok(orders.into_iter().map(|order| self.shown_order(order)).collect())
    }

    async fn set_order_off(&self, order: desk::Order, from: Vec<RunState>, again: Vec<ItemState>) -> Result<Order> {
        // What stands in the way of every item is said before anything changes.
        let client = self.0.workspaces.client(&order.workspace_id).await?;
        match self.0.context.desk.start_order(&order.id, from, again, now()).await? {
            RunStep::Done => {}
            step => return Err(step_refused(&step)),
        }
        self.run_order(&order, client);
        self.told_order(&order.workspace_id, &order.id).await
    }

    /// An order as it stands, told to the window as well.
    async fn told_order(&self, workspace: &str, id: &str) -> Result<Order> {
        let order = self.known_order(workspace, id).await?;
        self.report_order(&order);
        Ok(self.shown_order(order))
    }

    async fn known_order(&self, workspace: &str, id: &str) -> Result<desk::Order> {
        let order = self.0.context.desk.order(id).await?.filter(|order| order.workspace_id == workspace);
        order.ok_or_else(|| DeskError::not_found("The order"))
    }

    /// Reports the progress of an order.
    fn report_order(&self, order: &desk::Order) {
        let open = [ItemState::Planned, ItemState::Leaving, ItemState::Cancelled];
        let open: u32 = open.map(|state| count(order, state)).iter().sum();
        self.0.context.emit(DeskEvent::OrderProgress {
            workspace: order.workspace_id.clone(),
            id: order.id.clone(),
            done: order.total.saturating_sub(open),
            total: order.total,
            state: order.state,
        });
    }

    fn shown_order(&self, order: desk::Order) -> Order {
        let waiting_until = self.0.running.waiting(&order.id).map(|waiting| waiting.until);
        let facts = Facts::of(&order);
        Order {
            undoable: plan::is_undoable(&order),
            retryable: if ENDED.contains(&order.state) { retryable(&order) } else { 0 },
            counts: order.counts.iter().map(|&(value, count)| ItemCount { value, count }).collect(),
            names: facts.names,
            name_count: facts.name_count,
            approved: facts.approved,
            blocked_days: lifecycle::BLOCKED_NAME_DAYS,
            upstream_deletion_days: lifecycle::UPSTREAM_ARCHIVE_DAYS,
            recent_sends: facts.recent_sends,
            confirmation: facts.confirmation,
            id: order.id,
            workspace: order.workspace_id,
            action: order.action,
            state: order.state,
            total: order.total,
            error: order.error.as_deref().and_then(|json| serde_json::from_str(json).ok()),
            undo_of: order.undo_of,
            waiting_until,
            created_at: order.created_at,
            started_at: order.started_at,
            ended_at: order.ended_at,
        }
    }
}

fn shown_item(item: desk::OrderItem) -> OrderItem {
    OrderItem {
        position: item.position,
        reference: item.template_ref,
        name: item.name,
        language: item.language,
        state: item.state,
        // Written here; what cannot be read any more is no reason to hide the item.
        error: item.error.as_deref().and_then(|json| serde_json::from_str(json).ok()),
        at: item.answered_at.or(item.left_at),
        attempts: item.attempts,
    }
}

/// How many items leave when it is tried again.
fn retryable(order: &desk::Order) -> u32 {
    count(order, ItemState::Failed) + count(order, ItemState::Planned)
}

fn count(order: &desk::Order, state: ItemState) -> u32 {
    order.counts.iter().find(|(known, _)| *known == state).map_or(0, |(_, n)| *n)
}

fn conflict<T>(message: impl Into<String>) -> Result<T> {
    Err(DeskError::Conflict { message: message.into() })
}

fn step_refused(step: &RunStep) -> DeskError {
    let message = match step {
        RunStep::Missing | RunStep::Done => return DeskError::not_found("The order"),
        RunStep::Busy(_) => "Another order is at work on one of these templates. Wait until it is done, or cancel it.",
        RunStep::State(RunState::Planned) => "The order was never started.",
        RunStep::State(RunState::Running) => "The order is at work already.",
        RunStep::State(RunState::Cancelling) => "The order is being cancelled.",
        RunStep::State(RunState::Cancelled) => "The order was cancelled.",
        RunStep::State(RunState::Interrupted) => "The order was interrupted. What it left over can be tried again.",
        RunStep::State(RunState::Done) => "The order is done.",
    };
    DeskError::Conflict { message: message.to_owned() }
}
