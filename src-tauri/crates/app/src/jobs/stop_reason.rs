//! Why no further item of a job leaves, and the state in which it ends.

use store::desk::RunState;

use crate::parts::to_json;
use api::error::DeskError;

/// Why no further item leaves.
#[derive(Debug)]
pub(super) enum StopReason {
    /// The person cancelled the job.
    Cancelled,
    /// The app closes.
    Closing,
    /// Every other item would meet the same error.
    Failed(DeskError),
}

/// The state in which the job `id` ends, and its error as JSON. Without a reason every item has left.
pub(super) fn end_state(reason: Option<StopReason>, id: &str) -> (RunState, Option<String>) {
    match reason {
        None => (RunState::Done, None),
        Some(StopReason::Cancelled) => (RunState::Cancelled, None),
        Some(StopReason::Closing) => (RunState::Interrupted, None),
        Some(StopReason::Failed(error)) => {
            tracing::warn!(id, %error, "a job was interrupted");
            (RunState::Interrupted, to_json(&error).ok())
        }
    }
}
