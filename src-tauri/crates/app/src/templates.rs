//! Templates as screens show them, and what is done to them at the provider.

use model::finding::Finding;
use model::lint::lint;
use model::render::{Fill, render};
use model::template::{Template, TemplateRecord};
use model::vocabulary::{Category, TemplateStatus};
use store::cache::{CachedTemplate, TemplateFilter, TemplatePatch};

use crate::core::Core;
use crate::error::{DeskError, Result};
use crate::event::DeskEvent;
use crate::parts::{excerpt, now};
use crate::view::Nothing;
use crate::view::template::{
    DeleteTemplate, Facet, Facets, HistoryEntry, ReviewBoard, ReviewColumn, TemplateDetail, TemplateId, TemplatePage,
    TemplateQuery, TemplateRow, TemplateSort,
};
use crate::view::workspace::WorkspaceId;

/// Most rows of a page.
pub(crate) const MOST_ROWS: u32 = 500;
/// Most entries of each kind in a history.
const HISTORY: u32 = 200;
/// Rows of a column of the board.
const COLUMN_ROWS: u32 = 50;
/// Columns that are always there.
const COLUMNS: [&str; 3] = ["PENDING", "APPROVED", "REJECTED"];

impl Core {
    /// A page of the cached listing; an old one is refreshed behind the screen.
    ///
    /// # Errors
    /// [`DeskError::Storage`] when the cache cannot be read; [`DeskError::InvalidInput`] for a page that no longer is.
    pub async fn list_templates(&self, query: TemplateQuery) -> Result<TemplatePage> {
        if query.after.is_none() {
            self.sync_if_old(&query.workspace).await?;
        }
        let said = |filter: Option<String>| filter.filter(|value| !value.is_empty());
        let workspace = query.workspace;
        let filter = TemplateFilter {
            workspace_id: workspace.clone(),
            search: said(query.search),
            status: said(query.status),
            category: said(query.category),
            language: said(query.language),
            kind: None,
            waba: said(query.waba),
            archived: query.archived,
            sort: match query.sort {
                TemplateSort::Newest => store::cache::TemplateSort::Newest,
                TemplateSort::Name => store::cache::TemplateSort::Name,
            },
            after: query.after,
            limit: query.limit.clamp(1, MOST_ROWS),
        };
        let page = self.0.cache.templates(filter).await?;
        let facets = self.0.cache.facets(&workspace, query.archived).await?;
        Ok(TemplatePage {
            rows: page.rows.into_iter().map(row).collect(),
            next: page.next,
            as_of: self.0.cache.listed_at(&workspace).await?,
            total: facets.total,
            facets: Facets {
                statuses: counts(facets.statuses),
                categories: counts(facets.categories),
                languages: counts(facets.languages),
                wabas: counts(facets.wabas),
                archived: facets.archived,
            },
        })
    }

    /// A template's page.
    ///
    /// # Errors
    /// [`DeskError::NotFound`] when the cache does not know it.
    pub async fn get_template(&self, id: TemplateId) -> Result<TemplateDetail> {
        let cached = self.cached(&id.workspace, &id.reference).await?;
        let record = read(&cached)?;
        let status = TemplateStatus::from(cached.row.status.as_str());
        let languages = self.0.cache.languages_of(&id.workspace, &cached.row.name).await?;
        let history = self.history(&id, &cached).await?;
        let rejection = match status {
            TemplateStatus::Rejected => self.rejection(&cached, &record).await?,
            _ => None,
        };
        let guidance = self.guidance(&cached, &record).await?;
        Ok(TemplateDetail {
            bubble: render(&record.template, &Fill::default()),
            findings: findings(&record.template),
            raw: pretty(&cached.record),
            languages: languages.into_iter().filter(|other| other.reference != id.reference).map(row).collect(),
            sendable: status.is_sendable() && !cached.row.archived,
            editable: status.is_editable() && !cached.row.archived,
            as_of: self.0.cache.listed_at(&id.workspace).await?,
            template: record.template,
            row: row(cached.row),
            history,
            rejection_advice: rejection.and_then(|info| info.recommendation.or(info.reason)),
            guidance,
        })
    }

    async fn history(&self, id: &TemplateId, cached: &CachedTemplate) -> Result<Vec<HistoryEntry>> {
        let desk = &self.0.desk;
        let events = self.template_events(cached).await?;
        let mut history: Vec<HistoryEntry> =
            events.into_iter().map(|event| entry(event.at, "event", event.event, event.reason, None)).collect();
        for seen in desk.observations_of(&id.workspace, &id.reference, HISTORY).await? {
            history.push(entry(seen.at, "observed", seen.field, seen.after, seen.before));
        }
        // What was there before the first edit is a version, but nothing that happened.
        let versions = desk.versions(&id.workspace, &id.reference).await?;
        for version in versions.into_iter().filter(|version| version.origin != "observed") {
            history.push(entry(version.at, &version.origin, version.origin.clone(), None, None));
        }
        history.sort_by_key(|entry| std::cmp::Reverse(entry.at));
        Ok(history)
    }

    /// Takes a template out of use, reversibly.
    ///
    /// # Errors
    /// Any error of the call.
    pub async fn archive_template(&self, id: TemplateId) -> Result<Nothing> {
        let left_at = now();
        self.client(&id.workspace).await?.archive_template(&id.reference).await?;
        self.note_archived(id, true, left_at).await
    }

    /// Brings an archived template back.
    ///
    /// # Errors
    /// Any error of the call.
    pub async fn unarchive_template(&self, id: TemplateId) -> Result<Nothing> {
        let left_at = now();
        self.client(&id.workspace).await?.unarchive_template(&id.reference).await?;
        self.note_archived(id, false, left_at).await
    }

    async fn note_archived(&self, id: TemplateId, archived: bool, at: i64) -> Result<Nothing> {
        let which = store::cache::TemplateMatch::Reference(id.reference);
        let patch = TemplatePatch { archived: Some(archived), at, ..TemplatePatch::default() };
        self.0.cache.set_template_status(&id.workspace, which, patch).await?;
        self.tell(DeskEvent::TemplatesChanged { workspace: id.workspace });
        Ok(Nothing {})
    }

    /// Deletes a template at the provider, irreversibly.
    ///
    /// # Errors
    /// [`DeskError::InvalidInput`] unless its name was typed; any error of the call.
    pub async fn delete_template(&self, request: DeleteTemplate) -> Result<Nothing> {
        let cached = self.cached(&request.workspace, &request.reference).await?;
        if request.confirmed_name.trim() != cached.row.name {
            return Err(DeskError::invalid(
                "confirmedName",
                format!("Type {} to delete it. This cannot be undone.", cached.row.name),
            ));
        }
        self.client(&request.workspace).await?.delete_template(&request.reference).await?;
        self.0.cache.remove_template(&request.workspace, &request.reference).await?;
        self.tell(DeskEvent::TemplatesChanged { workspace: request.workspace });
        Ok(Nothing {})
    }

    /// The board of the review.
    ///
    /// # Errors
    /// [`DeskError::Storage`] when the cache cannot be read.
    pub async fn get_review_board(&self, request: WorkspaceId) -> Result<ReviewBoard> {
        let workspace = request.workspace;
        self.sync_if_old(&workspace).await?;
        let facets = self.0.cache.facets(&workspace, Some(false)).await?;
        let mut statuses: Vec<(String, u64)> = COLUMNS
            .iter()
            .map(|status| {
                let known = facets.statuses.iter().find(|facet| facet.value == *status);
                ((*status).to_owned(), known.map_or(0, |facet| facet.count))
            })
            .collect();
        for facet in facets.statuses {
            if !COLUMNS.contains(&facet.value.as_str()) {
                statuses.push((facet.value, facet.count));
            }
        }
        let mut columns = Vec::with_capacity(statuses.len() + 1);
        for (status, count) in statuses {
            let filter = TemplateFilter {
                workspace_id: workspace.clone(),
                status: Some(status.clone()),
                archived: Some(false),
                limit: COLUMN_ROWS,
                ..TemplateFilter::default()
            };
            let rows = self.0.cache.templates(filter).await?.rows.into_iter().map(row).collect();
            columns.push(ReviewColumn { status, count, rows });
        }
        if facets.archived > 0 {
            let filter = TemplateFilter {
                workspace_id: workspace,
                archived: Some(true),
                limit: COLUMN_ROWS,
                ..TemplateFilter::default()
            };
            let rows = self.0.cache.templates(filter).await?.rows.into_iter().map(row).collect();
            columns.push(ReviewColumn { status: "ARCHIVED".to_owned(), count: facets.archived, rows });
        }
        Ok(ReviewBoard { columns })
    }

    pub(crate) async fn cached(&self, workspace: &str, reference: &str) -> Result<CachedTemplate> {
        let cached = self.0.cache.template(workspace, reference).await?;
        cached.ok_or_else(|| DeskError::not_found("The template"))
    }

    /// The provider's record of a template, typed.
    pub(crate) async fn record(&self, workspace: &str, reference: &str) -> Result<TemplateRecord> {
        read(&self.cached(workspace, reference).await?)
    }
}

/// The provider's record, with what events have changed since it was listed.
pub(crate) fn read(cached: &CachedTemplate) -> Result<TemplateRecord> {
    let mut record: TemplateRecord = serde_json::from_str(&cached.record)
        .map_err(|error| DeskError::Storage { reason: format!("the cached template cannot be read: {error}") })?;
    let row = &cached.row;
    record.status = Some(TemplateStatus::from(row.status.as_str())).filter(|_| !row.status.is_empty());
    record.archived = Some(row.archived);
    record.rejected_reason.clone_from(&row.rejected_reason);
    if !row.category.is_empty() {
        record.template.category = Category::from(row.category.as_str());
    }
    Ok(record)
}

/// What the rules say about a template that exists. That its sample is an address matters to drafts only.
fn findings(template: &Template) -> Vec<Finding> {
    let mut findings = lint(template);
    findings.retain(|finding| finding.code != "header.handle_is_address");
    findings
}

fn entry(at: i64, origin: &str, what: String, detail: Option<String>, before: Option<String>) -> HistoryEntry {
    HistoryEntry { at, origin: origin.to_owned(), what, detail, before }
}

fn counts(facets: Vec<store::cache::Facet>) -> Vec<Facet> {
    facets.into_iter().map(|facet| Facet { value: facet.value, count: facet.count }).collect()
}

/// JSON for reading; as it came where it is none.
pub(crate) fn pretty(json: &str) -> String {
    serde_json::from_str::<serde_json::Value>(json)
        .and_then(|value| serde_json::to_string_pretty(&value))
        .unwrap_or_else(|_| json.to_owned())
}

pub(crate) fn row(row: store::cache::TemplateRow) -> TemplateRow {
    TemplateRow {
        reference: row.reference,
        name: row.name,
        language: row.language,
        category: row.category,
        status: row.status,
        archived: row.archived,
        kind: Some(row.kind).filter(|kind| !kind.is_empty()),
        header: row.header_format,
        excerpt: excerpt(&row.body_text),
        wabas: row.wabas,
        rejected_reason: row.rejected_reason,
        updated_at: row.updated_at,
    }
}
