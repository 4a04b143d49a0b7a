//! The file of a batch as it is kept with it, for the export of its outcomes and for batches to some of its people.

use store::desk::BatchFile;

use crate::csv_table::{Table, TableRow};

/// Maximum size of the cells that are kept of a file, in bytes. A list of a hundred thousand people with an address each
/// is smaller.
const MAX_KEPT_BYTES: usize = 8 * 1024 * 1024;

/// Whether a file is small enough to be kept.
pub(super) fn is_kept(table: &Table) -> bool {
    table.rows.iter().map(|row| row.cells.as_slice().len()).sum::<usize>() <= MAX_KEPT_BYTES
}

/// The columns and cells of a file. Rows have the cells of the columns, whatever their width is: those of another width
/// cannot be sent.
pub(super) fn kept_file(table: &Table) -> BatchFile {
    let width = table.columns.len();
    let cells = |row: &TableRow| {
        let mut cells: Vec<String> = row.cells.iter().take(width).map(str::to_owned).collect();
        cells.resize(width, String::new());
        (row.number, cells)
    };
    BatchFile { columns: table.columns.clone(), rows: table.rows.iter().map(cells).collect() }
}

/// Columns and cells as a file that was read, each row with its number in the first one.
pub(super) fn table_of(file: BatchFile, has_header: bool) -> Table {
    let first = file.rows.first().map_or(1, |(number, _)| *number);
    let row = |(number, cells): (u32, Vec<String>)| TableRow { number, cells: cells.into() };
    Table {
        header: has_header.then(|| row((first.saturating_sub(1), file.columns.clone()))),
        columns: file.columns,
        header_uncertain: false,
        rows: file.rows.into_iter().map(row).collect(),
        delimiter: ',',
        encoding: "UTF-8",
    }
}
