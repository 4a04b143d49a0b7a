//! Webhook envelopes and the values they carry (contract §2.4, §6; upstream §8).

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::lenient::{maybe_text, or_default, text};
use crate::{Id, Object};

/// A delivery, for whoever makes one. Whoever receives one splits its bytes with [`crate::item::items`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Envelope {
    /// Constant that names the channel's business-account object.
    #[serde(deserialize_with = "text")]
    pub object: String,
    /// One for each business account, or more.
    #[serde(deserialize_with = "or_default")]
    pub entry: Vec<Entry>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Object,
}

/// What one business account reports.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Entry {
    /// The business account.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<Id>,
    /// Seconds since 1970; absent for the field `messages` (upstream §8).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<Value>,
    /// What changed.
    #[serde(deserialize_with = "or_default")]
    pub changes: Vec<Change>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Object,
}

/// One change: `value` is by `field` one of the types in [`crate::event`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Change {
    /// Which family of values it is.
    #[serde(deserialize_with = "text")]
    pub field: String,
    /// What it reports.
    pub value: Value,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Object,
}

impl Envelope {
    /// A delivery of one change.
    #[must_use]
    pub fn of(object: &str, account: Id, time: Option<i64>, field: &str, value: Value) -> Self {
        let change = Change { field: field.to_owned(), value, extra: Object::new() };
        let entry =
            Entry { id: Some(account), time: time.map(Value::from), changes: vec![change], extra: Object::new() };
        Self { object: object.to_owned(), entry: vec![entry], extra: Object::new() }
    }
}

/// Why a template was refused, in words (upstream §8.4).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RejectionInfo {
    /// What is wrong.
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What to change.
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub recommendation: Option<String>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Object,
}
