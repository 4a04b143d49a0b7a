//! What the use cases need from their host: a place for secrets, and ears for events.

use std::sync::Arc;

use secrecy::SecretString;

use crate::event::DeskEvent;
use crate::view::workspace::KeyringState;

/// A place that keeps secrets between starts. Calls may block.
pub trait Keyring: Send + Sync + 'static {
    /// Whether secrets can be kept.
    fn state(&self) -> KeyringState;

    /// The secret stored under `key`.
    ///
    /// # Errors
    /// Why the keyring cannot be read.
    fn get(&self, key: &str) -> Result<Option<SecretString>, KeyringFailure>;

    /// Stores `secret` under `key`. When that fails, nothing older stays behind to shadow it.
    ///
    /// # Errors
    /// Why the keyring cannot be written.
    fn set(&self, key: &str, secret: &SecretString) -> Result<(), KeyringFailure>;

    /// Removes what is stored under `key`; nothing there is fine.
    ///
    /// # Errors
    /// Why the keyring cannot be written.
    fn delete(&self, key: &str) -> Result<(), KeyringFailure>;
}

/// Why a keyring cannot be used, in words that hold no secret.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct KeyringFailure {
    /// Why.
    pub reason: String,
}

/// A host without a keyring, such as a server: secrets come from the environment there.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoKeyring;

impl Keyring for NoKeyring {
    fn state(&self) -> KeyringState {
        KeyringState::Unavailable { reason: "this host has none".to_owned() }
    }

    fn get(&self, _key: &str) -> Result<Option<SecretString>, KeyringFailure> {
        Ok(None)
    }

    fn set(&self, _key: &str, _secret: &SecretString) -> Result<(), KeyringFailure> {
        Err(KeyringFailure { reason: "this host has none".to_owned() })
    }

    fn delete(&self, _key: &str) -> Result<(), KeyringFailure> {
        Ok(())
    }
}

/// Where events go. Called from any task; must not block.
#[derive(Clone)]
pub struct EventSink(Arc<dyn Fn(DeskEvent) + Send + Sync>);

impl EventSink {
    /// Events go to `listener`.
    pub fn new(listener: impl Fn(DeskEvent) + Send + Sync + 'static) -> Self {
        Self(Arc::new(listener))
    }

    /// Tells what happened.
    pub fn tell(&self, event: DeskEvent) {
        (self.0)(event);
    }
}

impl std::fmt::Debug for EventSink {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("EventSink")
    }
}
