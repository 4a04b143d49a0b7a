//! Webhooks as Activity shows them, and conversations as Inbox shows them.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A list of events is asked for.
#[derive(Clone, Debug, Default, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase", default)]
pub struct EventQuery {
    /// Workspace; absent for all.
    pub workspace: Option<String>,
    /// Kind such as `status`.
    pub kind: Option<String>,
    /// Text to be found in template, contact, message or value.
    pub search: Option<String>,
    /// `next` of the page before.
    pub after: Option<String>,
    /// At most so many rows, 1–500.
    pub limit: u32,
}

/// A page of events, newest first.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct EventPage {
    /// Newest first.
    pub rows: Vec<EventRow>,
    /// Gives the next page.
    pub next: Option<String>,
    /// Events that are stored but not yet shown here.
    pub behind: u64,
}

/// An event in a list.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct EventRow {
    /// Identifier of the item.
    pub id: String,
    /// Place of its first delivery in the inbox.
    pub seq: u64,
    /// When it was first delivered, in Unix milliseconds.
    pub received_at: i64,
    /// `status`, `message`, `template_status`, ….
    pub kind: String,
    /// The envelope's `field`.
    pub field: String,
    /// Workspace whose path it came in by.
    pub workspace: String,
    /// What it is about: contact, template or number.
    pub subject: String,
    /// What it says: a status, an event, the start of a text.
    pub summary: String,
    /// How often it was delivered.
    pub deliveries: u64,
}

/// Names an event.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct EventId {
    /// Identifier of the item.
    pub event: String,
}

/// An event's page.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct EventDetail {
    /// As in the list.
    pub row: EventRow,
    /// The item's value as JSON, numbers and unknown keys as they came.
    pub value: String,
    /// The delivery's body, byte for byte where it is UTF-8; absent once retention removed it.
    pub raw: Option<String>,
    /// Headers kept with the delivery.
    pub headers: Vec<(String, String)>,
    /// SHA-256 of the body in hex.
    pub raw_digest: Option<String>,
}

/// A contact in the inbox.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct ContactRow {
    /// The contact's identifier on the channel.
    pub contact: String,
    /// Profile name; may be empty.
    pub name: String,
    /// Start of the last message.
    pub excerpt: String,
    /// Last message, in Unix milliseconds.
    pub last_at: i64,
    /// Messages not yet looked at.
    pub unread: u64,
}

/// Names a conversation.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct ConversationQuery {
    /// Workspace.
    pub workspace: String,
    /// The contact.
    pub contact: String,
    /// `next` of the page before.
    pub after: Option<String>,
    /// At most so many messages, 1–500.
    pub limit: u32,
}

/// A page of a conversation, newest first.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct ConversationPage {
    /// Newest first.
    pub messages: Vec<ConversationMessage>,
    /// Gives the next page.
    pub next: Option<String>,
}

/// A message of a conversation: theirs, or a test send of ours.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct ConversationMessage {
    /// Message identifier, or the send's.
    pub id: String,
    /// Whether we sent it.
    pub outgoing: bool,
    /// When, in Unix milliseconds.
    pub at: i64,
    /// `text`, `image`, `button`, `template`, …; unknown words as they came.
    pub kind: String,
    /// Text, caption, button label or template name.
    pub text: String,
    /// Name of a document.
    pub file_name: Option<String>,
    /// Permanent address of the media (`s3_url`).
    pub media_url: Option<String>,
    /// State of our own message.
    pub state: Option<String>,
    /// The event it came by.
    pub event: Option<String>,
}
