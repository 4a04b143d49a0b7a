//! Lists of templates: filtered, ordered, searched, page by page.

use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

use super::Cache;
use super::row::{COLUMNS, template_row};
use super::search::Search;
use super::template::TemplateRow;
use crate::StoreError;
use crate::database::{all, first};

/// Up to so many hits, a search is sorted; beyond, the list is walked in its order until a page is full of hits.
const FEW_HITS: i64 = 2_000;

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

/// How a search is answered.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Hits {
    /// Nothing is looked for.
    Everything,
    /// Full-text queries for words and pieces. Few hits are sorted.
    Indexed { words: Option<String>, pieces: Option<String>, few: bool },
    /// Too short and strange for an index.
    Contains(Vec<String>),
}

/// A statement with its values, which are numbered in the order in which they were added.
#[derive(Default)]
struct Statement {
    sql: String,
    values: Vec<Value>,
}

impl Statement {
    fn push(&mut self, sql: &str) -> &mut Self {
        self.sql.push_str(sql);
        self
    }

    fn bind(&mut self, sql: &str, value: impl Into<Value>) -> &mut Self {
        self.values.push(value.into());
        self.push(sql)
    }
}

fn page(c: &Connection, filter: &TemplateFilter) -> Result<TemplatePage, StoreError> {
    let hits = hits(c, filter)?;
    let statement = statement(filter, &hits)?;
    let mut rows: Vec<(i64, TemplateRow)> =
        all(c, &statement.sql, params_from_iter(statement.values), |row| Ok((row.get("id")?, template_row(row)?)))?;
    let limit = filter.limit as usize;
    let more = rows.len() > limit;
    rows.truncate(limit);
    let next = rows.last().filter(|_| more).map(|(id, last)| cursor(filter.sort, *id, last));
    let total = if hits == Hits::Everything { Some(total(c, filter)?) } else { None };
    Ok(TemplatePage { rows: rows.into_iter().map(|(_, row)| row).collect(), next, total })
}

fn hits(c: &Connection, filter: &TemplateFilter) -> Result<Hits, StoreError> {
    let Some(search) = filter.search.as_deref().and_then(Search::parse) else { return Ok(Hits::Everything) };
    let (words, pieces) = (search.words(), search.pieces());
    if words.is_none() && pieces.is_none() {
        return Ok(Hits::Contains(search.chunks().to_vec()));
    }
    let mut few = true;
    for (table, query) in [("template_words", &words), ("template_pieces", &pieces)] {
        if let Some(query) = query {
            let sql = format!("SELECT count(*) FROM (SELECT 1 FROM {table} WHERE {table} MATCH ?1 LIMIT ?2)");
            let found: i64 = first(c, &sql, (query, FEW_HITS), |row| row.get(0))?.unwrap_or(0);
            few &= found < FEW_HITS;
        }
    }
    Ok(Hits::Indexed { words, pieces, few })
}

fn statement(filter: &TemplateFilter, hits: &Hits) -> Result<Statement, StoreError> {
    let mut statement = Statement::default();
    statement.push(&format!("SELECT {COLUMNS} FROM "));
    let by_name = filter.sort == TemplateSort::Name;
    let sorted = matches!(hits, Hits::Indexed { few: true, .. });
    if let (true, Hits::Indexed { words, pieces, .. }) = (sorted, hits) {
        statement.push("(");
        found(&mut statement, words.as_deref(), pieces.as_deref());
        statement.push(
            ") f CROSS JOIN template t ON t.id = f.id CROSS JOIN entry e
             ON e.workspace_id = t.workspace_id AND e.updated_at = t.updated_at AND e.template_id = t.id",
        );
    } else {
        // Said here, not guessed by the planner: each order has its index, and a status narrows both.
        let index = match (filter.status.is_some(), by_name) {
            (false, false) => "",
            (false, true) => "INDEXED BY entry_name",
            (true, false) => "INDEXED BY entry_status",
            (true, true) => "INDEXED BY entry_status_name",
        };
        statement.push(&format!("entry e {index} CROSS JOIN template t ON t.id = e.template_id"));
    }
    statement
        .bind(" WHERE e.workspace_id = ?", filter.workspace_id.clone())
        .bind(" AND e.waba_id = ?", filter.waba.clone().unwrap_or_default());
    narrow(&mut statement, filter, "e");
    match hits {
        Hits::Indexed { words, pieces, few: false } => {
            statement.push(" AND e.template_id IN (");
            found(&mut statement, words.as_deref(), pieces.as_deref());
            statement.push(")");
        }
        Hits::Contains(chunks) => {
            for chunk in chunks {
                statement.bind(" AND instr(e.name, ?) > 0", chunk.clone());
            }
        }
        Hits::Everything | Hits::Indexed { few: true, .. } => {}
    }
    if let Some(after) = &filter.after {
        if by_name {
            let (name, language, id): (String, String, i64) =
                serde_json::from_str(after).map_err(|_| StoreError::Page)?;
            statement
                .bind(" AND (e.name, e.language, e.template_id) > (?", name)
                .bind(", ?", language)
                .bind(", ?)", id);
        } else {
            let (at, id): (i64, i64) = serde_json::from_str(after).map_err(|_| StoreError::Page)?;
            statement.bind(" AND (e.updated_at, e.template_id) < (?", at).bind(", ?)", id);
        }
    }
    statement
        .push(if by_name {
            " ORDER BY e.name, e.language, e.template_id"
        } else {
            " ORDER BY e.updated_at DESC, e.template_id DESC"
        })
        .bind(" LIMIT ?", i64::from(filter.limit) + 1);
    Ok(statement)
}

/// The hits of either index, each once.
fn found(statement: &mut Statement, words: Option<&str>, pieces: Option<&str>) {
    let mut union = "";
    for (table, query) in [("template_words", words), ("template_pieces", pieces)] {
        if let Some(query) = query {
            statement.bind(&format!("{union}SELECT rowid AS id FROM {table} WHERE {table} MATCH ?"), query.to_owned());
            union = " UNION ";
        }
    }
}

fn narrow(statement: &mut Statement, filter: &TemplateFilter, table: &str) {
    for (column, value) in [
        ("status", &filter.status),
        ("category", &filter.category),
        ("language", &filter.language),
        ("kind", &filter.kind),
    ] {
        if let Some(value) = value {
            statement.bind(&format!(" AND {table}.{column} = ?"), value.clone());
        }
    }
    if let Some(archived) = filter.archived {
        statement.bind(&format!(" AND {table}.archived = ?"), i64::from(archived));
    }
}

fn cursor(sort: TemplateSort, id: i64, row: &TemplateRow) -> String {
    match sort {
        TemplateSort::Newest => serde_json::to_string(&(row.updated_at, id)),
        TemplateSort::Name => serde_json::to_string(&(&row.name, &row.language, id)),
    }
    .expect("texts and numbers are JSON")
}

fn total(c: &Connection, filter: &TemplateFilter) -> Result<u64, StoreError> {
    let mut statement = Statement::default();
    statement
        .bind("SELECT coalesce(sum(y.n), 0) FROM tally y WHERE y.workspace_id = ?", filter.workspace_id.clone())
        .bind(" AND y.waba_id = ?", filter.waba.clone().unwrap_or_default());
    narrow(&mut statement, filter, "y");
    Ok(first(c, &statement.sql, params_from_iter(statement.values), |row| row.get(0))?.unwrap_or(0))
}

fn facets(c: &Connection, workspace_id: &str, archived: Option<bool>) -> Result<Facets, StoreError> {
    let of = |column: &str| {
        let list = if column == "waba_id" { "waba_id <> ''" } else { "waba_id = ''" };
        let sql = format!(
            "SELECT {column}, sum(n) FROM tally WHERE workspace_id = ?1 AND {list} AND (?2 IS NULL OR archived = ?2)
             GROUP BY {column} ORDER BY {column}"
        );
        all(c, &sql, (workspace_id, archived), |row| Ok(Facet { value: row.get(0)?, count: row.get(1)? }))
    };
    let (all_of_them, archived_ones) = first(
        c,
        "SELECT coalesce(sum(n), 0), coalesce(sum(n) FILTER (WHERE archived), 0) FROM tally
         WHERE workspace_id = ?1 AND waba_id = ''",
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
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::*;
    use crate::cache::SCHEMA;
    use crate::connection;

    /// Every combination of filters, orders and searches, on the first page and on a later one.
    fn statements() -> Vec<Statement> {
        let indexed = |few| Hits::Indexed { words: Some("\"a\"*".to_owned()), pieces: Some("\"abc\"".to_owned()), few };
        let searches = [Hits::Everything, indexed(true), indexed(false), Hits::Contains(vec!["_".to_owned()])];
        let mut statements = Vec::new();
        for bits in 0..0b1_0000_0000_u32 {
            let filter_on = |bit: u32| (bits >> bit & 1 == 1).then(|| "x".to_owned());
            let sort = if bits >> 6 & 1 == 1 { TemplateSort::Name } else { TemplateSort::Newest };
            let after = (bits >> 7 & 1 == 1).then(|| cursor(sort, 1, &TemplateRow::default()));
            let filter = TemplateFilter {
                workspace_id: "w".to_owned(),
                search: None,
                status: filter_on(0),
                category: filter_on(1),
                language: filter_on(2),
                kind: filter_on(3),
                waba: filter_on(4),
                archived: filter_on(5).map(|_| false),
                sort,
                after,
                limit: 50,
            };
            statements.extend(searches.iter().map(|hits| statement(&filter, hits).unwrap()));
        }
        statements
    }

    #[test]
    fn no_list_reads_every_template_or_sorts_more_than_few() {
        let connection = connection::open_in_memory(&SCHEMA).unwrap();
        let statements = statements();
        assert_eq!(statements.len(), 1_024);
        for statement in statements {
            let sql = format!("EXPLAIN QUERY PLAN {}", statement.sql);
            let plan: Vec<String> =
                all(&connection, &sql, params_from_iter(statement.values), |row| row.get("detail")).unwrap();
            for step in &plan {
                // Full-text tables are always "scanned": by the query that is their index.
                let scans = step.starts_with("SCAN") && !step.contains("VIRTUAL TABLE INDEX") && step != "SCAN f";
                assert!(!scans, "{step} in {plan:#?} of {}", statement.sql);
                let sorts = step.contains("TEMP B-TREE FOR ORDER BY");
                let few = statement.sql.contains(") f CROSS JOIN");
                assert!(!sorts || few, "{step} in {plan:#?} of {}", statement.sql);
            }
            let walks = plan.iter().any(|step| step.starts_with("SEARCH e USING"));
            assert!(walks, "{plan:#?} of {}", statement.sql);
        }
    }
}
