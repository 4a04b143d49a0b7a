//! Messages of the business with their statuses and taps, and the number of sends for each recipient.

use model::send::SendMessage;
use model::template::Template;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::script::Script;
use crate::time::Instant;

/// Processing stage of a message in the sandbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Stage {
    /// Acknowledged to the sender; the media are not measured yet.
    Accepted,
    /// Its statuses are scheduled.
    OnItsWay,
    /// No further changes.
    Settled,
}

/// A message from the business.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Message {
    pub(crate) id: String,
    pub(crate) number: String,
    pub(crate) entry: String,
    pub(crate) recipient: String,
    pub(crate) at: Instant,
    pub(crate) payload: Value,
    /// The template at the time of the send.
    pub(crate) template: Option<Template>,
    /// Pricing category.
    pub(crate) category: String,
    pub(crate) callback: Option<String>,
    pub(crate) stage: Stage,
    pub(crate) statuses: Vec<ReachedStatus>,
    pub(crate) error: Option<Value>,
    /// The script at the time of acceptance.
    #[serde(default)]
    pub(crate) script: Option<Script>,
    #[serde(default)]
    pub(crate) taps: Vec<Tapped>,
}

impl Message {
    /// A new identifier in the channel's format.
    pub(crate) fn new_id() -> String {
        format!("wamid.{}", uuid::Uuid::new_v4().simple().to_string().to_uppercase())
    }

    /// The parsed payload, if it is valid.
    pub(crate) fn read_payload(&self) -> Option<SendMessage> {
        model::json::read(&self.payload).ok()
    }

    /// Whether it was delivered to the recipient's phone.
    pub(crate) fn is_on_phone(&self) -> bool {
        self.statuses.iter().any(|reached| matches!(reached.status.as_str(), "delivered" | "read"))
    }
}

/// A tap on a quick reply.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tapped {
    /// Index of its card, zero-based; absent for the message's own buttons.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub card: Option<usize>,
    /// Position of the button, zero-based.
    pub button: usize,
    /// Time in Unix milliseconds.
    pub at: i64,
}

/// A status of a message and when it was reached.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct ReachedStatus {
    pub(crate) status: String,
    pub(crate) at: Instant,
}

/// Number of sends to a recipient.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
pub(crate) struct Count {
    /// Send requests that arrived and were parsed.
    pub(crate) requests: u64,
    /// Messages from requests that were carried out.
    pub(crate) messages: u64,
}
