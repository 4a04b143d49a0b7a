//! What an answer to one row means for the others.

use std::time::Duration;

use model::error_code::{self, Retry};
use serde_json::Value;
use store::desk::{CallState, TestSend};

use crate::error::DeskError;

/// Too many messages to one recipient.
pub(super) const PAIR: i64 = 131_056;
/// The codes of limits: of the app, of the account, of the number (upstream §4.3, §7).
pub(crate) const LIMITS: &[i64] = &[4, 80_007, 130_429];
/// The codes of credentials: the token or its rights are wrong. So are those from 200 to 299 (upstream §7).
pub(crate) const CREDENTIALS: &[i64] = &[0, 3, 10, 190];
/// Codes that every further row would meet as well: the account, the number or the template cannot send (upstream §7).
const ALL_ALIKE: &[i64] = &[
    33, 368, 131_005, 131_031, 131_037, 131_042, 131_045, 131_048, 131_063, 131_064, 132_001, 132_007, 132_015,
    132_016, 133_006, 133_010, 133_015, 134_011, 134_100, 134_102,
];

/// What to do after an answer.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Verdict {
    /// The row has had its answer; go on.
    Next,
    /// The provider took nothing. Wait and send the row again.
    Wait {
        /// The channel's code, else the HTTP status, else `offline`.
        reason: String,
        /// How long the provider asks to wait.
        pause: Option<Duration>,
        /// Whether it is a limit, which passes by itself, and no fault.
        limit: bool,
        /// What the provider said.
        error: DeskError,
    },
    /// The provider took nothing. Wait with this recipient alone.
    WaitForPair,
    /// The row may have arrived. Wait before others are lost the same way.
    Doubt(DeskError),
    /// The provider took nothing, and would take no other row either.
    Stop(DeskError),
}

/// Judges a call that has ended.
pub(super) fn judge(send: &TestSend) -> Verdict {
    let error = send.error.as_deref().and_then(|json| serde_json::from_str::<DeskError>(json).ok());
    let Some(error) = error else { return Verdict::Next };
    match send.state {
        CallState::Accepted | CallState::Recorded => return Verdict::Next,
        CallState::Unknown => return Verdict::Doubt(error),
        CallState::Refused => {}
    }
    let code = send.response_body.as_deref().and_then(code);
    let reason = |status: Option<u16>| {
        let status = status.map(|status| status.to_string());
        code.map(|code| code.to_string()).or(status).unwrap_or_else(|| "offline".to_owned())
    };
    match code {
        Some(PAIR) => return Verdict::WaitForPair,
        Some(code) if CREDENTIALS.contains(&code) || ALL_ALIKE.contains(&code) || (200..300).contains(&code) => {
            return Verdict::Stop(error);
        }
        _ => {}
    }
    let limited = code.is_some_and(|code| LIMITS.contains(&code));
    match &error {
        DeskError::Unauthorized { .. } => Verdict::Stop(error),
        DeskError::RateLimited { retry_after } => Verdict::Wait {
            reason: reason(send.response_status.or(Some(429))),
            pause: retry_after.map(Duration::from_secs),
            limit: true,
            error: error.clone(),
        },
        DeskError::Service { status, retry_after, .. } => {
            let passes = code.and_then(error_code::find).is_some_and(|code| code.retry == Retry::Yes);
            if limited || passes || (*status == 503 && code.is_none()) {
                Verdict::Wait {
                    reason: reason(Some(*status)),
                    pause: retry_after.map(Duration::from_secs),
                    limit: limited,
                    error,
                }
            } else if *status >= 500 && code.is_none() {
                // A gateway or a fault on the way: nobody says what became of the message.
                Verdict::Doubt(error)
            } else if code.is_none() && matches!(status, 403 | 404 | 410) {
                // No word about the message: the address or the rights are wrong, as for every other row.
                Verdict::Stop(error)
            } else {
                Verdict::Next
            }
        }
        DeskError::Offline { .. } | DeskError::TimedOut { .. } => {
            Verdict::Wait { reason: reason(None), pause: None, limit: false, error }
        }
        _ => Verdict::Next,
    }
}

/// The channel's code in an answer: at its top, in `error`, or in the first of `errors` (contract §7; upstream §7).
fn code(body: &str) -> Option<i64> {
    let body: Value = serde_json::from_str(body).ok()?;
    let code = ["/error/code", "/errors/0/code", "/code"].into_iter().find_map(|place| body.pointer(place))?;
    code.as_i64().or_else(|| code.as_str()?.trim().parse().ok())
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that cannot read its own input should fail")]

    use super::*;

    fn refused(error: &DeskError, status: Option<u16>, body: &str) -> TestSend {
        TestSend {
            state: CallState::Refused,
            response_status: status,
            response_body: Some(body.to_owned()),
            error: Some(serde_json::to_string(error).unwrap()),
            ..TestSend::default()
        }
    }

    fn service(status: u16) -> DeskError {
        DeskError::Service {
            status,
            error_code: None,
            message: "no".into(),
            details: None,
            field: None,
            retry_after: (status == 503).then_some(9),
            body: String::new(),
        }
    }

    #[test]
    fn answers_are_judged_by_code_then_by_status() {
        let wait = |error: &DeskError, reason: &str, pause: Option<u64>, limit| Verdict::Wait {
            reason: reason.to_owned(),
            pause: pause.map(Duration::from_secs),
            limit,
            error: error.clone(),
        };
        let limited = |retry_after| DeskError::RateLimited { retry_after };
        let unauthorized = DeskError::Unauthorized { message: "m".into(), details: "d".into() };
        let offline = DeskError::Offline { reason: "refused".into() };
        let stop = |error: &DeskError| Verdict::Stop(error.clone());
        let cases: Vec<(DeskError, Option<u16>, &str, Verdict)> = vec![
            (limited(Some(7)), Some(429), "", wait(&limited(Some(7)), "429", Some(7), true)),
            (limited(None), Some(429), r#"{"error":{"code":130429}}"#, wait(&limited(None), "130429", None, true)),
            (limited(None), Some(429), r#"{"error":{"code":131056}}"#, Verdict::WaitForPair),
            (limited(None), Some(429), r#"{"error":{"code":131048}}"#, stop(&limited(None))),
            (service(400), Some(400), r#"{"error":{"code":131056}}"#, Verdict::WaitForPair),
            (service(400), Some(400), r#"{"code":"80007"}"#, wait(&service(400), "80007", None, true)),
            (service(400), Some(400), r#"{"error":{"code":4}}"#, wait(&service(400), "4", None, true)),
            (service(500), Some(500), r#"{"error":{"code":131016}}"#, wait(&service(500), "131016", None, false)),
            (service(503), Some(503), "busy", wait(&service(503), "503", Some(9), false)),
            (service(500), Some(500), "oops", Verdict::Doubt(service(500))),
            (service(502), Some(502), "", Verdict::Doubt(service(502))),
            (service(400), Some(400), r#"{"errors":[{"code":132000}]}"#, Verdict::Next),
            (service(400), Some(400), r#"{"error":{"code":131026}}"#, Verdict::Next),
            (service(400), Some(400), "", Verdict::Next),
            (service(400), Some(400), r#"{"error":{"code":132015}}"#, stop(&service(400))),
            (service(401), Some(401), r#"{"error":{"code":190}}"#, stop(&service(401))),
            (service(403), Some(403), r#"{"error":{"code":200}}"#, stop(&service(403))),
            (service(403), Some(403), "", stop(&service(403))),
            (service(404), Some(404), "not here", stop(&service(404))),
            (unauthorized.clone(), Some(401), "{}", stop(&unauthorized)),
            (offline.clone(), None, "", wait(&offline, "offline", None, false)),
            (DeskError::invalid("to", "no"), None, "", Verdict::Next),
        ];
        for (error, status, body, expected) in cases {
            assert_eq!(judge(&refused(&error, status, body)), expected, "{error:?} {body}");
        }
        let error = Some(serde_json::to_string(&offline).unwrap());
        let unknown = TestSend { state: CallState::Unknown, error, ..TestSend::default() };
        assert_eq!(judge(&unknown), Verdict::Doubt(offline));
        assert_eq!(judge(&TestSend { state: CallState::Accepted, ..TestSend::default() }), Verdict::Next);
    }

    #[test]
    fn every_code_that_stops_a_batch_is_known() {
        for code in ALL_ALIKE.iter().chain(CREDENTIALS).chain(LIMITS).chain([&PAIR]) {
            assert!(error_code::find(*code).is_some(), "{code}");
        }
    }
}
