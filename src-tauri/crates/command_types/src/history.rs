//! The history of a template, and the versions of its content.

use model::closed_enum;
use model::diff::Change;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::edit::TemplateVersion;

#[derive(Clone, Debug, Default, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct HistoryQuery {
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

#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct TemplateHistory {
    /// Newest first.
    pub entries: Vec<HistoryEntry>,
    /// Number of entries of the requested kinds.
    pub total: u64,
    pub name: String,
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
    pub version: Option<String>,
    /// The WABA that decided it, if several decide for themselves.
    pub waba: Option<String>,
}

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
    HistoryKind in "app.ts" {
        Status = "status",
        Category = "category",
        Quality = "quality",
        Content = "content",
        Archived = "archived",
        Unarchived = "unarchived",
        Deleted = "deleted",
        /// It was listed for the first time.
        Added = "added",
        /// It was submitted here.
        Submitted = "submitted",
        /// Data is missing.
        Gap = "gap",
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(untagged)]
pub enum EntryKind {
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

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub enum HistoryOutcome {
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
    pub source: HistorySource,
    pub kind: EntryKind,
    pub before: Option<String>,
    /// The new value. For a status, the word of the event.
    pub after: Option<String>,
    /// Detail of the kind: the changed field of the content; `create` or `edit` for a submission; `announced` for a
    /// future category change.
    pub field: Option<String>,
    pub reason: Option<String>,
    /// The provider's recommendation or additional text, in its words.
    pub advice: Option<String>,
    /// When an announced change takes place, in Unix milliseconds.
    pub due_at: Option<i64>,
    /// The version of the content that resulted.
    pub version: Option<String>,
    /// How many times the webhook was delivered, while its event is stored.
    pub deliveries: Option<u64>,
    /// Its event in Activity, while it is stored.
    pub item: Option<String>,
    /// The original report as formatted JSON.
    pub raw: Option<String>,
    pub outcome: Option<HistoryOutcome>,
    pub gap: Option<GapReason>,
    /// The WABAs that it is about; empty if all or unknown.
    pub wabas: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct RemovedTemplate {
    pub reference: String,
    pub name: String,
    pub language: String,
    /// When it was deleted or archived here, or found missing from a listing, in Unix milliseconds.
    pub at: i64,
    /// Whether it was deleted here at that time.
    pub exact: bool,
    /// Whether it was archived here at that time: listings may leave out archived templates, so it may exist.
    pub archived: bool,
    /// Whether it may be archived, so that unarchiving may restore it.
    pub can_unarchive: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct LookedFor {
    /// Whether it is listed and was added to the list again.
    pub found: bool,
}

#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct CompareVersions {
    pub workspace: String,
    pub reference: String,
    /// A version, or `current` for the last listed content.
    pub left: String,
    /// A version, or `current` for the last listed content.
    pub right: String,
}

#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct VersionComparison {
    /// The first version. `current` has `current` as its identifier and origin.
    pub left: TemplateVersion,
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
