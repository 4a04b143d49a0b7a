//! Templates to and from folders, and from one workspace to another.

use model::diff::Change;
use model::finding::Finding;
use model::render::Bubble;
use serde::{Deserialize, Serialize};
pub use store::desk::RunState;
use ts_rs::TS;

use crate::error::DeskError;
use crate::template::TemplateTarget;

/// Templates to write into a folder.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct ExportTemplates {
    /// Workspace.
    pub workspace: String,
    /// Which.
    pub target: TemplateTarget,
}

/// What was written into a folder.
#[derive(Clone, Debug, Default, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct TemplateExport {
    /// The folder.
    pub folder: String,
    /// Files of templates that are in it now, one for each name and language. One that said the same already counts.
    pub files: u64,
    /// Media that lie beside them.
    pub media: u64,
    /// What could not be written, or not whole.
    pub problems: Vec<FileProblem>,
}

/// What is wrong with the file of a template.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct FileProblem {
    /// Name of the template.
    pub name: String,
    /// Its language.
    pub language: String,
    /// In a sentence.
    pub reason: String,
}

/// A folder to ask for, whose templates shall be pushed.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct ChooseImport {
    /// Workspace.
    pub workspace: String,
    /// WABAs in which new templates are created; empty for those that each file names.
    #[serde(default)]
    pub wabas: Vec<String>,
}

/// A folder whose templates shall be pushed.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct PlanImport {
    /// Workspace.
    pub workspace: String,
    /// The folder.
    pub folder: String,
    /// WABAs in which new templates are created; empty for those that each file names.
    #[serde(default)]
    pub wabas: Vec<String>,
}

/// Templates to copy into another workspace, or into other WABAs of the same one.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct PlanCopy {
    /// Workspace they are in.
    pub from: String,
    /// Which.
    pub target: TemplateTarget,
    /// Workspace they shall be in.
    pub to: String,
    /// WABAs of that workspace in which new templates are created; at least one.
    #[serde(default)]
    pub wabas: Vec<String>,
}

/// What would be created, changed and left. It is kept until the app ends or some newer ones were made.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct ImportPlan {
    /// Identifier.
    pub id: String,
    /// Workspace it would be done in.
    pub workspace: String,
    /// The folder, or the name of the workspace that is copied from.
    pub source: String,
    /// WABAs in which new templates would be created; empty for those that each file names.
    pub wabas: Vec<String>,
    /// One for each file, by their names.
    pub steps: Vec<ImportStep>,
}

/// What would happen with a file.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct ImportStep {
    /// Its name, without the folder.
    pub file: String,
    /// Name of the template; empty where the file cannot be read.
    pub name: String,
    /// Its language; empty where the file cannot be read.
    pub language: String,
    /// What would happen.
    pub action: ImportAction,
    /// WABAs it would be created in, or is edited in.
    pub wabas: Vec<String>,
    /// Why it is blocked, each in a sentence.
    pub reasons: Vec<String>,
    /// What does not stand in the way but should be known, each in a sentence.
    pub notes: Vec<String>,
    /// What the rules say.
    pub findings: Vec<Finding>,
    /// Codes among the findings that a person must override before it is pushed.
    pub needs_override: Vec<&'static str>,
    /// What an edit changes.
    pub changes: Vec<Change>,
    /// What the phone shows before an edit.
    pub before: Option<Bubble>,
    /// What the phone will show; of creations and edits.
    pub after: Option<Bubble>,
    /// Files that go along.
    pub media: Vec<ImportMedium>,
}

/// What would happen with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub enum ImportAction {
    /// The template is not there yet, or not in these WABAs.
    Create,
    /// The template is there and differs.
    Edit,
    /// The template is there and is the same.
    Unchanged,
    /// Something stands in the way.
    Blocked,
}

/// A file that goes with a template.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct ImportMedium {
    /// Its name, without the folder.
    pub name: String,
    /// Size in bytes.
    pub size: u64,
}

/// Steps of a plan to carry out.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct RunImport {
    /// The plan.
    pub id: String,
    /// Files of the steps.
    pub files: Vec<String>,
    /// Codes of warnings that a person has overridden.
    #[serde(default)]
    pub overrides: Vec<String>,
}

/// Names a plan.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct ImportId {
    /// Identifier.
    pub id: String,
}

/// An import that was confirmed. A workspace has its newest one, also after a restart, until it is forgotten.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct Import {
    /// Identifier: that of its plan.
    pub id: String,
    /// Workspace.
    pub workspace: String,
    /// The folder, or the name of the workspace that is copied from.
    pub source: String,
    /// Whether templates are copied; their files are the app's own then.
    pub is_copy: bool,
    /// WABAs in which new templates are created; empty for those that each file names.
    pub wabas: Vec<String>,
    /// Its state; never planned.
    pub state: RunState,
    /// Why it was interrupted; absent where the app ended.
    pub error: Option<DeskError>,
    /// Files that have been answered, or do not leave any more.
    pub done: u32,
    /// All files.
    pub total: u32,
    /// Files that leave when it is resumed, without those of which nobody knows whether they were carried out.
    pub resumable: u32,
    /// In the order of the plan; empty while it is running.
    pub outcomes: Vec<ImportOutcome>,
    /// Until when nothing leaves because the provider asks for it, in Unix milliseconds.
    pub waiting_until: Option<i64>,
    /// When it was confirmed, in Unix milliseconds.
    pub created_at: i64,
    /// When it ended, in Unix milliseconds.
    pub ended_at: Option<i64>,
}

/// What became of a step.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct ImportOutcome {
    /// Name of the file.
    pub file: String,
    /// Name of the template.
    pub name: String,
    /// Its language.
    pub language: String,
    /// What was to happen.
    pub action: ImportAction,
    /// What became of it.
    pub state: ImportState,
    /// Why it is not done.
    pub error: Option<DeskError>,
    /// The provider's references of what was created or changed.
    pub references: Vec<String>,
}

/// What became of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub enum ImportState {
    /// The provider took it.
    Done,
    /// The provider refused it, or it did not leave. It may be tried again.
    Failed,
    /// No answer came, and the listing does not show it yet. It may have been carried out.
    Unknown,
    /// Nothing was sent: there was nothing to do, or it had been sent before.
    Skipped,
    /// Nothing was sent: the import was interrupted before it. It is sent when the import is resumed.
    NotSent,
    /// The person stopped before it.
    Cancelled,
}
