//! Workspaces: provider connections, their secrets, and connection tests.

mod connection_test;
mod deletion;
mod health;
mod keyring_watch;
mod preferences;
mod sandbox;
mod secret_rotation;
mod secret_use;
mod settings;
mod token_expiry;
mod unfinished_forms;
pub(crate) mod webhook_endpoints;

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use provider_client::{Client, Credentials, Endpoint, Reach, Timeouts};
use secrecy::{ExposeSecret as _, SecretString};

use self::health::Health;
pub(crate) use self::keyring_watch::stale_entries;
pub(crate) use self::sandbox::SandboxAccess;
pub use self::sandbox::{SANDBOX_COUNTRY, SandboxLink};
use self::webhook_endpoints::{EndpointKey, Endpoints};
use crate::context::secrets::{Audience, Owner, SecretState, field};
use crate::context::{Context, Hooks, lock};
use crate::workspaces::token_expiry::{attention, days_left, today};
use command_types::error::{ConflictFault, DeskError, Missing, Result};
use command_types::event::DeskEvent;
use command_types::language::Language;
use command_types::preferences::Preferences;
pub use command_types::workspace::SANDBOX_ID;
use command_types::workspace::{
    Attention, CredentialKind, SaveWorkspace, SecretInput, SecretKind, SecretPlace, SecretStatus, Workspace,
    WorkspaceId, WorkspaceSettings, WorkspaceSummary,
};
use outgoing::{now, to_json};

/// Receiver path for the webhooks of a workspace.
#[must_use]
pub fn webhook_path(workspace: &str) -> String {
    format!("/webhook/{workspace}")
}

/// The form field of a setting of a number.
pub(crate) fn number_field(settings: &WorkspaceSettings, number: &str, field: &str) -> String {
    match settings.numbers.iter().position(|other| other.id == number) {
        Some(place) => format!("numbers/{place}/{field}"),
        None => field.to_owned(),
    }
}

/// Workspaces, their secrets and their webhook endpoints. Clones share one state.
#[derive(Clone, Debug)]
pub struct Workspaces(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    context: Arc<Context>,
    sandbox: Option<SandboxAccess>,
    /// Whether every workspace may fetch media from addresses of this machine.
    loopback_media: bool,
    clients: Mutex<HashMap<String, Client>>,
    preferences: Mutex<Preferences>,
    system_language: Mutex<Language>,
    endpoints: Endpoints,
    health: Health,
    secrets_changed: Hooks<()>,
    deleted: Hooks<String>,
}

impl Workspaces {
    pub(crate) async fn new(
        context: Arc<Context>,
        sandbox: Option<SandboxAccess>,
        loopback_media: bool,
    ) -> Result<Self> {
        let preferences = Mutex::new(preferences::stored(&context.desk).await?);
        let endpoints = Endpoints::new(&context.desk).await?;
        Ok(Self(Arc::new(Inner {
            context,
            sandbox,
            loopback_media,
            clients: Mutex::default(),
            preferences,
            system_language: Mutex::default(),
            endpoints,
            health: Health::default(),
            secrets_changed: Hooks::default(),
            deleted: Hooks::default(),
        })))
    }

    /// Hooks that run when secrets or endpoints change.
    pub(crate) fn secrets_changed(&self) -> &Hooks<()> {
        &self.0.secrets_changed
    }

    /// Hooks that run after a workspace was deleted, with its identifier.
    pub(crate) fn deleted(&self) -> &Hooks<String> {
        &self.0.deleted
    }

    /// Access to the built-in provider, if there is one and this is its workspace.
    pub(crate) fn sandbox(&self, workspace: &str) -> Option<&SandboxAccess> {
        self.0.sandbox.as_ref().filter(|_| workspace == SANDBOX_ID)
    }

    /// Which untrusted addresses may be fetched for a workspace.
    pub(crate) fn reach(&self, workspace: &str) -> Reach {
        let loopback = self.0.loopback_media || self.sandbox(workspace).is_some();
        if loopback { Reach::InternetAndLoopback } else { Reach::Internet }
    }

    /// Activity of the webhook endpoints.
    pub(crate) fn endpoints(&self) -> &Endpoints {
        &self.0.endpoints
    }

    /// Adds the sandbox workspace on the first start.
    pub(crate) async fn ensure_sandbox_workspace(&self) -> Result<()> {
        let Some(sandbox) = &self.0.sandbox else { return Ok(()) };
        if self.0.context.desk.workspace(SANDBOX_ID).await?.is_some() {
            return Ok(());
        }
        let at = now();
        let row = store::desk::Workspace {
            id: SANDBOX_ID.to_owned(),
            position: 0,
            settings: to_json(&WorkspaceSettings {
                name: sandbox.settings.name.clone(),
                ..WorkspaceSettings::default()
            })?,
            created_at: at,
            updated_at: at,
        };
        Ok(self.0.context.desk.upsert_workspace(row).await?)
    }

    pub(crate) async fn workspace_summaries(&self) -> Result<Vec<WorkspaceSummary>> {
        let mut summaries = Vec::new();
        let today = today();
        for row in self.0.context.desk.workspaces().await? {
            let sandbox = row.id == SANDBOX_ID;
            if sandbox && self.0.sandbox.is_none() {
                continue;
            }
            let settings = stored(&row.settings)?;
            let credentials = if sandbox {
                SecretPlace::Session
            } else {
                let kind = settings.credential_kind.secret();
                match settings.origin() {
                    Ok(origin) => self.0.context.secrets.credential(&row.id, kind, &origin).await.place_for(&origin),
                    Err(_) => self.0.context.secrets.look_up(&row.id, kind).await.place,
                }
            };
            let has_credentials = matches!(credentials, SecretPlace::Session | SecretPlace::Keyring);
            let token_days_left = days_left(&settings, today);
            let attention = attention(token_days_left);
            let failing = self.0.endpoints.is_failing(&row.id);
            summaries.push(WorkspaceSummary {
                connection: self.connection_health(&row.id),
                webhooks: self.webhook_health(&row.id),
                clock_offset: self.clock_offset(&row.id),
                clock_difference: self.clock_difference(&row.id),
                id: row.id,
                name: settings.name,
                sandbox,
                has_credentials,
                credentials,
                token_expires_on: settings.token_expires_on,
                token_days_left,
                attention: if failing { attention.min(Attention::WebhooksFailing) } else { attention },
            });
        }
        Ok(summaries)
    }

    /// The name of a workspace; its identifier if the name cannot be read.
    pub async fn workspace_name(&self, workspace: &str) -> String {
        self.settings(workspace).await.map_or_else(|_| workspace.to_owned(), |settings| settings.name)
    }

    pub(crate) async fn settings(&self, workspace: &str) -> Result<WorkspaceSettings> {
        if workspace == SANDBOX_ID
            && let Some(sandbox) = &self.0.sandbox
        {
            return Ok(sandbox.settings.clone());
        }
        match self.0.context.desk.workspace(workspace).await? {
            Some(row) => stored(&row.settings),
            None => Err(DeskError::not_found(Missing::Workspace)),
        }
    }

    /// # Errors
    /// [`DeskError::MissingCredentials`] when there are no credentials; [`DeskError::KeyringUnavailable`] when the
    /// keyring cannot be read.
    pub(crate) async fn client(&self, workspace: &str) -> Result<Client> {
        if let Some(client) = lock(&self.0.clients).get(workspace) {
            return Ok(client.clone());
        }
        let settings = self.settings(workspace).await?;
        let secret = match &self.0.sandbox {
            Some(sandbox) if workspace == SANDBOX_ID => sandbox.token.clone(),
            _ => {
                let origin = settings.origin()?;
                let kind = settings.credential_kind.secret();
                self.0.context.secrets.credential(workspace, kind, &origin).await.require_for(kind, &origin)?
            }
        };
        let client = self.observed(workspace, connect(&settings, secret)?);
        lock(&self.0.clients).insert(workspace.to_owned(), client.clone());
        Ok(client)
    }

    pub async fn get_workspace(&self, request: WorkspaceId) -> Result<Workspace> {
        let id = request.workspace;
        let sandbox = id == SANDBOX_ID;
        let settings = self.settings(&id).await?;
        let secrets = if sandbox {
            let state =
                |kind| SecretStatus { kind, number: None, place: SecretPlace::Session, reason: None, origin: None };
            vec![state(SecretKind::Token), state(SecretKind::WebhookSecret)]
        } else {
            let mut secrets = self.0.context.secrets.status(&id).await;
            let origin = settings.origin().ok();
            for secret in secrets.iter_mut().filter(|secret| secret.origin.is_some() && secret.origin != origin) {
                secret.place = SecretPlace::OtherAddress;
            }
            for number in settings.numbers.iter().filter(|number| number.own_webhook) {
                secrets.extend(self.0.context.secrets.status(Owner::new(&id, Some(&number.id))).await);
            }
            secrets
        };
        Ok(Workspace { webhook_path: webhook_path(&id), id, sandbox, settings, secrets })
    }

    /// Adds or changes a workspace. Secrets are written first: settings without their secret would look complete.
    ///
    /// # Errors
    /// [`DeskError::InvalidInput`] at the invalid field; [`DeskError::KeyringUnavailable`] when a secret cannot be
    /// stored; [`DeskError::Conflict`] for the sandbox, which cannot be edited.
    pub async fn save_workspace(&self, request: SaveWorkspace) -> Result<Workspace> {
        if request.workspace.as_deref() == Some(SANDBOX_ID) {
            return Err(DeskError::conflict(ConflictFault::BuiltIn {}));
        }
        let settings = settings::normalize(request.settings);
        settings::check(&settings, &request.secrets)?;
        self.check_unique(request.workspace.as_deref(), &settings).await?;
        let at = now();
        let is_new = request.workspace.is_none();
        let (id, position, created_at, before) = match request.workspace {
            Some(id) => {
                let row = self.0.context.desk.workspace(&id).await?;
                let row = row.ok_or_else(|| DeskError::not_found(Missing::Workspace))?;
                self.check_audience(&row, &settings, &request.secrets).await?;
                (row.id.clone(), row.position, row.created_at, webhook_endpoints::endpoint_keys(&row))
            }
            None => {
                let last = self.0.context.desk.workspaces().await?.iter().map(|row| row.position).max();
                (uuid::Uuid::new_v4().to_string(), last.unwrap_or(0) + 1, at, Vec::new())
            }
        };
        let json = to_json(&settings)?;
        let row = store::desk::Workspace { id: id.clone(), position, settings: json, created_at, updated_at: at };
        let endpoint_keys = webhook_endpoints::endpoint_keys(&row);
        let storing = async {
            for secret in &request.secrets {
                let value = SecretString::from(settings::as_meant(secret.kind, secret.value.expose_secret()));
                let (number, session_only) = (secret.number.as_deref(), request.session_only);
                let (owner, kind) = (Owner::new(&id, number), secret.kind);
                let at_field = |kind, error: DeskError| match number {
                    Some(number) => error.at_secret(number_field(&settings, number, field(kind))),
                    None => error,
                };
                let previous = SecretKind::PreviousWebhookSecret;
                let names_previous =
                    request.secrets.iter().any(|other| other.kind == previous && other.number == secret.number);
                let prepared = self.before_secret_is_set(owner, kind, &value, !names_previous, session_only).await;
                let change = prepared.map_err(|error| at_field(previous, error))?;
                let audience = self.audience_of(&id, kind, &settings).await?;
                let set = self.0.context.secrets.set(owner, kind, value, audience, session_only).await;
                set.map_err(|error| at_field(kind, error))?;
                self.secret_was_set(owner, change);
            }
            // Before the settings are stored: the secrets of an unlisted endpoint could not be found later.
            for endpoint in before.iter().filter(|endpoint| !endpoint_keys.contains(endpoint)) {
                self.0.context.secrets.forget(endpoint.owner()).await?;
            }
            Ok(self.0.context.desk.upsert_workspace(row).await?)
        };
        let stored: Result<()> = storing.await;
        if stored.is_err() && is_new {
            // Do not keep the secrets of a workspace that was not created.
            let forgotten = self.forget_secrets(&endpoint_keys).await;
            tracing::debug!(forgotten = forgotten.is_ok(), "a workspace could not be added");
        }
        self.save_stale_entries().await?;
        lock(&self.0.clients).remove(&id);
        self.reset_connection(&id);
        self.0.secrets_changed.run(()).await?;
        stored?;
        self.mark_reminded(&id, &settings).await?;
        self.0.context.emit(DeskEvent::WorkspacesChanged {});
        self.get_workspace(WorkspaceId { workspace: id }).await
    }

    /// Refuses a base URL that would send stored credentials to another origin than they were entered for.
    async fn check_audience(
        &self,
        row: &store::desk::Workspace,
        settings: &WorkspaceSettings,
        named: &[SecretInput],
    ) -> Result<()> {
        let kind = settings.credential_kind.secret();
        if named.iter().any(|secret| secret.kind == kind && secret.number.is_none()) {
            return Ok(());
        }
        let (before, now) = (stored(&row.settings).and_then(|before| before.origin()).ok(), settings.origin()?);
        let state = match &before {
            Some(before) => self.0.context.secrets.credential(&row.id, kind, before).await,
            None => self.0.context.secrets.look_up(&row.id, kind).await,
        };
        let was_for = match &state {
            SecretState { audience: Some(audience), .. } => Some(&audience.origin),
            SecretState { place: SecretPlace::Absent, .. } => return Ok(()),
            // A credential that the keyring cannot read was entered for the previous address.
            _ => before.as_ref(),
        };
        if was_for == Some(&now) {
            return Ok(());
        }
        let was_for = was_for.map_or("another address", String::as_str);
        Err(DeskError::invalid(
            field(kind),
            format!(
                "The base URL is for {now}, but the stored credentials were entered for {was_for}. They are not sent \
                 to another address. Enter the credentials for {now}."
            ),
        ))
    }

    /// The audience of a newly entered credential; none for other secrets. Confirmed media hosts are kept while the
    /// provider stays the same.
    async fn audience_of(
        &self,
        workspace: &str,
        kind: SecretKind,
        settings: &WorkspaceSettings,
    ) -> Result<Option<Audience>> {
        if !matches!(kind, SecretKind::Token | SecretKind::ClientSecret) {
            return Ok(None);
        }
        let origin = settings.origin()?;
        let known = self.0.context.secrets.look_up(workspace, kind).await.audience;
        Ok(Some(known.filter(|known| known.origin == origin).unwrap_or_else(|| Audience::of(origin))))
    }

    /// Removes the drafts, sends, cached templates and everything else of the sandbox workspace, which starts again.
    pub(crate) async fn clear_sandbox(&self) -> Result<()> {
        self.0.context.desk.delete_workspace(SANDBOX_ID).await?;
        self.0.deleted.run(SANDBOX_ID.to_owned()).await?;
        self.0.context.cache.remove_workspace(SANDBOX_ID).await?;
        self.ensure_sandbox_workspace().await?;
        self.0.context.emit(DeskEvent::WorkspacesChanged {});
        Ok(())
    }

    /// Removes every secret of a workspace and of its numbers' endpoints.
    async fn forget_secrets(&self, endpoint_keys: &[EndpointKey]) -> Result<()> {
        for endpoint in endpoint_keys {
            self.0.context.secrets.forget(endpoint.owner()).await?;
        }
        Ok(())
    }

    /// The stored credential, for a base URL that is not stored yet.
    async fn stored_credential(&self, workspace: &str, settings: &WorkspaceSettings) -> Result<SecretString> {
        if let Some(row) = self.0.context.desk.workspace(workspace).await? {
            self.check_audience(&row, settings, &[]).await?;
        }
        let kind = settings.credential_kind.secret();
        self.0.context.secrets.look_up(workspace, kind).await.require_for(kind, &settings.origin()?)
    }
}

fn stored(settings: &str) -> Result<WorkspaceSettings> {
    serde_json::from_str(settings)
        .map_err(|error| DeskError::Storage { reason: format!("the settings of a workspace cannot be read: {error}") })
}

fn connect(settings: &WorkspaceSettings, secret: SecretString) -> Result<Client> {
    let base_url = provider_client::parse_base_url(&settings.base_url)?;
    let credentials = match settings.credential_kind {
        CredentialKind::Bearer => Credentials::Bearer(secret),
        CredentialKind::Client => Credentials::Client { id: settings.client_id.clone(), secret },
    };
    let endpoint = Endpoint {
        base_url,
        channel: settings.channel.clone(),
        workspace_uuid: settings.workspace_uuid.clone(),
        credentials,
        allow_unencrypted: settings.allow_unencrypted,
        waba_field: settings.waba_field.into(),
    };
    Ok(Client::new(endpoint, Timeouts::default())?)
}
