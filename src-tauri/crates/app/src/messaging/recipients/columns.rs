//! Which columns of a file of people have numbers, names, labels and notes.

use model::market::words;
use model::send::ConsentColumn;

use crate::csv_table::{ContentFault, Table, TableRow};
use crate::people_columns::{
    find_header, has_numbers, is_number_column, only_column_of_numbers, phone_rank, unread_columns,
};
use command_types::recipient_files::{RecipientImportColumn, RecipientImportField};

// Names of columns without accents, as `words` has them. The first of a list that a file has is read.
const FULL_NAMES: [&str; 16] = [
    "name",
    "full name",
    "display name",
    "contact name",
    "customer name",
    "nome",
    "nome completo",
    "nome do contato",
    "nome do cliente",
    "nombre",
    "nombre completo",
    "nombre del contacto",
    "nombre del cliente",
    "cliente",
    "customer",
    "client",
];
const FIRST_NAMES: [&str; 9] = [
    "first name",
    "firstname",
    "given name",
    "forename",
    "primeiro nome",
    "prenome",
    "primer nombre",
    "nombre de pila",
    "nombres",
];
const MIDDLE_NAMES: [&str; 5] = ["middle name", "additional name", "nome do meio", "segundo nome", "segundo nombre"];
const LAST_NAMES: [&str; 11] = [
    "last name",
    "lastname",
    "surname",
    "family name",
    "sobrenome",
    "ultimo nome",
    "apellido",
    "apellidos",
    "primer apellido",
    "apellido paterno",
    "nome de familia",
];
const LABELS: [&str; 17] = [
    "labels",
    "label",
    "tags",
    "tag",
    "etiquetas",
    "etiqueta",
    "marcadores",
    "marcador",
    "rotulos",
    "categories",
    "categorias",
    "category",
    "categoria",
    "groups",
    "grupos",
    "grupo",
    "group membership",
];
const NOTES: [&str; 16] = [
    "note",
    "notes",
    "nota",
    "notas",
    "observacao",
    "observacoes",
    "observacion",
    "observaciones",
    "obs",
    "anotacao",
    "anotacoes",
    "comment",
    "comments",
    "comentario",
    "comentarios",
    "remarks",
];

/// Where a file has what.
#[derive(Debug)]
pub(super) struct RecipientColumns {
    /// At least one, the most likely first.
    numbers: Vec<usize>,
    /// The whole name, or the first where there is a column for the last only.
    full_name: Option<usize>,
    /// First, middle and last name.
    parts: [Option<usize>; 3],
    labels: Option<usize>,
    note: Option<usize>,
    /// Whether people want messages.
    consent: Vec<(usize, ConsentColumn)>,
    pub(super) width: usize,
    pub(super) is_google: bool,
}

impl RecipientColumns {
    /// `None` if neither a name nor the numbers in it say which column has numbers.
    pub(super) fn of(table: &mut Table) -> Result<Option<Self>, ContentFault> {
        find_header(table, |cell| phone_rank(cell).is_some() || is_number_column(cell))?;
        let numbers = number_columns(table);
        if numbers.is_empty() {
            return Ok(None);
        }
        let names: Vec<String> = table.columns.iter().map(|name| words(name)).collect();
        let named = |known: &[&str]| {
            let place_of = |name: &&str| names.iter().position(|column| column == name);
            known.iter().find_map(place_of).filter(|place| !numbers.contains(place))
        };
        let is_google = numbers
            .iter()
            .any(|place| names[*place].strip_prefix("phone ").and_then(|rest| rest.strip_suffix(" value")).is_some());
        let of_consent = |(place, name): (usize, &String)| Some((place, ConsentColumn::of(name)?));
        let consent = table.columns.iter().enumerate().filter_map(of_consent);
        Ok(Some(Self {
            consent: consent.filter(|(place, _)| !numbers.contains(place)).collect(),
            full_name: named(&FULL_NAMES),
            parts: [named(&FIRST_NAMES), named(&MIDDLE_NAMES), named(&LAST_NAMES)],
            labels: named(&LABELS),
            note: named(&NOTES),
            width: table.columns.len(),
            is_google,
            numbers,
        }))
    }

    /// Filled cells with numbers, the most likely first. Google writes several into one cell.
    pub(super) fn numbers<'r>(&'r self, row: &'r TableRow) -> impl Iterator<Item = &'r str> {
        let cells = self.numbers.iter().map(|place| cell(row, Some(*place)));
        cells.flat_map(|cell| cell.split(GOOGLE_SEPARATOR)).map(str::trim).filter(|number| !number.is_empty())
    }

    /// The whole name, else its parts. A file with a column for last names and none for first names has these in that
    /// for names.
    pub(super) fn name(&self, row: &TableRow) -> String {
        let full = cell(row, self.full_name);
        let [first, middle, last] = self.parts.map(|place| cell(row, place));
        let parts = match self.parts {
            [None, _, Some(_)] if !full.to_lowercase().ends_with(&last.to_lowercase()) => [full, middle, last],
            _ if !full.is_empty() => [full, "", ""],
            _ => [first, middle, last],
        };
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
    }

    pub(super) fn labels<'r>(&self, row: &'r TableRow) -> &'r str {
        cell(row, self.labels)
    }

    pub(super) fn note<'r>(&self, row: &'r TableRow) -> &'r str {
        cell(row, self.note)
    }

    /// The cell that says that the person wants no messages.
    pub(super) fn refusal<'r>(&self, row: &'r TableRow) -> Option<&'r str> {
        let mut said = self.consent.iter().map(|(place, consent)| (cell(row, Some(*place)), consent));
        said.find(|(cell, consent)| consent.is_declined(cell)).map(|(cell, _)| cell)
    }

    pub(super) fn shown(&self, table: &Table) -> Vec<RecipientImportColumn> {
        let [first, middle, last] = self.parts;
        let of = |places: &[Option<usize>]| -> Vec<String> {
            places.iter().flatten().filter_map(|place| table.columns.get(*place)).cloned().collect()
        };
        let numbers: Vec<_> = self.numbers.iter().map(|place| Some(*place)).collect();
        let fields = [
            (RecipientImportField::Number, of(&numbers)),
            (RecipientImportField::Name, of(&[self.full_name, first, middle, last])),
            (RecipientImportField::Labels, of(&[self.labels])),
            (RecipientImportField::Note, of(&[self.note])),
            (
                RecipientImportField::Consent,
                of(&self.consent.iter().map(|(place, _)| Some(*place)).collect::<Vec<_>>()),
            ),
        ];
        let read = fields.into_iter().filter(|(_, columns)| !columns.is_empty());
        read.map(|(field, columns)| RecipientImportColumn { field, columns }).collect()
    }

    pub(super) fn unread(&self, table: &Table) -> Vec<String> {
        let others = [self.full_name, self.labels, self.note].into_iter().chain(self.parts);
        let consent = self.consent.iter().map(|(place, _)| *place);
        let read: Vec<usize> = others.flatten().chain(self.numbers.iter().copied()).chain(consent).collect();
        unread_columns(table, |place| read.contains(&place))
    }
}

/// What Google Contacts writes between several values of a cell.
pub(super) const GOOGLE_SEPARATOR: &str = ":::";

fn cell(row: &TableRow, place: Option<usize>) -> &str {
    place.and_then(|place| row.cells.get(place)).unwrap_or_default().trim()
}

/// Columns whose name says that they have numbers, the most likely first, without those in which no cell looks like a
/// number; else the column of numbers that is named so; else the [`only_column_of_numbers`].
fn number_columns(table: &Table) -> Vec<usize> {
    let mut named: Vec<(usize, usize)> =
        table.columns.iter().enumerate().filter_map(|(place, name)| Some((phone_rank(name)?, place))).collect();
    named.sort_unstable();
    let named: Vec<usize> = named.into_iter().map(|(_, place)| place).collect();
    let with_numbers: Vec<usize> = named.iter().copied().filter(|place| has_numbers(table, *place)).collect();
    if !with_numbers.is_empty() {
        return with_numbers;
    }
    let of_numbers: Vec<usize> =
        (0..table.columns.len()).filter(|place| is_number_column(&table.columns[*place])).collect();
    let other = of_numbers.iter().copied().find(|place| has_numbers(table, *place));
    let other = other.or_else(|| only_column_of_numbers(table));
    // Nobody has a number: one of the columns says so for every row.
    other.or_else(|| named.iter().chain(&of_numbers).next().copied()).into_iter().collect()
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that cannot read its own input should fail")]

    use super::*;
    use crate::csv_import::read;

    /// The columns that are read, and those that are not.
    fn read_as(text: &str) -> (Vec<(RecipientImportField, String)>, String) {
        let mut table = read(text.as_bytes()).unwrap();
        let Some(columns) = RecipientColumns::of(&mut table).unwrap() else {
            return (Vec::new(), table.columns.join("|"));
        };
        let shown = columns.shown(&table).into_iter().map(|column| (column.field, column.columns.join("|")));
        (shown.collect(), columns.unread(&table).join("|"))
    }

    #[test]
    fn columns_are_known_by_their_names_in_three_languages() {
        use RecipientImportField::{Labels, Name, Note, Number};
        type Case<'a> = (&'a str, &'a [(RecipientImportField, &'a str)], &'a str);
        const ROW: &str = "\n5511987654321;a;b;c;d\n";
        let cases: [Case<'_>; 11] = [
            (
                "phone;name;labels;note;city",
                &[(Number, "phone"), (Name, "name"), (Labels, "labels"), (Note, "note")],
                "city",
            ),
            (
                "TELEFONE;NOME;ETIQUETAS;OBSERVAÇÃO;CPF",
                &[(Number, "TELEFONE"), (Name, "NOME"), (Labels, "ETIQUETAS"), (Note, "OBSERVAÇÃO")],
                "CPF",
            ),
            (
                "Teléfono;Nombre;Etiquetas;Notas;Correo",
                &[(Number, "Teléfono"), (Name, "Nombre"), (Labels, "Etiquetas"), (Note, "Notas")],
                "Correo",
            ),
            (
                "celular;Primeiro nome;Sobrenome;Tags;Obs.",
                &[(Number, "celular"), (Name, "Primeiro nome|Sobrenome"), (Labels, "Tags"), (Note, "Obs.")],
                "",
            ),
            (
                "WhatsApp;Nombre;Apellidos;Categorías;x",
                &[(Number, "WhatsApp"), (Name, "Nombre|Apellidos"), (Labels, "Categorías")],
                "x",
            ),
            (
                "Mobile Phone;First Name;Middle Name;Last Name;Home Fax",
                &[(Number, "Mobile Phone"), (Name, "First Name|Middle Name|Last Name")],
                "Home Fax",
            ),
            // The number of a house is no phone number.
            ("telefone;rua;número;x;y", &[(Number, "telefone")], "rua|número|x|y"),
            ("número;nome;x;y;z", &[(Number, "número"), (Name, "nome")], "x|y|z"),
            ("contato;x;y;z;w", &[(Number, "contato")], "x|y|z|w"),
            ("5511987654322;Ana;y;z;w", &[(Number, "Column 1")], "Column 2|Column 3|Column 4|Column 5"),
            ("phone;Phone;name;Name;x", &[(Number, "phone"), (Name, "name")], "Phone|Name|x"),
        ];
        for (header, expected, unread) in &cases {
            let (shown, rest) = read_as(&format!("{header}{ROW}"));
            let expected: Vec<_> = expected.iter().map(|(field, names)| (*field, (*names).to_owned())).collect();
            assert_eq!((shown, rest.as_str()), (expected, *unread), "{header}");
        }
    }

    #[test]
    fn several_columns_of_numbers_are_read_by_how_likely_they_are() {
        let (shown, unread) = read_as(
            "Business Phone,Home Phone,WhatsApp opt-in,Mobile Phone,WhatsApp\n\
             +55 11 3071-0000,,yes,+55 11 98765-4321,no\n",
        );
        // Nothing in the column WhatsApp looks like a number.
        let of = |field, columns: &str| (field, columns.to_owned());
        let consent = of(RecipientImportField::Consent, "WhatsApp opt-in");
        assert_eq!(shown, [of(RecipientImportField::Number, "Mobile Phone|Business Phone"), consent]);
        assert_eq!(unread, "WhatsApp");
    }

    #[test]
    fn without_a_name_the_only_column_of_numbers_is_read() {
        use RecipientImportField::Number;
        for (text, column) in [
            ("5511987654321\n5511987654322\n", Some("Column 1")),
            ("Ana,5511987654321\nBia,5511987654322\n", Some("Column 2")),
            ("Ana;x\nBia;y\n", None),
            ("a;b\n5511987654321;447700900123\n", None),
            ("Ana (WhatsApp),5511987654321\nBia,5511987654322\n", Some("Column 2")),
            // What is named after WhatsApp says who has it.
            ("Nome;Número;WhatsApp\nAna;5511987654321;sim\nBia;5511987654322;não\n", Some("Número")),
            ("Nome;Contato;Tem WhatsApp\nAna;5511987654321;sim\nBia;5511987654322;não\n", Some("Contato")),
            ("Nome;Número;Código;WhatsApp\nAna;12;5511987654321;sim\n", Some("Código")),
            // Nobody has a number.
            ("Nome;Número;WhatsApp\nAna;12;sim\n", Some("WhatsApp")),
            ("Nome;Número\nAna;12\n", Some("Número")),
        ] {
            let found = read_as(text).0;
            assert_eq!(found.first().cloned(), column.map(|column| (Number, column.to_owned())), "{text}");
        }
    }

    #[test]
    fn names_are_joined_once() {
        for (text, name) in [
            ("phone,First Name,Last Name\n1,Ana,Lima\n", "Ana Lima"),
            ("phone,First Name,Last Name\n1,Ana,\n", "Ana"),
            ("phone,First Name,Last Name\n1,,Lima\n", "Lima"),
            ("phone,nome,sobrenome\n1,Ana,Lima\n", "Ana Lima"),
            ("phone,nome,sobrenome\n1,Ana Lima,Lima\n", "Ana Lima"),
            ("phone,nome,sobrenome\n1,Ana,\n", "Ana"),
            ("phone,Name,Given Name,Family Name\n1,Dr. Ana Lima,Ana,Lima\n", "Dr. Ana Lima"),
            ("phone,Name,Given Name,Additional Name,Family Name\n1,,Ana,M.,Lima\n", "Ana M. Lima"),
            ("phone,x\n1,Ana\n", ""),
        ] {
            let mut table = read(text.as_bytes()).unwrap();
            let columns = RecipientColumns::of(&mut table).unwrap().unwrap();
            assert_eq!(columns.name(&table.rows[0]), name, "{text}");
        }
    }
}
