//! Registry of the running jobs of an area.

use std::collections::HashMap;
use std::sync::Mutex;

use store::Desk;
use store::desk::{JobKind, RunState, RunStep};
use tokio_util::sync::CancellationToken;

use crate::context::lock;
use command_types::error::{DeskError, Result};
use outgoing::now;

#[derive(Debug)]
pub(crate) struct RunningJobs {
    kind: JobKind,
    jobs: Mutex<HashMap<String, Running>>,
}

#[derive(Debug)]
struct Running {
    stop: CancellationToken,
    waiting: Option<Waiting>,
    /// Why it is interrupted from outside.
    error: Option<DeskError>,
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
    pub(crate) fn new(kind: JobKind) -> Self {
        Self { kind, jobs: Mutex::default() }
    }

    pub(super) fn kind(&self) -> JobKind {
        self.kind
    }

    pub(super) fn add(&self, id: &str, stop: CancellationToken) {
        lock(&self.jobs).insert(id.to_owned(), Running { stop, waiting: None, error: None });
    }

    pub(super) fn remove(&self, id: &str) {
        lock(&self.jobs).remove(id);
    }

    pub(super) fn set_waiting(&self, id: &str, waiting: Option<Waiting>) {
        if let Some(running) = lock(&self.jobs).get_mut(id) {
            running.waiting = waiting;
        }
    }

    /// Why a job is paused; `None` also when it is not running.
    pub(crate) fn waiting(&self, id: &str) -> Option<Waiting> {
        lock(&self.jobs).get(id).and_then(|running| running.waiting.clone())
    }

    pub(crate) fn is_empty(&self) -> bool {
        lock(&self.jobs).is_empty()
    }

    pub(crate) fn ids(&self) -> Vec<String> {
        lock(&self.jobs).keys().cloned().collect()
    }

    /// Stops a job because every other item would fail with this error; nothing if it is not running.
    pub(crate) fn interrupt(&self, id: &str, error: DeskError) {
        if let Some(running) = lock(&self.jobs).get_mut(id) {
            running.error.get_or_insert(error);
            running.stop.cancel();
        }
    }

    /// Why a job was interrupted from outside.
    pub(super) fn error(&self, id: &str) -> Option<DeskError> {
        lock(&self.jobs).get(id).and_then(|running| running.error.clone())
    }

    /// Cancels a job: no further item is sent, and requests in flight are awaited. Returns [`RunStep::Done`], or
    /// [`RunStep::State`] with [`RunState::Cancelling`] when it was cancelled before.
    pub(crate) async fn cancel(&self, desk: &Desk, id: &str) -> Result<RunStep> {
        let step = desk.cancel_job(self.kind, id, now()).await?;
        let is_cancelled = matches!(step, RunStep::Done | RunStep::State(RunState::Cancelling));
        if is_cancelled && !self.stop(id) {
            // It has ended, which could not be recorded, for example on a full disk.
            desk.end_job(self.kind, id, RunState::Cancelled, None, now()).await?;
        }
        Ok(step)
    }

    /// Returns whether the job was running.
    fn stop(&self, id: &str) -> bool {
        let running = lock(&self.jobs);
        let found = running.get(id);
        if let Some(running) = found {
            running.stop.cancel();
        }
        found.is_some()
    }
}
