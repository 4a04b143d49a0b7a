//! The people of a file, row by row.

use std::collections::BTreeMap;

use model::market::words;
use model::send::{SendProblem, SendProblemCode};
use model::visible::is_zero_width;

use super::columns::{GOOGLE_SEPARATOR, RecipientColumns};
use super::{MAX_LABEL_LENGTH, MAX_LABELS, MAX_NAME_LENGTH, MAX_NOTE_LENGTH};
use crate::csv_table::TableRow;
use crate::people_columns::shown_cell;
use crate::spreadsheet::unescape_formula;
use command_types::recipient_files::{RecipientFault, RecipientFaultCode};
use outgoing::recipient::{NumberCountry, is_number_like, read_recipient};

/// Labels by their lower case.
pub(super) type Labels = BTreeMap<String, String>;

/// What a row says about a person.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct RowPerson {
    /// Digits with country code.
    pub(super) number: String,
    /// Empty if the file has none.
    pub(super) name: String,
    pub(super) labels: Labels,
    pub(super) note: String,
}

/// How the rows of a file are read.
pub(super) struct RowReader<'a> {
    pub(super) columns: &'a RecipientColumns,
    /// What separates the cells.
    pub(super) separator: char,
    pub(super) country: NumberCountry<'a>,
}

impl RowReader<'_> {
    /// The person of a row, or why it is left out.
    pub(super) fn person(&self, row: &TableRow) -> Result<RowPerson, RecipientFault> {
        let fault = |code, value: &str, limit: usize| RecipientFault {
            line: row.number,
            code,
            value: shown_cell(value),
            problem: None,
            limit: Some(limit as u32).filter(|limit| *limit > 0),
        };
        if row.cells.len() > self.columns.width {
            return Err(fault(RecipientFaultCode::Cells, "", 0));
        }
        if let Some(cell) = self.columns.refusal(row) {
            return Err(fault(RecipientFaultCode::Declined, cell, 0));
        }
        let number = self.number(row).map_err(|(typed, problem)| RecipientFault {
            problem: Some(problem),
            ..fault(RecipientFaultCode::Number, typed, 0)
        })?;
        let name = one_line(&unescape_formula(&self.columns.name(row), self.separator));
        if is_longer(&name, MAX_NAME_LENGTH) {
            return Err(fault(RecipientFaultCode::NameTooLong, &name, MAX_NAME_LENGTH));
        }
        let note = unescape_formula(self.columns.note(row), self.separator).trim().to_owned();
        if is_longer(&note, MAX_NOTE_LENGTH) {
            return Err(fault(RecipientFaultCode::NoteTooLong, &note, MAX_NOTE_LENGTH));
        }
        let labels = self.labels(self.columns.labels(row));
        if let Some(label) = labels.values().find(|label| is_longer(label, MAX_LABEL_LENGTH)) {
            return Err(fault(RecipientFaultCode::LabelTooLong, label, MAX_LABEL_LENGTH));
        }
        if labels.len() > MAX_LABELS {
            return Err(too_many_labels(row));
        }
        Ok(RowPerson { number, name, labels, note })
    }

    /// The first number that WhatsApp can reach, else the first; what is wrong if there is none.
    fn number<'r>(&'r self, row: &'r TableRow) -> Result<String, (&'r str, SendProblem)> {
        let mut unlikely = None;
        let mut fault: Option<(&str, SendProblem)> = None;
        for typed in self.columns.numbers(row) {
            match read_recipient(typed, self.country) {
                (facts, None) => return Ok(facts.digits.unwrap_or_default()),
                (_, Some(problem)) if problem.is_error() => {
                    // What looks like a number was meant as one.
                    if fault.as_ref().is_none_or(|(other, _)| !is_number_like(other) && is_number_like(typed)) {
                        fault = Some((typed, problem));
                    }
                }
                (facts, Some(_)) => unlikely = unlikely.or(facts.digits),
            }
        }
        let missing = || ("", SendProblem::new("to", SendProblemCode::ToMissing, &[]));
        unlikely.ok_or_else(|| fault.unwrap_or_else(missing))
    }

    /// The labels of a cell.
    fn labels(&self, cell: &str) -> Labels {
        let cell = unescape_formula(cell, self.separator);
        let parts: Vec<&str> = if cell.contains(GOOGLE_SEPARATOR) {
            cell.split(GOOGLE_SEPARATOR).collect()
        } else {
            cell.split([',', ';', '|', '\n']).collect()
        };
        let labels = parts.into_iter().map(one_line);
        let labels = labels.filter_map(|label| if self.columns.is_google { without_mark(&label) } else { Some(label) });
        by_lower_case(labels.filter(|label| !label.is_empty()))
    }
}

/// That a person would have too many labels.
pub(super) fn too_many_labels(row: &TableRow) -> RecipientFault {
    RecipientFault {
        line: row.number,
        code: RecipientFaultCode::TooManyLabels,
        value: String::new(),
        problem: None,
        limit: Some(MAX_LABELS as u32),
    }
}

/// Labels, each once: the first of those that differ in case only.
pub(super) fn by_lower_case(labels: impl IntoIterator<Item = String>) -> Labels {
    let mut unique = Labels::new();
    for label in labels {
        unique.entry(label.to_lowercase()).or_insert(label);
    }
    unique
}

/// The text for a cell of labels that is read as the same labels.
pub(super) fn labels_cell(labels: &[String]) -> String {
    let has_separator = |label: &String| label.contains([',', ';', '|']);
    if !labels.iter().any(has_separator) {
        return labels.join(", ");
    }
    let joined = labels.join(&format!(" {GOOGLE_SEPARATOR} "));
    if labels.len() > 1 { joined } else { format!("{joined} {GOOGLE_SEPARATOR}") }
}

/// A label of Google Contacts without the mark of those that Google itself made; `None` for the one of all contacts.
fn without_mark(label: &str) -> Option<String> {
    let Some(own) = label.strip_prefix('*') else { return Some(label.to_owned()) };
    (!["my contacts", "mycontacts"].contains(&words(own).as_str())).then(|| own.trim().to_owned())
}

/// A text on one line, without blanks around it and invisible characters, which nobody typed.
pub(super) fn one_line(text: &str) -> String {
    let visible: String = text.chars().filter(|c| !is_zero_width(*c)).collect();
    visible.split_whitespace().collect::<Vec<_>>().join(" ")
}

pub(super) fn is_longer(text: &str, limit: usize) -> bool {
    text.chars().count() > limit
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that cannot read its own input should fail")]

    use super::*;
    use crate::csv_import::read;

    /// What the rows say: number, name, labels and note, or the code of the fault and the value.
    fn people(text: &str) -> Vec<String> {
        let mut table = read(text.as_bytes()).unwrap();
        let columns = RecipientColumns::of(&mut table).unwrap().unwrap();
        let reader = RowReader { columns: &columns, separator: table.delimiter, country: NumberCountry::Of("BR") };
        let shown = |row: &TableRow| match reader.person(row) {
            Ok(RowPerson { number, name, labels, note }) => {
                let labels: Vec<String> = labels.into_values().collect();
                format!("{number}/{name}/{}/{note}", labels.join("+"))
            }
            Err(fault) => format!("{} {}: {}", fault.line, fault.code.as_str(), fault.value),
        };
        table.rows.iter().map(shown).collect()
    }

    #[test]
    fn labels_are_separated_as_programs_write_them() {
        for (cell, labels) in [
            ("a, b", "a+b"),
            ("b;a", "a+b"),
            ("a | b", "a+b"),
            ("a ::: b", "a+b"),
            ("São Paulo, SP ::: b", "b+São Paulo, SP"),
            ("VIP;vip,Vip", "VIP"),
            (" a  b ,,", "a b"),
            ("* VIP", "* VIP"),
            ("'=a", "=a"),
            ("", ""),
        ] {
            let text = format!("phone\tlabels\n+5511987654321\t{cell}\n");
            assert_eq!(people(&text), [format!("5511987654321//{labels}/")], "{cell}");
        }
    }

    #[test]
    fn labels_are_read_as_they_are_written() {
        for labels in [vec![], vec!["a"], vec!["a", "b"], vec!["a;b"], vec!["a, b", "c"], vec!["=a", "b|c"]] {
            let labels: Vec<String> = labels.into_iter().map(str::to_owned).collect();
            let cell = labels_cell(&labels);
            let text = format!("phone\tlabels\n+5511987654321\t{cell}\n");
            assert_eq!(people(&text), [format!("5511987654321//{}/", labels.join("+"))], "{cell}");
        }
    }

    #[test]
    fn contacts_of_google_are_read() {
        let text = "First Name,Middle Name,Last Name,Phonetic First Name,Notes,Labels,E-mail 1 - Value,\
                    Phone 1 - Label,Phone 1 - Value,Phone 2 - Label,Phone 2 - Value\n\
                    Ana,,Lima,,likes tulips,* myContacts,ana@example.com,Mobile,+55 11 98765-4321,,\n\
                    Bia,M.,Reis,,,VIP ::: * myContacts ::: * starred,,Home,(11) 3071-0000,Mobile,(11) 98765-4322\n\
                    Caio,,,,,,,Work,+55 11 3071-0000 ::: +55 11 98765-4323,,\n\
                    Dora,,,,,,dora@example.com,,,,\n";
        assert_eq!(
            people(text),
            [
                "5511987654321/Ana Lima//likes tulips",
                "5511987654322/Bia M. Reis/starred+VIP/",
                "5511987654323/Caio//",
                "5 number: ",
            ]
        );
        let former = "Name,Given Name,Additional Name,Family Name,Notes,Group Membership,Phone 1 - Type,Phone 1 - Value\n\
                      Имя Фамилия,Имя,,Фамилия,,* My Contacts ::: University ::: School,Mobile,+7 912 345-67-89\n";
        assert_eq!(people(former), ["79123456789/Имя Фамилия/School+University/"]);
    }

    #[test]
    fn rows_that_cannot_be_read_say_why() {
        let long = |length: usize| "x".repeat(length);
        for (row, fault) in [
            ("12;Ana;;".to_owned(), "2 number: 12"),
            (";Ana;;".to_owned(), "2 number: "),
            ("n/a;Ana;;".to_owned(), "2 number: n/a"),
            ("5,51199E+12;Ana;;".to_owned(), "2 number: 5,51199E+12"),
            ("5511987654321;Ana;;;x".to_owned(), "2 cells: "),
            (format!("5511987654321;{};;", long(121)), "2 nameTooLong: x"),
            (format!("5511987654321;Ana;{};", long(41)), "2 labelTooLong: x"),
            (format!("5511987654321;Ana;;{}", long(2_001)), "2 noteTooLong: x"),
            (
                format!("5511987654321;Ana;{};", (0..21).map(|n| n.to_string()).collect::<Vec<_>>().join("|")),
                "2 tooManyLabels: ",
            ),
        ] {
            let found = people(&format!("phone;name;labels;note\n{row}\n"));
            // What is wrong with the whole row is not written in a cell.
            let is_expected = if fault.ends_with(' ') { found[0] == fault } else { found[0].starts_with(fault) };
            assert!(found.len() == 1 && is_expected, "{found:?} for {fault}");
        }
    }

    #[test]
    fn people_who_want_no_messages_are_left_out() {
        let text = "phone;name;Aceita mensagens\n5511987654321;Ana;Sim\n5511987654322;Bia;não\n5511987654323;Caio;\n";
        assert_eq!(people(text), ["5511987654321/Ana//", "3 declined: não", "5511987654323/Caio//"]);
        let text = "phone;opt-out\n5511987654321;x\n5511987654322;\n";
        assert_eq!(people(text), ["2 declined: x", "5511987654322///"]);
    }

    #[test]
    fn a_landline_is_taken_where_there_is_no_mobile() {
        let text = "Home Phone,Mobile Phone\n(11) 3071-0000,\n(11) 3071-0000,unknown\n(11) 3071-0000,11 98765-4321\n";
        assert_eq!(people(text), ["551130710000///", "551130710000///", "5511987654321///"]);
    }
}
