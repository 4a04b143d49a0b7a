//! Which columns of a file have the numbers of people, and what is shown of the others.

use model::market::words;

use crate::csv_header::number_columns;
use crate::csv_table::{ContentFault, Table};

/// Faulty rows that are shown.
pub(crate) const MAX_SHOWN_FAULTS: usize = 200;
/// The longest cell that is shown, in characters.
const MAX_SHOWN_CELL: usize = 80;

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
const OTHER_WORDS: [&str; 24] = [
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
    "opt",
    "consent",
    "date",
    "data",
    "fecha",
    "status",
    "country",
    "pais",
];
/// Whole names of a column of numbers, where no other column has one of the words above: an address has a number, too.
const NUMBER_NAMES: [&str; 6] =
    ["number", "numero", "contact number", "numero de contato", "numero do contato", "numero de contacto"];

/// How likely a column has the numbers of people by its name, from 0, the most likely; `None` if it does not say so.
pub(crate) fn phone_rank(name: &str) -> Option<usize> {
    let name = words(name);
    let has = |known: &[&str]| name.split(' ').any(|word| known.contains(&word));
    // Outlook has a column for the number of the company.
    if has(&OTHER_WORDS) || (has(&["company"]) && has(&["main"])) {
        return None;
    }
    PHONE_WORDS.iter().position(|known| has(known))
}

pub(crate) fn is_phone_column(name: &str) -> bool {
    phone_rank(name).is_some()
}

/// Whether a column may have the numbers of people, if none [`is_phone_column`].
pub(crate) fn is_number_column(name: &str) -> bool {
    NUMBER_NAMES.contains(&words(name).as_str())
}

/// Takes the first row as a header if it has a known name, whatever is below.
///
/// # Errors
/// The file has too many rows.
pub(crate) fn find_header(table: &mut Table, is_known: impl Fn(&str) -> bool) -> Result<(), ContentFault> {
    if table.header.is_none() && table.first_row().is_some_and(|row| row.cells.iter().any(is_known)) {
        table.set_header(true)?;
    }
    Ok(())
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
    use super::*;

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
}
