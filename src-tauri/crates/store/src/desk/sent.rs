//! Messages sent from here, for display in a conversation.

use rusqlite::Row;

use super::{CallState, Desk};
use crate::StoreError;
use crate::database::all;

/// A message sent from here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SentMessage {
    /// The send.
    pub id: String,
    /// The channel's identifier of the message.
    pub message_id: Option<String>,
    /// Identifier of the sending number.
    pub number: String,
    /// Name of the template; empty for another message.
    pub template_name: String,
    /// Its language.
    pub language: String,
    /// The JSON exactly as sent.
    pub payload: String,
    /// State of the call.
    pub state: CallState,
    /// Current status of the message by all reports; absent until one is reported.
    pub status: Option<String>,
    /// The failure of the call as JSON.
    pub error: Option<String>,
    /// When it was recorded.
    pub created_at: i64,
}

impl Desk {
    /// The sends of messages, by the channel's identifiers; messages sent elsewhere are left out.
    ///
    /// # Errors
    /// [`StoreError`] when the file cannot be read.
    pub async fn sends_of(&self, workspace_id: &str, messages: &[String]) -> Result<Vec<SentMessage>, StoreError> {
        if messages.is_empty() {
            return Ok(Vec::new());
        }
        let messages = serde_json::to_string(messages).map_err(|error| StoreError::Value(error.to_string()))?;
        let workspace_id = workspace_id.to_owned();
        let sql = "SELECT s.* FROM json_each(?1) m CROSS JOIN send s ON s.message_id = m.value AND s.workspace_id = ?2";
        self.database.read(move |c| all(c, sql, (messages, workspace_id), sent)).await
    }

    /// Sends to a recipient, newest first. `before` is `created_at` and `id` of the last row of the previous page.
    ///
    /// # Errors
    /// [`StoreError`] when the file cannot be read.
    pub async fn sent_to(
        &self,
        workspace_id: &str,
        recipient: &str,
        before: Option<(i64, String)>,
        limit: u32,
    ) -> Result<Vec<SentMessage>, StoreError> {
        let (workspace_id, recipient) = (workspace_id.to_owned(), recipient.to_owned());
        let (at, id) = before.unwrap_or((i64::MAX, String::new()));
        let sql = "SELECT * FROM send WHERE workspace_id = ?1 AND recipient = ?2 AND (created_at, id) < (?3, ?4)
                   ORDER BY created_at DESC, id DESC LIMIT ?5";
        self.database.read(move |c| all(c, sql, (workspace_id, recipient, at, id, limit), sent)).await
    }
}

fn sent(row: &Row<'_>) -> rusqlite::Result<SentMessage> {
    Ok(SentMessage {
        id: row.get("id")?,
        message_id: row.get("message_id")?,
        number: row.get("number")?,
        template_name: row.get("template_name")?,
        language: row.get("language")?,
        payload: row.get("payload")?,
        state: row.get("state")?,
        status: row.get("status")?,
        error: row.get("error")?,
        created_at: row.get("created_at")?,
    })
}
