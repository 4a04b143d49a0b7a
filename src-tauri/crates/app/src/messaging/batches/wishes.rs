//! People of a batch whose last message may be a wish to stop marketing. They are not left out: a person decides.

use std::collections::{HashMap, HashSet};

use super::checked_row::Checked;
use super::people::People;
use crate::messaging::Messaging;
use crate::opt_outs::may_want_to_stop;
use command_types::batch::WishToStop;
use command_types::error::Result;
use command_types::send::SendRequest;
use model::send::SendProblem;
use outgoing::message::{SendPlan, stops};
use outgoing::recipient::formatted;

/// People looked up at once.
const PAGE_SIZE: usize = 5_000;

impl Messaging {
    /// Who of a batch of marketing messages last wrote what may be a wish to stop them, and whom nobody decided on.
    pub(super) async fn wishes_to_stop(
        &self,
        plan: &SendPlan,
        common: &SendRequest,
        people: &People,
        rows: &[Checked],
    ) -> Result<Vec<WishToStop>> {
        let (mut wishes, mut seen) = (Vec::new(), HashSet::new());
        if !plan.is_marketing() {
            return Ok(wishes);
        }
        // Who is left out gets nothing to decide about.
        let stops = |problem: &SendProblem| stops(problem, &common.options.overrides);
        let can_get_it = |row: &&Checked| row.facts.addressee().is_some() && !row.problems.iter().any(stops);
        let rows: Vec<&Checked> = rows.iter().filter(can_get_it).collect();
        for page in rows.chunks(PAGE_SIZE) {
            let spellings: Vec<String> =
                page.iter().flat_map(|row| people.spellings_of(&row.recipient)).cloned().collect();
            let contacts = self.0.context.cache.contacts_of(&common.workspace, None, &spellings).await?;
            let wishing: HashMap<&str, _> = contacts
                .iter()
                .filter(|wrote| may_want_to_stop(&wrote.last_kind, &wrote.last_text))
                .map(|wrote| (wrote.contact.as_str(), wrote))
                .collect();
            for row in page.iter().filter(|_| !wishing.is_empty()) {
                let spellings = people.spellings_of(&row.recipient);
                let Some(wrote) = spellings.iter().find_map(|id| wishing.get(id.as_str())) else { continue };
                let (to, at) = (&wrote.last_number, wrote.last_at);
                let is_open = plan.opt_outs.is_open_wish(&row.recipient, to, &common.number, at);
                if is_open && seen.insert(wrote.contact.clone()) {
                    wishes.push(WishToStop {
                        contact: wrote.contact.clone(),
                        formatted: formatted(&row.recipient),
                        name: row.candidate.name.clone().filter(|name| !name.is_empty()).or_else(|| wrote.name.clone()),
                        text: wrote.last_text.clone(),
                    });
                }
            }
        }
        Ok(wishes)
    }
}
