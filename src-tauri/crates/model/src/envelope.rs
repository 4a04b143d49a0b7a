//! Webhook envelopes and the values they carry (contract §2.4, §6; upstream §8).

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::lenient::{maybe_text, or_default, text};
use crate::{Id, Object};

/// A delivery, for code that creates one. A receiver splits the bytes with [`crate::item::items`] instead.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Envelope {
    /// Constant that names the channel's business-account object.
    #[serde(deserialize_with = "text")]
    pub object: String,
    /// One or more per business account.
    #[serde(deserialize_with = "or_default")]
    pub entry: Vec<Entry>,
    #[serde(flatten)]
    pub extra: Object,
}

/// A report about one business account.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Entry {
    /// The business account.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<Id>,
    /// Seconds since 1970; absent for the field `messages` (upstream §8).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<Value>,
    #[serde(deserialize_with = "or_default")]
    pub changes: Vec<Change>,
    #[serde(flatten)]
    pub extra: Object,
}

/// One change: `field` determines which of the types in [`crate::event`] `value` has.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Change {
    #[serde(deserialize_with = "text")]
    pub field: String,
    pub value: Value,
    #[serde(flatten)]
    pub extra: Object,
}

impl Envelope {
    /// A delivery with one change.
    #[must_use]
    pub fn of(object: &str, account: Id, time: Option<i64>, field: &str, value: Value) -> Self {
        let change = Change { field: field.to_owned(), value, extra: Object::new() };
        let entry =
            Entry { id: Some(account), time: time.map(Value::from), changes: vec![change], extra: Object::new() };
        Self { object: object.to_owned(), entry: vec![entry], extra: Object::new() }
    }
}

/// Reason for a rejection in words (upstream §8.4).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RejectionInfo {
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub recommendation: Option<String>,
    #[serde(flatten)]
    pub extra: Object,
}

impl RejectionInfo {
    /// The recommendation, else the reason.
    #[must_use]
    pub fn advice(&self) -> Option<String> {
        self.recommendation.clone().or_else(|| self.reason.clone())
    }
}
