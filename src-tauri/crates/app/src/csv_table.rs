//! The rows of a file of recipients.

use csv::StringRecord;

use crate::spreadsheet::unique_names;
use command_types::error::{DeskError, FileFault};

/// Maximum number of rows without the header.
pub(crate) const MAX_ROWS: usize = 100_000;
/// Maximum length of a column name that is shown, in characters.
const MAX_NAME_LENGTH: usize = 80;

/// Why the content of a file cannot be used.
#[derive(Debug)]
pub(crate) struct ContentFault {
    pub(crate) kind: FileFault,
    /// What is wrong and what to do, with the line if there is one.
    pub(crate) reason: String,
}

impl ContentFault {
    pub(crate) fn new(kind: FileFault, reason: impl Into<String>) -> Self {
        Self { kind, reason: reason.into() }
    }

    /// The error of a file with this name.
    pub(crate) fn of(self, name: &str) -> DeskError {
        DeskError::File { name: name.to_owned(), reason: self.reason, problem: Some(self.kind) }
    }
}

/// A parsed file.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    /// Names of the columns, each once.
    pub(crate) columns: Vec<String>,
    /// The first row, if it contains these names.
    pub(crate) header: Option<TableRow>,
    /// Whether the first row could be a header: it is a recipient until the person decides.
    pub(crate) header_uncertain: bool,
    /// Rows that are not blank, at most [`MAX_ROWS`].
    pub(crate) rows: Vec<TableRow>,
    pub(crate) delimiter: char,
    pub(crate) encoding: &'static str,
}

#[derive(Clone, Debug)]
pub(crate) struct TableRow {
    /// The line of the file where it begins, from 1.
    pub(crate) number: u32,
    /// Its cells. Their number may differ from that of the columns.
    pub(crate) cells: StringRecord,
}

impl Table {
    pub(crate) fn column_index(&self, column: &str) -> Option<usize> {
        self.columns.iter().position(|name| name == column)
    }

    /// The first row of the file, header or not.
    pub(crate) fn first_row(&self) -> Option<&TableRow> {
        self.header.as_ref().or_else(|| self.rows.first())
    }

    /// Takes the first row as a header, or as a recipient.
    ///
    /// # Errors
    /// The file has more rows than [`MAX_ROWS`] without a header.
    pub(crate) fn set_header(&mut self, has_header: bool) -> Result<(), ContentFault> {
        let width = self.columns.len();
        match (self.header.take(), has_header) {
            (Some(first), false) => {
                self.rows.insert(0, first);
                self.columns = column_names(&vec![""; width].into());
            }
            (None, true) if !self.rows.is_empty() => {
                let first = self.rows.remove(0);
                self.columns = column_names(&first.cells);
                self.header = Some(first);
            }
            (header, _) => self.header = header,
        }
        self.header_uncertain = false;
        check_row_count(self.rows.len())
    }
}

fn check_row_count(rows: usize) -> Result<(), ContentFault> {
    if rows > MAX_ROWS {
        let reason = format!("it has {rows} rows; at most {MAX_ROWS} are read at once, so split it into several files");
        return Err(ContentFault::new(FileFault::TooManyRows, reason));
    }
    Ok(())
}

/// A unique name for each column.
pub(crate) fn column_names(header: &StringRecord) -> Vec<String> {
    let name = |(column_index, cell): (usize, &str)| {
        let name: String =
            cell.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(MAX_NAME_LENGTH).collect();
        if name.is_empty() { format!("Column {}", column_index + 1) } else { name }
    };
    unique_names(header.iter().enumerate().map(name), str::to_owned)
}
