//! Digits that people write beside a number: its place in a list, a note after it.

use super::characters::{MIN_NUMBER_DIGITS, count_digits, is_dash};

/// Maximum number of digits of a place in a list, and of a note that is not in brackets.
const MAX_DIGITS: usize = 3;
/// Maximum number of digits before brackets with an area code, such as `+380 (44)`, or with a digit that is not always
/// dialled, such as `+55 11 (9)`.
const MAX_DIGITS_BEFORE_BRACKETS: usize = 5;

const OPENING: [char; 3] = ['(', '[', '（'];
const CLOSING: [char; 3] = [')', ']', '）'];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Before,
    After,
}

/// Digits that may not be part of the number beside them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Annotation {
    pub(super) place: Place,
    /// The digits.
    pub(super) note: String,
    /// The text without them; empty if they are inside.
    pub(super) number: String,
    /// Whether no group of a number is written so.
    pub(super) is_certain: bool,
}

/// Those after the number first: a text that ends in one is not the number after a place in a list.
pub(super) fn annotations(text: &str) -> Vec<Annotation> {
    [bracketed_note(text), note(text), list_number(text)].into_iter().flatten().collect()
}

/// A place in a list before a number: `2. 11 98765-4321`, `2) …`, `[2] …`, `2 - …`.
pub(super) fn list_number(text: &str) -> Option<Annotation> {
    let inner = text.trim_start_matches(OPENING);
    let opening = &text[..text.len() - inner.len()];
    let (note, rest) = inner.split_at(inner.find(|c: char| !c.is_ascii_digit())?);
    if !(1..=MAX_DIGITS).contains(&note.len()) {
        return None;
    }
    let starts = |c: char| c.is_ascii_digit() || matches!(c, '+' | '＋') || OPENING.contains(&c);
    let (between, number) = rest.split_at(rest.find(starts)?);
    let marks = between.trim();
    let is_closed = marks.contains(CLOSING);
    if marks.is_empty() || !is_closed && !opening.is_empty() {
        return None;
    }
    if count_digits(number) < MIN_NUMBER_DIGITS || is_separated_by(number, between) {
        return None;
    }
    let is_spaced = between.chars().any(char::is_whitespace);
    let is_certain = match opening {
        "" => is_closed || marks.contains('.') && is_spaced,
        "(" | "（" => marks.chars().nth(1).is_some(),
        _ => true,
    };
    Some(Annotation { place: Place::Before, note: note.to_owned(), number: number.to_owned(), is_certain })
}

/// Whether all groups of a number are separated by a text, as in `1-310-234-5678`.
fn is_separated_by(number: &str, separator: &str) -> bool {
    number.contains(separator) && number.split(separator).all(|group| group.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Digits in brackets after a number, where no area code is: `0171 1234567 (2)`.
fn bracketed_note(text: &str) -> Option<Annotation> {
    let is_area = |before: &str| {
        let prefix = if before.trim_start().starts_with("00") { 2 } else { 0 };
        count_digits(before) <= MAX_DIGITS_BEFORE_BRACKETS + prefix
    };
    let (at, _) = text.char_indices().find(|(at, c)| OPENING.contains(c) && !is_area(&text[..*at]))?;
    let (number, bracketed) = text.split_at(at);
    let (note, rest) = bracketed.split_at(bracketed.find(CLOSING).unwrap_or(bracketed.len()));
    let number = if count_digits(rest) == 0 { trimmed(number) } else { "" };
    let note = note.chars().filter(char::is_ascii_digit).collect();
    Some(Annotation { place: Place::After, note, number: number.to_owned(), is_certain: true })
}

/// A short group at the end that is set off unlike the other groups: `0171 1234567 - 2`, `0171 1234567 2)`.
fn note(text: &str) -> Option<Annotation> {
    let closed = text.trim_end_matches(CLOSING);
    let before = closed.trim_end_matches(|c: char| c.is_ascii_digit());
    let note = &closed[before.len()..];
    let number = before.trim_end_matches(|c: char| !c.is_ascii_digit());
    let separator = &before[number.len()..];
    if !(1..=MAX_DIGITS).contains(&note.len())
        || count_digits(number) < MIN_NUMBER_DIGITS
        || separator.contains(OPENING)
    {
        return None;
    }
    let is_closed = closed.len() < text.len() && !text.contains(OPENING);
    if number.contains(separator) && !is_closed {
        return None;
    }
    let spaces = separator.chars().filter(|c| c.is_whitespace()).count();
    let has_mark = separator.chars().any(|c| is_dash(c) || c == '.' || c == '/');
    let is_set_off = is_closed || spaces > 1 || has_mark && (spaces > 0 || note.len() == 1);
    is_set_off.then(|| Annotation {
        place: Place::After,
        note: note.to_owned(),
        number: number.to_owned(),
        is_certain: is_closed,
    })
}

fn trimmed(number: &str) -> &str {
    number.trim_end_matches(|c: char| c.is_whitespace() || is_dash(c) || matches!(c, '.' | '/'))
}

#[cfg(test)]
mod tests {
    use super::super::country::{NumberCountry, Refusal, read};

    #[test]
    fn digits_beside_a_number_are_not_part_of_it() {
        for (country, typed, key, correction) in [
            ("", "+62 812-3456-789 (2)", "note", Some("+62 812-3456-789")),
            ("", "+62 812-3456-789 [2]", "note", Some("+62 812-3456-789")),
            ("", "+62 812-3456-789 （2）", "note", Some("+62 812-3456-789")),
            ("", "+62 812-3456-789 (2", "note", Some("+62 812-3456-789")),
            ("", "+62 812-3456-789 2)", "note", Some("+62 812-3456-789")),
            ("", "+62 (812) 3456-789 (0)", "note", Some("+62 (812) 3456-789")),
            ("", "+49 171 1234567  2", "note", None),
            ("", "+33 6 12 34 56 78 - 2", "note", Some("+33 6 12 34 56 78")),
            ("", "+55 98765-4321 (11)", "note", None),
            ("+", "55 11 98765-4321 (2)", "note", Some("55 11 98765-4321")),
            ("ID", "0812-3456-7890 [1]", "note", Some("0812-3456-7890")),
            ("DE", "0171 1234567 (2)", "note", Some("0171 1234567")),
            ("DE", "0171 1234567 - 2", "note", None),
            ("AT", "0664 1234567 (1)", "note", Some("0664 1234567")),
            ("FI", "040 123 4567 (2)", "note", Some("040 123 4567")),
            ("BR", "(11) 98765-4321 (2)", "note", Some("(11) 98765-4321")),
            ("BR", "(11) 98765-4321 - 2", "note", Some("(11) 98765-4321")),
            ("BR", "11 9123-4567 (2)", "note", Some("11 9123-4567")),
            ("BR", "98765-4321 (11)", "areaCodeLast", Some("(11) 98765-4321")),
            ("BR", "98765-4321 [11]", "areaCodeLast", Some("(11) 98765-4321")),
            ("BR", "9171-2345 (11)", "areaCodeLast", Some("(11) 9171-2345")),
            ("BR", "98765-4321 - 11", "areaCodeLast", Some("(11) 98765-4321")),
            ("US", "253-0000 (650)", "areaCodeLast", Some("(650) 253-0000")),
            ("BR", "98765-4321", "noAreaCode", None),
            ("BR", "3333-4444", "noAreaCode", None),
            ("BR", "3521-1234", "noAreaCode", None),
            ("BR", "5005-1234", "noAreaCode", None),
            ("US", "253-0000", "noAreaCode", None),
            ("BR", "2. 11 98765-4321", "listNumber", Some("11 98765-4321")),
            ("BR", "2.11 98765-4321", "listNumber", Some("11 98765-4321")),
            ("BR", "2-11 98765-4321", "listNumber", Some("11 98765-4321")),
            ("BR", "2/ 11 98765-4321", "listNumber", Some("11 98765-4321")),
            ("BR", "2) (11) 98765-4321", "listNumber", Some("(11) 98765-4321")),
            ("BR", "(2) (11) 98765-4321", "listNumber", Some("(11) 98765-4321")),
            ("BR", "12.) 11 98765-4321", "listNumber", Some("11 98765-4321")),
            ("BR", "100. 11 98765-4321", "listNumber", Some("11 98765-4321")),
            ("BR", "3. +55 11 98765-4321", "listNumber", Some("+55 11 98765-4321")),
            ("BR", "3. 5511987654321", "listNumber", Some("5511987654321")),
            ("BR", "1. 310 234 5678", "listNumber", None),
            ("CO", "1. 310 234 5678", "listNumber", Some("310 234 5678")),
            ("CO", "1) 310 234 5678", "listNumber", Some("310 234 5678")),
            ("CO", "1 - 310 234 5678", "listNumber", Some("310 234 5678")),
            ("CO", "1 \u{2013} 310 234 5678", "listNumber", Some("310 234 5678")),
            ("CO", "01. 310 234 5678", "listNumber", Some("310 234 5678")),
            ("CO", "001. 310 234 5678", "listNumber", Some("310 234 5678")),
            ("DE", "01. 0171 1234567", "listNumber", Some("0171 1234567")),
            ("CO", "(1) 310 234 5678", "listNumber", Some("310 234 5678")),
            ("IN", "7. 9123456789", "listNumber", Some("9123456789")),
            ("IN", "7) 9123456789", "listNumber", Some("9123456789")),
            ("IN", "[7] 9123456789", "listNumber", Some("9123456789")),
            ("IN", "7- 9123456789", "listNumber", Some("9123456789")),
            ("IN", "7-9123456789", "listNumber", Some("9123456789")),
            ("IN", "1. 9172345678", "listNumber", Some("9172345678")),
            ("BR", "7. 9123456789", "listNumber", Some("9123456789")),
            ("BR", "[7] 9123456789", "listNumber", Some("9123456789")),
            ("DE", "2. 171 1234567", "listNumber", None),
            ("AT", "1 - 664 1234567", "listNumber", None),
            ("+", "7. 9123456789", "listNumber", None),
            ("+", "2. 11 98765-4321", "listNumber", None),
            ("+", "2. 55 11 98765-4321", "listNumber", Some("55 11 98765-4321")),
        ] {
            let Err(Refusal::Fault(fault)) = read(typed, NumberCountry::from(country)) else {
                panic!("{typed}, {country} is read")
            };
            let found = (fault.kind.as_str(), fault.correction.as_deref());
            assert_eq!(found, (key, correction), "{typed}, {country}: {}", fault.reason);
        }
        // Whether it is part of the number depends on the country.
        for typed in ["1. 310 234 5678", "7) 9123456789", "98765-4321 (11)", "0812-3456-7890 [1]"] {
            assert!(matches!(read(typed, NumberCountry::Unknown), Err(Refusal::CountryUnknown(None))), "{typed}");
        }
    }

    #[test]
    fn real_notations_are_understood() {
        for (country, typed, digits) in [
            ("DE", "+49 (0)171 1234567", "491711234567"),
            ("DE", "0049 (0) 171 / 1234567", "491711234567"),
            ("DE", "(030) 1234567", "49301234567"),
            ("DE", "030 / 123 45 - 67", "49301234567"),
            ("DE", "0171-1234567", "491711234567"),
            ("DE", "0171/12 34 56 7", "491711234567"),
            ("AT", "+43 (0) 664 123 45 67", "436641234567"),
            ("AT", "0664/123 45 67", "436641234567"),
            ("AT", "(01) 512 34 56", "4315123456"),
            ("AT", "(1) 512 34 56", "4315123456"),
            ("CH", "079 123 45 67", "41791234567"),
            ("CH", "+41 (0)79 123 45 67", "41791234567"),
            ("FR", "01.23.45.67.89", "33123456789"),
            ("FR", "01. 23. 45. 67. 89", "33123456789"),
            ("FR", "06-12-34-56-78", "33612345678"),
            ("FR", "06 - 12 - 34 - 56 - 78", "33612345678"),
            ("FR", "+33 (0)6 12 34 56 78", "33612345678"),
            ("BE", "0470/12.34.56", "32470123456"),
            ("BE", "0470 12 34 56", "32470123456"),
            ("NL", "06-12345678", "31612345678"),
            ("NL", "06.12345678", "31612345678"),
            ("NL", "06 - 12 34 56 78", "31612345678"),
            ("GB", "07400 123456", "447400123456"),
            ("GB", "(01234) 567890", "441234567890"),
            ("GB", "+44 (0)20 7946 0123", "442079460123"),
            ("IE", "(087) 123 4567", "353871234567"),
            ("IT", "347 12 34 567", "393471234567"),
            ("IT", "347-1234567", "393471234567"),
            ("IT", "(02) 1234 5678", "390212345678"),
            ("ES", "612-34-56-78", "34612345678"),
            ("ES", "+34 612.34.56.78", "34612345678"),
            ("PT", "91 234 56 78", "351912345678"),
            ("PT", "351. 912 345 678", "351912345678"),
            ("FI", "040 123 45 67", "358401234567"),
            ("FI", "040-123 4567", "358401234567"),
            ("SE", "070-123 45 67", "46701234567"),
            ("SE", "08-123 456 78", "46812345678"),
            ("NO", "412 34 567", "4741234567"),
            ("DK", "20 12 34 56", "4520123456"),
            ("DK", "20-12-34-56", "4520123456"),
            ("PL", "512-345-678", "48512345678"),
            ("CZ", "601 123 456", "420601123456"),
            ("HU", "06 (20) 123-4567", "36201234567"),
            ("HU", "06-20/123-4567", "36201234567"),
            ("GR", "691 234 5678", "306912345678"),
            ("TR", "0 (532) 123 45 67", "905321234567"),
            ("TR", "(532) 123 45 67", "905321234567"),
            ("RU", "+7 (912) 345-67-89", "79123456789"),
            ("RU", "8 (912) 345-67-89", "79123456789"),
            ("RU", "8-912-345-67-89", "79123456789"),
            ("RU", "7. 912 345 67 89", "79123456789"),
            ("RU", "+7 912 345 - 67 - 89", "79123456789"),
            ("UA", "+380 (67) 123-45-67", "380671234567"),
            ("UA", "(067) 123 45 67", "380671234567"),
            ("US", "1-800-234-5678", "18002345678"),
            ("US", "1 (310) 234-5678", "13102345678"),
            ("US", "1.310.234.5678", "13102345678"),
            ("US", "1. 310 234 5678", "13102345678"),
            ("US", "310.234.5678", "13102345678"),
            ("US", "(310)234-5678", "13102345678"),
            ("US", "310/234-5678", "13102345678"),
            ("CO", "1-310-234-5678", "13102345678"),
            ("CO", "310 234 56 78", "573102345678"),
            ("BR", "(11) 98765-4321", "5511987654321"),
            ("BR", "[11] 98765-4321", "5511987654321"),
            ("BR", "11 - 98765-4321", "5511987654321"),
            ("BR", "11) 98765-4321", "5511987654321"),
            ("BR", "11.98765.4321", "5511987654321"),
            ("BR", "11 (9) 8765-4321", "5511987654321"),
            ("BR", "(11) (9)8765-4321", "5511987654321"),
            ("BR", "+55 11 (9) 8765-4321", "5511987654321"),
            ("BR", "00 - 55 11 98765-4321", "5511987654321"),
            ("BR", "55. 11 98765-4321", "5511987654321"),
            ("BR", "55 - 11 98765-4321", "5511987654321"),
            ("BR", "(11 98765-4321)", "5511987654321"),
            ("AR", "+54 9 (11) 2345-6789", "5491123456789"),
            ("AR", "011 15-2345-6789", "5491123456789"),
            ("AR", "011-15 2345 6789", "5491123456789"),
            ("AR", "(11) 15 2345-6789", "5491123456789"),
            ("MX", "(55) 1234-5678", "525512345678"),
            ("MX", "+52 1 (55) 1234 5678", "5215512345678"),
            ("MX", "55-12-34-56-78", "525512345678"),
            ("PE", "(01) 234 5678", "5112345678"),
            ("CL", "9 8765 4321", "56987654321"),
            ("CL", "(9) 8765 4321", "56987654321"),
            ("CL", "(2) 2345 6789", "56223456789"),
            ("IN", "098765 43210", "919876543210"),
            ("IN", "98765-43210", "919876543210"),
            ("IN", "(022) 2345 6789", "912223456789"),
            ("ID", "0812-3456-7890", "6281234567890"),
            ("ID", "0812.3456.7890", "6281234567890"),
            ("AU", "0412 345 678", "61412345678"),
            ("AU", "(02) 9876 5432", "61298765432"),
            ("AU", "(2) 9876 5432", "61298765432"),
            ("NZ", "(09) 123 4567", "6491234567"),
            ("JP", "090-1234-5678", "819012345678"),
            ("JP", "(03) 1234-5678", "81312345678"),
            ("KR", "010-1234-5678", "821012345678"),
            ("CN", "138-1234-5678", "8613812345678"),
            ("HK", "9123 4567", "85291234567"),
            ("SG", "8123-4567", "6581234567"),
            ("TW", "(02) 2123-4567", "886221234567"),
            ("ZA", "082 123 4567", "27821234567"),
            ("ZA", "+27 (0)82 123 4567", "27821234567"),
            ("NG", "0803-123-4567", "2348031234567"),
            ("EG", "(02) 2345-6789", "20223456789"),
            ("IL", "050-123-4567", "972501234567"),
            ("SA", "055 123 4567", "966551234567"),
        ] {
            let facts = read(typed, NumberCountry::Of(country));
            assert_eq!(facts.ok().and_then(|facts| facts.digits).as_deref(), Some(digits), "{typed}, {country}");
        }
    }
}
