//! Figures of a workspace.

use serde::{Deserialize, Serialize};
pub use store::desk::{CodeFigure, FunnelRow};
use ts_rs::TS;

use super::template::Facet;

/// Figures of a workspace. All are kept counters, none is counted on demand.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct InsightsOverview {
    /// Templates by status.
    pub templates: Vec<Facet>,
    /// Status events by word, all time.
    pub statuses: Vec<Facet>,
    /// Items by kind, all time.
    pub kinds: Vec<Facet>,
    /// Status events of each day, oldest first, at most 30 days.
    pub days: Vec<DayFigures>,
}

/// Status events of one day.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct DayFigures {
    /// Day in UTC, `YYYY-MM-DD`.
    pub day: String,
    /// By word.
    pub statuses: Vec<Facet>,
}

/// Which sends, and by what they are put together. Absent filters accept everything.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct FunnelQuery {
    /// Workspace.
    pub workspace: String,
    /// First day in UTC, `YYYY-MM-DD`.
    pub from: Option<String>,
    /// Last day in UTC, `YYYY-MM-DD`.
    pub to: Option<String>,
    /// By what.
    pub by: FunnelBy,
    /// Name of the template.
    pub template: Option<String>,
    /// Language.
    pub language: Option<String>,
    /// Category, in any case; empty for sends of which none is known.
    pub category: Option<String>,
    /// At most so many rows, 1 to 1000.
    pub limit: u32,
}

/// By what sends are put together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub enum FunnelBy {
    /// Name of the template.
    #[default]
    Template,
    /// Language.
    Language,
    /// Category in lower case.
    Category,
    /// Day, `YYYY-MM-DD`.
    Day,
    /// Week, by its Monday.
    Week,
    /// Month, `YYYY-MM`.
    Month,
}

/// What became of sends of templates.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct Funnel {
    /// Of all; its key is empty.
    pub total: FunnelRow,
    /// Times in their order, the last ones where there are more; anything else by the number of sends, most first.
    pub rows: Vec<FunnelRow>,
    /// Rows beyond the limit.
    pub more: u64,
    /// What it is made of.
    pub covers: Coverage,
}

/// What figures are made of: nothing but what happened here and what webhooks told.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct Coverage {
    /// The first thing that counts, in Unix milliseconds.
    pub from: Option<i64>,
    /// The last one.
    pub to: Option<i64>,
    /// Sends or, of reviews, decisions that count.
    pub sends: u64,
    /// What is to be known about it.
    pub notes: Vec<CoverageNote>,
}

/// What is to be known about figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub enum CoverageNote {
    /// What was sent from elsewhere is not in it.
    Elsewhere,
    /// Older events are gone.
    Retention,
    /// An answer that names no message is none.
    RepliesByContext,
    /// Of some the category is not known.
    UnknownCategory,
    /// What only a listing told has no exact time and is not in it.
    WebhooksOnly,
}

/// A workspace, and days of it.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct RangeQuery {
    /// Workspace.
    pub workspace: String,
    /// First day in UTC, `YYYY-MM-DD`.
    pub from: Option<String>,
    /// Last day in UTC, `YYYY-MM-DD`.
    pub to: Option<String>,
}

/// How long reviews took, and what they came to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct ReviewTimes {
    /// Reviews that were decided in the range, and of which begin and end are known.
    pub decided: u64,
    /// Half of them took so many milliseconds at most.
    pub median_ms: Option<i64>,
    /// Nine of ten took so many milliseconds at most.
    pub p90_ms: Option<i64>,
    /// The shortest one.
    pub shortest_ms: Option<i64>,
    /// The longest one.
    pub longest_ms: Option<i64>,
    /// How many took how long, each beyond the one before.
    pub buckets: Vec<ReviewBucket>,
    /// What they came to.
    pub outcomes: Vec<Facet>,
    /// By the category that was asked for; empty where that is not known.
    pub by_category: Vec<ReviewCategory>,
    /// Reasons of rejections, most first; empty where none was told.
    pub reasons: Vec<Facet>,
    /// Templates under review now.
    pub pending: u64,
    /// How long the oldest of them has been waiting, as far as its begin is known.
    pub oldest_pending_ms: Option<i64>,
    /// What it is made of.
    pub covers: Coverage,
}

/// How many reviews took so long.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct ReviewBucket {
    /// At most; absent for all that took longer.
    pub up_to_ms: Option<i64>,
    /// How many.
    pub count: u64,
}

/// Reviews of a category.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct ReviewCategory {
    /// The category in lower case.
    pub key: String,
    /// Decided.
    pub decided: u64,
    /// Approved.
    pub approved: u64,
    /// Rejected.
    pub rejected: u64,
    /// Half of them took so many milliseconds at most.
    pub median_ms: Option<i64>,
}

/// What messages cost, as statuses told.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct Pricing {
    /// By category and model.
    pub rows: Vec<PricingRow>,
    /// Messages of each day by category, oldest first.
    pub days: Vec<PricingDay>,
    /// What it is made of.
    pub covers: Coverage,
}

/// What messages of a kind cost.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct PricingRow {
    /// Category in lower case; empty where none is known.
    pub category: String,
    /// How it was priced, such as `PMP`; empty where that was not told.
    pub model: String,
    /// Messages that are charged.
    pub billable: u64,
    /// Messages that are not.
    pub free: u64,
    /// Messages that went out, and nobody said.
    pub unknown: u64,
}

/// Messages of a day.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct PricingDay {
    /// Day in UTC, `YYYY-MM-DD`.
    pub day: String,
    /// By category.
    pub counts: Vec<Facet>,
}

/// Which figures become a file.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct ExportInsights {
    /// Which.
    pub what: InsightsKind,
    /// Of the funnel: all its rows, whatever the limit.
    pub funnel: Option<FunnelQuery>,
    /// Of reviews and prices.
    pub range: Option<RangeQuery>,
}

/// Kinds of figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub enum InsightsKind {
    /// What became of sends.
    Funnel,
    /// Reviews, one row each.
    Reviews,
    /// What messages cost, by day.
    Pricing,
}

/// Figures in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct InsightsExport {
    /// Where.
    pub path: String,
    /// Rows without the header.
    pub rows: u64,
}
