//! The review board: all templates by status, from draft to archived, and those that need attention.

use std::collections::HashSet;

use model::component::Component;
use store::cache::TemplateFilter;

use crate::draft_document;
use crate::templates::Templates;
use crate::templates::queries::{NO_HEADER, facets, row};
use command_types::composer::{Draft, DraftRow};
use command_types::error::Result;
use command_types::template::{
    Facets, ReviewBoard, ReviewBoardQuery, ReviewColumn, ReviewNeeds, TemplateQuery, TemplateSort,
};
use outgoing::template_text::body_text;

/// Columns that are always shown; the one of archived templates is last.
const COLUMNS: [&str; 5] = ["PENDING", "APPROVED", "REJECTED", "PAUSED", "DISABLED"];
const ARCHIVED: &str = "ARCHIVED";

impl Templates {
    /// The review board. Applies the query's filters, except that for archived templates, and its limit to each column.
    pub async fn get_review_board(&self, request: ReviewBoardQuery) -> Result<ReviewBoard> {
        let ReviewBoardQuery { query, by_account } = request;
        self.sync_if_outdated(&query.workspace).await?;
        let workspace = query.workspace.clone();
        let known = self.0.context.cache.facets(&workspace, None).await?;
        let active = self.0.context.cache.facets(&workspace, Some(false)).await?;
        let drafts = self.board_drafts(&query).await?;
        let wanted =
            self.filter(TemplateQuery { archived: None, sort: TemplateSort::Newest, offset: 0, ..query }).await?;
        let limit = wanted.limit as usize;
        let all_statuses = TemplateFilter { statuses: Vec::new(), ..wanted.clone() };
        let mut filters = match by_account {
            Some(true) => account_columns(&wanted, active),
            _ => status_columns(&all_statuses, active),
        };
        let archived = TemplateFilter { archived: Some(true), ..all_statuses.clone() };
        filters.push((column(ARCHIVED, None), archived));
        let (mut columns, mut rows) = (Vec::with_capacity(filters.len()), Vec::new());
        for (column, filter) in filters {
            let page = self.0.context.cache.templates(filter).await?;
            rows.extend(page.rows.iter().cloned());
            columns.push(ReviewColumn { count: page.total, rows: page.rows.into_iter().map(row).collect(), ..column });
        }
        // A template of several accounts has several cards.
        let mut seen = HashSet::new();
        rows.retain(|row| seen.insert(row.reference.clone()));
        let categories = self.category_changes(&workspace, &rows).await?;
        Ok(ReviewBoard {
            columns,
            differing: self.differing_statuses(&workspace, &rows).await?,
            flagged: self.flagged(&workspace, &rows).await?,
            accounts: self.account_states_of(&workspace, &rows).await?,
            coming_categories: categories.coming,
            raised_categories: categories.raised,
            draft_count: drafts.len() as u64,
            drafts: drafts.into_iter().take(limit).collect(),
            as_of: self.0.context.cache.listed_at(&workspace).await?,
            facets: facets(known),
            needs: self.attention_counts(all_statuses).await?,
        })
    }

    /// Counts the templates that need attention, regardless of the filters that narrow the board to some of them.
    async fn attention_counts(&self, filter: TemplateFilter) -> Result<ReviewNeeds> {
        let (usual, overdue_before) = self.usual_review(&filter.workspace_id).await?;
        let workspace = filter.workspace_id.clone();
        let any = TemplateFilter { category_changed: None, waiting_before: None, at_risk: None, limit: 1, ..filter };
        let count =
            async |filter: TemplateFilter| -> Result<u64> { Ok(self.0.context.cache.templates(filter).await?.total) };
        let of_status = async |status: &str| {
            let statuses = vec![status.to_owned()];
            count(TemplateFilter { statuses, archived: Some(false), ..any.clone() }).await
        };
        let changed = TemplateFilter { category_changed: Some(true), ..any.clone() };
        let category_changed = count(changed.clone()).await?;
        Ok(ReviewNeeds {
            rejected: of_status("REJECTED").await?,
            paused: of_status("PAUSED").await?,
            disabled: of_status("DISABLED").await?,
            category_changed,
            raised_month: self.raised_cost(changed, category_changed).await?,
            overdue: count(TemplateFilter { waiting_before: Some(overdue_before), ..any.clone() }).await?,
            overdue_before,
            at_risk: match self.at_risk(&workspace) {
                Some(at_risk) => count(TemplateFilter { at_risk: Some(at_risk), ..any.clone() }).await?,
                None => 0,
            },
            risk_until: self.risk_until(&workspace),
            usual_ms: usual.within,
            usual_seen: usual.seen,
        })
    }

    async fn board_drafts(&self, query: &TemplateQuery) -> Result<Vec<DraftRow>> {
        let stored = self.0.context.desk.drafts(&query.workspace).await?;
        let drafts = stored.iter().map(|stored| (stored, draft_document::read(stored)));
        Ok(drafts
            .filter(|(_, draft)| matches(query, draft))
            .map(|(stored, draft)| draft_document::row(stored, &draft))
            .collect())
    }
}

/// A column without its templates.
fn column(status: &str, waba: Option<String>) -> ReviewColumn {
    ReviewColumn { status: status.to_owned(), waba, count: 0, rows: Vec::new() }
}

/// A column for each status, with the filter for its templates.
fn status_columns(wanted: &TemplateFilter, active: Facets) -> Vec<(ReviewColumn, TemplateFilter)> {
    let others = active.statuses.into_iter().map(|facet| facet.value).filter(|word| !is_column(word));
    let statuses = COLUMNS.iter().map(|status| (*status).to_owned()).chain(others);
    let of_status = |status: String| {
        let filter = TemplateFilter { statuses: vec![status.clone()], archived: Some(false), ..wanted.clone() };
        (column(&status, None), filter)
    };
    statuses.map(of_status).collect()
}

/// A column for each business account that the filter accepts, with the filter for its templates.
fn account_columns(wanted: &TemplateFilter, active: Facets) -> Vec<(ReviewColumn, TemplateFilter)> {
    let is_wanted = |waba: &String| wanted.wabas.is_empty() || wanted.wabas.contains(waba);
    let wabas = active.wabas.into_iter().map(|facet| facet.value).filter(is_wanted);
    let of_account = |waba: String| {
        let filter = TemplateFilter { wabas: vec![waba.clone()], archived: Some(false), ..wanted.clone() };
        (column("", Some(waba)), filter)
    };
    wabas.map(of_account).collect()
}

/// Whether a status has a column that is always shown.
fn is_column(status: &str) -> bool {
    status == ARCHIVED || COLUMNS.contains(&status)
}

/// Whether a draft matches a query. Properties that only the provider sets are empty for a draft.
fn matches(query: &TemplateQuery, draft: &Draft) -> bool {
    let template = &draft.template;
    let among = |wanted: &[String], own: &str| wanted.is_empty() || wanted.iter().any(|one| one == own);
    let unsaid = |wanted: &[String]| among(wanted, "");
    let header = template.find(|component| match component {
        Component::Header(header) => Some(header.format.as_str().to_owned()),
        _ => None,
    });
    let carousel = template.find(|component| matches!(component, Component::Carousel(_)).then_some(())).is_some();
    let words = query.search.as_deref().unwrap_or_default().to_lowercase();
    let text = format!("{} {}", template.name, body_text(template)).to_lowercase();
    words.split_whitespace().all(|word| text.contains(word))
        && among(&query.languages, &template.language)
        && among(&query.categories, template.category.as_str())
        && among(&query.headers, header.as_deref().unwrap_or(NO_HEADER))
        && (query.wabas.is_empty()
            || draft.waba_ids.iter().any(|waba| query.wabas.contains(waba))
            || (draft.waba_ids.is_empty() && unsaid(&query.wabas)))
        && query.carousel.is_none_or(|wanted| wanted == carousel)
        && [&query.businesses, &query.kinds, &query.qualities].into_iter().all(|wanted| unsaid(wanted))
        && [query.category_changed, query.samples, query.overdue, query.at_risk]
            .iter()
            .all(|wanted| *wanted != Some(true))
        && query.sent_within_days.is_none()
}

#[cfg(test)]
mod tests {
    use model::template::Template;
    use serde_json::json;

    use super::*;

    #[test]
    fn drafts_are_filtered_by_their_fields() {
        let template = serde_json::from_value::<Template>(json!({
            "name": "spring_sale", "language": "pt_BR", "category": "marketing",
            "components": [{"type": "HEADER", "format": "IMAGE"}, {"type": "BODY", "text": "Flores hoje"}],
        }));
        let draft =
            Draft { template: template.expect("a template"), waba_ids: vec!["7".to_owned()], ..Draft::default() };
        let is = |word: &str| vec![word.to_owned()];
        let any = TemplateQuery::default;
        for (query, fitting) in [
            (any(), true),
            (TemplateQuery { search: Some("SPRING flores".to_owned()), ..any() }, true),
            (TemplateQuery { search: Some("spring winter".to_owned()), ..any() }, false),
            (TemplateQuery { languages: is("pt_BR"), categories: is("marketing"), ..any() }, true),
            (TemplateQuery { categories: is("utility"), ..any() }, false),
            (TemplateQuery { headers: is("IMAGE"), carousel: Some(false), ..any() }, true),
            (TemplateQuery { headers: is("NONE"), ..any() }, false),
            (TemplateQuery { wabas: is("7"), ..any() }, true),
            (TemplateQuery { wabas: is("8"), ..any() }, false),
            // Properties that only the provider sets.
            (TemplateQuery { qualities: is("RED"), ..any() }, false),
            (TemplateQuery { qualities: vec!["RED".to_owned(), String::new()], ..any() }, true),
            (TemplateQuery { overdue: Some(true), ..any() }, false),
            (TemplateQuery { category_changed: Some(false), not_sent_for_days: Some(0), ..any() }, true),
            (TemplateQuery { sent_within_days: Some(7), ..any() }, false),
        ] {
            assert_eq!(matches(&query, &draft), fitting, "{query:?}");
        }
    }
}
