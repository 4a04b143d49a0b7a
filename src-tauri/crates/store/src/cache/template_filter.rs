//! Filters of template lists, and the values that occur in a workspace to filter by.

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

/// Which templates of a workspace. Absent filters accept everything; of a list of values, which are whole words as stored,
/// any may fit, and the empty word stands for what the provider did not say.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct TemplateFilter {
    /// Workspace.
    pub workspace_id: String,
    /// Words as typed: each is the beginning of a word of name or body, or from three characters on a piece of the
    /// name.
    pub search: Option<String>,
    /// Statuses.
    pub statuses: Vec<String>,
    /// Categories.
    pub categories: Vec<String>,
    /// Languages.
    pub languages: Vec<String>,
    /// WABAs; the empty one stands for templates of which none is known.
    pub wabas: Vec<String>,
    /// Business managers.
    pub businesses: Vec<String>,
    /// Sending APIs.
    pub kinds: Vec<String>,
    /// Quality scores.
    pub qualities: Vec<String>,
    /// Formats of the header; the empty one stands for no header.
    pub headers: Vec<String>,
    /// With a carousel, or without.
    pub carousel: Option<bool>,
    /// In another category than asked for, or not.
    pub category_changed: Option<bool>,
    /// The channel's own samples only, or without them.
    pub samples: Option<bool>,
    /// Sent from here at that instant or after it.
    pub sent_since: Option<i64>,
    /// Not sent from here at that instant or after it, or never. [`i64::MIN`]: never.
    pub not_sent_since: Option<i64>,
    /// In review, not archived, and known to be so since before that instant.
    pub waiting_before: Option<i64>,
    /// Archived ones or the others, also those of which nobody knows.
    pub archived: Option<bool>,
    /// Order.
    pub sort: TemplateSort,
    /// How many come before the first row.
    pub offset: u32,
    /// At most so many rows.
    pub limit: u32,
}

/// Which names of a workspace, with their languages side by side.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct NameFilter {
    /// Templates of which a name has to have one. Offset and limit count names; whatever the order, names come by name.
    pub templates: TemplateFilter,
    /// Only names that lack a language that another of them has or that is asked for.
    pub incomplete: bool,
    /// Only names whose languages differ in shape.
    pub different: bool,
}

/// A value and how many templates have it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct Facet {
    /// The value.
    pub value: String,
    /// How many.
    pub count: u64,
}

/// Values that occur in a workspace, with how many templates have them, each list by value. Of the filters only the one
/// for archived templates counts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct Facets {
    /// By status.
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
    /// By format of the header. No header is the empty value in the cache and `NONE` in the window.
    pub headers: Vec<Facet>,
    /// Archived ones, whatever was asked for.
    pub archived: u64,
    /// Those with a carousel.
    pub carousels: u64,
    /// The channel's own samples.
    pub samples: u64,
    /// Those in another category than asked for.
    pub category_changed: u64,
    /// All templates, whatever was asked for.
    #[serde(skip)]
    #[ts(skip)]
    pub total: u64,
}
