//! Steps of a job, which is a batch, a bulk action or an import: planned whole, running, ended.

use rusqlite::types::FromSql;
use rusqlite::{Connection, params};

use super::RunState;
use crate::StoreError;
use crate::database::{all, first};

/// What became of a step that depends on where a batch or a bulk action stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunStep {
    /// It was taken.
    Done,
    /// It does not stand where the step can be taken.
    State(RunState),
    /// Another one, named here, is at work on the same things.
    Busy(String),
    /// There is none of that identifier.
    Missing,
}

/// The tables of a kind of work.
#[derive(Debug)]
pub(super) struct Kind {
    /// One row for each, with `id`, `state`, `error` and `ended_at`.
    pub(super) table: &'static str,
    /// Its items, with `state`.
    pub(super) items: &'static str,
    /// How many items stand where.
    pub(super) counts: &'static str,
    /// What items and counts name it by.
    pub(super) key: &'static str,
}

/// Why it cannot be started: there is none, or it does not stand in one of `from`.
pub(super) fn unstartable(
    c: &Connection,
    kind: &Kind,
    id: &str,
    from: &[RunState],
) -> Result<Option<RunStep>, StoreError> {
    let found = state(c, kind, id)?;
    Ok(found.map_or(Some(RunStep::Missing), |found| (!from.contains(&found)).then_some(RunStep::State(found))))
}

/// Lets its items leave from now on.
pub(super) fn set_off(c: &Connection, kind: &Kind, id: &str, at: i64) -> Result<RunStep, StoreError> {
    let sql = format!(
        "UPDATE {} SET state = 'running', started_at = ?2, ended_at = NULL, error = NULL WHERE id = ?1",
        kind.table
    );
    c.execute(&sql, (id, at))?;
    Ok(RunStep::Done)
}

/// Lets no further item leave: what runs is cancelling until [`end_at_work`], what does not is cancelled at once.
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

/// Writes down how it ended, and gives where it stands. What was being cancelled has been cancelled, whatever else ended
/// it, as long as items are left; what had ended stays as it is.
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

/// Ends what the end of the process has ended, and names it. Where everything had left, only the end was not written down.
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

/// Whether no item is still to leave.
fn is_left(c: &Connection, kind: &Kind, id: &str) -> Result<bool, StoreError> {
    let sql = format!("SELECT 1 FROM {} WHERE {} = ?1 AND state = 'planned' AND n > 0", kind.counts, kind.key);
    Ok(first(c, &sql, [id], |_| Ok(()))?.is_none())
}

/// How many items stand where.
pub(super) fn counts<S: FromSql>(c: &Connection, kind: &Kind, id: &str) -> Result<Vec<(S, u32)>, StoreError> {
    let sql = format!("SELECT state, n FROM {} WHERE {} = ?1 AND n > 0 ORDER BY state", kind.counts, kind.key);
    all(c, &sql, [id], |row| Ok((row.get(0)?, row.get(1)?)))
}

/// Where it stands.
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
