//! The people of a batch by what became of them: reached, held back, gone, to be tried again. Which error means what is
//! said by [`model::outcome_group`].

use std::collections::{BTreeMap, HashMap};

use model::failure::Failure;
use model::outcome_group::{OutcomeGroup, RetryRule, group_of_failure, may_follow, personal_waits};
use model::send::{SendProblem, SendProblemCode};
use model::vocabulary::MessageStatus;
use store::desk::{self, LocalRowState, RowState};

use super::people::People;
use super::replies::taps;
use crate::messaging::Messaging;
use command_types::batch::BatchId;
use command_types::batch_round::{BatchGroup, BatchGroups, BatchRound};
use command_types::error::{DeskError, Result};
use outgoing::classify_response::{Class, classify};

const MARKETING: &str = "marketing";

/// A person of a batch, with what became of the message.
#[derive(Debug)]
pub(super) struct Person {
    pub(super) outcome: desk::Outcome,
    pub(super) group: OutcomeGroup,
    rule: Option<RetryRule>,
    /// When the message failed, in Unix milliseconds.
    failed_at: i64,
}

/// Whether and when a person may get the message again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Again {
    /// The group is not sent to again.
    Never,
    /// From this instant of the provider's clock on.
    From(i64),
    TriedOften(u32),
    InLaterBatch,
}

impl Person {
    fn of(outcome: desk::Outcome) -> Self {
        let (group, rule) =
            classify_row(&outcome.planned, &outcome.state, outcome.call_error.as_deref(), outcome.failure.as_deref());
        let failed_at = outcome.failed_at.or(outcome.answered_at).unwrap_or(0);
        Self { outcome, group, rule, failed_at }
    }
}

/// Whether a person may get the message again as far as their row says.
pub(super) fn may_be_retried(row: &desk::BatchRow) -> bool {
    classify_row(&row.planned, &row.state, row.call_error.as_deref(), row.failure.as_deref()).1.is_some()
}

/// The group of a row, and whether it may be sent again.
fn classify_row(
    planned: &desk::PlannedRow,
    state: &RowState,
    call_error: Option<&str>,
    failure: Option<&str>,
) -> (OutcomeGroup, Option<RetryRule>) {
    let group = match state {
        RowState::Local(LocalRowState::Planned | LocalRowState::Cancelled) => OutcomeGroup::NotSent,
        RowState::Local(LocalRowState::Skipped) => {
            let problem = planned.problem.as_deref();
            let problem = problem.and_then(|json| serde_json::from_str::<SendProblem>(json).ok());
            let is_opted_out = problem.is_some_and(|problem| problem.code == SendProblemCode::ToOptedOut);
            if is_opted_out { OutcomeGroup::OptedOut } else { OutcomeGroup::LeftOut }
        }
        RowState::Local(LocalRowState::Sending | LocalRowState::Accepted) => OutcomeGroup::Underway,
        RowState::Local(LocalRowState::Unknown) => OutcomeGroup::Unknown,
        RowState::Local(LocalRowState::Refused) => return of_refusal(call_error),
        RowState::Reported(MessageStatus::Failed) => {
            let failure = failure.and_then(|json| serde_json::from_str::<Failure>(json).ok());
            return group_of_failure(&failure.unwrap_or_default());
        }
        RowState::Reported(MessageStatus::Delivered | MessageStatus::Read | MessageStatus::Played) => {
            OutcomeGroup::Reached
        }
        RowState::Reported(_) => OutcomeGroup::Underway,
    };
    (group, None)
}

/// The group of a message that the provider did not take.
fn of_refusal(error: Option<&str>) -> (OutcomeGroup, Option<RetryRule>) {
    let Some(error) = error.and_then(|json| serde_json::from_str::<DeskError>(json).ok()) else {
        return (OutcomeGroup::Failed, None);
    };
    let classified = classify(&error);
    let asked = classified.pause.map_or(0, |pause| i64::try_from(pause.as_millis()).unwrap_or(i64::MAX));
    let passing = (OutcomeGroup::Passing, Some(RetryRule { wait: asked, is_personal: false }));
    match (classified.class, classified.code) {
        (Class::Unknown, _) => (OutcomeGroup::Unknown, None),
        // With credentials that have been corrected since, it can leave, whatever the code.
        (Class::Configuration, _) => passing,
        (_, Some(code)) => {
            let (group, rule) = group_of_failure(&Failure { code: Some(code), ..Failure::default() });
            (group, rule.map(|rule| RetryRule { wait: rule.wait.max(asked), ..rule }))
        }
        // It could not leave, or the provider was busy.
        (Class::NotSent | Class::Limited | Class::Busy, None) => passing,
        (Class::Refused, None) => (OutcomeGroup::Failed, None),
    }
}

impl Messaging {
    /// The people of a batch by what became of them, who replied, and the batches made of them since.
    ///
    /// # Errors
    /// [`DeskError::NotFound`] when there is no such batch.
    pub async fn get_batch_groups(&self, request: BatchId) -> Result<BatchGroups> {
        let batch = self.load_batch(&request.batch).await?;
        let people = self.people_of(&batch.id).await?;
        let offset = self.0.workspaces.clock_offset(&batch.workspace_id);
        let mut groups: BTreeMap<usize, BatchGroup> = BTreeMap::new();
        for (person, again) in self.people_again(&batch, people, None).await? {
            let place = OutcomeGroup::ALL.iter().position(|group| *group == person.group).unwrap_or_default();
            let group = groups.entry(place).or_insert_with(|| BatchGroup {
                group: person.group,
                people: 0,
                again: 0,
                again_from: None,
                again_all_from: None,
                tried_often: 0,
                in_later_batch: 0,
            });
            group.people += 1;
            match again {
                Again::Never => {}
                Again::TriedOften(_) => group.tried_often += 1,
                Again::InLaterBatch => group.in_later_batch += 1,
                Again::From(at) => {
                    // Of this machine, for a person who looks at its clock.
                    let at = at.saturating_sub(offset);
                    group.again += 1;
                    group.again_from = Some(group.again_from.map_or(at, |from| from.min(at)));
                    group.again_all_from = group.again_all_from.max(Some(at));
                }
            }
        }
        let rounds = self.0.context.desk.rounds_of(&batch.id).await?;
        let round = |(round, state, people): (desk::Round, _, _)| {
            let group = OutcomeGroup::of(&round.people)?;
            Some(BatchRound { batch: round.batch_id, group, state, people })
        };
        let replies = self.replies(&batch).await?;
        let wishing = replies.iter().filter(|reply| reply.may_want_to_stop).count();
        Ok(BatchGroups {
            groups: groups.into_values().collect(),
            replied: u32::try_from(replies.len()).unwrap_or(u32::MAX),
            taps: taps(&replies),
            may_want_to_stop: u32::try_from(wishing).unwrap_or(u32::MAX),
            rounds: rounds.into_iter().filter_map(round).collect(),
        })
    }

    /// The rows of a batch, each with its group.
    pub(super) async fn people_of(&self, batch: &str) -> Result<Vec<Person>> {
        let outcomes = self.0.context.desk.batch_outcomes(batch).await?;
        Ok(outcomes.into_iter().map(Person::of).collect())
    }

    /// Whether and when each of these people of a batch may get its message again. `draft` is the group whose draft is
    /// about to be replaced.
    pub(super) async fn people_again(
        &self,
        batch: &desk::Batch,
        people: Vec<Person>,
        draft: Option<OutcomeGroup>,
    ) -> Result<Vec<(Person, Again)>> {
        let in_rounds = self.0.context.desk.rows_in_rounds(&batch.id, draft.map_or("", OutcomeGroup::as_str)).await?;
        let personal = people.iter().filter(|person| person.rule.is_some());
        let personal = personal.map(|person| person.outcome.planned.recipient.clone()).collect();
        let personal = People::read(&self.0.context, &batch.workspace_id, personal).await;
        let capped_until = self.capped_until(&batch.workspace_id, &batch.template_ref, &personal).await?;
        let again = |person: &Person| {
            let Some(rule) = person.rule else { return Again::Never };
            if in_rounds.contains(&person.outcome.planned.row) {
                return Again::InLaterBatch;
            }
            if !may_follow(person.outcome.attempt) {
                return Again::TriedOften(person.outcome.attempt);
            }
            let own = person.failed_at.saturating_add(rule.wait);
            Again::From(capped_until.get(&person.outcome.planned.recipient).map_or(own, |at| own.max(*at)))
        };
        let with_again = |person: Person| {
            let again = again(&person);
            (person, again)
        };
        Ok(people.into_iter().map(with_again).collect())
    }

    /// Until when the channel holds marketing messages to these people back, by any message that was sent to them from
    /// here: the instant of its own clock. Nobody is held back from other templates.
    pub(super) async fn capped_until(
        &self,
        workspace: &str,
        reference: &str,
        people: &People,
    ) -> Result<HashMap<String, i64>> {
        // Of a template that is not known, the cautious answer.
        let is_marketing = match self.0.templates.cached(workspace, reference).await {
            Ok(cached) => cached.row.category.is_empty() || cached.row.category.eq_ignore_ascii_case(MARKETING),
            Err(DeskError::NotFound { .. }) => true,
            Err(error) => return Err(error),
        };
        if !is_marketing {
            return Ok(HashMap::new());
        }
        let mut until: HashMap<String, i64> = HashMap::new();
        for (code, wait) in personal_waits() {
            for (spelling, at) in self.0.context.desk.last_failures(workspace, people.spellings(), code).await? {
                let at = at.saturating_add(wait);
                until.entry(spelling).and_modify(|until| *until = at.max(*until)).or_insert(at);
            }
        }
        Ok(people.greatest(&until, |until| *until))
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::*;

    fn service(status: u16, code: Option<&str>, retry_after: Option<u64>) -> DeskError {
        DeskError::Service {
            status,
            error_code: code.map(str::to_owned),
            message: "no".to_owned(),
            details: None,
            field: None,
            retry_after,
            body: String::new(),
        }
    }

    /// What the provider asks for counts if it is longer than the wait of the code.
    #[test]
    fn a_refusal_is_grouped_by_what_it_is_about_then_by_its_code() {
        use OutcomeGroup::{Capped, Failed, Passing, Unknown};
        let (second, day) = (1_000, 24 * 60 * 60 * 1_000);
        let unauthorized = DeskError::Unauthorized { message: "m".to_owned(), details: "d".to_owned() };
        let limited = DeskError::RateLimited { retry_after: Some(7), error_code: None };
        for (error, group, wait) in [
            (service(400, Some("190"), None), Passing, Some(0)),
            (service(403, Some("200"), None), Passing, Some(0)),
            (unauthorized, Passing, Some(0)),
            (limited, Passing, Some(7 * second)),
            (service(400, Some("130429"), Some(30)), Passing, Some(30 * second)),
            (service(400, Some("131056"), Some(30)), Passing, Some(60 * second)),
            (service(400, Some("131056"), Some(90)), Passing, Some(90 * second)),
            (service(400, Some("131049"), Some(5)), Capped, Some(day)),
            (service(503, Some("131016"), Some(9)), Passing, Some(9 * second)),
            (service(400, Some("132001"), None), Failed, None),
            (service(400, None, None), Failed, None),
            (service(503, None, Some(9)), Unknown, None),
        ] {
            let (found, rule) = of_refusal(Some(&serde_json::to_string(&error).unwrap()));
            assert_eq!((found, rule.map(|rule| rule.wait)), (group, wait), "{error:?}");
        }
        assert_eq!(of_refusal(None), (Failed, None));
    }
}
