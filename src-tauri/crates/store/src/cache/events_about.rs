//! The events about a template, and how they name it.

use rusqlite::{Connection, Row};

use super::row::{EventSubject, language_key, resolve_subject};
use super::template::TemplateRow;
use crate::StoreError;
use crate::rows::{all, from_row, to_json};

/// The events about a template that were delivered after another delivery: `?1` its workspace, `?2` its identifiers, `?3`
/// the sequence number of that delivery.
///
/// An undated event has the instant of its delivery, by a clock that may have been ahead: it happened before what was
/// delivered later.
pub(super) const EVENTS_ABOUT: &str =
    "SELECT e.seq, e.ordinal, e.reason, e.status, e.archived, e.category, e.quality, e.waba,
     CASE WHEN e.at = e.received_at THEN min(e.at, min(e.received_at) OVER (ORDER BY e.seq DESC, e.ordinal DESC))
       ELSE e.at END AS at
   FROM json_each(?2) m CROSS JOIN template_event e ON e.route = ?1
     AND e.name = m.value ->> 0 AND e.language_key = m.value ->> 1 AND e.channel_id IS m.value ->> 2
     AND e.waba IS m.value ->> 3
   WHERE e.last_seq > ?3";

pub(super) fn event_subject(row: &Row<'_>) -> rusqlite::Result<EventSubject> {
    from_row!(row => EventSubject { name, language_key, channel_id, waba })
}

/// The identifiers by which events refer to this template, as a JSON array.
pub(super) fn event_subjects(c: &Connection, id: i64, row: &TemplateRow) -> Result<String, StoreError> {
    let sql = "SELECT name, language_key, channel_id, waba FROM template_event
                 WHERE route = ?1 AND name = ?2 AND language_key = ?3
               UNION SELECT name, language_key, channel_id, waba FROM template_event
                 WHERE route = ?1 AND channel_id = ?4";
    let values = (&row.workspace_id, &row.name, language_key(&row.language), &row.channel_id);
    let mut names = Vec::new();
    for event in all(c, sql, values, event_subject)? {
        if resolve_subject(c, &row.workspace_id, &event)? == Some(id) {
            names.push((event.name, event.language_key, event.channel_id, event.waba));
        }
    }
    to_json(&names)
}
