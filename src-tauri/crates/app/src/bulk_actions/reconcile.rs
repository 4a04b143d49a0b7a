//! Reconciles items whose answer was lost with a listing that was requested afterwards.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use model::template::TemplateRecord;
use store::cache::{CachedTemplate, Omission};
use store::desk::{BulkActionKind, ItemState};

use crate::bulk_actions::BulkActions;
use crate::context::lock;
use command_types::error::{ConflictFault, DeskError, Result};
use outgoing::{is_later, now, to_json};

/// How long a listing may still show a template that was deleted, in milliseconds: 10 minutes.
const DELETION_LAG: i64 = 10 * 60 * 1_000;

impl BulkActions {
    /// Reconciles unknown items of earlier runs with the listings.
    pub(crate) async fn reconcile_after_start(&self) -> Result<()> {
        for workspace in self.0.context.desk.workspaces_with_unknown_items().await? {
            self.0.templates.sync_in_background(&workspace);
        }
        Ok(())
    }

    /// Reconciles unknown items with a listing that just ended, if it was requested after the answer was lost. Items that
    /// it does not show stay unknown. If it was requested before, or so soon that the request may still be carried out, it
    /// is fetched once more.
    pub(crate) async fn reconcile_bulk_actions(&self, workspace: &str) -> Result<()> {
        let Some(since) = self.0.context.cache.listed_at(workspace).await? else { return Ok(()) };
        let (mut bulk_actions, mut too_new, mut next_listing) = (BTreeSet::new(), false, None);
        let lost_request = i64::try_from(self.0.context.timing.lost_request.as_millis()).unwrap_or(i64::MAX);
        for open in self.0.context.desk.unknown_items(workspace).await? {
            let item = &open.item;
            let lost_at = item.answered_at.or(item.sent_at).unwrap_or_default();
            if is_later(lost_at, since) {
                too_new = true;
                continue;
            }
            // Negative after a clock that was ahead: then the age is unknown, and nothing follows from it.
            let age = since.saturating_sub(lost_at);
            let listed = self.0.context.cache.template(workspace, &item.template_ref).await?;
            let omission = self.0.context.cache.omission(workspace, &item.template_ref).await?;
            let Some(done) = carried_out(open.action, listed.as_ref(), omission, age) else {
                // One listing may leave it out by mistake; the next one confirms or refutes it. A listing may leave out
                // archived templates always.
                let is_active = listed.is_some_and(|listed| listed.row.archived != Some(true));
                if open.action == BulkActionKind::Delete && omission == Some(Omission::Listing) && is_active {
                    next_listing = next_listing.max(Some(lost_request));
                }
                continue;
            };
            if !done && age < lost_request {
                if age >= 0 {
                    next_listing = next_listing.max(Some(lost_request - age));
                }
                continue;
            }
            let (state, error) =
                if done { (ItemState::Done, None) } else { (ItemState::Failed, Some(not_carried_out(open.action)?)) };
            if self
                .0
                .context
                .desk
                .move_item(&open.bulk_action_id, item.position, (ItemState::Unknown, state), error, now())
                .await?
            {
                bulk_actions.insert(open.bulk_action_id);
            }
        }
        for id in bulk_actions {
            if let Some(bulk_action) = self.0.context.desk.bulk_action(&id).await? {
                self.report_bulk_action(&bulk_action);
            }
        }
        if too_new {
            // The listing was already in flight when the answer was lost; the next one shows the result.
            self.0.templates.sync_in_background(workspace);
        } else if let Some(wait) = next_listing {
            self.fetch_later(workspace, Duration::from_millis(wait.unsigned_abs()));
        }
        Ok(())
    }

    /// Fetches the listing after a wait, unless one is scheduled that is not earlier.
    fn fetch_later(&self, workspace: &str, wait: Duration) {
        let due = Instant::now() + wait;
        {
            let mut scheduled = lock(&self.0.next_listing);
            if scheduled.get(workspace).is_some_and(|known| *known >= due) {
                return;
            }
            scheduled.insert(workspace.to_owned(), due);
        }
        let (bulk_actions, workspace) = (self.clone(), workspace.to_owned());
        self.0.context.spawn(async move {
            tokio::time::sleep(wait).await;
            lock(&bulk_actions.0.next_listing).retain(|of, known| *of != workspace || *known > due);
            bulk_actions.0.templates.sync_in_background(&workspace);
        });
    }
}

/// Whether the action was carried out, according to the listing; `None` if it does not show that. `omission`: the
/// template is cached although the listing does not contain it, which another listing has to confirm. `age`: how long after
/// the lost answer the listing was requested, in milliseconds.
fn carried_out(
    action: BulkActionKind,
    listed: Option<&CachedTemplate>,
    omission: Option<Omission>,
    age: i64,
) -> Option<bool> {
    if omission.is_some() {
        return None;
    }
    if action == BulkActionKind::Delete {
        return if listed.is_none() { Some(true) } else { (age >= DELETION_LAG).then_some(false) };
    }
    // A listing may leave out archived templates: a missing one proves nothing.
    let record: TemplateRecord = serde_json::from_str(&listed?.record).ok()?;
    record.is_archived().map(|archived| archived == (action == BulkActionKind::Archive))
}

fn not_carried_out(action: BulkActionKind) -> Result<String> {
    to_json(&DeskError::conflict(match action {
        BulkActionKind::Archive => ConflictFault::NotYetArchived {},
        BulkActionKind::Unarchive => ConflictFault::NotBroughtBack {},
        BulkActionKind::Delete => ConflictFault::NotDeleted {},
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use store::cache::TemplateRow;

    #[test]
    fn a_listing_proves_only_what_it_shows() {
        use BulkActionKind::{Archive, Delete, Unarchive};
        for (action, record, expected) in [
            (Archive, Some(r#"{"archived":true}"#), Some(true)),
            (Archive, Some(r#"{"archived":false}"#), Some(false)),
            (Archive, Some(r#"{"status":"ARCHIVED"}"#), Some(true)),
            (Archive, Some(r#"{"archived_at":"2026-01-01"}"#), Some(true)),
            (Archive, Some(r#"{"status":"APPROVED"}"#), None),
            (Archive, None, None),
            (Unarchive, Some(r#"{"archived":false}"#), Some(true)),
            (Unarchive, Some(r#"{"archived":true}"#), Some(false)),
            (Unarchive, Some(r#"{"status":"APPROVED"}"#), None),
            (Unarchive, None, None),
            (Delete, Some("{}"), None),
            (Delete, None, Some(true)),
        ] {
            let listed = record.map(|record| CachedTemplate { row: TemplateRow::default(), record: record.to_owned() });
            assert_eq!(carried_out(action, listed.as_ref(), None, 0), expected, "{action:?} {record:?}");
            for omission in [Omission::Listing, Omission::Collapse] {
                let case = format!("{action:?} {record:?} {omission:?}");
                assert_eq!(carried_out(action, listed.as_ref(), Some(omission), DELETION_LAG), None, "{case}");
            }
        }
        let listed = CachedTemplate { row: TemplateRow::default(), record: "{}".to_owned() };
        assert_eq!(carried_out(Delete, Some(&listed), None, DELETION_LAG), Some(false), "listed for long");
    }
}
