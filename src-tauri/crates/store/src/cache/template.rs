//! Templates in the cache: the row that lists show, the provider's record beside it, and differences between answers.

/// A template in a list. Words are kept as the app writes them; an empty one was not said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TemplateRow {
    /// Workspace.
    pub workspace_id: String,
    /// The provider's reference.
    pub reference: String,
    /// The channel's identifier.
    pub channel_id: Option<String>,
    /// Name.
    pub name: String,
    /// Language.
    pub language: String,
    /// Status.
    pub status: String,
    /// Archived beside its status; none where nobody said. On the way in, none where an answer does not say: what was
    /// known stands.
    pub archived: Option<bool>,
    /// Category.
    pub category: String,
    /// Subcategory.
    pub sub_category: Option<String>,
    /// Which sending API it is for.
    pub kind: String,
    /// Business manager.
    pub business_id: Option<String>,
    /// Quality score.
    pub quality: Option<String>,
    /// Why it was rejected.
    pub rejected_reason: Option<String>,
    /// WABAs it is in.
    pub wabas: Vec<String>,
    /// Format of its header.
    pub header_format: Option<String>,
    /// Has a carousel.
    pub carousel: bool,
    /// One of the channel's own samples.
    pub sample: bool,
    /// The category that was asked for, where that is known; it may be the one it has. On the way in, none where an
    /// answer does not tell: what was known stands.
    pub asked_category: Option<String>,
    /// What languages of one name have in common or not; the store does not read it.
    pub shape: String,
    /// Text of its body.
    pub body_text: String,
    /// Last change. On the way in, 0 where the provider does not say: then it is when a change was first seen.
    pub updated_at: i64,
    /// When the request left whose answer this is.
    pub seen_at: i64,
    /// Since when it has its status. On the way in, none where the answer does not tell.
    pub status_since: Option<Since>,
    /// Since when it is archived, or no longer.
    pub archived_since: Option<Since>,
    /// When it was last sent from here.
    pub last_sent_at: Option<i64>,
}

impl TemplateRow {
    /// Whether it is in another category than was asked for.
    #[must_use]
    pub fn is_category_changed(&self) -> bool {
        self.asked_category.as_deref().is_some_and(|asked| model::lifecycle::is_other_category(asked, &self.category))
    }
}

/// Since when something is so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Since {
    /// Unix milliseconds.
    pub at: i64,
    /// Whether it happened then; otherwise a listing showed it first then.
    pub exact: bool,
}

/// A template with the provider's record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CachedTemplate {
    /// As in lists.
    pub row: TemplateRow,
    /// The record as JSON, as it came.
    pub record: String,
}

/// When a provider was asked, and when that answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked {
    /// When the first request left: what the answers show is no older.
    pub left_at: i64,
    /// When the answer came: what it shows was so by then.
    pub answered_at: i64,
}

/// A difference between what was known and what the provider says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// The provider's reference.
    pub reference: String,
    /// What differs. `added` and `removed` stand for the whole template, with its record as the value.
    pub field: String,
    /// The value before.
    pub before: Option<String>,
    /// The value after.
    pub after: Option<String>,
    /// When the provider was asked for what was there before: it changed after that. Absent where it was not there.
    pub since: Option<i64>,
    /// Of other components, the whole records before and after.
    pub records: Option<(String, String)>,
}

/// Names templates as events and answers do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TemplateMatch {
    /// By the provider's reference.
    Reference(String),
    /// By the channel's identifier.
    ChannelId(String),
    /// By name and language; `-` and `_` in the language are the same.
    Name {
        /// Name.
        name: String,
        /// Language.
        language: String,
    },
}

/// What an answer to a call says about a template.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TemplatePatch {
    /// Its status from now on.
    pub status: Option<String>,
    /// Whether it is archived from now on.
    pub archived: Option<bool>,
    /// Why it was rejected.
    pub rejected_reason: Option<String>,
    /// When the request left.
    pub at: i64,
}
