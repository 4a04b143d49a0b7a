//! The shared runtime of a sandbox: the state, the stored files, the HTTP clients and the saver.
//!
//! Every change goes through [`Runtime::change`], which increments a version. The clock and the webhook sender wake up
//! at each new version. The saver writes the newest version and publishes which one is on disk. A request that changes
//! the state is answered only after its version is on disk, so an acknowledged change survives a crash.

use std::collections::HashMap;
use std::fs::File;
use std::path::PathBuf;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use ring::digest;
use secrecy::ExposeSecret as _;
use tokio::sync::{Notify, watch};
use tokio_util::sync::CancellationToken;

use crate::history::{History, Shelf};
use crate::http_client::HttpClients;
use crate::open_error::OpenError;
use crate::refusal::Refusal;
use crate::settings::{Options, Throttle, Webhook};
use crate::state::{Media, State, Workspace};
use crate::state_file;
use crate::throttle::Pace;
use crate::time::{Instant, now};

/// How many milliseconds the events of the history wait for a client to read its sends, so that their statuses match them and the
/// first requests of a client are not delayed.
const HISTORY_HOLD: Instant = 10_000;

/// The same after a reset, in which a client first removes what it knows.
const NEW_HISTORY_HOLD: Instant = 120_000;

/// Interval at which changes are saved when no request waits for them.
const UNAWAITED_SAVE: Duration = Duration::from_millis(250);

/// Webhooks: the common one and those of single numbers. In memory only, because they hold secrets.
#[derive(Default)]
pub(crate) struct Webhooks {
    pub(crate) common: Option<Webhook>,
    pub(crate) numbers: HashMap<String, Webhook>,
}

impl Webhooks {
    pub(crate) fn of(&self, number: Option<&str>) -> Option<&Webhook> {
        number.and_then(|number| self.numbers.get(number)).or(self.common.as_ref())
    }

    /// The numbers whose webhooks get the events of a WABA when there is no common webhook: those that send from the
    /// WABA, one for each address.
    pub(crate) fn numbers_of(&self, state: &State, waba: &str) -> Vec<String> {
        let sends_from = |number: &str| {
            let own = state.numbers.get(number).and_then(|number| number.waba);
            own.is_none_or(|own| own.to_string() == waba)
        };
        let mut numbers: Vec<(&String, &Webhook)> =
            self.numbers.iter().filter(|(number, _)| sends_from(number)).collect();
        numbers.sort_unstable_by_key(|(number, webhook)| (webhook.url.as_str(), number.as_str()));
        numbers.dedup_by_key(|(_, webhook)| webhook.url.as_str());
        numbers.into_iter().map(|(number, _)| number.clone()).collect()
    }
}

/// State and resources that the requests and the background tasks share.
pub(crate) struct Runtime {
    pub(crate) workspace: String,
    additional_workspaces: Vec<String>,
    pub(crate) channel: String,
    pub(crate) messaging_product: String,
    pub(crate) webhook_object: String,
    token: [u8; 32],
    client_credentials: Option<(String, [u8; 32])>,
    /// Base URL of this sandbox; media links are built on it.
    pub(crate) base_url: OnceLock<String>,
    state: Mutex<State>,
    version: watch::Sender<u64>,
    saved: watch::Sender<Saved>,
    /// Notified when a request waits for a save.
    awaited: Notify,
    file: Option<PathBuf>,
    /// Lock that keeps other sandboxes from using the state file.
    lock: Mutex<Option<File>>,
    files: Mutex<HashMap<String, Bytes>>,
    webhooks: Mutex<Webhooks>,
    pace: Mutex<Pace>,
    history: Shelf,
    /// When the events of the history are delivered at the latest.
    history_due: AtomicI64,
    webhook_clients: HttpClients,
    media_clients: HttpClients,
}

/// Progress of saving.
#[derive(Clone, Default)]
struct Saved {
    version: u64,
    error: Option<String>,
}

fn fingerprint(secret: &str) -> [u8; 32] {
    let mut bytes = [0; 32];
    bytes.copy_from_slice(digest::digest(&digest::SHA256, secret.as_bytes()).as_ref());
    bytes
}

impl Runtime {
    /// Locks the state file and loads the state. `prepare` completes the state before its first save.
    pub(crate) fn open(options: Options, prepare: impl FnOnce(&mut State)) -> Result<Self, OpenError> {
        // Another part of the program may have installed the provider already; both are the same.
        let _already_chosen = rustls::crypto::ring::default_provider().install_default();
        // A redirected webhook counts as an answer other than 200; redirects of files are followed.
        let webhook_clients = HttpClients::new(reqwest::redirect::Policy::none).map_err(OpenError::Client)?;
        let media_clients = HttpClients::new(|| reqwest::redirect::Policy::limited(5)).map_err(OpenError::Client)?;

        if let Some(path) = &options.state_file {
            state_file::check(path).map_err(|source| OpenError::Read { path: path.clone(), source })?;
        }
        let lock = match &options.state_file {
            None => None,
            Some(path) => match state_file::lock(path) {
                Ok(Some(lock)) => Some(lock),
                Ok(None) => return Err(OpenError::InUse { path: path.clone() }),
                Err(source) => return Err(OpenError::Write { path: path.clone(), source }),
            },
        };
        let stored = match &options.state_file {
            None => None,
            Some(path) => state_file::read(path).map_err(|source| OpenError::Read { path: path.clone(), source })?,
        };
        let mut state = match (&stored, &options.state_file) {
            (Some(bytes), Some(path)) => serde_json::from_slice::<State>(bytes)
                .map_err(|source| OpenError::Malformed { path: path.clone(), source })?,
            _ => State::default(),
        };
        state.restore();
        if stored.is_none() || !options.stored_settings {
            state.settings.profile = options.profile;
            state.settings.review = options.review;
            state.settings.review_delay_ms = milliseconds(options.review_delay);
            state.settings.status_delay_ms = milliseconds(options.status_delay);
            state.settings.adopt_unknown = options.adopt_unknown;
        }
        prepare(&mut state);
        // Written at the start, so that a path that can't be written is an error now instead of at every response.
        if let Some(path) = &options.state_file {
            serde_json::to_vec(&state)
                .map_err(std::io::Error::other)
                .and_then(|bytes| state_file::write(path, &bytes))
                .and_then(|()| state_file::create_folder(&state_file::media_folder(path)))
                .map_err(|source| OpenError::Write { path: path.clone(), source })?;
        }

        Ok(Self {
            workspace: options.workspace,
            additional_workspaces: options.additional_workspaces,
            channel: options.channel,
            messaging_product: options.messaging_product,
            webhook_object: options.webhook_object,
            token: fingerprint(options.token.expose_secret()),
            client_credentials: options
                .client_credentials
                .map(|(id, secret)| (id, fingerprint(secret.expose_secret()))),
            base_url: OnceLock::new(),
            state: Mutex::new(state),
            version: watch::Sender::new(1),
            saved: watch::Sender::new(Saved::default()),
            awaited: Notify::new(),
            file: options.state_file,
            lock: Mutex::new(lock),
            files: Mutex::default(),
            webhooks: Mutex::new(Webhooks { common: options.webhook, numbers: HashMap::new() }),
            pace: Mutex::default(),
            history: Shelf::default(),
            history_due: AtomicI64::new(now().saturating_add(HISTORY_HOLD)),
            webhook_clients,
            media_clients,
        })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no code panics while it holds the state")
    }

    pub(crate) fn read<T>(&self, look: impl FnOnce(&State) -> T) -> T {
        look(&self.lock())
    }

    /// Changes the state and notifies all that wait for a change.
    pub(crate) fn change<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        let mut state = self.lock();
        let result = change(&mut state);
        // Incremented under the lock: a saved version includes all changes up to it.
        self.version.send_modify(|version| *version += 1);
        result
    }

    pub(crate) fn webhooks(&self) -> MutexGuard<'_, Webhooks> {
        self.webhooks.lock().expect("no code panics while it holds the webhooks")
    }

    /// Counts a send, unless it exceeds the rate limits.
    pub(crate) fn throttle(&self, limits: &Throttle, number: &str, recipient: &str) -> Result<(), Refusal> {
        let mut pace = self.pace.lock().expect("no code panics while it holds the pace");
        pace.take(limits, number, recipient, now())
    }

    pub(crate) fn versions(&self) -> watch::Receiver<u64> {
        self.version.subscribe()
    }

    /// Wakes the tasks without changing the state.
    pub(crate) fn wake(&self) {
        self.version.send_modify(|version| *version += 1);
    }

    /// Waits until all changes so far are on disk. Returns immediately if there is no state file.
    pub(crate) async fn saved(&self) -> Result<(), String> {
        if self.file.is_none() {
            return Ok(());
        }
        let wanted = *self.version.borrow();
        let mut saved = self.saved.subscribe();
        self.awaited.notify_one();
        match saved.wait_for(|saved| saved.version >= wanted).await {
            Ok(saved) => saved.error.clone().map_or(Ok(()), Err),
            Err(_) => Err("the sandbox is closing".to_owned()),
        }
    }

    pub(crate) fn is_token(&self, token: &str) -> bool {
        // Compares fingerprints, so that the timing reveals nothing about the token.
        fingerprint(token) == self.token
    }

    pub(crate) fn are_client_credentials(&self, id: &str, secret: &str) -> bool {
        self.client_credentials
            .as_ref()
            .is_some_and(|(known, fingerprint_of_secret)| id == known && fingerprint(secret) == *fingerprint_of_secret)
    }

    /// The workspace with this UUID, if the token opens it.
    pub(crate) fn workspace_of(&self, uuid: &str) -> Option<Workspace> {
        let is = |known: &str| known.eq_ignore_ascii_case(uuid.trim());
        if is(&self.workspace) {
            return Some(Workspace::Main);
        }
        let additional = self.additional_workspaces.iter().find(|known| is(known));
        additional.map(|known| Workspace::Additional(known.to_ascii_lowercase()))
    }

    pub(crate) fn webhook_client(&self, url: &reqwest::Url) -> &reqwest::Client {
        self.webhook_clients.of(url)
    }

    /// The client for media downloads.
    pub(crate) fn media_client(&self, url: &reqwest::Url) -> &reqwest::Client {
        self.media_clients.of(url)
    }

    /// The URL of `path` on this sandbox.
    pub(crate) fn address(&self, path: &str) -> String {
        format!("{}{path}", self.base_url.get().map_or("", String::as_str))
    }

    /// Stores a file and returns its identifier.
    pub(crate) async fn store_file(self: &Arc<Self>, bytes: Bytes, media: Media) -> Result<String, String> {
        let runtime = Arc::clone(self);
        tokio::task::spawn_blocking(move || runtime.store_file_blocking(bytes, media))
            .await
            .map_err(|error| error.to_string())?
            .map_err(|error| format!("the file could not be stored: {error}"))
    }

    /// [`Runtime::store_file`], on the current thread.
    pub(crate) fn store_file_blocking(&self, bytes: Bytes, media: Media) -> std::io::Result<String> {
        let id = uuid::Uuid::new_v4().simple().to_string();
        self.store_file_as(id.clone(), bytes, media)?;
        Ok(id)
    }

    /// [`Runtime::store_file_blocking`] under a known identifier.
    pub(crate) fn store_file_as(&self, id: String, bytes: Bytes, media: Media) -> std::io::Result<()> {
        match self.file_path(&id) {
            None => {
                self.files.lock().expect("no code panics while it holds the files").insert(id.clone(), bytes);
            }
            Some(path) => {
                if let Some(folder) = path.parent() {
                    state_file::create_folder(folder)?;
                }
                state_file::write(&path, &bytes)?;
            }
        }
        self.change(|state| state.media.insert(id, media));
        Ok(())
    }

    /// The history of the state, if it was generated already.
    pub(crate) fn history(&self, state: &State) -> Option<Arc<History>> {
        self.history.get(state.history.as_ref()?.anchor)
    }

    /// Generates the history of the state if there is one. Blocks for tens of milliseconds.
    pub(crate) fn generate_history(&self) -> Option<Arc<History>> {
        let progress = self.read(|state| state.history.clone())?;
        if let Some(history) = self.history.get(progress.anchor) {
            return Some(history);
        }
        let history = Arc::new(History::new(progress.anchor, &progress.image));
        self.history.put(Arc::clone(&history));
        Some(history)
    }

    /// When the events of the history are delivered.
    pub(crate) fn history_due(&self) -> Instant {
        self.history_due.load(Ordering::SeqCst)
    }

    /// Delivers the events of the history from now on.
    pub(crate) fn release_history(&self) {
        self.history_due.store(0, Ordering::SeqCst);
        self.wake();
    }

    /// Holds the events of a new history back for a client that reads its sends.
    pub(crate) fn hold_history(&self) {
        self.history_due.store(now().saturating_add(NEW_HISTORY_HOLD), Ordering::SeqCst);
    }

    /// Removes stored files; one that cannot be removed is left.
    pub(crate) fn remove_files(&self, ids: &[String]) {
        let mut files = self.files.lock().expect("no code panics while it holds the files");
        for id in ids {
            files.remove(id);
            if let Some(Err(error)) = self.file_path(id).map(std::fs::remove_file) {
                tracing::debug!(%error, "a file of the sandbox is left");
            }
        }
    }

    /// Releases the state file for another sandbox. After this call, nothing is written to it.
    pub(crate) fn release_file(&self) {
        drop(self.lock.lock().unwrap_or_else(PoisonError::into_inner).take());
    }

    /// The bytes of a stored file.
    pub(crate) async fn file(&self, id: &str) -> Option<Bytes> {
        match self.file_path(id) {
            None => self.files.lock().expect("no code panics while it holds the files").get(id).cloned(),
            Some(path) => tokio::fs::read(path).await.ok().map(Bytes::from),
        }
    }

    fn file_path(&self, id: &str) -> Option<PathBuf> {
        Some(state_file::media_folder(self.file.as_ref()?).join(id))
    }

    /// Writes each new version, and the last one before it ends.
    pub(crate) async fn save_until(self: Arc<Self>, stop: CancellationToken) {
        let Some(path) = self.file.clone() else { return };
        let mut versions = self.versions();
        let mut last = false;
        loop {
            let version = *versions.borrow_and_update();
            let runtime = Arc::clone(&self);
            let target = path.clone();
            let write = move || {
                let bytes = serde_json::to_vec(&*runtime.lock()).map_err(std::io::Error::other)?;
                state_file::write(&target, &bytes)
            };
            let result = match tokio::task::spawn_blocking(write).await {
                Ok(result) => result.map_err(|error| error.to_string()),
                Err(error) => Err(error.to_string()),
            };
            if let Err(error) = &result {
                tracing::error!(path = %path.display(), error, "the state could not be saved");
            }
            self.saved.send_replace(Saved { version, error: result.err() });
            if last {
                return;
            }
            tokio::select! {
                changed = versions.changed() => last = changed.is_err(),
                () = stop.cancelled() => last = true,
            }
            // Changes that no request waits for, such as scheduled statuses, are saved together.
            if !last {
                tokio::select! {
                    () = self.awaited.notified() => {}
                    () = tokio::time::sleep(UNAWAITED_SAVE) => {}
                    () = stop.cancelled() => last = true,
                }
            }
        }
    }
}

fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// Waits for the next version, but not longer than until `due`.
pub(crate) async fn changed_or_due(versions: &mut watch::Receiver<u64>, due: Option<Instant>) {
    match due {
        // The channel can't close while `Runtime` exists, and its tasks hold it.
        None => drop(versions.changed().await),
        Some(due) => {
            let wait = Duration::from_millis(u64::try_from(due - now()).unwrap_or(0));
            tokio::select! {
                _ = versions.changed() => {}
                () = tokio::time::sleep(wait) => {}
            }
        }
    }
}
