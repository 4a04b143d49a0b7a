//! Errors of the client. Each text says what happened, why, and what to do.
//!
//! Texts never contain credentials: errors don't include requests or their headers, addresses are reduced to their
//! host, and a token that the provider echoes is redacted before the answer is stored.

use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

use serde_json::Value;

/// Maximum size of a stored answer, in bytes.
pub const MAX_STORED_BODY: usize = 64 * 1024;

/// The provider's rejection of a request: the contract's `{message, details}` (§5, §7) or the channel's `{error: {…}}`
/// (upstream §7).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Refusal {
    /// Method and path without the base URL, such as `POST /messaging/provider/workspace-templates`.
    pub endpoint: String,
    pub status: u16,
    /// The channel's error code, if there is one (upstream §7).
    pub code: Option<i64>,
    /// The channel's subcode, if there is one.
    pub subcode: Option<i64>,
    /// The provider's message; empty if there is none.
    pub message: String,
    /// Details from the provider: usually a string, an object in some errors of the contract (§7).
    pub details: Option<Value>,
    /// The rejected field, if the provider names one.
    pub field: Option<String>,
    /// Wait that the provider asks for, if any.
    pub retry_after: Option<Duration>,
    /// Body of the answer, truncated at [`MAX_STORED_BODY`].
    pub body: String,
    /// The request may have been carried out nevertheless: the answer doesn't say ([`is_inconclusive`]).
    pub maybe_received: bool,
}

impl Refusal {
    /// The details as text; JSON if they are not a string, empty if there are none.
    #[must_use]
    pub fn details_text(&self) -> String {
        match &self.details {
            None | Some(Value::Null) => String::new(),
            Some(Value::String(text)) => text.clone(),
            Some(other) => other.to_string(),
        }
    }

    /// The provider's message and details in one line.
    fn words(&self) -> String {
        let mut words = sentence(&self.message);
        let details = self.details_text();
        if !details.is_empty() && details != self.message {
            words.push(' ');
            words.push_str(&sentence(&details));
        }
        if let Some(field) = &self.field {
            words.push_str(&format!(" Field: {field}."));
        }
        if let Some(code) = self.code {
            words.push_str(&format!(" Code {code}."));
        }
        words
    }
}

/// Whether an answer with this status leaves the outcome of a changing request unknown.
///
/// With a code of the channel the outcome is known. Otherwise a 408 or 5xx may come from any gateway after the provider
/// carried out the request. `Retry-After` says when to ask again, not that nothing was done.
#[must_use]
pub fn is_inconclusive(status: u16, has_channel_code: bool) -> bool {
    !has_channel_code && matches!(status, 408 | 500..)
}

fn sentence(text: &str) -> String {
    let text = text.trim();
    match text.chars().last() {
        None => "No reason was given.".to_owned(),
        Some('.' | '!' | '?') => text.to_owned(),
        Some(_) => format!("{text}."),
    }
}

/// Reason why the provider could not be reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreachable {
    /// The host name does not resolve.
    NameNotFound,
    /// Nothing listens on the port.
    ConnectionRefused,
    /// There is no route to the host.
    NoRoute,
    /// The connection was closed.
    Closed,
    /// The TLS connection failed; contains the reason.
    Tls(String),
    /// Any other error, with the text of the system.
    Other(String),
}

impl Unreachable {
    /// What happened, without advice: for callers that give their own.
    #[must_use]
    pub fn what(&self) -> Cow<'_, str> {
        match self {
            Self::NameNotFound => "the host name cannot be resolved".into(),
            Self::ConnectionRefused => "the connection was refused: nothing listens there".into(),
            Self::NoRoute => "there is no route to the host".into(),
            Self::Closed => "the connection was closed before the answer was complete".into(),
            Self::Tls(why) => format!("the encrypted connection failed: {why}").into(),
            Self::Other(why) => why.into(),
        }
    }
}

/// What happened, and what to do.
impl fmt::Display for Unreachable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what())?;
        match self {
            Self::NameNotFound => f.write_str("; check its spelling and the network"),
            Self::ConnectionRefused => f.write_str("; check the port and that the server runs"),
            Self::NoRoute => f.write_str("; check the network or the proxy"),
            Self::Closed | Self::Tls(_) | Self::Other(_) => Ok(()),
        }
    }
}

/// Reason why a call failed.
///
/// `maybe_received` is set if a changing request was sent: it may have been carried out. Such a request is never
/// retried here, and a person should check before repeating it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The credentials are missing, wrong or expired: status 401 (contract §5).
    #[error(
        "The provider did not accept the credentials. {} Check the token and the workspace UUID; a token can have expired or been revoked.",
        .0.words()
    )]
    Unauthorized(Box<Refusal>),
    /// The credentials are valid but do not allow this: status 403.
    #[error("The provider does not allow this with these credentials. {} Use a token of a user who may do it.", .0.words())]
    Forbidden(Box<Refusal>),
    /// The requested resource does not exist: status 404 or 410.
    #[error(
        "The provider did not find the resource ({}). {} Refresh the list; if nothing is found, check the base URL and the channel.",
        .0.endpoint,
        .0.words()
    )]
    NotFound(Box<Refusal>),
    /// Too many requests: status 429.
    #[error("The provider limits the number of requests. {} {}", .0.words(), retry_text(.0.retry_after))]
    RateLimited(Box<Refusal>),
    /// The provider rejected the request: any other 4xx, or a success status with an error object.
    #[error("The provider refused the request with status {}. {}{}", .0.status, .0.words(), outcome_text(.0.maybe_received))]
    Refused(Box<Refusal>),
    /// The provider or a gateway failed or timed out: status 408 or 5xx.
    #[error("The provider failed with status {}. {}{}", .0.status, .0.words(), advice(.0))]
    Server(Box<Refusal>),
    /// The provider answered with a redirect. Never followed: the credentials are for the configured host only.
    #[error(
        "{endpoint} was answered with a redirect (status {status}) to {}. Credentials are not sent there. If this is the right address, change the base URL.{}",
        host.as_deref().unwrap_or("an unknown address"),
        outcome_text(*.maybe_received)
    )]
    Redirected {
        /// Method and path.
        endpoint: String,
        status: u16,
        /// Target host with scheme and port.
        host: Option<String>,
        /// The request may have been carried out: a 303 names the address of its result.
        maybe_received: bool,
    },
    /// No answer: the connection failed or was closed.
    #[error("{}", offline(host, reason, *.maybe_received))]
    Offline {
        /// Host and port.
        host: String,
        reason: Unreachable,
        maybe_received: bool,
    },
    /// The address belongs to a private network or to this machine. Nothing was sent.
    #[error(
        "{host} is an address of a private network or of this computer. Files are fetched from public addresses only; use a public one."
    )]
    PrivateAddress {
        /// Host and port.
        host: String,
    },
    /// The host has not been confirmed to receive the token. Nothing was sent.
    #[error("{host} is not confirmed to receive the token. Confirm it first.")]
    UnconfirmedHost {
        /// Scheme, host and port.
        host: String,
    },
    #[error(
        "{endpoint} was not answered within {} s.{}",
        .after.as_secs_f32(),
        if *.maybe_received { outcome_text(true) } else { " Check the network, or try again." }
    )]
    TimedOut {
        /// Method and path.
        endpoint: String,
        after: Duration,
        maybe_received: bool,
    },
    /// The answer has an unknown shape, so its content is unknown.
    #[error("The answer of {endpoint} (status {status}) cannot be read: {reason}. Check that the base URL and the channel lead to the provider's API.{}", outcome_text(*.maybe_received))]
    Unreadable {
        /// Method and path.
        endpoint: String,
        status: u16,
        /// What was expected and is missing.
        reason: String,
        /// Body of the answer, truncated at [`MAX_STORED_BODY`].
        body: String,
        /// The answer had a success status, so the request was probably carried out.
        maybe_received: bool,
    },
    /// The answer exceeds the size limit; the rest was not read.
    #[error("The answer of {endpoint} is larger than {limit} bytes and was not read completely.{}", outcome_text(*.maybe_received))]
    TooLarge {
        /// Method and path.
        endpoint: String,
        /// The limit, in bytes.
        limit: u64,
        maybe_received: bool,
    },
    /// A value can't be part of a request; nothing was sent.
    #[error("{message}")]
    InvalidInput {
        /// Name of the field, as in [`crate::Endpoint`] or in the contract.
        field: &'static str,
        /// The problem and the expected value.
        message: String,
    },
    /// A file can't be sent. Nothing was sent, unless the file changed during the upload.
    #[error("{name} cannot be sent: {message}")]
    File {
        /// Name of the file without its folder.
        name: String,
        /// The reason, and what to do.
        message: String,
    },
    /// The download can't be stored.
    #[error("The download cannot be stored: {0}. Free some space on the disk, or check that the folder is writable.")]
    Unstored(String),
    /// The caller stopped the call.
    #[error("Cancelled.{}", outcome_text(*.maybe_received))]
    Cancelled { maybe_received: bool },
    /// HTTP could not be set up on this machine.
    #[error("Network access could not be set up: {0}.")]
    Setup(String),
}

impl Error {
    pub(crate) fn invalid(field: &'static str, message: impl Into<String>) -> Self {
        Self::InvalidInput { field, message: message.into() }
    }

    /// Whether the request may have been carried out although no success was reported. All code that repeats requests,
    /// or shows them as rejected or as unknown, uses this. `false` means that the request was not sent, or that the
    /// provider did nothing.
    #[must_use]
    pub fn maybe_received(&self) -> bool {
        match self {
            Self::Offline { maybe_received, .. }
            | Self::TimedOut { maybe_received, .. }
            | Self::Unreadable { maybe_received, .. }
            | Self::TooLarge { maybe_received, .. }
            | Self::Redirected { maybe_received, .. }
            | Self::Cancelled { maybe_received } => *maybe_received,
            other => other.refusal().is_some_and(|refusal| refusal.maybe_received),
        }
    }

    /// The provider's rejection, if there is one.
    #[must_use]
    pub fn refusal(&self) -> Option<&Refusal> {
        match self {
            Self::Unauthorized(refusal)
            | Self::Forbidden(refusal)
            | Self::NotFound(refusal)
            | Self::Refused(refusal)
            | Self::Server(refusal)
            | Self::RateLimited(refusal) => Some(refusal),
            _ => None,
        }
    }
}

fn offline(host: &str, reason: &Unreachable, maybe_received: bool) -> String {
    if maybe_received {
        return format!("{host} did not answer: {reason}.{}", outcome_text(true));
    }
    let advice = if *reason == Unreachable::Closed { " Try again." } else { "" };
    format!("{host} could not be reached: {reason}.{advice}")
}

fn outcome_text(maybe_received: bool) -> &'static str {
    if maybe_received { " The request may have been carried out. Check before you repeat it." } else { "" }
}

/// Advice after a failure of the provider. It never recommends a retry if the request may have been carried out.
fn advice(refusal: &Refusal) -> String {
    if refusal.maybe_received { outcome_text(true).to_owned() } else { format!(" {}", retry_text(refusal.retry_after)) }
}

fn retry_text(retry_after: Option<Duration>) -> String {
    match retry_after {
        Some(pause) => format!("Try again in {} s.", pause.as_secs().max(1)),
        None => "Try again later.".to_owned(),
    }
}

/// The start of `text` that fits into `limit` bytes, cut at a character boundary.
pub(crate) fn capped(text: &str, limit: usize) -> String {
    text[..text.floor_char_boundary(limit)].to_owned()
}
