//! Connection to the built-in provider.

use std::collections::BTreeMap;

use secrecy::SecretString;
use tokio::net::TcpListener;

use command_types::workspace::{SendingNumber, WorkspaceSettings};

/// The country of numbers without country code: the people of the sandbox are Brazilian.
pub const SANDBOX_COUNTRY: &str = "BR";

/// Connection settings of the built-in provider, and the listener for its webhooks. All of them are new at every start.
#[derive(Debug)]
pub struct SandboxLink {
    pub base_url: String,
    /// Path segment of the channel.
    pub channel: String,
    /// `messaging_product` of sends.
    pub messaging_product: String,
    pub workspace_uuid: String,
    pub token: SecretString,
    /// Signs its webhooks.
    pub webhook_secret: SecretString,
    pub numbers: Vec<SendingNumber>,
    pub waba_ids: Vec<String>,
    /// Names of WABAs, by their identifiers.
    pub waba_names: BTreeMap<String, String>,
    /// Accepts its webhooks.
    pub webhooks: TcpListener,
}

/// The part of a [`SandboxLink`] that is kept after the start.
#[derive(Debug)]
pub(crate) struct SandboxAccess {
    pub(crate) settings: WorkspaceSettings,
    pub(crate) token: SecretString,
    /// Signs the webhooks of this run.
    pub(crate) webhook_secret: SecretString,
    /// Address that its webhooks are sent to.
    pub(crate) webhooks: Option<std::net::SocketAddr>,
}

impl SandboxAccess {
    pub(crate) fn new(link: SandboxLink) -> (Self, SecretString, TcpListener) {
        let settings = WorkspaceSettings {
            name: "Sandbox".to_owned(),
            base_url: link.base_url,
            channel: link.channel,
            messaging_product: link.messaging_product,
            default_country: SANDBOX_COUNTRY.to_owned(),
            workspace_uuid: link.workspace_uuid,
            numbers: link.numbers,
            waba_ids: link.waba_ids,
            waba_names: link.waba_names,
            takes_user_ids: true,
            ..WorkspaceSettings::default()
        };
        let access = Self {
            settings,
            token: link.token,
            webhook_secret: link.webhook_secret.clone(),
            webhooks: link.webhooks.local_addr().ok(),
        };
        (access, link.webhook_secret, link.webhooks)
    }
}
