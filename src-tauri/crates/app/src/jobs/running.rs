//! Registry of the running jobs of an area.

use std::collections::HashMap;
use std::sync::Mutex;

use tokio_util::sync::CancellationToken;

use crate::context::lock;

/// Running jobs by their identifiers.
#[derive(Debug, Default)]
pub(crate) struct RunningJobs(Mutex<HashMap<String, Running>>);

#[derive(Debug)]
struct Running {
    stop: CancellationToken,
    waiting: Option<Waiting>,
}

/// Why a job is paused.
#[derive(Clone, Debug)]
pub(crate) struct Waiting {
    /// Until when, in Unix milliseconds.
    pub(crate) until: i64,
    /// The channel's code, else the HTTP status, else `offline` or `unknown`.
    pub(crate) reason: String,
}

impl RunningJobs {
    /// Adds a job with the token that stops it.
    pub(super) fn add(&self, id: &str, stop: CancellationToken) {
        lock(&self.0).insert(id.to_owned(), Running { stop, waiting: None });
    }

    pub(super) fn remove(&self, id: &str) {
        lock(&self.0).remove(id);
    }

    pub(super) fn set_waiting(&self, id: &str, waiting: Option<Waiting>) {
        if let Some(running) = lock(&self.0).get_mut(id) {
            running.waiting = waiting;
        }
    }

    /// Why a job is paused; `None` also when it is not running.
    pub(crate) fn waiting(&self, id: &str) -> Option<Waiting> {
        lock(&self.0).get(id).and_then(|running| running.waiting.clone())
    }

    /// Stops sending items of a job. Returns whether it was running.
    pub(crate) fn stop(&self, id: &str) -> bool {
        let running = lock(&self.0);
        let found = running.get(id);
        if let Some(running) = found {
            running.stop.cancel();
        }
        found.is_some()
    }
}
