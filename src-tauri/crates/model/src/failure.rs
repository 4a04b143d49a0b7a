//! Error objects: why a message failed (contract §7; upstream §7).

use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

use crate::Object;
use crate::lenient::{if_readable, maybe_flag, maybe_integer, maybe_text};

/// An error object in either of its forms.
///
/// The provider's has `retryable`, `classification` and structured `details`; the channel's has `error_data` and
/// `href`. Both are read into the same fields, and each is written back as it was.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts", optional_fields)]
#[serde(default)]
pub struct Failure {
    /// The channel's code, such as `131053`.
    #[serde(deserialize_with = "maybe_integer", skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub code: Option<i64>,
    /// A short name of the error.
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What happened.
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Whether the same request may succeed later; the provider's.
    #[serde(deserialize_with = "maybe_flag", skip_serializing_if = "Option::is_none")]
    pub retryable: Option<bool>,
    /// Whose fault it is, such as `UserError`; the provider's.
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub classification: Option<String>,
    /// An object with `file_size_bytes`, `max_size_bytes` and `reason` for an oversize file; anything for others.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "unknown")]
    pub details: Option<Value>,
    /// The channel's particulars.
    #[serde(deserialize_with = "if_readable", skip_serializing_if = "Option::is_none")]
    pub error_data: Option<ErrorData>,
    /// Address of the channel's page about the code.
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub href: Option<String>,
    /// Fields this version does not know.
    #[serde(flatten)]
    #[ts(skip)]
    pub extra: Object,
}

/// Particulars of an error as the channel writes them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts", optional_fields)]
#[serde(default)]
pub struct ErrorData {
    /// What exactly is wrong.
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub details: Option<String>,
    /// Fields this version does not know.
    #[serde(flatten)]
    #[ts(skip)]
    pub extra: Object,
}

impl Failure {
    /// The provider's most specific words: the particulars, else the message, else the title.
    #[must_use]
    pub fn words(&self) -> Option<&str> {
        let structured = match &self.details {
            Some(Value::String(details)) => Some(details.as_str()),
            Some(Value::Object(details)) => details.get("reason").and_then(Value::as_str),
            _ => None,
        };
        let particulars = self.error_data.as_ref().and_then(|data| data.details.as_deref());
        [particulars, structured, self.message.as_deref(), self.title.as_deref()]
            .into_iter()
            .flatten()
            .find(|words| !words.trim().is_empty())
    }
}
