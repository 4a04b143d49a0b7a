//! Progress of the projector, for waiting callers.

use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

use crate::webhooks::Webhooks;
use api::event::DeskEvent;

/// Minimum backlog for which progress is emitted; a smaller one is processed before a person could read it.
const WORTH_TELLING: i64 = 2_000;
/// Minimum interval between two progress events: at most five per second.
const PAUSE: Duration = Duration::from_millis(200);

/// The highest position that was ever projected, and whether a rebuild is in progress.
#[derive(Debug, Default)]
pub(crate) struct Projection {
    rebuilding: AtomicBool,
    /// The last delivery for which events were emitted.
    reached: AtomicI64,
    asked: Notify,
    /// Lock for writing projected data; counts exclusive uses by others than the projector.
    alone: tokio::sync::Mutex<u64>,
}

impl Projection {
    /// Records that events were emitted up to `seq`, in this run or an earlier one.
    pub(super) fn reach(&self, seq: i64) {
        self.reached.fetch_max(seq, Ordering::SeqCst);
    }

    /// The position up to which events were emitted.
    pub(super) fn reached(&self) -> i64 {
        self.reached.load(Ordering::SeqCst)
    }

    pub(super) fn is_rebuilding(&self) -> bool {
        self.rebuilding.load(Ordering::SeqCst)
    }

    /// Returns whether the value changed.
    pub(super) fn set_rebuilding(&self, rebuilding: bool) -> bool {
        self.rebuilding.swap(rebuilding, Ordering::SeqCst) != rebuilding
    }

    /// Blocks the projector until the guard is dropped, and makes it discard the batch that it had read before.
    pub(crate) async fn alone(&self) -> tokio::sync::MutexGuard<'_, u64> {
        let mut guard = self.alone.lock().await;
        *guard += 1;
        guard
    }

    /// The projector's lock. The number changes after each exclusive use by another caller.
    pub(super) async fn turn(&self) -> tokio::sync::MutexGuard<'_, u64> {
        self.alone.lock().await
    }

    /// Asks the projector to look again.
    pub(crate) fn ask(&self) {
        self.asked.notify_one();
    }

    pub(super) async fn asked(&self) {
        self.asked.notified().await;
    }
}

/// Emits the progress of one catch-up.
#[derive(Debug, Default)]
pub(super) struct Progress {
    worth_telling: bool,
    told: Option<Instant>,
}

impl Progress {
    /// A batch begins or is done.
    pub(super) fn step(&mut self, webhooks: &Webhooks, done: i64, total: i64) {
        self.worth_telling |= webhooks.0.projection.is_rebuilding() || total - done > WORTH_TELLING;
        if self.worth_telling && self.told.is_none_or(|told| told.elapsed() >= PAUSE) {
            self.told = Some(Instant::now());
            tell(webhooks, done, total);
        }
    }

    /// The backlog is empty.
    pub(super) fn end(self, webhooks: &Webhooks, done: i64, total: i64) {
        if self.worth_telling {
            tell(webhooks, done, total);
        }
    }
}

fn tell(webhooks: &Webhooks, done: i64, total: i64) {
    let number = |seq: i64| u64::try_from(seq).unwrap_or_default();
    webhooks.0.context.emit(DeskEvent::ProjectionProgress {
        done: number(done),
        total: number(total.max(done)),
        rebuilding: webhooks.0.projection.is_rebuilding(),
    });
}
