//! Templates in the cache: the row for lists, the provider's record, and differences between answers.

use model::archival::TemplateUse;

/// A template in a list. Words are in the app's notation; an empty one is unknown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TemplateRow {
    pub workspace_id: String,
    /// The provider's reference.
    pub reference: String,
    /// The channel's identifier.
    pub channel_id: Option<String>,
    pub name: String,
    pub language: String,
    pub status: String,
    /// Archived, independent of its status; `None` if unknown. On input, `None` keeps the known value.
    pub archived: Option<bool>,
    pub category: String,
    pub sub_category: Option<String>,
    /// Its sending API.
    pub kind: String,
    /// Business manager.
    pub business_id: Option<String>,
    pub quality: Option<String>,
    /// Reason of a rejection.
    pub rejected_reason: Option<String>,
    pub wabas: Vec<String>,
    /// The sequence number of the delivery after which events report its status in each of its WABAs, if that is not
    /// the one of the request. On input, `None`.
    pub statuses_seq: Option<i64>,
    /// Its status in each of its WABAs as JSON if they differ, for the index; else empty. On input, empty.
    pub statuses: String,
    pub header_format: Option<String>,
    pub carousel: bool,
    /// One of the channel's own samples.
    pub sample: bool,
    /// The requested category, if known; may equal the current one. On input, `None` keeps the known value.
    pub asked_category: Option<String>,
    /// Fingerprint for comparing the languages of a name; opaque to the store.
    pub shape: String,
    /// Text of its body.
    pub body_text: String,
    /// Last change. On input, 0 if the provider does not report it: then it is set when a change is first observed.
    pub updated_at: i64,
    /// The request for this answer.
    pub asked: RequestMark,
    /// When it got its status. On input, `None` if the answer does not contain it.
    pub status_since: Option<Since>,
    /// When it was archived or unarchived.
    pub archived_since: Option<Since>,
    /// When it was last sent from here.
    pub last_sent_at: Option<i64>,
    /// When the first listing was requested that omitted it; it is removed once another one confirms that. On input, the
    /// known value is kept.
    pub missing_since: Option<i64>,
}

impl TemplateRow {
    /// The sequence number after which events report its status in each of its WABAs.
    pub(super) fn statuses_after(&self) -> i64 {
        self.statuses_seq.unwrap_or(self.asked.last_seq)
    }

    /// What is known of its use.
    #[must_use]
    pub fn template_use(&self) -> TemplateUse<'_> {
        TemplateUse {
            status: &self.status,
            is_archived: self.archived == Some(true),
            archived_changed_at: self.archived_since.and_then(Since::exactly),
            status_at: self.status_since.and_then(Since::exactly),
            sent_at: self.last_sent_at,
        }
    }

    /// Whether its category differs from the requested one.
    #[must_use]
    pub fn is_category_changed(&self) -> bool {
        self.asked_category.as_deref().is_some_and(|asked| model::lifecycle::is_other_category(asked, &self.category))
    }
}

/// Start of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Since {
    /// Unix milliseconds.
    pub at: i64,
    /// Whether it started then; otherwise a listing first showed it then.
    pub exact: bool,
}

impl Since {
    /// When the state started, if that is known.
    pub(super) fn exactly(self) -> Option<i64> {
        self.exact.then_some(self.at)
    }
}

/// A template with the provider's record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CachedTemplate {
    /// The row in lists.
    pub row: TemplateRow,
    /// The record as received, as JSON.
    pub record: String,
}

/// When a request to the provider was sent: its answer is at least as recent.
///
/// What is newer follows from the two numbers, never from the instant: a clock may have been wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RequestMark {
    /// Its number among all requests of this cache, from 1; see [`Cache::request_mark`](super::Cache::request_mark).
    pub number: i64,
    /// Sequence number of the last delivery that was in the delivery log. Later deliveries are newer than the answer.
    pub last_seq: i64,
    /// Unix milliseconds, by the clock of this computer.
    pub at: i64,
}

/// Start and end of a request to the provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequestTimes {
    /// The first request of the listing.
    pub asked: RequestMark,
    /// When the answer arrived: its content is no more recent.
    pub answered_at: i64,
}

/// A difference between the stored state and the provider's answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// The provider's reference.
    pub reference: String,
    /// The field that differs. `added` and `removed` mean the whole template, with its record as the value.
    pub field: String,
    /// The WABA that a status changed in, if the WABAs of the template have or had different ones; a change of the most
    /// restrictive one is another change.
    pub waba: Option<String>,
    pub before: Option<String>,
    pub after: Option<String>,
    /// When the request that showed the previous value was sent: the change is later. Absent if the template did not
    /// exist.
    pub since: Option<i64>,
    /// If components differ, the whole records before and after.
    pub records: Option<(String, String)>,
}

/// Identifies templates as events and answers do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TemplateMatch {
    /// By the provider's reference.
    Reference(String),
    /// By the channel's identifier.
    ChannelId(String),
    /// By name and language; `-` and `_` in the language are the same.
    Name { name: String, language: String },
}

/// Changes to a template from the response to a call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TemplatePatch {
    pub status: Option<String>,
    /// Its new archived state.
    pub archived: Option<bool>,
    /// Reason of a rejection.
    pub rejected_reason: Option<String>,
    /// The request.
    pub asked: RequestMark,
}
