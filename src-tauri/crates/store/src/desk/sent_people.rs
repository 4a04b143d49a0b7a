//! To whom templates were sent lately.

use rusqlite::Row;

use super::Desk;
use crate::StoreError;
use crate::rows::{all, from_row, to_json, tuple};

/// A person to whom a number sent templates, in Unix milliseconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SentPerson {
    pub number: String,
    pub recipient: String,
    pub first_at: i64,
    pub last_at: i64,
}

/// The few that failed come from another index: a status changes often, and is in none of this one.
pub(super) const SENT_PEOPLE: &str = "SELECT number, recipient, min(created_at) AS first_at, max(created_at) AS last_at
    FROM send INDEXED BY send_people
    WHERE workspace_id = ?1 AND created_at > ?2 AND kind = 'template' AND (NOT ?3 OR category IN ('marketing', 'marketing_lite'))
      AND rowid NOT IN (SELECT rowid FROM send WHERE workspace_id = ?1 AND created_at > ?2
        AND coalesce(status, state) IN ('refused', 'failed'))
    GROUP BY number, recipient";

/// Of rows that were unsent in a restored backup nobody knows whether they were sent before it was restored, so they count.
/// Their category is that of the rows of the batch that were sent; marketing if none was, the more cautious.
const RESTORED_PEOPLE: &str = "SELECT number, recipient, ended_at AS first_at, ended_at AS last_at
    FROM batch JOIN batch_row ON batch_row.batch_id = batch.id AND batch_row.state = 'unknown' AND send_id IS NULL
    WHERE workspace_id = ?1 AND ended_at > ?2 AND (?4 IS NULL OR recipient IN (SELECT value FROM json_each(?4)))
      AND (NOT ?3 OR coalesce((SELECT category FROM send WHERE send.batch_id = batch.id LIMIT 1), 'marketing')
        IN ('marketing', 'marketing_lite'))";

const MARKETING_TO: &str = "SELECT number, recipient, min(created_at) AS first_at, max(created_at) AS last_at
    FROM send WHERE workspace_id = ?1 AND recipient IN (SELECT value FROM json_each(?3)) AND created_at > ?2
      AND kind = 'template' AND category IN ('marketing', 'marketing_lite')
      AND coalesce(status, state) NOT IN ('refused', 'failed')
    GROUP BY number, recipient";

const BATCH_FAILURES: &str = "SELECT DISTINCT send.batch_id, send.failure_code, (SELECT error FROM send_outcome
      WHERE send_id = send.id AND status = 'failed' AND error IS NOT NULL LIMIT 1)
    FROM json_each(?1) changed CROSS JOIN send ON send.id = changed.value
    WHERE send.status = 'failed' AND send.batch_id IS NOT NULL
      AND send.failure_code IN (SELECT value FROM json_each(?2))";

impl Desk {
    /// People to whom templates were or may have been sent after `since`, marketing templates or all; a number may have several
    /// entries of a person. Messages that failed do not count.
    pub async fn sent_people(
        &self,
        workspace_id: &str,
        since: i64,
        is_marketing: bool,
    ) -> Result<Vec<SentPerson>, StoreError> {
        let key = (workspace_id.to_owned(), since, is_marketing);
        self.database
            .read(move |c| {
                let mut found = all(c, SENT_PEOPLE, (&key.0, key.1, key.2), person)?;
                found.extend(all(c, RESTORED_PEOPLE, (key.0, key.1, key.2, None::<String>), person)?);
                Ok(found)
            })
            .await
    }

    /// Those of some people, in all their spellings, to whom marketing templates were or may have been sent after `since`.
    pub async fn marketing_to(
        &self,
        workspace_id: &str,
        since: i64,
        people: &[String],
    ) -> Result<Vec<SentPerson>, StoreError> {
        let key = (workspace_id.to_owned(), since, to_json(people)?);
        self.database
            .read(move |c| {
                let mut found = all(c, MARKETING_TO, (&key.0, key.1, &key.2), person)?;
                found.extend(all(c, RESTORED_PEOPLE, (&key.0, key.1, true, &key.2), person)?);
                Ok(found)
            })
            .await
    }

    /// The batches of those sends that failed with one of these codes, with the code and the error as JSON.
    pub async fn batch_failures(
        &self,
        sends: &[String],
        codes: &[String],
    ) -> Result<Vec<(String, String, Option<String>)>, StoreError> {
        let key = (to_json(sends)?, to_json(codes)?);
        self.database.read(move |c| all(c, BATCH_FAILURES, key, tuple)).await
    }
}

fn person(row: &Row<'_>) -> rusqlite::Result<SentPerson> {
    from_row!(row => SentPerson { number, recipient, first_at, last_at })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_are_counted_from_indexes_alone() {
        let c = rusqlite::Connection::open_in_memory().expect("a database in memory");
        c.execute_batch(include_str!("../../schema/desk.sql")).expect("the schema");
        let sql = format!("EXPLAIN QUERY PLAN {SENT_PEOPLE}");
        let mut plan = c.prepare(&sql).expect("a statement");
        let steps = plan.query_map(("w", 1, false), |row| row.get::<_, String>(3)).expect("a plan");
        let steps: Vec<String> = steps.map(|step| step.expect("a step")).collect();
        let searches: Vec<&String> = steps.iter().filter(|step| step.contains(" send ")).collect();
        assert_eq!(searches.len(), 2, "{steps:?}");
        for (search, index) in searches.iter().zip(["send_people", "send_state"]) {
            assert!(search.contains(&format!("USING COVERING INDEX {index}")), "{steps:?}");
        }
    }
}
