//! Ports that the host implements: a keyring and an event listener.

use std::sync::Arc;

use secrecy::SecretString;

use command_types::event::DeskEvent;
use command_types::keyring::{KeyringProblem, KeyringState};

/// A store that keeps secrets between starts. Calls may block; only [`Keyring::unlock`] may wait for a person.
pub trait Keyring: Send + Sync + 'static {
    /// Whether secrets can be stored. Does not prompt the person.
    fn state(&self) -> KeyringState;

    /// Prompts the person to unlock a locked keyring, where the platform can, and waits for the answer.
    fn unlock(&self) -> KeyringState {
        self.state()
    }

    /// The secret stored under `key`. A locked keyring is an error; this never prompts the person.
    fn get(&self, key: &str) -> Result<Option<SecretString>, KeyringFailure>;

    /// Stores `secret` under `key`, replacing the old value.
    ///
    /// # Errors
    /// Why the keyring cannot be written. The stored value is unknown then, unless the problem shows that no write was
    /// attempted: see [`KeyringFailure::untried`].
    fn set(&self, key: &str, secret: &SecretString) -> Result<(), KeyringFailure>;

    /// Removes the secret under `key`; does nothing if there is none.
    fn delete(&self, key: &str) -> Result<(), KeyringFailure>;
}

/// Why a keyring cannot be used. The text contains no secret.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct KeyringFailure {
    /// Why, for the window.
    pub problem: KeyringProblem,
    /// Why, as text.
    pub reason: String,
}

impl KeyringFailure {
    pub fn new(problem: KeyringProblem, reason: impl Into<String>) -> Self {
        Self { problem, reason: reason.into() }
    }

    /// Whether a failed write cannot have changed anything.
    #[must_use]
    pub fn untried(&self) -> bool {
        matches!(self.problem, KeyringProblem::Missing | KeyringProblem::Locked | KeyringProblem::TooLong)
    }
}

/// A host without a keyring, such as a server: its secrets come from the environment.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoKeyring;

impl NoKeyring {
    const REASON: &str = "this host has none";
}

impl Keyring for NoKeyring {
    fn state(&self) -> KeyringState {
        KeyringState::Missing { reason: Self::REASON.to_owned() }
    }

    fn get(&self, _key: &str) -> Result<Option<SecretString>, KeyringFailure> {
        Ok(None)
    }

    fn set(&self, _key: &str, _secret: &SecretString) -> Result<(), KeyringFailure> {
        Err(KeyringFailure::new(KeyringProblem::Missing, Self::REASON))
    }

    fn delete(&self, _key: &str) -> Result<(), KeyringFailure> {
        Ok(())
    }
}

/// Listener for events. Called from any task; must not block.
#[derive(Clone)]
pub struct EventSink(Arc<dyn Fn(DeskEvent) + Send + Sync>);

impl EventSink {
    pub fn new(listener: impl Fn(DeskEvent) + Send + Sync + 'static) -> Self {
        Self(Arc::new(listener))
    }

    pub fn emit(&self, event: DeskEvent) {
        (self.0)(event);
    }
}

impl std::fmt::Debug for EventSink {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("EventSink")
    }
}
