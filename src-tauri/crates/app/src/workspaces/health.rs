//! The health of workspaces: what requests, deliveries and followed servers last showed. In memory: a new start begins
//! with what it sees itself.

mod clock;

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use provider_client::{Client, Error, Observed};

use self::clock::{ClockEstimate, offset_between};
use crate::context::lock;
use crate::workspaces::Workspaces;
use command_types::error::DeskError;
use command_types::event::DeskEvent;
use command_types::health::{ConnectionHealth, ConnectionState, WebhookHealth, WebhookState};
use outgoing::now;

/// Minimum interval between two events for a workspace whose state is the same and whose time has changed.
const TIME_INTERVAL: Duration = Duration::from_secs(60);
/// A delivery that was received longer ago than this, in milliseconds, says nothing about the clock of today.
const LIVE: i64 = 60_000;

/// By workspace.
#[derive(Debug, Default)]
pub(super) struct Health(Mutex<HashMap<String, WorkspaceHealth>>);

#[derive(Debug, Default)]
struct WorkspaceHealth {
    /// Changes with the settings: requests with the settings before are not reported any more.
    generation: u64,
    connection: ConnectionHealth,
    clock: ClockEstimate,
    /// Why servers are not followed, and since when, by feed.
    failing_feeds: BTreeMap<String, (i64, String)>,
    emitted_at: Option<Instant>,
}

impl WorkspaceHealth {
    /// Whether an event about the time alone is due; it counts as emitted.
    fn take_due_event(&mut self, now: Instant) -> bool {
        let is_due = self.emitted_at.is_none_or(|emitted| now.duration_since(emitted) >= TIME_INTERVAL);
        if is_due {
            self.emitted_at = Some(now);
        }
        is_due
    }
}

/// What the outcome of a request says about the connection; `None` if nothing was sent, or nothing is known.
fn connection_state(error: Option<&Error>) -> Option<ConnectionState> {
    Some(match error {
        None => ConnectionState::Working,
        Some(Error::Unauthorized(_)) => ConnectionState::Unauthorized,
        Some(Error::Offline { .. } | Error::TimedOut { .. }) => ConnectionState::Unreachable,
        Some(Error::Server(_)) => ConnectionState::Failing,
        Some(Error::Forbidden(_) | Error::Refused(_)) => ConnectionState::Working,
        // Others than the provider send these too, such as the sign-in page of a network, and a rate limit may count
        // before credentials are checked.
        Some(_) => return None,
    })
}

impl Workspaces {
    /// The client, which reports to the health of its workspace.
    pub(super) fn observed(&self, workspace: &str, client: Client) -> Client {
        let generation = lock(&self.0.health.0).entry(workspace.to_owned()).or_default().generation;
        let (inner, workspace) = (Arc::downgrade(&self.0), workspace.to_owned());
        client.observed_by(move |observed| {
            if let Some(inner) = inner.upgrade() {
                Self(inner).observe_request(&workspace, generation, observed);
            }
        })
    }

    fn observe_request(&self, workspace: &str, generation: u64, observed: &Observed<'_>) {
        self.change_health(workspace, |health| {
            if health.generation != generation {
                return false;
            }
            match observed {
                Observed::Clocks { provider, here } => health.clock.date_seen(offset_between(*provider, *here)),
                Observed::Finished(error) => {
                    let Some(state) = connection_state(*error) else { return false };
                    let is_problem = state != ConnectionState::Working;
                    let error =
                        error.filter(|_| is_problem).map(|error| DeskError::from(error.clone()).cause().clone());
                    let is_new = health.connection.state != state || health.connection.error != error;
                    health.connection = ConnectionHealth { state, at: Some(now()), error };
                    is_new || health.take_due_event(Instant::now())
                }
            }
        });
    }

    /// Forgets what requests showed: they were sent with other settings or credentials.
    pub(super) fn reset_connection(&self, workspace: &str) {
        self.change_health(workspace, |health| {
            health.generation += 1;
            (health.connection, health.clock) = (ConnectionHealth::default(), ClockEstimate::default());
            true
        });
    }

    /// Records when something happened according to a delivery, and when the delivery arrived here.
    pub(crate) fn event_seen(&self, workspace: &str, at: i64, received_at: i64) {
        if (now() - received_at).abs() < LIVE {
            self.change_health(workspace, |health| health.clock.event_seen(at.saturating_sub(received_at)));
        }
    }

    /// Records why a server is not followed; `None` once it is.
    pub(crate) fn feed_seen(&self, workspace: &str, feed: &str, problem: Option<&str>) {
        self.change_health(workspace, |health| match problem {
            Some(reason) => {
                let since = health.failing_feeds.get(feed).map_or_else(now, |(since, _)| *since);
                let before = health.failing_feeds.insert(feed.to_owned(), (since, reason.to_owned()));
                before.is_none_or(|(_, before)| before != reason)
            }
            None => health.failing_feeds.remove(feed).is_some(),
        });
    }

    /// A delivery to an endpoint of a workspace was accepted or rejected.
    pub(super) fn delivery_seen(&self, workspace: &str, is_new_state: bool) {
        self.change_health(workspace, |health| is_new_state || health.take_due_event(Instant::now()));
    }

    /// Changes the health of a workspace, and emits an event if the change says so.
    fn change_health(&self, workspace: &str, change: impl FnOnce(&mut WorkspaceHealth) -> bool) {
        let is_news = change(lock(&self.0.health.0).entry(workspace.to_owned()).or_default());
        if is_news {
            self.0.context.emit(DeskEvent::HealthChanged { workspace: workspace.to_owned() });
        }
    }

    pub(super) fn connection_health(&self, workspace: &str) -> ConnectionHealth {
        lock(&self.0.health.0).get(workspace).map(|health| health.connection.clone()).unwrap_or_default()
    }

    /// The most urgent state of the endpoints and the followed servers of a workspace.
    pub(super) fn webhook_health(&self, workspace: &str) -> WebhookHealth {
        let (mut last_accepted, mut rejected, mut is_failing) = (None, None, false);
        for record in self.0.endpoints.records_of(workspace) {
            last_accepted = last_accepted.max(record.last_event_at);
            rejected = rejected.max(record.recent_refusals.back().copied());
            is_failing |= record.is_failing();
        }
        let healths = lock(&self.0.health.0);
        let failing = healths.get(workspace).and_then(|health| health.failing_feeds.values().next());
        match (rejected, failing) {
            (Some(at), _) if is_failing => WebhookHealth { state: WebhookState::Rejecting, at: Some(at), reason: None },
            (_, Some((since, reason))) => {
                WebhookHealth { state: WebhookState::ServerFailing, at: Some(*since), reason: Some(reason.clone()) }
            }
            (Some(at), None) => WebhookHealth { state: WebhookState::Rejected, at: Some(at), reason: None },
            (None, None) => WebhookHealth { at: last_accepted, ..WebhookHealth::default() },
        }
    }

    /// Whether the provider stated its time in this run, and the clock was not set since.
    pub(super) fn knows_clock(&self, workspace: &str) -> bool {
        lock(&self.0.health.0).get(workspace).is_some_and(|health| health.clock.is_known())
    }

    /// What is to be added to the clock of this machine for the time of the workspace's provider, in milliseconds; 0
    /// while they agree within two minutes.
    pub(crate) fn clock_offset(&self, workspace: &str) -> i64 {
        lock(&self.0.health.0).get(workspace).map_or(0, |health| health.clock.offset())
    }

    /// How far the clock of this machine seems to be from the provider's, for a person to look at: also by one answer
    /// that nothing agrees with, by which no time is calculated.
    pub(super) fn clock_difference(&self, workspace: &str) -> i64 {
        lock(&self.0.health.0).get(workspace).map_or(0, |health| health.clock.noticed())
    }
}
