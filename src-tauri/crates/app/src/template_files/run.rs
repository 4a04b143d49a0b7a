//! Carrying out a plan: one step after the other, each request written down before it leaves, never one twice.

use std::sync::Arc;

use service::Client;
use tokio_util::sync::CancellationToken;

use super::plan::{Languages, name_of};
use super::{Kept, Settled};
use crate::context::lock;
use crate::template_files::TemplateFiles;
use ::template_files::{Action, Step};
use api::Nothing;
use api::error::{DeskError, Result};
use api::event::DeskEvent;
use api::submission::StepOutcome;
use api::transfer::{ImportAction, ImportId, ImportOutcome, ImportReport, ImportState, RunImport};
use api::workspace::WorkspaceId;
use requests::classify_response::{Class, MOST_LOST, classify};
use requests::submission::Request;

/// A run that is under way; when this is dropped, however it ended, the next may begin.
struct UnderWay {
    template_files: TemplateFiles,
    kept: Arc<Kept>,
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        lock(&self.template_files.0.transfers.running).remove(&self.kept.workspace);
    }
}

/// What became of a step: its state, why it is not done, and the references of what was taken.
type Ended = (ImportState, Option<DeskError>, Vec<String>);

impl TemplateFiles {
    /// Pushes the chosen files of a plan. A refusal concerns one file, and the others go on; without connection or
    /// credentials nothing further leaves. Each file is looked at once more: one that is not what was shown stays.
    ///
    /// # Errors
    /// [`DeskError::NotFound`] when there is no such plan any more; [`DeskError::InvalidInput`] at `files` for one that
    /// it does not have; [`DeskError::Conflict`] while another is carried out; [`DeskError::MissingCredentials`].
    pub async fn run_import(&self, request: RunImport) -> Result<ImportReport> {
        let kept = self.0.transfers.plan(&request.id)?;
        if let Some(unknown) = request.files.iter().find(|file| kept.steps.iter().all(|step| name_of(step) != **file)) {
            return Err(DeskError::invalid("files", format!("{unknown} is not in this preview.")));
        }
        // Closing the app ends it between two requests, not within one.
        let cancel = self.0.context.cancel.child_token();
        self.0.transfers.begin(&kept, cancel.clone())?;
        // A task of its own: a window that is reloaded meanwhile must not tear a request apart.
        let under_way = UnderWay { template_files: self.clone(), kept };
        let report = self
            .0
            .context
            .tasks
            .spawn(async move { under_way.template_files.push_files(&under_way.kept, &request, cancel).await });
        report.await.map_err(|error| DeskError::Internal { message: error.to_string() })?
    }

    /// Stops a plan that is being carried out: what is on its way ends, and nothing further leaves. Nothing happens when
    /// it is not carried out.
    ///
    /// # Errors
    /// None.
    pub async fn cancel_import(&self, request: ImportId) -> Result<Nothing> {
        if let Some((_, cancel)) = lock(&self.0.transfers.running).values().find(|(id, _)| *id == request.id) {
            cancel.cancel();
        }
        Ok(Nothing {})
    }

    async fn push_files(&self, kept: &Kept, request: &RunImport, cancel: CancellationToken) -> Result<ImportReport> {
        let RunImport { files, overrides, .. } = request;
        let client = self.0.workspaces.client(&kept.workspace).await?;
        let chosen: Vec<&Step> = kept.steps.iter().filter(|step| files.contains(&name_of(step))).collect();
        let total = chosen.len() as u64;
        let mut outcomes = Vec::with_capacity(chosen.len());
        let (mut hopeless, mut lost) = (None, 0);
        for (done, step) in chosen.iter().enumerate() {
            self.tell_import(kept, done as u64, total, name_of(step));
            let ended = if !matches!(step.action, Action::Create { .. } | Action::Edit { .. }) {
                (ImportState::Skipped, None, Vec::new())
            } else if let Some(error) = &hopeless {
                (ImportState::Skipped, Some(DeskError::clone(error)), Vec::new())
            } else if cancel.is_cancelled() {
                (ImportState::Cancelled, None, Vec::new())
            } else {
                self.push_step(kept, step, overrides, &client, &cancel).await
            };
            match &ended {
                (ImportState::Failed, Some(error), _) if is_hopeless(error) => hopeless = Some(error.clone()),
                (ImportState::Unknown, error, _) => {
                    lost += 1;
                    // Those that follow do not leave: what is not known of this one is known of them.
                    hopeless = error.clone().filter(|error| lost >= MOST_LOST || is_storage(error));
                    hopeless = hopeless.map(|error| error.cause().clone());
                }
                (ImportState::Done | ImportState::Failed, ..) => lost = 0,
                _ => {}
            }
            let settled = match ended.0 {
                ImportState::Done => Some(Settled::Done),
                ImportState::Unknown => Some(Settled::Unknown),
                _ => None,
            };
            if let Some(settled) = settled {
                lock(&kept.settled).insert(step.file.clone(), settled);
            }
            outcomes.push(outcome(step, ended));
        }
        self.settle_lost(kept, &chosen, &mut outcomes).await;
        if chosen
            .iter()
            .zip(&outcomes)
            .any(|(step, outcome)| outcome.state == ImportState::Done && !step.media().is_empty())
        {
            // Only the listing tells the addresses under which the provider has them.
            self.0.templates.sync_in_background(&kept.workspace);
        }
        self.0.context.emit(DeskEvent::TemplatesChanged { workspace: kept.workspace.clone() });
        self.tell_import(kept, total, total, String::new());
        Ok(ImportReport { outcomes })
    }

    fn tell_import(&self, kept: &Kept, done: u64, total: u64, file: String) {
        self.0.context.emit(DeskEvent::ImportProgress { id: kept.id.clone(), done, total, file });
    }

    /// Pushes one file.
    async fn push_step(
        &self,
        kept: &Kept,
        step: &Step,
        overrides: &[String],
        client: &Client,
        cancel: &CancellationToken,
    ) -> Ended {
        let stays = |state, message: String| (state, Some(DeskError::Conflict { message }), Vec::new());
        match lock(&kept.settled).get(&step.file) {
            Some(Settled::Done) => {
                return stays(ImportState::Skipped, "It was already submitted. Check again for the rest.".to_owned());
            }
            Some(Settled::Unknown) => {
                let message = "Its answer was lost before, and it may have been carried out. Refresh the templates, \
                               and look again for what is left.";
                return stays(ImportState::Skipped, message.to_owned());
            }
            None => {}
        }
        if let Some(code) = step.needs_override().into_iter().find(|code| !overrides.iter().any(|one| one == code)) {
            let words =
                step.findings.iter().find(|finding| finding.code == code).map(|finding| finding.message.clone());
            return stays(ImportState::Failed, words.unwrap_or_default());
        }
        if let Some(reason) = step.altered().await {
            return (ImportState::Failed, Some(DeskError::File { name: name_of(step), reason }), Vec::new());
        }
        let again = match self.records_of(&kept.workspace, &mut Languages::default(), &step.name, &step.language).await
        {
            Ok(records) => Step::decide(step.read().clone(), &records.iter().collect::<Vec<_>>(), &kept.wabas),
            Err(error) => return (ImportState::Failed, Some(error), Vec::new()),
        };
        if !again.does_as(step) {
            let message = "The template has changed at the provider since the check. Check again.";
            return stays(ImportState::Failed, message.to_owned());
        }
        let mut references: Vec<String> = Vec::new();
        let (mut state, mut why) = (ImportState::Done, None);
        for leaving in again.leaving {
            let mut draft = leaving.draft;
            draft.workspace.clone_from(&kept.workspace);
            for request in leaving.requests {
                if cancel.is_cancelled() {
                    return (ImportState::Cancelled, why, references);
                }
                // A form may be stopped while its files leave; anything else is on its way for a moment only.
                let client = match &request {
                    Request::CreateWithFiles { .. } => client.clone().cancelled_by(cancel.clone()),
                    Request::Edit { files, .. } if !files.is_empty() => client.clone().cancelled_by(cancel.clone()),
                    _ => client.clone(),
                };
                match self.0.authoring.run(&client, &draft, leaving.before.as_ref(), &request).await {
                    Ok(StepOutcome::Accepted { reference, .. }) => {
                        references.extend(
                            reference.into_iter().filter(|known| !references.contains(known)).collect::<Vec<_>>(),
                        );
                    }
                    Ok(StepOutcome::Refused { error: DeskError::Cancelled {}, .. }) => {
                        return (ImportState::Cancelled, why, references);
                    }
                    Ok(StepOutcome::Refused { error, .. }) => {
                        let stops = is_hopeless(&error);
                        if state == ImportState::Done {
                            (state, why) = (ImportState::Failed, Some(error));
                        }
                        if stops {
                            return (state, why, references);
                        }
                    }
                    Ok(StepOutcome::Unknown { error }) => (state, why) = (ImportState::Unknown, Some(error)),
                    // Whether it had left by then is not known any more.
                    Err(error) => return (ImportState::Unknown, Some(error), references),
                }
            }
        }
        (state, why, references)
    }

    /// Asks the listing about what has an unknown outcome: what it shows was carried out.
    async fn settle_lost(&self, kept: &Kept, steps: &[&Step], outcomes: &mut [ImportOutcome]) {
        if outcomes.iter().all(|outcome| outcome.state != ImportState::Unknown) {
            return;
        }
        if let Err(error) = self.0.templates.refresh_templates(WorkspaceId { workspace: kept.workspace.clone() }).await
        {
            tracing::info!(%error, "the listing could not be asked what became of lost answers");
            return;
        }
        for (step, outcome) in steps.iter().zip(outcomes) {
            if outcome.state != ImportState::Unknown {
                continue;
            }
            let Ok(records) =
                self.records_of(&kept.workspace, &mut Languages::default(), &step.name, &step.language).await
            else {
                continue;
            };
            let now = Step::decide(step.read().clone(), &records.iter().collect::<Vec<_>>(), &kept.wabas);
            if now.action == Action::Unchanged {
                outcome.state = ImportState::Done;
                outcome.error = None;
                outcome.references =
                    records.iter().filter_map(|record| record.reference().map(str::to_owned)).collect();
                lock(&kept.settled).insert(step.file.clone(), Settled::Done);
            }
        }
    }
}

fn outcome(step: &Step, (state, error, references): Ended) -> ImportOutcome {
    ImportOutcome {
        file: name_of(step),
        name: step.name.clone(),
        language: step.language.clone(),
        action: match &step.action {
            Action::Create { .. } => ImportAction::Create,
            Action::Edit { .. } => ImportAction::Edit,
            Action::Unchanged => ImportAction::Unchanged,
            Action::Blocked { .. } => ImportAction::Blocked,
        },
        state,
        error,
        references,
    }
}

/// Whether after this error no further request makes sense.
fn is_hopeless(error: &DeskError) -> bool {
    matches!(classify(error).class, Class::NotSent | Class::Limited | Class::Configuration) || is_storage(error)
}

fn is_storage(error: &DeskError) -> bool {
    matches!(error, DeskError::Storage { .. })
}
