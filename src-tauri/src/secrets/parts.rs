//! Secrets that are longer than an entry of the Credential Manager of Windows: 2,560 bytes of UTF-16
//! (`CRED_MAX_CREDENTIAL_BLOB_SIZE`). A long secret is stored in several entries; the entry of its key says in how many.

use app::ports::KeyringFailure;
use command_types::keyring::KeyringProblem;
use secrecy::{ExposeSecret as _, SecretString};
use zeroize::Zeroizing;

/// Most characters of an entry, even if each of them takes four bytes.
const PART_LENGTH: usize = 640;

/// What the entry of a key begins with if the secret is in other entries. A secret that begins so is divided, too.
const DIVIDED: &str = "template-desk-parts:";

/// Entries of a keyring, one for each name.
pub(super) trait Entries {
    fn read(&self, name: &str) -> Result<Option<SecretString>, KeyringFailure>;
    fn write(&self, name: &str, secret: &SecretString) -> Result<(), KeyringFailure>;
    /// Succeeds if there is none.
    fn remove(&self, name: &str) -> Result<(), KeyringFailure>;
}

/// The parts of a divided secret. Each secret has other names for them, so that an interrupted write leaves the secret
/// before.
#[derive(Debug, PartialEq, Eq)]
struct Parts {
    /// Tells these parts from those of the secret before.
    stamp: u32,
    number: usize,
}

impl Parts {
    fn of(entry: &str) -> Option<Self> {
        let (stamp, number) = entry.strip_prefix(DIVIDED)?.split_once(':')?;
        Some(Self { stamp: stamp.parse().ok()?, number: number.parse().ok()? })
    }

    fn names(&self, key: &str) -> impl Iterator<Item = String> {
        (1..=self.number).map(move |part| format!("{key}/{}/{part}", self.stamp))
    }
}

/// The secret of a key, if there is one.
pub(super) fn read(entries: &impl Entries, key: &str) -> Result<Option<SecretString>, KeyringFailure> {
    let Some(entry) = entries.read(key)? else { return Ok(None) };
    let Some(parts) = Parts::of(entry.expose_secret()) else { return Ok(Some(entry)) };
    let mut secret = Zeroizing::new(String::new());
    for name in parts.names(key) {
        let part = entries.read(&name)?.ok_or_else(|| {
            KeyringFailure::new(KeyringProblem::Failed, "a part of the stored secret is missing".to_owned())
        })?;
        secret.push_str(part.expose_secret());
    }
    Ok(Some(secret.as_str().into()))
}

/// Stores the secret of a key, and replaces an older one. After a failure, the older one is still there.
pub(super) fn write(entries: &impl Entries, key: &str, secret: &SecretString) -> Result<(), KeyringFailure> {
    let before = parts_of(entries, key)?;
    let text = secret.expose_secret();
    if text.chars().count() <= PART_LENGTH && !text.starts_with(DIVIDED) {
        entries.write(key, secret)?;
    } else {
        let characters = Zeroizing::new(text.chars().collect::<Vec<_>>());
        let pieces = characters.chunks(PART_LENGTH);
        let parts = Parts { stamp: stamp_after(before.as_ref()), number: pieces.len() };
        for (name, piece) in parts.names(key).zip(pieces) {
            entries.write(&name, &piece.iter().collect::<String>().into())?;
        }
        entries.write(key, &format!("{DIVIDED}{}:{}", parts.stamp, parts.number).into())?;
    }
    before.map_or(Ok(()), |before| before.names(key).try_for_each(|name| entries.remove(&name)))
}

/// Removes the secret of a key; succeeds if there is none.
pub(super) fn remove(entries: &impl Entries, key: &str) -> Result<(), KeyringFailure> {
    let parts = parts_of(entries, key)?;
    entries.remove(key)?;
    // Those of a write that was interrupted.
    let unused = Parts { stamp: stamp_after(parts.as_ref()), number: usize::MAX };
    for name in unused.names(key) {
        if entries.read(&name)?.is_none() {
            break;
        }
        entries.remove(&name)?;
    }
    parts.map_or(Ok(()), |parts| parts.names(key).try_for_each(|name| entries.remove(&name)))
}

fn stamp_after(parts: Option<&Parts>) -> u32 {
    parts.map_or(0, |parts| parts.stamp.wrapping_add(1))
}

fn parts_of(entries: &impl Entries, key: &str) -> Result<Option<Parts>, KeyringFailure> {
    Ok(entries.read(key)?.and_then(|entry| Parts::of(entry.expose_secret())))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::cell::{Cell, RefCell};
    use std::collections::BTreeMap;

    use super::*;

    /// As small as the entries of the Credential Manager; fails at a write, if asked to.
    #[derive(Default)]
    struct Limited {
        entries: RefCell<BTreeMap<String, String>>,
        writes_until_failure: Cell<Option<u32>>,
    }

    impl Limited {
        fn secret(&self, key: &str) -> Option<String> {
            read(self, key).unwrap().map(|secret| secret.expose_secret().to_owned())
        }
    }

    impl Entries for Limited {
        fn read(&self, name: &str) -> Result<Option<SecretString>, KeyringFailure> {
            Ok(self.entries.borrow().get(name).map(|entry| entry.as_str().into()))
        }

        fn write(&self, name: &str, secret: &SecretString) -> Result<(), KeyringFailure> {
            let failure = || KeyringFailure::new(KeyringProblem::TooLong, "it is too long".to_owned());
            if let Some(left) = self.writes_until_failure.get() {
                self.writes_until_failure.set(Some(left.checked_sub(1).ok_or_else(failure)?));
            }
            let text = secret.expose_secret();
            if text.encode_utf16().count() * 2 > 2560 {
                return Err(failure());
            }
            self.entries.borrow_mut().insert(name.to_owned(), text.to_owned());
            Ok(())
        }

        fn remove(&self, name: &str) -> Result<(), KeyringFailure> {
            self.entries.borrow_mut().remove(name);
            Ok(())
        }
    }

    #[test]
    fn secrets_of_every_length_are_read_as_they_were_written_and_leave_nothing() {
        let keyring = Limited::default();
        let lengths = [0, 1, 640, 641, 1_280, 1_281, 20_000];
        for secret in lengths.into_iter().flat_map(|length| ["a".repeat(length), "🔑".repeat(length)]) {
            write(&keyring, "workspace/token", &secret.as_str().into()).unwrap();
            assert_eq!(keyring.secret("workspace/token"), Some(secret.clone()));
            let expected = secret.chars().count().div_ceil(640).max(1);
            let entries = keyring.entries.borrow().len();
            assert!(entries == expected || entries == expected + 1, "{entries} entries for {} bytes", secret.len());
        }
        remove(&keyring, "workspace/token").unwrap();
        assert!(keyring.entries.borrow().is_empty());
        assert_eq!(keyring.secret("workspace/token"), None);
    }

    #[test]
    fn a_secret_that_looks_divided_is_kept() {
        let keyring = Limited::default();
        for secret in ["template-desk-parts:0:3", "template-desk-parts:x"] {
            write(&keyring, "key", &secret.into()).unwrap();
            assert_eq!(keyring.secret("key").as_deref(), Some(secret));
        }
    }

    #[test]
    fn an_interrupted_write_leaves_the_secret_before() {
        for before in ["b".repeat(2_000), "short".to_owned()] {
            let keyring = Limited::default();
            write(&keyring, "key", &before.as_str().into()).unwrap();
            for writes in 0..4 {
                keyring.writes_until_failure.set(Some(writes));
                assert!(write(&keyring, "key", &"c".repeat(2_000).as_str().into()).is_err());
                assert_eq!(keyring.secret("key"), Some(before.clone()), "after {writes} writes");
            }
            remove(&keyring, "key").unwrap();
            assert!(keyring.entries.borrow().is_empty(), "nothing of a secret stays");
        }
    }

    #[test]
    fn a_missing_part_is_a_failure_and_not_a_shorter_secret() {
        let keyring = Limited::default();
        write(&keyring, "key", &"d".repeat(2_000).as_str().into()).unwrap();
        keyring.entries.borrow_mut().remove("key/0/2");
        assert_eq!(read(&keyring, "key").unwrap_err().problem, KeyringProblem::Failed);
        remove(&keyring, "key").unwrap();
        assert!(keyring.entries.borrow().is_empty());
    }
}
