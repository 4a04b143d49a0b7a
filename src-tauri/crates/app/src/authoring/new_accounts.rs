//! Business accounts (WABAs) for new drafts.

use std::collections::BTreeSet;

use crate::SANDBOX_ID;
use crate::authoring::Authoring;
use crate::draft_document::read;
use command_types::error::Result;

impl Authoring {
    /// The accounts for a draft whose source names none: `wanted` as far as the settings have it, else the only account,
    /// else the one that was used last. None where nothing or several were used last: the person has to choose.
    pub(crate) async fn accounts_for_new(&self, workspace: &str, wanted: &[String]) -> Result<Vec<String>> {
        let known = self.0.workspaces.settings(workspace).await?.waba_ids;
        let wanted: Vec<String> = known.iter().filter(|waba| wanted.contains(waba)).cloned().collect();
        if !wanted.is_empty() {
            return Ok(wanted);
        }
        // Nothing leaves from the sandbox for people, so that a first template needs no choice.
        if known.len() < 2 || workspace == SANDBOX_ID {
            return Ok(known.into_iter().take(1).collect());
        }
        let drafts = self.0.context.desk.drafts(workspace).await?;
        let of_draft = drafts.iter().map(read).filter(|draft| draft.edits.is_none()).find_map(|draft| {
            let wabas: BTreeSet<String> = draft.waba_ids.into_iter().filter(|waba| known.contains(waba)).collect();
            (!wabas.is_empty()).then_some((draft.updated_at, wabas))
        });
        let created = self.0.context.desk.last_creation(workspace, &known).await?;
        let created_at = created.iter().map(|submission| submission.created_at).max();
        let of_submission = created_at.map(|at| (at, created.into_iter().map(|submission| submission.waba).collect()));
        let last = of_draft.into_iter().chain(of_submission).max().map(|(_, wabas)| wabas).unwrap_or_default();
        Ok(if last.len() == 1 { last.into_iter().collect() } else { Vec::new() })
    }
}
