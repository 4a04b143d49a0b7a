//! What an answer to one row means for the others.

use std::time::Duration;

use store::desk::{CallState, TestSend};

use api::error::DeskError;
use requests::classify_response::{Class, PAIR, classify};

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
    let found = classify(&error);
    let wait = |limit| {
        let status = found.status.map(|status| status.to_string());
        let reason = found.code.map(|code| code.to_string()).or(status).unwrap_or_else(|| "offline".to_owned());
        Verdict::Wait { reason, pause: found.pause, limit, error: error.clone() }
    };
    match found.class {
        Class::Unknown => Verdict::Doubt(error),
        _ if found.code == Some(PAIR) => Verdict::WaitForPair,
        _ if found.code.is_some_and(|code| ALL_ALIKE.contains(&code)) => Verdict::Stop(error),
        Class::Configuration => Verdict::Stop(error),
        Class::Limited => wait(true),
        Class::Busy | Class::NotSent => wait(false),
        // No word about the message: the address or the rights are wrong, as for every other row.
        Class::Refused if found.code.is_none() && matches!(found.status, Some(403 | 404 | 410)) => Verdict::Stop(error),
        Class::Refused => Verdict::Next,
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that cannot read its own input should fail")]

    use super::*;

    fn refused(error: &DeskError) -> TestSend {
        TestSend {
            state: CallState::Refused,
            error: Some(serde_json::to_string(error).unwrap()),
            ..TestSend::default()
        }
    }

    fn service(status: u16, code: Option<&str>) -> DeskError {
        DeskError::Service {
            status,
            error_code: code.map(str::to_owned),
            message: "no".into(),
            details: None,
            field: None,
            retry_after: (status == 503).then_some(9),
            body: String::new(),
        }
    }

    #[test]
    fn an_answer_is_about_one_row_or_about_all() {
        let wait = |error: &DeskError, reason: &str, pause: Option<u64>, limit| Verdict::Wait {
            reason: reason.to_owned(),
            pause: pause.map(Duration::from_secs),
            limit,
            error: error.clone(),
        };
        let limited = |retry_after, code: Option<&str>| DeskError::RateLimited {
            retry_after,
            error_code: code.map(str::to_owned),
        };
        let unauthorized = DeskError::Unauthorized { message: "m".into(), details: "d".into() };
        let offline = DeskError::Offline { reason: "refused".into() };
        let stop = |error: &DeskError| Verdict::Stop(error.clone());
        let throttled = limited(None, Some("130429"));
        let coded = service(500, Some("131016"));
        let cases: Vec<(DeskError, Verdict)> = vec![
            (limited(Some(7), None), wait(&limited(Some(7), None), "429", Some(7), true)),
            (throttled.clone(), wait(&throttled, "130429", None, true)),
            (limited(None, Some("131056")), Verdict::WaitForPair),
            (limited(None, Some("131048")), stop(&limited(None, Some("131048")))),
            (service(400, Some("131056")), Verdict::WaitForPair),
            (coded.clone(), wait(&coded, "131016", None, false)),
            (service(503, None), wait(&service(503, None), "503", Some(9), false)),
            // Written down as refused by a version that knew no better.
            (service(500, None), Verdict::Doubt(service(500, None))),
            (service(400, Some("132000")), Verdict::Next),
            (service(400, Some("131026")), Verdict::Next),
            (service(400, None), Verdict::Next),
            (service(400, Some("132015")), stop(&service(400, Some("132015")))),
            (service(401, Some("190")), stop(&service(401, Some("190")))),
            (service(403, None), stop(&service(403, None))),
            (service(404, None), stop(&service(404, None))),
            (unauthorized.clone(), stop(&unauthorized)),
            (offline.clone(), wait(&offline, "offline", None, false)),
            (DeskError::invalid("to", "no"), Verdict::Next),
        ];
        for (error, expected) in cases {
            assert_eq!(judge(&refused(&error)), expected, "{error:?}");
        }
        let lost = DeskError::outcome_unknown(Some(offline));
        let error = Some(serde_json::to_string(&lost).unwrap());
        let unknown = TestSend { state: CallState::Unknown, error, ..TestSend::default() };
        assert_eq!(judge(&unknown), Verdict::Doubt(lost));
        assert_eq!(judge(&TestSend { state: CallState::Accepted, ..TestSend::default() }), Verdict::Next);
    }

    #[test]
    fn every_code_that_stops_a_batch_is_known() {
        for code in ALL_ALIKE {
            assert!(model::error_code::find(*code).is_some(), "{code}");
        }
    }
}
