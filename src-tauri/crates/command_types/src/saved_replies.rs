//! Saved replies of a workspace.

use model::saved_reply::ReplyField;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A text that a workspace keeps for replies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct SavedReply {
    pub id: String,
    pub workspace: String,
    /// What it is found by; unique in the workspace, whatever the case.
    pub name: String,
    /// With fields such as `{{firstName}}`.
    pub text: String,
}

/// The saved replies of a workspace, by name, and their limits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct SavedReplyList {
    pub rows: Vec<SavedReply>,
    /// Fields that are filled in from the contact and our number.
    pub fields: Vec<ReplyField>,
    /// Maximum number of saved replies.
    pub limit: u32,
    /// Length limits in characters.
    pub name_limit: u32,
    pub text_limit: u32,
}

#[derive(Clone, Debug, Default, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct SaveSavedReply {
    /// Identifier; absent for a new one. A deleted one is restored under it.
    pub id: Option<String>,
    pub workspace: String,
    pub name: String,
    pub text: String,
}

#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct SavedReplyId {
    pub workspace: String,
    pub id: String,
}

#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct FillSavedReply {
    pub workspace: String,
    pub id: String,
    /// The contact's identifier on the channel.
    pub contact: String,
    /// Identifier of our number that replies; may be empty.
    pub number: String,
}
