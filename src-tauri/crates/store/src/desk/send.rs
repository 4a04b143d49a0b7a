//! Test sends: written down before they leave, finished by the answer, followed by what the channel reports.

use std::collections::{BTreeSet, HashSet};

use model::event::status::Pricing;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSqlOutput, ValueRef};
use rusqlite::{Connection, Row, ToSql, params};

use super::{Answer, CallState, Desk};
use crate::database::{all, first};
use crate::{StoreError, status};

/// What was sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SendKind {
    /// A template.
    #[default]
    Template,
    /// A free text.
    Text,
}

impl SendKind {
    /// The word in the file.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Template => "template",
            Self::Text => "text",
        }
    }
}

impl ToSql for SendKind {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.as_str().into())
    }
}

impl FromSql for SendKind {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        match value.as_str()? {
            "template" => Ok(Self::Template),
            "text" => Ok(Self::Text),
            other => Err(FromSqlError::Other(format!("{other:?} is no kind of a send").into())),
        }
    }
}

/// A message that was sent from here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TestSend {
    /// Identifier made here.
    pub id: String,
    /// Workspace.
    pub workspace_id: String,
    /// Identifier of the sending number.
    pub number: String,
    /// Recipient as sent.
    pub recipient: String,
    /// What was sent.
    pub kind: SendKind,
    /// Name of the template; empty for a text.
    pub template_name: String,
    /// Its language; empty for a text.
    pub language: String,
    /// The provider's reference of it, if known.
    pub template_ref: Option<String>,
    /// What it was made of, as JSON, to make it again; absent for sends of older versions.
    pub request: Option<String>,
    /// The row of a batch that it was made for.
    pub batch: Option<(String, u32)>,
    /// The address it went to; absent for sends of older versions.
    pub url: Option<String>,
    /// The JSON exactly as sent.
    pub payload: String,
    /// The tracking id that went with it.
    pub tracking_id: Option<String>,
    /// What became of the call.
    pub state: CallState,
    /// The channel's identifier of the message.
    pub message_id: Option<String>,
    /// HTTP status of the answer.
    pub response_status: Option<u16>,
    /// Body of the answer as it came.
    pub response_body: Option<String>,
    /// The failure of the call as JSON.
    pub error: Option<String>,
    /// Where the message stands, by everything reported; absent until something is.
    pub status: Option<String>,
    /// Since when.
    pub status_at: Option<i64>,
    /// When it was written down.
    pub created_at: i64,
    /// When the call was answered.
    pub answered_at: Option<i64>,
    /// What the channel priced it by or, until that is told, the template's category; in lower case.
    pub category: Option<String>,
    /// When a person answered it first.
    pub replied_at: Option<i64>,
}

/// A status that the channel reported about a send.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SendOutcome {
    /// The send.
    pub send_id: String,
    /// The status.
    pub status: String,
    /// When it happened.
    pub at: i64,
    /// The delivery that brought it.
    pub seq: i64,
    /// When that delivery came; absent for reports kept by older versions.
    pub received_at: Option<i64>,
    /// The error object as JSON.
    pub error: Option<String>,
    /// The pricing object as JSON.
    pub pricing: Option<String>,
    /// The conversation object as JSON.
    pub conversation: Option<String>,
    /// The callback data as it came back.
    pub callback_data: Option<String>,
}

/// A reported status of a message that may be one of ours.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OutcomeReport {
    /// The workspace to whose endpoint it came: a status concerns sends of this workspace only.
    pub workspace_id: String,
    /// The channel's identifier of the message.
    pub message_id: String,
    /// The tracking id that came back with it.
    pub tracking_id: Option<String>,
    /// The status.
    pub status: String,
    /// When it happened.
    pub at: i64,
    /// The delivery that brought it.
    pub seq: i64,
    /// When that delivery came.
    pub received_at: i64,
    /// The error object as JSON.
    pub error: Option<String>,
    /// The pricing object as JSON.
    pub pricing: Option<String>,
    /// The conversation object as JSON.
    pub conversation: Option<String>,
    /// The callback data as it came back.
    pub callback_data: Option<String>,
}

/// Which sends, newest first. Absent filters accept everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SendFilter {
    /// Workspace.
    pub workspace_id: String,
    /// Name of the template.
    pub template_name: Option<String>,
    /// The provider's reference of the template.
    pub template_ref: Option<String>,
    /// Recipient.
    pub recipient: Option<String>,
    /// Where it stands: the status reported last by rank, or, until one is, what became of the call.
    pub state: Option<String>,
    /// The batch it belongs to.
    pub batch: Option<String>,
    /// `next` of the page before.
    pub before: Option<(i64, String)>,
    /// At most so many.
    pub limit: u32,
}

/// A page of sends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SendPage {
    /// Newest first.
    pub rows: Vec<TestSend>,
    /// Goes into [`SendFilter::before`] for the next page; absent on the last.
    pub next: Option<(i64, String)>,
}

impl Desk {
    /// Writes a send down before it leaves. `status` and `status_at` are ignored.
    ///
    /// # Errors
    /// [`StoreError`] when it cannot be written, also because the same row of its batch has left already; it must not
    /// leave then.
    pub async fn record_send(&self, send: TestSend) -> Result<(), StoreError> {
        self.database
            .write(move |c| {
                c.prepare_cached(
                    "INSERT INTO send
                       (id, workspace_id, number, recipient, template_name, language, template_ref, payload,
                        tracking_id, state, message_id, response_status, response_body, error, created_at, answered_at,
                        kind, request, url, batch_id, batch_row, category)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20,
                        ?21, ?22)",
                )?
                .execute(params![
                    send.id,
                    send.workspace_id,
                    send.number,
                    send.recipient,
                    send.template_name,
                    send.language,
                    send.template_ref,
                    send.payload,
                    send.tracking_id,
                    send.state,
                    send.message_id,
                    send.response_status,
                    send.response_body,
                    send.error,
                    send.created_at,
                    send.answered_at,
                    send.kind,
                    send.request,
                    send.url,
                    send.batch.as_ref().map(|(batch, _)| batch),
                    send.batch.as_ref().map(|(_, row)| row),
                    send.category
                ])?;
                Ok(())
            })
            .await
    }

    /// Writes down the answer, and the message's identifier if the answer names it. Says whether the send exists.
    ///
    /// Statuses may have come before: those reported under `message_id` without a tracking id are in the cache, and
    /// are to be handed to [`Desk::keep_outcomes`] now.
    ///
    /// # Errors
    /// [`StoreError`] when it cannot be written.
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

    /// One send.
    ///
    /// # Errors
    /// [`StoreError`] when the file cannot be read.
    pub async fn send(&self, id: &str) -> Result<Option<TestSend>, StoreError> {
        let id = id.to_owned();
        self.database.read(move |c| first(c, "SELECT * FROM send WHERE id = ?1", [id], send)).await
    }

    /// The send of a workspace with that message id or, if there is none, that tracking id: it may have been sent once
    /// more with the callback data of another send.
    ///
    /// # Errors
    /// [`StoreError`] when the file cannot be read.
    pub async fn send_of(
        &self,
        workspace_id: &str,
        message_id: &str,
        tracking_id: Option<&str>,
    ) -> Result<Option<TestSend>, StoreError> {
        let (workspace_id, message_id) = (workspace_id.to_owned(), message_id.to_owned());
        let tracking_id = tracking_id.map(str::to_owned);
        self.database
            .read(move |c| match send_id_of(c, &workspace_id, &message_id, tracking_id.as_deref())? {
                Some(id) => first(c, "SELECT * FROM send WHERE id = ?1", [id], send),
                None => Ok(None),
            })
            .await
    }

    /// A page of sends.
    ///
    /// # Errors
    /// [`StoreError`] when the file cannot be read.
    pub async fn sends(&self, filter: SendFilter) -> Result<SendPage, StoreError> {
        self.database.read(move |c| page(c, &filter)).await
    }

    /// Recipients of earlier sends, last used first, each once.
    ///
    /// # Errors
    /// [`StoreError`] when the file cannot be read.
    pub async fn recent_recipients(&self, workspace_id: &str, limit: u32) -> Result<Vec<String>, StoreError> {
        let workspace_id = workspace_id.to_owned();
        self.database
            .read(move |c| {
                // Looks at the last thousand only: the list is a convenience.
                let sql = "SELECT recipient FROM (SELECT recipient, created_at FROM send WHERE workspace_id = ?1
                             ORDER BY created_at DESC, id DESC LIMIT 1000)
                           GROUP BY recipient ORDER BY max(created_at) DESC LIMIT ?2";
                all(c, sql, (workspace_id, limit), |row| row.get(0))
            })
            .await
    }

    /// Keeps what was reported about messages that were sent from here, matched by tracking id or message id within
    /// the workspace, and gives the sends whose history grew. Reports about other messages, and repeated ones, change
    /// nothing.
    ///
    /// # Errors
    /// [`StoreError`] when it cannot be written; nothing is kept then.
    pub async fn keep_outcomes(&self, reports: Vec<OutcomeReport>) -> Result<Vec<String>, StoreError> {
        self.database
            .write(move |c| {
                let mut changed = BTreeSet::new();
                let ours = messages_of_sends(c, &reports)?;
                for report in reports.into_iter().filter(|report| ours.contains(&report.message_id)) {
                    let tracking_id = report.tracking_id.as_deref();
                    let Some(id) = send_id_of(c, &report.workspace_id, &report.message_id, tracking_id)? else {
                        continue;
                    };
                    // An answer without an identifier: the report has it.
                    c.prepare_cached("UPDATE send SET message_id = ?2 WHERE id = ?1 AND message_id IS NULL")?
                        .execute((&id, &report.message_id))?;
                    let added = c
                        .prepare_cached(
                            // A repetition may say more than what came first, and takes nothing back.
                            "INSERT INTO send_outcome (send_id, status, at, seq, received_at, error, pricing,
                               conversation, callback_data) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
                             ON CONFLICT DO UPDATE SET
                               error = coalesce(error, excluded.error),
                               pricing = coalesce(pricing, excluded.pricing),
                               conversation = coalesce(conversation, excluded.conversation),
                               callback_data = coalesce(callback_data, excluded.callback_data)
                             WHERE coalesce(error, excluded.error) IS NOT error
                               OR coalesce(pricing, excluded.pricing) IS NOT pricing
                               OR coalesce(conversation, excluded.conversation) IS NOT conversation
                               OR coalesce(callback_data, excluded.callback_data) IS NOT callback_data",
                        )?
                        .execute(params![
                            id,
                            report.status,
                            report.at,
                            report.seq,
                            report.received_at,
                            report.error,
                            report.pricing,
                            report.conversation,
                            report.callback_data
                        ])?;
                    if added > 0 {
                        changed.insert(id);
                    }
                }
                for id in &changed {
                    let reports = all(c, "SELECT status, at FROM send_outcome WHERE send_id = ?1", [id], |row| {
                        Ok((row.get(0)?, row.get(1)?))
                    })?;
                    let current = status::current(reports).unzip();
                    let pricing = first(c, LAST_PRICING, [id], |row| row.get::<_, String>(0))?;
                    let charged = pricing.and_then(|json| serde_json::from_str::<Pricing>(&json).ok()?.is_charged());
                    c.prepare_cached(CURRENT)?.execute(params![id, current.0, current.1, charged])?;
                }
                Ok(changed.into_iter().collect())
            })
            .await
    }

    /// Everything that was reported about a send, in the order in which it happened.
    ///
    /// # Errors
    /// [`StoreError`] when the file cannot be read.
    pub async fn outcomes(&self, send_id: &str) -> Result<Vec<SendOutcome>, StoreError> {
        let send_id = send_id.to_owned();
        self.database
            .read(move |c| {
                all(c, "SELECT * FROM send_outcome WHERE send_id = ?1 ORDER BY at, seq, status", [send_id], |row| {
                    Ok(SendOutcome {
                        send_id: row.get("send_id")?,
                        status: row.get("status")?,
                        at: row.get("at")?,
                        seq: row.get("seq")?,
                        received_at: row.get("received_at")?,
                        error: row.get("error")?,
                        pricing: row.get("pricing")?,
                        conversation: row.get("conversation")?,
                        callback_data: row.get("callback_data")?,
                    })
                })
            })
            .await
    }
}

/// The pricing of the last report that has one.
const LAST_PRICING: &str = "SELECT pricing FROM send_outcome
    WHERE send_id = ?1 AND pricing IS NOT NULL ORDER BY at DESC, status DESC LIMIT 1";

/// Brings a send up to what was reported about it. Of several prices the one told last counts, of several failures the
/// first; both are functions of the set of reports.
const CURRENT: &str = "UPDATE send SET status = ?2, status_at = ?3,
      category = coalesce((SELECT lower(json_extract(pricing, '$.category')) FROM send_outcome
        WHERE send_id = ?1 AND json_extract(pricing, '$.category') IS NOT NULL
        ORDER BY at DESC, status DESC LIMIT 1), category),
      pricing_model = (SELECT json_extract(pricing, '$.pricing_model')
        FROM send_outcome WHERE send_id = ?1 AND pricing IS NOT NULL ORDER BY at DESC, status DESC LIMIT 1),
      billable = ?4,
      failure_code = CASE WHEN ?2 = 'failed' THEN (SELECT json_extract(error, '$.code') FROM send_outcome
        WHERE send_id = ?1 AND status = 'failed' ORDER BY error IS NULL, at LIMIT 1) END
    WHERE id = ?1";

/// Messages among those reported about that can be of a send: almost all are of others, and one statement tells.
fn messages_of_sends(c: &Connection, reports: &[OutcomeReport]) -> Result<HashSet<String>, StoreError> {
    let messages: Vec<&str> = reports.iter().map(|report| report.message_id.as_str()).collect();
    let messages = serde_json::to_string(&messages).map_err(|error| StoreError::Value(error.to_string()))?;
    let sql = "SELECT s.message_id FROM json_each(?1) m CROSS JOIN send s ON s.message_id = m.value";
    let mut ours: HashSet<String> = all(c, sql, [messages], |row| row.get(0))?.into_iter().collect();
    // One report may bring the message of a send that another one then is about.
    ours.extend(reports.iter().filter(|report| report.tracking_id.is_some()).map(|report| report.message_id.clone()));
    Ok(ours)
}

fn send_id_of(
    c: &Connection,
    workspace_id: &str,
    message_id: &str,
    tracking_id: Option<&str>,
) -> Result<Option<String>, StoreError> {
    let sql = "SELECT id FROM send WHERE message_id = ?1 AND workspace_id = ?2";
    let by_message = first(c, sql, [message_id, workspace_id], |row| row.get(0))?;
    match (by_message, tracking_id) {
        (None, Some(tracking_id)) => {
            let sql = "SELECT id FROM send WHERE tracking_id = ?1 AND workspace_id = ?2";
            first(c, sql, [tracking_id, workspace_id], |row| row.get(0))
        }
        (found, _) => Ok(found),
    }
}

fn page(c: &Connection, filter: &SendFilter) -> Result<SendPage, StoreError> {
    let mut sql = "SELECT * FROM send WHERE workspace_id = ?".to_owned();
    let mut values: Vec<&dyn ToSql> = vec![&filter.workspace_id];
    for (column, wanted) in [
        ("template_name", &filter.template_name),
        ("template_ref", &filter.template_ref),
        ("recipient", &filter.recipient),
        ("batch_id", &filter.batch),
        ("coalesce(status, state)", &filter.state),
    ] {
        if let Some(wanted) = wanted {
            sql.push_str(&format!(" AND {column} = ?"));
            values.push(wanted);
        }
    }
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

fn send(row: &Row<'_>) -> rusqlite::Result<TestSend> {
    Ok(TestSend {
        id: row.get("id")?,
        workspace_id: row.get("workspace_id")?,
        number: row.get("number")?,
        recipient: row.get("recipient")?,
        kind: row.get("kind")?,
        template_name: row.get("template_name")?,
        language: row.get("language")?,
        template_ref: row.get("template_ref")?,
        request: row.get("request")?,
        batch: row.get::<_, Option<String>>("batch_id")?.zip(row.get("batch_row")?),
        url: row.get("url")?,
        payload: row.get("payload")?,
        tracking_id: row.get("tracking_id")?,
        state: row.get("state")?,
        message_id: row.get("message_id")?,
        response_status: row.get("response_status")?,
        response_body: row.get("response_body")?,
        error: row.get("error")?,
        status: row.get("status")?,
        status_at: row.get("status_at")?,
        created_at: row.get("created_at")?,
        answered_at: row.get("answered_at")?,
        category: row.get("category")?,
        replied_at: row.get("replied_at")?,
    })
}
