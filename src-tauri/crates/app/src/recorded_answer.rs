//! Records of the provider's answers.

use command_types::error::{DeskError, Result};
use model::error_code::{self, Explanation};
use model::failure::{ErrorData, Failure};
use outgoing::{now, to_json};
use store::StoreError;
use store::desk::{Answer, CallState, SendRecord};
use tokio::task::JoinError;

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

/// The failure of the request of a send. None once a status has reported what a lost answer left open.
pub(crate) fn send_error(send: &SendRecord) -> Option<DeskError> {
    if send.state == CallState::Unknown && send.status.is_some() {
        return None;
    }
    serde_json::from_str(send.error.as_deref()?).ok()
}

/// Why a message did not leave, where that is no answer of the provider that has an explanation of its own: a code, or an
/// answer that cannot be read.
pub(crate) fn not_sent(send: &SendRecord) -> Option<DeskError> {
    let error = send_error(send).filter(|_| send.state == CallState::Refused && send.status.is_none())?;
    (!matches!(error, DeskError::Service { .. } | DeskError::Unreadable { .. })).then_some(error)
}

/// What the provider's answer says about a refusal, with its status; `None` for errors without one.
pub(crate) fn refusal(error: &DeskError) -> Option<(u16, Failure)> {
    let (status, error_code, message, details) = match error {
        DeskError::Service { status, error_code, message, details, .. } => {
            (*status, error_code, Some(message), details)
        }
        DeskError::RateLimited { error_code, .. } => (429, error_code, None, &None),
        _ => return None,
    };
    let failure = Failure {
        code: error_code.as_ref().and_then(|code| code.parse().ok()),
        message: message.cloned(),
        error_data: details.clone().map(|details| ErrorData { details: Some(details), ..ErrorData::default() }),
        ..Failure::default()
    };
    Some((status, failure))
}

/// The explanation of a refused send; `None` where its answer speaks for itself.
pub(crate) fn explain_refusal(error: &DeskError) -> Option<Explanation> {
    let (status, failure) = refusal(error)?;
    error_code::explain_refusal(status, &failure)
}

/// The codes of the errors of refused sends for which [`not_sent`] gives no reason.
pub(crate) const ANSWER_CODES: &[&str] = &["service", "unreadable"];

/// The error of a request whose answer cannot be recorded. Unless it was refused, it may have been carried out.
pub(crate) fn unrecorded(was_refused: bool, error: StoreError) -> DeskError {
    tracing::error!(%error, "the answer of the provider cannot be recorded");
    if was_refused { error.into() } else { DeskError::outcome_unknown(Some(error.into())) }
}

/// The error of a request whose task ended early: it may have been carried out.
pub(crate) fn lost(error: JoinError) -> DeskError {
    DeskError::outcome_unknown(Some(DeskError::Internal { message: error.to_string() }))
}
