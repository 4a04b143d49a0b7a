//! The list of commands: handlers, permission names and the TypeScript contract are generated from it.

use std::path::Path;
use std::str::FromStr as _;
use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;
use tauri::ipc::{Invoke, InvokeBody, InvokeError, InvokeResponseBody, JavaScriptChannelId};
use tokio::sync::SetOnce;
use ts_rs::TS;

use app::Core;
use command_types::Nothing;
use command_types::activity::{
    AccountNotice, CompareEvents, DeliveryDetail, DeliveryId, EventComparison, EventDetail, EventId, EventPage,
    EventQuery, ExportEvents, ExportReport, ForwardReport, ForwardStored, ForwardingState, NoticeId, ProjectionState,
    ReplayEvents, ReplayReport, SendingNotices, SetForwarding, SignatureReport, VerifySignatures,
};
use command_types::batch::{
    Batch, BatchCost, BatchDetail, BatchExport, BatchId, BatchPlan, BatchPlanRequest, BatchQuery, BatchSpread, CsvFile,
    CsvFileId, EstimateRows, ResumeBatch, RowsEstimate, SetCsvHeader, StartBatch,
};
use command_types::batch_comparison::{BatchComparison, CompareBatches, ComparisonPair, PlanBatchSide};
use command_types::batch_mapping::{BatchMapping, BatchPreview, ColumnGuess, GuessColumns, PreviewBatch};
use command_types::batch_round::{BatchGroups, BatchReplies, PlanRound};
use command_types::batch_row::{BatchRowPreview, PreviewBatchRow};
use command_types::bulk_action::{
    BulkAction, BulkActionDetail, BulkActionId, BulkActionQuery, PlanBulkAction, RetryBulkAction, StartBulkAction,
};
use command_types::composer::{
    Attachment, CheckName, CreateDraft, Draft, DraftId, DraftRow, InspectFile, InspectTemplate, Inspection,
    LanguageOption, PickFile, ReadTemplate, RewriteTemplate, Starter, TemplateText,
};
use command_types::conversations::{
    ContactPage, ContactQuery, ConversationPage, ConversationQuery, FoundMessagePage, FoundMessageQuery, MarkRead,
    MarkUnread, MediaFile, MediaRequest, NoAnswerUntil, SavedMedia, UnreadCount,
};
use command_types::edit::{EditContext, TemplateVersion};
use command_types::error::DeskError;
use command_types::event::DeskEvent;
use command_types::feeds::{DismissFeedGap, FeedId, FeedReport, FeedSources, SaveFeed};
use command_types::history::{
    CompareVersions, HistoryQuery, LookedFor, RemovedTemplate, TemplateHistory, VersionComparison,
};
use command_types::insights::{
    ExportInsights, Funnel, FunnelQuery, InsightsExport, InsightsOverview, Pricing, PricingQuery, RateCardImport,
    ReviewQuery, ReviewTimes, WorkspaceRateCard,
};
use command_types::keyring::KeyringState;
use command_types::language::WindowLanguage;
use command_types::opt_outs::{
    AddOptOut, AddOptOuts, MarketingNoted, NoteMarketing, OptOutAdded, OptOutExport, OptOutImport, OptOutImportId,
    OptOutList, OptOutQuery, OptOutWords, SaveOptOutWords, SavedOptOutWords,
};
use command_types::phone::{
    AddPhone, FailureCode, PhoneFile, PhoneId, PhoneMarketing, PhoneMessage, PhoneRevision, PhoneRow, PhoneScriptRow,
    PhoneTap, PhoneText, ResetSandbox, ReviewDecision, SandboxSettings, SavePhoneScript,
};
use command_types::preferences::Preferences;
use command_types::receiver::{
    Endpoint, ReceiverState, RefusedDelivery, RefusedDetail, RefusedId, SetReceiver, TestEvent, TestEventReport,
};
use command_types::recipient_files::{
    ExportRecipients, RecipientExport, RecipientImport, RecipientImportId, RecipientImportRequest,
    RecipientImportUndone,
};
use command_types::recipients::{
    CheckRecipient, DeleteRecipients, Recipient, RecipientCheck, RecipientList, RecipientQuery, SaveRecipient,
};
use command_types::retarget::{RetargetBatch, RetargetedPeople};
use command_types::saved_replies::{FillSavedReply, SaveSavedReply, SavedReply, SavedReplyId, SavedReplyList};
use command_types::send::{
    LinkPicture, LinkedPicture, Preflight, RecentContact, SendDetail, SendForm, SendId, SendPage, SendPreview,
    SendQuery, SendRequest, SendRow, SendText, ServiceWindow, WindowQuery,
};
use command_types::sender_health::SenderHealth;
use command_types::startup::Bootstrap;
use command_types::storage::{
    BackupReport, RestoreReport, RetentionPolicy, RetentionPreview, RetentionReport, StorageState,
};
use command_types::submission::{FirstSteps, SubmissionPlan, SubmissionReport, SubmitDraft};
use command_types::support::{Diagnostics, FailureDetails, PageFailure, SavedDiagnostics};
use command_types::template::{
    DeleteTemplate, ListViews, MatrixPage, MatrixQuery, RefreshTemplates, ReviewBoard, ReviewBoardQuery, SaveListViews,
    SyncReport, TemplateDetail, TemplateId, TemplatePage, TemplateQuery,
};
use command_types::transfer::{
    ChooseImport, ChooseTemplates, ExportTemplates, FindTemplates, FoundTemplates, Import, ImportId, ImportPlan,
    PlanCopy, PlanImport, RunImport, TemplateExport,
};
use command_types::unfinished_forms::{SaveUnfinishedForm, UnfinishedForm};
use command_types::updates::{UpdateSettings, UpdateState};
use command_types::workspace::{
    AnswerClose, ConnectionReport, Country, Presence, RefreshSecrets, SaveWorkspace, SetLoginStart, Workspace,
    WorkspaceContents, WorkspaceId, WorkspaceProblem,
};
use model::finding::Finding;
use model::saved_reply::FilledReply;
use model::template::Template;

use crate::bindings;
use crate::events::EventHub;
use crate::exact_numbers;
use crate::pending::Pending;
use crate::request_patches::PatchBases;
use crate::sandbox_host::SandboxHost;
use crate::support::Support;
use crate::window::{OpenLink, Window};

/// Passes the list of commands to the macro `$consume`. Each command is `area name(Request) -> Response`, where `area`
/// is the area of [`Core`], or the part of [`Host`], that has a method with that name.
macro_rules! with_commands {
    ($consume:ident) => {
        $consume! {
            startup get_bootstrap(Nothing) -> Bootstrap,
            workspaces save_preferences(Preferences) -> Preferences,
            workspaces set_window_language(WindowLanguage) -> Nothing,
            window open_link(OpenLink) -> Nothing,
            window take_pending(Nothing) -> Pending,
            workspaces list_unfinished_forms(Nothing) -> Vec<UnfinishedForm>,
            workspaces save_unfinished_form(SaveUnfinishedForm) -> Nothing,
            background get_presence(Nothing) -> Presence,
            background set_login_start(SetLoginStart) -> Presence,
            background answer_close(AnswerClose) -> Nothing,

            workspaces get_workspace(WorkspaceId) -> Workspace,
            workspaces save_workspace(SaveWorkspace) -> Workspace,
            workspaces delete_workspace(WorkspaceId) -> Nothing,
            workspaces get_workspace_contents(WorkspaceId) -> WorkspaceContents,
            workspaces check_workspace(SaveWorkspace) -> Vec<WorkspaceProblem>,
            workspaces test_connection(SaveWorkspace) -> ConnectionReport,
            workspaces refresh_secrets(RefreshSecrets) -> KeyringState,
            webhooks get_endpoints(WorkspaceId) -> Vec<Endpoint>,
            webhooks send_test_event(TestEvent) -> TestEventReport,

            templates list_templates(TemplateQuery) -> TemplatePage,
            templates get_template(TemplateId) -> TemplateDetail,
            templates refresh_templates(RefreshTemplates) -> SyncReport,
            templates cancel_refresh(WorkspaceId) -> Nothing,
            bulk_actions archive_template(TemplateId) -> Nothing,
            bulk_actions unarchive_template(TemplateId) -> Nothing,
            bulk_actions delete_template(DeleteTemplate) -> Nothing,
            bulk_actions plan_bulk_action(PlanBulkAction) -> BulkAction,
            bulk_actions start_bulk_action(StartBulkAction) -> BulkAction,
            bulk_actions cancel_bulk_action(BulkActionId) -> BulkAction,
            bulk_actions retry_bulk_action(RetryBulkAction) -> BulkAction,
            bulk_actions undo_bulk_action(BulkActionId) -> BulkAction,
            bulk_actions discard_bulk_action(BulkActionId) -> Nothing,
            bulk_actions get_bulk_action(BulkActionQuery) -> BulkActionDetail,
            bulk_actions list_bulk_actions(WorkspaceId) -> Vec<BulkAction>,
            templates get_review_board(ReviewBoardQuery) -> ReviewBoard,
            templates get_language_matrix(MatrixQuery) -> MatrixPage,
            templates get_list_views(WorkspaceId) -> ListViews,
            templates save_list_views(SaveListViews) -> ListViews,

            authoring list_languages(Nothing) -> Vec<LanguageOption>,
            authoring get_first_steps(WorkspaceId) -> FirstSteps,
            authoring list_starters(Nothing) -> Vec<Starter>,
            authoring list_drafts(WorkspaceId) -> Vec<DraftRow>,
            window create_draft(CreateDraft) -> Draft,
            window get_draft(DraftId) -> Draft,
            window save_draft(Draft) -> Nothing,
            window delete_draft(DraftId) -> Draft,
            window restore_draft(Draft) -> Nothing,
            authoring inspect_template(InspectTemplate) -> Inspection,
            authoring check_name(CheckName) -> Vec<Finding>,
            authoring read_template(ReadTemplate) -> TemplateText,
            authoring rewrite_template(RewriteTemplate) -> Template,
            window pick_file(PickFile) -> Option<Attachment>,
            window inspect_file(InspectFile) -> Attachment,
            window list_recent_files(PickFile) -> Vec<Attachment>,
            authoring get_edit_context(DraftId) -> EditContext,
            authoring plan_submission(DraftId) -> SubmissionPlan,
            authoring submit_draft(SubmitDraft) -> SubmissionReport,
            authoring cancel_submission(DraftId) -> Nothing,
            templates list_versions(TemplateId) -> Vec<TemplateVersion>,
            templates compare_versions(CompareVersions) -> VersionComparison,
            templates get_history(HistoryQuery) -> TemplateHistory,
            templates list_removed(WorkspaceId) -> Vec<RemovedTemplate>,
            templates look_for_template(TemplateId) -> LookedFor,

            template_files find_templates(FindTemplates) -> FoundTemplates,
            window choose_templates(ChooseTemplates) -> Option<FoundTemplates>,
            window export_templates(ExportTemplates) -> Option<TemplateExport>,
            window choose_import(ChooseImport) -> Option<ImportPlan>,
            window plan_import(PlanImport) -> ImportPlan,
            template_files plan_copy(PlanCopy) -> ImportPlan,
            template_files run_import(RunImport) -> Import,
            template_files resume_import(ImportId) -> Import,
            template_files cancel_import(ImportId) -> Nothing,
            window last_import(WorkspaceId) -> Option<Import>,
            template_files forget_import(ImportId) -> Nothing,

            messaging get_send_form(TemplateId) -> SendForm,
            messaging preview_send(SendRequest) -> SendPreview,
            messaging preflight_send(SendRequest) -> Preflight,
            messaging get_link_picture(LinkPicture) -> LinkedPicture,
            messaging send_template(SendRequest) -> SendRow,
            messaging preview_text(SendText) -> SendPreview,
            messaging send_text(SendText) -> SendRow,
            messaging cancel_send(SendId) -> Nothing,
            messaging get_service_window(WindowQuery) -> ServiceWindow,
            messaging list_sends(SendQuery) -> SendPage,
            messaging get_send(SendId) -> SendDetail,

            messaging list_recent_contacts(WorkspaceId) -> Vec<RecentContact>,
            messaging list_recipients(RecipientQuery) -> RecipientList,
            messaging check_recipient(CheckRecipient) -> RecipientCheck,
            messaging save_recipient(SaveRecipient) -> Recipient,
            messaging delete_recipients(DeleteRecipients) -> Nothing,
            window import_recipients(WorkspaceId) -> Option<RecipientImport>,
            messaging plan_recipient_import(RecipientImportRequest) -> RecipientImport,
            messaging store_recipient_import(RecipientImportRequest) -> RecipientImport,
            messaging undo_recipient_import(RecipientImportId) -> RecipientImportUndone,
            window export_recipients(ExportRecipients) -> Option<RecipientExport>,
            window choose_csv(WorkspaceId) -> Option<CsvFile>,
            messaging list_countries(Nothing) -> Vec<Country>,
            messaging set_csv_header(SetCsvHeader) -> CsvFile,
            messaging reread_csv(CsvFileId) -> Option<CsvFile>,
            messaging retarget_batch(RetargetBatch) -> RetargetedPeople,
            messaging guess_columns(GuessColumns) -> ColumnGuess,
            messaging preview_batch(PreviewBatch) -> BatchPreview,
            messaging plan_batch(BatchPlanRequest) -> BatchPlan,
            messaging start_batch(StartBatch) -> Batch,
            messaging cancel_batch(BatchId) -> Batch,
            messaging resume_batch(ResumeBatch) -> Batch,
            messaging end_batch(BatchId) -> Batch,
            messaging get_batch(BatchQuery) -> BatchDetail,
            messaging get_batch_cost(BatchId) -> BatchCost,
            messaging get_batch_mapping(BatchId) -> Option<BatchMapping>,
            messaging estimate_batch_rows(EstimateRows) -> RowsEstimate,
            messaging preview_batch_row(PreviewBatchRow) -> BatchRowPreview,
            messaging list_batches(WorkspaceId) -> Vec<Batch>,
            window export_batch(BatchId) -> Option<BatchExport>,
            messaging get_batch_groups(BatchId) -> BatchGroups,
            messaging compare_batches(CompareBatches) -> BatchComparison,
            messaging get_comparison_pair(BatchId) -> ComparisonPair,
            messaging plan_batch_side(PlanBatchSide) -> BatchPlan,
            messaging spread_batch(BatchId) -> BatchSpread,
            messaging plan_round(PlanRound) -> Batch,
            messaging discard_round(BatchId) -> Nothing,
            messaging list_batch_replies(BatchId) -> BatchReplies,
            window export_batch_replies(BatchId) -> Option<BatchExport>,

            webhooks list_events(EventQuery) -> EventPage,
            webhooks get_event(EventId) -> EventDetail,
            webhooks list_account_notices(WorkspaceId) -> Vec<AccountNotice>,
            webhooks list_sending_notices(SendingNotices) -> Vec<AccountNotice>,
            webhooks list_sender_health(WorkspaceId) -> Vec<SenderHealth>,
            webhooks dismiss_account_notice(NoticeId) -> Nothing,
            webhooks get_delivery(DeliveryId) -> DeliveryDetail,
            webhooks compare_events(CompareEvents) -> EventComparison,
            webhooks replay_events(ReplayEvents) -> ReplayReport,
            webhooks get_projection(Nothing) -> ProjectionState,
            webhooks rebuild_projection(Nothing) -> ProjectionState,
            webhooks verify_signatures(VerifySignatures) -> SignatureReport,
            window export_events(ExportEvents) -> Option<ExportReport>,
            webhooks get_forwarding(Nothing) -> ForwardingState,
            webhooks set_forwarding(SetForwarding) -> ForwardingState,
            webhooks forward_stored(ForwardStored) -> ForwardReport,
            webhooks set_receiver(SetReceiver) -> ReceiverState,
            webhooks list_feeds(Nothing) -> FeedSources,
            webhooks check_feed(SaveFeed) -> FeedReport,
            webhooks save_feed(SaveFeed) -> FeedSources,
            webhooks delete_feed(FeedId) -> FeedSources,
            webhooks dismiss_feed_gap(DismissFeedGap) -> FeedSources,
            webhooks list_refused_deliveries(Nothing) -> Vec<RefusedDelivery>,
            webhooks get_refused_delivery(RefusedId) -> RefusedDetail,
            conversations list_contacts(ContactQuery) -> ContactPage,
            conversations count_unread(WorkspaceId) -> UnreadCount,
            conversations list_conversation(ConversationQuery) -> ConversationPage,
            conversations mark_read(MarkRead) -> Nothing,
            conversations mark_unread(MarkUnread) -> Nothing,
            conversations set_no_answer_until(NoAnswerUntil) -> Nothing,
            conversations find_sent_messages(FoundMessageQuery) -> FoundMessagePage,
            conversations note_marketing(NoteMarketing) -> MarketingNoted,
            conversations list_opt_outs(OptOutQuery) -> OptOutList,
            conversations add_opt_out(AddOptOut) -> OptOutAdded,
            conversations add_opt_outs(AddOptOuts) -> Nothing,
            conversations list_opt_out_words(WorkspaceId) -> OptOutWords,
            conversations save_opt_out_words(SaveOptOutWords) -> SavedOptOutWords,
            window export_opt_outs(WorkspaceId) -> Option<OptOutExport>,
            window import_opt_outs(WorkspaceId) -> Option<OptOutImport>,
            conversations store_opt_outs(OptOutImportId) -> OptOutImport,
            conversations undo_opt_out_import(OptOutImportId) -> Nothing,
            conversations list_saved_replies(WorkspaceId) -> SavedReplyList,
            conversations save_saved_reply(SaveSavedReply) -> SavedReply,
            conversations delete_saved_reply(SavedReplyId) -> Nothing,
            conversations fill_saved_reply(FillSavedReply) -> FilledReply,
            conversations get_media(MediaRequest) -> MediaFile,
            window save_media(MediaRequest) -> Option<SavedMedia>,
            insights get_insights(WorkspaceId) -> InsightsOverview,
            insights get_funnel(FunnelQuery) -> Funnel,
            templates get_review_times(ReviewQuery) -> ReviewTimes,
            insights get_pricing(PricingQuery) -> Pricing,
            insights get_rate_card(WorkspaceId) -> Option<WorkspaceRateCard>,
            insights remove_rate_card(WorkspaceId) -> Nothing,
            window import_rate_card(WorkspaceId) -> Option<RateCardImport>,
            window export_sample_rate_card(Nothing) -> Option<InsightsExport>,
            window export_insights(ExportInsights) -> Option<InsightsExport>,

            data get_storage(Nothing) -> StorageState,
            data check_files(Nothing) -> StorageState,
            data preview_retention(RetentionPolicy) -> RetentionPreview,
            data set_retention(RetentionPolicy) -> StorageState,
            data apply_retention(Nothing) -> RetentionReport,
            window back_up(Nothing) -> Option<BackupReport>,
            window check_backup(Nothing) -> Option<BackupReport>,
            window restore_backup(Nothing) -> Option<RestoreReport>,
            data cancel_restore(Nothing) -> StorageState,

            support get_diagnostics(Nothing) -> Diagnostics,
            support save_diagnostics(Nothing) -> Option<SavedDiagnostics>,
            support report_page_failure(PageFailure) -> FailureDetails,
            support open_log_folder(Nothing) -> Nothing,

            updates get_updates(Nothing) -> UpdateState,
            updates save_update_settings(UpdateSettings) -> UpdateState,
            updates check_for_updates(Nothing) -> UpdateState,
            updates install_update(Nothing) -> UpdateState,

            sandbox get_sandbox_settings(Nothing) -> SandboxSettings,
            sandbox save_sandbox_settings(SandboxSettings) -> SandboxSettings,
            window reset_sandbox(ResetSandbox) -> Nothing,
            sandbox decide_review(ReviewDecision) -> Nothing,
            sandbox list_phones(Nothing) -> Vec<PhoneRow>,
            sandbox add_phone(AddPhone) -> PhoneRow,
            sandbox list_phone_messages(PhoneId) -> Vec<PhoneMessage>,
            sandbox tap_button(PhoneTap) -> Nothing,
            sandbox type_text(PhoneText) -> Nothing,
            sandbox revise_phone_message(PhoneRevision) -> Nothing,
            sandbox choose_phone_marketing(PhoneMarketing) -> Nothing,
            window send_phone_file(PhoneFile) -> bool,
            sandbox read_phone(PhoneId) -> Nothing,
            sandbox list_phone_scripts(Nothing) -> Vec<PhoneScriptRow>,
            sandbox save_phone_script(SavePhoneScript) -> Vec<PhoneRow>,
            sandbox list_failure_codes(Nothing) -> Vec<FailureCode>,
        }
    };
}

/// The request and the response of a command, for TypeScript.
#[derive(TS)]
#[ts(export_to = "ipc.ts")]
#[expect(dead_code, reason = "exists for its TypeScript form")]
struct Call<Request, Response> {
    request: Request,
    response: Response,
}

macro_rules! declare {
    ($($part:ident $name:ident($request:ty) -> $response:ty,)*) => {
        pub const COMMANDS: &[&str] = &[$(stringify!($name)),*];

        /// Every command by its name, for TypeScript.
        #[derive(TS)]
        #[ts(export_to = "ipc.ts")]
        #[expect(dead_code, reason = "exists for its TypeScript form")]
        pub struct Commands {
            $($name: Call<$request, $response>,)*
        }

        /// Runs the command `name` with the request of the window, and returns JSON.
        ///
        /// # Errors
        /// The error of the command; [`DeskError::InvalidInput`] if the request has another form,
        /// [`DeskError::NotFound`] if the command does not exist.
        pub async fn dispatch(host: &Host, name: &str, mut request: Value) -> Result<String, DeskError> {
            exact_numbers::from_window(&mut request);
            match name {
                $(stringify!($name) => {
                    let request: $request = model::json::read(&request)
                        .map_err(|error| DeskError::invalid("request", error.to_string()))?;
                    answer(&host.$part.$name(request).await?)
                })*
                _ => Err(DeskError::other_not_found(format!("The command {name}"))),
            }
        }
    };
}
with_commands!(declare);

fn answer<T: Serialize>(response: &T) -> Result<String, DeskError> {
    let json = serde_json::to_string(response).map_err(|error| DeskError::Internal { message: error.to_string() })?;
    Ok(exact_numbers::to_window(&json).into_owned())
}

/// The receivers of commands: the areas of the core, and the parts that need a window.
#[derive(Clone, Debug)]
pub struct Host {
    /// The core, whose areas handle commands as the host's own parts do.
    pub core: Core,
    /// The built-in provider.
    pub sandbox: SandboxHost,
    /// Dialogs, the paths that the page may name, and the browser.
    pub window: Window,
    /// Diagnostics and failures of the page.
    pub support: Support,
    pub background: crate::background::Background,
}

/// The parts, once they are open. Clones share them.
pub(crate) type Opened = Arc<SetOnce<Host>>;

impl std::ops::Deref for Host {
    type Target = Core;

    fn deref(&self) -> &Core {
        &self.core
    }
}

/// Handles a call of the window: `{channel}` for `subscribe`, `{request}` or a patch ([`PatchBases`]) for
/// commands. Responds from the runtime, so that the window's thread never blocks. Calls that arrive while the
/// parts open wait for them.
pub(crate) fn handle(invoke: Invoke, opened: &Opened, bases: &PatchBases, events: &EventHub) -> bool {
    let Invoke { message, resolver, .. } = invoke;
    let name = message.command().to_owned();
    let InvokeBody::Json(payload) = message.payload() else {
        resolver.reject(DeskError::invalid("request", "A JSON object is expected."));
        return true;
    };
    if name == "subscribe" {
        let channel = payload.get("channel").and_then(Value::as_str).map(JavaScriptChannelId::from_str);
        match channel {
            Some(Ok(id)) => {
                events.subscribe(id.channel_on(message.webview()));
                resolver.resolve(Nothing {});
            }
            _ => resolver.reject(DeskError::invalid("channel", "A channel is expected.")),
        }
        return true;
    }
    let request = match bases.resolve(&name, payload) {
        Ok(request) => request,
        Err(why) => {
            resolver.reject(why);
            return true;
        }
    };
    let opened = opened.clone();
    resolver.respond_async_serialized(async move {
        // A separate task, so that a panic in a command becomes its error and affects nothing else.
        let answer = tokio::spawn(async move { dispatch(opened.wait().await, &name, request).await }).await;
        let answer = answer.unwrap_or_else(|panic| Err(DeskError::Internal { message: panic.to_string() }));
        match answer {
            Ok(json) => Ok(InvokeResponseBody::Json(json)),
            Err(error) => Err(InvokeError(serde_json::to_value(&error).unwrap_or(Value::Null))),
        }
    });
    true
}

/// Writes the TypeScript contract of commands, events and errors into `folder`.
pub fn export_bindings(folder: &Path) -> Result<(), ts_rs::ExportError> {
    // Timestamps, sizes and counts stay below 2^53; larger identifiers are sent as strings.
    let config = ts_rs::Config::new().with_out_dir(folder).with_large_int("number");
    Commands::export_all(&config)?;
    DeskEvent::export_all(&config)?;
    DeskError::export_all(&config)?;
    Ok(bindings::format_folder(folder)?)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::COMMANDS;

    /// Keeps the permission file consistent with the list of commands.
    #[test]
    fn the_window_may_call_every_command_and_nothing_else() {
        let file = include_str!("../permissions/commands.toml");
        let allowed: BTreeSet<&str> =
            file.lines().filter_map(|line| line.trim().strip_prefix('"')?.strip_suffix("\",")).collect();
        let mut commands: BTreeSet<&str> = COMMANDS.iter().copied().collect();
        commands.insert("subscribe");
        assert_eq!(allowed, commands);
    }
}
