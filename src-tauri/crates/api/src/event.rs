//! What happened, told to the window. Events never say what the window should do about it.

use receiver::Reason;
use serde::Serialize;
use store::desk::{RunState, SendState};
use ts_rs::TS;

use crate::error::DeskError;
use crate::keyring::KeyringState;
use crate::receiver::ReceiverState;

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum DeskEvent {
    /// A template's status changed because an event came in.
    TemplateStatusChanged {
        /// Workspace.
        workspace: String,
        /// Reference of the template, where the cache knows it.
        reference: Option<String>,
        /// Name.
        name: String,
        /// Language.
        language: String,
        /// The event, such as `APPROVED`.
        event: String,
        /// Why, where the event says.
        reason: Option<String>,
    },
    /// The cached listing of a workspace changed.
    TemplatesChanged {
        /// Workspace.
        workspace: String,
    },
    /// A page of a listing was read.
    SyncProgress {
        /// Workspace.
        workspace: String,
        /// Pages so far.
        pages: u64,
        /// Templates so far.
        templates: u64,
        /// Templates in all, where the provider says so.
        total: Option<u64>,
    },
    /// A listing of the provider was taken over, as far as it was read.
    SyncFinished {
        /// Workspace.
        workspace: String,
    },
    /// A listing could not be fetched; the cached one stays.
    SyncFailed {
        /// Workspace.
        workspace: String,
        /// Why.
        error: DeskError,
    },
    /// A send moved on.
    SendUpdated {
        /// Workspace.
        workspace: String,
        /// The send.
        id: String,
        /// Its state now.
        state: SendState,
    },
    /// Webhooks were stored and projected.
    EventsStored {
        /// Workspaces they belong to.
        workspaces: Vec<String>,
        /// How many new items.
        count: u64,
    },
    /// What is stored is being projected, and there is much of it. The last one says that it is done.
    ProjectionProgress {
        /// Place in the inbox up to which everything is shown.
        done: u64,
        /// Place of the last delivery in the inbox.
        total: u64,
        /// Whether all events are being processed again.
        rebuilding: bool,
    },
    /// A message of a contact came in.
    MessageReceived {
        /// Workspace.
        workspace: String,
        /// The contact.
        contact: String,
    },
    /// The receiver started, stopped or failed.
    ReceiverChanged {
        /// Its state now.
        state: ReceiverState,
    },
    /// A workspace was added, changed or removed.
    WorkspacesChanged {},
    /// The keyring was locked, unlocked, lost or found, or secrets were read again.
    KeyringChanged {
        /// Its state now.
        state: KeyringState,
    },
    /// Something changed about the files: a check, a backup, the policy of retention, damage.
    StorageChanged {},
    /// A draft was stored.
    DraftSaved {
        /// Workspace.
        workspace: String,
        /// The draft.
        id: String,
    },
    /// A submission took a step.
    SubmissionProgress {
        /// The draft it submits.
        draft: String,
        /// The WABA of the step.
        waba: String,
        /// Bytes of the request's files sent so far.
        sent: u64,
        /// Bytes of all files of the request.
        total: u64,
        /// Name of the file that is being sent.
        file: String,
    },
    /// Something changed in the sandbox: a message moved on, a phone, its settings.
    SandboxChanged {},
    /// A batch took some steps.
    BatchProgress {
        /// Workspace.
        workspace: String,
        /// The batch.
        id: String,
        /// Rows that have left or are left out.
        done: u32,
        /// All rows.
        total: u32,
        /// Where it stands.
        state: RunState,
    },
    /// A template's category changed because an event came in.
    TemplateCategoryChanged {
        /// Workspace.
        workspace: String,
        /// Reference of the template.
        reference: Option<String>,
        /// Name.
        name: String,
        /// Language.
        language: String,
        /// The category it had, where it was known.
        before: Option<String>,
        /// The category it has.
        after: String,
    },
    /// A template's quality score changed because an event came in.
    TemplateQualityChanged {
        /// Workspace.
        workspace: String,
        /// Reference of the template.
        reference: Option<String>,
        /// Name.
        name: String,
        /// Language.
        language: String,
        /// The score it had, where it was known.
        before: Option<String>,
        /// The score it has.
        after: String,
    },
    /// An endpoint refused several deliveries in a row. Told once, until it accepts one again.
    WebhooksFailing {
        /// Workspace.
        workspace: String,
        /// The number whose endpoint it is; absent for the one of the workspace.
        number: Option<String>,
        /// How many it refused since it last accepted one.
        refused: u64,
        /// Why it refused the last one.
        reason: Reason,
    },
    /// The token of a workspace expires, or has expired. Told once for each of a few days before, and once a day after.
    TokenExpiring {
        /// Workspace.
        workspace: String,
        /// What the person calls it.
        name: String,
        /// Days until the token's last day; negative once that is over.
        days: i64,
    },
    /// The person wants to see something, as by a click on a notification.
    Open {
        /// A path of the window's own router.
        place: String,
        /// The workspace it is in; empty where it is in none.
        workspace: String,
    },
    /// The person chose something else.
    PreferencesChanged {},
    /// The window was closed and the app goes on without it.
    WindowHidden {},
    /// A bulk action took some steps.
    BulkActionProgress {
        /// Workspace.
        workspace: String,
        /// The bulk action.
        id: String,
        /// Templates that have left or are left out.
        done: u32,
        /// All templates.
        total: u32,
        /// Where it stands.
        state: RunState,
    },
    /// A file of an import is about to leave, or the import has ended.
    ImportProgress {
        /// Workspace.
        workspace: String,
        /// The plan.
        id: String,
        /// Files that have been answered, or do not leave any more.
        done: u64,
        /// All files.
        total: u64,
        /// The file that leaves; empty at the end.
        file: String,
        /// Until when nothing leaves because the provider asks for it, in Unix milliseconds.
        waiting_until: Option<i64>,
    },
    /// Files are dragged over the window, or were dropped on it. Paths, because the page never reads files.
    FilesDragged {
        /// What happens with them.
        drag: FileDrag,
    },
}

/// What happens with files that are dragged over the window.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(tag = "state", rename_all = "camelCase")]
pub enum FileDrag {
    /// They are over the window.
    Over {},
    /// They left it.
    Left {},
    /// They were dropped.
    Dropped {
        /// Where they are.
        paths: Vec<String>,
    },
}
