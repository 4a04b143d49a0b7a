//! A scripted keyring in memory: locked, missing, denying, full.

use std::collections::HashMap;
use std::sync::Mutex;

use app::ports::{Keyring, KeyringFailure};
use command_types::keyring::{KeyringProblem, KeyringState};
use secrecy::{ExposeSecret as _, SecretString};

/// A keyring that lasts until the test ends.
#[derive(Default)]
pub(super) struct ScriptedKeyring {
    pub(super) entries: Mutex<HashMap<String, String>>,
    pub(super) script: Mutex<Script>,
}

/// The behaviour of the keyring.
#[derive(Clone, Copy, Default)]
pub(super) struct Script {
    pub(super) reading: Option<KeyringProblem>,
    pub(super) writing: Option<KeyringProblem>,
    pub(super) deleting: Option<KeyringProblem>,
    /// Whether the person unlocks it when prompted.
    pub(super) unlocks: bool,
    /// Number of prompts.
    pub(super) asked: u32,
}

impl Script {
    /// Everything fails for this reason.
    pub(super) fn all(problem: KeyringProblem) -> Self {
        Self { reading: Some(problem), writing: Some(problem), deleting: Some(problem), ..Self::default() }
    }
}

impl ScriptedKeyring {
    pub(super) fn follow(&self, script: Script) {
        *self.script.lock().unwrap() = script;
    }

    /// Whether an entry contains this text.
    pub(super) fn holds(&self, text: &str) -> bool {
        self.entries.lock().unwrap().values().any(|entry| entry.contains(text))
    }

    /// As if the person unlocked it with another program.
    pub(super) fn unlock_elsewhere(&self) {
        let mut script = self.script.lock().unwrap();
        *script = Script { asked: script.asked, ..Script::default() };
    }

    fn check(&self, of: impl Fn(&Script) -> Option<KeyringProblem>) -> Result<(), KeyringFailure> {
        match of(&self.script.lock().unwrap()) {
            Some(problem) => Err(KeyringFailure::new(problem, format!("it is {problem:?}"))),
            None => Ok(()),
        }
    }
}

impl Keyring for ScriptedKeyring {
    fn state(&self) -> KeyringState {
        match self.check(|script| script.reading) {
            Ok(()) => KeyringState::Available,
            Err(KeyringFailure { problem: KeyringProblem::Locked, .. }) => KeyringState::Locked,
            Err(KeyringFailure { problem: KeyringProblem::Missing, reason }) => KeyringState::Missing { reason },
            Err(KeyringFailure { reason, .. }) => KeyringState::Unavailable { reason },
        }
    }

    fn unlock(&self) -> KeyringState {
        let mut script = self.script.lock().unwrap();
        script.asked += 1;
        if script.unlocks {
            *script = Script { asked: script.asked, ..Script::default() };
        }
        drop(script);
        self.state()
    }

    fn get(&self, key: &str) -> Result<Option<SecretString>, KeyringFailure> {
        self.check(|script| script.reading)?;
        Ok(self.entries.lock().unwrap().get(key).map(|secret| secret.clone().into()))
    }

    fn set(&self, key: &str, secret: &SecretString) -> Result<(), KeyringFailure> {
        self.check(|script| script.writing)?;
        self.entries.lock().unwrap().insert(key.to_owned(), secret.expose_secret().to_owned());
        Ok(())
    }

    fn delete(&self, key: &str) -> Result<(), KeyringFailure> {
        self.check(|script| script.deleting)?;
        self.entries.lock().unwrap().remove(key);
        Ok(())
    }
}
