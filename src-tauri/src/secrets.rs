//! The system keyring behind the `Keyring` port.

use app::ports::{Keyring, KeyringFailure};
use app::view::workspace::KeyringState;
use keyring::{Entry, Error};
use secrecy::{ExposeSecret, SecretString};

/// Under which name the entries stand in the keyring.
const SERVICE: &str = "template-desk";

/// The keyring of the desktop session.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SystemKeyring;

impl Keyring for SystemKeyring {
    fn state(&self) -> KeyringState {
        match Entry::store_status() {
            Ok(()) => match entry("state").and_then(|entry| read(&entry)) {
                Ok(_) => KeyringState::Available,
                Err(failure) => KeyringState::Unavailable { reason: failure.reason },
            },
            Err(error) => KeyringState::Unavailable { reason: words(error) },
        }
    }

    fn get(&self, key: &str) -> Result<Option<SecretString>, KeyringFailure> {
        read(&entry(key)?)
    }

    fn set(&self, key: &str, secret: &SecretString) -> Result<(), KeyringFailure> {
        let entry = entry(key)?;
        entry.set_password(secret.expose_secret()).map_err(|error| {
            // A stale secret must not shadow the one that could not be written.
            if let Err(left) = entry.delete_credential()
                && !matches!(left, Error::NoEntry)
            {
                tracing::warn!(reason = words(&left), "an older keyring entry could not be removed");
            }
            failure(&error)
        })
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

fn failure(error: &Error) -> KeyringFailure {
    KeyringFailure { reason: words(error) }
}

/// What the error says, without what was stored: some of its kinds carry the bytes of the secret.
fn words(error: &Error) -> String {
    match error {
        Error::NoDefaultStore => "no keyring answers in this desktop session".to_owned(),
        Error::NoStorageAccess(cause) => format!("the keyring is locked or cannot be reached ({cause})"),
        Error::PlatformFailure(cause) => format!("the keyring failed ({cause})"),
        Error::TooLong(_, most) => format!("the keyring holds at most {most} characters"),
        Error::BadEncoding(_) => "the stored secret is not text".to_owned(),
        _ => "the keyring refused the request".to_owned(),
    }
}
