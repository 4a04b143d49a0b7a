//! Watches a keyring that is locked or missing at the start: once it is available, its secrets are read without a
//! restart.

use std::collections::BTreeSet;
use std::time::Duration;

use crate::context::lock;
use crate::parts::to_json;
use crate::workspaces::SANDBOX_ID;
use crate::workspaces::Workspaces;
use api::error::Result;
use api::event::DeskEvent;
use api::keyring::KeyringState;
use api::workspace::RefreshSecrets;

/// Desk settings key of the stale keyring entries. They are names of entries and contain no secret.
const STALE: &str = "secrets.stale";
/// Polling interval of a keyring that could not be read.
const PAUSE: Duration = Duration::from_secs(3);

/// The stale entries recorded by an earlier run.
pub(crate) async fn stale_marks(desk: &store::Desk) -> Result<BTreeSet<String>> {
    let marks = desk.setting(STALE).await?;
    Ok(marks.and_then(|json| serde_json::from_str(&json).ok()).unwrap_or_default())
}

impl Workspaces {
    /// Reads every secret again: after the person unlocked or repaired the keyring, or to prompt for unlocking it.
    ///
    /// # Errors
    /// [`DeskError::Storage`](api::error::DeskError::Storage) when the desk cannot be read or written.
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
        self.0.context.secrets.read_anew().await;
        self.keep_stale_marks().await?;
        lock(&self.0.clients).retain(|workspace, _| workspace == SANDBOX_ID);
        self.0.secrets_changed.run(()).await?;
        self.0.context.emit(DeskEvent::WorkspacesChanged {});
        Ok(())
    }

    /// Stores which keyring entries are stale, if that changed.
    pub(crate) async fn keep_stale_marks(&self) -> Result<()> {
        if let Some(keys) = self.0.context.secrets.take_stale() {
            self.0.context.desk.set_setting(STALE, to_json(&keys)?).await?;
        }
        Ok(())
    }

    /// Prompts once to unlock a locked keyring, and polls one that cannot be read.
    pub(crate) fn watch_keyring(&self) {
        let this = self.clone();
        self.0.context.spawn(async move {
            let mut known = this.0.context.secrets.state().await;
            this.ask_for_all_secrets().await;
            if known == KeyringState::Locked && this.0.context.secrets.has_unread() {
                let state = this.0.context.secrets.unlock().await;
                this.pick_up(&known, &state).await;
                known = state;
            }
            let mut pauses = tokio::time::interval(PAUSE);
            loop {
                pauses.tick().await;
                if this.0.context.secrets.has_unread() || this.0.context.secrets.has_found() {
                    let state = this.0.context.secrets.state().await;
                    this.pick_up(&known, &state).await;
                    known = state;
                }
            }
        });
    }

    /// Uses the secrets that can be read now, and emits an event when they or the keyring's state changed.
    async fn pick_up(&self, known: &KeyringState, state: &KeyringState) {
        if *state == KeyringState::Available {
            self.ask_for_all_secrets().await;
        }
        let changed = self.0.context.secrets.take_found();
        if changed && let Err(error) = self.reread_secrets().await {
            tracing::error!(%error, "the secrets cannot be read again");
        }
        if changed || state != known {
            self.0.context.emit(DeskEvent::KeyringChanged { state: state.clone() });
        }
    }

    /// Reads every secret of every workspace; cached secrets are not read again.
    async fn ask_for_all_secrets(&self) {
        match self.0.context.desk.workspaces().await {
            Ok(workspaces) => {
                for workspace in workspaces.iter().filter(|workspace| workspace.id != SANDBOX_ID) {
                    for place in crate::workspaces::webhook_endpoints::places(workspace) {
                        self.0.context.secrets.status(place.owner()).await;
                    }
                }
            }
            Err(error) => tracing::error!(%error, "the workspaces cannot be read"),
        }
    }
}
