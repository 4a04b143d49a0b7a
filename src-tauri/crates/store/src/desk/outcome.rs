//! Statuses that the channel reports about sends: each is stored and applied to its send.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use model::event::status::Pricing;
use rusqlite::{Connection, params};

use super::Desk;
use crate::rows::{all, first, from_row, insert_row, scalar, to_json, tuple};
use crate::status::weight_of_status;
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
    /// All spellings of the recipient, and the identifier of the number that it was sent from, as far as the report says
    /// so: a provider may give one identifier to several messages.
    pub recipients: Vec<String>,
    pub number: Option<String>,
    /// The status, if the message is a send.
    pub outcome: SendOutcome,
}

impl Desk {
    /// Stores reports about messages sent from here, matched by tracking id or message id within the workspace, and
    /// returns the sends that changed. Each report is about one send. Other and repeated reports change nothing.
    ///
    /// # Errors
    /// [`StoreError`] when it cannot be written; then nothing is stored.
    pub async fn store_outcomes(&self, reports: impl Into<Arc<[OutcomeReport]>>) -> Result<Vec<String>, StoreError> {
        let reports = reports.into();
        self.database
            .write(move |c| {
                let mut changed = BTreeSet::new();
                let Ours { messages, shared } = messages_of_sends(c, &reports)?;
                for report in reports.iter().filter(|report| shared.contains(report.message_id.as_str())) {
                    changed.extend(forget_elsewhere(c, report)?);
                }
                for report in reports.iter().filter(|report| messages.contains(report.message_id.as_str())) {
                    let Some(id) = send_id_of(c, report)? else {
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
                    let pricing = first(c, LAST_PRICING, params![id, current.0], scalar::<String>)?;
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

/// Order of reports from the last one: of those of one second, the more decisive status is later.
macro_rules! last_first {
    () => {
        concat!(" ORDER BY at DESC, ", weight_of_status!(), " DESC, status DESC LIMIT 1")
    };
}

/// A column of the failure that explains why a send failed: the last one, if possible with a reason.
macro_rules! last_failure {
    ($column:literal, $send:literal) => {
        concat!(
            "(SELECT ",
            $column,
            " FROM send_outcome WHERE send_id = ",
            $send,
            " AND status = 'failed' ORDER BY error IS NULL, at DESC LIMIT 1)"
        )
    };
}
pub(super) use last_failure;

/// Which prices count for a send whose status is `?2`: the channel reports one when it sends, and charges what it
/// delivers, so that only the failure itself says what a message costs that failed.
macro_rules! price_counts {
    () => {
        " AND pricing IS NOT NULL AND (?2 IS NOT 'failed' OR status = 'failed')"
    };
}

/// The pricing of the last report that has one.
const LAST_PRICING: &str =
    concat!("SELECT pricing FROM send_outcome WHERE send_id = ?1", price_counts!(), last_first!());

/// Updates a send from its reports. Of several prices and failures the last counts: both are functions of the set of
/// reports.
const CURRENT: &str = concat!(
    "UPDATE send SET status = ?2, status_at = ?3,
      category = coalesce((SELECT lower(json_extract(pricing, '$.category')) FROM send_outcome
        WHERE send_id = ?1 AND json_extract(pricing, '$.category') IS NOT NULL",
    last_first!(),
    "), category),
      pricing_model = (SELECT json_extract(pricing, '$.pricing_model')
        FROM send_outcome WHERE send_id = ?1",
    price_counts!(),
    last_first!(),
    "),
      billable = ?4,
      delivered_at = (SELECT min(at) FROM send_outcome
        WHERE send_id = ?1 AND status IN ('delivered', 'read', 'played')),
      failure_code = CASE WHEN ?2 = 'failed' THEN json_extract(",
    last_failure!("error", "?1"),
    ", '$.code') END
    WHERE id = ?1"
);

/// Message ids among reports.
struct Ours<'a> {
    /// Those that may belong to a send. Almost all belong to others.
    messages: HashSet<&'a str>,
    /// Those that several sends have.
    shared: HashSet<&'a str>,
}

fn messages_of_sends<'a>(c: &Connection, reports: &'a [OutcomeReport]) -> Result<Ours<'a>, StoreError> {
    let mut known = c.prepare_cached("SELECT count(*) FROM (SELECT 1 FROM send WHERE message_id = ?1 LIMIT 2)")?;
    let mut ours = Ours { messages: HashSet::new(), shared: HashSet::new() };
    for report in reports {
        let sends: u32 = known.query_row([&report.message_id], scalar)?;
        // One report may set a send's message id that another report then refers to.
        if report.tracking_id.is_some() || sends > 0 {
            ours.messages.insert(report.message_id.as_str());
        }
        if sends > 1 {
            ours.shared.insert(report.message_id.as_str());
        }
    }
    Ok(ours)
}

/// Removes a report about a message to another person from other sends with its message id, and returns these:
/// it came when only they had that id.
fn forget_elsewhere(c: &Connection, report: &OutcomeReport) -> Result<Vec<String>, StoreError> {
    let recipients = to_json(&report.recipients)?;
    let outcome = &report.outcome;
    let sql = "DELETE FROM send_outcome WHERE status = ?4 AND at = ?5 AND seq = ?6 AND send_id IN (
                 SELECT id FROM send WHERE message_id = ?1 AND workspace_id = ?2
                   AND recipient NOT IN (SELECT value FROM json_each(?3)))
                 AND EXISTS (SELECT 1 FROM send WHERE message_id = ?1 AND workspace_id = ?2
                   AND recipient IN (SELECT value FROM json_each(?3)))
               RETURNING send_id";
    let key = (&report.message_id, &report.workspace_id, recipients, &outcome.status, outcome.at, outcome.seq);
    all(c, sql, key, scalar)
}

/// The send with a message id. Of several: the one to the person and from the number, then the one that has the report,
/// then the one with the tracking id, then the newest that was sent before the report.
const OF_MESSAGE: &str = "SELECT id FROM send WHERE message_id = ?1 AND workspace_id = ?2
    ORDER BY recipient IN (SELECT value FROM json_each(?3)) DESC, number = ?4 DESC,
      EXISTS (SELECT 1 FROM send_outcome WHERE send_id = send.id AND status = ?5 AND at = ?6) DESC,
      (tracking_id = ?7) DESC, (created_at / 1000 <= ?6 / 1000) DESC, created_at DESC, id DESC";

/// The send that a report is about: the one with its message id, else the one with its tracking id, which callback data
/// that was sent again has too.
pub(super) fn send_id_of(c: &Connection, report: &OutcomeReport) -> Result<Option<String>, StoreError> {
    let OutcomeReport { workspace_id, message_id, tracking_id, recipients, number, outcome } = report;
    let recipients = to_json(recipients)?;
    let key = params![message_id, workspace_id, recipients, number, outcome.status, outcome.at, tracking_id];
    let by_message = first(c, OF_MESSAGE, key, scalar)?;
    match (by_message, tracking_id) {
        (None, Some(tracking_id)) => {
            let sql = "SELECT id FROM send WHERE tracking_id = ?1 AND workspace_id = ?2";
            first(c, sql, [tracking_id, workspace_id], scalar)
        }
        (found, _) => Ok(found),
    }
}
