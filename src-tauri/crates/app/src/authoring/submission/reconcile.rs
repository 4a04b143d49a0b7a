//! Reconciles submissions whose answer was lost: if the listing shows the submitted content, they were carried out.

use model::template::{Template, TemplateRecord};
use store::desk::{Answer, CallState, Submission, SubmissionKind, Version, VersionOrigin};

use super::accepted_wabas;
use crate::authoring::Authoring;
use ::template_files::{changed, has_content, key};
use command_types::error::Result;
use command_types::event::DeskEvent;
use outgoing::submission::content_to_send;
use outgoing::{now, to_json};

/// How long submissions with a lost answer are reconciled, in milliseconds: a listing shows a template within minutes.
pub(in crate::authoring) const MAX_UNKNOWN_AGE: i64 = 7 * 24 * 60 * 60 * 1_000;
const MAX_SUBMISSIONS: u32 = 200;

impl Authoring {
    /// Submissions of the last days with an unknown outcome, newest first.
    pub(crate) async fn unresolved_submissions(&self, workspace: &str) -> Result<Vec<Submission>> {
        Ok(self.0.context.desk.unknown_submissions(workspace, now() - MAX_UNKNOWN_AGE, MAX_SUBMISSIONS).await?)
    }

    /// Reconciles submissions whose content the listing shows. The others stay unknown: they may still be in flight.
    pub(crate) async fn reconcile_submissions(&self, workspace: &str) -> Result<()> {
        for submission in self.unresolved_submissions(workspace).await? {
            let Ok(requested) = serde_json::from_str::<Template>(&submission.request) else { continue };
            let Some(record) = self.shown(&submission, &requested).await? else { continue };
            let Some(reference) = record.reference().map(str::to_owned) else { continue };
            let answer = Answer { state: CallState::Accepted, status: None, body: None, error: None, at: now() };
            self.0.context.desk.finish_submission(&submission.id, answer, Some(reference.clone())).await?;
            self.add_version_of(&submission, &reference).await?;
            // Last, because the draft is what a person looks for until the rest is known.
            if let Some(draft) = &submission.draft_id {
                self.finish_accepted(draft, &submission, &reference).await?;
            }
        }
        Ok(())
    }

    /// Stores the content of a submission as a version, unless it is the newest one.
    async fn add_version_of(&self, submission: &Submission, reference: &str) -> Result<()> {
        let known = self.0.context.desk.versions(&submission.workspace_id, reference).await?;
        if known.first().is_some_and(|newest| newest.document == submission.request) {
            return Ok(());
        }
        let origin = match submission.kind {
            SubmissionKind::Create => VersionOrigin::Submitted,
            SubmissionKind::Edit => VersionOrigin::Edited,
        };
        let version = Version {
            id: uuid::Uuid::new_v4().to_string(),
            workspace_id: submission.workspace_id.clone(),
            template_ref: reference.to_owned(),
            at: submission.created_at,
            origin,
            document: submission.request.clone(),
        };
        Ok(self.0.context.desk.add_version(version).await?)
    }

    /// Removes the draft of a submission that the listing shows, unless requests of it are left or it has changed since.
    async fn finish_accepted(&self, draft: &str, submission: &Submission, reference: &str) -> Result<()> {
        let Some(stored) = self.0.context.desk.draft(draft).await? else { return Ok(()) };
        let draft = crate::draft_document::read(&stored);
        if to_json(&content_to_send(&draft))? != submission.request {
            return Ok(());
        }
        if submission.kind == SubmissionKind::Create {
            let earlier = self.0.context.desk.submissions_of_draft(&draft.id).await?;
            let accepted = accepted_wabas(&earlier);
            if !draft.waba_ids.iter().all(|waba| accepted.contains(waba)) {
                return Ok(());
            }
        }
        self.finish_draft(&draft, Some(reference)).await?;
        self.0.context.emit(DeskEvent::DraftSaved { workspace: draft.workspace, id: draft.id });
        Ok(())
    }

    /// The record with the content of a submission.
    async fn shown(&self, submission: &Submission, requested: &Template) -> Result<Option<TemplateRecord>> {
        let workspace = &submission.workspace_id;
        if let (SubmissionKind::Edit, Some(reference)) = (submission.kind, &submission.template_ref) {
            let Some(cached) = self.0.context.cache.template(workspace, reference).await? else { return Ok(None) };
            let record = crate::templates::read(&cached)?;
            return Ok(changed(requested, &record.template, &[]).is_empty().then_some(record));
        }
        let wabas: Vec<&str> = submission.waba.split(',').collect();
        for row in self.0.context.cache.languages_of(workspace, &requested.name).await? {
            if key(&row.name, &row.language) != key(&requested.name, &requested.language) {
                continue;
            }
            let record = self.0.templates.record(workspace, &row.reference).await?;
            let there = row.wabas.is_empty() || wabas.iter().all(|waba| row.wabas.iter().any(|known| known == waba));
            if there && has_content(&record, requested) {
                return Ok(Some(record));
            }
        }
        Ok(None)
    }
}
