//! One list that is divided between two batches, each with its own template.

use model::comparison::{MAX_SHARE, MIN_SHARE, is_first_side};
use store::desk::{BatchSide, RunState};

use crate::messaging::Messaging;
use crate::messaging::batches::conflict;
use command_types::batch::{BatchId, BatchPlan};
use command_types::batch_comparison::{ComparisonPair, PlanBatchSide};
use command_types::error::{ConflictFault, DeskError, Result};
use outgoing::recipient::person_key;

/// Longest identifier of a comparison, in bytes: a UUID has 36.
const MAX_ID_LENGTH: usize = 64;

/// The part of a list that one batch of a comparison gets.
#[derive(Clone, Debug)]
pub(super) struct ListSide {
    comparison: String,
    is_first: bool,
    share: u32,
}

impl ListSide {
    /// Whether the recipient, in digits, is on this side. Every spelling of a number is on the same side.
    pub(super) fn has(&self, recipient: &str) -> bool {
        is_first_side(&self.comparison, &person_key(recipient), self.share) == self.is_first
    }

    pub(super) fn of_batch(self, batch: &str) -> BatchSide {
        let Self { comparison, is_first, share } = self;
        BatchSide { batch_id: batch.to_owned(), comparison_id: comparison, is_first, share }
    }
}

impl Messaging {
    /// Checks one side of a list that is divided between two templates, and stores its plan. It replaces an earlier plan of the
    /// side. Every recipient is on exactly one side, the same at each check.
    ///
    /// # Errors
    /// As [`Self::plan_batch`]; [`DeskError::InvalidInput`] also for a proportion out of its limits, and if nobody is on the
    /// side; [`DeskError::Conflict`] if the side was sent already, or the other one in another proportion.
    pub async fn plan_batch_side(&self, request: PlanBatchSide) -> Result<BatchPlan> {
        let PlanBatchSide { plan, comparison, is_first, share } = request;
        if comparison.is_empty() || comparison.len() > MAX_ID_LENGTH {
            return Err(DeskError::invalid("comparison", "The comparison has no valid identifier."));
        }
        if !(MIN_SHARE..=MAX_SHARE).contains(&share) {
            let message = format!("Choose a proportion from {MIN_SHARE} to {MAX_SHARE} %.");
            return Err(DeskError::invalid("share", message));
        }
        for side in self.0.context.desk.batch_sides(&comparison).await? {
            let is_started = self.load_batch(&side.batch_id).await?.state != RunState::Planned;
            if is_started && side.is_first == is_first {
                return conflict(ConflictFault::SideStarted {});
            }
            if is_started && side.share != share {
                return conflict(ConflictFault::OtherShare { share: side.share });
            }
        }
        self.plan_list(plan, Some(ListSide { comparison, is_first, share })).await
    }

    /// The two batches of the comparison that a batch belongs to; none if its list was not divided.
    ///
    /// # Errors
    /// [`DeskError::NotFound`] when there is no such batch.
    pub async fn get_comparison_pair(&self, request: BatchId) -> Result<ComparisonPair> {
        let batch = self.load_batch(&request.batch).await?;
        let desk = &self.0.context.desk;
        let Some(side) = desk.batch_side(&batch.id).await? else { return Ok(ComparisonPair::default()) };
        let mut pair = ComparisonPair::default();
        for side in desk.batch_sides(&side.comparison_id).await? {
            let found = Some(side.batch_id);
            if side.is_first { pair.first = found } else { pair.second = found }
        }
        Ok(pair)
    }
}
