//! The port for storing deliveries.

use std::{future::Future, time::SystemTime};

use bytes::Bytes;

/// A delivery whose signature is valid.
#[derive(Clone, Debug)]
pub struct Delivery {
    /// The [`Route::tag`](crate::Route::tag) of its route.
    pub route: String,
    /// When its last byte was read.
    pub received_at: SystemTime,
    /// The headers that help to analyse it later, names in lower case: `content-type`, `content-encoding`,
    /// `user-agent`, `x-hub-signature-256`, `x-forwarded-for`. Values are cut at 1 KiB.
    pub headers: Vec<(String, String)>,
    /// The body as signed, byte for byte.
    pub body: Bytes,
}

/// Why a delivery was not stored. The sender is asked to retry in either case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The delivery log has reached the limit of deliveries waiting in memory.
    #[error("the delivery log is busy")]
    Busy,
    /// The delivery log cannot write.
    #[error("the delivery log cannot write")]
    Storage,
}

/// Stores deliveries durably.
///
/// The future may be dropped before it is ready: the sender has disconnected, or
/// [`Limits::append_timeout`](crate::Limits::append_timeout) has passed. Whether the delivery is then stored is
/// unknown, and a sender without a response retries, so readers of the delivery log must tolerate duplicates.
pub trait DeliveryLog: Send + Sync + 'static {
    /// Stores one delivery. `Ok` guarantees that it survives a power cut.
    ///
    /// # Errors
    /// [`Refusal`] when it is not stored; the sender gets `503` with `Retry-After`.
    fn append(&self, delivery: Delivery) -> impl Future<Output = Result<(), Refusal>> + Send;
}
