//! Progress of the projector, for waiting callers, and what it has still to do.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

use super::unmatched::Unmatched;
use crate::context::lock;
use crate::webhooks::Webhooks;
use command_types::event::DeskEvent;

/// Minimum backlog for which progress is emitted; a smaller one is processed before a person could read it.
const MIN_REPORTED_BACKLOG: i64 = 2_000;
/// Minimum interval between two progress events: at most five per second.
const EMIT_INTERVAL: Duration = Duration::from_millis(200);

/// The highest position that was ever projected, and whether a rebuild is in progress.
#[derive(Debug, Default)]
pub(crate) struct Projection {
    rebuilding: AtomicBool,
    /// The last delivery for which events were emitted.
    reached: AtomicI64,
    woken: Notify,
    /// Lock for writing projected data; counts exclusive uses by others than the projector.
    writes: tokio::sync::Mutex<u64>,
    /// Of the last batch, if it could not be matched. Only the projector, while it holds the lock, changes it.
    unmatched: Mutex<Option<Unmatched>>,
}

impl Projection {
    /// Records that events were emitted up to `seq`, in this run or an earlier one.
    pub(super) fn set_reached(&self, seq: i64) {
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

    /// Blocks the projector until the guard is dropped, and makes it discard the batch that it had read before and read its
    /// position again.
    pub(crate) async fn lock_exclusively(&self) -> tokio::sync::MutexGuard<'_, u64> {
        let mut guard = self.writes.lock().await;
        *guard += 1;
        guard
    }

    /// The projector's lock. The number changes after each exclusive use by another caller.
    pub(super) async fn lock(&self) -> tokio::sync::MutexGuard<'_, u64> {
        self.writes.lock().await
    }

    pub(super) fn keep_unmatched(&self, unmatched: Unmatched) {
        *lock(&self.unmatched) = Some(unmatched);
    }

    pub(super) fn take_unmatched(&self) -> Option<Unmatched> {
        lock(&self.unmatched).take()
    }

    /// Asks the projector to look again.
    pub(crate) fn wake(&self) {
        self.woken.notify_one();
    }

    pub(super) async fn woken(&self) {
        self.woken.notified().await;
    }
}

/// Emits the progress of one catch-up.
#[derive(Debug, Default)]
pub(super) struct CatchUpProgress {
    is_backlog_large: bool,
    last_emitted: Option<Instant>,
}

impl CatchUpProgress {
    /// A batch begins or is done.
    pub(super) fn step(&mut self, webhooks: &Webhooks, done: i64, total: i64) {
        self.is_backlog_large |= webhooks.0.projection.is_rebuilding() || total - done > MIN_REPORTED_BACKLOG;
        if self.is_backlog_large && self.last_emitted.is_none_or(|last_emitted| last_emitted.elapsed() >= EMIT_INTERVAL)
        {
            self.last_emitted = Some(Instant::now());
            emit_progress(webhooks, done, total);
        }
    }

    /// The backlog is empty.
    pub(super) fn end(self, webhooks: &Webhooks, done: i64, total: i64) {
        if self.is_backlog_large {
            emit_progress(webhooks, done, total);
        }
    }
}

fn emit_progress(webhooks: &Webhooks, done: i64, total: i64) {
    let number = |seq: i64| u64::try_from(seq).unwrap_or_default();
    webhooks.0.context.emit(DeskEvent::ProjectionProgress {
        done: number(done),
        total: number(total.max(done)),
        rebuilding: webhooks.0.projection.is_rebuilding(),
    });
}
