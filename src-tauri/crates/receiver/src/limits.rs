//! What one peer may cost.

use std::time::Duration;

/// The limits of a receiver. The defaults suit the channel's sender: bodies up to 3 MB, many connections at once
/// (upstream §9.3).
#[derive(Clone, Debug)]
pub struct Limits {
    /// Time from the start of waiting for a request until its head is complete. It also ends idle connections.
    pub header_timeout: Duration,
    /// Time from the end of the head until the last byte of the body.
    pub body_timeout: Duration,
    /// Time the inbox has to store a delivery before the sender is asked to come again.
    pub append_timeout: Duration,
    /// Largest accepted body, in bytes.
    pub body_bytes: usize,
    /// Bytes of all bodies in memory at once. Beyond it, deliveries are refused as temporary.
    pub bodies_in_flight: usize,
    /// Open connections. Further ones wait in the listener's backlog.
    pub connections: usize,
    /// How long a connection may keep the receiver waiting while others wait for its place.
    pub patience: Duration,
    /// Time that running requests have to end after shutdown began. Well below the five seconds after which systems kill:
    /// a sender that never ends its request must not turn an orderly end into another.
    pub drain_timeout: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            header_timeout: Duration::from_secs(5),
            body_timeout: Duration::from_secs(10),
            append_timeout: Duration::from_secs(5),
            body_bytes: 4 * 1024 * 1024,
            bodies_in_flight: 64 * 1024 * 1024,
            connections: 256,
            patience: Duration::from_millis(250),
            drain_timeout: Duration::from_secs(3),
        }
    }
}
