//! Submitting a draft: one request per business manager, or one per WABA if files are included. Each request is recorded
//! before it is sent. Accepted requests are never sent twice, so an interrupted submission can be continued.

use std::collections::HashSet;
use std::collections::hash_map::Entry;

use model::diff::changes;
use model::finding::{Finding, Severity};
use model::render::{Fill, render};
use model::template::{Template, TemplateRecord};
use provider_client::{Client, TemplateFiles};
use store::desk::{CallState, Submission, SubmissionKind};
use tokio_util::sync::CancellationToken;

use crate::authoring::Authoring;
use crate::context::lock;
use crate::recorded_answer::{accepted, failed, lost, unrecorded};
use command_types::Nothing;
use command_types::composer::{Draft, DraftId, SubmittedFiles};
use command_types::error::{ConflictFault, DeskError, Missing, Result};
use command_types::event::DeskEvent;
use command_types::submission::{
    PlannedRequest, StepOutcome, SubmissionPlan, SubmissionReport, SubmissionStep, SubmitDraft,
};
use command_types::workspace::WorkspaceSettings;
use outgoing::compute;
use outgoing::inspection::draft_findings;
use outgoing::submission::{
    self, Businesses, Request, accepted_content, call, change_of_file, edit_findings, file_changes, requests,
    state_findings, uploads,
};
use outgoing::template_text::content_of;
use outgoing::to_json;

mod names;
pub(super) mod reconcile;
mod refusal;
mod saved_result;

impl Authoring {
    /// The requests that submitting a draft would send.
    ///
    /// # Errors
    /// [`DeskError::NotFound`] when the draft or the template it edits does not exist; [`DeskError::InvalidInput`] when
    /// there is nothing to send, no WABA, or invalid text in the JSON tab.
    pub async fn plan_submission(&self, request: DraftId) -> Result<SubmissionPlan> {
        let draft = self.get_draft(request).await?;
        check_text(&draft)?;
        let settings = self.0.workspaces.settings(&draft.workspace).await?;
        let record = self.edited(&draft).await?;
        let earlier = self.0.context.desk.submissions_of_draft(&draft.id).await?;
        let old = record.as_ref().map(|record| content_of(record.template.clone()));
        let old = old.as_ref();
        let shown = {
            let (draft, old, earlier) = (draft.clone(), old.cloned(), earlier.clone());
            let businesses = self.0.templates.businesses(&draft.workspace).await?;
            compute::run(move || shown(&draft, old.as_ref(), &earlier, &settings, &businesses)).await??
        };
        let mut findings = findings(&draft, old, record.as_ref()).await?;
        findings.extend(self.name_findings(&draft, &earlier).await?);
        let mut needs_override: Vec<_> =
            findings.iter().filter(|finding| finding.needs_override()).map(|finding| finding.code).collect();
        needs_override.sort_unstable();
        needs_override.dedup();
        Ok(SubmissionPlan { findings, needs_override, ..shown })
    }

    /// Submits a draft, or continues an interrupted submission. A request with an unknown outcome is sent again only if
    /// the person asks for it.
    ///
    /// # Errors
    /// [`DeskError::InvalidInput`] at the field of the first error finding, or of the first warning that needs an
    /// override and has none, unless the draft is sent despite them; [`DeskError::Conflict`] while it is being
    /// submitted already. The provider's answers are in the report.
    pub async fn submit_draft(&self, request: SubmitDraft) -> Result<SubmissionReport> {
        let id = request.draft.clone();
        let cancel = CancellationToken::new();
        if let Entry::Vacant(free) = lock(&self.0.submitting).entry(id.clone()) {
            free.insert(cancel.clone());
        } else {
            return Err(DeskError::conflict(ConflictFault::BeingSubmitted {}));
        }
        // A separate task: reloading the window must not abort a request.
        let guard = SubmissionGuard { this: self.clone(), draft: id };
        let report = self.0.context.spawn_changing(async move { guard.this.submit(request, cancel).await }).await;
        report.map_err(lost)?
    }

    /// Stops the submission of a draft: aborts the upload in flight and sends no further request. Accepted requests
    /// remain. Does nothing when no submission is running.
    pub async fn cancel_submission(&self, request: DraftId) -> Result<Nothing> {
        if let Some(cancel) = lock(&self.0.submitting).get(&request.draft) {
            cancel.cancel();
        }
        Ok(Nothing {})
    }

    async fn submit(&self, request: SubmitDraft, cancel: CancellationToken) -> Result<SubmissionReport> {
        let resend_unknown = request.resend_unknown;
        let stored =
            self.0.context.desk.draft(&request.draft).await?.ok_or_else(|| DeskError::not_found(Missing::Draft))?;
        let draft = crate::draft_document::read(&stored);
        check_text(&draft)?;
        let record = self.edited(&draft).await?;
        let old = record.as_ref().map(|record| content_of(record.template.clone()));
        let earlier = self.0.context.desk.submissions_of_draft(&draft.id).await?;
        let mut findings = findings(&draft, old.as_ref(), record.as_ref()).await?;
        findings.extend(self.name_findings(&draft, &earlier).await?);
        let stops = |finding: &Finding| {
            finding.severity == Severity::Error
                || (finding.needs_override() && !request.overrides.iter().any(|code| code == finding.code))
        };
        let first = findings.into_iter().find(stops);
        if let Some(first) = first.filter(|_| !request.despite_findings) {
            return Err(DeskError::invalid(first.path, first.message));
        }
        let client = self.0.workspaces.client(&draft.workspace).await?.cancelled_by(cancel);
        let businesses = self.0.templates.businesses(&draft.workspace).await?;
        let mut sent_files = false;
        let mut report =
            SubmissionReport { steps: Vec::new(), reference: draft.edits.clone(), complete: true, draft_kept: false };
        for request in requests(&draft, old.as_ref(), &accepted_wabas(&earlier), &businesses)? {
            let outcome = match outcome_of(&earlier, &request, &draft) {
                Some(accepted @ StepOutcome::Accepted { .. }) => accepted,
                // It may have been carried out: only a person may resend it.
                Some(unknown @ StepOutcome::Unknown { .. }) if !resend_unknown => unknown,
                _ => self.run(&client, &draft, record.as_ref(), &request).await?,
            };
            match &outcome {
                StepOutcome::Accepted { reference, .. } => report.reference = reference.clone().or(report.reference),
                StepOutcome::Unknown { .. } => {
                    report.complete = false;
                    // The template may exist: the listing shows whether it does.
                    self.0.templates.sync_in_background(&draft.workspace);
                }
                StepOutcome::Refused { .. } => report.complete = false,
            }
            sent_files |= !matches!(request, Request::Create(_));
            report.steps.push(SubmissionStep { waba_ids: request.waba_ids(&draft), outcome });
        }
        if report.complete {
            if sent_files {
                // Only the listing contains the provider's addresses of the uploaded files.
                self.0.templates.sync_in_background(&draft.workspace);
            }
            // Everything was accepted, whatever becomes of the draft.
            report.draft_kept = match self.finish_draft(&draft, report.reference.as_deref()).await {
                Ok(is_kept) => is_kept,
                Err(error) => {
                    tracing::error!(%error, "a submitted draft cannot be removed");
                    true
                }
            };
            self.0.context.emit(DeskEvent::DraftSaved { workspace: draft.workspace.clone(), id: draft.id.clone() });
        }
        self.0.context.emit(DeskEvent::TemplatesChanged { workspace: draft.workspace });
        Ok(report)
    }

    /// Removes a submitted draft. A draft that was changed during the submission is kept and becomes an edit of the
    /// template: submitting it as a creation again would find the creation accepted and lose the changes. Returns
    /// whether it is kept.
    async fn finish_draft(&self, submitted: &Draft, reference: Option<&str>) -> Result<bool> {
        // The stored draft can change between reading and removing.
        while let Some(stored) = self.0.context.desk.draft(&submitted.id).await? {
            let now = crate::draft_document::read(&stored);
            if (Draft { updated_at: submitted.updated_at, ..now }) == *submitted {
                // First, because the window may save the draft once more with the last keystrokes.
                lock(&self.0.submitted).extend(reference.map(|known| (submitted.id.clone(), known.to_owned())));
                let deleted = self.0.context.desk.delete_unchanged_draft(&submitted.id, &stored.document).await;
                if matches!(deleted, Ok(true)) {
                    return Ok(false);
                }
                lock(&self.0.submitted).remove(&submitted.id);
                deleted?;
                continue;
            }
            if let (None, Some(reference)) = (&submitted.edits, reference) {
                self.0.context.desk.turn_draft_into_edit(&submitted.id, reference).await?;
            }
            return Ok(true);
        }
        Ok(false)
    }

    async fn edited(&self, draft: &Draft) -> Result<Option<TemplateRecord>> {
        match &draft.edits {
            Some(reference) => Ok(Some(self.0.templates.record(&draft.workspace, reference).await?)),
            None => Ok(None),
        }
    }

    /// Records a request, sends it, and records the outcome.
    pub(crate) async fn run(
        &self,
        client: &Client,
        draft: &Draft,
        before: Option<&TemplateRecord>,
        request: &Request,
    ) -> Result<StepOutcome> {
        let id = uuid::Uuid::new_v4().to_string();
        let asked = self.0.context.request_mark();
        let wabas = request.waba_ids(draft);
        let status_before = before.and_then(|record| record.status.as_ref()).map(ToString::to_string);
        let submission = Submission {
            id: id.clone(),
            workspace_id: draft.workspace.clone(),
            // A template from a file has no draft.
            draft_id: Some(draft.id.clone()).filter(|id| !id.is_empty()),
            template_ref: draft.edits.clone(),
            waba: wabas.join(","),
            kind: if draft.edits.is_some() { SubmissionKind::Edit } else { SubmissionKind::Create },
            request: to_json(&submission::content_to_send(draft))?,
            state: CallState::Recorded,
            response_status: None,
            response_body: None,
            error: None,
            created_at: asked.at,
            answered_at: None,
            status_before,
            files: SubmittedFiles::of(draft).map(|files| to_json(&files)).transpose()?,
        };
        self.0.context.desk.record_submission(submission).await?;
        let answered = match self.uploads(draft, request).await {
            Ok(files) => call(client, request, files).await,
            Err(error) => Err(error),
        };
        let (answer, reference, outcome) = match answered {
            Ok(answer) => {
                let reference = Some(answer.reference);
                let answer = accepted(answer.status, answer.body);
                (answer, reference.clone(), StepOutcome::Accepted { reference, changes: Vec::new() })
            }
            Err(error) => {
                let (answer, error) = failed(error)?;
                let outcome = match answer.state {
                    CallState::Unknown => StepOutcome::Unknown { error },
                    _ => refused(error, draft),
                };
                (answer, None, outcome)
            }
        };
        let body = answer.body.clone();
        if let Err(error) = self.0.context.desk.finish_submission(&id, answer, reference.clone()).await {
            let error = unrecorded(matches!(outcome, StepOutcome::Refused { .. }), error);
            return Ok(match outcome {
                StepOutcome::Accepted { .. } => StepOutcome::Unknown { error },
                other => other,
            });
        }
        if let Some(reference) = reference {
            let sent = Draft { template: submission::content_to_send(draft), ..draft.clone() };
            // Accepted, whatever can be stored of it: the next listing has what is missing.
            if let Err(error) = self.cache_result(&sent, before, &reference, &wabas, body.as_deref(), asked).await {
                tracing::warn!(%error, reference, "an accepted template cannot be cached; the listing is fetched");
                self.0.templates.sync_in_background(&draft.workspace);
            }
            if let Err(error) = self.store_versions(&sent, before, &reference, asked.at).await {
                tracing::error!(%error, reference, "the version of an accepted template cannot be stored");
            }
        }
        Ok(outcome)
    }

    /// The files of a request, ready to be uploaded. Their progress is emitted to the window.
    async fn uploads(
        &self,
        draft: &Draft,
        request: &Request,
    ) -> std::result::Result<TemplateFiles, provider_client::Error> {
        let (files, waba) = match request {
            Request::Create(_) => return Ok(TemplateFiles::default()),
            Request::CreateWithFiles { waba, files, .. } => (files, waba.clone()),
            Request::Edit { files, .. } => (files, String::new()),
        };
        let ready = uploads(files).await?;
        if draft.id.is_empty() {
            return Ok(ready);
        }
        for (_, file) in files.clone().into_parts() {
            self.remember_file(&file).await;
        }
        let (this, draft) = (self.clone(), draft.id.clone());
        Ok(ready.with_progress(move |now| {
            this.0.context.emit(DeskEvent::SubmissionProgress {
                draft: draft.clone(),
                waba: waba.clone(),
                sent: now.sent,
                total: now.total,
                file: now.file.to_owned(),
            });
        }))
    }
}

/// A submission in flight. Dropping it, however the submission ended, allows the draft to be submitted again.
struct SubmissionGuard {
    this: Authoring,
    draft: String,
}

impl Drop for SubmissionGuard {
    fn drop(&mut self) {
        lock(&self.this.0.submitting).remove(&self.draft);
    }
}

/// The findings for a draft, for its files as they are now, and for changes that an edit cannot make.
async fn findings(draft: &Draft, old: Option<&Template>, before: Option<&TemplateRecord>) -> Result<Vec<Finding>> {
    let (looked_at, accepted) = (draft.clone(), before.and_then(accepted_content));
    let mut findings = compute::run(move || draft_findings(&looked_at, accepted.as_ref())).await?;
    if let (Some(old), Some(before)) = (old, before) {
        findings.extend(edit_findings(old, &draft.template, before));
        findings.extend(state_findings(before));
    }
    for (place, file) in submission::files(draft) {
        if let Some(reason) = change_of_file(file).await {
            findings.push(submission::file_finding(place, &file.name, &reason));
        }
    }
    Ok(findings)
}

/// Checks that the text in the JSON tab is valid: it would be lost when the draft is removed.
fn check_text(draft: &Draft) -> Result<()> {
    if draft.json_text.is_some() {
        let message = "The JSON of this draft is not a valid template. Correct it, or go back to the last valid form.";
        return Err(DeskError::invalid("json", message));
    }
    Ok(())
}

fn refused(error: DeskError, draft: &Draft) -> StepOutcome {
    // As it was sent: files are named by their position among the uploaded ones.
    let (template, _) = submission::with_files(draft);
    let findings = match &error {
        DeskError::File { name, reason, .. } => {
            let place = submission::files(draft).into_iter().find(|(_, file)| file.name == *name);
            place.map(|(place, _)| submission::file_finding(place, name, reason)).into_iter().collect()
        }
        error => refusal::findings(error, &template),
    };
    StepOutcome::Refused { error, findings }
}

/// The WABAs in which the draft was created by accepted requests.
fn accepted_wabas(earlier: &[Submission]) -> HashSet<String> {
    let accepted = earlier
        .iter()
        .filter(|submission| submission.kind == SubmissionKind::Create && submission.state == CallState::Accepted);
    accepted.flat_map(|submission| submission.waba.split(',').map(str::to_owned)).collect()
}

/// The requests to send and the changes they make; without findings.
fn shown(
    draft: &Draft,
    old: Option<&Template>,
    earlier: &[Submission],
    settings: &WorkspaceSettings,
    businesses: &Businesses,
) -> Result<SubmissionPlan> {
    let mut planned = Vec::new();
    for request in requests(draft, old, &accepted_wabas(earlier), businesses)? {
        let outcome = outcome_of(earlier, &request, draft);
        planned.push(PlannedRequest { outcome, ..submission::show(&request, settings)? });
    }
    let mut differences = Vec::new();
    if let Some(old) = old {
        differences = changes(old, &draft.template);
        differences.extend(file_changes(draft));
    }
    Ok(SubmissionPlan {
        requests: planned,
        changes: differences,
        before: old.map(|old| render(old, &Fill::default())),
        after: render(&draft.template, &Fill::default()),
        findings: Vec::new(),
        needs_override: Vec::new(),
    })
}

/// The outcome of an earlier request: accepted, with the changes made since, or the outcome of its last attempt.
fn outcome_of(earlier: &[Submission], request: &Request, draft: &Draft) -> Option<StepOutcome> {
    if matches!(request, Request::Edit { .. }) {
        // An edit may be submitted repeatedly.
        return None;
    }
    let wabas = request.waba_ids(draft);
    let accepted: Vec<&Submission> = earlier
        .iter()
        .filter(|submission| {
            submission.kind == SubmissionKind::Create
                && submission.state == CallState::Accepted
                && submission.waba.split(',').any(|waba| wabas.iter().any(|wanted| wanted == waba))
        })
        .collect();
    let covered = |waba: &String| accepted.iter().any(|submission| submission.waba.split(',').any(|one| one == waba));
    if let Some(first) = accepted.first().filter(|_| wabas.iter().all(covered)) {
        let mut differences = Vec::new();
        let content = submission::content_to_send(draft);
        for submission in &accepted {
            let Ok(sent) = serde_json::from_str::<Template>(&submission.request) else { continue };
            for change in changes(&sent, &content) {
                if !differences.contains(&change) {
                    differences.push(change);
                }
            }
        }
        return Some(StepOutcome::Accepted { reference: first.template_ref.clone(), changes: differences });
    }
    // The last submission for each WABA, whichever other WABAs it included.
    let last: Vec<&Submission> = wabas.iter().filter_map(|waba| last_creation(earlier, waba)).collect();
    let error = |submission: &Submission| submission.error.as_deref().and_then(|json| serde_json::from_str(json).ok());
    let is_open = |submission: &&&Submission| matches!(submission.state, CallState::Unknown | CallState::Recorded);
    if let Some(open) = last.iter().find(is_open) {
        return Some(StepOutcome::Unknown { error: DeskError::outcome_unknown(error(open)) });
    }
    let together = wabas.join(",");
    let last = last.into_iter().find(|submission| submission.waba == together)?;
    match (last.state, error(last)) {
        (CallState::Refused, Some(error)) => Some(refused(error, draft)),
        _ => None,
    }
}

/// The last attempt to create a draft's template in a WABA, alone or with others.
fn last_creation<'a>(earlier: &'a [Submission], waba: &str) -> Option<&'a Submission> {
    let creates = |submission: &&Submission| {
        submission.kind == SubmissionKind::Create && submission.waba.split(',').any(|one| one == waba)
    };
    earlier.iter().rev().find(creates)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that cannot read its own input should fail")]

    use super::*;

    fn creation(wabas: &str, state: CallState) -> Submission {
        Submission {
            id: String::new(),
            workspace_id: String::new(),
            draft_id: None,
            template_ref: None,
            waba: wabas.to_owned(),
            kind: SubmissionKind::Create,
            request: "{}".to_owned(),
            state,
            response_status: None,
            response_body: None,
            error: (state == CallState::Refused).then(|| to_json(&DeskError::Cancelled {}).unwrap()),
            created_at: 0,
            answered_at: None,
            status_before: None,
            files: None,
        }
    }

    #[test]
    fn a_creation_without_an_answer_is_unknown_for_any_set_of_wabas() {
        use CallState::{Accepted, Recorded, Refused, Unknown};
        for (earlier, wabas, expected) in [
            (vec![], &["1"][..], ""),
            (vec![("1,2", Unknown)], &["1", "2"], "unknown"),
            (vec![("1,2", Unknown)], &["2", "1"], "unknown"),
            (vec![("1,2", Unknown)], &["1", "2", "3"], "unknown"),
            (vec![("1,2", Recorded)], &["2"], "unknown"),
            (vec![("1,2", Unknown)], &["3"], ""),
            (vec![("1", Unknown), ("1", Refused)], &["1"], "refused"),
            (vec![("1,2", Unknown), ("1", Refused)], &["1", "2"], "unknown"),
            (vec![("1,2", Refused)], &["1"], ""),
            (vec![("1", Accepted)], &["1"], "accepted"),
            (vec![("1,2", Unknown), ("1,2", Accepted)], &["2", "1"], "accepted"),
        ] {
            let case = format!("{earlier:?}, then {wabas:?}");
            let earlier: Vec<_> = earlier.into_iter().map(|(wabas, state)| creation(wabas, state)).collect();
            let draft = Draft { waba_ids: wabas.iter().map(|waba| (*waba).to_owned()).collect(), ..Draft::default() };
            let request = requests(&draft, None, &HashSet::new(), &Businesses::default()).unwrap().remove(0);
            let found = match outcome_of(&earlier, &request, &draft) {
                None => "",
                Some(StepOutcome::Accepted { .. }) => "accepted",
                Some(StepOutcome::Unknown { .. }) => "unknown",
                Some(StepOutcome::Refused { .. }) => "refused",
            };
            assert_eq!(found, expected, "{case}");
        }
    }
}
