//! Constraints on the edit of a template, and its versions.

use crate::composer::SubmittedFiles;
use model::diff::Change;
use model::finding::Finding;
use model::render::Bubble;
use model::template::Template;
use serde::Serialize;
pub use store::desk::VersionOrigin;
use ts_rs::TS;

#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct EditContext {
    pub reference: String,
    /// Last known status; empty if the provider did not state it.
    pub status: String,
    /// Whether it is archived, in addition to its status.
    pub archived: bool,
    /// Whether it can be sent from one of its WABAs although the status above does not allow it: the edit stops that.
    pub approved_in_some: bool,
    pub original: Template,
    /// The media that its content was last submitted with from here, as far as they are still there: the channel accepts
    /// no listed sample a second time (upstream §1.3), and whether it was changed elsewhere since is not known.
    pub files: SubmittedFiles,
    /// Whether the review accepted the content: then findings about parts that the edit leaves as they are block nothing.
    pub accepted: bool,
    pub waba_ids: Vec<String>,
    /// Whether the channel usually accepts an edit in the current state. The person may try anyway.
    pub editable: bool,
    /// Fields that are fixed at creation (contract §4.3).
    pub locks: Vec<LockedField>,
    /// The channel usually refuses a category change in this status (upstream §5.3).
    pub category_usually_fixed: bool,
    /// Used and remaining edits; absent if the status does not limit them (upstream §5.3).
    pub quota: Option<EditQuota>,
    pub rejected_reason: Option<String>,
    /// Causes of the rejection and ways to fix them; empty unless it is rejected.
    pub guidance: Vec<Finding>,
    /// JSON pointers: a change at any of them answers the verdict, which is the first of the guidance.
    pub answer_paths: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub enum LockedField {
    Name,
    Language,
    WabaIds,
}

/// Edits of an approved template that were made here. The channel allows 1 in 24 hours and 10 in 30 days (upstream
/// §5.3); edits made elsewhere are not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct EditQuota {
    pub used_day: u32,
    pub per_day: u32,
    pub used_month: u32,
    pub per_month: u32,
    /// When the next edit is allowed, in Unix milliseconds; absent if it is allowed now.
    pub next_at: Option<i64>,
}

#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct TemplateVersion {
    pub id: String,
    /// When the template had this content, in Unix milliseconds.
    pub at: i64,
    pub origin: VersionOrigin,
    pub template: Template,
    pub bubble: Bubble,
    /// The review outcome, such as `APPROVED`; absent while it is unknown.
    pub outcome: Option<String>,
    pub reason: Option<String>,
    /// The recommendation of the rejection, in the provider's words.
    pub advice: Option<String>,
    /// Differences from the previous version; empty for the first.
    pub changes: Vec<Change>,
}
