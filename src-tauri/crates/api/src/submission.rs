//! Submissions: what they will send, and what became of each step.

use model::diff::Change;
use model::finding::Finding;
use model::render::Bubble;
use serde::{Deserialize, Serialize};
pub use service::form::BeyondContract;
use ts_rs::TS;

use crate::error::DeskError;

/// A draft to submit.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct SubmitDraft {
    /// Identifier.
    pub draft: String,
    /// Sends it although the rules find errors: the provider has the last word. Stands for every override as well.
    #[serde(default)]
    pub despite_findings: bool,
    /// Sends requests once more whose outcome is unknown: the template may exist already.
    #[serde(default)]
    pub resend_unknown: bool,
    /// Codes of warnings that a person has overridden.
    #[serde(default)]
    pub overrides: Vec<String>,
}

/// What a submission will send.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct SubmissionPlan {
    /// One for each request.
    pub requests: Vec<PlannedRequest>,
    /// What the rules say; errors stop the submission, unless the person sends it despite them.
    pub findings: Vec<Finding>,
    /// Codes among the findings that a person must override before anything is sent.
    pub needs_override: Vec<&'static str>,
    /// What an edit changes; empty for a new template.
    pub changes: Vec<Change>,
    /// What the phone shows before an edit; absent for a new template.
    pub before: Option<Bubble>,
    /// What the phone will show.
    pub after: Bubble,
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
    /// JSON body to the byte; absent for multipart.
    pub json: Option<String>,
    /// Multipart parts; empty for JSON.
    pub parts: Vec<PlannedPart>,
    /// The request for a shell, with `$TDESK_TOKEN` instead of the token.
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
    /// Why it goes along though the contract does not name it for this request; absent for what it names.
    pub beyond: Option<BeyondContract>,
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
        /// How the draft has changed since: the WABAs of this step have the content before these changes.
        changes: Vec<Change>,
    },
    /// The provider refused it, or it never left whole: it could not be reached, or the person stopped it.
    Refused {
        /// Why.
        error: DeskError,
        /// The refusal at the fields it names, in the provider's words; empty where it names none.
        findings: Vec<Finding>,
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
    /// The draft was changed while it was submitted: it is not gone, but edits the template from now on.
    pub draft_kept: bool,
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
