//! Whether archived templates were approved before: a provider may mark them by their status alone, and the channel
//! blocks the name of an approved template that is deleted.

use std::collections::HashMap;

use model::vocabulary::TemplateStatus;
use store::cache::TemplateRow;
use store::desk::{BulkActionItem, ItemState, StoredHistory};

use crate::bulk_actions::BulkActions;
use crate::templates::backfill::is_about;
use crate::templates::category_change::ids_of;
use crate::templates::listed_record::record;
use command_types::error::Result;

/// Templates of a bulk action whose status says only that they are archived.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ArchivedStatuses {
    /// Number of those that were approved before.
    pub(super) approved: u32,
    /// Number of those whose status before is unknown.
    pub(super) unknown: u32,
}

impl BulkActions {
    /// The statuses before of the affected items that are archived by status.
    pub(super) async fn statuses_before_archive(
        &self,
        workspace: &str,
        items: &[BulkActionItem],
    ) -> Result<ArchivedStatuses> {
        let is_unclear = |item: &&BulkActionItem| {
            item.state != ItemState::Skipped && item.status_before.as_deref().is_some_and(is_archived)
        };
        let references: Vec<String> = items.iter().filter(is_unclear).map(|item| item.template_ref.clone()).collect();
        if references.is_empty() {
            return Ok(ArchivedStatuses::default());
        }
        let mut found = ArchivedStatuses::default();
        let rows: HashMap<String, TemplateRow> = self.known(workspace, references.clone()).await?;
        let mut histories = self.0.context.desk.histories(workspace, rows.values().map(ids_of).collect()).await?;
        for reference in references {
            let history = rows.get(&reference).zip(histories.remove(&reference));
            let before = history.and_then(|(row, mut history)| {
                history.events.retain(|event| is_about(event, row));
                last_status(&history)
            });
            match before {
                Some(TemplateStatus::Approved) => found.approved += 1,
                Some(_) => {}
                None => found.unknown += 1,
            }
        }
        Ok(found)
    }
}

fn is_archived(status: &str) -> bool {
    TemplateStatus::from(status) == TemplateStatus::Archived
}

/// The last known status other than archived.
fn last_status(history: &StoredHistory) -> Option<TemplateStatus> {
    let reported =
        history.events.iter().map(|event| (event.at, TemplateStatus::from(event.event.as_str()).resulting()));
    let listed = history.observations.iter().filter(|change| change.waba.is_none()).flat_map(|change| {
        let status = |value: &Option<String>| value.as_deref().map(TemplateStatus::from);
        let (before, after) = match change.field.as_str() {
            "status" => (status(&change.before), status(&change.after)),
            "added" => (None, change.after.as_deref().and_then(record).and_then(|record| record.status)),
            _ => (None, None),
        };
        [(change.at, before), (change.at, after)]
    });
    let known = reported.chain(listed).filter_map(|(at, status)| Some((at, status?)));
    let known = known.filter(|(_, status)| *status != TemplateStatus::Archived);
    known.max_by_key(|(at, _)| *at).map(|(_, status)| status)
}

#[cfg(test)]
mod tests {
    use super::*;
    use store::desk::Observation;

    fn seen(at: i64, field: &str, before: Option<&str>, after: &str) -> Observation {
        Observation {
            workspace_id: "w".to_owned(),
            template_ref: "r".to_owned(),
            at,
            since: None,
            field: field.to_owned(),
            waba: None,
            before: before.map(str::to_owned),
            after: Some(after.to_owned()),
        }
    }

    #[test]
    fn the_status_before_the_archive_is_the_last_known_one() {
        let archived = seen(3_000, "status", Some("APPROVED"), "ARCHIVED");
        for (observations, expected) in [
            (vec![], None),
            (vec![archived.clone()], Some(TemplateStatus::Approved)),
            (vec![seen(1_000, "status", Some("APPROVED"), "PAUSED"), archived], Some(TemplateStatus::Approved)),
            (vec![seen(1_000, "status", Some("PENDING"), "REJECTED")], Some(TemplateStatus::Rejected)),
            (
                vec![seen(1_000, "added", None, r#"{"uuid":"r","name":"n","language":"en","status":"APPROVED"}"#)],
                Some(TemplateStatus::Approved),
            ),
            (vec![seen(1_000, "archived", Some("false"), "true")], None),
        ] {
            let history = StoredHistory { observations, ..StoredHistory::default() };
            assert_eq!(last_status(&history), expected);
        }
    }
}
