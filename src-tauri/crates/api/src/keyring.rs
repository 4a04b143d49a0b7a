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
    /// It is locked, and was not unlocked.
    Locked,
    /// It denies this app the access.
    Denied,
    /// It has no room.
    Full,
    /// The secret is longer than keyrings hold.
    TooLong,
    /// It failed otherwise.
    Failed,
}

/// Whether the system keyring can keep secrets.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(tag = "state", rename_all = "camelCase")]
pub enum KeyringState {
    /// Secrets can be read and kept.
    Available,
    /// It is there and locked: nothing can be read or kept until the person unlocks it.
    Locked,
    /// This session has none; secrets can be kept for this session only.
    Missing {
        /// Why, in words.
        reason: String,
    },
    /// It answers, and refuses or fails; secrets can be kept for this session only.
    Unavailable {
        /// Why, in words.
        reason: String,
    },
}
