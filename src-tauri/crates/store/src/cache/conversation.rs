//! Contacts and conversations: who wrote, what came in, and which messages went out to them.

use rusqlite::{Connection, params};

use super::Cache;
use super::projection::{MessageEffect, ProjectedItem};
use crate::StoreError;
use crate::database::{all, first};

/// Someone who wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contact {
    /// The endpoint.
    pub route: String,
    /// Their number, or another identifier where there is none.
    pub contact: String,
    /// The name they went by last.
    pub name: Option<String>,
    /// When they last wrote.
    pub last_at: i64,
    /// What they last wrote.
    pub last_text: String,
    /// Messages after the read mark.
    pub unread: u64,
}

/// A message of a conversation. Of those that went out, only what statuses say is known here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConversationMessage {
    /// The channel's identifier.
    pub message_id: String,
    /// Whether it went out.
    pub outgoing: bool,
    /// When.
    pub at: i64,
    /// Its type; empty for one that went out.
    pub kind: String,
    /// Its text; empty for one that went out.
    pub text: String,
    /// The message it answers.
    pub context_id: Option<String>,
    /// The message as it came, as JSON.
    pub value: Option<String>,
    /// Where one that went out stands.
    pub status: Option<String>,
    /// The item that brought it.
    pub item: Option<i64>,
}

impl Cache {
    /// Contacts of a route, who wrote last first. `before` is `last_at` and `contact` of the last one known.
    ///
    /// # Errors
    /// [`StoreError`] when the file cannot be read.
    pub async fn contacts(
        &self,
        route: &str,
        before: Option<(i64, String)>,
        limit: u32,
    ) -> Result<Vec<Contact>, StoreError> {
        let route = route.to_owned();
        let (at, id) = before.map_or((i64::MAX, None), |(at, id)| (at, Some(id)));
        self.database
            .read(move |c| {
                let sql = "SELECT * FROM contact WHERE route = ?1 AND (last_at, contact) < (?2, coalesce(?3, ''))
                           ORDER BY last_at DESC, contact DESC LIMIT ?4";
                all(c, sql, (route, at, id, limit), |row| {
                    Ok(Contact {
                        route: row.get("route")?,
                        contact: row.get("contact")?,
                        name: row.get("name")?,
                        last_at: row.get("last_at")?,
                        last_text: row.get("last_text")?,
                        unread: row.get("unread")?,
                    })
                })
            })
            .await
    }

    /// Messages from and to a contact, newest first. `before` is `at` and `message_id` of the last one known.
    ///
    /// # Errors
    /// [`StoreError`] when the file cannot be read.
    pub async fn conversation(
        &self,
        route: &str,
        contact: &str,
        before: Option<(i64, String)>,
        limit: u32,
    ) -> Result<Vec<ConversationMessage>, StoreError> {
        let (route, contact) = (route.to_owned(), contact.to_owned());
        let (at, id) = before.map_or((i64::MAX, None), |(at, id)| (at, Some(id)));
        self.database
            .read(move |c| {
                let sql = "SELECT at, message_id, 0 AS outgoing, kind, text, context_id, value, NULL AS status, item_id
                           FROM inbound
                           WHERE route = ?1 AND contact = ?2 AND (at, message_id) < (?3, coalesce(?4, ''))
                           UNION ALL
                           SELECT first_at, message_id, 1, '', '', NULL, NULL, status, NULL FROM message
                           WHERE route = ?1 AND recipient = ?2 AND (first_at, message_id) < (?3, coalesce(?4, ''))
                           ORDER BY 1 DESC, 2 DESC LIMIT ?5";
                all(c, sql, (route, contact, at, id, limit), |row| {
                    Ok(ConversationMessage {
                        message_id: row.get("message_id")?,
                        outgoing: row.get("outgoing")?,
                        at: row.get("at")?,
                        kind: row.get("kind")?,
                        text: row.get("text")?,
                        context_id: row.get("context_id")?,
                        value: row.get("value")?,
                        status: row.get("status")?,
                        item: row.get("item_id")?,
                    })
                })
            })
            .await
    }

    /// Counts messages of a contact up to `at` as read; an earlier instant than before changes nothing. The desk keeps
    /// the mark: this is where it shows.
    ///
    /// # Errors
    /// [`StoreError`] when it cannot be written.
    pub async fn mark_read(&self, route: &str, contact: &str, at: i64) -> Result<(), StoreError> {
        let key = (route.to_owned(), contact.to_owned(), at);
        self.database
            .write(move |c| {
                c.prepare_cached(
                    "INSERT INTO read_mark (route, contact, at) VALUES (?1, ?2, ?3)
                     ON CONFLICT DO UPDATE SET at = max(at, excluded.at)",
                )?
                .execute((&key.0, &key.1, key.2))?;
                c.prepare_cached(
                    "UPDATE contact SET unread = (SELECT count(*) FROM inbound WHERE route = ?1 AND contact = ?2
                       AND at > (SELECT at FROM read_mark WHERE route = ?1 AND contact = ?2))
                     WHERE route = ?1 AND contact = ?2",
                )?
                .execute((&key.0, &key.1))?;
                Ok(())
            })
            .await
    }
}

/// Adds a message to its conversation; one that is known is brought up to what it says today if that is asked for. Says
/// whether the conversation differs then.
pub(super) fn receive(
    c: &Connection,
    item: &ProjectedItem,
    effect: &MessageEffect,
    item_id: i64,
    correct: bool,
) -> Result<bool, StoreError> {
    let added = c
        .prepare_cached(
            "INSERT INTO inbound (route, contact, at, message_id, item_id, kind, text, context_id, value)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT DO NOTHING",
        )?
        .execute(params![
            item.route,
            effect.contact,
            effect.at,
            effect.message_id,
            item_id,
            effect.kind,
            effect.text,
            effect.context_id,
            item.value
        ])?;
    if added == 0 {
        return if correct { rewrite(c, item, effect) } else { Ok(false) };
    }
    let read: Option<i64> = first(
        c,
        "SELECT at FROM read_mark WHERE route = ?1 AND contact = ?2",
        (&item.route, &effect.contact),
        |row| row.get(0),
    )?;
    let unread = read.is_none_or(|mark| effect.at > mark);
    c.prepare_cached(
        "INSERT INTO contact (route, contact, name, name_at, last_at, last_id, last_text, unread)
         VALUES (?1, ?2, ?3, CASE WHEN ?3 IS NOT NULL THEN ?4 END, ?4, ?5, ?6, ?7)
         ON CONFLICT DO UPDATE SET
           (name, name_at) = (SELECT name, name_at WHERE excluded.name IS NULL
               OR (name IS NOT NULL AND (name_at, name) >= (excluded.name_at, excluded.name))
             UNION ALL SELECT excluded.name, excluded.name_at LIMIT 1),
           (last_at, last_id, last_text) = (SELECT last_at, last_id, last_text
               WHERE (last_at, last_id) >= (excluded.last_at, excluded.last_id)
             UNION ALL SELECT excluded.last_at, excluded.last_id, excluded.last_text LIMIT 1),
           unread = unread + excluded.unread",
    )?
    .execute(params![
        item.route,
        effect.contact,
        effect.contact_name,
        effect.at,
        effect.message_id,
        effect.text,
        unread
    ])?;
    Ok(true)
}

/// Gives a known message what it says today.
fn rewrite(c: &Connection, item: &ProjectedItem, effect: &MessageEffect) -> Result<bool, StoreError> {
    let changed = c
        .prepare_cached(
            "UPDATE inbound SET kind = ?5, text = ?6, context_id = ?7
             WHERE route = ?1 AND contact = ?2 AND at = ?3 AND message_id = ?4
               AND (kind <> ?5 OR text <> ?6 OR context_id IS NOT ?7)",
        )?
        .execute(params![
            item.route,
            effect.contact,
            effect.at,
            effect.message_id,
            effect.kind,
            effect.text,
            effect.context_id
        ])?;
    if changed > 0 {
        c.prepare_cached("UPDATE contact SET last_text = ?4 WHERE route = ?1 AND contact = ?2 AND last_id = ?3")?
            .execute((&item.route, &effect.contact, &effect.message_id, &effect.text))?;
    }
    Ok(changed > 0)
}
