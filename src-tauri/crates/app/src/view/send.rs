//! Test sends: the form, the preview, the list and the page.

use std::collections::BTreeMap;

use model::render::Bubble;
use model::send::SendPart;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::workspace::SendingNumber;
use crate::error::DeskError;

/// The form of a test send.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct SendForm {
    /// Name.
    pub name: String,
    /// Language.
    pub language: String,
    /// Why it cannot be sent, where it cannot.
    pub blocked: Option<String>,
    /// In the order of the message.
    pub parts: Vec<SendPart>,
    /// Sending numbers of the workspace.
    pub numbers: Vec<SendingNumber>,
    /// Recipients of earlier sends, newest first.
    pub recent_recipients: Vec<String>,
}

/// A test send as filled in.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct SendRequest {
    /// Workspace.
    pub workspace: String,
    /// The template.
    pub reference: String,
    /// Identifier of the sending number.
    pub number: String,
    /// Recipient as typed.
    pub to: String,
    /// Values by part.
    #[serde(default)]
    pub values: BTreeMap<String, String>,
    /// The person's own callback data: JSON as text, or any text; empty for none.
    #[serde(default)]
    pub callback_data: String,
    /// Whether our tracking identifier is merged into it.
    #[serde(default = "yes")]
    pub track: bool,
}

fn yes() -> bool {
    true
}

/// What a send would be.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct SendPreview {
    /// The JSON body.
    pub payload: String,
    /// What the phone shows.
    pub bubble: Bubble,
    /// What stands in the way, by field (`to`, `number`, `callbackData`, or a part).
    pub problems: Vec<SendProblem>,
}

/// Something wrong with a send.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct SendProblem {
    /// Field or part.
    pub field: String,
    /// The channel's error code it would meet.
    pub error_code: Option<u32>,
    /// What is wrong.
    pub message: String,
}

/// A list of sends is asked for.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct SendQuery {
    /// Workspace.
    pub workspace: String,
    /// `next` of the page before.
    pub after: Option<String>,
    /// At most so many rows, 1–500.
    pub limit: u32,
}

/// A page of sends, newest first.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct SendPage {
    /// Newest first.
    pub rows: Vec<SendRow>,
    /// Gives the next page.
    pub next: Option<String>,
}

/// A send in a list.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct SendRow {
    /// Identifier.
    pub id: String,
    /// Sending number.
    pub number: String,
    /// Recipient.
    pub recipient: String,
    /// Template.
    pub template_name: String,
    /// Language.
    pub language: String,
    /// `recorded`, `accepted`, `refused`, `unknown` (no answer came), then the message's `sent`, `delivered`, `read`,
    /// `failed` or another word of the channel.
    pub state: String,
    /// The channel's error code, where it failed.
    pub error_code: Option<String>,
    /// What the error says, where it failed.
    pub error_title: Option<String>,
    /// When it left, in Unix milliseconds.
    pub created_at: i64,
}

/// Names a send.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct SendId {
    /// Identifier.
    pub send: String,
}

/// A send's page.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct SendDetail {
    /// As in the list.
    pub row: SendRow,
    /// The JSON body as it was sent.
    pub payload: String,
    /// The provider's answer, as it came.
    pub response: Option<String>,
    /// HTTP status of the answer.
    pub response_status: Option<u16>,
    /// Message identifier, once known.
    pub message_id: Option<String>,
    /// Statuses, oldest first.
    pub timeline: Vec<StatusEntry>,
    /// Why the provider refused it.
    pub error: Option<DeskError>,
}

/// A status of a message.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct StatusEntry {
    /// `sent`, `delivered`, `read`, `failed`, ….
    pub status: String,
    /// The channel's instant in Unix milliseconds.
    pub at: i64,
    /// The error object as JSON, where it failed.
    pub error: Option<String>,
    /// What the error means and what to do, where its code is known.
    pub explanation: Option<String>,
}
