//! The port behind the endpoint: a place that keeps deliveries.

use std::{future::Future, time::SystemTime};

use bytes::Bytes;

/// A delivery whose signature is valid.
#[derive(Clone, Debug)]
pub struct Delivery {
    /// The [`Route::tag`](crate::Route::tag) of the route it came in on.
    pub route: String,
    /// When its last byte had been read.
    pub received_at: SystemTime,
    /// The headers that help to understand it later, names in lower case: `content-type`, `content-encoding`,
    /// `user-agent`, `x-hub-signature-256`, `x-forwarded-for`. Values are cut at 1 KiB.
    pub headers: Vec<(String, String)>,
    /// The body, byte for byte as it was signed.
    pub body: Bytes,
}

/// Why a delivery was not stored. The sender is asked to come again in either case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// More is waiting to be stored than the inbox holds in memory.
    #[error("the inbox is busy")]
    Busy,
    /// The inbox cannot write.
    #[error("the inbox cannot write")]
    Storage,
}

/// Keeps deliveries durably.
///
/// The future may be dropped before it is ready: the sender has gone, or
/// [`Limits::append_timeout`](crate::Limits::append_timeout) has passed. Whether the delivery is then stored is open,
/// and a sender that was not answered comes again, so what reads the inbox must bear a delivery that is stored twice.
pub trait Inbox: Send + Sync + 'static {
    /// Stores one delivery. `Ok` promises that it survives a power cut.
    ///
    /// # Errors
    /// [`Refusal`] when it is not stored; the sender gets `503` with `Retry-After`.
    fn append(&self, delivery: Delivery) -> impl Future<Output = Result<(), Refusal>> + Send;
}
