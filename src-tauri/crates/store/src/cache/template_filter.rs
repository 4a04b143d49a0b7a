//! Filters of template lists, and the values in a workspace to filter by.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Order of a list of templates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub enum TemplateSort {
    /// Last changed first.
    #[default]
    Newest,
    /// By name, then language.
    Name,
}

/// Filter for templates of a workspace. Absent filters accept everything. Lists contain whole words as stored, of which
/// any may match; the empty word means that the value is unknown.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct TemplateFilter {
    /// Workspace.
    pub workspace_id: String,
    /// Words as typed: each is a prefix of a word of name or body, or, from three characters, a part of the name.
    pub search: Option<String>,
    /// Statuses. A template whose statuses differ between its WABAs matches with each of them, in `wabas` if any are given.
    pub statuses: Vec<String>,
    /// Categories.
    pub categories: Vec<String>,
    /// Languages.
    pub languages: Vec<String>,
    /// WABAs; the empty one means templates without a known WABA.
    pub wabas: Vec<String>,
    /// Business managers.
    pub businesses: Vec<String>,
    /// Sending APIs.
    pub kinds: Vec<String>,
    /// Quality scores.
    pub qualities: Vec<String>,
    /// Formats of the header; the empty one means no header.
    pub headers: Vec<String>,
    /// With a carousel, or without.
    pub carousel: Option<bool>,
    /// Whether the category differs from the requested one.
    pub category_changed: Option<bool>,
    /// Only the channel's own samples, or all others.
    pub samples: Option<bool>,
    /// Sent from here at or after this instant.
    pub sent_since: Option<i64>,
    /// Not sent from here at or after this instant, or never. [`i64::MIN`]: never.
    pub not_sent_since: Option<i64>,
    /// In review, not archived, and known to be in review since before this instant.
    pub waiting_before: Option<i64>,
    /// Those that the channel will soon archive or delete.
    pub at_risk: Option<AtRisk>,
    /// Archived ones or the others; the others include those with an unknown state.
    pub archived: Option<bool>,
    /// Order.
    pub sort: TemplateSort,
    /// Number of rows to skip.
    pub offset: u32,
    /// Maximum number of rows.
    pub limit: u32,
}

/// The templates that the channel will soon archive or delete, by what is known here; Unix milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AtRisk {
    /// Not archived, and last used at this instant or before.
    pub used_until: i64,
    /// Or archived at this instant or later.
    pub archived_since: i64,
}

/// Filter for the names of a workspace.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct NameFilter {
    /// A name matches if one of its templates does. Offset and limit count names; names are always ordered by name.
    pub templates: TemplateFilter,
    /// Only names that lack a requested language, or one that another name has.
    pub incomplete: bool,
    /// Only names whose languages differ in shape.
    pub different: bool,
}

/// A value and its number of templates.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct Facet {
    /// The value.
    pub value: String,
    /// Number of templates.
    pub count: u64,
}

/// Values in a workspace with their numbers of templates, each list ordered by value. Only the filter for archived
/// templates applies.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct Facets {
    /// By status; a template may have several.
    pub statuses: Vec<Facet>,
    /// By category.
    pub categories: Vec<Facet>,
    /// By language.
    pub languages: Vec<Facet>,
    /// By WABA; a template may be in several.
    pub wabas: Vec<Facet>,
    /// By business manager.
    pub businesses: Vec<Facet>,
    /// By sending API.
    pub kinds: Vec<Facet>,
    /// By quality score.
    pub qualities: Vec<Facet>,
    /// By format of the header. No header is the empty value in the cache and `NONE` in the UI.
    pub headers: Vec<Facet>,
    /// Archived templates, regardless of the filter.
    pub archived: u64,
    /// Those with a carousel.
    pub carousels: u64,
    /// The channel's own samples.
    pub samples: u64,
    /// Those whose category differs from the requested one.
    pub category_changed: u64,
    /// All templates, regardless of the filter.
    #[serde(skip)]
    #[ts(skip)]
    pub total: u64,
}
