//! When people were last sent a template.

use super::Desk;
use crate::StoreError;
use crate::rows::{all, from_row, to_json, tuple};

/// The last message of a template to a recipient.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastSend {
    pub recipient: String,
    /// When it was recorded, in Unix milliseconds; of a row that a running batch has yet to send, when the batch started; of one
    /// that a restored backup does not know the outcome of, the latest instant at which it can have been sent.
    pub at: i64,
    pub batch_id: Option<String>,
}

/// Reads the messages to each of these recipients, so its time depends on their number and not on what was ever sent. A
/// message that failed reached nobody; what was unsent in a backup may have been sent before it was restored.
const LAST_SENDS: &str = "SELECT recipient, max(at) AS at, batch_id FROM (
      SELECT send.recipient, send.created_at AS at, send.batch_id
        FROM json_each(?2) person CROSS JOIN send ON send.workspace_id = ?1 AND send.recipient = person.value
          AND send.created_at >= ?4
        WHERE send.template_name = ?3 AND send.kind = 'template' AND send.state <> 'refused'
          AND coalesce(send.status, '') <> 'failed'
      UNION ALL
      SELECT batch_row.recipient, batch.started_at, batch.id
        FROM batch JOIN batch_row ON batch_row.batch_id = batch.id AND batch_row.state = 'planned'
        WHERE batch.workspace_id = ?1 AND batch.template_name = ?3 AND batch.state IN ('running', 'cancelling')
      UNION ALL
      SELECT batch_row.recipient, batch.ended_at, batch.id
        FROM batch JOIN batch_row ON batch_row.batch_id = batch.id AND batch_row.state = 'unknown' AND send_id IS NULL
        WHERE batch.workspace_id = ?1 AND batch.template_name = ?3 AND batch.ended_at >= ?4)
    WHERE at IS NOT NULL GROUP BY recipient";

/// The messages of one template in one language, newest first, with the requests that they were made from.
const TEMPLATE_SENDS: &str = "SELECT send.created_at, send.request
    FROM json_each(?2) person CROSS JOIN send ON send.workspace_id = ?1 AND send.recipient = person.value
      AND send.created_at >= ?4
    WHERE send.template_ref = ?3 AND send.kind = 'template' AND send.state <> 'refused'
      AND coalesce(send.status, '') <> 'failed' AND send.request IS NOT NULL
    ORDER BY send.created_at DESC";

impl Desk {
    /// When a template, in one language, was sent to a person since an instant in Unix milliseconds, newest first, each with
    /// its request as JSON. `person` has all notations of the person.
    pub async fn template_sends_to(
        &self,
        workspace_id: &str,
        person: &[String],
        template_ref: &str,
        since: i64,
    ) -> Result<Vec<(i64, String)>, StoreError> {
        let key = (workspace_id.to_owned(), to_json(person)?, template_ref.to_owned(), since);
        self.database.read(move |c| all(c, TEMPLATE_SENDS, key, tuple)).await
    }

    /// The last message of a template, in any language, to each of these recipients since an instant in Unix milliseconds.
    /// Of batches that are running or were restored, also recipients who were not asked about.
    pub async fn last_template_sends(
        &self,
        workspace_id: &str,
        recipients: &[String],
        template_name: &str,
        since: i64,
    ) -> Result<Vec<LastSend>, StoreError> {
        let key = (workspace_id.to_owned(), to_json(recipients)?, template_name.to_owned(), since);
        self.database
            .read(move |c| all(c, LAST_SENDS, key, |row| from_row!(row => LastSend { recipient, at, batch_id })))
            .await
    }
}
