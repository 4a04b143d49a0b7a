//! How the built-in provider is reached.

use secrecy::SecretString;
use tokio::net::TcpListener;

use api::workspace::{SendingNumber, WorkspaceSettings};

/// How the core reaches the built-in provider, and where that one's webhooks come in. All of it is new at every start.
#[derive(Debug)]
pub struct SandboxLink {
    /// Base URL.
    pub base_url: String,
    /// Path segment of the channel.
    pub channel: String,
    /// Constant of sends.
    pub messaging_product: String,
    /// UUID of its workspace.
    pub workspace_uuid: String,
    /// Its token.
    pub token: SecretString,
    /// Signs its webhooks.
    pub webhook_secret: SecretString,
    /// Sending numbers: identifier and label.
    pub numbers: Vec<(String, String)>,
    /// WABAs.
    pub waba_ids: Vec<String>,
    /// Takes its webhooks.
    pub webhooks: TcpListener,
}

/// The part of a [`SandboxLink`] that is needed again and again.
#[derive(Debug)]
pub(crate) struct SandboxAccess {
    pub(crate) settings: WorkspaceSettings,
    pub(crate) token: SecretString,
    /// Signs the webhooks of this run.
    pub(crate) webhook_secret: SecretString,
    /// Where they come in.
    pub(crate) webhooks: Option<std::net::SocketAddr>,
}

impl SandboxAccess {
    pub(crate) fn new(link: SandboxLink) -> (Self, SecretString, TcpListener) {
        let settings = WorkspaceSettings {
            name: "Sandbox".to_owned(),
            base_url: link.base_url,
            channel: link.channel,
            messaging_product: link.messaging_product,
            workspace_uuid: link.workspace_uuid,
            numbers: link
                .numbers
                .into_iter()
                .map(|(id, label)| SendingNumber { id, label, ..SendingNumber::default() })
                .collect(),
            waba_ids: link.waba_ids,
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
