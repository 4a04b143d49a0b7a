//! Statuses that the channel reports about sends: each is stored and applied to its send.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use model::event::status::Pricing;
use rusqlite::{Connection, params};

use super::Desk;
use crate::rows::{all, first, from_row, insert_row, scalar, tuple};
use crate::{StoreError, status};

/// A status that the channel reported about a send.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SendOutcome {
    pub status: String,
    pub at: i64,
    /// Its delivery.
    pub seq: i64,
    /// When that delivery arrived; absent for reports stored by older versions.
    pub received_at: Option<i64>,
    /// The error object as JSON.
    pub error: Option<String>,
    /// The pricing object as JSON.
    pub pricing: Option<String>,
    /// The conversation object as JSON.
    pub conversation: Option<String>,
    pub callback_data: Option<String>,
}

/// A reported status of a message that may have been sent from here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OutcomeReport {
    /// The workspace whose endpoint received it: a status applies to sends of this workspace only.
    pub workspace_id: String,
    /// The channel's identifier of the message.
    pub message_id: String,
    /// The tracking id returned with it.
    pub tracking_id: Option<String>,
    /// The status, if the message is a send.
    pub outcome: SendOutcome,
}

impl Desk {
    /// Stores reports about messages sent from here, matched by tracking id or message id within the workspace, and
    /// returns the sends with new reports. Other and repeated reports change nothing.
    ///
    /// # Errors
    /// [`StoreError`] when it cannot be written; then nothing is stored.
    pub async fn store_outcomes(&self, reports: impl Into<Arc<[OutcomeReport]>>) -> Result<Vec<String>, StoreError> {
        let reports = reports.into();
        self.database
            .write(move |c| {
                let mut changed = BTreeSet::new();
                let ours = messages_of_sends(c, &reports)?;
                for report in reports.iter().filter(|report| ours.contains(report.message_id.as_str())) {
                    let tracking_id = report.tracking_id.as_deref();
                    let Some(id) = send_id_of(c, &report.workspace_id, &report.message_id, tracking_id)? else {
                        continue;
                    };
                    // The response had no identifier: take it from the report.
                    c.prepare_cached("UPDATE send SET message_id = ?2 WHERE id = ?1 AND message_id IS NULL")?
                        .execute((&id, &report.message_id))?;
                    // A redelivery can add fields to the first report, never remove any.
                    let outcome = &report.outcome;
                    let added = insert_row!(c, "send_outcome" => outcome {
                        send_id: id, status, at, seq, received_at, error, pricing, conversation, callback_data,
                    }, "ON CONFLICT DO UPDATE SET
                               error = coalesce(error, excluded.error),
                               pricing = coalesce(pricing, excluded.pricing),
                               conversation = coalesce(conversation, excluded.conversation),
                               callback_data = coalesce(callback_data, excluded.callback_data)
                             WHERE coalesce(error, excluded.error) IS NOT error
                               OR coalesce(pricing, excluded.pricing) IS NOT pricing
                               OR coalesce(conversation, excluded.conversation) IS NOT conversation
                               OR coalesce(callback_data, excluded.callback_data) IS NOT callback_data")?;
                    if added > 0 {
                        changed.insert(id);
                    }
                }
                for id in &changed {
                    let reports =
                        all(c, "SELECT status, at FROM send_outcome WHERE send_id = ?1", [id], tuple::<(String, _)>)?;
                    let current = status::current(reports).unzip();
                    let pricing = first(c, LAST_PRICING, [id], scalar::<String>)?;
                    let charged = pricing.and_then(|json| serde_json::from_str::<Pricing>(&json).ok()?.is_charged());
                    c.prepare_cached(CURRENT)?.execute(params![id, current.0, current.1, charged])?;
                }
                Ok(changed.into_iter().collect())
            })
            .await
    }

    /// All reports about a send, in the order in which they happened.
    pub async fn outcomes(&self, send_id: &str) -> Result<Vec<SendOutcome>, StoreError> {
        let send_id = send_id.to_owned();
        self.database
            .read(move |c| {
                all(c, "SELECT * FROM send_outcome WHERE send_id = ?1 ORDER BY at, seq, status", [send_id], |row| {
                    from_row!(row => SendOutcome {
                        status, at, seq, received_at, error, pricing, conversation, callback_data,
                    })
                })
            })
            .await
    }
}

/// The pricing of the last report that has one.
const LAST_PRICING: &str = "SELECT pricing FROM send_outcome
    WHERE send_id = ?1 AND pricing IS NOT NULL ORDER BY at DESC, status DESC LIMIT 1";

/// Updates a send from its reports. Of several prices the last counts, of several failures the first; both are
/// functions of the set of reports.
const CURRENT: &str = "UPDATE send SET status = ?2, status_at = ?3,
      category = coalesce((SELECT lower(json_extract(pricing, '$.category')) FROM send_outcome
        WHERE send_id = ?1 AND json_extract(pricing, '$.category') IS NOT NULL
        ORDER BY at DESC, status DESC LIMIT 1), category),
      pricing_model = (SELECT json_extract(pricing, '$.pricing_model')
        FROM send_outcome WHERE send_id = ?1 AND pricing IS NOT NULL ORDER BY at DESC, status DESC LIMIT 1),
      billable = ?4,
      delivered_at = (SELECT min(at) FROM send_outcome
        WHERE send_id = ?1 AND status IN ('delivered', 'read', 'played')),
      failure_code = CASE WHEN ?2 = 'failed' THEN (SELECT json_extract(error, '$.code') FROM send_outcome
        WHERE send_id = ?1 AND status = 'failed' ORDER BY error IS NULL, at LIMIT 1) END
    WHERE id = ?1";

/// Message ids among the reports that may belong to a send. Almost all belong to others.
fn messages_of_sends<'a>(c: &Connection, reports: &'a [OutcomeReport]) -> Result<HashSet<&'a str>, StoreError> {
    let mut known = c.prepare_cached("SELECT 1 FROM send WHERE message_id = ?1")?;
    let mut ours = HashSet::new();
    for report in reports {
        // One report may set a send's message id that another report then refers to.
        if report.tracking_id.is_some() || known.exists([&report.message_id])? {
            ours.insert(report.message_id.as_str());
        }
    }
    Ok(ours)
}

pub(super) fn send_id_of(
    c: &Connection,
    workspace_id: &str,
    message_id: &str,
    tracking_id: Option<&str>,
) -> Result<Option<String>, StoreError> {
    let sql = "SELECT id FROM send WHERE message_id = ?1 AND workspace_id = ?2";
    let by_message = first(c, sql, [message_id, workspace_id], scalar)?;
    match (by_message, tracking_id) {
        (None, Some(tracking_id)) => {
            let sql = "SELECT id FROM send WHERE tracking_id = ?1 AND workspace_id = ?2";
            first(c, sql, [tracking_id, workspace_id], scalar)
        }
        (found, _) => Ok(found),
    }
}
