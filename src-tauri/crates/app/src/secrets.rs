//! Secrets of workspaces: in the keyring, or in memory for this session where the person chose so.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use secrecy::{ExposeSecret, SecretString};

use crate::error::{DeskError, Result};
use crate::ports::{Keyring, KeyringFailure};
use crate::view::workspace::{KeyringState, SecretKind, SecretPlace, SecretStatus};

/// Keyrings of some platforms hold no more: 2,560 bytes as UTF-16 on Windows.
const LONGEST: usize = 1_280;

/// Reads and writes the secrets of workspaces. One keyring entry a secret.
#[derive(Clone)]
pub(crate) struct Secrets {
    keyring: Arc<dyn Keyring>,
    /// Secrets of this session, and what was read from the keyring, so that it is asked once.
    held: Arc<Mutex<HashMap<String, Held>>>,
}

#[derive(Clone)]
struct Held {
    secret: Option<SecretString>,
    place: SecretPlace,
}

impl std::fmt::Debug for Secrets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secrets")
    }
}

impl From<KeyringFailure> for DeskError {
    fn from(failure: KeyringFailure) -> Self {
        Self::KeyringUnavailable { reason: failure.reason }
    }
}

impl Secrets {
    /// Secrets kept in `keyring`.
    #[must_use]
    pub(crate) fn new(keyring: Arc<dyn Keyring>) -> Self {
        Self { keyring, held: Arc::default() }
    }

    /// Whether secrets can be kept between starts.
    pub(crate) async fn state(&self) -> KeyringState {
        self.blocking(|keyring| Ok(keyring.state()))
            .await
            .unwrap_or_else(|error| KeyringState::Unavailable { reason: error.to_string() })
    }

    /// The secret, where there is one. A keyring that cannot be read counts as empty here: the screen that shows
    /// [`Secrets::state`] says why.
    pub(crate) async fn get(&self, workspace: &str, kind: SecretKind) -> Option<SecretString> {
        self.look_up(workspace, kind).await.secret
    }

    /// Where each secret of a workspace is.
    pub(crate) async fn status(&self, workspace: &str) -> Vec<SecretStatus> {
        let mut status = Vec::with_capacity(SecretKind::ALL.len());
        for kind in SecretKind::ALL {
            status.push(SecretStatus { kind, place: self.look_up(workspace, kind).await.place });
        }
        status
    }

    async fn look_up(&self, workspace: &str, kind: SecretKind) -> Held {
        let key = key(workspace, kind);
        if let Some(held) = self.held().get(&key) {
            return held.clone();
        }
        let asked = key.clone();
        match self.blocking(move |keyring| Ok(keyring.get(&asked)?)).await {
            Ok(secret) => {
                let place = if secret.is_some() { SecretPlace::Keyring } else { SecretPlace::Absent };
                let held = Held { secret, place };
                self.held().insert(key, held.clone());
                held
            }
            Err(error) => {
                tracing::warn!(%error, "the keyring cannot be read");
                Held { secret: None, place: SecretPlace::Absent }
            }
        }
    }

    /// Stores a secret, or removes it when it is empty.
    ///
    /// # Errors
    /// [`DeskError::InvalidInput`] when it is too long for a keyring; [`DeskError::KeyringUnavailable`] when the
    /// keyring refuses it. Nothing is kept elsewhere then.
    pub(crate) async fn set(
        &self,
        workspace: &str,
        kind: SecretKind,
        secret: SecretString,
        session_only: bool,
    ) -> Result<()> {
        let length = secret.expose_secret().len();
        if length > LONGEST {
            return Err(DeskError::invalid(
                field(kind),
                format!("This is {length} characters long; keyrings hold at most {LONGEST}."),
            ));
        }
        let key = key(workspace, kind);
        if length == 0 {
            self.held().insert(key.clone(), Held { secret: None, place: SecretPlace::Absent });
            return self.blocking(move |keyring| Ok(keyring.delete(&key)?)).await;
        }
        if session_only {
            self.held().insert(key, Held { secret: Some(secret), place: SecretPlace::Session });
            return Ok(());
        }
        let (stored_key, stored) = (key.clone(), secret.clone());
        self.blocking(move |keyring| Ok(keyring.set(&stored_key, &stored)?)).await?;
        self.held().insert(key, Held { secret: Some(secret), place: SecretPlace::Keyring });
        Ok(())
    }

    /// Forgets every secret of a workspace.
    ///
    /// # Errors
    /// [`DeskError::KeyringUnavailable`] when the keyring cannot be written.
    pub(crate) async fn forget(&self, workspace: &str) -> Result<()> {
        for kind in SecretKind::ALL {
            let held = self.look_up(workspace, kind).await;
            let key = key(workspace, kind);
            if held.place == SecretPlace::Keyring {
                let removed = key.clone();
                self.blocking(move |keyring| Ok(keyring.delete(&removed)?)).await?;
            }
            self.held().remove(&key);
        }
        Ok(())
    }

    fn held(&self) -> std::sync::MutexGuard<'_, HashMap<String, Held>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn blocking<T: Send + 'static>(
        &self,
        ask: impl FnOnce(&dyn Keyring) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let keyring = self.keyring.clone();
        tokio::task::spawn_blocking(move || ask(keyring.as_ref()))
            .await
            .map_err(|error| DeskError::Internal { message: error.to_string() })?
    }
}

fn key(workspace: &str, kind: SecretKind) -> String {
    format!("{workspace}/{}", field(kind))
}

/// The name of a secret, in keyring entries and as the field of a form.
#[must_use]
pub(crate) fn field(kind: SecretKind) -> &'static str {
    match kind {
        SecretKind::Token => "token",
        SecretKind::ClientSecret => "clientSecret",
        SecretKind::WebhookSecret => "webhookSecret",
        SecretKind::PreviousWebhookSecret => "previousWebhookSecret",
        SecretKind::VerifyToken => "verifyToken",
    }
}
