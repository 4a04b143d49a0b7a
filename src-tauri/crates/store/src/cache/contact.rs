//! Contacts: lists ordered by last message, search by name or number, and unread counts.

use rusqlite::{Connection, Row, ToSql, params};

use super::Cache;
use super::effect::{MessageEffect, ProjectedItem};
use super::identity::{NameKind, aliases, name_of, person_of, record_name, username_of};
use super::search::{quoted, searched_digits};
use crate::StoreError;
use crate::fold::fold;
use crate::rows::{all, first, from_row, scalar, to_json, tuple};

/// Shortest text that the full-text index can find, in characters.
const MIN_INDEXED_CHARS: usize = 3;
/// Maximum number of contacts examined for one page of a search that the full-text index cannot answer.
const MAX_EXAMINED: u32 = 5_000;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contact {
    /// The endpoint.
    pub route: String,
    /// Their number, or another identifier if they have none.
    pub contact: String,
    /// Their last known name.
    pub name: Option<String>,
    /// When they last wrote.
    pub last_at: i64,
    /// Type of their last message.
    pub last_kind: String,
    /// Text of their last message.
    pub last_text: String,
    /// The number they last wrote to; empty if unknown.
    pub last_number: String,
    /// Messages after the read mark.
    pub unread: u64,
}

/// Filter for contacts. Absent filters accept everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContactFilter {
    /// The endpoint.
    pub route: String,
    /// Part of a name, an identifier or a username, as typed.
    pub search: Option<String>,
    /// Contacts that wrote to this number; then the rows describe only the messages to it.
    pub number: Option<String>,
    /// With unread messages, or without.
    pub unread: Option<bool>,
    /// Those who last wrote at this instant or later, the oldest message first. Not of a search of three characters or more.
    pub since: Option<i64>,
    /// `next` of the previous page.
    pub after: Option<(i64, String)>,
    pub limit: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContactPage {
    /// Ordered by last message, newest first unless [`ContactFilter::since`] is given.
    pub rows: Vec<Contact>,
    /// Value of [`ContactFilter::after`] for the next page; absent on the last page.
    pub next: Option<(i64, String)>,
}

const CONTACTS_OF: &str = "SELECT c.*, p.name AS shown
    FROM (SELECT DISTINCT coalesce(own.person, asked.value) AS person FROM json_each(?3) asked
      LEFT JOIN identity own ON own.route = ?1 AND own.alias = asked.value) w
    CROSS JOIN contact c ON c.route = ?1 AND c.contact = w.person AND c.number_id = ?2
    CROSS JOIN contact p ON p.route = ?1 AND p.contact = w.person AND p.number_id = ''
    ORDER BY c.contact";

impl Cache {
    /// A page of contacts. A search of three characters or more reads contacts by first message, newest first, and
    /// orders each page by last message; a shorter search scans all.
    pub async fn contacts(&self, filter: ContactFilter) -> Result<ContactPage, StoreError> {
        self.database.read(move |c| page(c, &filter)).await
    }

    /// Number of contacts with unread messages, whichever of our numbers they wrote to.
    pub async fn unread_contacts(&self, route: &str) -> Result<u64, StoreError> {
        let route = route.to_owned();
        let count = self.database.read(move |c| first(c, UNREAD_CONTACTS, [route], scalar)).await?;
        Ok(count.unwrap_or_default())
    }

    pub async fn contact(&self, route: &str, contact: &str) -> Result<Option<Contact>, StoreError> {
        let (route, contact) = (route.to_owned(), contact.to_owned());
        let sql = "SELECT *, name AS shown FROM contact WHERE route = ?1 AND contact = ?2 AND number_id = ''";
        self.database.read(move |c| first(c, sql, (&route, person_of(c, &route, &contact)?), row)).await
    }

    /// Those of these contacts that wrote; to one of our numbers if `number` is given.
    pub async fn contacts_of(
        &self,
        route: &str,
        number: Option<&str>,
        contacts: &[String],
    ) -> Result<Vec<Contact>, StoreError> {
        let key = (route.to_owned(), number.unwrap_or_default().to_owned(), to_json(contacts)?);
        self.database.read(move |c| all(c, CONTACTS_OF, key, row)).await
    }

    /// Identifiers of our numbers that received messages.
    pub async fn numbers_written_to(&self, route: &str) -> Result<Vec<String>, StoreError> {
        let route = route.to_owned();
        self.database.read(move |c| all(c, NUMBERS, [route], scalar)).await
    }
}

/// Lists the numbers with one index lookup each.
const NUMBERS: &str = "WITH RECURSIVE number (id) AS (
    SELECT min(number_id) FROM contact WHERE route = ?1 AND number_id > ''
    UNION ALL SELECT (SELECT min(number_id) FROM contact WHERE route = ?1 AND number_id > id) FROM number
      WHERE id IS NOT NULL)
  SELECT id FROM number WHERE id IS NOT NULL";

const UNREAD_CONTACTS: &str = "SELECT count(*) FROM contact WHERE route = ?1 AND number_id = '' AND unread > 0";

/// Columns of a contact. Only the row with the empty number has the name.
const ROW: &str = "SELECT c.*, p.name AS shown, p.words_id AS place FROM contact c
  JOIN contact p ON p.route = c.route AND p.contact = c.contact AND p.number_id = ''";

fn page(c: &Connection, filter: &ContactFilter) -> Result<ContactPage, StoreError> {
    let text = filter.search.as_deref().map(SearchText::of).unwrap_or_default();
    match text.query() {
        Some(query) => search(c, filter, &query),
        None => by_last_message(c, filter, &text),
    }
}

/// Contacts by last message. The number of examined contacts is limited when the index cannot answer the search.
fn by_last_message(c: &Connection, filter: &ContactFilter, text: &SearchText) -> Result<ContactPage, StoreError> {
    let number = filter.number.as_deref().unwrap_or_default();
    let (at, contact) = filter.after.clone().unwrap_or((filter.since.unwrap_or(i64::MAX), String::new()));
    let limit = filter.limit as usize;
    let wanted = if text.is_empty() { filter.limit.saturating_add(1) } else { MAX_EXAMINED };
    let sql = by_last_message_sql(filter.unread, filter.since.is_some());
    let mut statement = c.prepare_cached(&sql)?;
    let mut rows = statement.query(params![filter.route, number, at, contact, wanted])?;
    let mut found = ContactPage { rows: Vec::new(), next: None };
    let mut examined = 0;
    let mut last = None;
    while let Some(read) = rows.next()? {
        let read = row(read)?;
        examined += 1;
        let mark = (read.last_at, read.contact.clone());
        if text.matches(c, &read)? {
            if found.rows.len() == limit {
                found.next = last;
                return Ok(found);
            }
            found.rows.push(read);
        }
        last = Some(mark);
    }
    if examined == wanted {
        found.next = last;
    }
    Ok(found)
}

fn by_last_message_sql(unread: Option<bool>, oldest_first: bool) -> String {
    let (beyond, order) = if oldest_first { (">", "ASC") } else { ("<", "DESC") };
    let unread = match unread {
        Some(true) => "AND c.unread > 0",
        Some(false) => "AND c.unread = 0",
        None => "",
    };
    format!(
        "{ROW} WHERE c.route = ?1 AND c.number_id = ?2 AND (c.last_at, c.contact) {beyond} (?3, ?4) {unread}
         ORDER BY c.last_at {order}, c.contact {order} LIMIT ?5"
    )
}

/// Contacts found by the full-text index.
fn search(c: &Connection, filter: &ContactFilter, query: &str) -> Result<ContactPage, StoreError> {
    let number = filter.number.as_deref().unwrap_or_default();
    let before = filter.after.as_ref().map_or(i64::MAX, |(position, _)| *position);
    let limit = filter.limit as usize;
    let one_more = filter.limit.saturating_add(1);
    let values: [&dyn ToSql; 5] = [&query, &before, &filter.route, &number, &one_more];
    let mut rows =
        all(c, &search_sql(filter.unread), values.as_slice(), |read| Ok((read.get::<_, i64>("place")?, row(read)?)))?;
    let more = rows.len() > limit;
    rows.truncate(limit);
    let next = rows.last().filter(|_| more).map(|(position, row)| (*position, row.contact.clone()));
    rows.sort_by(|(_, a), (_, b)| (b.last_at, &b.contact).cmp(&(a.last_at, &a.contact)));
    Ok(ContactPage { rows: rows.into_iter().map(|(_, row)| row).collect(), next })
}

fn search_sql(unread: Option<bool>) -> String {
    let unread = match unread {
        Some(true) => "AND c.unread > 0",
        Some(false) => "AND c.unread = 0",
        None => "",
    };
    format!(
        "SELECT c.*, p.name AS shown, p.words_id AS place FROM contact_words w
         CROSS JOIN contact p ON p.words_id = w.rowid
         CROSS JOIN contact c ON c.route = p.route AND c.contact = p.contact AND c.number_id = ?4
         WHERE w.contact_words MATCH ?1 AND w.rowid < ?2 AND p.route = ?3 {unread}
         ORDER BY w.rowid DESC LIMIT ?5"
    )
}

/// The typed search text, in pieces.
#[derive(Debug, Default)]
struct SearchText(Vec<String>);

impl SearchText {
    /// A number is found in any notation, see [`searched_digits`].
    fn of(text: &str) -> Self {
        if let Some(digits) = searched_digits(text) {
            return Self(vec![digits]);
        }
        let pieces = text.split_whitespace().map(|piece| piece.chars().filter(|c| !c.is_control()).collect::<String>());
        Self(pieces.filter(|piece| !piece.is_empty()).collect())
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The full-text query of the pieces that are long enough for the index. Shorter ones do not narrow the search.
    fn query(&self) -> Option<String> {
        let pieces: Vec<String> = self
            .0
            .iter()
            .filter(|piece| piece.chars().count() >= MIN_INDEXED_CHARS)
            .map(|piece| quoted(piece))
            .collect();
        (!pieces.is_empty()).then(|| pieces.join(" AND "))
    }

    /// Whether the words of a contact have all pieces, as the full-text index has them.
    fn matches(&self, c: &Connection, row: &Contact) -> Result<bool, StoreError> {
        if self.is_empty() {
            return Ok(true);
        }
        let words = fold(&words(c, &row.route, &row.contact, row.name.as_ref())?);
        Ok(self.0.iter().all(|piece| words.contains(&fold(piece))))
    }
}

fn row(row: &Row<'_>) -> rusqlite::Result<Contact> {
    from_row!(row => Contact { route, contact, name = "shown", last_at, last_kind, last_text, last_number, unread })
}

/// The read mark of an identifier, and the row of the words of a person.
const STATE_BEFORE: &str = "SELECT (SELECT item_id FROM read_mark WHERE route = ?1 AND contact = ?3),
    (SELECT words_id FROM contact WHERE route = ?1 AND contact = ?2 AND number_id = '')";

/// Adds a new message to its contact.
pub(super) fn add_message(
    c: &Connection,
    item: &ProjectedItem,
    effect: &MessageEffect,
    item_id: i64,
) -> Result<(), StoreError> {
    let route = item.route.as_str();
    let person = person_of(c, route, &effect.contact)?;
    let (mark, words_id): (Option<i64>, Option<i64>) =
        c.prepare_cached(STATE_BEFORE)?.query_row((route, &person, &effect.contact), tuple)?;
    let number = item.number_id.as_deref().unwrap_or_default();
    let is_new = words_id.is_none();
    let words_id = match words_id {
        Some(id) => id,
        None => free_words_id(c, item_id)?,
    };
    let unread = mark.is_none_or(|mark| item_id > mark);
    let values = params![route, person, number, effect.at, item_id, effect.kind, effect.text, unread, words_id];
    let sql = if number.is_empty() { ADD_MESSAGE } else { ADD_MESSAGE_TO_NUMBER };
    c.prepare_cached(sql)?.execute(values)?;
    let is_named = match &effect.contact_name {
        Some(name) => record_name(c, route, &effect.contact, NameKind::Profile, (name, effect.at))?,
        None => false,
    };
    if is_new || is_named {
        update_name(c, route, &person, is_new)?;
    }
    Ok(())
}

macro_rules! add_message {
    ($rows:literal) => {
        concat!(
            "INSERT INTO contact (route, contact, number_id, last_at, last_item, last_number, last_kind, last_text, unread,
               words_id)
             VALUES (?1, ?2, '', ?4, ?5, ?3, ?6, ?7, ?8, ?9)",
            $rows,
            " ON CONFLICT DO UPDATE SET
               (last_at, last_item, last_number, last_kind, last_text) =
                 (SELECT last_at, last_item, last_number, last_kind, last_text
                   WHERE (last_at, last_item) >= (excluded.last_at, excluded.last_item)
                 UNION ALL SELECT excluded.last_at, excluded.last_item, excluded.last_number, excluded.last_kind,
                   excluded.last_text LIMIT 1),
               unread = unread + excluded.unread"
        )
    };
}

/// To an unknown number.
const ADD_MESSAGE: &str = add_message!("");
/// To a number: counts for the contact with that number and for the contact with any number.
const ADD_MESSAGE_TO_NUMBER: &str = add_message!(", (?1, ?2, ?3, ?4, ?5, ?3, ?6, ?7, ?8, NULL)");

/// Writes the name of a contact, and its search words if it changed or if these are new.
fn update_name(c: &Connection, route: &str, person: &str, is_new: bool) -> Result<(), StoreError> {
    let changed = c
        .prepare_cached(
            "UPDATE contact SET name = ?3 WHERE route = ?1 AND contact = ?2 AND number_id = '' AND name IS NOT ?3",
        )?
        .execute((route, person, name_of(c, route, person)?))?;
    if is_new || changed > 0 { reindex(c, route, person) } else { Ok(()) }
}

/// Updates the contacts whose last message this is.
pub(super) fn update_last_message(
    c: &Connection,
    (route, contact, item_id): (&str, &str, i64),
    kind: &str,
    text: &str,
) -> Result<(), StoreError> {
    let person = person_of(c, route, contact)?;
    c.prepare_cached(
        "UPDATE contact SET last_text = ?4, last_kind = ?5 WHERE route = ?1 AND contact = ?2 AND last_item = ?3",
    )?
    .execute((route, person, item_id, text, kind))?;
    Ok(())
}

/// Adds a contact without messages for each number, unless it is known: [`rebuild`] completes it.
pub(super) fn add(c: &Connection, route: &str, contact: &str, number: &str, item_id: i64) -> Result<(), StoreError> {
    let is_known = "SELECT 1 FROM contact WHERE route = ?1 AND contact = ?2 AND number_id = ''";
    let words_id = match c.prepare_cached(is_known)?.exists((route, contact))? {
        true => None,
        false => Some(free_words_id(c, item_id)?),
    };
    let mut insert = c.prepare_cached(
        "INSERT INTO contact (route, contact, number_id, last_at, last_item, last_number, last_kind, last_text, unread,
           words_id)
         VALUES (?1, ?2, ?3, 0, 0, '', '', '', 0, ?4) ON CONFLICT DO NOTHING",
    )?;
    if let Some(id) = words_id {
        insert.execute((route, contact, "", id))?;
    }
    if !number.is_empty() {
        insert.execute((route, contact, number, None::<i64>))?;
    }
    Ok(())
}

/// Derives the last messages, the name and the counts of a contact, and deletes what has no messages.
pub(super) fn rebuild(c: &Connection, route: &str, contact: &str) -> Result<(), StoreError> {
    if first(c, ANY_MESSAGE, (route, contact), scalar::<i64>)?.is_none() {
        return delete(c, route, contact);
    }
    c.prepare_cached(
        "DELETE FROM contact WHERE route = ?1 AND contact = ?2 AND number_id <> '' AND NOT EXISTS
           (SELECT 1 FROM inbound n WHERE n.route = ?1 AND n.number_id = contact.number_id
              AND n.contact IN (SELECT ?2 UNION ALL SELECT alias FROM identity WHERE route = ?1 AND person = ?2))",
    )?
    .execute((route, contact))?;
    c.prepare_cached(
        "UPDATE contact SET (last_at, last_item, last_number, last_kind, last_text) =
           (SELECT at, item_id, n.number_id, kind, text FROM inbound n WHERE n.route = ?1
              AND n.contact IN (SELECT ?2 UNION ALL SELECT alias FROM identity WHERE route = ?1 AND person = ?2)
              AND contact.number_id IN ('', n.number_id) ORDER BY at DESC, item_id DESC LIMIT 1)
         WHERE route = ?1 AND contact = ?2",
    )?
    .execute((route, contact))?;
    update_name(c, route, contact, true)?;
    count_unread(c, route, contact)
}

/// Writes the search words of a contact again.
pub(super) fn reindex(c: &Connection, route: &str, person: &str) -> Result<(), StoreError> {
    let sql = "SELECT words_id, name FROM contact WHERE route = ?1 AND contact = ?2 AND words_id IS NOT NULL";
    if let Some((id, name)) = first(c, sql, (route, person), tuple::<(i64, Option<String>)>)? {
        remove_words(c, id)?;
        add_words(c, id, route, person, name.as_ref())?;
    }
    Ok(())
}

const ANY_MESSAGE: &str = "SELECT 1 FROM inbound WHERE route = ?1
       AND contact IN (SELECT ?2 UNION ALL SELECT alias FROM identity WHERE route = ?1 AND person = ?2) LIMIT 1";

/// Deletes a contact, with the rows of every number.
pub(super) fn delete(c: &Connection, route: &str, contact: &str) -> Result<(), StoreError> {
    let sql = "SELECT words_id FROM contact WHERE route = ?1 AND contact = ?2 AND words_id IS NOT NULL";
    for id in all(c, sql, (route, contact), scalar)? {
        remove_words(c, id)?;
    }
    c.prepare_cached("DELETE FROM contact WHERE route = ?1 AND contact = ?2")?.execute((route, contact))?;
    Ok(())
}

/// Recounts the messages of a contact after the read marks of their identifiers, without those of which only the deletion
/// is known.
pub(super) fn count_unread(c: &Connection, route: &str, contact: &str) -> Result<(), StoreError> {
    c.prepare_cached(COUNT_UNREAD)?.execute((route, contact))?;
    Ok(())
}

const COUNT_UNREAD: &str = "UPDATE contact SET unread = (
    SELECT count(*) FROM (SELECT ?2 AS alias UNION SELECT alias FROM identity WHERE route = ?1 AND person = ?2) a
    CROSS JOIN inbound i ON i.route = ?1 AND i.contact = a.alias AND i.arrival > coalesce(
      (SELECT item_id FROM read_mark WHERE route = ?1 AND contact = a.alias), -1)
    WHERE contact.number_id IN ('', i.number_id) AND (i.is_received OR i.deleted_at IS NULL))
  WHERE route = ?1 AND contact = ?2";

/// The item's id, unless an earlier version's item of the same delivery uses it.
fn free_words_id(c: &Connection, item_id: i64) -> Result<i64, StoreError> {
    let mut taken = c.prepare_cached("SELECT 1 FROM contact WHERE words_id = ?1")?;
    let mut id = item_id;
    while taken.exists([id])? {
        id += 1;
    }
    Ok(id)
}

fn add_words(c: &Connection, id: i64, route: &str, person: &str, name: Option<&String>) -> Result<(), StoreError> {
    let words = words(c, route, person, name)?;
    c.prepare_cached("INSERT INTO contact_words (rowid, words) VALUES (?1, ?2)")?.execute((id, words))?;
    Ok(())
}

/// The name, the identifiers and the username of a person.
fn words(c: &Connection, route: &str, person: &str, name: Option<&String>) -> Result<String, StoreError> {
    let mut words: Vec<String> = name.cloned().into_iter().chain([person.to_owned()]).collect();
    words.extend(aliases(c, route, person)?.into_iter().filter(|alias| alias != person));
    words.extend(username_of(c, route, person)?.map(|name| format!("@{name}")));
    Ok(words.join("\n"))
}

fn remove_words(c: &Connection, id: i64) -> Result<(), StoreError> {
    c.prepare_cached("DELETE FROM contact_words WHERE rowid = ?1")?.execute([id])?;
    Ok(())
}

#[cfg(test)]
mod tests;
