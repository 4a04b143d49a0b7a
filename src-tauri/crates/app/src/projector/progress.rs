//! How far the projector is, for those who wait.

use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

use crate::core::Core;
use crate::event::DeskEvent;

/// A backlog of so many deliveries is told of; a smaller one is gone before anybody has read about it.
const WORTH_TELLING: i64 = 2_000;
/// Between two tellings: at most five a second.
const PAUSE: Duration = Duration::from_millis(200);

/// Whether everything is being built anew.
#[derive(Debug, Default)]
pub(crate) struct Projection {
    rebuilding: AtomicBool,
    /// The last delivery of the time before it began.
    before: AtomicI64,
    asked: Notify,
    /// Held by whoever writes what deliveries mean and must not be overtaken by another.
    alone: tokio::sync::Mutex<()>,
}

impl Projection {
    /// Everything up to `last` is projected anew.
    pub(super) fn begin(&self, last: i64) {
        if last > 0 {
            self.before.fetch_max(last, Ordering::SeqCst);
            self.rebuilding.store(true, Ordering::SeqCst);
        }
    }

    /// Whether a batch that ends with `seq` had come before the building began.
    pub(super) fn is_anew(&self, seq: i64) -> bool {
        self.is_rebuilding() && seq <= self.before.load(Ordering::SeqCst)
    }

    pub(super) fn is_rebuilding(&self) -> bool {
        self.rebuilding.load(Ordering::SeqCst)
    }

    /// Keeps the projector from reading and writing a batch until the guard is dropped.
    pub(crate) async fn alone(&self) -> tokio::sync::MutexGuard<'_, ()> {
        self.alone.lock().await
    }

    /// Asks the projector to look again.
    pub(crate) fn ask(&self) {
        self.asked.notify_one();
    }

    pub(super) async fn asked(&self) {
        self.asked.notified().await;
    }

    fn end_at(&self, done: i64) {
        if done >= self.before.load(Ordering::SeqCst) {
            self.rebuilding.store(false, Ordering::SeqCst);
        }
    }
}

/// Tells of one catching up.
#[derive(Debug, Default)]
pub(super) struct Progress {
    told: Option<Instant>,
}

impl Progress {
    /// A batch is done.
    pub(super) fn step(&mut self, core: &Core, done: i64, total: i64) {
        let projection = &core.0.projection;
        let worth = self.told.is_some() || projection.is_rebuilding() || total - done > WORTH_TELLING;
        projection.end_at(done);
        if worth && self.told.is_none_or(|told| told.elapsed() >= PAUSE) {
            self.told = Some(Instant::now());
            tell(core, done, total);
        }
    }

    /// Nothing is left.
    pub(super) fn end(self, core: &Core, done: i64, total: i64) {
        core.0.projection.end_at(done.max(total));
        if self.told.is_some() {
            tell(core, done, total);
        }
    }
}

fn tell(core: &Core, done: i64, total: i64) {
    let number = |seq: i64| u64::try_from(seq).unwrap_or_default();
    core.tell(DeskEvent::ProjectionProgress {
        done: number(done),
        total: number(total.max(done)),
        rebuilding: core.0.projection.is_rebuilding(),
    });
}
