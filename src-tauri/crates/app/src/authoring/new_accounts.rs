//! Business accounts (WABAs) for new drafts.

use store::desk::SubmissionKind;

use crate::SANDBOX_ID;
use crate::authoring::Authoring;
use crate::draft_document::read;
use command_types::error::Result;

/// Number of submissions that are searched for the account used last.
const MAX_SUBMISSIONS: u32 = 50;

impl Authoring {
    /// The accounts for a draft whose source names none: `wanted` as far as the settings have it, else the only account,
    /// else the one that was used last. None where that says nothing: the person has to choose.
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
            let [waba] = draft.waba_ids.as_slice() else { return None };
            known.contains(waba).then(|| (draft.updated_at, waba.clone()))
        });
        let submissions = self.0.context.desk.submissions(workspace, MAX_SUBMISSIONS).await?;
        let of_submission = submissions.into_iter().find_map(|submission| {
            let is_creation = submission.kind == SubmissionKind::Create && known.contains(&submission.waba);
            is_creation.then_some((submission.created_at, submission.waba))
        });
        Ok(of_draft.into_iter().chain(of_submission).max().map(|(_, waba)| waba).into_iter().collect())
    }
}
