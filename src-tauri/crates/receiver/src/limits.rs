//! Resource limits of a receiver.

use std::time::Duration;

/// The limits of a receiver. The defaults suit the channel's sender: bodies up to 3 MB, many connections at once
/// (upstream §9.3).
#[derive(Clone, Debug)]
pub struct Limits {
    /// Time from the start of waiting for a request until its head is complete. It also limits idle connections.
    pub header_timeout: Duration,
    /// Time from the end of the head until the last byte of the body.
    pub body_timeout: Duration,
    /// Time for the delivery log to store a delivery before the sender is asked to retry.
    pub append_timeout: Duration,
    /// Maximum accepted body, in bytes.
    pub body_bytes: usize,
    /// Maximum bytes of all bodies in memory. Beyond it, deliveries get a temporary refusal.
    pub bodies_in_flight: usize,
    /// Maximum open connections. Further ones wait in the listener's backlog.
    pub connections: usize,
    /// How long a connection may keep the receiver waiting while others wait for a permit.
    pub eviction_delay: Duration,
    /// Time for running requests to finish after shutdown starts. Well below the five seconds after which systems kill
    /// a process: a sender that never completes its request must not turn a clean stop into a kill.
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
            eviction_delay: Duration::from_millis(250),
            drain_timeout: Duration::from_secs(3),
        }
    }
}
