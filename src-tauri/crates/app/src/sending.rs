//! Test sends.

use store::desk::CallState;

/// The word for a call's state in lists.
pub(crate) fn call_state(state: CallState) -> &'static str {
    match state {
        CallState::Recorded => "recorded",
        CallState::Accepted => "accepted",
        CallState::Refused => "refused",
        CallState::Unknown => "unknown",
    }
}
