//! Bulk actions on existing templates, one or many at once.

use serde::{Deserialize, Serialize};
pub use store::desk::{BulkActionKind, ItemState, RunState};
use ts_rs::TS;

use super::template::TemplateTarget;
use crate::error::DeskError;

#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct PlanBulkAction {
    pub workspace: String,
    pub action: BulkActionKind,
    pub target: TemplateTarget,
}

#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct StartBulkAction {
    pub workspace: String,
    pub id: String,
    /// The typed confirmation: a deletion requires exactly [`BulkAction::confirmation`].
    #[serde(default)]
    pub confirmation: Option<String>,
}

#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct BulkActionId {
    pub workspace: String,
    pub id: String,
}

#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct RetryBulkAction {
    pub workspace: String,
    pub id: String,
    #[serde(default)]
    pub retry_unknown: Option<bool>,
    /// Whether items that were cancelled before they were sent are sent as well.
    #[serde(default)]
    pub retry_cancelled: Option<bool>,
}

#[derive(Clone, Debug, Default, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct BulkActionQuery {
    pub workspace: String,
    pub id: String,
    #[serde(default)]
    pub state: Option<ItemState>,
    /// `next` of the previous page.
    #[serde(default)]
    pub after: Option<u32>,
    /// Maximum number of items, 1–500.
    pub limit: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct BulkAction {
    pub id: String,
    pub workspace: String,
    pub action: BulkActionKind,
    pub state: RunState,
    /// Number of templates, including skipped ones.
    pub total: u32,
    /// Templates by state; states without templates are omitted.
    pub counts: Vec<ItemCount>,
    /// The first distinct names of its templates, at most 20.
    pub names: Vec<String>,
    pub name_count: u32,
    /// Number of templates that were approved when it was planned: deleting one blocks its name.
    pub approved: u32,
    /// Number of archived templates that were approved before they were archived: the same applies.
    pub approved_before: u32,
    /// Number of archived templates whose status before is unknown.
    pub may_be_approved: u32,
    /// Number of templates that were archived then.
    pub archived: u32,
    /// Sends of these templates in the 30 days before it was planned.
    pub recent_sends: u64,
    /// The text to type to start it; absent if none is required.
    pub confirmation: Option<String>,
    /// Why it was interrupted; absent if the app was closed.
    pub error: Option<DeskError>,
    pub undo_of: Option<String>,
    pub undoable: bool,
    /// Number of items that a retry sends, without those with an unknown outcome and those that were cancelled.
    pub retryable: u32,
    /// Until when nothing is sent, in Unix milliseconds.
    pub waiting_until: Option<i64>,
    /// Reason of the pause: the channel's error code, else the HTTP status, else `offline` or `unknown`.
    pub waiting_reason: Option<String>,
    /// When it was planned, in Unix milliseconds.
    pub created_at: i64,
    /// When it was started or retried, in Unix milliseconds.
    pub started_at: Option<i64>,
    pub ended_at: Option<i64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct ItemCount {
    pub value: ItemState,
    pub count: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct BulkActionDetail {
    pub bulk_action: BulkAction,
    /// In the order of the plan.
    pub items: Vec<BulkActionItem>,
    pub next: Option<u32>,
}

#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct BulkActionItem {
    /// Its position, from 0.
    pub position: u32,
    pub reference: String,
    /// Name; empty if the template is no longer known.
    pub name: String,
    pub language: String,
    pub state: ItemState,
    /// Why it failed, is unknown or was skipped.
    pub error: Option<DeskError>,
    /// When it was answered or reconciled, else when it was sent, in Unix milliseconds.
    pub at: Option<i64>,
    pub attempts: u32,
}
