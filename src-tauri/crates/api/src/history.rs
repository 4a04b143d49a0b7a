//! The history of a template, and the versions of its content.

use model::closed_enum;
use model::diff::Change;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::edit::TemplateVersion;

/// Filters of a template's history.
#[derive(Clone, Debug, Default, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct HistoryQuery {
    /// Workspace.
    pub workspace: String,
    /// The provider's reference; also of a template that is no longer listed.
    pub reference: String,
    /// Kinds of entries; empty for all.
    pub kinds: Vec<EntryKind>,
    /// Number of entries to skip, from the newest.
    pub offset: u32,
    /// Maximum number of entries, 1 to 500.
    pub limit: u32,
}

/// The known history of a template.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct TemplateHistory {
    /// Newest first.
    pub entries: Vec<HistoryEntry>,
    /// Number of entries of the requested kinds.
    pub total: u64,
    /// The template's name.
    pub name: String,
    /// Its language.
    pub language: String,
    /// Whether it is no longer listed.
    pub removed: bool,
    /// The earliest instant with data, in Unix milliseconds.
    pub known_since: Option<i64>,
    /// Its review decisions, newest first.
    pub decisions: Vec<Decision>,
}

/// A review: its submission and its outcome.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct Decision {
    /// When it was submitted here or, if it was submitted elsewhere, when a webhook reported that it is under review.
    pub submitted_at: i64,
    /// When it was decided; if only a listing showed it, when that was read.
    pub decided_at: Option<i64>,
    /// `APPROVED` or `REJECTED`.
    pub outcome: Option<String>,
    /// Duration in milliseconds; an upper bound if it is not exact.
    pub took_ms: Option<i64>,
    /// Whether a webhook reported it.
    pub exact: bool,
    /// The version that was submitted.
    pub version: Option<String>,
}

/// Source of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub enum HistorySource {
    /// A webhook of the provider.
    Webhook,
    /// A difference between two listings.
    Sync,
    /// An action made here.
    Own,
    /// None: data is missing.
    Gap,
}

/// Why data is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub enum GapReason {
    /// Webhooks could not be received for at least a part of that time.
    NotListening,
    /// The template was not listed before.
    NotListed,
    /// There are more records than are read.
    Limit,
}

closed_enum! {
    /// Kinds of history entries.
    HistoryKind in "app.ts" {
        /// Its status changed.
        Status = "status",
        /// Its category changed.
        Category = "category",
        /// Its quality score changed.
        Quality = "quality",
        /// Its content changed.
        Content = "content",
        /// It was archived.
        Archived = "archived",
        /// It was unarchived.
        Unarchived = "unarchived",
        /// It was deleted.
        Deleted = "deleted",
        /// It was listed for the first time.
        Added = "added",
        /// It was submitted here.
        Submitted = "submitted",
        /// Data is missing.
        Gap = "gap",
    }
}

/// Kind of an entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(untagged)]
pub enum EntryKind {
    /// A known kind.
    Known(HistoryKind),
    /// Another field of the listing changed.
    Field(String),
}

impl EntryKind {
    /// The kind as written in JSON.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Known(kind) => kind.as_str(),
            Self::Field(field) => field,
        }
    }
}

impl From<&str> for EntryKind {
    fn from(word: &str) -> Self {
        HistoryKind::of(word).map_or_else(|| Self::Field(word.to_owned()), Self::Known)
    }
}

impl From<HistoryKind> for EntryKind {
    fn from(kind: HistoryKind) -> Self {
        Self::Known(kind)
    }
}

/// Outcome of an action made here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub enum HistoryOutcome {
    /// The provider accepted it.
    Done,
    /// The provider refused it, or it was not sent.
    Failed,
    /// Unknown: it may have been carried out, but the answer was lost.
    Unknown,
}

/// An event in a template's history, or a period for which data is missing.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct HistoryEntry {
    /// Stable identifier.
    pub id: String,
    /// When, in Unix milliseconds. For a webhook without a timestamp, when it was received; for a listing, when it was
    /// read.
    pub at: i64,
    /// Whether `at` is exact rather than the latest possible time.
    pub exact: bool,
    /// If it is not exact: it happened after this instant; absent if unknown.
    pub not_before: Option<i64>,
    /// Its source.
    pub source: HistorySource,
    /// Its kind.
    pub kind: EntryKind,
    /// The previous value, if it was reported.
    pub before: Option<String>,
    /// The new value. For a status, the word of the event.
    pub after: Option<String>,
    /// Detail of the kind: the changed field of the content; `create` or `edit` for a submission; `announced` for a
    /// future category change.
    pub field: Option<String>,
    /// The reason given.
    pub reason: Option<String>,
    /// The provider's recommendation or additional text, in its words.
    pub advice: Option<String>,
    /// The version of the content that resulted.
    pub version: Option<String>,
    /// How many times the webhook was delivered, while its event is stored.
    pub deliveries: Option<u64>,
    /// Its event in Activity, while it is stored.
    pub item: Option<String>,
    /// The original report as formatted JSON.
    pub raw: Option<String>,
    /// Outcome of an own action.
    pub outcome: Option<HistoryOutcome>,
    /// Why data is missing.
    pub gap: Option<GapReason>,
}

/// A template that is no longer listed, with a stored history.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct RemovedTemplate {
    /// The provider's reference.
    pub reference: String,
    /// Name.
    pub name: String,
    /// Language.
    pub language: String,
    /// When it was deleted or archived here, or found missing from a listing, in Unix milliseconds.
    pub at: i64,
    /// Whether it was deleted here at that time.
    pub exact: bool,
    /// Whether it may be archived, so that unarchiving may restore it.
    pub can_unarchive: bool,
}

/// Result of looking for a template in the provider's listing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct LookedFor {
    /// Whether it is listed and was added to the list again.
    pub found: bool,
}

/// Two versions to compare.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct CompareVersions {
    /// Workspace.
    pub workspace: String,
    /// The provider's reference.
    pub reference: String,
    /// A version, or `current` for the last listed content.
    pub left: String,
    /// A version, or `current` for the last listed content.
    pub right: String,
}

/// Two versions and their differences.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct VersionComparison {
    /// The first version. `current` has `current` as its identifier and origin.
    pub left: TemplateVersion,
    /// The second version.
    pub right: TemplateVersion,
    /// Differences of the second version; without values that only the provider filled in.
    pub changes: Vec<Change>,
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::EntryKind;

    #[test]
    fn names_of_kinds_never_change() {
        for word in [
            "status",
            "category",
            "quality",
            "content",
            "archived",
            "unarchived",
            "deleted",
            "added",
            "submitted",
            "gap",
        ] {
            let kind = EntryKind::from(word);
            assert!(matches!(kind, EntryKind::Known(_)), "{word}");
            assert_eq!((kind.as_str(), serde_json::to_value(&kind).unwrap()), (word, word.into()));
            assert_eq!(serde_json::from_value::<EntryKind>(word.into()).unwrap(), kind);
        }
        let other = EntryKind::from("sub_category");
        assert_eq!(other, EntryKind::Field("sub_category".to_owned()));
        assert_eq!(serde_json::to_value(&other).unwrap(), "sub_category");
    }
}
