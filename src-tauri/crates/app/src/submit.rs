//! Submitting a draft: one request for all WABAs, or one each where a file goes along, each written down before it
//! leaves. What was accepted is never sent twice, so that a submission that broke off can be continued.

use std::sync::Arc;

use model::Id;
use model::component::{Component, UPLOAD_PENDING};
use model::finding::has_errors;
use model::lint::lint_with;
use model::template::{EditTemplate, Template, TemplateRecord};
use model::vocabulary::TemplateStatus;
use service::{Client, EditFiles, ListedTemplate, Upload};
use store::desk::{CallState, Submission, SubmissionKind, Version};

use crate::composer::context;
use crate::core::{Core, lock};
use crate::error::{DeskError, Result};
use crate::event::DeskEvent;
use crate::parts::{accepted, failed, now, to_json};
use crate::sync::cached;
use crate::view::composer::{
    Draft, DraftId, PlannedPart, PlannedRequest, StepOutcome, SubmissionPlan, SubmissionReport, SubmissionStep,
};
use crate::view::workspace::WorkspaceSettings;

mod plan;

use plan::{Request, requests};

impl Core {
    /// What submitting a draft will send.
    ///
    /// # Errors
    /// [`DeskError::NotFound`] when the draft or the template it edits is not there.
    pub async fn plan_submission(&self, request: DraftId) -> Result<SubmissionPlan> {
        let draft = self.get_draft(request).await?;
        let settings = self.settings(&draft.workspace).await?;
        let findings = lint_with(&draft.template, &context(draft.header_file.as_ref()));
        let earlier = self.0.desk.submissions_of_draft(&draft.id).await?;
        let mut planned = Vec::new();
        for request in self.requests_of(&draft).await? {
            planned
                .push(PlannedRequest { outcome: outcome_of(&earlier, &request), ..plan::show(&request, &settings)? });
        }
        Ok(SubmissionPlan { requests: planned, findings })
    }

    /// Submits a draft, or continues where an earlier submission broke off.
    ///
    /// # Errors
    /// [`DeskError::InvalidInput`] at the field of the first error finding; [`DeskError::Conflict`] while it is being
    /// submitted already. What the provider says to each request is in the report.
    pub async fn submit_draft(&self, request: DraftId) -> Result<SubmissionReport> {
        let id = request.draft.clone();
        if !lock(&self.0.submitting).insert(id.clone()) {
            return Err(DeskError::Conflict { message: "This draft is being submitted already.".to_owned() });
        }
        // A task of its own: a window that is reloaded meanwhile must not tear a request apart.
        let core = self.clone();
        let report = self.0.tasks.spawn(async move { core.submit(request).await }).await;
        lock(&self.0.submitting).remove(&id);
        report.map_err(|error| DeskError::Internal { message: error.to_string() })?
    }

    async fn submit(&self, request: DraftId) -> Result<SubmissionReport> {
        let draft = self.get_draft(request).await?;
        let findings = lint_with(&draft.template, &context(draft.header_file.as_ref()));
        if has_errors(&findings)
            && let Some(first) =
                findings.into_iter().find(|finding| finding.severity == model::finding::Severity::Error)
        {
            return Err(DeskError::invalid(first.path, first.message));
        }
        let client = self.client(&draft.workspace).await?;
        let earlier = self.0.desk.submissions_of_draft(&draft.id).await?;
        let mut report = SubmissionReport { steps: Vec::new(), reference: draft.edits.clone(), complete: true };
        for request in self.requests_of(&draft).await? {
            let outcome = match outcome_of(&earlier, &request) {
                Some(accepted @ StepOutcome::Accepted { .. }) => accepted,
                _ => self.run(&client, &draft, &request).await?,
            };
            match &outcome {
                StepOutcome::Accepted { reference } => report.reference = reference.clone().or(report.reference),
                _ => report.complete = false,
            }
            report.steps.push(SubmissionStep { waba_ids: request.waba_ids(&draft), outcome });
        }
        if report.complete {
            self.0.desk.delete_draft(&draft.id).await?;
            self.tell(DeskEvent::DraftSaved { workspace: draft.workspace.clone(), id: draft.id.clone() });
        }
        self.tell(DeskEvent::TemplatesChanged { workspace: draft.workspace });
        Ok(report)
    }

    async fn requests_of(&self, draft: &Draft) -> Result<Vec<Request>> {
        let old = match &draft.edits {
            Some(reference) => Some(self.record(&draft.workspace, reference).await?.template),
            None => None,
        };
        requests(draft, old.as_ref())
    }

    /// Writes a request down, sends it, and writes down what became of it.
    async fn run(&self, client: &Client, draft: &Draft, request: &Request) -> Result<StepOutcome> {
        let id = uuid::Uuid::new_v4().to_string();
        let left_at = now();
        let wabas = request.waba_ids(draft);
        let submission = Submission {
            id: id.clone(),
            workspace_id: draft.workspace.clone(),
            draft_id: Some(draft.id.clone()),
            template_ref: draft.edits.clone(),
            waba: wabas.join(","),
            kind: if draft.edits.is_some() { SubmissionKind::Edit } else { SubmissionKind::Create },
            request: to_json(&draft.template)?,
            state: CallState::Recorded,
            response_status: None,
            response_body: None,
            error: None,
            created_at: left_at,
            answered_at: None,
        };
        self.0.desk.record_submission(submission).await?;
        let answered = self.call(client, draft, request).await;
        let (answer, reference, outcome) = match answered {
            Ok((reference, body)) => {
                let reference = Some(reference);
                (accepted(body), reference.clone(), StepOutcome::Accepted { reference })
            }
            Err(error) => {
                let (answer, error) = failed(error)?;
                let outcome = match answer.state {
                    CallState::Unknown => StepOutcome::Unknown { error },
                    _ => StepOutcome::Refused { error },
                };
                (answer, None, outcome)
            }
        };
        let body = answer.body.clone();
        self.0.desk.finish_submission(&id, answer, reference.clone()).await?;
        if let Some(reference) = reference {
            self.keep(draft, &reference, &wabas, body.as_deref(), left_at).await?;
        } else if matches!(outcome, StepOutcome::Unknown { .. }) {
            // It may exist: the listing tells.
            self.sync_in_background(&draft.workspace);
        }
        Ok(outcome)
    }

    /// Makes the call and gives the template's reference and the answer's body.
    async fn call(
        &self,
        client: &Client,
        draft: &Draft,
        request: &Request,
    ) -> std::result::Result<(String, String), service::Error> {
        match request {
            Request::Create(create) => {
                let created = client.create_template(create).await?;
                Ok((created.uuid, created.body))
            }
            Request::CreateWithFile { template, waba, .. } => {
                let file = self.upload(draft, waba).await?;
                let created = client.create_template_with_file(template, waba, file).await?;
                Ok((created.uuid, created.body))
            }
            Request::Edit { reference, edit, file } => {
                let header_file = if file.is_some() { Some(self.upload(draft, "").await?) } else { None };
                let files = EditFiles { header_file, ..EditFiles::default() };
                let edited = client.edit_template_with_files(reference, edit, files).await?;
                Ok((reference.clone(), edited.body))
            }
        }
    }

    /// The header's file, ready to be sent, with its progress told to the window.
    async fn upload(&self, draft: &Draft, waba: &str) -> std::result::Result<Upload, service::Error> {
        let attachment = draft.header_file.clone().unwrap_or_default();
        let upload = Upload::open(&attachment.path).await?;
        let upload = if attachment.mime.is_empty() { upload } else { upload.with_content_type(attachment.mime) };
        let (core, draft, waba) = (self.clone(), draft.id.clone(), waba.to_owned());
        Ok(upload.with_progress(Arc::new(move |sent, total| {
            core.tell(DeskEvent::SubmissionProgress { draft: draft.clone(), waba: waba.clone(), sent, total });
        })))
    }

    /// Shows the template at once as the provider will list it, and keeps what was submitted as a version.
    async fn keep(
        &self,
        draft: &Draft,
        reference: &str,
        wabas: &[String],
        body: Option<&str>,
        left_at: i64,
    ) -> Result<()> {
        let mut record = answered_record(body)
            .unwrap_or_else(|| TemplateRecord { template: draft.template.clone(), ..TemplateRecord::default() });
        record.uuid = Some(reference.to_owned());
        if record.template.name.is_empty() {
            let status = record.status.take();
            record.template.clone_from(&draft.template);
            record.status = status;
        }
        record.status.get_or_insert(TemplateStatus::Pending);
        if record.wabas().is_empty() {
            record.waba_ids = wabas.iter().map(|waba| Id::number(waba).unwrap_or_else(|| Id::text(waba))).collect();
        }
        let raw = serde_json::to_value(&record).map_err(|error| DeskError::Internal { message: error.to_string() })?;
        let listed = ListedTemplate { record, raw, unreadable: Vec::new() };
        if let Some(template) = cached(&draft.workspace, &listed, left_at) {
            self.0.cache.upsert_template(template).await?;
        }
        let version = Version {
            id: uuid::Uuid::new_v4().to_string(),
            workspace_id: draft.workspace.clone(),
            template_ref: reference.to_owned(),
            at: left_at,
            origin: if draft.edits.is_some() { "edited" } else { "submitted" }.to_owned(),
            document: to_json(&draft.template)?,
        };
        Ok(self.0.desk.add_version(version).await?)
    }
}

/// The whole record, where the answer to a creation carries one.
fn answered_record(body: Option<&str>) -> Option<TemplateRecord> {
    let value: serde_json::Value = serde_json::from_str(body?).ok()?;
    let inner = value.get("data").unwrap_or(&value);
    let record: TemplateRecord = serde_json::from_value(inner.clone()).ok()?;
    (!record.template.name.is_empty() && !record.template.components.is_empty()).then_some(record)
}

/// What became of a request before: accepted, or as the last try of it ended.
fn outcome_of(earlier: &[Submission], request: &Request) -> Option<StepOutcome> {
    let covers = |submission: &&Submission| match request {
        Request::Create(create) => {
            let wabas: Vec<&str> = create.waba_ids.iter().map(Id::as_str).collect();
            submission.waba == wabas.join(",")
        }
        Request::CreateWithFile { waba, .. } => submission.waba == *waba,
        // An edit may be made again and again.
        Request::Edit { .. } => false,
    };
    let mut tries: Vec<&Submission> = earlier.iter().filter(covers).collect();
    if let Some(accepted) = tries.iter().find(|submission| submission.state == CallState::Accepted) {
        return Some(StepOutcome::Accepted { reference: accepted.template_ref.clone() });
    }
    let last = tries.pop()?;
    let error = last
        .error
        .as_deref()
        .and_then(|json| serde_json::from_str(json).ok())
        .unwrap_or(DeskError::Internal { message: "the app ended before an answer came".to_owned() });
    Some(match last.state {
        CallState::Refused => StepOutcome::Refused { error },
        _ => StepOutcome::Unknown { error },
    })
}

/// Puts the placeholder of an upload into the header, where the file goes along in the same request.
fn with_pending_header(template: &Template) -> Template {
    let mut template = template.clone();
    for component in &mut template.components {
        if let Component::Header(header) = component
            && header.format.is_media()
        {
            header.example.get_or_insert_default().header_handle = vec![UPLOAD_PENDING.to_owned()];
        }
    }
    template
}

/// The fields that differ; nothing else is sent.
fn edit_of(old: &Template, new: &Template) -> EditTemplate {
    EditTemplate {
        category: (old.category != new.category).then(|| new.category.clone()),
        sub_category: changed(&old.sub_category, &new.sub_category),
        components: (old.components != new.components).then(|| new.components.clone()),
        parameter_format: changed(&old.parameter_format, &new.parameter_format),
        pix_data: changed(&old.pix_data, &new.pix_data),
        order_data: changed(&old.order_data, &new.order_data),
        ..EditTemplate::default()
    }
}

fn changed<T: Clone + PartialEq>(old: &Option<T>, new: &Option<T>) -> Option<T> {
    if old == new { None } else { new.clone() }
}

/// What a part of a form shows in the plan.
fn part(name: impl Into<String>, value: impl Into<String>) -> PlannedPart {
    PlannedPart { name: name.into(), value: Some(value.into()), file_name: None, size: None }
}

/// How a workspace's settings name the WABA in a form.
fn waba_field(settings: &WorkspaceSettings) -> &'static str {
    match settings.waba_field {
        crate::view::workspace::WabaField::WabaIds => "waba_ids",
        crate::view::workspace::WabaField::WabaId => "waba_id",
    }
}
