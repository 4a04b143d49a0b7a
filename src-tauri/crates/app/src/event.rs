//! What happened, told to the window. Events never say what the window should do about it.

use serde::Serialize;
use ts_rs::TS;

use crate::error::DeskError;
use crate::view::receiver::ReceiverState;
use crate::view::workspace::KeyringState;

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
    /// A listing of the provider was taken over.
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
        /// Its state now, such as `delivered`.
        state: String,
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
        /// Whether everything is being built anew.
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
    /// The keyring was locked, unlocked, lost or found, or secrets were read anew.
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
