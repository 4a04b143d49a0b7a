//! Submissions: the requests they send, and the outcome of each step.

use model::diff::Change;
use model::finding::Finding;
use model::render::Bubble;
pub use provider_client::form::BeyondContract;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::error::DeskError;

#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct SubmitDraft {
    pub draft: String,
    /// Submits it despite error findings: the provider decides. Overrides all warnings too.
    #[serde(default)]
    pub despite_findings: bool,
    /// Sends requests with an unknown outcome again: the template may exist already.
    #[serde(default)]
    pub resend_unknown: bool,
    /// Codes of overridden warnings.
    #[serde(default)]
    pub overrides: Vec<String>,
}

#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct SubmissionPlan {
    pub requests: Vec<PlannedRequest>,
    /// Findings; errors prevent the submission unless the person submits it despite them.
    pub findings: Vec<Finding>,
    /// Codes of the findings that must be overridden before anything is sent.
    pub needs_override: Vec<&'static str>,
    /// Changes of an edit; empty for a new template.
    pub changes: Vec<Change>,
    /// Phone preview before an edit; absent for a new template.
    pub before: Option<Bubble>,
    /// Phone preview after the submission.
    pub after: Bubble,
}

#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct PlannedRequest {
    /// WABAs to create the template in.
    pub waba_ids: Vec<String>,
    /// `POST` or `PUT`.
    pub method: String,
    pub url: String,
    /// Exact JSON body; absent for multipart.
    pub json: Option<String>,
    /// Multipart parts; empty for JSON.
    pub parts: Vec<PlannedPart>,
    /// The request as a `curl` command, with `$TDESK_TOKEN` instead of the token.
    pub curl: String,
    /// Its outcome, if it was sent before.
    pub outcome: Option<StepOutcome>,
}

#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct PlannedPart {
    pub name: String,
    /// Its text; absent for files.
    pub value: Option<String>,
    pub file_name: Option<String>,
    /// Size of the file in bytes.
    pub size: Option<u64>,
    /// Why it is included although the contract does not specify it for this request; absent for specified parts.
    pub beyond: Option<BeyondContract>,
}

#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(tag = "state", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum StepOutcome {
    Accepted {
        reference: Option<String>,
        /// Changes of the draft since: the WABAs of this step have the content before these changes.
        changes: Vec<Change>,
    },
    /// The provider refused it, or it was not sent completely: the provider was unreachable, or the person cancelled.
    Refused {
        error: DeskError,
        /// Findings at the fields that the refusal names, in the provider's words; empty if it names none.
        findings: Vec<Finding>,
    },
    /// Unknown: no answer was received, and the template may exist.
    Unknown { error: DeskError },
}

/// Result of a submission. Accepted steps are not sent again.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct SubmissionReport {
    /// In order.
    pub steps: Vec<SubmissionStep>,
    pub reference: Option<String>,
    /// Whether every step was accepted; the draft is removed then.
    pub complete: bool,
    /// The draft was changed during the submission: it is kept and becomes an edit of the template.
    pub draft_kept: bool,
}

#[derive(Clone, Debug, Serialize, TS)]
#[ts(export_to = "app.ts")]
#[serde(rename_all = "camelCase")]
pub struct SubmissionStep {
    pub waba_ids: Vec<String>,
    pub outcome: StepOutcome,
}

/// What was already done in a workspace, for the first steps of the window.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct FirstSteps {
    /// Whether a template was submitted from this app.
    pub submitted: bool,
    /// Whether a message was sent from this app.
    pub sent: bool,
    /// The template of the newest accepted submission.
    pub latest: Option<SubmittedTemplate>,
}

/// A template that was submitted from this app, and its newest send.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct SubmittedTemplate {
    pub reference: String,
    pub submitted_at: i64,
    /// Its status; empty if it is not listed yet.
    pub status: String,
    pub sendable: bool,
    /// Recipient of the newest accepted send of it.
    pub recipient: Option<String>,
    /// Whether that message was read.
    pub read: bool,
}
