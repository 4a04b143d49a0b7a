//! State of the embedded receiver.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What the embedded receiver is doing.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(tag = "state", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ReceiverState {
    /// Starting.
    Starting {},
    /// Listening.
    Listening {
        /// Such as `127.0.0.1:8787`.
        address: String,
    },
    /// The address cannot be used.
    Failed {
        /// The address asked for.
        address: String,
        /// Why, in words.
        reason: String,
        /// A free address to take instead, where one was found.
        suggestion: Option<String>,
    },
}

/// Where the receiver shall listen.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct SetReceiver {
    /// Address and port, such as `127.0.0.1:8787`; port 0 takes any free one.
    pub address: String,
}

/// A delivery that was refused and not stored.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct RefusedDelivery {
    /// When, in Unix milliseconds.
    pub at: i64,
    /// Workspace of the path, where it has one.
    pub workspace: Option<String>,
    /// Path asked for.
    pub path: String,
    /// HTTP status answered.
    pub status: u16,
    /// Stable word such as `mismatch`, `missing`, `malformed`, `noSecret`.
    pub reason: String,
    /// Size of the body in bytes.
    pub size: u64,
    /// Start of the body as text.
    pub excerpt: String,
}
