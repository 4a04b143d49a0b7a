//! Statuses of sent messages (contract §6.3; upstream §8.3).

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::Object;
use crate::failure::Failure;
use crate::lenient::{if_readable, maybe_flag, maybe_text, readable_members, text};
use crate::vocabulary::MessageStatus;

/// What happened to a sent message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts", optional_fields)]
pub struct StatusUpdate {
    /// The message's identifier, as the send's answer gave it.
    #[serde(default, deserialize_with = "text")]
    pub id: String,
    /// What happened.
    pub status: MessageStatus,
    /// Seconds since 1970 as a text.
    #[serde(default, deserialize_with = "text")]
    pub timestamp: String,
    /// The recipient's number; empty for recipients known by a business-scoped identifier only.
    #[serde(default, deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub recipient_id: Option<String>,
    /// In groups: which member it is about.
    #[serde(default, deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub recipient_participant_id: Option<String>,
    /// The conversation it was billed in.
    #[serde(default, deserialize_with = "if_readable", skip_serializing_if = "Option::is_none")]
    pub conversation: Option<Conversation>,
    /// What it costs.
    #[serde(default, deserialize_with = "if_readable", skip_serializing_if = "Option::is_none")]
    pub pricing: Option<Pricing>,
    /// The string of the send, unchanged.
    #[serde(default, deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub biz_opaque_callback_data: Option<String>,
    /// On `failed`: why. Read from an array or a single object, written as an array.
    #[serde(default, deserialize_with = "readable_members", skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<Failure>>")]
    pub errors: Vec<Failure>,
    /// On `failed`: the same as a single object, where it is written so.
    #[serde(default, deserialize_with = "if_readable", skip_serializing_if = "Option::is_none")]
    pub error: Option<Failure>,
    /// Fields this version does not know.
    #[serde(flatten)]
    #[ts(skip)]
    pub extra: Object,
}

impl StatusUpdate {
    /// Why it failed, whether written as `errors` or as `error`.
    pub fn failures(&self) -> impl Iterator<Item = &Failure> {
        self.errors.iter().chain(&self.error)
    }

    /// The instant in seconds since 1970.
    #[must_use]
    pub fn seconds(&self) -> Option<i64> {
        seconds(&self.timestamp)
    }
}

/// Reads the channel's instants: whole seconds since 1970, rarely with a fraction.
pub(super) fn seconds(text: &str) -> Option<i64> {
    let whole = text.split('.').next().unwrap_or_default();
    whole.parse().ok()
}

/// A conversation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts", optional_fields)]
#[serde(default)]
pub struct Conversation {
    /// Identifier.
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// What opened it.
    #[serde(deserialize_with = "if_readable", skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
    /// When it closes, seconds since 1970 as a text; with `sent` only.
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub expiration_timestamp: Option<String>,
    /// Fields this version does not know.
    #[serde(flatten)]
    #[ts(skip)]
    pub extra: Object,
}

/// What opened a conversation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts", optional_fields)]
#[serde(default)]
pub struct Origin {
    /// `marketing`, `utility`, `service` and the like.
    #[serde(rename = "type", deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Fields this version does not know.
    #[serde(flatten)]
    #[ts(skip)]
    pub extra: Object,
}

/// What a message costs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts", optional_fields)]
#[serde(default)]
pub struct Pricing {
    /// Whether it is charged.
    #[serde(deserialize_with = "maybe_flag", skip_serializing_if = "Option::is_none")]
    pub billable: Option<bool>,
    /// `PMP` for a price per message, `CBP` for a price per conversation.
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub pricing_model: Option<String>,
    /// `regular`, `free_customer_service` or `free_entry_point`.
    #[serde(rename = "type", deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Which rate applies.
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// Fields this version does not know.
    #[serde(flatten)]
    #[ts(skip)]
    pub extra: Object,
}
