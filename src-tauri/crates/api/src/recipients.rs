//! The address book of a workspace.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A recipient in the address book.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct Recipient {
    /// Identifier.
    pub id: String,
    /// Workspace.
    pub workspace: String,
    /// Name.
    pub name: String,
    /// Digits with country code.
    pub number: String,
    /// The number in the notation of its country, with country code.
    pub formatted: String,
    /// In alphabetical order, unique.
    pub labels: Vec<String>,
    /// Free text about the recipient.
    pub note: String,
    /// When a message was last sent to the recipient from here, in Unix milliseconds.
    pub last_sent_at: Option<i64>,
    /// What the fields of [`RecipientList::fields`] hold, by key; empty ones are left out.
    pub values: BTreeMap<String, String>,
}

/// Filters of recipients.
#[derive(Clone, Debug, Default, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct RecipientQuery {
    /// Workspace.
    pub workspace: String,
    /// Part of the name, the number or the note.
    pub search: Option<String>,
    /// Only those with this label.
    pub label: Option<String>,
}

/// The address book, by name.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct RecipientList {
    /// The recipients that match.
    pub rows: Vec<Recipient>,
    /// All labels of the workspace, in alphabetical order.
    pub labels: Vec<LabelCount>,
    /// Keys of the fields that can fill the values of a message: `name`, `firstName`, `number`, `labels`, `note`.
    pub fields: Vec<String>,
}

/// A label and how many recipients have it.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct LabelCount {
    /// The label.
    pub label: String,
    /// Number of recipients with it.
    pub count: u32,
}

/// Request to add or change a recipient.
#[derive(Clone, Debug, Default, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct SaveRecipient {
    /// Identifier; absent for a new recipient. A deleted recipient is restored under it.
    pub id: Option<String>,
    /// Workspace.
    pub workspace: String,
    /// Name.
    pub name: String,
    /// The number as typed, with its country code.
    pub number: String,
    /// Labels.
    #[serde(default)]
    pub labels: Vec<String>,
    /// Free text about the recipient.
    #[serde(default)]
    pub note: String,
}

/// Identifies recipients.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct DeleteRecipients {
    /// Workspace.
    pub workspace: String,
    /// Identifiers; missing recipients are ignored.
    pub ids: Vec<String>,
}
