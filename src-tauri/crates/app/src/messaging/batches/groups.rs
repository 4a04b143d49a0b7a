//! The people of a batch by what became of them: reached, held back, gone, to be tried again.

use std::collections::{BTreeMap, HashMap, HashSet};

use model::engagement::Engagement;
use model::outcome_group::{OutcomeGroup, may_follow, personal_waits};
use store::desk;

use super::engagement::engagements;
use super::outcome::Person;
use super::people::People;
use super::replies::taps;
use crate::messaging::Messaging;
use command_types::batch::BatchId;
use command_types::batch_round::{BatchGroup, BatchGroups, BatchRound};
use command_types::error::{DeskError, Result};

const MARKETING: &str = "marketing";

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

impl Messaging {
    /// The people of a batch by what became of them, who replied, and the batches made of them since.
    ///
    /// # Errors
    /// [`DeskError::NotFound`] when there is no such batch.
    pub async fn get_batch_groups(&self, request: BatchId) -> Result<BatchGroups> {
        let batch = self.load_batch(&request.batch).await?;
        let people = self.people_of(&batch.id).await?;
        let replies = self.replies_of(&batch, &people).await?;
        let engagements = engagements(&people, &replies);
        let did = |engagement: Engagement| engagements.iter().filter(move |did| **did == Some(engagement)).count();
        let (unread, read) = (did(Engagement::Unread), did(Engagement::Read));
        let unreported: HashSet<u32> = people
            .iter()
            .filter(|person| person.group != OutcomeGroup::Reached)
            .map(|person| person.outcome.planned.row)
            .collect();
        let replied_unreported = replies.iter().filter(|reply| unreported.contains(&reply.row)).count();
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
        let wishing = replies.iter().filter(|reply| reply.may_want_to_stop).count();
        let count = |people: usize| u32::try_from(people).unwrap_or(u32::MAX);
        Ok(BatchGroups {
            groups: groups.into_values().collect(),
            unread: count(unread),
            read: count(read),
            replied: count(replies.len()),
            replied_unreported: count(replied_unreported),
            taps: taps(&replies),
            may_want_to_stop: count(wishing),
            rounds: rounds.into_iter().filter_map(round).collect(),
        })
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
            if !may_follow(person.messages()) {
                return Again::TriedOften(person.messages());
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
