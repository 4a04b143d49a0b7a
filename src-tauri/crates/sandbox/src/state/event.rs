//! Events and their deliveries, as stored in the state.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::time::Instant;

/// A change that waits for a delivery.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Event {
    pub(crate) sequence: u64,
    pub(crate) at: Instant,
    pub(crate) due: Instant,
    /// The WABA.
    pub(crate) entry: String,
    /// The sending number whose webhook gets it; the common webhook if absent.
    pub(crate) number: Option<String>,
    pub(crate) field: String,
    pub(crate) value: Value,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Outcome {
    /// Waits for an attempt or a retry.
    Pending,
    /// Answered 200.
    Delivered,
    /// Given up because of its age.
    Dropped,
    /// There was no webhook.
    Unaddressed,
}

/// One POST to a webhook, with its attempts.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Delivery {
    pub(crate) id: u64,
    pub(crate) created_at: Instant,
    pub(crate) due: Instant,
    pub(crate) number: Option<String>,
    /// Names of its fields: `messages`, `message_template_status_update`, …
    pub(crate) fields: Vec<String>,
    /// The exact bytes of the body, all ASCII.
    pub(crate) body: String,
    pub(crate) outcome: Outcome,
    /// Attempts since creation or since the last redelivery.
    pub(crate) tries: u32,
    pub(crate) attempts: Vec<Attempt>,
}

/// One attempt of a delivery.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Attempt {
    pub(crate) at: Instant,
    /// HTTP status of the answer.
    pub(crate) status: Option<u16>,
    /// Reason for a missing answer.
    pub(crate) error: Option<String>,
    /// Milliseconds until the answer or the failure.
    pub(crate) took_ms: u64,
}
