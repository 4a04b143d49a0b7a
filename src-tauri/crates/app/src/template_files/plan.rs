//! Plans an import or a copy.

use std::path::{Path, PathBuf};

use model::render::{Fill, render};
use model::template::TemplateRecord;
use model::vocabulary::TemplateStatus;

use super::{Plan, TemporaryFolder};
use crate::template_files::TemplateFiles;
use ::template_files::{
    Action, DuplicateCheck, FilesOfPaths, FolderMedia, Links, Read, Step, file_name, files_of, key,
};
use command_types::edit::EditQuota;
use command_types::error::{DeskError, Result};
use command_types::transfer::{
    FileProblem, ImportAction, ImportDoubt, ImportMedium, ImportPlan, ImportStep, MAY_BE_REPEATED, OutdatedList,
    PlanCopy, PlanImport,
};
use outgoing::compute;
use outgoing::file_name::{shown, shown_name};

/// Maximum number of files in a folder; a folder with more is not a folder of templates.
const MAX_FILES: usize = 20_000;

impl TemplateFiles {
    /// Plans the import of a folder's template files. Sends nothing; a listing that is old, or does not show every
    /// earlier submission, is refreshed first. If that fails, new templates are in doubt.
    ///
    /// # Errors
    /// [`DeskError::InvalidInput`] at `wabas`; [`DeskError::File`] when the folder cannot be read or holds no template
    /// file; [`DeskError::NotFound`] when there is no such workspace.
    pub async fn plan_import(&self, request: PlanImport) -> Result<ImportPlan> {
        let folder = PathBuf::from(&request.folder);
        self.plan_folder(&request.workspace, request.folder, &folder, request.wabas, None, Vec::new()).await
    }

    /// Plans the copy of templates: writes them to a folder of the app and plans its import.
    pub async fn plan_copy(&self, request: PlanCopy) -> Result<ImportPlan> {
        // The files name WABAs of the source.
        if request.wabas.is_empty() {
            return Err(DeskError::invalid("wabas", "Choose at least one WABA to copy the templates into."));
        }
        let source = self.0.workspaces.settings(&request.from).await?.name;
        self.0.workspaces.settings(&request.to).await?;
        let rows = self.0.templates.resolve_target(&request.from, &request.target).await?;
        let copy = TemporaryFolder::new(self.0.context.folder.root())?;
        let folder = copy.folder.clone();
        let export = self.write_templates(&request.from, rows, &folder).await?;
        self.plan_folder(&request.to, source, &folder, request.wabas, Some(copy), export.problems).await
    }

    async fn plan_folder(
        &self,
        workspace: &str,
        source: String,
        folder: &Path,
        wabas: Vec<String>,
        copy: Option<TemporaryFolder>,
        problems: Vec<FileProblem>,
    ) -> Result<ImportPlan> {
        self.0.workspaces.settings(workspace).await?;
        if let Some(wrong) = wabas.iter().find(|waba| model::Id::number(waba).is_none()) {
            return Err(DeskError::invalid("wabas", format!("{wrong} is not a WABA ID. Use digits only.")));
        }
        let change_of_file = |reason: String| DeskError::file(shown(folder), reason);
        let FilesOfPaths { files, folders_left_out } = files_of(&[folder.to_owned()]).await?;
        if files.is_empty() && problems.is_empty() {
            return Err(change_of_file("it has no .json files; choose a folder with template files".to_owned()));
        }
        if files.len() > MAX_FILES {
            return Err(change_of_file(format!(
                "it has more than {MAX_FILES} .json files; choose a folder with fewer"
            )));
        }
        let basis = self.listing_with_submissions(workspace).await?;
        let unresolved = self.unresolved(workspace).await?;
        let mut media = FolderMedia::default();
        let mut last = Languages::default();
        let businesses = self.0.templates.businesses(workspace).await?;
        let mut seen = DuplicateCheck::default();
        let mut steps = Vec::with_capacity(files.len());
        for file in files {
            let sidecar_media = media.beside(&file).await?;
            let mut step = match Read::file(file.clone(), &sidecar_media, Links::Refuse).await {
                Ok(read) => {
                    let records =
                        self.records_of(workspace, &mut last, &read.template.name, &read.template.language).await?;
                    let mut step = Step::decide(read, &records.iter().collect::<Vec<_>>(), &wabas, &businesses);
                    if records.is_empty() && basis.listed_at.is_none() {
                        step.block_unlisted();
                    }
                    step
                }
                Err(error) => Step::unreadable(file, error.to_string()),
            };
            seen.check(&mut step, &wabas);
            if let Err(error) = step.record_digests().await {
                step.block(error.to_string());
            }
            self.add_quota_note(workspace, &mut step).await?;
            steps.push(step);
        }
        for FileProblem { name, language, reason } in problems {
            let wanted = key(&name, &language);
            match steps.iter_mut().find(|step| key(&step.name, &step.language) == wanted) {
                // Its sample is an address of the source, or has changed there.
                Some(step) if step.action != Action::Unchanged => step.block(reason),
                Some(step) => step.notes.push(reason),
                None => {
                    let mut step = Step::unreadable(folder.join(file_name(&name, &language)), reason);
                    (step.name, step.language) = (name, language);
                    steps.push(step);
                }
            }
        }
        let doubts: Vec<_> = steps.iter().map(|step| unresolved.doubts(step, &basis)).collect();
        let of_folder = folder.to_owned();
        let (steps, doubts, shown) = compute::run(move || {
            let shown = steps.iter().zip(&doubts).map(|(step, doubts)| show(&of_folder, step, doubts)).collect();
            (steps, doubts, shown)
        })
        .await?;
        let plan = ImportPlan {
            id: uuid::Uuid::new_v4().to_string(),
            workspace: workspace.to_owned(),
            source: source.clone(),
            wabas: wabas.clone(),
            steps: shown,
            folders_left_out,
            outdated_list: (!basis.is_current)
                .then_some(OutdatedList { listed_at: basis.listed_at, error: basis.error }),
        };
        self.0.plans.add(Plan {
            id: plan.id.clone(),
            workspace: workspace.to_owned(),
            source,
            folder: folder.to_owned(),
            wabas,
            steps,
            doubts,
            copy,
        });
        Ok(plan)
    }

    /// The cached records of one name and language.
    pub(super) async fn records_of(
        &self,
        workspace: &str,
        last: &mut Languages,
        name: &str,
        language: &str,
    ) -> Result<Vec<TemplateRecord>> {
        if last.name != name {
            last.rows = self.0.context.cache.languages_of(workspace, name).await?;
            name.clone_into(&mut last.name);
        }
        let wanted = key(name, language);
        let mut records = Vec::new();
        for row in last.rows.iter().filter(|row| key(&row.name, &row.language) == wanted) {
            records.push(self.0.templates.record(workspace, &row.reference).await?);
        }
        Ok(records)
    }

    /// Adds a note to a step that the channel's edit quota may prevent, based on the edits made here.
    async fn add_quota_note(&self, workspace: &str, step: &mut Step) -> Result<()> {
        let mut notes = Vec::new();
        for record in step.outgoing.iter().filter_map(|outgoing| outgoing.before.as_ref()) {
            let Some(reference) = record.reference() else { continue };
            // One account may have approved what another has not.
            let of_wabas = self.0.templates.waba_statuses(workspace, reference).await?;
            let mut statuses = of_wabas.iter().map(|of| TemplateStatus::from(of.status.as_str()));
            let is_approved = record.status.as_ref().is_some_and(TemplateStatus::is_sendable);
            if !is_approved && !statuses.any(|status| status.is_sendable()) {
                continue;
            }
            let EditQuota { used_day, per_day, used_month, per_month, next_at } =
                self.0.templates.edit_quota(workspace, reference, !of_wabas.is_empty()).await?;
            let next = next_at.and_then(chrono::DateTime::from_timestamp_millis);
            if let Some(next) = next {
                notes.push(format!(
                    "It was edited {used_day} times in 24 hours and {used_month} times in 30 days, as far as we \
                     know. The channel takes {per_day} and {per_month} edits of an approved template, and may refuse \
                     this one until {}.",
                    next.format("%Y-%m-%d %H:%M UTC")
                ));
            }
        }
        step.notes.extend(notes);
        Ok(())
    }
}

/// The languages of the last requested name: files are ordered by name.
#[derive(Debug, Default)]
pub(super) struct Languages {
    name: String,
    rows: Vec<store::cache::TemplateRow>,
}

/// A step as the window shows it.
fn show(folder: &Path, step: &Step, doubts: &[ImportDoubt]) -> ImportStep {
    let (action, mut wabas, reasons) = match &step.action {
        Action::Create { wabas } => (ImportAction::Create, wabas.clone(), Vec::new()),
        Action::Edit { .. } => (ImportAction::Edit, Vec::new(), Vec::new()),
        Action::Unchanged => (ImportAction::Unchanged, Vec::new(), Vec::new()),
        Action::Blocked { reasons } => (ImportAction::Blocked, Vec::new(), reasons.clone()),
    };
    for outgoing in step.outgoing.iter().filter(|outgoing| outgoing.before.is_some()) {
        wabas.extend(outgoing.draft.waba_ids.iter().cloned());
    }
    let first = step.outgoing.first();
    let in_doubt = (!doubts.is_empty()).then_some(MAY_BE_REPEATED);
    ImportStep {
        file: name_of_file(folder, &step.file),
        name: step.name.clone(),
        language: step.language.clone(),
        action,
        wabas,
        reasons,
        notes: step.notes.clone(),
        findings: step.findings.clone(),
        needs_override: step.needs_override().into_iter().chain(in_doubt).collect(),
        doubts: doubts.to_vec(),
        changes: step.changes(),
        before: first.and_then(|outgoing| Some(render(&outgoing.old()?, &Fill::default()))),
        after: first.map(|outgoing| render(&outgoing.draft.template, &Fill::default())),
        media: step.media().into_iter().map(|(name, size)| ImportMedium { name: name.to_owned(), size }).collect(),
    }
}

/// The name of a file, from the chosen folder on, which identifies a step.
pub(super) fn name_of_file(folder: &Path, file: &Path) -> String {
    file.strip_prefix(folder).map_or_else(|_| shown_name(file), shown)
}
