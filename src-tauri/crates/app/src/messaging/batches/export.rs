//! Exports the outcome of a batch as a file for spreadsheets.

use std::collections::HashMap;
use std::path::Path;

use crate::messaging::Messaging;
use crate::spreadsheet::Sheet;
use command_types::batch::{BatchExport, BatchId, BatchRow};
use command_types::error::Result;
use outgoing::recipient::formatted;

/// Rows read at once.
const PAGE_SIZE: u32 = 1_000;
const COLUMNS: [&str; 11] =
    ["row", "recipient", "written", "name", "state", "problem", "error", "send", "code", "meaning", "details"];

impl Messaging {
    pub async fn batch_file_name(&self, request: &BatchId) -> Result<String> {
        let batch = self.load_batch(&request.batch).await?;
        let name: String =
            batch.template_name.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).take(60).collect();
        Ok(format!("{name}-{}.csv", batch.id.chars().take(8).collect::<String>()))
    }

    /// Writes the outcome of every row to a file, after the columns of the batch's own file. An existing file is replaced
    /// once the new one is complete.
    ///
    /// # Errors
    /// [`command_types::error::DeskError::NotFound`] when there is no such batch; [`command_types::error::DeskError::File`] when the file
    /// cannot be written. No incomplete file remains.
    pub async fn export_batch_to(&self, path: &Path, request: BatchId) -> Result<BatchExport> {
        let batch = self.load_batch(&request.batch).await?;
        let desk = &self.0.context.desk;
        let own = desk.batch_columns(&batch.id).await?.unwrap_or_default();
        let mut sheet = Sheet::after_columns(self.0.workspaces.language(), &own, &COLUMNS)?;
        let mut after = 0;
        loop {
            let rows = desk.batch_rows(&batch.id, None, after, PAGE_SIZE).await?;
            let Some((first, last)) = rows.first().zip(rows.last()) else { break };
            let numbers = (first.planned.row, last.planned.row);
            after = numbers.1;
            let mut of_file: HashMap<u32, Vec<String>> =
                desk.batch_cells(&batch.id, numbers).await?.into_iter().collect();
            for row in rows {
                let mut cells = of_file.remove(&row.planned.row).unwrap_or_default();
                cells.resize(own.len(), String::new());
                let outcome = outcome(super::rows::shown_row(row), &sheet);
                sheet.row(cells.into_iter().chain(outcome))?;
            }
        }
        sheet.save(path).await?;
        Ok(BatchExport { path: outgoing::file_name::shown(path) })
    }
}

fn outcome(row: BatchRow, sheet: &Sheet) -> [String; 11] {
    let failed = row.explanation.unwrap_or_default();
    let details: Vec<_> = failed.details.iter().map(|detail| format!("{}: {}", detail.name, detail.value)).collect();
    [
        row.row.to_string(),
        formatted(&row.recipient),
        row.written,
        row.name.unwrap_or_default(),
        sheet.word("state", row.state.as_str()).into_owned(),
        row.problem.map(|problem| sheet.problem(problem)).unwrap_or_default(),
        row.error.unwrap_or_default(),
        row.send.unwrap_or_default(),
        failed.code.clone(),
        sheet.meaning(failed),
        details.join("; "),
    ]
}
