//! Further rounds: batches made of people of an earlier one, and what became of the people of a batch.

use std::collections::HashSet;

use rusqlite::Row;

use super::batch::{Batch, BatchRow, PlannedRow, insert, planned, row_at, rows_in_rounds};
use super::batch_file;
use super::outcome::last_failure;
use super::{Desk, RowState, RunState};
use crate::StoreError;
use crate::rows::{all, first, from_row, insert_row, scalar, to_json, tuple};

/// A batch that was made of people of an earlier one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Round {
    pub batch_id: String,
    /// The earlier batch.
    pub origin_id: String,
    /// The group of its people.
    pub people: String,
}

/// Result of [`Desk::add_round`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoundStep {
    /// The round was stored.
    Done,
    /// The earlier batch is being sent.
    OriginRunning,
    /// Some of its people are in another further round.
    InLaterBatch,
}

/// What a row of a further round has beyond that of any batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundRow {
    pub row: u32,
    /// The row of the earlier batch.
    pub origin_row: u32,
    /// How many messages the person was sent with this one, over all rounds, including those that were sent again.
    pub attempt: u32,
    /// Not to be sent before this instant of the provider's clock, in Unix milliseconds.
    pub not_before: Option<i64>,
}

/// What became of a row of a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    pub planned: PlannedRow,
    pub state: RowState,
    /// The failure of the call as JSON.
    pub call_error: Option<String>,
    pub answered_at: Option<i64>,
    /// The error object of the last reported failure as JSON.
    pub failure: Option<String>,
    pub failed_at: Option<i64>,
    /// When it was sent, by the earlier of this machine's clock and the channel's.
    pub sent_at: Option<i64>,
    /// Whether a tap on one of its buttons comes back as a message; absent if unknown.
    pub tappable: Option<bool>,
    /// When one of its buttons was first tapped.
    pub tapped_at: Option<i64>,
    /// The channel's identifier of its message.
    pub message_id: Option<String>,
    /// How many messages the person was sent with this one, over all rounds, including those that were sent again.
    pub attempt: u32,
}

const OUTCOMES: &str = concat!(
    "WITH resent AS MATERIALIZED (SELECT batch_row AS row, count(*) AS n FROM send
       WHERE batch_id = ?1 AND resent_at IS NOT NULL AND state <> 'refused' GROUP BY batch_row)
     SELECT batch_row.*, send.error AS call_error, send.answered_at, ",
    last_failure!("error", "send.id"),
    " AS failure, ",
    last_failure!("at", "send.id"),
    " AS failed_at,
       min(send.created_at, coalesce((SELECT min(at) FROM send_outcome WHERE send_id = send.id), send.created_at))
         AS sent_at, send.tappable, send.tapped_at, send.message_id,
       coalesce(batch_round_row.attempt, 1) + coalesce(resent.n, 0) AS attempt
     FROM batch_row LEFT JOIN send ON send.id = batch_row.send_id
       LEFT JOIN batch_round_row ON batch_round_row.batch_id = batch_row.batch_id
         AND batch_round_row.row = batch_row.row
       LEFT JOIN resent ON resent.row = batch_row.row
     WHERE batch_row.batch_id = ?1 ORDER BY batch_row.row"
);

const ORIGIN: &str = "SELECT origin_id, origin_row FROM batch_round JOIN batch_round_row USING (batch_id)
    WHERE batch_id = ?1 AND row = ?2";

/// Whether a message to the person was reported as sent, of a row or of those that it was made of. Their sends are found
/// by the recipient: no index has all sends of a row.
const IS_REPORTED_SENT: &str = "WITH RECURSIVE earlier (batch_id, row) AS (
      SELECT ?1, ?2 UNION ALL SELECT origin_id, origin_row FROM earlier JOIN batch_round USING (batch_id)
        JOIN batch_round_row USING (batch_id, row))
    SELECT EXISTS (SELECT 1 FROM earlier JOIN batch_row USING (batch_id, row) JOIN batch ON batch.id = earlier.batch_id
      CROSS JOIN send ON send.workspace_id = batch.workspace_id AND send.recipient = batch_row.recipient
      WHERE +send.batch_id = earlier.batch_id AND send.batch_row = earlier.row AND send.status <> 'failed')";

const LAST_FAILURES: &str = "SELECT send.recipient, max(coalesce(send_outcome.at, send.answered_at, send.created_at))
    FROM json_each(?2) person CROSS JOIN send ON send.workspace_id = ?1 AND send.recipient = person.value
      LEFT JOIN send_outcome ON send_outcome.send_id = send.id AND send_outcome.status = 'failed'
    WHERE send.failure_code = ?3 GROUP BY send.recipient";

impl Desk {
    /// Stores a further round with its rows, unless its batch is being sent or one of its people is in another round. It
    /// replaces the draft of the same people of the same batch.
    ///
    /// # Errors
    /// [`StoreError`] when it cannot be written; then nothing is stored.
    pub async fn add_round(
        &self,
        batch: Batch,
        rows: Vec<PlannedRow>,
        round: Round,
        of_rows: Vec<RoundRow>,
    ) -> Result<RoundStep, StoreError> {
        self.database
            .write(move |c| {
                let sql = "SELECT EXISTS (SELECT 1 FROM batch WHERE id = ?1 AND state IN ('running', 'cancelling'))";
                if first(c, sql, [&round.origin_id], scalar)?.unwrap_or(false) {
                    return Ok(RoundStep::OriginRunning);
                }
                let in_rounds = rows_in_rounds(c, &round.origin_id, &round.people)?;
                let left_out: HashSet<u32> =
                    rows.iter().filter(|row| row.problem.is_some()).map(|row| row.row).collect();
                if of_rows.iter().any(|of| !left_out.contains(&of.row) && in_rounds.contains(&of.origin_row)) {
                    return Ok(RoundStep::InLaterBatch);
                }
                c.execute(
                    "DELETE FROM batch WHERE state = 'planned' AND id IN
                       (SELECT batch_id FROM batch_round WHERE origin_id = ?1 AND people = ?2)",
                    (&round.origin_id, &round.people),
                )?;
                insert(c, &batch, &rows, "")?;
                insert_row!(c, "batch_round" => round { batch_id, origin_id, people }, "")?;
                for of_row in &of_rows {
                    insert_row!(c, "batch_round_row" => of_row {
                        batch_id: round.batch_id, row, origin_row, attempt, not_before,
                    }, "")?;
                }
                batch_file::copy_to_round(c, &round.batch_id)?;
                Ok(RoundStep::Done)
            })
            .await
    }

    /// Deletes a further round that was never started. Returns whether it was one.
    pub async fn discard_round(&self, id: &str) -> Result<bool, StoreError> {
        let id = id.to_owned();
        self.database
            .write(move |c| {
                let sql = "DELETE FROM batch WHERE id = ?1 AND state = 'planned'
                           AND id IN (SELECT batch_id FROM batch_round)";
                Ok(c.execute(sql, [id])? > 0)
            })
            .await
    }

    /// What became of each row of a batch, in order.
    pub async fn batch_outcomes(&self, id: &str) -> Result<Vec<Outcome>, StoreError> {
        let id = id.to_owned();
        self.database.read(move |c| all(c, OUTCOMES, [id], outcome)).await
    }

    /// Which of these batches are further rounds, each with the instant before which none of its rows may be sent.
    pub async fn rounds(&self, batches: &[String]) -> Result<Vec<(Round, Option<i64>)>, StoreError> {
        let batches = to_json(batches)?;
        self.database
            .read(move |c| {
                let sql = "SELECT *, (SELECT min(coalesce(not_before, 0)) FROM batch_round_row JOIN batch_row
                             USING (batch_id, row) WHERE batch_id = batch_round.batch_id AND state = 'planned')
                             AS earliest
                           FROM batch_round WHERE batch_id IN (SELECT value FROM json_each(?1))";
                all(c, sql, [batches], |row| Ok((round(row)?, row.get("earliest")?)))
            })
            .await
    }

    /// The further rounds of a batch, oldest first: the group, state and number of rows that are not left out.
    pub async fn rounds_of(&self, origin: &str) -> Result<Vec<(Round, RunState, u32)>, StoreError> {
        let origin = origin.to_owned();
        self.database
            .read(move |c| {
                let sql = "SELECT batch_round.*, batch.state, (SELECT count(*) FROM batch_row
                             WHERE batch_id = batch.id AND state <> 'skipped') AS n
                           FROM batch_round JOIN batch ON batch.id = batch_id WHERE origin_id = ?1
                           ORDER BY created_at, batch.id";
                all(c, sql, [origin], |row| Ok((round(row)?, row.get("state")?, row.get("n")?)))
            })
            .await
    }

    /// Rows of a batch whose people are in further rounds, except in the draft of `people`.
    pub async fn rows_in_rounds(&self, origin: &str, people: &str) -> Result<HashSet<u32>, StoreError> {
        let (origin, people) = (origin.to_owned(), people.to_owned());
        self.database.read(move |c| rows_in_rounds(c, &origin, &people)).await
    }

    /// The row of the earlier batch that a row of a further round was made of, and whether any message of either, or of
    /// rounds before, was reported as sent. None if it is no such row.
    pub async fn origin_row(&self, id: &str, row: u32) -> Result<Option<(BatchRow, bool)>, StoreError> {
        let id = id.to_owned();
        self.database
            .read(move |c| {
                let Some((origin, origin_row)) = first(c, ORIGIN, (&id, row), tuple::<(String, u32)>)? else {
                    return Ok(None);
                };
                let is_sent = first(c, IS_REPORTED_SENT, (&id, row), scalar)?.unwrap_or(false);
                Ok(row_at(c, &origin, origin_row)?.map(|origin| (origin, is_sent)))
            })
            .await
    }

    /// The rows of a further round after the row `after` up to `last`; none if the batch is no further round.
    pub async fn round_rows(&self, id: &str, after: u32, last: u32) -> Result<Vec<RoundRow>, StoreError> {
        let key = (id.to_owned(), after, last);
        self.database
            .read(move |c| {
                let sql = "SELECT * FROM batch_round_row WHERE batch_id = ?1 AND row > ?2 AND row <= ?3";
                all(c, sql, key, |row| from_row!(row => RoundRow { row, origin_row, attempt, not_before }))
            })
            .await
    }

    /// When messages to these people failed last with a code, in Unix milliseconds of the channel.
    pub async fn last_failures(
        &self,
        workspace_id: &str,
        people: &[String],
        code: i64,
    ) -> Result<Vec<(String, i64)>, StoreError> {
        let key = (workspace_id.to_owned(), to_json(people)?, code.to_string());
        self.database.read(move |c| all(c, LAST_FAILURES, key, tuple)).await
    }
}

fn round(row: &Row<'_>) -> rusqlite::Result<Round> {
    from_row!(row => Round { batch_id, origin_id, people })
}

fn outcome(row: &Row<'_>) -> rusqlite::Result<Outcome> {
    from_row!(row => Outcome {
        planned: planned(row)?, state, call_error, answered_at, failure, failed_at, sent_at, tappable, tapped_at,
        message_id, attempt,
    })
}
