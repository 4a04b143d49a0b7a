//! The statuses of a message.

use model::error_code::Explanation;
use serde::Serialize;
use ts_rs::TS;

#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct StatusEntry {
    /// `sent`, `delivered`, `read`, `failed`, ….
    pub status: String,
    /// Timestamp of the channel in Unix milliseconds.
    pub at: i64,
    /// When it was first received, in Unix milliseconds.
    pub received_at: Option<i64>,
    /// How many times it was delivered, as far as the delivery log still has the deliveries; at least 1.
    pub deliveries: u64,
    /// Its event in Activity, while the delivery log has it.
    pub event: Option<String>,
    /// The error object as JSON, if it failed.
    pub error: Option<String>,
    /// Explanation of the error and what to do.
    pub explanation: Option<Explanation>,
    pub pricing: Option<StatusPricing>,
    /// The conversation in which it was billed, if the status contains it.
    pub conversation: Option<StatusConversation>,
    pub callback_data: Option<String>,
    /// Whether a later status in the logical order was received before it.
    pub late: Option<bool>,
}

/// Price of a message (contract §6.3).
#[derive(Clone, Debug, Default, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct StatusPricing {
    /// Whether it is charged, according to [`model::event::status::Pricing::is_charged`].
    pub charged: Option<bool>,
    /// `PMP` for a price per message, `CBP` for a price per conversation.
    pub model: Option<String>,
    /// `regular`, `free_customer_service`, `free_group_customer_service` or `free_entry_point`.
    #[serde(rename = "type")]
    pub kind: Option<String>,
    /// `paid_exempt` where the message is exempt from payment.
    pub subtype: Option<String>,
    /// The category of the rate.
    pub category: Option<String>,
}

/// The billing conversation of a message (contract §6.3).
#[derive(Clone, Debug, Default, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct StatusConversation {
    pub id: Option<String>,
    /// What opened it.
    pub origin: Option<String>,
    /// When it closes, in Unix milliseconds.
    pub expires_at: Option<i64>,
}
