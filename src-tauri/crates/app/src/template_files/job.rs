//! An import as a job: each file is compared again with the recorded plan, and recorded before its requests are sent.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use provider_client::Client;
use store::desk::{self, ImportFile, ImportFileResult, ItemState};
use tokio_util::sync::CancellationToken;

use super::doubt::doubt_conflict;
use super::plan::Languages;
use super::remove_copy;
use crate::context::{Context, lock};
use crate::jobs::answer::{Answer, RequestKind};
use crate::jobs::engine::Job;
use crate::jobs::running::RunningJobs;
use crate::template_files::TemplateFiles;
use crate::templates::sync::ListingBasis;
use ::template_files::{Action, FolderMedia, Links, Read, SidecarMedia, Step};
use command_types::error::{ConflictFault, DeskError, Result};
use command_types::event::DeskEvent;
use command_types::submission::StepOutcome;
use command_types::transfer::{ImportDoubt, MAY_BE_REPEATED, StoredImportError};
use model::template::TemplateRecord;
use outgoing::classify_response::MAX_UNKNOWN_OUTCOMES;
use outgoing::file_name::shown_name;
use outgoing::submission::Request;
use outgoing::{is_later, now, to_json};

#[derive(Debug)]
pub(super) struct ImportJob {
    template_files: TemplateFiles,
    import: desk::Import,
    wabas: Vec<String>,
    overrides: Vec<String>,
    client: Client,
    media: tokio::sync::Mutex<FolderMedia>,
    progress: Mutex<JobProgress>,
}

#[derive(Debug, Default)]
struct JobProgress {
    /// Name of the last file sent.
    file: String,
    /// Whether media were uploaded: only the listing contains the provider's addresses of them.
    has_media: bool,
}

/// The result of a file's requests.
struct FileResult {
    state: ItemState,
    error: Option<DeskError>,
    references: Vec<String>,
    is_partial: bool,
    /// WABAs whose requests were carried out, if others were not.
    accepted_wabas: Vec<String>,
    /// WABAs whose requests were not carried out, if others were.
    open_wabas: Vec<String>,
    answer: Answer,
}

impl FileResult {
    /// The result of a file of which nothing was sent.
    fn refused(error: DeskError) -> Self {
        Self {
            state: ItemState::Failed,
            error: Some(error.clone()),
            references: Vec::new(),
            is_partial: false,
            accepted_wabas: Vec::new(),
            open_wabas: Vec::new(),
            answer: Answer::Refused(error),
        }
    }
}

/// The answers to a file's requests so far.
#[derive(Debug, Default)]
struct Answers {
    /// WABAs of all requests.
    wabas: Vec<String>,
    /// WABAs of the accepted requests.
    accepted_wabas: Vec<String>,
    references: Vec<String>,
    is_accepted: bool,
    /// Why the outcome of the first request without an answer is unknown.
    unknown: Option<DeskError>,
    /// Why the first refused request was refused.
    refused: Option<DeskError>,
}

impl Answers {
    fn accept(&mut self, reference: Option<String>, wabas: Vec<String>) {
        self.is_accepted = true;
        self.accepted_wabas.extend(wabas);
        self.references.extend(reference.filter(|reference| !self.references.contains(reference)));
    }

    /// The result of the file, after an attempt whose last answer is `last`: the answer that ended it early. A file is
    /// planned again only if none of its requests was, or may have been, carried out.
    fn result(self, last: Option<Answer>, attempt: u32) -> FileResult {
        let Self { mut wabas, accepted_wabas, references, is_accepted, unknown, refused } = self;
        let pausing =
            |error, reason, pause, is_limit| Answer::Retry { error, reason, pause, is_limit, is_partial: true };
        if let Some(error) = unknown {
            let answer = match last {
                Some(last @ (Answer::Stop(_) | Answer::NotSent)) => last,
                Some(Answer::Retry { error, reason, pause, is_limit, .. }) => pausing(error, reason, pause, is_limit),
                _ => Answer::Unknown(error.clone()),
            };
            let (state, error, open_wabas) = (ItemState::Unknown, Some(error), Vec::new());
            return FileResult { state, error, references, is_partial: false, accepted_wabas, open_wabas, answer };
        }
        let (state, answer) = match last {
            None => match refused {
                Some(error) => (ItemState::Failed, Answer::Refused(error)),
                None => (ItemState::Done, Answer::Done),
            },
            Some(Answer::NotSent) if !is_accepted => (ItemState::Cancelled, Answer::NotSent),
            Some(Answer::Retry { error, reason, pause, is_limit, .. }) if is_accepted => {
                (ItemState::Failed, pausing(error, reason, pause, is_limit))
            }
            Some(last @ Answer::Retry { .. }) if last.is_retried(attempt) => (ItemState::Planned, last),
            Some(last) => (ItemState::Failed, last),
        };
        let is_partial = is_accepted && state == ItemState::Failed;
        let error = match &answer {
            Answer::NotSent if is_partial => Some(DeskError::Cancelled {}),
            answer => answer.error().cloned(),
        };
        if !is_partial {
            return FileResult {
                state,
                error,
                references,
                is_partial,
                accepted_wabas: Vec::new(),
                open_wabas: Vec::new(),
                answer,
            };
        }
        wabas.retain(|waba| !accepted_wabas.contains(waba));
        FileResult { state, error, references, is_partial, accepted_wabas, open_wabas: wabas, answer }
    }
}

impl ImportJob {
    pub(super) fn new(template_files: TemplateFiles, import: desk::Import, client: Client) -> Result<Self> {
        let list = |json: &str| -> Result<Vec<String>> {
            serde_json::from_str(json).map_err(|error| DeskError::Storage { reason: error.to_string() })
        };
        Ok(Self {
            wabas: list(&import.wabas)?,
            overrides: list(&import.overrides)?,
            template_files,
            import,
            client,
            media: tokio::sync::Mutex::default(),
            progress: Mutex::default(),
        })
    }

    /// Whether the person confirmed that submissions may be repeated.
    pub(super) fn overrides_doubts(&self) -> bool {
        self.overrides.iter().any(|code| code == MAY_BE_REPEATED)
    }

    /// Compares a file with its recorded plan.
    ///
    /// # Errors
    /// [`DeskError::File`] and [`DeskError::Conflict`] if it differs, or if a warning or a doubt was not overridden.
    async fn check(&self, file: &ImportFile) -> Result<Step> {
        let path = PathBuf::from(&file.file);
        let sidecar_media = self.media.lock().await.beside(&path).await?;
        let (step, _) =
            self.template_files.plan_file(&self.import.workspace_id, &path, &sidecar_media, &self.wabas).await?;
        if let Some(changed) = find_change(&step, &file.digests)? {
            let reason = format!("{changed} has changed since the check. Check again.");
            return Err(DeskError::file(shown_name(&path), reason));
        }
        if step.effect_digest()? != file.effect {
            return Err(DeskError::conflict(ConflictFault::TemplateChanged {}));
        }
        if let Some(code) = step.needs_override().into_iter().find(|code| !self.overrides.iter().any(|one| one == code))
        {
            let finding = step.findings.iter().find(|finding| finding.code == code);
            let message = finding.map(|finding| finding.message.clone()).unwrap_or_default();
            return Err(DeskError::other_conflict(message));
        }
        // Submitted since the plan.
        if !self.overrides_doubts() && self.template_files.unresolved(&self.import.workspace_id).await?.concerns(&step)
        {
            return Err(doubt_conflict(ImportDoubt::UnknownOutcome));
        }
        Ok(step)
    }

    async fn import_file(&self, file: &ImportFile, attempt: u32, stop: &CancellationToken) -> FileResult {
        let step = match self.check(file).await {
            Ok(step) => step,
            Err(error) => return FileResult::refused(error),
        };
        lock(&self.progress).has_media |= !step.media().is_empty();
        let mut answers = Answers::default();
        for outgoing in &step.outgoing {
            answers.wabas.extend(outgoing.requests.iter().flat_map(|request| request.waba_ids(&outgoing.draft)));
        }
        let last = self.send_requests(step, &mut answers, stop).await;
        answers.result(last, attempt)
    }

    /// Sends the requests of a file, and collects their answers. If one is refused, the requests for the other WABAs are
    /// still sent. Returns the answer after which the others are not sent.
    async fn send_requests(&self, step: Step, answers: &mut Answers, stop: &CancellationToken) -> Option<Answer> {
        for outgoing in step.outgoing {
            let mut draft = outgoing.draft;
            draft.workspace.clone_from(&self.import.workspace_id);
            for request in outgoing.requests {
                if stop.is_cancelled() {
                    return Some(Answer::NotSent);
                }
                // An upload may be cancelled; other requests are in flight only briefly.
                let client = match &request {
                    Request::CreateWithFiles { .. } => self.client.clone().cancelled_by(stop.clone()),
                    Request::Edit { files, .. } if !files.is_empty() => self.client.clone().cancelled_by(stop.clone()),
                    _ => self.client.clone(),
                };
                let authoring = &self.template_files.0.authoring;
                match authoring.run(&client, &draft, outgoing.before.as_ref(), &request).await {
                    Ok(StepOutcome::Accepted { reference, .. }) => answers.accept(reference, request.waba_ids(&draft)),
                    Ok(StepOutcome::Refused { error: DeskError::Cancelled {}, .. }) => return Some(Answer::NotSent),
                    Ok(StepOutcome::Refused { error, .. }) => match Answer::of(RequestKind::Templates, error) {
                        Answer::Refused(error) => {
                            answers.refused.get_or_insert(error);
                        }
                        Answer::Unknown(error) => {
                            answers.unknown.get_or_insert(error);
                        }
                        answer => return Some(answer),
                    },
                    Ok(StepOutcome::Unknown { error }) => {
                        answers.unknown.get_or_insert(error);
                    }
                    // Whether it was sent is unknown.
                    Err(error) => {
                        answers.unknown.get_or_insert(error.clone());
                        return Some(Answer::Stop(error));
                    }
                }
            }
        }
        None
    }
}

/// How many files of an import are in a state.
pub(super) fn count(import: &desk::Import, state: ItemState) -> u32 {
    import.counts.iter().find(|(known, _)| *known == state).map_or(0, |(_, n)| *n)
}

/// Number of files that have an answer or will not be sent.
pub(super) fn done(import: &desk::Import) -> u32 {
    total(import) - count(import, ItemState::Planned) - count(import, ItemState::InFlight)
}

/// Whether every file was carried out, so that the files are no longer needed.
fn is_all_done(import: &desk::Import) -> bool {
    count(import, ItemState::Done) == total(import)
}

pub(super) fn total(import: &desk::Import) -> u32 {
    import.counts.iter().map(|(_, n)| n).sum()
}

/// The file, or one of its media, that differs from the recorded plan.
fn find_change(step: &Step, recorded: &str) -> Result<Option<String>> {
    let recorded: Vec<(String, String)> =
        serde_json::from_str(recorded).map_err(|error| DeskError::Storage { reason: error.to_string() })?;
    let now = step.digests();
    let differs = |(name, digest): &&(String, String)| !now.iter().any(|known| known.0 == *name && known.1 == *digest);
    // First a file that is missing or modified; then one that was added.
    let difference = recorded.iter().find(differs);
    Ok(difference.or_else(|| now.iter().find(|file| !recorded.contains(file))).map(|(name, _)| name.clone()))
}

impl Job for ImportJob {
    type Item = ImportFile;

    const MAX_IN_FLIGHT: usize = 1;

    const MAX_LOST: u32 = MAX_UNKNOWN_OUTCOMES;

    fn id(&self) -> &str {
        &self.import.id
    }

    fn context(&self) -> &Context {
        &self.template_files.0.context
    }

    fn running(&self) -> &RunningJobs {
        &self.template_files.0.running
    }

    async fn planned(&self, after: Option<u32>, limit: u32) -> Result<Vec<(u32, ImportFile)>> {
        let from = after.map_or(0, |after| after + 1);
        let files = self.context().desk.import_files(&self.import.id, Some(ItemState::Planned), from, limit).await?;
        Ok(files.into_iter().map(|file| (file.position, file)).collect())
    }

    async fn send(&self, file: &ImportFile, attempt: u32, stop: &CancellationToken) -> Result<Answer> {
        if !self.context().desk.begin_import_file(&self.import.id, file.position, now()).await? {
            return Ok(Answer::NotSent);
        }
        lock(&self.progress).file = shown_name(Path::new(&file.file));
        // The file is recorded as being sent from here on, so nothing but its own result may end this early.
        if let Err(error) = self.report(false).await {
            tracing::debug!(%error, "the progress of an import could not be read");
        }
        let FileResult { state, error, references, is_partial, accepted_wabas, open_wabas, answer } =
            self.import_file(file, attempt, stop).await;
        let error = error.map(|error| StoredImportError { error, accepted_wabas, open_wabas });
        let result = ImportFileResult {
            state,
            error: error.as_ref().map(to_json).transpose()?,
            template_refs: to_json(&references)?,
            is_partial,
        };
        self.context().desk.end_import_file(&self.import.id, file.position, ItemState::InFlight, result, now()).await?;
        Ok(answer)
    }

    async fn report(&self, is_last: bool) -> Result<()> {
        let (file, has_media) = {
            let progress = lock(&self.progress);
            (progress.file.clone(), progress.has_media)
        };
        let mut import = self.template_files.load_import(&self.import.id).await?;
        if is_last {
            let (templates, workspace) = (&self.template_files.0.templates, &self.import.workspace_id);
            if count(&import, ItemState::Unknown) > 0 {
                // Requests whose result the listing shows were carried out, also those of an earlier run.
                match templates.ensure_listing(workspace, now()).await {
                    Ok(ListingBasis { error: None, .. }) => {}
                    Ok(ListingBasis { error: Some(error), .. }) | Err(error) => {
                        tracing::info!(
                            error = error.without_provider_text(),
                            "the listing could not be fetched to reconcile lost answers"
                        );
                    }
                }
                import = self.template_files.load_import(&self.import.id).await?;
            } else if has_media {
                templates.sync_in_background(workspace);
            }
            self.context().emit(DeskEvent::TemplatesChanged { workspace: workspace.clone() });
        }
        if is_last && is_all_done(&import) {
            remove_copy(&import);
        }
        let waiting = self.running().waiting(&self.import.id);
        self.context().emit(DeskEvent::ImportProgress {
            workspace: self.import.workspace_id.clone(),
            id: self.import.id.clone(),
            done: done(&import).into(),
            total: total(&import).into(),
            file: if is_last { String::new() } else { file },
            waiting_until: waiting.as_ref().map(|waiting| waiting.until),
            waiting_reason: waiting.map(|waiting| waiting.reason),
        });
        Ok(())
    }
}

impl TemplateFiles {
    /// What importing a file would do now, and the cached records of its template.
    async fn plan_file(
        &self,
        workspace: &str,
        file: &Path,
        sidecar_media: &SidecarMedia,
        wabas: &[String],
    ) -> Result<(Step, Vec<TemplateRecord>)> {
        let read = Read::file(file.to_owned(), sidecar_media, Links::Refuse).await?;
        let (name, language) = (read.template.name.clone(), read.template.language.clone());
        let records = self.records_of(workspace, &mut Languages::default(), &name, &language).await?;
        let businesses = self.0.templates.businesses(workspace).await?;
        let mut step = Step::decide(read, &records.iter().collect::<Vec<_>>(), wabas, &businesses);
        step.record_digests().await?;
        Ok((step, records))
    }

    /// Reconciles files with an unknown outcome with the cached listing if it was requested after their answers were
    /// lost. Files that it does not show stay unknown.
    pub(super) async fn reconcile_import(&self, workspace: &str) -> Result<()> {
        let desk = &self.0.context.desk;
        let Some(import) = desk.last_import(workspace).await? else { return Ok(()) };
        let unknown = desk.import_files(&import.id, Some(ItemState::Unknown), 0, u32::MAX).await?;
        let Some(listed_at) = self.0.context.cache.listed_at(workspace).await?.filter(|_| !unknown.is_empty()) else {
            return Ok(());
        };
        let wabas: Vec<String> = serde_json::from_str(&import.wabas).unwrap_or_default();
        let mut media = FolderMedia::default();
        for file in unknown {
            if file.answered_at.or(file.sent_at).is_some_and(|lost_at| is_later(lost_at, listed_at)) {
                continue;
            }
            let path = Path::new(&file.file);
            let Ok(sidecar_media) = media.beside(path).await else { continue };
            let Ok((step, records)) = self.plan_file(workspace, path, &sidecar_media, &wabas).await else {
                continue;
            };
            // A file that was modified since cannot confirm what was imported.
            if step.action == Action::Unchanged {
                let references: Vec<&str> = records.iter().filter_map(TemplateRecord::reference).collect();
                let result = ImportFileResult {
                    state: ItemState::Done,
                    error: None,
                    template_refs: to_json(&references)?,
                    is_partial: false,
                };
                desk.end_import_file(&import.id, file.position, ItemState::Unknown, result, now()).await?;
            }
        }
        Ok(())
    }
}
