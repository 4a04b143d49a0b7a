//! How batches end: for good by the decision of a person, and what the stored state alone does not say.

use std::collections::HashMap;

use model::send::{SendProblem, SendProblemCode};
use store::desk::{self, LocalRowState, RunState, RunStep};

use super::{count, step_conflict};
use crate::messaging::Messaging;
use command_types::batch::{Batch, BatchCounts, BatchId};
use command_types::batch_ending::BatchEnding;
use command_types::error::Result;
use outgoing::{now, to_json};

impl Messaging {
    /// Ends a paused or interrupted batch for good: its rows that were not sent are left out, also of what resumes it.
    ///
    /// # Errors
    /// [`command_types::error::DeskError::Conflict`] while it is running, and when it has already ended;
    /// [`command_types::error::DeskError::NotFound`].
    pub async fn end_batch(&self, request: BatchId) -> Result<Batch> {
        let problem = to_json(&SendProblem::new("", SendProblemCode::RowEnded, &[]))?;
        match self.0.context.desk.end_batch(&request.batch, problem, now()).await? {
            RunStep::Done => {}
            step => return Err(step_conflict(step)),
        }
        let batch = self.load_batch(&request.batch).await?;
        self.report_batch(&batch);
        self.shown(batch).await
    }

    /// How many rows of each of these batches were left out when it was ended; batches without such rows are absent.
    pub(super) async fn ended_rows(&self, batches: &[desk::Batch]) -> Result<HashMap<String, u32>> {
        let may_have_some =
            |batch: &&desk::Batch| batch.state != RunState::Planned && count(batch, LocalRowState::Skipped) > 0;
        let ids: Vec<String> = batches.iter().filter(may_have_some).map(|batch| batch.id.clone()).collect();
        Ok(self.0.context.desk.ended_rows(&ids).await?.into_iter().collect())
    }
}

/// How a batch ended, where its state says only that it is done. While an outcome is unknown, the message may have arrived.
pub(super) fn ending(state: RunState, counts: &BatchCounts) -> Option<BatchEnding> {
    let BatchCounts { accepted, sent, delivered, read, other, unknown, sending, failed, refused, .. } = *counts;
    let may_have_arrived = accepted + sent + delivered + read + other + unknown + sending;
    match state {
        RunState::Done if counts.ended > 0 => Some(BatchEnding::Ended),
        RunState::Done if may_have_arrived == 0 && failed + refused > 0 => Some(BatchEnding::AllFailed),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_that_reached_nobody_or_was_ended_is_not_just_done() {
        let none = BatchCounts::default();
        for (counts, expected) in [
            (BatchCounts { ended: 585, delivered: 172, skipped: 43, ..none }, Some(BatchEnding::Ended)),
            (BatchCounts { ended: 1, failed: 9, ..none }, Some(BatchEnding::Ended)),
            (BatchCounts { failed: 3, refused: 2, skipped: 1, ..none }, Some(BatchEnding::AllFailed)),
            (BatchCounts { failed: 3, accepted: 1, ..none }, None),
            (BatchCounts { refused: 3, unknown: 1, ..none }, None),
            (BatchCounts { delivered: 1, ..none }, None),
            // Its last row was left out while it was being sent.
            (BatchCounts { skipped: 4, ..none }, None),
        ] {
            assert_eq!(ending(RunState::Done, &counts), expected, "{counts:?}");
            assert_eq!(ending(RunState::Running, &counts), None, "{counts:?}");
        }
    }
}
