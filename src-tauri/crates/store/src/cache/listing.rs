//! Lists of templates: filtered, ordered, searched, from any place on.

use std::sync::Mutex;

use rusqlite::Connection;

use super::Cache;
use super::row::{COLUMNS, template_row};
use super::template::TemplateRow;
use super::template_index::{Directory, lock};
use crate::StoreError;

/// Order of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TemplateSort {
    /// Last changed first.
    #[default]
    Newest,
    /// By name, then language.
    Name,
}

/// Which templates of a workspace. Absent filters accept everything; of a list of values, which are whole words as stored,
/// any may fit, and the empty word stands for what the provider did not say.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct TemplateFilter {
    /// Workspace.
    pub workspace_id: String,
    /// Words as typed: each is the beginning of a word of name or body, or from three characters on a piece of the
    /// name.
    pub search: Option<String>,
    /// Statuses.
    pub statuses: Vec<String>,
    /// Categories.
    pub categories: Vec<String>,
    /// Languages.
    pub languages: Vec<String>,
    /// WABAs; the empty one stands for templates of which none is known.
    pub wabas: Vec<String>,
    /// Business managers.
    pub businesses: Vec<String>,
    /// Sending APIs.
    pub kinds: Vec<String>,
    /// Quality scores.
    pub qualities: Vec<String>,
    /// Formats of the header; the empty one stands for no header.
    pub headers: Vec<String>,
    /// With a carousel, or without.
    pub carousel: Option<bool>,
    /// In another category than asked for, or not.
    pub category_changed: Option<bool>,
    /// The channel's own samples only, or without them.
    pub samples: Option<bool>,
    /// Sent from here at that instant or after it.
    pub sent_since: Option<i64>,
    /// Not sent from here at that instant or after it, or never. [`i64::MIN`]: never.
    pub not_sent_since: Option<i64>,
    /// In review, not archived, and known to be so since before that instant.
    pub waiting_before: Option<i64>,
    /// Archived ones or the others, also those of which nobody knows.
    pub archived: Option<bool>,
    /// Order.
    pub sort: TemplateSort,
    /// How many come before the first row.
    pub offset: u32,
    /// At most so many rows.
    pub limit: u32,
}

/// A page of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplatePage {
    /// In the order asked for.
    pub rows: Vec<TemplateRow>,
    /// How many templates the filters accept.
    pub total: u64,
}

/// Which names of a workspace, with their languages side by side.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct NameFilter {
    /// Templates of which a name has to have one. Offset and limit count names; whatever the order, names come by name.
    pub templates: TemplateFilter,
    /// Only names that lack a language that another of them has or that is asked for.
    pub incomplete: bool,
    /// Only names whose languages differ in shape.
    pub different: bool,
}

/// A page of names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NamePage {
    /// The templates of each name, by language; archived ones too. Of the filters, those for languages, WABAs and
    /// business managers leave templates out, the others choose names only: a language that is there is not lacking.
    pub names: Vec<Vec<TemplateRow>>,
    /// How many names there are.
    pub total: u64,
    /// The languages of all these names and how many templates have each, most used first.
    pub languages: Vec<Facet>,
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
    /// WABAs; a template may be in several.
    pub wabas: Vec<Facet>,
    /// Business managers.
    pub businesses: Vec<Facet>,
    /// Sending APIs.
    pub kinds: Vec<Facet>,
    /// Quality scores.
    pub qualities: Vec<Facet>,
    /// Formats of the header; the empty one stands for no header.
    pub headers: Vec<Facet>,
    /// Those with a carousel.
    pub carousels: u64,
    /// Those in another category than asked for.
    pub category_changed: u64,
    /// The channel's own samples.
    pub samples: u64,
    /// Archived ones, whatever was asked for.
    pub archived: u64,
    /// All templates, whatever was asked for.
    pub total: u64,
}

impl Cache {
    /// A page of a list.
    ///
    /// # Errors
    /// [`StoreError`] when the file cannot be read.
    pub async fn templates(&self, filter: TemplateFilter) -> Result<TemplatePage, StoreError> {
        let directory = self.directories.of(&filter.workspace_id);
        self.database.read(move |c| page(c, &directory, &filter)).await
    }

    /// A page of names.
    ///
    /// # Errors
    /// [`StoreError`] when the file cannot be read.
    pub async fn names(&self, filter: NameFilter) -> Result<NamePage, StoreError> {
        let directory = self.directories.of(&filter.templates.workspace_id);
        self.database.read(move |c| names(c, &directory, &filter)).await
    }

    /// The values to filter by, counting archived templates, the others, or all.
    ///
    /// # Errors
    /// [`StoreError`] when the file cannot be read.
    pub async fn facets(&self, workspace_id: &str, archived: Option<bool>) -> Result<Facets, StoreError> {
        let directory = self.directories.of(workspace_id);
        let workspace_id = workspace_id.to_owned();
        self.database
            .read(move |c| {
                let mut directory = lock(&directory);
                directory.catch_up(c, &workspace_id)?;
                Ok(directory.facets(archived))
            })
            .await
    }

    /// Makes ready what searches need after much has changed, step by step, so that the first key of a search need not
    /// wait for it and nothing else waits for long. Does nothing where it is ready.
    ///
    /// # Errors
    /// [`StoreError`] when the file cannot be read.
    pub async fn prepare_search(&self, workspace_id: &str) -> Result<(), StoreError> {
        loop {
            let directory = self.directories.of(workspace_id);
            let workspace_id = workspace_id.to_owned();
            let more = self.database.read(move |c| {
                let mut directory = lock(&directory);
                directory.catch_up(c, &workspace_id)?;
                directory.read_texts(c)
            });
            if !more.await? {
                return Ok(());
            }
        }
    }
}

fn page(c: &Connection, directory: &Mutex<Directory>, filter: &TemplateFilter) -> Result<TemplatePage, StoreError> {
    let (total, ids) = {
        let mut directory = lock(directory);
        directory.catch_up(c, &filter.workspace_id)?;
        let found = directory.select(c, filter)?;
        let from = (filter.offset as usize).min(found.len());
        let to = from.saturating_add(filter.limit as usize).min(found.len());
        (found.len() as u64, directory.ids(&found[from..to]))
    };
    Ok(TemplatePage { rows: rows(c, &ids)?, total })
}

fn names(c: &Connection, directory: &Mutex<Directory>, filter: &NameFilter) -> Result<NamePage, StoreError> {
    let chosen = &filter.templates;
    let (total, languages, shown) = {
        let mut directory = lock(directory);
        directory.catch_up(c, &chosen.workspace_id)?;
        let (groups, languages) = directory.names(c, filter)?;
        let page = groups.iter().skip(chosen.offset as usize).take(chosen.limit as usize);
        let shown: Vec<Vec<i64>> = page.map(|group| directory.ids(group)).collect();
        (groups.len() as u64, languages, shown)
    };
    let names = shown.iter().map(|ids| rows(c, ids)).collect::<Result<_, _>>()?;
    Ok(NamePage { names, total, languages })
}

fn rows(c: &Connection, ids: &[i64]) -> Result<Vec<TemplateRow>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM template t WHERE t.id = ?1");
    let mut statement = c.prepare_cached(&sql)?;
    ids.iter().map(|id| Ok(statement.query_row([id], template_row)?)).collect()
}

#[cfg(test)]
mod tests;
