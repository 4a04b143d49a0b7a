//! What the window asks first.

use serde::Serialize;
use ts_rs::TS;

use crate::keyring::KeyringState;
use crate::preferences::Preferences;
use crate::receiver::ReceiverState;
use crate::workspace::WorkspaceSummary;

/// What the window needs before it can show anything.
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
    /// In their order.
    pub workspaces: Vec<WorkspaceSummary>,
    /// What the person chose.
    pub preferences: Preferences,
    /// Whether secrets can be kept.
    pub keyring: KeyringState,
    /// The embedded receiver.
    pub receiver: ReceiverState,
    /// What a person should know about this start, such as a cache that had to be rebuilt.
    pub notices: Vec<String>,
}
