//! Entry for `tests/fuzz` into the reader of files of recipients.

use std::collections::HashSet;

use super::csv_import;

/// Reads a file's content and looks at what came of it.
///
/// # Panics
/// When two columns have one name, or two rows one number.
pub fn read(bytes: &[u8]) {
    let Ok(table) = csv_import::read(bytes) else { return };
    let names: HashSet<_> = table.columns.iter().collect();
    assert_eq!(names.len(), table.columns.len(), "{:?}", table.columns);
    assert!(table.rows.windows(2).all(|pair| pair[0].number < pair[1].number));
}
