//! Life events of the sample templates and of the sending numbers.

use serde_json::{Value, json};

use super::calendar::{Calendar, SECOND};
use crate::time::Instant;

/// A step in the life of a template.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Step {
    /// It was submitted for review; again after an edit.
    Pending,
    Approved,
    /// Rejected with the reason and the explanation of [`FORMER_REJECTION`].
    Rejected,
    /// Rejected as it is now: the sample has reason and explanation.
    StillRejected,
    /// Paused; the text is its `other_info`.
    Paused(&'static str),
    Disabled,
    /// Quality before and now.
    Quality(&'static str, &'static str),
    /// The channel moved it from utility to marketing.
    Category,
    /// Archived from here; no event reports it.
    Archived,
}

/// When a step happened: days before the anchor, hour and minute.
type When = (i64, i64, i64);

/// The life of a sample.
pub(crate) struct Life {
    pub(crate) name: &'static str,
    pub(crate) language: &'static str,
    /// Whether it was created from this desk.
    pub(crate) made_here: bool,
    pub(crate) steps: &'static [(When, Step)],
}

use Step::{Approved, Archived, Category, Disabled, Paused, Pending, Quality, Rejected, StillRejected};

/// In the order of the samples.
pub(crate) const LIVES: &[Life] = &[
    Life {
        name: "summer_offer",
        language: "pt_BR",
        made_here: true,
        steps: &[((16, 10, 5), Pending), ((16, 10, 26), Approved), ((13, 18, 40), Quality("UNKNOWN", "GREEN"))],
    },
    Life {
        name: "summer_offer",
        language: "es",
        made_here: false,
        steps: &[
            ((22, 11, 2), Pending),
            ((22, 11, 31), Approved),
            ((20, 19, 12), Quality("UNKNOWN", "YELLOW")),
            ((17, 20, 3), Quality("YELLOW", "RED")),
            ((17, 20, 9), Paused("FIRST_PAUSE")),
        ],
    },
    Life {
        name: "tulip_cards",
        language: "pt_BR",
        made_here: true,
        steps: &[((3, 15, 20), Pending), ((3, 16, 4), StillRejected)],
    },
    Life {
        name: "survey_thanks",
        language: "en_US",
        made_here: true,
        steps: &[((9, 11, 48), Pending), ((9, 13, 37), StillRejected)],
    },
    Life {
        name: "verify_device",
        language: "en_US",
        made_here: false,
        steps: &[((58, 9, 30), Pending), ((58, 9, 31), Approved), ((44, 12, 0), Quality("UNKNOWN", "GREEN"))],
    },
    Life {
        name: "order_shipped",
        language: "pt_BR",
        made_here: true,
        steps: &[((60, 9, 12), Pending), ((60, 9, 29), Approved), ((51, 17, 22), Quality("UNKNOWN", "GREEN"))],
    },
    Life {
        name: "order_shipped",
        language: "en_US",
        made_here: true,
        steps: &[((57, 10, 41), Pending), ((57, 10, 58), Approved), ((46, 16, 10), Quality("UNKNOWN", "GREEN"))],
    },
    Life { name: "order_shipped", language: "es", made_here: true, steps: &[((1, 17, 55), Pending)] },
    Life {
        name: "spring_sale",
        language: "pt_BR",
        made_here: true,
        steps: &[
            ((41, 14, 10), Pending),
            ((41, 16, 2), Approved),
            ((35, 18, 0), Quality("UNKNOWN", "GREEN")),
            ((25, 19, 45), Quality("GREEN", "YELLOW")),
            ((12, 9, 20), Quality("YELLOW", "GREEN")),
        ],
    },
    Life {
        name: "bouquets",
        language: "pt_BR",
        made_here: false,
        steps: &[((32, 15, 33), Pending), ((32, 18, 20), Approved), ((27, 18, 5), Quality("UNKNOWN", "GREEN"))],
    },
    Life {
        name: "visit_reminder",
        language: "pt_BR",
        made_here: true,
        steps: &[
            ((48, 10, 15), Pending),
            ((48, 10, 51), Rejected),
            ((47, 9, 40), Pending),
            ((47, 9, 58), Approved),
            ((38, 12, 30), Quality("UNKNOWN", "GREEN")),
        ],
    },
    Life {
        name: "feedback",
        language: "en_US",
        made_here: true,
        steps: &[
            ((46, 16, 20), Pending),
            ((46, 16, 44), Approved),
            ((37, 18, 15), Quality("UNKNOWN", "GREEN")),
            ((28, 9, 5), Category),
        ],
    },
    Life {
        name: "coupon",
        language: "es",
        made_here: false,
        steps: &[((44, 11, 11), Pending), ((44, 11, 52), Approved), ((39, 19, 31), Quality("UNKNOWN", "GREEN"))],
    },
    Life {
        name: "login_code",
        language: "pt_BR",
        made_here: false,
        steps: &[((50, 14, 25), Pending), ((50, 14, 26), Approved)],
    },
    Life {
        name: "greeting",
        language: "pt_BR",
        made_here: true,
        steps: &[((2, 11, 30), Pending), ((2, 11, 47), StillRejected)],
    },
    Life {
        name: "weekly_offer",
        language: "pt_BR",
        made_here: false,
        steps: &[
            ((54, 16, 5), Pending),
            ((54, 16, 33), Approved),
            ((45, 20, 11), Quality("UNKNOWN", "GREEN")),
            ((29, 19, 2), Quality("GREEN", "YELLOW")),
            ((22, 19, 50), Quality("YELLOW", "RED")),
            ((22, 20, 1), Paused("SECOND_PAUSE")),
        ],
    },
    Life {
        name: "daily_offer",
        language: "pt_BR",
        made_here: false,
        steps: &[
            ((60, 14, 0), Pending),
            ((60, 14, 39), Approved),
            ((53, 18, 30), Quality("UNKNOWN", "YELLOW")),
            ((50, 18, 41), Quality("YELLOW", "RED")),
            ((50, 18, 50), Paused("FIRST_PAUSE")),
            ((43, 9, 0), Disabled),
        ],
    },
    Life {
        name: "christmas_2025",
        language: "pt_BR",
        made_here: false,
        steps: &[((59, 13, 20), Pending), ((59, 14, 2), Approved), ((33, 17, 30), Archived)],
    },
];

/// Body of `visit_reminder` before its rejection was fixed.
pub(crate) const FORMER_BODY: &str = "Sua visita na nossa loja é em {{1}}{{2}}. Podemos confirmar?";
/// Reason, problem and recommendation of that rejection.
pub(crate) const FORMER_REJECTION: (&str, &str, &str) = (
    "INVALID_FORMAT",
    "The template has variables that touch each other.",
    "Put words between the variables of `components[1].text` and submit the template again.",
);

impl Life {
    pub(crate) fn steps(&self, calendar: Calendar) -> impl Iterator<Item = (Instant, Step)> {
        self.steps.iter().map(move |((days, hour, minute), step)| {
            // Not on the full minute.
            let seconds = (days * 37 + minute * 17) % 60;
            (calendar.at(*days, *hour, *minute) + seconds * SECOND, *step)
        })
    }

    pub(crate) fn index(name: &str, language: &str) -> usize {
        let same = |life: &Life| life.name == name && life.language == language;
        LIVES.iter().position(same).expect("the history names samples")
    }
}

/// Events about the accounts and their numbers: when, the WABA's number, field and value. `display` is that number in
/// digits.
pub(crate) fn account_events(calendar: Calendar) -> Vec<(Instant, usize, &'static str, Value)> {
    let name = |display: &str, decision: &str, wanted: &str| json!({ "display_phone_number": display, "decision": decision, "requested_verified_name": wanted, "rejection_reason": "NONE" });
    let limit = |event: &str, old: &str, new: &str| {
        json!({
            "display_phone_number": "551155500101",
            "event": event,
            "old_limit": old,
            "current_limit": new,
            "max_daily_conversations_per_business": new,
        })
    };
    vec![
        (calendar.at(60, 8, 40), 0, "account_review_update", json!({ "decision": "APPROVED" })),
        (calendar.at(60, 8, 52), 0, "phone_number_name_update", name("551155500101", "APPROVED", "Ipê Flores")),
        (calendar.at(60, 9, 0), 0, "phone_number_quality_update", limit("ONBOARDING", "TIER_NOT_SET", "TIER_250")),
        (calendar.at(52, 20, 30), 0, "phone_number_quality_update", limit("UPGRADE", "TIER_250", "TIER_2K")),
        (
            calendar.at(43, 10, 10),
            1,
            "phone_number_name_update",
            name("551155500102", "DEFERRED", "Ipê Flores Atacado"),
        ),
        (
            calendar.at(42, 15, 25),
            1,
            "phone_number_name_update",
            name("551155500102", "APPROVED", "Ipê Flores Atacado"),
        ),
        (calendar.at(25, 20, 0), 0, "phone_number_quality_update", limit("FLAGGED", "TIER_2K", "TIER_2K")),
        (calendar.at(18, 8, 15), 0, "phone_number_quality_update", limit("UNFLAGGED", "TIER_2K", "TIER_2K")),
        (calendar.at(10, 21, 0), 0, "phone_number_quality_update", limit("UPGRADE", "TIER_2K", "TIER_10K")),
        (
            calendar.at(10, 21, 1),
            0,
            "business_capability_update",
            json!({ "max_daily_conversations_per_business": "TIER_10K", "max_phone_numbers_per_business": 20 }),
        ),
    ]
}
