//! Receivers on servers that this desk follows.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A receiver on a server whose deliveries this desk fetches.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct FeedSource {
    pub id: String,
    pub workspace: String,
    pub address: String,
    /// Webhook path on the server whose deliveries are fetched; absent for all that the token sees.
    pub endpoint: Option<String>,
    pub state: FeedState,
    /// When the last fetched delivery was received there, in Unix milliseconds; since this start of the app.
    pub last_event_at: Option<i64>,
    /// What the server did not give, until it is dismissed; one for each reason.
    pub gaps: Vec<FeedGap>,
}

/// Deliveries that a server passed over.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct FeedGap {
    /// Why, in the word of the server.
    pub why: String,
    pub reason: FeedGapReason,
    /// How many, including those that the token does not see.
    pub deliveries: u64,
    /// When the delivery before the first of them was received there, in Unix milliseconds; absent if that is unknown.
    pub after: Option<i64>,
    /// When the delivery after the last of them was received there, in Unix milliseconds, or when this was found.
    pub before: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub enum FeedGapReason {
    /// Retention removed them before they were fetched.
    Removed,
    /// They were altered after they were stored.
    Altered,
    /// The log has none with these numbers.
    Missing,
    /// A reason of a later version.
    Other,
}

/// A gap that a person has seen.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct DismissFeedGap {
    /// Identifier of the feed.
    pub feed: String,
    pub why: String,
    /// How many were shown: the gap stays if it has grown.
    pub deliveries: u64,
}

#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(tag = "state", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum FeedState {
    /// The first answer has not come yet.
    Connecting {},
    /// Everything is fetched, and new deliveries are waited for.
    Connected {},
    /// Deliveries are being fetched.
    Behind {
        /// How many are left, including those that the token does not see.
        count: u64,
    },
    /// The server refuses the token, or the token is missing here.
    Refused { reason: String },
    /// The server cannot be reached or does not answer as a feed. It is tried again.
    Failed { reason: String },
}

#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct FeedSources {
    /// In the order in which they were added.
    pub rows: Vec<FeedSource>,
}

/// A feed to add, change or check. Hidden in `Debug` output.
#[derive(Clone, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct SaveFeed {
    /// The feed to change; absent for a new one.
    #[serde(default)]
    pub id: Option<String>,
    pub workspace: String,
    /// Address, such as `https://hooks.example.com/feed`.
    pub address: String,
    /// Webhook path on the server whose deliveries are fetched; absent or empty for all that the token sees.
    #[serde(default)]
    pub endpoint: Option<String>,
    /// The token; absent to keep the stored one.
    #[serde(default)]
    #[ts(type = "string | null")]
    pub token: Option<secrecy::SecretString>,
    /// Whether the token is kept in memory until the app ends, instead of in the keyring.
    #[serde(default)]
    pub session_only: bool,
}

impl std::fmt::Debug for SaveFeed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SaveFeed").field("id", &self.id).field("workspace", &self.workspace).finish_non_exhaustive()
    }
}

#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct FeedId {
    pub id: String,
}

/// What a token sees.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct FeedReport {
    /// Name of the desk that the token was made for.
    pub desk: String,
    /// Webhook paths that it sees; empty for all.
    pub endpoints: Vec<String>,
    /// Number of deliveries that would be fetched first, including those that the token does not see.
    pub waiting: u64,
}
