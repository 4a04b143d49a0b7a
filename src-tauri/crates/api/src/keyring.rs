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
    /// It is locked.
    Locked,
    /// It denies access to this app.
    Denied,
    /// It is full.
    Full,
    /// The secret is too long for keyrings.
    TooLong,
    /// Another failure.
    Failed,
}

/// Whether the system keyring can store secrets.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(tag = "state", rename_all = "camelCase")]
pub enum KeyringState {
    /// Secrets can be read and stored.
    Available,
    /// It is locked: nothing can be read or stored until the person unlocks it.
    Locked,
    /// This session has no keyring; secrets can be stored for this session only.
    Missing {
        /// Why, as text.
        reason: String,
    },
    /// It answers with a refusal or an error; secrets can be stored for this session only.
    Unavailable {
        /// Why, as text.
        reason: String,
    },
}
