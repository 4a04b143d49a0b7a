//! Records of the provider's answers.

use command_types::error::{DeskError, Result};
use outgoing::{now, to_json};
use store::desk::{Answer, CallState};

/// The record of a request that succeeded.
pub(crate) fn accepted(status: u16, body: String) -> Answer {
    Answer { state: CallState::Accepted, status: Some(status), body: Some(body), error: None, at: now() }
}

/// The record of a request that failed, and the error for the person. If the request may have been carried out, its
/// state is unknown, never refused.
pub(crate) fn failed(error: provider_client::Error) -> Result<(Answer, DeskError)> {
    let state = if error.maybe_received() { CallState::Unknown } else { CallState::Refused };
    let refusal = error.refusal();
    let (status, body) = (refusal.map(|refusal| refusal.status), refusal.map(|refusal| refusal.body.clone()));
    let error = DeskError::from(error);
    Ok((Answer { state, status, body, error: Some(to_json(&error)?), at: now() }, error))
}
