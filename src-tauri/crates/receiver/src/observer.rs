//! What a receiver tells about its work.

use std::{fmt, net::SocketAddr, time::SystemTime};

use bytes::Bytes;

use crate::Reason;

/// Something that happened at the endpoint.
#[derive(Debug)]
#[non_exhaustive]
pub enum Event {
    /// A delivery was stored and answered `200`.
    Stored {
        /// The tag of its route.
        route: String,
        /// The path of its route.
        path: String,
        /// Length of its body.
        body_bytes: usize,
    },
    /// A subscription handshake was answered with its challenge.
    Subscribed {
        /// The tag of its route.
        route: String,
    },
    /// A request was refused.
    Refused(Box<RefusedDelivery>),
    /// The listener could not accept a connection; it tries again by itself.
    AcceptFailed(std::io::Error),
}

/// A refused request, with what is needed to find out why. It holds no query string, since that carries the
/// handshake's token, and of headers that may carry credentials only the names.
///
/// Its `Debug` form leaves out the headers and the body, so that neither reaches a log by accident.
#[derive(Clone)]
pub struct RefusedDelivery {
    /// Why it was refused.
    pub reason: Reason,
    /// The tag of the route, when the path is known.
    pub route: Option<String>,
    /// When it was refused.
    pub refused_at: SystemTime,
    /// Who sent it.
    pub peer: SocketAddr,
    /// Request method.
    pub method: String,
    /// Request path, cut at 1 KiB.
    pub path: String,
    /// The `Host` it named, cut at 1 KiB.
    pub host: Option<String>,
    /// Its first 64 headers, names in lower case, values cut at 1 KiB, 16 KiB in all. The values of those whose names speak of
    /// credentials are replaced by [`HIDDEN`].
    pub headers: Vec<(String, String)>,
    /// The first 256 KiB of what was read of its body.
    pub body: Bytes,
    /// Bytes of the body that were read and kept in memory until the refusal.
    pub body_bytes: usize,
    /// Whether `body` is the whole body as it was sent.
    pub whole: bool,
}

/// Stands for the value of a header that may carry credentials.
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

/// Is told what happens. It is called while a peer waits, so it must return at once.
pub trait Observer: Send + Sync + 'static {
    /// Takes note of an event.
    fn observe(&self, event: Event);
}

impl<F: Fn(Event) + Send + Sync + 'static> Observer for F {
    fn observe(&self, event: Event) {
        self(event);
    }
}
