//! Read marks: up to which item the messages of each identifier of a contact are read. The desk stores them; the cache
//! only applies them.

use super::Cache;
use super::contact::count_unread;
use super::identity::{aliases, person_of};
use crate::StoreError;
use crate::rows::{first, scalar, tuple};

impl Cache {
    /// Marks messages of an identifier up to the item `last` as read; an earlier one than before changes nothing.
    pub async fn mark_read(&self, route: &str, contact: &str, last: i64) -> Result<(), StoreError> {
        let key = (route.to_owned(), contact.to_owned(), last);
        self.database
            .write(move |c| {
                c.prepare_cached(
                    "INSERT INTO read_mark (route, contact, item_id) VALUES (?1, ?2, ?3)
                     ON CONFLICT DO UPDATE SET item_id = max(item_id, excluded.item_id)",
                )?
                .execute((&key.0, &key.1, key.2))?;
                count_unread(c, &key.0, &person_of(c, &key.0, &key.1)?)
            })
            .await
    }

    /// Moves the read marks of all identifiers of a contact back to the item `last`.
    pub async fn move_read_marks_back(&self, route: &str, contact: &str, last: i64) -> Result<(), StoreError> {
        let (route, contact) = (route.to_owned(), contact.to_owned());
        self.database
            .write(move |c| {
                let person = person_of(c, &route, &contact)?;
                let sql = "UPDATE read_mark SET item_id = min(item_id, ?3) WHERE route = ?1 AND contact = ?2";
                for alias in aliases(c, &route, &person)? {
                    c.prepare_cached(sql)?.execute((&route, alias, last))?;
                }
                count_unread(c, &route, &person)
            })
            .await
    }

    /// The item of the newest message of a contact: read marks before it leave it unread. `None` without a message.
    pub async fn newest_item(&self, route: &str, contact: &str) -> Result<Option<i64>, StoreError> {
        let (route, contact) = (route.to_owned(), contact.to_owned());
        let sql = "SELECT at, arrival FROM inbound WHERE route = ?1 AND contact = ?2
                     AND (is_received OR deleted_at IS NULL) ORDER BY at DESC, item_id DESC LIMIT 1";
        self.database
            .read(move |c| {
                let mut newest = None;
                for alias in aliases(c, &route, &person_of(c, &route, &contact)?)? {
                    newest = newest.max(first(c, sql, (&route, alias), tuple::<(i64, i64)>)?);
                }
                Ok(newest.map(|(_, arrival)| arrival))
            })
            .await
    }

    /// Moves read marks back that are beyond an item: messages that are still to arrive are unread.
    pub async fn limit_read_marks(&self, last: i64) -> Result<(), StoreError> {
        self.database
            .write(move |c| {
                c.execute("UPDATE read_mark SET item_id = min(item_id, ?1)", [last])?;
                Ok(())
            })
            .await
    }

    /// The last item to arrive of the messages that a contact wrote up to the second of an instant; `None` if no message of
    /// that second is known.
    pub async fn last_item_until(&self, route: &str, contact: &str, at: i64) -> Result<Option<i64>, StoreError> {
        let (route, contact) = (route.to_owned(), contact.to_owned());
        let sql = "SELECT max(item_id) FROM inbound WHERE route = ?1 AND contact = ?2 AND at <= ?3
                   HAVING max(at) > ?3 - 1000";
        self.database
            .read(move |c| {
                let mut last = None;
                for alias in aliases(c, &route, &person_of(c, &route, &contact)?)? {
                    last = last.max(first(c, sql, (&route, alias, at), scalar::<Option<i64>>)?.flatten());
                }
                Ok(last)
            })
            .await
    }
}
