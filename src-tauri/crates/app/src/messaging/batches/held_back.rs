//! People of a marketing batch whom the channel held back a short time ago, and from when it makes sense to try again. How
//! long it takes is said by [`model::outcome_group::personal_waits`].

use std::collections::HashMap;

use model::send::SendProblemCode;

use super::checked_row::Checked;
use crate::messaging::Messaging;
use command_types::batch::HeldBackPeople;
use outgoing::message::{problem_since, stops};

impl Messaging {
    /// Adds a warning to each row whose person may not get a marketing message before the instant in `until`, and counts
    /// those that nothing else stops: nobody gets the message of the others.
    pub(super) fn held_back(
        &self,
        workspace: &str,
        mut until: HashMap<String, i64>,
        rows: &mut [Checked],
        overrides: &[String],
    ) -> Option<HeldBackPeople> {
        let now = self.provider_clock(workspace);
        until.retain(|_, until| *until > now);
        let offset = self.0.workspaces.clock_offset(workspace);
        let mut found: Option<HeldBackPeople> = None;
        for row in rows {
            let Some(until) = until.get(&row.recipient) else { continue };
            // Of this machine, for a person who looks at its clock.
            let until = until.saturating_sub(offset);
            if !row.problems.iter().any(|problem| stops(problem, overrides)) {
                let all = found.get_or_insert(HeldBackPeople { people: 0, from: until, all_from: until });
                all.people += 1;
                all.from = all.from.min(until);
                all.all_from = all.all_from.max(until);
            }
            row.problems.push(problem_since(SendProblemCode::ToCappedUntil, until));
        }
        found
    }
}
