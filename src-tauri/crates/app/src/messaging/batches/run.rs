//! A batch as a job: every row is recorded before it is sent. Rows that the provider is known not to have sent are
//! planned again; no other row is sent twice.

use std::collections::HashMap;

use model::send::{SendProblem, SendValues};
use store::desk::{self, CallState, LocalRowState};
use tokio_util::sync::CancellationToken;

use super::plan::request_of;
use crate::context::Context;
use crate::jobs::answer::{Answer, RequestKind};
use crate::jobs::engine::{self, Job};
use crate::jobs::running::RunningJobs;
use crate::messaging::Messaging;
use crate::messaging::recipients::may_be_unreachable;
use command_types::error::{DeskError, Result};
use command_types::event::DeskEvent;
use command_types::send::SendRequest;
use outgoing::message::{TRACKING_PREVIEW, stops};
use outgoing::recipient::explicit;
use outgoing::to_json;

/// Rows read at once.
const PAGE_SIZE: u32 = 200;

#[derive(Debug)]
struct Row {
    row: u32,
    to: String,
    /// Values that differ between rows.
    values: SendValues,
    /// Whether it is one of a further round, and not before which instant of the provider's clock it is sent.
    of_round: Option<Option<i64>>,
    /// Not before which instant of that clock the messaging limit has room for it.
    delay: Option<i64>,
}

#[derive(Debug)]
struct BatchJob {
    messaging: Messaging,
    id: String,
    common: SendRequest,
}

impl Messaging {
    /// Starts the job of a batch that is recorded as running.
    pub(super) fn run_batch(&self, batch: &desk::Batch, common: SendRequest) {
        let _running = engine::start(BatchJob { messaging: self.clone(), id: batch.id.clone(), common });
    }

    /// Refused rows, each with its send, for which the provider did nothing and another attempt makes sense.
    pub(super) async fn rejected_rows(&self, batch: &desk::Batch) -> Result<Vec<(u32, String)>> {
        let mut rejected = Vec::new();
        let mut after = 0;
        loop {
            let rows = self
                .0
                .context
                .desk
                .batch_rows(&batch.id, Some(LocalRowState::Refused.into()), after, PAGE_SIZE)
                .await?;
            let Some(last) = rows.last() else { return Ok(rejected) };
            after = last.planned.row;
            for row in rows {
                let Some(send_id) = row.send_id else { continue };
                let Some(send) = self.0.context.desk.send(&send_id).await? else { continue };
                // A person resumed it: rows whose attempts were exhausted are tried again.
                if answer_of(&send).is_retried(0) {
                    rejected.push((row.planned.row, send_id));
                }
            }
        }
    }

    pub(in crate::messaging) fn report_batch(&self, batch: &desk::Batch) {
        let open = [LocalRowState::Planned, LocalRowState::Sending, LocalRowState::Cancelled];
        let open: u32 = open.map(|state| super::count(batch, state)).iter().sum();
        self.0.context.emit(DeskEvent::BatchProgress {
            workspace: batch.workspace_id.clone(),
            id: batch.id.clone(),
            done: batch.total.saturating_sub(open),
            total: batch.total,
            state: batch.state,
        });
    }
}

fn answer_of(send: &desk::SendRecord) -> Answer {
    let error = send.error.as_deref().and_then(|json| serde_json::from_str::<DeskError>(json).ok());
    match (send.state, error) {
        (CallState::Accepted | CallState::Recorded, _) | (_, None) => Answer::Done,
        (CallState::Unknown, Some(error)) => Answer::Unknown(error),
        (CallState::Refused, Some(error)) => Answer::of(RequestKind::Messages, error),
    }
}

impl Job for BatchJob {
    type Item = Row;

    const MAX_IN_FLIGHT: usize = 8;

    fn id(&self) -> &str {
        &self.id
    }

    fn context(&self) -> &Context {
        &self.messaging.0.context
    }

    fn running(&self) -> &RunningJobs {
        &self.messaging.0.batches.running
    }

    async fn planned(&self, after: Option<u32>, limit: u32) -> Result<Vec<(u32, Row)>> {
        let (desk, after) = (&self.context().desk, after.unwrap_or(0));
        let rows = desk.batch_rows(&self.id, Some(LocalRowState::Planned.into()), after, limit).await?;
        let last = rows.last().map_or(after, |row| row.planned.row);
        let of_rounds = desk.round_rows(&self.id, after, last).await?;
        let of_rounds: HashMap<u32, Option<i64>> = of_rounds.into_iter().map(|of| (of.row, of.not_before)).collect();
        let delays = desk.batch_delays(&self.id, after).await?;
        let delays: HashMap<u32, i64> = delays.into_iter().collect();
        rows.into_iter()
            .map(|row| {
                let row = row.planned;
                let values = serde_json::from_str(&row.filled)
                    .map_err(|error| DeskError::Storage { reason: format!("row {}: {error}", row.row) })?;
                let of_round = of_rounds.get(&row.row).copied();
                let delay = delays.get(&row.row).copied();
                Ok((row.row, Row { row: row.row, to: row.recipient, values, of_round, delay }))
            })
            .collect()
    }

    fn not_before(&self, row: &Row) -> Option<i64> {
        let offset = self.messaging.0.workspaces.clock_offset(&self.common.workspace);
        Some(row.of_round.flatten().max(row.delay)?.saturating_sub(offset))
    }

    fn recipient(row: &Row) -> Option<&str> {
        Some(&row.to)
    }

    async fn send(&self, row: &Row, attempt: u32, _stop: &CancellationToken) -> Result<Answer> {
        if row.of_round.is_some()
            && let Some(problem) = self.messaging.round_problem(&self.id, row.row, &self.common, &row.to).await?
        {
            self.context().desk.skip_row(&self.id, row.row, to_json(&problem)?).await?;
            return Ok(Answer::Skipped);
        }
        let request = self.request_of(row);
        let send = match self.messaging.dispatch(request, Some((self.id.clone(), row.row))).await {
            Ok(send) => send,
            Err(error) => return self.not_sent(row, error).await,
        };
        let answer = answer_of(&send);
        if answer.is_retried(attempt) && !self.context().desk.replan_row(&self.id, row.row, &send.id).await? {
            // A status was received in the meantime: the message was sent after all.
            return Ok(Answer::Done);
        }
        Ok(answer)
    }

    async fn report(&self, _is_last: bool) -> Result<()> {
        self.messaging.report_batch(&self.messaging.load_batch(&self.id).await?);
        Ok(())
    }
}

impl BatchJob {
    /// The number was read when the row was planned, and must not be read as another one.
    fn request_of(&self, row: &Row) -> SendRequest {
        request_of(&self.common, &explicit(&row.to, &row.to), &row.values)
    }

    /// A row that was not sent: because of its own problem, or because of one that affects all rows.
    async fn not_sent(&self, row: &Row, error: DeskError) -> Result<Answer> {
        if let DeskError::InvalidInput { .. } = &error {
            let request = self.request_of(row);
            let plan = self.messaging.send_plan_for(&request).await?;
            let problems = plan.prepare(&request, TRACKING_PREVIEW).problems;
            let is_own =
                |problem: &&SendProblem| !may_be_unreachable(problem) && stops(problem, &request.options.overrides);
            let own = problems.iter().find(is_own);
            // Checked when it was planned; the template may have changed since.
            if let Some(problem) = own.filter(|problem| !super::plan::affects_all_rows(problem)) {
                self.context().desk.skip_row(&self.id, row.row, to_json(problem)?).await?;
                return Ok(Answer::Skipped);
            }
        }
        Ok(Answer::Stop(error))
    }
}
