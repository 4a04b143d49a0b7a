//! Steps of a job (a batch, a bulk action or an import): planned, running, ended.

use rusqlite::types::FromSql;
use rusqlite::{Connection, params};

use super::RunState;
use crate::StoreError;
use crate::database::{all, first};

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

/// The tables of a kind of job.
#[derive(Debug)]
pub(super) struct Kind {
    /// One row per job, with `id`, `state`, `error` and `ended_at`.
    pub(super) table: &'static str,
    /// Its items, with `state`.
    pub(super) items: &'static str,
    /// The item counts by state.
    pub(super) counts: &'static str,
    /// The job's key column in items and counts.
    pub(super) key: &'static str,
}

/// Why a job cannot be started: it is missing or not in one of the states `from`.
pub(super) fn unstartable(
    c: &Connection,
    kind: &Kind,
    id: &str,
    from: &[RunState],
) -> Result<Option<RunStep>, StoreError> {
    let found = state(c, kind, id)?;
    Ok(found.map_or(Some(RunStep::Missing), |found| (!from.contains(&found)).then_some(RunStep::State(found))))
}

/// Sets a job to running.
pub(super) fn set_off(c: &Connection, kind: &Kind, id: &str, at: i64) -> Result<RunStep, StoreError> {
    let sql = format!(
        "UPDATE {} SET state = 'running', started_at = ?2, ended_at = NULL, error = NULL WHERE id = ?1",
        kind.table
    );
    c.execute(&sql, (id, at))?;
    Ok(RunStep::Done)
}

/// Stops sending items. A running job is cancelling until [`end_at_work`]; any other is cancelled at once.
pub(super) fn cancel(c: &Connection, kind: &Kind, id: &str, at: i64) -> Result<RunStep, StoreError> {
    match state(c, kind, id)? {
        None => Ok(RunStep::Missing),
        Some(RunState::Running) => {
            c.execute(&format!("UPDATE {} SET state = 'cancelling' WHERE id = ?1", kind.table), [id])?;
            Ok(RunStep::Done)
        }
        Some(RunState::Planned | RunState::Interrupted) => {
            end(c, kind, id, RunState::Cancelled, None, Some(at))?;
            Ok(RunStep::Done)
        }
        Some(state) => Ok(RunStep::State(state)),
    }
}

/// Records how a job ended, and returns its state. A cancelling job with remaining items becomes cancelled, whatever
/// ended it; a job that has already ended does not change.
pub(super) fn end_at_work(
    c: &Connection,
    kind: &Kind,
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
    let ended = if cancelled { RunState::Cancelled } else { ended };
    end(c, kind, id, ended, error.filter(|_| !cancelled), Some(at))?;
    Ok(ended)
}

/// Ends the jobs that were running when the process exited, and returns them. A job without remaining items is done.
pub(super) fn mark_interrupted(c: &Connection, kind: &Kind) -> Result<Vec<String>, StoreError> {
    let sql = format!("SELECT id, state FROM {} WHERE state IN ('running', 'cancelling')", kind.table);
    let at_work: Vec<(String, RunState)> = all(c, &sql, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
    for (id, state) in &at_work {
        let ended = match state {
            RunState::Cancelling => RunState::Cancelled,
            _ if is_left(c, kind, id)? => RunState::Done,
            _ => RunState::Interrupted,
        };
        end(c, kind, id, ended, None, None)?;
    }
    Ok(at_work.into_iter().map(|(id, _)| id).collect())
}

/// Whether no item remains to be sent.
fn is_left(c: &Connection, kind: &Kind, id: &str) -> Result<bool, StoreError> {
    let sql = format!("SELECT 1 FROM {} WHERE {} = ?1 AND state = 'planned' AND n > 0", kind.counts, kind.key);
    Ok(first(c, &sql, [id], |_| Ok(()))?.is_none())
}

/// Item counts by state.
pub(super) fn counts<S: FromSql>(c: &Connection, kind: &Kind, id: &str) -> Result<Vec<(S, u32)>, StoreError> {
    let sql = format!("SELECT state, n FROM {} WHERE {} = ?1 AND n > 0 ORDER BY state", kind.counts, kind.key);
    all(c, &sql, [id], |row| Ok((row.get(0)?, row.get(1)?)))
}

/// The job's state.
pub(super) fn state(c: &Connection, kind: &Kind, id: &str) -> Result<Option<RunState>, StoreError> {
    first(c, &format!("SELECT state FROM {} WHERE id = ?1", kind.table), [id], |row| row.get(0))
}

fn end(
    c: &Connection,
    kind: &Kind,
    id: &str,
    state: RunState,
    error: Option<String>,
    at: Option<i64>,
) -> Result<(), StoreError> {
    if state == RunState::Cancelled {
        let sql =
            format!("UPDATE {} SET state = 'cancelled' WHERE {} = ?1 AND state = 'planned'", kind.items, kind.key);
        c.execute(&sql, [id])?;
    }
    let sql = format!("UPDATE {} SET state = ?2, error = ?3, ended_at = ?4 WHERE id = ?1", kind.table);
    c.execute(&sql, params![id, state, error, at])?;
    Ok(())
}
