//! Queries of cached templates: for screens, and as targets of bulk operations.

use model::archival;
use model::lifecycle::{UPSTREAM_ARCHIVE_DAYS, upstream_deletion_at};
use model::translation;
use store::cache::{AtRisk, NameFilter, Since, TemplateFilter};

use crate::templates::Templates;
use crate::text::message_excerpt;
use command_types::error::Result;
use command_types::template::{
    Facets, MatrixCell, MatrixPage, MatrixQuery, MatrixRow, TemplatePage, TemplateQuery, TemplateRow, TemplateTarget,
};
use outgoing::now;
use outgoing::submission::Businesses;

/// Maximum number of rows on a page.
pub(crate) const MAX_ROWS: u32 = 500;
/// Header format of templates without a header.
pub(crate) const NO_HEADER: &str = "NONE";
/// Milliseconds of a day.
const DAY: i64 = 24 * 60 * 60 * 1_000;
/// Milliseconds of a minute: days of sends are counted with this precision, so that equal queries can share a result.
pub(crate) const MINUTE: i64 = 60 * 1_000;

impl Templates {
    /// A page of the cached listing; an old listing is refreshed in the background.
    pub async fn list_templates(&self, query: TemplateQuery) -> Result<TemplatePage> {
        if query.offset == 0 {
            self.sync_if_outdated(&query.workspace).await?;
        }
        let workspace = query.workspace.clone();
        let (archived, is_first) = (query.archived, query.offset == 0);
        let page = self.0.context.cache.templates(self.filter(query).await?).await?;
        if is_first {
            self.prepare_search(&workspace);
        }
        let known = self.0.context.cache.facets(&workspace, archived).await?;
        Ok(TemplatePage {
            differing: self.differing_statuses(&workspace, &page.rows).await?,
            flagged: self.flagged(&workspace, &page.rows).await?,
            rows: page.rows.into_iter().map(row).collect(),
            total: page.total,
            all: known.total,
            as_of: self.0.context.cache.listed_at(&workspace).await?,
            kept: self.0.context.cache.left_out(&workspace).await?,
            risk_until: self.risk_until(&workspace),
            facets: facets(known),
        })
    }

    /// Prepares the search index in the background before the first keystroke.
    pub(crate) fn prepare_search(&self, workspace: &str) {
        let (this, workspace) = (self.clone(), workspace.to_owned());
        self.0.context.spawn(async move {
            if let Err(error) = this.0.context.cache.prepare_search(&workspace).await {
                tracing::info!(%error, "the search index could not be prepared");
            }
        });
    }

    /// The business managers of the WABAs of a workspace.
    pub(crate) async fn businesses(&self, workspace: &str) -> Result<Businesses> {
        Ok(self.0.context.cache.businesses(workspace).await?.into_iter().collect())
    }

    /// The templates of a target, in the order of the list or of the references. References that are not cached are
    /// left out, and a query applies to this workspace, whichever it names.
    pub async fn resolve_target(&self, workspace: &str, target: &TemplateTarget) -> Result<Vec<TemplateRow>> {
        let rows = match target {
            TemplateTarget::References { references } => {
                self.0.context.cache.templates_by_reference(workspace, references.clone()).await?
            }
            TemplateTarget::Query { query } => {
                let query = TemplateQuery { workspace: workspace.to_owned(), offset: 0, ..query.clone() };
                self.0
                    .context
                    .cache
                    .templates(TemplateFilter { limit: u32::MAX, ..self.filter(query).await? })
                    .await?
                    .rows
            }
        };
        Ok(rows.into_iter().map(row).collect())
    }

    /// The cache filter of a query.
    pub(crate) async fn filter(&self, query: TemplateQuery) -> Result<TemplateFilter> {
        let waiting_before = match query.overdue {
            Some(true) => Some(self.usual_review(&query.workspace).await?.1),
            _ => None,
        };
        let of_number = match &query.sendable_from {
            Some(number) => self.waba_of(&query.workspace, number).await?,
            None => None,
        };
        let at_risk = query.at_risk.filter(|wanted| *wanted).and_then(|_| self.at_risk(&query.workspace));
        let filter = TemplateFilter { waiting_before, at_risk, ..filter(query) };
        Ok(match of_number {
            Some(waba) => TemplateFilter { wabas: vec![waba, String::new()], ..filter },
            None => filter,
        })
    }

    /// The instant until which the archiving of a template is a risk, by the provider's clock and to the minute.
    pub(crate) fn risk_until(&self, workspace: &str) -> i64 {
        archival::risk_until(self.provider_minute(workspace))
    }

    /// The filter for templates that the channel will soon archive or delete.
    pub(crate) fn at_risk(&self, workspace: &str) -> Option<AtRisk> {
        let minute = self.provider_minute(workspace);
        Some(AtRisk {
            used_until: archival::active_until(archival::risk_until(minute))?,
            // What was archived before should be deleted; that it is listed shows that the provider keeps it.
            archived_since: minute.saturating_sub(UPSTREAM_ARCHIVE_DAYS * DAY),
        })
    }

    fn provider_minute(&self, workspace: &str) -> i64 {
        now().saturating_add(self.0.workspaces.clock_offset(workspace)).div_euclid(MINUTE) * MINUTE
    }

    /// The WABA of a number; `None` if it is unknown.
    async fn waba_of(&self, workspace: &str, number: &str) -> Result<Option<String>> {
        let numbers = self.0.workspaces.settings(workspace).await?.numbers;
        let waba = numbers.into_iter().find(|known| known.id == number).map(|number| number.waba_id);
        Ok(waba.filter(|waba| !waba.is_empty()))
    }

    /// Template names with their languages side by side.
    pub async fn get_language_matrix(&self, request: MatrixQuery) -> Result<MatrixPage> {
        let MatrixQuery { query, only_incomplete, only_different } = request;
        if query.offset == 0 {
            self.sync_if_outdated(&query.workspace).await?;
        }
        let workspace = query.workspace.clone();
        let page = self
            .0
            .context
            .cache
            .names(NameFilter {
                templates: self.filter(query).await?,
                incomplete: only_incomplete.unwrap_or(false),
                different: only_different.unwrap_or(false),
            })
            .await?;
        let mut rows = Vec::with_capacity(page.names.len());
        for name in page.names {
            rows.push(self.matrix_row(&workspace, name).await?);
        }
        Ok(MatrixPage {
            rows,
            names: page.total,
            languages: page.languages,
            as_of: self.0.context.cache.listed_at(&workspace).await?,
        })
    }

    /// A row of the matrix; `name` has all templates of a name, by language.
    async fn matrix_row(&self, workspace: &str, name: Vec<store::cache::TemplateRow>) -> Result<MatrixRow> {
        let languages = name.iter().map(|row| (row.language.as_str(), row.status.as_str(), row.archived == Some(true)));
        let base = translation::base(languages).and_then(|place| name.get(place));
        let compared = base.map(|base| (base.reference.clone(), base.shape.clone()));
        let base_template = match base {
            // Read only if something differs.
            Some(base) if name.iter().any(|row| row.shape != base.shape) => {
                Some(self.record(workspace, &base.reference).await?.template)
            }
            _ => None,
        };
        let mut shown = MatrixRow {
            name: name.first().map(|row| row.name.clone()).unwrap_or_default(),
            base: compared.as_ref().map(|(reference, _)| reference.clone()),
            cells: Vec::new(),
        };
        for template in name {
            let mut differences = Vec::new();
            if let (Some(base), Some((_, shape))) = (&base_template, &compared)
                && template.shape != *shape
            {
                let record = self.record(workspace, &template.reference).await?;
                differences = translation::differences(base, &record.template);
            }
            let language = template.language.clone();
            if shown.cells.last().is_none_or(|cell| cell.language != language) {
                shown.cells.push(MatrixCell { language, templates: Vec::new(), differences: Vec::new() });
            }
            if let Some(cell) = shown.cells.last_mut() {
                cell.templates.push(row(template));
                for difference in differences {
                    if !cell.differences.contains(&difference) {
                        cell.differences.push(difference);
                    }
                }
            }
        }
        Ok(shown)
    }
}

/// The cache filter of a query, without the usual review time of the workspace.
fn filter(query: TemplateQuery) -> TemplateFilter {
    let at = now().div_euclid(MINUTE) * MINUTE;
    let days_ago = |days: u32| at.saturating_sub(i64::from(days) * DAY);
    TemplateFilter {
        workspace_id: query.workspace,
        search: query.search.filter(|search| !search.is_empty()),
        statuses: query.statuses,
        categories: query.categories,
        languages: query.languages,
        wabas: query.wabas,
        businesses: query.businesses,
        kinds: query.kinds,
        qualities: query.qualities,
        headers: query
            .headers
            .into_iter()
            .map(|format| if format == NO_HEADER { String::new() } else { format })
            .collect(),
        carousel: query.carousel,
        category_changed: query.category_changed,
        samples: query.samples,
        sent_since: query.sent_within_days.map(days_ago),
        not_sent_since: query.not_sent_for_days.map(|days| if days == 0 { i64::MIN } else { days_ago(days) }),
        waiting_before: None,
        at_risk: None,
        archived: query.archived,
        sort: query.sort,
        offset: query.offset,
        limit: query.limit.clamp(1, MAX_ROWS),
    }
}

pub(crate) fn facets(mut known: Facets) -> Facets {
    for none in known.headers.iter_mut().filter(|facet| facet.value.is_empty()) {
        NO_HEADER.clone_into(&mut none.value);
    }
    known.headers.sort_by(|a, b| a.value.cmp(&b.value));
    known
}

/// A template as a list row.
pub(crate) fn row(row: store::cache::TemplateRow) -> TemplateRow {
    let is_archived = row.archived == Some(true);
    let since = if is_archived { row.archived_since } else { row.status_since };
    let archived_at = row.archived_since.filter(|since| is_archived && since.exact).map(|since| since.at);
    let archival = row.template_use().forecast().map(Into::into);
    TemplateRow {
        asked_category: row.asked_category.clone().filter(|_| row.is_category_changed()),
        reference: row.reference,
        name: row.name,
        language: row.language,
        category: row.category,
        status: row.status,
        archived: row.archived,
        kind: Some(row.kind).filter(|kind| !kind.is_empty()),
        header: row.header_format,
        excerpt: message_excerpt(&row.body_text),
        wabas: row.wabas,
        rejected_reason: row.rejected_reason,
        updated_at: Some(row.updated_at).filter(|at| *at > 0),
        quality: row.quality,
        business_id: row.business_id,
        carousel: row.carousel,
        sample: row.sample,
        state_since: since.map(|since| since.at),
        state_since_exact: since.is_some_and(|Since { exact, .. }| exact),
        upstream_deletion_at: archived_at.map(upstream_deletion_at),
        last_sent_at: row.last_sent_at,
        archival,
        missing_since: row.missing_since,
    }
}
