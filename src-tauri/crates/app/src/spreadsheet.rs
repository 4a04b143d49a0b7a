//! Tables as files for spreadsheets: CSV in UTF-8 (RFC 4180), with cells escaped so that none is a formula.

use std::borrow::Cow;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use command_types::error::{DeskError, Result};

/// Byte order mark: without it spreadsheets do not read the text as UTF-8.
const BOM: &[u8] = b"\xef\xbb\xbf";

/// A table that is being written.
pub(crate) struct Sheet(csv::Writer<Vec<u8>>);

impl Sheet {
    pub(crate) fn new(header: &[&str]) -> Result<Self> {
        let mut lines = csv::WriterBuilder::new();
        let mut sheet = Self(lines.terminator(csv::Terminator::CRLF).from_writer(BOM.to_vec()));
        sheet.write(header.iter().copied())?;
        Ok(sheet)
    }

    pub(crate) fn row<C: AsRef<str>>(&mut self, cells: impl IntoIterator<Item = C>) -> Result<()> {
        self.write(cells.into_iter().map(|cell| escape_formula(cell.as_ref()).into_owned()))
    }

    fn write<C: AsRef<[u8]>>(&mut self, cells: impl IntoIterator<Item = C>) -> Result<()> {
        let written = self.0.write_record(cells);
        written.map_err(|error| DeskError::Internal { message: format!("a row cannot be written ({error})") })
    }

    /// Writes the table to a file. An existing file is replaced once the new one is complete; no incomplete file
    /// remains.
    pub(crate) async fn save(self, path: &Path) -> Result<()> {
        let content = self.0.into_inner().map_err(|error| DeskError::Internal { message: error.to_string() })?;
        let name = outgoing::file_name::shown_name(path);
        let target = path.to_owned();
        let outcome = outgoing::compute::blocking(move || write_atomically(&target, &content)).await?;
        outcome.map_err(|error| DeskError::File {
            name,
            reason: format!("it could not be written ({error}); choose another folder, or make room"),
        })
    }
}

/// A cell, escaped so that no spreadsheet treats it or a part of it as a formula. Where a comma separates decimals,
/// spreadsheets separate cells at semicolons: they cut this cell, and read each part as a cell of its own.
fn escape_formula(cell: &str) -> Cow<'_, str> {
    let mut escaped = Cow::Borrowed("");
    for part in cell.split_inclusive([';', '\t', '\r', '\n']) {
        // Blanks may be removed, and the quote with which a part begins that is cut off.
        let blanks: &[char] = if escaped.is_empty() { &[' ', '\u{a0}'] } else { &[' ', '\u{a0}', '"'] };
        let content = part.trim_start_matches(blanks);
        if content.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠']) {
            escaped += "'";
        }
        escaped += part;
    }
    escaped
}

/// Replaces a file atomically. Only its owner can read it: it contains recipients and their numbers.
fn write_atomically(path: &Path, content: &[u8]) -> std::io::Result<()> {
    let mut part = path.as_os_str().to_owned();
    part.push(".tmp");
    let part = PathBuf::from(part);
    let write = || {
        let mut file = store::private::create(&part)?;
        file.write_all(content)?;
        file.sync_all()?;
        std::fs::rename(&part, path)
    };
    write().inspect_err(|_| {
        if let Err(left) = std::fs::remove_file(&part) {
            tracing::debug!(error = %left, "an unfinished export could not be removed");
        }
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[tokio::test]
    async fn tables_are_written_as_rfc_4180_csv() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.csv");
        let mut sheet = Sheet::new(&["name", "text"]).expect("a header");
        sheet.row(["a,b", "say \"Olá\"\n🌷"]).expect("a row");
        sheet.row(["", "=1+1"]).expect("a row");
        sheet.save(&path).await.expect("a file");
        let written = std::fs::read_to_string(&path).expect("the file");
        assert_eq!(written, "\u{feff}name,text\r\n\"a,b\",\"say \"\"Olá\"\"\n🌷\"\r\n,'=1+1\r\n");
    }

    #[test]
    fn formulas_are_escaped() {
        for cell in ["=1+1", "+1", "-1", "@SUM(A1)", "＝1", " =1"] {
            assert_eq!(escape_formula(cell), format!("'{cell}"));
        }
        for cell in ["", "5511987654321", "Ana = Bia", "'=1", "131026: 3; 131047: 1", "Olá, +1"] {
            assert_eq!(escape_formula(cell), cell);
        }
    }

    #[test]
    fn formulas_in_a_cell_are_escaped_where_semicolons_separate() {
        for (cell, escaped) in [
            ("Ana;=1+1", "Ana;'=1+1"),
            ("Ana; +1;-1", "Ana;' +1;'-1"),
            ("Ana;\"=1+1;", "Ana;'\"=1+1;"),
            ("Ana\t@SUM(A1)", "Ana\t'@SUM(A1)"),
            ("Ana\n=1+1", "Ana\n'=1+1"),
            ("\t=1", "'\t'=1"),
        ] {
            assert_eq!(escape_formula(cell), escaped);
        }
    }

    proptest! {
        #[test]
        fn no_separator_leaves_a_formula(cells in prop::collection::vec("[=+@;,\"' \t\r\na1-]{0,8}", 1..4)) {
            let mut sheet = Sheet::new(&["header"; 4][..cells.len()]).expect("a header");
            sheet.row(&cells).map_err(|error| TestCaseError::fail(format!("{error:?}")))?;
            let written = String::from_utf8(sheet.0.into_inner().expect("a table")).expect("UTF-8");
            let row = written.split_once("\r\n").expect("a header").1;
            let is_formula = |text: &str| text.starts_with(['=', '+', '-', '@']);
            for part in row.split([';', '\t', '\r', '\n']).skip(1) {
                prop_assert!(!is_formula(part.trim_start_matches(['"', ' '])), "{part:?} of {row:?}");
            }
            let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(written.as_bytes());
            let read = reader.records().next().expect("a row").expect("CSV");
            let escaped: Vec<_> = cells.iter().map(|cell| escape_formula(cell)).collect();
            prop_assert!(!escaped.iter().any(|cell| is_formula(cell.trim_start())), "{escaped:?}");
            prop_assert_eq!(read.iter().collect::<Vec<_>>(), escaped);
        }
    }
}
