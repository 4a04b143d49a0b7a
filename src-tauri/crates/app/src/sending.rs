//! Test sends: written down before they leave, and followed by message identifier or by our tracking identifier.

use std::collections::BTreeSet;

use model::error_code;
use model::failure::Failure;
use model::render::render;

use model::send::{SendLanguage, SendMessage, SendTemplate};
use model::send::{SendValues, check_send, fill_send, preview_fill, send_form};
use model::template::Template;
use model::vocabulary::{MessageStatus, TemplateStatus};
use store::cache::CachedTemplate;
use store::desk::{CallState, OutcomeReport, SendFilter, TestSend};

use crate::core::Core;
use crate::error::{DeskError, Result};
use crate::event::DeskEvent;
use crate::parts::{accepted, after_mark, failed, now, page_mark, to_json};
use crate::projector::TRACKING_KEY;
use crate::templates::MOST_ROWS;
use crate::view::send::{
    SendDetail, SendForm, SendId, SendPage, SendPreview, SendProblem, SendQuery, SendRequest, SendRow, StatusEntry,
};
use crate::view::template::TemplateId;

/// Recipients offered in the form.
const RECENT: u32 = 8;
/// Digits of a number with its country code (ITU-T E.164; no country's numbers are shorter in practice).
const DIGITS: std::ops::RangeInclusive<usize> = 8..=15;
/// Stands for the tracking identifier until the send leaves.
const TRACKING_PREVIEW: &str = "set-when-sent";

impl Core {
    /// What a send of a template asks for.
    ///
    /// # Errors
    /// [`DeskError::NotFound`] when the cache does not know the template.
    pub async fn get_send_form(&self, id: TemplateId) -> Result<SendForm> {
        let cached = self.cached(&id.workspace, &id.reference).await?;
        let template = self.record(&id.workspace, &id.reference).await?.template;
        Ok(SendForm {
            name: template.name.clone(),
            language: template.language.clone(),
            blocked: blocked(&cached),
            parts: send_form(&template).parts,
            numbers: self.settings(&id.workspace).await?.numbers,
            recent_recipients: self.0.desk.recent_recipients(&id.workspace, RECENT).await?,
        })
    }

    /// What a send would be, and what stands in its way.
    ///
    /// # Errors
    /// [`DeskError::NotFound`] when the cache does not know the template.
    pub async fn preview_send(&self, request: SendRequest) -> Result<SendPreview> {
        let prepared = self.prepare(&request, TRACKING_PREVIEW).await?;
        Ok(SendPreview {
            payload: serde_json::to_string_pretty(&prepared.message)
                .map_err(|error| DeskError::Internal { message: error.to_string() })?,
            bubble: render(&prepared.template, &preview_fill(&prepared.template, &request.values)),
            problems: prepared.problems,
        })
    }

    /// Sends a template. The send is on disk before it leaves, and never leaves twice.
    ///
    /// # Errors
    /// [`DeskError::InvalidInput`] at the first field that stands in the way; [`DeskError::Conflict`] when the
    /// template cannot be sent; [`DeskError::MissingCredentials`]. What the provider says is kept with the send.
    pub async fn send_template(&self, request: SendRequest) -> Result<SendRow> {
        let tracking_id: String = uuid::Uuid::new_v4().simple().to_string().chars().take(16).collect();
        let prepared = self.prepare(&request, &tracking_id).await?;
        if let Some(reason) = prepared.blocked {
            return Err(DeskError::Conflict { message: reason });
        }
        if let Some(problem) = prepared.problems.into_iter().next() {
            return Err(DeskError::invalid(problem.field, problem.message));
        }
        let client = self.client(&request.workspace).await?;
        let message = prepared.message;
        let id = uuid::Uuid::new_v4().to_string();
        let send = TestSend {
            id: id.clone(),
            workspace_id: request.workspace.clone(),
            number: request.number.trim().to_owned(),
            recipient: message.to.clone(),
            template_name: prepared.template.name.clone(),
            language: prepared.template.language.clone(),
            template_ref: Some(request.reference.clone()),
            payload: to_json(&message)?,
            tracking_id: request.track.then_some(tracking_id),
            state: CallState::Recorded,
            message_id: None,
            response_status: None,
            response_body: None,
            error: None,
            status: None,
            status_at: None,
            created_at: now(),
            answered_at: None,
        };
        let number = send.number.clone();
        self.0.desk.record_send(send).await?;
        // A task of its own: a window that is reloaded meanwhile must not lose the answer.
        let (core, sent_id) = (self.clone(), id.clone());
        let sending = self.0.tasks.spawn(async move {
            let answered = client.send_message(&number, &message).await;
            core.note_answer(&sent_id, answered).await
        });
        sending.await.map_err(|error| DeskError::Internal { message: error.to_string() })??;
        let send = self.0.desk.send(&id).await?.ok_or_else(|| DeskError::not_found("The send"))?;
        let row = row(send);
        self.tell(DeskEvent::SendUpdated { workspace: request.workspace, id, state: row.state.clone() });
        Ok(row)
    }

    async fn note_answer(&self, id: &str, answered: std::result::Result<service::Sent, service::Error>) -> Result<()> {
        let (answer, message_id) = match answered {
            Ok(sent) => (accepted(sent.body), sent.message_id),
            Err(error) => (failed(error)?.0, None),
        };
        self.0.desk.finish_send(id, answer, message_id.clone()).await?;
        // Statuses may have been quicker than the answer.
        if let Some(message_id) = message_id
            && let Some(state) = self.0.cache.message_state(&message_id).await?
        {
            let reports = state.reports.into_iter().map(|report| OutcomeReport {
                message_id: message_id.clone(),
                tracking_id: None,
                status: report.status,
                at: report.at,
                seq: report.seq,
                error: report.error,
            });
            self.0.desk.keep_outcomes(reports.collect()).await?;
        }
        Ok(())
    }

    /// A page of sends, newest first.
    ///
    /// # Errors
    /// [`DeskError::Storage`] when the desk cannot be read.
    pub async fn list_sends(&self, query: SendQuery) -> Result<SendPage> {
        let before = after_mark(query.after.as_deref())?;
        let filter = SendFilter {
            workspace_id: query.workspace,
            before,
            limit: query.limit.clamp(1, MOST_ROWS),
            ..SendFilter::default()
        };
        let page = self.0.desk.sends(filter).await?;
        Ok(SendPage {
            rows: page.rows.into_iter().map(row).collect(),
            next: page.next.map(|(at, id)| page_mark(at, &id)),
        })
    }

    /// A send's page.
    ///
    /// # Errors
    /// [`DeskError::NotFound`] when there is no such send.
    pub async fn get_send(&self, request: SendId) -> Result<SendDetail> {
        let send = self.0.desk.send(&request.send).await?.ok_or_else(|| DeskError::not_found("The send"))?;
        let outcomes = self.0.desk.outcomes(&send.id).await?;
        let mut timeline: Vec<StatusEntry> = outcomes
            .into_iter()
            .map(|outcome| StatusEntry {
                explanation: outcome.error.as_deref().and_then(explanation),
                status: outcome.status,
                at: outcome.at,
                error: outcome.error,
            })
            .collect();
        // Statuses of one second come in any order; their way is sent, delivered, read.
        timeline.sort_by_key(|entry| (entry.at, MessageStatus::from(entry.status.as_str()).rank().unwrap_or(u8::MAX)));
        let refusal: Option<DeskError> = send.error.as_deref().and_then(|json| serde_json::from_str(json).ok());
        let mut detail = SendDetail {
            payload: send.payload.clone(),
            response: send.response_body.clone(),
            response_status: send.response_status,
            message_id: send.message_id.clone(),
            row: row(send),
            timeline,
            error: refusal,
        };
        let failed = detail.timeline.iter().rev().find_map(|entry| entry.error.as_deref());
        if let Some(failure) = failed.and_then(|json| serde_json::from_str::<Failure>(json).ok()) {
            detail.row.error_code = failure.code.map(|code| code.to_string());
            detail.row.error_title = failure.words().map(str::to_owned);
        }
        Ok(detail)
    }

    async fn prepare(&self, request: &SendRequest, tracking_id: &str) -> Result<Prepared> {
        let cached = self.cached(&request.workspace, &request.reference).await?;
        let template = self.record(&request.workspace, &request.reference).await?.template;
        let settings = self.settings(&request.workspace).await?;
        let mut problems = Vec::new();
        if request.number.trim().is_empty() {
            problems.push(problem("number", "Choose the number that sends."));
        }
        let to = digits(&request.to);
        if !DIGITS.contains(&to.len()) || request.to.chars().any(char::is_alphabetic) {
            problems
                .push(problem("to", "Enter the recipient's number with its country code, such as +55 11 91234-5678."));
        }
        let callback = callback_data(&request.callback_data, request.track.then_some(tracking_id));
        let biz_opaque_callback_data = callback.unwrap_or_else(|message| {
            problems.push(problem("callbackData", message));
            None
        });
        let values = tidy(&request.values);
        let send = SendTemplate {
            name: template.name.clone(),
            language: SendLanguage { code: template.language.clone(), ..SendLanguage::default() },
            components: fill_send(&template, &values),
            ..SendTemplate::default()
        };
        let mut placed = BTreeSet::new();
        for found in check_send(&template, &send) {
            // One sentence for each part: the count of a component repeats what its empty parts say.
            if placed.insert(found.part.clone()) {
                problems.push(SendProblem {
                    field: found.part,
                    error_code: Some(found.code),
                    message: sentence(&found.message),
                });
            }
        }
        let message = SendMessage {
            messaging_product: settings.product().to_owned(),
            recipient_type: Some("individual".to_owned()),
            to,
            kind: "template".to_owned(),
            biz_opaque_callback_data,
            template: Some(send),
            ..SendMessage::default()
        };
        Ok(Prepared { blocked: blocked(&cached), template, message, problems })
    }
}

/// A send that has not left yet.
struct Prepared {
    template: Template,
    message: SendMessage,
    problems: Vec<SendProblem>,
    blocked: Option<String>,
}

/// Why a template cannot be sent now.
fn blocked(cached: &CachedTemplate) -> Option<String> {
    let status = TemplateStatus::from(cached.row.status.as_str());
    if cached.row.archived {
        return Some("The template is archived. Bring it back from the archive to send it.".to_owned());
    }
    (!status.is_sendable())
        .then(|| format!("The template is {}. Only approved templates can be sent.", cached.row.status))
}

fn problem(field: &str, message: impl Into<String>) -> SendProblem {
    SendProblem { field: field.to_owned(), error_code: None, message: message.into() }
}

/// The digits of a number, whatever a person writes between them.
fn digits(number: &str) -> String {
    number.chars().filter(char::is_ascii_digit).collect()
}

/// Values that were filled in; an empty field is none.
fn tidy(values: &SendValues) -> SendValues {
    values.iter().filter(|(_, value)| !value.is_empty()).map(|(id, value)| (id.clone(), value.clone())).collect()
}

/// The person's callback data with our tracking identifier merged into it.
fn callback_data(own: &str, tracking_id: Option<&str>) -> std::result::Result<Option<String>, String> {
    let own = own.trim();
    let Some(tracking_id) = tracking_id else {
        return Ok(Some(own.to_owned()).filter(|own| !own.is_empty()));
    };
    let mut data = match own {
        "" => serde_json::Map::new(),
        own => match serde_json::from_str(own) {
            Ok(serde_json::Value::Object(data)) => data,
            _ => {
                return Err("A tracked send needs a JSON object here, such as {\"job\": 42}. Write one, or switch \
                            tracking off to send this text as it is."
                    .to_owned());
            }
        },
    };
    data.insert(TRACKING_KEY.to_owned(), tracking_id.into());
    serde_json::to_string(&data).map(Some).map_err(|error| error.to_string())
}

fn sentence(message: &str) -> String {
    let mut letters = message.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
    let end = if message.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{first}{}{end}", letters.as_str())
}

/// What an error object means and what to do, where its code is known.
fn explanation(error: &str) -> Option<String> {
    let failure: Failure = serde_json::from_str(error).ok()?;
    let known = error_code::find(failure.code?)?;
    Some(format!("{} {}", known.meaning, known.advice))
}

fn row(send: TestSend) -> SendRow {
    let refusal: Option<DeskError> = send.error.as_deref().and_then(|json| serde_json::from_str(json).ok());
    let (error_code, error_title) = match &refusal {
        Some(DeskError::Service { error_code, message, .. }) => (error_code.clone(), Some(message.clone())),
        Some(other) => (None, Some(other.to_string())),
        None => (None, None),
    };
    SendRow {
        state: send.status.unwrap_or_else(|| call_state(send.state).to_owned()),
        id: send.id,
        number: send.number,
        recipient: send.recipient,
        template_name: send.template_name,
        language: send.language,
        error_code,
        error_title,
        created_at: send.created_at,
    }
}

/// The word for a call's state in lists.
pub(crate) fn call_state(state: CallState) -> &'static str {
    match state {
        CallState::Recorded => "recorded",
        CallState::Accepted => "accepted",
        CallState::Refused => "refused",
        CallState::Unknown => "unknown",
    }
}

#[cfg(test)]
mod tests {
    use super::{callback_data, digits};

    #[test]
    fn callback_data_keeps_what_the_person_wrote() {
        let cases = [
            ("", Some("t1"), Ok(Some(r#"{"td":"t1"}"#))),
            (r#"{"job":42,"é":"ü"}"#, Some("t1"), Ok(Some(r#"{"job":42,"é":"ü","td":"t1"}"#))),
            ("order 7", None, Ok(Some("order 7"))),
            ("", None, Ok(None)),
            ("order 7", Some("t1"), Err(())),
            ("[1]", Some("t1"), Err(())),
        ];
        for (own, tracking_id, expected) in cases {
            let found = callback_data(own, tracking_id).map_err(|_| ());
            assert_eq!(found, expected.map(|text| text.map(str::to_owned)), "{own}");
        }
    }

    #[test]
    fn numbers_are_read_as_people_write_them() {
        assert_eq!(digits("+55 (11) 91234-5678"), "5511912345678");
    }
}
