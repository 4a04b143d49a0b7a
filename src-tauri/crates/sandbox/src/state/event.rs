//! Events and their deliveries, as the state keeps them.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::time::Instant;

/// A change that waits to be put into a delivery.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Event {
    pub(crate) sequence: u64,
    pub(crate) at: Instant,
    pub(crate) due: Instant,
    /// The WABA.
    pub(crate) entry: String,
    /// The sending number whose webhook it goes to; the common one when absent.
    pub(crate) number: Option<String>,
    pub(crate) field: String,
    pub(crate) value: Value,
}

/// Where a delivery stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Outcome {
    /// Will be tried, or tried again.
    Pending,
    /// Answered 200.
    Delivered,
    /// Given up for its age.
    Dropped,
    /// There was no address to send it to.
    Unaddressed,
}

/// One POST to a webhook, with its tries.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Delivery {
    pub(crate) id: u64,
    pub(crate) created_at: Instant,
    pub(crate) due: Instant,
    pub(crate) number: Option<String>,
    /// What it carries, for reading: `messages`, `message_template_status_update`, …
    pub(crate) fields: Vec<String>,
    /// The exact bytes of the body, all ASCII.
    pub(crate) body: String,
    pub(crate) outcome: Outcome,
    /// Tries since creation or since it was last asked for again.
    pub(crate) tries: u32,
    pub(crate) attempts: Vec<Attempt>,
}

/// One try of a delivery.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Attempt {
    pub(crate) at: Instant,
    /// HTTP status of the answer.
    pub(crate) status: Option<u16>,
    /// Why there was no answer.
    pub(crate) error: Option<String>,
    /// Milliseconds until the answer or the failure.
    pub(crate) took_ms: u64,
}
