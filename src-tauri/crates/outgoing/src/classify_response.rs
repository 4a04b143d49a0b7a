//! Classifies errors: what one means for its request and for the following ones. Sends, batches, bulk actions,
//! submissions and pushes share this rule and differ in how they react.

use std::time::Duration;

use model::error_code::{self, Retry};

use command_types::error::DeskError;

/// Too many messages to one recipient (upstream §4.3).
pub const PAIR_LIMIT: i64 = 131_056;
/// Codes of rate limits: of the app, the account, the number (upstream §4.3, §7).
pub const RATE_LIMITS: &[i64] = &[4, 80_007, 80_008, 130_429];
/// Codes for a wrong token or missing permissions. Codes 200 to 299 mean the same (upstream §7).
pub const CREDENTIAL_CODES: &[i64] = &[0, 3, 10, 190];

/// Unknown outcomes in a row after which no further template is sent; each request may have been carried out.
pub const MAX_UNKNOWN_OUTCOMES: u32 = 2;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// The request was sent and may have been carried out. It is never repeated automatically.
    Unknown,
    /// The request was not sent: the provider could not be reached.
    NotSent,
    /// Nothing was done, because of a temporary limit.
    Limited,
    /// Nothing was done, because of a temporary failure or overload of the provider.
    Busy,
    /// Nothing was done, and further requests would fail too: the credentials or the address are wrong.
    Configuration,
    /// Nothing was done, because the provider rejected the request.
    Refused,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Classified {
    pub class: Class,
    /// The channel's code.
    pub code: Option<i64>,
    /// HTTP status of the answer, if there was one.
    pub status: Option<u16>,
    /// Wait that the provider asks for.
    pub pause: Option<Duration>,
}

/// Classifies an error of a call that changes something.
pub fn classify(error: &DeskError) -> Classified {
    let (status, code, retry_after) = match error.cause() {
        DeskError::Service { status, error_code, retry_after, .. } => (Some(*status), error_code, *retry_after),
        DeskError::RateLimited { retry_after, error_code } => (Some(429), error_code, *retry_after),
        DeskError::Unreadable { status, .. } => (Some(*status), &None, None),
        _ => (None, &None, None),
    };
    let code: Option<i64> = code.as_deref().and_then(|code| code.parse().ok());
    let limited = code.is_some_and(|code| code == PAIR_LIMIT || RATE_LIMITS.contains(&code));
    let credentials = code.is_some_and(|code| CREDENTIAL_CODES.contains(&code) || (200..300).contains(&code));
    let passes = code.and_then(error_code::find).is_some_and(|code| code.retry == Retry::Yes);
    let class = match error {
        DeskError::OutcomeUnknown { .. } => Class::Unknown,
        // Recorded by a version that took some of these for rejections.
        DeskError::Service { status, .. } if provider_client::is_inconclusive(*status, code.is_some()) => Class::Unknown,
        DeskError::Service { .. } | DeskError::RateLimited { .. } if credentials => Class::Configuration,
        DeskError::RateLimited { .. } => Class::Limited,
        DeskError::Service { .. } if limited => Class::Limited,
        DeskError::Service { .. } if passes => Class::Busy,
        DeskError::Offline { .. } | DeskError::TimedOut { .. } => Class::NotSent,
        DeskError::Unauthorized { .. }
        | DeskError::MissingCredentials {}
        | DeskError::KeyringUnavailable { .. }
        // A redirect. Any other unreadable answer has an unknown outcome.
        | DeskError::Unreadable { .. } => Class::Configuration,
        _ => Class::Refused,
    };
    Classified { class, code, status, pause: retry_after.map(Duration::from_secs) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn service(status: u16, code: Option<&str>, retry_after: Option<u64>) -> DeskError {
        DeskError::Service {
            status,
            error_code: code.map(str::to_owned),
            message: "no".into(),
            details: None,
            field: None,
            retry_after,
            body: String::new(),
        }
    }

    #[test]
    fn an_error_is_classified_by_code_then_by_status() {
        let limited = |code: Option<&str>, retry_after| DeskError::RateLimited {
            retry_after,
            error_code: code.map(str::to_owned),
        };
        let offline = DeskError::Offline { reason: "refused".into() };
        let redirect =
            DeskError::Unreadable { endpoint: "POST /x".into(), status: 302, reason: "r".into(), body: String::new() };
        let unauthorized = DeskError::Unauthorized { message: "m".into(), details: "d".into() };
        for (error, class, code, status, pause) in [
            (DeskError::outcome_unknown(None), Class::Unknown, None, None, None),
            (DeskError::outcome_unknown(Some(offline.clone())), Class::Unknown, None, None, None),
            (DeskError::outcome_unknown(Some(service(504, None, Some(5)))), Class::Unknown, None, Some(504), Some(5)),
            (service(500, None, None), Class::Unknown, None, Some(500), None),
            (service(503, None, None), Class::Unknown, None, Some(503), None),
            (service(408, None, None), Class::Unknown, None, Some(408), None),
            (service(503, None, Some(9)), Class::Unknown, None, Some(503), Some(9)),
            (service(503, Some("131016"), Some(9)), Class::Busy, Some(131_016), Some(503), Some(9)),
            (service(500, Some("131026"), None), Class::Refused, Some(131_026), Some(500), None),
            (limited(None, Some(7)), Class::Limited, None, Some(429), Some(7)),
            (limited(Some("131056"), None), Class::Limited, Some(PAIR_LIMIT), Some(429), None),
            (service(400, Some("131056"), None), Class::Limited, Some(PAIR_LIMIT), Some(400), None),
            (service(400, Some("80007"), None), Class::Limited, Some(80_007), Some(400), None),
            (service(400, Some("4"), None), Class::Limited, Some(4), Some(400), None),
            (service(400, Some("190"), None), Class::Configuration, Some(190), Some(400), None),
            (service(403, Some("200"), None), Class::Configuration, Some(200), Some(403), None),
            (unauthorized, Class::Configuration, None, None, None),
            (redirect, Class::Configuration, None, Some(302), None),
            (DeskError::MissingCredentials {}, Class::Configuration, None, None, None),
            (offline, Class::NotSent, None, None, None),
            (DeskError::TimedOut { seconds: 3 }, Class::NotSent, None, None, None),
            (service(400, Some("132001"), None), Class::Refused, Some(132_001), Some(400), None),
            (service(404, None, None), Class::Refused, None, Some(404), None),
            (DeskError::invalid("to", "no"), Class::Refused, None, None, None),
        ] {
            let expected = Classified { class, code, status, pause: pause.map(Duration::from_secs) };
            assert_eq!(classify(&error), expected, "{error:?}");
        }
    }

    #[test]
    fn every_classified_code_is_known() {
        for code in CREDENTIAL_CODES.iter().chain(RATE_LIMITS).chain([&PAIR_LIMIT]) {
            assert!(error_code::find(*code).is_some(), "{code}");
        }
    }
}
