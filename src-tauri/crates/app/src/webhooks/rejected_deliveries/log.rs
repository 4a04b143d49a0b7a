//! Log lines of rejected deliveries: at most one per reason and minute, whatever is sent.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::webhooks::endpoint::{Reason, RefusedDelivery};

/// Time between two lines about the same reason.
pub(crate) const LINE_INTERVAL: Duration = Duration::from_secs(60);
/// How much of a path a line shows, in characters.
const MAX_PATH_LENGTH: usize = 100;

/// Rejections by reason since the last line about it. A reason without rejections for one interval is absent.
#[derive(Debug, Default)]
pub(super) struct RejectionLog(Mutex<HashMap<Reason, u64>>);

impl RejectionLog {
    /// Counts a rejection. The first one of a reason is logged at once. Returns whether it was.
    pub(super) fn add(&self, refused: &RefusedDelivery) -> bool {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(&refused.reason) {
            *count += 1;
            return false;
        }
        counts.insert(refused.reason, 0);
        drop(counts);
        tracing::warn!(
            reason = refused.reason.as_str(),
            path = ?excerpt(&refused.path),
            body_bytes = refused.body_bytes,
            "a delivery was refused; more for this reason are counted once a minute"
        );
        true
    }

    /// Logs how many rejections were counted since the last line. Returns whether there were any.
    pub(super) fn summarise(&self, reason: Reason) -> bool {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.get_mut(&reason).map(std::mem::take).unwrap_or_default();
        if count == 0 {
            counts.remove(&reason);
            return false;
        }
        drop(counts);
        tracing::warn!(reason = reason.as_str(), count, "more deliveries were refused");
        true
    }
}

/// The start of a path; `…` marks that it is cut.
fn excerpt(path: &str) -> String {
    match path.char_indices().nth(MAX_PATH_LENGTH) {
        Some((end, _)) => format!("{}…", &path[..end]),
        None => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_paths_are_cut() {
        assert_eq!(excerpt("/webhook"), "/webhook");
        let long = format!("/{}", "é".repeat(500));
        assert_eq!(excerpt(&long).chars().count(), MAX_PATH_LENGTH + 1);
    }
}
