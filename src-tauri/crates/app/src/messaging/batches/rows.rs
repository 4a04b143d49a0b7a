//! The rows of a batch, page by page, with their states and errors.

use model::error_code::explain;
use model::failure::Failure;
use store::desk::{self, LocalRowState, RowState, RunState};

use crate::messaging::Messaging;
use crate::templates::queries::MAX_ROWS;
use command_types::batch::{BatchDetail, BatchQuery, BatchRow};
use command_types::batch_round::OutcomeGroup;
use command_types::error::{DeskError, Result};
use outgoing::message::unlisted_number;
use outgoing::recipient::formatted;

impl Messaging {
    /// A batch and a page of its rows.
    pub async fn get_batch(&self, query: BatchQuery) -> Result<BatchDetail> {
        let batch = self.load_batch(&query.batch).await?;
        let after = match query.after.as_deref().filter(|after| !after.is_empty()) {
            Some(after) => {
                after.parse().map_err(|_| DeskError::invalid("after", "This page does not exist. Reload the list."))?
            }
            None => 0,
        };
        let limit = query.limit.clamp(1, MAX_ROWS);
        let state = query.state.filter(|state| !state.as_str().is_empty());
        let mut rows = match query.group {
            Some(group) => self.rows_of_group(&batch.id, group, after, limit + 1).await?,
            None => self.0.context.desk.batch_rows(&batch.id, state, after, limit + 1).await?,
        };
        let more = rows.len() > limit as usize;
        rows.truncate(limit as usize);
        let next = rows.last().filter(|_| more).map(|row| row.planned.row.to_string());
        let restriction = match batch.state {
            RunState::Interrupted | RunState::Cancelled => {
                let settings = self.0.workspaces.settings(&batch.workspace_id).await?;
                match unlisted_number(&settings, &batch.number) {
                    Some(problem) => Some(problem),
                    None => self.restriction(&settings, &batch.workspace_id, &batch.number).await?,
                }
            }
            _ => None,
        };
        let rows = rows.into_iter().map(shown_row).collect();
        Ok(BatchDetail { batch: self.shown(batch).await?, restriction, rows, next })
    }

    /// Rows of people of a group, after the row `after`.
    async fn rows_of_group(
        &self,
        batch: &str,
        group: OutcomeGroup,
        after: u32,
        limit: u32,
    ) -> Result<Vec<desk::BatchRow>> {
        let people = self.people_of(batch).await?;
        let numbers = people.iter().filter(|person| person.group == group).map(|person| person.outcome.planned.row);
        let numbers: Vec<u32> = numbers.filter(|row| *row > after).take(limit as usize).collect();
        Ok(self.0.context.desk.batch_rows_at(batch, &numbers).await?)
    }
}

pub(super) fn shown_row(row: desk::BatchRow) -> BatchRow {
    let failure = row.failure.as_deref().and_then(|json| serde_json::from_str::<Failure>(json).ok());
    // After the first status, the outcome of the request is no longer relevant.
    let is_of_call = matches!(row.state, RowState::Local(LocalRowState::Refused | LocalRowState::Unknown));
    let call_error = row.call_error.as_deref().filter(|_| is_of_call);
    let refusal = call_error.and_then(|json| serde_json::from_str::<DeskError>(json).ok());
    let words = failure.as_ref().and_then(Failure::words).map(str::to_owned);
    BatchRow {
        row: row.planned.row,
        formatted: formatted(&row.planned.recipient),
        recipient: row.planned.recipient,
        written: row.planned.written,
        name: row.planned.name,
        send: row.send_id,
        state: row.state,
        // Stored JSON that can no longer be read must not hide the row.
        problem: row.planned.problem.as_deref().and_then(|json| serde_json::from_str(json).ok()),
        error: words.or_else(|| refusal.map(|refusal| refusal.to_string())),
        explanation: failure.as_ref().map(explain),
    }
}
