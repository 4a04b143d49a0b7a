//! Limits the number of connections, and evicts stalled ones when the limit is reached.
//!
//! A peer that keeps the receiver waiting (idle, incomplete head or body) is evicted for the next one; a peer that
//! waits for the receiver never is. So a thousand stalled connections cannot lock out a healthy sender.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::{
    sync::Notify,
    time::{Instant, timeout},
};
use tokio_util::sync::CancellationToken;

pub(crate) struct Connections {
    limit: usize,
    eviction_delay: Duration,
    state: Mutex<State>,
    released: Notify,
}

#[derive(Default)]
struct State {
    last_id: u64,
    open: HashMap<u64, OpenConnection>,
    /// Whether an accepted connection waits for a permit.
    crowded: bool,
}

struct OpenConnection {
    /// Since when the receiver has been waiting for this peer; `None` while the peer waits for the receiver.
    waiting_since: Option<Instant>,
    evicted: CancellationToken,
}

impl Connections {
    /// At most `limit` connections (at least one); when all are in use, a peer may keep the receiver waiting for
    /// `eviction_delay`.
    pub(crate) fn new(limit: usize, eviction_delay: Duration) -> Arc<Self> {
        Arc::new(Self { limit: limit.max(1), eviction_delay, state: Mutex::default(), released: Notify::new() })
    }

    pub(crate) async fn acquire(self: &Arc<Self>) -> ConnectionPermit {
        loop {
            let wait = {
                let mut state = self.state();
                if state.open.len() < self.limit {
                    return self.add_connection(&mut state);
                }
                state.crowded = true;
                self.evict_slowest(&mut state)
            };
            // Only the accept loop waits here, and `notify_one` stores its permit if no task waits yet.
            match wait {
                Some(wait) => drop(timeout(wait, self.released.notified()).await),
                None => self.released.notified().await,
            }
        }
    }

    fn add_connection(self: &Arc<Self>, state: &mut State) -> ConnectionPermit {
        state.crowded = false;
        state.last_id += 1;
        let evicted = CancellationToken::new();
        let open = OpenConnection { waiting_since: Some(Instant::now()), evicted: evicted.clone() };
        state.open.insert(state.last_id, open);
        ConnectionPermit { connections: Arc::clone(self), id: state.last_id, evicted }
    }

    /// Evicts the connection that has kept the receiver waiting longest, if that is longer than `eviction_delay`. Otherwise
    /// returns the time until the next attempt, if time alone can change anything.
    fn evict_slowest(&self, state: &mut State) -> Option<Duration> {
        let waiting = state.open.values_mut().filter(|open| !open.evicted.is_cancelled());
        let slowest = waiting.filter_map(|open| Some((open.waiting_since?, open))).min_by_key(|(since, _)| *since)?;
        let remaining = self.eviction_delay.saturating_sub(slowest.0.elapsed());
        if remaining.is_zero() {
            slowest.1.evicted.cancel();
            return None;
        }
        Some(remaining)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A connection's permit. It is released when this is dropped.
pub(crate) struct ConnectionPermit {
    connections: Arc<Connections>,
    id: u64,
    evicted: CancellationToken,
}

impl ConnectionPermit {
    /// Marks that the peer now waits for the receiver.
    pub(crate) fn serving(&self) {
        self.set_waiting_since(None);
    }

    /// Marks that the receiver now waits for the peer.
    pub(crate) fn waiting(&self) {
        self.set_waiting_since(Some(Instant::now()));
    }

    /// Whether the peer waits for the receiver.
    pub(crate) fn is_serving(&self) -> bool {
        self.connections.state().open.get(&self.id).is_some_and(|open| open.waiting_since.is_none())
    }

    /// Whether another connection waits for a permit, so that this one should be closed after the current response.
    pub(crate) fn should_close(&self) -> bool {
        self.connections.state().crowded
    }

    /// Resolves when this connection must be closed at once.
    pub(crate) async fn evicted(&self) {
        self.evicted.cancelled().await;
    }

    fn set_waiting_since(&self, since: Option<Instant>) {
        if let Some(open) = self.connections.state().open.get_mut(&self.id) {
            open.waiting_since = since;
        }
    }
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        self.connections.state().open.remove(&self.id);
        self.connections.released.notify_one();
    }
}
