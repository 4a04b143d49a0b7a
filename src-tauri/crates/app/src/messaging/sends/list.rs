//! Lists of sends.

use model::failure::Failure;
use model::vocabulary::MessageStatus;
use store::cache::ContactFilter;
use store::desk::{CallState, SendFilter, SendKind, SendRecord, SendState};

use crate::contact_names::{MAX_NAMED, all_spellings, names, people_named};
use crate::messaging::Messaging;
use crate::page_cursor::{page_cursor, parse_page_cursor};
use crate::recorded_answer::{ANSWER_CODES, not_sent};
use crate::templates::queries::MAX_ROWS;
use command_types::error::{DeskError, Result};
use command_types::send::{SendPage, SendQuery, SendRow, SendText};
use outgoing::recipient::{self, NumberCountry, alternative_numbers, digits};

/// The status of a message that failed.
const FAILED: &str = "failed";
/// In place of a state: the refused sends that are listed with the reason why they did not leave.
const NOT_SENT: &str = "notSent";

impl Messaging {
    /// A page of sends, newest first.
    pub async fn list_sends(&self, query: SendQuery) -> Result<SendPage> {
        let non_empty = |filter: Option<String>| filter.filter(|value| !value.is_empty());
        let workspace = query.workspace;
        let settings = self.0.workspaces.settings(&workspace).await?;
        let typed = query.recipient.unwrap_or_default();
        let (recipients, recipient_part) =
            self.recipients_like(&workspace, typed.trim(), NumberCountry::of(None, &settings)).await?;
        let state = query.state.map(|state| state.as_str().to_owned()).filter(|word| !word.is_empty());
        let filter = SendFilter {
            workspace_id: workspace.clone(),
            template_name: non_empty(query.template),
            template_ref: non_empty(query.reference),
            recipients,
            recipient_part,
            state: if state.as_deref() == Some(NOT_SENT) {
                Some(SendState::Call(CallState::Refused))
            } else {
                state.as_deref().map(SendState::from)
            },
            answered: match state.as_deref() {
                Some(NOT_SENT) => Some((false, ANSWER_CODES)),
                Some(word) if word == CallState::Refused.as_str() => Some((true, ANSWER_CODES)),
                _ => None,
            },
            batch: non_empty(query.batch),
            before: parse_page_cursor(query.after.as_deref())?,
            limit: query.limit.clamp(1, MAX_ROWS),
        };
        let page = self.0.context.desk.sends(filter).await?;
        let mut rows: Vec<SendRow> = page.rows.into_iter().map(row).collect();
        self.name_recipients(&workspace, &mut rows).await?;
        rows.iter_mut().for_each(|row| row.retry_at = self.retry_at(&row.id));
        let failed = SendState::Reported(MessageStatus::Failed);
        for row in rows.iter_mut().filter(|row| row.state == failed) {
            let outcomes = self.0.context.desk.outcomes(&row.id).await?;
            let failures = outcomes.iter().filter(|outcome| outcome.status == FAILED);
            set_failure(row, failures.filter_map(|outcome| outcome.error.as_deref()).next_back());
        }
        Ok(SendPage { rows, next: page.next.map(|(at, id)| page_cursor(at, &id)) })
    }

    /// Recipients with this name or number, and the part of further numbers to find; nothing where nothing is typed.
    async fn recipients_like(
        &self,
        workspace: &str,
        typed: &str,
        country: NumberCountry<'_>,
    ) -> Result<(Vec<String>, Option<String>)> {
        let part: String = typed.chars().filter(char::is_ascii_digit).collect();
        if typed.chars().all(|letter| letter.is_ascii_digit() || " +-.()/\u{a0}".contains(letter)) {
            let known = alternative_numbers(&digits(typed, country));
            return Ok(if part.is_empty() { (Vec::new(), None) } else { (known, Some(part)) });
        }
        let context = &self.0.context;
        let mut people = people_named(context, workspace, typed).await?;
        let filter = ContactFilter {
            route: workspace.to_owned(),
            search: Some(typed.to_owned()),
            limit: MAX_NAMED as u32,
            ..ContactFilter::default()
        };
        people.extend(context.cache.contacts(filter).await?.rows.into_iter().map(|contact| contact.contact));
        let identities = context.cache.identities(workspace, people.clone()).await?;
        people.extend(identities.into_values().flatten());
        // A part of a user id is no name.
        Ok((all_spellings(&people).into_iter().collect(), Some(typed.to_owned())))
    }

    /// A message that was just sent, as a list row. Without the name if it cannot be read: that is no failure of the send.
    pub(super) async fn row_of(&self, send: SendRecord) -> SendRow {
        let workspace = send.workspace_id.clone();
        let mut row = row(send);
        row.retry_at = self.retry_at(&row.id);
        if let Err(error) = self.name_recipients(&workspace, std::slice::from_mut(&mut row)).await {
            tracing::warn!(%error, "the name of a recipient cannot be read");
        }
        row
    }

    /// Adds names to recipients.
    pub(super) async fn name_recipients(&self, workspace: &str, rows: &mut [SendRow]) -> Result<()> {
        let recipients: Vec<String> = rows.iter().map(|row| row.recipient.clone()).collect();
        let names = names(&self.0.context, workspace, &recipients).await?;
        for row in rows {
            row.recipient_name = names.get(&row.recipient).cloned();
        }
        Ok(())
    }
}

/// Adds the code and title of an error object to a row.
pub(super) fn set_failure(row: &mut SendRow, error: Option<&str>) {
    if let Some(failure) = error.and_then(|json| serde_json::from_str::<Failure>(json).ok()) {
        row.error_code = failure.code.map(|code| code.to_string());
        row.error_title = failure.words().map(str::to_owned);
    }
}

/// A send as a list row, without the recipient's name and the time of a retry.
pub(super) fn row(send: SendRecord) -> SendRow {
    let not_sent = not_sent(&send);
    // A lost answer is not a refusal: the state shows it until a status is received.
    let refusal = send.error.as_deref().filter(|_| send.state == CallState::Refused);
    let refusal: Option<DeskError> = refusal.and_then(|json| serde_json::from_str(json).ok());
    let (error_code, error_title) = match &refusal {
        Some(DeskError::Service { error_code, message, .. }) => (error_code.clone(), Some(message.clone())),
        Some(other) => (send.response_body.as_deref().and_then(code_in), Some(other.to_string())),
        None => (None, None),
    };
    let text = match send.kind {
        SendKind::Template => None,
        SendKind::Text => {
            let request = send.request.as_deref().and_then(|json| serde_json::from_str::<SendText>(json).ok());
            Some(request.map(|request| request.text).unwrap_or_default())
        }
    };
    SendRow {
        state: SendState::of(send.status.as_deref(), send.state),
        id: send.id,
        kind: send.kind,
        number: send.number,
        formatted: recipient::formatted(&send.recipient),
        recipient: send.recipient,
        recipient_name: None,
        retry_at: None,
        reference: send.template_ref,
        template_name: send.template_name,
        language: send.language,
        text,
        error_code,
        error_title,
        not_sent,
        created_at: send.created_at,
        batch: send.batch.map(|(batch, _)| batch),
    }
}

/// The channel's code in an answer whose error is not a `Service` error here, such as that of too many requests.
fn code_in(answer: &str) -> Option<String> {
    let answer: serde_json::Value = serde_json::from_str(answer).ok()?;
    let code = answer.pointer("/error/code").or_else(|| answer.get("code"))?;
    code.as_i64().map(|code| code.to_string()).or_else(|| code.as_str().map(str::to_owned))
}
