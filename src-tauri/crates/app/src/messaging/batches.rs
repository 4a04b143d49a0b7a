//! Batches: sends to many recipients, planned completely before the first send, rate-limited, and never sent twice.

mod candidates;
mod cell_values;
mod checked_row;
mod comparison;
mod cost;
mod ending;
mod engagement;
mod examples;
mod export;
#[cfg(feature = "fuzzing")]
pub mod fuzzing;
mod groups;
mod held_back;
mod kept_file;
mod limit;
mod list_side;
mod mapping;
mod numbers_read;
mod outcome;
mod people;
mod plan;
mod preview;
mod repeated;
mod replies;
mod retarget;
mod round;
mod row_preview;
mod rows;
mod rows_estimate;
mod run;
mod sample_values;
mod shown_problems;
mod wishes;

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use model::send::SendProblemCode;
use model::vocabulary::MessageStatus;
use store::desk::{self, JobKind, LocalRowState, RowState, RunState, RunStep};

use self::ending::ending;
use self::plan::category_of;
use crate::context::lock;
use crate::csv_import;
use crate::csv_table::{Table, TableRow};
use crate::jobs;
use crate::jobs::running::RunningJobs;
use crate::messaging::Messaging;
use command_types::batch::{Batch, BatchCounts, BatchId, CsvFile, CsvFileId, ResumeBatch, SetCsvHeader, StartBatch};
use command_types::batch_round::BatchOrigin;
use command_types::error::{ConflictFault, DeskError, Missing, Result};
use command_types::send::SendRequest;
use command_types::workspace::WorkspaceId;
use outgoing::compute::blocking;
use outgoing::{now, to_json};

/// Number of chosen files that are kept for planning: the person may return to an earlier file.
const MAX_FILES: usize = 3;
/// Rows shown of a file.
const SAMPLE_ROWS: usize = 5;
/// The longest cell that is shown of a file, in characters.
const MAX_CELL_LENGTH: usize = 200;
const MAX_BATCHES: u32 = 200;

/// The state of batches that is not stored in the desk.
#[derive(Debug)]
pub(crate) struct Batches {
    /// Chosen files, newest last.
    files: Mutex<VecDeque<(String, Arc<ChosenFile>)>>,
    running: RunningJobs,
}

impl Default for Batches {
    fn default() -> Self {
        Self { files: Mutex::default(), running: RunningJobs::new(JobKind::Batch) }
    }
}

#[derive(Clone, Debug)]
struct ChosenFile {
    /// `None` of people of an earlier batch.
    path: Option<PathBuf>,
    /// Of the file on the disk when it was read.
    stamp: Option<csv_import::Stamp>,
    name: String,
    table: Table,
    /// Whether a person has said what the first row is.
    is_header_decided: bool,
}

impl ChosenFile {
    async fn read(path: PathBuf) -> Result<Self> {
        let name = outgoing::file_name::shown_name(&path);
        let read = move || {
            // Before its content: what is saved meanwhile is read again.
            let stamp = csv_import::Stamp::of(&path);
            csv_import::open(&path).map(|table| (path, stamp, table))
        };
        let (path, stamp, table) = blocking(read).await?.map_err(|error| error.of(&name))?;
        Ok(Self { path: Some(path), stamp, name, table, is_header_decided: false })
    }

    fn view(&self, id: String) -> CsvFile {
        let table = &self.table;
        let shown = |row: &TableRow| -> Vec<String> {
            row.cells.iter().map(|cell| cell.chars().take(MAX_CELL_LENGTH).collect()).collect()
        };
        CsvFile {
            id,
            name: self.name.clone(),
            columns: table.columns.clone(),
            has_header: table.header.is_some(),
            header_uncertain: table.header_uncertain,
            first_row: table.first_row().map(shown).unwrap_or_default(),
            rows: u32::try_from(table.rows.len()).unwrap_or(u32::MAX),
            sample: table.rows.iter().take(SAMPLE_ROWS).map(shown).collect(),
            sample_lines: table.rows.iter().take(SAMPLE_ROWS).map(|line| line.number).collect(),
            delimiter: table.delimiter.to_string(),
            encoding: table.encoding.to_owned(),
        }
    }
}

/// How a batch is started.
enum Start {
    /// For the first time.
    Planned,
    /// With the rows that were not sent, if it was cancelled or interrupted, and these refused rows, each with its send.
    Rest(Vec<(u32, String)>),
    /// If it has ended, including the rows with an unknown outcome.
    ResendUnknown,
}

impl Messaging {
    /// Reads a file of recipients and values, and keeps it for [`Self::plan_batch`].
    ///
    /// # Errors
    /// [`DeskError::File`] with the problem, and its line if there is one.
    pub async fn read_csv(&self, path: &Path) -> Result<CsvFile> {
        Ok(self.keep_file(ChosenFile::read(path.to_owned()).await?))
    }

    fn keep_file(&self, chosen: ChosenFile) -> CsvFile {
        let file = chosen.view(uuid::Uuid::new_v4().to_string());
        let mut files = lock(&self.0.batches.files);
        files.push_back((file.id.clone(), Arc::new(chosen)));
        while files.len() > MAX_FILES {
            files.pop_front();
        }
        file
    }

    /// Reads a chosen file again if it was saved since, for a check of what it says now. `None` if it was not, or cannot be
    /// found: what was read then still counts. The file gets another identifier, as with [`Self::set_csv_header`].
    ///
    /// # Errors
    /// As [`Self::read_csv`].
    pub async fn reread_csv(&self, request: CsvFileId) -> Result<Option<CsvFile>> {
        let known =
            lock(&self.0.batches.files).iter().find(|(id, _)| *id == request.file).map(|(_, file)| file.clone());
        let Some((known, path)) = known.and_then(|known| known.path.clone().map(|path| (known, path))) else {
            return Ok(None);
        };
        let read_from = path.clone();
        let stamp = blocking(move || csv_import::Stamp::of(&path)).await?;
        if stamp.is_none() || stamp == known.stamp {
            return Ok(None);
        }
        let mut chosen = ChosenFile::read(read_from).await?;
        if known.is_header_decided {
            let kept = chosen.table.set_header(known.table.header.is_some());
            kept.map_err(|fault| fault.of(&chosen.name))?;
            chosen.is_header_decided = true;
        }
        let view = chosen.view(uuid::Uuid::new_v4().to_string());
        if let Some((id, file)) = lock(&self.0.batches.files).iter_mut().find(|(id, _)| *id == request.file) {
            id.clone_from(&view.id);
            *file = Arc::new(chosen);
        }
        Ok(Some(view))
    }

    /// Takes the first row of a chosen file as a header, or as a recipient. The file gets another identifier: earlier
    /// requests for it would name other columns.
    ///
    /// # Errors
    /// [`DeskError::NotFound`] if it has to be chosen again; [`DeskError::File`] if it has too many rows.
    pub async fn set_csv_header(&self, request: SetCsvHeader) -> Result<CsvFile> {
        let mut files = lock(&self.0.batches.files);
        let file = files.iter_mut().find(|(id, _)| *id == request.file);
        let (id, file) = file.ok_or_else(|| DeskError::not_found(Missing::ChosenFile))?;
        let mut chosen = ChosenFile::clone(file);
        let changed = chosen.table.set_header(request.has_header);
        changed.map_err(|fault| fault.of(&chosen.name))?;
        chosen.is_header_decided = true;
        let view = chosen.view(uuid::Uuid::new_v4().to_string());
        id.clone_from(&view.id);
        *file = Arc::new(chosen);
        Ok(view)
    }

    /// Starts a planned batch. Rows that cannot be sent are skipped.
    ///
    /// # Errors
    /// [`DeskError::Conflict`] when some rows cannot be sent and must not be skipped, when no row can be sent, when the
    /// batch was started before, or when another batch of the same number is running;
    /// [`DeskError::MissingCredentials`].
    pub async fn start_batch(&self, request: StartBatch) -> Result<Batch> {
        let batch = self.load_batch(&request.batch).await?;
        let (sendable, unsendable) = (count(&batch, LocalRowState::Planned), count(&batch, LocalRowState::Skipped));
        if batch.state == RunState::Planned && sendable == 0 {
            return conflict(ConflictFault::NoRow {});
        }
        if batch.state == RunState::Planned && unsendable > 0 && !request.skip_bad {
            return conflict(ConflictFault::FaultyRows { rows: unsendable });
        }
        self.check_is_due(&batch).await?;
        self.start_from(batch, Start::Planned).await
    }

    /// Resumes a cancelled or interrupted batch with the rows that were not sent. Rows with an unknown outcome keep it,
    /// unless the person asks to resend them; then a completed batch is started again, too.
    ///
    /// # Errors
    /// As [`Self::start_batch`]; [`DeskError::Conflict`] also when no row with an unknown outcome is left to resend.
    pub async fn resume_batch(&self, request: ResumeBatch) -> Result<Batch> {
        let batch = self.load_batch(&request.batch).await?;
        if request.resend_unknown {
            if count(&batch, LocalRowState::Unknown) == 0 {
                return conflict(ConflictFault::NoUnknownRow {});
            }
            return self.start_from(batch, Start::ResendUnknown).await;
        }
        let rejected = self.rejected_rows(&batch).await?;
        self.start_from(batch, Start::Rest(rejected)).await
    }

    /// Cancels a batch: sends no further row, and waits for those in flight.
    ///
    /// # Errors
    /// [`DeskError::Conflict`] when it has already ended; [`DeskError::NotFound`].
    pub async fn cancel_batch(&self, request: BatchId) -> Result<Batch> {
        match self.0.batches.running.cancel(&self.0.context.desk, &request.batch).await? {
            RunStep::Done | RunStep::State(RunState::Cancelling) => {}
            step => return Err(step_conflict(step)),
        }
        let batch = self.load_batch(&request.batch).await?;
        self.report_batch(&batch);
        self.shown(batch).await
    }

    pub(crate) fn is_batch_running(&self) -> bool {
        !self.0.batches.running.is_empty()
    }

    /// Batches of a workspace, newest first.
    pub async fn list_batches(&self, request: WorkspaceId) -> Result<Vec<Batch>> {
        let batches = self.0.context.desk.batches(&request.workspace, MAX_BATCHES).await?;
        let ids: Vec<String> = batches.iter().map(|batch| batch.id.clone()).collect();
        let mut origins = self.origins(&request.workspace, &ids).await?;
        let divided = self.0.context.desk.divided_batches(&request.workspace).await?;
        let ended = self.ended_rows(&batches).await?;
        let view = |batch: desk::Batch| {
            let (origin, is_half) = (origins.remove(&batch.id), divided.contains(&batch.id));
            let ended = ended.get(&batch.id).copied().unwrap_or(0);
            self.batch_view(batch, origin, is_half, ended)
        };
        Ok(batches.into_iter().map(view).collect())
    }

    async fn start_from(&self, batch: desk::Batch, start: Start) -> Result<Batch> {
        // Errors that affect every row are returned before anything changes.
        self.0.workspaces.client(&batch.workspace_id).await?;
        self.check_number(&batch).await?;
        self.check_restriction(&batch.workspace_id, &batch.number).await?;
        let mut common = read_request(&batch)?;
        let step = match start {
            Start::Planned => self.0.context.desk.start_batch(&batch.id, vec![RunState::Planned], now()).await?,
            Start::Rest(rejected) => {
                let mut accepted = None;
                if is_category_stop(&batch) {
                    // The person has read why it stopped, and goes on at the new price, also after the next stop.
                    let plan = self.send_plan(&batch.workspace_id, &batch.template_ref).await?;
                    let category = category_of(&plan);
                    let cost = self.raised_cost(&batch, common.known_category.as_deref(), &category).await?;
                    common.known_category = Some(category);
                    accepted = Some((to_json(&common)?, cost.as_ref().map(to_json).transpose()?));
                }
                self.0.context.desk.resume_batch(&batch.id, rejected, accepted, now()).await?
            }
            Start::ResendUnknown => self.0.context.desk.resend_unknown(&batch.id, now()).await?,
        };
        match step {
            RunStep::Done => {}
            step => return Err(step_conflict(step)),
        }
        let batch = self.load_batch(&batch.id).await?;
        self.report_batch(&batch);
        self.run_batch(&batch, common);
        self.shown(batch).await
    }

    /// Refuses to send from a number that the workspace does not have any more.
    async fn check_number(&self, batch: &desk::Batch) -> Result<()> {
        match self.0.workspaces.settings(&batch.workspace_id).await?.sends_from(&batch.number) {
            true => Ok(()),
            false => conflict(ConflictFault::NumberGone {}),
        }
    }

    async fn load_batch(&self, id: &str) -> Result<desk::Batch> {
        self.0.context.desk.batch(id).await?.ok_or_else(|| DeskError::not_found(Missing::Batch))
    }

    /// A batch for the window.
    async fn shown(&self, batch: desk::Batch) -> Result<Batch> {
        let origin = self.origins(&batch.workspace_id, std::slice::from_ref(&batch.id)).await?.remove(&batch.id);
        let is_half = self.0.context.desk.divided_batches(&batch.workspace_id).await?.contains(&batch.id);
        let ended = self.ended_rows(std::slice::from_ref(&batch)).await?.remove(&batch.id).unwrap_or(0);
        Ok(self.batch_view(batch, origin, is_half, ended))
    }

    fn batch_view(&self, batch: desk::Batch, origin: Option<BatchOrigin>, is_half: bool, ended: u32) -> Batch {
        let waiting = self.0.batches.running.waiting(&batch.id);
        let counts = counts(&batch.counts, ended);
        Batch {
            ending: ending(batch.state, &counts),
            category_raised: is_category_stop(&batch),
            counts,
            id: batch.id,
            workspace: batch.workspace_id,
            template_name: batch.template_name,
            language: batch.language,
            reference: batch.template_ref,
            number: batch.number,
            state: batch.state,
            total: batch.total,
            created_at: batch.created_at,
            started_at: batch.started_at,
            ended_at: batch.ended_at,
            waiting_until: waiting.as_ref().map(|waiting| waiting.until),
            waiting_reason: waiting.map(|waiting| waiting.reason),
            error: batch.error.as_deref().and_then(|json| serde_json::from_str(json).ok()),
            source: batch.source,
            origin,
            is_half,
        }
    }
}

/// Whether a batch was interrupted because its template costs more than when it was planned.
fn is_category_stop(batch: &desk::Batch) -> bool {
    let error = batch.error.as_deref().and_then(|json| serde_json::from_str(json).ok());
    matches!(error, Some(DeskError::InvalidInput { problem: Some(SendProblemCode::TemplateCategoryRaised), .. }))
}

/// The request that all rows of a batch share.
fn read_request(batch: &desk::Batch) -> Result<SendRequest> {
    serde_json::from_str(&batch.request)
        .map_err(|error| DeskError::Storage { reason: format!("the batch cannot be read: {error}") })
}

fn conflict<T>(fault: ConflictFault) -> Result<T> {
    Err(DeskError::conflict(fault))
}

fn step_conflict(step: RunStep) -> DeskError {
    jobs::step_conflict::step_conflict(&step, Missing::Batch, ConflictFault::NumberBusy {})
}

fn count(batch: &desk::Batch, state: LocalRowState) -> u32 {
    let state = RowState::Local(state);
    batch.counts.iter().find(|(known, _)| *known == state).map_or(0, |(_, n)| *n)
}

/// The numbers of rows by state. `ended` of those that are stored as skipped were left out when the batch was ended.
fn counts(counted: &[(RowState, u32)], ended: u32) -> BatchCounts {
    let mut counts = BatchCounts::default();
    for (state, n) in counted {
        let place = match state {
            RowState::Local(LocalRowState::Planned) => &mut counts.planned,
            RowState::Local(LocalRowState::Skipped) => &mut counts.skipped,
            RowState::Local(LocalRowState::Sending) => &mut counts.sending,
            RowState::Local(LocalRowState::Accepted) => &mut counts.accepted,
            RowState::Local(LocalRowState::Refused) => &mut counts.refused,
            RowState::Local(LocalRowState::Unknown) => &mut counts.unknown,
            RowState::Local(LocalRowState::Cancelled) => &mut counts.cancelled,
            RowState::Reported(MessageStatus::Sent) => &mut counts.sent,
            RowState::Reported(MessageStatus::Delivered) => &mut counts.delivered,
            RowState::Reported(MessageStatus::Read) => &mut counts.read,
            RowState::Reported(MessageStatus::Failed) => &mut counts.failed,
            RowState::Reported(_) => &mut counts.other,
        };
        *place += n;
    }
    counts.skipped = counts.skipped.saturating_sub(ended);
    counts.ended = ended;
    counts
}
