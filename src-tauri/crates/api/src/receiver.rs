//! State of the embedded receiver.

pub use receiver::Reason;
use receiver::doctor::Diagnosis;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::workspace::SecretStatus;
use crate::error::DeskError;

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
    /// Identifier, valid until the app ends.
    pub id: String,
    /// When, in Unix milliseconds.
    pub at: i64,
    /// Workspace of the path, where it has one.
    pub workspace: Option<String>,
    /// Path asked for.
    pub path: String,
    /// HTTP status answered.
    pub status: u16,
    /// Why.
    pub reason: Reason,
    /// Size of the body in bytes, as far as it was read.
    pub size: u64,
    /// Start of the body as text.
    pub excerpt: String,
    /// What is wrong with it, by the secrets known now: `valid` where they have been corrected since. Secrets are named
    /// `current` and `previous`.
    pub diagnosis: Diagnosis,
}

/// Names a refused delivery.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct RefusedId {
    /// Identifier.
    pub id: String,
}

/// A refused delivery with all that was kept of it, in memory only.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct RefusedDetail {
    /// As in the list.
    pub row: RefusedDelivery,
    /// Request method.
    pub method: String,
    /// The `Host` it named.
    pub host: Option<String>,
    /// Address and port of the sender, or of what stands in front of the receiver.
    pub peer: String,
    /// Headers, names in lower case. Those that may carry credentials have `(hidden)` for a value.
    pub headers: Vec<(String, String)>,
    /// The kept part of the body as text; what is not UTF-8 stands as `\u{fffd}`.
    pub body: String,
    /// The kept part of the body, byte for byte.
    pub body_base64: String,
    /// Bytes of the body that were kept: at most 256 KiB, and none of older ones where all together would be too much.
    pub kept: u64,
}

/// An address at which webhooks of a workspace come in.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct Endpoint {
    /// The number it is for; absent for the one of the workspace.
    pub number: Option<String>,
    /// What the person calls the number, or the workspace.
    pub label: String,
    /// Path of the receiver.
    pub path: String,
    /// Address on this machine; empty while nothing listens.
    pub url: String,
    /// Where its secrets are.
    pub secrets: Vec<SecretStatus>,
    /// When it last accepted a delivery, in Unix milliseconds; also before this start.
    pub last_event_at: Option<i64>,
    /// Deliveries accepted since the app started.
    pub events: u64,
    /// Deliveries refused since the app started.
    pub refused: u64,
    /// The last of those.
    pub last_refused: Option<EndpointRefusal>,
    /// How it does.
    pub health: EndpointHealth,
}

/// A delivery that an endpoint refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct EndpointRefusal {
    /// When, in Unix milliseconds.
    pub at: i64,
    /// Why.
    pub reason: Reason,
}

/// How an endpoint does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub enum EndpointHealth {
    /// The last delivery was accepted.
    Ok,
    /// Nothing has come in yet.
    Silent,
    /// The last delivery was refused.
    Refusing,
    /// It has no secret, so that every delivery is refused.
    NoSecret,
    /// Nothing listens at its address.
    NotListening,
}

/// Asks for a delivery of our own to an endpoint.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct TestEvent {
    /// Workspace.
    pub workspace: String,
    /// The number whose endpoint is meant; absent for the one of the workspace.
    #[serde(default)]
    pub number: Option<String>,
}

/// What became of a delivery of our own.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct TestEventReport {
    /// HTTP status of the answer, where there was one.
    pub status: Option<u16>,
    /// Why it was not accepted.
    pub error: Option<DeskError>,
    /// How long the answer took, in milliseconds.
    pub took_ms: u64,
    /// Whether it is stored and will be in Activity.
    pub stored: bool,
}
