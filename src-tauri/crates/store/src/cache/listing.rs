//! Lists of templates: filter, order, search and pages.

use std::sync::Mutex;

use rusqlite::Connection;

use super::Cache;
use super::row::{COLUMNS, TEMPLATES, template_row};
use super::template::TemplateRow;
use super::template_filter::{Facet, Facets, NameFilter, TemplateFilter};
use super::template_index::{TemplateIndex, lock};
use crate::StoreError;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplatePage {
    /// In the requested order.
    pub rows: Vec<TemplateRow>,
    /// Number of templates that match the filters.
    pub total: u64,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NamePage {
    /// The templates of each name, by language; archived ones too. Only the filters for languages, WABAs and business
    /// managers remove templates; the others select names, so that an existing language never appears to be missing.
    pub names: Vec<Vec<TemplateRow>>,
    pub total: u64,
    /// The languages of all these names with the number of templates, most used first.
    pub languages: Vec<Facet>,
}

impl Cache {
    pub async fn templates(&self, filter: TemplateFilter) -> Result<TemplatePage, StoreError> {
        let index = self.template_indexes.of(&filter.workspace_id);
        self.database.read(move |c| page(c, &index, &filter)).await
    }

    pub async fn names(&self, filter: NameFilter) -> Result<NamePage, StoreError> {
        let index = self.template_indexes.of(&filter.templates.workspace_id);
        self.database.read(move |c| names(c, &index, &filter)).await
    }

    /// The values to filter by, counted over archived templates, over the others, or over all.
    pub async fn facets(&self, workspace_id: &str, archived: Option<bool>) -> Result<Facets, StoreError> {
        let index = self.template_indexes.of(workspace_id);
        let workspace_id = workspace_id.to_owned();
        self.database
            .read(move |c| {
                let mut index = lock(&index);
                index.update(c, &workspace_id)?;
                Ok(index.facets(archived))
            })
            .await
    }

    /// Builds the search index in steps after many changes, so that neither the first search nor anything else waits
    /// for long. Does nothing if the index is up to date.
    pub async fn prepare_search(&self, workspace_id: &str) -> Result<(), StoreError> {
        loop {
            let index = self.template_indexes.of(workspace_id);
            let workspace_id = workspace_id.to_owned();
            let more = self.database.read(move |c| {
                let mut index = lock(&index);
                index.update(c, &workspace_id)?;
                index.read_texts(c)
            });
            if !more.await? {
                return Ok(());
            }
        }
    }
}

fn page(c: &Connection, index: &Mutex<TemplateIndex>, filter: &TemplateFilter) -> Result<TemplatePage, StoreError> {
    let (total, ids) = {
        let mut index = lock(index);
        index.update(c, &filter.workspace_id)?;
        let found = index.select(c, filter)?;
        let from = (filter.offset as usize).min(found.len());
        let to = from.saturating_add(filter.limit as usize).min(found.len());
        (found.len() as u64, index.ids(&found[from..to]))
    };
    Ok(TemplatePage { rows: rows(c, &ids)?, total })
}

fn names(c: &Connection, index: &Mutex<TemplateIndex>, filter: &NameFilter) -> Result<NamePage, StoreError> {
    let chosen = &filter.templates;
    let (total, languages, shown) = {
        let mut index = lock(index);
        index.update(c, &chosen.workspace_id)?;
        let (groups, languages) = index.names(c, filter)?;
        let page = groups.iter().skip(chosen.offset as usize).take(chosen.limit as usize);
        let shown: Vec<Vec<i64>> = page.map(|group| index.ids(group)).collect();
        (groups.len() as u64, languages, shown)
    };
    let names = shown.iter().map(|ids| rows(c, ids)).collect::<Result<_, _>>()?;
    Ok(NamePage { names, total, languages })
}

fn rows(c: &Connection, ids: &[i64]) -> Result<Vec<TemplateRow>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM {TEMPLATES} WHERE t.id = ?1");
    let mut statement = c.prepare_cached(&sql)?;
    ids.iter().map(|id| Ok(statement.query_row([id], template_row)?)).collect()
}

#[cfg(test)]
mod tests;
