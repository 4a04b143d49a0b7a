//! Figures of a workspace, and the sandbox's phone and settings.

use model::render::Bubble;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::template::Facet;

/// Figures of a workspace. All are kept counters, none is counted on demand.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct Insights {
    /// Templates by status.
    pub templates: Vec<Facet>,
    /// Status events by word, all time.
    pub statuses: Vec<Facet>,
    /// Items by kind, all time.
    pub kinds: Vec<Facet>,
    /// Status events of each day, oldest first, at most 30 days.
    pub days: Vec<DayFigures>,
}

/// Status events of one day.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct DayFigures {
    /// Day in UTC, `YYYY-MM-DD`.
    pub day: String,
    /// By word.
    pub statuses: Vec<Facet>,
}

/// How the sandbox reviews and delivers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct SandboxSettings {
    /// `auto`, `approve`, `reject` or `manual`.
    pub review: String,
    /// Time in review, in milliseconds.
    pub review_delay_ms: u64,
    /// Time between statuses, in milliseconds.
    pub status_delay_ms: u64,
}

/// A phone of the sandbox.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct PhoneRow {
    /// Its number.
    pub recipient: String,
    /// Messages on it.
    pub messages: u64,
    /// Last message, in Unix milliseconds.
    pub last_at: i64,
}

/// Names a phone of the sandbox.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct PhoneId {
    /// Its number.
    pub recipient: String,
}

/// A message on a phone of the sandbox.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct PhoneMessage {
    /// Message identifier.
    pub id: String,
    /// Whether the phone's owner sent it.
    pub from_phone: bool,
    /// When, in Unix milliseconds.
    pub at: i64,
    /// A template as rendered; absent for plain texts.
    pub bubble: Option<Bubble>,
    /// The text of a plain message.
    pub text: Option<String>,
}

/// A tap on a quick reply.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct PhoneTap {
    /// The phone.
    pub recipient: String,
    /// The message.
    pub message: String,
    /// Position of the button, from 0.
    pub button: u32,
    /// Position of the card, from 0, for buttons of cards.
    pub card: Option<u32>,
}

/// A text typed on the phone.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct PhoneText {
    /// The phone.
    pub recipient: String,
    /// The text.
    pub text: String,
}

/// A decision of the sandbox's reviewer.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct ReviewDecision {
    /// The template.
    pub reference: String,
    /// Event such as `APPROVED`.
    pub event: String,
    /// Why, for a rejection.
    pub reason: Option<String>,
}
