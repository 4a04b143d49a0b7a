//! Reasons a job stops, and its final state.

use store::desk::RunState;

use command_types::error::DeskError;
use outgoing::to_json;

/// Why no further item is sent.
#[derive(Debug)]
pub(super) enum StopReason {
    Cancelled,
    Closing,
    /// Every other item would fail with the same error.
    Failed(DeskError),
}

/// The final state of the job `id`, and its error as JSON. Without a reason, every item was sent.
pub(super) fn end_state(reason: Option<StopReason>, id: &str) -> (RunState, Option<String>) {
    match reason {
        None => (RunState::Done, None),
        Some(StopReason::Cancelled) => (RunState::Cancelled, None),
        Some(StopReason::Closing) => (RunState::Interrupted, None),
        Some(StopReason::Failed(error)) => {
            tracing::warn!(id, error = error.without_provider_text(), "a job was interrupted");
            (RunState::Interrupted, to_json(&error).ok())
        }
    }
}
