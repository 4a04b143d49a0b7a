//! Faults: requests that end badly although they were carried out, or without having been.
//!
//! A proxy between a client and its provider cuts connections and answers 502, 503, 504 and 520 by itself: what the client
//! gets says nothing about what the provider has done. A fault is set beforehand and met by the next requests it is for.
//! `after`, the default, lets the request be carried out first; a request that is refused meets no such fault. Its answer
//! has no body.

use serde::{Deserialize, Serialize};

use crate::recipient::check_recipient;
use crate::refusal::Refusal;

/// Most requests that a fault is for, and most requests of which it meets one.
const MAX_COUNT: u32 = 1_000_000;
/// Longest wait that `Retry-After` asks for, in seconds: a day.
const MAX_RETRY_AFTER: u32 = 24 * 60 * 60;

/// A fault that the next requests meet; the JSON of `POST /sandbox/faults`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fault {
    /// The requests that meet it; at least one.
    pub operations: Vec<Operation>,
    /// What the client gets.
    pub answer: FaultAnswer,
    /// Whether the request is carried out first.
    #[serde(default)]
    pub when: When,
    /// Seconds in `Retry-After`, at most a day; not beside `cut`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<u32>,
    /// How many requests meet it, 1–1 000 000; all of them until it is removed, where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub times: Option<u32>,
    /// Of so many requests one meets it, by chance: 1–1 000 000. Every one, where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub one_in: Option<u32>,
    /// Only sends to this recipient.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recipient: Option<String>,
    /// Only operations on the template of this uuid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template: Option<String>,
}

/// What a client asks the provider for (contract §4.1–§4.6).
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
}

impl Operation {
    /// Every operation.
    pub const ALL: [Self; 6] = [Self::Send, Self::Create, Self::Edit, Self::Archive, Self::Unarchive, Self::Delete];

    /// The operation as its JSON names it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Send => "send",
            Self::Create => "create",
            Self::Edit => "edit",
            Self::Archive => "archive",
            Self::Unarchive => "unarchive",
            Self::Delete => "delete",
        }
    }

    /// Whether it is done to a template that exists.
    pub(crate) fn needs_template(self) -> bool {
        !matches!(self, Self::Send | Self::Create)
    }
}

/// What the client gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, expecting = "`answer` must be `cut` or an HTTP status between 400 and 599")]
pub enum FaultAnswer {
    /// The connection is closed without an answer.
    Cut(Cut),
    /// This HTTP status without a body: 400–599.
    Status(u16),
}

/// The word `cut`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Cut {
    /// The connection is closed without an answer.
    Cut,
}

/// Whether a request that meets a fault is carried out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum When {
    /// It is carried out, and its answer is lost.
    #[default]
    After,
    /// It is not carried out.
    Before,
}

impl Fault {
    /// A fault of every such request after it was carried out, until it is removed.
    #[must_use]
    pub fn of(operations: Vec<Operation>, answer: FaultAnswer) -> Self {
        Self {
            operations,
            answer,
            when: When::After,
            retry_after: None,
            times: None,
            one_in: None,
            recipient: None,
            template: None,
        }
    }

    /// Checks every option but `template`, which needs the list of templates.
    pub(crate) fn checked(self) -> Result<Self, Refusal> {
        if self.operations.is_empty() {
            let known = Operation::ALL.map(Operation::word).join(", ");
            return Err(Refusal::field("/operations", format!("must name at least one of {known}")));
        }
        match self.answer {
            FaultAnswer::Status(status) if !(400..600).contains(&status) => {
                return Err(Refusal::field("/answer", "must be `cut` or an HTTP status between 400 and 599"));
            }
            FaultAnswer::Cut(_) if self.retry_after.is_some() => {
                return Err(Refusal::field("/retry_after", "needs an answer; a cut connection has none"));
            }
            _ => {}
        }
        if self.retry_after.is_some_and(|seconds| seconds > MAX_RETRY_AFTER) {
            return Err(Refusal::field("/retry_after", format!("must be at most {MAX_RETRY_AFTER}, which is a day")));
        }
        for (path, count) in [("/times", self.times), ("/one_in", self.one_in)] {
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
