//! The rows of a batch as a file or the address book has them.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use model::send::{ConsentColumn, SendProblem, SendProblemCode, SendValues};
use store::desk;

use super::ChosenFile;
use super::checked_row::{Candidate, capped};
use crate::csv_table::{MAX_ROWS, Table, TableRow};
use crate::messaging::Messaging;
use crate::messaging::recipients::{FIELDS, shown};
use command_types::batch::{BatchSource, ValueSource};
use command_types::error::{DeskError, Result};
use outgoing::recipient::explicit;

/// Source name of a batch from the address book.
pub(super) const RECIPIENTS: &str = "recipients";

/// How a source is read.
#[derive(Clone, Copy, Debug)]
pub(super) enum Reading {
    /// Every row; what the source lacks is an error.
    Whole,
    /// Every row or one, by its place from 0; what the source lacks is left out.
    Preview { only: Option<usize> },
}

impl Reading {
    /// The rows to read.
    fn of<T>(self, rows: &[T]) -> &[T] {
        match self {
            Self::Preview { only: Some(place) } => rows.get(place..=place).unwrap_or_default(),
            Self::Whole | Self::Preview { only: None } => rows,
        }
    }

    /// What was found; nothing if that is left out.
    fn found<T>(self, found: Result<T>) -> Result<Option<T>> {
        match (self, found) {
            (Self::Preview { .. }, Err(_)) => Ok(None),
            (_, found) => found.map(Some),
        }
    }
}

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
    /// [`DeskError::InvalidInput`] when it names an unknown column or recipient, except for a preview;
    /// [`DeskError::NotFound`] for the file.
    pub(super) async fn candidates(&self, workspace: &str, source: &BatchSource, reading: Reading) -> Result<Rows> {
        match source {
            BatchSource::Recipients { ids, values } => {
                if ids.len() > MAX_ROWS {
                    let most = MAX_ROWS;
                    return Err(DeskError::invalid("source.ids", format!("At most {most} can be sent at once.")));
                }
                let known = self.0.context.desk.recipients(workspace).await?;
                let (fixed, candidates) = candidates_from_book(known, ids, values, reading)?;
                Ok(Rows { source: RECIPIENTS.to_owned(), fixed, candidates, file: None })
            }
            BatchSource::Csv { file, to, name, values } => {
                let source = self.chosen_file(file)?;
                let (fixed, candidates) = candidates_from_table(&source.table, to, name.as_deref(), values, reading)?;
                Ok(Rows { source: source.name.clone(), fixed, candidates, file: Some(source) })
            }
        }
    }
}

/// Values that are the same for all rows, and the parts that a column or a field fills.
fn split<'v, C>(
    values: &'v BTreeMap<String, ValueSource>,
    reading: Reading,
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
                let column = reading.found(column(&format!("source.values.{part}"), name))?;
                columns.extend(column.map(|column| (part, column)));
            }
        }
    }
    Ok((fixed, columns))
}

fn candidates_from_book(
    known: Vec<desk::Recipient>,
    ids: &[String],
    values: &BTreeMap<String, ValueSource>,
    reading: Reading,
) -> Result<(SendValues, Vec<Candidate>)> {
    let (fixed, fields) = split(values, reading, |place, field| {
        let message = format!("The address book has no field “{field}”. Choose another one.");
        FIELDS.contains(&field).then_some(field).ok_or_else(|| DeskError::invalid(place, message))
    })?;
    let known: HashMap<String, desk::Recipient> =
        known.into_iter().map(|recipient| (recipient.id.clone(), recipient)).collect();
    let candidate = |(place, id): (usize, &String)| {
        let recipient = reading.found(known.get(id).ok_or_else(|| {
            DeskError::invalid("source.ids", "A recipient is no longer in the address book. Choose again.")
        }))?;
        let Some(recipient) = recipient else { return Ok(None) };
        let person = shown(recipient.clone());
        let own = fields
            .iter()
            .map(|(part, field)| ((*part).clone(), person.values.get(*field).cloned().unwrap_or_default()));
        Ok(Some(Candidate {
            row: place as u32 + 1,
            own: own.collect(),
            to: explicit(&person.number, &person.number),
            name: Some(person.name),
            ragged: None,
            problems: Vec::new(),
        }))
    };
    let candidates = reading.of(ids).iter().enumerate().filter_map(|id| candidate(id).transpose());
    Ok((fixed, candidates.collect::<Result<_>>()?))
}

fn candidates_from_table(
    table: &Table,
    to: &str,
    name: Option<&str>,
    values: &BTreeMap<String, ValueSource>,
    reading: Reading,
) -> Result<(SendValues, Vec<Candidate>)> {
    let place = |field: &str, column: &str| {
        table
            .column_index(column)
            .ok_or_else(|| DeskError::invalid(field, format!("The file has no column “{column}”. Choose another one.")))
    };
    let to = reading.found(place("source.to", to))?;
    let name = name.filter(|name| !name.is_empty()).map(|name| reading.found(place("source.name", name)));
    let name = name.transpose()?.flatten();
    let (fixed, columns) = split(values, reading, place)?;
    let of_consent = |(place, name): (usize, &String)| Some((place, name.clone(), ConsentColumn::of(name)?));
    let consent: Vec<_> = table.columns.iter().enumerate().filter_map(of_consent).collect();
    let candidate = |line: &TableRow| {
        let cell = |place: usize| line.cells.get(place).unwrap_or_default();
        let own = columns.iter().map(|(part, place)| ((*part).clone(), cell(*place).to_owned())).collect();
        let declined = consent.iter().find(|(place, _, consent)| consent.is_declined(cell(*place)));
        let problem = |(place, column, _): &(usize, String, ConsentColumn)| {
            let values: [(&str, &dyn std::fmt::Display); 2] =
                [("column", column), ("written", &capped(cell(*place).trim()))];
            SendProblem::new("to", SendProblemCode::ToDeclined, &values)
        };
        let (found, expected) = (line.cells.len(), table.columns.len());
        Candidate {
            row: line.number,
            to: to.map(cell).unwrap_or_default().trim().to_owned(),
            name: name.map(|name| capped(cell(name).trim())).filter(|name| !name.is_empty()),
            own,
            ragged: (found != expected).then_some((found, expected)),
            problems: declined.map(problem).into_iter().collect(),
        }
    };
    let candidates = reading.of(&table.rows).iter().map(candidate).collect();
    Ok((fixed, candidates))
}
