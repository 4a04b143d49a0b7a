//! What a batch costs: as planned, and by what the statuses said.

use model::rate_card::{Cost, Costs};
use store::desk::{self, LocalRowState, RowState};

use crate::costs;
use crate::messaging::Messaging;
use command_types::batch::{BatchCost, BatchId};
use command_types::error::Result;

impl Messaging {
    /// What the messages of a batch cost. For the volume tiers, all messages of the month that were delivered before the
    /// first day of the batch count before it, those of its own days after it.
    ///
    /// # Errors
    /// [`command_types::error::DeskError::Storage`].
    pub async fn get_batch_cost(&self, request: BatchId) -> Result<BatchCost> {
        let batch = self.load_batch(&request.batch).await?;
        // Stored JSON that can no longer be read must not hide what the statuses say.
        let planned = batch.cost.as_deref().and_then(|json| serde_json::from_str(json).ok());
        let Some(card) = costs::usable_rate_card(&self.0.context, &batch.workspace_id).await? else {
            return Ok(BatchCost { planned, actual: None });
        };
        let delivered = self.0.context.desk.delivered_of_batch(&batch.id).await?;
        let mut costs = Costs::new(&card);
        if let Some(first) = delivered.first().map(|figure| figure.period) {
            let days = (costs::month_start(first), first - 1);
            costs::count_before(&mut costs, &self.0.context.desk.delivered(&batch.workspace_id, days, None).await?);
        }
        for figure in &delivered {
            costs::add(&mut costs, figure);
        }
        Ok(BatchCost { planned, actual: Some(costs.finish()) })
    }

    /// What a batch costs when its rest is sent in another category than the rows before.
    pub(super) async fn raised_cost(
        &self,
        batch: &desk::Batch,
        before: Option<&str>,
        after: &str,
    ) -> Result<Option<Cost>> {
        let (context, desk) = (&self.0.context, &self.0.context.desk);
        let rest = [LocalRowState::Planned, LocalRowState::Cancelled].map(RowState::from);
        let left = [LocalRowState::Sending, LocalRowState::Accepted, LocalRowState::Unknown].map(RowState::from);
        let reported = batch.counts.iter().map(|(state, _)| state.clone());
        let left = left.into_iter().chain(reported.filter(|state| matches!(state, RowState::Reported(_)))).collect();
        let sent = costs::countries_of(desk.recipients_in(&batch.id, left).await?).await?;
        let rest = costs::countries_of(desk.recipients_in(&batch.id, rest.into()).await?).await?;
        let parts = [(before.unwrap_or(after), sent), (after, rest)];
        Ok(costs::estimate_parts(context, &batch.workspace_id, &parts).await)
    }
}
