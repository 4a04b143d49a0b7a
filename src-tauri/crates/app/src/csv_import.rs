//! CSV import of recipients and values: detects encoding and delimiter, and parses the rows.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::time::SystemTime;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

use crate::csv_header::{FirstRow, guess_first_row};
use crate::csv_table::{ContentFault, Table, TableRow, column_names};
use command_types::error::{DeskError, FileFault};

/// Maximum size of a file, in bytes.
pub(crate) const MAX_BYTES: usize = 20 * 1024 * 1024;
/// Maximum number of cells in a row. The largest template has fewer than a hundred parts.
const MAX_CELLS: usize = 256;
/// Delimiters that are detected, the most likely first.
const DELIMITERS: [u8; 4] = *b",;\t|";
/// How much of a file is read to detect the delimiter, in bytes.
const PROBE_BYTES: usize = 64 * 1024;

/// Why a file of rows cannot be used.
#[derive(Debug)]
pub(crate) enum Unusable {
    /// It cannot be read from the disk.
    Disk(std::io::Error),
    Content(ContentFault),
}

impl Unusable {
    /// The error of a file with this name.
    pub(crate) fn of(self, name: &str) -> DeskError {
        match self {
            Self::Disk(error) => DeskError::file_io(name, &error, format!("it cannot be read ({error})")),
            Self::Content(fault) => fault.of(name),
        }
    }
}

/// When a file was last saved, and its size in bytes: whether it must be read again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stamp(SystemTime, u64);

impl Stamp {
    /// `None` if the file cannot be found. Blocks.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        let found = std::fs::metadata(path).ok()?;
        Some(Self(found.modified().ok()?, found.len()))
    }
}

/// Reads a file from the disk. Blocks.
pub(crate) fn open(path: &Path) -> Result<Table, Unusable> {
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(Unusable::Disk)?;
    file.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes).map_err(Unusable::Disk)?;
    read(&bytes).map_err(Unusable::Content)
}

pub(crate) fn read(bytes: &[u8]) -> Result<Table, ContentFault> {
    if bytes.len() > MAX_BYTES {
        let reason = format!("it is larger than {} MB; split it into several files", MAX_BYTES / 1024 / 1024);
        return Err(ContentFault::new(FileFault::TooLarge, reason));
    }
    let (text, encoding) = decode(bytes)?;
    // Files of very old programs end lines with a lone carriage return.
    let text = if text.contains('\r') && !text.contains('\n') { text.replace('\r', "\n") } else { text };
    let (delimiter, declared) = match declared_delimiter(&text) {
        Some((delimiter, length)) => (delimiter, length),
        None => (detect_delimiter(&text), 0),
    };
    check_limits(&text[declared..], delimiter).map_err(|(line, fault)| {
        let line = line + usize::from(declared > 0);
        ContentFault { reason: format!("line {line}: {}", fault.reason), ..fault }
    })?;
    let mut lines = lines(&text[declared..], delimiter, declared > 0)?;
    let width = lines.first().map_or(0, |first| first.cells.len());
    if width == 0 {
        return Err(ContentFault::new(FileFault::Empty, "it contains no rows"));
    }
    for line in &mut lines {
        // Programs that end every row with a delimiter do not mean another cell.
        while line.cells.len() > width && line.cells.get(line.cells.len() - 1) == Some("") {
            line.cells.truncate(line.cells.len() - 1);
        }
    }
    let first_row = guess_first_row(&lines);
    let mut table = Table {
        columns: column_names(&vec![""; width].into()),
        header: None,
        header_uncertain: false,
        rows: lines,
        delimiter: delimiter.into(),
        encoding: encoding.name(),
    };
    table.set_header(first_row == FirstRow::Header)?;
    table.header_uncertain = first_row == FirstRow::Unclear;
    Ok(table)
}

fn decode(bytes: &[u8]) -> Result<(String, &'static Encoding), ContentFault> {
    let (encoding, rest) = match Encoding::for_bom(bytes) {
        Some((encoding, length)) => (encoding, &bytes[length..]),
        None => (detect_encoding(bytes), bytes),
    };
    let (text, broken) = encoding.decode_without_bom_handling(rest);
    if broken {
        let reason = format!("it is marked as {} but is not; save it again as CSV in UTF-8", encoding.name());
        return Err(ContentFault::new(FileFault::Encoding, reason));
    }
    if text.contains('\0') {
        let reason = "it is not a text file; save the sheet as CSV and choose that file";
        return Err(ContentFault::new(FileFault::NotText, reason));
    }
    Ok((text.into_owned(), encoding))
}

fn detect_encoding(bytes: &[u8]) -> &'static Encoding {
    // Text of most alphabets in UTF-16 has a zero in every other byte; no other text has any.
    let zeros = |odd: usize| bytes.iter().take(PROBE_BYTES).skip(odd).step_by(2).filter(|byte| **byte == 0).count();
    let half = bytes.len().min(PROBE_BYTES) / 2;
    match (zeros(0), zeros(1)) {
        (0, low) if low * 2 > half => UTF_16LE,
        (high, 0) if high * 2 > half => UTF_16BE,
        _ if std::str::from_utf8(bytes).is_ok() => UTF_8,
        _ => WINDOWS_1252,
    }
}

/// The delimiter in a first line such as `sep=;`, which spreadsheets write, and the length of that line.
fn declared_delimiter(text: &str) -> Option<(u8, usize)> {
    let (line, _) = text.split_once('\n')?;
    let declared = line.trim_end_matches('\r').strip_prefix("sep=")?;
    let &[delimiter] = declared.as_bytes() else { return None };
    DELIMITERS.contains(&delimiter).then_some((delimiter, line.len() + 1))
}

/// Detects the delimiter for which most of the first rows have the same number of cells, greater than one.
fn detect_delimiter(text: &str) -> u8 {
    let end = text.floor_char_boundary(PROBE_BYTES);
    // Ignore a truncated last row.
    let probe = if end < text.len() { text[..end].rfind('\n').map_or(text, |end| &text[..end]) } else { text };
    let score = |delimiter: u8| {
        let mut widths = Vec::new();
        visit_rows(probe, delimiter, |row| widths.push(row.cells));
        let width = widths.first().copied().unwrap_or(0);
        let alike = widths.iter().filter(|found| **found == width).count();
        if width < 2 { (0, 0) } else { (alike, width) }
    };
    // `max_by_key` returns the last of equal elements, so the most likely is placed last.
    DELIMITERS.into_iter().rev().max_by_key(|delimiter| score(*delimiter)).unwrap_or(b',')
}

/// A row, without its content.
struct RowShape {
    /// The line where it begins, from 1.
    line: usize,
    cells: usize,
}

/// Visits the rows of a text by the rules of the `csv` crate. Returns the line of a quote that is never closed.
fn visit_rows(text: &str, delimiter: u8, mut row: impl FnMut(RowShape)) -> Option<usize> {
    #[derive(PartialEq)]
    enum QuoteState {
        Start,
        Plain,
        Quoted,
        Quote,
    }
    let (mut at, mut line, mut opened) = (QuoteState::Start, 1, 1);
    let mut shape = RowShape { line: 1, cells: 0 };
    for byte in text.bytes() {
        at = match (at, byte) {
            (QuoteState::Quoted, b'"') => QuoteState::Quote,
            (QuoteState::Quoted, _) => QuoteState::Quoted,
            (QuoteState::Start, b'"') => {
                opened = line;
                if shape.cells == 0 {
                    shape = RowShape { line, cells: 1 };
                }
                QuoteState::Quoted
            }
            (QuoteState::Quote, b'"') => QuoteState::Quoted,
            (_, b'\n' | b'\r') => {
                if shape.cells > 0 {
                    row(shape);
                }
                shape = RowShape { line, cells: 0 };
                QuoteState::Start
            }
            (_, byte) => {
                if shape.cells == 0 {
                    shape = RowShape { line, cells: 1 };
                }
                if byte == delimiter {
                    shape.cells += 1;
                    QuoteState::Start
                } else {
                    QuoteState::Plain
                }
            }
        };
        line += usize::from(byte == b'\n');
    }
    if shape.cells > 0 {
        row(shape);
    }
    (at == QuoteState::Quoted).then_some(opened)
}

/// Rejects content that would take too much memory or would be parsed differently than intended.
fn check_limits(text: &str, delimiter: u8) -> Result<(), (usize, ContentFault)> {
    let mut wide = None;
    let open = visit_rows(text, delimiter, |row| {
        if row.cells > MAX_CELLS && wide.is_none() {
            let reason = format!("it has {} cells; at most {MAX_CELLS} are read", row.cells);
            wide = Some((row.line, ContentFault::new(FileFault::TooWide, reason)));
        }
    });
    if let Some(line) = open {
        let reason = "a quote is opened here and never closed; close it or double it";
        return Err((line, ContentFault::new(FileFault::OpenQuote, reason)));
    }
    wide.map_or(Ok(()), Err)
}

fn lines(text: &str, delimiter: u8, has_declaration: bool) -> Result<Vec<TableRow>, ContentFault> {
    let mut reader =
        csv::ReaderBuilder::new().delimiter(delimiter).has_headers(false).flexible(true).from_reader(text.as_bytes());
    let mut lines: Vec<TableRow> = Vec::new();
    for record in reader.records() {
        let cells = record.map_err(|error| ContentFault::new(FileFault::Encoding, error.to_string()))?;
        if cells.iter().all(|cell| cell.trim().is_empty()) {
            continue;
        }
        let begin = cells.position().map_or((0, 1), |position| (position.byte() as usize, position.line() as usize));
        let blank = text.as_bytes()[begin.0.min(text.len())..].iter().take_while(|byte| matches!(byte, b'\r' | b'\n'));
        let number = begin.1 + blank.filter(|byte| **byte == b'\n').count() + usize::from(has_declaration);
        // Each row has a unique number, whatever ends the lines.
        let least = lines.last().map_or(1, |last| last.number + 1);
        lines.push(TableRow { number: u32::try_from(number).unwrap_or(u32::MAX).max(least), cells });
    }
    Ok(lines)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that cannot read its own input should fail")]

    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;
    use crate::csv_table::MAX_ROWS;

    fn cells(table: &Table) -> Vec<Vec<&str>> {
        table.rows.iter().map(|line| line.cells.iter().collect()).collect()
    }

    #[test]
    fn files_of_different_programs_and_encodings_are_parsed_alike() {
        let text = "Número;Nome\r\n5511987654321;José \"Zé\"\r\n\r\n551133334444;\"Ana;\r\nMaria\"\r\n;\r\n5521;x\r\n";
        let utf_16 = |little: bool| -> Vec<u8> {
            let bytes = |unit: u16| if little { unit.to_le_bytes() } else { unit.to_be_bytes() };
            text.encode_utf16().flat_map(bytes).collect()
        };
        let marked = |mark: &[u8], bytes: Vec<u8>| [mark.to_vec(), bytes].concat();
        let forms: [(&str, Vec<u8>); 7] = [
            ("UTF-8", text.into()),
            ("UTF-8", marked(b"\xef\xbb\xbf", text.into())),
            ("UTF-16LE", marked(b"\xff\xfe", utf_16(true))),
            ("UTF-16BE", marked(b"\xfe\xff", utf_16(false))),
            ("UTF-16LE", utf_16(true)),
            ("UTF-16BE", utf_16(false)),
            ("windows-1252", WINDOWS_1252.encode(text).0.into_owned()),
        ];
        for (encoding, bytes) in forms {
            let table = read(&bytes).unwrap();
            assert_eq!((table.encoding, table.delimiter, table.header.is_some()), (encoding, ';', true));
            assert_eq!(table.columns, ["Número", "Nome"], "{encoding}");
            let rows = [["5511987654321", "José \"Zé\""], ["551133334444", "Ana;\r\nMaria"], ["5521", "x"]];
            assert_eq!(cells(&table), rows, "{encoding}");
            let numbers: Vec<_> = table.rows.iter().map(|line| line.number).collect();
            assert_eq!(numbers, [2, 4, 7], "{encoding}: the lines as an editor counts them");
        }
    }

    #[test]
    fn delimiters_headers_and_widths_are_detected() {
        type Case = (&'static str, char, bool, &'static [&'static str], &'static [u32]);
        let cases: &[Case] = &[
            ("to,name\n5511987654321,Ana", ',', true, &["to", "name"], &[2]),
            ("+55 11 98765-4321\tAna\n", '\t', false, &["Column 1", "Column 2"], &[1]),
            ("to|text\n5511|a, b, c\n5511|d, e", '|', true, &["to", "text"], &[2, 3]),
            ("sep=;\r\nto;a\r\n1;2\r\n", ';', true, &["to", "a"], &[3]),
            ("to\n5511987654321", ',', true, &["to"], &[2]),
            ("to,,to,to,to (2)\n1,2,3,4,5", ',', true, &["to", "Column 2", "to (2)", "to (3)", "to (2) (2)"], &[2]),
            ("to,a\r1,2\r3,4\r", ',', true, &["to", "a"], &[2, 3]),
            ("to,a,\n1,2,\n1,2,,,\n", ',', true, &["to", "a", "Column 3"], &[2, 3]),
        ];
        for (text, delimiter, has_header, columns, numbers) in cases {
            let mut table = read(text.as_bytes()).unwrap();
            assert_eq!(table.delimiter, *delimiter, "{text:?}");
            table.set_header(*has_header).unwrap();
            assert_eq!(table.columns, *columns, "{text:?}");
            let found: Vec<_> = table.rows.iter().map(|line| line.number).collect();
            assert_eq!(found, *numbers, "{text:?}");
        }
        // Rows of another width are not changed: they are reported when rows are checked.
        let mut ragged = read(b"to,a\n1,2,3\n1\n").unwrap();
        ragged.set_header(true).unwrap();
        assert_eq!(cells(&ragged), [vec!["1", "2", "3"], vec!["1"]]);
        assert_eq!(ragged.column_index("a"), Some(1));
        assert_eq!(ragged.column_index("b"), None);
    }

    #[test]
    fn invalid_content_is_rejected_with_its_line() {
        let wide = format!("to\n{}", ",".repeat(MAX_CELLS));
        let long = "5511987654321\n".repeat(MAX_ROWS + 1);
        let cases: &[(&[u8], &str)] = &[
            (b"", "no rows"),
            (b"\n\n , \n", "no rows"),
            (b"to,a\n1,\"x\n2,y\n", "line 2: a quote"),
            (b"sep=,\nto,a\n1,\"x\n", "line 3: a quote"),
            (b"to,a\n1,\"x\"\"\n", "line 2: a quote"),
            (wide.as_bytes(), "line 2: it has 257 cells"),
            (long.as_bytes(), "100001 rows"),
            (b"PK\x03\x04\x00\x00\x08\x00", "not a text file"),
            (b"\xef\xbb\xbfto\n\xff\xff", "UTF-8"),
            (b"\xff\xfea\x00\x00\xd8", "UTF-16LE"),
            (&vec![b'a'; MAX_BYTES + 1], "larger than 20 MB"),
        ];
        for (bytes, reason) in cases {
            let refused = read(bytes).unwrap_err().reason;
            assert!(refused.contains(reason), "{refused} for {reason}");
        }
        assert!(read("5511987654321\n".repeat(MAX_ROWS).as_bytes()).is_ok());
    }

    proptest! {
        #[test]
        fn any_bytes_are_parsed_or_rejected(bytes: Vec<u8>) {
            check_shape(&bytes);
        }

        #[test]
        fn any_text_of_quotes_and_delimiters_is_parsed_or_rejected(text in "[a1\",;\r\n|\té]{0,200}") {
            check_shape(text.as_bytes());
        }

        #[test]
        fn written_rows_are_parsed_back(rows in prop::collection::vec(prop::collection::vec("[^\0]{0,12}", 3), 1..20),
                                   delimiter in prop::sample::select(&DELIMITERS)) {
            let mut writer = csv::WriterBuilder::new().delimiter(delimiter).from_writer(Vec::new());
            writer.write_record(["to", "first", "second"]).unwrap();
            for row in &rows {
                writer.write_record(row).unwrap();
            }
            let bytes = writer.into_inner().unwrap();
            // Unambiguous input: the delimiter is stated and the encoding is marked.
            let declared = [b"\xef\xbb\xbfsep=", [delimiter].as_slice(), b"\n", &bytes].concat();
            let mut table = read(&declared).unwrap();
            table.set_header(true).unwrap();
            let written: Vec<_> = rows.iter().filter(|row| row.iter().any(|cell| !cell.trim().is_empty())).collect();
            prop_assert_eq!(table.rows.len(), written.len());
            for (line, row) in table.rows.iter().zip(written) {
                prop_assert_eq!(line.cells.iter().collect::<Vec<_>>(), row.iter().map(String::as_str).collect::<Vec<_>>());
            }
        }
    }

    /// Checks that names are unique and row numbers increase.
    fn check_shape(bytes: &[u8]) {
        let Ok(table) = read(bytes) else { return };
        let column_names: HashSet<_> = table.columns.iter().collect();
        assert_eq!(column_names.len(), table.columns.len());
        assert!(table.rows.windows(2).all(|pair| pair[0].number < pair[1].number));
        let read = table.rows.len() + usize::from(table.header.is_some());
        assert!(read > 0);
    }
}
