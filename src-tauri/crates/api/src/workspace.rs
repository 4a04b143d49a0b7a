//! Workspaces, preferences and the state of secrets.

use crate::error::Result;
use service::Reached;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::error::DeskError;

/// Identifier of the built-in sandbox workspace.
pub const SANDBOX_ID: &str = "sandbox";

/// What the desktop around the window has to offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct Presence {
    /// Whether an icon of the app is in a tray.
    pub tray: bool,
    /// Whether the desktop shows notifications.
    pub can_notify: bool,
    /// Whether starting the app once more shows the window of the running one.
    pub second_start: bool,
}

/// Reads the secrets again, after the keyring was unlocked, started or repaired.
#[derive(Clone, Copy, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct RefreshSecrets {
    /// Whether the desktop is to ask the person to unlock a locked keyring. Ends once they answered.
    pub unlock: bool,
}

/// A workspace in a list.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct WorkspaceSummary {
    /// Identifier.
    pub id: String,
    /// What the person calls it.
    pub name: String,
    /// Whether it is the built-in sandbox.
    pub sandbox: bool,
    /// Whether credentials are at hand.
    pub has_credentials: bool,
    /// Where the credentials are, or why they are not at hand.
    pub credentials: SecretPlace,
    /// Last day of the token, `YYYY-MM-DD`; empty where nobody said.
    pub token_expires_on: String,
    /// Days until then by this machine's calendar: 0 on the day itself, negative once it is over.
    pub token_days_left: Option<i64>,
    /// What needs somebody.
    pub attention: Attention,
}

/// What about a workspace needs somebody; of several things the one that is told first here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub enum Attention {
    /// Its token's last day is over.
    TokenExpired,
    /// An endpoint refused several deliveries in a row.
    WebhooksFailing,
    /// Its token expires within 14 days.
    TokenExpiring,
    /// Nothing.
    #[default]
    None,
}

/// How a workspace is reached and what belongs to it. Holds no secret.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase", default)]
pub struct WorkspaceSettings {
    /// What the person calls it.
    pub name: String,
    /// Base URL of the provider, `http` or `https`.
    pub base_url: String,
    /// First path segment of every endpoint, such as `messaging`.
    pub channel: String,
    /// Constant of sends; the channel where empty.
    pub messaging_product: String,
    /// The provider's workspace, sent as `x-workspace-uuid`.
    pub workspace_uuid: String,
    /// Which credentials are sent.
    pub credential_kind: CredentialKind,
    /// `x-client-id`, for client credentials.
    pub client_id: String,
    /// Sending numbers.
    pub numbers: Vec<SendingNumber>,
    /// Business manager, as a filter of the listing.
    pub business_id: String,
    /// WABAs that templates are created in.
    pub waba_ids: Vec<String>,
    /// Name of the multipart field that carries the WABA: `waba_ids` or `waba_id`.
    pub waba_field: WabaField,
    /// Last day of the token, `YYYY-MM-DD`, as the platform showed it (contract §5); empty where it never expires or
    /// nobody knows.
    pub token_expires_on: String,
    /// What the business manager is called.
    pub business_name: String,
    /// What WABAs are called, by their identifiers.
    pub waba_names: BTreeMap<String, String>,
    /// Whether the person confirmed that credentials and messages travel without encryption, for a base URL with `http`
    /// that is not of this machine.
    pub allow_unencrypted: bool,
}

/// Name of the multipart field that carries the WABA (contract §4.2 writes `waba_ids`, §2.1 `waba_id`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "snake_case")]
pub enum WabaField {
    /// As the table of the endpoint says.
    #[default]
    WabaIds,
    /// As the table of the resource says.
    WabaId,
}

/// Kind of credentials (contract §5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub enum CredentialKind {
    /// `Authorization: Bearer`.
    #[default]
    Bearer,
    /// `x-client-id` and `x-client-secret`.
    Client,
}

/// A number that sends.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase", default)]
pub struct SendingNumber {
    /// Identifier in the path of a send.
    pub id: String,
    /// What the person calls it.
    pub label: String,
    /// The WABA it belongs to; empty where nobody said.
    pub waba_id: String,
    /// Whether its webhooks come in at a path of their own, with secrets and a verify token of their own (contract §6:
    /// the URL is configured for each number).
    pub own_webhook: bool,
}

/// A workspace as its form shows it.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct Workspace {
    /// Identifier.
    pub id: String,
    /// Whether it is the built-in sandbox, whose connection cannot be changed.
    pub sandbox: bool,
    /// How it is reached.
    pub settings: WorkspaceSettings,
    /// Which secrets are at hand.
    pub secrets: Vec<SecretStatus>,
    /// Path of the receiver for this workspace's webhooks, such as `/webhook/1f…`.
    pub webhook_path: String,
}

/// The secrets of a workspace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub enum SecretKind {
    /// Bearer token.
    Token,
    /// `x-client-secret`.
    ClientSecret,
    /// Signs webhooks.
    WebhookSecret,
    /// Signed webhooks before a rotation.
    PreviousWebhookSecret,
    /// Answers the handshake of the webhook.
    VerifyToken,
}

impl SecretKind {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Token, Self::ClientSecret, Self::WebhookSecret, Self::PreviousWebhookSecret, Self::VerifyToken];
    /// Those of an endpoint.
    pub const OF_ENDPOINT: [Self; 3] = [Self::WebhookSecret, Self::PreviousWebhookSecret, Self::VerifyToken];
}

/// Where a secret is. The secret itself never reaches the window.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct SecretStatus {
    /// Which secret.
    pub kind: SecretKind,
    /// The number whose endpoint it belongs to; absent for those of the workspace.
    pub number: Option<String>,
    /// Where it is.
    pub place: SecretPlace,
    /// Why it cannot be read, where it cannot.
    pub reason: Option<String>,
    /// Scheme, host and port that a credential was entered for.
    pub origin: Option<String>,
}

/// Where a secret is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub enum SecretPlace {
    /// Nowhere.
    Absent,
    /// In the system keyring.
    Keyring,
    /// In memory until the app ends.
    Session,
    /// In the system keyring or nowhere: it is locked.
    Locked,
    /// In the system keyring or nowhere: it cannot be read.
    Unreadable,
    /// An older secret is in the system keyring and could not be removed. It is not used.
    Stale,
    /// A credential is there for another address than the configured one. It is not used.
    OtherAddress,
}

/// Names a workspace.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct WorkspaceId {
    /// Identifier.
    pub workspace: String,
}

/// A workspace to store.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct SaveWorkspace {
    /// Absent for a new one.
    pub workspace: Option<String>,
    /// How it is reached.
    pub settings: WorkspaceSettings,
    /// Secrets to set; those not named stay.
    #[serde(default)]
    pub secrets: Vec<SecretInput>,
    /// Keep the secrets in memory only; the person chose so because the keyring cannot keep them.
    #[serde(default)]
    pub session_only: bool,
}

/// A secret as typed. Debug never shows it.
#[derive(Clone, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct SecretInput {
    /// Which secret.
    pub kind: SecretKind,
    /// The number whose endpoint it belongs to; absent for those of the workspace.
    #[serde(default)]
    pub number: Option<String>,
    /// The secret; empty removes it.
    #[ts(type = "string")]
    pub value: secrecy::SecretString,
}

impl std::fmt::Debug for SecretInput {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SecretInput").field("kind", &self.kind).field("number", &self.number).finish_non_exhaustive()
    }
}

/// What *Test connection* found, step by step.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct ConnectionReport {
    /// In order; the first failure ends the test.
    pub steps: Vec<ConnectionStep>,
}

/// A step of *Test connection*.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct ConnectionStep {
    /// `address`, `reach`, `credentials`, `listing`.
    pub name: String,
    /// Whether it went well.
    pub ok: bool,
    /// Why it did not.
    pub error: Option<DeskError>,
    /// Templates on the first page of the listing.
    pub templates: Option<u64>,
    /// Whether there are more pages.
    pub more: bool,
}

impl ConnectionReport {
    /// Adds a step that went well.
    pub fn passed(&mut self, name: &str, reached: Option<Reached>) {
        let templates = reached.as_ref().map(|reached| reached.templates as u64);
        let more = reached.is_some_and(|reached| reached.more);
        self.steps.push(ConnectionStep { name: name.to_owned(), ok: true, error: None, templates, more });
    }

    /// Adds the step at which the test ended.
    pub fn failed(&mut self, name: &str, error: DeskError) {
        self.steps.push(ConnectionStep {
            name: name.to_owned(),
            ok: false,
            error: Some(error),
            templates: None,
            more: false,
        });
    }
}

impl CredentialKind {
    /// The secret that these credentials need.
    #[must_use]
    pub fn secret(self) -> SecretKind {
        match self {
            Self::Bearer => SecretKind::Token,
            Self::Client => SecretKind::ClientSecret,
        }
    }
}

impl WorkspaceSettings {
    /// The constant of sends: as set, else the channel's word.
    #[must_use]
    pub fn product(&self) -> &str {
        if self.messaging_product.is_empty() { &self.channel } else { &self.messaging_product }
    }

    /// Where credentials are sent: scheme, host and port of the base URL.
    ///
    /// # Errors
    /// [`DeskError::InvalidInput`] for a base URL that cannot be used.
    pub fn origin(&self) -> Result<String> {
        Ok(service::parse_base_url(&self.base_url)?.origin().ascii_serialization())
    }
}

impl From<WabaField> for service::WabaField {
    fn from(field: WabaField) -> Self {
        match field {
            WabaField::WabaIds => Self::WabaIds,
            WabaField::WabaId => Self::WabaId,
        }
    }
}
