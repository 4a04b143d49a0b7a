//! The core: opens the files, builds the areas, and closes them.

use std::sync::{Arc, Mutex};

use store::DataFolder;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::authoring::Authoring;
use crate::bulk_actions::BulkActions;
use crate::context::ports::{EventSink, Installer, Keyring};
use crate::context::secrets::Secrets;
use crate::context::{Changing, Context, SaidPhones, Timing};
use crate::conversations::Conversations;
use crate::data::{self, Data, Files};
use crate::insights::Insights;
use crate::messaging::Messaging;
use crate::startup::Startup;
use crate::template_files::TemplateFiles;
use crate::templates::Templates;
use crate::updates::Updates;
use crate::webhooks::Webhooks;
use crate::workspaces::{SandboxAccess, SandboxLink, Workspaces};
use command_types::error::Result;

pub struct Options {
    /// Folder of the databases, used by this process only: see [`lock_data_folder`](crate::lock_data_folder).
    pub data_folder: DataFolder,
    pub keyring: Arc<dyn Keyring>,
    pub events: EventSink,
    /// The built-in provider, if there is one.
    pub sandbox: Option<SandboxLink>,
    /// Address of the receiver; overrides the stored one.
    pub receiver_address: Option<String>,
    /// Whether media are fetched from addresses of this machine in every workspace, as in the sandbox; for developing a
    /// provider locally.
    pub loopback_media: bool,
    pub installer: Arc<dyn Installer>,
}

impl std::fmt::Debug for Options {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Options").field("data_folder", &self.data_folder.root()).finish_non_exhaustive()
    }
}

/// The areas of the app, over one data folder. Clones share them.
#[derive(Clone, Debug)]
pub struct Core {
    context: Arc<Context>,
    /// Workspaces, their secrets and their webhook endpoints.
    pub workspaces: Workspaces,
    /// The cached templates, their history and their review.
    pub templates: Templates,
    /// Drafts and submissions.
    pub authoring: Authoring,
    /// Sends and batches.
    pub messaging: Messaging,
    /// Archive, unarchive and delete.
    pub bulk_actions: BulkActions,
    /// Contacts and conversations.
    pub conversations: Conversations,
    /// Receivers, deliveries and events.
    pub webhooks: Webhooks,
    /// Figures.
    pub insights: Insights,
    /// Imports, exports and copies.
    pub template_files: TemplateFiles,
    /// Checks, retention and backups.
    pub data: Data,
    /// Newer versions: announcements and installation.
    pub updates: Updates,
    /// Data that the window loads first.
    pub startup: Startup,
}

impl Core {
    /// Opens the files, repairs work that was in flight in the last run, and starts receiving and projecting.
    pub async fn open(options: Options) -> Result<Self> {
        Self::open_with(options, Timing::default()).await
    }

    /// [`Core::open`] with other pauses and timeouts than those of the app.
    ///
    /// # Errors
    /// As [`Core::open`].
    pub async fn open_with(options: Options, timing: Timing) -> Result<Self> {
        let Options { data_folder, keyring, events, sandbox, receiver_address, loopback_media, installer } = options;
        let Files { folder, journal, delivery_log, reader, desk, cache, notices, restore } =
            outgoing::compute::blocking(move || data::open(data_folder)).await??;
        let stale = crate::workspaces::stale_entries(&desk).await?;
        let context = Arc::new(Context {
            folder,
            delivery_log: Arc::new(delivery_log),
            reader,
            desk,
            cache,
            secrets: Secrets::new(keyring, stale),
            events,
            timing,
            notices: Mutex::new(notices),
            restore,
            cancel: CancellationToken::new(),
            tasks: TaskTracker::new(),
            changing: Changing::default(),
            said_phones: SaidPhones::default(),
        });
        let (access, listener) = match sandbox {
            Some(link) => {
                let (access, secret, listener) = SandboxAccess::new(link);
                (Some(access), Some((secret, listener)))
            }
            None => (None, None),
        };
        let workspaces = Workspaces::new(context.clone(), access, loopback_media).await?;
        let templates = Templates::new(context.clone(), workspaces.clone());
        let authoring = Authoring::new(context.clone(), workspaces.clone(), templates.clone());
        let messaging = Messaging::new(context.clone(), workspaces.clone(), templates.clone());
        let bulk_actions = BulkActions::new(context.clone(), workspaces.clone(), templates.clone());
        let conversations =
            Conversations::new(context.clone(), workspaces.clone(), templates.clone(), messaging.clone());
        let webhooks =
            Webhooks::new(context.clone(), workspaces.clone(), templates.clone(), messaging.clone(), receiver_address)
                .await?;
        let insights = Insights::new(context.clone(), workspaces.clone(), templates.clone());
        let template_files =
            TemplateFiles::new(context.clone(), workspaces.clone(), templates.clone(), authoring.clone());
        let data = Data::new(
            context.clone(),
            journal,
            workspaces.clone(),
            templates.clone(),
            conversations.clone(),
            webhooks.clone(),
        );
        let updates = Updates::new(context.clone(), installer).await?;
        let startup = Startup::new(context.clone(), workspaces.clone(), webhooks.clone(), data.clone());
        let core = Self {
            context,
            workspaces,
            templates,
            authoring,
            messaging,
            bulk_actions,
            conversations,
            webhooks,
            insights,
            template_files,
            data,
            updates,
            startup,
        };
        core.workspaces.ensure_sandbox_workspace().await?;
        core.webhooks.start_projector();
        if let Some((secret, listener)) = listener {
            core.webhooks.start_sandbox_receiver(secret, listener)?;
        }
        core.webhooks.start_receiver();
        core.webhooks.start_feeds().await;
        core.workspaces.watch_keyring();
        core.workspaces.start_token_reminders();
        core.workspaces.start_saving_last_events();
        core.workspaces.start_removing_unused_secrets();
        core.data.start_upkeep();
        core.updates.watch();
        core.messaging.match_after_start();
        core.bulk_actions.reconcile_after_start().await?;
        core.template_files.remove_unneeded_copies().await?;
        Ok(core)
    }

    /// Whether a batch, a bulk action or an import is running, which ends with the app.
    #[must_use]
    pub fn has_running_job(&self) -> bool {
        self.messaging.is_batch_running() || self.bulk_actions.is_running() || self.template_files.is_running()
    }

    /// Stops receiving, waits for work in flight, closes the files and records a clean shutdown.
    pub async fn close(self) {
        self.context.cancel.cancel();
        self.context.tasks.close();
        self.context.tasks.wait().await;
        self.workspaces.save_last_events().await;
        self.data.close_files().await;
    }

    /// Adds a sentence that every window shows until it is dismissed.
    pub fn notice(&self, notice: String) {
        self.context.notice(notice);
    }
}
