//! The task that follows one feed.

use std::time::Duration;

use ::feed::{Client, FeedError, MAX_WAIT, Page};
use store::inbox::{FeedPage, NewDelivery};
use tokio_util::sync::CancellationToken;

use super::{Followed, Stored, advice, client};
use crate::context::lock;
use crate::webhooks::Webhooks;
use api::event::DeskEvent;
use api::feeds::FeedState;

/// Deliveries in a page. After a page that was cut off, pages are smaller for a while, so that a connection that keeps
/// breaking gets on.
const PAGE_SIZE: u32 = 2_000;
/// Shorter than what proxies usually allow a request without an answer.
const WAIT: Duration = Duration::from_secs(25);
const FIRST_PAUSE: Duration = Duration::from_millis(250);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

const _: () = assert!(WAIT.as_secs() <= MAX_WAIT.as_secs());

/// Why a page was not fetched or not stored.
enum Problem {
    Feed(FeedError),
    Token(String),
    Inbox(String),
}

impl Webhooks {
    /// Follows a feed from now on. No other task follows it.
    pub(super) fn follow(&self, feed: Stored) {
        let stop = self.0.context.cancel.child_token();
        let ended = CancellationToken::new();
        let state = FeedState::Connecting {};
        let followed = Followed { stop: stop.clone(), ended: ended.clone(), state, last_event_at: None };
        lock(&self.0.feeds.followed).insert(feed.id.clone(), followed);
        self.0.context.emit(DeskEvent::FeedsChanged {});
        let this = self.clone();
        self.0.context.tasks.spawn(async move {
            let _ended = ended.drop_guard();
            let mut pause = FIRST_PAUSE;
            let mut connected = None;
            let mut limit = PAGE_SIZE;
            loop {
                // A page that is being stored is not interrupted: the inbox stores it as a whole in any case.
                let fetched = stop.run_until_cancelled(this.fetch(&feed, &mut connected, limit)).await;
                let Some(fetched) = fetched else { return };
                let stored = match fetched {
                    Ok((before, page)) => this.store(&feed, before, page, &stop).await,
                    Err(problem) => Err(problem),
                };
                let Err(problem) = stored else {
                    pause = FIRST_PAUSE;
                    limit = limit.saturating_mul(2).min(PAGE_SIZE);
                    continue;
                };
                connected = None;
                if matches!(problem, Problem::Feed(FeedError::Incomplete(_))) {
                    limit = (limit / 8).max(1);
                }
                this.report_problem(&feed, problem, &stop);
                if stop.run_until_cancelled(tokio::time::sleep(pause)).await.is_none() {
                    return;
                }
                pause = (pause * 2).min(LONGEST_PAUSE);
            }
        });
    }

    /// The cursor of the feed, and the page after it.
    async fn fetch(
        &self,
        feed: &Stored,
        connected: &mut Option<Client>,
        limit: u32,
    ) -> Result<(Option<String>, Page), Problem> {
        let cursor = self.0.context.reader.feed_cursor(&feed.id).await;
        let cursor = cursor.map_err(|error| Problem::Inbox(error.to_string()))?;
        let is_first = connected.is_none();
        if is_first {
            let token = self.token(feed).await.map_err(Problem::Token)?;
            *connected = Some(client(feed, token).map_err(Problem::Feed)?);
        }
        let client = connected.as_ref().expect("connected above");
        // The first answer says at once whether the feed can be followed.
        let wait = if is_first { Duration::ZERO } else { WAIT };
        let page = client.page(cursor.as_deref(), limit, wait).await.map_err(Problem::Feed)?;
        Ok((cursor, page))
    }

    /// Stores a page and its cursor.
    async fn store(
        &self,
        feed: &Stored,
        before: Option<String>,
        page: Page,
        stop: &CancellationToken,
    ) -> Result<(), Problem> {
        let behind = page.end.behind;
        let last_event_at = page.deliveries.iter().map(|delivery| delivery.received_at).max();
        if before.as_deref() != Some(page.end.cursor.as_str()) {
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
            let page = FeedPage { source: feed.id.clone(), cursor: page.end.cursor, deliveries };
            let stored = self.0.context.inbox.append_page(page).await;
            stored.map_err(|error| Problem::Inbox(error.to_string()))?;
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
            Problem::Inbox(reason) => FeedState::Failed {
                reason: format!("The deliveries cannot be stored here: {reason}. Free space on the disk."),
            },
        };
        tracing::warn!(?state, "the deliveries of a server are not fetched");
        self.set_feed_state(feed, state, None, stop);
    }

    fn set_feed_state(&self, feed: &Stored, state: FeedState, last_event_at: Option<i64>, stop: &CancellationToken) {
        let mut all = lock(&self.0.feeds.followed);
        // A task that was replaced says nothing any more.
        let Some(followed) = all.get_mut(&feed.id).filter(|_| !stop.is_cancelled()) else { return };
        let is_new = followed.state != state || last_event_at.is_some();
        followed.state = state;
        followed.last_event_at = followed.last_event_at.max(last_event_at);
        drop(all);
        if is_new {
            self.0.context.emit(DeskEvent::FeedsChanged {});
        }
    }
}
