//! The address book of a workspace.

use std::collections::BTreeMap;

use model::send::SendProblem;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::send::RecipientFacts;

/// A recipient in the address book.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct Recipient {
    pub id: String,
    pub workspace: String,
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
    /// Whether the recipient has stopped the marketing of at least one business of the workspace. In lists only.
    pub stopped_marketing: bool,
    /// What the fields of [`RecipientList::fields`] hold, by key; empty ones are left out.
    pub values: BTreeMap<String, String>,
}

#[derive(Clone, Debug, Default, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct RecipientQuery {
    pub workspace: String,
    /// Part of the name, the number or the note.
    pub search: Option<String>,
    pub label: Option<String>,
    /// Only the person with this number, in any spelling.
    #[serde(default)]
    #[ts(optional, as = "Option<String>")]
    pub number: Option<String>,
}

/// The address book, by name.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct RecipientList {
    pub rows: Vec<Recipient>,
    /// All labels of the workspace, in alphabetical order.
    pub labels: Vec<LabelCount>,
    /// Keys of the fields that can fill the values of a message: `name`, `firstName`, `number`, `labels`, `note`.
    pub fields: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct LabelCount {
    pub label: String,
    pub count: u32,
}

#[derive(Clone, Debug, Default, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct SaveRecipient {
    /// Identifier; absent for a new recipient. A deleted recipient is restored under it.
    pub id: Option<String>,
    pub workspace: String,
    pub name: String,
    /// The number as typed.
    pub number: String,
    /// Country of a number without country code, as in
    /// [`SendRequest::country`](crate::send::SendRequest::country).
    pub country: Option<String>,
    #[serde(default)]
    pub labels: Vec<String>,
    #[serde(default)]
    pub note: String,
}

/// A number that is being typed for the address book.
#[derive(Clone, Debug, Default, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct CheckRecipient {
    pub workspace: String,
    /// The number as typed.
    pub number: String,
    /// As in [`SaveRecipient::country`].
    pub country: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct RecipientCheck {
    pub recipient: RecipientFacts,
    /// Problems of the number; a recipient with an error is not saved.
    pub problems: Vec<SendProblem>,
}

#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct DeleteRecipients {
    pub workspace: String,
    /// Identifiers; missing recipients are ignored.
    pub ids: Vec<String>,
}
