//! Lists of templates: filtered, ordered, searched, page by page.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

use super::Cache;
use super::row::{COLUMNS, template_row};
use super::search::{Search, list_token, quoted, token};
use super::template::TemplateRow;
use crate::StoreError;
use crate::database::{all, first};

/// Up to so many hits, a search by name is sorted; beyond, the list is walked in its order until a page is full of hits.
const FEW_HITS: u32 = 1_000;

/// Order of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TemplateSort {
    /// Last changed first.
    #[default]
    Newest,
    /// By name, then language.
    Name,
}

/// Which templates of a workspace. Absent filters accept everything; others match whole words as stored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TemplateFilter {
    /// Workspace.
    pub workspace_id: String,
    /// Words as typed: each is the beginning of a word of name or body, or from three characters on a piece of the
    /// name.
    pub search: Option<String>,
    /// Status.
    pub status: Option<String>,
    /// Category.
    pub category: Option<String>,
    /// Language.
    pub language: Option<String>,
    /// Which sending API.
    pub kind: Option<String>,
    /// WABA.
    pub waba: Option<String>,
    /// Archived ones or the others.
    pub archived: Option<bool>,
    /// Order.
    pub sort: TemplateSort,
    /// `next` of the page before.
    pub after: Option<String>,
    /// At most so many rows.
    pub limit: u32,
}

/// A page of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplatePage {
    /// In the order asked for.
    pub rows: Vec<TemplateRow>,
    /// Goes into [`TemplateFilter::after`] for the next page; absent on the last.
    pub next: Option<String>,
    /// How many templates the filters accept; absent for a search, whose hits nobody counts.
    pub total: Option<u64>,
}

/// A value and how many templates have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facet {
    /// The value.
    pub value: String,
    /// How many.
    pub count: u64,
}

/// The values that occur in a workspace, each list by value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facets {
    /// Statuses.
    pub statuses: Vec<Facet>,
    /// Categories.
    pub categories: Vec<Facet>,
    /// Languages.
    pub languages: Vec<Facet>,
    /// Sending APIs.
    pub kinds: Vec<Facet>,
    /// WABAs; a template may be in several.
    pub wabas: Vec<Facet>,
    /// Archived ones, whatever was asked for.
    pub archived: u64,
    /// All templates, whatever was asked for.
    pub total: u64,
}

impl Cache {
    /// A page of a list.
    ///
    /// # Errors
    /// [`StoreError::Page`] when `after` is no cursor of this order; others when the file cannot be read.
    pub async fn templates(&self, filter: TemplateFilter) -> Result<TemplatePage, StoreError> {
        self.database.read(move |c| page(c, &filter)).await
    }

    /// The values to filter by, counting archived templates, the others, or all.
    ///
    /// # Errors
    /// [`StoreError`] when the file cannot be read.
    pub async fn facets(&self, workspace_id: &str, archived: Option<bool>) -> Result<Facets, StoreError> {
        let workspace_id = workspace_id.to_owned();
        self.database.read(move |c| facets(c, &workspace_id, archived)).await
    }
}

/// Where a template stands in the order asked for. What comes first is less.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Newest(Reverse<i64>),
    Named(String, String, i64),
}

impl Place {
    /// Before every template.
    fn start(sort: TemplateSort) -> Self {
        match sort {
            TemplateSort::Newest => Self::Newest(Reverse(i64::MAX)),
            TemplateSort::Name => Self::Named(String::new(), String::new(), -1),
        }
    }

    fn from_cursor(sort: TemplateSort, cursor: &str) -> Result<Self, StoreError> {
        match sort {
            TemplateSort::Newest => serde_json::from_str(cursor).map(|rank| Self::Newest(Reverse(rank))),
            TemplateSort::Name => {
                serde_json::from_str(cursor).map(|(name, language, rank)| Self::Named(name, language, rank))
            }
        }
        .map_err(|_| StoreError::Page)
    }

    fn cursor(&self) -> String {
        match self {
            Self::Newest(Reverse(rank)) => serde_json::to_string(rank),
            Self::Named(name, language, rank) => serde_json::to_string(&(name, language, rank)),
        }
        .expect("texts and numbers are JSON")
    }

    fn rank(&self) -> i64 {
        match self {
            Self::Newest(Reverse(rank)) | Self::Named(_, _, rank) => *rank,
        }
    }
}

/// The templates of one combination of properties, in order, read as they are needed.
struct Shelf {
    tally: i64,
    read: VecDeque<Place>,
    last: Place,
    /// How many are read next time; 0 when there are no more.
    chunk: u32,
}

impl Shelf {
    fn next(&mut self, c: &Connection) -> Result<Option<Place>, StoreError> {
        if self.read.is_empty() && self.chunk > 0 {
            let rows: Vec<Place> = match &self.last {
                Place::Newest(Reverse(rank)) => all(
                    c,
                    "SELECT rank FROM entry WHERE tally_id = ?1 AND rank < ?2 ORDER BY rank DESC LIMIT ?3",
                    (self.tally, rank, self.chunk),
                    |row| Ok(Place::Newest(Reverse(row.get(0)?))),
                )?,
                Place::Named(name, language, rank) => all(
                    c,
                    "SELECT name, language, rank FROM entry_name
                     WHERE tally_id = ?1 AND (name, language, rank) > (?2, ?3, ?4)
                     ORDER BY name, language, rank LIMIT ?5",
                    (self.tally, name, language, rank, self.chunk),
                    |row| Ok(Place::Named(row.get(0)?, row.get(1)?, row.get(2)?)),
                )?,
            };
            if rows.len() < self.chunk as usize {
                self.chunk = 0;
            }
            if let Some(last) = rows.last() {
                self.last.clone_from(last);
            }
            self.chunk = self.chunk.saturating_mul(2).min(LARGEST_CHUNK);
            self.read = rows.into();
        }
        Ok(self.read.pop_front())
    }
}

/// Most rows that are read at once: what is read and not shown is at most that.
const LARGEST_CHUNK: u32 = 512;

/// The templates of several combinations, in order.
struct Merge<'a> {
    connection: &'a Connection,
    shelves: Vec<Shelf>,
    heads: BinaryHeap<Reverse<(Place, usize)>>,
}

impl<'a> Merge<'a> {
    fn after(connection: &'a Connection, after: &Place, tallies: &[i64], page: u32) -> Result<Self, StoreError> {
        let share = u32::try_from(tallies.len()).map_or(1, |shelves| page / shelves.max(1)).clamp(1, LARGEST_CHUNK);
        let shelf = |&tally: &i64| Shelf { tally, read: VecDeque::new(), last: after.clone(), chunk: share };
        let mut merge = Self { connection, shelves: tallies.iter().map(shelf).collect(), heads: BinaryHeap::new() };
        for index in 0..merge.shelves.len() {
            merge.refill(index)?;
        }
        Ok(merge)
    }

    fn refill(&mut self, index: usize) -> Result<(), StoreError> {
        if let Some(place) = self.shelves[index].next(self.connection)? {
            self.heads.push(Reverse((place, index)));
        }
        Ok(())
    }

    fn next(&mut self) -> Result<Option<Place>, StoreError> {
        let Some(Reverse((place, index))) = self.heads.pop() else { return Ok(None) };
        self.refill(index)?;
        Ok(Some(place))
    }

    /// Up to `limit` of those that are wanted.
    fn take(&mut self, limit: usize, wanted: impl Fn(i64) -> bool) -> Result<Vec<Place>, StoreError> {
        let mut places = Vec::with_capacity(limit);
        while places.len() < limit
            && let Some(place) = self.next()?
        {
            if wanted(place.rank()) {
                places.push(place);
            }
        }
        Ok(places)
    }
}

fn page(c: &Connection, filter: &TemplateFilter) -> Result<TemplatePage, StoreError> {
    let after = match &filter.after {
        Some(cursor) => Place::from_cursor(filter.sort, cursor)?,
        None => Place::start(filter.sort),
    };
    let limit = filter.limit as usize;
    let one_more = filter.limit.saturating_add(1);
    let (mut places, total) = match filter.search.as_deref().and_then(Search::parse) {
        None => {
            let tallies = tallies(c, filter)?;
            let total = tallies.iter().map(|(_, n)| n).sum();
            let ids: Vec<i64> = tallies.into_iter().map(|(id, _)| id).collect();
            (Merge::after(c, &after, &ids, one_more)?.take(limit + 1, |_| true)?, Some(total))
        }
        Some(search) => (found(c, filter, &search, &after, one_more)?, None),
    };
    let more = places.len() > limit;
    places.truncate(limit);
    let next = places.last().filter(|_| more).map(Place::cursor);
    let mut rows = Vec::with_capacity(places.len());
    let sql = format!("SELECT {COLUMNS} FROM template t WHERE t.rank = ?1");
    let mut statement = c.prepare_cached(&sql)?;
    for place in places {
        rows.push(statement.query_row([place.rank()], template_row)?);
    }
    Ok(TemplatePage { rows, next, total })
}

/// The combinations of properties that the filters accept, and how many templates have each.
fn tallies(c: &Connection, filter: &TemplateFilter) -> Result<Vec<(i64, u64)>, StoreError> {
    let mut sql = "SELECT id, n FROM tally WHERE workspace_id = ? AND waba_id = ? AND one_language = ?".to_owned();
    let mut values: Vec<Value> = vec![
        filter.workspace_id.clone().into(),
        filter.waba.clone().unwrap_or_default().into(),
        i64::from(filter.language.is_some()).into(),
    ];
    for (property, value) in properties(filter) {
        sql.push_str(&format!(" AND {property} = ?"));
        values.push(value.to_owned().into());
    }
    all(c, &sql, params_from_iter(values), |row| Ok((row.get(0)?, row.get(1)?)))
}

/// The properties that are asked for.
fn properties(filter: &TemplateFilter) -> impl Iterator<Item = (&'static str, &str)> {
    let archived = filter.archived.map(|archived| if archived { "1" } else { "0" });
    [
        ("language", filter.language.as_deref()),
        ("status", filter.status.as_deref()),
        ("category", filter.category.as_deref()),
        ("kind", filter.kind.as_deref()),
        ("archived", archived),
    ]
    .into_iter()
    .filter_map(|(property, value)| Some((property, value?)))
}

/// The hits of a search after a place, up to `limit`.
fn found(
    c: &Connection,
    filter: &TemplateFilter,
    search: &Search,
    after: &Place,
    limit: u32,
) -> Result<Vec<Place>, StoreError> {
    match after {
        Place::Newest(Reverse(rank)) => {
            let hits = hits(c, filter, search, *rank, limit)?;
            Ok(hits.into_iter().take(limit as usize).map(|rank| Place::Newest(Reverse(rank))).collect())
        }
        Place::Named(..) => {
            let few = hits(c, filter, search, i64::MAX, FEW_HITS)?;
            if few.len() >= FEW_HITS as usize {
                let hits = hits(c, filter, search, i64::MAX, u32::MAX)?;
                let hit = |rank: i64| hits.binary_search_by(|hit| rank.cmp(hit)).is_ok();
                let tallies: Vec<i64> = tallies(c, filter)?.into_iter().map(|(id, _)| id).collect();
                return Merge::after(c, after, &tallies, limit)?.take(limit as usize, hit);
            }
            let mut named = c.prepare_cached("SELECT name, language, rank FROM template WHERE rank = ?1")?;
            let mut places = Vec::with_capacity(few.len());
            for rank in few {
                let place = named.query_row([rank], |row| Ok(Place::Named(row.get(0)?, row.get(1)?, row.get(2)?)))?;
                if place > *after {
                    places.push(place);
                }
            }
            places.sort_unstable();
            places.truncate(limit as usize);
            Ok(places)
        }
    }
}

/// The ranks that words or pieces find below a rank, each once, highest first. They are the first of all hits, `limit`
/// at least if there are so many.
fn hits(
    c: &Connection,
    filter: &TemplateFilter,
    search: &Search,
    below: i64,
    limit: u32,
) -> Result<Vec<i64>, StoreError> {
    let mut scope = quoted(&list_token(&filter.workspace_id, filter.waba.as_deref().unwrap_or_default()));
    for (property, value) in properties(filter) {
        scope.push_str(" AND ");
        scope.push_str(&quoted(&token(property, value)));
    }
    let in_index = |table: &str, columns: &str, query: Option<String>| {
        let Some(query) = query else { return Ok(Vec::new()) };
        let sql =
            format!("SELECT rowid FROM {table} WHERE {table} MATCH ?1 AND rowid < ?2 ORDER BY rowid DESC LIMIT ?3");
        all(c, &sql, (format!("scope : ({scope}) AND {{{columns}}} : ({query})"), below, limit), |row| row.get(0))
    };
    let words: Vec<i64> = in_index("template_words", "name body_text", search.words())?;
    let pieces: Vec<i64> = in_index("template_pieces", "pieces", search.pieces())?;
    Ok(union(&words, &pieces))
}

/// Both lists, which are descending, as one.
fn union(mut left: &[i64], mut right: &[i64]) -> Vec<i64> {
    let mut union = Vec::with_capacity(left.len() + right.len());
    while let (Some(a), Some(b)) = (left.first(), right.first()) {
        union.push(*a.max(b));
        let (l, r) = (usize::from(a >= b), usize::from(b >= a));
        (left, right) = (&left[l..], &right[r..]);
    }
    union.extend_from_slice(left);
    union.extend_from_slice(right);
    union
}

fn facets(c: &Connection, workspace_id: &str, archived: Option<bool>) -> Result<Facets, StoreError> {
    let of = |column: &str| {
        let list = if column == "waba_id" { "waba_id > ''" } else { "waba_id = ''" };
        let one_language = column == "language";
        let sql = format!(
            "SELECT {column}, sum(n) FROM tally
             WHERE workspace_id = ?1 AND {list} AND one_language = ?2 AND (?3 IS NULL OR archived = ?3)
             GROUP BY {column} ORDER BY {column}"
        );
        all(c, &sql, (workspace_id, one_language, archived), |row| Ok(Facet { value: row.get(0)?, count: row.get(1)? }))
    };
    let (all_of_them, archived_ones) = first(
        c,
        "SELECT coalesce(sum(n), 0), coalesce(sum(n) FILTER (WHERE archived), 0) FROM tally
         WHERE workspace_id = ?1 AND waba_id = '' AND one_language = 0",
        [workspace_id],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?
    .unwrap_or((0, 0));
    Ok(Facets {
        statuses: of("status")?,
        categories: of("category")?,
        languages: of("language")?,
        kinds: of("kind")?,
        wabas: of("waba_id")?,
        archived: archived_ones,
        total: all_of_them,
    })
}

#[cfg(test)]
mod tests;
