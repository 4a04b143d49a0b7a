//! Reasons for refusals, with code, HTTP status and text.

use hyper::StatusCode;
use serde::Serialize;
use ts_rs::TS;

/// Why a request was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, TS)]
#[ts(export_to = "receiver.ts")]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum Reason {
    /// The `Host` is not a name of this receiver: a web page may have rebound its own name to this machine.
    HostNotAllowed,
    /// The request carries `Origin`: it comes from a web page.
    BrowserOrigin,
    /// No route has this path.
    UnknownPath,
    /// The path takes `GET` and `POST` only.
    MethodNotAllowed,
    /// A `GET` without exactly one `hub.mode=subscribe`, `hub.verify_token` and `hub.challenge`.
    MalformedHandshake,
    /// The handshake's token is not the route's.
    VerifyTokenMismatch,
    /// The route has no verify token, so no handshake can succeed.
    NoVerifyToken,
    /// The body is longer than [`Limits::body_bytes`](crate::Limits::body_bytes).
    BodyTooLarge,
    /// The body did not arrive within [`Limits::body_timeout`](crate::Limits::body_timeout).
    BodyTimeout,
    /// The body ended early or its HTTP framing is invalid.
    BodyBroken,
    /// The route has no secret, so no signature can be checked.
    NoSecret,
    /// The secret that may have signed cannot be read now, see [`Route::unread`](crate::Route::unread).
    SecretsUnread,
    /// `X-Hub-Signature-256` is absent.
    #[serde(rename = "missing")]
    SignatureMissing,
    /// `X-Hub-Signature-256` occurs more than once.
    #[serde(rename = "duplicate")]
    SignatureDuplicate,
    /// `X-Hub-Signature-256` is not `sha256=` and 64 hexadecimal digits.
    #[serde(rename = "malformed")]
    SignatureMalformed,
    /// The signature was made with another secret, or for other bytes.
    #[serde(rename = "mismatch")]
    SignatureMismatch,
    /// A limit on bodies in memory, or on deliveries waiting to be stored, is reached.
    Busy,
    /// The delivery log cannot write.
    Storage,
    /// The delivery log did not answer within [`Limits::append_timeout`](crate::Limits::append_timeout).
    StorageTimeout,
}

impl Reason {
    pub const ALL: [Self; 19] = [
        Self::HostNotAllowed,
        Self::BrowserOrigin,
        Self::UnknownPath,
        Self::MethodNotAllowed,
        Self::MalformedHandshake,
        Self::VerifyTokenMismatch,
        Self::NoVerifyToken,
        Self::BodyTooLarge,
        Self::BodyTimeout,
        Self::BodyBroken,
        Self::NoSecret,
        Self::SecretsUnread,
        Self::SignatureMissing,
        Self::SignatureDuplicate,
        Self::SignatureMalformed,
        Self::SignatureMismatch,
        Self::Busy,
        Self::Storage,
        Self::StorageTimeout,
    ];

    /// The code in the response's `reason`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::HostNotAllowed => "hostNotAllowed",
            Self::BrowserOrigin => "browserOrigin",
            Self::UnknownPath => "unknownPath",
            Self::MethodNotAllowed => "methodNotAllowed",
            Self::MalformedHandshake => "malformedHandshake",
            Self::VerifyTokenMismatch => "verifyTokenMismatch",
            Self::NoVerifyToken => "noVerifyToken",
            Self::BodyTooLarge => "bodyTooLarge",
            Self::BodyTimeout => "bodyTimeout",
            Self::BodyBroken => "bodyBroken",
            Self::NoSecret => "noSecret",
            Self::SecretsUnread => "secretsUnread",
            Self::SignatureMissing => "missing",
            Self::SignatureDuplicate => "duplicate",
            Self::SignatureMalformed => "malformed",
            Self::SignatureMismatch => "mismatch",
            Self::Busy => "busy",
            Self::Storage => "storage",
            Self::StorageTimeout => "storageTimeout",
        }
    }

    #[must_use]
    pub fn status(self) -> u16 {
        self.status_code().as_u16()
    }

    /// The problem and its solution, for the person who reads the response.
    #[must_use]
    pub fn details(self) -> &'static str {
        match self {
            Self::HostNotAllowed => {
                "The Host header names a host that is not on the list of this receiver. Add the public name under \
                 which it is reached to its allowed hosts."
            }
            Self::BrowserOrigin => "Requests from web pages are refused: webhooks have no Origin header.",
            Self::UnknownPath => "No webhook is configured at this path. Compare the callback URL with the receiver's.",
            Self::MethodNotAllowed => "Use POST to deliver and GET for the subscription handshake.",
            Self::MalformedHandshake => {
                "A handshake needs hub.mode=subscribe, hub.verify_token and hub.challenge, each exactly once."
            }
            Self::VerifyTokenMismatch => "hub.verify_token is not the verify token of this webhook.",
            Self::NoVerifyToken => "This webhook has no verify token. Configure one before subscribing.",
            Self::BodyTooLarge => "The body is larger than this receiver accepts.",
            Self::BodyTimeout => "The body did not arrive in time. Send it again.",
            Self::BodyBroken => "The body ended early or is malformed. Send it again.",
            Self::NoSecret => "This webhook has no secret, so no signature can be checked. Configure its secret.",
            Self::SecretsUnread => {
                "The secret of this webhook cannot be read at the moment. Send it again after the time in Retry-After."
            }
            Self::SignatureMissing => "The header X-Hub-Signature-256 is missing.",
            Self::SignatureDuplicate => "The header X-Hub-Signature-256 must occur exactly once.",
            Self::SignatureMalformed => "X-Hub-Signature-256 must be `sha256=` followed by 64 hexadecimal digits.",
            Self::SignatureMismatch => {
                "X-Hub-Signature-256 does not match the body: another secret was used, or the bytes were changed after \
                 signing."
            }
            Self::Busy => "Too many deliveries are waiting to be stored. Send it again after the time in Retry-After.",
            Self::Storage | Self::StorageTimeout => {
                "The delivery could not be stored. Send it again after the time in Retry-After."
            }
        }
    }

    /// A short name of the problem.
    pub(crate) fn message(self) -> &'static str {
        match self.status_code() {
            StatusCode::BAD_REQUEST => "Bad request",
            StatusCode::UNAUTHORIZED => "Invalid signature",
            StatusCode::FORBIDDEN => "Forbidden",
            StatusCode::NOT_FOUND => "Not found",
            StatusCode::METHOD_NOT_ALLOWED => "Method not allowed",
            StatusCode::REQUEST_TIMEOUT => "Request timeout",
            StatusCode::PAYLOAD_TOO_LARGE => "Body too large",
            StatusCode::MISDIRECTED_REQUEST => "Unknown host",
            _ => "Temporarily unavailable",
        }
    }

    pub(crate) fn status_code(self) -> StatusCode {
        match self {
            Self::HostNotAllowed => StatusCode::MISDIRECTED_REQUEST,
            Self::BrowserOrigin | Self::MalformedHandshake | Self::VerifyTokenMismatch | Self::NoVerifyToken => {
                StatusCode::FORBIDDEN
            }
            Self::UnknownPath => StatusCode::NOT_FOUND,
            Self::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Self::BodyTooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::BodyTimeout => StatusCode::REQUEST_TIMEOUT,
            Self::BodyBroken => StatusCode::BAD_REQUEST,
            Self::NoSecret
            | Self::SignatureMissing
            | Self::SignatureDuplicate
            | Self::SignatureMalformed
            | Self::SignatureMismatch => StatusCode::UNAUTHORIZED,
            Self::SecretsUnread | Self::Busy | Self::Storage | Self::StorageTimeout => StatusCode::SERVICE_UNAVAILABLE,
        }
    }

    /// Seconds for `Retry-After`; only temporary refusals have it.
    pub(crate) fn retry_after(self) -> Option<u32> {
        match self {
            Self::Busy => Some(1),
            Self::Storage | Self::StorageTimeout => Some(5),
            Self::SecretsUnread => Some(30),
            _ => None,
        }
    }

    /// Whether this is found only after the whole body was read.
    pub(crate) fn follows_body(self) -> bool {
        self.is_about_signature() || matches!(self, Self::Storage | Self::StorageTimeout)
    }

    /// Whether the reason concerns the signature or the secrets to check it.
    #[must_use]
    pub fn is_about_signature(self) -> bool {
        self.status_code() == StatusCode::UNAUTHORIZED
    }

    /// Whether the connection cannot be reused, since a part of this request is still in flight.
    pub(crate) fn breaks_framing(self) -> bool {
        matches!(self, Self::BodyTooLarge | Self::BodyTimeout | Self::BodyBroken)
    }
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::Reason;

    #[test]
    fn the_codes_never_change() {
        for (reason, code) in [
            (Reason::HostNotAllowed, "hostNotAllowed"),
            (Reason::BrowserOrigin, "browserOrigin"),
            (Reason::UnknownPath, "unknownPath"),
            (Reason::MethodNotAllowed, "methodNotAllowed"),
            (Reason::MalformedHandshake, "malformedHandshake"),
            (Reason::VerifyTokenMismatch, "verifyTokenMismatch"),
            (Reason::NoVerifyToken, "noVerifyToken"),
            (Reason::BodyTooLarge, "bodyTooLarge"),
            (Reason::BodyTimeout, "bodyTimeout"),
            (Reason::BodyBroken, "bodyBroken"),
            (Reason::NoSecret, "noSecret"),
            (Reason::SecretsUnread, "secretsUnread"),
            (Reason::SignatureMissing, "missing"),
            (Reason::SignatureDuplicate, "duplicate"),
            (Reason::SignatureMalformed, "malformed"),
            (Reason::SignatureMismatch, "mismatch"),
            (Reason::Busy, "busy"),
            (Reason::Storage, "storage"),
            (Reason::StorageTimeout, "storageTimeout"),
        ] {
            assert_eq!(reason.as_str(), code);
            assert_eq!(serde_json::json!(reason), code);
        }
    }
}
