//! Further rounds: a batch made of one group of people of an earlier one, with its template, number and values. No row is
//! sent before it is allowed, however early the batch is started.

use std::collections::HashMap;

use model::outcome_group::OutcomeGroup;
use model::send::{SendProblem, SendProblemCode, SendValues};
use store::desk::{self, RoundStep, RunState};

use super::groups::Again;
use super::outcome::may_be_retried;
use super::people::People;
use super::plan::{category_of, request_of};
use crate::costs;
use crate::messaging::Messaging;
use crate::messaging::recipients::may_be_unreachable;
use command_types::Nothing;
use command_types::batch::{Batch, BatchId};
use command_types::batch_round::{BatchOrigin, PlanRound};
use command_types::error::{ConflictFault, DeskError, Result};
use command_types::send::SendRequest;
use outgoing::message::{SendPlan, TRACKING_PREVIEW, stops};
use outgoing::recipient::{check_addressee, explicit};
use outgoing::{now, to_json};

impl Messaging {
    /// Makes a batch of the people of a group who may get the message again. It is a draft until it is started. People
    /// who may not get it again are left out with the reason.
    ///
    /// # Errors
    /// [`DeskError::NotFound`] for the batch or its template; [`DeskError::Conflict`] while the batch is being sent, or
    /// when nobody of the group may get the message again.
    pub async fn plan_round(&self, request: PlanRound) -> Result<Batch> {
        let origin = self.load_batch(&request.batch).await?;
        if matches!(origin.state, RunState::Running | RunState::Cancelling) {
            return super::conflict(ConflictFault::StillSent {});
        }
        self.check_number(&origin).await?;
        let mut people = self.people_of(&origin.id).await?;
        people.retain(|person| person.group == request.group);
        let people = self.people_again(&origin, people, Some(request.group)).await?;
        if !people.iter().any(|(_, again)| matches!(again, Again::From(_))) {
            return super::conflict(ConflictFault::NobodyAgain {});
        }
        let common: SendRequest = super::read_request(&origin)?;
        let mut plan = self.send_plan(&origin.workspace_id, &origin.template_ref).await?;
        plan.opt_outs = self.opt_outs(&plan, &origin.workspace_id, None).await?;
        plan.recent_marketing = self.recent_marketing(&plan, &origin.workspace_id, None).await?;
        let id = uuid::Uuid::new_v4().to_string();
        let (mut rows, mut of_rows) = (Vec::new(), Vec::new());
        for (person, again) in people {
            let attempt = person.messages().saturating_add(1);
            let outcome = person.outcome;
            let (problem, not_before) = match again {
                Again::From(at) => (None, Some(at)),
                Again::TriedOften(times) => {
                    (Some(SendProblem::new("to", SendProblemCode::ToTriedOften, &[("times", &times)])), None)
                }
                Again::InLaterBatch | Again::Never => {
                    (Some(SendProblem::new("to", SendProblemCode::ToInLaterBatch, &[])), None)
                }
            };
            // Of the same number as in the earlier batch: the line of the file.
            let row = outcome.planned.row;
            let planned = desk::PlannedRow { problem: None, ..outcome.planned };
            let problem = match problem {
                Some(problem) => Some(problem),
                None => row_problem(&plan, &common, &planned)?,
            };
            rows.push(desk::PlannedRow { problem: problem.map(|problem| to_json(&problem)).transpose()?, ..planned });
            of_rows.push(desk::RoundRow { row, origin_row: row, attempt, not_before });
        }
        let sendable = rows.iter().filter(|row| row.problem.is_none());
        let countries = costs::countries_of(sendable.map(|row| row.recipient.clone()).collect()).await?;
        let cost = costs::estimate(&self.0.context, &origin.workspace_id, &category_of(&plan), &countries).await;
        let round =
            desk::Round { batch_id: id.clone(), origin_id: origin.id, people: request.group.as_str().to_owned() };
        let batch = desk::Batch {
            id: id.clone(),
            state: RunState::Planned,
            error: None,
            total: u32::try_from(rows.len()).unwrap_or(u32::MAX),
            created_at: now(),
            started_at: None,
            ended_at: None,
            // That of the earlier batch is about other people, and other days.
            cost: cost.as_ref().map(to_json).transpose()?,
            counts: Vec::new(),
            ..origin
        };
        match self.0.context.desk.add_round(batch, rows, round, of_rows).await? {
            RoundStep::Done => {}
            RoundStep::OriginRunning => return super::conflict(ConflictFault::StillSent {}),
            RoundStep::InLaterBatch => {
                return super::conflict(ConflictFault::InOtherBatch {});
            }
        }
        let batch = self.load_batch(&id).await?;
        self.shown(batch).await
    }

    /// Deletes a further round that was never started.
    ///
    /// # Errors
    /// [`DeskError::Conflict`] when it is no such draft any more.
    pub async fn discard_round(&self, request: BatchId) -> Result<Nothing> {
        match self.0.context.desk.discard_round(&request.batch).await? {
            true => Ok(Nothing {}),
            false => super::conflict(ConflictFault::NoDraft {}),
        }
    }

    /// Refuses to start a further round of which no row may be sent yet.
    pub(super) async fn check_is_due(&self, batch: &desk::Batch) -> Result<()> {
        let origin = self.origins(&batch.workspace_id, std::slice::from_ref(&batch.id)).await?.remove(&batch.id);
        let earliest = origin.and_then(|origin| origin.earliest);
        match earliest.filter(|earliest| *earliest > self.clock()) {
            None => Ok(()),
            Some(until) => {
                let at = chrono::DateTime::from_timestamp_millis(until).unwrap_or_default();
                let at = at.format("%Y-%m-%d %H:%M UTC");
                let fault = ConflictFault::HeldBack { until };
                Err(DeskError::Conflict {
                    message: format!("{fault} It can be started after {at}."),
                    fault: Some(fault),
                })
            }
        }
    }

    /// Which of these batches of a workspace are further rounds, and where each comes from.
    pub(super) async fn origins(&self, workspace: &str, batches: &[String]) -> Result<HashMap<String, BatchOrigin>> {
        let offset = self.0.workspaces.clock_offset(workspace);
        let rounds = self.0.context.desk.rounds(batches).await?;
        let origin = |(round, earliest): (desk::Round, Option<i64>)| {
            let group = OutcomeGroup::of(&round.people)?;
            let earliest = earliest.filter(|earliest| *earliest > 0).map(|earliest| earliest.saturating_sub(offset));
            Some((round.batch_id, BatchOrigin { batch: round.origin_id, group, earliest }))
        };
        Ok(rounds.into_iter().filter_map(origin).collect())
    }

    /// The clock of this machine, in Unix milliseconds.
    pub(in crate::messaging) fn clock(&self) -> i64 {
        (self.0.context.timing.clock)()
    }

    /// The provider's clock, as far as it is known.
    pub(super) fn provider_clock(&self, workspace: &str) -> i64 {
        self.clock().saturating_add(self.0.workspaces.clock_offset(workspace))
    }

    /// Why a row of a further round is left out since it was planned: an earlier message may have arrived after all, or
    /// the person was held back again or has got another marketing message.
    pub(super) async fn round_problem(
        &self,
        batch: &str,
        row: u32,
        common: &SendRequest,
        person: &str,
    ) -> Result<Option<SendProblem>> {
        let origin = self.0.context.desk.origin_row(batch, row).await?;
        if origin.is_some_and(|(origin, is_sent)| is_sent || !may_be_retried(&origin)) {
            return Ok(Some(SendProblem::new("to", SendProblemCode::ToNoRetry, &[])));
        }
        let workspace = common.workspace.as_str();
        let people = People::read(&self.0.context, workspace, vec![person.to_owned()]).await;
        let until = self.capped_until(workspace, &common.reference, &people).await?.remove(person);
        let until = until.filter(|until| *until > self.provider_clock(workspace));
        if let Some(until) = until {
            return Ok(Some(held_back_until(until)));
        }
        let request = request_of(common, &explicit(person, person), &SendValues::new());
        let plan = self.single_send_plan(&request).await?;
        let (to, _) = check_addressee(&request.to, request.country.as_deref(), &plan.settings);
        Ok(plan.repeat_problem(&to).filter(|problem| stops(problem, &common.options.overrides)))
    }
}

fn held_back_until(until: i64) -> SendProblem {
    let date = chrono::DateTime::from_timestamp_millis(until).unwrap_or_default().format("%Y-%m-%d");
    let mut problem = SendProblem::new("to", SendProblemCode::ToHeldBack, &[("since", &date)]);
    problem.values.insert("at".to_owned(), until.to_string());
    problem
}

/// What prevents the send of a row now, such as an opt-out since the earlier batch. What affects every row is said when
/// the batch is started.
fn row_problem(plan: &SendPlan, common: &SendRequest, row: &desk::PlannedRow) -> Result<Option<SendProblem>> {
    let values = serde_json::from_str(&row.filled)
        .map_err(|error| DeskError::Storage { reason: format!("row {}: {error}", row.row) })?;
    let request = request_of(common, &explicit(&row.recipient, &row.recipient), &values);
    let problems = plan.prepare(&request, TRACKING_PREVIEW).problems;
    // Whether a number may not be on the channel was decided before the earlier batch.
    let own =
        problems.into_iter().filter(|problem| !super::plan::affects_all_rows(problem) && !may_be_unreachable(problem));
    Ok(own.into_iter().find(|problem| stops(problem, &common.options.overrides)))
}
