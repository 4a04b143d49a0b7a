//! The one list of commands: handlers, permission names and the TypeScript contract all come from it.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use app::view::activity::{ContactRow, ConversationPage, ConversationQuery, EventDetail, EventId, EventPage, EventQuery};
use app::view::composer::{
    Attachment, CreateDraft, Draft, DraftId, DraftRow, InspectFile, InspectTemplate, Inspection, LanguageOption,
    PickFile, SubmissionPlan, SubmissionReport,
};
use app::view::insights::{
    Insights, PhoneId, PhoneMessage, PhoneRow, PhoneTap, PhoneText, ReviewDecision, SandboxSettings,
};
use app::view::receiver::{ReceiverState, RefusedDelivery, SetReceiver};
use app::view::send::{SendDetail, SendForm, SendId, SendPage, SendPreview, SendQuery, SendRequest, SendRow};
use app::view::template::{
    DeleteTemplate, ReviewBoard, SyncReport, TemplateDetail, TemplateId, TemplatePage, TemplateQuery,
};
use app::view::workspace::{Bootstrap, ConnectionReport, Preferences, SaveWorkspace, Workspace, WorkspaceId};

/// A request or a response without content.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, TS)]
#[ts(export_to = "ipc.ts")]
pub struct Nothing {}

/// An address to open in the browser.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "ipc.ts")]
pub struct OpenLink {
    /// `https` only.
    pub url: String,
}

/// Hands the list of commands to the macro `$consume`. Each command is `name(Request) -> Response`.
macro_rules! with_commands {
    ($consume:ident) => {
        $consume! {
            get_bootstrap(Nothing) -> Bootstrap,
            save_preferences(Preferences) -> Preferences,
            open_link(OpenLink) -> Nothing,

            get_workspace(WorkspaceId) -> Workspace,
            save_workspace(SaveWorkspace) -> Workspace,
            delete_workspace(WorkspaceId) -> Nothing,
            test_connection(SaveWorkspace) -> ConnectionReport,

            list_templates(TemplateQuery) -> TemplatePage,
            get_template(TemplateId) -> TemplateDetail,
            refresh_templates(WorkspaceId) -> SyncReport,
            archive_template(TemplateId) -> Nothing,
            unarchive_template(TemplateId) -> Nothing,
            delete_template(DeleteTemplate) -> Nothing,
            get_review_board(WorkspaceId) -> ReviewBoard,

            list_languages(Nothing) -> Vec<LanguageOption>,
            list_drafts(WorkspaceId) -> Vec<DraftRow>,
            create_draft(CreateDraft) -> Draft,
            get_draft(DraftId) -> Draft,
            save_draft(Draft) -> Draft,
            delete_draft(DraftId) -> Nothing,
            inspect_template(InspectTemplate) -> Inspection,
            pick_file(PickFile) -> Option<Attachment>,
            inspect_file(InspectFile) -> Attachment,
            plan_submission(DraftId) -> SubmissionPlan,
            submit_draft(DraftId) -> SubmissionReport,

            get_send_form(TemplateId) -> SendForm,
            preview_send(SendRequest) -> SendPreview,
            send_template(SendRequest) -> SendRow,
            list_sends(SendQuery) -> SendPage,
            get_send(SendId) -> SendDetail,

            list_events(EventQuery) -> EventPage,
            get_event(EventId) -> EventDetail,
            set_receiver(SetReceiver) -> ReceiverState,
            list_refused_deliveries(Nothing) -> Vec<RefusedDelivery>,
            list_contacts(WorkspaceId) -> Vec<ContactRow>,
            list_conversation(ConversationQuery) -> ConversationPage,
            get_insights(WorkspaceId) -> Insights,

            get_sandbox_settings(Nothing) -> SandboxSettings,
            save_sandbox_settings(SandboxSettings) -> SandboxSettings,
            decide_review(ReviewDecision) -> Nothing,
            list_phones(Nothing) -> Vec<PhoneRow>,
            list_phone_messages(PhoneId) -> Vec<PhoneMessage>,
            tap_button(PhoneTap) -> Nothing,
            type_text(PhoneText) -> Nothing,
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
    ($($name:ident($request:ty) -> $response:ty,)*) => {
        /// The names of all commands.
        pub const COMMANDS: &[&str] = &[$(stringify!($name)),*];

        /// Every command by its name, for TypeScript.
        #[derive(TS)]
        #[ts(export_to = "ipc.ts")]
        #[expect(dead_code, reason = "exists for its TypeScript form")]
        pub struct Commands {
            $($name: Call<$request, $response>,)*
        }
    };
}
with_commands!(declare);

/// Writes the TypeScript contract of commands, events and errors into `folder`.
///
/// # Errors
/// When a file cannot be written.
pub fn export_bindings(folder: &std::path::Path) -> Result<(), ts_rs::ExportError> {
    // Instants, sizes and counts stay below 2^53; identifiers above it travel as strings.
    let config = ts_rs::Config::new().with_out_dir(folder).with_large_int("number");
    Commands::export_all(&config)?;
    app::event::DeskEvent::export_all(&config)?;
    app::error::DeskError::export_all(&config)
}
