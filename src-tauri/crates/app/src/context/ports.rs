//! Ports that the host implements: a keyring, an event listener, and what installs newer versions.

use std::sync::Arc;

use secrecy::SecretString;

use command_types::event::DeskEvent;
use command_types::keyring::{KeyringProblem, KeyringState};
use command_types::updates::{Installation, UpdateProblem};

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

/// Installs newer versions of the app.
pub trait Installer: Send + Sync + 'static {
    /// How this copy was installed.
    fn installation(&self) -> Installation;

    /// Where who built this app announces newer versions, if anywhere.
    fn built_in_source(&self) -> Option<UpdateSource> {
        None
    }

    /// Verifies the signature of a file, and either installs it now or asks the app to end and to install it then. May
    /// block.
    ///
    /// # Errors
    /// Nothing was installed, and the app does not end.
    fn install(&self, file: UpdateFile) -> Result<(), UpdateProblem>;
}

/// An address of announcements, and the minisign key of their files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UpdateSource {
    pub address: String,
    pub public_key: String,
}

/// A newer version that was downloaded. Its signature is not verified.
#[derive(Clone, Debug)]
pub struct UpdateFile {
    /// The announcement, as it was received.
    pub announcement: String,
    /// The key of `platforms` in the announcement.
    pub system: String,
    /// The minisign key, as `tauri signer generate` writes it.
    pub public_key: String,
    pub bytes: Vec<u8>,
}

/// A host that does not replace itself, such as a server.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoInstaller;

impl Installer for NoInstaller {
    fn installation(&self) -> Installation {
        Installation::Folder
    }

    fn install(&self, _file: UpdateFile) -> Result<(), UpdateProblem> {
        Err(UpdateProblem::NotWritable {})
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
