//! Announcements of newer versions.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Where announcements are read. Nothing is requested while `enabled` is false.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase", default)]
pub struct UpdateSettings {
    /// Whether the announcement is read once a day.
    pub enabled: bool,
    /// Address of the announcement: `https`, or `http` on this computer.
    pub address: String,
    /// Ed25519 key that announcements are signed with: 32 bytes in Base64.
    pub public_key: String,
}

/// The settings, and what the last check found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct UpdateState {
    pub settings: UpdateSettings,
    pub version: String,
    /// The newest version that was announced, if it is newer than this one.
    pub available: Option<Announcement>,
    /// When the announcement was last requested, in milliseconds since 1970.
    pub checked_at: Option<i64>,
    pub problem: Option<UpdateProblem>,
}

/// A version that was announced with a valid signature.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct Announcement {
    /// Three numbers, such as `1.4.0`.
    pub version: String,
    /// `https` address of the page to get it from.
    pub url: String,
    /// What is new, as plain text. May be empty.
    pub notes: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum UpdateProblem {
    /// No connection, or no answer in time.
    Unreachable {},
    /// The answer has another status than 200. Redirects are not followed.
    Status {
        status: u16,
    },
    /// The answer ended before its end.
    Incomplete {},
    TooLarge {
        /// Maximum size in bytes.
        limit: u64,
    },
    Malformed {},
    WrongSignature {},
    /// The announced version is older than this app, or than one that was announced before.
    Downgrade {
        version: String,
    },
}
