//! Imports: template files that are submitted, each recorded before its requests are sent. A workspace keeps only its
//! newest import.

use rusqlite::{Connection, Row};

use super::job::{self, JobKind, RunStep};
use super::{Desk, ItemState, RunState, SubmissionKind};
use crate::StoreError;
use crate::rows::{all, first, from_row, insert_row, scalar};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Import {
    /// Identifier of the preview that was confirmed.
    pub id: String,
    pub workspace_id: String,
    /// The folder that the person chose, or the name of the workspace that is copied from.
    pub source: String,
    /// Where the files are.
    pub folder: String,
    /// Whether the folder is the app's own and is deleted with the import.
    pub is_copy: bool,
    /// WABAs in which new templates are created, as JSON.
    pub wabas: String,
    /// Codes of the warnings that the person overrode, as JSON.
    pub overrides: String,
    /// Its state; never [`RunState::Planned`].
    pub state: RunState,
    /// Why it was interrupted, as JSON.
    pub error: Option<String>,
    /// When it was confirmed.
    pub created_at: i64,
    /// When it was started or resumed.
    pub started_at: Option<i64>,
    /// When it ended; absent if the process exited first.
    pub ended_at: Option<i64>,
    /// File counts by state. Ignored when written.
    pub counts: Vec<(ItemState, u32)>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportFile {
    /// Position in the preview, from 0; unique in an import.
    pub position: u32,
    /// Its path.
    pub file: String,
    /// Name of the template.
    pub name: String,
    pub language: String,
    /// Kind of its requests.
    pub action: SubmissionKind,
    /// Digests of the file and its media as previewed, by name, as JSON.
    pub digests: String,
    /// Digest of the previewed effect.
    pub effect: String,
    /// Its state; never [`ItemState::Skipped`].
    pub state: ItemState,
    /// Why it is not done, as JSON.
    pub error: Option<String>,
    /// The provider's references of the created or edited templates, as JSON.
    pub template_refs: String,
    /// Whether some of its requests were carried out and others were not. It is not sent again.
    pub is_partial: bool,
    /// When it was last sent.
    pub sent_at: Option<i64>,
    /// When that request was answered, abandoned, or reconciled with a listing.
    pub answered_at: Option<i64>,
}

/// Outcome of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportFileResult {
    pub state: ItemState,
    /// Why it is not done, as JSON.
    pub error: Option<String>,
    /// The provider's references of the created or edited templates, as JSON.
    pub template_refs: String,
    /// Whether some of its requests were carried out and others were not.
    pub is_partial: bool,
}

const KIND: JobKind = JobKind::Import;

impl Desk {
    /// Records a confirmed import as running, with its files, and deletes the older imports of the workspace. If the
    /// import is already recorded, those of `files` that failed, were cancelled or were not sent are planned again,
    /// unless they were carried out in part; the others do not change. Returns [`RunStep::Busy`] while an import of the workspace is running.
    ///
    /// # Errors
    /// [`StoreError`] when it cannot be written; then nothing is recorded.
    pub async fn start_import(&self, import: Import, files: Vec<ImportFile>) -> Result<RunStep, StoreError> {
        self.database
            .write(move |c| {
                if let Some(other) = running(c, &import.workspace_id)? {
                    return Ok(RunStep::Busy(other));
                }
                c.execute(
                    "DELETE FROM import WHERE workspace_id = ?1 AND id <> ?2",
                    (&import.workspace_id, &import.id),
                )?;
                insert_row!(c, "import" => import {
                    id, workspace_id, source, folder, is_copy, wabas, overrides, state: RunState::Running, created_at,
                    started_at: import.created_at,
                }, "ON CONFLICT (id) DO UPDATE SET overrides = excluded.overrides")?;
                c.execute(
                    "UPDATE import_file SET state = 'cancelled' WHERE import_id = ?1 AND state = 'planned'",
                    [&import.id],
                )?;
                for file in files {
                    insert_row!(c, "import_file" => file {
                        import_id: import.id, position, file, name, language, action, digests, effect,
                        state: ItemState::Planned,
                    }, "ON CONFLICT (import_id, position) DO UPDATE SET state = 'planned', error = NULL
                          WHERE state IN ('failed', 'cancelled') AND NOT is_partial")?;
                }
                job::set_running(c, KIND, &import.id, import.created_at)
            })
            .await
    }

    /// Resumes an ended import: files that failed, were cancelled or were not sent are planned again, unless they were
    /// carried out in part. Files with an unknown outcome do not change.
    pub async fn resume_import(&self, id: &str, at: i64) -> Result<RunStep, StoreError> {
        let id = id.to_owned();
        self.database
            .write(move |c| {
                let ended = [RunState::Cancelled, RunState::Interrupted, RunState::Done];
                if let Some(reason) = job::unstartable(c, KIND, &id, &ended)? {
                    return Ok(reason);
                }
                c.execute(
                    "UPDATE import_file SET state = 'planned', error = NULL
                     WHERE import_id = ?1 AND state IN ('failed', 'cancelled') AND NOT is_partial",
                    [&id],
                )?;
                job::set_running(c, KIND, &id, at)
            })
            .await
    }

    pub async fn import(&self, id: &str) -> Result<Option<Import>, StoreError> {
        let id = id.to_owned();
        self.database
            .read(move |c| {
                let found = first(c, "SELECT * FROM import WHERE id = ?1", [id], import)?;
                found.map(|import| counted(c, import)).transpose()
            })
            .await
    }

    /// The newest import of a workspace.
    pub async fn last_import(&self, workspace_id: &str) -> Result<Option<Import>, StoreError> {
        let workspace_id = workspace_id.to_owned();
        self.database
            .read(move |c| {
                let sql = "SELECT * FROM import WHERE workspace_id = ?1 ORDER BY created_at DESC LIMIT 1";
                let found = first(c, sql, [workspace_id], import)?;
                found.map(|import| counted(c, import)).transpose()
            })
            .await
    }

    /// The app's own folders that imports use.
    pub async fn copy_folders(&self) -> Result<Vec<String>, StoreError> {
        self.database.read(|c| all(c, "SELECT folder FROM import WHERE is_copy", [], scalar)).await
    }

    /// Files of an import in order: those in `state`, or all, from the position `from`.
    pub async fn import_files(
        &self,
        id: &str,
        state: Option<ItemState>,
        from: u32,
        limit: u32,
    ) -> Result<Vec<ImportFile>, StoreError> {
        let id = id.to_owned();
        self.database
            .read(move |c| {
                let sql = "SELECT * FROM import_file
                           WHERE import_id = ?1 AND position >= ?2 AND (?4 IS NULL OR state = ?4)
                           ORDER BY position LIMIT ?3";
                all(c, sql, (id, from, limit, state), file)
            })
            .await
    }

    /// Records that a planned file is sent. Send it only if this returns `true`; otherwise it was already sent or its
    /// import is no longer running.
    ///
    /// # Errors
    /// [`StoreError`] when it cannot be written; then it must not be sent.
    pub async fn begin_import_file(&self, id: &str, position: u32, at: i64) -> Result<bool, StoreError> {
        let id = id.to_owned();
        self.database
            .write(move |c| {
                let changed = c
                    .prepare_cached(
                        "UPDATE import_file SET state = 'leaving', error = NULL, left_at = ?3, answered_at = NULL
                         WHERE import_id = ?1 AND position = ?2 AND state = 'planned'
                           AND (SELECT state FROM import WHERE id = ?1) = 'running'",
                    )?
                    .execute((id, position, at))?;
                Ok(changed > 0)
            })
            .await
    }

    /// Records the outcome of a file in the state `from`. Returns whether it was in that state.
    pub async fn end_import_file(
        &self,
        id: &str,
        position: u32,
        from: ItemState,
        result: ImportFileResult,
        at: i64,
    ) -> Result<bool, StoreError> {
        let id = id.to_owned();
        self.database
            .write(move |c| {
                let changed = c
                    .prepare_cached(
                        "UPDATE import_file SET state = ?4, error = ?5, template_refs = ?6, is_partial = ?7,
                           answered_at = ?8
                         WHERE import_id = ?1 AND position = ?2 AND state = ?3",
                    )?
                    .execute((
                        id,
                        position,
                        from,
                        result.state,
                        result.error,
                        result.template_refs,
                        result.is_partial,
                        at,
                    ))?;
                Ok(changed > 0)
            })
            .await
    }

    /// Deletes an import unless it is running.
    pub async fn delete_import(&self, id: &str) -> Result<RunStep, StoreError> {
        let id = id.to_owned();
        self.database
            .write(move |c| match job::state(c, KIND, &id)? {
                None => Ok(RunStep::Missing),
                Some(state @ (RunState::Running | RunState::Cancelling)) => Ok(RunStep::State(state)),
                Some(_) => {
                    c.execute("DELETE FROM import WHERE id = ?1", [&id])?;
                    Ok(RunStep::Done)
                }
            })
            .await
    }
}

fn running(c: &Connection, workspace_id: &str) -> Result<Option<String>, StoreError> {
    let sql = "SELECT id FROM import WHERE workspace_id = ?1 AND state IN ('running', 'cancelling')";
    first(c, sql, [workspace_id], scalar)
}

/// Marks imports that were running when the process exited as interrupted, and their files in flight as unknown.
pub(super) fn mark_interrupted(c: &Connection) -> Result<Vec<String>, StoreError> {
    c.execute("UPDATE import_file SET state = 'unknown' WHERE state = 'leaving'", [])?;
    job::mark_interrupted(c, KIND)
}

/// Deletes all imports when a backup is restored, because their files may have been sent since. A new preview compares
/// them with the provider.
pub(super) fn delete_all(c: &Connection) -> Result<(), StoreError> {
    c.execute("DELETE FROM import", [])?;
    Ok(())
}

fn counted(c: &Connection, import: Import) -> Result<Import, StoreError> {
    Ok(Import { counts: job::counts(c, KIND, &import.id)?, ..import })
}

fn import(row: &Row<'_>) -> rusqlite::Result<Import> {
    from_row!(row => Import {
        id, workspace_id, source, folder, is_copy, wabas, overrides, state, error, created_at, started_at, ended_at,
        counts: Vec::new(),
    })
}

fn file(row: &Row<'_>) -> rusqlite::Result<ImportFile> {
    from_row!(row => ImportFile {
        position, file, name, language, action, digests, effect, state, error, template_refs, is_partial,
        sent_at = "left_at", answered_at,
    })
}
