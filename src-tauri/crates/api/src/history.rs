//! What happened to a template, and the versions of its content.

use model::closed_enum;
use model::diff::Change;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::edit::TemplateVersion;

/// Which part of a template's history.
#[derive(Clone, Debug, Default, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct HistoryQuery {
    /// Workspace.
    pub workspace: String,
    /// The provider's reference; also of a template that is no longer listed.
    pub reference: String,
    /// Kinds of entries; all where there is none.
    pub kinds: Vec<EntryKind>,
    /// Entries to pass over, from the newest.
    pub offset: u32,
    /// At most so many, 1 to 500.
    pub limit: u32,
}

/// What happened to a template, as far as it is known here.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct TemplateHistory {
    /// Newest first.
    pub entries: Vec<HistoryEntry>,
    /// Entries of the kinds asked for.
    pub total: u64,
    /// The template's name.
    pub name: String,
    /// Its language.
    pub language: String,
    /// No longer listed.
    pub removed: bool,
    /// The first instant of which anything is known, in Unix milliseconds.
    pub known_since: Option<i64>,
    /// What its reviews came to, newest first.
    pub decisions: Vec<Decision>,
}

/// A review: what was submitted, and what came of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct Decision {
    /// When it was submitted here or, for what was submitted elsewhere, when a webhook said that it is under review.
    pub submitted_at: i64,
    /// When it was decided; where only a listing told, when that was read.
    pub decided_at: Option<i64>,
    /// `APPROVED` or `REJECTED`.
    pub outcome: Option<String>,
    /// Milliseconds from one to the other; at most so many where it is not exact.
    pub took_ms: Option<i64>,
    /// A webhook told.
    pub exact: bool,
    /// The version that was submitted.
    pub version: Option<String>,
}

/// Who told of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub enum HistorySource {
    /// The provider, by a webhook.
    Webhook,
    /// The listing, which differed from the one before.
    Sync,
    /// It was done here.
    Own,
    /// Nobody: here something is not known.
    Gap,
}

/// Why something is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub enum GapReason {
    /// Webhooks could not come in for at least a part of that time.
    NotListening,
    /// The template was not listed before.
    NotListed,
    /// There is more than is looked at.
    Limit,
}

closed_enum! {
    /// What happened to a template.
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
        /// It is not known what happened.
        Gap = "gap",
    }
}

/// What an entry of a history is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(untagged)]
pub enum EntryKind {
    /// A kind that is known here.
    Known(HistoryKind),
    /// Another field of the listing changed.
    Field(String),
}

impl EntryKind {
    /// The word in JSON.
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

/// What became of something that was done here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub enum HistoryOutcome {
    /// The provider took it.
    Done,
    /// The provider refused it, or it never left.
    Failed,
    /// It may have been done: the answer is missing.
    Unknown,
}

/// Something that happened to a template, or a time of which it is not known what happened.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct HistoryEntry {
    /// The same whenever it is asked for.
    pub id: String,
    /// When, in Unix milliseconds. Of a webhook that names no instant, when it came; of a listing, when it was read.
    pub at: i64,
    /// Whether it happened then, and not some time before.
    pub exact: bool,
    /// Where it is not exact: it happened after this instant; absent where nobody knows.
    pub not_before: Option<i64>,
    /// Who told.
    pub source: HistorySource,
    /// What it is about.
    pub kind: EntryKind,
    /// The value before, where it was told.
    pub before: Option<String>,
    /// The value after. Of a status, the word of the event.
    pub after: Option<String>,
    /// More about the kind: the field of the content that changed; `create` or `edit` of what was submitted; `announced`
    /// for a category that is still to come.
    pub field: Option<String>,
    /// The reason given.
    pub reason: Option<String>,
    /// What the provider recommends or adds, in its words.
    pub advice: Option<String>,
    /// The version of the content that it led to.
    pub version: Option<String>,
    /// How often the webhook was delivered, while its event is still there.
    pub deliveries: Option<u64>,
    /// Its event in Activity, while that is still there.
    pub item: Option<String>,
    /// What was told, as JSON for reading.
    pub raw: Option<String>,
    /// Of what was done here.
    pub outcome: Option<HistoryOutcome>,
    /// Why something is not known.
    pub gap: Option<GapReason>,
}

/// A template that is no longer listed, and whose history is still here.
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
    /// When it was deleted or archived here, or found missing by a listing, in Unix milliseconds.
    pub at: i64,
    /// It was deleted here, then.
    pub exact: bool,
    /// It may be archived, and an unarchive may bring it back.
    pub can_unarchive: bool,
}

/// What another look at the provider's listing told of a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct LookedFor {
    /// It is listed, and in the list again.
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
    /// A version, or `current` for what was listed last.
    pub left: String,
    /// A version, or `current` for what was listed last.
    pub right: String,
}

/// Two versions, and what differs.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct VersionComparison {
    /// One. `current` has that as its identifier and origin.
    pub left: TemplateVersion,
    /// The other.
    pub right: TemplateVersion,
    /// What is different in the right one; not what only the provider filled in.
    pub changes: Vec<Change>,
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::EntryKind;

    #[test]
    fn the_words_of_kinds_never_change() {
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
