//! Test sends: written down before they leave, finished by the answer, followed by what the channel reports.

use std::collections::{BTreeSet, HashSet};

use rusqlite::{Connection, Row, ToSql, params};

use super::{Answer, CallState, Desk};
use crate::database::{all, first};
use crate::{StoreError, status};

/// A message that was sent from here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestSend {
    /// Identifier made here.
    pub id: String,
    /// Workspace.
    pub workspace_id: String,
    /// Identifier of the sending number.
    pub number: String,
    /// Recipient as sent.
    pub recipient: String,
    /// Name of the template.
    pub template_name: String,
    /// Its language.
    pub language: String,
    /// The provider's reference of it, if known.
    pub template_ref: Option<String>,
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
    /// The error object as JSON.
    pub error: Option<String>,
}

/// A reported status of a message that may be one of ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutcomeReport {
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
    /// The error object as JSON.
    pub error: Option<String>,
}

/// Which sends, newest first. Absent filters accept everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SendFilter {
    /// Workspace.
    pub workspace_id: String,
    /// Name of the template.
    pub template_name: Option<String>,
    /// Recipient.
    pub recipient: Option<String>,
    /// What became of the call.
    pub state: Option<CallState>,
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
    /// [`StoreError`] when it cannot be written; it must not leave then.
    pub async fn record_send(&self, send: TestSend) -> Result<(), StoreError> {
        self.database
            .write(move |c| {
                c.prepare_cached(
                    "INSERT INTO send
                       (id, workspace_id, number, recipient, template_name, language, template_ref, payload,
                        tracking_id, state, message_id, response_status, response_body, error, created_at, answered_at)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)",
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
                    send.answered_at
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
                           answered_at = ?6, message_id = coalesce(?7, message_id) WHERE id = ?1",
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

    /// The send with that tracking id or, if there is none, that message id.
    ///
    /// # Errors
    /// [`StoreError`] when the file cannot be read.
    pub async fn send_of(&self, message_id: &str, tracking_id: Option<&str>) -> Result<Option<TestSend>, StoreError> {
        let (message_id, tracking_id) = (message_id.to_owned(), tracking_id.map(str::to_owned));
        self.database
            .read(move |c| match send_id_of(c, &message_id, tracking_id.as_deref())? {
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

    /// Keeps what was reported about messages that were sent from here, matched by tracking id or message id, and
    /// gives the sends whose history grew. Reports about other messages, and repeated ones, change nothing.
    ///
    /// # Errors
    /// [`StoreError`] when it cannot be written; nothing is kept then.
    pub async fn keep_outcomes(&self, reports: Vec<OutcomeReport>) -> Result<Vec<String>, StoreError> {
        self.database
            .write(move |c| {
                let mut changed = BTreeSet::new();
                let ours = messages_of_sends(c, &reports)?;
                for report in reports.into_iter().filter(|report| ours.contains(&report.message_id)) {
                    let Some(id) = send_id_of(c, &report.message_id, report.tracking_id.as_deref())? else { continue };
                    // An answer without an identifier: the report has it.
                    c.prepare_cached("UPDATE send SET message_id = ?2 WHERE id = ?1 AND message_id IS NULL")?
                        .execute((&id, &report.message_id))?;
                    let added = c
                        .prepare_cached(
                            "INSERT INTO send_outcome (send_id, status, at, seq, error) VALUES (?1, ?2, ?3, ?4, ?5)
                             ON CONFLICT DO NOTHING",
                        )?
                        .execute(params![id, report.status, report.at, report.seq, report.error])?;
                    if added > 0 {
                        changed.insert(id);
                    }
                }
                for id in &changed {
                    let reports = all(c, "SELECT status, at FROM send_outcome WHERE send_id = ?1", [id], |row| {
                        Ok((row.get(0)?, row.get(1)?))
                    })?;
                    let current = status::current(reports).unzip();
                    c.prepare_cached("UPDATE send SET status = ?2, status_at = ?3 WHERE id = ?1")?
                        .execute(params![id, current.0, current.1])?;
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
                        error: row.get("error")?,
                    })
                })
            })
            .await
    }
}

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

fn send_id_of(c: &Connection, message_id: &str, tracking_id: Option<&str>) -> Result<Option<String>, StoreError> {
    if let Some(tracking_id) = tracking_id
        && let Some(id) = first(c, "SELECT id FROM send WHERE tracking_id = ?1", [tracking_id], |row| row.get(0))?
    {
        return Ok(Some(id));
    }
    first(c, "SELECT id FROM send WHERE message_id = ?1", [message_id], |row| row.get(0))
}

fn page(c: &Connection, filter: &SendFilter) -> Result<SendPage, StoreError> {
    let mut sql = "SELECT * FROM send WHERE workspace_id = ?".to_owned();
    let mut values: Vec<&dyn ToSql> = vec![&filter.workspace_id];
    if let Some(name) = &filter.template_name {
        sql.push_str(" AND template_name = ?");
        values.push(name);
    }
    if let Some(recipient) = &filter.recipient {
        sql.push_str(" AND recipient = ?");
        values.push(recipient);
    }
    if let Some(state) = &filter.state {
        sql.push_str(" AND state = ?");
        values.push(state);
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
        template_name: row.get("template_name")?,
        language: row.get("language")?,
        template_ref: row.get("template_ref")?,
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
    })
}
