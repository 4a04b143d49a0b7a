//! Why nothing further of a batch or an order leaves, and how it ends by that.

use store::desk::RunState;

use crate::parts::to_json;
use api::error::DeskError;

/// Why no further item leaves.
#[derive(Debug)]
pub(crate) enum Halt {
    /// The person stopped it.
    Cancelled,
    /// The app closes.
    Closing,
    /// Every other item would meet the same.
    Failed(DeskError),
}

/// How work on `id` ends that stopped for this, or for nothing: its state, and the reason as JSON.
pub(crate) fn ended_by(halt: Option<Halt>, id: &str) -> (RunState, Option<String>) {
    match halt {
        None => (RunState::Done, None),
        Some(Halt::Cancelled) => (RunState::Cancelled, None),
        Some(Halt::Closing) => (RunState::Interrupted, None),
        Some(Halt::Failed(error)) => {
            tracing::warn!(id, %error, "a batch or an order was interrupted");
            (RunState::Interrupted, to_json(&error).ok())
        }
    }
}
