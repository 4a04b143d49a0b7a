//! Entries of the platform's keyring, one for each secret.

use app::ports::KeyringFailure;
use command_types::keyring::KeyringProblem;
use keyring::{Entry, Error};
use secrecy::{ExposeSecret, SecretString};

/// Service name of the entries.
pub(super) const SERVICE: &str = "template-desk";

/// The secret of a key, if there is one.
pub(super) fn read(key: &str) -> Result<Option<SecretString>, KeyringFailure> {
    match entry(key)?.get_password() {
        Ok(secret) => Ok(Some(secret.into())),
        Err(Error::NoEntry) => Ok(None),
        Err(error) => Err(failure(&error)),
    }
}

/// Stores the secret of a key, and replaces an older one.
pub(super) fn write(key: &str, secret: &SecretString) -> Result<(), KeyringFailure> {
    entry(key)?.set_password(secret.expose_secret()).map_err(|error| failure(&error))
}

/// Removes the secret of a key; succeeds if there is none.
pub(super) fn remove(key: &str) -> Result<(), KeyringFailure> {
    match entry(key)?.delete_credential() {
        Ok(()) | Err(Error::NoEntry) => Ok(()),
        Err(error) => Err(failure(&error)),
    }
}

fn entry(key: &str) -> Result<Entry, KeyringFailure> {
    Entry::new(SERVICE, key).map_err(|error| failure(&error))
}

/// Classifies an error without its content: some variants carry the bytes of the secret.
pub(super) fn failure(error: &Error) -> KeyringFailure {
    let (problem, reason) = match error {
        Error::NoDefaultStore => (KeyringProblem::Missing, "no keyring answers in this session".to_owned()),
        Error::NoStorageAccess(cause) => {
            (KeyringProblem::Locked, format!("the keyring is locked or denies the access ({cause})"))
        }
        Error::PlatformFailure(cause) => return platform_failure(&cause.to_string()),
        Error::TooLong(_, most) => (KeyringProblem::TooLong, format!("the keyring holds at most {most} characters")),
        Error::BadEncoding(_) => (KeyringProblem::Failed, "the stored secret is not text".to_owned()),
        _ => (KeyringProblem::Failed, "the keyring refused the request".to_owned()),
    };
    KeyringFailure::new(problem, reason)
}

/// Classifies the platform's error message, which comes from the bus and the service and contains no secret.
pub(super) fn platform_failure(words: &str) -> KeyringFailure {
    let says = |marks: &[&str]| marks.iter().any(|mark| words.contains(mark));
    let absent = ["Error.ServiceUnknown", "Error.NameHasNoOwner", "Error.Spawn", "Error.NoServer", "Failed to connect"];
    let (problem, reason) = if says(&["Secret.Error.IsLocked"]) {
        (KeyringProblem::Locked, "the keyring is locked".to_owned())
    } else if says(&absent) {
        (KeyringProblem::Missing, "no keyring answers in this desktop session".to_owned())
    } else if says(&["Error.AccessDenied", "Error.AuthFailed"]) {
        (KeyringProblem::Denied, "the keyring denies this app the access".to_owned())
    } else if says(&["Error.LimitsExceeded", "Error.NoMemory", "No space left", "Disk quota"]) {
        (KeyringProblem::Full, "the keyring has no room".to_owned())
    } else {
        (KeyringProblem::Failed, format!("the keyring failed ({words})"))
    };
    KeyringFailure::new(problem, reason)
}
