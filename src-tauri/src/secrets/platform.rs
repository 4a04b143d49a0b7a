//! Keychain of macOS and Credential Manager of Windows. The platform itself asks the person to unlock.

use app::ports::{Keyring, KeyringFailure};
use app::view::workspace::{KeyringProblem, KeyringState};
use keyring::{Entry, Error};
use secrecy::{ExposeSecret, SecretString};

use super::SERVICE;

/// The keyring of the desktop session.
#[derive(Debug, Default)]
pub(crate) struct SystemKeyring;

impl Keyring for SystemKeyring {
    fn state(&self) -> KeyringState {
        let asked = Entry::store_status()
            .as_ref()
            .map_err(failure)
            .and_then(|()| entry("state"))
            .and_then(|entry| read(&entry));
        match asked {
            Ok(_) => KeyringState::Available,
            Err(KeyringFailure { problem: KeyringProblem::Locked, .. }) => KeyringState::Locked,
            Err(KeyringFailure { problem: KeyringProblem::Missing, reason }) => KeyringState::Missing { reason },
            Err(KeyringFailure { reason, .. }) => KeyringState::Unavailable { reason },
        }
    }

    fn get(&self, key: &str) -> Result<Option<SecretString>, KeyringFailure> {
        read(&entry(key)?)
    }

    fn set(&self, key: &str, secret: &SecretString) -> Result<(), KeyringFailure> {
        entry(key)?.set_password(secret.expose_secret()).map_err(|error| failure(&error))
    }

    fn delete(&self, key: &str) -> Result<(), KeyringFailure> {
        match entry(key)?.delete_credential() {
            Ok(()) | Err(Error::NoEntry) => Ok(()),
            Err(error) => Err(failure(&error)),
        }
    }
}

fn entry(key: &str) -> Result<Entry, KeyringFailure> {
    Entry::new(SERVICE, key).map_err(|error| failure(&error))
}

fn read(entry: &Entry) -> Result<Option<SecretString>, KeyringFailure> {
    match entry.get_password() {
        Ok(secret) => Ok(Some(secret.into())),
        Err(Error::NoEntry) => Ok(None),
        Err(error) => Err(failure(&error)),
    }
}

/// What the error says, without what was stored: some of its kinds carry the bytes of the secret.
fn failure(error: &Error) -> KeyringFailure {
    let (problem, reason) = match error {
        Error::NoDefaultStore => (KeyringProblem::Missing, "no keyring answers in this session".to_owned()),
        Error::NoStorageAccess(cause) => {
            (KeyringProblem::Locked, format!("the keyring is locked or denies the access ({cause})"))
        }
        Error::PlatformFailure(cause) => (KeyringProblem::Failed, format!("the keyring failed ({cause})")),
        Error::TooLong(_, most) => (KeyringProblem::TooLong, format!("the keyring holds at most {most} characters")),
        Error::BadEncoding(_) => (KeyringProblem::Failed, "the stored secret is not text".to_owned()),
        _ => (KeyringProblem::Failed, "the keyring refused the request".to_owned()),
    };
    KeyringFailure::new(problem, reason)
}
