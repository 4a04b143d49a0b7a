//! Rotation of webhook secrets: the replaced secret is kept as the previous one until it has been unused for a day.

use std::time::Instant;

use secrecy::{ExposeSecret as _, SecretString};

use crate::context::secrets::Owner;
use crate::workspaces::secret_use::DueSecrets;
use crate::workspaces::webhook_endpoints::{EndpointKey, endpoint_keys};
use crate::workspaces::{SANDBOX_ID, Workspaces};
use command_types::error::Result;
use command_types::event::DeskEvent;
use command_types::workspace::{SecretKind, SecretPlace};
use outgoing::now;

/// What setting a secret means for the recorded use of the secrets of its endpoint.
pub(super) enum SecretChange {
    None,
    /// The webhook secret is another one; whether the one before became the previous secret.
    Current {
        is_kept: bool,
    },
    /// The previous secret was entered or removed.
    Previous,
}

impl Workspaces {
    /// Prepares to set a secret of an endpoint; [`Workspaces::secret_was_set`] must follow. With `keeps_replaced`, the
    /// webhook secret that it replaces is stored as the previous one, since nobody can read it to enter it. A secret
    /// that never signed a delivery replaces no previous secret, and it is not kept if deliveries were rejected with it:
    /// it was mistyped.
    pub(super) async fn before_secret_is_set(
        &self,
        owner: Owner<'_>,
        kind: SecretKind,
        new: &SecretString,
        keeps_replaced: bool,
        session_only: bool,
    ) -> Result<SecretChange> {
        let secrets = &self.0.context.secrets;
        match kind {
            SecretKind::PreviousWebhookSecret => return Ok(SecretChange::Previous),
            SecretKind::WebhookSecret => {}
            _ => return Ok(SecretChange::None),
        }
        let current = secrets.look_up(owner, kind).await;
        let Some(old) = current.secret.filter(|old| old.expose_secret() != new.expose_secret()) else {
            return Ok(SecretChange::None);
        };
        let record = self.0.endpoints.record(&EndpointKey::from(owner).path());
        let is_unused = record.secrets.current.is_none();
        let is_mistyped = is_unused && !record.recent_refusals.is_empty();
        let previous = SecretKind::PreviousWebhookSecret;
        let keeps_previous = is_unused && secrets.get(owner, previous).await.is_some();
        let is_kept = keeps_replaced && !keeps_previous && !is_mistyped && !new.expose_secret().is_empty();
        if is_kept {
            let session_only = session_only || current.place == SecretPlace::Session;
            secrets.set(owner, previous, old, None, session_only).await?;
        }
        Ok(SecretChange::Current { is_kept })
    }

    /// Records that a secret was set. Until the routes are rebuilt, deliveries are verified with the secrets before,
    /// and count for none: as a use of the new secret, they would hide that it was mistyped.
    pub(super) fn secret_was_set(&self, owner: Owner<'_>, change: SecretChange) {
        let replaced = Some(now());
        let endpoint = EndpointKey::from(owner);
        match change {
            SecretChange::None => {}
            SecretChange::Previous => {
                self.secrets_replaced(&endpoint, |used| (used.previous, used.replaced) = (None, replaced));
            }
            SecretChange::Current { is_kept } => self.secrets_replaced(&endpoint, |used| {
                if is_kept {
                    (used.previous, used.replaced) = (used.current, replaced);
                }
                used.current = None;
            }),
        }
    }

    /// Removes previous secrets that have been unused for a day, at intervals. The first time is an interval after the
    /// start: by then senders have retried what they could not deliver before.
    pub(crate) fn start_removing_unused_secrets(&self) {
        let this = self.clone();
        self.0.context.spawn(async move {
            let mut due = DueSecrets::default();
            loop {
                tokio::time::sleep(this.0.context.timing.unused_secret_interval).await;
                if let Err(error) = this.remove_unused_secrets(now(), &mut due).await {
                    tracing::warn!(%error, "unused webhook secrets could not be removed");
                }
            }
        });
    }

    /// # Errors
    /// The last failure; the other secrets were removed nevertheless.
    async fn remove_unused_secrets(&self, now: i64, due: &mut DueSecrets) -> Result<()> {
        let (kind, mut removed, mut outcome) = (SecretKind::PreviousWebhookSecret, false, Ok(()));
        for row in self.0.context.desk.workspaces().await?.iter().filter(|row| row.id != SANDBOX_ID) {
            // Without the provider's time in this run, the clock of this machine may be wrong.
            let (offset, is_confirmed) = (self.clock_offset(&row.id), self.knows_clock(&row.id));
            for endpoint in endpoint_keys(row) {
                if self.0.context.secrets.get(endpoint.owner(), kind).await.is_none() {
                    continue;
                }
                let path = endpoint.path();
                let Some(until) = self.0.endpoints.record(&path).secrets.previous_until() else {
                    // Nothing is known of its use: the day begins now.
                    self.change_secret_use(&endpoint, |used| used.replaced = Some(now));
                    continue;
                };
                if !due.is_due(&path, until, now.saturating_add(offset), is_confirmed, Instant::now()) {
                    continue;
                }
                // The secret is not used any more in any case: a keyring entry that stays is stale.
                removed = true;
                let none = SecretString::default();
                match self.0.context.secrets.set(endpoint.owner(), kind, none, None, false).await {
                    Ok(()) => tracing::info!(path, "removed a previous webhook secret that is unused"),
                    Err(error) => outcome = Err(error),
                }
            }
        }
        let stored = self.save_stale_entries().await;
        if removed {
            self.0.secrets_changed.run(()).await?;
            self.0.context.emit(DeskEvent::WorkspacesChanged {});
        }
        stored.and(outcome)
    }
}
