//! Entry point of `tests/fuzz` for the CSV import.

use std::collections::HashSet;

use crate::csv_import;

/// Parses a file's content and checks the result.
///
/// # Panics
/// When two columns have the same name, or two rows the same number.
pub fn read(bytes: &[u8]) {
    let Ok(table) = csv_import::read(bytes) else { return };
    let names: HashSet<_> = table.columns.iter().collect();
    assert_eq!(names.len(), table.columns.len(), "{:?}", table.columns);
    assert!(table.rows.windows(2).all(|pair| pair[0].number < pair[1].number));
}
