//! Detects whether the first row of a file contains the names of its columns.

use crate::csv_table::{Table, TableRow};
use outgoing::recipient::is_number_like;

/// Rows after the first that are compared with it.
const COMPARED_ROWS: usize = 50;
/// What programs write for a missing number, in lower case.
const MISSING: [&str; 7] = ["n/a", "#n/a", "na", "nan", "none", "null", "undefined"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FirstRow {
    Header,
    Recipient,
    /// It can be either: the person is asked.
    Unclear,
}

/// A row that has a name where the rows below have numbers is a header, unless it has a number, too. Any other row with a
/// number is a recipient.
pub(crate) fn guess_first_row(lines: &[TableRow]) -> FirstRow {
    let Some((first, rest)) = lines.split_first() else { return FirstRow::Recipient };
    let has_numbers = |column: &usize| {
        let cells = rest.iter().take(COMPARED_ROWS).filter_map(|row| row.cells.get(*column));
        let (mut numbers, mut filled) = (0, 0);
        for cell in cells.filter(|cell| !cell.trim().is_empty()) {
            filled += 1;
            numbers += usize::from(is_number_like(cell));
        }
        numbers > 0 && numbers * 2 >= filled
    };
    let mut above_numbers =
        (0..first.cells.len()).filter(has_numbers).filter_map(|column| first.cells.get(column)).peekable();
    let has_number = has_number(first);
    let is_first_named = above_numbers.peek().is_some_and(|cell| is_name(cell));
    match (has_number, is_first_named) {
        (false, true) => FirstRow::Header,
        // A year or a range in a header is written like a number.
        (true, _) if above_numbers.any(|cell| is_name(cell) && !is_number_like(cell)) => FirstRow::Unclear,
        (true, _) => FirstRow::Recipient,
        (false, false) => FirstRow::Unclear,
    }
}

/// Whether a cell of a row is like a number: a recipient has one, and the names of columns rarely have.
pub(crate) fn has_number(row: &TableRow) -> bool {
    row.cells.iter().any(is_number_like)
}

/// Columns in which every filled cell of the first rows is a number.
pub(crate) fn number_columns(table: &Table) -> Vec<String> {
    let is_of_numbers = |column: usize| {
        let cells = table.rows.iter().take(COMPARED_ROWS).filter_map(|row| row.cells.get(column));
        let mut filled = cells.filter(|cell| !cell.trim().is_empty()).peekable();
        filled.peek().is_some() && filled.all(is_number_like)
    };
    let columns = table.columns.iter().enumerate();
    columns.filter(|(column, _)| is_of_numbers(*column)).map(|(_, name)| name.clone()).collect()
}

/// Whether a cell could be the name of a column of numbers.
fn is_name(cell: &str) -> bool {
    let name = cell.trim().to_lowercase();
    name.chars().any(char::is_alphabetic) && !MISSING.contains(&name.as_str())
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that cannot read its own input should fail")]

    use crate::csv_import::read;

    /// Whether there is a header, whether the person is asked, and how many rows are recipients until then.
    fn outcome(text: &str) -> (bool, bool, usize) {
        let table = read(text.as_bytes()).unwrap();
        (table.header.is_some(), table.header_uncertain, table.rows.len())
    }

    #[test]
    fn a_first_row_with_a_number_is_a_recipient() {
        for number in [
            "'+5511981234567",
            "+55\u{a0}11\u{a0}98123\u{2011}4567",
            "\u{202a}+5511981234567\u{202c}",
            "\u{200b}+5511981234567",
            "\"=\"\"+5511981234567\"\"\"",
            "tel:+5511981234567",
            "whatsapp:+5511981234567",
            "\"5,51199E+12\"",
            "5.51199E+12",
            "5511981234567.0",
            "\"5,511,981,234,567\"",
            "+55 11 98123-4567 ext. 5",
            "5511981234567 / 5511981234568",
            "5511981234567x",
            "5511981234567?",
            "(11) 98123-4567",
            "98123-4567",
            "0171/1234567",
            "-5511981234567",
        ] {
            let text = format!("{number};Ana\n5511981234568;Rui\n");
            assert_eq!(outcome(&text), (false, false, 2), "{number}");
            let swapped = format!("Ana;{number}\nRui;5511981234568\n");
            assert_eq!(outcome(&swapped), (false, false, 2), "{number}");
            assert_eq!(outcome(&format!("{number}\n")), (false, false, 1), "{number}");
        }
    }

    #[test]
    fn a_row_of_names_above_numbers_is_a_header() {
        for header in ["phone;name", "Número;Nome", "Telefone 1;Nome", "Phone (E.164);2024-05-12", "to;", "電話;名前"]
        {
            assert_eq!(outcome(&format!("{header}\n5511981234567;Ana\n")), (true, false, 1), "{header}");
            let mixed = format!("{header}\n;Ana\n'+5511981234567;Rui\n5,51199E+12;Lia\n");
            assert_eq!(outcome(&mixed), (true, false, 3), "{header}");
        }
    }

    #[test]
    fn the_person_is_asked_about_other_rows() {
        for text in [
            // A recipient without a number, or with a part of one.
            ";Ana\n5511981234567;Rui\n",
            "n/a;Ana\n5511981234567;Rui\n",
            "-;Ana\n5511981234567;Rui\n",
            "98123;Ana\n5511981234567;Rui\n",
            // No row has a number.
            "to;name\n5511;Ana\n",
            "to;name\n",
            "Ana;ana@example.com\nRui;rui@example.com\n",
            // A name above numbers, and a number.
            "Nome;Telefone;2023-2024\nAna;5511981234567;x\nRui;5511981234568;y\n",
            "Telefone;20232024\n5511981234567;20240001\n",
        ] {
            // Nobody is left out before the answer.
            assert_eq!(outcome(text), (false, true, text.lines().count()), "{text}");
        }
    }

    #[test]
    fn columns_of_numbers_are_known_however_they_are_written() {
        for (text, columns) in [
            ("a;b\n'+5511981234567;Ana\ntel:+5511981234568;Rui\n;Lia\n", vec!["a"]),
            ("a;b\nAna;5,51199E+12\n", vec!["b"]),
            ("a;b\n5511981234567;447700900123\n", vec!["a", "b"]),
            ("a;price\n5511981234567;1299.50 EUR\n", vec!["a"]),
            ("a;b\nAna;12\n", vec![]),
            ("a;b\n", vec![]),
        ] {
            assert_eq!(super::number_columns(&read(text.as_bytes()).unwrap()), columns, "{text}");
        }
    }

    #[test]
    fn the_choice_of_the_person_is_followed() {
        let mut table = read("Ana;x\nRui;y\n".as_bytes()).unwrap();
        for _ in 0..2 {
            table.set_header(false).unwrap();
            assert_eq!((table.columns.join(","), table.rows.len()), ("Column 1,Column 2".to_owned(), 2));
            assert_eq!((table.rows[0].number, table.rows[0].cells.get(0)), (1, Some("Ana")));
            table.set_header(true).unwrap();
            assert_eq!((table.columns.join(","), table.rows.len()), ("Ana,x".to_owned(), 1));
            assert!(!table.header_uncertain);
            assert_eq!(table.first_row().map(|row| row.number), Some(1));
        }
        let long = "5511987654321\n".repeat(crate::csv_table::MAX_ROWS);
        let mut table = read(format!("to\n{long}").as_bytes()).unwrap();
        assert!(table.set_header(false).unwrap_err().reason.contains("100001 rows"));
    }
}
