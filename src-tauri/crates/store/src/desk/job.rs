//! Steps of a job (a batch, a bulk action or an import): planned, running, ended.

use rusqlite::types::FromSql;
use rusqlite::{Connection, params};

use super::{Desk, RunState};
use crate::StoreError;
use crate::rows::{all, first, scalar, tuple};

/// Result of a step that depends on the state of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunStep {
    /// The step was taken.
    Done,
    /// The job is in a state that does not allow the step.
    State(RunState),
    /// Another job, with this identifier, is running on the same things.
    Busy(String),
    /// No job has this identifier.
    Missing,
}

/// Kinds of jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobKind {
    /// Sends of one template to many recipients.
    Batch,
    /// Archives, unarchives or deletes templates.
    BulkAction,
    /// Pushes template files.
    Import,
}

struct Tables {
    /// One row per job, with `id`, `state`, `error` and `ended_at`.
    jobs: &'static str,
    /// Its items, with `state`.
    items: &'static str,
    /// The item counts by state.
    counts: &'static str,
    /// The job's key column in items and counts.
    key: &'static str,
}

impl JobKind {
    fn tables(self) -> Tables {
        match self {
            Self::Batch => Tables { jobs: "batch", items: "batch_row", counts: "batch_count", key: "batch_id" },
            Self::BulkAction => Tables {
                jobs: "template_order",
                items: "template_order_item",
                counts: "template_order_count",
                key: "order_id",
            },
            Self::Import => Tables { jobs: "import", items: "import_file", counts: "import_count", key: "import_id" },
        }
    }
}

/// A job whose items are being sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunningJob {
    pub kind: JobKind,
    /// Items for which nothing more is sent.
    pub done: u32,
    pub total: u32,
}

fn running(c: &Connection, workspace_id: &str) -> Result<Option<RunningJob>, StoreError> {
    for kind in [JobKind::Batch, JobKind::BulkAction, JobKind::Import] {
        let Tables { jobs, counts, key, .. } = kind.tables();
        let sql = format!(
            "SELECT coalesce(sum(n) FILTER (WHERE c.state NOT IN ('planned', 'sending', 'leaving', 'cancelled')), 0),
               coalesce(sum(n), 0)
             FROM {jobs} j LEFT JOIN {counts} c ON c.{key} = j.id
             WHERE workspace_id = ?1 AND j.state IN ('running', 'cancelling') GROUP BY j.id LIMIT 1"
        );
        if let Some((done, total)) = first(c, &sql, [workspace_id], tuple)? {
            return Ok(Some(RunningJob { kind, done, total }));
        }
    }
    Ok(None)
}

impl Desk {
    /// A job of a workspace whose items are being sent.
    pub async fn running_job(&self, workspace_id: &str) -> Result<Option<RunningJob>, StoreError> {
        let workspace_id = workspace_id.to_owned();
        self.database.read(move |c| running(c, &workspace_id)).await
    }

    /// The state of a job; `None` if it does not exist.
    pub async fn job_state(&self, kind: JobKind, id: &str) -> Result<Option<RunState>, StoreError> {
        let id = id.to_owned();
        self.database.read(move |c| state(c, kind, &id)).await
    }

    /// Stops sending items of a job. A running job is cancelling until [`Desk::end_job`]; a planned or interrupted one is
    /// cancelled at once.
    pub async fn cancel_job(&self, kind: JobKind, id: &str, at: i64) -> Result<RunStep, StoreError> {
        let id = id.to_owned();
        self.database.write(move |c| cancel(c, kind, &id, at)).await
    }

    /// Records how a job ended, and returns its state. A cancelling job with remaining items becomes cancelled, whatever
    /// ended it, and so does a job whose items were cancelled by an earlier run and not sent since; a job that has
    /// already ended does not change. `error` is JSON.
    pub async fn end_job(
        &self,
        kind: JobKind,
        id: &str,
        state: RunState,
        error: Option<String>,
        at: i64,
    ) -> Result<RunState, StoreError> {
        let id = id.to_owned();
        self.database.write(move |c| end_running(c, kind, &id, state, error, at)).await
    }
}

/// Why a job cannot be started: it is missing or not in one of the states `from`.
pub(super) fn unstartable(
    c: &Connection,
    kind: JobKind,
    id: &str,
    from: &[RunState],
) -> Result<Option<RunStep>, StoreError> {
    let found = state(c, kind, id)?;
    Ok(found.map_or(Some(RunStep::Missing), |found| (!from.contains(&found)).then_some(RunStep::State(found))))
}

pub(super) fn set_running(c: &Connection, kind: JobKind, id: &str, at: i64) -> Result<RunStep, StoreError> {
    // A batch has the time of its first start, however often it is resumed.
    let started_at = if kind == JobKind::Batch { "coalesce(started_at, ?2)" } else { "?2" };
    let sql = format!(
        "UPDATE {} SET state = 'running', started_at = {started_at}, ended_at = NULL, error = NULL WHERE id = ?1",
        kind.tables().jobs
    );
    c.execute(&sql, (id, at))?;
    Ok(RunStep::Done)
}

fn cancel(c: &Connection, kind: JobKind, id: &str, at: i64) -> Result<RunStep, StoreError> {
    match state(c, kind, id)? {
        None => Ok(RunStep::Missing),
        Some(RunState::Running) => {
            c.execute(&format!("UPDATE {} SET state = 'cancelling' WHERE id = ?1", kind.tables().jobs), [id])?;
            Ok(RunStep::Done)
        }
        Some(RunState::Planned | RunState::Interrupted) => {
            end(c, kind, id, RunState::Cancelled, None, Some(at))?;
            Ok(RunStep::Done)
        }
        Some(state) => Ok(RunStep::State(state)),
    }
}

fn end_running(
    c: &Connection,
    kind: JobKind,
    id: &str,
    ended: RunState,
    error: Option<String>,
    at: i64,
) -> Result<RunState, StoreError> {
    let found = state(c, kind, id)?;
    if let Some(before) = found.filter(|found| !matches!(found, RunState::Running | RunState::Cancelling)) {
        return Ok(before);
    }
    let cancelled = found == Some(RunState::Cancelling) && ended != RunState::Done;
    let ended = match ended {
        _ if cancelled => RunState::Cancelled,
        RunState::Done => complete_state(c, kind, id)?,
        ended => ended,
    };
    end(c, kind, id, ended, error.filter(|_| !cancelled), Some(at))?;
    Ok(ended)
}

/// Ends the jobs that were running when the process exited, and returns them. A job without remaining items is done.
pub(super) fn mark_interrupted(c: &Connection, kind: JobKind) -> Result<Vec<String>, StoreError> {
    let sql = format!("SELECT id, state FROM {} WHERE state IN ('running', 'cancelling')", kind.tables().jobs);
    let at_work: Vec<(String, RunState)> = all(c, &sql, [], tuple)?;
    for (id, state) in &at_work {
        let ended = match state {
            RunState::Cancelling => RunState::Cancelled,
            _ if has_items(c, kind, id, "planned")? => RunState::Interrupted,
            _ => complete_state(c, kind, id)?,
        };
        end(c, kind, id, ended, None, None)?;
    }
    Ok(at_work.into_iter().map(|(id, _)| id).collect())
}

/// The final state of a job without planned items: cancelled if items of an earlier run still are.
fn complete_state(c: &Connection, kind: JobKind, id: &str) -> Result<RunState, StoreError> {
    Ok(if has_items(c, kind, id, "cancelled")? { RunState::Cancelled } else { RunState::Done })
}

fn has_items(c: &Connection, kind: JobKind, id: &str, state: &str) -> Result<bool, StoreError> {
    let tables = kind.tables();
    let sql = format!("SELECT 1 FROM {} WHERE {} = ?1 AND state = ?2 AND n > 0", tables.counts, tables.key);
    Ok(first(c, &sql, [id, state], |_| Ok(()))?.is_some())
}

/// Item counts by state.
pub(super) fn counts<S: FromSql>(c: &Connection, kind: JobKind, id: &str) -> Result<Vec<(S, u32)>, StoreError> {
    let tables = kind.tables();
    let sql = format!("SELECT state, n FROM {} WHERE {} = ?1 AND n > 0 ORDER BY state", tables.counts, tables.key);
    all(c, &sql, [id], tuple)
}

/// The job's state.
pub(super) fn state(c: &Connection, kind: JobKind, id: &str) -> Result<Option<RunState>, StoreError> {
    first(c, &format!("SELECT state FROM {} WHERE id = ?1", kind.tables().jobs), [id], scalar)
}

fn end(
    c: &Connection,
    kind: JobKind,
    id: &str,
    state: RunState,
    error: Option<String>,
    at: Option<i64>,
) -> Result<(), StoreError> {
    let tables = kind.tables();
    if state == RunState::Cancelled {
        let sql =
            format!("UPDATE {} SET state = 'cancelled' WHERE {} = ?1 AND state = 'planned'", tables.items, tables.key);
        c.execute(&sql, [id])?;
    }
    let sql = format!("UPDATE {} SET state = ?2, error = ?3, ended_at = ?4 WHERE id = ?1", tables.jobs);
    c.execute(&sql, params![id, state, error, at])?;
    Ok(())
}
