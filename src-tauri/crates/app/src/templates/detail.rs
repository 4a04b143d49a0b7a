//! Pages of templates.

use std::collections::BTreeMap;

use model::account_record::AccountRecord;
use model::lifecycle::usability;
use model::render::{Fill, render};
use model::template::TemplateRecord;
use model::vocabulary::{Category, TemplateStatus};
use store::cache::{CachedTemplate, TemplateRow};

use crate::templates::Templates;
use crate::templates::category_change::coming_category;
use crate::templates::listed_record;
use crate::templates::queries::row;
use crate::templates::status_cause::status_cause;
use command_types::error::{DeskError, Missing, Result};
use command_types::template::{AccountState, TemplateDetail, TemplateId, WabaStatus};
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
        let coming = coming_category(&cached.row, announced, &events);
        Ok(TemplateDetail {
            contradicted: self.contradicted(&id.workspace, &cached.row, &events),
            raised_category: self.raised_category(&id.workspace, &cached.row, coming.as_ref(), &events).await?,
            bubble,
            findings,
            raw: pretty(&cached.record),
            languages: languages.into_iter().filter(|other| other.reference != id.reference).map(row).collect(),
            sendable: sendable && cached.row.archived != Some(true),
            editable: is_editable(&cached.row),
            as_of: self.0.context.cache.listed_at(&id.workspace).await?,
            status_cause: status_cause(&cached.row, &events),
            coming_category: coming,
            accounts: account_states(&record),
            template: record.template,
            row: row(cached.row),
            rejection_advice: rejection.and_then(|info| info.advice()),
            guidance,
            waba_statuses,
            risk_until: self.risk_until(&id.workspace),
        })
    }

    /// The status of a template in each of its WABAs, the most restrictive first; empty unless the statuses differ.
    pub(crate) async fn waba_statuses(&self, workspace: &str, reference: &str) -> Result<Vec<WabaStatus>> {
        let Some(cached) = self.0.context.cache.template(workspace, reference).await? else { return Ok(Vec::new()) };
        if cached.row.statuses.is_empty() {
            return Ok(Vec::new());
        }
        Ok(differing(&cached.row, &self.0.context.cache.waba_statuses(workspace, reference).await?))
    }

    /// As [`Self::waba_statuses`], of listed templates by their references; without those whose statuses are the same.
    pub(crate) async fn differing_statuses(
        &self,
        workspace: &str,
        rows: &[TemplateRow],
    ) -> Result<BTreeMap<String, Vec<WabaStatus>>> {
        let rows: Vec<&TemplateRow> = rows.iter().filter(|row| !row.statuses.is_empty()).collect();
        if rows.is_empty() {
            return Ok(BTreeMap::new());
        }
        let references = rows.iter().map(|row| row.reference.clone()).collect();
        let reported = self.0.context.cache.waba_statuses_of(workspace, references).await?;
        let of = |row: &TemplateRow| differing(row, reported.get(&row.reference).map_or(&[], Vec::as_slice));
        Ok(rows.into_iter().map(|row| (row.reference.clone(), of(row))).collect())
    }

    /// As [`account_states`], of listed templates by their references.
    pub(super) async fn account_states_of(
        &self,
        workspace: &str,
        rows: &[TemplateRow],
    ) -> Result<BTreeMap<String, Vec<AccountState>>> {
        let references = rows.iter().filter(|row| row.wabas.len() > 1).map(|row| row.reference.clone()).collect();
        let records = self.0.context.cache.records_by_account(workspace, references).await?;
        let states = records.into_iter().filter_map(|(reference, json)| {
            let states = account_states(&listed_record::record(&json)?);
            (!states.is_empty()).then_some((reference, states))
        });
        Ok(states.collect())
    }

    pub(crate) async fn cached(&self, workspace: &str, reference: &str) -> Result<CachedTemplate> {
        let cached = self.0.context.cache.template(workspace, reference).await?;
        cached.ok_or_else(|| DeskError::not_found(Missing::Template))
    }

    /// The provider's record of a template, parsed.
    pub(crate) async fn record(&self, workspace: &str, reference: &str) -> Result<TemplateRecord> {
        read(&self.cached(workspace, reference).await?)
    }
}

/// Category and quality in each WABA; empty unless they differ.
fn account_states(record: &TemplateRecord) -> Vec<AccountState> {
    let of = |account: AccountRecord| AccountState {
        waba: account.waba_id.as_str().to_owned(),
        quality: account.quality().map(str::to_owned),
        category: account.category,
    };
    let states: Vec<AccountState> = record.account_records().into_iter().map(of).collect();
    let is_same =
        |one: &AccountState, other: &AccountState| one.category == other.category && one.quality == other.quality;
    if states.iter().all(|state| is_same(state, &states[0])) { Vec::new() } else { states }
}

/// The statuses that the row has, each with the reason and the time of the report of it.
fn differing(row: &TemplateRow, reported: &[WabaStatus]) -> Vec<WabaStatus> {
    let statuses: Vec<(String, String)> = serde_json::from_str(&row.statuses).unwrap_or_default();
    let with_report = |(waba, status): (String, String)| {
        let report = reported.iter().find(|of| of.waba == waba && of.status == status);
        let is_rejected = status == TemplateStatus::Rejected.as_str();
        let reason = report.and_then(|of| of.reason.clone()).filter(|_| is_rejected);
        WabaStatus { reason, at: report.and_then(|of| of.at), waba, status }
    };
    let mut all: Vec<WabaStatus> = statuses.into_iter().map(with_report).collect();
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

#[cfg(test)]
mod tests {
    use super::*;

    fn of(waba: &str, status: &str, reason: Option<&str>) -> WabaStatus {
        let (waba, status) = (waba.to_owned(), status.to_owned());
        WabaStatus { waba, status, reason: reason.map(str::to_owned), at: Some(7) }
    }

    #[test]
    fn the_row_says_which_statuses_there_are() {
        let row = |statuses: &str| TemplateRow { statuses: statuses.to_owned(), ..TemplateRow::default() };
        let reported = [of("1", "REJECTED", Some("SPAM")), of("2", "APPROVED", None), of("3", "PAUSED", Some("x"))];
        assert_eq!(differing(&row(""), &reported), []);
        let shown = differing(&row(r#"[["1","REJECTED"],["2","PAUSED"]]"#), &reported);
        let unreported = WabaStatus { at: None, ..of("2", "PAUSED", None) };
        assert_eq!(shown.len(), 2);
        assert!(shown.contains(&reported[0]) && shown.contains(&unreported), "{shown:?}");
    }
}
