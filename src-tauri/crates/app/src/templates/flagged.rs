//! Templates that the channel will disable unless their quality improves, among those of a list. Their status is still the
//! one before.

use std::collections::BTreeMap;

use model::vocabulary::TemplateStatus;
use store::cache::TemplateRow;

use crate::templates::Templates;
use crate::templates::category_change::ids_of;
use crate::templates::status_cause::status_cause;
use command_types::error::Result;
use command_types::template::{StatusCause, StatusCauseKind};
use outgoing::now;

/// The word under which these events are stored.
const FLAGGED: &str = "FLAGGED";

impl Templates {
    /// Why and when, by their references.
    pub(super) async fn flagged(&self, workspace: &str, rows: &[TemplateRow]) -> Result<BTreeMap<String, StatusCause>> {
        let events = self.0.context.desk.events_of_kind(workspace, rows.iter().map(ids_of).collect(), FLAGGED).await?;
        let mut flagged = BTreeMap::new();
        let is_in_use =
            |row: &&TemplateRow| TemplateStatus::from(row.status.as_str()).is_sendable() && row.archived != Some(true);
        for row in rows.iter().filter(is_in_use).filter(|row| events.contains_key(&row.reference)) {
            let reference = &row.reference;
            // What was reported since may have ended it.
            let Some(cached) = self.0.context.cache.template(workspace, reference).await? else { continue };
            let cause = status_cause(&cached.row, &self.template_events(&cached).await?);
            let is_ahead = |cause: &StatusCause| cause.disabled_at.is_none_or(|at| at > now());
            let cause = cause.filter(|cause| cause.kind == StatusCauseKind::Flagged && is_ahead(cause));
            flagged.extend(cause.map(|cause| (reference.clone(), cause)));
        }
        Ok(flagged)
    }
}
