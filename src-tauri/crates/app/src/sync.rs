//! Sync: the provider's listing taken over into the cache, with the differences noted down.

use service::{ListFilter, ListedTemplate};
use store::cache::{CachedTemplate, Change, TemplateRow};
use store::desk::Observation;

use crate::core::{Core, lock};
use crate::drafts::body_text;
use crate::error::{DeskError, Result};
use crate::event::DeskEvent;
use crate::parts::now;
use crate::view::template::SyncReport;
use crate::view::workspace::WorkspaceId;

/// A listing younger than this, in milliseconds, is not fetched again unless the person asks.
const FRESH: i64 = 5 * 60 * 1_000;

impl Core {
    /// Fetches the listing now.
    ///
    /// # Errors
    /// [`DeskError::Conflict`] while it is being fetched already; any error of the call. The cached listing stays.
    pub async fn refresh_templates(&self, request: WorkspaceId) -> Result<SyncReport> {
        let workspace = request.workspace;
        if !lock(&self.0.syncing).insert(workspace.clone()) {
            return Err(DeskError::Conflict { message: "The list is being refreshed already.".to_owned() });
        }
        let report = self.sync(&workspace).await;
        lock(&self.0.syncing).remove(&workspace);
        match &report {
            Ok(_) => self.tell(DeskEvent::SyncFinished { workspace }),
            Err(error) => self.tell(DeskEvent::SyncFailed { workspace, error: error.clone() }),
        }
        report
    }

    /// Fetches the listing behind the screen, unless that is under way.
    pub(crate) fn sync_in_background(&self, workspace: &str) {
        let core = self.clone();
        let request = WorkspaceId { workspace: workspace.to_owned() };
        self.spawn(async move {
            match core.refresh_templates(request).await {
                // Whoever asked first tells the window.
                Ok(_) | Err(DeskError::Conflict { .. }) => {}
                Err(error) => tracing::info!(%error, "the listing could not be refreshed"),
            }
        });
    }

    /// Fetches the listing behind the screen when the cached one is old. One try a period, also when it fails.
    pub(crate) async fn sync_if_old(&self, workspace: &str) -> Result<()> {
        let newest = self.0.cache.listed_at(workspace).await?.unwrap_or(i64::MIN);
        let tried = lock(&self.0.tried).get(workspace).copied().unwrap_or(i64::MIN);
        let at = now();
        if at.saturating_sub(newest.max(tried)) < FRESH {
            return Ok(());
        }
        lock(&self.0.tried).insert(workspace.to_owned(), at);
        self.sync_in_background(workspace);
        Ok(())
    }

    async fn sync(&self, workspace: &str) -> Result<SyncReport> {
        let settings = self.settings(workspace).await?;
        let client = self.client(workspace).await?;
        let business_id = Some(settings.business_id).filter(|id| !id.is_empty());
        let left_at = now();
        let listing = client.list_templates(&ListFilter { business_id, ..ListFilter::default() }).await?;
        let unreadable = listing.records.iter().filter(|listed| !listed.unreadable.is_empty()).count() as u64;
        if listing.incomplete {
            tracing::warn!("the provider's listing ended before all its templates were shown");
        }
        let first = self.0.cache.listed_at(workspace).await?.is_none();
        let templates: Vec<_> =
            listing.records.iter().filter_map(|listed| cached(workspace, listed, left_at)).collect();
        let total = templates.len() as u64;
        let changes = self.0.cache.replace_listing(workspace, templates, left_at).await?;
        let at = now();
        let changed = changes.len() as u64;
        if changed > 0 {
            self.tell(DeskEvent::TemplatesChanged { workspace: workspace.to_owned() });
        }
        if !first {
            // Of the first listing everything is new, which says nothing.
            self.0.desk.add_observations(observations(workspace, changes, at)).await?;
        }
        Ok(SyncReport { total, changes: changed, unreadable, at })
    }
}

fn observations(workspace: &str, changes: Vec<Change>, at: i64) -> Vec<Observation> {
    changes
        .into_iter()
        .map(|change| Observation {
            workspace_id: workspace.to_owned(),
            template_ref: change.reference,
            at,
            field: change.field,
            before: change.before,
            after: change.after,
        })
        .collect()
}

/// A listed record as the cache keeps it; `None` without a reference, since nothing can then be done with it.
pub(crate) fn cached(workspace: &str, listed: &ListedTemplate, seen_at: i64) -> Option<CachedTemplate> {
    let record = &listed.record;
    let template = &record.template;
    let quality = template
        .extra
        .get("quality_score")
        .and_then(|score| score.get("score").unwrap_or(score).as_str().map(str::to_owned));
    let row = TemplateRow {
        workspace_id: workspace.to_owned(),
        reference: record.reference()?.to_owned(),
        channel_id: record.id.as_ref().map(|id| id.as_str().to_owned()),
        name: template.name.clone(),
        language: template.language.clone(),
        status: record.status.as_ref().map(|status| status.as_str().to_owned()).unwrap_or_default(),
        archived: record.is_archived(),
        category: template.category.as_str().to_owned(),
        sub_category: template.sub_category.clone(),
        kind: template.kind.as_ref().map(|kind| kind.as_str().to_owned()).unwrap_or_default(),
        business_id: record.business_id.as_ref().map(|id| id.as_str().to_owned()),
        quality,
        rejected_reason: record.rejected_reason.clone().filter(|reason| !reason.eq_ignore_ascii_case("NONE")),
        wabas: record.wabas(),
        header_format: template.find(|component| match component {
            model::component::Component::Header(header) => Some(header.format.as_str().to_owned()),
            _ => None,
        }),
        body_text: body_text(template).to_owned(),
        updated_at: ["updated_at", "updatedAt"].iter().find_map(|key| instant(template.extra.get(*key)?)).unwrap_or(0),
        seen_at,
    };
    Some(CachedTemplate { row, record: listed.raw.to_string() })
}

/// An instant as providers write them: RFC 3339, seconds or milliseconds since 1970.
fn instant(value: &serde_json::Value) -> Option<i64> {
    match value {
        serde_json::Value::String(text) => {
            chrono::DateTime::parse_from_rfc3339(text).ok().map(|at| at.timestamp_millis())
        }
        serde_json::Value::Number(number) => {
            let number = number.as_i64()?;
            Some(if number < 100_000_000_000 { number * 1_000 } else { number })
        }
        _ => None,
    }
}
