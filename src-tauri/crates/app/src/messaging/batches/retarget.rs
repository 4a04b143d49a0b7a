//! New batches to people of an earlier one by what they did with its message: the list of recipients. Who gets the
//! new batch is checked as in any other.

use std::collections::{BTreeMap, HashSet};

use store::desk::{self, BatchFile, PlannedRow};

use super::ChosenFile;
use super::candidates::RECIPIENTS;
use super::engagement::engagements;
use super::kept_file::table_of;
use crate::messaging::Messaging;
use crate::messaging::recipients::RecipientsByNumber;
use crate::spreadsheet::words;
use command_types::batch_mapping::{BatchMapping, FileColumns};
use command_types::error::{ConflictFault, Result};
use command_types::retarget::{RetargetBatch, RetargetedList, RetargetedPeople};
use command_types::workspace::WorkspaceSettings;
use outgoing::compute::blocking;
use outgoing::recipient::{explicit, person_key, read_addressee};

impl Messaging {
    /// The people of a batch who did something with its message, as recipients of another batch. Who they are is decided
    /// now. People of the address book stay such; of a file that was kept, the rows keep their cells.
    ///
    /// # Errors
    /// [`DeskError::NotFound`](command_types::error::DeskError::NotFound) when there is no such batch;
    /// [`DeskError::Conflict`](command_types::error::DeskError::Conflict) when nobody is left, or nobody of them is in the
    /// address book any more.
    pub async fn retarget_batch(&self, request: RetargetBatch) -> Result<RetargetedPeople> {
        let batch = self.load_batch(&request.batch).await?;
        let people = self.people_of(&batch.id).await?;
        let replies = self.replies_of(&batch, &people).await?;
        let engagements = engagements(&people, &replies);
        let did = people.into_iter().zip(engagements).filter(|(_, did)| *did == Some(request.engagement));
        let rows: Vec<PlannedRow> = did.map(|(person, _)| person.outcome.planned).collect();
        if rows.is_empty() {
            return super::conflict(ConflictFault::NobodyLeft {});
        }
        let mapping: Option<BatchMapping> = batch.mapping.as_deref().and_then(|json| serde_json::from_str(json).ok());
        if mapping.as_ref().map_or(batch.source == RECIPIENTS, |mapping| mapping.file.is_none()) {
            return self.in_address_book(&batch, rows, mapping).await;
        }
        self.rows_of_file(batch, rows, mapping).await
    }

    async fn in_address_book(
        &self,
        batch: &desk::Batch,
        rows: Vec<PlannedRow>,
        mapping: Option<BatchMapping>,
    ) -> Result<RetargetedPeople> {
        let book = self.0.context.desk.recipients(&batch.workspace_id).await?;
        // Their numbers may be written in another way by now.
        let by_number = RecipientsByNumber::of(&book);
        let (mut ids, mut seen, mut missing) = (Vec::new(), HashSet::new(), 0);
        for row in rows {
            match by_number.get(&row.recipient) {
                _ if !seen.insert(person_key(&row.recipient)) => {}
                Some(known) => ids.push(known.id.clone()),
                None => missing += 1,
            }
        }
        if ids.is_empty() {
            return super::conflict(ConflictFault::NobodyInBook {});
        }
        let mapping = mapping.unwrap_or(BatchMapping { file: None, country: None, values: BTreeMap::new() });
        Ok(RetargetedPeople { list: RetargetedList::Recipients { ids, missing }, mapping })
    }

    async fn rows_of_file(
        &self,
        batch: desk::Batch,
        rows: Vec<PlannedRow>,
        mapping: Option<BatchMapping>,
    ) -> Result<RetargetedPeople> {
        let settings = self.0.workspaces.settings(&batch.workspace_id).await?;
        let language = self.0.workspaces.language();
        let kept = self.kept_cells(&batch.id, &rows).await?;
        let name = batch.source;
        let make = move || {
            let kept = kept.zip(mapping).and_then(|(kept, mapping)| with_cells(kept, mapping, &rows, &settings));
            let has_cells = kept.is_some();
            let (file, mapping) = kept.unwrap_or_else(|| {
                let columns = ["recipient", "name"].map(|column| words::column(language, column).into_owned());
                names_alone(columns, rows)
            });
            let has_header = mapping.file.as_ref().is_none_or(|columns| columns.has_header);
            (table_of(file, has_header), mapping, has_cells)
        };
        let (table, mapping, has_cells) = blocking(make).await?;
        let file = self.keep_file(ChosenFile { path: None, stamp: None, name, table, is_header_decided: true });
        Ok(RetargetedPeople { list: RetargetedList::Csv { file, has_cells }, mapping })
    }

    /// The columns of the batch's file and the cells of these rows; `None` if they were not kept.
    async fn kept_cells(&self, batch: &str, rows: &[PlannedRow]) -> Result<Option<BatchFile>> {
        let desk = &self.0.context.desk;
        let Some(((first, last), columns)) = rows.first().zip(rows.last()).zip(desk.batch_columns(batch).await?) else {
            return Ok(None);
        };
        let wanted: HashSet<u32> = rows.iter().map(|row| row.row).collect();
        let mut cells = desk.batch_cells(batch, (first.row, last.row)).await?;
        cells.retain(|(row, _)| wanted.contains(row));
        // A list with holes would leave people out.
        Ok((cells.len() == rows.len()).then_some(BatchFile { columns, rows: cells }))
    }
}

/// The kept cells of these rows, with what the batch had chosen for them; `None` without the column of the recipient.
///
/// A cell that is now read as another number, such as one without country code after the country of the workspace was
/// changed, has the number that got the message instead.
fn with_cells(
    mut kept: BatchFile,
    mapping: BatchMapping,
    rows: &[PlannedRow],
    settings: &WorkspaceSettings,
) -> Option<(BatchFile, BatchMapping)> {
    let to = mapping.file.as_ref()?.to.as_str();
    let to = kept.columns.iter().position(|column| column == to)?;
    for (row, (_, cells)) in rows.iter().zip(&mut kept.rows) {
        let cell = cells.get_mut(to)?;
        let (read, _) = read_addressee(cell.trim(), mapping.country.as_deref(), settings);
        if read.addressee() != Some(row.recipient.as_str()) {
            *cell = explicit(&row.recipient, &row.recipient);
        }
    }
    Some((kept, mapping))
}

/// A list of recipients and their names.
fn names_alone([to, name]: [String; 2], rows: Vec<PlannedRow>) -> (BatchFile, BatchMapping) {
    let cells =
        |row: PlannedRow| (row.row, vec![explicit(&row.recipient, &row.recipient), row.name.unwrap_or_default()]);
    let columns = FileColumns { has_header: true, to: to.clone(), name: Some(name.clone()) };
    let file = BatchFile { columns: vec![to, name], rows: rows.into_iter().map(cells).collect() };
    (file, BatchMapping { file: Some(columns), country: None, values: BTreeMap::new() })
}
