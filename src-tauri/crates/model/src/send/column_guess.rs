//! Which column of a file fills which part, by the names of the columns.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use ts_rs::TS;

use super::form::{PartKind, PartSection, SendPart};
use super::person_name::{PERSON_NAMES, plain, plain_words};

/// What people call the column of the number, in the languages of the window. The first are the surest.
const NUMBER_NAMES: [&str; 24] = [
    "to",
    "recipient",
    "phone",
    "phonenumber",
    "mobile",
    "msisdn",
    "whatsapp",
    "cell",
    "cellphone",
    "telefone",
    "celular",
    "destinatario",
    "telefono",
    "movil",
    "fone",
    "number",
    "numero",
    "contact",
    "contato",
    "contacto",
    "tel",
    "wa",
    "wpp",
    "cel",
];
/// Words in the name of the column of the number. The first are the surest.
const NUMBER_WORDS: [&str; 24] = [
    "whatsapp",
    "wa",
    "wpp",
    "whats",
    "wsp",
    "zap",
    "zapzap",
    "celular",
    "movil",
    "mobile",
    "cell",
    "cellphone",
    "msisdn",
    "telefone",
    "telefono",
    "phone",
    "fone",
    "tel",
    "cel",
    "fono",
    "tlf",
    "contact",
    "contato",
    "contacto",
];
/// Words in the names of columns about a number, or of numbers that get no messages.
const OTHER_WORDS: [&str; 31] = [
    "nome",
    "nombre",
    "name",
    "tipo",
    "type",
    "modelo",
    "model",
    "marca",
    "brand",
    "operadora",
    "carrier",
    "fixo",
    "fijo",
    "landline",
    "fax",
    "extension",
    "ext",
    "ramal",
    "ddd",
    "status",
    "optin",
    "email",
    "mail",
    "person",
    "pessoa",
    "persona",
    "date",
    "data",
    "fecha",
    "id",
    "link",
];
/// Columns by what they fill.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "model.ts", optional_fields = nullable)]
pub struct ColumnGuess {
    /// Column of the number.
    pub to: Option<String>,
    /// Column of the recipient's name.
    pub name: Option<String>,
    /// Column of each part, by its key.
    pub parts: BTreeMap<String, String>,
}

/// The columns called like the number, the name and the parts. `number_columns` are those that have nothing but numbers.
#[must_use]
pub fn guess_columns(columns: &[String], number_columns: &[String], parts: &[SendPart]) -> ColumnGuess {
    let to = number_column(columns, number_columns);
    let name = first_named(columns, &PERSON_NAMES).filter(|name| Some(name) != to.as_ref());
    ColumnGuess { to, name, parts: part_columns(columns, parts) }
}

/// The column called like a number, or with a word for one in its name, unless nothing in it is one; else the one that has
/// nothing but numbers in it.
fn number_column(columns: &[String], numbers: &[String]) -> Option<String> {
    first_named(numbers, &NUMBER_NAMES)
        .or_else(|| first_with_word(numbers))
        .or_else(|| first_named(columns, &NUMBER_NAMES))
        .or_else(|| first_with_word(columns))
        .or_else(|| numbers.first().filter(|_| numbers.len() == 1).cloned())
}

fn first_named(columns: &[String], names: &[&str]) -> Option<String> {
    names.iter().find_map(|name| columns.iter().find(|column| plain(column) == *name)).cloned()
}

/// The column with the surest word for a number among the words of its name.
fn first_with_word(columns: &[String]) -> Option<String> {
    let named: Vec<_> = columns.iter().map(|column| (column, plain_words(column))).collect();
    let is_other = |word: &String| OTHER_WORDS.contains(&word.as_str());
    let fitting: Vec<_> = named.into_iter().filter(|(_, words)| !words.iter().any(is_other)).collect();
    let with = |word: &&str| fitting.iter().find(|(_, words)| words.iter().any(|known| known == word));
    NUMBER_WORDS.iter().find_map(with).map(|(column, _)| (*column).clone())
}

/// Columns that are called like a part. A name that several parts have says nothing about any of them.
fn part_columns(columns: &[String], parts: &[SendPart]) -> BTreeMap<String, String> {
    let mut by_name: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for part in parts {
        for name in names_of(part) {
            by_name.entry(name).or_default().insert(&part.id);
        }
    }
    let mut found = BTreeMap::new();
    for column in columns {
        let meant = by_name.get(&plain(column)).filter(|meant| meant.len() == 1);
        if let Some(part) = meant.and_then(|meant| meant.first()) {
            found.entry((*part).to_owned()).or_insert_with(|| column.clone());
        }
    }
    found
}

/// What a column for the part may be called: its key, its label, or its label with its section before it.
fn names_of(part: &SendPart) -> Vec<String> {
    let (section, label) = (section_name(part.section), &part.label);
    let mut names = vec![part.id.clone(), label.clone(), format!("{section}{label}")];
    match part.kind {
        PartKind::Link => names.extend([section.to_owned(), format!("{section}{label}url"), format!("{label}url")]),
        PartKind::Text => names.extend([format!("variable{label}"), format!("var{label}")]),
        _ => {}
    }
    names.iter().map(|name| plain(name)).filter(|name| !name.is_empty()).collect()
}

const fn section_name(section: PartSection) -> &'static str {
    match section {
        PartSection::Header => "header",
        PartSection::Body => "body",
        PartSection::Footer => "footer",
        PartSection::Offer => "offer",
        PartSection::Button => "button",
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use serde::Deserialize;

    use super::*;

    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Case {
        why: String,
        columns: Vec<String>,
        number_columns: Vec<String>,
        #[serde(default)]
        parts: Vec<SendPart>,
        #[serde(default)]
        to: String,
        #[serde(default)]
        name: String,
        #[serde(default)]
        mapped: BTreeMap<String, String>,
    }

    #[test]
    fn columns_are_guessed_by_their_names_and_numbers() {
        const CASES: &str = include_str!("column_guess/cases.json");
        let cases: Vec<Case> = serde_json::from_str(CASES).unwrap();
        assert!(cases.len() > 20);
        for case in cases {
            let guess = guess_columns(&case.columns, &case.number_columns, &case.parts);
            let named = |name: String| Some(name).filter(|name| !name.is_empty());
            assert_eq!((guess.to, guess.name), (named(case.to), named(case.name)), "{}", case.why);
            assert_eq!(guess.parts, case.mapped, "{}", case.why);
        }
    }
}
