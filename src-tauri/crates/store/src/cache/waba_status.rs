//! The status of a template in each of its WABAs: most listings have one for all of them, and events report the others.

use std::collections::BTreeMap;

use model::lifecycle;
use model::vocabulary::TemplateStatus;
use rusqlite::Connection;
use serde::Serialize;
use ts_rs::TS;

use super::account_records::{listed_statuses, word};
use super::events_about::{EVENTS_ABOUT, event_subjects};
use super::template::{Change, TemplateRow};
use crate::StoreError;
use crate::rows::{all, to_json};

/// Status of a template in one WABA.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "app.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct WabaStatus {
    pub waba: String,
    pub status: String,
    /// Why it was rejected; in the cache, the reason of any status.
    pub reason: Option<String>,
    /// When it was reported, in Unix milliseconds; absent if only the listing shows it.
    pub at: Option<i64>,
}

impl WabaStatus {
    #[must_use]
    pub fn differ(statuses: &[Self]) -> bool {
        statuses.iter().any(|of| of.status != statuses[0].status)
    }

    /// As in [`TemplateRow::statuses`].
    pub(super) fn indexed(statuses: &[Self]) -> Result<String, StoreError> {
        if !Self::differ(statuses) {
            return Ok(String::new());
        }
        to_json(&statuses.iter().map(|of| (&of.waba, &of.status)).collect::<Vec<_>>())
    }
}

/// Status of a template in each of its business accounts: the last one reported after a delivery or, without a report,
/// the one in the provider's answer. Empty unless it is in several.
pub(super) fn waba_statuses(
    c: &Connection,
    id: i64,
    (row, record): (&TemplateRow, &str),
    last_seq: i64,
) -> Result<Vec<WabaStatus>, StoreError> {
    // An archived template has that status everywhere; the others count again afterwards.
    let last_seq = if is_archived(record) { last_seq.max(row.asked.last_seq) } else { last_seq };
    let sql = format!(
        "SELECT waba, status, reason, at FROM ({EVENTS_ABOUT}) WHERE status IS NOT NULL AND waba IS NOT NULL
         ORDER BY at, seq, ordinal"
    );
    let reported = all(c, &sql, (&row.workspace_id, event_subjects(c, id, row)?, last_seq), |row| {
        Ok(WabaStatus { waba: row.get(0)?, status: row.get(1)?, reason: row.get(2)?, at: row.get(3)? })
    })?;
    let mut by_waba: BTreeMap<String, WabaStatus> = BTreeMap::new();
    // An unknown account may be another identifier of a known one.
    for status in reported.into_iter().filter(|status| is_known_in(row, &status.waba)) {
        by_waba.insert(status.waba.clone(), status);
    }
    for status in listed(record) {
        by_waba.entry(status.waba.clone()).or_insert(status);
    }
    let unreported: Vec<&String> = row.wabas.iter().filter(|waba| !by_waba.contains_key(*waba)).collect();
    if !unreported.is_empty()
        && let Some(status) = word(record, "status").map(|status| status.to_uppercase())
    {
        let is_rejected = status == TemplateStatus::Rejected.as_str();
        let reason = if is_rejected { word(record, "rejected_reason") } else { None };
        for waba in unreported {
            let (status, reason) = (status.clone(), reason.clone());
            by_waba.insert(waba.clone(), WabaStatus { waba: waba.clone(), status, reason, at: None });
        }
    }
    Ok(if by_waba.len() > 1 { by_waba.into_values().collect() } else { Vec::new() })
}

/// The status in each WABA as the provider's answer says it; none unless it does.
pub(super) fn listed(record: &str) -> impl Iterator<Item = WabaStatus> {
    listed_statuses(record).into_iter().map(|(waba, (status, reason))| WabaStatus { waba, status, reason, at: None })
}

/// Most listings have one status for all WABAs of a template. If events reported that they differ, a listing with the same
/// status as the one before, which is that of one of them, has no news about the others (decision 0053). Nor has one that
/// shows the template archived, or again after that.
pub(super) fn keep_statuses(
    c: &Connection,
    id: i64,
    (old, old_record): (&TemplateRow, &str),
    (new, record): (&mut TemplateRow, &str),
) -> Result<(), StoreError> {
    let was_archived = is_archived(old_record);
    let is_same = || old_record == record || word(old_record, "status") == word(record, "status");
    if new.wabas.len() < 2 || !listed_statuses(record).is_empty() {
        return Ok(());
    }
    if is_archived(record) {
        new.statuses_seq = Some(old.statuses_after());
        return Ok(());
    }
    if !was_archived && !is_same() {
        return Ok(());
    }
    let of_wabas = waba_statuses(c, id, (new, record), old.statuses_after())?;
    let is_one_of_them = of_wabas.iter().any(|of| of.status.eq_ignore_ascii_case(&new.status));
    let least = lifecycle::most_restrictive(of_wabas.iter().map(|of| of.status.as_str()));
    // Otherwise an event of an unknown account has counted for all since then.
    let is_shown = least == Some(old.status.as_str());
    if WabaStatus::differ(&of_wabas) && is_one_of_them && (is_shown || was_archived) {
        if is_shown {
            new.rejected_reason.clone_from(&old.rejected_reason);
        } else {
            let decisive = of_wabas.iter().find(|of| Some(of.status.as_str()) == least);
            new.rejected_reason = decisive.and_then(|of| of.reason.clone());
        }
        new.status = least.unwrap_or_default().to_owned();
        new.statuses_seq = Some(old.statuses_after());
        new.statuses = WabaStatus::indexed(&of_wabas)?;
    }
    Ok(())
}

/// Whether a record says that its template is archived by the status alone.
pub(super) fn is_archived(record: &str) -> bool {
    word(record, "status").is_some_and(|status| TemplateStatus::from(status.as_str()) == TemplateStatus::Archived)
}

/// Status changes in single WABAs, unless all of them had one status before and have one now, or the archive is what changed.
pub(super) fn status_changes<'a>(old: &'a TemplateRow, new: &'a TemplateRow) -> impl Iterator<Item = Change> + 'a {
    let archived = TemplateStatus::Archived;
    let is_archive = [old, new].iter().any(|row| row.status.eq_ignore_ascii_case(archived.as_str()));
    let have_differed = !old.statuses.is_empty() || !new.statuses.is_empty();
    let changed = new.wabas.iter().filter(move |_| have_differed && !is_archive);
    changed.filter_map(|waba| {
        let before = old.wabas.contains(waba).then(|| status_in(old, waba));
        let after = status_in(new, waba);
        (before.as_deref() != Some(after.as_str())).then(|| Change {
            reference: new.reference.clone(),
            field: "status".to_owned(),
            waba: Some(waba.clone()),
            before,
            after: Some(after),
            since: Some(old.asked.at),
            records: None,
        })
    })
}

fn status_in(row: &TemplateRow, waba: &str) -> String {
    let differing: Vec<(String, String)> = serde_json::from_str(&row.statuses).unwrap_or_default();
    let of_waba = differing.into_iter().find(|(of, _)| of == waba);
    of_waba.map_or_else(|| row.status.clone(), |(_, status)| status)
}

pub(super) fn is_known_in(row: &TemplateRow, waba: &str) -> bool {
    row.wabas.is_empty() || row.wabas.iter().any(|known| known == waba)
}
