//! Batches: planned with all their rows, then sent row by row. Triggers of the schema update a row with its send.

use std::collections::HashSet;

use rusqlite::{Connection, Row, params};

use super::batch_end::is_left_out_by_end;
use super::batch_file::{self, BatchFile};
use super::job::{self, JobKind, RunStep};
use super::outcome::last_failure;
use super::{Desk, RowState, RunState};
use crate::StoreError;
use crate::fold::{fold, fold_into};
use crate::rows::{all, first, from_row, insert_row, scalar, to_json, tuple};

/// A template sent to many recipients.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch {
    pub id: String,
    pub workspace_id: String,
    /// Identifier of the sending number.
    pub number: String,
    /// The provider's reference of the template.
    pub template_ref: String,
    pub template_name: String,
    pub language: String,
    pub source: String,
    /// The part of the request that all rows share, as JSON.
    pub request: String,
    pub state: RunState,
    /// Why it was interrupted, as JSON.
    pub error: Option<String>,
    /// How many rows it has.
    pub total: u32,
    /// When it was planned.
    pub created_at: i64,
    /// When it was started first.
    pub started_at: Option<i64>,
    /// When it ended; absent if the process exited first.
    pub ended_at: Option<i64>,
    /// What the check said that it costs, as JSON.
    pub cost: Option<String>,
    /// Which column fills which part, as JSON.
    pub mapping: Option<String>,
    /// Row counts by state. Ignored when written.
    pub counts: Vec<(RowState, u32)>,
}

/// A row of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedRow {
    /// Line of the file, or position among the recipients; each once in a batch.
    pub row: u32,
    /// Digits, or the invalid value in their place.
    pub recipient: String,
    /// The recipient as the file has it.
    pub written: String,
    /// Their name.
    pub name: Option<String>,
    /// Values by template part, as JSON.
    pub filled: String,
    /// Why it cannot be sent, as JSON. Such a row is skipped.
    pub problem: Option<String>,
}

/// A row of a batch with its current state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchRow {
    pub planned: PlannedRow,
    pub state: RowState,
    /// Its send, once it was sent.
    pub send_id: Option<String>,
    /// The failure of the call as JSON.
    pub call_error: Option<String>,
    /// The error object of the last reported failure as JSON.
    pub failure: Option<String>,
}

const KIND: JobKind = JobKind::Batch;

const SELECT_ROW: &str = concat!(
    "SELECT batch_row.*, send.error AS call_error, ",
    last_failure!("error", "send.id"),
    " AS failure FROM batch_row LEFT JOIN send ON send.id = batch_row.send_id"
);

const BATCH_NAMES: &str = "SELECT value, name FROM (
    SELECT n.value, (
      SELECT r.name FROM send s JOIN batch_row r ON r.batch_id = s.batch_id AND r.row = s.batch_row
      WHERE s.workspace_id = ?1 AND s.recipient = n.value AND r.name IS NOT NULL
      ORDER BY s.created_at DESC, s.id DESC LIMIT 1) AS name
    FROM json_each(?2) n)
  WHERE name IS NOT NULL";

const NAMED_RECIPIENTS: &str = "SELECT r.recipient, r.name FROM batch b CROSS JOIN batch_row r ON r.batch_id = b.id
    WHERE b.workspace_id = ?1 AND r.send_id IS NOT NULL AND r.name IS NOT NULL
    ORDER BY b.created_at DESC, b.id DESC LIMIT ?2";

/// Maximum number of rows that [`Desk::recipients_named`] examines, those of the newest batches.
const MAX_NAMED: u32 = 50_000;

/// Compares names while they are read: most are of nobody who is searched for, and copying all of them takes longer than
/// the search.
fn recipients_named(
    c: &Connection,
    workspace_id: &str,
    words: &[String],
    limit: usize,
) -> Result<Vec<String>, StoreError> {
    let mut statement = c.prepare_cached(NAMED_RECIPIENTS)?;
    let mut rows = statement.query((workspace_id, MAX_NAMED))?;
    let mut found: Vec<String> = Vec::new();
    let mut listed = HashSet::new();
    let words: Vec<String> = words.iter().map(|word| fold(word)).collect();
    let mut folded = String::new();
    while let Some(row) = rows.next()? {
        let name = row.get_ref(1)?.as_str().map_err(rusqlite::Error::from)?;
        fold_into(&mut folded, name);
        if !words.iter().all(|word| folded.contains(word.as_str())) {
            continue;
        }
        let number: String = row.get(0)?;
        if listed.insert(number.clone()) {
            found.push(number);
        }
        if found.len() == limit {
            break;
        }
    }
    Ok(found)
}

/// Rows that were, or may yet be, sent in further rounds: those that a round left out when it was ended are sent in a round
/// of it. The draft that ?2 replaces does not count.
const ROWS_IN_ROUNDS: &str = concat!(
    "SELECT DISTINCT origin_row FROM batch_round
      JOIN batch ON batch.id = batch_round.batch_id
      JOIN batch_round_row ON batch_round_row.batch_id = batch_round.batch_id
      JOIN batch_row ON batch_row.batch_id = batch_round.batch_id AND batch_row.row = batch_round_row.row
    WHERE origin_id = ?1 AND (batch_row.state <> 'skipped' OR ",
    is_left_out_by_end!("batch_row"),
    ") AND NOT (batch.state = 'planned' AND people = ?2)"
);

/// Adds a plan with its rows and its file, and deletes those beyond the `kept` newest. Kept are further rounds, and halves of a
/// divided list whose other half was started.
pub(super) fn insert_plan(
    c: &Connection,
    batch: &Batch,
    rows: &[PlannedRow],
    file: Option<&BatchFile>,
    kept: u32,
) -> Result<(), StoreError> {
    insert(c, batch, rows, "")?;
    if let Some(file) = file {
        batch_file::insert(c, &batch.id, file)?;
    }
    c.prepare_cached(
        "DELETE FROM batch WHERE id IN (SELECT id FROM batch WHERE workspace_id = ?1 AND state = 'planned'
           AND id NOT IN (SELECT batch_id FROM batch_round)
           AND id NOT IN (SELECT side.batch_id FROM batch_side side JOIN batch_side other USING (comparison_id)
             JOIN batch started ON started.id = other.batch_id AND started.state <> 'planned')
           ORDER BY created_at DESC, rowid DESC LIMIT -1 OFFSET ?2)",
    )?
    .execute((&batch.workspace_id, kept))?;
    Ok(())
}

impl Desk {
    /// Stores a plan with all its rows and its file, and deletes all but the newest `kept` plans of the workspace that were never
    /// started and wait for nothing.
    ///
    /// # Errors
    /// [`StoreError`] when it cannot be written; then nothing is stored.
    pub async fn add_batch(
        &self,
        batch: Batch,
        rows: Vec<PlannedRow>,
        file: Option<BatchFile>,
        kept: u32,
    ) -> Result<(), StoreError> {
        self.database.write(move |c| insert_plan(c, &batch, &rows, file.as_ref(), kept)).await
    }

    pub async fn batch(&self, id: &str) -> Result<Option<Batch>, StoreError> {
        let id = id.to_owned();
        self.database
            .read(move |c| {
                let batch = first(c, "SELECT * FROM batch WHERE id = ?1", [id], batch)?;
                batch.map(|batch| counted(c, batch)).transpose()
            })
            .await
    }

    /// The batches of a workspace, newest first.
    pub async fn batches(&self, workspace_id: &str, limit: u32) -> Result<Vec<Batch>, StoreError> {
        let workspace_id = workspace_id.to_owned();
        self.database
            .read(move |c| {
                let sql = "SELECT * FROM batch WHERE workspace_id = ?1 ORDER BY created_at DESC, id DESC LIMIT ?2";
                let batches = all(c, sql, (workspace_id, limit), batch)?;
                batches.into_iter().map(|batch| counted(c, batch)).collect()
            })
            .await
    }

    /// Rows of a batch in order: those in `state`, or all, after the row `after`. Rows that were left out when it was ended are
    /// not among the skipped ones.
    pub async fn batch_rows(
        &self,
        id: &str,
        state: Option<RowState>,
        after: u32,
        limit: u32,
    ) -> Result<Vec<BatchRow>, StoreError> {
        let id = id.to_owned();
        self.database
            .read(move |c| match state {
                Some(state) => {
                    let sql = format!(
                        "{SELECT_ROW} WHERE batch_row.batch_id = ?1 AND row > ?2 AND batch_row.state = ?4 AND NOT ({})
                         ORDER BY row LIMIT ?3",
                        is_left_out_by_end!("batch_row")
                    );
                    all(c, &sql, (id, after, limit, state), row)
                }
                None => {
                    let sql = format!("{SELECT_ROW} WHERE batch_row.batch_id = ?1 AND row > ?2 ORDER BY row LIMIT ?3");
                    all(c, &sql, (id, after, limit), row)
                }
            })
            .await
    }

    /// The recipients of rows in these states, one a row.
    pub async fn recipients_in(&self, id: &str, states: Vec<RowState>) -> Result<Vec<String>, StoreError> {
        let key = (id.to_owned(), to_json(&states)?);
        let sql = "SELECT recipient FROM batch_row WHERE batch_id = ?1 AND state IN (SELECT value FROM json_each(?2))";
        self.database.read(move |c| all(c, sql, key, scalar)).await
    }

    /// These rows of a batch, in order.
    pub async fn batch_rows_at(&self, id: &str, rows: &[u32]) -> Result<Vec<BatchRow>, StoreError> {
        let key = (id.to_owned(), to_json(rows)?);
        let sql = format!(
            "{SELECT_ROW} WHERE batch_row.batch_id = ?1 AND row IN (SELECT value FROM json_each(?2)) ORDER BY row"
        );
        self.database.read(move |c| all(c, &sql, key, row)).await
    }

    /// The names that the newest batches sent to some of these numbers have for them.
    pub async fn batch_names(
        &self,
        workspace_id: &str,
        numbers: &[String],
    ) -> Result<Vec<(String, String)>, StoreError> {
        let numbers = to_json(numbers)?;
        let key = (workspace_id.to_owned(), numbers);
        self.database.read(move |c| all(c, BATCH_NAMES, key, tuple)).await
    }

    /// Recipients of the newest batches that were sent, each once, whose name in a file has all of these words, which are
    /// in lower case.
    pub async fn recipients_named(
        &self,
        workspace_id: &str,
        words: Vec<String>,
        limit: usize,
    ) -> Result<Vec<String>, StoreError> {
        let workspace_id = workspace_id.to_owned();
        self.database.read(move |c| recipients_named(c, &workspace_id, &words, limit)).await
    }

    /// Starts a batch in one of the states `from`, unless another batch of the same number is running. Rows that were
    /// cancelled before they were sent are planned again.
    pub async fn start_batch(&self, id: &str, from: Vec<RunState>, at: i64) -> Result<RunStep, StoreError> {
        let id = id.to_owned();
        self.database.write(move |c| start(c, &id, &from, at)).await
    }

    /// Resumes a batch that was cancelled or interrupted, as [`Desk::start_batch`] does. Also plans these refused rows
    /// again, each with its send, unless their people get the message with a further round. `accepted` replaces the part
    /// of the request that all rows share, and what they cost.
    pub async fn resume_batch(
        &self,
        id: &str,
        refused: Vec<(u32, String)>,
        accepted: Option<(String, Option<String>)>,
        at: i64,
    ) -> Result<RunStep, StoreError> {
        let id = id.to_owned();
        self.database
            .write(move |c| {
                let step = start(c, &id, &[RunState::Cancelled, RunState::Interrupted], at)?;
                if step == RunStep::Done {
                    let in_rounds = rows_in_rounds(c, &id, "")?;
                    for (row, send_id) in refused.iter().filter(|(row, _)| !in_rounds.contains(row)) {
                        replan(c, &id, *row, send_id)?;
                    }
                    if let Some((request, cost)) = &accepted {
                        let sql = "UPDATE batch SET request = ?2, cost = coalesce(?3, cost) WHERE id = ?1";
                        c.execute(sql, (&id, request, cost))?;
                    }
                }
                Ok(step)
            })
            .await
    }

    /// Resumes a batch that has ended, as [`Desk::start_batch`] does, including its rows with an unknown outcome: their
    /// recipients may get the message twice, which the person has accepted.
    pub async fn resend_unknown(&self, id: &str, at: i64) -> Result<RunStep, StoreError> {
        let id = id.to_owned();
        self.database
            .write(move |c| {
                let ended = [RunState::Cancelled, RunState::Interrupted, RunState::Done];
                let step = start(c, &id, &ended, at)?;
                if step == RunStep::Done {
                    // A late status of the earlier send no longer changes the row.
                    c.execute(
                        "UPDATE send SET resent_at = ?2 WHERE batch_id = ?1 AND batch_row IN
                           (SELECT row FROM batch_row WHERE batch_row.batch_id = ?1 AND batch_row.state = 'unknown')",
                        (&id, at),
                    )?;
                    c.execute(
                        "UPDATE batch_row SET state = 'planned', send_id = NULL
                         WHERE batch_id = ?1 AND state = 'unknown'",
                        [&id],
                    )?;
                }
                Ok(step)
            })
            .await
    }

    /// Skips a planned row that cannot be sent.
    pub async fn skip_row(&self, id: &str, row: u32, problem: String) -> Result<(), StoreError> {
        let id = id.to_owned();
        self.database
            .write(move |c| {
                c.prepare_cached(
                    "UPDATE batch_row SET state = 'skipped', problem = ?3
                     WHERE batch_id = ?1 AND row = ?2 AND state = 'planned'",
                )?
                .execute((id, row, problem))?;
                Ok(())
            })
            .await
    }

    /// Plans a row again whose send was refused before the provider acted on it. Returns whether it was planned.
    pub async fn replan_row(&self, id: &str, row: u32, send_id: &str) -> Result<bool, StoreError> {
        let (id, send_id) = (id.to_owned(), send_id.to_owned());
        self.database.write(move |c| replan(c, &id, row, &send_id)).await
    }
}

fn replan(c: &Connection, id: &str, row: u32, send_id: &str) -> Result<bool, StoreError> {
    let changed = c
        .prepare_cached(
            "UPDATE batch_row SET state = 'planned', send_id = NULL
             WHERE batch_id = ?1 AND row = ?2 AND send_id = ?3 AND state = 'refused'
               AND (SELECT state FROM send WHERE send.id = ?3) = 'refused'",
        )?
        .execute((id, row, send_id))?;
    Ok(changed > 0)
}

/// Adds a batch with its rows, with an `ON CONFLICT` clause or an empty text.
pub(super) fn insert(c: &Connection, batch: &Batch, rows: &[PlannedRow], on_conflict: &str) -> Result<(), StoreError> {
    insert_row!(c, "batch" => batch {
        id, workspace_id, number, template_ref, template_name, language, source, request, state, error, total,
        created_at, started_at, ended_at, cost, mapping,
    }, on_conflict)?;
    let mut insert = c.prepare_cached(&format!(
        "INSERT INTO batch_row (batch_id, row, recipient, written, name, filled, problem, state)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, iif(?7 IS NULL, 'planned', 'skipped')) {on_conflict}"
    ))?;
    for row in rows {
        insert.execute(params![batch.id, row.row, row.recipient, row.written, row.name, row.filled, row.problem])?;
    }
    Ok(())
}

fn start(c: &Connection, id: &str, from: &[RunState], at: i64) -> Result<RunStep, StoreError> {
    if let Some(reason) = job::unstartable(c, KIND, id, from)? {
        return Ok(reason);
    }
    let sql = "SELECT other.id FROM batch JOIN batch other USING (workspace_id, number)
               WHERE batch.id = ?1 AND other.state IN ('running', 'cancelling')";
    if let Some(other) = first(c, sql, [id], scalar)? {
        return Ok(RunStep::Busy(other));
    }
    c.execute("UPDATE batch_row SET state = 'planned' WHERE batch_id = ?1 AND state = 'cancelled'", [id])?;
    // The triggers prevent such a row. In a salvaged file it would block the batch permanently.
    c.execute(
        "UPDATE batch_row SET state = 'unknown' WHERE batch_id = ?1 AND state = 'planned' AND EXISTS
           (SELECT 1 FROM send WHERE send.batch_id = ?1 AND send.batch_row = row AND state <> 'refused'
              AND resent_at IS NULL)",
        [id],
    )?;
    job::set_running(c, KIND, id, at)
}

/// Marks batches that were running when the process exited as interrupted. Those of a backup that was just restored end now,
/// the latest instant at which their rows can have been sent: see [`mark_unsent_unknown`].
pub(super) fn mark_interrupted(c: &Connection) -> Result<Vec<String>, StoreError> {
    c.execute(
        "UPDATE batch SET ended_at = CAST(unixepoch('subsec') * 1000 AS INTEGER)
         WHERE state = 'done' AND ended_at IS NULL
           AND EXISTS (SELECT 1 FROM batch_row WHERE batch_id = batch.id AND state = 'unknown' AND send_id IS NULL)",
        [],
    )?;
    job::mark_interrupted(c, KIND)
}

/// Marks rows that were not sent when a backup was made as unknown, because they may have been sent since, and ends
/// their batches. When they ended is written when the copy is opened: until then the app goes on with its own files.
/// Deletes plans that were never started.
pub(super) fn mark_unsent_unknown(c: &Connection) -> Result<(), StoreError> {
    c.execute("DELETE FROM batch WHERE state = 'planned'", [])?;
    c.execute(
        "UPDATE batch_row SET state = 'unknown' WHERE state IN ('planned', 'cancelled')
           AND batch_id IN (SELECT id FROM batch WHERE state <> 'done')",
        [],
    )?;
    c.execute(
        "UPDATE batch SET state = 'done', error = NULL, ended_at = CASE WHEN EXISTS
           (SELECT 1 FROM batch_row WHERE batch_id = batch.id AND state = 'unknown' AND send_id IS NULL) THEN NULL ELSE ended_at END
         WHERE state <> 'done'",
        [],
    )?;
    Ok(())
}

fn counted(c: &Connection, batch: Batch) -> Result<Batch, StoreError> {
    Ok(Batch { counts: job::counts(c, KIND, &batch.id)?, ..batch })
}

fn batch(row: &Row<'_>) -> rusqlite::Result<Batch> {
    from_row!(row => Batch {
        id, workspace_id, number, template_ref, template_name, language, source, request, state, error, total,
        created_at, started_at, ended_at, cost, mapping, counts: Vec::new(),
    })
}

pub(super) fn row_at(c: &Connection, id: &str, at: u32) -> Result<Option<BatchRow>, StoreError> {
    first(c, &format!("{SELECT_ROW} WHERE batch_row.batch_id = ?1 AND row = ?2"), (id, at), row)
}

fn row(row: &Row<'_>) -> rusqlite::Result<BatchRow> {
    from_row!(row => BatchRow { planned: planned(row)?, state, send_id, call_error, failure })
}

pub(super) fn planned(row: &Row<'_>) -> rusqlite::Result<PlannedRow> {
    from_row!(row => PlannedRow { row, recipient, written, name, filled, problem })
}

pub(super) fn rows_in_rounds(c: &Connection, origin: &str, people: &str) -> Result<HashSet<u32>, StoreError> {
    Ok(all(c, ROWS_IN_ROUNDS, (origin, people), scalar)?.into_iter().collect())
}
