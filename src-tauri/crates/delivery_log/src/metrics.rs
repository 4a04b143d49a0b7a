//! Metrics of a receiver, for Prometheus.

use std::sync::atomic::AtomicU64;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;
use receiver::{Event, Reason};

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Rejection {
    reason: &'static str,
}

impl From<Reason> for Rejection {
    fn from(reason: Reason) -> Self {
        Self { reason: reason.as_str() }
    }
}

/// Metrics of a receiver. No label has a value from outside, so that nobody can make more of them.
#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    stored: Counter,
    stored_bytes: Counter,
    rejected: Family<Rejection, Counter>,
    pub(crate) pages: Counter,
    pub(crate) sent: Counter,
    pub(crate) unauthorized: Counter,
    pub(crate) failed_reads: Counter,
    pub(crate) busy: Counter,
    pub(crate) waiting: Gauge<i64>,
    last_stored: Gauge<u64, AtomicU64>,
}

impl Default for Metrics {
    fn default() -> Self {
        let mut registry = Registry::with_prefix("tdesk");
        let rejected = Family::<Rejection, Counter>::default();
        // The first rejection is an increase only if there was a value before.
        for reason in Reason::ALL {
            drop(rejected.get_or_create(&reason.into()));
        }
        registry.register("deliveries_rejected", "Deliveries refused, by reason", rejected.clone());
        let mut counter = |name, help| {
            let counter = Counter::default();
            registry.register(name, help, counter.clone());
            counter
        };
        let stored = counter("deliveries_stored", "Deliveries answered with 200");
        let stored_bytes = counter("deliveries_stored_bytes", "Bytes of the bodies of stored deliveries");
        let pages = counter("feed_pages", "Pages sent to desks");
        let sent = counter("feed_deliveries", "Deliveries sent to desks");
        let unauthorized = counter("feed_unauthorized", "Requests without a valid token");
        let failed_reads = counter("feed_failed_reads", "Requests of desks for which the log could not be read");
        let busy = counter("feed_busy", "Requests of desks refused because too many pages were being sent");
        let (waiting, last_stored) = (Gauge::default(), Gauge::<u64, AtomicU64>::default());
        registry.register("feed_waiting", "Requests of desks that wait for deliveries", waiting.clone());
        let last = "When a delivery was stored last, or the start of the receiver if none is stored";
        registry.register("last_stored_timestamp_seconds", last, last_stored.clone());
        last_stored.set(chrono::Utc::now().timestamp().unsigned_abs());
        Self {
            registry,
            stored,
            stored_bytes,
            rejected,
            pages,
            sent,
            unauthorized,
            failed_reads,
            busy,
            waiting,
            last_stored,
        }
    }
}

impl Metrics {
    /// Records when the newest delivery of the log was stored, in Unix milliseconds.
    pub fn begin_with(&self, newest: i64) {
        self.last_stored.set(u64::try_from(newest / 1000).unwrap_or(0));
    }

    /// Counts an event of the receiver.
    pub fn observe(&self, event: &Event) {
        match event {
            Event::Stored { body_bytes, .. } => {
                self.stored.inc();
                self.stored_bytes.inc_by(u64::try_from(*body_bytes).unwrap_or(u64::MAX));
                self.last_stored.set(chrono::Utc::now().timestamp().unsigned_abs());
            }
            Event::Refused(refused) => {
                self.rejected.get_or_create(&refused.reason.into()).inc();
            }
            _ => {}
        }
    }

    /// All of them in the text format.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        // Writing into a string does not fail.
        if let Err(error) = encode(&mut text, &self.registry) {
            tracing::error!(%error, "the metrics could not be written");
        }
        text
    }
}
