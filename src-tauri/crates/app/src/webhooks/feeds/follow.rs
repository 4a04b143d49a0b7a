//! The task that follows one feed.

use std::time::Duration;

use ::feed::{Client, FeedError, MAX_WAIT, Page};
use store::delivery_log::{FeedGap, FeedPage, NewDelivery};
use tokio_util::sync::CancellationToken;

use super::{Followed, Stored, advice, client};
use crate::context::lock;
use crate::webhooks::Webhooks;
use command_types::event::DeskEvent;
use command_types::feeds::FeedState;
use outgoing::now;

/// Deliveries in a page. After a page that was cut off, pages are smaller for a while, so that a connection that keeps
/// breaking gets on.
const PAGE_SIZE: u32 = 2_000;
/// Shorter than what proxies usually allow a request without an answer.
const WAIT: Duration = Duration::from_secs(25);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// How much of the reason for a gap is kept, in characters.
const MAX_WHY_LENGTH: usize = 100;

const _: () = assert!(WAIT.as_secs() <= MAX_WAIT.as_secs());

/// Why a page was not fetched or not stored.
enum Problem {
    Feed(FeedError),
    Token(String),
    DeliveryLog(String),
}

struct Fetched {
    /// The cursor that it follows.
    before: Option<String>,
    page: Page,
}

/// What the task that follows a feed keeps from one page to the next.
struct Progress {
    /// Missing before the first page and after an error.
    client: Option<Client>,
    /// Deliveries to ask for.
    limit: u32,
    /// The next page, fetched while the last one was stored.
    ahead: Option<Result<Fetched, Problem>>,
}

/// What a page passes over, between the deliveries around it.
fn gaps(feed: &Stored, page: &Page) -> Vec<FeedGap> {
    let gap = |gap: &::feed::Gap| {
        tracing::warn!(from = gap.from, to = gap.to, why = gap.why, "a followed server passed over deliveries");
        let after = page.deliveries.partition_point(|delivery| delivery.seq < gap.from);
        let (before, after) = page.deliveries.split_at(after);
        FeedGap {
            source: feed.id.clone(),
            why: model::visible::visible(&gap.why).chars().take(MAX_WHY_LENGTH).collect(),
            deliveries: gap.to.abs_diff(gap.from).saturating_add(1),
            after: before.last().map(|delivery| delivery.received_at),
            before: after.first().map_or_else(now, |delivery| delivery.received_at),
        }
    };
    page.gaps.iter().map(gap).collect()
}

async fn fetch(client: &Client, before: Option<String>, limit: u32, wait: Duration) -> Result<Fetched, Problem> {
    let page = client.page(before.as_deref(), limit, wait).await.map_err(Problem::Feed)?;
    Ok(Fetched { before, page })
}

impl Webhooks {
    /// Follows a feed from now on. No other task follows it.
    pub(super) fn follow(&self, feed: Stored) {
        let stop = self.0.context.cancel.child_token();
        let ended = CancellationToken::new();
        let state = FeedState::Connecting {};
        let workspace = feed.workspace.clone();
        let followed = Followed { stop: stop.clone(), ended: ended.clone(), workspace, state, last_event_at: None };
        lock(&self.0.feeds.followed).insert(feed.id.clone(), followed);
        self.0.context.emit(DeskEvent::FeedsChanged {});
        let this = self.clone();
        self.0.context.tasks.spawn(async move {
            let _ended = ended.drop_guard();
            let first_pause = this.0.context.timing.feed_pause;
            let mut pause = first_pause;
            let mut progress = Progress { client: None, limit: PAGE_SIZE, ahead: None };
            loop {
                let Some(stored) = this.follow_page(&feed, &mut progress, &stop).await else { return };
                let Err(problem) = stored else {
                    pause = first_pause;
                    continue;
                };
                progress.client = None;
                if matches!(problem, Problem::Feed(FeedError::Incomplete(_))) {
                    progress.limit = (progress.limit / 8).max(1);
                }
                this.report_problem(&feed, problem, &stop);
                if stop.run_until_cancelled(tokio::time::sleep(pause)).await.is_none() {
                    return;
                }
                pause = (pause * 2).min(LONGEST_PAUSE);
            }
        });
    }

    /// Fetches and stores a page, and fetches the one after it meanwhile. `None` once `stop` is cancelled.
    async fn follow_page(
        &self,
        feed: &Stored,
        progress: &mut Progress,
        stop: &CancellationToken,
    ) -> Option<Result<(), Problem>> {
        let fetched = match progress.ahead.take() {
            Some(fetched) => fetched,
            None => stop.run_until_cancelled(self.fetch_stored(feed, progress)).await?,
        };
        let fetched = match fetched {
            Ok(fetched) => fetched,
            Err(problem) => return Some(Err(problem)),
        };
        progress.limit = progress.limit.saturating_mul(2).min(PAGE_SIZE);
        let after = (fetched.page.end.behind > 0).then(|| fetched.page.end.cursor.clone());
        let next = async {
            let (client, after) = progress.client.as_ref().zip(after)?;
            stop.run_until_cancelled(fetch(client, Some(after), progress.limit, WAIT)).await
        };
        // A page that is being stored is not interrupted: the delivery log stores it as a whole in any case.
        let (stored, next) = tokio::join!(self.store(feed, fetched, stop), next);
        // What follows a page that was not stored must not be stored either.
        progress.ahead = next.filter(|_| stored.is_ok());
        Some(stored)
    }

    /// The page after the stored cursor of the feed.
    async fn fetch_stored(&self, feed: &Stored, progress: &mut Progress) -> Result<Fetched, Problem> {
        let cursor = self.0.context.reader.feed_cursor(&feed.id).await;
        let cursor = cursor.map_err(|error| Problem::DeliveryLog(error.to_string()))?;
        // The first answer says at once whether the feed can be followed.
        let wait = if progress.client.is_none() { Duration::ZERO } else { WAIT };
        let client = match &mut progress.client {
            Some(client) => client,
            none => {
                let token = self.token(feed).await.map_err(Problem::Token)?;
                none.insert(client(feed, token).map_err(Problem::Feed)?)
            }
        };
        fetch(client, cursor, progress.limit, wait).await
    }

    /// Stores a page and its cursor.
    async fn store(
        &self,
        feed: &Stored,
        Fetched { before, page }: Fetched,
        stop: &CancellationToken,
    ) -> Result<(), Problem> {
        let behind = page.end.behind;
        let last_event_at = page.deliveries.iter().map(|delivery| delivery.received_at).max();
        if before.as_deref() != Some(page.end.cursor.as_str()) {
            let gaps = gaps(feed, &page);
            let has_gaps = !gaps.is_empty();
            let is_wanted = |delivery: &::feed::Delivery| {
                feed.endpoint.as_ref().is_none_or(|endpoint| *endpoint == delivery.endpoint)
            };
            let delivery = |delivery: ::feed::Delivery| {
                let origin = format!("{}/{}/{}", feed.id, delivery.node, delivery.seq);
                let delivery = NewDelivery {
                    received_at: delivery.received_at,
                    route: feed.workspace.clone(),
                    headers: delivery.headers,
                    body: delivery.body,
                };
                (delivery, origin)
            };
            let deliveries = page.deliveries.into_iter().filter(is_wanted).map(delivery).collect();
            let (source, cursor) = (feed.id.clone(), page.end.cursor);
            let page = FeedPage { source, cursor, deliveries, gaps, received_at: last_event_at };
            let stored = self.0.context.delivery_log.append_page(page).await;
            stored.map_err(|error| Problem::DeliveryLog(error.to_string()))?;
            if has_gaps {
                self.0.context.emit(DeskEvent::FeedsChanged {});
            }
        }
        let state = if behind == 0 { FeedState::Connected {} } else { FeedState::Behind { count: behind } };
        self.set_feed_state(feed, state, last_event_at, stop);
        Ok(())
    }

    fn report_problem(&self, feed: &Stored, problem: Problem, stop: &CancellationToken) {
        let state = match problem {
            Problem::Feed(error @ (FeedError::Refused | FeedError::Token)) => {
                FeedState::Refused { reason: advice(&error) }
            }
            Problem::Feed(error) => FeedState::Failed { reason: advice(&error) },
            Problem::Token(reason) => FeedState::Refused { reason },
            // The reason says what to do.
            Problem::DeliveryLog(reason) => {
                FeedState::Failed { reason: format!("The webhooks cannot be stored here: {reason}.") }
            }
        };
        tracing::warn!(?state, "the deliveries of a server are not fetched");
        self.set_feed_state(feed, state, None, stop);
    }

    fn set_feed_state(&self, feed: &Stored, state: FeedState, last_event_at: Option<i64>, stop: &CancellationToken) {
        let mut all = lock(&self.0.feeds.followed);
        // A task that was replaced says nothing any more.
        let Some(followed) = all.get_mut(&feed.id).filter(|_| !stop.is_cancelled()) else { return };
        let is_new = followed.state != state || last_event_at.is_some();
        let problem = match &state {
            FeedState::Refused { reason } | FeedState::Failed { reason } => Some(reason.clone()),
            FeedState::Connecting {} | FeedState::Connected {} | FeedState::Behind { .. } => None,
        };
        followed.state = state;
        followed.last_event_at = followed.last_event_at.max(last_event_at);
        drop(all);
        self.0.workspaces.feed_seen(&feed.workspace, &feed.id, problem.as_deref());
        if is_new {
            self.0.context.emit(DeskEvent::FeedsChanged {});
        }
    }
}
