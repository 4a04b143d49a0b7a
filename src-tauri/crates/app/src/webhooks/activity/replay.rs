//! Decodes stored deliveries again with the current decoder.

use store::cache::ApplyError;

use crate::decoding::DecodedBatch;
use crate::send_events::emit_sends;
use crate::webhooks::Webhooks;
use command_types::activity::{DeliveryScope, ReplayEvents, ReplayReport};
use command_types::error::{ConflictFault, DeskError, Missing, Result};
use command_types::event::DeskEvent;
use outgoing::compute;

impl Webhooks {
    /// Decodes stored deliveries again and writes the differences: events in the cache, outcomes and histories in the
    /// desk. No delivery is counted twice, so repeating it changes nothing.
    ///
    /// Deliveries that are not projected yet are processed by the projector, which uses the same decoder.
    ///
    /// # Errors
    /// [`DeskError::NotFound`] when a single delivery does not exist; [`DeskError::Conflict`] during a rebuild;
    /// [`DeskError::Cancelled`] when the app closes meanwhile; [`DeskError::Storage`] when a database fails.
    pub async fn replay_events(&self, request: ReplayEvents) -> Result<ReplayReport> {
        let (first, last) = request.scope.ends()?;
        let done = self.projected_to().await?;
        let mut stored_deliveries = self.stored_deliveries(first, last.min(done)).await?;
        let mut report = ReplayReport::default();
        loop {
            // Must not restore events that retention removes concurrently.
            let _guard = self.0.projection.lock_exclusively().await;
            let page = stored_deliveries.page().await?;
            if page.is_empty() {
                break;
            }
            report.deliveries += page.len() as u64;
            let seqs = page.iter().map(|delivery| delivery.seq).collect();
            let batch = compute::decode(move || DecodedBatch::of(&page)).await?;
            report.items += batch.items.len() as u64;
            let sends = self.0.context.desk.store_outcomes(batch.outcomes).await?;
            report.changed += sends.len() as u64;
            report.changed += self.0.context.desk.store_replies(batch.replies).await?.len() as u64;
            report.changed += self.0.context.desk.store_template_events(batch.events).await? as u64;
            let applied =
                match self.0.context.cache.apply_again(self.0.context.delivery_log.log_id(), seqs, batch.items).await {
                    Ok(applied) => applied,
                    Err(ApplyError::Cursor(_)) => {
                        return Err(DeskError::conflict(ConflictFault::BeingRebuilt {}));
                    }
                    Err(ApplyError::Store(error)) => return Err(error.into()),
                };
            report.changed += applied.corrected;
            emit_sends(&self.0.context, sends).await;
            let mut workspaces: Vec<String> = applied.templates.into_iter().map(|change| change.route).collect();
            workspaces.dedup();
            for workspace in workspaces {
                self.0.context.emit(DeskEvent::TemplatesChanged { workspace });
            }
            if applied.corrected > 0 {
                self.0
                    .context
                    .emit(DeskEvent::EventsStored { workspaces: batch.routes, count: applied.new_items as u64 });
            }
        }
        if report.deliveries == 0 && matches!(request.scope, DeliveryScope::One { .. }) {
            return Err(DeskError::not_found(Missing::Delivery));
        }
        Ok(report)
    }
}
