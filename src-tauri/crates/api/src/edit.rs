//! What an edit of a template may change, and the versions a template has had.

use model::diff::Change;
use model::finding::Finding;
use model::render::Bubble;
use model::template::Template;
use serde::Serialize;
pub use store::desk::VersionOrigin;
use ts_rs::TS;

/// What a person should know while editing a template that exists.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct EditContext {
    /// The provider's reference.
    pub reference: String,
    /// Status as last known; empty where the provider did not say.
    pub status: String,
    /// Archived beside its status.
    pub archived: bool,
    /// The content as the provider has it.
    pub original: Template,
    /// WABAs it was created in.
    pub waba_ids: Vec<String>,
    /// Whether the channel usually takes an edit of it as it is now. The person may try all the same.
    pub editable: bool,
    /// Fields that cannot be changed: the contract fixes them at creation (contract §4.3).
    pub locks: Vec<LockedField>,
    /// The channel usually refuses another category in this status (upstream §5.3).
    pub category_usually_fixed: bool,
    /// Edits made and left; absent where the status does not count them (upstream §5.3).
    pub quota: Option<EditQuota>,
    /// Why it was rejected.
    pub rejected_reason: Option<String>,
    /// What the rejection is about and what helps; empty unless it is rejected.
    pub guidance: Vec<Finding>,
}

/// A field that an edit cannot change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub enum LockedField {
    /// Name.
    Name,
    /// Language.
    Language,
    /// WABAs.
    WabaIds,
}

/// Edits of an approved template, counted here. The rule is the channel's: 1 in 24 hours and 10 in 30 days
/// (upstream §5.3); edits made elsewhere are not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct EditQuota {
    /// Edits accepted in the last 24 hours.
    pub used_day: u32,
    /// Edits allowed in 24 hours.
    pub per_day: u32,
    /// Edits accepted in the last 30 days.
    pub used_month: u32,
    /// Edits allowed in 30 days.
    pub per_month: u32,
    /// When the next one is allowed, in Unix milliseconds; absent where it is allowed now.
    pub next_at: Option<i64>,
}

/// The content of a template at an instant, and what the review said to it.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct TemplateVersion {
    /// Identifier.
    pub id: String,
    /// When it was so, in Unix milliseconds.
    pub at: i64,
    /// Where it comes from.
    pub origin: VersionOrigin,
    /// The content.
    pub template: Template,
    /// What the phone shows of it.
    pub bubble: Bubble,
    /// What the review came to, such as `APPROVED`; absent while it has said nothing.
    pub outcome: Option<String>,
    /// Why it was rejected.
    pub reason: Option<String>,
    /// What the rejection recommends, in the provider's words.
    pub advice: Option<String>,
    /// Differences from the version before; empty for the first.
    pub changes: Vec<Change>,
}
