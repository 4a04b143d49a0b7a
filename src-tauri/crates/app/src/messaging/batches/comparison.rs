//! Comparison of two batches by what became of their messages.

use std::collections::HashSet;

use model::comparison::{Interval, MIN_MESSAGES, Proportion, VerdictKind, difference, verdict};
use model::vocabulary::MessageStatus;
use store::desk::{self, LocalRowState, RowState, RunState};

use crate::date_range::DAY;
use crate::messaging::Messaging;
use command_types::batch_comparison::{
    BatchComparison, CompareBatches, ComparedBatch, ComparedOutcome, ComparedRate, ComparisonLimit, Rate, RateInterval,
};
use command_types::error::{DeskError, Missing, Result};
use outgoing::now;

/// Batches that start within this time were sent at the same time, in milliseconds.
const SAME_TIME: u64 = 60 * 60 * 1_000;

/// A batch with what became of its messages.
struct Side {
    batch: desk::Batch,
    people: HashSet<String>,
    sent: u32,
    waiting: u32,
    unknown: u32,
    /// Each `None` if nothing can be known of it.
    delivered: Option<u32>,
    read: Option<u32>,
    replied: Option<u32>,
    clicked: Option<u32>,
}

impl Side {
    fn count(&self, outcome: ComparedOutcome) -> Option<Proportion> {
        let count = match outcome {
            ComparedOutcome::Delivered => self.delivered,
            ComparedOutcome::Read => self.read,
            ComparedOutcome::Replied => self.replied,
            ComparedOutcome::Clicked => self.clicked,
        };
        count.map(|count| Proportion { count, of: self.sent })
    }

    /// Whether people may still read and reply: most do within a day.
    fn is_early(&self, now: i64) -> bool {
        let is_ended = matches!(self.batch.state, RunState::Done | RunState::Cancelled | RunState::Interrupted);
        !is_ended || self.batch.ended_at.or(self.batch.started_at).is_some_and(|at| now.saturating_sub(at) < DAY)
    }
}

impl Messaging {
    /// Two batches side by side, whether a list was divided between them or not.
    ///
    /// # Errors
    /// [`DeskError::NotFound`] when there is no such batch in the workspace; [`DeskError::InvalidInput`] for one batch twice.
    pub async fn compare_batches(&self, request: CompareBatches) -> Result<BatchComparison> {
        let CompareBatches { workspace, first, second } = request;
        if first == second {
            return Err(DeskError::invalid("second", "Choose another batch: this one is compared already."));
        }
        let (first, second) = (self.side(&workspace, &first).await?, self.side(&workspace, &second).await?);
        let shared_people = count(first.people.intersection(&second.people).count());
        let share = self.share_of(&first.batch.id, &second.batch.id).await?;
        let rates = ComparedOutcome::ALL.iter().map(|outcome| rate(*outcome, &first, &second)).collect();
        Ok(BatchComparison {
            rates,
            limits: limits(&first, &second, shared_people, share.is_some(), now()),
            shared_people,
            min_messages: MIN_MESSAGES,
            share,
            first: self.compared(first).await?,
            second: self.compared(second).await?,
        })
    }

    /// The percentage of the list that the first batch got, if one list was divided between both.
    async fn share_of(&self, first: &str, second: &str) -> Result<Option<u32>> {
        let desk = &self.0.context.desk;
        let sides = desk.batch_side(first).await?.zip(desk.batch_side(second).await?);
        let of_one_list = sides.filter(|(one, other)| one.comparison_id == other.comparison_id);
        Ok(of_one_list.map(|(one, _)| if one.is_first { one.share } else { 100_u32.saturating_sub(one.share) }))
    }

    async fn side(&self, workspace: &str, id: &str) -> Result<Side> {
        let batch = self.load_batch(id).await?;
        if batch.workspace_id != workspace {
            return Err(DeskError::not_found(Missing::Batch));
        }
        let outcomes = self.0.context.desk.batch_outcomes(id).await?;
        let replied: HashSet<u32> = self.replies(&batch).await?.into_iter().map(|reply| reply.row).collect();
        let of_state = |states: fn(&RowState) -> bool| outcomes.iter().filter(move |row| states(&row.state));
        let is_taken =
            |state: &RowState| matches!(state, RowState::Reported(_) | RowState::Local(LocalRowState::Accepted));
        let is_delivered = |state: &RowState| {
            use MessageStatus::{Delivered, Played, Read};
            matches!(state, RowState::Reported(Delivered | Read | Played))
        };
        let is_read =
            |state: &RowState| matches!(state, RowState::Reported(MessageStatus::Read | MessageStatus::Played));
        let is_unknown = |state: &RowState| matches!(state, RowState::Local(LocalRowState::Unknown));
        let is_waiting = |state: &RowState| matches!(state, RowState::Local(LocalRowState::Accepted));
        let (sent, waiting) = (count(of_state(is_taken).count()), count(of_state(is_waiting).count()));
        let has_replied = count(of_state(is_taken).filter(|row| replied.contains(&row.planned.row)).count());
        // Without any report, webhooks do not come: then nothing is known, rather than nobody reached.
        let is_heard = waiting < sent || has_replied > 0;
        let has_taps = of_state(is_taken).any(|row| row.tappable == Some(true) || row.tapped_at.is_some());
        let clicked = count(of_state(is_taken).filter(|row| row.tapped_at.is_some()).count());
        Ok(Side {
            people: of_state(is_taken).map(|row| row.planned.recipient.clone()).collect(),
            sent,
            waiting,
            unknown: count(of_state(is_unknown).count()),
            delivered: is_heard.then(|| count(of_state(is_delivered).count())),
            read: is_heard.then(|| count(of_state(is_read).count())),
            replied: is_heard.then_some(has_replied),
            clicked: (is_heard && has_taps).then_some(clicked),
            batch,
        })
    }

    async fn compared(&self, side: Side) -> Result<ComparedBatch> {
        let Side { batch, sent, waiting, unknown, .. } = side;
        Ok(ComparedBatch { batch: self.shown(batch).await?, sent, waiting, unknown })
    }
}

fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

fn rate(outcome: ComparedOutcome, first: &Side, second: &Side) -> ComparedRate {
    let (one, other) = (first.count(outcome), second.count(outcome));
    let shown = |part: Proportion| {
        let share = interval(part.share()?, part.interval()?);
        Some(Rate { count: part.count, share })
    };
    let both = one.zip(other);
    let between = both.and_then(|(one, other)| Some(interval(one.share()? - other.share()?, difference(one, other)?)));
    let found = both.map(|(one, other)| verdict(one, other));
    ComparedRate {
        outcome,
        first: one.and_then(shown),
        second: other.and_then(shown),
        difference: between,
        verdict: found.map_or(VerdictKind::Unknown, |found| found.kind),
        needed: found.and_then(|found| found.needed),
        more: found.and_then(|found| found.more),
    }
}

fn interval(value: f64, Interval { low, high }: Interval) -> RateInterval {
    // From -1 to 1.
    let hundredths = |share: f64| (share * 10_000.0).round() as i32;
    RateInterval { value: hundredths(value), low: hundredths(low), high: hundredths(high) }
}

fn limits(first: &Side, second: &Side, shared_people: u32, is_divided: bool, now: i64) -> Vec<ComparisonLimit> {
    let (one, other) = (&first.batch, &second.batch);
    let is_apart = one.started_at.zip(other.started_at).is_some_and(|(one, other)| one.abs_diff(other) > SAME_TIME);
    [
        (!is_divided, ComparisonLimit::NotDivided),
        (shared_people > 0, ComparisonLimit::SamePeople),
        (is_apart, ComparisonLimit::OtherTime),
        (one.number != other.number, ComparisonLimit::OtherNumber),
        (one.template_ref == other.template_ref && !is_divided, ComparisonLimit::SameTemplate),
        (first.is_early(now) || second.is_early(now), ComparisonLimit::Early),
    ]
    .into_iter()
    .filter_map(|(holds, limit)| holds.then_some(limit))
    .collect()
}
