//! Faults: requests that fail for the client, with or without being carried out.
//!
//! A proxy between a client and its provider can cut connections and answer 502, 503, 504 and 520 by itself, so the
//! client can't know whether the provider carried out the request. A fault is configured in advance and applies to the
//! next matching requests. With `after`, the default, the request is carried out first; a request that is refused does
//! not trigger such a fault. The response of a fault has no body, except for 401, whose body the contract shows (§5).
//!
//! Two faults leave the response as it is but for one change: a listing without one template, and a wrong `Date`.

use serde::{Deserialize, Serialize};

use crate::recipient::check_recipient;
use crate::refusal::Refusal;

/// Maximum of `from`, `times` and `one_in`.
const MAX_COUNT: u32 = 1_000_000;
/// Maximum `Retry-After`, in seconds: one day.
const MAX_RETRY_AFTER: u32 = 24 * 60 * 60;
/// Maximum `offset`, in seconds: ten years.
const MAX_OFFSET: u64 = 10 * 365 * 24 * 60 * 60;

/// A fault for the next matching requests; the JSON of `POST /sandbox/faults`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fault {
    /// Operations that the fault applies to; at least one.
    pub operations: Vec<Operation>,
    pub answer: FaultAnswer,
    /// Whether the request is carried out before the fault.
    #[serde(default)]
    pub when: When,
    /// Seconds in `Retry-After`, at most a day; only with a status.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<u32>,
    /// Seconds that are added to `Date`, at most ten years; only with `date`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<i64>,
    /// The first request that the fault applies to, 1–1 000 000: with 3, two requests pass before it. Counts down to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<u32>,
    /// Number of requests that the fault applies to, 1–1 000 000; unlimited if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub times: Option<u32>,
    /// Applies to one in this many requests, at random: 1–1 000 000. Applies to every request if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub one_in: Option<u32>,
    /// Only sends to this recipient.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recipient: Option<String>,
    /// Only operations on the template with this UUID.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template: Option<String>,
}

/// A provider operation (contract §4.1–§4.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Operation {
    /// `POST …/send-message`.
    Send,
    /// `POST …/workspace-templates`.
    Create,
    /// `PUT`.
    Edit,
    /// `POST …/archive`.
    Archive,
    /// `POST …/unarchive`.
    Unarchive,
    /// `DELETE`.
    Delete,
    /// `GET …/workspace-templates`.
    List,
}

impl Operation {
    pub const ALL: [Self; 7] =
        [Self::Send, Self::Create, Self::Edit, Self::Archive, Self::Unarchive, Self::Delete, Self::List];

    /// The operation's name in JSON.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Send => "send",
            Self::Create => "create",
            Self::Edit => "edit",
            Self::Archive => "archive",
            Self::Unarchive => "unarchive",
            Self::Delete => "delete",
            Self::List => "list",
        }
    }

    /// Whether the operation needs an existing template.
    pub(crate) fn needs_template(self) -> bool {
        !matches!(self, Self::Send | Self::Create | Self::List)
    }
}

/// Response that the client gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, expecting = "`answer` must be `cut`, `omit`, `date` or an HTTP status between 400 and 599")]
pub enum FaultAnswer {
    /// The connection is closed without an answer.
    Cut(Cut),
    /// The response of the request, with one change.
    Changed(ResponseChange),
    /// This HTTP status, 400–599, without a body; 401 with the body of the contract.
    Status(u16),
}

/// The JSON string `cut`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Cut {
    Cut,
}

/// What is changed in a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ResponseChange {
    /// A page of the listing leaves out the fault's template.
    Omit,
    /// `Date` is `offset` away from the time.
    Date,
}

/// Whether a request with a fault is carried out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum When {
    /// The request is carried out and its response is lost.
    #[default]
    After,
    /// The request is not carried out.
    Before,
}

impl Fault {
    /// A fault for every such request, after it was carried out, until the fault is removed.
    #[must_use]
    pub fn of(operations: Vec<Operation>, answer: FaultAnswer) -> Self {
        Self {
            operations,
            answer,
            when: When::After,
            retry_after: None,
            offset: None,
            from: None,
            times: None,
            one_in: None,
            recipient: None,
            template: None,
        }
    }

    /// Validates every option except `template`, which needs the list of templates.
    pub(crate) fn checked(self) -> Result<Self, Refusal> {
        if self.operations.is_empty() {
            let known = Operation::ALL.map(Operation::word).join(", ");
            return Err(Refusal::field("/operations", format!("must name at least one of {known}")));
        }
        match self.answer {
            FaultAnswer::Status(status) if !(400..600).contains(&status) => {
                return Err(Refusal::field("/answer", "must be `cut` or an HTTP status between 400 and 599"));
            }
            FaultAnswer::Cut(_) | FaultAnswer::Changed(_) if self.retry_after.is_some() => {
                return Err(Refusal::field("/retry_after", "needs a status in `answer`"));
            }
            FaultAnswer::Changed(_) if self.when == When::Before => {
                return Err(Refusal::field(
                    "/when",
                    "must be `after`; only a request that is carried out has a response",
                ));
            }
            FaultAnswer::Changed(ResponseChange::Omit) if self.operations != [Operation::List] => {
                return Err(Refusal::field("/operations", "must be `list` alone; other responses omit no template"));
            }
            FaultAnswer::Changed(ResponseChange::Omit) if self.template.is_none() => {
                return Err(Refusal::field("/template", "is required; it is the template that listings leave out"));
            }
            _ => {}
        }
        match (self.answer, self.offset) {
            (FaultAnswer::Changed(ResponseChange::Date), Some(seconds)) if seconds.unsigned_abs() <= MAX_OFFSET => {}
            (FaultAnswer::Changed(ResponseChange::Date), _) => {
                let details = format!("must be a number of seconds between -{MAX_OFFSET} and {MAX_OFFSET}");
                return Err(Refusal::field("/offset", details));
            }
            (_, Some(_)) => return Err(Refusal::field("/offset", "is only for the answer `date`")),
            (_, None) => {}
        }
        if self.retry_after.is_some_and(|seconds| seconds > MAX_RETRY_AFTER) {
            return Err(Refusal::field("/retry_after", format!("must be at most {MAX_RETRY_AFTER}, which is a day")));
        }
        for (path, count) in [("/from", self.from), ("/times", self.times), ("/one_in", self.one_in)] {
            if count.is_some_and(|count| !(1..=MAX_COUNT).contains(&count)) {
                return Err(Refusal::field(path, format!("must be between 1 and {MAX_COUNT}, or absent")));
            }
        }
        if let Some(recipient) = &self.recipient {
            check_recipient(recipient)?;
        }
        Ok(self)
    }
}
