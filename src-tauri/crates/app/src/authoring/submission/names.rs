//! Whether the name and language of a draft are in use.

use std::collections::HashSet;

use model::finding::Finding;
use model::language::normalise;
use model::template::Template;
use store::desk::{CallState, Submission};

use super::accepted_wabas;
use crate::authoring::Authoring;
use command_types::composer::{CheckName, Draft};
use command_types::error::Result;
use outgoing::submission::{name_drafted, name_taken};

impl Authoring {
    /// Findings at the name of a draft: templates that have its name and language in one of its accounts, and other
    /// drafts that have them.
    pub async fn check_name(&self, request: CheckName) -> Result<Vec<Finding>> {
        let CheckName { workspace, draft, name, language, waba_ids } = request;
        let earlier = self.0.context.desk.submissions_of_draft(&draft).await?;
        let template = Template { name, language, ..Template::default() };
        self.name_findings(&Draft { id: draft, workspace, template, waba_ids, ..Draft::default() }, &earlier).await
    }

    /// As [`Self::check_name`]. Templates that the draft itself created, or may have created, in `earlier` submissions
    /// are not findings.
    pub(crate) async fn name_findings(&self, draft: &Draft, earlier: &[Submission]) -> Result<Vec<Finding>> {
        let Template { name, language, .. } = &draft.template;
        if draft.edits.is_some() || name.is_empty() || language.is_empty() {
            return Ok(Vec::new());
        }
        let open = |state: CallState| matches!(state, CallState::Unknown | CallState::Recorded);
        let mut own: HashSet<String> = accepted_wabas(earlier);
        let unknown = earlier.iter().filter(|submission| open(submission.state));
        own.extend(unknown.flat_map(|submission| submission.waba.split(',').map(str::to_owned)));
        let wabas: Vec<&String> = draft.waba_ids.iter().filter(|waba| !own.contains(*waba)).collect();
        let mut findings = self.taken_names(&draft.workspace, &draft.template, &wabas).await?;
        let drafts = self.0.context.desk.drafts(&draft.workspace).await?;
        let same = drafts.iter().filter(|other| other.id != draft.id && other.template_ref.is_none());
        let same = same.filter(|other| other.name == *name && normalise(&other.language) == normalise(language));
        findings.extend(same.map(|other| name_drafted(&other.id)));
        Ok(findings)
    }

    /// A finding for each listed template that has the name and language in one of these WABAs.
    pub(crate) async fn taken_names(
        &self,
        workspace: &str,
        template: &Template,
        wabas: &[&String],
    ) -> Result<Vec<Finding>> {
        let rows = self.0.context.cache.languages_of(workspace, &template.name).await?;
        let same = rows.iter().filter(|row| normalise(&row.language) == normalise(&template.language));
        let here = same.filter(|row| row.missing_since.is_none() && row.wabas.iter().any(|waba| wabas.contains(&waba)));
        Ok(here.map(|row| name_taken(&row.reference)).collect())
    }
}
