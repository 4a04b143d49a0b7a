//! Doubts about a file: its import may repeat an earlier submission.

use std::collections::HashMap;

use model::template::Template;

use super::TemplateFiles;
use crate::templates::sync::ListingBasis;
use ::template_files::{Action, Step, key};
use command_types::error::{ConflictFault, DeskError, Result};
use command_types::transfer::ImportDoubt;
use outgoing::now;

/// The WABAs of submissions with an unknown outcome, by name and language of the template.
#[derive(Debug, Default)]
pub(super) struct Unresolved(HashMap<(String, String), Vec<Vec<String>>>);

impl Unresolved {
    /// Whether a step would repeat one of them.
    pub(super) fn concerns(&self, step: &Step) -> bool {
        let Some(submissions) = self.0.get(&key(&step.name, &step.language)) else { return false };
        let wabas: Vec<&String> = step.outgoing.iter().flat_map(|outgoing| &outgoing.draft.waba_ids).collect();
        !step.outgoing.is_empty()
            && submissions.iter().any(|submitted| {
                submitted.is_empty() || wabas.is_empty() || submitted.iter().any(|waba| wabas.contains(&waba))
            })
    }

    /// The doubts about a step of a plan.
    pub(super) fn doubts(&self, step: &Step, basis: &ListingBasis) -> Vec<ImportDoubt> {
        let is_unlisted = !basis.is_current && matches!(step.action, Action::Create { .. });
        let unknown = self.concerns(step).then_some(ImportDoubt::UnknownOutcome);
        unknown.into_iter().chain(is_unlisted.then_some(ImportDoubt::OutdatedList)).collect()
    }
}

impl TemplateFiles {
    /// Submissions of a workspace with an unknown outcome.
    pub(super) async fn unresolved(&self, workspace: &str) -> Result<Unresolved> {
        let mut unresolved = Unresolved::default();
        for submission in self.0.authoring.unresolved_submissions(workspace).await? {
            let Ok(template) = serde_json::from_str::<Template>(&submission.request) else { continue };
            let wabas = submission.waba.split(',').filter(|waba| !waba.is_empty()).map(str::to_owned).collect();
            unresolved.0.entry(key(&template.name, &template.language)).or_default().push(wabas);
        }
        Ok(unresolved)
    }

    /// Refreshes the listing unless it shows the result of every earlier submission: an unknown outcome may be known by
    /// now, and an accepted one may be missing from an older listing.
    ///
    /// # Errors
    /// Any error of the request if nothing is cached; [`DeskError::Storage`].
    pub(super) async fn listing_with_submissions(&self, workspace: &str) -> Result<ListingBasis> {
        let newest = self.0.context.desk.submissions(workspace, 1).await?;
        let newest = newest.first().map(|newest| newest.answered_at.unwrap_or(newest.created_at).saturating_add(1));
        let is_resolved = self.0.authoring.unresolved_submissions(workspace).await?.is_empty();
        let since = if is_resolved { newest.unwrap_or(i64::MIN) } else { now() };
        self.0.templates.ensure_listing(workspace, since).await
    }
}

/// Why a step with a doubt is not carried out.
pub(super) fn doubt_conflict(doubt: ImportDoubt) -> DeskError {
    DeskError::conflict(match doubt {
        ImportDoubt::UnknownOutcome => ConflictFault::UnknownOutcome {},
        ImportDoubt::OutdatedList => ConflictFault::OutdatedList {},
    })
}
