//! Batches that a person ended for good: what was not sent is skipped, with a problem that says so.

use super::job::{self, JobKind, RunStep};
use super::{Desk, RunState};
use crate::StoreError;
use crate::rows::{all, to_json, tuple};

/// Whether a row of the table was left out when its batch was ended, by the code of `SendProblemCode::RowEnded`. No other
/// rows have it.
macro_rules! is_left_out_by_end {
    ($row:literal) => {
        concat!($row, ".problem ->> '$.code' IS 'row.ended'")
    };
}
pub(super) use is_left_out_by_end;

const ENDED_ROWS: &str = concat!(
    "SELECT batch_id, count(*) FROM batch_row INDEXED BY batch_row_state
     WHERE batch_id IN (SELECT value FROM json_each(?1)) AND state = 'skipped' AND ",
    is_left_out_by_end!("batch_row"),
    " GROUP BY batch_id"
);

impl Desk {
    /// Ends a batch for good that was cancelled or interrupted: its rows that were not sent are skipped with `problem`, whose
    /// code is `row.ended`.
    pub async fn end_batch(&self, id: &str, problem: String, at: i64) -> Result<RunStep, StoreError> {
        let id = id.to_owned();
        self.database
            .write(move |c| {
                let from = [RunState::Cancelled, RunState::Interrupted];
                if let Some(step) = job::unstartable(c, JobKind::Batch, &id, &from)? {
                    return Ok(step);
                }
                c.execute(
                    "UPDATE batch_row SET state = 'skipped', problem = ?2
                     WHERE batch_id = ?1 AND state IN ('planned', 'cancelled')",
                    (&id, problem),
                )?;
                c.execute("UPDATE batch SET state = 'done', error = NULL, ended_at = ?2 WHERE id = ?1", (&id, at))?;
                Ok(RunStep::Done)
            })
            .await
    }

    /// How many rows of each of these batches were left out when it was ended; batches without such rows are absent.
    pub async fn ended_rows(&self, batches: &[String]) -> Result<Vec<(String, u32)>, StoreError> {
        let batches = to_json(batches)?;
        self.database.read(move |c| all(c, ENDED_ROWS, [batches], tuple)).await
    }
}

#[cfg(test)]
mod tests {
    use model::send::SendProblemCode;

    #[test]
    fn the_statements_have_the_code_of_the_problem() {
        let code = SendProblemCode::RowEnded.as_str();
        assert_eq!(is_left_out_by_end!("r"), format!("r.problem ->> '$.code' IS '{code}'"));
    }
}
