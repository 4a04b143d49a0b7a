//! Items as Activity shows them, and how many there are of each kind.

use std::ops::RangeInclusive;

use rusqlite::types::Value;
use rusqlite::{Connection, Row, params_from_iter};

use super::Cache;
use super::search::Search;
use crate::StoreError;
use crate::database::{all, first};

/// An item in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemRow {
    /// Identifier in this cache; another after a rebuild.
    pub id: i64,
    /// The endpoint.
    pub route: String,
    /// Identity within the route.
    pub key: String,
    /// The delivery that brought it first.
    pub first_seq: i64,
    /// Place in that delivery, from 0.
    pub ordinal: i64,
    /// When that delivery came.
    pub received_at: i64,
    /// When it happened.
    pub at: i64,
    /// What it is.
    pub kind: String,
    /// The `field` it stood under.
    pub field: String,
    /// The business account of its entry.
    pub entry_id: Option<String>,
    /// The message it is about.
    pub message_id: Option<String>,
    /// The person it is about.
    pub contact: Option<String>,
    /// The number it came over.
    pub number_id: Option<String>,
    /// Name of the template it is about.
    pub template_name: Option<String>,
    /// Language of the template it is about.
    pub template_language: Option<String>,
    /// The channel's identifier of the template it is about.
    pub template_id: Option<String>,
    /// The status or event it reports.
    pub status: Option<String>,
    /// The words it is found by.
    pub text: String,
    /// How often it has been delivered.
    pub deliveries: u64,
}

/// An item with what it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// As in lists.
    pub row: ItemRow,
    /// The thing itself as JSON, as it came.
    pub value: String,
    /// Its further deliveries, in order.
    pub repeats: Vec<Repeat>,
}

/// A further delivery of an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repeat {
    /// The delivery.
    pub seq: i64,
    /// Place in it, from 0.
    pub ordinal: i64,
    /// When it came.
    pub received_at: i64,
}

/// Which items, last come first. Absent filters accept everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ItemFilter {
    /// The endpoint.
    pub route: Option<String>,
    /// What they are.
    pub kind: Option<String>,
    /// Words as typed, each the beginning of a word.
    pub search: Option<String>,
    /// The person they are about.
    pub contact: Option<String>,
    /// Name of the template they are about.
    pub template: Option<String>,
    /// The message they are about.
    pub message_id: Option<String>,
    /// `next` of the page before.
    pub before: Option<i64>,
    /// At most so many.
    pub limit: u32,
}

/// A page of items.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemPage {
    /// Last come first.
    pub rows: Vec<ItemRow>,
    /// Goes into [`ItemFilter::before`] for the next page; absent on the last.
    pub next: Option<i64>,
}

/// How many items of a kind and status there are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counter {
    /// Days since 1970-01-01 in UTC; 0 in a total.
    pub day: i64,
    /// What they are.
    pub kind: String,
    /// The status they report; empty where they report none.
    pub status: String,
    /// How many.
    pub count: u64,
}

impl Cache {
    /// A page of items.
    ///
    /// # Errors
    /// [`StoreError`] when the file cannot be read.
    pub async fn items(&self, filter: ItemFilter) -> Result<ItemPage, StoreError> {
        self.database.read(move |c| page(c, &filter)).await
    }

    /// One item.
    ///
    /// # Errors
    /// [`StoreError`] when the file cannot be read.
    pub async fn item(&self, id: i64) -> Result<Option<Item>, StoreError> {
        self.database
            .read(move |c| {
                let found = first(c, "SELECT * FROM item WHERE id = ?1", [id], |row| {
                    Ok((item_row(row)?, row.get::<_, String>("value")?))
                })?;
                let Some((row, value)) = found else { return Ok(None) };
                let repeats = all(
                    c,
                    "SELECT seq, ordinal, received_at FROM repeat WHERE item_id = ?1 ORDER BY seq, ordinal",
                    [id],
                    |row| Ok(Repeat { seq: row.get(0)?, ordinal: row.get(1)?, received_at: row.get(2)? }),
                )?;
                Ok(Some(Item { row, value, repeats }))
            })
            .await
    }

    /// How many items there are by day, of one route or all, in days since 1970-01-01 UTC.
    ///
    /// # Errors
    /// [`StoreError`] when the file cannot be read.
    pub async fn counters(&self, route: Option<&str>, days: RangeInclusive<i64>) -> Result<Vec<Counter>, StoreError> {
        self.sum(route, days, "day").await
    }

    /// How many items there are in all, of one route or all.
    ///
    /// # Errors
    /// [`StoreError`] when the file cannot be read.
    pub async fn totals(&self, route: Option<&str>) -> Result<Vec<Counter>, StoreError> {
        self.sum(route, i64::MIN..=i64::MAX, "0").await
    }

    async fn sum(
        &self,
        route: Option<&str>,
        days: RangeInclusive<i64>,
        day: &'static str,
    ) -> Result<Vec<Counter>, StoreError> {
        let route = route.map(str::to_owned);
        self.database
            .read(move |c| {
                let of_route = if route.is_some() { "route = ?1" } else { "?1 IS NULL" };
                let sql = format!(
                    "SELECT {day} AS unit, kind, status, sum(n) FROM counter
                     WHERE {of_route} AND day BETWEEN ?2 AND ?3
                     GROUP BY unit, kind, status ORDER BY unit, kind, status"
                );
                all(c, &sql, (route, days.start(), days.end()), |row| {
                    Ok(Counter { day: row.get(0)?, kind: row.get(1)?, status: row.get(2)?, count: row.get(3)? })
                })
            })
            .await
    }
}

fn page(c: &Connection, filter: &ItemFilter) -> Result<ItemPage, StoreError> {
    let Some((sql, values)) = statement(filter) else { return Ok(ItemPage { rows: Vec::new(), next: None }) };
    let mut rows = all(c, &sql, params_from_iter(values), item_row)?;
    let limit = filter.limit as usize;
    let more = rows.len() > limit;
    rows.truncate(limit);
    let next = rows.last().filter(|_| more).map(|last| last.id);
    Ok(ItemPage { rows, next })
}

/// `None` when nothing can match.
fn statement(filter: &ItemFilter) -> Option<(String, Vec<Value>)> {
    let mut conditions = Vec::new();
    let mut values: Vec<Value> = Vec::new();
    let mut id = "i.id";
    let mut tables = "item i";
    if let Some(search) = filter.search.as_deref().and_then(Search::parse) {
        // What was typed has no letter and no digit: no word begins so.
        values.push(search.words()?.into());
        conditions.push("item_words MATCH ?".to_owned());
        tables = "item_words w CROSS JOIN item i ON i.id = w.rowid";
        id = "w.rowid";
    }
    for (column, value) in [
        ("route", &filter.route),
        ("kind", &filter.kind),
        ("contact", &filter.contact),
        ("template_name", &filter.template),
        ("message_id", &filter.message_id),
    ] {
        if let Some(value) = value {
            values.push(value.clone().into());
            conditions.push(format!("i.{column} = ?"));
        }
    }
    if let Some(before) = filter.before {
        values.push(before.into());
        conditions.push(format!("{id} < ?"));
    }
    let filters = if conditions.is_empty() { String::new() } else { format!(" WHERE {}", conditions.join(" AND ")) };
    values.push((i64::from(filter.limit) + 1).into());
    Some((format!("SELECT {COLUMNS} FROM {tables}{filters} ORDER BY {id} DESC LIMIT ?"), values))
}

/// All but the value, which is long.
const COLUMNS: &str = "i.id, i.route, i.key, i.first_seq, i.ordinal, i.received_at, i.at, i.kind, i.field, i.entry_id, \
     i.message_id, i.contact, i.number_id, i.template_name, i.template_language, i.template_id, i.status, i.text, \
     i.deliveries";

fn item_row(row: &Row<'_>) -> rusqlite::Result<ItemRow> {
    Ok(ItemRow {
        id: row.get("id")?,
        route: row.get("route")?,
        key: row.get("key")?,
        first_seq: row.get("first_seq")?,
        ordinal: row.get("ordinal")?,
        received_at: row.get("received_at")?,
        at: row.get("at")?,
        kind: row.get("kind")?,
        field: row.get("field")?,
        entry_id: row.get("entry_id")?,
        message_id: row.get("message_id")?,
        contact: row.get("contact")?,
        number_id: row.get("number_id")?,
        template_name: row.get("template_name")?,
        template_language: row.get("template_language")?,
        template_id: row.get("template_id")?,
        status: row.get("status")?,
        text: row.get("text")?,
        deliveries: row.get("deliveries")?,
    })
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::*;
    use crate::cache::SCHEMA;
    use crate::connection;

    #[test]
    fn every_filter_walks_an_index_in_the_order_of_the_page() {
        let connection = connection::open_in_memory(&SCHEMA).unwrap();
        for bits in 0..0b1000_0000_u32 {
            let filter_on = |bit: u32| (bits >> bit & 1 == 1).then(|| "x".to_owned());
            let filter = ItemFilter {
                route: filter_on(0),
                kind: filter_on(1),
                search: filter_on(2),
                contact: filter_on(3),
                template: filter_on(4),
                message_id: filter_on(5),
                before: filter_on(6).map(|_| 9),
                limit: 50,
            };
            let (sql, values) = statement(&filter).unwrap();
            let plan: Vec<String> =
                all(&connection, &format!("EXPLAIN QUERY PLAN {sql}"), params_from_iter(values), |row| {
                    row.get("detail")
                })
                .unwrap();
            assert!(!plan.iter().any(|step| step.contains("TEMP B-TREE")), "{plan:#?} of {sql}");
            // Without any filter, the table itself is in the order of the page.
            let unfiltered = bits & 0b11_1111 == 0;
            let scans = plan.iter().any(|step| step.starts_with("SCAN i"));
            assert!(!scans || unfiltered, "{plan:#?} of {sql}");
        }
    }
}
