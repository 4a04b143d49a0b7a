//! The history of the built-in sandbox: what it says that was sent and made from here before its first start. Webhooks
//! cannot report that, so it is read once from `/sandbox/history` and recorded in the desk.
//!
//! Every record has an identifier from the sandbox: a repetition, also after a crash in between, adds nothing.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;
use std::time::Duration;

use model::template::Template;
use secrecy::ExposeSecret as _;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use store::desk::{
    self, CallState, PlannedRow, ReadMark, RunState, SendKind, SendRecord, Submission, SubmissionKind, Version,
    VersionOrigin,
};

use crate::context::lock;
use crate::decoding::DecodedBatch;
use crate::messaging::{Inner, Messaging};
use crate::workspaces::SANDBOX_ID;
use command_types::composer::Draft;
use command_types::error::{DeskError, Result};
use command_types::event::DeskEvent;
use command_types::send::{SendOptions, SendRequest, SendText};
use command_types::workspace::{WorkspaceId, WorkspaceSettings};
use outgoing::compute;
use outgoing::recipient::{self, NumberCountry};
use outgoing::to_json;

/// Maximum time in which the messages of the history arrive; those that arrive later are unread.
const MAX_ARRIVAL: Duration = Duration::from_secs(30);
/// Interval at which a message is looked for that has not arrived yet.
const ARRIVAL_POLL: Duration = Duration::from_millis(50);
/// Desk settings key of the history that was recorded.
const RECORDED: &str = "sandbox.history";
/// Sends in a page: each page is one transaction.
const PAGE: usize = 500;
const TIMEOUT: Duration = Duration::from_secs(20);

/// `GET /sandbox/history`.
#[derive(Debug, Deserialize)]
struct History {
    id: String,
    batch: Option<PastBatch>,
    submissions: Vec<PastSubmission>,
    drafts: Vec<PastDraft>,
    recipients: Vec<PastRecipient>,
    read: Vec<PastRead>,
}

#[derive(Debug, Deserialize)]
struct PastBatch {
    id: String,
    number: String,
    template: String,
    name: String,
    language: String,
    source: String,
    values: BTreeMap<String, String>,
    created_at: i64,
    started_at: i64,
    ended_at: i64,
    rows: Vec<PastRow>,
}

#[derive(Debug, Deserialize)]
struct PastRow {
    row: u32,
    to: String,
    name: String,
    values: BTreeMap<String, String>,
}

#[derive(Debug, Deserialize)]
struct PastSubmission {
    at: i64,
    answered_at: i64,
    kind: SubmissionKind,
    template: String,
    wabas: Vec<String>,
    request: Box<RawValue>,
    content: Template,
    status: u16,
    answer: Box<RawValue>,
    status_before: Option<String>,
}

#[derive(Debug, Deserialize)]
struct PastDraft {
    id: String,
    at: i64,
    wabas: Vec<String>,
    template: Template,
}

#[derive(Debug, Deserialize)]
struct PastRecipient {
    name: String,
    number: String,
    labels: Vec<String>,
    note: String,
    at: i64,
}

#[derive(Debug, Deserialize)]
struct PastRead {
    contact: String,
    at: i64,
}

/// A page of `GET /sandbox/history/sends`.
#[derive(Debug, Deserialize)]
struct PastSends {
    data: Vec<PastSend>,
    next: Option<u64>,
}

#[derive(Debug, Deserialize)]
struct PastSend {
    at: i64,
    answered_at: i64,
    number: String,
    to: String,
    category: String,
    tracking_id: String,
    message_id: String,
    request: Box<RawValue>,
    status: u16,
    answer: Box<RawValue>,
    row: Option<u32>,
    /// The template's reference; absent for a text.
    template: Option<String>,
    #[serde(default)]
    values: BTreeMap<String, String>,
}

/// The parts of a request's body that the record of a send repeats.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct PastPayload {
    template: model::send::SendTemplate,
    text: model::send::SendText,
}

impl Messaging {
    /// Records the sandbox's history after its first listing: the first list does not wait for it.
    pub(super) fn record_sandbox_history_once_listed(inner: &Arc<Inner>) {
        let weak = Arc::downgrade(inner);
        inner.templates.listed().add(move |listing| {
            let messaging = weak.upgrade().filter(|_| listing.workspace == SANDBOX_ID).map(Self);
            async move {
                if let Some(messaging) = messaging
                    && messaging.0.workspaces.sandbox(SANDBOX_ID).is_some()
                    && !std::mem::replace(&mut *lock(&messaging.0.sandbox_history), true)
                {
                    let recording = messaging.clone();
                    messaging.0.context.spawn(async move {
                        if let Err(error) = recording.record_sandbox_history().await {
                            tracing::warn!(%error, "the history of the sandbox could not be recorded; the next start tries again");
                        }
                    });
                }
                Ok(())
            }
        });
    }

    /// Fetches the listing of a sandbox that was started again, and records its history if it has one.
    pub async fn follow_new_sandbox(&self) -> Result<()> {
        *lock(&self.0.sandbox_history) = true;
        let request = WorkspaceId { workspace: SANDBOX_ID.to_owned() };
        match self.0.templates.refresh_templates(request).await {
            // It is being fetched already.
            Ok(_) | Err(DeskError::Conflict { .. }) => {}
            Err(error) => return Err(error),
        }
        self.record_sandbox_history().await
    }

    /// Reads the history of the built-in sandbox and records it. Does nothing if it was recorded already, or if the
    /// sandbox has none.
    pub async fn record_sandbox_history(&self) -> Result<()> {
        let Some(history): Option<History> = self.ask_sandbox("/sandbox/history").await? else { return Ok(()) };
        let id = to_json(&history.id)?;
        if self.0.context.desk.setting(RECORDED).await? == Some(id.clone()) {
            return Ok(());
        }
        let batch = history.batch.as_ref().map(|batch| batch.id.clone());
        self.record_past(history).await?;
        let settings = self.0.workspaces.settings(SANDBOX_ID).await?;
        let mut last_sent: HashMap<String, i64> = HashMap::new();
        let mut next = Some(0);
        while let Some(after) = next {
            let path = format!("/sandbox/history/sends?after={after}&limit={PAGE}");
            let Some(page): Option<PastSends> = self.ask_sandbox(&path).await? else { return Ok(()) };
            for send in &page.data {
                if let Some(template) = &send.template {
                    last_sent.entry(template.clone()).and_modify(|at| *at = send.at.max(*at)).or_insert(send.at);
                }
            }
            self.record_page(page.data, batch.as_deref(), &settings).await?;
            next = page.next;
        }
        for (template, at) in last_sent {
            self.0.context.cache.record_sent(SANDBOX_ID, &template, at).await?;
        }
        self.0.context.desk.set_setting(RECORDED, id).await?;
        self.announce(batch).await
    }

    /// Makes the screens refetch.
    async fn announce(&self, batch: Option<String>) -> Result<()> {
        let workspace = SANDBOX_ID.to_owned();
        self.0.context.emit(DeskEvent::TemplatesChanged { workspace: workspace.clone() });
        self.0.context.emit(DeskEvent::DraftSaved { workspace, id: String::new() });
        if let Some(batch) = batch
            && let Some(batch) = self.0.context.desk.batch(&batch).await?
        {
            self.report_batch(&batch);
        }
        Ok(())
    }

    /// The answer of a control endpoint; `None` if the sandbox has no history.
    async fn ask_sandbox<T: DeserializeOwned + Send + 'static>(&self, path: &str) -> Result<Option<T>> {
        let Some(sandbox) = self.0.workspaces.sandbox(SANDBOX_ID) else { return Ok(None) };
        let failed = |error: reqwest::Error| DeskError::Internal { message: error.without_url().to_string() };
        let http =
            provider_client::build_http(|| reqwest::Client::builder().no_proxy().timeout(TIMEOUT)).map_err(failed)?;
        let url = format!("{}{path}", sandbox.settings.base_url);
        let answer = http.get(url).bearer_auth(sandbox.token.expose_secret()).send().await.map_err(failed)?;
        if answer.status() == reqwest::StatusCode::NOT_FOUND {
            return Ok(None);
        }
        let body = answer.error_for_status().map_err(failed)?.bytes().await.map_err(failed)?;
        let read = compute::blocking(move || serde_json::from_slice::<T>(&body)).await?;
        read.map(Some).map_err(|error| DeskError::Internal { message: error.to_string() })
    }

    async fn record_past(&self, history: History) -> Result<()> {
        let workspace = || SANDBOX_ID.to_owned();
        let mut past = desk::Past::default();
        past.batches.extend(history.batch.map(batch).transpose()?);
        for submission in history.submissions {
            let id = format!("{}-{}", submission.template, submission.at);
            past.versions.push(Version {
                id: id.clone(),
                workspace_id: workspace(),
                template_ref: submission.template.clone(),
                at: submission.at,
                origin: match submission.kind {
                    SubmissionKind::Create => VersionOrigin::Submitted,
                    SubmissionKind::Edit => VersionOrigin::Edited,
                },
                document: to_json(&submission.content)?,
            });
            past.submissions.push(Submission {
                id,
                workspace_id: workspace(),
                draft_id: None,
                template_ref: Some(submission.template),
                waba: submission.wabas.join(","),
                kind: submission.kind,
                request: submission.request.get().to_owned(),
                state: CallState::Accepted,
                response_status: Some(submission.status),
                response_body: Some(submission.answer.get().to_owned()),
                error: None,
                created_at: submission.at,
                answered_at: Some(submission.answered_at),
                status_before: submission.status_before,
                files: None,
            });
        }
        for PastDraft { id, at, wabas, template } in history.drafts {
            let (name, language) = (template.name.clone(), template.language.clone());
            let draft = Draft { id: id.clone(), workspace: workspace(), waba_ids: wabas, template, ..Draft::default() };
            past.drafts.push(desk::Draft {
                id,
                workspace_id: workspace(),
                name,
                language,
                document: to_json(&draft)?,
                template_ref: None,
                created_at: at,
                updated_at: at,
            });
        }
        for entry in history.recipients {
            past.recipients.push(desk::Recipient {
                id: format!("{}-{}", history.id, entry.number),
                workspace_id: workspace(),
                name: entry.name,
                number: entry.number,
                labels: to_json(&entry.labels)?,
                note: entry.note,
                created_at: entry.at,
                updated_at: entry.at,
                last_sent_at: None,
            });
        }
        let deadline = tokio::time::Instant::now() + MAX_ARRIVAL;
        for PastRead { contact, at } in history.read {
            // The message may not have arrived yet.
            let mut last = self.0.context.cache.last_item_until(SANDBOX_ID, &contact, at).await?;
            while last.is_none() && tokio::time::Instant::now() < deadline {
                tokio::time::sleep(ARRIVAL_POLL).await;
                last = self.0.context.cache.last_item_until(SANDBOX_ID, &contact, at).await?;
            }
            if let Some(item_id) = last {
                self.0.context.cache.mark_read(SANDBOX_ID, &contact, item_id).await?;
                past.read_marks.push(ReadMark { workspace_id: workspace(), contact, item_id });
            }
        }
        Ok(self.0.context.desk.record_past(past).await?)
    }

    /// Whether taps on the buttons of the templates of sends come back as messages, as far as the templates are listed.
    async fn tappable_templates(&self, sends: &[PastSend]) -> BTreeMap<String, bool> {
        let mut found = BTreeMap::new();
        for reference in sends.iter().filter_map(|send| send.template.clone()).collect::<BTreeSet<_>>() {
            if let Ok(cached) = self.0.templates.cached(SANDBOX_ID, &reference).await
                && let Ok(read) = crate::templates::read(&cached)
            {
                found.insert(reference, read.template.has_reply_button());
            }
        }
        found
    }

    /// Records a page of sends, and applies the statuses and replies that arrived before.
    async fn record_page(&self, page: Vec<PastSend>, batch: Option<&str>, settings: &WorkspaceSettings) -> Result<()> {
        let tappable = self.tappable_templates(&page).await;
        let past = |send: PastSend| {
            let tappable = send.template.as_ref().and_then(|template| tappable.get(template).copied());
            Ok(SendRecord { tappable, ..past_send(send, batch, settings)? })
        };
        let sends = page.into_iter().map(past).collect::<Result<Vec<_>>>()?;
        let messages: BTreeSet<String> = sends.iter().filter_map(|send| send.message_id.clone()).collect();
        self.0.context.desk.record_past_sends(sends).await?;
        let mut seqs = BTreeSet::new();
        for message in &messages {
            let state = self.0.context.cache.message_state(SANDBOX_ID, message).await?;
            seqs.extend(state.iter().flat_map(|state| &state.reports).map(|report| report.seq));
        }
        for seq in seqs {
            if let Some(delivery) = self.0.context.reader.get(seq).await? {
                let mut reports = compute::decode(move || DecodedBatch::of(&[delivery]).outcomes).await?;
                reports.retain(|report| messages.contains(&report.message_id));
                self.0.context.desk.store_outcomes(reports).await?;
            }
        }
        let messages = messages.into_iter().map(|message| (SANDBOX_ID.to_owned(), message)).collect();
        let replies = self.0.context.cache.replies_to(messages).await?;
        self.0.context.desk.store_replies(replies).await?;
        Ok(())
    }
}

fn options() -> SendOptions {
    SendOptions { track: true, ..SendOptions::default() }
}

fn batch(past: PastBatch) -> Result<(desk::Batch, Vec<PlannedRow>)> {
    let common = SendRequest {
        workspace: SANDBOX_ID.to_owned(),
        reference: past.template.clone(),
        number: past.number.clone(),
        values: past.values,
        options: options(),
        ..SendRequest::default()
    };
    let row = |row: PastRow| -> Result<PlannedRow> {
        let (facts, problem) = recipient::check_recipient(&row.to, NumberCountry::Included);
        Ok(PlannedRow {
            row: row.row,
            recipient: facts.digits.unwrap_or_else(|| row.to.clone()),
            written: row.to,
            name: Some(row.name),
            filled: to_json(&row.values)?,
            problem: problem.map(|problem| to_json(&problem)).transpose()?,
        })
    };
    let rows = past.rows.into_iter().map(row).collect::<Result<Vec<_>>>()?;
    let batch = desk::Batch {
        id: past.id,
        workspace_id: SANDBOX_ID.to_owned(),
        number: past.number,
        template_ref: past.template,
        template_name: past.name,
        language: past.language,
        source: past.source,
        request: to_json(&common)?,
        state: RunState::Done,
        error: None,
        total: u32::try_from(rows.len()).unwrap_or(u32::MAX),
        created_at: past.created_at,
        started_at: Some(past.started_at),
        ended_at: Some(past.ended_at),
        cost: None,
        mapping: None,
        counts: Vec::new(),
    };
    Ok((batch, rows))
}

fn past_send(past: PastSend, batch: Option<&str>, settings: &WorkspaceSettings) -> Result<SendRecord> {
    let payload: PastPayload =
        serde_json::from_str(past.request.get()).map_err(|error| DeskError::Internal { message: error.to_string() })?;
    let request = match &past.template {
        Some(template) => to_json(&SendRequest {
            workspace: SANDBOX_ID.to_owned(),
            reference: template.clone(),
            number: past.number.clone(),
            to: past.to.clone(),
            values: past.values,
            options: options(),
            ..SendRequest::default()
        })?,
        None => to_json(&SendText {
            workspace: SANDBOX_ID.to_owned(),
            number: past.number.clone(),
            to: past.to.clone(),
            text: payload.text.body,
            options: options(),
            ..SendText::default()
        })?,
    };
    Ok(SendRecord {
        id: format!("past-{}", past.tracking_id),
        workspace_id: SANDBOX_ID.to_owned(),
        url: Some(outgoing::message::message_url(settings, &past.number)?),
        number: past.number,
        country: recipient::country_of(&past.to),
        recipient: past.to,
        kind: if past.template.is_some() { SendKind::Template } else { SendKind::Text },
        template_name: payload.template.name,
        language: payload.template.language.code,
        template_ref: past.template,
        request: Some(request),
        batch: batch.map(str::to_owned).zip(past.row),
        payload: past.request.get().to_owned(),
        tracking_id: Some(past.tracking_id),
        state: CallState::Accepted,
        message_id: Some(past.message_id),
        response_status: Some(past.status),
        response_body: Some(past.answer.get().to_owned()),
        category: Some(past.category),
        created_at: past.at,
        answered_at: Some(past.answered_at),
        ..SendRecord::default()
    })
}
