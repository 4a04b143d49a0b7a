//! Conversations: received messages, sent messages, and the replies and reactions between them.

use std::cmp::Reverse;
use std::collections::HashMap;

use rusqlite::{Connection, Row, params};

use super::effect::{MessageEffect, ProjectedItem};
use super::item::position_id;
use super::{Cache, contact, identity, message, revision};
use crate::StoreError;
use crate::desk::Reply;
use crate::rows::{all, first, from_row, insert_row, scalar, to_json, tuple};

/// Type of reactions.
const REACTION: &str = "reaction";

/// A message of a conversation. Of sent messages, the cache knows only what statuses report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConversationMessage {
    /// The channel's identifier.
    pub message_id: String,
    /// Whether it was sent by us.
    pub outgoing: bool,
    /// When it was sent.
    pub at: i64,
    /// Its place among messages of the same instant, in the order of arrival.
    pub place: i64,
    /// Its type; empty for sent messages.
    pub kind: String,
    /// Its text; empty for sent messages.
    pub text: String,
    /// The message it answers or reacts to.
    pub context_id: Option<String>,
    /// The number that received it; empty if unknown.
    pub number_id: String,
    /// The message as received, as JSON.
    pub value: Option<String>,
    /// When its author last edited it.
    pub edited_at: Option<i64>,
    /// That edit as received, as JSON.
    pub edit: Option<String>,
    /// When its author deleted it. Then it has no text, and its type is that of the deletion.
    pub deleted_at: Option<i64>,
    /// Whether it was received: of another one, only edits or a deletion are known. True for sent messages.
    pub is_received: bool,
    /// Current status of a sent message.
    pub status: Option<String>,
    /// Error of a failed sent message, as JSON.
    pub error: Option<String>,
    pub item: Option<i64>,
}

/// A position in a conversation: instant, place and identifier of a message.
pub type ConversationPosition = (i64, i64, String);

impl ConversationMessage {
    #[must_use]
    pub fn position(&self) -> ConversationPosition {
        (self.at, self.place, self.message_id.clone())
    }
}

/// A reply or reaction to a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    /// The message that it replies or reacts to.
    pub context_id: String,
    /// Its own identifier.
    pub message_id: String,
    /// Its author, as contacts are listed.
    pub contact: String,
    /// When it was written.
    pub at: i64,
    /// Its type; `reaction` for a reaction.
    pub kind: String,
    /// Its text; the emoji of a reaction, empty if it was removed.
    pub text: String,
    /// When its author deleted it. Then it has no text, and its type is that of the deletion.
    pub deleted_at: Option<i64>,
    pub item: i64,
}

/// A message that another one refers to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownMessage {
    /// Whether it was sent by us.
    pub outgoing: bool,
    /// Its recipient or author.
    pub contact: Option<String>,
    /// Its type; empty for sent messages.
    pub kind: String,
    /// Its text; empty for sent messages.
    pub text: String,
}

/// A person's current reaction to a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    pub emoji: String,
    /// When the person reacted.
    pub at: i64,
}

/// Received and sent messages, newest first; of equal instants, the last to arrive first.
const PAGE: &str = "SELECT at, item_id AS place, message_id, 0 AS outgoing, kind, text, context_id, number_id, value,
    edited_at, edit, deleted_at, is_received, NULL AS status, NULL AS error, item_id
  FROM inbound
  WHERE route = ?1 AND contact = ?2 AND at <= ?3 AND (at, item_id, message_id) < (?3, ?4, ?5)
  UNION ALL
  SELECT first_at, first_seq << 20, message_id, 1, '', '', NULL, '', NULL, NULL, NULL, NULL, 1, status, error, NULL
  FROM message
  WHERE route = ?1 AND recipient = ?2 AND first_at <= ?3 AND (first_at, first_seq << 20, message_id) < (?3, ?4, ?5)
  ORDER BY 1 DESC, 2 DESC, 3 DESC LIMIT ?6";

/// Replies and reactions to the messages of a JSON array, in order.
const RESPONSES: &str = "SELECT n.context_id, n.message_id, n.contact, n.at, n.kind, n.text, n.deleted_at, n.item_id
  FROM json_each(?2) m CROSS JOIN inbound n ON n.context_id = m.value AND n.route = ?1";

/// A received message.
const RECEIVED: &str = "SELECT contact, kind, text FROM inbound WHERE route = ?1 AND message_id = ?2 AND is_received";

/// A sent message, from its statuses.
const SENT: &str = "SELECT recipient FROM message WHERE hash = ?1 AND message_id = ?2 AND route = ?3";

/// A received message, by its item's identifier.
const BY_ITEM: &str = "SELECT n.at, n.item_id AS place, n.message_id, 0 AS outgoing, n.kind, n.text, n.context_id,
    n.number_id, n.value, n.edited_at, n.edit, n.deleted_at, n.is_received, NULL AS status, NULL AS error, n.item_id
  FROM item_row i CROSS JOIN inbound n ON n.route = ?2 AND n.message_id = i.message_id
  WHERE i.id = ?1 AND n.item_id = ?1";

/// A message that only revisions report, by the identifier of the revision's item.
const BY_REVISION: &str = "SELECT n.at, n.item_id AS place, n.message_id, 0 AS outgoing, n.kind, n.text, n.context_id,
    n.number_id, n.value, n.edited_at, n.edit, n.deleted_at, n.is_received, NULL AS status, NULL AS error, n.item_id
  FROM revision r CROSS JOIN inbound n ON n.route = r.route AND n.message_id = r.original_id
  WHERE r.item_id = ?1 AND r.route = ?2 AND n.contact = r.contact AND n.is_received = 0";

/// All statements of this module.
#[cfg(test)]
pub(super) const STATEMENTS: [&str; 6] = [PAGE, RESPONSES, RECEIVED, SENT, BY_ITEM, BY_REVISION];

impl Cache {
    /// When people replied to sent messages, and tapped their buttons, each given with its workspace; reactions don't count as
    /// replies.
    pub async fn replies_to(&self, messages: Vec<(String, String)>) -> Result<Vec<Reply>, StoreError> {
        self.database
            .read(move |c| {
                let mut replies = Vec::new();
                for (workspace_id, message_id) in messages {
                    let sql = "SELECT min(at), min(CASE WHEN kind IN ('button', 'interactive') THEN at END)
                               FROM inbound WHERE context_id = ?1 AND route = ?2 AND kind <> 'reaction'";
                    let found: Option<(Option<i64>, Option<i64>)> = first(c, sql, [&message_id, &workspace_id], tuple)?;
                    let (at, tapped_at) = found.unwrap_or_default();
                    for (at, is_tap) in [(at, false), (tapped_at, true)] {
                        let (workspace_id, message_id) = (workspace_id.clone(), message_id.clone());
                        replies.extend(at.map(|at| Reply { workspace_id, message_id, at, is_tap }));
                    }
                }
                Ok(replies)
            })
            .await
    }

    /// Messages from and to a contact, whichever of their identifiers these have, newest first. `before` is the position
    /// of the last message of the previous page.
    pub async fn conversation(
        &self,
        route: &str,
        contact: &str,
        before: Option<ConversationPosition>,
        limit: u32,
    ) -> Result<Vec<ConversationMessage>, StoreError> {
        let (route, contact) = (route.to_owned(), contact.to_owned());
        let (at, place, id) = before.unwrap_or((i64::MAX, i64::MAX, String::new()));
        self.database
            .read(move |c| {
                let mut messages = Vec::new();
                for alias in identity::aliases(c, &route, &identity::person_of(c, &route, &contact)?)? {
                    messages.extend(all(c, PAGE, (&route, alias, at, place, &id, limit), message)?);
                }
                messages.sort_by_key(|message| Reverse(message.position()));
                messages.truncate(limit as usize);
                Ok(messages)
            })
            .await
    }

    /// The message of an item.
    pub async fn inbound_of(&self, route: &str, item: i64) -> Result<Option<ConversationMessage>, StoreError> {
        let key = (item, route.to_owned());
        self.database
            .read(move |c| match first(c, BY_ITEM, (key.0, &key.1), message)? {
                Some(received) => Ok(Some(received)),
                None => first(c, BY_REVISION, (key.0, &key.1), message),
            })
            .await
    }

    /// Replies and reactions to these messages, in the order in which they were written.
    pub async fn responses(&self, route: &str, messages: &[String]) -> Result<Vec<Response>, StoreError> {
        let messages = to_json(messages)?;
        let route = route.to_owned();
        let mut responses = self
            .database
            .read(move |c| {
                let mut responses = all(c, RESPONSES, (&route, messages), |row| {
                    from_row!(row => Response { context_id, message_id, contact, at, kind, text, deleted_at, item = "item_id" })
                })?;
                for response in &mut responses {
                    response.contact = identity::person_of(c, &route, &response.contact)?;
                }
                Ok(responses)
            })
            .await?;
        responses.sort_by_key(|response| (response.at, response.item));
        Ok(responses)
    }

    /// Messages by their identifiers; unknown ones are left out.
    pub async fn known_messages(
        &self,
        route: &str,
        messages: Vec<String>,
    ) -> Result<HashMap<String, KnownMessage>, StoreError> {
        let route = route.to_owned();
        self.database
            .read(move |c| {
                let mut known = HashMap::new();
                for id in messages {
                    if let Some(message) = known_message(c, &route, &id)? {
                        known.insert(id, message);
                    }
                }
                Ok(known)
            })
            .await
    }
}

/// Each person's last reaction to each message; removed reactions are left out.
#[must_use]
pub fn marks(responses: &[Response]) -> HashMap<&str, Vec<Mark>> {
    let mut last: HashMap<(&str, &str), &Response> = HashMap::new();
    for response in responses.iter().filter(|response| response.kind == REACTION) {
        last.insert((&response.context_id, &response.contact), response);
    }
    let mut marks: HashMap<&str, Vec<Mark>> = HashMap::new();
    for ((message, _), response) in last {
        if !response.text.is_empty() {
            marks.entry(message).or_default().push(Mark { emoji: response.text.clone(), at: response.at });
        }
    }
    for marks in marks.values_mut() {
        marks.sort_by(|a, b| (a.at, &a.emoji).cmp(&(b.at, &b.emoji)));
    }
    marks
}

fn known_message(c: &Connection, route: &str, id: &str) -> Result<Option<KnownMessage>, StoreError> {
    let received = first(c, RECEIVED, (route, id), |row| {
        Ok(KnownMessage { outgoing: false, contact: row.get(0)?, kind: row.get(1)?, text: row.get(2)? })
    })?;
    if received.is_some() {
        return Ok(received);
    }
    first(c, SENT, (message::hash(route, id), id, route), |row| {
        Ok(KnownMessage { outgoing: true, contact: row.get(0)?, ..KnownMessage::default() })
    })
}

fn message(row: &Row<'_>) -> rusqlite::Result<ConversationMessage> {
    from_row!(row => ConversationMessage {
        message_id, outgoing, at, place, kind, text, context_id, number_id, value, edited_at, edit, deleted_at, is_received,
        status, error, item = "item_id",
    })
}

/// The row of a received message.
const KNOWN: &str = "SELECT contact, at, item_id, number_id FROM inbound
  WHERE route = ?1 AND message_id = ?2 AND is_received";

/// Adds a message to its conversation, or updates a known one if requested. Returns whether the conversation changed.
pub(super) fn receive(
    c: &Connection,
    item: &ProjectedItem,
    effect: &MessageEffect,
    item_id: i64,
    correct: bool,
) -> Result<bool, StoreError> {
    let known: Option<(String, i64, i64, String)> = first(c, KNOWN, (&item.route, &effect.message_id), tuple)?;
    let Some((contact, at, known_id, number_id)) = known else {
        return add(c, item, effect, item_id);
    };
    // A message that is delivered again may have another instant, or say more about its author. Whichever delivery arrived
    // first, the earliest instant counts, and of equal ones the user id.
    let is_own = item_id == position_id(item.seq, item.ordinal);
    let here = (effect.at, Reverse(effect.contact.as_str()));
    let moves = if correct && is_own {
        (contact.as_str(), at, number_id.as_str())
            != (effect.contact.as_str(), effect.at, item.number_id.as_deref().unwrap_or_default())
    } else {
        here < (at, Reverse(contact.as_str()))
    };
    if !moves {
        return if correct { update_message(c, item, effect) } else { Ok(false) };
    }
    remove(c, &item.route, &contact, (at, known_id))?;
    contact::rebuild(c, &item.route, &identity::person_of(c, &item.route, &contact)?)?;
    add(c, item, effect, item_id)
}

fn add(c: &Connection, item: &ProjectedItem, effect: &MessageEffect, item_id: i64) -> Result<bool, StoreError> {
    insert_row!(c, "inbound" => effect {
        route: item.route, contact, at, item_id: item_id, arrival: item_id, message_id,
        number_id: item.number_id.as_deref().unwrap_or_default(), kind, text, context_id, value: item.value,
        is_received: true,
    }, "ON CONFLICT DO NOTHING")?;
    contact::add_message(c, item, effect, item_id)?;
    revision::apply_to_new(c, item, effect)?;
    Ok(true)
}

fn remove(c: &Connection, route: &str, contact: &str, (at, item_id): (i64, i64)) -> Result<(), StoreError> {
    c.prepare_cached("DELETE FROM inbound WHERE route = ?1 AND contact = ?2 AND at = ?3 AND item_id = ?4")?
        .execute((route, contact, at, item_id))?;
    Ok(())
}

/// Updates a known message from its item. What its author changed stays.
fn update_message(c: &Connection, item: &ProjectedItem, effect: &MessageEffect) -> Result<bool, StoreError> {
    let changed = c
        .prepare_cached(
            "UPDATE inbound SET kind = iif(original_kind IS NULL, ?3, kind), text = iif(original_kind IS NULL, ?4, text),
               original_kind = iif(original_kind IS NULL, NULL, ?3), original_text = iif(original_kind IS NULL, NULL, ?4),
               context_id = ?5
             WHERE route = ?1 AND message_id = ?2 AND is_received
               AND (coalesce(original_kind, kind) <> ?3 OR coalesce(original_text, text) <> ?4 OR context_id IS NOT ?5)
             RETURNING contact, item_id, kind, text",
        )?
        .query_map(
            params![item.route, effect.message_id, effect.kind, effect.text, effect.context_id],
            tuple::<(String, i64, String, String)>,
        )?
        .next()
        .transpose()?;
    if let Some((contact, item_id, kind, text)) = &changed {
        contact::update_last_message(c, (&item.route, contact, *item_id), kind, text)?;
        revision::refresh(c, &item.route, &effect.message_id)?;
    }
    Ok(changed.is_some())
}

/// Follows the item of a message, or of a revision, to the position of another delivery.
pub(super) fn move_item(
    c: &Connection,
    route: &str,
    message_id: &str,
    (from, to): (i64, i64),
) -> Result<(), StoreError> {
    let moved = "UPDATE inbound SET item_id = ?4, arrival = iif(arrival = ?3, ?4, arrival)
                 WHERE route = ?1 AND message_id = ?2 AND item_id = ?3 AND is_received RETURNING contact";
    for contact in all(c, moved, (route, message_id, from, to), scalar::<String>)? {
        contact::rebuild(c, route, &identity::person_of(c, route, &contact)?)?;
        revision::refresh(c, route, message_id)?;
    }
    let revised = "UPDATE revision SET item_id = ?2 WHERE item_id = ?1 RETURNING original_id";
    for original in all(c, revised, (from, to), scalar::<String>)? {
        revision::refresh(c, route, &original)?;
    }
    Ok(())
}
