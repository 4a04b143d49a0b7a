//! Forms that were filled in and neither sent nor saved: the window restores them after a reload and a restart.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A form that was filled in and neither sent nor saved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct UnfinishedForm {
    pub workspace: String,
    /// Which form of the workspace it is.
    pub form: String,
    /// What was filled in, as text that only the window interprets. It contains no secrets.
    pub content: String,
}

#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct SaveUnfinishedForm {
    pub workspace: String,
    /// Which form of the workspace it is, 1–200 characters.
    pub form: String,
    /// What was filled in, at most 64 KiB; absent once the form was sent, saved or cleared.
    pub content: Option<String>,
}
