//! Rotation of webhook secrets: the replaced secret is kept as the previous one until it has been unused for a day.

use secrecy::{ExposeSecret as _, SecretString};

use crate::context::secrets::Owner;
use crate::workspaces::webhook_endpoints::{EndpointKey, endpoint_keys};
use crate::workspaces::{SANDBOX_ID, Workspaces};
use command_types::error::Result;
use command_types::event::DeskEvent;
use command_types::workspace::{SecretKind, SecretPlace};
use outgoing::now;

impl Workspaces {
    /// Prepares to set a secret of an endpoint. With `keeps_replaced`, the webhook secret that it replaces is stored as the
    /// previous one, since nobody can read it to enter it. A secret that never signed a delivery, such as a mistyped one,
    /// replaces no previous secret.
    pub(super) async fn before_secret_is_set(
        &self,
        owner: Owner<'_>,
        kind: SecretKind,
        new: &SecretString,
        keeps_replaced: bool,
        session_only: bool,
    ) -> Result<()> {
        let endpoint = EndpointKey::from(owner);
        let secrets = &self.0.context.secrets;
        let replaced = Some(now());
        match kind {
            SecretKind::PreviousWebhookSecret => {
                self.change_secret_use(&endpoint, |used| (used.previous, used.replaced) = (None, replaced));
            }
            SecretKind::WebhookSecret => {
                let current = secrets.look_up(owner, kind).await;
                let Some(old) = current.secret.filter(|old| old.expose_secret() != new.expose_secret()) else {
                    return Ok(());
                };
                let is_unused = self.0.endpoints.record(&endpoint.path()).secrets.current.is_none();
                let previous = SecretKind::PreviousWebhookSecret;
                let keeps_previous = is_unused && secrets.get(owner, previous).await.is_some();
                if keeps_replaced && !keeps_previous && !new.expose_secret().is_empty() {
                    let session_only = session_only || current.place == SecretPlace::Session;
                    secrets.set(owner, previous, old, None, session_only).await?;
                    self.change_secret_use(&endpoint, |used| {
                        (used.previous, used.replaced) = (used.current, replaced);
                    });
                }
                self.change_secret_use(&endpoint, |used| used.current = None);
            }
            _ => {}
        }
        Ok(())
    }

    /// Removes previous secrets that have been unused for a day, at intervals. The first time is an interval after the
    /// start: by then senders have retried what they could not deliver before.
    pub(crate) fn start_removing_unused_secrets(&self) {
        let this = self.clone();
        self.0.context.spawn(async move {
            loop {
                tokio::time::sleep(this.0.context.timing.unused_secret_interval).await;
                if let Err(error) = this.remove_unused_secrets(now()).await {
                    tracing::warn!(%error, "unused webhook secrets could not be removed");
                }
            }
        });
    }

    async fn remove_unused_secrets(&self, now: i64) -> Result<()> {
        let (kind, mut removed) = (SecretKind::PreviousWebhookSecret, false);
        for row in self.0.context.desk.workspaces().await?.iter().filter(|row| row.id != SANDBOX_ID) {
            for endpoint in endpoint_keys(row) {
                if self.0.context.secrets.get(endpoint.owner(), kind).await.is_none() {
                    continue;
                }
                match self.0.endpoints.record(&endpoint.path()).secrets.previous_until() {
                    Some(until) if until > now => {}
                    Some(_) => {
                        self.0
                            .context
                            .secrets
                            .set(endpoint.owner(), kind, SecretString::default(), None, false)
                            .await?;
                        tracing::info!(path = endpoint.path(), "removed a previous webhook secret that is unused");
                        removed = true;
                    }
                    // Nothing is known of its use: the day begins now.
                    None => self.change_secret_use(&endpoint, |used| used.replaced = Some(now)),
                }
            }
        }
        self.save_stale_entries().await?;
        if removed {
            self.0.secrets_changed.run(()).await?;
            self.0.context.emit(DeskEvent::WorkspacesChanged {});
        }
        Ok(())
    }
}
