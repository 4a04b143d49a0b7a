//! Drafts, what the composer is told on every keystroke, and submissions.

use model::finding::{Counter, Finding};
use model::render::{Bubble, Fill};
use model::template::Template;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::error::DeskError;

/// A draft as composed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct Draft {
    /// Identifier.
    pub id: String,
    /// Workspace.
    pub workspace: String,
    /// The content.
    pub template: Template,
    /// WABAs it shall be created in.
    #[serde(default)]
    pub waba_ids: Vec<String>,
    /// The header's file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub header_file: Option<Attachment>,
    /// The template this draft edits; absent for a new one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edits: Option<String>,
    /// Last stored, in Unix milliseconds.
    #[serde(default)]
    pub updated_at: i64,
}

/// A file on this machine that goes with a draft.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct Attachment {
    /// Where it is.
    pub path: String,
    /// Its name.
    pub name: String,
    /// Size in bytes.
    pub size: u64,
    /// Type read from its first bytes; empty when they tell none.
    pub mime: String,
    /// A small picture as a data URL, where one can be made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thumbnail: Option<String>,
}

/// Names a draft.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct DraftId {
    /// Identifier.
    pub draft: String,
}

/// A draft to begin.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct CreateDraft {
    /// Workspace.
    pub workspace: String,
    /// Template to begin from.
    pub from_template: Option<String>,
    /// Draft to begin from.
    pub from_draft: Option<String>,
    /// Whether the draft edits `from_template` instead of copying it.
    #[serde(default)]
    pub edit: bool,
}

/// A draft in a list.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct DraftRow {
    /// Identifier.
    pub id: String,
    /// Name; may be empty.
    pub name: String,
    /// Language; may be empty.
    pub language: String,
    /// Start of the body.
    pub excerpt: String,
    /// The template it edits.
    pub edits: Option<String>,
    /// Last stored, in Unix milliseconds.
    pub updated_at: i64,
}

/// What the composer asks on every keystroke.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct InspectTemplate {
    /// The content as it stands.
    pub template: Template,
    /// The header's file.
    pub header_file: Option<Attachment>,
    /// Values to show instead of the samples.
    #[serde(default)]
    pub fill: Fill,
}

/// What the rules and the phone say about a template.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct Inspection {
    /// In the order of the template.
    pub findings: Vec<Finding>,
    /// What the phone shows.
    pub bubble: Bubble,
    /// Lengths and their limits, by field.
    pub counters: Vec<Counter>,
    /// Variables found, in order.
    pub variables: Vec<VariableUse>,
}

/// A variable of a template and where its sample is kept.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct VariableUse {
    /// JSON pointer to the text that holds it.
    pub path: String,
    /// Number or name between the braces.
    pub name: String,
    /// The sample; empty where there is none.
    pub sample: String,
}

/// What kind of file is wanted.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct PickFile {
    /// Header format: `IMAGE`, `VIDEO` or `DOCUMENT`.
    pub format: String,
}

/// A file that was dropped on the window.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct InspectFile {
    /// Where it is.
    pub path: String,
}

/// What a submission will send.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct SubmissionPlan {
    /// One for each request.
    pub requests: Vec<PlannedRequest>,
    /// What the rules say; errors stop the submission.
    pub findings: Vec<Finding>,
}

/// A request that a submission will make.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct PlannedRequest {
    /// WABAs it creates the template in.
    pub waba_ids: Vec<String>,
    /// `POST` or `PUT`.
    pub method: String,
    /// The whole address.
    pub url: String,
    /// JSON body; absent for multipart.
    pub json: Option<String>,
    /// Multipart parts; empty for JSON.
    pub parts: Vec<PlannedPart>,
    /// The request for a shell, with `$TOKEN` instead of the token.
    pub curl: String,
    /// What became of it, where it was sent before.
    pub outcome: Option<StepOutcome>,
}

/// A part of a multipart request.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct PlannedPart {
    /// Name of the field.
    pub name: String,
    /// Its text; absent for files.
    pub value: Option<String>,
    /// Name of the file.
    pub file_name: Option<String>,
    /// Size of the file in bytes.
    pub size: Option<u64>,
}

/// What became of a step.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(tag = "state", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum StepOutcome {
    /// The provider took it.
    Accepted {
        /// The provider's reference.
        reference: Option<String>,
    },
    /// The provider refused it, or could not be reached before anything left.
    Refused {
        /// Why.
        error: DeskError,
    },
    /// No answer came; the template may exist.
    Unknown {
        /// Why.
        error: DeskError,
    },
}

/// What became of a submission. Steps already accepted are not sent again.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct SubmissionReport {
    /// In order.
    pub steps: Vec<SubmissionStep>,
    /// The template's reference, once one is known.
    pub reference: Option<String>,
    /// Whether every step was accepted; the draft is then gone.
    pub complete: bool,
}

/// A step of a submission.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct SubmissionStep {
    /// WABAs of the step.
    pub waba_ids: Vec<String>,
    /// What became of it.
    pub outcome: StepOutcome,
}

/// A language of the channel.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct LanguageOption {
    /// Code such as `pt_BR`.
    pub code: String,
    /// English name.
    pub name: String,
}
