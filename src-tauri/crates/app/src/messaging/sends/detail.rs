//! The page of a send.

use model::vocabulary::MessageStatus;
use store::desk::{CallState, SendRecord, SendState};

use super::list::{row, set_failure};
use super::timeline::{pricing_of, timeline};
use crate::messaging::Messaging;
use crate::recorded_answer::{explain_refusal, send_error};
use command_types::error::{DeskError, Missing, Result};
use command_types::send::{SendDetail, SendId, SendOptions, SendReply, SendRequest, SendText, SentRequest};
use outgoing::classify_response::{Class, classify};
use outgoing::recipient::explicit;

impl Messaging {
    pub async fn get_send(&self, request: SendId) -> Result<SendDetail> {
        let send = self.0.context.desk.send(&request.send).await?.ok_or_else(|| DeskError::not_found(Missing::Send))?;
        let workspace = send.workspace_id.clone();
        let outcomes = self.0.context.desk.outcomes(&send.id).await?;
        let (items, replies) = match &send.message_id {
            Some(message_id) => (
                self.0.context.cache.statuses_of(&workspace, message_id).await?,
                self.0.context.cache.responses(&workspace, std::slice::from_ref(message_id)).await?,
            ),
            None => (Vec::new(), Vec::new()),
        };
        let timeline = timeline(outcomes, &items);
        let is_unknown = send.state == CallState::Unknown && send.status.is_none();
        let error = send_error(&send);
        let error = if is_unknown { Some(DeskError::outcome_unknown(error)) } else { error };
        let settings = self.0.workspaces.settings(&workspace).await?;
        let url = match &send.url {
            Some(url) => url.clone(),
            None => outgoing::message::message_url(&settings, &send.number)?,
        };
        let (again, again_text) = repeated_request(&send);
        let bubble = self.bubble_of(&send).await?;
        let mut row = row(send.clone());
        row.retry_at = self.retry_at(&row.id);
        let pricing = pricing_of(&row.state, &timeline);
        let is_undelivered = pricing.is_none() && row.state == SendState::Reported(MessageStatus::Failed);
        let mut detail = SendDetail {
            curl: outgoing::curl::command("POST", &url, &settings, outgoing::curl::json_body(&send.payload)),
            request: SentRequest { method: "POST".to_owned(), url },
            callback_data: callback_data(&send.payload),
            payload: send.payload,
            response: send.response_body,
            response_status: send.response_status,
            message_id: send.message_id,
            tracking_id: send.tracking_id,
            retry_helps_at: error.as_ref().zip(send.answered_at).and_then(|(error, at)| retry_helps_at(error, at)),
            explanation: error.as_ref().and_then(explain_refusal),
            row,
            bubble,
            error,
            again,
            again_text,
            replies: replies
                .into_iter()
                // A withdrawn reaction.
                .filter(|reply| reply.kind != "reaction" || !reply.text.is_empty())
                .map(|reply| SendReply {
                    event: reply.item.to_string(),
                    at: reply.at,
                    kind: reply.kind,
                    text: reply.text,
                    deleted_at: reply.deleted_at,
                })
                .collect(),
            pricing,
            is_undelivered,
            timeline,
        };
        let failed = detail.timeline.iter().rev().find_map(|entry| entry.error.clone());
        set_failure(&mut detail.row, failed.as_deref());
        self.name_recipients(&workspace, std::slice::from_mut(&mut detail.row)).await?;
        Ok(detail)
    }
}

/// From when a message is worth sending again that was refused with a time to wait, in Unix milliseconds.
fn retry_helps_at(error: &DeskError, answered_at: i64) -> Option<i64> {
    let pause = classify(error).pause.filter(|_| classify(error).class != Class::Unknown)?;
    answered_at.checked_add(i64::try_from(pause.as_millis()).ok()?)
}

/// The request for repeating a send. Overridden warnings must be confirmed again.
fn repeated_request(send: &SendRecord) -> (Option<SendRequest>, Option<SendText>) {
    let Some(json) = &send.request else { return (None, None) };
    match send.kind {
        store::desk::SendKind::Template => {
            let request: Option<SendRequest> = serde_json::from_str(json).ok();
            let again = request.map(|request| SendRequest {
                options: without_overrides(request.options),
                to: explicit(&request.to, &send.recipient),
                country: None,
                known_category: None,
                ..request
            });
            (again, None)
        }
        store::desk::SendKind::Text => {
            let request: Option<SendText> = serde_json::from_str(json).ok();
            let again = request.map(|request| SendText {
                options: without_overrides(request.options),
                to: explicit(&request.to, &send.recipient),
                country: None,
                ..request
            });
            (None, again)
        }
    }
}

/// The options of a repeated send; warnings must be confirmed again.
fn without_overrides(options: SendOptions) -> SendOptions {
    SendOptions { overrides: Vec::new(), ..options }
}

fn callback_data(payload: &str) -> Option<String> {
    let payload: serde_json::Value = serde_json::from_str(payload).ok()?;
    payload.get("biz_opaque_callback_data")?.as_str().map(str::to_owned)
}
