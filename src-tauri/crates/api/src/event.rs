//! Events emitted to the window. They report what happened, never how the window should react.

use receiver::Reason;
use serde::Serialize;
use store::desk::{RunState, SendState};
use ts_rs::TS;

use crate::error::DeskError;
use crate::keyring::KeyringState;
use crate::receiver::ReceiverState;

/// An event.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum DeskEvent {
    /// A template's status changed because of a webhook.
    TemplateStatusChanged {
        /// Workspace.
        workspace: String,
        /// Reference of the template, if it is cached.
        reference: Option<String>,
        /// Name.
        name: String,
        /// Language.
        language: String,
        /// The event, such as `APPROVED`.
        event: String,
        /// The reason, if the event states one.
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
        /// Total number of templates, if the provider states it.
        total: Option<u64>,
    },
    /// A listing of the provider was cached, as far as it was read.
    SyncFinished {
        /// Workspace.
        workspace: String,
    },
    /// A listing could not be fetched; the cached one is kept.
    SyncFailed {
        /// Workspace.
        workspace: String,
        /// Why.
        error: DeskError,
    },
    /// The state of a send changed.
    SendUpdated {
        /// Workspace.
        workspace: String,
        /// The send.
        id: String,
        /// Its new state.
        state: SendState,
    },
    /// Webhooks were stored and projected.
    EventsStored {
        /// Workspaces they belong to.
        workspaces: Vec<String>,
        /// How many new items.
        count: u64,
    },
    /// Many stored deliveries are being projected. The last event reports the end.
    ProjectionProgress {
        /// Sequence number up to which everything is projected.
        done: u64,
        /// Sequence number of the last delivery in the inbox.
        total: u64,
        /// Whether a rebuild is in progress.
        rebuilding: bool,
    },
    /// A message of a contact was received.
    MessageReceived {
        /// Workspace.
        workspace: String,
        /// The contact.
        contact: String,
    },
    /// The receiver started, stopped or failed.
    ReceiverChanged {
        /// Its new state.
        state: ReceiverState,
    },
    /// The servers that are followed, or the state of one, changed.
    FeedsChanged {},
    /// A workspace was added, changed or removed.
    WorkspacesChanged {},
    /// The keyring was locked, unlocked, lost or found, or secrets were read again.
    KeyringChanged {
        /// Its new state.
        state: KeyringState,
    },
    /// The state of the storage changed: a check, a backup, the retention policy, damage.
    StorageChanged {},
    /// A draft was stored.
    DraftSaved {
        /// Workspace.
        workspace: String,
        /// The draft.
        id: String,
    },
    /// A submission made progress.
    SubmissionProgress {
        /// The draft it submits.
        draft: String,
        /// The WABA of the request.
        waba: String,
        /// Bytes of the request's files sent so far.
        sent: u64,
        /// Bytes of all files of the request.
        total: u64,
        /// Name of the file that is being uploaded.
        file: String,
    },
    /// Something changed in the sandbox: a message's status, a phone, its settings.
    SandboxChanged {},
    /// A batch made progress.
    BatchProgress {
        /// Workspace.
        workspace: String,
        /// The batch.
        id: String,
        /// Rows that were sent or skipped.
        done: u32,
        /// All rows.
        total: u32,
        /// Its state.
        state: RunState,
    },
    /// A template's category changed because of a webhook.
    TemplateCategoryChanged {
        /// Workspace.
        workspace: String,
        /// Reference of the template.
        reference: Option<String>,
        /// Name.
        name: String,
        /// Language.
        language: String,
        /// The previous category, if it was known.
        before: Option<String>,
        /// The new category.
        after: String,
    },
    /// A template's quality score changed because of a webhook.
    TemplateQualityChanged {
        /// Workspace.
        workspace: String,
        /// Reference of the template.
        reference: Option<String>,
        /// Name.
        name: String,
        /// Language.
        language: String,
        /// The previous score, if it was known.
        before: Option<String>,
        /// The new score.
        after: String,
    },
    /// An endpoint refused several deliveries in a row. Emitted once, until it accepts one again.
    WebhooksFailing {
        /// Workspace.
        workspace: String,
        /// The number of the endpoint; absent for the workspace's own.
        number: Option<String>,
        /// Number of refusals since the last accepted delivery.
        refused: u64,
        /// Why it refused the last one.
        reason: Reason,
    },
    /// The token of a workspace expires or has expired. Emitted once on each of a few days before, and once a day
    /// after.
    TokenExpiring {
        /// Workspace.
        workspace: String,
        /// Name of the workspace.
        name: String,
        /// Days until the token's last day; negative after it.
        days: i64,
    },
    /// The person asks to open a page, for example by clicking a notification.
    Open {
        /// A path of the window's router.
        place: String,
        /// The workspace of the page; empty if it has none.
        workspace: String,
    },
    /// A link `template-desk://…` was opened: `take_pending` returns it.
    LinkOpened {},
    /// The preferences changed.
    PreferencesChanged {},
    /// The announcement of newer versions was checked, or its settings changed.
    UpdatesChanged {},
    /// The window was closed and the app continues in the background.
    WindowHidden {},
    /// A bulk action made progress.
    BulkActionProgress {
        /// Workspace.
        workspace: String,
        /// The bulk action.
        id: String,
        /// Templates that were sent or skipped.
        done: u32,
        /// All templates.
        total: u32,
        /// Its state.
        state: RunState,
    },
    /// A file of an import is about to be sent, or the import has ended.
    ImportProgress {
        /// Workspace.
        workspace: String,
        /// The plan.
        id: String,
        /// Files that have an answer or will not be sent.
        done: u64,
        /// All files.
        total: u64,
        /// The file about to be sent; empty at the end.
        file: String,
        /// Until when sending is paused because the provider asks for it, in Unix milliseconds.
        waiting_until: Option<i64>,
    },
    /// Files are dragged over the window, or were dropped on it. Contains paths, because the page never reads files.
    FilesDragged {
        /// The state of the drag.
        drag: FileDrag,
    },
}

/// State of files dragged over the window.
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
        /// Their paths.
        paths: Vec<String>,
    },
}
