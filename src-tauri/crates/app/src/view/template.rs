//! Templates as lists, boards and pages show them.

use model::finding::Finding;
use model::render::Bubble;
use model::template::Template;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Names a template of a workspace.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct TemplateId {
    /// Workspace.
    pub workspace: String,
    /// The provider's reference.
    pub reference: String,
}

/// What a list of templates is asked for. Empty filters accept everything.
#[derive(Clone, Debug, Default, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase", default)]
pub struct TemplateQuery {
    /// Workspace.
    pub workspace: String,
    /// Words of name or body; each matches as a prefix, and inside the name from three characters on.
    pub search: Option<String>,
    /// Status.
    pub status: Option<String>,
    /// Category.
    pub category: Option<String>,
    /// Language.
    pub language: Option<String>,
    /// WABA.
    pub waba: Option<String>,
    /// Archived only, active only, or both.
    pub archived: Option<bool>,
    /// Order.
    pub sort: TemplateSort,
    /// `next` of the page before.
    pub after: Option<String>,
    /// At most so many rows, 1–500.
    pub limit: u32,
}

/// Order of a list of templates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub enum TemplateSort {
    /// Last changed first.
    #[default]
    Newest,
    /// By name.
    Name,
}

/// A page of templates.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct TemplatePage {
    /// In the order asked for.
    pub rows: Vec<TemplateRow>,
    /// Gives the next page; absent on the last.
    pub next: Option<String>,
    /// When the listing was last fetched, in Unix milliseconds; absent before the first time.
    pub as_of: Option<i64>,
    /// Templates of the workspace, whatever the filters.
    pub total: u64,
    /// Values to filter by, with their numbers.
    pub facets: Facets,
}

/// Values that occur in a workspace, with how many templates have them.
#[derive(Clone, Debug, Default, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct Facets {
    /// By status.
    pub statuses: Vec<Facet>,
    /// By category.
    pub categories: Vec<Facet>,
    /// By language.
    pub languages: Vec<Facet>,
    /// By WABA.
    pub wabas: Vec<Facet>,
    /// Archived ones.
    pub archived: u64,
}

/// A value and how many templates have it.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct Facet {
    /// The value.
    pub value: String,
    /// How many.
    pub count: u64,
}

/// A template in a list.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct TemplateRow {
    /// The provider's reference.
    pub reference: String,
    /// Name.
    pub name: String,
    /// Language.
    pub language: String,
    /// Category.
    pub category: String,
    /// Status; empty where the provider did not say.
    pub status: String,
    /// Archived beside its status.
    pub archived: bool,
    /// `cloud_api` or `marketing_lite`.
    pub kind: Option<String>,
    /// Header format, where there is a header.
    pub header: Option<String>,
    /// Start of the body.
    pub excerpt: String,
    /// WABAs.
    pub wabas: Vec<String>,
    /// Why it was rejected.
    pub rejected_reason: Option<String>,
    /// Last change seen, in Unix milliseconds.
    pub updated_at: i64,
}

/// A template's page.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct TemplateDetail {
    /// As in the list.
    pub row: TemplateRow,
    /// The content.
    pub template: Template,
    /// The provider's record as JSON, as it came.
    pub raw: String,
    /// What the phone shows with the samples filled in.
    pub bubble: Bubble,
    /// What the rules say.
    pub findings: Vec<Finding>,
    /// What happened to it, newest first.
    pub history: Vec<HistoryEntry>,
    /// Other languages of the same name.
    pub languages: Vec<TemplateRow>,
    /// Whether it can be sent now.
    pub sendable: bool,
    /// Whether the channel accepts an edit in this status.
    pub editable: bool,
    /// Recommendation of a rejection in the provider's words.
    pub rejection_advice: Option<String>,
    /// What a rejection is about and what helps, placed at its fields; empty unless it is rejected.
    pub guidance: Vec<Finding>,
    /// When the listing was last fetched, in Unix milliseconds.
    pub as_of: Option<i64>,
}

/// Something that happened to a template.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct HistoryEntry {
    /// When, in Unix milliseconds.
    pub at: i64,
    /// `event` (a webhook), `observed` (a sync saw a difference), `submitted`, `edited`, `archived`, ….
    pub origin: String,
    /// Status event such as `APPROVED`, or the field that changed.
    pub what: String,
    /// Reason, or the value after the change.
    pub detail: Option<String>,
    /// The value before the change.
    pub before: Option<String>,
}

/// A deletion, confirmed by typing the name.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct DeleteTemplate {
    /// Workspace.
    pub workspace: String,
    /// The provider's reference.
    pub reference: String,
    /// The name as typed; must equal the template's.
    pub confirmed_name: String,
}

/// What a sync did.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct SyncReport {
    /// Templates listed.
    pub total: u64,
    /// Differences to the cache before.
    pub changes: u64,
    /// Records that could only be read in part.
    pub unreadable: u64,
    /// When it ended, in Unix milliseconds.
    pub at: i64,
}

/// The board of the review.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct ReviewBoard {
    /// One for each status that occurs, and always pending, approved and rejected.
    pub columns: Vec<ReviewColumn>,
}

/// A column of the board.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct ReviewColumn {
    /// Status, or `ARCHIVED`.
    pub status: String,
    /// Templates in it.
    pub count: u64,
    /// The newest of them.
    pub rows: Vec<TemplateRow>,
}
