//! Exports the outcome of a batch as a file for spreadsheets.

use std::path::Path;

use crate::messaging::Messaging;
use crate::spreadsheet::Sheet;
use command_types::batch::{BatchExport, BatchId, BatchRow};
use command_types::error::Result;

/// Rows read at once.
const PAGE_SIZE: u32 = 1_000;
const HEADER: [&str; 11] =
    ["row", "recipient", "written", "name", "state", "problem", "error", "send", "code", "meaning", "details"];

impl Messaging {
    pub async fn batch_file_name(&self, request: &BatchId) -> Result<String> {
        let batch = self.load_batch(&request.batch).await?;
        let name: String =
            batch.template_name.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).take(60).collect();
        Ok(format!("{name}-{}.csv", batch.id.chars().take(8).collect::<String>()))
    }

    /// Writes the outcome of every row to a file. An existing file is replaced once the new one is complete.
    ///
    /// # Errors
    /// [`command_types::error::DeskError::NotFound`] when there is no such batch; [`command_types::error::DeskError::File`] when the file
    /// cannot be written. No incomplete file remains.
    pub async fn export_batch_to(&self, path: &Path, request: BatchId) -> Result<BatchExport> {
        let batch = self.load_batch(&request.batch).await?;
        let mut sheet = Sheet::new(&HEADER)?;
        let mut after = 0;
        loop {
            let rows = self.0.context.desk.batch_rows(&batch.id, None, after, PAGE_SIZE).await?;
            let Some(last) = rows.last() else { break };
            after = last.planned.row;
            for row in rows {
                sheet.row(cells(super::rows::shown_row(row)))?;
            }
        }
        sheet.save(path).await?;
        Ok(BatchExport { path: outgoing::file_name::shown(path) })
    }
}

fn cells(row: BatchRow) -> [String; 11] {
    let failed = row.explanation.unwrap_or_default();
    let details: Vec<_> = failed.details.iter().map(|detail| format!("{}: {}", detail.name, detail.value)).collect();
    [
        row.row.to_string(),
        row.recipient,
        row.written,
        row.name.unwrap_or_default(),
        row.state.as_str().to_owned(),
        row.problem.map(|problem| problem.message).unwrap_or_default(),
        row.error.unwrap_or_default(),
        row.send.unwrap_or_default(),
        failed.code,
        failed.message,
        details.join("; "),
    ]
}
