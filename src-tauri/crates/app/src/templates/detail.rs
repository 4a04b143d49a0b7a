//! Pages of templates.

use std::collections::BTreeMap;

use model::lifecycle::usability;
use model::render::{Fill, render};
use model::template::TemplateRecord;
use model::vocabulary::{Category, TemplateStatus};
use store::cache::{CachedTemplate, TemplateRow};

use crate::templates::Templates;
use crate::templates::queries::row;
use crate::templates::status_cause::{coming_category, status_cause};
use command_types::error::{DeskError, Result};
use command_types::template::{TemplateDetail, TemplateId, WabaStatus};
use outgoing::compute;
use outgoing::inspection::existing_findings;

impl Templates {
    pub async fn get_template(&self, id: TemplateId) -> Result<TemplateDetail> {
        let cached = self.cached(&id.workspace, &id.reference).await?;
        let record = read(&cached)?;
        let status = TemplateStatus::from(cached.row.status.as_str());
        let languages = self.0.context.cache.languages_of(&id.workspace, &cached.row.name).await?;
        let rejection = match status {
            TemplateStatus::Rejected => self.rejection(&cached, &record).await?,
            _ => None,
        };
        let guidance = self.guidance(&cached, &record).await?;
        let events = self.template_events(&cached).await?;
        let template = record.template.clone();
        let looked_at = move || (render(&template, &Fill::default()), existing_findings(&template));
        let (bubble, findings) = compute::run(looked_at).await?;
        let waba_statuses = self.waba_statuses(&id.workspace, &id.reference).await?;
        let sendable = status.is_sendable()
            || waba_statuses.iter().any(|of| TemplateStatus::from(of.status.as_str()).is_sendable());
        let announced = record.template.extra.get("correct_category").and_then(|category| category.as_str());
        Ok(TemplateDetail {
            bubble,
            findings,
            raw: pretty(&cached.record),
            languages: languages.into_iter().filter(|other| other.reference != id.reference).map(row).collect(),
            sendable: sendable && cached.row.archived != Some(true),
            editable: is_editable(&cached.row),
            as_of: self.0.context.cache.listed_at(&id.workspace).await?,
            status_cause: status_cause(&cached.row, &events),
            coming_category: coming_category(&cached.row, announced, &events),
            template: record.template,
            row: row(cached.row),
            rejection_advice: rejection.and_then(|info| info.advice()),
            guidance,
            waba_statuses,
        })
    }

    /// The status of a template in each of its WABAs, the most restrictive first; empty unless the statuses differ.
    pub(crate) async fn waba_statuses(&self, workspace: &str, reference: &str) -> Result<Vec<WabaStatus>> {
        Ok(differing(self.0.context.cache.waba_statuses(workspace, reference).await?))
    }

    /// As [`Self::waba_statuses`], of listed templates by their references; without those whose statuses are the same.
    pub(crate) async fn differing_statuses(
        &self,
        workspace: &str,
        rows: &[TemplateRow],
    ) -> Result<BTreeMap<String, Vec<WabaStatus>>> {
        let several: Vec<String> =
            rows.iter().filter(|row| row.wabas.len() > 1).map(|row| row.reference.clone()).collect();
        if several.is_empty() {
            return Ok(BTreeMap::new());
        }
        let all = self.0.context.cache.waba_statuses_of(workspace, several).await?;
        let all = all.into_iter().map(|(reference, statuses)| (reference, differing(statuses)));
        Ok(all.filter(|(_, statuses)| !statuses.is_empty()).collect())
    }

    pub(crate) async fn cached(&self, workspace: &str, reference: &str) -> Result<CachedTemplate> {
        let cached = self.0.context.cache.template(workspace, reference).await?;
        cached.ok_or_else(|| DeskError::not_found("The template"))
    }

    /// The provider's record of a template, parsed.
    pub(crate) async fn record(&self, workspace: &str, reference: &str) -> Result<TemplateRecord> {
        read(&self.cached(workspace, reference).await?)
    }
}

fn differing(mut all: Vec<WabaStatus>) -> Vec<WabaStatus> {
    if !WabaStatus::differ(&all) {
        all.clear();
    }
    for of in all.iter_mut().filter(|of| of.status != TemplateStatus::Rejected.as_str()) {
        of.reason = None;
    }
    all.sort_by(|a, b| usability(&a.status).cmp(&usability(&b.status)));
    all
}

/// The provider's record with the changes that events reported since it was listed.
pub(crate) fn read(cached: &CachedTemplate) -> Result<TemplateRecord> {
    let mut record: TemplateRecord = serde_json::from_str(&cached.record)
        .map_err(|error| DeskError::Storage { reason: format!("the cached template cannot be read: {error}") })?;
    let row = &cached.row;
    record.status = Some(TemplateStatus::from(row.status.as_str())).filter(|_| !row.status.is_empty());
    record.archived = row.archived.or(record.archived);
    record.rejected_reason.clone_from(&row.rejected_reason);
    if !row.category.is_empty() {
        record.template.category = Category::from(row.category.as_str());
    }
    Ok(record)
}

/// Whether the channel usually accepts an edit of a template in its current state. An unknown state counts as editable.
pub(crate) fn is_editable(row: &TemplateRow) -> bool {
    row.archived != Some(true) && (row.status.is_empty() || TemplateStatus::from(row.status.as_str()).is_editable())
}

/// Formatted JSON; unchanged if it is invalid.
pub(crate) fn pretty(json: &str) -> String {
    serde_json::from_str::<serde_json::Value>(json)
        .and_then(|value| serde_json::to_string_pretty(&value))
        .unwrap_or_else(|_| json.to_owned())
}
