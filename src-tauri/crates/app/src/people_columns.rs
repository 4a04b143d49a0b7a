//! Which columns of a file have the numbers of people, and what is shown of the others.

use model::market::words;

use crate::csv_header::{has_number, number_columns};
use crate::csv_table::{ContentFault, Table, TableRow};
use outgoing::recipient::is_number_like;

/// Faulty rows that are shown.
pub(crate) const MAX_SHOWN_FAULTS: usize = 200;
/// The longest cell that is shown, in characters.
const MAX_SHOWN_CELL: usize = 80;
/// Filled cells of a column that are looked at for a number.
const LOOKED_AT: usize = 1_000;

/// Words in the name of a column of numbers that WhatsApp is likely to know, without accents. The words of each list are
/// more likely than those of the next.
const PHONE_WORDS: [&[&str]; 3] = [
    &["whatsapp", "whats", "zap", "wpp"],
    &["mobile", "cell", "cellphone", "celular", "celulares", "cel", "movil", "moviles", "telemovel"],
    &[
        "phone",
        "phones",
        "telephone",
        "tel",
        "telefone",
        "telefones",
        "fone",
        "fones",
        "telefono",
        "telefonos",
        "msisdn",
        "recipient",
        "destinatario",
    ],
];
/// Words in the name of a column that is about a number, or has the number of something else than the person.
const OTHER_WORDS: [&str; 21] = [
    "label",
    "type",
    "tipo",
    "etiqueta",
    "rotulo",
    "fax",
    "pager",
    "telex",
    "isdn",
    "tty",
    "tdd",
    "radio",
    "callback",
    "assistant",
    "assistente",
    "asistente",
    "date",
    "data",
    "fecha",
    "country",
    "pais",
];
/// Words in the name of a column that says what people agreed to. In a file of those who did not, it may have their
/// numbers.
const CONSENT_WORDS: [&str; 3] = ["opt", "consent", "status"];
/// Whole names of a column of numbers, where no other column has one of the words above: an address has a number, too.
const NUMBER_NAMES: [&str; 6] =
    ["number", "numero", "contact number", "numero de contato", "numero do contato", "numero de contacto"];

/// How likely a column has the numbers of people by its name, from 0, the most likely; `None` if it does not say so.
pub(crate) fn phone_rank(name: &str) -> Option<usize> {
    let name = words(name);
    if has_word(&name, &CONSENT_WORDS) { None } else { rank_of_words(&name) }
}

/// [`phone_rank`] of a name as [`words`] has it, whatever it says about consent.
fn rank_of_words(name: &str) -> Option<usize> {
    // Outlook has a column for the number of the company.
    if has_word(name, &OTHER_WORDS) || (has_word(name, &["company"]) && has_word(name, &["main"])) {
        return None;
    }
    PHONE_WORDS.iter().position(|known| has_word(name, known))
}

fn has_word(name: &str, known: &[&str]) -> bool {
    name.split(' ').any(|word| known.contains(&word))
}

pub(crate) fn is_phone_column(name: &str) -> bool {
    phone_rank(name).is_some()
}

/// Whether a column may have the numbers of people who opted out, if none [`is_phone_column`]: `opt_out_phone`.
pub(crate) fn is_opt_out_phone_column(name: &str) -> bool {
    rank_of_words(&words(name)).is_some()
}

/// Whether a column may have the numbers of people, if none [`is_phone_column`].
pub(crate) fn is_number_column(name: &str) -> bool {
    NUMBER_NAMES.contains(&words(name).as_str())
}

/// Takes the first row as a header if it has a known name and no number, whatever is below. `Ana (WhatsApp)` beside a
/// number is a person.
///
/// # Errors
/// The file has too many rows.
pub(crate) fn find_header(table: &mut Table, is_known: impl Fn(&str) -> bool) -> Result<(), ContentFault> {
    let is_header = |row: &TableRow| row.cells.iter().any(is_known) && !has_number(row);
    if table.header.is_none() && table.first_row().is_some_and(is_header) {
        table.set_header(true)?;
    }
    Ok(())
}

/// Whether a cell of a column is like a number.
pub(crate) fn has_numbers(table: &Table, column: usize) -> bool {
    let cells = table.rows.iter().filter_map(|row| row.cells.get(column)).filter(|cell| !cell.trim().is_empty());
    cells.take(LOOKED_AT).any(is_number_like)
}

/// The only column, else the only one in which all cells are numbers.
pub(crate) fn only_column_of_numbers(table: &Table) -> Option<usize> {
    if table.columns.len() == 1 {
        return Some(0);
    }
    match number_columns(table).as_slice() {
        [column] => table.column_index(column),
        _ => None,
    }
}

/// Names of the columns that are not read, without those of empty ones.
pub(crate) fn unread_columns(table: &Table, is_read: impl Fn(usize) -> bool) -> Vec<String> {
    let has_content =
        |place: usize| table.rows.iter().any(|row| row.cells.get(place).is_some_and(|cell| !cell.trim().is_empty()));
    let unread = table.columns.iter().enumerate().filter(|(place, _)| !is_read(*place) && has_content(*place));
    unread.map(|(_, name)| name.clone()).collect()
}

/// The beginning of a cell, to show it.
pub(crate) fn shown_cell(cell: &str) -> String {
    cell.chars().take(MAX_SHOWN_CELL).collect()
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that cannot read its own input should fail")]

    use super::*;
    use crate::csv_import::read;

    #[test]
    fn columns_of_numbers_are_known_in_three_languages() {
        for (name, rank) in [
            ("WhatsApp", Some(0)),
            ("Número de WhatsApp", Some(0)),
            ("Mobile Phone", Some(1)),
            ("CELULAR", Some(1)),
            ("Teléfono móvil", Some(1)),
            ("Telemóvel", Some(1)),
            ("phone_number", Some(2)),
            ("Phone 1 - Value", Some(2)),
            ("Telefone (com DDD)", Some(2)),
            ("TELÉFONO", Some(2)),
            ("Tel.", Some(2)),
            ("Phone 1 - Label", None),
            ("Phone 2 - Type", None),
            ("Phonetic First Name", None),
            ("Business Fax", None),
            ("Assistant's Phone", None),
            ("Company Main Phone", None),
            ("WhatsApp opt-in", None),
            ("opt_out_phone", None),
            ("Phone status", None),
            ("Tipo de teléfono", None),
            ("Número", None),
            ("Nome", None),
            ("", None),
        ] {
            assert_eq!(phone_rank(name), rank, "{name}");
        }
        for (name, is_number) in [("Número", true), ("Number", true), ("Número da casa", false), ("No", false)] {
            assert_eq!(is_number_column(name), is_number, "{name}");
        }
    }

    #[test]
    fn columns_of_people_who_opted_out_are_known() {
        for name in
            ["opt_out_phone", "Phone (opt-out)", "WhatsApp opt-out", "Celular - consent", "phone", "Status: tel."]
        {
            assert!(is_opt_out_phone_column(name), "{name}");
        }
        for name in ["opt-out", "Phone opt-out date", "Opt-out phone label", "consent", "Status", ""] {
            assert!(!is_opt_out_phone_column(name), "{name}");
        }
    }

    #[test]
    fn a_person_is_not_taken_for_a_header() {
        for (text, has_header) in [
            ("Ana (WhatsApp),5511987654321\nBia,5511987654322\n", false),
            ("Loja do Celular;+55 11 98765-4321\n", false),
            ("5511987654321;Casa do Telefone\n5511987654322;Bia\n", false),
            ("Ana (WhatsApp);5511987654321\n5511987654322;Bia\n", false),
            ("nome;telefone\nAna;12\n", true),
            ("nome;telefone\n", true),
            ("nome;valor\nAna;12\n", false),
        ] {
            let mut table = read(text.as_bytes()).unwrap();
            find_header(&mut table, is_phone_column).unwrap();
            assert_eq!(table.header.is_some(), has_header, "{text}");
        }
    }
}
