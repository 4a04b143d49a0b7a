//! When the projector starts a batch.

use std::time::{Duration, Instant};

/// Minimum time between the starts of two batches, unless more is stored than one batch takes. A batch has costs that do
/// not depend on its size.
const BATCH_INTERVAL: Duration = Duration::from_millis(50);
/// The same after a large batch: fewer transactions leave more of the processor to the receiver.
const LARGE_BATCH_INTERVAL: Duration = Duration::from_millis(200);
/// Minimum number of deliveries of a large batch.
const LARGE_BATCH: i64 = 100;

/// Delays batches so that each gathers several deliveries.
#[derive(Debug, Default)]
pub(super) struct BatchThrottle {
    /// When the last batch started.
    started: Option<Instant>,
    /// Its number of deliveries.
    deliveries: i64,
    /// Whether more was stored than it took.
    has_more: bool,
}

impl BatchThrottle {
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
            Self { deliveries: LARGE_BATCH.., .. } => LARGE_BATCH_INTERVAL,
            _ => BATCH_INTERVAL,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_waits_unless_more_is_stored() {
        for (deliveries, has_more, interval) in [
            (1, false, BATCH_INTERVAL),
            (LARGE_BATCH - 1, false, BATCH_INTERVAL),
            (LARGE_BATCH, false, LARGE_BATCH_INTERVAL),
            (2_000, true, Duration::ZERO),
            // A batch can also be limited by its bytes, even to a part of one delivery (0).
            (3, true, Duration::ZERO),
            (0, true, Duration::ZERO),
        ] {
            let mut throttle = BatchThrottle::default();
            throttle.record_batch(deliveries, has_more);
            assert_eq!(throttle.interval(), interval, "{throttle:?}");
        }
    }
}
