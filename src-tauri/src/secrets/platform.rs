//! Keychain of macOS and Credential Manager of Windows. The platform itself shows the prompt to unlock.

use app::ports::{Keyring, KeyringFailure};
use command_types::keyring::{KeyringProblem, KeyringState};
use keyring::Entry;
use secrecy::SecretString;

use super::entry;

/// The keyring of the desktop session.
#[derive(Debug, Default)]
pub(crate) struct SystemKeyring;

impl Keyring for SystemKeyring {
    fn state(&self) -> KeyringState {
        let asked = Entry::store_status().as_ref().map_err(entry::failure).and_then(|()| entry::read("state"));
        match asked {
            Ok(_) => KeyringState::Available,
            Err(KeyringFailure { problem: KeyringProblem::Locked, .. }) => KeyringState::Locked,
            Err(KeyringFailure { problem: KeyringProblem::Missing, reason }) => KeyringState::Missing { reason },
            Err(KeyringFailure { reason, .. }) => KeyringState::Unavailable { reason },
        }
    }

    fn get(&self, key: &str) -> Result<Option<SecretString>, KeyringFailure> {
        entry::read(key)
    }

    fn set(&self, key: &str, secret: &SecretString) -> Result<(), KeyringFailure> {
        entry::write(key, secret)
    }

    fn delete(&self, key: &str) -> Result<(), KeyringFailure> {
        entry::remove(key)
    }
}
