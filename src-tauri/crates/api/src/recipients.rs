//! The address book of a workspace.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Someone to send to.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct Recipient {
    /// Identifier.
    pub id: String,
    /// Workspace.
    pub workspace: String,
    /// What the person calls them.
    pub name: String,
    /// Digits with country code.
    pub number: String,
    /// The number as people of its country write it, with its country code.
    pub formatted: String,
    /// In the order of the alphabet, each once.
    pub labels: Vec<String>,
    /// Anything else about them.
    pub note: String,
    /// When something was last sent to them from here, in Unix milliseconds.
    pub last_sent_at: Option<i64>,
}

/// Which recipients.
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
    /// Those that were asked for.
    pub rows: Vec<Recipient>,
    /// Every label of the workspace, in the order of the alphabet.
    pub labels: Vec<LabelCount>,
}

/// A label and how many recipients have it.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct LabelCount {
    /// The label.
    pub label: String,
    /// How many have it.
    pub count: u32,
}

/// A recipient is added or changed.
#[derive(Clone, Debug, Default, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct SaveRecipient {
    /// Which one; absent for a new one. One that was deleted comes back under it.
    pub id: Option<String>,
    /// Workspace.
    pub workspace: String,
    /// What the person calls them.
    pub name: String,
    /// The number as typed, with its country code.
    pub number: String,
    /// Labels.
    #[serde(default)]
    pub labels: Vec<String>,
    /// Anything else about them.
    #[serde(default)]
    pub note: String,
}

/// Names recipients.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct DeleteRecipients {
    /// Workspace.
    pub workspace: String,
    /// Identifiers; those that are gone already are no error.
    pub ids: Vec<String>,
}
