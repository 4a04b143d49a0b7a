//! What the people of a batch did with its message.

use std::collections::{HashMap, HashSet};

use model::engagement::Engagement;
use store::desk::RowState;

use super::outcome::Person;
use command_types::batch_round::BatchReply;
use outgoing::recipient::person_key;

/// What each of these people did, in their order; `None` of those whom the message is not known to have reached. Who has
/// several rows did what says most of them all.
pub(super) fn engagements(people: &[Person], replies: &[BatchReply]) -> Vec<Option<Engagement>> {
    let replied: HashSet<u32> = replies.iter().map(|reply| reply.row).collect();
    let of_row = |person: &Person| {
        let status = match &person.outcome.state {
            RowState::Reported(status) => Some(status),
            RowState::Local(_) => None,
        };
        let engagement = Engagement::of_message(status, replied.contains(&person.outcome.planned.row))?;
        Some((person_key(&person.outcome.planned.recipient), engagement))
    };
    let of_rows: Vec<Option<(String, Engagement)>> = people.iter().map(of_row).collect();
    let mut most: HashMap<&str, Engagement> = HashMap::new();
    for (key, engagement) in of_rows.iter().flatten() {
        let known = most.entry(key).or_insert(*engagement);
        *known = known.most(*engagement);
    }
    of_rows.iter().map(|row| row.as_ref().and_then(|(key, _)| most.get(key.as_str()).copied())).collect()
}
