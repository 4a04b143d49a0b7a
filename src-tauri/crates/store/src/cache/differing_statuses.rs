//! Statuses that differ between the accounts of a template and that only events reported: the listing has one for all. A
//! new cache gets them back with its first complete listing.

use model::lifecycle;
use model::vocabulary::TemplateStatus;
use rusqlite::Connection;
use serde::{Deserialize, Serialize};

use super::Cache;
use super::account_records::{listed_statuses, word};
use super::projection::cursor;
use super::row::{by_id, by_reference, rewrite};
use super::template::TemplateRow;
use super::waba_status::{WabaStatus, waba_statuses};
use crate::StoreError;
use crate::rows::{all, scalar, to_json};

/// The statuses of a template in its accounts, if they differ and the listing does not say so.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DifferingStatuses {
    pub reference: String,
    /// The status in the listing. With another one they no longer hold.
    pub listed: String,
    /// The delivery after which events reported them.
    pub after: i64,
    /// WABA and status of each.
    pub statuses: Vec<(String, String)>,
    /// Why it was rejected in one of them.
    pub reason: Option<String>,
}

impl DifferingStatuses {
    fn of(row: TemplateRow, record: &str) -> Option<Self> {
        if !listed_statuses(record).is_empty() {
            return None;
        }
        Some(Self {
            listed: word(record, "status")?,
            after: row.statuses_after(),
            statuses: serde_json::from_str(&row.statuses).ok()?,
            reference: row.reference,
            reason: row.rejected_reason,
        })
    }

    /// Whether they hold for a template of a listing.
    fn hold_for(&self, row: &TemplateRow, record: &str) -> bool {
        let is_complete = row.wabas.len() == self.statuses.len();
        let is_known = || self.statuses.iter().all(|(waba, _)| row.wabas.contains(waba));
        let is_same = || word(record, "status").as_ref() == Some(&self.listed);
        is_complete && is_known() && is_same() && listed_statuses(record).is_empty()
    }
}

impl Cache {
    /// The templates of a workspace whose statuses differ between accounts as only events reported.
    pub async fn differing_statuses(&self, workspace_id: &str) -> Result<Vec<DifferingStatuses>, StoreError> {
        let workspace_id = workspace_id.to_owned();
        self.database
            .read(move |c| {
                let sql = "SELECT id FROM template WHERE workspace_id = ?1 AND statuses <> '' ORDER BY ref";
                let mut found = Vec::new();
                for id in all(c, sql, [workspace_id], scalar)? {
                    found.extend(by_id(c, id)?.and_then(|(row, record)| DifferingStatuses::of(row, &record)));
                }
                Ok(found)
            })
            .await
    }

    /// Gives the templates of a listing in a new cache the statuses that were known before.
    pub async fn restore_statuses(&self, workspace_id: &str, known: Vec<DifferingStatuses>) -> Result<(), StoreError> {
        let workspace_id = workspace_id.to_owned();
        self.database.write(move |c| known.iter().try_for_each(|one| restore(c, &workspace_id, one))).await
    }
}

fn restore(c: &Connection, workspace_id: &str, known: &DifferingStatuses) -> Result<(), StoreError> {
    let Some((id, old, record)) = by_reference(c, workspace_id, &known.reference)? else { return Ok(()) };
    if !known.hold_for(&old, &record) {
        return Ok(());
    }
    // Where the events are in the cache already, they know better: one may have come since.
    let after = known.after.min(old.asked.last_seq);
    let is_projected = cursor(c)?.is_some_and(|cursor| cursor.seq >= old.asked.last_seq);
    let (statuses, reason) = match waba_statuses(c, id, (&old, &record), after)? {
        of_wabas if WabaStatus::differ(&of_wabas) => {
            let rejected = of_wabas.iter().find(|of| of.status == TemplateStatus::Rejected.as_str());
            let reason = rejected.and_then(|of| of.reason.clone());
            (of_wabas.into_iter().map(|of| (of.waba, of.status)).collect(), reason)
        }
        _ if is_projected => return Ok(()),
        _ => (known.statuses.clone(), known.reason.clone()),
    };
    let mut new = old.clone();
    let least = lifecycle::most_restrictive(statuses.iter().map(|(_, status)| status.as_str()));
    new.status = least.unwrap_or(&old.status).to_owned();
    new.rejected_reason = reason.filter(|_| new.status == TemplateStatus::Rejected.as_str());
    if new.status != old.status {
        new.status_since = None;
    }
    new.statuses_seq = Some(after);
    new.statuses = to_json(&statuses)?;
    rewrite(c, id, (&old, &record), (&new, &record))
}
