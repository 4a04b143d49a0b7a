//! Deliveries that were refused: the last ones, in memory only, so that a person can see why nothing arrives.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use crate::view::receiver::RefusedDelivery;
use crate::webhooks::Event;

/// How many are kept.
const KEPT: usize = 200;
/// How much of a body is shown, in characters.
const EXCERPT: usize = 2_000;

/// The last refused deliveries.
#[derive(Debug, Default)]
pub(crate) struct Refusals(Mutex<VecDeque<RefusedDelivery>>);

impl Refusals {
    /// Newest first.
    pub(crate) fn list(&self) -> Vec<RefusedDelivery> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().rev().cloned().collect()
    }
}

impl Refusals {
    /// Takes note of what a receiver tells; only refusals are kept.
    pub(crate) fn take(&self, event: Event) {
        let refused = match event {
            Event::Refused(refused) => refused,
            Event::AcceptFailed(error) => {
                tracing::warn!(%error, "the receiver could not accept a connection");
                return;
            }
            _ => return,
        };
        tracing::warn!(reason = refused.reason.as_str(), path = refused.path, "a delivery was refused");
        let at = refused.refused_at.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let shown = RefusedDelivery {
            at: i64::try_from(at.as_millis()).unwrap_or(i64::MAX),
            workspace: refused.route,
            path: refused.path,
            status: refused.reason.status(),
            reason: refused.reason.as_str().to_owned(),
            size: refused.body_bytes as u64,
            excerpt: String::from_utf8_lossy(&refused.body).chars().take(EXCERPT).collect(),
        };
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() == KEPT {
            kept.pop_front();
        }
        kept.push_back(shown);
    }
}
