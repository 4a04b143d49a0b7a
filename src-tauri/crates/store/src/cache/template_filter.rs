//! Filters of template lists, and the values that occur in a workspace to filter by.

/// Order of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facet {
    /// The value.
    pub value: String,
    /// How many.
    pub count: u64,
}

/// The values that occur in a workspace, each list by value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facets {
    /// Statuses.
    pub statuses: Vec<Facet>,
    /// Categories.
    pub categories: Vec<Facet>,
    /// Languages.
    pub languages: Vec<Facet>,
    /// WABAs; a template may be in several.
    pub wabas: Vec<Facet>,
    /// Business managers.
    pub businesses: Vec<Facet>,
    /// Sending APIs.
    pub kinds: Vec<Facet>,
    /// Quality scores.
    pub qualities: Vec<Facet>,
    /// Formats of the header; the empty one stands for no header.
    pub headers: Vec<Facet>,
    /// Those with a carousel.
    pub carousels: u64,
    /// Those in another category than asked for.
    pub category_changed: u64,
    /// The channel's own samples.
    pub samples: u64,
    /// Archived ones, whatever was asked for.
    pub archived: u64,
    /// All templates, whatever was asked for.
    pub total: u64,
}
