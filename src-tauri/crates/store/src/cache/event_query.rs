//! Queries of events: a page of items by any combination of filters, in bounded work for any number of items.
//!
//! Filters with few distinct values (route, kind, status, number) select a set of classes; each class is a list of ids
//! in an index, as are the items of a contact or a template, and the results of a search. A page merges such lists and
//! checks the remaining filters on each row. If too few rows match, the page ends early and returns how far it
//! searched, so that every query takes bounded time and the next page continues there.

use std::collections::{HashSet, VecDeque};

use rusqlite::{Connection, ToSql, params_from_iter};

use super::Cache;
use super::item::{ItemRow, instants, last_item_of, position_id, rows};
use super::message;
use super::projection::{Cursor, cursor};
use super::record::MOMENT_BITS;
use super::search::Search;
use crate::StoreError;
use crate::rows::{all, first, scalar};

/// Maximum number of rows examined for one page.
const MAX_EXAMINED: usize = 10_000;
/// A set of classes with at most this many items is always used as the list.
const SMALL_SET: u64 = 2_000;
/// Ids read at once from one list: initially, and at most.
const CHUNK: (u32, u32) = (64, 1_024);
/// Ids read at once from a search, which is executed again each time.
const SEARCH_CHUNK: u32 = 2_048;

/// Filter for items. Absent filters accept everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ItemFilter {
    /// The endpoint.
    pub route: Option<String>,
    pub kind: Option<String>,
    /// The status or event they report.
    pub status: Option<String>,
    /// The number that they arrived through.
    pub number: Option<String>,
    /// The person that they refer to.
    pub contact: Option<String>,
    /// Name of the template that they refer to.
    pub template: Option<String>,
    /// Words as typed, each a prefix of a word; or a contact; or a message's identifier.
    pub search: Option<String>,
    /// First received at this instant or later.
    pub from: Option<i64>,
    /// First received before this instant.
    pub to: Option<i64>,
    /// `next` of the previous page.
    pub after: Option<i64>,
    /// Oldest first instead of newest first.
    pub ascending: bool,
    pub limit: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemPage {
    /// In the requested order.
    pub rows: Vec<ItemRow>,
    /// Value of [`ItemFilter::after`] for the next page; absent on the last page.
    pub next: Option<i64>,
    /// Arrival of the last examined item, if the page ended before it was full because few examined items matched. The
    /// next page continues there.
    pub searched_to: Option<i64>,
    /// How much of the delivery log the items come from.
    pub cursor: Option<Cursor>,
}

impl Cache {
    pub async fn items(&self, filter: ItemFilter) -> Result<ItemPage, StoreError> {
        self.database.read(move |c| Ok(ItemPage { cursor: cursor(c)?, ..page(c, &filter)? })).await
    }
}

/// A source of ids.
#[derive(Clone, Debug, PartialEq)]
enum Source {
    /// Every item.
    All,
    Class(i64),
    Contact(String),
    Template(String),
    /// Results of a full-text query.
    Words(String),
    /// These ids, ascending.
    Listed(Vec<i64>),
}

impl Source {
    /// The statement that reads ids between two bounds, both inclusive, in one order.
    fn sql(&self, ascending: bool) -> String {
        let (table, id, condition) = match self {
            Self::All => ("item_row", "id", ""),
            Self::Class(_) => ("item_row INDEXED BY item_class", "id", "class = ?4 AND"),
            Self::Contact(_) => {
                ("item_row INDEXED BY item_contact", "id", "contact = (SELECT id FROM person WHERE name = ?4) AND")
            }
            Self::Template(_) => ("item_row INDEXED BY item_template", "id", "template_name = ?4 AND"),
            Self::Words(_) => ("item_words", "rowid", "item_words MATCH ?4 AND"),
            Self::Listed(_) => unreachable!("a list is read from memory"),
        };
        let order = if ascending { "ASC" } else { "DESC" };
        format!("SELECT {id} FROM {table} WHERE {condition} {id} BETWEEN ?1 AND ?2 ORDER BY {id} {order} LIMIT ?3")
    }
}

/// Ids of one source in the order of the page, read in chunks.
struct Stream {
    source: Source,
    ascending: bool,
    /// Range still to be read, inclusive.
    low: i64,
    high: i64,
    chunk: u32,
    ready: VecDeque<i64>,
}

impl Stream {
    fn new(source: Source, ascending: bool, (low, high): (i64, i64)) -> Self {
        let chunk = if matches!(source, Source::Words(_)) { SEARCH_CHUNK } else { CHUNK.0 };
        Self { source, ascending, low, high, chunk, ready: VecDeque::new() }
    }

    /// Peeks at the next id.
    fn head(&mut self, c: &Connection) -> Result<Option<i64>, StoreError> {
        if self.ready.is_empty() && self.low <= self.high {
            self.read(c)?;
        }
        Ok(self.ready.front().copied())
    }

    fn read(&mut self, c: &Connection) -> Result<(), StoreError> {
        if let Source::Listed(ids) = &self.source {
            self.ready = ids.iter().copied().filter(|id| (self.low..=self.high).contains(id)).collect();
            if !self.ascending {
                self.ready.make_contiguous().reverse();
            }
        } else {
            let mut values: Vec<&dyn ToSql> = vec![&self.low, &self.high, &self.chunk];
            match &self.source {
                Source::Class(class) => values.push(class),
                Source::Contact(text) | Source::Template(text) | Source::Words(text) => values.push(text),
                Source::All | Source::Listed(_) => {}
            }
            self.ready = all(c, &self.source.sql(self.ascending), params_from_iter(values), scalar)?.into();
        }
        let whole = matches!(self.source, Source::Listed(_)) || self.ready.len() < self.chunk as usize;
        match self.ready.back() {
            Some(last) if !whole && self.ascending => self.low = last + 1,
            Some(last) if !whole => self.high = last - 1,
            _ => (self.low, self.high) = (1, 0),
        }
        self.chunk = (self.chunk * 2).min(CHUNK.1.max(self.chunk));
        Ok(())
    }
}

/// Merges several lists; returns each id once.
struct Merge {
    streams: Vec<Stream>,
    ascending: bool,
}

impl Merge {
    fn next(&mut self, c: &Connection) -> Result<Option<i64>, StoreError> {
        let mut best: Option<i64> = None;
        for stream in &mut self.streams {
            // Skip lists that cannot contain the next id: most classes end before the page begins.
            if stream.ready.is_empty()
                && best.is_some_and(|best| if self.ascending { stream.low > best } else { stream.high < best })
            {
                continue;
            }
            if let Some(id) = stream.head(c)? {
                let better = |best: i64| if self.ascending { id < best } else { id > best };
                if best.is_none_or(better) {
                    best = Some(id);
                }
            }
        }
        if let Some(best) = best {
            for stream in self.streams.iter_mut().filter(|stream| stream.ready.front() == Some(&best)) {
                stream.ready.pop_front();
            }
        }
        Ok(best)
    }
}

/// A class that a filter accepts.
struct Class {
    id: i64,
    count: u64,
    last_id: i64,
}

/// How a page is read.
struct Plan {
    /// Lists to merge; empty if nothing can match.
    sources: Vec<(Source, i64)>,
    /// Classes to check on each row.
    classes: Option<HashSet<i64>>,
    /// Whether to check contact and template on each row.
    check_about: bool,
}

fn page(c: &Connection, filter: &ItemFilter) -> Result<ItemPage, StoreError> {
    let nothing = ItemPage { rows: Vec::new(), next: None, searched_to: None, cursor: None };
    let Some((low, high)) = range(c, filter)? else { return Ok(nothing) };
    let Some(plan) = plan(c, filter)? else { return Ok(nothing) };
    let ascending = filter.ascending;
    let mut streams: Vec<Stream> = plan
        .sources
        .into_iter()
        .map(|(source, last)| Stream::new(source, ascending, (low, high.min(last))))
        .filter(|stream| stream.low <= stream.high)
        .collect();
    // Lists with the highest ids first, so that the others are read as late as possible.
    streams.sort_by_key(|stream| std::cmp::Reverse(stream.high));
    let mut merge = Merge { streams, ascending };
    let check = plan.classes.is_some() || plan.check_about || filter.from.is_some() || filter.to.is_some();
    let limit = filter.limit as usize;
    let mut found = Vec::new();
    let mut looked = 0;
    let mut last = None;
    while let Some(id) = merge.next(c)? {
        if found.len() == limit {
            return Ok(ItemPage {
                rows: rows(c, &found)?,
                next: found.last().copied(),
                searched_to: None,
                cursor: None,
            });
        }
        if looked == MAX_EXAMINED {
            let searched_to = match last {
                Some(last) => first(c, ARRIVAL, [last], |row| Ok(instants(&row.get(0)?, row.get(1)?, row.get(2)?).1))?,
                None => None,
            };
            return Ok(ItemPage { rows: rows(c, &found)?, next: last, searched_to, cursor: None });
        }
        looked += 1;
        last = Some(id);
        if !check || matches(c, id, filter, plan.classes.as_ref())? {
            found.push(id);
        }
    }
    Ok(ItemPage { rows: rows(c, &found)?, next: None, searched_to: None, cursor: None })
}

const ARRIVAL: &str = "SELECT key, at, delay FROM item_row WHERE id = ?1";

const CHECK: &str = "SELECT i.class, p.name, i.template_name, i.key, i.at, i.delay
  FROM item_row i LEFT JOIN person p ON p.id = i.contact WHERE i.id = ?1";

/// Whether a row matches the filter, except its search.
fn matches(c: &Connection, id: i64, filter: &ItemFilter, classes: Option<&HashSet<i64>>) -> Result<bool, StoreError> {
    let found = first(c, CHECK, [id], |row| {
        let is = |column: usize, wanted: &Option<String>| -> rusqlite::Result<bool> {
            let Some(wanted) = wanted else { return Ok(true) };
            Ok(row.get::<_, Option<String>>(column)?.as_ref() == Some(wanted))
        };
        let class: i64 = row.get(0)?;
        let (_, at) = instants(&row.get(3)?, row.get(4)?, row.get(5)?);
        Ok(classes.is_none_or(|classes| classes.contains(&class))
            && is(1, &filter.contact)?
            && is(2, &filter.template)?
            && filter.from.is_none_or(|from| at >= from)
            && filter.to.is_none_or(|to| at < to))
    })?;
    Ok(found.unwrap_or(false))
}

/// Range of ids that can match, inclusive: received in the requested time, after the previous page.
fn range(c: &Connection, filter: &ItemFilter) -> Result<Option<(i64, i64)>, StoreError> {
    let (mut low, mut high) = (0, i64::MAX);
    let end_of = |block: i64| position_id((block + 1) << MOMENT_BITS, 0) - 1;
    if let Some(from) = filter.from {
        let block = first(c, OLDEST_BLOCK, [from], scalar::<i64>)?;
        let Some(block) = block else { return Ok(None) };
        low = position_id(block << MOMENT_BITS, 0);
    }
    if let Some(to) = filter.to {
        let block = first(c, NEWEST_BLOCK, [to], scalar::<i64>)?;
        let Some(block) = block else { return Ok(None) };
        high = end_of(block);
    }
    match filter.after {
        Some(after) if filter.ascending => low = low.max(after.saturating_add(1)),
        Some(after) => high = high.min(after.saturating_sub(1)),
        None => {}
    }
    Ok((low <= high).then_some((low, high)))
}

/// Reads a table with one row per 1,024 deliveries.
const OLDEST_BLOCK: &str = "SELECT block FROM moment WHERE last_at >= ?1 ORDER BY block LIMIT 1";
const NEWEST_BLOCK: &str = "SELECT block FROM moment WHERE first_at < ?1 ORDER BY block DESC LIMIT 1";

/// Decides which lists are read and what is checked on the rows; `None` if nothing can match.
fn plan(c: &Connection, filter: &ItemFilter) -> Result<Option<Plan>, StoreError> {
    let classes = classes(c, filter)?;
    if classes.as_ref().is_some_and(Vec::is_empty) {
        return Ok(None);
    }
    let checked =
        |classes: &Option<Vec<Class>>| classes.as_ref().map(|classes| classes.iter().map(|class| class.id).collect());
    let check_about = filter.contact.is_some() || filter.template.is_some();
    if let Some(typed) = filter.search.as_deref()
        && let Some(search) = Search::parse(typed)
    {
        let sources = searched(c, filter, typed, &search)?;
        return Ok(Some(Plan { sources, classes: checked(&classes), check_about }));
    }
    let few = classes.as_ref().is_some_and(|classes| classes.iter().map(|class| class.count).sum::<u64>() <= SMALL_SET);
    let about = match (&filter.template, &filter.contact) {
        (Some(template), _) => Some(Source::Template(template.clone())),
        (None, Some(contact)) => Some(Source::Contact(contact.clone())),
        (None, None) => None,
    };
    Ok(Some(match (about, classes) {
        (Some(source), classes) if !few => {
            // One of the two is the list itself.
            let check_about = filter.contact.is_some() && filter.template.is_some();
            Plan { sources: vec![(source, i64::MAX)], classes: checked(&classes), check_about }
        }
        (_, Some(classes)) => {
            let sources = classes.iter().map(|class| (Source::Class(class.id), class.last_id)).collect();
            Plan { sources, classes: None, check_about }
        }
        (_, None) => Plan { sources: vec![(Source::All, i64::MAX)], classes: None, check_about },
    }))
}

/// The classes that a filter accepts; `None` when it accepts all.
fn classes(c: &Connection, filter: &ItemFilter) -> Result<Option<Vec<Class>>, StoreError> {
    let mut conditions = vec!["n > 0".to_owned()];
    let mut values = Vec::new();
    for (column, value) in
        [("route", &filter.route), ("kind", &filter.kind), ("status", &filter.status), ("number_id", &filter.number)]
    {
        if let Some(value) = value {
            values.push(value);
            conditions.push(format!("{column} = ?{}", values.len()));
        }
    }
    if values.is_empty() {
        return Ok(None);
    }
    let sql = format!("SELECT id, n, last_id FROM class WHERE {}", conditions.join(" AND "));
    let classes = all(c, &sql, params_from_iter(values), |row| {
        Ok(Class { id: row.get(0)?, count: row.get(1)?, last_id: row.get(2)? })
    })?;
    Ok(Some(classes))
}

/// Items of one delivery that refer to a message.
pub(super) const LISTED: &str = "SELECT id FROM item WHERE id BETWEEN ?1 AND ?2 AND message_id = ?3 ORDER BY id";

/// The lists that together contain the results of a search: words, a contact, a message.
fn searched(
    c: &Connection,
    filter: &ItemFilter,
    typed: &str,
    search: &Search,
) -> Result<Vec<(Source, i64)>, StoreError> {
    let mut sources = Vec::new();
    if let Some(mut query) = search.words() {
        // The full-text index intersects faster than row checks; the rows are still checked for the exact text.
        for about in [&filter.contact, &filter.template].into_iter().flatten() {
            if about.chars().any(char::is_alphanumeric) {
                query = format!("{query} about : \"{}\"", about.replace('"', "\"\""));
            }
        }
        sources.push((Source::Words(query), i64::MAX));
    }
    let digits: String =
        typed.chars().filter(|char| !char.is_whitespace() && !matches!(char, '+' | '-' | '(' | ')')).collect();
    if digits.len() >= 5 && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        sources.push((Source::Contact(digits), i64::MAX));
    }
    let typed = typed.trim();
    if !typed.contains(char::is_whitespace) {
        sources.push((Source::Contact(typed.to_owned()), i64::MAX));
        let mut ids = Vec::new();
        let routes = match &filter.route {
            Some(route) => vec![route.clone()],
            None => all(c, "SELECT DISTINCT route FROM class", [], scalar)?,
        };
        for route in routes {
            for seq in message::seqs(c, &route, typed)? {
                ids.extend(all(c, LISTED, (position_id(seq, 0), last_item_of(seq), typed), scalar::<i64>)?);
            }
        }
        if !ids.is_empty() {
            ids.sort_unstable();
            ids.dedup();
            sources.push((Source::Listed(ids), i64::MAX));
        }
    }
    debug_assert!(sources.iter().all(|(source, _)| *source != Source::All));
    Ok(sources)
}

#[cfg(test)]
mod tests;
