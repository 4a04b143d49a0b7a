//! Statuses of sent messages (contract §6.3; upstream §8.3).

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::Object;
use crate::failure::{Failure, failures, one_or_several};
use crate::lenient::{if_readable, maybe_flag, maybe_text, text};
use crate::vocabulary::MessageStatus;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts", optional_fields)]
pub struct StatusUpdate {
    /// The message ID, as in the answer to the send.
    #[serde(default, deserialize_with = "text")]
    pub id: String,
    pub status: MessageStatus,
    /// Seconds since 1970, as text.
    #[serde(default, deserialize_with = "text")]
    pub timestamp: String,
    /// The recipient's number; empty for recipients known by a business-scoped identifier only.
    #[serde(default, deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub recipient_id: Option<String>,
    /// In groups: the member that the status concerns.
    #[serde(default, deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub recipient_participant_id: Option<String>,
    /// The conversation that it was billed in.
    #[serde(default, deserialize_with = "if_readable", skip_serializing_if = "Option::is_none")]
    pub conversation: Option<Conversation>,
    #[serde(default, deserialize_with = "if_readable", skip_serializing_if = "Option::is_none")]
    pub pricing: Option<Pricing>,
    /// The callback data of the send, unchanged.
    #[serde(default, deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub biz_opaque_callback_data: Option<String>,
    /// For `failed`: the reasons. Read from an array or a single object, written as an array.
    #[serde(default, deserialize_with = "failures", skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<Failure>>")]
    pub errors: Vec<Failure>,
    /// For `failed`: the same under the contract's other name, as an object or an array; written in the form it was
    /// read in.
    #[serde(
        default,
        deserialize_with = "failures",
        serialize_with = "one_or_several",
        skip_serializing_if = "Vec::is_empty"
    )]
    #[ts(as = "Option<Vec<Failure>>")]
    pub error: Vec<Failure>,
    #[serde(flatten)]
    #[ts(skip)]
    pub extra: Object,
}

impl StatusUpdate {
    /// The reasons of a failure, from `errors` and `error`.
    pub fn failures(&self) -> impl Iterator<Item = &Failure> {
        self.errors.iter().chain(&self.error)
    }

    /// The reasons of a failure, merged into one error object; see [`Failure::merged`].
    #[must_use]
    pub fn failure(&self) -> Option<Failure> {
        Failure::merged(self.failures())
    }

    /// The timestamp in seconds since 1970.
    #[must_use]
    pub fn seconds(&self) -> Option<i64> {
        seconds(&self.timestamp)
    }
}

/// Parses the channel's timestamps: whole seconds since 1970, rarely with a fraction.
pub(super) fn seconds(text: &str) -> Option<i64> {
    let whole = text.split('.').next().unwrap_or_default();
    whole.parse().ok()
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts", optional_fields)]
#[serde(default)]
pub struct Conversation {
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    #[serde(deserialize_with = "if_readable", skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
    /// End of the conversation, in seconds since 1970 as text; only with `sent`.
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub expiration_timestamp: Option<String>,
    #[serde(flatten)]
    #[ts(skip)]
    pub extra: Object,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts", optional_fields)]
#[serde(default)]
pub struct Origin {
    /// `marketing`, `utility`, `service` and others.
    #[serde(rename = "type", deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    #[serde(flatten)]
    #[ts(skip)]
    pub extra: Object,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts", optional_fields)]
#[serde(default)]
pub struct Pricing {
    /// Whether the message is charged (contract §6.3). Deprecated by the channel: see [`Pricing::is_charged`].
    #[serde(deserialize_with = "maybe_flag", skip_serializing_if = "Option::is_none")]
    pub billable: Option<bool>,
    /// `PMP` for a price per message, `CBP` for a price per conversation.
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub pricing_model: Option<String>,
    /// `regular`, `free_customer_service`, `free_group_customer_service` or `free_entry_point`.
    #[serde(rename = "type", deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// `paid_exempt` for a message that is exempt from payment, such as a reaction.
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub subtype: Option<String>,
    /// The rate that applies.
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    #[serde(flatten)]
    #[ts(skip)]
    pub extra: Object,
}

impl Pricing {
    /// Whether the message is charged. `type`, `subtype` and `category` decide, else `billable` (upstream §14.1).
    /// `None` if unknown.
    #[must_use]
    pub fn is_charged(&self) -> Option<bool> {
        let is = |field: &Option<String>, word: &str| field.as_ref().is_some_and(|it| it.eq_ignore_ascii_case(word));
        let kind = self.kind.as_deref().unwrap_or_default();
        let is_free_type = kind.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("free_"));
        // A conversation that was opened through an advertisement.
        let is_free_category = kind.is_empty() && is(&self.category, "referral_conversion");
        if is(&self.subtype, "paid_exempt") || is_free_type || is_free_category {
            Some(false)
        } else if is(&self.kind, "regular") {
            Some(true)
        } else {
            self.billable
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use serde_json::json;

    use super::*;

    #[test]
    fn pricing_type_and_category_take_precedence_over_billable() {
        for (pricing, charged) in [
            // Contract only: §6.3 has no type.
            (json!({"billable": true, "pricing_model": "PMP", "category": "utility"}), Some(true)),
            (json!({"billable": false, "pricing_model": "CBP", "category": "service"}), Some(false)),
            (json!({"pricing_model": "PMP", "category": "marketing"}), None),
            (json!({}), None),
            // Since October 2026 the type decides.
            (json!({"type": "regular", "category": "utility"}), Some(true)),
            (json!({"type": "regular", "category": "service", "billable": false}), Some(true)),
            (json!({"type": "regular", "category": "group_marketing"}), Some(true)),
            (json!({"type": "free_customer_service", "category": "service", "billable": true}), Some(false)),
            (json!({"type": "free_group_customer_service", "category": "group_service"}), Some(false)),
            (json!({"type": "FREE_ENTRY_POINT", "category": "referral_conversion"}), Some(false)),
            (json!({"type": "regular", "subtype": "paid_exempt", "billable": true}), Some(false)),
            (json!({"category": "referral_conversion", "billable": true}), Some(false)),
            // For unknown words, `billable` decides.
            (json!({"type": "prepaid", "billable": true}), Some(true)),
            (json!({"type": "prepaid"}), None),
            (json!({"type": "é", "billable": false}), Some(false)),
            (json!({"type": 7, "billable": "true"}), Some(true)),
        ] {
            let read: Pricing = serde_json::from_value(pricing.clone()).unwrap();
            assert_eq!(read.is_charged(), charged, "{pricing}");
        }
    }
}
