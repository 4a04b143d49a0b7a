//! Whether a workspace reaches its provider and receives webhooks, as the last attempt showed.

use serde::Serialize;
use ts_rs::TS;

use crate::error::DeskError;

/// The connection to the provider.
#[derive(Clone, Debug, Default, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct ConnectionHealth {
    pub state: ConnectionState,
    /// When the last request ended, in Unix milliseconds.
    pub at: Option<i64>,
    /// The error of the last request, if the state is a problem.
    pub error: Option<DeskError>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub enum ConnectionState {
    /// No request was sent since the start or since the settings changed.
    #[default]
    Unknown,
    /// The provider accepts the credentials.
    Working,
    /// The provider does not accept the credentials.
    Unauthorized,
    /// The provider cannot be reached or does not answer in time.
    Unreachable,
    /// The provider answers that it failed.
    Failing,
}

/// The webhooks of a workspace.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct WebhookHealth {
    pub state: WebhookState,
    /// When the last delivery was accepted or, if the state is a problem, when that was last seen; in Unix milliseconds.
    pub at: Option<i64>,
    /// Why a followed server is not followed, as sentences.
    pub reason: Option<String>,
}

/// The most urgent state, the least urgent first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub enum WebhookState {
    /// Nothing was rejected since the last accepted delivery.
    #[default]
    Working,
    /// The last delivery to an endpoint was rejected.
    Rejected,
    /// A server that is followed cannot be reached or refuses the token.
    ServerFailing,
    /// Several deliveries in a row were rejected.
    Rejecting,
}
