//! Data about a send's recipient and statuses, for the page of the send.

use super::item::{ItemRow, position_id, row};
use super::{Cache, event_query, message};
use crate::StoreError;
use crate::rows::{all, first, scalar, tuple};

impl Cache {
    /// The statuses of a message as items of Activity, in order of arrival.
    pub async fn statuses_of(&self, route: &str, message_id: &str) -> Result<Vec<ItemRow>, StoreError> {
        let key = (route.to_owned(), message_id.to_owned());
        self.database
            .read(move |c| {
                let mut found = Vec::new();
                for seq in message::seqs(c, &key.0, &key.1)? {
                    let range = (position_id(seq, 0), position_id(seq + 1, 0) - 1, &key.1);
                    for id in all(c, event_query::LISTED, range, scalar::<i64>)? {
                        found.extend(row(c, id)?.filter(|item| item.route == key.0 && item.kind == "status"));
                    }
                }
                Ok(found)
            })
            .await
    }

    /// When one of the contacts last wrote: opens the service window. Neither edits of messages nor the channel's
    /// notices about a person do.
    pub async fn last_inbound(&self, route: &str, contacts: &[String]) -> Result<Option<i64>, StoreError> {
        let route = route.to_owned();
        let contacts = serde_json::to_string(contacts).map_err(|error| StoreError::Value(error.to_string()))?;
        self.database
            .read(move |c| {
                let sql = "SELECT max((SELECT at FROM inbound n WHERE n.route = ?1 AND n.contact = w.value
                             AND n.is_received AND n.kind <> 'system' ORDER BY at DESC LIMIT 1))
                           FROM json_each(?2) w";
                Ok(first(c, sql, (route, contacts), scalar)?.flatten())
            })
            .await
    }

    /// The names of contacts, where known.
    pub async fn contact_names(&self, route: &str, contacts: &[String]) -> Result<Vec<(String, String)>, StoreError> {
        let route = route.to_owned();
        let contacts = serde_json::to_string(contacts).map_err(|error| StoreError::Value(error.to_string()))?;
        self.database
            .read(move |c| {
                let sql = "SELECT c.contact, c.name FROM json_each(?2) w CROSS JOIN contact c
                           ON c.route = ?1 AND c.contact = w.value WHERE c.name IS NOT NULL";
                all(c, sql, (route, contacts), tuple)
            })
            .await
    }
}
