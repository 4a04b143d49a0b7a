//! The state of the system keyring.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Why a secret cannot be read from or written to the system keyring.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub enum KeyringProblem {
    /// This session has no keyring.
    Missing,
    Locked,
    Denied,
    Full,
    TooLong,
    /// It did not answer in time.
    TimedOut,
    Failed,
}

/// Whether the system keyring can store secrets.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(tag = "state", rename_all = "camelCase")]
pub enum KeyringState {
    Available,
    /// It is locked: nothing can be read or stored until the person unlocks it.
    Locked,
    /// This session has no keyring; secrets can be stored for this session only.
    Missing {
        reason: String,
    },
    /// It did not answer within so many seconds; secrets can be stored for this session only.
    TimedOut {
        seconds: u64,
    },
    /// It answers with a refusal or an error; secrets can be stored for this session only.
    Unavailable {
        reason: String,
    },
}
