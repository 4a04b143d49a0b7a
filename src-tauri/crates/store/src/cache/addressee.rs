//! Data about a send's recipient and statuses, for the page of the send.

use std::collections::BTreeSet;

use super::item::{ItemRow, last_item_of, position_id, row};
use super::{Cache, event_query, identity, message};
use crate::StoreError;
use crate::rows::{all, first, scalar, to_json};

/// The newest message by its instant and the last that arrived: an instant in the future must not hide later messages.
const LAST_INBOUND: &str = "WITH
    last AS MATERIALIZED (
      SELECT (SELECT json_array(at, item_id) FROM inbound n WHERE n.route = ?1 AND n.contact = w.value
          AND n.is_received AND n.kind <> 'system' AND n.number_id NOT IN (SELECT value FROM json_each(?3))
          ORDER BY at DESC LIMIT 1) AS message FROM json_each(?2) w
      UNION ALL
      SELECT (SELECT json_array(at, item_id) FROM inbound n WHERE n.route = ?1 AND n.contact = w.value
          AND n.is_received AND n.kind <> 'system' AND n.number_id NOT IN (SELECT value FROM json_each(?3))
          ORDER BY arrival DESC LIMIT 1) FROM json_each(?2) w),
    dated AS (SELECT message ->> 0 AS at, received_at + ?4 AS arrived_at
      FROM last LEFT JOIN item ON item.id = message ->> 1)
  SELECT max(CASE WHEN at > arrived_at + ?5 THEN arrived_at ELSE at END) FROM dated";

impl Cache {
    /// The statuses of a message as items of Activity, in order of arrival.
    pub async fn statuses_of(&self, route: &str, message_id: &str) -> Result<Vec<ItemRow>, StoreError> {
        let key = (route.to_owned(), message_id.to_owned());
        self.database
            .read(move |c| {
                let mut found = Vec::new();
                for seq in message::seqs(c, &key.0, &key.1)? {
                    let range = (position_id(seq, 0), last_item_of(seq), &key.1);
                    for id in all(c, event_query::LISTED, range, scalar::<i64>)? {
                        found.extend(row(c, id)?.filter(|item| item.route == key.0 && item.kind == "status"));
                    }
                }
                Ok(found)
            })
            .await
    }

    /// When one of the contacts last wrote: opens the service window. Neither edits of messages nor the channel's
    /// notices about a person do, nor messages to one of these other numbers. A message that says it was sent more than
    /// `tolerance` milliseconds after it arrived counts from its arrival, by a clock that is `offset` milliseconds behind.
    pub async fn last_inbound(
        &self,
        route: &str,
        contacts: &[String],
        other_numbers: &[String],
        (offset, tolerance): (i64, i64),
    ) -> Result<Option<i64>, StoreError> {
        let others = to_json(other_numbers)?;
        let route = route.to_owned();
        let contacts = contacts.to_vec();
        self.database
            .read(move |c| {
                let mut known = BTreeSet::new();
                for contact in contacts {
                    known.extend(identity::aliases(c, &route, &identity::person_of(c, &route, &contact)?)?);
                }
                let contacts = to_json(&known)?;
                Ok(first(c, LAST_INBOUND, (route, contacts, others, offset, tolerance), scalar)?.flatten())
            })
            .await
    }

    /// The names of contacts, where known.
    pub async fn contact_names(&self, route: &str, contacts: &[String]) -> Result<Vec<(String, String)>, StoreError> {
        let route = route.to_owned();
        let contacts = contacts.to_vec();
        self.database
            .read(move |c| {
                let sql = "SELECT name FROM contact WHERE route = ?1 AND contact = ?2 AND number_id = ''
                           AND name IS NOT NULL";
                let mut names = Vec::new();
                for contact in contacts {
                    let name = first(c, sql, (&route, identity::person_of(c, &route, &contact)?), scalar)?;
                    names.extend(name.map(|name| (contact, name)));
                }
                Ok(names)
            })
            .await
    }
}
