//! The core: the files, the secrets, the running receivers, and the tasks that connect them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use model::lifecycle::UsualReview;
use secrecy::SecretString;
use store::{Cache, DataFolder, Desk, Inbox, InboxReader};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::error::Result;
use crate::event::DeskEvent;
use crate::ports::{EventSink, Keyring};
use crate::receivers::Receivers;
use crate::secrets::Secrets;
use crate::storage::{self, Files, Storage};
use crate::view::Nothing;
use crate::view::workspace::{Bootstrap, Preferences};

/// Key of the person's choices among the settings of the desk.
const PREFERENCES: &str = "preferences";

/// How a core is opened.
pub struct Options {
    /// Folder of the databases, which nobody else uses: see [`lock_data_folder`](crate::lock_data_folder).
    pub data_folder: DataFolder,
    /// Where secrets are kept.
    pub keyring: Arc<dyn Keyring>,
    /// Who hears of events.
    pub events: EventSink,
    /// The built-in provider, where there is one.
    pub sandbox: Option<SandboxLink>,
    /// Address of the receiver, in place of the stored one.
    pub receiver_address: Option<String>,
    /// Whether media are fetched from addresses of this machine in every workspace, as in that of the built-in provider;
    /// for a provider that is being developed here.
    pub loopback_media: bool,
}

impl std::fmt::Debug for Options {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Options").field("data_folder", &self.data_folder.root()).finish_non_exhaustive()
    }
}

/// How the core reaches the built-in provider, and where that one's webhooks come in. All of it is new at every start.
#[derive(Debug)]
pub struct SandboxLink {
    /// Base URL.
    pub base_url: String,
    /// Path segment of the channel.
    pub channel: String,
    /// Constant of sends.
    pub messaging_product: String,
    /// UUID of its workspace.
    pub workspace_uuid: String,
    /// Its token.
    pub token: SecretString,
    /// Signs its webhooks.
    pub webhook_secret: SecretString,
    /// Sending numbers: identifier and label.
    pub numbers: Vec<(String, String)>,
    /// WABAs.
    pub waba_ids: Vec<String>,
    /// Takes its webhooks.
    pub webhooks: TcpListener,
}

/// The use cases. Clones share one core.
#[derive(Clone, Debug)]
pub struct Core(pub(crate) Arc<Inner>);

#[derive(Debug)]
pub(crate) struct Inner {
    pub(crate) folder: DataFolder,
    pub(crate) inbox: Arc<Inbox>,
    pub(crate) reader: InboxReader,
    pub(crate) desk: Desk,
    pub(crate) cache: Cache,
    pub(crate) secrets: Secrets,
    pub(crate) events: EventSink,
    pub(crate) sandbox: Option<SandboxAccess>,
    pub(crate) receivers: Receivers,
    pub(crate) endpoints: crate::endpoints::Endpoints,
    pub(crate) forwarding: crate::activity::Forwarding,
    pub(crate) media: crate::inbox::MediaFiles,
    pub(crate) projection: crate::projector::Projection,
    /// What media links lead to.
    pub(crate) links: crate::preflight::Links,
    /// Whether every workspace may fetch media from addresses of this machine.
    pub(crate) loopback_media: bool,
    pub(crate) clients: Mutex<HashMap<String, service::Client>>,
    /// Workspaces whose listing is being fetched, and what stops that.
    pub(crate) syncing: Mutex<HashMap<String, CancellationToken>>,
    /// When the listing of a workspace was last asked for behind the screen.
    pub(crate) tried: Mutex<HashMap<String, i64>>,
    /// When it was looked up what reviews of a workspace usually take, and that.
    pub(crate) usual_reviews: Mutex<HashMap<String, (i64, UsualReview)>>,
    /// Drafts that are being submitted, and what stops them.
    pub(crate) submitting: Mutex<HashMap<String, CancellationToken>>,
    /// Drafts that were submitted since the start and are gone, and the templates that were made or edited by them.
    pub(crate) submitted: Mutex<HashMap<String, String>>,
    pub(crate) batches: crate::batch::Batches,
    pub(crate) orders: crate::orders::Orders,
    pub(crate) transfers: crate::transfer::Transfers,
    pub(crate) preferences: Mutex<Preferences>,
    /// What every window is told at its start.
    pub(crate) notices: Mutex<Vec<String>>,
    pub(crate) storage: Storage,
    pub(crate) cancel: CancellationToken,
    pub(crate) tasks: TaskTracker,
}

/// The part of a [`SandboxLink`] that is needed again and again.
#[derive(Debug)]
pub(crate) struct SandboxAccess {
    pub(crate) settings: crate::view::workspace::WorkspaceSettings,
    pub(crate) token: SecretString,
    /// Signs the webhooks of this run.
    pub(crate) webhook_secret: SecretString,
    /// Where they come in.
    pub(crate) webhooks: Option<std::net::SocketAddr>,
}

impl Core {
    /// Opens the files, repairs what the last run left in flight, and starts receiving and projecting.
    ///
    /// # Errors
    /// [`DeskError::Storage`](crate::error::DeskError::Storage) when a file cannot be opened.
    pub async fn open(options: Options) -> Result<Self> {
        let Options { data_folder, keyring, events, sandbox, receiver_address, loopback_media } = options;
        let Files { folder, logbook, inbox, reader, desk, cache, notices } =
            storage::blocking(move || storage::open(data_folder)).await??;

        let preferences = match desk.setting(PREFERENCES).await? {
            Some(json) => serde_json::from_str(&json).unwrap_or_default(),
            None => Preferences::default(),
        };
        let stale = crate::unlocking::stale_marks(&desk).await?;
        let receivers = Receivers::new(&desk, receiver_address).await?;
        let endpoints = crate::endpoints::Endpoints::new(&desk).await?;
        let (access, listener) = match sandbox {
            Some(link) => {
                let (access, secret, listener) = SandboxAccess::new(link);
                (Some(access), Some((secret, listener)))
            }
            None => (None, None),
        };
        let media = crate::inbox::MediaFiles::new(folder.root());
        let core = Self(Arc::new(Inner {
            folder,
            inbox: Arc::new(inbox),
            reader,
            desk,
            cache,
            secrets: Secrets::new(keyring, stale),
            events,
            sandbox: access,
            receivers,
            endpoints,
            forwarding: crate::activity::Forwarding::default(),
            media,
            projection: crate::projector::Projection::default(),
            links: crate::preflight::Links::default(),
            loopback_media,
            clients: Mutex::default(),
            syncing: Mutex::default(),
            tried: Mutex::default(),
            usual_reviews: Mutex::default(),
            submitting: Mutex::default(),
            submitted: Mutex::default(),
            batches: crate::batch::Batches::default(),
            orders: crate::orders::Orders::default(),
            transfers: crate::transfer::Transfers::default(),
            preferences: Mutex::new(preferences),
            notices: Mutex::new(notices),
            storage: Storage::new(logbook),
            cancel: CancellationToken::new(),
            tasks: TaskTracker::new(),
        }));
        core.ensure_sandbox_workspace().await?;
        core.start_projector();
        if let Some((secret, listener)) = listener {
            core.start_sandbox_receiver(secret, listener)?;
        }
        core.start_receiver();
        core.watch_keyring();
        core.watch_tokens();
        core.keep_last_events();
        core.start_upkeep();
        core.ask_after_orders().await?;
        Ok(core)
    }

    /// Stops receiving, lets what is under way end, closes the files and writes down that this run ended in order.
    pub async fn close(self) {
        self.0.cancel.cancel();
        self.0.tasks.close();
        self.0.tasks.wait().await;
        self.write_last_events().await;
        self.end_files().await;
    }

    /// What the window needs before it can show anything.
    ///
    /// # Errors
    /// [`DeskError::Storage`](crate::error::DeskError::Storage) when the desk cannot be read.
    pub async fn get_bootstrap(&self, _request: Nothing) -> Result<Bootstrap> {
        self.0.storage.first_page();
        let workspaces = self.workspace_summaries().await?;
        let mut preferences = self.preferences();
        if !workspaces.iter().any(|workspace| workspace.id == preferences.workspace)
            && let Some(first) = workspaces.first()
        {
            preferences.workspace = first.id.clone();
        }
        Ok(Bootstrap {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            data_folder: self.0.folder.root().display().to_string(),
            workspaces,
            preferences,
            keyring: self.0.secrets.state().await,
            receiver: self.0.receivers.state(),
            notices: lock(&self.0.notices).clone(),
        })
    }

    /// What the person chose.
    #[must_use]
    pub fn preferences(&self) -> Preferences {
        lock(&self.0.preferences).clone()
    }

    /// Stores what the person chose.
    ///
    /// # Errors
    /// [`DeskError::Storage`](crate::error::DeskError::Storage) when it cannot be written.
    pub async fn save_preferences(&self, preferences: Preferences) -> Result<Preferences> {
        let json = crate::parts::to_json(&preferences)?;
        self.0.desk.put_setting(PREFERENCES, json).await?;
        *lock(&self.0.preferences) = preferences.clone();
        self.tell(DeskEvent::PreferencesChanged {});
        Ok(preferences)
    }

    pub(crate) fn tell(&self, event: DeskEvent) {
        self.0.events.tell(event);
    }

    /// Runs `task` until the core closes.
    pub(crate) fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        let cancel = self.0.cancel.clone();
        self.0.tasks.spawn(async move {
            cancel.run_until_cancelled(task).await;
        });
    }
}

/// Locks, also after a panic elsewhere: what these hold is valid at every step.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
