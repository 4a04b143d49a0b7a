//! What became of a row of a batch: the group of its person, and whether the message may be sent again. Which error means
//! what is said by [`model::outcome_group`].

use model::failure::Failure;
use model::outcome_group::{OutcomeGroup, RetryRule, group_of_failure};
use model::send::{SendProblem, SendProblemCode};
use model::vocabulary::MessageStatus;
use store::desk::{self, LocalRowState, RowState};

use crate::messaging::Messaging;
use command_types::error::{DeskError, Result};
use outgoing::classify_response::{Class, classify};

/// A person of a batch, with what became of the message.
#[derive(Debug)]
pub(super) struct Person {
    pub(super) outcome: desk::Outcome,
    pub(super) group: OutcomeGroup,
    pub(super) rule: Option<RetryRule>,
    /// When the message failed, in Unix milliseconds.
    pub(super) failed_at: i64,
}

impl Person {
    fn of(outcome: desk::Outcome) -> Self {
        let (group, rule) =
            classify_row(&outcome.planned, &outcome.state, outcome.call_error.as_deref(), outcome.failure.as_deref());
        let failed_at = outcome.failed_at.or(outcome.answered_at).unwrap_or(0);
        Self { outcome, group, rule, failed_at }
    }

    /// How many messages the person was sent, over all rounds: a row that was left out has none of its own.
    pub(super) fn messages(&self) -> u32 {
        self.outcome.attempt.saturating_sub(u32::from(self.group == OutcomeGroup::Ended))
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
            match problem.map(|problem| problem.code) {
                Some(SendProblemCode::ToOptedOut) => OutcomeGroup::OptedOut,
                // Nothing was against the message, and it was not sent.
                Some(SendProblemCode::RowEnded) => {
                    return (OutcomeGroup::Ended, Some(RetryRule { wait: 0, is_personal: false }));
                }
                _ => OutcomeGroup::LeftOut,
            }
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
    /// The rows of a batch, each with its group.
    pub(super) async fn people_of(&self, batch: &str) -> Result<Vec<Person>> {
        let outcomes = self.0.context.desk.batch_outcomes(batch).await?;
        Ok(outcomes.into_iter().map(Person::of).collect())
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
