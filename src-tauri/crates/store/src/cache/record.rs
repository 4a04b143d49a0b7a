//! Stores items, each once, with its redeliveries, and maintains all counts.

use std::collections::{BTreeMap, HashMap, HashSet};

use model::item::{is_redelivery, occurrence_key};
use rusqlite::{CachedStatement, Connection, ErrorCode, params};

use super::conversation;
use super::effect::ProjectedItem;
use super::interner::{Interner, TextTable};
use super::item::{
    ItemRow, StoredKey, at_of, delay, item_key, last_item_of, position_id, position_of, row, stored_at, stored_key,
};
use crate::StoreError;
use crate::rows::{all, first, scalar, tuple};

/// Bits of a seq within a block of `moment`.
pub(super) const MOMENT_BITS: u32 = 10;
/// Milliseconds of a day.
const DAY: i64 = 86_400_000;

/// Stores the items of one transaction. Counts are collected and written once, by [`Recorder::finish`].
pub(super) struct Recorder<'a> {
    c: &'a Connection,
    insert: CachedStatement<'a>,
    people: Interner<'a>,
    classes: HashMap<ClassKey<'a>, i64>,
    /// By class: count to add, and greatest id.
    sizes: BTreeMap<i64, (i64, i64)>,
    /// By class and day: count to add.
    days: BTreeMap<(i64, i64), i64>,
    /// By block: the first and the last instant.
    moments: BTreeMap<i64, (i64, i64)>,
}

/// Route, kind, status, number, field and entry.
type ClassKey<'a> = (&'a str, &'a str, &'a str, &'a str, &'a str, Option<&'a str>);

/// Result for an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Recorded {
    New(i64),
    /// It was already stored.
    Known(i64),
}

impl<'a> Recorder<'a> {
    pub(super) fn new(c: &'a Connection) -> Result<Self, StoreError> {
        Ok(Self {
            c,
            insert: c.prepare_cached(INSERT)?,
            people: Interner::new(c, TextTable::Person)?,
            classes: HashMap::new(),
            sizes: BTreeMap::new(),
            days: BTreeMap::new(),
            moments: BTreeMap::new(),
        })
    }

    /// Stores an item, or records a redelivery of a known one. `message` is the row of the message that a status is
    /// about.
    pub(super) fn record(&mut self, item: &'a ProjectedItem, message: Option<i64>) -> Result<Recorded, StoreError> {
        let class = self.class(item)?;
        let position = position_id(item.seq, item.ordinal);
        let key = match &item.subject {
            None => stored_key(&item_key(&item.route, &item.key)),
            Some(subject) => self.undated(item, subject, position)?,
        };
        let id = match self.insert(item, message, &key, class, position) {
            Err(StoreError::Sqlite(error)) if error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation) => {
                // The id is used: by this same item, or by an earlier version's item of the delivery.
                match known(self.c, &key)? {
                    Some(_) => None,
                    None => self.insert(item, message, &key, class, self.free_position(position)?)?,
                }
            }
            inserted => inserted?,
        };
        self.note_arrival(item.seq, item.received_at);
        let Some(id) = id else {
            let id = known(self.c, &key)?.ok_or(StoreError::Closed)?;
            return Ok(Recorded::Known(self.record_redelivery(id, position, item.received_at)?));
        };
        self.count(class, item.at, id, 1);
        index(self.c, id, &Words::of(item))?;
        Ok(Recorded::New(id))
    }

    /// Key of an undated item: that of the item that it redelivers, or a new one.
    ///
    /// A function of the previous deliveries, which are applied in order; a delivery that is applied again keeps its
    /// result.
    fn undated(&self, item: &ProjectedItem, subject: &str, position: i64) -> Result<StoredKey, StoreError> {
        let subject = item_key(&item.route, subject);
        let here: Option<String> = first(self.c, "SELECT key FROM undated WHERE id = ?1", [position], scalar)?;
        if here.is_some_and(|key| key == item.key)
            && let Some(key) = self.key_at(position)?
        {
            return Ok(key);
        }
        let sql = "SELECT id, key, received_at FROM undated WHERE subject = ?1 AND id < ?2 ORDER BY id DESC LIMIT 1";
        let before: Option<(i64, String, i64)> = first(self.c, sql, (subject, position), tuple)?;
        self.c
            .prepare_cached(
                "INSERT INTO undated (id, subject, key, received_at) VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT DO UPDATE SET subject = excluded.subject, key = excluded.key",
            )?
            .execute((position, subject, &item.key, item.received_at))?;
        let redelivered = before
            .filter(|(_, key, at)| *key == item.key && is_redelivery(*at, item.received_at, item.changed_here_at));
        let known = match redelivered {
            Some((before, ..)) => self.key_at(before)?,
            None => None,
        };
        Ok(known.unwrap_or_else(|| stored_key(&item_key(&item.route, &item.event_key()))))
    }

    /// The key of the item at a position of a delivery.
    fn key_at(&self, position: i64) -> Result<Option<StoredKey>, StoreError> {
        let sql = "SELECT key FROM item_row WHERE id = coalesce((SELECT item_id FROM repeat WHERE id = ?1), ?1)";
        first(self.c, sql, [position], scalar)
    }

    /// Whether an undated item was in an earlier delivery too.
    pub(super) fn was_in_earlier_delivery(&self, item: &ProjectedItem) -> Result<bool, StoreError> {
        let Some(subject) = &item.subject else { return Ok(false) };
        let sql = "SELECT 1 FROM undated WHERE subject = ?1 AND id < ?2 AND key = ?3 LIMIT 1";
        let values = (item_key(&item.route, subject), position_id(item.seq, item.ordinal), &item.key);
        Ok(first(self.c, sql, values, |_| Ok(()))?.is_some())
    }

    /// The first unused position after the items of a delivery.
    fn free_position(&self, position: i64) -> Result<i64, StoreError> {
        let (seq, _) = position_of(position);
        let last: i64 = self.c.query_row(
            "SELECT max(id) FROM item_row WHERE id BETWEEN ?1 AND ?2",
            (position, last_item_of(seq)),
            scalar,
        )?;
        Ok(last + 1)
    }

    /// Records a redelivery of a known item, and returns the item's new id: that of its first delivery.
    fn record_redelivery(&mut self, id: i64, position: i64, received_at: i64) -> Result<i64, StoreError> {
        if position == id {
            return Ok(id);
        }
        let added = self
            .c
            .prepare_cached("INSERT INTO repeat (id, item_id, received_at) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING")?
            .execute((position, id, received_at))?;
        if added == 0 {
            return Ok(id);
        }
        self.c.prepare_cached("UPDATE item_row SET deliveries = deliveries + 1 WHERE id = ?1")?.execute([id])?;
        if position < id { self.make_first(id, position, received_at, true) } else { Ok(id) }
    }

    /// Makes another delivery the first one. The previous first delivery becomes a redelivery if `keep` is set.
    fn make_first(&mut self, id: i64, position: i64, received_at: i64, keep: bool) -> Result<i64, StoreError> {
        let c = self.c;
        let Some(old) = row(c, id)? else { return Ok(id) };
        c.prepare_cached("DELETE FROM repeat WHERE id = ?1")?.execute([position])?;
        c.prepare_cached("UPDATE item_row SET id = ?2, delay = ?3 WHERE id = ?1")?.execute((
            id,
            position,
            delay(received_at, old.at),
        ))?;
        let undated: Option<String> = first(c, "SELECT key FROM undated WHERE id = ?1", [position], scalar)?;
        if let Some(key) = undated {
            // Its key derives from its first delivery.
            let key = occurrence_key(&key, received_at, position_of(position).1);
            c.prepare_cached("UPDATE item_row SET key = ?2, at = ?3 WHERE id = ?1")?.execute((
                position,
                stored_key(&item_key(&old.route, &key)),
                stored_at(&key, old.at),
            ))?;
        }
        c.prepare_cached("UPDATE repeat SET item_id = ?2 WHERE item_id = ?1")?.execute((id, position))?;
        if keep {
            c.prepare_cached("INSERT INTO repeat (id, item_id, received_at) VALUES (?1, ?2, ?3)")?.execute((
                id,
                position,
                old.received_at,
            ))?;
        }
        if let Some(message_id) = old.message_id.as_ref().filter(|_| old.kind == "message") {
            conversation::move_item(c, &old.route, message_id, (id, position))?;
        }
        // The greatest id of the class remains an upper bound: the item may have moved behind all others.
        c.prepare_cached(
            "UPDATE class SET last_id = max(last_id, ?1) WHERE id = (SELECT class FROM item_row WHERE id = ?1)",
        )?
        .execute([position])?;
        unindex(c, id)?;
        index(c, position, &Words::of_row(&old))?;
        Ok(position)
    }

    /// Updates a known item from its delivery. Returns whether anything changed.
    pub(super) fn correct(
        &mut self,
        id: i64,
        item: &'a ProjectedItem,
        message: Option<i64>,
    ) -> Result<bool, StoreError> {
        let Some(old) = row(self.c, id)? else { return Ok(false) };
        let same = (&old.kind, &old.field, &old.entry_id, &old.text)
            == (&item.kind, &item.field, &item.entry_id, &item.text)
            && (&old.message_id, &old.contact) == (&item.message_id, &item.contact)
            && (&old.number_id, &old.status) == (&some(&item.number_id), &some(&item.status))
            && (&old.template_name, &old.template_language, &old.template_id, old.at)
                == (&item.template_name, &item.template_language, &item.template_id, item.at);
        if same {
            return Ok(false);
        }
        let before: i64 = self.c.query_row("SELECT class FROM item_row WHERE id = ?1", [id], scalar)?;
        let class = self.class(item)?;
        let contact = self.people.maybe_id(item.contact.as_deref())?;
        self.c
            .prepare_cached(
                "UPDATE item_row SET class = ?2, at = ?3, delay = ?4, message = ?5, message_id = ?6, contact = ?7,
                   template_name = ?8, template_language = ?9, template_id = ?10, text = ?11 WHERE id = ?1",
            )?
            .execute(params![
                id,
                class,
                stored_at(&item.key, item.at),
                delay(old.received_at, item.at),
                message,
                own_message_id(item, message),
                contact,
                item.template_name,
                item.template_language,
                item.template_id,
                item.text
            ])?;
        self.count(before, old.at, id, -1);
        self.count(class, item.at, id, 1);
        unindex(self.c, id)?;
        index(self.c, id, &Words::of(item))?;
        Ok(true)
    }

    /// Removes items that an earlier version found in a delivery and that are not in `items`, the complete list of that
    /// delivery. Returns how many there were.
    pub(super) fn remove_stale(&mut self, seq: i64, items: &[&ProjectedItem]) -> Result<u64, StoreError> {
        let c = self.c;
        let keys: HashSet<StoredKey> = items.iter().map(|item| stored_key(&item_key(&item.route, &item.key))).collect();
        let undated: HashSet<&str> =
            items.iter().filter(|item| item.subject.is_some()).map(|item| item.key.as_str()).collect();
        let positions = (position_id(seq, 0), last_item_of(seq));
        let known_undated: HashMap<i64, String> =
            all(c, "SELECT id, key FROM undated WHERE id BETWEEN ?1 AND ?2", positions, tuple)?.into_iter().collect();
        // Whether the delivery still contains the item at a position.
        let stays = |position: i64, key: &StoredKey| match known_undated.get(&position) {
            Some(key) => undated.contains(key.as_str()),
            None => keys.contains(key),
        };
        let delete_undated = |position: i64| -> Result<(), StoreError> {
            c.prepare_cached("DELETE FROM undated WHERE id = ?1")?.execute([position])?;
            Ok(())
        };
        let mut removed = 0;
        let further: Vec<(i64, i64, StoredKey)> = all(
            c,
            "SELECT r.id, r.item_id, i.key FROM repeat r JOIN item_row i ON i.id = r.item_id WHERE r.id BETWEEN ?1 AND ?2",
            positions,
            tuple,
        )?;
        for (position, id, _) in further.into_iter().filter(|(position, _, key)| !stays(*position, key)) {
            delete_undated(position)?;
            c.prepare_cached("DELETE FROM repeat WHERE id = ?1")?.execute([position])?;
            c.prepare_cached("UPDATE item_row SET deliveries = deliveries - 1 WHERE id = ?1")?.execute([id])?;
            removed += 1;
        }
        let here: Vec<(i64, StoredKey, i64, i64)> =
            all(c, "SELECT id, key, class, at FROM item_row WHERE id BETWEEN ?1 AND ?2", positions, |row| {
                let key = row.get(1)?;
                Ok((row.get(0)?, key, row.get(2)?, at_of(&key, row.get(3)?)))
            })?;
        for (id, _, class, at) in here.into_iter().filter(|(id, key, ..)| !stays(*id, key)) {
            delete_undated(id)?;
            let next = first(
                c,
                "SELECT id, received_at FROM repeat WHERE item_id = ?1 ORDER BY id LIMIT 1",
                [id],
                tuple::<(i64, i64)>,
            )?;
            if let Some((position, received_at)) = next {
                self.make_first(id, position, received_at, false)?;
                c.prepare_cached("UPDATE item_row SET deliveries = deliveries - 1 WHERE id = ?1")?
                    .execute([position])?;
            } else {
                unindex(c, id)?;
                c.prepare_cached("DELETE FROM item_row WHERE id = ?1")?.execute([id])?;
                self.count(class, at, id, -1);
            }
            removed += 1;
        }
        Ok(removed)
    }

    /// Writes the collected counts.
    pub(super) fn finish(self) -> Result<(), StoreError> {
        let mut size =
            self.c.prepare_cached("UPDATE class SET n = n + ?2, last_id = max(last_id, ?3) WHERE id = ?1")?;
        for (class, (more, last)) in self.sizes {
            size.execute((class, more, last))?;
        }
        let mut day = self.c.prepare_cached(
            "INSERT INTO counter (class, day, n) VALUES (?1, ?2, ?3) ON CONFLICT DO UPDATE SET n = n + excluded.n",
        )?;
        let mut empty = self.c.prepare_cached("DELETE FROM counter WHERE class = ?1 AND day = ?2 AND n = 0")?;
        for ((class, of), more) in self.days.into_iter().filter(|(_, more)| *more != 0) {
            day.execute((class, of, more))?;
            if more < 0 {
                empty.execute((class, of))?;
            }
        }
        let mut moment = self.c.prepare_cached(
            "INSERT INTO moment (block, first_at, last_at) VALUES (?1, ?2, ?3) ON CONFLICT DO UPDATE SET
               first_at = min(first_at, excluded.first_at), last_at = max(last_at, excluded.last_at)",
        )?;
        for (block, (from, to)) in self.moments {
            moment.execute((block, from, to))?;
        }
        Ok(())
    }

    fn count(&mut self, class: i64, at: i64, id: i64, more: i64) {
        let size = self.sizes.entry(class).or_default();
        size.0 += more;
        size.1 = size.1.max(id);
        *self.days.entry((class, at.div_euclid(DAY))).or_default() += more;
    }

    fn note_arrival(&mut self, seq: i64, at: i64) {
        let moment = self.moments.entry(seq >> MOMENT_BITS).or_insert((at, at));
        *moment = (moment.0.min(at), moment.1.max(at));
    }

    fn class(&mut self, item: &'a ProjectedItem) -> Result<i64, StoreError> {
        let key: ClassKey<'a> = (
            &item.route,
            &item.kind,
            item.status.as_deref().unwrap_or_default(),
            item.number_id.as_deref().unwrap_or_default(),
            &item.field,
            item.entry_id.as_deref(),
        );
        if let Some(id) = self.classes.get(&key) {
            return Ok(*id);
        }
        self.c
            .prepare_cached(
                "INSERT INTO class (route, kind, status, number_id, field, entry_id, n, last_id)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, 0, 0) ON CONFLICT DO NOTHING",
            )?
            .execute(key)?;
        let id = self
            .c
            .prepare_cached(
                "SELECT id FROM class WHERE route = ?1 AND kind = ?2 AND status = ?3 AND number_id = ?4 AND field = ?5
                   AND coalesce(entry_id, '') = coalesce(?6, '') AND (entry_id IS NULL) = (?6 IS NULL)",
            )?
            .query_row(key, scalar)?;
        self.classes.insert(key, id);
        Ok(id)
    }

    /// Inserts an item; `None` if it is known.
    fn insert(
        &mut self,
        item: &ProjectedItem,
        message: Option<i64>,
        key: &StoredKey,
        class: i64,
        position: i64,
    ) -> Result<Option<i64>, StoreError> {
        let contact = self.people.maybe_id(item.contact.as_deref())?;
        let inserted = self.insert.execute(params![
            position,
            class,
            key,
            delay(item.received_at, item.at),
            stored_at(&item.key, item.at),
            message,
            own_message_id(item, message),
            contact,
            item.template_name,
            item.template_language,
            item.template_id,
            item.text
        ])?;
        Ok((inserted > 0).then_some(position))
    }
}

const INSERT: &str = "INSERT INTO item_row
     (id, class, key, delay, at, message, message_id, contact, template_name, template_language, template_id, text,
      deliveries)
   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, 1) ON CONFLICT (key) DO NOTHING";

/// The identifier of its message that an item has itself: none if it refers to the row of a message.
fn own_message_id(item: &ProjectedItem, message: Option<i64>) -> Option<&str> {
    if message.is_some() { None } else { item.message_id.as_deref() }
}

fn some(text: &Option<String>) -> Option<String> {
    text.clone().filter(|text| !text.is_empty())
}

fn known(c: &Connection, key: &StoredKey) -> Result<Option<i64>, StoreError> {
    first(c, "SELECT id FROM item_row WHERE key = ?1", [key], scalar)
}

/// The search text of an item.
struct Words<'a> {
    words: &'a str,
    template: Option<&'a str>,
    contact: Option<&'a str>,
    /// Only of received messages; statuses are found through their message.
    message: Option<&'a str>,
}

impl<'a> Words<'a> {
    fn new(
        text: &'a str,
        template: Option<&'a str>,
        contact: Option<&'a str>,
        message: Option<&'a str>,
        status: bool,
    ) -> Option<Self> {
        // Most statuses have no words and are found by contact and message.
        let found = !text.is_empty() || template.is_some() || (message.is_some() && !status);
        found.then_some(Self { words: text, template, contact, message: message.filter(|_| !status) })
    }

    fn of(item: &'a ProjectedItem) -> Option<Self> {
        let (template, contact) = (item.template_name.as_deref(), item.contact.as_deref());
        Self::new(&item.text, template, contact, item.message_id.as_deref(), item.kind == STATUS)
    }

    fn of_row(row: &'a ItemRow) -> Option<Self> {
        let (template, contact) = (row.template_name.as_deref(), row.contact.as_deref());
        Self::new(&row.text, template, contact, row.message_id.as_deref(), row.kind == STATUS)
    }
}

/// The kind of status items.
const STATUS: &str = "status";

fn index(c: &Connection, id: i64, words: &Option<Words<'_>>) -> Result<(), StoreError> {
    if let Some(words) = words {
        let about: Vec<&str> = [words.template, words.contact, words.message].into_iter().flatten().collect();
        c.prepare_cached("INSERT INTO item_words (rowid, words, about) VALUES (?1, ?2, ?3)")?.execute((
            id,
            words.words,
            about.join(" "),
        ))?;
    }
    Ok(())
}

fn unindex(c: &Connection, id: i64) -> Result<(), StoreError> {
    c.prepare_cached("DELETE FROM item_words WHERE rowid = ?1")?.execute([id])?;
    Ok(())
}
