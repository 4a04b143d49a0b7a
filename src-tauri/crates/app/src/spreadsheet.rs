//! Tables as files for spreadsheets: CSV in UTF-8 (RFC 4180), with cells escaped so that none is a formula.

mod sentences;
pub(crate) mod words;

use std::borrow::Cow;
use std::collections::HashSet;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use chrono::{DateTime, SecondsFormat};
use command_types::error::{DeskError, Result};
use command_types::language::Language;
use model::error_code::Explanation;
use model::send::SendProblem;

/// Byte order mark: without it spreadsheets do not read the text as UTF-8.
const BOM: &[u8] = b"\xef\xbb\xbf";

/// A table that is being written, for spreadsheets of one language.
pub(crate) struct Sheet {
    lines: csv::Writer<Vec<u8>>,
    language: Language,
}

impl Sheet {
    /// A table with columns of these names of the namespace `exports`.
    pub(crate) fn new(language: Language, columns: &[&str]) -> Result<Self> {
        Self::with_header(language, columns.iter().map(|column| words::column(language, column)))
    }

    /// A table with the columns of a file, followed by columns as in [`Self::new`], each with a name of its own.
    pub(crate) fn after_columns(language: Language, own: &[String], columns: &[&str]) -> Result<Self> {
        let columns = columns.iter().map(|column| words::column(language, column).into_owned());
        Self::with_header(language, unique_names(own.iter().cloned().chain(columns), str::to_lowercase))
    }

    fn with_header<C: AsRef<str>>(language: Language, header: impl IntoIterator<Item = C>) -> Result<Self> {
        let mut lines = csv::WriterBuilder::new();
        lines.delimiter(separator(language)).terminator(csv::Terminator::CRLF);
        let mut sheet = Self { lines: lines.from_writer(BOM.to_vec()), language };
        sheet.row(header)?;
        Ok(sheet)
    }

    /// A fixed word in the language of the table.
    pub(crate) fn word<'w>(&self, group: &str, word: &'w str) -> Cow<'w, str> {
        words::word(self.language, group, word)
    }

    /// The sentence of a problem in the language of the table.
    pub(crate) fn problem(&self, problem: SendProblem) -> String {
        sentences::problem_sentence(self.language, problem)
    }

    /// Meaning of an error and what to do, in the language of the table.
    pub(crate) fn meaning(&self, error: Explanation) -> String {
        sentences::meaning(self.language, error)
    }

    /// A decimal number as spreadsheets of the language write it.
    pub(crate) fn decimal(&self, number: &str) -> String {
        match separator(self.language) {
            b';' => number.replace('.', ","),
            _ => number.to_owned(),
        }
    }

    pub(crate) fn row<C: AsRef<str>>(&mut self, cells: impl IntoIterator<Item = C>) -> Result<()> {
        let separator = separator(self.language).into();
        let cells = cells.into_iter().map(|cell| escape_formula(cell.as_ref(), separator).into_owned());
        let written = self.lines.write_record(cells);
        written.map_err(|error| DeskError::Internal { message: format!("a row cannot be written ({error})") })
    }

    /// Writes the table to a file. An existing file is replaced once the new one is complete; no incomplete file
    /// remains.
    pub(crate) async fn save(self, path: &Path) -> Result<()> {
        let content = self.lines.into_inner().map_err(|error| DeskError::Internal { message: error.to_string() })?;
        let name = outgoing::file_name::shown_name(path);
        let target = path.to_owned();
        let outcome = outgoing::compute::blocking(move || write_atomically(&target, &content)).await?;
        outcome.map_err(|error| {
            let reason = format!("it could not be written ({error}); choose another folder, or make room");
            DeskError::file_io(name, &error, reason)
        })
    }
}

/// The names of columns, those whose key repeats that of an earlier one with a number.
pub(crate) fn unique_names(names: impl IntoIterator<Item = String>, key: fn(&str) -> String) -> Vec<String> {
    let mut taken = HashSet::new();
    let mut unique_names = Vec::new();
    for name in names {
        let mut unique = name.clone();
        let mut copy = 2;
        while !taken.insert(key(&unique)) {
            unique = format!("{name} ({copy})");
            copy += 1;
        }
        unique_names.push(unique);
    }
    unique_names
}

/// An instant in the format that spreadsheets read; nothing if there is none.
pub(crate) fn instant(at: Option<i64>) -> String {
    let at = at.and_then(DateTime::from_timestamp_millis);
    at.map(|at| at.to_rfc3339_opts(SecondsFormat::Secs, true)).unwrap_or_default()
}

/// What separates cells in spreadsheets of a language: where a comma begins decimals, a semicolon.
fn separator(language: Language) -> u8 {
    match language {
        Language::English => b',',
        Language::Portuguese | Language::Spanish => b';',
    }
}

/// A cell, escaped so that no spreadsheet treats it or a part of it as a formula. Spreadsheets of another language
/// separate cells at the other separator: they cut this cell, and read each part as a cell of its own.
fn escape_formula(cell: &str, separator: char) -> Cow<'_, str> {
    if is_phone_number(cell) || is_negative_number(cell) {
        return cell.into();
    }
    let mut escaped = Cow::Borrowed("");
    for part in split_parts(cell, separator) {
        if is_escaped_part(part, escaped.is_empty()) {
            escaped += "'";
        }
        escaped += part;
    }
    escaped
}

/// A cell without what [`escape_formula`] adds, of a file whose cells are separated at `separator`.
pub(crate) fn unescape_formula(cell: &str, separator: char) -> Cow<'_, str> {
    if !cell.contains('\'') {
        return cell.into();
    }
    let mut unescaped = String::with_capacity(cell.len());
    let mut is_first = true;
    for part in split_parts(cell, separator) {
        let content = part.strip_prefix('\'').filter(|content| is_escaped_part(content, is_first));
        unescaped += content.unwrap_or(part);
        is_first = false;
    }
    unescaped.into()
}

/// The parts that spreadsheets may take for cells of their own.
fn split_parts(cell: &str, separator: char) -> impl Iterator<Item = &str> {
    let other = if separator == ';' { ',' } else { ';' };
    cell.split_inclusive([other, '\t', '\r', '\n'])
}

/// Whether [`escape_formula`] escapes a part: a formula, and what looks as if it were escaped, so that it is read back as it is.
fn is_escaped_part(part: &str, is_first: bool) -> bool {
    is_formula_part(part.trim_start_matches('\''), is_first)
}

fn is_formula_part(part: &str, is_first: bool) -> bool {
    // Blanks may be removed, and the quote with which a part begins that is cut off.
    let blanks: &[char] = if is_first { &[' ', '\u{a0}'] } else { &[' ', '\u{a0}', '"'] };
    let content = part.trim_start_matches(blanks);
    // A part after a line break within the cell begins with the rest of it.
    let is_blank = is_first && content.starts_with(['\t', '\r', '\n']);
    is_blank || content.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠'])
}

/// Whether a cell is a number in the notation of its country. The blank between digits makes it no formula, so spreadsheets
/// keep it as text. As digits alone they would show `5.5E+12`, and save that.
fn is_phone_number(cell: &str) -> bool {
    let Some(number) = cell.strip_prefix('+') else { return false };
    let is_blank_between = |of: &[u8]| matches!(of, [b'0'..=b'9', b' ', b'0'..=b'9']);
    number.as_bytes().windows(3).any(is_blank_between)
        && number.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b' ' | b'-'))
}

/// Whether a cell is a negative number, which calculates nothing. A plus begins phone numbers.
fn is_negative_number(cell: &str) -> bool {
    let Some(number) = cell.strip_prefix('-') else { return false };
    let (whole, decimals) = number.split_once(['.', ',']).unwrap_or((number, "0"));
    [whole, decimals].iter().all(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
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
        let mut sheet = Sheet::new(Language::English, &["name", "text"]).expect("a header");
        sheet.row(["a,b", "say \"Olá\"\n🌷"]).expect("a row");
        sheet.row(["", "=1+1"]).expect("a row");
        sheet.save(&path).await.expect("a file");
        let written = std::fs::read_to_string(&path).expect("the file");
        assert_eq!(written, "\u{feff}name,text\r\n\"a,b\",\"say \"\"Olá\"\"\n🌷\"\r\n,'=1+1\r\n");
    }

    #[test]
    fn formulas_are_escaped() {
        for cell in ["=1+1", "+1+1", "-a", "--1", "@SUM(A1)", "＝1", " =1", "-1.", "+", "'=1", "''=1", "'-1", "' =1"] {
            assert_eq!(escape_formula(cell, ','), format!("'{cell}"));
        }
        for cell in ["+5511987651295", "+1 -1", "+55 11 98765-1295\t=1", "+55 11=1", "+1 (1)"] {
            assert_eq!(escape_formula(cell, ',').chars().next(), Some('\''), "{cell}");
        }
        for cell in [
            "",
            "5511987654321",
            "+55 11 98765-1295",
            "Ana = Bia",
            "'a'=1",
            "131026: 3; 131047: 1",
            "Olá, +1",
            "-3",
            "-0,5",
            "um\r\ndois",
        ] {
            assert_eq!(escape_formula(cell, ','), cell);
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
            ("Ana;'=1+1", "Ana;''=1+1"),
            ("\t=1", "'\t'=1"),
        ] {
            assert_eq!(escape_formula(cell, ','), escaped);
        }
    }

    #[test]
    fn formulas_in_a_cell_are_escaped_where_commas_separate() {
        for (cell, escaped) in
            [("Ana,=1+1", "Ana,'=1+1"), ("Ana, +1", "Ana,' +1"), ("Ana;=1", "Ana;=1"), ("0,06", "0,06")]
        {
            assert_eq!(escape_formula(cell, ';'), escaped);
        }
    }

    #[test]
    fn tables_are_in_the_language_of_the_person() {
        for (language, table) in [
            (Language::English, "row,state,price\r\n1,delivered,0.06\r\n"),
            (Language::Portuguese, "linha;status;preço\r\n1;entregue;0,06\r\n"),
            (Language::Spanish, "fila;estado;precio\r\n1;entregado;0,06\r\n"),
        ] {
            let mut sheet = Sheet::new(language, &["row", "state", "price"]).expect("a header");
            let cells = ["1".to_owned(), sheet.word("state", "delivered").into_owned(), sheet.decimal("0.06")];
            sheet.row(cells).expect("a row");
            let written = String::from_utf8(sheet.lines.into_inner().expect("a table")).expect("UTF-8");
            assert_eq!(written.strip_prefix('\u{feff}'), Some(table));
        }
    }

    #[test]
    fn columns_of_the_file_come_first_and_no_name_is_twice() {
        let own = ["Nome", "State", "=x"].map(str::to_owned);
        let sheet = Sheet::after_columns(Language::English, &own, &["row", "state"]).expect("a header");
        let written = String::from_utf8(sheet.lines.into_inner().expect("a table")).expect("UTF-8");
        assert_eq!(written, "\u{feff}Nome,State,'=x,row,state (2)\r\n");
    }

    proptest! {
        #[test]
        fn what_is_escaped_is_read_back(cell in "[=+@;,\"' \t\r\na1-]{0,12}", language in prop::sample::select(&Language::ALL)) {
            let own = separator(language).into();
            let escaped = escape_formula(&cell, own);
            prop_assert_eq!(unescape_formula(&escaped, own), cell.as_str());
        }

        #[test]
        fn no_separator_leaves_a_formula(
            cells in prop::collection::vec("[=+@;,\"' \t\r\na1-]{0,8}", 1..4),
            language in prop::sample::select(&Language::ALL),
        ) {
            let own = separator(language);
            let other = if own == b';' { ',' } else { ';' };
            let mut sheet = Sheet::new(language, &["header"; 4][..cells.len()]).expect("a header");
            sheet.row(&cells).map_err(|error| TestCaseError::fail(format!("{error:?}")))?;
            let written = String::from_utf8(sheet.lines.into_inner().expect("a table")).expect("UTF-8");
            let row = written.split_once("\r\n").expect("a header").1;
            let is_formula = |text: &str| {
                text.starts_with(['=', '+', '-', '@']) && !is_phone_number(text) && !is_negative_number(text)
            };
            for part in row.split([other, '\t', '\r', '\n']).skip(1) {
                prop_assert!(!is_formula(part.trim_start_matches(['"', ' '])), "{part:?} of {row:?}");
            }
            let mut reader = csv::ReaderBuilder::new().delimiter(own).flexible(true).from_reader(written.as_bytes());
            let read = reader.records().next().expect("a row").expect("CSV");
            let escaped: Vec<_> = cells.iter().map(|cell| escape_formula(cell, own.into())).collect();
            prop_assert!(!escaped.iter().any(|cell| is_formula(cell.trim_start())), "{escaped:?}");
            prop_assert_eq!(read.iter().collect::<Vec<_>>(), escaped);
        }
    }
}
