//! Exports the outcome of a batch as a file for spreadsheets.

use std::collections::HashMap;
use std::path::Path;

use model::send::SendProblemCode;
use store::desk::RowTimes;

use crate::messaging::Messaging;
use crate::spreadsheet::{Sheet, instant};
use command_types::batch::{BatchExport, BatchId, BatchRow};
use command_types::batch_round::BatchReply;
use command_types::error::Result;
use outgoing::recipient::formatted;

/// Rows read at once.
const PAGE_SIZE: u32 = 1_000;
const COLUMNS: [&str; 17] = [
    "row",
    "recipient",
    "written",
    "name",
    "state",
    "sent_at",
    "delivered_at",
    "read_at",
    "replied_at",
    "tapped_at",
    "button",
    "problem",
    "error",
    "send",
    "code",
    "meaning",
    "details",
];
/// The word of rows that were left out when the batch was ended: it is stored as a problem of skipped rows.
const NOT_SENT: &str = "not_sent";

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
        let mut replies: HashMap<u32, BatchReply> =
            self.replies(&batch).await?.into_iter().map(|reply| (reply.row, reply)).collect();
        let mut after = 0;
        loop {
            let rows = desk.batch_rows(&batch.id, None, after, PAGE_SIZE).await?;
            let Some((first, last)) = rows.first().zip(rows.last()) else { break };
            let numbers = (first.planned.row, last.planned.row);
            after = numbers.1;
            let mut of_file: HashMap<u32, Vec<String>> =
                desk.batch_cells(&batch.id, numbers).await?.into_iter().collect();
            let mut times: HashMap<u32, RowTimes> =
                desk.batch_times(&batch.id, numbers).await?.into_iter().map(|times| (times.row, times)).collect();
            for row in rows {
                let number = row.planned.row;
                let mut cells = of_file.remove(&number).unwrap_or_default();
                cells.resize(own.len(), String::new());
                let times = times.remove(&number).unwrap_or_default();
                let outcome = outcome(super::rows::shown_row(row), times, replies.remove(&number), &sheet);
                sheet.row(cells.into_iter().chain(outcome))?;
            }
        }
        sheet.save(path).await?;
        Ok(BatchExport { path: outgoing::file_name::shown(path) })
    }
}

/// Who wrote without answering the message itself replied when they wrote last.
fn outcome(row: BatchRow, times: RowTimes, reply: Option<BatchReply>, sheet: &Sheet) -> [String; 17] {
    let is_ended = row.problem.as_ref().is_some_and(|problem| problem.code == SendProblemCode::RowEnded);
    let replied_at = times.replied_at.or(reply.as_ref().map(|reply| reply.at));
    let failed = row.explanation.unwrap_or_default();
    let details: Vec<_> = failed.details.iter().map(|detail| format!("{}: {}", detail.name, detail.value)).collect();
    [
        row.row.to_string(),
        formatted(&row.recipient),
        row.written,
        row.name.unwrap_or_default(),
        sheet.word("state", if is_ended { NOT_SENT } else { row.state.as_str() }).into_owned(),
        instant(times.sent_at),
        instant(times.delivered_at),
        instant(times.read_at),
        instant(replied_at),
        instant(times.tapped_at),
        reply.and_then(|reply| reply.tapped).unwrap_or_default(),
        row.problem.map(|problem| sheet.problem(problem)).unwrap_or_default(),
        row.error.unwrap_or_default(),
        row.send.unwrap_or_default(),
        failed.code.clone(),
        sheet.meaning(failed),
        details.join("; "),
    ]
}
