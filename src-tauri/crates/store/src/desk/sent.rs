//! Messages sent from here, for display in a conversation.

use rusqlite::{Connection, params};

use super::Desk;
use super::send::{SendRecord, send};
use crate::StoreError;
use crate::rows::{all, scalar, to_json};

/// Maximum number of sends examined for one page of [`Desk::last_sends`].
const MAX_EXAMINED: u32 = 5_000;

/// The last sends to recipients.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LastSends {
    /// Newest first, each to another recipient.
    pub rows: Vec<SendRecord>,
    /// The instant down to which, inclusively, nothing was left out; absent when these are all.
    pub complete_from: Option<i64>,
}

impl Desk {
    /// The sends of messages, by the channel's identifiers; messages sent elsewhere are left out.
    pub async fn sends_of(&self, workspace_id: &str, messages: &[String]) -> Result<Vec<SendRecord>, StoreError> {
        if messages.is_empty() {
            return Ok(Vec::new());
        }
        let messages = to_json(messages)?;
        let workspace_id = workspace_id.to_owned();
        let sql = "SELECT s.* FROM json_each(?1) m CROSS JOIN send s ON s.message_id = m.value AND s.workspace_id = ?2";
        self.database.read(move |c| all(c, sql, (messages, workspace_id), send)).await
    }

    /// The last send to each recipient, no later than `until`, newest first; of one of our numbers if `number` is given.
    /// A recipient of a later send is left out.
    pub async fn last_sends(
        &self,
        workspace_id: &str,
        number: Option<&str>,
        until: i64,
        limit: u32,
    ) -> Result<LastSends, StoreError> {
        let (workspace_id, number) = (workspace_id.to_owned(), number.unwrap_or_default().to_owned());
        self.database.read(move |c| last_sends(c, &workspace_id, &number, until, limit as usize)).await
    }

    /// The last send to each of these recipients; of one of our numbers if `number` is given.
    pub async fn last_sent_to(
        &self,
        workspace_id: &str,
        number: Option<&str>,
        recipients: &[String],
    ) -> Result<Vec<SendRecord>, StoreError> {
        let recipients = to_json(recipients)?;
        let key = (workspace_id.to_owned(), number.unwrap_or_default().to_owned(), recipients);
        self.database.read(move |c| all(c, LAST_SENT_TO, key, send)).await
    }

    /// Recipients of sends whose number begins with `digits`, in order.
    pub async fn recipients_from(
        &self,
        workspace_id: &str,
        digits: &str,
        limit: u32,
    ) -> Result<Vec<String>, StoreError> {
        let key = (workspace_id.to_owned(), digits.to_owned(), format!("{digits}:"), limit);
        self.database.read(move |c| all(c, RECIPIENTS, key, scalar)).await
    }

    /// Sends to a recipient, newest first, without superseded attempts. `before` is `created_at` and `id` of the last row of the previous page.
    pub async fn sent_to(
        &self,
        workspace_id: &str,
        recipient: &str,
        before: Option<(i64, String)>,
        limit: u32,
    ) -> Result<Vec<SendRecord>, StoreError> {
        let (workspace_id, recipient) = (workspace_id.to_owned(), recipient.to_owned());
        let (at, id) = before.unwrap_or((i64::MAX, String::new()));
        let sql = "SELECT * FROM send WHERE workspace_id = ?1 AND recipient = ?2 AND (created_at, id) < (?3, ?4)
                     AND NOT is_superseded
                   ORDER BY created_at DESC, id DESC LIMIT ?5";
        self.database.read(move |c| all(c, sql, (workspace_id, recipient, at, id, limit), send)).await
    }
}

/// Sends, newest first, and whether a later one to the same recipient exists.
const NEWEST_SENDS: &str = "SELECT s.*, EXISTS (SELECT 1 FROM send n WHERE n.workspace_id = s.workspace_id
      AND n.recipient = s.recipient AND (n.created_at, n.id) > (s.created_at, s.id) AND ?2 IN ('', n.number)) AS followed
    FROM send s WHERE s.workspace_id = ?1 AND s.created_at <= ?3 AND ?2 IN ('', s.number)
    ORDER BY s.created_at DESC, s.id DESC";

const LAST_SENT_TO: &str = "SELECT s.* FROM json_each(?3) r CROSS JOIN send s ON s.id = (
     SELECT id FROM send WHERE workspace_id = ?1 AND recipient = r.value AND ?2 IN ('', number)
     ORDER BY created_at DESC, id DESC LIMIT 1)";

/// Lists the recipients with one index lookup each. The end of the range is the character after the digits.
const RECIPIENTS: &str = "WITH RECURSIVE known (number) AS (
    SELECT min(recipient) FROM send WHERE workspace_id = ?1 AND recipient >= ?2 AND recipient < ?3
    UNION ALL SELECT (SELECT min(recipient) FROM send WHERE workspace_id = ?1 AND recipient > number AND recipient < ?3)
      FROM known WHERE number IS NOT NULL)
  SELECT number FROM known WHERE number IS NOT NULL LIMIT ?4";

fn last_sends(
    c: &Connection,
    workspace_id: &str,
    number: &str,
    until: i64,
    limit: usize,
) -> Result<LastSends, StoreError> {
    let mut statement = c.prepare_cached(NEWEST_SENDS)?;
    let mut rows = statement.query(params![workspace_id, number, until])?;
    let mut found = LastSends::default();
    let (mut examined, mut last) = (0, until);
    while let Some(row) = rows.next()? {
        let at = row.get("created_at")?;
        // Sends of the same instant are in one page.
        if at < last && (examined >= MAX_EXAMINED || found.rows.len() >= limit) {
            found.complete_from = Some(last);
            break;
        }
        (examined, last) = (examined + 1, at);
        if !row.get::<_, bool>("followed")? {
            found.rows.push(send(row)?);
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::*;
    use crate::connection::open_in_memory;

    #[test]
    fn last_sends_are_found_by_index() {
        let c = open_in_memory(&super::super::SCHEMA).unwrap();
        let plan = |sql: &str, values: &[&dyn rusqlite::ToSql]| {
            let mut explained = c.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
            let plan = explained.query_map(values, |row| row.get::<_, String>("detail")).unwrap();
            plan.map(Result::unwrap).collect::<Vec<_>>().join("; ")
        };
        for (sql, values) in [
            (NEWEST_SENDS, &[&"w" as &dyn rusqlite::ToSql, &"", &1][..]),
            (LAST_SENT_TO, &[&"w", &"", &"[]"]),
            (RECIPIENTS, &[&"w", &"55", &"55:", &1]),
        ] {
            let plan = plan(sql, values);
            assert!(plan.contains("send_recipient"), "{plan}");
            assert!(!plan.contains("SCAN s") && !plan.contains("TEMP B-TREE"), "{plan}");
        }
    }
}
