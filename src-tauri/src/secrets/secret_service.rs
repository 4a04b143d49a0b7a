//! The Secret Service (GNOME Keyring, KWallet, KeePassXC) over the session bus.
//!
//! Reading and writing never show a prompt: an unanswered prompt would block the window. So the code first checks
//! whether the entry is accessible, and only then accesses it. Only [`Keyring::unlock`] shows a prompt. A bus or a
//! daemon that starts or restarts later is detected automatically.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use app::ports::{Keyring, KeyringFailure};
use command_types::keyring::{KeyringProblem, KeyringState};
use secrecy::SecretString;
use secret_service::blocking::{Item, SecretService};
use secret_service::{EncryptionType, Error};
use zbus_secret_service_keyring_store::Store;
use zeroize::Zeroizing;

use super::entry::{self, SERVICE};

/// The keyring of the desktop session.
#[derive(Default)]
pub(crate) struct SystemKeyring {
    /// The connection, once established. Used for short calls only.
    link: Mutex<Option<SecretService<'static>>>,
}

impl std::fmt::Debug for SystemKeyring {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SystemKeyring")
    }
}

/// Result of a call.
type Answer<T> = Result<T, KeyringFailure>;

impl SystemKeyring {
    /// Runs a call; retries it once over a new connection if the old one may have outlived the daemon.
    fn with_service<T>(&self, request: impl Fn(&SecretService<'static>) -> Answer<T>) -> Answer<T> {
        let mut link = self.link.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(service) = link.as_ref() {
            match request(service) {
                Err(failure) if failure.problem == KeyringProblem::Failed => *link = None,
                Err(failure) if failure.problem == KeyringProblem::Missing => *link = None,
                answer => return answer,
            }
        }
        let service = connect()?;
        let answer = request(&service);
        *link = Some(service);
        answer
    }
}

impl Keyring for SystemKeyring {
    fn state(&self) -> KeyringState {
        match self.with_service(is_locked) {
            Ok(false) => KeyringState::Available,
            Ok(true) => KeyringState::Locked,
            Err(failure) => keyring_state(failure),
        }
    }

    fn unlock(&self) -> KeyringState {
        // A separate connection: the prompt may stay open for long while other calls continue.
        let asked = connect().and_then(|service| {
            let collection = service.get_default_collection().map_err(failure)?;
            collection.unlock().map_err(failure)
        });
        if let Err(failure) = asked {
            tracing::info!(reason = failure.reason, "the keyring was not unlocked");
        }
        self.state()
    }

    fn get(&self, key: &str) -> Answer<Option<SecretString>> {
        let newest = self.with_service(|service| newest(find(service, key)?))?;
        if newest.is_some() { Ok(newest) } else { with_entry(|| entry::read(key)) }
    }

    fn set(&self, key: &str, secret: &SecretString) -> Answer<()> {
        self.with_service(|service| {
            find(service, key)?.iter().skip(1).try_for_each(|other| other.delete()).map_err(failure)
        })?;
        with_entry(|| entry::write(key, secret))
    }

    fn delete(&self, key: &str) -> Answer<()> {
        self.with_service(|service| {
            find(service, key)?.iter().skip(1).try_for_each(|other| other.delete()).map_err(failure)
        })?;
        with_entry(|| entry::remove(key))
    }
}

/// Runs an operation on an entry; retries it once over a new connection if the old one may have outlived the daemon.
fn with_entry<T>(work: impl Fn() -> Answer<T>) -> Answer<T> {
    match work() {
        Err(failure) if matches!(failure.problem, KeyringProblem::Failed | KeyringProblem::Missing) => {
            keyring_core::set_default_store(Store::new().map_err(|error| entry::failure(&error))?);
            work()
        }
        answer => answer,
    }
}

/// If another program created several entries for a key, the one that was written last is used.
fn newest(mut found: Vec<Item<'_>>) -> Answer<Option<SecretString>> {
    if found.len() < 2 {
        return Ok(None);
    }
    found.sort_by_cached_key(|item| item.get_modified().unwrap_or_default());
    let Some(item) = found.last() else { return Ok(None) };
    let bytes = Zeroizing::new(item.get_secret().map_err(failure)?);
    let secret = std::str::from_utf8(&bytes)
        .map_err(|_| KeyringFailure::new(KeyringProblem::Failed, "the stored secret is not text"))?;
    Ok(Some(SecretString::from(secret)))
}

fn connect() -> Answer<SecretService<'static>> {
    SecretService::connect(EncryptionType::Dh).map_err(failure)
}

fn is_locked(service: &SecretService<'static>) -> Answer<bool> {
    service.get_default_collection().map_err(failure)?.is_locked().map_err(failure)
}

/// The entries of a key. Not every service finds locked entries, so an empty result from a locked keyring proves
/// nothing.
fn find<'a>(service: &'a SecretService<'static>, key: &str) -> Answer<Vec<Item<'a>>> {
    let found = service.search_items(attributes(key)).map_err(failure)?;
    let hidden = !found.locked.is_empty() || (found.unlocked.is_empty() && is_locked(service)?);
    if hidden { Err(failure(Error::Locked)) } else { Ok(found.unlocked) }
}

fn attributes(key: &str) -> HashMap<&str, &str> {
    HashMap::from([("service", SERVICE), ("username", key)])
}

fn keyring_state(failure: KeyringFailure) -> KeyringState {
    match failure.problem {
        KeyringProblem::Locked => KeyringState::Locked,
        KeyringProblem::Missing => KeyringState::Missing { reason: failure.reason },
        _ => KeyringState::Unavailable { reason: failure.reason },
    }
}

/// Classifies an error. Its text comes from the bus and the service and contains no secret.
fn failure(error: Error) -> KeyringFailure {
    let (problem, reason) = match error {
        Error::Locked => (KeyringProblem::Locked, "the keyring is locked"),
        Error::Prompt | Error::PromptDisconnected => (KeyringProblem::Locked, "the keyring was not unlocked"),
        Error::Unavailable => (KeyringProblem::Missing, "no keyring answers in this desktop session"),
        Error::NoResult => (KeyringProblem::Missing, "the desktop has a keyring program but no keyring yet"),
        other => return entry::platform_failure(&other.to_string()),
    };
    KeyringFailure::new(problem, reason)
}

#[cfg(test)]
mod tests;
