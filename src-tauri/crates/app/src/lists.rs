//! Lists of templates: as screens ask for them, and as targets of what is done to many.

use model::lifecycle::upstream_deletion_at;
use model::translation;
use store::cache::{NameFilter, Since, TemplateFilter};

use crate::core::Core;
use crate::error::Result;
use crate::parts::{excerpt, now};
use crate::view::composer::DraftRow;
use crate::view::template::{
    Facet, Facets, MatrixCell, MatrixPage, MatrixQuery, MatrixRow, ReviewBoard, ReviewColumn, TemplatePage,
    TemplateQuery, TemplateRow, TemplateSort, TemplateTarget,
};
use crate::view::workspace::WorkspaceId;

/// Most rows of a page.
pub(crate) const MOST_ROWS: u32 = 500;
/// Columns of the board that are always there, and that of archived templates after all others.
const COLUMNS: [&str; 5] = ["PENDING", "APPROVED", "REJECTED", "PAUSED", "DISABLED"];
const ARCHIVED: &str = "ARCHIVED";
/// How screens call the format of a header that is not there.
const NO_HEADER: &str = "NONE";
/// Milliseconds of a day.
const DAY: i64 = 24 * 60 * 60 * 1_000;
/// Milliseconds of a minute: how exactly days of sends are counted, so that equal questions are equal for a while.
const MINUTE: i64 = 60 * 1_000;

impl Core {
    /// A page of the cached listing; an old one is refreshed behind the screen.
    ///
    /// # Errors
    /// [`DeskError::Storage`](crate::error::DeskError::Storage) when the cache cannot be read.
    pub async fn list_templates(&self, query: TemplateQuery) -> Result<TemplatePage> {
        if query.offset == 0 {
            self.sync_if_old(&query.workspace).await?;
        }
        let workspace = query.workspace.clone();
        let (archived, is_first) = (query.archived, query.offset == 0);
        let page = self.0.cache.templates(filter(query)).await?;
        if is_first {
            self.prepare_search(&workspace);
        }
        let known = self.0.cache.facets(&workspace, archived).await?;
        Ok(TemplatePage {
            rows: page.rows.into_iter().map(row).collect(),
            total: page.total,
            all: known.total,
            as_of: self.0.cache.listed_at(&workspace).await?,
            facets: facets(known),
        })
    }

    /// Makes ready behind the screen what the first key of a search needs.
    pub(crate) fn prepare_search(&self, workspace: &str) {
        let (core, workspace) = (self.clone(), workspace.to_owned());
        self.spawn(async move {
            if let Err(error) = core.0.cache.prepare_search(&workspace).await {
                tracing::info!(%error, "searches could not be made ready");
            }
        });
    }

    /// The templates that are meant, in the order of the list or as they are named. References that the cache does not
    /// know are left out, and a query is read in this workspace, whatever it names.
    ///
    /// # Errors
    /// [`DeskError::Storage`](crate::error::DeskError::Storage) when the cache cannot be read.
    pub async fn resolve_target(&self, workspace: &str, target: &TemplateTarget) -> Result<Vec<TemplateRow>> {
        let rows = match target {
            TemplateTarget::References { references } => {
                self.0.cache.templates_named(workspace, references.clone()).await?
            }
            TemplateTarget::Query { query } => {
                let query = TemplateQuery { workspace: workspace.to_owned(), offset: 0, ..query.clone() };
                self.0.cache.templates(TemplateFilter { limit: u32::MAX, ..filter(query) }).await?.rows
            }
        };
        Ok(rows.into_iter().map(row).collect())
    }

    /// The board of the review: of the query only the filters count, but those for status and archived ones; the limit is
    /// that of a column.
    ///
    /// # Errors
    /// [`DeskError::Storage`](crate::error::DeskError::Storage) when cache or desk cannot be read.
    pub async fn get_review_board(&self, query: TemplateQuery) -> Result<ReviewBoard> {
        self.sync_if_old(&query.workspace).await?;
        let workspace = query.workspace.clone();
        let known = self.0.cache.facets(&workspace, None).await?;
        let mut statuses: Vec<String> = COLUMNS.iter().map(|status| (*status).to_owned()).collect();
        let active = self.0.cache.facets(&workspace, Some(false)).await?;
        statuses.extend(active.statuses.into_iter().map(|facet| facet.value).filter(|word| !is_column(word)));
        let drafts = self.board_drafts(&query).await?;
        let wanted = TemplateQuery { statuses: Vec::new(), sort: TemplateSort::Newest, offset: 0, ..query };
        let limit = wanted.limit.clamp(1, MOST_ROWS) as usize;
        let mut columns = Vec::with_capacity(statuses.len() + 1);
        for status in statuses {
            let of_status = TemplateFilter { statuses: vec![status.clone()], ..self.column(&wanted, false) };
            columns.push(self.board_column(status, of_status).await?);
        }
        columns.push(self.board_column(ARCHIVED.to_owned(), self.column(&wanted, true)).await?);
        Ok(ReviewBoard {
            columns,
            draft_count: drafts.len() as u64,
            drafts: drafts.into_iter().take(limit).collect(),
            as_of: self.0.cache.listed_at(&workspace).await?,
            facets: facets(known),
        })
    }

    fn column(&self, query: &TemplateQuery, archived: bool) -> TemplateFilter {
        filter(TemplateQuery { archived: Some(archived), ..query.clone() })
    }

    async fn board_column(&self, status: String, filter: TemplateFilter) -> Result<ReviewColumn> {
        let page = self.0.cache.templates(filter).await?;
        Ok(ReviewColumn { status, count: page.total, rows: page.rows.into_iter().map(row).collect() })
    }

    /// Drafts have a name and a language, by which they are filtered; they are of no WABA and of no status.
    async fn board_drafts(&self, query: &TemplateQuery) -> Result<Vec<DraftRow>> {
        let mut drafts = self.list_drafts(WorkspaceId { workspace: query.workspace.clone() }).await?;
        let words = query.search.as_deref().unwrap_or_default().to_lowercase();
        drafts.retain(|draft| {
            let text = format!("{} {}", draft.name, draft.excerpt).to_lowercase();
            words.split_whitespace().all(|word| text.contains(word))
                && (query.languages.is_empty() || query.languages.contains(&draft.language))
        });
        Ok(drafts)
    }

    /// Names with their languages side by side.
    ///
    /// # Errors
    /// [`DeskError::Storage`](crate::error::DeskError::Storage) when the cache cannot be read.
    pub async fn get_language_matrix(&self, request: MatrixQuery) -> Result<MatrixPage> {
        let MatrixQuery { query, only_incomplete, only_different } = request;
        if query.offset == 0 {
            self.sync_if_old(&query.workspace).await?;
        }
        let workspace = query.workspace.clone();
        let page = self
            .0
            .cache
            .names(NameFilter {
                templates: filter(query),
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
            languages: counts(page.languages),
            as_of: self.0.cache.listed_at(&workspace).await?,
        })
    }

    /// `name` has all templates of a name, by language.
    async fn matrix_row(&self, workspace: &str, name: Vec<store::cache::TemplateRow>) -> Result<MatrixRow> {
        let languages = name.iter().map(|row| (row.language.as_str(), row.status.as_str(), row.archived));
        let base = translation::base(languages).and_then(|place| name.get(place));
        let compared = base.map(|base| (base.reference.clone(), base.shape.clone()));
        let base_template = match base {
            // Read only where something differs.
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

/// Whether a status has a column of its own that is always there.
fn is_column(status: &str) -> bool {
    status == ARCHIVED || COLUMNS.contains(&status)
}

/// What the cache is asked for.
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
        archived: query.archived,
        sort: match query.sort {
            TemplateSort::Newest => store::cache::TemplateSort::Newest,
            TemplateSort::Name => store::cache::TemplateSort::Name,
        },
        offset: query.offset,
        limit: query.limit.clamp(1, MOST_ROWS),
    }
}

fn facets(known: store::cache::Facets) -> Facets {
    let mut headers = counts(known.headers);
    for none in headers.iter_mut().filter(|facet| facet.value.is_empty()) {
        NO_HEADER.clone_into(&mut none.value);
    }
    headers.sort_by(|a, b| a.value.cmp(&b.value));
    Facets {
        statuses: counts(known.statuses),
        categories: counts(known.categories),
        languages: counts(known.languages),
        wabas: counts(known.wabas),
        businesses: counts(known.businesses),
        kinds: counts(known.kinds),
        qualities: counts(known.qualities),
        headers,
        archived: known.archived,
        carousels: known.carousels,
        samples: known.samples,
        category_changed: known.category_changed,
    }
}

fn counts(facets: Vec<store::cache::Facet>) -> Vec<Facet> {
    facets.into_iter().map(|facet| Facet { value: facet.value, count: facet.count }).collect()
}

/// A template as lists show it.
pub(crate) fn row(row: store::cache::TemplateRow) -> TemplateRow {
    let since = if row.archived { row.archived_since } else { row.status_since };
    let archived_at = row.archived_since.filter(|since| row.archived && since.exact).map(|since| since.at);
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
        excerpt: excerpt(&row.body_text),
        wabas: row.wabas,
        rejected_reason: row.rejected_reason,
        updated_at: row.updated_at,
        quality: row.quality,
        business_id: row.business_id,
        carousel: row.carousel,
        sample: row.sample,
        state_since: since.map(|since| since.at),
        state_since_exact: since.is_some_and(|Since { exact, .. }| exact),
        upstream_deletion_at: archived_at.map(upstream_deletion_at),
        last_sent_at: row.last_sent_at,
    }
}
