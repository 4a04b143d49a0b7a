//! Sends: recorded before they are sent, completed by the response, updated by the channel's reports.

use rusqlite::{Connection, Row, ToSql, params};

use super::outcome::{OutcomeReport, send_id_of};
use super::{Answer, CallState, Desk, SendKind, SendState};
use crate::StoreError;
use crate::rows::{all, first, from_row, insert_row, to_json, tuple};

/// A message sent from here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SendRecord {
    pub id: String,
    pub workspace_id: String,
    /// Identifier of the sending number.
    pub number: String,
    /// Recipient as sent.
    pub recipient: String,
    pub kind: SendKind,
    /// Name of the template; empty for a text.
    pub template_name: String,
    /// Its language; empty for a text.
    pub language: String,
    /// The provider's reference of it, if known.
    pub template_ref: Option<String>,
    /// Input from which it can be sent again, as JSON; absent for sends of older versions.
    pub request: Option<String>,
    pub batch: Option<(String, u32)>,
    /// The request URL; absent for sends of older versions.
    pub url: Option<String>,
    /// The JSON exactly as sent.
    pub payload: String,
    /// The tracking id sent with it.
    pub tracking_id: Option<String>,
    pub state: CallState,
    /// The channel's identifier of the message.
    pub message_id: Option<String>,
    pub response_status: Option<u16>,
    /// Response body as received.
    pub response_body: Option<String>,
    /// The failure of the call as JSON.
    pub error: Option<String>,
    /// Current status of the message by all reports; absent until one is reported.
    pub status: Option<String>,
    /// When it got that status.
    pub status_at: Option<i64>,
    /// When it was recorded.
    pub created_at: i64,
    /// When the response arrived.
    pub answered_at: Option<i64>,
    /// Category in the channel's pricing or, until that is reported, the template's category; in lower case.
    pub category: Option<String>,
    /// When a person first replied to it.
    pub replied_at: Option<i64>,
    /// ISO 3166 code of the recipient's country, if it is a number of one.
    pub country: Option<String>,
    /// Whether a tap on one of its buttons comes back as a message; absent if unknown.
    pub tappable: Option<bool>,
}

/// Filter for sends, newest first. Absent filters accept everything; attempts that another send superseded are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SendFilter {
    pub workspace_id: String,
    /// Part of the name of the template, in any case.
    pub template_name: Option<String>,
    /// The provider's reference of the template.
    pub template_ref: Option<String>,
    /// Recipients to find, as they were sent to; every recipient if this is empty and there is no `recipient_part`.
    pub recipients: Vec<String>,
    /// Part of the identifiers of further recipients to find.
    pub recipient_part: Option<String>,
    pub state: Option<SendState>,
    /// Only those whose error has one of these codes, or none of them.
    pub answered: Option<(bool, &'static [&'static str])>,
    /// The batch it belongs to.
    pub batch: Option<String>,
    /// `next` of the previous page.
    pub before: Option<(i64, String)>,
    pub limit: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SendPage {
    /// Newest first.
    pub rows: Vec<SendRecord>,
    /// Value of [`SendFilter::before`] for the next page; absent on the last page.
    pub next: Option<(i64, String)>,
}

impl Desk {
    /// Records a send before its request is sent. `status` and `status_at` are ignored.
    ///
    /// # Errors
    /// [`StoreError`] when it cannot be written, also because the same row of its batch was already sent; then it must
    /// not be sent.
    pub async fn record_send(&self, send: SendRecord) -> Result<(), StoreError> {
        self.database.write(move |c| insert(c, &send, "")).await
    }

    /// Records the response, and the message's identifier if it has one. Returns whether the send exists.
    ///
    /// Statuses may have arrived before: those reported under `message_id` without a tracking id are in the cache; pass
    /// them to [`Desk::store_outcomes`] afterwards.
    pub async fn finish_send(&self, id: &str, answer: Answer, message_id: Option<String>) -> Result<bool, StoreError> {
        let id = id.to_owned();
        self.database
            .write(move |c| {
                let changed = c
                    .prepare_cached(
                        "UPDATE send SET state = ?2, response_status = ?3, response_body = ?4, error = ?5,
                           answered_at = ?6, message_id = coalesce(?7, message_id),
                           failure_code = CASE WHEN status IS NULL AND ?2 = 'refused' AND ?3 IS NOT NULL
                             THEN coalesce(json_extract(?5, '$.errorCode'), 'HTTP ' || ?3) ELSE failure_code END
                         WHERE id = ?1",
                    )?
                    .execute(params![
                        id,
                        answer.state,
                        answer.status,
                        answer.body,
                        answer.error,
                        answer.at,
                        message_id
                    ])?;
                Ok(changed > 0)
            })
            .await
    }

    /// Marks a refused send as about to be sent again. False if it is not refused any more.
    pub async fn reopen_send(&self, id: &str) -> Result<bool, StoreError> {
        let id = id.to_owned();
        self.database
            .write(move |c| {
                let sql =
                    "UPDATE send SET state = 'recorded', response_status = NULL, response_body = NULL, error = NULL,
                             answered_at = NULL, failure_code = NULL
                           WHERE id = ?1 AND state = 'refused' AND status IS NULL AND message_id IS NULL";
                Ok(c.prepare_cached(sql)?.execute([id])? > 0)
            })
            .await
    }

    pub async fn send(&self, id: &str) -> Result<Option<SendRecord>, StoreError> {
        let id = id.to_owned();
        self.database.read(move |c| first(c, "SELECT * FROM send WHERE id = ?1", [id], send)).await
    }

    /// The send of a workspace with that message id or, if there is none, with that tracking id. The message id comes
    /// first because the callback data of another send may have been sent again.
    pub async fn send_of(
        &self,
        workspace_id: &str,
        message_id: &str,
        tracking_id: Option<&str>,
    ) -> Result<Option<SendRecord>, StoreError> {
        let report = OutcomeReport {
            workspace_id: workspace_id.to_owned(),
            message_id: message_id.to_owned(),
            tracking_id: tracking_id.map(str::to_owned),
            ..OutcomeReport::default()
        };
        self.database
            .read(move |c| match send_id_of(c, &report)? {
                Some(id) => first(c, "SELECT * FROM send WHERE id = ?1", [id], send),
                None => Ok(None),
            })
            .await
    }

    /// Identifier, workspace, status and state of sends, in no order. Unknown identifiers are left out.
    pub async fn send_states(
        &self,
        ids: &[String],
    ) -> Result<Vec<(String, String, Option<String>, CallState)>, StoreError> {
        let ids = to_json(ids)?;
        let sql =
            "SELECT s.id, s.workspace_id, s.status, s.state FROM json_each(?1) i CROSS JOIN send s ON s.id = i.value";
        self.database.read(move |c| all(c, sql, [ids], tuple)).await
    }

    /// Whether the template was sent from here in this category, in lower case.
    pub async fn has_sent_in(&self, workspace_id: &str, reference: &str, category: &str) -> Result<bool, StoreError> {
        let key = (workspace_id.to_owned(), reference.to_owned(), category.to_owned());
        let sql = "SELECT EXISTS (SELECT 1 FROM send
                   WHERE workspace_id = ?1 AND template_ref = ?2 AND category = ?3 AND state <> 'refused')";
        self.database.read(move |c| Ok(c.prepare_cached(sql)?.query_row(key, |row| row.get(0))?)).await
    }

    /// Workspace and message id of those of the newest sends that have no status yet.
    pub async fn newest_without_status(&self) -> Result<Vec<(String, String)>, StoreError> {
        let sql = "SELECT workspace_id, message_id
                   FROM (SELECT workspace_id, message_id, status FROM send ORDER BY rowid DESC LIMIT 100)
                   WHERE status IS NULL AND message_id IS NOT NULL";
        self.database.read(move |c| all(c, sql, [], tuple)).await
    }

    pub async fn sends(&self, filter: SendFilter) -> Result<SendPage, StoreError> {
        self.database.read(move |c| page(c, &filter)).await
    }
}

/// Adds a send, with an `ON CONFLICT` clause or an empty text.
pub(super) fn insert(c: &Connection, send: &SendRecord, on_conflict: &str) -> Result<(), StoreError> {
    insert_row!(c, "send" => send {
        id, workspace_id, number, recipient, template_name, language, template_ref, payload, tracking_id, state,
        message_id, response_status, response_body, error, created_at, answered_at, kind, request, url,
        batch_id: send.batch.as_ref().map(|(batch, _)| batch), batch_row: send.batch.as_ref().map(|(_, row)| row),
        category, country, tappable,
    }, on_conflict)?;
    Ok(())
}

fn page(c: &Connection, filter: &SendFilter) -> Result<SendPage, StoreError> {
    let mut sql = "SELECT * FROM send WHERE workspace_id = ? AND NOT is_superseded".to_owned();
    let mut words = vec![filter.workspace_id.as_str()];
    for (column, wanted) in [
        ("template_ref", filter.template_ref.as_deref()),
        ("batch_id", filter.batch.as_deref()),
        ("coalesce(status, state)", filter.state.as_ref().map(SendState::as_str)),
    ] {
        if let Some(wanted) = wanted {
            sql.push_str(&format!(" AND {column} = ?"));
            words.push(wanted);
        }
    }
    if let Some((has_one, codes)) = filter.answered {
        let code = "CASE WHEN json_valid(error) THEN json_extract(error, '$.code') END";
        let places = vec!["?"; codes.len()].join(", ");
        // What cannot be read names no reason of ours.
        sql.push_str(&format!(" AND coalesce({code} IN ({places}), TRUE) = {has_one}"));
        words.extend(codes);
    }
    if let Some(part) = &filter.template_name {
        sql.push_str(" AND instr(lower(template_name), lower(?)) > 0");
        words.push(part);
    }
    if !filter.recipients.is_empty() || filter.recipient_part.is_some() {
        sql.push_str(&format!(" AND (recipient IN ({})", vec!["?"; filter.recipients.len()].join(", ")));
        words.extend(filter.recipients.iter().map(String::as_str));
        if let Some(part) = &filter.recipient_part {
            sql.push_str(" OR instr(recipient, ?) > 0");
            words.push(part);
        }
        sql.push(')');
    }
    let mut values: Vec<&dyn ToSql> = words.iter().map(|word| word as &dyn ToSql).collect();
    if let Some((at, id)) = &filter.before {
        sql.push_str(" AND (created_at, id) < (?, ?)");
        values.extend([at as &dyn ToSql, id]);
    }
    sql.push_str(" ORDER BY created_at DESC, id DESC LIMIT ?");
    let one_more = i64::from(filter.limit) + 1;
    values.push(&one_more);
    let mut rows = all(c, &sql, values.as_slice(), send)?;
    let limit = filter.limit as usize;
    let more = rows.len() > limit;
    rows.truncate(limit);
    let next = rows.last().filter(|_| more).map(|last| (last.created_at, last.id.clone()));
    Ok(SendPage { rows, next })
}

pub(super) fn send(row: &Row<'_>) -> rusqlite::Result<SendRecord> {
    from_row!(row => SendRecord {
        id, workspace_id, number, recipient, kind, template_name, language, template_ref, request,
        batch: row.get::<_, Option<String>>("batch_id")?.zip(row.get("batch_row")?),
        url, payload, tracking_id, state, message_id, response_status, response_body, error, status, status_at,
        created_at, answered_at, category, replied_at, country, tappable,
    })
}
