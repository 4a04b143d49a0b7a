//! Limits the number of connections, and evicts stalled ones when the limit is reached.
//!
//! A peer that keeps the receiver waiting (idle, incomplete head or body) is evicted for the next one; a peer that
//! waits for the receiver never is. So a thousand stalled connections cannot lock out a healthy sender.

use std::{
    collections::HashMap,
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::{
    sync::Notify,
    time::{Instant, timeout},
};
use tokio_util::sync::CancellationToken;

/// At most so many connections, or other things that peers hold.
pub struct Connections {
    limit: usize,
    eviction_delay: Duration,
    state: Mutex<State>,
    released: Notify,
}

#[derive(Default)]
struct State {
    last_id: u64,
    open: HashMap<u64, OpenConnection>,
    /// How many wait for a permit.
    waiting: usize,
}

struct OpenConnection {
    /// Since when the receiver has been waiting for this peer; `None` while the peer waits for the receiver.
    waiting_since: Option<Instant>,
    evicted: CancellationToken,
}

impl Connections {
    /// At most `limit` connections (at least one); when all are in use, a peer may keep the receiver waiting for
    /// `eviction_delay`.
    pub fn new(limit: usize, eviction_delay: Duration) -> Arc<Self> {
        Arc::new(Self { limit: limit.max(1), eviction_delay, state: Mutex::default(), released: Notify::new() })
    }

    /// Waits for a permit, and evicts the slowest connection if there is none. `evicted` is cancelled when this connection
    /// must be closed at once.
    pub async fn acquire(self: &Arc<Self>, evicted: CancellationToken) -> ConnectionPermit {
        let mut waiting = None;
        loop {
            let wait = {
                let mut state = self.state();
                if state.open.len() < self.limit {
                    return self.add_connection(&mut state, evicted);
                }
                waiting.get_or_insert_with(|| Waiting::new(self, &mut state));
                self.evict_slowest(&mut state)
            };
            // `notify_one` stores its permit if no task waits yet.
            match wait {
                Some(wait) => drop(timeout(wait, self.released.notified()).await),
                None => self.released.notified().await,
            }
        }
    }

    fn add_connection(self: &Arc<Self>, state: &mut State, evicted: CancellationToken) -> ConnectionPermit {
        state.last_id += 1;
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

/// Counts one that waits for a permit, also if it gives up.
struct Waiting<'a>(&'a Connections);

impl<'a> Waiting<'a> {
    fn new(connections: &'a Connections, state: &mut State) -> Self {
        state.waiting += 1;
        Self(connections)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.state().waiting -= 1;
    }
}

impl fmt::Debug for Connections {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connections").field("limit", &self.limit).finish_non_exhaustive()
    }
}

/// A connection's permit. It is released when this is dropped.
#[derive(Debug)]
pub struct ConnectionPermit {
    connections: Arc<Connections>,
    id: u64,
    evicted: CancellationToken,
}

impl ConnectionPermit {
    /// Marks that the peer now waits for the receiver.
    pub fn serving(&self) {
        self.set_waiting_since(None);
    }

    /// Marks that the receiver now waits for the peer.
    pub fn waiting(&self) {
        self.set_waiting_since(Some(Instant::now()));
    }

    /// Whether the peer waits for the receiver.
    pub fn is_serving(&self) -> bool {
        self.connections.state().open.get(&self.id).is_some_and(|open| open.waiting_since.is_none())
    }

    /// Whether another connection waits for a permit, so that this one should be closed after the current response.
    pub fn should_close(&self) -> bool {
        self.connections.state().waiting > 0
    }

    /// Resolves when this connection must be closed at once.
    pub async fn evicted(&self) {
        self.evicted.cancelled().await;
    }

    fn set_waiting_since(&self, since: Option<Instant>) {
        let mut state = self.connections.state();
        if let Some(open) = state.open.get_mut(&self.id) {
            open.waiting_since = since;
        }
        // From now on it may be the slowest.
        if state.waiting > 0 {
            self.connections.released.notify_one();
        }
    }
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        self.connections.state().open.remove(&self.id);
        self.connections.released.notify_one();
    }
}
