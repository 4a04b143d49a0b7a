//! Sends a message: records it, sends it, and records the answer. Only what was certainly not carried out is sent again.

use model::send::SendMessage;
use store::desk::{CallState, OutcomeReport, SendKind, SendRecord};

use crate::context::STORE_RETRY_DELAY;
use crate::decoding::DecodedBatch;
use crate::messaging::Messaging;
use crate::messaging::recipients::may_be_unreachable;
use crate::recorded_answer::{accepted, failed, lost, unrecorded};
use crate::send_events::emit_sends;
use command_types::error::{DeskError, Missing, Result};
use command_types::send::SendRequest;
use outgoing::compute;
use outgoing::message::stop;
use outgoing::{now, to_json};

/// Length of a tracking identifier in characters: short, because callback data should be small, and long enough to be
/// unique.
pub(super) const TRACKING_LENGTH: usize = 16;

/// A message that is ready to be sent.
#[derive(Debug)]
pub(super) struct OutgoingMessage {
    pub(super) workspace: String,
    pub(super) number: String,
    pub(super) url: String,
    pub(super) message: SendMessage,
    /// The request that it was made from, as JSON.
    pub(super) request: String,
    /// The template's reference, if it is a template.
    pub(super) reference: Option<String>,
    /// The template's category, if it is a template.
    pub(super) category: Option<String>,
    /// Whether a tap on one of its buttons comes back as a message; absent if unknown.
    pub(super) tappable: Option<bool>,
    /// Our tracking identifier, if it is included.
    pub(super) tracking_id: Option<String>,
    /// The batch and the row in it.
    pub(super) batch: Option<(String, u32)>,
    /// The unfinished form that it was typed into, and its text.
    pub(super) form: Option<(String, String)>,
}

pub(super) fn tracking_id() -> String {
    uuid::Uuid::new_v4().simple().to_string().chars().take(TRACKING_LENGTH).collect()
}

impl Messaging {
    /// Sends a template whose media links have been checked. A row of a batch is sent once, unless it was refused.
    ///
    /// # Errors
    /// As [`Self::send_template`]; [`DeskError::Storage`] also when the row of the batch was sent already. A failed
    /// request is not an error: it is recorded in the send.
    pub(crate) async fn dispatch(&self, request: SendRequest, batch: Option<(String, u32)>) -> Result<SendRecord> {
        // A batch was checked as a whole, also which numbers may not be on the channel.
        let plan = match batch {
            Some(_) => self.send_plan_for(&request).await?,
            None => self.single_send_plan(&request).await?,
        };
        let tracking_id = tracking_id();
        let mut prepared = plan.prepare(&request, &tracking_id);
        match batch {
            Some(_) => prepared.problems.retain(|problem| !may_be_unreachable(problem)),
            None => {
                self.allow_known(&request.workspace, &prepared.recipient, &mut prepared.problems).await;
                // Somebody else may have sent it while links were checked.
                let same = self.same_message(&plan, &request, &prepared.recipient).await?;
                prepared.problems.extend(same);
            }
        }
        stop(&prepared.problems, &request.options.overrides)?;
        let planned_row = to_json(&request)?;
        self.record_and_send(OutgoingMessage {
            number: request.number.trim().to_owned(),
            url: outgoing::message::message_url(&plan.settings, &request.number)?,
            message: prepared.message,
            request: planned_row,
            tracking_id: (request.options.track && !request.options.exact_callback).then_some(tracking_id),
            workspace: request.workspace,
            category: Some(plan.template.category.as_str().to_lowercase()).filter(|category| !category.is_empty()),
            tappable: Some(plan.template.has_reply_button()),
            reference: Some(request.reference),
            batch,
            form: None,
        })
        .await
    }

    /// Records a message, sends it, and records the answer.
    ///
    /// # Errors
    /// [`DeskError::MissingCredentials`] and [`DeskError::Storage`], before anything is sent.
    pub(super) async fn record_and_send(&self, outgoing: OutgoingMessage) -> Result<SendRecord> {
        let client = self.0.workspaces.client(&outgoing.workspace).await?;
        let OutgoingMessage {
            workspace,
            number,
            url,
            message,
            request,
            reference,
            category,
            tappable,
            tracking_id,
            batch,
            form,
        } = outgoing;
        let template = message.template.as_ref();
        let send = SendRecord {
            id: uuid::Uuid::new_v4().to_string(),
            workspace_id: workspace,
            number: number.clone(),
            recipient: message.addressee().to_owned(),
            kind: if template.is_some() { SendKind::Template } else { SendKind::Text },
            template_name: template.map(|template| template.name.clone()).unwrap_or_default(),
            language: template.map(|template| template.language.code.clone()).unwrap_or_default(),
            template_ref: reference,
            request: Some(request),
            batch,
            url: Some(url),
            payload: to_json(&message)?,
            tracking_id,
            state: CallState::Recorded,
            category,
            tappable,
            country: outgoing::recipient::country_of(message.addressee()),
            created_at: now(),
            ..SendRecord::default()
        };
        let desk = &self.0.context.desk;
        desk.record_send(send.clone()).await?;
        // After a crash, what has left would be in the field again.
        if let Some((form, text)) = form
            && let Err(error) = self.drop_form(&send.workspace_id, &form, &text).await
        {
            tracing::warn!(%error, "the form of a message cannot be dropped");
        }
        // A separate task: reloading the window must not lose the answer.
        let messaging = self.clone();
        let sending = self.0.context.spawn_changing(async move {
            let (answered, ()) = tokio::join!(client.send_message(&number, &message), messaging.record_use(&send));
            let send = messaging.record_answer(send, answered).await?;
            messaging.retry_after_limit(client, message, &send);
            Ok::<_, DeskError>(send)
        });
        let send = sending.await.map_err(lost)??;
        self.emit_state(&send);
        Ok(send)
    }

    /// Drops a form that has this text, and nothing that was typed after it.
    async fn drop_form(&self, workspace: &str, form: &str, text: &str) -> Result<()> {
        let desk = &self.0.context.desk;
        let forms = desk.unfinished_forms(now()).await?;
        let typed = forms.into_iter().find(|one| one.workspace == workspace && one.form == form).map(|one| one.content);
        let typed: Option<serde_json::Value> = typed.and_then(|typed| serde_json::from_str(&typed).ok());
        let typed = typed.as_ref().and_then(|typed| typed.pointer("/content/text")?.as_str());
        if typed.is_some_and(|typed| typed.trim() == text.trim()) {
            desk.remove_unfinished_form(workspace, form).await?;
        }
        Ok(())
    }

    /// Records in the cache that a template was sent. The cache can be rebuilt, so a failure affects no send.
    async fn record_use(&self, send: &SendRecord) {
        let Some(reference) = &send.template_ref else { return };
        if let Err(error) = self.0.context.cache.record_sent(&send.workspace_id, reference, send.created_at).await {
            tracing::warn!(%error, "the last send of a template cannot be cached");
        }
    }

    /// Records the answer to a send and returns the send with it. What the cache knows about the message is added as soon
    /// as it can be read: the outcome does not depend on it.
    ///
    /// # Errors
    /// [`DeskError::OutcomeUnknown`] when the answer cannot be recorded and the message may have been sent.
    pub(super) async fn record_answer(
        &self,
        mut send: SendRecord,
        answered: std::result::Result<provider_client::Sent, provider_client::Error>,
    ) -> Result<SendRecord> {
        let (answer, message_id) = match answered {
            Ok(sent) => (accepted(sent.http_status, sent.body), sent.message_id),
            Err(error) => (failed(error)?.0, None),
        };
        send.state = answer.state;
        send.response_status = answer.status;
        send.response_body = answer.body.clone();
        send.error = answer.error.clone();
        send.answered_at = Some(answer.at);
        send.message_id = message_id.clone();
        let finished = self.0.context.desk.finish_send(&send.id, answer, message_id.clone()).await;
        finished.map_err(|error| unrecorded(send.state == CallState::Refused, error))?;
        if let Some(message_id) = message_id {
            self.match_reports((send.workspace_id.clone(), message_id)).await;
        }
        match self.0.context.desk.send(&send.id).await {
            Ok(Some(recorded)) => Ok(recorded),
            Ok(None) => Err(DeskError::not_found(Missing::Send)),
            Err(error) => {
                tracing::warn!(%error, "a send cannot be read; its answer is recorded");
                Ok(send)
            }
        }
    }

    /// Adds statuses and replies that arrived before the answer. If they cannot be read or written now, this is tried
    /// again until it succeeds.
    async fn match_reports(&self, message: (String, String)) {
        let Err(error) = self.try_match_reports(vec![message.clone()]).await else { return };
        tracing::warn!(%error, "what arrived before the answer to a send cannot be added to it; retrying");
        let messaging = self.clone();
        self.0.context.spawn(async move {
            loop {
                tokio::time::sleep(STORE_RETRY_DELAY).await;
                match messaging.try_match_reports(vec![message.clone()]).await {
                    Ok(sends) => return emit_sends(&messaging.0.context, sends).await,
                    Err(error) => tracing::debug!(%error, "retrying"),
                }
            }
        });
    }

    /// Adds what arrived for the newest messages before their answers: the last run may have ended in between.
    pub(crate) fn match_after_start(&self) {
        let messaging = self.clone();
        self.0.context.spawn(async move {
            if let Err(error) = messaging.match_newest().await {
                tracing::warn!(%error, "statuses that arrived before the answer to a send cannot be added to it");
            }
        });
    }

    async fn match_newest(&self) -> Result<()> {
        let sends = self.try_match_reports(self.0.context.desk.newest_without_status().await?).await?;
        emit_sends(&self.0.context, sends).await;
        Ok(())
    }

    /// Adds what arrived for messages, each with its workspace. Returns the sends that changed.
    async fn try_match_reports(&self, messages: Vec<(String, String)>) -> Result<Vec<String>> {
        let mut reports = Vec::new();
        for (workspace, message_id) in &messages {
            reports.extend(self.reports_of(workspace, message_id).await?);
        }
        let mut sends = self.0.context.desk.store_outcomes(reports).await?;
        let replies = self.0.context.cache.replies_to(messages).await?;
        sends.extend(self.0.context.desk.store_replies(replies).await?);
        Ok(sends)
    }

    /// The statuses reported for a message so far: they may arrive before the answer.
    async fn reports_of(&self, workspace: &str, message_id: &str) -> Result<Vec<OutcomeReport>> {
        let Some(state) = self.0.context.cache.message_state(workspace, message_id).await? else {
            return Ok(Vec::new());
        };
        let mut seqs: Vec<i64> = state.reports.iter().map(|report| report.seq).collect();
        seqs.sort_unstable();
        seqs.dedup();
        let mut reports = Vec::new();
        for seq in seqs {
            if let Some(delivery) = self.0.context.reader.get(seq).await? {
                reports.extend(compute::decode(move || DecodedBatch::of(&[delivery]).outcomes).await?);
            }
        }
        reports.retain(|report| report.message_id == message_id);
        Ok(reports)
    }
}
