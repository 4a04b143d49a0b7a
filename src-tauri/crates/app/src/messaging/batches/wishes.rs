//! People of a batch whose last message may be a wish to stop marketing. They are not left out: a person decides.

use std::collections::{HashMap, HashSet};

use super::checked_row::Checked;
use crate::messaging::Messaging;
use crate::opt_outs::{everyone, may_want_to_stop};
use command_types::batch::WishToStop;
use command_types::error::Result;
use model::send::SendProblem;
use outgoing::message::SendPlan;
use outgoing::recipient::formatted;

/// People looked up at once.
const PAGE_SIZE: usize = 1_000;

impl Messaging {
    /// Who of a batch of marketing messages last wrote what may be a wish to stop them, and whom nobody decided on.
    pub(super) async fn wishes_to_stop(
        &self,
        plan: &SendPlan,
        workspace: &str,
        number: &str,
        rows: &[Checked],
    ) -> Result<Vec<WishToStop>> {
        let (mut wishes, mut seen) = (Vec::new(), HashSet::new());
        if !plan.is_marketing() {
            return Ok(wishes);
        }
        let can_get_it =
            |row: &&Checked| row.facts.addressee().is_some() && !row.problems.iter().any(SendProblem::is_error);
        let rows: Vec<&Checked> = rows.iter().filter(can_get_it).collect();
        for page in rows.chunks(PAGE_SIZE) {
            let people =
                everyone(&self.0.context, workspace, page.iter().map(|row| row.recipient.clone()).collect()).await;
            let spellings: Vec<String> = people.values().flatten().cloned().collect();
            let contacts = self.0.context.cache.contacts_of(workspace, None, &spellings).await?;
            let wishing: HashMap<&str, _> = contacts
                .iter()
                .filter(|wrote| may_want_to_stop(&wrote.last_kind, &wrote.last_text))
                .map(|wrote| (wrote.contact.as_str(), wrote))
                .collect();
            for row in page.iter().filter(|_| !wishing.is_empty()) {
                let spellings = people.get(&row.recipient).map(Vec::as_slice).unwrap_or_default();
                let Some(wrote) = spellings.iter().find_map(|id| wishing.get(id.as_str())) else { continue };
                let is_open = plan.opt_outs.is_undecided(&row.recipient, number, wrote.last_at);
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
