//! Items for the Activity screen, and their counts by kind.

use std::ops::RangeInclusive;

use model::item::key_seconds;
use ring::digest;
use rusqlite::{Connection, OptionalExtension as _, Row};

use super::Cache;
use crate::StoreError;
use crate::rows::{all, first, scalar};

/// Bits of an id for the item's position in its delivery. A delivery of maximum size has fewer items.
const ORDINAL_BITS: u32 = 20;

/// 128-bit hash of an item's identity within its route. If the identity has a time, the key starts with it: the index
/// of items then grows at its end, instead of writing another page for each item.
pub type Key = [u8; 16];

/// The first 96 bits of a [`Key`], as rows have them: a hash of 64 bits within a second, or of 96 bits.
pub type StoredKey = [u8; 12];

/// The part of a key that rows have.
#[must_use]
pub fn stored_key(key: &Key) -> StoredKey {
    key[..12].try_into().expect("a key is longer")
}

/// The instant of an item as its row has it: none if the identity has it in seconds, as that of a status, because the
/// row's key starts with it then.
pub(super) fn stored_at(identity: &str, at: i64) -> Option<i64> {
    let seconds = key_seconds(identity);
    if seconds.is_some_and(|seconds| i64::from(seconds) * 1_000 == at) { None } else { Some(at) }
}

/// The instant of an item, from its row.
pub(super) fn at_of(key: &StoredKey, at: Option<i64>) -> i64 {
    let [a, b, c, d, ..] = *key;
    at.unwrap_or_else(|| i64::from(u32::from_be_bytes([a, b, c, d])) * 1_000)
}

/// Time from an item's instant to its arrival, as its row has it. Wraps, because the instant may be any number that a
/// delivery names.
pub(super) fn delay(received_at: i64, at: i64) -> i64 {
    received_at.wrapping_sub(at)
}

/// The instant and the arrival of an item, from its row.
pub(super) fn instants(key: &StoredKey, at: Option<i64>, delay: i64) -> (i64, i64) {
    let at = at_of(key, at);
    (at, at.wrapping_add(delay))
}

/// Hash of an identity for indexes. Collisions are infeasible.
#[must_use]
pub fn item_key(route: &str, key: &str) -> Key {
    let mut hash = hashed(&[route, key]);
    if let Some(seconds) = key_seconds(key) {
        hash[..4].copy_from_slice(&seconds.to_be_bytes());
    }
    hash
}

/// The first half of a SHA-256 of texts, with unambiguous boundaries.
pub(super) fn hashed(texts: &[&str]) -> Key {
    let mut context = digest::Context::new(&digest::SHA256);
    for text in texts {
        context.update(&(text.len() as u64).to_le_bytes());
        context.update(text.as_bytes());
    }
    context.finish().as_ref()[..16].try_into().expect("a SHA-256 has 32 bytes")
}

/// The id of a position in a delivery.
#[must_use]
pub fn position_id(seq: i64, ordinal: i64) -> i64 {
    seq.clamp(0, i64::MAX >> ORDINAL_BITS) << ORDINAL_BITS | ordinal.clamp(0, (1 << ORDINAL_BITS) - 1)
}

/// The greatest id that an item of a delivery can have.
#[must_use]
pub fn last_item_of(seq: i64) -> i64 {
    position_id(seq + 1, 0) - 1
}

/// The delivery and the position of an id.
pub(super) fn position_of(id: i64) -> (i64, i64) {
    (id >> ORDINAL_BITS, id & ((1 << ORDINAL_BITS) - 1))
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemRow {
    /// Identifier, the same after a rebuild. Ascends in order of arrival.
    pub id: i64,
    /// The endpoint.
    pub route: String,
    /// Hash of its identity: [`item_key`].
    pub key: StoredKey,
    /// Its first delivery.
    pub first_seq: i64,
    /// Position in that delivery, from 0.
    pub ordinal: i64,
    /// When that delivery arrived.
    pub received_at: i64,
    pub at: i64,
    pub kind: String,
    /// Its webhook `field`.
    pub field: String,
    /// The business account of its entry.
    pub entry_id: Option<String>,
    /// The message that it refers to.
    pub message_id: Option<String>,
    /// The person that it refers to.
    pub contact: Option<String>,
    /// The number that it arrived through.
    pub number_id: Option<String>,
    /// Name of the template that it refers to.
    pub template_name: Option<String>,
    /// Language of the template that it refers to.
    pub template_language: Option<String>,
    /// The channel's identifier of the template that it refers to.
    pub template_id: Option<String>,
    /// The status or event it reports.
    pub status: Option<String>,
    /// Its search text.
    pub text: String,
    /// How many times it was delivered.
    pub deliveries: u64,
}

/// An item with its deliveries. Its content is in the delivery log and is extracted from the delivery on demand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The row in lists.
    pub row: ItemRow,
    /// Its redeliveries, in order, up to the requested number.
    pub repeats: Vec<Redelivery>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redelivery {
    /// The delivery.
    pub seq: i64,
    /// Position in it, from 0.
    pub ordinal: i64,
    pub received_at: i64,
}

/// Number of items of a kind and status.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counter {
    /// Days since 1970-01-01 in UTC; 0 in a total.
    pub day: i64,
    pub kind: String,
    /// Status; empty if they report none.
    pub status: String,
    pub count: u64,
}

impl Cache {
    /// One item, with at most `repeats` of its redeliveries.
    pub async fn item(&self, id: i64, repeats: u32) -> Result<Option<Item>, StoreError> {
        self.database
            .read(move |c| {
                let Some(row) = row(c, id)? else { return Ok(None) };
                let repeats = all(
                    c,
                    "SELECT id, received_at FROM repeat WHERE item_id = ?1 ORDER BY id LIMIT ?2",
                    (id, repeats),
                    |row| {
                        let (seq, ordinal) = position_of(row.get(0)?);
                        Ok(Redelivery { seq, ordinal, received_at: row.get(1)? })
                    },
                )?;
                Ok(Some(Item { row, repeats }))
            })
            .await
    }

    /// Items by the hash of their identity, in the requested order; unknown ones are left out.
    pub async fn items_of(&self, keys: Vec<Key>) -> Result<Vec<(Key, ItemRow)>, StoreError> {
        self.database
            .read(move |c| {
                let mut rows = Vec::with_capacity(keys.len());
                for key in keys {
                    let sql = "SELECT id FROM item_row WHERE key = ?1";
                    if let Some(id) = first(c, sql, [stored_key(&key)], scalar)? {
                        rows.extend(row(c, id)?.map(|row| (key, row)));
                    }
                }
                Ok(rows)
            })
            .await
    }

    /// The items of a delivery, also those it delivered again, in its order; at most `limit`.
    pub async fn items_in(&self, seq: i64, limit: u32) -> Result<Vec<ItemRow>, StoreError> {
        self.database
            .read(move |c| {
                let sql = "SELECT id AS place, id AS item FROM item_row WHERE id BETWEEN ?1 AND ?2
                           UNION ALL SELECT id, item_id FROM repeat WHERE id BETWEEN ?1 AND ?2 ORDER BY place LIMIT ?3";
                let positions = (position_id(seq, 0), last_item_of(seq), limit);
                let mut rows = Vec::new();
                for id in all(c, sql, positions, |row| row.get::<_, i64>(1))? {
                    rows.extend(row(c, id)?);
                }
                Ok(rows)
            })
            .await
    }

    /// Item counts by day, of one route or all, in days since 1970-01-01 UTC.
    pub async fn counters(&self, route: Option<&str>, days: RangeInclusive<i64>) -> Result<Vec<Counter>, StoreError> {
        let route = route.map(str::to_owned);
        self.database
            .read(move |c| {
                let sql = format!(
                    "SELECT k.day, c.kind, c.status, sum(k.n) FROM class c CROSS JOIN counter k ON k.class = c.id
                     WHERE {} AND k.day BETWEEN ?2 AND ?3 GROUP BY k.day, c.kind, c.status ORDER BY k.day, c.kind, c.status",
                    of_route(route.as_ref())
                );
                all(c, &sql, (&route, days.start(), days.end()), counter)
            })
            .await
    }

    /// Total item counts, of one route or all.
    pub async fn totals(&self, route: Option<&str>) -> Result<Vec<Counter>, StoreError> {
        let route = route.map(str::to_owned);
        self.database
            .read(move |c| {
                let sql = format!(
                    "SELECT 0, c.kind, c.status, sum(c.n) FROM class c WHERE {} AND c.n > 0
                     GROUP BY c.kind, c.status ORDER BY c.kind, c.status",
                    of_route(route.as_ref())
                );
                all(c, &sql, [&route], counter)
            })
            .await
    }
}

fn of_route(route: Option<&String>) -> &'static str {
    if route.is_some() { "c.route = ?1" } else { "?1 IS NULL" }
}

fn counter(row: &Row<'_>) -> rusqlite::Result<Counter> {
    Ok(Counter { day: row.get(0)?, kind: row.get(1)?, status: row.get(2)?, count: row.get(3)? })
}

/// One row of a list, in the order of [`item_row`]. Not from the view `item`, which computes the instant from the
/// digits of the key.
pub(super) const ROW: &str = "SELECT i.id, c.route, i.key, i.delay, i.at, c.kind, c.field, c.entry_id,
       coalesce(i.message_id, m.message_id), p.name, c.number_id, i.template_name, i.template_language, i.template_id,
       c.status, i.text, i.deliveries
     FROM item_row i JOIN class c ON c.id = i.class LEFT JOIN message_row m ON m.id = i.message
       LEFT JOIN person p ON p.id = i.contact
     WHERE i.id = ?1";

pub(super) fn row(c: &Connection, id: i64) -> Result<Option<ItemRow>, StoreError> {
    first(c, ROW, [id], item_row)
}

/// Rows by their ids, in that order; unknown ones are left out.
pub(super) fn rows(c: &Connection, ids: &[i64]) -> Result<Vec<ItemRow>, StoreError> {
    let mut statement = c.prepare_cached(ROW)?;
    let mut rows = Vec::with_capacity(ids.len());
    for id in ids {
        rows.extend(statement.query_row([id], item_row).optional()?);
    }
    Ok(rows)
}

fn item_row(row: &Row<'_>) -> rusqlite::Result<ItemRow> {
    let non_empty = |column: usize| row.get::<_, String>(column).map(|text| Some(text).filter(|text| !text.is_empty()));
    let id = row.get(0)?;
    let (first_seq, ordinal) = position_of(id);
    let key = row.get(2)?;
    let (at, received_at) = instants(&key, row.get(4)?, row.get(3)?);
    Ok(ItemRow {
        id,
        route: row.get(1)?,
        key,
        first_seq,
        ordinal,
        received_at,
        at,
        kind: row.get(5)?,
        field: row.get(6)?,
        entry_id: row.get(7)?,
        message_id: row.get(8)?,
        contact: row.get(9)?,
        number_id: non_empty(10)?,
        template_name: row.get(11)?,
        template_language: row.get(12)?,
        template_id: row.get(13)?,
        status: non_empty(14)?,
        text: row.get(15)?,
        deliveries: row.get(16)?,
    })
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::*;
    use crate::cache::effect::ProjectedItem;
    use crate::cache::{SCHEMA, projection};
    use crate::connection;
    use crate::rows::tuple;

    #[test]
    fn the_view_of_an_item_has_its_key_instant_and_arrival() {
        let digest = "0123456789abcdef0123456789abcdef";
        let cases = [
            (format!("status:67ab1234.{digest}"), 0x67ab_1234_i64 * 1_000, true),
            (format!("status:ffffffff.{digest}"), 0xffff_ffff_i64 * 1_000, true),
            (format!("status:00000000.{digest}"), 0, true),
            // Its instant is not the one in its key.
            (format!("status:67ab1234.{digest}"), 0x67ab_1234_i64 * 1_000 + 1, false),
            (format!("status:{digest}"), 0x67ab_1234_i64 * 1_000, false),
            ("other".to_owned(), -7_000, false),
        ];
        for (key, at, is_in_key) in cases {
            let c = connection::open_in_memory(&SCHEMA).unwrap();
            let item = ProjectedItem {
                seq: 1,
                received_at: 1_700_000_000_123,
                route: "w".to_owned(),
                key,
                kind: "status".to_owned(),
                at,
                ..ProjectedItem::default()
            };
            projection::apply(&c, std::slice::from_ref(&item), None).unwrap();
            let sql =
                "SELECT v.key, v.at, v.received_at, r.at IS NULL, v.id FROM item v JOIN item_row r ON r.id = v.id";
            let found = first(&c, sql, [], tuple);
            let (stored, viewed_at, received_at, is_null, id): (_, _, _, bool, i64) = found.unwrap().unwrap();
            assert_eq!((viewed_at, received_at, is_null), (at, item.received_at, is_in_key), "{}", item.key);
            assert_eq!(stored, stored_key(&item_key("w", &item.key)));
            let row = row(&c, id).unwrap().unwrap();
            assert_eq!((row.key, row.at, row.received_at), (stored, viewed_at, received_at));
        }
    }
}
