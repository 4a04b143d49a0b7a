//! Compares two events.

use crate::webhooks::Webhooks;
use command_types::activity::{CompareEvents, EventComparison, EventId};
use command_types::error::{DeskError, Missing, Result};
use outgoing::compute;

impl Webhooks {
    /// The diff of the values of two events, line by line.
    ///
    /// # Errors
    /// [`DeskError::NotFound`] when there is no such event, or retention removed its delivery.
    pub async fn compare_events(&self, request: CompareEvents) -> Result<EventComparison> {
        let left = self.value_of(request.left).await?;
        let right = self.value_of(request.right).await?;
        let lines = compute::run(move || model::diff::json_lines(&left, &right)).await?;
        Ok(EventComparison { lines })
    }

    async fn value_of(&self, event: String) -> Result<String> {
        let detail = self.get_event(EventId { event }).await?;
        detail.value.ok_or_else(|| DeskError::not_found(Missing::EventDelivery))
    }
}
