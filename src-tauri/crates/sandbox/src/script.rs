//! Scripts: the configured outcome of the next messages to a recipient.
//!
//! A script of the recipient takes precedence over one for every recipient ([`EVERY`]), and both take precedence over
//! the outcome by the ending of the number. A script is applied when a message is accepted. A message that is refused
//! immediately, by the rules or by a special recipient, does not count.

use model::error_code;
use model::vocabulary::HeaderFormat;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::refusal::Refusal;

/// Every recipient without a script of its own.
pub const EVERY: &str = "*";

/// Maximum time between two statuses, in milliseconds: one day.
const LONGEST_MS: u64 = 24 * 60 * 60 * 1000;
/// Default time between two statuses of a slow message, in milliseconds.
const SLOW_MS: u64 = 10_000;
/// Maximum number of reports of a status.
const MOST_TIMES: u32 = 20;
/// Maximum number of messages for a script.
const MOST_MESSAGES: u32 = 1_000_000;

/// The outcome of the next messages; the JSON of `PUT /sandbox/phones/{recipient}/script`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Script {
    pub next: Next,
    /// Milliseconds between two statuses: at most a day. Defaults to the setting, or to ten seconds under `slow`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ms: Option<u64>,
    /// For `fail`: one of [`failure_codes`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<i64>,
    /// For `fail`: whether `sent` is reported first (upstream §8.3). Defaults to the usual behaviour of the code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after_sent: Option<bool>,
    /// For `duplicate`: number of reports of every status, 2–20. Two if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub times: Option<u32>,
    /// Number of messages, 1–1 000 000; unlimited if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Next {
    /// Sent, delivered and read.
    Deliver,
    /// Sent, delivered and read, with long pauses between the statuses.
    Slow,
    /// Fails with a code.
    Fail,
    /// Every status is reported several times.
    Duplicate,
    /// Read is reported before delivered, and delivered before sent; each with the time at which it was reached.
    Reorder,
    /// Sent, and no further status.
    Stop,
}

impl Script {
    /// A script without options.
    #[must_use]
    pub fn of(next: Next) -> Self {
        Self { next, ms: None, code: None, after_sent: None, times: None, count: None }
    }

    /// Validates the options, and drops those that don't apply.
    pub(crate) fn checked(mut self) -> Result<Self, Refusal> {
        if self.ms.is_some_and(|ms| ms > LONGEST_MS) {
            return Err(Refusal::field("/ms", format!("must be at most {LONGEST_MS}, which is a day")));
        }
        if self.count.is_some_and(|count| !(1..=MOST_MESSAGES).contains(&count)) {
            return Err(Refusal::field("/count", format!("must be between 1 and {MOST_MESSAGES}, or absent")));
        }
        match (self.next, self.code) {
            (Next::Fail, None) => return Err(Refusal::field("/code", "is required beside `fail`")),
            (Next::Fail, Some(code)) if FAILURES.iter().all(|failure| failure.code != code) => {
                return Err(Refusal::field("/code", format!("is {code}, which no message fails with")));
            }
            (Next::Fail, Some(_)) => {}
            _ => (self.code, self.after_sent) = (None, None),
        }
        match (self.next, self.times) {
            (Next::Duplicate, Some(times)) if !(2..=MOST_TIMES).contains(&times) => {
                return Err(Refusal::field("/times", format!("must be between 2 and {MOST_TIMES}")));
            }
            (Next::Duplicate, times) => self.times = Some(times.unwrap_or(2)),
            _ => self.times = None,
        }
        if self.next == Next::Slow {
            self.ms.get_or_insert(SLOW_MS);
        }
        Ok(self)
    }

    /// Number of additional reports of each status.
    pub(crate) fn copies(&self) -> u32 {
        self.times.map_or(0, |times| times.saturating_sub(1))
    }

    /// Whether `sent` is reported before the failure.
    pub(crate) fn fails_after_sent(&self) -> bool {
        let usual = || FAILURES.iter().any(|failure| Some(failure.code) == self.code && failure.after_sent);
        self.after_sent.unwrap_or_else(usual)
    }
}

/// An error code with which a message can fail by a status.
#[derive(Clone, Copy, Debug)]
struct Failure {
    code: i64,
    /// The channel's error title, if known.
    title: &'static str,
    /// Whether the failure usually follows `sent`.
    after_sent: bool,
}

const fn at_once(code: i64, title: &'static str) -> Failure {
    Failure { code, title, after_sent: false }
}

const fn on_the_way(code: i64, title: &'static str) -> Failure {
    Failure { code, title, after_sent: true }
}

/// Codes of upstream §7 that concern one message; those of accounts, credentials and templates are returned to a
/// request instead.
const FAILURES: &[Failure] = &[
    on_the_way(1, "Unknown API error"),
    on_the_way(2, "Service temporarily unavailable"),
    at_once(368, "Temporarily blocked for policies violations"),
    at_once(2040, "Payment message cannot be received"),
    at_once(130_403, "Recipient blocked by the business"),
    at_once(130_429, "Rate limit hit"),
    at_once(130_472, "User's number is part of an experiment"),
    at_once(130_497, "Business account is restricted from messaging users in this country"),
    on_the_way(131_000, "Something went wrong"),
    at_once(131_005, "Access denied"),
    at_once(131_008, "Required parameter is missing"),
    at_once(131_009, "Parameter value is not valid"),
    on_the_way(131_016, "Service unavailable"),
    at_once(131_021, "Recipient cannot be sender"),
    at_once(131_026, "Message undeliverable"),
    at_once(131_030, "Recipient phone number not in allowed list"),
    at_once(131_031, "Account has been locked"),
    at_once(131_037, "Display name not approved"),
    at_once(131_042, "Business eligibility payment issue"),
    at_once(131_045, "Incorrect certificate"),
    at_once(131_047, "Re-engagement message"),
    at_once(131_048, "Spam rate limit hit"),
    at_once(131_049, "This message was not delivered to maintain healthy ecosystem engagement"),
    at_once(131_050, "User stopped marketing messages"),
    at_once(131_051, "Unsupported message type"),
    at_once(131_053, MEDIA_TITLE),
    at_once(131_055, "Only marketing templates are supported"),
    at_once(131_056, "Pair rate limit hit"),
    at_once(131_057, "Account in maintenance mode"),
    at_once(131_062, "Business-scoped recipients are not supported for this message"),
    at_once(131_063, "Marketing templates are switched off"),
    at_once(131_064, "Limited after template classification violations"),
    at_once(132_000, "Template param count mismatch"),
    at_once(132_001, "Template does not exist"),
    at_once(132_005, "Template hydrated text too long"),
    at_once(132_007, "Template format character policy violated"),
    at_once(132_008, "Template parameter value is not valid"),
    at_once(132_012, "Template parameter format mismatch"),
    at_once(132_015, "Template is paused"),
    at_once(132_016, "Template is disabled"),
    at_once(132_018, "Template parameters are not valid"),
    at_once(132_068, "Flow is in blocked state"),
    at_once(132_069, "Flow is in throttled state"),
    on_the_way(133_004, "Server temporarily unavailable"),
    at_once(133_010, "Phone number not registered"),
    at_once(134_011, "Payment terms not accepted"),
    at_once(134_100, "Only marketing messages are supported"),
    at_once(134_101, "Template is still syncing"),
    at_once(134_102, "Template is unavailable for use"),
    on_the_way(135_000, "Generic user error"),
    at_once(137_000, "Recipient identity key does not match"),
];

const MEDIA_TITLE: &str = "Media upload error";

/// The codes that a message can be made to fail with, ascending.
#[must_use]
pub fn failure_codes() -> Vec<i64> {
    FAILURES.iter().map(|failure| failure.code).collect()
}

/// An error in the form of the channel's webhooks (upstream §7).
pub(crate) fn channel_error(code: i64, title: &str, details: &str) -> Value {
    json!({
        "code": code,
        "title": title,
        "message": title,
        "error_data": { "details": details },
        "href": "https://developers.facebook.com/documentation/business-messaging/whatsapp/support/error-codes",
    })
}

/// The error for media that can't be downloaded or are of another kind.
pub(crate) fn media_error(details: &str) -> Value {
    channel_error(131_053, MEDIA_TITLE, details)
}

/// The error object of the contract §7.
pub(crate) fn oversize(format: &HeaderFormat, size: u64, limit: u64) -> Value {
    let what = format.as_str().to_lowercase();
    json!({
        "code": 131_053,
        "title": MEDIA_TITLE,
        "message": format!("The {what} is larger than the channel accepts"),
        "retryable": false,
        "classification": "UserError",
        "details": {
            "file_size_bytes": size,
            "max_size_bytes": limit,
            "reason": format!("The {what} has {size} bytes; at most {limit} are accepted."),
        },
    })
}

/// The error of a message with the scripted failure `code`; `format` is that of its media.
pub(crate) fn failure(code: i64, format: Option<&HeaderFormat>) -> Value {
    if code == 131_053 {
        let format = format.unwrap_or(&HeaderFormat::Image);
        let (limit, _) = model::media::limit_of(format);
        return oversize(format, limit + 1_048_576, limit);
    }
    let title = FAILURES.iter().find(|failure| failure.code == code).map_or("Message failed", |failure| failure.title);
    let details = error_code::find(code).map_or(title, |known| known.meaning);
    channel_error(code, title, details)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "what fails to unwrap fails the test")]

    use super::*;

    #[test]
    fn every_failure_code_has_an_explanation() {
        assert!(FAILURES.windows(2).all(|pair| pair[0].code < pair[1].code));
        for failure in FAILURES {
            assert_eq!(error_code::find(failure.code).map(|known| known.code), Some(failure.code));
        }
    }

    #[test]
    fn options_are_checked_and_irrelevant_ones_dropped() {
        let read = |value: Value| serde_json::from_value::<Script>(value).unwrap().checked();
        for (value, checked) in [
            (json!({ "next": "deliver", "code": 5, "times": 9 }), json!({ "next": "deliver" })),
            (json!({ "next": "slow" }), json!({ "next": "slow", "ms": 10_000 })),
            (json!({ "next": "duplicate" }), json!({ "next": "duplicate", "times": 2 })),
            (
                json!({ "next": "fail", "code": 131_026, "count": 1, "times": 3 }),
                json!({ "next": "fail", "code": 131_026, "count": 1 }),
            ),
        ] {
            assert_eq!(json!(read(value.clone()).unwrap()), checked, "{value}");
        }
        for (value, path) in [
            (json!({ "next": "fail" }), "/code"),
            (json!({ "next": "fail", "code": 190 }), "/code"),
            (json!({ "next": "duplicate", "times": 1 }), "/times"),
            (json!({ "next": "duplicate", "times": 21 }), "/times"),
            (json!({ "next": "slow", "ms": 86_400_001 }), "/ms"),
            (json!({ "next": "stop", "count": 0 }), "/count"),
        ] {
            assert_eq!(read(value.clone()).unwrap_err().path.as_deref(), Some(path), "{value}");
        }
    }
}
