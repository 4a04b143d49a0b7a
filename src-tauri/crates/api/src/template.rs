//! Templates as lists, boards and pages show them.

use std::collections::BTreeMap;

use model::finding::Finding;
use model::render::Bubble;
use model::template::Template;
use model::translation::LanguageDifference;
use serde::{Deserialize, Serialize};
pub use store::cache::{Facet, Facets, TemplateSort};
use ts_rs::TS;

use super::composer::DraftRow;
use super::workspace::WorkspaceId;

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

/// What a list of templates is asked for. Of each list of values any may fit; an empty list accepts everything, and the
/// empty value stands for what the provider did not say.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase", default)]
pub struct TemplateQuery {
    /// Workspace.
    pub workspace: String,
    /// Words of name or body; each matches as a prefix, and inside the name from three characters on.
    pub search: Option<String>,
    /// Statuses.
    pub statuses: Vec<String>,
    /// Categories.
    pub categories: Vec<String>,
    /// Languages.
    pub languages: Vec<String>,
    /// WABAs; one of a template's has to fit.
    pub wabas: Vec<String>,
    /// Business managers.
    pub businesses: Vec<String>,
    /// Sending APIs.
    pub kinds: Vec<String>,
    /// Quality scores.
    pub qualities: Vec<String>,
    /// Formats of the header; `NONE` where there is no header.
    pub headers: Vec<String>,
    /// With a carousel, or without.
    pub carousel: Option<bool>,
    /// In another category than asked for, or not.
    pub category_changed: Option<bool>,
    /// The channel's own samples only, or without them.
    pub samples: Option<bool>,
    /// Sent from here within so many days.
    pub sent_within_days: Option<u32>,
    /// Not sent from here for so many days, or never; 0 for those never sent.
    pub not_sent_for_days: Option<u32>,
    /// In review for longer than is usual in the workspace; what is not is no filter.
    pub overdue: Option<bool>,
    /// Archived only, the others only, or both. What nobody knows to be archived is one of the others.
    pub archived: Option<bool>,
    /// Order.
    pub sort: TemplateSort,
    /// How many come before the first row.
    pub offset: u32,
    /// At most so many rows, 1–500.
    pub limit: u32,
}

/// The templates that something is done with. The offset and the limit of a query do not count here.
#[derive(Clone, Debug, PartialEq, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(tag = "kind", rename_all = "camelCase")]
#[expect(clippy::large_enum_variant, reason = "there is one in a request")]
pub enum TemplateTarget {
    /// Those with these references.
    References {
        /// The provider's references.
        references: Vec<String>,
    },
    /// All that a list shows.
    Query {
        /// The list.
        query: TemplateQuery,
    },
}

/// A page of templates.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct TemplatePage {
    /// In the order asked for.
    pub rows: Vec<TemplateRow>,
    /// Templates that the filters accept, also those on other pages.
    pub total: u64,
    /// Templates of the workspace, whatever the filters.
    pub all: u64,
    /// When the listing was last fetched, in Unix milliseconds; absent before the first time.
    pub as_of: Option<i64>,
    /// Templates that the last refresh left out and that are kept until another one confirms it.
    pub kept: u64,
    /// Values to filter by, with their numbers.
    pub facets: Facets,
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
    /// Category; empty where nobody said.
    pub category: String,
    /// Status; empty where the provider did not say.
    pub status: String,
    /// Archived beside its status; absent where nobody said.
    pub archived: Option<bool>,
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
    /// Quality score, such as `GREEN`, where the provider says it.
    pub quality: Option<String>,
    /// Business manager, where the provider says it.
    pub business_id: Option<String>,
    /// Has a carousel.
    pub carousel: bool,
    /// One of the channel's own samples.
    pub sample: bool,
    /// The category that was asked for, where the channel made it another one (upstream §5.4).
    pub asked_category: Option<String>,
    /// Since when it stands where it stands, in Unix milliseconds; absent where nobody here knows.
    pub state_since: Option<i64>,
    /// Whether `state_since` is when it happened. Otherwise a sync saw it first then: it happened before.
    pub state_since_exact: bool,
    /// When the channel deletes it for having been archived, in Unix milliseconds. How the channel behaves, not what the
    /// provider promises; absent unless the instant of archiving is known.
    pub upstream_deletion_at: Option<i64>,
    /// When it was last sent from here, in Unix milliseconds.
    pub last_sent_at: Option<i64>,
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
    /// Other languages of the same name.
    pub languages: Vec<TemplateRow>,
    /// Whether it can be sent now.
    pub sendable: bool,
    /// Whether the channel usually takes an edit of it as it is now. The provider may take one all the same.
    pub editable: bool,
    /// Recommendation of a rejection in the provider's words.
    pub rejection_advice: Option<String>,
    /// What a rejection is about and what helps, placed at its fields; empty unless it is rejected.
    pub guidance: Vec<Finding>,
    /// When the listing was last fetched, in Unix milliseconds.
    pub as_of: Option<i64>,
    /// Where it stands in each of its WABAs; empty unless it is in several and stands differently there.
    pub waba_statuses: Vec<WabaStatus>,
}

/// Where a template stands in one WABA.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct WabaStatus {
    /// The WABA.
    pub waba: String,
    /// The status.
    pub status: String,
    /// Why it was rejected.
    pub reason: Option<String>,
    /// When it was reported, in Unix milliseconds; absent where only the listing tells.
    pub at: Option<i64>,
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

/// A refresh of the listing. With a filter (contract §4.7) only what fits is fetched, and nothing is removed.
#[derive(Clone, Debug, Default, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase", default)]
pub struct RefreshTemplates {
    /// Workspace.
    pub workspace: String,
    /// Business manager.
    pub business_id: Option<String>,
    /// WABA.
    pub waba: Option<String>,
    /// Status.
    pub status: Option<String>,
    /// Category.
    pub category: Option<String>,
    /// Part of the name.
    pub search: Option<String>,
}

impl From<WorkspaceId> for RefreshTemplates {
    /// The whole listing.
    fn from(WorkspaceId { workspace }: WorkspaceId) -> Self {
        Self { workspace, ..Self::default() }
    }
}

/// What a sync did.
#[derive(Clone, Debug, Default, PartialEq, Serialize, TS)]
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
    /// Pages read.
    pub pages: u64,
    /// Only what fits a filter was fetched: nothing was removed, and the list is as old as before.
    pub partial: bool,
    /// It was given up on the way: what had been read is kept, nothing was removed, and the list is as old as before.
    pub cancelled: bool,
    /// How many templates the provider speaks of beyond those it listed. Nothing was removed then, and the list is as
    /// old as before: what is not shown may be there.
    pub missing: u64,
    /// Records without a uuid, or of which a string is no text. What is known of their templates stays.
    pub skipped: u64,
    /// Those among them without a uuid. Nothing was removed then, and the list is as old as before.
    #[serde(skip)]
    #[ts(skip)]
    pub unidentified: u64,
    /// Templates that it left out and that are kept until another refresh leaves them out as well: it listed none, or far
    /// fewer than before. The list is as old as before.
    pub kept: u64,
}

/// The board of the review.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct ReviewBoard {
    /// Pending, approved, rejected, paused and disabled, then every other status that occurs, and archived at the end.
    pub columns: Vec<ReviewColumn>,
    /// The newest drafts.
    pub drafts: Vec<DraftRow>,
    /// Drafts in all.
    pub draft_count: u64,
    /// When the listing was last fetched, in Unix milliseconds; absent before the first time.
    pub as_of: Option<i64>,
    /// Values to filter by, with their numbers, archived templates included.
    pub facets: Facets,
    /// What needs somebody, among all that the filters accept.
    pub needs: ReviewNeeds,
}

/// How many templates need somebody. The filters for status, changed category and overdue reviews, which narrow a board to
/// one of these, do not count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct ReviewNeeds {
    /// Rejected.
    pub rejected: u64,
    /// Paused.
    pub paused: u64,
    /// Disabled.
    pub disabled: u64,
    /// In another category than asked for; archived ones too.
    pub category_changed: u64,
    /// In review for longer than is usual.
    pub overdue: u64,
    /// What began before it, in Unix milliseconds, is that.
    pub overdue_before: i64,
    /// What is usual, in milliseconds.
    pub usual_ms: i64,
    /// Nine of ten reviews here ended within it; otherwise it is what the channel says.
    pub usual_seen: bool,
}

/// A column of the board.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct ReviewColumn {
    /// Status, or `ARCHIVED`.
    pub status: String,
    /// Templates in it that the filters accept.
    pub count: u64,
    /// The newest of them.
    pub rows: Vec<TemplateRow>,
}

/// What a matrix of languages is asked for.
#[derive(Clone, Debug, Default, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase", default)]
pub struct MatrixQuery {
    /// Templates of which a name has to have one. Those for languages, WABAs and business managers also decide which
    /// templates are shown; the offset and the limit count names, which come by name.
    pub query: TemplateQuery,
    /// Only names that lack one of the languages.
    pub only_incomplete: Option<bool>,
    /// Only names whose languages differ.
    pub only_different: Option<bool>,
}

/// Names with their languages side by side.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct MatrixPage {
    /// By name.
    pub rows: Vec<MatrixRow>,
    /// Names in all, also those on other pages.
    pub names: u64,
    /// Languages of all these names with their templates, most used first, and those that were asked for.
    pub languages: Vec<Facet>,
    /// When the listing was last fetched, in Unix milliseconds; absent before the first time.
    pub as_of: Option<i64>,
}

/// A name.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct MatrixRow {
    /// The name.
    pub name: String,
    /// Reference of the template with which the others are compared.
    pub base: Option<String>,
    /// Its languages.
    pub cells: Vec<MatrixCell>,
}

/// A language of a name.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct MatrixCell {
    /// The language.
    pub language: String,
    /// Its templates: several where several WABAs have it each for itself.
    pub templates: Vec<TemplateRow>,
    /// What differs from the template that the others are compared with, each once.
    pub differences: Vec<LanguageDifference>,
}

/// How lists of templates were left, and those that people saved.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase", default)]
pub struct ListViews {
    /// The filter that a screen was left with, by the screen.
    pub last: BTreeMap<String, String>,
    /// Filters with a name, in the order in which they are shown.
    pub saved: Vec<SavedView>,
}

/// A filter with a name.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase", default)]
pub struct SavedView {
    /// Identifier, made by whoever saves it first.
    pub id: String,
    /// What people call it, 1–60 characters.
    pub name: String,
    /// The screen it is for.
    pub screen: String,
    /// The filter as text, at most 2000 characters; the window alone reads it.
    pub filter: String,
}

/// Views to keep.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct SaveListViews {
    /// Workspace.
    pub workspace: String,
    /// All of them.
    pub views: ListViews,
}

impl SyncReport {
    /// Whether it was read to its end, and nothing of it is missing or could not be read.
    pub fn is_whole(&self) -> bool {
        !self.cancelled && self.missing == 0 && self.unidentified == 0
    }
}
