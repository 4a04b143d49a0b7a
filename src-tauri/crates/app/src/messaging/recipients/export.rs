//! Exports people of the address book as a file that can be imported again.

use std::collections::HashSet;
use std::path::Path;

use super::rows::labels_cell;
use super::{Wanted, labels_of};
use crate::date_range::{DAY, day_of};
use crate::messaging::Messaging;
use crate::opt_outs::opt_outs;
use crate::spreadsheet::Sheet;
use command_types::error::{DeskError, Result};
use command_types::recipient_files::{ExportRecipients, RecipientExport};
use outgoing::now;
use outgoing::recipient::exact_notation;

/// An import does not read `marketing`: opt-outs are stored by number.
const COLUMNS: [&str; 5] = ["name", "phone", "labels", "note", "marketing"];

impl Messaging {
    pub fn recipients_file_name(&self) -> String {
        format!("recipients-{}.csv", day_of(now().div_euclid(DAY)))
    }

    /// Writes people to a file: those of the query, or those with the identifiers. An existing file is replaced once the
    /// new one is complete.
    ///
    /// # Errors
    /// [`DeskError::File`] when it cannot be written. No incomplete file remains.
    pub async fn export_recipients_to(&self, path: &Path, request: ExportRecipients) -> Result<RecipientExport> {
        let language = self.0.workspaces.language();
        let chosen: Option<HashSet<String>> = request.ids.map(|ids| ids.into_iter().collect());
        let people = self.0.context.desk.recipients(&request.query.workspace).await?;
        let settings = self.0.workspaces.settings(&request.query.workspace).await?;
        let opt_outs = opt_outs(&self.0.context, &request.query.workspace, settings, None).await?;
        let written = outgoing::compute::blocking(move || {
            let wanted = Wanted::of(&request.query);
            let mut sheet = Sheet::new(language, &COLUMNS)?;
            let stopped = sheet.word("marketing", "stopped");
            let mut rows = 0;
            for person in people {
                let labels = labels_of(&person);
                if chosen.as_ref().map_or_else(|| wanted.has(&person, &labels), |ids| ids.contains(&person.id)) {
                    rows += 1;
                    let marketing = if opt_outs.has_stopped(&person.number) { &*stopped } else { "" };
                    let (number, labels) = (exact_notation(&person.number), labels_cell(&labels));
                    sheet.row([&person.name, &number, &labels, &person.note, marketing])?;
                }
            }
            Ok::<_, DeskError>((sheet, rows))
        });
        let (sheet, rows) = written.await??;
        sheet.save(path).await?;
        Ok(RecipientExport { path: outgoing::file_name::shown(path), rows })
    }
}
