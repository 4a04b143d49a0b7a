//! Templates from texts and files as drafts; export and import of templates as folders, and copies between workspaces.

use model::diff::Change;
use model::finding::Finding;
use model::render::Bubble;
use serde::{Deserialize, Serialize};
pub use store::desk::RunState;
use ts_rs::TS;

use crate::composer::{Draft, TextFault};
use crate::error::DeskError;
use crate::template::TemplateTarget;

/// Request to read the templates of a pasted text.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct FindTemplates {
    pub workspace: String,
    pub text: String,
    /// WABAs for templates that name none; the one used last if empty.
    #[serde(default)]
    #[ts(optional, as = "Option<Vec<String>>")]
    pub waba_ids: Vec<String>,
}

/// Request to choose files with templates, or a folder of them.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct ChooseTemplates {
    pub workspace: String,
    /// Whether a folder is chosen: its JSON files are read, also those in folders below it.
    pub folder: bool,
    /// WABAs for templates that name none; the one used last if empty.
    #[serde(default)]
    #[ts(optional, as = "Option<Vec<String>>")]
    pub waba_ids: Vec<String>,
}

/// Templates that were read from a text or from files, to choose from. None is stored yet.
#[derive(Clone, Debug, Default, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct FoundTemplates {
    pub templates: Vec<FoundTemplate>,
    /// What could not be read.
    pub unreadable: Vec<UnreadableTemplate>,
    /// Why nothing of a pasted text could be read.
    pub fault: Option<TextFault>,
    /// Number of folders below the chosen one that are left out: links, and those too deep or too many.
    pub folders_left_out: usize,
    /// WABAs for the templates that name none; empty if the person has to choose.
    pub waba_ids: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct FoundTemplate {
    /// Name of its file; empty for a pasted text.
    pub source: String,
    /// Its position in a list, from 1; absent if it is alone in its file or text.
    pub place: Option<u32>,
    /// Whether the source is no JSON and became the body.
    pub is_plain_text: bool,
    /// The draft that it becomes once it is saved.
    pub draft: Draft,
    pub findings: Vec<Finding>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct UnreadableTemplate {
    /// Name of its file; empty for a pasted text.
    pub source: String,
    /// Its position in a list, from 1.
    pub place: Option<u32>,
    /// Its name, as far as it can be read.
    pub name: String,
    /// The reason, in one sentence.
    pub reason: TextFault,
}

#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct ExportTemplates {
    pub workspace: String,
    pub target: TemplateTarget,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct TemplateExport {
    pub folder: String,
    /// Number of template files that are in it now, one per name and language. Includes files that were already up to
    /// date.
    pub files: u64,
    /// Number of media files next to them.
    pub media: u64,
    /// Templates that could not be written, or not completely.
    pub problems: Vec<FileProblem>,
}

#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct FileProblem {
    pub name: String,
    pub language: String,
    /// The problem, in one sentence.
    pub reason: String,
}

#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct ChooseImport {
    pub workspace: String,
    /// WABAs to create new templates in; empty for those that each file names.
    #[serde(default)]
    pub wabas: Vec<String>,
}

#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct PlanImport {
    pub workspace: String,
    pub folder: String,
    /// WABAs to create new templates in; empty for those that each file names.
    #[serde(default)]
    pub wabas: Vec<String>,
}

/// Request to plan a copy of templates to another workspace, or to other WABAs of the same one.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct PlanCopy {
    /// Source workspace.
    pub from: String,
    pub target: TemplateTarget,
    /// Target workspace.
    pub to: String,
    /// WABAs of the target workspace to create new templates in; at least one.
    #[serde(default)]
    pub wabas: Vec<String>,
}

/// Plan of an import: what would be created, changed and skipped. Kept until the app closes or newer plans displace it.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct ImportPlan {
    pub id: String,
    /// Target workspace.
    pub workspace: String,
    /// The folder, or the name of the source workspace of a copy.
    pub source: String,
    /// WABAs to create new templates in; empty for those that each file names.
    pub wabas: Vec<String>,
    /// One step per file, by name.
    pub steps: Vec<ImportStep>,
    /// Number of folders below the folder that were not read.
    pub folders_left_out: usize,
    /// The list of templates that the plan is based on, if it could not be refreshed.
    pub outdated_list: Option<OutdatedList>,
}

#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct OutdatedList {
    /// When it was requested, in Unix milliseconds; absent if there is no complete list.
    pub listed_at: Option<i64>,
    /// Why it could not be refreshed; absent if the provider listed only some of the templates.
    pub error: Option<DeskError>,
}

#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct ImportStep {
    /// Its name, without the folder.
    pub file: String,
    /// Name of the template; empty if the file is unreadable.
    pub name: String,
    /// Its language; empty if the file is unreadable.
    pub language: String,
    pub action: ImportAction,
    /// WABAs to create or edit it in.
    pub wabas: Vec<String>,
    /// Why it is blocked, one sentence each.
    pub reasons: Vec<String>,
    /// Notes that do not block it, one sentence each.
    pub notes: Vec<String>,
    pub findings: Vec<Finding>,
    /// Codes of the findings that must be overridden before the import; includes [`MAY_BE_REPEATED`] if there are
    /// `doubts`.
    pub needs_override: Vec<&'static str>,
    pub doubts: Vec<ImportDoubt>,
    pub changes: Vec<Change>,
    /// Phone preview before an edit.
    pub before: Option<Bubble>,
    /// Phone preview after a creation or an edit.
    pub after: Option<Bubble>,
    pub media: Vec<ImportMedium>,
}

/// Code that overrides the doubts of all steps.
pub const MAY_BE_REPEATED: &str = "import.may_be_repeated";

/// Why the import of a file may repeat an earlier submission.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub enum ImportDoubt {
    /// An earlier submission of the template got no answer, and the list does not show its content.
    UnknownOutcome,
    /// The list could not be refreshed, so the template may have been created since.
    OutdatedList,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub enum ImportAction {
    /// The template does not exist, or not in these WABAs.
    Create,
    /// The template exists and differs.
    Edit,
    Unchanged,
    Blocked,
}

#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct ImportMedium {
    /// Its name, without the folder.
    pub name: String,
    /// Size in bytes.
    pub size: u64,
}

#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct RunImport {
    pub id: String,
    pub files: Vec<String>,
    /// Codes of overridden warnings.
    #[serde(default)]
    pub overrides: Vec<String>,
}

#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct ImportId {
    pub id: String,
}

/// A confirmed import. The newest one of a workspace is kept, also across restarts, until the person deletes it.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct Import {
    /// Identifier; same as its plan's.
    pub id: String,
    pub workspace: String,
    /// The folder, or the name of the source workspace of a copy.
    pub source: String,
    /// Whether it is a copy; its files belong to the app then.
    pub is_copy: bool,
    /// WABAs to create new templates in; empty for those that each file names.
    pub wabas: Vec<String>,
    /// Its state; never `planned`.
    pub state: RunState,
    /// Why it was interrupted; absent if the app was closed.
    pub error: Option<DeskError>,
    /// Number of files that have an answer or will not be sent.
    pub done: u32,
    pub total: u32,
    /// Number of files that resuming would send, without those with an unknown outcome.
    pub resumable: u32,
    /// In the order of the plan; empty while it is running.
    pub outcomes: Vec<ImportOutcome>,
    /// Until when nothing is sent, in Unix milliseconds.
    pub waiting_until: Option<i64>,
    /// Reason of the pause: the channel's error code, else the HTTP status, else `offline` or `unknown`.
    pub waiting_reason: Option<String>,
    /// When it was confirmed, in Unix milliseconds.
    pub created_at: i64,
    pub ended_at: Option<i64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct ImportOutcome {
    pub file: String,
    pub name: String,
    pub language: String,
    pub action: ImportAction,
    pub state: ImportState,
    pub error: Option<DeskError>,
    /// The provider's references of the created or changed templates.
    pub references: Vec<String>,
    /// Whether some of its requests were carried out and others were not. Resuming the import does not send the rest.
    pub is_partial: bool,
    /// WABAs in which it was created or changed, if it was not carried out in all of them.
    pub accepted_wabas: Vec<String>,
    /// WABAs in which it was not created or changed, if it was in others.
    pub open_wabas: Vec<String>,
}

/// Why a file of an import is not done, as the desk stores it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StoredImportError {
    #[serde(flatten)]
    pub error: DeskError,
    /// See [`ImportOutcome::accepted_wabas`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub accepted_wabas: Vec<String>,
    /// See [`ImportOutcome::open_wabas`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub open_wabas: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub enum ImportState {
    Done,
    /// The provider refused it, or it was not sent. It may be retried.
    Failed,
    /// Unknown: no answer was received, and the listing does not show it yet. It may have been carried out.
    Unknown,
    /// Not sent: there was nothing to do, or it was sent before.
    Skipped,
    /// Not sent: the import was interrupted before it. Resuming the import sends it.
    NotSent,
    /// Not sent: the person cancelled before it.
    Cancelled,
}
