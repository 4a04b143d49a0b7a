//! Events emitted to the window. They report what happened, never how the window should react.

use receiver::Reason;
use serde::Serialize;
use store::desk::{RunState, SendState};
use ts_rs::TS;

use crate::activity::AccountNotice;
use crate::error::DeskError;
use crate::keyring::KeyringState;
use crate::receiver::ReceiverState;

#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum DeskEvent {
    /// A template's status changed because of a webhook.
    TemplateStatusChanged {
        workspace: String,
        /// Reference of the template, if it is cached.
        reference: Option<String>,
        name: String,
        language: String,
        /// The event, such as `APPROVED`.
        event: String,
        reason: Option<String>,
        /// The WABA that a webhook reported it for; absent for a change that a listing showed.
        account: Option<String>,
    },
    TemplatesChanged {
        workspace: String,
    },
    /// A listing had fewer templates than its total, or records that could not be read. Nothing was removed because of it.
    ListingIncomplete {
        workspace: String,
        /// Number of templates listed.
        listed: u32,
        /// Number of templates in the provider's total beyond those.
        missing: u32,
        /// Number of records that could not be read.
        skipped: u32,
    },
    /// Two listings in a row left out templates that nothing had called deleted.
    TemplatesRemoved {
        workspace: String,
        count: u32,
    },
    /// A page of a listing was read.
    SyncProgress {
        workspace: String,
        pages: u64,
        templates: u64,
        total: Option<u64>,
    },
    /// A listing of the provider was cached, as far as it was read.
    SyncFinished {
        workspace: String,
    },
    /// A listing could not be fetched; the cached one is kept.
    SyncFailed {
        workspace: String,
        error: DeskError,
    },
    SendUpdated {
        workspace: String,
        id: String,
        state: SendState,
    },
    /// Many sends changed at once.
    SendsUpdated {
        workspace: String,
    },
    /// Webhooks were stored and projected.
    EventsStored {
        workspaces: Vec<String>,
        count: u64,
    },
    /// Many stored deliveries are being projected. The last event reports the end.
    ProjectionProgress {
        done: u64,
        total: u64,
        rebuilding: bool,
    },
    /// A contact wrote, or edited or deleted a message.
    MessageReceived {
        workspace: String,
        contact: String,
    },
    /// Many contacts wrote, or edited or deleted messages, at once.
    MessagesReceived {
        workspace: String,
    },
    /// The receiver started, stopped or failed.
    ReceiverChanged {
        state: ReceiverState,
    },
    /// The servers that are followed, or the state of one, changed.
    FeedsChanged {},
    /// A workspace was added, changed or removed.
    WorkspacesChanged {},
    /// The connection to a provider, the webhooks of a workspace or the estimate of its clock changed.
    HealthChanged {
        workspace: String,
    },
    /// The keyring was locked, unlocked, lost or found, or secrets were read again.
    KeyringChanged {
        state: KeyringState,
    },
    /// The state of the storage changed: a check, a backup, the retention policy, damage.
    StorageChanged {},
    DraftSaved {
        workspace: String,
        id: String,
    },
    SubmissionProgress {
        draft: String,
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
    BatchProgress {
        workspace: String,
        id: String,
        /// Rows that were sent or skipped.
        done: u32,
        total: u32,
        state: RunState,
    },
    /// A template's category changed because of a webhook.
    TemplateCategoryChanged {
        workspace: String,
        reference: Option<String>,
        name: String,
        language: String,
        before: Option<String>,
        after: String,
        /// As in [`Self::TemplateStatusChanged`].
        account: Option<String>,
    },
    /// A template's quality score changed because of a webhook.
    TemplateQualityChanged {
        workspace: String,
        reference: Option<String>,
        name: String,
        language: String,
        before: Option<String>,
        after: String,
        /// As in [`Self::TemplateStatusChanged`].
        account: Option<String>,
    },
    /// A webhook said something about an account or a number that a person should know.
    AccountNotice {
        workspace: String,
        notice: AccountNotice,
    },
    /// An endpoint refused several deliveries in a row. Emitted once, until it accepts one again.
    WebhooksFailing {
        workspace: String,
        /// The number of the endpoint; absent for the workspace's own.
        number: Option<String>,
        /// Number of refusals since the last accepted delivery.
        refused: u64,
        reason: Reason,
    },
    /// The token of a workspace expires or has expired. Emitted once on each of a few days before, and once a day
    /// after.
    TokenExpiring {
        workspace: String,
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
    PreferencesChanged {},
    /// The announcement of newer versions was checked, or its settings changed.
    UpdatesChanged {},
    /// The window was closed and the app continues in the background.
    WindowHidden {},
    /// The person closes the window while a batch, a bulk action or an import is running, which would end with the app.
    CloseAsked {},
    BulkActionProgress {
        workspace: String,
        id: String,
        /// Templates that were sent or skipped.
        done: u32,
        total: u32,
        state: RunState,
    },
    /// A file of an import is about to be sent, or the import has ended.
    ImportProgress {
        workspace: String,
        id: String,
        /// Files that have an answer or will not be sent.
        done: u64,
        total: u64,
        /// The file about to be sent; empty at the end.
        file: String,
        /// Until when nothing is sent, in Unix milliseconds.
        waiting_until: Option<i64>,
        /// Reason of the pause: the channel's error code, else the HTTP status, else `offline` or `unknown`.
        waiting_reason: Option<String>,
    },
    /// Files are dragged over the window, or were dropped on it. Contains paths, because the page never reads files.
    FilesDragged {
        drag: FileDrag,
    },
}

#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(tag = "state", rename_all = "camelCase")]
pub enum FileDrag {
    Over {},
    Left {},
    Dropped { paths: Vec<String> },
}
