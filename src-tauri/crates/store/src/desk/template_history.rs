//! Template history stored in the desk, to restore template metadata after the cache was lost or rebuilt.

use std::collections::HashMap;

use rusqlite::{Connection, Row};

use super::history::{action, observation, template_event};
use super::submission::submission;
use super::{Desk, Observation, Submission, TemplateAction, TemplateEvent};
use crate::StoreError;
use crate::rows::{all, first, scalar, to_json};

/// Events by name and language, and by the channel's identifier.
const EVENTS: &str = "SELECT w.value ->> 0 AS wanted, e.* FROM json_each(?2) w CROSS JOIN template_event e
     ON e.workspace_id = ?1 AND e.template_name = w.value ->> 1 AND e.language = w.value ->> 2
   UNION SELECT w.value ->> 0 AS wanted, e.* FROM json_each(?2) w CROSS JOIN template_event e
     ON e.workspace_id = ?1 AND e.channel_id = w.value ->> 3
   ORDER BY at, id";
/// The same of one kind, newest first.
const EVENTS_OF_KIND: &str = "SELECT w.value ->> 0 AS wanted, e.* FROM json_each(?2) w CROSS JOIN template_event e
     ON e.workspace_id = ?1 AND e.template_name = w.value ->> 1 AND e.language = w.value ->> 2 AND e.event = ?3
   UNION SELECT w.value ->> 0 AS wanted, e.* FROM json_each(?2) w CROSS JOIN template_event e
     ON e.workspace_id = ?1 AND e.channel_id = w.value ->> 3 AND e.event = ?3
   ORDER BY at DESC, id DESC";
/// Content is left out: it is long, and says nothing about the template's state.
const OBSERVATIONS: &str = "SELECT w.value ->> 0 AS wanted, o.* FROM json_each(?2) w CROSS JOIN observation o
     ON o.workspace_id = ?1 AND o.template_ref = w.value ->> 0 AND o.field <> 'components'
   ORDER BY at, id";
const ACTIONS: &str = "SELECT w.value ->> 0 AS wanted, i.*, o.action FROM json_each(?2) w
   CROSS JOIN template_order_item i ON i.workspace_id = ?1 AND i.template_ref = w.value ->> 0
     AND i.state = 'done' AND i.left_at IS NOT NULL
   CROSS JOIN template_order o ON o.id = i.order_id
   ORDER BY left_at";
const SUBMISSIONS: &str = "SELECT w.value ->> 0 AS wanted, s.* FROM json_each(?2) w CROSS JOIN submission s
     ON s.workspace_id = ?1 AND s.template_ref = w.value ->> 0 AND s.state = 'accepted'
   ORDER BY created_at, id";
const LAST: &str = "SELECT w.value ->> 0 AS wanted,
     (SELECT max(at) FROM observation WHERE workspace_id = ?1 AND template_ref = w.value ->> 0) AS observed,
     (SELECT max(created_at) FROM send WHERE workspace_id = ?1 AND template_ref = w.value ->> 0) AS sent
   FROM json_each(?2) w";

/// Whether the workspace has any history.
const ANYTHING: &str = "SELECT EXISTS (SELECT 1 FROM template_event WHERE workspace_id = ?1)
     OR EXISTS (SELECT 1 FROM observation WHERE workspace_id = ?1)
     OR EXISTS (SELECT 1 FROM template_order_item WHERE workspace_id = ?1)
     OR EXISTS (SELECT 1 FROM submission WHERE workspace_id = ?1)
     OR EXISTS (SELECT 1 FROM send WHERE workspace_id = ?1)";

/// All identifiers of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateIds {
    /// The provider's reference.
    pub reference: String,
    pub name: String,
    /// Its language in the app's notation.
    pub language: String,
    /// The channel's identifier.
    pub channel_id: Option<String>,
}

/// The stored history of a template, each list oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoredHistory {
    pub events: Vec<TemplateEvent>,
    /// The differences observed in listings, except those of its content.
    pub observations: Vec<Observation>,
    /// The actions on it started here.
    pub actions: Vec<TemplateAction>,
    /// The accepted submissions from here.
    pub submissions: Vec<Submission>,
    /// When a listing last showed a difference.
    pub last_observed_at: Option<i64>,
    /// When it was last sent from here.
    pub last_sent_at: Option<i64>,
}

impl Desk {
    /// Whether the desk has history of any template of a workspace.
    pub async fn has_history(&self, workspace_id: &str) -> Result<bool, StoreError> {
        let workspace_id = workspace_id.to_owned();
        let found = self.database.read(move |c| first(c, ANYTHING, [workspace_id], scalar)).await?;
        Ok(found.unwrap_or(false))
    }

    /// The history of these templates of a workspace, by reference; templates without history are left out.
    pub async fn histories(
        &self,
        workspace_id: &str,
        templates: Vec<TemplateIds>,
    ) -> Result<HashMap<String, StoredHistory>, StoreError> {
        if templates.is_empty() {
            return Ok(HashMap::new());
        }
        let key = (workspace_id.to_owned(), wanted(&templates)?);
        self.database.read(move |c| histories(c, &key)).await
    }

    /// The events of one kind about these templates of a workspace, newest first, by reference; templates without one
    /// are left out.
    pub async fn events_of_kind(
        &self,
        workspace_id: &str,
        templates: Vec<TemplateIds>,
        kind: &'static str,
    ) -> Result<HashMap<String, Vec<TemplateEvent>>, StoreError> {
        let key = (workspace_id.to_owned(), wanted(&templates)?, kind);
        self.database
            .read(move |c| {
                let mut found: HashMap<String, Vec<TemplateEvent>> = HashMap::new();
                let read = |row: &Row<'_>| Ok((row.get("wanted")?, template_event(row)?));
                for (reference, event) in all::<(String, TemplateEvent)>(c, EVENTS_OF_KIND, key, read)? {
                    found.entry(reference).or_default().push(event);
                }
                Ok(found)
            })
            .await
    }
}

/// The templates as the statements take them.
fn wanted(templates: &[TemplateIds]) -> Result<String, StoreError> {
    let wanted: Vec<_> = templates.iter().map(|t| (&t.reference, &t.name, &t.language, &t.channel_id)).collect();
    to_json(&wanted)
}

fn histories(c: &Connection, key: &(String, String)) -> Result<HashMap<String, StoredHistory>, StoreError> {
    let mut found: HashMap<String, StoredHistory> = HashMap::new();
    for (reference, event) in rows(c, EVENTS, key, template_event)? {
        found.entry(reference).or_default().events.push(event);
    }
    for (reference, seen) in rows(c, OBSERVATIONS, key, observation)? {
        found.entry(reference).or_default().observations.push(seen);
    }
    for (reference, done) in rows(c, ACTIONS, key, action)? {
        found.entry(reference).or_default().actions.push(done);
    }
    for (reference, accepted) in rows(c, SUBMISSIONS, key, submission)? {
        found.entry(reference).or_default().submissions.push(accepted);
    }
    let last = |row: &Row<'_>| Ok((row.get("observed")?, row.get("sent")?));
    for (reference, (observed, sent)) in rows::<(Option<i64>, Option<i64>)>(c, LAST, key, last)? {
        if observed.is_some() || sent.is_some() {
            let history = found.entry(reference).or_default();
            (history.last_observed_at, history.last_sent_at) = (observed, sent);
        }
    }
    Ok(found)
}

/// Rows, each with the reference of its template.
fn rows<T>(
    c: &Connection,
    sql: &str,
    key: &(String, String),
    read: impl Fn(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Vec<(String, T)>, StoreError> {
    all(c, sql, (&key.0, &key.1), |row| Ok((row.get("wanted")?, read(row)?)))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use rusqlite::params_from_iter;

    use super::*;
    use crate::connection::open_in_memory;

    /// Only the rows of these templates are read, however many others exist.
    #[test]
    fn template_history_is_read_by_indexes() {
        let c = open_in_memory(&super::super::SCHEMA).unwrap();
        let plan = |sql: &str, values: &[&str]| -> String {
            let mut explained = c.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
            let plan = explained.query_map(params_from_iter(values), |row| row.get::<_, String>("detail")).unwrap();
            plan.map(Result::unwrap).collect::<Vec<_>>().join("; ")
        };
        let anything = plan(ANYTHING, &["w"]);
        assert!(anything.matches("(workspace_id=?)").count() == 5, "{anything}");
        for (sql, indexes) in [
            (
                EVENTS,
                &[
                    "template_event_name (workspace_id=? AND template_name=?)",
                    "template_event_channel (workspace_id=? AND channel_id=?)",
                ][..],
            ),
            (
                EVENTS_OF_KIND,
                &[
                    "template_event_name (workspace_id=? AND template_name=?)",
                    "template_event_channel (workspace_id=? AND channel_id=?)",
                ],
            ),
            (OBSERVATIONS, &["observation_template (workspace_id=? AND template_ref=?)"]),
            (ACTIONS, &["template_order_item_template (workspace_id=? AND template_ref=?)"]),
            (SUBMISSIONS, &["submission_template (workspace_id=? AND template_ref=?)"]),
            (
                LAST,
                &[
                    "COVERING INDEX observation_template (workspace_id=? AND template_ref=?)",
                    "COVERING INDEX send_reference (workspace_id=? AND template_ref=?)",
                ],
            ),
        ] {
            let values = ["w", "[]", "template_category"];
            let plan = plan(sql, &values[..if sql == EVENTS_OF_KIND { 3 } else { 2 }]);
            assert!(indexes.iter().all(|index| plan.contains(index)), "{plan}");
            for scanned in ["SCAN e", "SCAN o", "SCAN i", "SCAN s", "AUTOMATIC"] {
                assert!(!plan.contains(scanned), "{plan}");
            }
        }
    }
}
