//! Confirmed imports: recorded with their files, carried out as a job, and kept until the person deletes them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use store::desk::{self, ImportFile, ItemState, RunState, RunStep, SubmissionKind};
use tokio::task::JoinHandle;

use super::doubt::doubt_conflict;
use super::job::{ImportJob, done, total};
use super::plan::name_of_file;
use super::{Plan, remove_copy};
use crate::jobs::engine;
use crate::template_files::TemplateFiles;
use ::template_files::{Action, Step};
use command_types::Nothing;
use command_types::error::{ConflictFault, DeskError, Missing, Result};
use command_types::transfer::{
    Import, ImportAction, ImportDoubt, ImportId, ImportOutcome, ImportState, MAY_BE_REPEATED, RunImport,
    StoredImportError,
};
use command_types::workspace::WorkspaceId;
use outgoing::compute;
use outgoing::file_name::shown_name;
use outgoing::{now, to_json};

/// All files of an import are read at once: their number is limited by the maximum per folder.
const ALL_FILES: u32 = u32::MAX;

impl TemplateFiles {
    /// Imports the chosen files of a plan, and returns when they are done. A refusal concerns one file, and the others
    /// continue; without connection or credentials no further file is sent. A file that differs from the plan is not
    /// sent, and a file that was imported, or may have been, is not sent again.
    ///
    /// # Errors
    /// [`DeskError::NotFound`] when the plan no longer exists; [`DeskError::InvalidInput`] at `files` for a file that
    /// it does not contain; [`DeskError::Conflict`] while another import is running; [`DeskError::MissingCredentials`].
    pub async fn run_import(&self, request: RunImport) -> Result<Import> {
        let plan = self.0.plans.get(&request.id)?;
        if let Some(unknown) =
            request.files.iter().find(|file| plan.steps.iter().all(|step| plan.name_of(step) != **file))
        {
            return Err(DeskError::invalid("files", format!("{unknown} is not in this preview.")));
        }
        let client = self.0.workspaces.client(&plan.workspace).await?;
        let recorded = self.0.context.desk.import_files(&plan.id, None, 0, ALL_FILES).await?;
        let recorded: HashMap<u32, ImportFile> = recorded.into_iter().map(|file| (file.position, file)).collect();
        let chosen = compute::run(move || choose_files(&plan, &request, &recorded).map(|files| (plan, request, files)));
        let (plan, request, Chosen { files, skipped }) = chosen.await??;
        let import = desk::Import {
            id: plan.id.clone(),
            workspace_id: plan.workspace.clone(),
            source: plan.source.clone(),
            folder: path_text(&plan.folder)?,
            is_copy: plan.copy.is_some(),
            wabas: to_json(&plan.wabas)?,
            overrides: to_json(&request.overrides)?,
            state: RunState::Running,
            error: None,
            created_at: now(),
            started_at: None,
            ended_at: None,
            counts: Vec::new(),
        };
        // Built before the import is recorded as running: what fails from then on must not leave it running without a job.
        let job = ImportJob::new(self.clone(), import.clone(), client)?;
        let before = self.0.context.desk.last_import(&plan.workspace).await?.filter(|before| before.id != plan.id);
        match self.0.context.desk.start_import(import, files).await? {
            RunStep::Done => {}
            step => return Err(step_conflict(&step)),
        }
        if let Some(copy) = &plan.copy {
            copy.persist();
        }
        if let Some(before) = before {
            remove_copy(&before);
        }
        wait_until_ended(engine::start(job)).await?;
        let mut import = self.import_view(self.load_import(&plan.id).await?).await?;
        // Only the files chosen this time, in the order of the plan.
        import.outcomes.retain(|outcome| request.files.contains(&outcome.file));
        import.outcomes.retain(|outcome| skipped.iter().all(|skipped| skipped.file != outcome.file));
        import.outcomes.extend(skipped);
        let order: HashMap<String, usize> = plan.steps.iter().map(|step| plan.name_of(step)).zip(0..).collect();
        import.outcomes.sort_by_key(|outcome| order.get(&outcome.file).copied());
        Ok(import)
    }

    /// Imports the files of an import that failed, were cancelled or not sent, and returns when they are done. A listing
    /// that is old, or does not show every earlier submission, is refreshed first.
    ///
    /// # Errors
    /// [`DeskError::NotFound`]; [`DeskError::Conflict`] while it is running; [`DeskError::MissingCredentials`]; any error
    /// of the listing, unless doubts were overridden.
    pub async fn resume_import(&self, request: ImportId) -> Result<Import> {
        let import = self.load_import(&request.id).await?;
        let client = self.0.workspaces.client(&import.workspace_id).await?;
        if is_running(&import) {
            return Err(step_conflict(&RunStep::State(import.state)));
        }
        let workspace = import.workspace_id.clone();
        let job = ImportJob::new(self.clone(), import, client)?;
        let basis = self.listing_with_submissions(&workspace).await?;
        if !basis.is_current && !job.overrides_doubts() {
            return Err(basis.error.unwrap_or_else(|| doubt_conflict(ImportDoubt::OutdatedList)));
        }
        match self.0.context.desk.resume_import(&request.id, now()).await? {
            RunStep::Done => {}
            step => return Err(step_conflict(&step)),
        }
        wait_until_ended(engine::start(job)).await?;
        self.import_view(self.load_import(&request.id).await?).await
    }

    /// Stops an import: waits for requests in flight, and sends no further file. Does nothing when it is not running.
    pub async fn cancel_import(&self, request: ImportId) -> Result<Nothing> {
        self.0.running.cancel(&self.0.context.desk, &request.id).await?;
        Ok(Nothing {})
    }

    /// The newest import of a workspace that was not deleted.
    pub async fn last_import(&self, request: WorkspaceId) -> Result<Option<Import>> {
        match self.0.context.desk.last_import(&request.workspace).await? {
            Some(import) => Ok(Some(self.import_view(import).await?)),
            None => Ok(None),
        }
    }

    /// Deletes an import that has ended. Does nothing when there is none.
    ///
    /// # Errors
    /// [`DeskError::Conflict`] while it is running.
    pub async fn forget_import(&self, request: ImportId) -> Result<Nothing> {
        let import = self.0.context.desk.import(&request.id).await?;
        match self.0.context.desk.delete_import(&request.id).await? {
            RunStep::State(state) => return Err(step_conflict(&RunStep::State(state))),
            _ => {
                if let Some(import) = import {
                    remove_copy(&import);
                }
            }
        }
        Ok(Nothing {})
    }

    pub(super) async fn load_import(&self, id: &str) -> Result<desk::Import> {
        self.0.context.desk.import(id).await?.ok_or_else(|| DeskError::not_found(Missing::Import))
    }

    async fn import_view(&self, import: desk::Import) -> Result<Import> {
        let error: Option<DeskError> = import.error.as_deref().and_then(|json| serde_json::from_str(json).ok());
        let files = if is_running(&import) {
            Vec::new()
        } else {
            self.0.context.desk.import_files(&import.id, None, 0, ALL_FILES).await?
        };
        let resumable = files.iter().filter(|file| {
            matches!(file.state, ItemState::Planned | ItemState::Cancelled | ItemState::Failed) && !file.is_partial
        });
        let resumable = u32::try_from(resumable.count()).unwrap_or(u32::MAX);
        let waiting = self.0.running.waiting(&import.id);
        let folder = PathBuf::from(&import.folder);
        Ok(Import {
            outcomes: files.into_iter().map(|file| outcome(&folder, file, error.as_ref())).collect(),
            done: done(&import),
            total: total(&import),
            resumable,
            waiting_until: waiting.as_ref().map(|waiting| waiting.until),
            waiting_reason: waiting.map(|waiting| waiting.reason),
            id: import.id,
            workspace: import.workspace_id,
            source: import.source,
            is_copy: import.is_copy,
            wabas: serde_json::from_str(&import.wabas).unwrap_or_default(),
            state: import.state,
            error,
            created_at: import.created_at,
            ended_at: import.ended_at,
        })
    }
}

impl Plan {
    fn name_of(&self, step: &Step) -> String {
        name_of_file(&self.folder, &step.file)
    }
}

/// The chosen files of a plan.
struct Chosen {
    /// Files to send.
    files: Vec<ImportFile>,
    /// Files not sent: there is nothing to do, or they were sent before.
    skipped: Vec<ImportOutcome>,
}

fn choose_files(plan: &Plan, request: &RunImport, recorded: &HashMap<u32, ImportFile>) -> Result<Chosen> {
    let mut chosen = Chosen { files: Vec::new(), skipped: Vec::new() };
    let are_doubts_overridden = request.overrides.iter().any(|code| code == MAY_BE_REPEATED);
    let steps = (0..).zip(plan.steps.iter().zip(&plan.doubts));
    for (position, (step, doubts)) in steps.filter(|(_, (step, _))| request.files.contains(&plan.name_of(step))) {
        let sent_before = match recorded.get(&position) {
            Some(file) if file.state == ItemState::Done => Some(ConflictFault::SubmittedBefore {}),
            Some(file) if file.state == ItemState::Unknown => Some(ConflictFault::AnswerLostBefore {}),
            Some(file) if file.is_partial => Some(ConflictFault::PartlySubmitted {}),
            _ => None,
        };
        let sent_before = sent_before.map(DeskError::conflict);
        let doubt = doubts.first().filter(|_| !are_doubts_overridden).copied();
        let refused = sent_before.or_else(|| doubt.map(doubt_conflict));
        let action = action_of(step);
        let kind = match action {
            ImportAction::Create if refused.is_none() => SubmissionKind::Create,
            ImportAction::Edit if refused.is_none() => SubmissionKind::Edit,
            _ => {
                chosen.skipped.push(ImportOutcome {
                    file: plan.name_of(step),
                    name: step.name.clone(),
                    language: step.language.clone(),
                    action,
                    state: ImportState::Skipped,
                    error: refused,
                    references: Vec::new(),
                    is_partial: false,
                    accepted_wabas: Vec::new(),
                    open_wabas: Vec::new(),
                });
                continue;
            }
        };
        chosen.files.push(ImportFile {
            position,
            file: path_text(&step.file)?,
            name: step.name.clone(),
            language: step.language.clone(),
            action: kind,
            digests: to_json(&step.digests())?,
            effect: step.effect_digest()?,
            ..ImportFile::default()
        });
    }
    Ok(chosen)
}

fn is_running(import: &desk::Import) -> bool {
    matches!(import.state, RunState::Running | RunState::Cancelling)
}

async fn wait_until_ended(job: JoinHandle<()>) -> Result<()> {
    job.await.map_err(|error| DeskError::Internal { message: error.to_string() })
}

/// A path in its recorded form.
fn path_text(path: &Path) -> Result<String> {
    path.to_str()
        .map(str::to_owned)
        .ok_or_else(|| DeskError::file(shown_name(path), "its path is not valid Unicode; move or rename the folder"))
}

pub(super) fn action_of(step: &Step) -> ImportAction {
    match &step.action {
        Action::Create { .. } => ImportAction::Create,
        Action::Edit { .. } => ImportAction::Edit,
        Action::Unchanged => ImportAction::Unchanged,
        Action::Blocked { .. } => ImportAction::Blocked,
    }
}

/// The outcome of a file in an import that has ended; `interrupted` is the error that interrupted it.
fn outcome(folder: &Path, file: ImportFile, interrupted: Option<&DeskError>) -> ImportOutcome {
    // Stored JSON that can no longer be read must not hide the file.
    let stored: Option<StoredImportError> = file.error.as_deref().and_then(|json| serde_json::from_str(json).ok());
    let (error, accepted_wabas, open_wabas) = stored.map_or((None, Vec::new(), Vec::new()), |stored| {
        (Some(stored.error), stored.accepted_wabas, stored.open_wabas)
    });
    let (state, error) = match file.state {
        ItemState::Done => (ImportState::Done, None),
        ItemState::Failed => (ImportState::Failed, error),
        ItemState::Cancelled => (ImportState::Cancelled, None),
        ItemState::Planned | ItemState::Skipped => (ImportState::NotSent, interrupted.cloned()),
        ItemState::InFlight | ItemState::Unknown => (ImportState::Unknown, error),
    };
    ImportOutcome {
        file: name_of_file(folder, Path::new(&file.file)),
        name: file.name,
        language: file.language,
        action: match file.action {
            SubmissionKind::Create => ImportAction::Create,
            SubmissionKind::Edit => ImportAction::Edit,
        },
        state,
        error,
        references: serde_json::from_str(&file.template_refs).unwrap_or_default(),
        is_partial: file.is_partial,
        accepted_wabas,
        open_wabas,
    }
}

fn step_conflict(step: &RunStep) -> DeskError {
    match step {
        RunStep::Missing | RunStep::Done => DeskError::not_found(Missing::Import),
        RunStep::Busy(_) | RunStep::State(_) => DeskError::conflict(ConflictFault::ImportRunning {}),
    }
}
