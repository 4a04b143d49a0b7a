//! The review board.

use std::collections::BTreeMap;

use model::rate_card::PriceChange;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{
    AccountState, ComingCategory, Facets, RaisedCategory, StatusCause, TemplateQuery, TemplateRow, WabaStatus,
};
use crate::composer::DraftRow;

#[derive(Clone, Debug, Default, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase", default)]
pub struct ReviewBoardQuery {
    /// The limit is that of each column. Statuses only narrow columns of accounts, archived templates are always
    /// included, and the offset is ignored.
    pub query: TemplateQuery,
    /// Whether there is a column for each WABA instead of each status.
    pub by_account: Option<bool>,
}

impl From<TemplateQuery> for ReviewBoardQuery {
    /// The board by status.
    fn from(query: TemplateQuery) -> Self {
        Self { query, by_account: None }
    }
}

#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct ReviewBoard {
    /// Pending, approved, rejected, paused and disabled, then every other existing status; or the WABAs. Archived
    /// templates are at the end.
    pub columns: Vec<ReviewColumn>,
    /// Status in each WABA, the most restrictive first, of the rows whose status differs between their WABAs; by their
    /// references.
    pub differing: BTreeMap<String, Vec<WabaStatus>>,
    /// Why and when the channel will disable rows unless their quality improves, by their references.
    pub flagged: BTreeMap<String, StatusCause>,
    /// Category and quality in each WABA of the rows where they differ; by their references.
    pub accounts: BTreeMap<String, Vec<AccountState>>,
    /// Announced changes of the category of the rows, by their references.
    pub coming_categories: BTreeMap<String, ComingCategory>,
    /// Categories of the rows that cost more than the ones before, or will; by their references.
    pub raised_categories: BTreeMap<String, RaisedCategory>,
    /// The newest drafts.
    pub drafts: Vec<DraftRow>,
    pub draft_count: u64,
    /// When the listing was last fetched, in Unix milliseconds; absent before the first fetch.
    pub as_of: Option<i64>,
    /// Filter values with their numbers of templates, including archived ones.
    pub facets: Facets,
    /// Templates that need attention, among all that match the filters.
    pub needs: ReviewNeeds,
}

/// Numbers of templates that need attention. Ignores the filters for status, changed category and overdue reviews,
/// which narrow a board to one of these numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct ReviewNeeds {
    pub rejected: u64,
    pub paused: u64,
    pub disabled: u64,
    /// In another category than requested; includes archived ones.
    pub category_changed: u64,
    /// What those of them that are not archived and cost more add to a month; absent without a rate card.
    pub raised_month: Option<PriceChange>,
    /// In review for longer than usual.
    pub overdue: u64,
    /// Soon archived or deleted by the channel; includes archived ones.
    pub at_risk: u64,
    /// Templates that are archived until this instant are at risk, in Unix milliseconds.
    pub risk_until: i64,
    /// Reviews that began before this instant are overdue, in Unix milliseconds.
    pub overdue_before: i64,
    /// The usual review time, in milliseconds.
    pub usual_ms: i64,
    /// Whether it is the 90th percentile of the reviews here; otherwise it is the channel's stated time.
    pub usual_seen: bool,
}

#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct ReviewColumn {
    /// Status, or `ARCHIVED`; empty for the column of a WABA.
    pub status: String,
    /// The WABA of a column, empty if unknown; a template of several is in each of their columns.
    pub waba: Option<String>,
    /// Number of its templates that match the filters.
    pub count: u64,
    /// The newest of them.
    pub rows: Vec<TemplateRow>,
}
