//! The file of a batch: its columns and the cells of its rows.

use rusqlite::{Connection, OptionalExtension as _};

use super::Desk;
use crate::StoreError;
use crate::rows::{all, first, scalar, to_json};

/// The file of a batch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BatchFile {
    pub columns: Vec<String>,
    /// Cells of rows by their number, as many as there are columns.
    pub rows: Vec<(u32, Vec<String>)>,
}

impl Desk {
    /// The columns of the file of a batch; `None` if it has none or the file was not kept.
    pub async fn batch_columns(&self, id: &str) -> Result<Option<Vec<String>>, StoreError> {
        let id = id.to_owned();
        let sql = "SELECT columns FROM batch_file WHERE batch_id = ?1";
        let stored: Option<String> = self.database.read(move |c| first(c, sql, [id], scalar)).await?;
        stored.as_deref().map(read).transpose()
    }

    /// Cells of the file of a batch, of the rows from the first to the last given one.
    pub async fn batch_cells(&self, id: &str, rows: (u32, u32)) -> Result<Vec<(u32, Vec<String>)>, StoreError> {
        let key = (id.to_owned(), rows.0, rows.1);
        let sql = "SELECT row, cells FROM batch_file_row WHERE batch_id = ?1 AND row BETWEEN ?2 AND ?3 ORDER BY row";
        let stored: Vec<(u32, String)> =
            self.database.read(move |c| all(c, sql, key, |row| Ok((row.get(0)?, row.get(1)?)))).await?;
        stored.into_iter().map(|(row, cells)| Ok((row, read(&cells)?))).collect()
    }
}

pub(super) fn insert(c: &Connection, batch: &str, file: &BatchFile) -> Result<(), StoreError> {
    c.execute("INSERT INTO batch_file (batch_id, columns) VALUES (?1, ?2)", (batch, to_json(&file.columns)?))?;
    let mut insert = c.prepare_cached("INSERT INTO batch_file_row (batch_id, row, cells) VALUES (?1, ?2, ?3)")?;
    for (row, cells) in &file.rows {
        insert.execute((batch, row, to_json(cells)?))?;
    }
    Ok(())
}

/// Copies the cells of the people of a further round from the batch that they come from.
pub(super) fn copy_to_round(c: &Connection, round: &str) -> Result<(), StoreError> {
    let columns = "INSERT INTO batch_file (batch_id, columns)
        SELECT batch_round.batch_id, columns FROM batch_round JOIN batch_file ON batch_file.batch_id = origin_id
        WHERE batch_round.batch_id = ?1 RETURNING 1";
    if c.query_row(columns, [round], |_| Ok(())).optional()?.is_some() {
        c.execute(
            "INSERT INTO batch_file_row (batch_id, row, cells)
             SELECT batch_round_row.batch_id, batch_round_row.row, cells FROM batch_round
               JOIN batch_round_row USING (batch_id)
               JOIN batch_file_row ON batch_file_row.batch_id = origin_id AND batch_file_row.row = origin_row
             WHERE batch_round.batch_id = ?1",
            [round],
        )?;
    }
    Ok(())
}

fn read(json: &str) -> Result<Vec<String>, StoreError> {
    serde_json::from_str(json).map_err(|error| StoreError::Value(error.to_string()))
}
