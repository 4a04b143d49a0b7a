//! Commands that need a window: native dialogs, the paths that the page may name, and opening the browser.

use app::Core;
use app::ports::EventSink;
use command_types::Nothing;
use command_types::activity::{ExportEvents, ExportReport};
use command_types::batch::{BatchExport, BatchId, CsvFile};
use command_types::composer::{Attachment, CreateDraft, Draft, DraftId, InspectFile, PickFile};
use command_types::conversations::{MediaRequest, SavedMedia};
use command_types::error::{DeskError, Result};
use command_types::event::DeskEvent;
use command_types::insights::{ExportInsights, InsightsExport, RateCardImport};
use command_types::opt_outs::{OptOutExport, OptOutImport};
use command_types::phone::{PhoneFile, ResetSandbox};
use command_types::recipient_files::{ExportRecipients, RecipientExport, RecipientImport};
use command_types::storage::{BackupReport, RestoreReport};
use command_types::transfer::{
    ChooseImport, ChooseTemplates, ExportTemplates, FoundTemplates, Import, ImportPlan, PlanImport, TemplateExport,
};
use command_types::workspace::WorkspaceId;
use serde::Deserialize;
use ts_rs::TS;

use crate::dialogs;
use crate::granted_paths::GrantedPaths;
use crate::opener;
use crate::pending::{Pending, PendingForPage};
use crate::sandbox_host::SandboxHost;

/// An address to open in the browser.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "ipc.ts")]
pub struct OpenLink {
    /// `https` only.
    pub url: String,
}

/// Dialogs, granted paths and the browser. Files chosen in a dialog are passed to the core; a path that the page names
/// is passed on only if it was granted.
#[derive(Clone, Debug)]
pub struct Window {
    core: Core,
    sandbox: SandboxHost,
    granted: GrantedPaths,
    pending: PendingForPage,
    events: EventSink,
}

impl Window {
    pub(crate) fn new(
        core: Core,
        sandbox: SandboxHost,
        granted: GrantedPaths,
        pending: PendingForPage,
        events: EventSink,
    ) -> Self {
        Self { core, sandbox, granted, pending, events }
    }

    /// Reports that a link was opened; the page takes it.
    pub(crate) fn link_opened(&self) {
        self.events.emit(DeskEvent::LinkOpened {});
    }

    /// What the page has to show once.
    pub async fn take_pending(&self, _request: Nothing) -> Result<Pending> {
        let pending = self.pending.take();
        if pending.page_crashed {
            tracing::info!("the page runs again after a crash");
        }
        Ok(pending)
    }

    /// Starts the built-in sandbox again, and removes everything about it from the app.
    ///
    /// # Errors
    /// [`DeskError::Storage`] when something cannot be stored or removed; the reset can be repeated.
    pub async fn reset_sandbox(&self, request: ResetSandbox) -> Result<Nothing> {
        self.sandbox.reset(request).await?;
        self.core.data.clear_sandbox().await?;
        self.core.messaging.follow_new_sandbox().await?;
        Ok(Nothing {})
    }

    /// [`Core::create_draft`]; grants the draft's files to the page.
    pub async fn create_draft(&self, request: CreateDraft) -> Result<Draft> {
        self.with_granted_files(self.core.authoring.create_draft(request).await?)
    }

    /// [`Core::get_draft`]; grants the draft's files to the page.
    pub async fn get_draft(&self, request: DraftId) -> Result<Draft> {
        self.with_granted_files(self.core.authoring.get_draft(request).await?)
    }

    /// [`Core::save_draft`] with granted files. The page has the draft already.
    ///
    /// # Errors
    /// [`DeskError::File`] for any other file; otherwise as there.
    pub async fn save_draft(&self, draft: Draft) -> Result<Nothing> {
        self.granted.check_files_of(&draft)?;
        self.core.authoring.save_draft(draft).await?;
        Ok(Nothing {})
    }

    /// [`Core::delete_draft`]; grants the draft's files to the page, which can restore it.
    pub async fn delete_draft(&self, request: DraftId) -> Result<Draft> {
        self.with_granted_files(self.core.authoring.delete_draft(request).await?)
    }

    /// [`Core::restore_draft`] with granted files.
    ///
    /// # Errors
    /// [`DeskError::File`] for any other file; otherwise as there.
    pub async fn restore_draft(&self, draft: Draft) -> Result<Nothing> {
        self.granted.check_files_of(&draft)?;
        self.core.authoring.restore_draft(draft).await
    }

    fn with_granted_files(&self, draft: Draft) -> Result<Draft> {
        self.granted.grant_files_of(&draft);
        Ok(draft)
    }

    /// [`Core::inspect_file`] with a granted file.
    ///
    /// # Errors
    /// [`DeskError::File`] for any other file; otherwise as there.
    pub async fn inspect_file(&self, request: InspectFile) -> Result<Attachment> {
        self.granted.check(&request.path)?;
        self.core.authoring.inspect_file(request).await
    }

    /// [`Core::list_recent_files`]; grants the files to the page.
    pub async fn list_recent_files(&self, request: PickFile) -> Result<Vec<Attachment>> {
        let files = self.core.authoring.list_recent_files(request).await?;
        self.granted.grant_all(&files);
        Ok(files)
    }

    /// [`Core::plan_import`] with a granted folder.
    ///
    /// # Errors
    /// [`DeskError::File`] for any other folder; otherwise as there.
    pub async fn plan_import(&self, request: PlanImport) -> Result<ImportPlan> {
        self.granted.check(&request.folder)?;
        self.core.template_files.plan_import(request).await
    }

    /// [`Core::last_import`]; its folder was granted when it was chosen.
    pub async fn last_import(&self, request: WorkspaceId) -> Result<Option<Import>> {
        let import = self.core.template_files.last_import(request).await?;
        if let Some(import) = import.as_ref().filter(|import| !import.is_copy) {
            self.granted.grant(&import.source);
        }
        Ok(import)
    }

    /// Asks for a file with a native dialog.
    pub async fn pick_file(&self, request: PickFile) -> Result<Option<Attachment>> {
        match dialogs::pick_file(&request.format).await? {
            Some(path) => {
                let path = path.to_string_lossy().into_owned();
                self.granted.grant(&path);
                Ok(Some(self.core.authoring.inspect_file(InspectFile { path }).await?))
            }
            None => Ok(None),
        }
    }

    /// Asks for files or a folder, reads the templates in it, and grants the media next to them to the page.
    pub async fn choose_templates(&self, request: ChooseTemplates) -> Result<Option<FoundTemplates>> {
        let paths = match request.folder {
            true => dialogs::pick_folder("Choose a folder of templates").await?.map(|folder| vec![folder]),
            false => dialogs::pick_template_files().await?,
        };
        let Some(paths) = paths else { return Ok(None) };
        let found = self.core.template_files.find_templates_in(request, &paths).await?;
        found.templates.iter().for_each(|template| self.granted.grant_files_of(&template.draft));
        Ok(Some(found))
    }

    /// Asks for a folder and exports templates into it.
    pub async fn export_templates(&self, request: ExportTemplates) -> Result<Option<TemplateExport>> {
        match dialogs::pick_folder("Choose a folder for the templates").await? {
            Some(path) => Ok(Some(self.core.template_files.export_templates_to(&path, request).await?)),
            None => Ok(None),
        }
    }

    /// Asks for a folder of template files and plans their import.
    pub async fn choose_import(&self, request: ChooseImport) -> Result<Option<ImportPlan>> {
        let ChooseImport { workspace, wabas } = request;
        match dialogs::pick_folder("Choose a folder of templates").await? {
            Some(path) => {
                let folder = path.to_string_lossy().into_owned();
                self.granted.grant(&folder);
                Ok(Some(self.core.template_files.plan_import(PlanImport { workspace, folder, wabas }).await?))
            }
            None => Ok(None),
        }
    }

    /// Asks for a file and exports events to it as JSON lines.
    pub async fn export_events(&self, request: ExportEvents) -> Result<Option<ExportReport>> {
        match dialogs::save_events_file().await? {
            Some(path) => Ok(Some(self.core.webhooks.export_events_to(&path, request).await?)),
            None => Ok(None),
        }
    }

    /// Asks for a file of recipients and values, and reads it.
    pub async fn choose_csv(&self, _request: WorkspaceId) -> Result<Option<CsvFile>> {
        match dialogs::pick_csv_file().await? {
            Some(path) => Ok(Some(self.core.messaging.read_csv(&path).await?)),
            None => Ok(None),
        }
    }

    /// Asks for a file and exports the results of a batch to it.
    pub async fn export_batch(&self, request: BatchId) -> Result<Option<BatchExport>> {
        let name = self.core.messaging.batch_file_name(&request).await?;
        match dialogs::save_batch_file(&name).await? {
            Some(path) => Ok(Some(self.core.messaging.export_batch_to(&path, request).await?)),
            None => Ok(None),
        }
    }

    /// Asks for a file and exports who answered a batch to it.
    pub async fn export_batch_replies(&self, request: BatchId) -> Result<Option<BatchExport>> {
        let name = self.core.messaging.batch_file_name(&request).await?;
        match dialogs::save_batch_file(&format!("replies-{name}")).await? {
            Some(path) => Ok(Some(self.core.messaging.export_batch_replies_to(&path, request).await?)),
            None => Ok(None),
        }
    }

    /// Asks for a file and exports the opt-outs of a workspace to it.
    pub async fn export_opt_outs(&self, request: WorkspaceId) -> Result<Option<OptOutExport>> {
        match dialogs::save_opt_outs_file(&self.core.conversations.opt_outs_file_name()).await? {
            Some(path) => Ok(Some(self.core.conversations.export_opt_outs_to(&path, request).await?)),
            None => Ok(None),
        }
    }

    pub async fn export_sample_rate_card(&self, _request: Nothing) -> Result<Option<InsightsExport>> {
        match dialogs::save_sample_rate_card_file(&self.core.insights.sample_rate_card_file_name()).await? {
            Some(path) => Ok(Some(self.core.insights.export_sample_rate_card_to(&path).await?)),
            None => Ok(None),
        }
    }

    /// Asks for a rate card and imports it, unless a row has a fault.
    pub async fn import_rate_card(&self, request: WorkspaceId) -> Result<Option<RateCardImport>> {
        match dialogs::pick_rate_card_file().await? {
            Some(path) => Ok(Some(self.core.insights.import_rate_card_from(&path, request).await?)),
            None => Ok(None),
        }
    }

    /// Asks for a file of opt-outs and checks it.
    pub async fn import_opt_outs(&self, request: WorkspaceId) -> Result<Option<OptOutImport>> {
        match dialogs::pick_opt_outs_file().await? {
            Some(path) => Ok(Some(self.core.conversations.import_opt_outs_from(&path, request).await?)),
            None => Ok(None),
        }
    }

    /// Asks for a file of people for the address book and reads it.
    pub async fn import_recipients(&self, request: WorkspaceId) -> Result<Option<RecipientImport>> {
        match dialogs::pick_people_file().await? {
            Some(path) => Ok(Some(self.core.messaging.import_recipients_from(&path, request).await?)),
            None => Ok(None),
        }
    }

    /// Asks for a file and exports people of the address book to it.
    pub async fn export_recipients(&self, request: ExportRecipients) -> Result<Option<RecipientExport>> {
        match dialogs::save_people_file(&self.core.messaging.recipients_file_name()).await? {
            Some(path) => Ok(Some(self.core.messaging.export_recipients_to(&path, request).await?)),
            None => Ok(None),
        }
    }

    /// Asks for a file and exports insights to it.
    pub async fn export_insights(&self, request: ExportInsights) -> Result<Option<InsightsExport>> {
        match dialogs::save_insights_file(&self.core.insights.insights_file_name(&request)).await? {
            Some(path) => Ok(Some(self.core.insights.export_insights_to(&path, request).await?)),
            None => Ok(None),
        }
    }

    /// Asks for a file and saves the media of a message to it.
    pub async fn save_media(&self, request: MediaRequest) -> Result<Option<SavedMedia>> {
        let name = self.core.conversations.media_name(&request).await?;
        match dialogs::save_media_file(&name).await? {
            Some(path) => Ok(Some(self.core.conversations.save_media_to(&path, &request).await?)),
            None => Ok(None),
        }
    }

    /// Asks for a folder and creates a backup in it.
    pub async fn back_up(&self, _request: Nothing) -> Result<Option<BackupReport>> {
        match dialogs::pick_folder("Choose a folder for the backup").await? {
            Some(path) => Ok(Some(self.core.data.back_up(&path).await?)),
            None => Ok(None),
        }
    }

    /// Asks for the folder of a backup and verifies it in full.
    pub async fn check_backup(&self, _request: Nothing) -> Result<Option<BackupReport>> {
        match dialogs::pick_folder("Choose the folder of a backup").await? {
            Some(path) => Ok(Some(self.core.data.check_backup(&path).await?)),
            None => Ok(None),
        }
    }

    /// Asks for the folder of a backup, and schedules its restore for the next start.
    pub async fn restore_backup(&self, _request: Nothing) -> Result<Option<RestoreReport>> {
        match dialogs::pick_folder("Choose the folder of a backup").await? {
            Some(path) => Ok(Some(self.core.data.restore_backup(&path).await?)),
            None => Ok(None),
        }
    }

    /// Sends a file from a phone of the sandbox: the dropped one, otherwise one from a dialog. Returns whether one was
    /// sent.
    ///
    /// # Errors
    /// [`DeskError::File`] if it was not dropped, or can't be read or sent; [`DeskError::InvalidInput`] at the number.
    pub async fn send_phone_file(&self, request: PhoneFile) -> Result<bool> {
        let path = match &request.path {
            Some(path) => {
                self.granted.check(path)?;
                path.clone()
            }
            None => match dialogs::pick_phone_file().await? {
                Some(path) => path.to_string_lossy().into_owned(),
                None => return Ok(false),
            },
        };
        let file = self.core.authoring.inspect_file(InspectFile { path }).await?;
        self.sandbox.send_file(request, file).await?;
        Ok(true)
    }

    /// Opens an `https` address in the browser.
    ///
    /// # Errors
    /// [`DeskError::InvalidInput`] for any other address; [`DeskError::Internal`] if no browser can be started.
    pub async fn open_link(&self, request: OpenLink) -> Result<Nothing> {
        if !request.url.starts_with("https://") || request.url.chars().any(|c| c.is_control() || c.is_whitespace()) {
            return Err(DeskError::invalid("url", "Only https addresses are opened in the browser."));
        }
        let started = opener::open(&request.url);
        started.map(|()| Nothing {}).map_err(|error| DeskError::Internal {
            message: format!("no browser could be started ({error}); the address is {}", request.url),
        })
    }
}
