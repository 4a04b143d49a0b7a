//! Figures of a workspace.

use model::rate_card::{Cost, CurrentPrice, RateCardFault, RateCardSummary};
use serde::{Deserialize, Serialize};
pub use store::desk::{CodeFigure, FunnelRow, PricingRow};
use ts_rs::TS;

use super::template::Facet;

/// Figures of a workspace, all from stored counters.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct InsightsOverview {
    pub templates: Vec<Facet>,
    /// Status events by status, all time.
    pub statuses: Vec<Facet>,
    /// Items by kind, all time.
    pub kinds: Vec<Facet>,
    /// Status events of each day, oldest first, at most 30 days.
    pub days: Vec<DayFigures>,
}

#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct DayFigures {
    /// Day in UTC, `YYYY-MM-DD`.
    pub day: String,
    pub statuses: Vec<Facet>,
}

/// Query for the delivery funnel. Absent filters accept everything.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct FunnelQuery {
    pub workspace: String,
    /// First day in UTC, `YYYY-MM-DD`.
    pub from: Option<String>,
    /// Last day in UTC, `YYYY-MM-DD`.
    pub to: Option<String>,
    pub by: FunnelBy,
    pub template: Option<String>,
    pub language: Option<String>,
    /// Category, case-insensitive; empty for sends with an unknown category.
    pub category: Option<String>,
    /// Only what went out from the numbers of this WABA.
    pub waba: Option<String>,
    /// Only what went out from this number.
    pub number: Option<String>,
    /// Maximum number of rows, 1 to 1000.
    pub limit: u32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub enum FunnelBy {
    #[default]
    Template,
    Language,
    /// Category in lower case.
    Category,
    /// Day, `YYYY-MM-DD`.
    Day,
    /// Week, identified by its Monday.
    Week,
    /// Month, `YYYY-MM`.
    Month,
}

/// The delivery funnel of template sends.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct Funnel {
    /// Total of all rows; its key is empty.
    pub total: FunnelRow,
    /// Periods in order, the last ones if there are more; other keys by the number of sends, highest first.
    pub rows: Vec<FunnelRow>,
    /// Number of rows beyond the limit.
    pub more: u64,
    pub covers: Coverage,
}

/// The data that figures cover: only sends from here and events of webhooks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct Coverage {
    /// The first counted instant, in Unix milliseconds; for sends, the start of its day.
    pub from: Option<i64>,
    /// The last counted instant, in Unix milliseconds; for sends, the start of its day.
    pub to: Option<i64>,
    /// Number of counted sends or, for reviews, decisions.
    pub sends: u64,
    /// Number of sends that a filter by WABA or number leaves out because it is unknown where they belong: the
    /// workspace has no such number, or does not know its WABA.
    pub unknown_sender: u64,
    pub notes: Vec<CoverageNote>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub enum CoverageNote {
    /// Messages sent from elsewhere are not included.
    Elsewhere,
    /// Older events were removed by retention.
    Retention,
    /// Free texts are not included.
    TemplatesOnly,
    /// A reply that refers to no message is not counted.
    RepliesByContext,
    UnknownCategory,
    /// Decisions known only from a listing have no exact time and are not included.
    WebhooksOnly,
    /// Some reviews whose beginning is unknown count as decisions, without a duration.
    UnknownStart,
    /// Decisions about WABAs that the workspace does not have are not included.
    OtherAccounts,
    /// Decisions without a known WABA are not included in those of one WABA.
    UnknownAccount,
}

#[derive(Clone, Debug, Default, PartialEq, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct ReviewQuery {
    pub workspace: String,
    /// First day in UTC, `YYYY-MM-DD`.
    pub from: Option<String>,
    /// Last day in UTC, `YYYY-MM-DD`.
    pub to: Option<String>,
    /// Only what this WABA decided.
    pub waba: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct PricingQuery {
    pub workspace: String,
    /// First day in UTC, `YYYY-MM-DD`.
    pub from: Option<String>,
    /// Last day in UTC, `YYYY-MM-DD`.
    pub to: Option<String>,
    /// Only what went out from the numbers of this WABA.
    pub waba: Option<String>,
    /// Only what went out from this number.
    pub number: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct ReviewTimes {
    /// Reviews decided in the range. The durations are of those whose beginning is known.
    pub decided: u64,
    /// Median duration in milliseconds.
    pub median_ms: Option<i64>,
    /// 90th percentile of the durations in milliseconds.
    pub p90_ms: Option<i64>,
    pub shortest_ms: Option<i64>,
    pub longest_ms: Option<i64>,
    /// Histogram of the durations; each bucket begins where the previous one ends.
    pub buckets: Vec<ReviewBucket>,
    pub outcomes: Vec<Facet>,
    /// By the requested category; empty if unknown.
    pub by_category: Vec<ReviewCategory>,
    /// Reasons of rejections, most frequent first; empty if unknown.
    pub reasons: Vec<Facet>,
    /// Templates under review now.
    pub pending: u64,
    /// How long the oldest of them has been pending, if its begin is known.
    pub oldest_pending_ms: Option<i64>,
    pub covers: Coverage,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct ReviewBucket {
    /// Upper bound; absent for the last bucket.
    pub up_to_ms: Option<i64>,
    pub count: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct ReviewCategory {
    /// The category in lower case.
    pub key: String,
    pub decided: u64,
    pub approved: u64,
    pub rejected: u64,
    /// Median duration in milliseconds.
    pub median_ms: Option<i64>,
}

/// What delivered messages cost by the rate card of the workspace.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct Spend {
    pub cost: Cost,
    /// By day of delivery, `YYYY-MM-DD`, oldest first.
    pub days: Vec<SpendRow>,
    /// By template, the most expensive first, at most fifty; the name is empty for free texts.
    pub templates: Vec<SpendRow>,
}

#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct SpendRow {
    pub key: String,
    /// Delivered messages, charged or not.
    pub messages: u64,
    /// The sum of the known prices, as a decimal number.
    pub amount: String,
    /// Those of the messages whose price is unknown.
    pub unknown: u64,
}

#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct WorkspaceRateCard {
    /// Name of its file.
    pub name: String,
    /// In Unix milliseconds.
    pub imported_at: i64,
    pub summary: RateCardSummary,
    /// Those that apply today or later.
    pub prices: Vec<CurrentPrice>,
}

/// What a file with a rate card came to. If it has a fault, nothing was imported.
#[derive(Clone, Debug, Default, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct RateCardImport {
    /// Name without its folder.
    pub name: String,
    /// Imported prices.
    pub rates: u32,
    /// Prices of the former card that the file did not renew.
    pub kept: u32,
    /// The first faults, at most two hundred.
    pub faults: Vec<RateCardFault>,
    /// All faults; 0 if the file was imported.
    pub faulty: u32,
}

/// Prices of messages, as reported by statuses.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct Pricing {
    /// By category and model.
    pub rows: Vec<PricingRow>,
    /// Messages of each day by category, oldest first.
    pub days: Vec<PricingDay>,
    /// What the delivered messages cost; absent without a rate card.
    pub spend: Option<Spend>,
    pub covers: Coverage,
}

#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct PricingDay {
    /// Day in UTC, `YYYY-MM-DD`.
    pub day: String,
    pub counts: Vec<Facet>,
}

#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct ExportInsights {
    pub what: InsightsKind,
    /// For the funnel: all its rows, regardless of the limit.
    pub funnel: Option<FunnelQuery>,
    pub reviews: Option<ReviewQuery>,
    /// For prices, and for what was spent.
    pub pricing: Option<PricingQuery>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub enum InsightsKind {
    Funnel,
    /// Reviews, one row each.
    Reviews,
    /// Prices of messages, by day.
    Pricing,
    /// What delivered messages cost, by day, template, country and category.
    Spend,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct InsightsExport {
    pub path: String,
    /// Rows without the header.
    pub rows: u64,
}
