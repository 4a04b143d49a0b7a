//! Templates for lists, boards and pages.

mod review;

use std::collections::BTreeMap;

use model::archival::{ArchivalForecast, ArchivalKind};
use model::finding::Finding;
use model::rate_card::PriceChange;
use model::render::Bubble;
use model::template::Template;
use model::translation::LanguageDifference;
use serde::{Deserialize, Serialize};
pub use store::cache::{Facet, Facets, TemplateSort, WabaStatus};
use ts_rs::TS;

pub use self::review::{ReviewBoard, ReviewBoardQuery, ReviewColumn, ReviewNeeds};
use super::workspace::WorkspaceId;

#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct TemplateId {
    pub workspace: String,
    pub reference: String,
}

/// Filters of a list of templates. A template matches if its value is in the list; an empty list accepts everything,
/// and the empty value matches templates for which the provider stated none.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase", default)]
pub struct TemplateQuery {
    pub workspace: String,
    /// Words in the name or body; each matches as a prefix, and inside the name from three characters on.
    pub search: Option<String>,
    pub statuses: Vec<String>,
    pub categories: Vec<String>,
    pub languages: Vec<String>,
    /// WABAs; at least one of a template's WABAs must match.
    pub wabas: Vec<String>,
    /// Only templates that this number of the workspace may send: those of its WABA, and those whose WABAs are unknown.
    /// Replaces `wabas`; `statuses` are those in its WABA.
    pub sendable_from: Option<String>,
    pub businesses: Vec<String>,
    pub kinds: Vec<String>,
    pub qualities: Vec<String>,
    /// Formats of the header; `NONE` for templates without a header.
    pub headers: Vec<String>,
    /// Only templates with a carousel, or only those without.
    pub carousel: Option<bool>,
    /// Only templates in another category than requested, or only the others.
    pub category_changed: Option<bool>,
    /// Only the channel's own samples, or only the others.
    pub samples: Option<bool>,
    /// Sent from here within this many days.
    pub sent_within_days: Option<u32>,
    /// Not sent from here for this many days, or never; 0 for never.
    pub not_sent_for_days: Option<u32>,
    /// `true` for templates in review for longer than usual in the workspace; `false` is ignored.
    pub overdue: Option<bool>,
    /// `true` for templates that the channel will soon archive or delete; `false` is ignored.
    pub at_risk: Option<bool>,
    /// Only archived templates, only the others, or both if absent. An unknown archive state counts as not archived.
    pub archived: Option<bool>,
    pub sort: TemplateSort,
    pub offset: u32,
    /// Maximum number of rows, 1–500.
    pub limit: u32,
}

/// Templates to operate on. The offset and limit of a query are ignored.
#[derive(Clone, Debug, PartialEq, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(tag = "kind", rename_all = "camelCase")]
#[expect(clippy::large_enum_variant, reason = "there is one in a request")]
pub enum TemplateTarget {
    References { references: Vec<String> },
    Query { query: TemplateQuery },
}

#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct TemplatePage {
    pub rows: Vec<TemplateRow>,
    /// Status in each WABA, the most restrictive first, of the rows whose status differs between their WABAs; by their
    /// references.
    pub differing: BTreeMap<String, Vec<WabaStatus>>,
    /// Why and when the channel will disable rows unless their quality improves, by their references.
    pub flagged: BTreeMap<String, StatusCause>,
    /// Number of templates that match the filters, on all pages.
    pub total: u64,
    /// Number of templates in the workspace, regardless of the filters.
    pub all: u64,
    /// When the listing was last fetched, in Unix milliseconds; absent before the first fetch.
    pub as_of: Option<i64>,
    /// Number of templates missing from the last listing, which had so few that it does not count.
    pub kept: u64,
    /// Templates that are archived until this instant are at risk, in Unix milliseconds.
    pub risk_until: i64,
    pub facets: Facets,
}

#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct TemplateRow {
    pub reference: String,
    pub name: String,
    pub language: String,
    /// Category; empty if unknown.
    pub category: String,
    /// Status; empty if the provider did not state it.
    pub status: String,
    /// Whether it is archived, in addition to its status; absent if unknown.
    pub archived: Option<bool>,
    /// `cloud_api` or `marketing_lite`.
    pub kind: Option<String>,
    /// Header format, if there is a header.
    pub header: Option<String>,
    /// Start of the body.
    pub excerpt: String,
    pub wabas: Vec<String>,
    pub rejected_reason: Option<String>,
    /// Last observed change, in Unix milliseconds; absent if none was observed since the first listing.
    pub updated_at: Option<i64>,
    /// Quality score, such as `GREEN`, if the provider states it.
    pub quality: Option<String>,
    /// Business manager, if the provider states it.
    pub business_id: Option<String>,
    pub carousel: bool,
    /// Whether it is one of the channel's own samples.
    pub sample: bool,
    /// The requested category, if the channel changed it (upstream §5.4).
    pub asked_category: Option<String>,
    /// When its current status was entered, in Unix milliseconds; absent if unknown.
    pub state_since: Option<i64>,
    /// Whether `state_since` is exact. Otherwise it is when a sync first observed the status, which was entered
    /// earlier.
    pub state_since_exact: bool,
    /// When the channel deletes it for having been archived, in Unix milliseconds. This is the channel's behaviour, not
    /// guaranteed by the provider; absent if the time of archiving is unknown.
    pub upstream_deletion_at: Option<i64>,
    /// When it was last sent from here, in Unix milliseconds.
    pub last_sent_at: Option<i64>,
    /// What the channel does if it is not used; absent for one that is deleted anyway.
    pub archival: Option<Archival>,
    /// When the listing was requested that omitted it, in Unix milliseconds. It is removed if the next one confirms that
    /// it does not exist.
    pub missing_since: Option<i64>,
}

/// What the channel does with a template that is not used: its own rule, which the provider does not promise. Instants are
/// Unix milliseconds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct Archival {
    pub kind: ArchivalKind,
    /// The last use that is known here. There may have been a later one elsewhere.
    pub last_activity: Option<i64>,
    /// When it is archived at the earliest, or was.
    pub archived_at: Option<i64>,
    pub deleted_at: Option<i64>,
}

impl From<ArchivalForecast> for Archival {
    fn from(ArchivalForecast { kind, last_activity, archived_at, deleted_at }: ArchivalForecast) -> Self {
        Self { kind, last_activity, archived_at, deleted_at }
    }
}

#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct TemplateDetail {
    pub row: TemplateRow,
    pub template: Template,
    /// The provider's record as JSON, unchanged.
    pub raw: String,
    /// The phone preview with samples.
    pub bubble: Bubble,
    pub findings: Vec<Finding>,
    /// Other languages of the same name.
    pub languages: Vec<TemplateRow>,
    pub sendable: bool,
    /// Whether the channel usually accepts an edit in the current state. The provider may accept one anyway.
    pub editable: bool,
    /// Why it is paused, disabled or flagged, or that its rating is not high; otherwise absent.
    pub status_cause: Option<StatusCause>,
    /// What an event said shortly before the listing that says otherwise.
    pub contradicted: Option<ContradictedStatus>,
    /// The category that the channel will give it, if that is announced.
    pub coming_category: Option<ComingCategory>,
    /// That its category costs more than the one before, or will.
    pub raised_category: Option<RaisedCategory>,
    /// The recommendation of a rejection, in the provider's words.
    pub rejection_advice: Option<String>,
    /// Causes of a rejection and ways to fix them, at its fields; empty unless it is rejected.
    pub guidance: Vec<Finding>,
    /// When the listing was last fetched, in Unix milliseconds.
    pub as_of: Option<i64>,
    /// Its status in each of its WABAs; empty unless the statuses differ.
    pub waba_statuses: Vec<WabaStatus>,
    /// Category and quality in each of its WABAs; empty unless they differ.
    pub accounts: Vec<AccountState>,
    /// A template that is archived until this instant is at risk, in Unix milliseconds.
    pub risk_until: i64,
}

/// A status that an event reported, and the listing after it did not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct ContradictedStatus {
    pub status: String,
    /// When the status changed by what the event says, else when it arrived, in Unix milliseconds.
    pub at: i64,
}

/// What a template is in one of its WABAs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct AccountState {
    pub waba: String,
    /// In lower case.
    pub category: Option<String>,
    pub quality: Option<String>,
}

/// What limits the use of a template, or will.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub enum StatusCauseKind {
    Paused,
    Disabled,
    /// It will be disabled.
    Flagged,
    /// Its rejection is reviewed again.
    InAppeal,
    /// Its account has too many templates.
    LimitExceeded,
    /// It cannot be edited.
    Locked,
    /// It can be sent, and may be paused.
    LowQuality,
    MediumQuality,
}

/// What the event of a pause or similar says. Only the kind is known if there was no event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct StatusCause {
    pub kind: StatusCauseKind,
    /// When it happened, in Unix milliseconds.
    pub at: Option<i64>,
    /// The WABA that the event is about.
    pub waba: Option<String>,
    /// The channel's reason, such as `LOW_QUALITY`.
    pub reason: Option<String>,
    /// The channel's title of the pause, such as `FIRST_PAUSE`.
    pub title: Option<String>,
    /// The channel's explanation, in its words.
    pub description: Option<String>,
    /// When the pause ends by the channel's rule, in Unix milliseconds.
    pub ends_at: Option<i64>,
    /// When a flagged template will be disabled, in Unix milliseconds.
    pub disabled_at: Option<i64>,
    /// The same as text, if the channel gave it in a format of its own.
    pub disabled_on: Option<String>,
}

impl From<StatusCauseKind> for StatusCause {
    /// A cause without an event.
    fn from(kind: StatusCauseKind) -> Self {
        Self {
            kind,
            at: None,
            waba: None,
            reason: None,
            title: None,
            description: None,
            ends_at: None,
            disabled_at: None,
            disabled_on: None,
        }
    }
}

/// A category that costs more than the one before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct RaisedCategory {
    /// Until when a review of the category can be requested, in Unix milliseconds; absent if it is unknown when the
    /// category was changed, or if that is yet to come.
    pub appeal_until: Option<i64>,
    /// What the messages cost that were sent from here in the last thirty days; absent without a rate card.
    pub month: Option<PriceChange>,
}

/// An announced change of the category.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct ComingCategory {
    pub category: String,
    /// When it takes place, in Unix milliseconds, if that was announced.
    pub at: Option<i64>,
}

/// Request to delete a template, confirmed by typing its name.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct DeleteTemplate {
    pub workspace: String,
    pub reference: String,
    /// The typed name; must equal the template's.
    pub confirmed_name: String,
}

/// Request to refresh the listing. With a filter (contract §4.7) only matching templates are fetched, and none is
/// removed.
#[derive(Clone, Debug, Default, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase", default)]
pub struct RefreshTemplates {
    pub workspace: String,
    /// Business manager.
    pub business_id: Option<String>,
    pub waba: Option<String>,
    pub status: Option<String>,
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

#[derive(Clone, Debug, Default, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct SyncReport {
    /// Number of templates listed.
    pub total: u64,
    /// Number of differences from the cache before.
    pub changes: u64,
    /// Number of records that could be read only in part.
    pub unreadable: u64,
    /// When it ended, in Unix milliseconds.
    pub at: i64,
    pub pages: u64,
    /// Whether only templates that match a filter were fetched: none was removed, and the time of the listing is
    /// unchanged.
    pub partial: bool,
    /// Whether it was cancelled: pages that were read are kept, none was removed, and the time of the listing is
    /// unchanged.
    pub cancelled: bool,
    /// Number of templates in the provider's total beyond those it listed. If there are any, nothing was removed and
    /// the time of the listing is unchanged, because templates that are not listed may exist.
    pub missing: u64,
    /// Number of records without a uuid, or with a string that is not text. The cached data of their templates is kept.
    pub skipped: u64,
    /// Number of those without a uuid. If there are any, nothing was removed and the time of the listing is unchanged.
    #[serde(skip)]
    #[ts(skip)]
    pub unidentified: u64,
    /// Number of templates missing from the listing that are kept until another refresh confirms it: the listing had
    /// none, or far fewer than before. The time of the listing is unchanged.
    pub kept: u64,
}

#[derive(Clone, Debug, Default, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase", default)]
pub struct MatrixQuery {
    /// A name is included if one of its templates matches. The filters for languages, WABAs and business managers also
    /// select the templates shown; the offset and the limit count names, which are sorted.
    pub query: TemplateQuery,
    /// Only names for which one of the languages is missing.
    pub only_incomplete: Option<bool>,
    pub only_different: Option<bool>,
}

/// The language matrix: names with their languages side by side.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct MatrixPage {
    /// Sorted by name.
    pub rows: Vec<MatrixRow>,
    pub names: u64,
    /// Languages of all these names with their numbers of templates, most used first, and the requested ones.
    pub languages: Vec<Facet>,
    /// When the listing was last fetched, in Unix milliseconds; absent before the first fetch.
    pub as_of: Option<i64>,
}

#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct MatrixRow {
    pub name: String,
    /// Reference of the template that the others are compared with.
    pub base: Option<String>,
    pub cells: Vec<MatrixCell>,
}

#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct MatrixCell {
    pub language: String,
    /// Its templates: several if several WABAs each have their own.
    pub templates: Vec<TemplateRow>,
    /// Differences from the template that the others are compared with, each once.
    pub differences: Vec<LanguageDifference>,
}

/// The last filters of template lists, and saved views.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase", default)]
pub struct ListViews {
    /// The last filter of each screen.
    pub last: BTreeMap<String, String>,
    /// Filters with a name, in the order in which they are shown.
    pub saved: Vec<SavedView>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase", default)]
pub struct SavedView {
    /// Identifier, created by the client that first saves it.
    pub id: String,
    /// Name, 1–60 characters.
    pub name: String,
    pub screen: String,
    /// The filter as text, at most 2000 characters; only the window interprets it.
    pub filter: String,
}

#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct SaveListViews {
    pub workspace: String,
    pub views: ListViews,
}

impl SyncReport {
    /// Whether it was read to its end, and no record is missing or unreadable.
    pub fn is_whole(&self) -> bool {
        !self.cancelled && self.missing == 0 && self.unidentified == 0
    }
}
