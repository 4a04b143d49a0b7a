//! An order at work: a few items at a time, each on disk as leaving before it leaves.

use std::collections::VecDeque;
use std::time::Duration;

use service::Client;
use store::desk::{self, ItemState, OrderAction, OrderItem};
use tokio::task::{JoinError, JoinSet};
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;

use super::verdict::{Verdict, judge};
use crate::bulk_actions::BulkActions;
use crate::context::lock;
use crate::jobs::backoff::{MOST_TRIES, Patience};
use crate::jobs::stop_reason::{Halt, ended_by};
use crate::parts::now;
use api::error::{DeskError, Result};
use api::event::DeskEvent;

/// Items on their way at the same time.
const AT_ONCE: usize = 4;
/// Items read at once.
const PAGE: u32 = 200;
/// Between two words about the progress.
const TELL: Duration = Duration::from_millis(200);
/// Between two words that the list has changed: each makes the window ask for it again.
const TELL_CHANGES: Duration = Duration::from_secs(1);
/// Failures one after the other, after which they are taken for no coincidence.
const MOST_FAILURES: u32 = 100;

/// An order at work, as seen from outside.
#[derive(Debug)]
pub(super) struct Running {
    /// Lets no further item leave.
    pub(super) stop: CancellationToken,
    /// Until when it waits, in Unix milliseconds.
    pub(super) waiting_until: Option<i64>,
}

/// What became of an item that was to leave.
#[derive(Debug)]
pub(super) enum Landed {
    /// The order does not run any more, or the item had left before.
    Stayed,
    /// It was done.
    Done,
    /// It was not, or nobody knows.
    Failed(Verdict, DeskError),
}

/// An item that has not been answered.
#[derive(Debug)]
struct Item {
    item: OrderItem,
    tries: u32,
}

type Flight = std::result::Result<(Item, Result<Landed>), JoinError>;

#[derive(Debug)]
struct Run {
    bulk_actions: BulkActions,
    id: String,
    workspace: String,
    action: OrderAction,
    client: Client,
    stop: CancellationToken,
    began: Instant,
    patience: Patience,
    /// Nothing leaves before this.
    held: Duration,
    queue: VecDeque<Item>,
    /// The position from which on items are read.
    read: u32,
    read_all: bool,
    flights: JoinSet<(Item, Result<Landed>)>,
    failures: u32,
    halt: Option<Halt>,
    /// The listing has to be asked what became of an item.
    doubtful: bool,
    told: Instant,
    untold: bool,
    told_changes: Instant,
    untold_changes: bool,
}

impl BulkActions {
    /// Lets the items of an order leave that is written down as running.
    pub(super) fn run_order(&self, order: &desk::Order, client: Client) {
        let stop = CancellationToken::new();
        lock(&self.0.orders.0).insert(order.id.clone(), Running { stop: stop.clone(), waiting_until: None });
        let now = Instant::now();
        let run = Run {
            bulk_actions: self.clone(),
            id: order.id.clone(),
            workspace: order.workspace_id.clone(),
            action: order.action,
            client,
            stop,
            began: now,
            patience: Patience::default(),
            held: Duration::ZERO,
            queue: VecDeque::new(),
            read: 0,
            read_all: false,
            flights: JoinSet::new(),
            failures: 0,
            halt: None,
            doubtful: false,
            told: now,
            untold: false,
            told_changes: now,
            untold_changes: false,
        };
        // Not stopped in the middle when the app closes: what is on its way is waited for.
        self.0.context.tasks.spawn(run.run());
    }

    /// Does to one template what an order asks for, once it is written down as leaving, and writes down what became of
    /// it. An answer that `replan` accepts plans the item again.
    pub(super) async fn carry_out(
        &self,
        order: &str,
        (workspace, action): (&str, OrderAction),
        item: &OrderItem,
        client: &Client,
        replan: impl FnOnce(&Verdict) -> bool,
    ) -> Result<Landed> {
        let (reference, left_at) = (&item.template_ref, now());
        let answered = match action {
            OrderAction::Archive => client.archive_template(reference).await,
            OrderAction::Unarchive => client.unarchive_template(reference).await,
            OrderAction::Delete => client.delete_template(reference).await,
        };
        let (state, error, landed) = match answered {
            // Neither the listing has it, nor does the provider know it: it was deleted elsewhere.
            Err(service::Error::NotFound(_))
                if action == OrderAction::Delete && self.0.context.cache.is_left_out(workspace, reference).await? =>
            {
                (ItemState::Done, None, Landed::Done)
            }
            Ok(_) => (ItemState::Done, None, Landed::Done),
            Err(error) => {
                let (answer, error) = crate::parts::failed(error)?;
                let verdict = judge(&error);
                let state = match &verdict {
                    Verdict::Unknown => ItemState::Unknown,
                    other if replan(other) => ItemState::Planned,
                    _ => ItemState::Failed,
                };
                (state, answer.error, Landed::Failed(verdict, error))
            }
        };
        self.0.context.desk.move_item(order, item.position, (ItemState::Leaving, state), error, now()).await?;
        if state == ItemState::Done {
            self.take_over(workspace, action, reference, left_at).await?;
        }
        Ok(landed)
    }

    /// Shows at once what was done.
    async fn take_over(&self, workspace: &str, action: OrderAction, reference: &str, at: i64) -> Result<()> {
        use store::cache::{TemplateMatch, TemplatePatch};
        if action == OrderAction::Delete {
            self.0.context.cache.remove_template(workspace, reference).await?;
            return Ok(());
        }
        let patch = TemplatePatch { archived: Some(action == OrderAction::Archive), at, ..TemplatePatch::default() };
        self.0
            .context
            .cache
            .set_template_status(workspace, TemplateMatch::Reference(reference.to_owned()), patch)
            .await?;
        if action == OrderAction::Unarchive {
            self.0.templates.restore_unarchived(workspace, reference, at).await?;
        }
        Ok(())
    }
}

impl Run {
    async fn run(mut self) {
        if let Err(error) = self.work().await {
            self.halt = Some(Halt::Failed(error));
            // What is on its way is written down by itself; its answers are waited for all the same.
            while self.flights.join_next().await.is_some() {}
        }
        let (state, error) = ended_by(self.halt.take(), &self.id);
        if let Err(error) = self.bulk_actions.0.context.desk.end_order(&self.id, state, error, now()).await {
            // The next start finds it running and knows what that means.
            tracing::error!(order = self.id, %error, "the end of an order could not be written down");
        }
        lock(&self.bulk_actions.0.orders.0).remove(&self.id);
        self.tell_changes();
        self.report().await;
        if self.doubtful {
            // What was lost may have been done: the listing tells.
            self.bulk_actions.0.templates.sync_in_background(&self.workspace);
        }
    }

    async fn work(&mut self) -> Result<()> {
        loop {
            let wake = if self.halt.is_none() { self.launch().await? } else { None };
            if self.flights.is_empty() && wake.is_none() {
                return Ok(());
            }
            let closing = self.bulk_actions.0.context.cancel.clone();
            let (open, tell) = (self.halt.is_none(), self.told + TELL);
            tokio::select! {
                () = self.stop.cancelled(), if open => self.halt = Some(Halt::Cancelled),
                () = closing.cancelled(), if open => self.halt = Some(Halt::Closing),
                Some(landed) = self.flights.join_next(), if !self.flights.is_empty() => self.land(landed)?,
                () = sleep_until(self.began + wake.unwrap_or_default()), if wake.is_some() => {}
                () = sleep_until(tell), if self.untold => self.report().await,
            }
        }
    }

    /// Lets leave what may leave now. Gives when the next item may, unless an answer has to come before that.
    async fn launch(&mut self) -> Result<Option<Duration>> {
        let at_once = self.patience.at_once(AT_ONCE);
        while self.flights.len() < at_once {
            if self.queue.is_empty() && !self.read_all {
                self.read_on().await?;
            }
            if self.queue.is_empty() {
                return Ok(None);
            }
            if self.began.elapsed() < self.held {
                return Ok(Some(self.held));
            }
            if let Some(item) = self.queue.pop_front() {
                self.fly(item);
            }
        }
        Ok(None)
    }

    async fn read_on(&mut self) -> Result<()> {
        let items =
            self.bulk_actions.0.context.desk.order_items(&self.id, Some(ItemState::Planned), self.read, PAGE).await?;
        self.read_all = items.len() < PAGE as usize;
        if let Some(last) = items.last() {
            self.read = last.position + 1;
        }
        self.queue.extend(items.into_iter().map(|item| Item { item, tries: 0 }));
        Ok(())
    }

    fn fly(&mut self, item: Item) {
        let (bulk_actions, id, client) = (self.bulk_actions.clone(), self.id.clone(), self.client.clone());
        let (workspace, action) = (self.workspace.clone(), self.action);
        self.flights.spawn(async move {
            let answered = match bulk_actions.0.context.desk.begin_item(&id, item.item.position, now()).await {
                Ok(true) => {
                    let replan = |verdict: &Verdict| match verdict {
                        Verdict::Wait { limit, .. } => *limit || item.tries + 1 < MOST_TRIES,
                        verdict => *verdict == Verdict::Stop,
                    };
                    bulk_actions.carry_out(&id, (&workspace, action), &item.item, &client, replan).await
                }
                Ok(false) => Ok(Landed::Stayed),
                Err(error) => Err(error.into()),
            };
            (item, answered)
        });
    }

    /// Draws the consequences of an answer.
    fn land(&mut self, flight: Flight) -> Result<()> {
        let (mut item, answered) = flight.map_err(|error| DeskError::Internal { message: error.to_string() })?;
        self.untold = true;
        match answered? {
            Landed::Stayed => self.halt(Halt::Cancelled),
            Landed::Done => {
                self.untold_changes = true;
                self.failures = 0;
                self.answered();
            }
            Landed::Failed(verdict, error) => match verdict {
                Verdict::Failed => {
                    // A template that the provider does not know is none that the list should show.
                    self.doubtful |= matches!(error, DeskError::Service { status: 404 | 410 | 500.., .. });
                    self.failures += 1;
                    self.answered();
                    if self.failures >= MOST_FAILURES {
                        self.halt(Halt::Failed(error));
                    }
                }
                Verdict::Unknown => {
                    self.doubtful = true;
                    self.hold(None);
                    if self.patience.doubts_too_long() {
                        self.halt(Halt::Failed(error));
                    }
                }
                Verdict::Wait { pause, limit } => {
                    self.hold(pause);
                    item.tries += 1;
                    if limit || item.tries < MOST_TRIES {
                        self.queue.push_front(item);
                    }
                    if !limit && self.patience.fails_too_long() {
                        self.halt(Halt::Failed(error));
                    }
                }
                Verdict::Stop => self.halt(Halt::Failed(error)),
            },
        }
        Ok(())
    }

    fn answered(&mut self) {
        self.patience.relax();
        self.wait_until(None);
    }

    fn hold(&mut self, asked: Option<Duration>) {
        let now = self.began.elapsed();
        self.held = self.patience.pause(asked, now);
        let left = i64::try_from(self.held.saturating_sub(now).as_millis()).unwrap_or(i64::MAX);
        self.wait_until(Some(crate::parts::now().saturating_add(left)));
    }

    fn wait_until(&self, until: Option<i64>) {
        if let Some(running) = lock(&self.bulk_actions.0.orders.0).get_mut(&self.id) {
            running.waiting_until = until;
        }
    }

    fn halt(&mut self, halt: Halt) {
        self.halt.get_or_insert(halt);
    }

    /// Tells where the order stands. That it cannot be read is no reason to stop.
    async fn report(&mut self) {
        (self.told, self.untold) = (Instant::now(), false);
        if self.told_changes.elapsed() >= TELL_CHANGES {
            self.tell_changes();
        }
        match self.bulk_actions.known_order(&self.workspace, &self.id).await {
            Ok(order) => self.bulk_actions.tell_order(&order),
            Err(error) => tracing::debug!(%error, "an order could not be read to tell of it"),
        }
    }

    fn tell_changes(&mut self) {
        if std::mem::take(&mut self.untold_changes) {
            self.told_changes = Instant::now();
            self.bulk_actions.0.context.emit(DeskEvent::TemplatesChanged { workspace: self.workspace.clone() });
        }
    }
}
