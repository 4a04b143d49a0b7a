//! The file of a batch as it is kept with it, for the export of its outcomes.

use store::desk::BatchFile;

use super::csv_table::Table;

/// Maximum size of the cells that are kept of a file, in bytes. A list of a hundred thousand people with an address each
/// is smaller.
const MAX_KEPT_BYTES: usize = 8 * 1024 * 1024;

/// The columns and cells of a file; `None` if they are too large. Rows have the cells of the columns, whatever their width
/// is: those of another width cannot be sent.
pub(super) fn kept_file(table: &Table) -> Option<BatchFile> {
    let bytes: usize = table.rows.iter().map(|row| row.cells.as_slice().len()).sum();
    if bytes > MAX_KEPT_BYTES {
        return None;
    }
    let width = table.columns.len();
    let cells = |row: &super::csv_table::TableRow| {
        let mut cells: Vec<String> = row.cells.iter().take(width).map(str::to_owned).collect();
        cells.resize(width, String::new());
        (row.number, cells)
    };
    Some(BatchFile { columns: table.columns.clone(), rows: table.rows.iter().map(cells).collect() })
}
