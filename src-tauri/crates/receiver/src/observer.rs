//! Events that a receiver reports.

use std::{fmt, net::SocketAddr, time::SystemTime};

use bytes::Bytes;

use crate::Reason;

#[derive(Debug)]
#[non_exhaustive]
pub enum Event {
    /// A delivery was stored and answered `200`.
    Stored {
        /// The tag of its route.
        route: String,
        /// The path of its route.
        path: String,
        /// Index of the secret that signed it in [`Route::secrets`](crate::Route::secrets).
        signed_by: usize,
        /// The [`Route::generation`](crate::Route::generation) of its route.
        generation: u64,
        /// Length of its body.
        body_bytes: usize,
    },
    /// A subscription handshake was answered with its challenge.
    Subscribed {
        /// The tag of its route.
        route: String,
    },
    Refused(Box<RefusedDelivery>),
    /// The listener could not accept a connection; it retries automatically.
    AcceptFailed(std::io::Error),
}

/// A refused request, with the data for its diagnosis. It has no query string, since that contains the handshake's
/// token, and of headers that may carry credentials only the names.
///
/// Its `Debug` form omits the headers and the body, so that neither is logged by accident.
#[derive(Clone)]
pub struct RefusedDelivery {
    pub reason: Reason,
    /// The tag of the route, if the path is known.
    pub route: Option<String>,
    pub refused_at: SystemTime,
    /// Address of the sender.
    pub peer: SocketAddr,
    pub method: String,
    /// Request path, cut at 1 KiB.
    pub path: String,
    /// Its `Host`, cut at 1 KiB.
    pub host: Option<String>,
    /// Its first 64 headers, names in lower case, values cut at 1 KiB, 16 KiB in all. Values of headers whose names
    /// indicate credentials are replaced by [`HIDDEN`].
    pub headers: Vec<(String, String)>,
    /// The first 256 KiB of the body that was read.
    pub body: Bytes,
    /// Bytes of the body that were read into memory before the refusal.
    pub body_bytes: usize,
    /// Whether `body` is the complete body.
    pub whole: bool,
}

/// Replaces the value of a header that may carry credentials.
pub const HIDDEN: &str = "(hidden)";

impl fmt::Debug for RefusedDelivery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RefusedDelivery")
            .field("reason", &self.reason)
            .field("route", &self.route)
            .field("peer", &self.peer)
            .field("method", &self.method)
            .field("path", &self.path)
            .field("body_bytes", &self.body_bytes)
            .finish_non_exhaustive()
    }
}

/// Receives events. It is called while a peer waits, so it must return at once.
pub trait Observer: Send + Sync + 'static {
    fn observe(&self, event: Event);
}

impl<F: Fn(Event) + Send + Sync + 'static> Observer for F {
    fn observe(&self, event: Event) {
        self(event);
    }
}
