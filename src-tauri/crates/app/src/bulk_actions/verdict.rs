//! What an answer to one item means for it and for the others.

use std::time::Duration;

use api::error::DeskError;
use requests::classify_response::{Class, classify};

/// What to do after a call that did not succeed.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Verdict {
    /// It has had its answer; go on.
    Failed,
    /// It may have been done. Wait before others are lost the same way.
    Unknown,
    /// The provider did nothing. Wait, and let it leave again.
    Wait {
        /// How long the provider asks to wait.
        pause: Option<Duration>,
        /// Whether it is a limit, which passes by itself, and no fault.
        limit: bool,
    },
    /// The provider did nothing, and would do nothing to any other either.
    Stop,
}

/// Judges a call that failed with `error`.
pub(super) fn judge(error: &DeskError) -> Verdict {
    let found = classify(error);
    match found.class {
        Class::Unknown => Verdict::Unknown,
        Class::Limited => Verdict::Wait { pause: found.pause, limit: true },
        Class::Busy => Verdict::Wait { pause: found.pause, limit: false },
        Class::NotSent | Class::Configuration => Verdict::Stop,
        Class::Refused => Verdict::Failed,
    }
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
    fn an_answer_is_about_one_template_or_about_all() {
        let wait = |seconds: Option<u64>, limit| Verdict::Wait { pause: seconds.map(Duration::from_secs), limit };
        let offline = DeskError::Offline { reason: "refused".into() };
        let unauthorized = DeskError::Unauthorized { message: "m".into(), details: "d".into() };
        for (error, expected) in [
            (DeskError::outcome_unknown(Some(offline.clone())), Verdict::Unknown),
            (DeskError::outcome_unknown(Some(service(502, None, None))), Verdict::Unknown),
            (service(404, None, None), Verdict::Failed),
            (service(403, None, None), Verdict::Failed),
            (service(400, Some("132001"), None), Verdict::Failed),
            (service(400, Some("80007"), None), wait(None, true)),
            (service(503, None, Some(9)), wait(Some(9), false)),
            (service(503, Some("131016"), None), wait(None, false)),
            (service(400, Some("190"), None), Verdict::Stop),
            (service(403, Some("200"), None), Verdict::Stop),
            (DeskError::RateLimited { retry_after: Some(7), error_code: None }, wait(Some(7), true)),
            (DeskError::RateLimited { retry_after: None, error_code: None }, wait(None, true)),
            (unauthorized, Verdict::Stop),
            (offline, Verdict::Stop),
            (DeskError::TimedOut { seconds: 3 }, Verdict::Stop),
            (DeskError::MissingCredentials {}, Verdict::Stop),
            (DeskError::invalid("uuid", "no"), Verdict::Failed),
        ] {
            assert_eq!(judge(&error), expected, "{error:?}");
        }
    }
}
