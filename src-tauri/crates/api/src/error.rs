//! The one error that crosses to a person: a small closed code, the provider's own words, and nothing secret.

mod convert;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::keyring::KeyringProblem;

/// Said of an entry that is in the way.
const STALE: &str = " An older secret could not be removed from it and is no longer used; remove it with the keyring's \
                     own program (its name holds template-desk).";

/// What went wrong. The window matches `code` and never text; a code exists only where the window acts on it.
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
    /// No credentials are stored for the workspace.
    #[error("No credentials are stored for this workspace. Enter them in Settings.")]
    MissingCredentials {},
    /// The stored credentials belong to another address than the configured one. They were not sent.
    #[error(
        "The stored credentials are for {stored}, and this workspace now leads to {configured}. They were not sent there. \
         If {configured} is right, enter the credentials again in Settings; otherwise correct the base URL."
    )]
    CredentialsForOtherAddress {
        /// Scheme, host and port that they were entered for.
        stored: String,
        /// Scheme, host and port of the base URL.
        configured: String,
    },
    /// The file of a message is at a host that has not received the workspace's token before.
    #[error(
        "The file is at {host}, which needs the workspace's token and has not received it before. Confirm the host first."
    )]
    MediaHostUnconfirmed {
        /// Scheme, host and port.
        host: String,
    },
    /// The provider could not be reached.
    #[error("The provider could not be reached: {reason}.")]
    Offline {
        /// Why, in words.
        reason: String,
    },
    /// No answer came in time.
    #[error("No answer came within {seconds} s.")]
    TimedOut {
        /// How long was waited.
        seconds: u64,
    },
    /// A value cannot be used.
    #[error("{message}")]
    InvalidInput {
        /// Name of the field, or a JSON pointer into the template.
        field: String,
        /// What is wrong and what is expected.
        message: String,
    },
    /// The thing changed meanwhile, or its state does not allow this.
    #[error("{message}")]
    Conflict {
        /// What stands in the way.
        message: String,
    },
    /// The thing does not exist, or no longer.
    #[error("{what} was not found.")]
    NotFound {
        /// What was looked for.
        what: String,
    },
    /// Too many requests.
    #[error("Too many requests. Try again later.")]
    RateLimited {
        /// Seconds to wait, where the provider says.
        retry_after: Option<u64>,
        /// The channel's error code, where there is one.
        error_code: Option<String>,
    },
    /// The provider refused the request in its own words.
    #[error("The provider answered {status}: {message}")]
    Service {
        /// HTTP status.
        status: u16,
        /// The channel's error code.
        error_code: Option<String>,
        /// The provider's words.
        message: String,
        /// More of them.
        details: Option<String>,
        /// The field it names, where it names one.
        field: Option<String>,
        /// Seconds to wait, where the provider says.
        retry_after: Option<u64>,
        /// The whole answer, cut at 64 KiB.
        body: String,
    },
    /// The provider answered something that cannot be read.
    #[error("The answer of {endpoint} cannot be read: {reason}.")]
    Unreadable {
        /// Method and path.
        endpoint: String,
        /// HTTP status.
        status: u16,
        /// Why it cannot be read.
        reason: String,
        /// The whole answer, cut at 64 KiB.
        body: String,
    },
    /// A file cannot be used.
    #[error("{name}: {reason}")]
    File {
        /// The file's name.
        name: String,
        /// Why.
        reason: String,
    },
    /// The system keyring cannot be used for a secret.
    #[error("The system keyring cannot be used: {reason}.{}", if *stale { STALE } else { "" })]
    KeyringUnavailable {
        /// Why, in words.
        reason: String,
        /// Why, for the window.
        problem: KeyringProblem,
        /// The secret it was about, where it was about one.
        field: Option<String>,
        /// Whether an older secret is still in the keyring, because it could not be removed. It is not used.
        stale: bool,
    },
    /// A database or the disk failed.
    #[error("Storing failed: {reason}.")]
    Storage {
        /// Why, in words.
        reason: String,
    },
    /// A request that changes something left, and nobody said what became of it ([`service::Error::maybe_received`]).
    /// It may have been carried out, so the program does not repeat it.
    #[error("{} It may have been carried out all the same: look before you repeat it.", answer_lost(.cause.as_deref()))]
    OutcomeUnknown {
        /// What came instead of an answer; absent when the app ended before one came.
        cause: Option<Box<DeskError>>,
    },
    /// Work of the app itself was not done in time.
    #[error("This took longer than {seconds} s and was given up.")]
    TookTooLong {
        /// How long was waited.
        seconds: u64,
    },
    /// The person stopped it.
    #[error("Cancelled.")]
    Cancelled {},
    /// A fault of the app.
    #[error("Something went wrong inside Template Desk: {message}.")]
    Internal {
        /// For a bug report.
        message: String,
    },
}

impl DeskError {
    /// An unusable value of `field`.
    pub fn invalid(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self::InvalidInput { field: field.into(), message: message.into() }
    }

    /// The same about a secret whose place in the form is another one.
    #[must_use]
    pub fn at_secret(mut self, place: String) -> Self {
        if let Self::KeyringUnavailable { field, .. } = &mut self {
            *field = Some(place);
        }
        self
    }

    /// A request whose outcome nobody knows, and what came instead of its answer.
    #[must_use]
    pub fn outcome_unknown(cause: Option<Self>) -> Self {
        match cause {
            Some(error @ Self::OutcomeUnknown { .. }) => error,
            cause => Self::OutcomeUnknown { cause: cause.map(Box::new) },
        }
    }

    /// What happened, without what it leaves open.
    #[must_use]
    pub fn cause(&self) -> &Self {
        match self {
            Self::OutcomeUnknown { cause: Some(cause) } => cause,
            other => other,
        }
    }

    /// `what` does not exist.
    pub fn not_found(what: impl Into<String>) -> Self {
        Self::NotFound { what: what.into() }
    }
}

fn answer_lost(cause: Option<&DeskError>) -> String {
    cause.map_or_else(|| "The app ended before an answer came.".to_owned(), ToString::to_string)
}

/// What a use case returns.
pub type Result<T, E = DeskError> = std::result::Result<T, E>;
