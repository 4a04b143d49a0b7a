//! Data that the window loads first.

use serde::Serialize;
use ts_rs::TS;

use crate::keyring::KeyringState;
use crate::preferences::Preferences;
use crate::receiver::ReceiverState;
use crate::storage::LastStop;
use crate::workspace::WorkspaceSummary;

/// Data that the window needs before it can show anything.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct Bootstrap {
    /// Version of the app.
    pub version: String,
    /// Folder of the databases.
    pub data_folder: String,
    /// Folder of the log files.
    pub log_folder: String,
    /// In display order.
    pub workspaces: Vec<WorkspaceSummary>,
    /// The person's preferences.
    pub preferences: Preferences,
    /// Whether secrets can be stored.
    pub keyring: KeyringState,
    /// The embedded receiver.
    pub receiver: ReceiverState,
    /// How the last run ended.
    pub last_stop: LastStop,
    /// Notices about this start, such as a cache that had to be rebuilt.
    pub notices: Vec<String>,
}
