//! When the projector starts a batch.

use std::time::{Duration, Instant};

use crate::context::Timing;

/// Minimum number of deliveries of a large batch.
const LARGE_BATCH: i64 = 100;

/// Delays batches so that each gathers several deliveries.
#[derive(Debug)]
pub(super) struct BatchThrottle {
    interval: Duration,
    interval_after_large: Duration,
    /// When the last batch started.
    started: Option<Instant>,
    /// Its number of deliveries.
    deliveries: i64,
    /// Whether more was stored than it took.
    has_more: bool,
}

impl BatchThrottle {
    pub(super) fn new(timing: &Timing) -> Self {
        Self {
            interval: timing.batch_interval,
            interval_after_large: timing.large_batch_interval,
            started: None,
            deliveries: 0,
            has_more: false,
        }
    }

    /// Waits until the next batch may start.
    pub(super) async fn wait(&mut self) {
        if let Some(started) = self.started {
            tokio::time::sleep_until((started + self.interval()).into()).await;
        }
        self.started = Some(Instant::now());
    }

    /// Records what the batch took: its number of deliveries, and whether more was stored.
    pub(super) fn record_batch(&mut self, deliveries: i64, has_more: bool) {
        (self.deliveries, self.has_more) = (deliveries, has_more);
    }

    fn interval(&self) -> Duration {
        match self {
            Self { has_more: true, .. } => Duration::ZERO,
            Self { deliveries: LARGE_BATCH.., .. } => self.interval_after_large,
            _ => self.interval,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_waits_unless_more_is_stored() {
        let timing = Timing::default();
        assert!(timing.batch_interval < timing.large_batch_interval);
        for (deliveries, has_more, interval) in [
            (1, false, timing.batch_interval),
            (LARGE_BATCH - 1, false, timing.batch_interval),
            (LARGE_BATCH, false, timing.large_batch_interval),
            (2_000, true, Duration::ZERO),
            // A batch can also be limited by its bytes, even to a part of one delivery (0).
            (3, true, Duration::ZERO),
            (0, true, Duration::ZERO),
        ] {
            let mut throttle = BatchThrottle::new(&timing);
            throttle.record_batch(deliveries, has_more);
            assert_eq!(throttle.interval(), interval, "{throttle:?}");
        }
    }
}
