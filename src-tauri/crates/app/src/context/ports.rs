//! What the use cases need from their host: a place for secrets, and ears for events.

use std::sync::Arc;

use secrecy::SecretString;

use api::event::DeskEvent;
use api::keyring::{KeyringProblem, KeyringState};

/// A place that keeps secrets between starts. Calls may block; only [`Keyring::unlock`] may wait for a person.
pub trait Keyring: Send + Sync + 'static {
    /// Whether secrets can be kept, without asking a person for anything.
    fn state(&self) -> KeyringState;

    /// Asks the person to unlock a locked keyring, where the platform can, and waits for the answer.
    fn unlock(&self) -> KeyringState {
        self.state()
    }

    /// The secret stored under `key`. A locked keyring is an error and never a question to the person.
    ///
    /// # Errors
    /// Why the keyring cannot be read.
    fn get(&self, key: &str) -> Result<Option<SecretString>, KeyringFailure>;

    /// Stores `secret` under `key`, in place of what is there.
    ///
    /// # Errors
    /// Why the keyring cannot be written. What is stored then is unknown, unless the problem says that nothing was
    /// tried: see [`KeyringFailure::untried`].
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
    /// Why, for the window.
    pub problem: KeyringProblem,
    /// Why, in words.
    pub reason: String,
}

impl KeyringFailure {
    /// A failure with its words.
    pub fn new(problem: KeyringProblem, reason: impl Into<String>) -> Self {
        Self { problem, reason: reason.into() }
    }

    /// Whether a write that failed like this cannot have changed anything.
    #[must_use]
    pub fn untried(&self) -> bool {
        matches!(self.problem, KeyringProblem::Missing | KeyringProblem::Locked | KeyringProblem::TooLong)
    }
}

/// A host without a keyring, such as a server: secrets come from the environment there.
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

/// Where events go. Called from any task; must not block.
#[derive(Clone)]
pub struct EventSink(Arc<dyn Fn(DeskEvent) + Send + Sync>);

impl EventSink {
    /// Events go to `listener`.
    pub fn new(listener: impl Fn(DeskEvent) + Send + Sync + 'static) -> Self {
        Self(Arc::new(listener))
    }

    /// Hands over what happened.
    pub fn emit(&self, event: DeskEvent) {
        (self.0)(event);
    }
}

impl std::fmt::Debug for EventSink {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("EventSink")
    }
}
