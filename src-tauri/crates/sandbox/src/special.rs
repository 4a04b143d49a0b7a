//! Special recipients: the last seven digits of the number determine the outcome.

use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::refusal::Refusal;

/// The outcome of a message, by the ending of its recipient.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SpecialOutcome {
    /// The same as for any other recipient.
    Ordinary,
    /// These statuses, in this order.
    Statuses(&'static [&'static str]),
    /// `failed` with this code; after `sent` if the channel detects the failure later.
    Fails {
        code: i32,
        title: &'static str,
        details: &'static str,
        after_sent: bool,
    },
    Refused {
        status: u16,
        code: i32,
        message: &'static str,
        details: &'static str,
    },
    /// All statuses, with a `wa_id` that differs from the number as written (upstream §6).
    OtherId,
}

struct Special {
    ending: &'static str,
    outcome: SpecialOutcome,
    effect: &'static str,
}

const fn fails(code: i32, title: &'static str, details: &'static str, after_sent: bool) -> SpecialOutcome {
    SpecialOutcome::Fails { code, title, details, after_sent }
}

const fn refused(status: u16, code: i32, message: &'static str, details: &'static str) -> SpecialOutcome {
    SpecialOutcome::Refused { status, code, message, details }
}

const SPECIALS: &[Special] = &[
    Special { ending: "0200001", outcome: SpecialOutcome::Statuses(&["sent"]), effect: "sent, never delivered" },
    Special {
        ending: "0200002",
        outcome: SpecialOutcome::Statuses(&["sent", "delivered"]),
        effect: "delivered, never read",
    },
    Special {
        ending: "0200003",
        outcome: SpecialOutcome::Statuses(&["sent", "read"]),
        effect: "read without delivered",
    },
    Special {
        ending: "0200004",
        outcome: SpecialOutcome::Statuses(&["read", "delivered", "sent"]),
        effect: "statuses in reverse order",
    },
    Special { ending: "0200005", outcome: SpecialOutcome::Statuses(&[]), effect: "accepted, no status ever" },
    Special { ending: "0200006", outcome: SpecialOutcome::OtherId, effect: "`wa_id` differs from the number written" },
    Special {
        ending: "0131026",
        outcome: fails(
            131_026,
            "Message undeliverable",
            "The recipient is not on the channel or cannot receive it.",
            false,
        ),
        effect: "failed 131026",
    },
    Special {
        ending: "0131049",
        outcome: fails(
            131_049,
            "This message was not delivered to maintain healthy ecosystem engagement",
            "Withheld by the cap on marketing messages to one person; wait at least 24 hours.",
            false,
        ),
        effect: "failed 131049",
    },
    Special {
        ending: "0131050",
        outcome: fails(
            131_050,
            "User stopped marketing messages",
            "The recipient stopped marketing from this business.",
            false,
        ),
        effect: "failed 131050",
    },
    Special {
        ending: "0130472",
        outcome: fails(130_472, "User's number is part of an experiment", "Held out by an experiment.", false),
        effect: "failed 130472",
    },
    Special {
        ending: "0131000",
        outcome: fails(131_000, "Something went wrong", "Failed for an unknown reason after it was sent.", true),
        effect: "sent, then failed 131000",
    },
    Special {
        ending: "0130429",
        outcome: refused(429, 130_429, "Rate limit hit", "the number sends too fast; wait and send to `to` again"),
        effect: "refused 429, code 130429",
    },
    Special {
        ending: "0131056",
        outcome: refused(429, 131_056, "Pair rate limit hit", "too many messages to this `to` in a short time; wait"),
        effect: "refused 429, code 131056",
    },
    Special {
        ending: "0131016",
        outcome: refused(
            503,
            131_016,
            "Service unavailable",
            "a part of the channel is down; send to `to` again later",
        ),
        effect: "refused 503, code 131016",
    },
    Special {
        ending: "0131031",
        outcome: refused(403, 131_031, "Account locked", "the account is restricted; `to` cannot be written to"),
        effect: "refused 403, code 131031",
    },
];

/// The outcome of a message to `recipient`.
pub(crate) fn outcome_for(recipient: &str) -> SpecialOutcome {
    SPECIALS
        .iter()
        .find(|special| recipient.ends_with(special.ending))
        .map_or(SpecialOutcome::Ordinary, |special| special.outcome)
}

/// The refusal of a send to `recipient`, if its number asks for one.
pub(crate) fn refusal(recipient: &str) -> Option<Refusal> {
    let SpecialOutcome::Refused { status, code, message, details } = outcome_for(recipient) else { return None };
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_REQUEST);
    Some(Refusal {
        retry_after: (status != StatusCode::FORBIDDEN).then_some(1),
        path: Some("/to".to_owned()),
        ..Refusal::new(status, format!("(#{code}) {message}"), details).with_code(code)
    })
}

/// The table of special recipients, for `GET /sandbox`.
pub(crate) fn table() -> Vec<Value> {
    let ordinary = json!({ "ending": null, "effect": "sent, delivered, read" });
    std::iter::once(ordinary)
        .chain(SPECIALS.iter().map(|special| json!({ "ending": special.ending, "effect": special.effect })))
        .collect()
}
