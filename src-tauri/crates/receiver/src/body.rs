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
pub(crate) struct BufferedBody {
    pub(crate) bytes: Bytes,
    _memory: Option<OwnedSemaphorePermit>,
}

/// A body that could not be read, with the part that was read.
pub(crate) struct UnreadableBody {
    pub(crate) reason: Reason,
    pub(crate) received: Bytes,
}

pub(crate) async fn read(
    mut body: Incoming,
    limits: &Limits,
    memory: &Arc<Semaphore>,
) -> Result<BufferedBody, UnreadableBody> {
    let deadline = Instant::now() + limits.body_timeout;
    if body.size_hint().lower() > limits.body_bytes as u64 {
        discard_until(body, limits, deadline).await;
        return Err(UnreadableBody { reason: Reason::BodyTooLarge, received: Bytes::new() });
    }
    let mut read = BodyBuffer::default();
    let mut permit: Option<OwnedSemaphorePermit> = None;
    loop {
        let chunk = match timeout_at(deadline, body.frame()).await {
            Err(_) => return Err(UnreadableBody { reason: Reason::BodyTimeout, received: read.into_bytes() }),
            Ok(Some(Err(_))) => return Err(UnreadableBody { reason: Reason::BodyBroken, received: read.into_bytes() }),
            Ok(None) => return Ok(BufferedBody { bytes: read.into_bytes(), _memory: permit }),
            // Trailers are not signed, so they are ignored.
            Ok(Some(Ok(frame))) => frame.into_data().unwrap_or_default(),
        };
        if read.len() + chunk.len() > limits.body_bytes {
            discard_until(body, limits, deadline).await;
            return Err(UnreadableBody { reason: Reason::BodyTooLarge, received: read.into_bytes() });
        }
        let permits = u32::try_from(chunk.len()).unwrap_or(u32::MAX);
        let Ok(more) = Arc::clone(memory).try_acquire_many_owned(permits) else {
            drop((read, permit));
            discard_until(body, limits, deadline).await;
            return Err(UnreadableBody { reason: Reason::Busy, received: Bytes::new() });
        };
        match &mut permit {
            Some(permit) => permit.merge(more),
            None => permit = Some(more),
        }
        read.push(chunk);
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
    let limit = limits.body_bytes.saturating_mul(4);
    if body.size_hint().lower() > limit as u64 {
        return;
    }
    let mut discarded = 0_usize;
    while discarded <= limit {
        match timeout_at(deadline, body.frame()).await {
            Ok(Some(Ok(frame))) => discarded += frame.data_ref().map_or(0, Bytes::len),
            _ => return,
        }
    }
}

/// Maximum size of a piece that is copied. A piece is part of a read buffer, which is larger and could not be used for
/// the next request while the body waits to be stored; copying costs less than another buffer.
const MAX_COPIED_BYTES: usize = 4096;

/// A body during reading. Most arrive in one piece.
#[derive(Default)]
struct BodyBuffer {
    first: Bytes,
    all: BytesMut,
}

impl BodyBuffer {
    fn len(&self) -> usize {
        self.first.len().max(self.all.len())
    }

    fn push(&mut self, chunk: Bytes) {
        if self.len() == 0 {
            self.first = if chunk.len() <= MAX_COPIED_BYTES { Bytes::copy_from_slice(&chunk) } else { chunk };
        } else {
            if self.all.is_empty() {
                self.all.extend_from_slice(&self.first);
                self.first = Bytes::new();
            }
            self.all.extend_from_slice(&chunk);
        }
    }

    fn into_bytes(self) -> Bytes {
        if self.all.is_empty() { self.first } else { self.all.freeze() }
    }
}
