//! The rows of a batch as a file or the address book has them.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use model::send::SendValues;
use store::desk;

use super::ChosenFile;
use super::checked_row::{Candidate, capped};
use super::csv_table::{MAX_ROWS, Table, TableRow};
use crate::context::lock;
use crate::messaging::Messaging;
use crate::messaging::recipients::{FIELDS, shown};
use command_types::batch::{BatchSource, ValueSource};
use command_types::error::{DeskError, Result};
use outgoing::recipient::explicit;

/// Source name of a batch from the address book.
const RECIPIENTS: &str = "recipients";

/// The content of a source.
#[derive(Debug)]
pub(super) struct Rows {
    pub(super) source: String,
    /// Values that are the same for all rows.
    pub(super) fixed: SendValues,
    pub(super) candidates: Vec<Candidate>,
    /// The chosen file, if there is one.
    pub(super) file: Option<Arc<ChosenFile>>,
}

impl Messaging {
    /// The rows of a source as they are written.
    ///
    /// # Errors
    /// [`DeskError::InvalidInput`] when it names an unknown column or recipient; [`DeskError::NotFound`] for the file.
    pub(super) async fn candidates(&self, workspace: &str, source: &BatchSource) -> Result<Rows> {
        match source {
            BatchSource::Recipients { ids, values } => {
                if ids.len() > MAX_ROWS {
                    let most = MAX_ROWS;
                    return Err(DeskError::invalid("source.ids", format!("At most {most} can be sent at once.")));
                }
                let known = self.0.context.desk.recipients(workspace).await?;
                let (fixed, candidates) = candidates_from_book(known, ids, values)?;
                Ok(Rows { source: RECIPIENTS.to_owned(), fixed, candidates, file: None })
            }
            BatchSource::Csv { file, to, name, values } => {
                let source =
                    lock(&self.0.batches.files).iter().find(|(id, _)| id == file).map(|(_, file)| file.clone());
                let source = source.ok_or_else(|| DeskError::not_found("The file (choose it again)"))?;
                let (fixed, candidates) = candidates_from_table(&source.table, to, name.as_deref(), values)?;
                Ok(Rows { source: source.name.clone(), fixed, candidates, file: Some(source) })
            }
        }
    }
}

/// Values that are the same for all rows, and the parts that a column or a field fills.
fn split<'v, C>(
    values: &'v BTreeMap<String, ValueSource>,
    column: impl Fn(&str, &'v str) -> Result<C>,
) -> Result<(SendValues, Vec<(&'v String, C)>)> {
    let mut fixed = SendValues::new();
    let mut columns = Vec::new();
    for (part, source) in values {
        match source {
            ValueSource::Fixed { value } => {
                fixed.insert(part.clone(), value.clone());
            }
            ValueSource::Column { column: name, .. } => {
                columns.push((part, column(&format!("source.values.{part}"), name)?));
            }
        }
    }
    Ok((fixed, columns))
}

fn candidates_from_book(
    known: Vec<desk::Recipient>,
    ids: &[String],
    values: &BTreeMap<String, ValueSource>,
) -> Result<(SendValues, Vec<Candidate>)> {
    let (fixed, fields) = split(values, |place, field| {
        let message = format!("The address book has no field “{field}”. Choose another one.");
        FIELDS.contains(&field).then_some(field).ok_or_else(|| DeskError::invalid(place, message))
    })?;
    let known: HashMap<String, desk::Recipient> =
        known.into_iter().map(|recipient| (recipient.id.clone(), recipient)).collect();
    let candidate = |(place, id): (usize, &String)| {
        let recipient = known.get(id).ok_or_else(|| {
            DeskError::invalid("source.ids", "A recipient is no longer in the address book. Choose again.")
        })?;
        let person = shown(recipient.clone());
        let own = fields
            .iter()
            .map(|(part, field)| ((*part).clone(), person.values.get(*field).cloned().unwrap_or_default()));
        Ok(Candidate {
            row: place as u32 + 1,
            own: own.collect(),
            to: explicit(&person.number, &person.number),
            name: Some(person.name),
            ragged: None,
            problems: Vec::new(),
        })
    };
    Ok((fixed, ids.iter().enumerate().map(candidate).collect::<Result<_>>()?))
}

fn candidates_from_table(
    table: &Table,
    to: &str,
    name: Option<&str>,
    values: &BTreeMap<String, ValueSource>,
) -> Result<(SendValues, Vec<Candidate>)> {
    let place = |field: &str, column: &str| {
        table
            .column_index(column)
            .ok_or_else(|| DeskError::invalid(field, format!("The file has no column “{column}”. Choose another one.")))
    };
    let to = place("source.to", to)?;
    let name = name.filter(|name| !name.is_empty()).map(|name| place("source.name", name)).transpose()?;
    let (fixed, columns) = split(values, place)?;
    let candidate = |line: &TableRow| {
        let cell = |place: usize| line.cells.get(place).unwrap_or_default();
        let own = columns.iter().map(|(part, place)| ((*part).clone(), cell(*place).to_owned())).collect();
        let (found, expected) = (line.cells.len(), table.columns.len());
        Candidate {
            row: line.number,
            to: cell(to).trim().to_owned(),
            name: name.map(|name| capped(cell(name).trim())).filter(|name| !name.is_empty()),
            own,
            ragged: (found != expected).then_some((found, expected)),
            problems: Vec::new(),
        }
    };
    let candidates = table.rows.iter().map(candidate).collect();
    Ok((fixed, candidates))
}
