//! Bulk actions: what is done to templates that are there, one or many at once.

use serde::{Deserialize, Serialize};
pub use store::desk::{BulkActionKind, ItemState, RunState};
use ts_rs::TS;

use super::template::TemplateTarget;
use crate::error::DeskError;

/// A bulk action is planned.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct PlanBulkAction {
    /// Workspace.
    pub workspace: String,
    /// What is to be done.
    pub action: BulkActionKind,
    /// To which templates.
    pub target: TemplateTarget,
}

/// A planned bulk action is started.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct StartBulkAction {
    /// Workspace.
    pub workspace: String,
    /// The bulk action.
    pub id: String,
    /// What was typed: for a deletion exactly [`BulkAction::confirmation`].
    #[serde(default)]
    pub confirmation: Option<String>,
}

/// Names a bulk action of a workspace.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct BulkActionId {
    /// Workspace.
    pub workspace: String,
    /// The bulk action.
    pub id: String,
}

/// What failed in a bulk action is tried again.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct RetryBulkAction {
    /// Workspace.
    pub workspace: String,
    /// The bulk action.
    pub id: String,
    /// Whether items leave again as well of which nobody knows what became of them.
    #[serde(default)]
    pub retry_unknown: Option<bool>,
}

/// Items of a bulk action are asked for.
#[derive(Clone, Debug, Default, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct BulkActionQuery {
    /// Workspace.
    pub workspace: String,
    /// The bulk action.
    pub id: String,
    /// Only items in this state.
    #[serde(default)]
    pub state: Option<ItemState>,
    /// `next` of the page before.
    #[serde(default)]
    pub after: Option<u32>,
    /// At most so many items, 1–500.
    pub limit: u32,
}

/// A bulk action.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct BulkAction {
    /// Identifier.
    pub id: String,
    /// Workspace.
    pub workspace: String,
    /// What it does.
    pub action: BulkActionKind,
    /// Where it stands.
    pub state: RunState,
    /// Templates in it, with those that are skipped.
    pub total: u32,
    /// Templates by where they stand; a state without any is left out.
    pub counts: Vec<ItemCount>,
    /// The first distinct names of what it is to be done to, at most 20.
    pub names: Vec<String>,
    /// How many distinct names there are.
    pub name_count: u32,
    /// How many of them were approved when it was planned: deleting one blocks its name.
    pub approved: u32,
    /// For how many days a deletion blocks a name (upstream §1.2).
    pub blocked_days: i64,
    /// After how many days the channel may delete what is archived (upstream behaviour, no promise).
    pub upstream_deletion_days: i64,
    /// Sends of these templates in the 30 days before it was planned.
    pub recent_sends: u64,
    /// What has to be typed for it to start; absent where nothing has to.
    pub confirmation: Option<String>,
    /// Why it was interrupted; absent where the app ended.
    pub error: Option<DeskError>,
    /// The bulk action that it takes back.
    pub undo_of: Option<String>,
    /// Whether it can be taken back now.
    pub undoable: bool,
    /// How many items leave when it is tried again, without those of which nobody knows what became of them.
    pub retryable: u32,
    /// Until when nothing leaves because the provider asks for it, in Unix milliseconds.
    pub waiting_until: Option<i64>,
    /// When it was planned, in Unix milliseconds.
    pub created_at: i64,
    /// When it was started or tried again, in Unix milliseconds.
    pub started_at: Option<i64>,
    /// When it ended, in Unix milliseconds.
    pub ended_at: Option<i64>,
}

/// How many templates of a bulk action are in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct ItemCount {
    /// The state.
    pub value: ItemState,
    /// How many.
    pub count: u32,
}

/// A bulk action and some of its items.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct BulkActionDetail {
    /// The bulk action.
    pub bulk_action: BulkAction,
    /// In the order of the plan.
    pub items: Vec<BulkActionItem>,
    /// Gives the next page.
    pub next: Option<u32>,
}

/// A template in a bulk action.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct BulkActionItem {
    /// Its place from 0 on.
    pub position: u32,
    /// The provider's reference.
    pub reference: String,
    /// Name; empty where nothing is known of the template any more.
    pub name: String,
    /// Language.
    pub language: String,
    /// Where it stands.
    pub state: ItemState,
    /// Why it failed, is not known or is skipped.
    pub error: Option<DeskError>,
    /// When it was answered or settled, else when it left, in Unix milliseconds.
    pub at: Option<i64>,
    /// How often it left.
    pub attempts: u32,
}
