//! Data that the window loads first.

use serde::Serialize;
use ts_rs::TS;

use crate::keyring::KeyringState;
use crate::preferences::Preferences;
use crate::receiver::ReceiverState;
use crate::storage::{CrashedRun, LastStop};
use crate::workspace::WorkspaceSummary;

/// Data that the window needs before it can show anything.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct Bootstrap {
    pub version: String,
    pub data_folder: String,
    pub log_folder: String,
    /// In display order.
    pub workspaces: Vec<WorkspaceSummary>,
    pub preferences: Preferences,
    /// Whether secrets can be stored.
    pub keyring: KeyringState,
    pub receiver: ReceiverState,
    pub last_stop: LastStop,
    /// The last run, if it did not close normally and it is known when it began.
    pub crashed_run: Option<CrashedRun>,
    /// Notices about this start, such as a cache that had to be rebuilt.
    pub notices: Vec<String>,
    /// What became of a backup that was to be restored at this start.
    pub restore: Option<RestoreOutcome>,
    pub channel_days: ChannelDays,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct RestoreOutcome {
    /// When the backup was made, in Unix milliseconds.
    pub at: i64,
    /// Whether the files were replaced; otherwise its copies were missing, and nothing has changed.
    pub is_done: bool,
}

/// Time limits of the channel for templates, in days unless stated otherwise. The provider doesn't confirm them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct ChannelDays {
    /// After which the channel may delete an archived template (upstream §5.5).
    pub archived: i64,
    /// Months without use after which the channel archives a template (upstream §5.5).
    pub unused_months: u32,
    /// For which the name of a deleted approved template can't be used (upstream §1.2).
    pub blocked_name: i64,
}
