//! Messages that need no answer, as a person decided.

use super::Desk;
use crate::StoreError;
use crate::rows::{all, to_json, tuple};

const SET: &str = "INSERT INTO no_answer (workspace_id, contact, until)
    SELECT ?1, value, ?3 FROM json_each(?2) WHERE true
    ON CONFLICT DO UPDATE SET until = excluded.until";
const CLEAR: &str = "DELETE FROM no_answer WHERE workspace_id = ?1 AND contact IN (SELECT value FROM json_each(?2))";

impl Desk {
    /// Records until which instant the messages of these identifiers need no answer; `None`: all may need one.
    pub async fn set_no_answer_until(
        &self,
        workspace_id: &str,
        contacts: &[String],
        until: Option<i64>,
    ) -> Result<(), StoreError> {
        let (workspace_id, contacts) = (workspace_id.to_owned(), to_json(contacts)?);
        self.database
            .write(move |c| {
                match until {
                    Some(until) => c.prepare_cached(SET)?.execute((&workspace_id, &contacts, until))?,
                    None => c.prepare_cached(CLEAR)?.execute((&workspace_id, &contacts))?,
                };
                Ok(())
            })
            .await
    }

    /// Until which instant the messages of those of these identifiers need no answer that have such an instant.
    pub async fn no_answer_until(
        &self,
        workspace_id: &str,
        contacts: &[String],
    ) -> Result<Vec<(String, i64)>, StoreError> {
        let key = (workspace_id.to_owned(), to_json(contacts)?);
        let sql = "SELECT n.contact, n.until FROM json_each(?2) asked CROSS JOIN no_answer n
                   ON n.workspace_id = ?1 AND n.contact = asked.value";
        self.database.read(move |c| all(c, sql, key, tuple)).await
    }
}
