//! Lists of templates: filtered, ordered, searched, from any place on.

use std::sync::Mutex;

use rusqlite::Connection;

use super::Cache;
use super::row::{COLUMNS, template_row};
use super::template::TemplateRow;
use super::template_filter::{Facet, Facets, NameFilter, TemplateFilter};
use super::template_index::{Directory, lock};
use crate::StoreError;

/// A page of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplatePage {
    /// In the order asked for.
    pub rows: Vec<TemplateRow>,
    /// How many templates the filters accept.
    pub total: u64,
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
