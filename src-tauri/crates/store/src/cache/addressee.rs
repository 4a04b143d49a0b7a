//! Data about a send's recipient and statuses, for the page of the send.

use std::collections::BTreeSet;

use super::item::{ItemRow, last_item_of, position_id, row};
use super::{Cache, event_query, identity, message};
use crate::StoreError;
use crate::rows::{all, first, scalar, to_json};

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
    /// notices about a person do, nor messages to one of these other numbers.
    pub async fn last_inbound(
        &self,
        route: &str,
        contacts: &[String],
        other_numbers: &[String],
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
                let sql = "SELECT max((SELECT at FROM inbound n WHERE n.route = ?1 AND n.contact = w.value
                             AND n.is_received AND n.kind <> 'system'
                             AND n.number_id NOT IN (SELECT value FROM json_each(?3)) ORDER BY at DESC LIMIT 1))
                           FROM json_each(?2) w";
                Ok(first(c, sql, (route, contacts, others), scalar)?.flatten())
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
