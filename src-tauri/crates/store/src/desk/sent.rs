//! Messages sent from here, for display in a conversation.

use rusqlite::{Connection, params};

use super::Desk;
use super::send::{SendRecord, send};
use crate::StoreError;
use crate::rows::{all, scalar, to_json, tuple};

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

    /// When each of these recipients was last sent something that did not fail, without batches and templates from elsewhere
    /// than the conversation, which answer nobody; of one of our numbers if `number` is given.
    pub async fn last_answered(
        &self,
        workspace_id: &str,
        number: Option<&str>,
        recipients: &[String],
    ) -> Result<Vec<(String, i64)>, StoreError> {
        let recipients = to_json(recipients)?;
        let key = (workspace_id.to_owned(), number.unwrap_or_default().to_owned(), recipients);
        self.database.read(move |c| all(c, LAST_ANSWERED, key, tuple)).await
    }

    /// Recipients of sends whose number contains `digits`, in order. So many have a few digits that these begin the number.
    pub async fn recipients_with(
        &self,
        workspace_id: &str,
        digits: &str,
        limit: u32,
    ) -> Result<Vec<String>, StoreError> {
        if digits.len() < MIN_DIGITS {
            let key = (workspace_id.to_owned(), digits.to_owned(), format!("{digits}:"), limit);
            return self.database.read(move |c| all(c, RECIPIENTS_FROM, key, scalar)).await;
        }
        let key = (workspace_id.to_owned(), digits.to_owned(), limit);
        self.database.read(move |c| all(c, RECIPIENTS_WITH, key, scalar)).await
    }

    /// When a free text to one of these recipients last failed with this code, by the provider's clock: that of this
    /// machine and `clock_offset`. From any number of ours if `number` is empty.
    pub async fn text_failed_at(
        &self,
        workspace_id: &str,
        recipients: &[String],
        number: &str,
        code: u32,
        clock_offset: i64,
    ) -> Result<Option<i64>, StoreError> {
        let key = (workspace_id.to_owned(), to_json(recipients)?, number.to_owned(), clock_offset, code.to_string());
        self.database.read(move |c| Ok(c.prepare_cached(TEXT_FAILED_AT)?.query_row(key, scalar)?)).await
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

const LAST_ANSWERED: &str = "SELECT s.recipient, max(s.created_at) FROM json_each(?3) r
     CROSS JOIN send s ON s.workspace_id = ?1 AND s.recipient = r.value
     WHERE ?2 IN ('', s.number) AND s.batch_id IS NULL AND coalesce(s.status, s.state) NOT IN ('failed', 'refused')
       AND (s.kind = 'text' OR s.request ->> 'answers' IS NOT FALSE)
     GROUP BY s.recipient";

const TEXT_FAILED_AT: &str = "SELECT max(coalesce(status_at, coalesce(answered_at, created_at) + ?4))
    FROM json_each(?2) r CROSS JOIN send s ON s.workspace_id = ?1 AND s.recipient = r.value
    WHERE s.failure_code = ?5 AND s.kind = 'text' AND ?3 IN ('', s.number)";

/// From so many digits on, a number that contains them is searched for.
const MIN_DIGITS: usize = 4;

/// Lists the recipients with one index lookup each. The end of the range is the character after the digits.
const RECIPIENTS_FROM: &str = "WITH RECURSIVE known (person) AS (
    SELECT min(recipient) FROM send WHERE workspace_id = ?1 AND recipient >= ?2 AND recipient < ?3
    UNION ALL
    SELECT (SELECT min(recipient) FROM send WHERE workspace_id = ?1 AND recipient > known.person AND recipient < ?3)
      FROM known WHERE known.person IS NOT NULL)
  SELECT person FROM known WHERE person IS NOT NULL LIMIT ?4";

/// The same walk over all recipients.
const RECIPIENTS_WITH: &str = "WITH RECURSIVE known (person) AS (
    SELECT min(recipient) FROM send WHERE workspace_id = ?1
    UNION ALL
    SELECT (SELECT min(recipient) FROM send WHERE workspace_id = ?1 AND recipient > known.person)
      FROM known WHERE known.person IS NOT NULL)
  SELECT person FROM known WHERE instr(person, ?2) > 0 LIMIT ?3";

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
            (RECIPIENTS_FROM, &[&"w", &"55", &"55:", &1]),
            (RECIPIENTS_WITH, &[&"w", &"5555", &1]),
            (TEXT_FAILED_AT, &[&"w", &"[]", &"", &0, &"1"]),
        ] {
            let plan = plan(sql, values);
            assert!(plan.contains("send_recipient"), "{plan}");
            assert!(!plan.contains("SCAN s") && !plan.contains("TEMP B-TREE"), "{plan}");
        }
    }

    #[test]
    fn recipients_are_found_by_any_part_of_their_number() {
        let c = open_in_memory(&super::super::SCHEMA).unwrap();
        c.execute("PRAGMA foreign_keys = OFF", []).unwrap();
        // The number of ours that they were sent from sorts before and after theirs.
        for (id, number, recipient) in [
            ("a", "3000", "5521955501994"),
            ("b", "3000", "447700900104"),
            ("c", "7000", "5521955501994"),
            ("d", "7000", "5511955501994"),
        ] {
            c.execute(
                "INSERT INTO send (id, workspace_id, number, recipient, template_name, language, payload, state, created_at)
                 VALUES (?1, 'w', ?2, ?3, '', '', '{}', 'accepted', 1)",
                (id, number, recipient),
            )
            .unwrap();
        }
        let from = |digits: &str| -> Vec<String> {
            all(&c, RECIPIENTS_FROM, ("w", digits, format!("{digits}:"), 9), scalar).unwrap()
        };
        let with = |digits: &str| -> Vec<String> { all(&c, RECIPIENTS_WITH, ("w", digits, 9), scalar).unwrap() };
        assert_eq!(from("552"), ["5521955501994"]);
        assert_eq!(from("55"), ["5511955501994", "5521955501994"]);
        assert_eq!(with("1994"), ["5511955501994", "5521955501994"]);
        assert_eq!(with("5521955501994"), ["5521955501994"]);
    }
}
