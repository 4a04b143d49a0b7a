//! Messages of the business with their statuses and taps, and the number of sends for each recipient.

use model::send::SendMessage;
use model::template::Template;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::script::Script;
use crate::time::Instant;

/// How far a message has come in the sandbox itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Stage {
    /// Answered to the sender; media are still to be measured.
    Accepted,
    /// Its statuses are scheduled.
    OnItsWay,
    /// Nothing more will happen to it.
    Settled,
}

/// A message of the business.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Message {
    pub(crate) id: String,
    pub(crate) number: String,
    pub(crate) entry: String,
    pub(crate) recipient: String,
    pub(crate) at: Instant,
    /// What was posted.
    pub(crate) payload: Value,
    /// The template as it was when it was sent.
    pub(crate) template: Option<Template>,
    /// Category of its pricing.
    pub(crate) category: String,
    pub(crate) callback: Option<String>,
    pub(crate) stage: Stage,
    pub(crate) statuses: Vec<Reached>,
    pub(crate) error: Option<Value>,
    /// What was set to happen to it when it was accepted.
    #[serde(default)]
    pub(crate) script: Option<Script>,
    /// Taps on its quick replies.
    #[serde(default)]
    pub(crate) taps: Vec<Tapped>,
}

impl Message {
    /// A new identifier as the channel writes them.
    pub(crate) fn new_id() -> String {
        format!("wamid.{}", uuid::Uuid::new_v4().simple().to_string().to_uppercase())
    }

    /// What was posted, if it can be read.
    pub(crate) fn read_payload(&self) -> Option<SendMessage> {
        model::json::read(&self.payload).ok()
    }

    /// Whether it ever got onto the recipient's phone.
    pub(crate) fn is_on_phone(&self) -> bool {
        self.statuses.iter().any(|reached| matches!(reached.status.as_str(), "delivered" | "read"))
    }
}

/// A tap on a quick reply.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tapped {
    /// Card it stands on, zero-based; absent for the message's own buttons.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub card: Option<usize>,
    /// Position of the button, zero-based.
    pub button: usize,
    /// When, in Unix milliseconds.
    pub at: i64,
}

/// A status of a message and when it was reached.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Reached {
    pub(crate) status: String,
    pub(crate) at: Instant,
}

/// How often a recipient was sent to.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
pub(crate) struct Count {
    /// Send requests that arrived and could be read.
    pub(crate) requests: u64,
    /// Messages: requests that were carried out.
    pub(crate) messages: u64,
}
