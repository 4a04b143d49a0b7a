//! Classifies the answer to an item's request: what it means for the item and for the rest of its job.

use std::time::Duration;

use command_types::error::DeskError;
use outgoing::classify_response::{Class, PAIR_LIMIT, classify};

/// Maximum number of attempts per item while the provider fails.
const MAX_ATTEMPTS: u32 = 4;

/// Codes that affect every further message too: the account, the number or the template cannot send (upstream §7).
pub(crate) const STOP_MESSAGES: &[i64] = &[
    33, 368, 131_005, 131_031, 131_037, 131_042, 131_045, 131_048, 131_063, 131_064, 132_001, 132_007, 132_015,
    132_016, 133_006, 133_010, 133_015, 134_011, 134_100, 134_102,
];

/// The kind of requests of a job, where it affects the classification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RequestKind {
    /// Messages of one template from one number to many recipients.
    Messages,
    /// Actions on many templates, each independent.
    Templates,
}

/// The outcome of an item's request.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Answer {
    /// The provider carried it out.
    Done,
    /// It was not sent: the item had nothing to send.
    Skipped,
    /// It was not sent: the job is no longer running, or the item was sent before.
    NotSent,
    /// The provider refused it, for a reason specific to the item.
    Refused(DeskError),
    /// It may have been carried out. The job pauses, so that other items do not fail the same way.
    Unknown(DeskError),
    /// The provider did nothing; retry after a pause.
    Retry {
        error: DeskError,
        /// The channel's code, else the HTTP status, else `offline`.
        reason: String,
        /// The pause that the provider asks for.
        pause: Option<Duration>,
        /// Whether it is a rate limit rather than a failure.
        is_limit: bool,
        /// Whether an earlier request of the item was, or may have been, carried out: the job pauses, and the item is not
        /// sent again.
        is_partial: bool,
    },
    /// The provider did nothing: the recipient has received too many messages. Other recipients are not affected.
    RetryRecipient {
        error: DeskError,
        /// The pause that the provider asks for.
        pause: Option<Duration>,
    },
    /// The provider did nothing, and would do nothing for any other item.
    Stop(DeskError),
}

impl Answer {
    /// Classifies the error of a request about `subject`.
    pub(crate) fn of(subject: RequestKind, error: DeskError) -> Self {
        let found = classify(&error);
        let messages = subject == RequestKind::Messages;
        let stops = |code: i64| messages && STOP_MESSAGES.contains(&code);
        match found.class {
            Class::Unknown => Self::Unknown(error),
            _ if messages && found.code == Some(PAIR_LIMIT) => Self::RetryRecipient { error, pause: found.pause },
            _ if found.code.is_some_and(stops) => Self::Stop(error),
            Class::Configuration => Self::Stop(error),
            // A person waits for template actions; a batch continues when the connection is back.
            Class::NotSent if !messages => Self::Stop(error),
            Class::Limited | Class::Busy | Class::NotSent => {
                let status = found.status.map(|status| status.to_string());
                let reason = found.code.map(|code| code.to_string()).or(status).unwrap_or_else(|| "offline".to_owned());
                Self::Retry {
                    error,
                    reason,
                    pause: found.pause,
                    is_limit: found.class == Class::Limited,
                    is_partial: false,
                }
            }
            // Not specific to the message: the URL or the permissions are wrong, so every other request fails too.
            Class::Refused if messages && found.code.is_none() && matches!(found.status, Some(403 | 404 | 410)) => {
                Self::Stop(error)
            }
            Class::Refused => Self::Refused(error),
        }
    }

    /// Whether the item is planned again after `attempt` attempts: nothing was done, and the job sends it again, now or
    /// when it is resumed.
    pub(crate) fn is_retried(&self, attempt: u32) -> bool {
        match self {
            Self::Retry { is_partial: true, .. } => false,
            Self::Retry { is_limit, .. } => *is_limit || attempt < MAX_ATTEMPTS,
            Self::RetryRecipient { .. } | Self::Stop(_) => true,
            _ => false,
        }
    }

    pub(crate) fn error(&self) -> Option<&DeskError> {
        match self {
            Self::Done | Self::Skipped | Self::NotSent => None,
            Self::Refused(error)
            | Self::Unknown(error)
            | Self::Retry { error, .. }
            | Self::RetryRecipient { error, .. }
            | Self::Stop(error) => Some(error),
        }
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
    fn answers_are_classified_by_what_they_affect() {
        enum Expected {
            Unknown,
            Refused,
            Stop,
            Recipient(Option<u64>),
            Retry(&'static str, Option<u64>, bool),
        }
        use Expected::{Recipient, Refused, Retry, Stop, Unknown};
        let limited = |retry_after, code: Option<&str>| DeskError::RateLimited {
            retry_after,
            error_code: code.map(str::to_owned),
        };
        let unauthorized = DeskError::Unauthorized { message: "m".into(), details: "d".into() };
        let offline = DeskError::Offline { reason: "refused".into() };
        for (error, message, template) in [
            (limited(Some(7), None), Retry("429", Some(7), true), Retry("429", Some(7), true)),
            (limited(None, None), Retry("429", None, true), Retry("429", None, true)),
            (limited(None, Some("130429")), Retry("130429", None, true), Retry("130429", None, true)),
            (limited(None, Some("131056")), Recipient(None), Retry("131056", None, true)),
            (limited(Some(30), Some("131056")), Recipient(Some(30)), Retry("131056", Some(30), true)),
            (limited(None, Some("131048")), Stop, Retry("131048", None, true)),
            (service(400, Some("131056"), None), Recipient(None), Retry("131056", None, true)),
            (service(400, Some("80007"), None), Retry("80007", None, true), Retry("80007", None, true)),
            (service(500, Some("131016"), None), Retry("131016", None, false), Retry("131016", None, false)),
            (service(503, Some("131016"), Some(9)), Retry("131016", Some(9), false), Retry("131016", Some(9), false)),
            (service(503, None, Some(9)), Unknown, Unknown),
            // Recorded as refused by an older version.
            (service(500, None, None), Unknown, Unknown),
            (DeskError::outcome_unknown(Some(offline.clone())), Unknown, Unknown),
            (service(400, Some("132000"), None), Refused, Refused),
            (service(400, Some("131026"), None), Refused, Refused),
            (service(400, None, None), Refused, Refused),
            (service(400, Some("132001"), None), Stop, Refused),
            (service(400, Some("132015"), None), Stop, Refused),
            (service(401, Some("190"), None), Stop, Stop),
            (service(403, Some("200"), None), Stop, Stop),
            (service(403, None, None), Stop, Refused),
            (service(404, None, None), Stop, Refused),
            (unauthorized, Stop, Stop),
            (DeskError::MissingCredentials {}, Stop, Stop),
            (offline, Retry("offline", None, false), Stop),
            (DeskError::TimedOut { seconds: 3 }, Retry("offline", None, false), Stop),
            (DeskError::invalid("to", "no"), Refused, Refused),
        ] {
            for (subject, expected) in [(RequestKind::Messages, message), (RequestKind::Templates, template)] {
                let expected = match expected {
                    Unknown => Answer::Unknown(error.clone()),
                    Refused => Answer::Refused(error.clone()),
                    Stop => Answer::Stop(error.clone()),
                    Recipient(pause) => {
                        Answer::RetryRecipient { error: error.clone(), pause: pause.map(Duration::from_secs) }
                    }
                    Retry(reason, pause, is_limit) => Answer::Retry {
                        error: error.clone(),
                        reason: reason.to_owned(),
                        pause: pause.map(Duration::from_secs),
                        is_limit,
                        is_partial: false,
                    },
                };
                assert_eq!(Answer::of(subject, error.clone()), expected, "{subject:?} {error:?}");
            }
        }
    }

    #[test]
    fn items_that_were_not_carried_out_are_retried_a_few_times() {
        let error = || DeskError::Offline { reason: "refused".into() };
        let retry = |is_limit| Answer::Retry {
            error: error(),
            reason: String::new(),
            pause: None,
            is_limit,
            is_partial: false,
        };
        let mut partial = retry(true);
        if let Answer::Retry { is_partial, .. } = &mut partial {
            *is_partial = true;
        }
        for (answer, first, last) in [
            (Answer::Done, false, false),
            (Answer::Refused(error()), false, false),
            (Answer::Unknown(error()), false, false),
            (retry(false), true, false),
            (retry(true), true, true),
            (partial, false, false),
            (Answer::RetryRecipient { error: error(), pause: None }, true, true),
            (Answer::Stop(error()), true, true),
        ] {
            let planned = (answer.is_retried(1), answer.is_retried(MAX_ATTEMPTS));
            assert_eq!(planned, (first, last), "{answer:?}");
        }
    }

    #[test]
    fn every_stop_code_is_a_known_code() {
        for code in STOP_MESSAGES {
            assert!(model::error_code::find(*code).is_some(), "{code}");
        }
    }
}
