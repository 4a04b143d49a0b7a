//! How far the projector is, for those who wait.

use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

use crate::webhooks::Webhooks;
use api::event::DeskEvent;

/// A backlog of so many deliveries is told of; a smaller one is gone before anybody has read about it.
const WORTH_TELLING: i64 = 2_000;
/// Between two tellings: at most five a second.
const PAUSE: Duration = Duration::from_millis(200);

/// How far everything has ever been projected, and whether that is being done again.
#[derive(Debug, Default)]
pub(crate) struct Projection {
    rebuilding: AtomicBool,
    /// The last delivery whose effects were told of when they came.
    reached: AtomicI64,
    asked: Notify,
    /// Held by whoever writes what deliveries mean and must not be overtaken by another. Counts those others.
    alone: tokio::sync::Mutex<u64>,
}

impl Projection {
    /// Everything up to `seq` has been told of, in this run or an earlier one.
    pub(super) fn reach(&self, seq: i64) {
        self.reached.fetch_max(seq, Ordering::SeqCst);
    }

    /// What has been told of.
    pub(super) fn reached(&self) -> i64 {
        self.reached.load(Ordering::SeqCst)
    }

    pub(super) fn is_rebuilding(&self) -> bool {
        self.rebuilding.load(Ordering::SeqCst)
    }

    /// Says whether that is news.
    pub(super) fn set_rebuilding(&self, rebuilding: bool) -> bool {
        self.rebuilding.swap(rebuilding, Ordering::SeqCst) != rebuilding
    }

    /// Keeps the projector from writing a batch until the guard is dropped, and from writing what it had read before.
    pub(crate) async fn alone(&self) -> tokio::sync::MutexGuard<'_, u64> {
        let mut guard = self.alone.lock().await;
        *guard += 1;
        guard
    }

    /// The projector's turn. The number is another one after somebody else was alone.
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

/// Tells of one catching up.
#[derive(Debug, Default)]
pub(super) struct Progress {
    worth_telling: bool,
    told: Option<Instant>,
}

impl Progress {
    /// A batch begins, or a batch is done.
    pub(super) fn step(&mut self, webhooks: &Webhooks, done: i64, total: i64) {
        self.worth_telling |= webhooks.0.projection.is_rebuilding() || total - done > WORTH_TELLING;
        if self.worth_telling && self.told.is_none_or(|told| told.elapsed() >= PAUSE) {
            self.told = Some(Instant::now());
            tell(webhooks, done, total);
        }
    }

    /// Nothing is left.
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
