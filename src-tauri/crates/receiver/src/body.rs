//! Reads bodies with a deadline, a size limit and a limit on their total memory.

use std::sync::Arc;

use bytes::{Bytes, BytesMut};
use http_body_util::BodyExt as _;
use hyper::body::{Body as _, Incoming};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::{Instant, timeout_at},
};

use crate::{Limits, Reason};

/// A body in memory. Its memory permit is released when this is dropped.
pub(crate) struct Held {
    pub(crate) bytes: Bytes,
    _room: Option<OwnedSemaphorePermit>,
}

/// A body that could not be read, with the part that was read.
pub(crate) struct Unreadable {
    pub(crate) reason: Reason,
    pub(crate) seen: Bytes,
}

/// Reads a whole body.
pub(crate) async fn read(mut body: Incoming, limits: &Limits, room: &Arc<Semaphore>) -> Result<Held, Unreadable> {
    let deadline = Instant::now() + limits.body_timeout;
    if body.size_hint().lower() > limits.body_bytes as u64 {
        discard_until(body, limits, deadline).await;
        return Err(Unreadable { reason: Reason::BodyTooLarge, seen: Bytes::new() });
    }
    let mut read = Pieces::default();
    let mut held: Option<OwnedSemaphorePermit> = None;
    loop {
        let piece = match timeout_at(deadline, body.frame()).await {
            Err(_) => return Err(Unreadable { reason: Reason::BodyTimeout, seen: read.into_bytes() }),
            Ok(Some(Err(_))) => return Err(Unreadable { reason: Reason::BodyBroken, seen: read.into_bytes() }),
            Ok(None) => return Ok(Held { bytes: read.into_bytes(), _room: held }),
            // Trailers are not signed, so they are ignored.
            Ok(Some(Ok(frame))) => frame.into_data().unwrap_or_default(),
        };
        if read.len() + piece.len() > limits.body_bytes {
            discard_until(body, limits, deadline).await;
            return Err(Unreadable { reason: Reason::BodyTooLarge, seen: read.into_bytes() });
        }
        let permits = u32::try_from(piece.len()).unwrap_or(u32::MAX);
        let Ok(more) = Arc::clone(room).try_acquire_many_owned(permits) else {
            drop((read, held));
            discard_until(body, limits, deadline).await;
            return Err(Unreadable { reason: Reason::Busy, seen: Bytes::new() });
        };
        match &mut held {
            Some(held) => held.merge(more),
            None => held = Some(more),
        }
        read.push(piece);
    }
}

/// Reads and drops the body of a request that is already refused.
///
/// Closing a connection with unread bytes resets it, and a sender that is still writing would then see the reset
/// instead of the response.
pub(crate) async fn discard(body: Incoming, limits: &Limits) {
    discard_until(body, limits, Instant::now() + limits.body_timeout).await;
}

async fn discard_until(mut body: Incoming, limits: &Limits, deadline: Instant) {
    let most = limits.body_bytes.saturating_mul(4);
    if body.size_hint().lower() > most as u64 {
        return;
    }
    let mut discarded = 0_usize;
    while discarded <= most {
        match timeout_at(deadline, body.frame()).await {
            Ok(Some(Ok(frame))) => discarded += frame.data_ref().map_or(0, Bytes::len),
            _ => return,
        }
    }
}

/// A body during reading. Most arrive in one piece, which is then not copied.
#[derive(Default)]
struct Pieces {
    first: Bytes,
    all: BytesMut,
}

impl Pieces {
    fn len(&self) -> usize {
        self.first.len().max(self.all.len())
    }

    fn push(&mut self, piece: Bytes) {
        if self.len() == 0 {
            self.first = piece;
        } else {
            if self.all.is_empty() {
                self.all.extend_from_slice(&self.first);
                self.first = Bytes::new();
            }
            self.all.extend_from_slice(&piece);
        }
    }

    fn into_bytes(self) -> Bytes {
        if self.all.is_empty() { self.first } else { self.all.freeze() }
    }
}
