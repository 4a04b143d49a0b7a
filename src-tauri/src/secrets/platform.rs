//! Keychain of macOS and Credential Manager of Windows. The platform itself shows the prompt to unlock.

use app::ports::{Keyring, KeyringFailure};
use command_types::keyring::{KeyringProblem, KeyringState};
use keyring::Entry;
use secrecy::SecretString;

use super::entry;
use super::parts::{self, Entries};

/// The entries of the platform's keyring.
struct SystemEntries;

impl Entries for SystemEntries {
    fn read(&self, name: &str) -> Result<Option<SecretString>, KeyringFailure> {
        entry::read(name)
    }

    fn write(&self, name: &str, secret: &SecretString) -> Result<(), KeyringFailure> {
        entry::write(name, secret)
    }

    fn remove(&self, name: &str) -> Result<(), KeyringFailure> {
        entry::remove(name)
    }
}

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
        parts::read(&SystemEntries, key)
    }

    fn set(&self, key: &str, secret: &SecretString) -> Result<(), KeyringFailure> {
        parts::write(&SystemEntries, key, secret)
    }

    fn delete(&self, key: &str) -> Result<(), KeyringFailure> {
        parts::remove(&SystemEntries, key)
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use secrecy::ExposeSecret as _;

    use super::*;

    #[test]
    fn long_secrets_are_stored_replaced_and_removed() {
        let key = format!("test/{}", uuid::Uuid::new_v4());
        assert_eq!(SystemKeyring.state(), KeyringState::Available);
        for secret in ["t".repeat(9_000), "short".to_owned(), "€".repeat(2_000)] {
            SystemKeyring.set(&key, &secret.as_str().into()).unwrap();
            let read = SystemKeyring.get(&key).unwrap().unwrap();
            assert_eq!(read.expose_secret(), secret);
        }
        SystemKeyring.delete(&key).unwrap();
        assert!(SystemKeyring.get(&key).unwrap().is_none());
    }
}
