//! What rows of a batch that are yet to be sent cost.

use super::plan::category_of;
use crate::costs;
use crate::messaging::Messaging;
use command_types::batch::{EstimateRows, RowsEstimate};
use command_types::error::Result;

impl Messaging {
    /// What the rows in some states cost if their messages are delivered today, in the category that the template has now.
    ///
    /// # Errors
    /// [`command_types::error::DeskError::NotFound`] when there is no such batch.
    pub async fn estimate_batch_rows(&self, request: EstimateRows) -> Result<RowsEstimate> {
        let batch = self.load_batch(&request.batch).await?;
        let recipients = self.0.context.desk.recipients_in(&batch.id, request.states).await?;
        let rows = u32::try_from(recipients.len()).unwrap_or(u32::MAX);
        // A template that is no longer listed had the category that the person confirmed.
        let category = match self.send_plan(&batch.workspace_id, &batch.template_ref).await {
            Ok(plan) => category_of(&plan),
            Err(_) => super::read_request(&batch)?.known_category.unwrap_or_default(),
        };
        let countries = costs::countries_of(recipients).await?;
        let cost = costs::estimate(&self.0.context, &batch.workspace_id, &category, &countries).await;
        Ok(RowsEstimate { rows, cost })
    }
}
