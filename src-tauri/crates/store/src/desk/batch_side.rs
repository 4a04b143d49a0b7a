//! Comparisons: two batches between which one list was divided.

use std::collections::HashSet;

use rusqlite::Row;

use super::Desk;
use super::batch::{Batch, PlannedRow, insert_plan};
use super::batch_file::BatchFile;
use crate::StoreError;
use crate::rows::{all, first, from_row, insert_row, scalar};

/// A batch that has one side of a divided list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchSide {
    pub batch_id: String,
    pub comparison_id: String,
    pub is_first: bool,
    /// Percentage of the list for the first one.
    pub share: u32,
}

impl Desk {
    /// Stores the batch of a side with its rows and its file. It replaces an earlier plan of the side. Plans beyond the
    /// `kept` newest are deleted.
    ///
    /// # Errors
    /// [`StoreError`] when it cannot be written; then nothing is stored.
    pub async fn add_batch_side(
        &self,
        batch: Batch,
        rows: Vec<PlannedRow>,
        file: Option<BatchFile>,
        side: BatchSide,
        kept: u32,
    ) -> Result<(), StoreError> {
        self.database
            .write(move |c| {
                c.execute(
                    "DELETE FROM batch WHERE state = 'planned' AND id IN
                       (SELECT batch_id FROM batch_side WHERE comparison_id = ?1 AND is_first = ?2)",
                    (&side.comparison_id, side.is_first),
                )?;
                insert_plan(c, &batch, &rows, file.as_ref(), kept)?;
                insert_row!(c, "batch_side" => side { batch_id, comparison_id, is_first, share }, "")?;
                Ok(())
            })
            .await
    }

    /// The side of a divided list that a batch has, if any.
    pub async fn batch_side(&self, batch: &str) -> Result<Option<BatchSide>, StoreError> {
        let batch = batch.to_owned();
        self.database.read(move |c| first(c, "SELECT * FROM batch_side WHERE batch_id = ?1", [batch], side)).await
    }

    /// The batches of a workspace whose list is divided with another one.
    pub async fn divided_batches(&self, workspace_id: &str) -> Result<HashSet<String>, StoreError> {
        let workspace_id = workspace_id.to_owned();
        let sql = "SELECT side.batch_id FROM batch_side side JOIN batch_side other USING (comparison_id)
                     JOIN batch ON batch.id = side.batch_id
                   WHERE batch.workspace_id = ?1 AND other.batch_id <> side.batch_id";
        let ids = self.database.read(move |c| all(c, sql, [workspace_id], scalar)).await?;
        Ok(ids.into_iter().collect())
    }

    /// The sides of a comparison, the first one first.
    pub async fn batch_sides(&self, comparison: &str) -> Result<Vec<BatchSide>, StoreError> {
        let comparison = comparison.to_owned();
        let sql = "SELECT * FROM batch_side WHERE comparison_id = ?1 ORDER BY is_first DESC, batch_id";
        self.database.read(move |c| all(c, sql, [comparison], side)).await
    }
}

fn side(row: &Row<'_>) -> rusqlite::Result<BatchSide> {
    from_row!(row => BatchSide { batch_id, comparison_id, is_first, share })
}
