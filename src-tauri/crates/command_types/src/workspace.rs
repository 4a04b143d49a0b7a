//! Workspaces, preferences and the locations of secrets.

use crate::error::Result;
use model::event::identity::{is_number, is_user_id};
use provider_client::ConnectionCheck;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

pub use store::desk::WorkspaceContents;

use crate::error::DeskError;
use crate::health::{ConnectionHealth, WebhookHealth};

pub const SANDBOX_ID: &str = "sandbox";

/// Choice in place of a country: the numbers include the code of their country.
pub const CODE_INCLUDED: &str = "+";

/// A country with a numbering plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct Country {
    /// ISO 3166 two-letter code.
    pub code: String,
    /// Digits that numbers of the country begin with abroad, such as `55`.
    pub calling_code: String,
}

/// Capabilities of the desktop environment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct Presence {
    pub tray: bool,
    pub can_notify: bool,
    /// Whether starting the app again shows the window of the running instance.
    pub second_start: bool,
    /// Whether the app starts when the person logs in; absent if that cannot be set here.
    pub starts_at_login: Option<bool>,
}

/// Answer to [`DeskEvent::CloseAsked`](crate::event::DeskEvent::CloseAsked).
#[derive(Clone, Copy, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct AnswerClose {
    /// Whether the app closes, and what is running with it.
    pub close: bool,
}

/// Request to start the app at login, or no longer.
#[derive(Clone, Copy, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct SetLoginStart {
    pub on: bool,
}

/// Request to read the secrets again, after the keyring was unlocked, started or repaired.
#[derive(Clone, Copy, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct RefreshSecrets {
    /// Whether to prompt the person to unlock a locked keyring. Returns after their answer.
    pub unlock: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct WorkspaceSummary {
    pub id: String,
    pub name: String,
    pub sandbox: bool,
    pub has_credentials: bool,
    /// Where the credentials are, or why they are not available.
    pub credentials: SecretPlace,
    /// Last day of the token, `YYYY-MM-DD`; empty if unknown.
    pub token_expires_on: String,
    /// Days until that day in local time: 0 on the day itself, negative after it.
    pub token_days_left: Option<i64>,
    /// The most urgent problem.
    pub attention: Attention,
    pub connection: ConnectionHealth,
    pub webhooks: WebhookHealth,
    /// What is to be added to the clock of this machine for the provider's time, in milliseconds; 0 while they agree
    /// within two minutes.
    pub clock_offset: i64,
    /// How far the clocks seem to be apart, for a person to look at: also by one answer that nothing confirms yet, or that
    /// events contradict, while `clock_offset` is 0.
    pub clock_difference: i64,
}

/// A problem of a workspace that needs attention, the most urgent first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub enum Attention {
    /// The last day of its token has passed.
    TokenExpired,
    /// An endpoint rejected several deliveries in a row.
    WebhooksFailing,
    /// Its token expires within 14 days.
    TokenExpiring,
    #[default]
    None,
}

/// Connection settings of a workspace. Contain no secret.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase", default)]
pub struct WorkspaceSettings {
    pub name: String,
    /// Base URL of the provider, `http` or `https`.
    pub base_url: String,
    /// First path segment of every endpoint, such as `messaging`.
    pub channel: String,
    /// `messaging_product` of sends; if empty, the channel.
    pub messaging_product: String,
    /// The provider's workspace, sent as `x-workspace-uuid`.
    pub workspace_uuid: String,
    pub credential_kind: CredentialKind,
    /// `x-client-id`, for client credentials.
    pub client_id: String,
    pub numbers: Vec<SendingNumber>,
    /// Business manager that filters the listing.
    pub business_id: String,
    /// WABAs to create templates in.
    pub waba_ids: Vec<String>,
    /// Name of the multipart field that carries the WABA: `waba_ids` or `waba_id`.
    pub waba_field: WabaField,
    /// Last day of the token, `YYYY-MM-DD`, as shown by the platform (contract §5); empty if it never expires or is
    /// unknown.
    pub token_expires_on: String,
    pub business_name: String,
    /// Names of WABAs, by their identifiers.
    pub waba_names: BTreeMap<String, String>,
    /// Whether the person confirmed that credentials and messages are sent without encryption, for an `http` base URL
    /// that is not on this machine.
    pub allow_unencrypted: bool,
    /// Country of recipients' numbers that are written without a country code: its ISO 3166 code, `+` if they include the
    /// code, empty if that is unknown.
    pub default_country: String,
    /// Whether the provider takes the user id of a person in place of a number (`recipient`, upstream §14.6), as the
    /// person says. The contract has `to` only.
    pub takes_user_ids: bool,
}

/// Name of the multipart field that carries the WABA (`waba_ids` in contract §4.2, `waba_id` in §2.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "snake_case")]
pub enum WabaField {
    /// As in the table of the endpoint.
    #[default]
    WabaIds,
    /// As in the table of the resource.
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

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase", default)]
pub struct SendingNumber {
    /// Identifier in the path of a send.
    pub id: String,
    pub label: String,
    /// The WABA it belongs to; empty if unknown.
    pub waba_id: String,
    /// Whether it has its own webhook path, with its own secrets and verify token (contract §6: the URL is configured
    /// for each number).
    pub own_webhook: bool,
}

impl SendingNumber {
    /// Its label; its identifier if it has none.
    #[must_use]
    pub fn name(&self) -> &str {
        if self.label.is_empty() { &self.id } else { &self.label }
    }
}

/// A workspace for its form.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct Workspace {
    pub id: String,
    /// Whether it is the built-in sandbox, whose connection cannot be changed.
    pub sandbox: bool,
    pub settings: WorkspaceSettings,
    pub secrets: Vec<SecretStatus>,
    /// Receiver path of this workspace's webhooks, such as `/webhook/1f…`.
    pub webhook_path: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub enum SecretKind {
    Token,
    /// `x-client-secret`.
    ClientSecret,
    /// Secret that signs webhooks.
    WebhookSecret,
    /// Secret that signed webhooks before a rotation.
    PreviousWebhookSecret,
    /// Token of the webhook verification handshake.
    VerifyToken,
}

impl SecretKind {
    pub const ALL: [Self; 5] =
        [Self::Token, Self::ClientSecret, Self::WebhookSecret, Self::PreviousWebhookSecret, Self::VerifyToken];
    /// Secrets that may have signed a webhook.
    pub const SIGNING: [Self; 2] = [Self::WebhookSecret, Self::PreviousWebhookSecret];
    pub const OF_ENDPOINT: [Self; 3] = [Self::WebhookSecret, Self::PreviousWebhookSecret, Self::VerifyToken];
}

/// State of a secret. The secret itself never reaches the window.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct SecretStatus {
    pub kind: SecretKind,
    /// The number of its endpoint; absent for secrets of the workspace.
    pub number: Option<String>,
    pub place: SecretPlace,
    /// Why it cannot be read, if it cannot.
    pub reason: Option<String>,
    /// Scheme, host and port for which a credential was entered.
    pub origin: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub enum SecretPlace {
    Absent,
    /// In the system keyring.
    Keyring,
    /// In memory until the app ends.
    Session,
    /// In the system keyring or absent: the keyring is locked.
    Locked,
    /// In the system keyring or absent: it cannot be read.
    Unreadable,
    /// An older secret in the system keyring could not be removed. It is not used.
    Stale,
    /// The credential is bound to another address than the configured one. It is not used.
    OtherAddress,
}

#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct WorkspaceId {
    pub workspace: String,
}

#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct SaveWorkspace {
    /// Absent for a new one.
    pub workspace: Option<String>,
    pub settings: WorkspaceSettings,
    /// Secrets to set; others are kept.
    #[serde(default)]
    pub secrets: Vec<SecretInput>,
    /// Whether to keep the secrets in memory only, which the person chose because the keyring cannot store them.
    #[serde(default)]
    pub session_only: bool,
}

/// A typed secret, hidden in `Debug` output.
#[derive(Clone, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct SecretInput {
    pub kind: SecretKind,
    /// The number of its endpoint; absent for secrets of the workspace.
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

#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct WorkspaceProblem {
    /// Path in the request, such as `baseUrl` or `numbers/0/id`.
    pub field: String,
    pub code: WorkspaceProblemCode,
    /// Values of its sentence, by name: `character` of [`WorkspaceProblemCode::UuidCharacter`], `digits` of
    /// [`WorkspaceProblemCode::UuidLength`], `name` of [`WorkspaceProblemCode::UuidTaken`], `number` and `waba` of the
    /// warnings.
    pub values: BTreeMap<String, String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub enum WorkspaceProblemCode {
    NameMissing,
    /// Another workspace has the name.
    NameTaken,
    BaseUrlMissing,
    /// The base URL is no address.
    BaseUrlInvalid,
    /// The base URL starts with neither `https://` nor `http://`.
    BaseUrlScheme,
    /// The base URL has a user name or password.
    BaseUrlCredentials,
    /// The base URL has a query or fragment.
    BaseUrlQuery,
    /// The base URL is the address of an endpoint: its `path` is to be removed.
    BaseUrlEndpoint,
    /// Credentials would be sent unencrypted to another machine.
    Unencrypted,
    UuidMissing,
    /// The workspace UUID has another character than hexadecimal digits and hyphens.
    UuidCharacter,
    /// The workspace UUID has more or fewer than 32 hexadecimal digits.
    UuidLength,
    /// The hyphens of the workspace UUID are in other places than after the digits 8, 12, 16 and 20.
    UuidHyphens,
    /// Another workspace, its `name`, is the same one at the provider.
    UuidTaken,
    /// The channel is not one path segment.
    ChannelInvalid,
    /// Client credentials have no client ID.
    ClientIdMissing,
    /// A token, client ID or client secret has spaces or characters that no header can carry.
    CredentialInvalid,
    /// A WABA ID has other characters than digits.
    WabaInvalid,
    NumberRepeated,
    DateInvalid,
    /// The default country is no ISO 3166 code of a country with a numbering plan.
    CountryInvalid,
    /// A secret belongs to a number without its own endpoint.
    EndpointMissing,
    /// A number ID looks like a phone number. A warning: the contract does not say what an identifier looks like.
    NumberIdUnlikely,
    /// The WABA of a number is not in the list of WABAs. A warning.
    NumberWabaUnlisted,
    /// The provider lists templates, but none of this WABA. A warning.
    WabaWithoutTemplates,
}

/// Result of *Test connection*, step by step.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct ConnectionReport {
    /// In order; the first failure ends the test.
    pub steps: Vec<ConnectionStep>,
    /// Settings that are probably wrong and that the test cannot try.
    pub warnings: Vec<WorkspaceProblem>,
}

#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct ConnectionStep {
    /// `address`, `reach`, `credentials`, `listing`.
    pub name: String,
    pub ok: bool,
    pub error: Option<DeskError>,
    /// Templates on the first page of the listing.
    pub templates: Option<u64>,
    /// Whether there are more pages.
    pub more: bool,
}

impl ConnectionReport {
    pub fn passed(&mut self, name: &str, reached: Option<ConnectionCheck>) {
        let templates = reached.as_ref().map(|reached| reached.templates as u64);
        let more = reached.is_some_and(|reached| reached.more);
        self.steps.push(ConnectionStep { name: name.to_owned(), ok: true, error: None, templates, more });
    }

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
    #[must_use]
    pub fn secret(self) -> SecretKind {
        match self {
            Self::Bearer => SecretKind::Token,
            Self::Client => SecretKind::ClientSecret,
        }
    }
}

impl WorkspaceSettings {
    /// `messaging_product` of sends: as set, else the channel.
    #[must_use]
    pub fn product(&self) -> &str {
        if self.messaging_product.is_empty() { &self.channel } else { &self.messaging_product }
    }

    /// Whether messages can be sent to a contact with this identifier: a number or, where the provider takes it, a user id.
    #[must_use]
    pub fn can_send_to(&self, contact: &str) -> bool {
        is_number(contact) || (self.takes_user_ids && is_user_id(contact))
    }

    /// Whether messages can be sent from a number: one that is listed, or any while none is.
    #[must_use]
    pub fn sends_from(&self, number: &str) -> bool {
        self.numbers.is_empty() || self.numbers.iter().any(|listed| listed.id.trim() == number.trim())
    }

    /// The other numbers, whose messages open no reply window of this one; none if it is not known.
    #[must_use]
    pub fn numbers_beside(&self, number: &str) -> Vec<String> {
        if !self.numbers.iter().any(|known| known.id == number) {
            return Vec::new();
        }
        self.numbers.iter().map(|known| known.id.clone()).filter(|id| id != number).collect()
    }

    /// The WABAs that the settings name.
    pub fn wabas(&self) -> impl Iterator<Item = &str> {
        let of_numbers = self.numbers.iter().map(|number| &number.waba_id);
        let named = self.waba_ids.iter().chain(self.waba_names.keys()).chain(of_numbers);
        named.map(String::as_str).filter(|waba| !waba.is_empty())
    }

    /// The name of a WABA; its identifier if it has none.
    #[must_use]
    pub fn waba_name<'a>(&'a self, waba: &'a str) -> &'a str {
        self.waba_names.get(waba).map_or(waba, String::as_str)
    }

    /// The origin that credentials are sent to: scheme, host and port of the base URL.
    ///
    /// # Errors
    /// [`DeskError::InvalidInput`] for an invalid base URL.
    pub fn origin(&self) -> Result<String> {
        Ok(provider_client::parse_base_url(&self.base_url)?.origin().ascii_serialization())
    }
}

impl From<WabaField> for provider_client::WabaField {
    fn from(field: WabaField) -> Self {
        match field {
            WabaField::WabaIds => Self::WabaIds,
            WabaField::WabaId => Self::WabaId,
        }
    }
}
