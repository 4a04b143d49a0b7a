//! Watches a keyring that is locked or missing at the start: once it is available, its secrets are read without a
//! restart.

use std::collections::BTreeSet;
use std::time::Duration;

use crate::context::lock;
use crate::workspaces::SANDBOX_ID;
use crate::workspaces::Workspaces;
use command_types::error::Result;
use command_types::event::DeskEvent;
use command_types::keyring::KeyringState;
use command_types::workspace::RefreshSecrets;
use outgoing::to_json;

/// Desk settings key of the stale keyring entries. They are names of entries and contain no secret.
const STALE_ENTRIES_KEY: &str = "secrets.stale";
/// Polling interval of a keyring that could not be read.
const POLL_INTERVAL: Duration = Duration::from_secs(3);

/// The stale entries recorded by an earlier run.
pub(crate) async fn stale_entries(desk: &store::Desk) -> Result<BTreeSet<String>> {
    let stored = desk.setting(STALE_ENTRIES_KEY).await?;
    Ok(stored.and_then(|json| serde_json::from_str(&json).ok()).unwrap_or_default())
}

impl Workspaces {
    /// Reads every secret again: after the person unlocked or repaired the keyring, or to prompt for unlocking it.
    pub async fn refresh_secrets(&self, request: RefreshSecrets) -> Result<KeyringState> {
        let mut state = self.0.context.secrets.state().await;
        if request.unlock && state == KeyringState::Locked {
            state = self.0.context.secrets.unlock().await;
        }
        self.reread_secrets().await?;
        self.0.context.emit(DeskEvent::KeyringChanged { state: state.clone() });
        Ok(state)
    }

    async fn reread_secrets(&self) -> Result<()> {
        self.0.context.secrets.reload().await;
        self.save_stale_entries().await?;
        lock(&self.0.clients).retain(|workspace, _| workspace == SANDBOX_ID);
        self.0.secrets_changed.run(()).await?;
        self.0.context.emit(DeskEvent::WorkspacesChanged {});
        Ok(())
    }

    /// Stores which keyring entries are stale, if that changed.
    pub(crate) async fn save_stale_entries(&self) -> Result<()> {
        if let Some(keys) = self.0.context.secrets.take_stale() {
            self.0.context.desk.set_setting(STALE_ENTRIES_KEY, to_json(&keys)?).await?;
        }
        Ok(())
    }

    /// Prompts once to unlock a locked keyring, and polls one that cannot be read.
    pub(crate) fn watch_keyring(&self) {
        let this = self.clone();
        self.0.context.spawn(async move {
            let mut known = this.0.context.secrets.state().await;
            this.read_all_secrets().await;
            if known == KeyringState::Locked && this.0.context.secrets.has_unread() {
                let state = this.0.context.secrets.unlock().await;
                this.reload_if_changed(&known, &state).await;
                known = state;
            }
            let mut interval = tokio::time::interval(POLL_INTERVAL);
            loop {
                interval.tick().await;
                if this.0.context.secrets.has_unread() || this.0.context.secrets.has_newly_readable() {
                    let state = this.0.context.secrets.state().await;
                    this.reload_if_changed(&known, &state).await;
                    known = state;
                }
            }
        });
    }

    /// Uses the secrets that can be read now, and emits an event when they or the keyring's state changed.
    async fn reload_if_changed(&self, known: &KeyringState, state: &KeyringState) {
        if *state == KeyringState::Available {
            self.read_all_secrets().await;
        }
        let changed = self.0.context.secrets.take_newly_readable();
        if changed && let Err(error) = self.reread_secrets().await {
            tracing::error!(%error, "the secrets could not be reloaded");
        }
        if changed || state != known {
            self.0.context.emit(DeskEvent::KeyringChanged { state: state.clone() });
        }
    }

    /// Reads every secret of every workspace; cached secrets are not read again.
    async fn read_all_secrets(&self) {
        match self.0.context.desk.workspaces().await {
            Ok(workspaces) => {
                for workspace in workspaces.iter().filter(|workspace| workspace.id != SANDBOX_ID) {
                    for endpoint in crate::workspaces::webhook_endpoints::endpoint_keys(workspace) {
                        self.0.context.secrets.status(endpoint.owner()).await;
                    }
                }
            }
            Err(error) => tracing::error!(%error, "the workspaces cannot be read"),
        }
    }
}
