//! The one error type that reaches a person: a small closed set of codes, the provider's own words, and no secrets.

mod conflict_fault;
mod convert;
mod file_fault;
mod input_fault;
mod missing;

use std::collections::BTreeMap;

use model::send::{SendProblem, SendProblemCode};
use serde::{Deserialize, Serialize};
pub use store::disk_advice;
use ts_rs::TS;

pub use self::conflict_fault::ConflictFault;
pub use self::file_fault::FileFault;
pub use self::input_fault::InputFault;
pub use self::missing::Missing;
use crate::keyring::KeyringProblem;

/// Appended when a stale entry could not be removed.
const STALE: &str = " An older secret could not be removed from it and is no longer used; remove it with the keyring's \
                     own program (its name holds template-desk).";

/// An error. The window matches on `code`, never on text; a code exists only if the window handles it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS, thiserror::Error)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(tag = "code", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum DeskError {
    /// The provider refused the credentials (contract §5).
    #[error("The provider refused the credentials: {message}. {details}")]
    Unauthorized {
        /// The provider's `message`.
        message: String,
        /// The provider's `details`.
        details: String,
    },
    #[error("No credentials are stored for this workspace. Enter them in Settings.")]
    MissingCredentials {},
    /// The stored credentials were entered for another address than the configured one. They were not sent.
    #[error(
        "The stored credentials are for {stored}, and this workspace now leads to {configured}. They were not sent there. \
         If {configured} is right, enter the credentials again in Settings; otherwise correct the base URL."
    )]
    CredentialsForOtherAddress {
        /// Scheme, host and port of the stored credentials.
        stored: String,
        /// Scheme, host and port of the base URL.
        configured: String,
    },
    /// The file of a message is on a host that has not received the workspace's token before.
    #[error(
        "The file is at {host}, which needs the workspace's token and has not received it before. Confirm the host first."
    )]
    MediaHostUnconfirmed {
        /// Scheme, host and port.
        host: String,
    },
    #[error("The provider could not be reached: {reason}.")]
    Offline { reason: String },
    #[error("No answer came within {seconds} s.")]
    TimedOut { seconds: u64 },
    #[error("{message}")]
    InvalidInput {
        /// Name of the field, or a JSON pointer into the template.
        field: String,
        /// The problem and the expected value.
        message: String,
        /// The problem of a send, if it is one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        problem: Option<SendProblemCode>,
        /// What the sentence of the problem names.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        #[ts(optional, as = "Option<BTreeMap<String, String>>")]
        values: BTreeMap<String, String>,
        /// What is wrong, for the window; absent where only `message` or `problem` says it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        fault: Option<InputFault>,
    },
    /// The resource changed in the meantime, or its state does not allow the operation.
    #[error("{message}")]
    Conflict {
        /// What prevents the operation.
        message: String,
        /// The same for the window; absent where only `message` says it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        fault: Option<ConflictFault>,
    },
    #[error("{what} was not found.")]
    NotFound {
        what: String,
        /// The same for the window; absent where only `what` says it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        missing: Option<Missing>,
    },
    #[error("Too many requests. Try again later.")]
    RateLimited {
        /// Seconds to wait, if the provider states them.
        retry_after: Option<u64>,
        /// The channel's error code, if there is one.
        error_code: Option<String>,
    },
    /// The provider refused the request.
    #[error("The provider answered {status}{}", reason_of(message))]
    Service {
        status: u16,
        error_code: Option<String>,
        /// The provider's words.
        message: String,
        details: Option<String>,
        /// The field that the provider names, if any.
        field: Option<String>,
        /// Seconds to wait, if the provider states them.
        retry_after: Option<u64>,
        /// The whole answer, truncated to 64 KiB.
        body: String,
    },
    #[error("The answer of {endpoint} cannot be read: {reason}.")]
    Unreadable {
        /// Method and path.
        endpoint: String,
        status: u16,
        reason: String,
        /// The whole answer, truncated to 64 KiB.
        body: String,
    },
    #[error("{name}: {reason}")]
    File {
        name: String,
        reason: String,
        /// What the system says is wrong, for the window; absent where only `reason` says it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        problem: Option<FileFault>,
    },
    #[error("The system keyring cannot be used: {reason}.{}", if *stale { STALE } else { "" })]
    KeyringUnavailable {
        reason: String,
        /// Why, for the window.
        problem: KeyringProblem,
        /// The form field of the secret, if the error is about one.
        field: Option<String>,
        /// Whether an older secret is still in the keyring because it could not be removed. It is not used.
        stale: bool,
    },
    /// A database or the disk failed.
    #[error("Storing failed: {reason}.")]
    Storage { reason: String },
    /// A request that changes something was sent, and its outcome is unknown ([`provider_client::Error::maybe_received`]). It
    /// may have been carried out, so the program does not repeat it.
    #[error("{} The request may have been carried out. Check before you repeat it.", answer_lost(.cause.as_deref()))]
    OutcomeUnknown {
        /// The error that occurred instead of an answer; absent if the app was closed before an answer.
        cause: Option<Box<DeskError>>,
    },
    /// An operation of the app itself timed out.
    #[error("This took longer than {seconds} s and was given up.")]
    TookTooLong { seconds: u64 },
    /// The person stopped it.
    #[error("Cancelled.")]
    Cancelled {},
    #[error("Something went wrong inside Template Desk: {message}.")]
    Internal {
        /// Details for a bug report.
        message: String,
    },
}

impl DeskError {
    pub fn invalid(field: impl Into<String>, message: impl Into<String>) -> Self {
        let (field, message) = (field.into(), message.into());
        Self::InvalidInput { field, message, problem: None, values: BTreeMap::new(), fault: None }
    }

    /// An input with a fault that the window has words for.
    pub fn at_fault(field: impl Into<String>, fault: InputFault) -> Self {
        let (field, message) = (field.into(), fault.to_string());
        Self::InvalidInput { field, message, problem: None, values: BTreeMap::new(), fault: Some(fault) }
    }

    /// A conflict that the window has words for.
    #[must_use]
    pub fn conflict(fault: ConflictFault) -> Self {
        Self::Conflict { message: fault.to_string(), fault: Some(fault) }
    }

    /// Any other conflict.
    pub fn other_conflict(message: impl Into<String>) -> Self {
        Self::Conflict { message: message.into(), fault: None }
    }

    /// An input with the problem of a send.
    #[must_use]
    pub fn of_problem(problem: &SendProblem) -> Self {
        Self::InvalidInput {
            field: problem.field.clone(),
            message: problem.message.clone(),
            problem: Some(problem.code),
            values: problem.values.clone(),
            fault: None,
        }
    }

    /// The same error for a secret with another form field.
    #[must_use]
    pub fn at_secret(mut self, place: String) -> Self {
        if let Self::KeyringUnavailable { field, .. } = &mut self {
            *field = Some(place);
        }
        self
    }

    /// A request with an unknown outcome, and the error that occurred instead of its answer.
    #[must_use]
    pub fn outcome_unknown(cause: Option<Self>) -> Self {
        match cause {
            Some(error @ Self::OutcomeUnknown { .. }) => error,
            cause => Self::OutcomeUnknown { cause: cause.map(Box::new) },
        }
    }

    /// The error for a log: without what the provider wrote, which may name people.
    #[must_use]
    pub fn without_provider_text(&self) -> String {
        match self {
            Self::Unauthorized { .. } => "the provider refused the credentials".to_owned(),
            Self::Service { status, error_code, .. } => match error_code {
                Some(code) => format!("the provider answered {status} with code {code}"),
                None => format!("the provider answered {status}"),
            },
            Self::Unreadable { endpoint, status, .. } => {
                format!("the answer of {endpoint} with status {status} cannot be read")
            }
            Self::OutcomeUnknown { cause: Some(cause) } => {
                format!("the outcome is unknown: {}", cause.without_provider_text())
            }
            other => other.to_string(),
        }
    }

    /// The cause, without the unknown outcome.
    #[must_use]
    pub fn cause(&self) -> &Self {
        match self {
            Self::OutcomeUnknown { cause: Some(cause) } => cause,
            other => other,
        }
    }

    /// A file that cannot be used, for a reason of the app.
    pub fn file(name: impl Into<String>, reason: impl Into<String>) -> Self {
        Self::File { name: name.into(), reason: reason.into(), problem: None }
    }

    /// A file that the system does not let us read or write; `reason` contains its words.
    pub fn file_io(name: impl Into<String>, error: &std::io::Error, reason: impl Into<String>) -> Self {
        Self::File { name: name.into(), reason: reason.into(), problem: FileFault::of(error) }
    }

    #[must_use]
    pub fn not_found(missing: Missing) -> Self {
        Self::NotFound { what: missing.to_string(), missing: Some(missing) }
    }

    /// Something that the window has no words for.
    pub fn other_not_found(what: impl Into<String>) -> Self {
        Self::NotFound { what: what.into(), missing: None }
    }
}

/// The provider's words as the rest of a sentence; a full stop if there are none.
fn reason_of(message: &str) -> String {
    let message = message.trim();
    if message.is_empty() { " without a reason.".to_owned() } else { format!(": {message}") }
}

fn answer_lost(cause: Option<&DeskError>) -> String {
    cause.map_or_else(|| "The app ended before an answer came.".to_owned(), ToString::to_string)
}

pub type Result<T, E = DeskError> = std::result::Result<T, E>;
