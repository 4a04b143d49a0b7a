//! Secrets of workspaces: in the keyring, or in memory for this session if the person chose that. Never in a file. A
//! credential is stored with its [`Audience`] and handed out only for it.
//!
//! The keyring holds the secret that the person last entered, or none. An older secret that cannot be removed is marked
//! as stale: it is no longer used, also after a restart, and is removed once the keyring allows it.

mod audience;
mod secret_state;

use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use secrecy::{ExposeSecret, SecretString};

pub(crate) use self::audience::{Audience, origin};
pub(crate) use self::secret_state::SecretState;
use self::secret_state::keyring_error;
use crate::context::lock;
use crate::context::ports::{Keyring, KeyringFailure};
use command_types::error::Result;
use command_types::keyring::{KeyringProblem, KeyringState};
use command_types::workspace::{SecretKind, SecretPlace, SecretStatus};

/// Limit of the strictest platform: 2,560 bytes of UTF-16 on Windows. Enforced everywhere, so that all machines behave
/// the same.
const MAX_ENTRY_BYTES: usize = 2_560;
/// Timeout of keyring calls that need no person.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);
/// How long a keyring that did not answer is not called again.
const RETRY_DELAY_AFTER_TIMEOUT: Duration = Duration::from_secs(30);

/// Reads and writes the secrets of workspaces. One keyring entry per secret.
#[derive(Clone)]
pub(crate) struct Secrets {
    keyring: Arc<dyn Keyring>,
    /// Secrets of this session, and those read from the keyring, so that it is read once. Secrets that could not be
    /// read are not in here: they are read again.
    cached: Arc<Mutex<HashMap<String, SecretState>>>,
    /// Keys that the keyring could not read on the last attempt.
    unread: Arc<Mutex<BTreeSet<String>>>,
    /// Whether one of them became readable since the last [`Secrets::take_newly_readable`].
    newly_readable: Arc<AtomicBool>,
    stale: Arc<Mutex<Stale>>,
    /// When the keyring last timed out.
    timed_out_at: Arc<Mutex<Option<Instant>>>,
    /// Serializes reading the keyring and caching the answer with changes to it: an answer from before a change must
    /// not be cached after it.
    write_lock: Arc<tokio::sync::Mutex<()>>,
}

/// Keys of keyring entries that could not be removed.
#[derive(Default)]
struct Stale {
    keys: BTreeSet<String>,
    changed: bool,
}

/// The owner of secrets: a workspace, or the own webhook endpoint of one of its numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Owner<'a> {
    pub(crate) workspace: &'a str,
    pub(crate) number: Option<&'a str>,
}

impl<'a> Owner<'a> {
    /// The endpoint of a number of `workspace`; without a number, the workspace itself.
    pub(crate) fn new(workspace: &'a str, number: Option<&'a str>) -> Self {
        Self { workspace, number }
    }

    /// The kinds of secrets that it can have.
    fn kinds(self) -> &'static [SecretKind] {
        if self.number.is_some() { &SecretKind::OF_ENDPOINT } else { &SecretKind::ALL }
    }

    /// The name of the keyring entry of one of its secrets.
    fn key(self, kind: SecretKind) -> String {
        match self.number {
            Some(number) => format!("{}/{}/{}", self.workspace, segment(number), field(kind)),
            None => format!("{}/{}", self.workspace, field(kind)),
        }
    }
}

impl<'a> From<&'a str> for Owner<'a> {
    fn from(workspace: &'a str) -> Self {
        Self { workspace, number: None }
    }
}

impl<'a> From<&'a String> for Owner<'a> {
    fn from(workspace: &'a String) -> Self {
        workspace.as_str().into()
    }
}

/// An identifier as one path segment: different identifiers give different segments.
pub(crate) fn segment(id: &str) -> String {
    url::form_urlencoded::byte_serialize(id.as_bytes()).collect()
}

impl std::fmt::Debug for Secrets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secrets")
    }
}

impl Secrets {
    /// Secrets stored in `keyring`. The keys in `stale`, from [`Secrets::take_stale`] of an earlier run, are not used.
    #[must_use]
    pub(crate) fn new(keyring: Arc<dyn Keyring>, stale: BTreeSet<String>) -> Self {
        let stale = Arc::new(Mutex::new(Stale { keys: stale, changed: false }));
        Self {
            keyring,
            cached: Arc::default(),
            unread: Arc::default(),
            newly_readable: Arc::default(),
            stale,
            timed_out_at: Arc::default(),
            write_lock: Arc::default(),
        }
    }

    /// Whether secrets can be stored between starts.
    pub(crate) async fn state(&self) -> KeyringState {
        match self.blocking(|keyring| Ok(keyring.state())).await {
            Ok(state) => state,
            Err(KeyringFailure { problem: KeyringProblem::TimedOut, .. }) => {
                KeyringState::TimedOut { seconds: REQUEST_TIMEOUT.as_secs() }
            }
            Err(failure) => KeyringState::Unavailable { reason: failure.reason },
        }
    }

    /// Prompts the person to unlock the keyring, where the platform can.
    pub(crate) async fn unlock(&self) -> KeyringState {
        let keyring = self.keyring.clone();
        let asked = tokio::task::spawn_blocking(move || keyring.unlock()).await;
        asked.unwrap_or_else(|error| KeyringState::Unavailable { reason: error.to_string() })
    }

    /// The secret if it can be read. [`Secrets::look_up`] returns the reason if it cannot.
    pub(crate) async fn get(&self, owner: impl Into<Owner<'_>>, kind: SecretKind) -> Option<SecretString> {
        self.look_up(owner, kind).await.secret
    }

    /// Where each secret of an owner is.
    pub(crate) async fn status(&self, owner: impl Into<Owner<'_>>) -> Vec<SecretStatus> {
        let owner = owner.into();
        let mut status = Vec::with_capacity(owner.kinds().len());
        for kind in owner.kinds().iter().copied() {
            let state = self.look_up(owner, kind).await;
            let (number, reason) = (owner.number.map(str::to_owned), state.failure.map(|failure| failure.reason));
            let origin = state.audience.map(|audience| audience.origin);
            status.push(SecretStatus { kind, number, place: state.place, reason, origin });
        }
        status
    }

    pub(crate) async fn look_up(&self, owner: impl Into<Owner<'_>>, kind: SecretKind) -> SecretState {
        let key = owner.into().key(kind);
        let known = self.cached().get(&key).cloned();
        match known {
            Some(state) => state,
            None => {
                let _guard = self.write_lock.lock().await;
                self.look_up_locked(key).await
            }
        }
    }

    async fn look_up_locked(&self, key: String) -> SecretState {
        if let Some(state) = self.cached().get(&key) {
            return state.clone();
        }
        let state = if self.is_stale(&key) { self.read_stale(&key).await } else { self.read(&key).await };
        match &state.failure {
            None => {
                self.cached().insert(key.clone(), state.clone());
                if lock(&self.unread).remove(&key) {
                    self.newly_readable.store(true, Ordering::SeqCst);
                }
            }
            Some(failure) => {
                if lock(&self.unread).insert(key) {
                    tracing::warn!(reason = failure.reason, "the keyring cannot be read");
                }
            }
        }
        state
    }

    async fn read(&self, key: &str) -> SecretState {
        let asked = key.to_owned();
        match self.blocking(move |keyring| keyring.get(&asked)).await {
            Ok(Some(entry)) => {
                let (audience, secret) = if has_audience(key) { Audience::split(entry) } else { (None, entry) };
                SecretState { secret: Some(secret), place: SecretPlace::Keyring, audience, failure: None }
            }
            Ok(None) => SecretState::ABSENT,
            Err(failure) => SecretState::unread(failure),
        }
    }

    /// The entry must not be used. Tries to remove it again.
    async fn read_stale(&self, key: &str) -> SecretState {
        match self.remove(key).await {
            Ok(()) => SecretState::ABSENT,
            Err(failure) => match failure.problem {
                KeyringProblem::Locked | KeyringProblem::Missing => SecretState::unread(failure),
                _ => SecretState { place: SecretPlace::Stale, ..SecretState::unread(failure) },
            },
        }
    }

    /// Stores a secret, with its audience if it has one; removes it when it is empty.
    ///
    /// # Errors
    /// [`DeskError::KeyringUnavailable`] when the keyring refuses it, or it is too long. It is not stored elsewhere
    /// then. If no write was attempted, the old value remains; otherwise no older value remains, or the error says so.
    pub(crate) async fn set(
        &self,
        owner: Owner<'_>,
        kind: SecretKind,
        secret: SecretString,
        audience: Option<Audience>,
        session_only: bool,
    ) -> Result<()> {
        let _guard = self.write_lock.lock().await;
        let key = owner.key(kind);
        if secret.expose_secret().is_empty() {
            let was_of_session = self.cached().remove(&key).is_some_and(|state| state.place == SecretPlace::Session);
            return match self.remove(&key).await {
                Err(failure) => {
                    self.mark_stale(&key, true);
                    // The last entered secret is removed from memory; the one that an older run stored is no longer
                    // used.
                    if was_of_session { Ok(()) } else { Err(keyring_error(failure, kind, true)) }
                }
                Ok(()) => {
                    self.cache(&key, SecretState::ABSENT);
                    Ok(())
                }
            };
        }
        if session_only {
            let before = self.look_up_locked(key.clone()).await.place;
            if !matches!(before, SecretPlace::Absent | SecretPlace::Session)
                && let Err(failure) = self.remove(&key).await
            {
                tracing::warn!(reason = failure.reason, "an older keyring entry could not be removed");
                self.mark_stale(&key, true);
            }
            self.cache(
                &key,
                SecretState { secret: Some(secret), place: SecretPlace::Session, audience, failure: None },
            );
            return Ok(());
        }
        let entry = audience.as_ref().map_or_else(|| secret.clone(), |audience| audience.with(&secret));
        let written = match check_length(&secret, &entry) {
            Some(failure) => Err(failure),
            None => {
                let (stored_key, stored) = (key.clone(), entry);
                self.blocking(move |keyring| keyring.set(&stored_key, &stored)).await
            }
        };
        match written {
            Ok(()) => {
                self.mark_stale(&key, false);
                self.cache(
                    &key,
                    SecretState { secret: Some(secret), place: SecretPlace::Keyring, audience, failure: None },
                );
                Ok(())
            }
            Err(failure) if failure.untried() => Err(keyring_error(failure, kind, false)),
            Err(failure) => {
                self.cached().remove(&key);
                let stale = self.remove(&key).await.is_err();
                if stale {
                    self.mark_stale(&key, true);
                }
                Err(keyring_error(failure, kind, stale))
            }
        }
    }

    /// The state of a workspace's credential for requests to `origin`. A credential that an older version stored
    /// without an audience is bound to that origin.
    pub(crate) async fn credential(&self, workspace: &str, kind: SecretKind, origin: &str) -> SecretState {
        let state = self.look_up(workspace, kind).await;
        if state.secret.is_none() || state.audience.is_some() {
            return state;
        }
        self.change_audience(workspace, kind, |known| known.unwrap_or_else(|| Audience::of(origin.to_owned()))).await
    }

    /// Changes the audience of a credential. If the keyring cannot store it, it applies to this session only.
    pub(crate) async fn change_audience(
        &self,
        workspace: &str,
        kind: SecretKind,
        change: impl FnOnce(Option<Audience>) -> Audience,
    ) -> SecretState {
        let _guard = self.write_lock.lock().await;
        let key = Owner::from(workspace).key(kind);
        let mut state = self.look_up_locked(key.clone()).await;
        let Some(secret) = &state.secret else { return state };
        let audience = change(state.audience.take());
        if state.place == SecretPlace::Keyring {
            let entry = audience.with(secret);
            let stored_key = key.clone();
            let written = match check_length(secret, &entry) {
                Some(failure) => Err(failure),
                None => self.blocking(move |keyring| keyring.set(&stored_key, &entry)).await,
            };
            if let Err(failure) = written {
                tracing::warn!(reason = failure.reason, "the keyring could not store where a credential may be sent");
            }
        }
        state.audience = Some(audience);
        self.cache(&key, state.clone());
        state
    }

    /// Deletes every secret of an owner. Without a keyring in this session, its entries are removed once there is one
    /// again.
    pub(crate) async fn forget(&self, owner: Owner<'_>) -> Result<()> {
        let _guard = self.write_lock.lock().await;
        for kind in owner.kinds().iter().copied() {
            let key = owner.key(kind);
            let place = self.look_up_locked(key.clone()).await.place;
            if !matches!(place, SecretPlace::Absent | SecretPlace::Session) || self.is_stale(&key) {
                match self.remove(&key).await {
                    Ok(()) => {}
                    Err(failure) if failure.problem == KeyringProblem::Missing => self.mark_stale(&key, true),
                    Err(failure) => return Err(keyring_error(failure, kind, false)),
                }
            }
            self.cached().remove(&key);
            lock(&self.unread).remove(&key);
        }
        Ok(())
    }

    /// Clears the secrets read from the keyring, so that they are read again. Secrets of this session are kept. Also
    /// removes stale entries if the keyring allows it.
    pub(crate) async fn reload(&self) {
        let _guard = self.write_lock.lock().await;
        self.cached().retain(|_, state| state.place == SecretPlace::Session);
        lock(&self.unread).clear();
        let stale: Vec<_> = lock(&self.stale).keys.iter().cloned().collect();
        for key in stale {
            if self.remove(&key).await.is_err() {
                return;
            }
        }
    }

    /// Whether the keyring could not read some secret on the last attempt.
    pub(crate) fn has_unread(&self) -> bool {
        !lock(&self.unread).is_empty()
    }

    /// Whether [`Secrets::take_newly_readable`] would return `true`.
    pub(crate) fn has_newly_readable(&self) -> bool {
        self.newly_readable.load(Ordering::SeqCst)
    }

    /// Whether a secret that was unreadable before became readable since the last call.
    pub(crate) fn take_newly_readable(&self) -> bool {
        self.newly_readable.swap(false, Ordering::SeqCst)
    }

    /// The keys of stale entries, if they changed since the last call: to be stored between starts.
    pub(crate) fn take_stale(&self) -> Option<BTreeSet<String>> {
        let mut stale = lock(&self.stale);
        std::mem::take(&mut stale.changed).then(|| stale.keys.clone())
    }

    fn is_stale(&self, key: &str) -> bool {
        lock(&self.stale).keys.contains(key)
    }

    fn mark_stale(&self, key: &str, is_stale: bool) {
        let mut stale = lock(&self.stale);
        stale.changed |= if is_stale { stale.keys.insert(key.to_owned()) } else { stale.keys.remove(key) };
    }

    fn cache(&self, key: &str, state: SecretState) {
        lock(&self.unread).remove(key);
        self.cached().insert(key.to_owned(), state);
    }

    fn cached(&self) -> MutexGuard<'_, HashMap<String, SecretState>> {
        lock(&self.cached)
    }

    /// Removes an entry and its stale mark.
    async fn remove(&self, key: &str) -> Result<(), KeyringFailure> {
        let asked = key.to_owned();
        self.blocking(move |keyring| keyring.delete(&asked)).await?;
        self.mark_stale(key, false);
        Ok(())
    }

    async fn blocking<T: Send + 'static>(
        &self,
        ask: impl FnOnce(&dyn Keyring) -> Result<T, KeyringFailure> + Send + 'static,
    ) -> Result<T, KeyringFailure> {
        // Do not wait for the timeout for every secret of every workspace.
        if lock(&self.timed_out_at).is_some_and(|since| since.elapsed() < RETRY_DELAY_AFTER_TIMEOUT) {
            return Err(timed_out());
        }
        let keyring = self.keyring.clone();
        let asked = tokio::task::spawn_blocking(move || ask(keyring.as_ref()));
        let Ok(asked) = tokio::time::timeout(REQUEST_TIMEOUT, asked).await else {
            *lock(&self.timed_out_at) = Some(Instant::now());
            return Err(timed_out());
        };
        asked.unwrap_or_else(|error| Err(KeyringFailure::new(KeyringProblem::Failed, error.to_string())))
    }
}

fn timed_out() -> KeyringFailure {
    KeyringFailure::new(
        KeyringProblem::TimedOut,
        format!("the keyring did not answer within {} s", REQUEST_TIMEOUT.as_secs()),
    )
}

fn check_length(secret: &SecretString, entry: &SecretString) -> Option<KeyringFailure> {
    let utf16_units = |text: &SecretString| text.expose_secret().encode_utf16().count();
    (2 * utf16_units(entry) > MAX_ENTRY_BYTES).then(|| {
        let length = utf16_units(secret);
        // The audience is stored in the entry too and counts.
        let most = MAX_ENTRY_BYTES / 2 - (utf16_units(entry) - length).min(MAX_ENTRY_BYTES / 2);
        let reason = format!("the secret is {length} characters long, and keyrings hold at most {most}");
        KeyringFailure::new(KeyringProblem::TooLong, reason)
    })
}

/// Whether the entry of a key holds a credential; only credentials are sent.
fn has_audience(key: &str) -> bool {
    [SecretKind::Token, SecretKind::ClientSecret].iter().any(|kind| key.rsplit('/').next() == Some(field(*kind)))
}

/// The name of a secret, in keyring entries and as the field of a form.
#[must_use]
pub(crate) fn field(kind: SecretKind) -> &'static str {
    match kind {
        SecretKind::Token => "token",
        SecretKind::ClientSecret => "clientSecret",
        SecretKind::WebhookSecret => "webhookSecret",
        SecretKind::PreviousWebhookSecret => "previousWebhookSecret",
        SecretKind::VerifyToken => "verifyToken",
    }
}
