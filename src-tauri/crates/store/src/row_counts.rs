//! Formats of the files and numbers of rows by table, for diagnostics.

use std::path::Path;

use crate::folder::StoreFile;
use crate::{StoreError, check, connection};

/// What a file holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowCounts {
    /// The format of the file.
    pub format: i32,
    /// Tables with their numbers of rows, by name. The deliveries of a delivery log are not counted, because that reads
    /// all of it: see [`DeliveryLogReader::extent`](crate::DeliveryLogReader::extent).
    pub tables: Vec<(String, u64)>,
}

/// Counts the rows of a file while others may write to it. Blocks.
pub fn count(path: &Path, file: StoreFile) -> Result<RowCounts, StoreError> {
    let connection = connection::open_any(path, check::schema(file))?;
    let format = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let mut names =
        connection.prepare("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'")?;
    let names: Vec<String> = names.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    let mut tables = Vec::new();
    for name in names {
        if name.starts_with("sqlite_") || (file == StoreFile::DeliveryLog && name == "delivery") {
            continue;
        }
        let quoted = name.replace('"', "\"\"");
        let rows = connection.query_row(&format!("SELECT count(*) FROM \"{quoted}\""), [], |row| row.get(0))?;
        tables.push((name, rows));
    }
    tables.sort();
    Ok(RowCounts { format, tables })
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::*;

    #[tokio::test]
    async fn rows_are_counted_while_the_file_is_open() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("desk.sqlite");
        let desk = crate::Desk::open(&path).unwrap();
        desk.set_setting("a", "1".to_owned()).await.unwrap();
        desk.set_setting("b", "2".to_owned()).await.unwrap();
        let counts = count(&path, StoreFile::Desk).unwrap();
        assert!(counts.format > 0);
        assert!(counts.tables.contains(&("setting".to_owned(), 2)), "{counts:?}");
        assert!(counts.tables.contains(&("draft".to_owned(), 0)), "{counts:?}");
        assert!(count(&dir.path().join("absent.sqlite"), StoreFile::Desk).is_err());
    }
}
