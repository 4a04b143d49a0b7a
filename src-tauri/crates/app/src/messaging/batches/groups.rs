//! The people of a batch by what became of them: reached, held back, gone, to be tried again. Which error means what is
//! said by [`model::outcome_group`].

use std::collections::{BTreeMap, HashMap, HashSet};

use model::failure::Failure;
use model::outcome_group::{OutcomeGroup, RetryRule, group_of_failure, may_follow, personal_waits};
use model::send::{SendProblem, SendProblemCode};
use model::vocabulary::MessageStatus;
use store::desk::{self, LocalRowState, RowState};

use crate::messaging::Messaging;
use crate::opt_outs::everyone;
use command_types::batch::BatchId;
use command_types::batch_round::{BatchGroup, BatchGroups, BatchRound};
use command_types::error::{DeskError, Result};
use outgoing::classify_response::{Class, classify};

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
        let (group, rule) = classified(&outcome);
        let failed_at = outcome.failed_at.or(outcome.answered_at).unwrap_or(0);
        Self { outcome, group, rule, failed_at }
    }
}

/// The group of a row, and whether it may be sent again.
fn classified(row: &desk::Outcome) -> (OutcomeGroup, Option<RetryRule>) {
    let group = match &row.state {
        RowState::Local(LocalRowState::Planned | LocalRowState::Cancelled) => OutcomeGroup::NotSent,
        RowState::Local(LocalRowState::Skipped) => {
            let problem = row.planned.problem.as_deref();
            let problem = problem.and_then(|json| serde_json::from_str::<SendProblem>(json).ok());
            let is_opted_out = problem.is_some_and(|problem| problem.code == SendProblemCode::ToOptedOut);
            if is_opted_out { OutcomeGroup::OptedOut } else { OutcomeGroup::LeftOut }
        }
        RowState::Local(LocalRowState::Sending | LocalRowState::Accepted) => OutcomeGroup::Underway,
        RowState::Local(LocalRowState::Unknown) => OutcomeGroup::Unknown,
        RowState::Local(LocalRowState::Refused) => return of_refusal(row.call_error.as_deref()),
        RowState::Reported(MessageStatus::Failed) => {
            let failure = row.failure.as_deref().and_then(|json| serde_json::from_str::<Failure>(json).ok());
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
    if let Some(code) = classified.code {
        return group_of_failure(&Failure { code: Some(code), ..Failure::default() });
    }
    match classified.class {
        Class::Unknown => (OutcomeGroup::Unknown, None),
        // It could not leave, or the provider was busy; with credentials that have been corrected since, it can.
        Class::NotSent | Class::Limited | Class::Busy | Class::Configuration => {
            let wait = classified.pause.map_or(0, |pause| i64::try_from(pause.as_millis()).unwrap_or(i64::MAX));
            (OutcomeGroup::Passing, Some(RetryRule { wait, is_personal: false }))
        }
        Class::Refused => (OutcomeGroup::Failed, None),
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
        Ok(BatchGroups {
            groups: groups.into_values().collect(),
            replied: u32::try_from(self.replies(&batch).await?.len()).unwrap_or(u32::MAX),
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
        let in_rounds: HashSet<u32> = in_rounds.into_iter().collect();
        let personal = people.iter().filter(|person| person.rule.is_some());
        let personal = personal.map(|person| person.outcome.planned.recipient.clone()).collect();
        let not_before = self.not_before(&batch.workspace_id, personal).await?;
        let again = |person: &Person| {
            let Some(rule) = person.rule else { return Again::Never };
            if in_rounds.contains(&person.outcome.planned.row) {
                return Again::InLaterBatch;
            }
            if !may_follow(person.outcome.attempt) {
                return Again::TriedOften(person.outcome.attempt);
            }
            let own = person.failed_at.saturating_add(rule.wait);
            Again::From(not_before.get(&person.outcome.planned.recipient).map_or(own, |at| own.max(*at)))
        };
        let with_again = |person: Person| {
            let again = again(&person);
            (person, again)
        };
        Ok(people.into_iter().map(with_again).collect())
    }

    /// Until when the channel holds marketing messages to these people back, by any message that was sent to them from
    /// here: the instant of its own clock.
    pub(super) async fn not_before(&self, workspace: &str, people: Vec<String>) -> Result<HashMap<String, i64>> {
        let of_person = everyone(&self.0.context, workspace, people).await;
        let spellings: Vec<String> = of_person.values().flatten().cloned().collect();
        let mut until: HashMap<String, i64> = HashMap::new();
        for (code, wait) in personal_waits() {
            for (spelling, at) in self.0.context.desk.last_failures(workspace, &spellings, code).await? {
                let at = at.saturating_add(wait);
                until.entry(spelling).and_modify(|until| *until = at.max(*until)).or_insert(at);
            }
        }
        let latest =
            |spellings: Vec<String>| spellings.iter().filter_map(|spelling| until.get(spelling)).max().copied();
        Ok(of_person.into_iter().filter_map(|(id, spellings)| Some((id, latest(spellings)?))).collect())
    }
}
