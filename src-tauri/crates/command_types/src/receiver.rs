//! State of the embedded receiver.

pub use receiver::Reason;
use receiver::doctor::Diagnosis;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::workspace::SecretStatus;
use crate::error::DeskError;

/// State of the embedded receiver.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(tag = "state", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ReceiverState {
    Starting {},
    Listening {
        /// Its address, such as `127.0.0.1:8787`.
        address: String,
        /// The last move to another address, if it failed: the receiver still listens on `address`.
        failed_move: Option<FailedMove>,
    },
    /// Not listening: the address cannot be used.
    Failed {
        address: String,
        reason: String,
        /// A free address to use instead, if one was found.
        suggestion: Option<String>,
    },
}

/// An address that the receiver could not move to.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct FailedMove {
    pub address: String,
    pub reason: String,
    /// A free address to use instead, if one was found.
    pub suggestion: Option<String>,
}

#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct SetReceiver {
    /// Address and port, such as `127.0.0.1:8787`; port 0 takes any free one.
    pub address: String,
}

/// A delivery that was rejected and not stored.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct RefusedDelivery {
    /// Identifier, valid until the app ends.
    pub id: String,
    pub at: i64,
    /// Workspace of the path, if it has one.
    pub workspace: Option<String>,
    /// Requested path.
    pub path: String,
    pub status: u16,
    pub reason: Reason,
    /// Size of the body in bytes, as far as it was read.
    pub size: u64,
    /// Start of the body as text.
    pub excerpt: String,
    /// The diagnosis with the current secrets: `valid` if they have been corrected since. Secrets are named `current`
    /// and `previous`.
    pub diagnosis: Diagnosis,
}

#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct RefusedId {
    pub id: String,
}

/// A rejected delivery with its headers and body, stored in memory only.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct RefusedDetail {
    pub row: RefusedDelivery,
    pub method: String,
    /// Value of its `Host` header.
    pub host: Option<String>,
    /// Address and port of the sender, or of a proxy in front of the receiver.
    pub peer: String,
    /// Headers, names in lower case. Values that may contain credentials are replaced by `(hidden)`.
    pub headers: Vec<(String, String)>,
    /// The stored part of the body as text; bytes that are not UTF-8 are replaced by `\u{fffd}`.
    pub body: String,
    /// The stored part of the body in base64.
    pub body_base64: String,
    /// Stored bytes of the body: at most 256 KiB, and none for older deliveries if the total is too large.
    pub kept: u64,
}

#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct Endpoint {
    /// The number it is for; absent for the workspace's own.
    pub number: Option<String>,
    /// Label of the number, or name of the workspace.
    pub label: String,
    /// Path of the receiver.
    pub path: String,
    /// URL on this machine; empty while the receiver is not listening.
    pub url: String,
    pub secrets: Vec<SecretStatus>,
    pub secret_use: SecretUse,
    /// When it last accepted a delivery, in Unix milliseconds; also before this start.
    pub last_event_at: Option<i64>,
    /// Deliveries accepted since the app started.
    pub events: u64,
    /// Deliveries rejected since the app started.
    pub refused: u64,
    pub last_refused: Option<EndpointRefusal>,
    pub health: EndpointHealth,
}

/// When the webhook secrets of an endpoint last signed a delivery, in Unix milliseconds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct SecretUse {
    pub current_at: Option<i64>,
    pub previous_at: Option<i64>,
    /// When the previous secret is removed, unless it is used again before; absent without a previous secret.
    pub previous_until: Option<i64>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct EndpointRefusal {
    pub at: i64,
    pub reason: Reason,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub enum EndpointHealth {
    /// The last delivery was accepted.
    Ok,
    /// No delivery has been received yet.
    Silent,
    /// The last delivery was rejected.
    Refusing,
    /// It has no secret, so every delivery is rejected.
    NoSecret,
    NotListening,
}

#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct TestEvent {
    pub workspace: String,
    /// The number of the endpoint; absent for the workspace's own.
    #[serde(default)]
    pub number: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct TestEventReport {
    /// HTTP status of the answer, if there was one.
    pub status: Option<u16>,
    pub error: Option<DeskError>,
    /// Time to the answer, in milliseconds.
    pub took_ms: u64,
    /// Whether it was stored and will be shown in Activity.
    pub stored: bool,
}
