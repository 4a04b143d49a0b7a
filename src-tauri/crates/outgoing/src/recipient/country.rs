//! Numbers that are written without the code of their country.

use command_types::send::{NumberKind, NumberReading, RecipientFacts};
use command_types::workspace::{CODE_INCLUDED, Country, WorkspaceSettings};
use phonenumber::metadata::DATABASE;

use super::annotation::{Annotation, Place};
use super::fault::{FaultKind, NumberFault};
use super::notation::{self, Notation};
use super::{facts_of, has_spelling, is_plain, is_reachable, notation_of};

/// Minimum number of digits of a number without its country code, in any country.
const MIN_NATIONAL_DIGITS: usize = 4;

/// The country of numbers that are written without `+` or `00`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberCountry<'a> {
    /// Nobody has said it: the person is asked.
    Unknown,
    /// The numbers begin with the code of their country.
    Included,
    /// ISO 3166 code of the country, in capital letters.
    Of(&'a str),
}

impl<'a> NumberCountry<'a> {
    /// What a person chose for one send or file, else what the workspace has.
    pub fn of(chosen: Option<&'a str>, settings: &'a WorkspaceSettings) -> Self {
        Self::from(chosen.filter(|chosen| !chosen.is_empty()).unwrap_or(&settings.default_country))
    }

    /// The country of a number where nothing but digits is the contract's form, which begins with the country code.
    pub fn of_plain(typed: &str, otherwise: Self) -> Self {
        if is_plain(typed) { Self::Included } else { otherwise }
    }

    /// The choice as requests and settings have it; empty for none.
    pub fn as_str(self) -> &'a str {
        match self {
            Self::Unknown => "",
            Self::Included => CODE_INCLUDED,
            Self::Of(country) => country,
        }
    }
}

impl<'a> From<&'a str> for NumberCountry<'a> {
    fn from(choice: &'a str) -> Self {
        match choice {
            CODE_INCLUDED => Self::Included,
            country if is_country(country) => Self::Of(country),
            _ => Self::Unknown,
        }
    }
}

/// Whether a text is the ISO 3166 code of a country with a numbering plan.
pub fn is_country(code: &str) -> bool {
    code.len() == 2 && code.bytes().all(|byte| byte.is_ascii_uppercase()) && DATABASE.by_id(code).is_some()
}

/// All countries with a numbering plan, by their ISO 3166 codes.
pub fn countries() -> Vec<Country> {
    let mut countries: Vec<Country> = DATABASE
        .iter()
        .filter(|plan| is_country(plan.id()))
        .map(|plan| Country { code: plan.id().to_owned(), calling_code: plan.country_code().to_string() })
        .collect();
    countries.sort_by(|a, b| a.code.cmp(&b.code));
    countries
}

/// Why a text is not read as a number.
pub(super) enum Refusal {
    Fault(NumberFault),
    /// The country is unknown; what it is if its first digits are the country code, if that is a number.
    CountryUnknown(Option<NumberReading>),
}

impl From<NumberFault> for Refusal {
    fn from(fault: NumberFault) -> Self {
        Self::Fault(fault)
    }
}

pub(super) fn read(typed: &str, country: NumberCountry<'_>) -> Result<RecipientFacts, Refusal> {
    let notation = notation::read(typed)?;
    if notation.annotations.is_empty() {
        return read_digits(&notation, country);
    }
    let facts = read_digits(&notation, country);
    if country == NumberCountry::Unknown && !notation.international {
        // What the digits are without their annotation depends on the country: nothing is offered.
        let is_certain = notation.annotations.iter().any(|annotation| annotation.is_certain);
        return if is_certain { Err(Refusal::CountryUnknown(None)) } else { facts };
    }
    let whole = facts.as_ref().ok();
    let fault = notation.annotations.iter().find_map(|annotation| match annotation.place {
        Place::Before => list_number_fault(annotation, whole, country),
        Place::After => note_fault(annotation, whole, country),
    });
    fault.map_or(facts, |fault| Err(fault.into()))
}

fn read_digits(notation: &Notation, country: NumberCountry<'_>) -> Result<RecipientFacts, Refusal> {
    let digits = &notation.digits;
    if notation.international {
        return Ok(facts_of(digits)?);
    }
    match country {
        NumberCountry::Included => Ok(facts_of(digits)?),
        NumberCountry::Of(country) => Ok(of_country(digits, country)?),
        NumberCountry::Unknown if digits.len() < MIN_NATIONAL_DIGITS => {
            Err(NumberFault::new(FaultKind::TooShort, "it is too short; check its digits").into())
        }
        NumberCountry::Unknown => {
            let facts = facts_of(digits).ok().filter(is_assigned);
            Err(Refusal::CountryUnknown(facts.as_ref().and_then(reading_of)))
        }
    }
}

/// The number without an annotation, if a person has it and there is no other annotation.
fn annotated(number: &str, country: NumberCountry<'_>) -> Option<RecipientFacts> {
    let notation = notation::read(number).ok()?;
    let is_alone = !notation.annotations.iter().any(|annotation| annotation.is_certain);
    let facts = is_alone.then(|| read_digits(&notation, country).ok()).flatten();
    facts.filter(|facts| has_spelling(facts, is_assigned))
}

/// The fault of digits before a number, unless they are its country code, which can be left out, or its area code.
fn list_number_fault(
    annotation: &Annotation,
    whole: Option<&RecipientFacts>,
    country: NumberCountry<'_>,
) -> Option<NumberFault> {
    let number = annotated(&annotation.number, country);
    let national = whole.filter(|whole| whole.country_assumed && is_assigned(whole));
    let is_part = match (&number, national) {
        (Some(number), _) if whole.is_some_and(|whole| whole.digits == number.digits) => true,
        (Some(number), Some(national)) if !annotation.is_certain => is_reachable(national) || !is_reachable(number),
        (Some(_), _) => false,
        (None, national) => !annotation.is_certain || national.is_some(),
    };
    if is_part {
        return None;
    }
    let correction = number.filter(|_| national.is_none()).map(|_| annotation.number.clone());
    let reason = format!("it begins with {}, its place in a list; remove it", annotation.note);
    Some(NumberFault::new(FaultKind::ListNumber, reason).with_correction(correction))
}

/// The fault of digits after a number.
fn note_fault(
    annotation: &Annotation,
    whole: Option<&RecipientFacts>,
    country: NumberCountry<'_>,
) -> Option<NumberFault> {
    let Annotation { number: text, note, is_certain, .. } = annotation;
    let whole = whole.filter(|whole| is_assigned(whole));
    let number = annotated(text, country);
    let area_first = format!("({note}) {text}");
    // The national prefix is before the area code.
    let is_local = !text.starts_with(['0', '+', '＋']);
    let with_area = annotated(&area_first, country).filter(|facts| is_local && facts.country_assumed);
    let note_after = |correction: Option<&String>| {
        let reason = format!("it has {note} beside it; remove what is not the number");
        Some(NumberFault::new(FaultKind::Note, reason).with_correction(correction.cloned()))
    };
    match (number, with_area) {
        (None, Some(_)) if *is_certain || whole.is_none() => {
            let reason = format!("the area code is at its end; write it first: {area_first}");
            Some(NumberFault::new(FaultKind::AreaCodeLast, reason).with_correction(Some(area_first)))
        }
        (Some(_), None) if *is_certain => note_after(Some(text)),
        _ if *is_certain => note_after(None),
        (Some(number), _) if is_reachable(&number) && whole.is_none_or(|whole| whole.digits != number.digits) => {
            note_after(Some(text).filter(|_| whole.is_none()))
        }
        _ => None,
    }
}

/// Whether a number is in a range of its country's plan.
fn is_assigned(facts: &RecipientFacts) -> bool {
    facts.kind.is_some_and(|kind| kind != NumberKind::Unknown)
}

/// Reads digits as a number of a country, and as one with the code of its country if that is the only reading, or the
/// likelier one.
fn of_country(digits: &str, country: &str) -> Result<RecipientFacts, NumberFault> {
    let code = DATABASE.by_id(country).map(|plan| plan.country_code().to_string()).unwrap_or_default();
    let has_code = digits.starts_with(&code);
    let national = facts_of(&format!("{code}{digits}"));
    let international = facts_of(digits);
    let national_reading = |facts: RecipientFacts| RecipientFacts { country_assumed: true, ..facts };
    let known = |facts: &Result<RecipientFacts, NumberFault>| facts.as_ref().ok().cloned().filter(is_assigned);
    match (known(&national), known(&international)) {
        (Some(national), Some(international)) if national.digits == international.digits => Ok(international),
        // Exports write numbers with their code, and no landline gets messages. So a landline that begins with the
        // digits of the code and is written without its national prefix is read as another number; it is offered.
        (Some(national), Some(international)) if has_code && !is_reachable(&national) => {
            Ok(RecipientFacts { other_reading: reading_of(&national), ..international })
        }
        (Some(national), international) => Ok(RecipientFacts {
            other_reading: international.as_ref().and_then(reading_of),
            ..national_reading(national)
        }),
        // A spelling that the country had before: a Brazilian mobile without its ninth digit is not one of Norway.
        (None, international) if !has_code && is_of_a_person(&national) => national.map(|national| RecipientFacts {
            other_reading: international.as_ref().and_then(reading_of),
            ..national_reading(national)
        }),
        // A number as people dial it at home is not the short number of another country.
        (None, _) if !has_code && is_local(&national) => national,
        (None, Some(international)) => Ok(international),
        // The channel's identifier of a person whose current number is in the plan.
        (None, None) if is_of_a_person(&national) => national.map(national_reading),
        // Outside all ranges: a warning, not an error.
        (None, None) if has_code && international.is_ok() => international,
        (None, None) => national.map(national_reading).or_else(|fault| international.map_err(|_| fault)),
    }
}

/// Whether a spelling of the number is in the plan.
fn is_of_a_person(national: &Result<RecipientFacts, NumberFault>) -> bool {
    national.as_ref().is_ok_and(|facts| has_spelling(facts, is_assigned))
}

/// Whether a number has no area code.
fn is_local(national: &Result<RecipientFacts, NumberFault>) -> bool {
    matches!(national, Err(NumberFault { kind: FaultKind::NoAreaCode, .. }))
}

fn reading_of(facts: &RecipientFacts) -> Option<NumberReading> {
    let digits = facts.digits.clone()?;
    Some(NumberReading { formatted: notation_of(&digits)?, country: facts.country.clone(), digits })
}

#[cfg(test)]
mod tests {
    use phonenumber::Mode;

    use super::*;

    fn digits_of(typed: &str, country: &str) -> Option<String> {
        read(typed, NumberCountry::from(country)).ok().and_then(|facts| facts.digits)
    }

    #[test]
    fn numbers_of_the_default_country_are_read_as_people_write_them() {
        for (country, typed, digits) in [
            ("BR", "(33) 98765-4321", "5533987654321"),
            ("BR", "33987654321", "5533987654321"),
            ("BR", "(11) 91234-5678", "5511912345678"),
            ("BR", "011 91234-5678", "5511912345678"),
            ("BR", "(51) 98765-4321", "5551987654321"),
            ("BR", "(55) 99123-4567", "5555991234567"),
            ("BR", "11 3333-4444", "551133334444"),
            // Without the ninth digit, with the area codes that are country codes of numbers of eight digits.
            ("BR", "(47) 9123-4567", "554791234567"),
            ("BR", "(45) 9123-4567", "554591234567"),
            ("BR", "(65) 9123-4567", "556591234567"),
            ("BR", "65 8123-4567", "556581234567"),
            ("BR", "(51) 6563-3066", "555165633066"),
            ("PT", "912 345 678", "351912345678"),
            ("DE", "0171 1234567", "491711234567"),
            ("DE", "0171/1234567", "491711234567"),
            ("FR", "06.12.34.56.78", "33612345678"),
            ("FR", "6 12 34 56 78", "33612345678"),
            ("GB", "07400 123456", "447400123456"),
            ("US", "(650) 253-0000", "16502530000"),
            ("US", "604 555 0123", "16045550123"),
            ("RU", "8 (912) 345-67-89", "79123456789"),
            ("IT", "347 123 4567", "393471234567"),
            ("IT", "02 1234 5678", "390212345678"),
            ("AR", "011 15-2345-6789", "5491123456789"),
            ("AR", "011 15-1234-5678", "5491112345678"),
            ("MX", "55 1234 5678", "525512345678"),
            ("IN", "098765 43210", "919876543210"),
            ("ES", "612 34 56 78", "34612345678"),
            ("CI", "07 07 12 34 56", "2250707123456"),
            ("DK", "20 12 34 56", "4520123456"),
        ] {
            assert_eq!(digits_of(typed, country).as_deref(), Some(digits), "{typed}, {country}");
            let facts = read(typed, NumberCountry::Of(country)).ok().unwrap_or_default();
            assert!(facts.country_assumed, "{typed}");
        }
    }

    #[test]
    fn numbers_with_a_country_code_are_read_whatever_the_default_country_is() {
        for (country, typed, digits) in [
            ("BR", "+33 9 87 65 43 21", "33987654321"),
            ("BR", "0033 9 87 65 43 21", "33987654321"),
            ("BR", "5511987654321", "5511987654321"),
            ("BR", "55 11 98765-4321", "5511987654321"),
            ("BR", "551187654321", "551187654321"),
            ("BR", "351912345678", "351912345678"),
            ("BR", "447700900123", "447700900123"),
            ("BR", "14155552671", "14155552671"),
            ("DE", "4915123456789", "4915123456789"),
            ("DE", "491711234567", "491711234567"),
            ("US", "5511987654321", "5511987654321"),
            ("US", "1-650-253-0000", "16502530000"),
            ("PT", "351912345678", "351912345678"),
            ("IT", "393471234567", "393471234567"),
            ("IN", "919876543210", "919876543210"),
            ("MX", "5215512345678", "5215512345678"),
            ("ID", "628123456789", "628123456789"),
            ("+", "33987654321", "33987654321"),
            ("+", "(55) 11 98765-4321", "5511987654321"),
        ] {
            assert_eq!(digits_of(typed, country).as_deref(), Some(digits), "{typed}, {country}");
            let facts = read(typed, NumberCountry::from(country)).ok().unwrap_or_default();
            assert!(!facts.country_assumed, "{typed}");
        }
    }

    #[test]
    fn numbers_are_read_whole() {
        for (country, typed, digits) in [
            ("AD", "376312345", "376312345"),
            ("PM", "508551234", "508551234"),
            ("BR", "(11) 71234-5678", "5511712345678"),
            // Without the ninth digit, of an area code that is the country code, too.
            ("BR", "(55) 9123-4567", "555591234567"),
            ("BR", "(55) 8123-4567", "555581234567"),
            ("BR", "(55) 6123-4567", "555561234567"),
            ("BR", "(11) 9123-4567", "551191234567"),
        ] {
            assert_eq!(digits_of(typed, country).as_deref(), Some(digits), "{typed}, {country}");
        }
    }

    #[test]
    fn the_examples_of_all_countries_are_read_in_all_their_notations() {
        let mut wrong = Vec::new();
        for plan in DATABASE.iter().filter(|plan| is_country(plan.id())) {
            let descriptors = [plan.descriptors().fixed_line(), plan.descriptors().mobile()];
            for example in descriptors.into_iter().flatten().filter_map(|descriptor| descriptor.example()) {
                let digits = format!("{}{example}", plan.country_code());
                let Ok(number) = phonenumber::parse(None, format!("+{digits}")) else { panic!("{digits}") };
                let formatted =
                    [Mode::International, Mode::National].map(|mode| number.format().mode(mode).to_string());
                for typed in [format!("+{digits}"), digits.clone()].into_iter().chain(formatted) {
                    let found = digits_of(&typed, plan.id());
                    if found.as_ref() != Some(&digits) {
                        wrong.push(format!("{} {typed}: {found:?}", plan.id()));
                    }
                }
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    #[test]
    fn former_prefixes_are_corrected() {
        for (country, typed, correction) in [
            ("MX", "044 55 1234 5678", Some("+52 55 1234 5678")),
            ("MX", "045 55 1234 5678", Some("+52 55 1234 5678")),
            ("MX", "01 55 1234 5678", Some("+52 55 1234 5678")),
            ("MX", "+52 01 55 1234 5678", Some("+52 55 1234 5678")),
            ("MX", "+52 044 55 1234 5678", Some("+52 55 1234 5678")),
            ("AR", "+54 9 11 15 2345-6789", Some("+54 9 11 2345-6789")),
            ("AR", "+54 9 11 15-1234-5678", Some("+54 9 11 1234-5678")),
            ("MX", "044 55 1234 56789", None),
        ] {
            let Err(Refusal::Fault(fault)) = read(typed, NumberCountry::Of(country)) else { panic!("{typed} is read") };
            assert_eq!(fault.correction.as_deref(), correction, "{typed}: {}", fault.reason);
        }
    }

    #[test]
    fn nothing_but_digits_has_its_country_code() {
        let brazil = NumberCountry::Of("BR");
        for (typed, country) in [
            ("33987654321", NumberCountry::Included),
            (" 33987654321 ", NumberCountry::Included),
            ("(33) 98765-4321", brazil),
            ("+33 9 87 65 43 21", brazil),
        ] {
            assert_eq!(NumberCountry::of_plain(typed, brazil), country, "{typed}");
        }
        for country in [NumberCountry::Unknown, NumberCountry::Included, brazil] {
            assert_eq!(NumberCountry::from(country.as_str()), country);
        }
    }

    #[test]
    fn a_number_with_two_readings_names_the_other_one() {
        for (country, typed, digits, other) in [
            ("BR", "(33) 98765-4321", "5533987654321", "33987654321"),
            ("BR", "51987654321", "5551987654321", "51987654321"),
            ("BR", "34912345678", "5534912345678", "34912345678"),
        ] {
            let Ok(facts) = read(typed, NumberCountry::Of(country)) else { panic!("{typed}") };
            assert_eq!(facts.digits.as_deref(), Some(digits), "{typed}");
            assert_eq!(facts.other_reading.map(|reading| reading.digits).as_deref(), Some(other), "{typed}");
        }
        for typed in ["(11) 91234-5678", "5511987654321", "+33 9 87 65 43 21"] {
            let facts = read(typed, NumberCountry::Of("BR")).ok();
            assert_eq!(facts.map(|facts| facts.other_reading), Some(None), "{typed}");
        }
    }

    #[test]
    fn a_number_without_any_country_asks_for_it() {
        for (typed, reading) in [
            ("(33) 98765-4321", Some("33987654321")),
            ("5511987654321", Some("5511987654321")),
            ("(11) 91234-5678", None),
            ("11912345678", None),
            ("91234-5678", None),
        ] {
            for country in ["", "XX", "br", "BRA"] {
                let Err(Refusal::CountryUnknown(found)) = read(typed, NumberCountry::from(country)) else {
                    panic!("{typed} is read")
                };
                assert_eq!(found.map(|reading| reading.digits).as_deref(), reading, "{typed}");
            }
        }
        assert!(matches!(read("12", NumberCountry::Unknown), Err(Refusal::Fault(_))));
        assert!(matches!(read("628123456789.0", NumberCountry::Unknown), Err(Refusal::Fault(_))));
    }

    #[test]
    fn countries_are_listed_once_with_their_calling_code() {
        let countries = countries();
        let code = |country: &str| {
            let found: Vec<_> = countries.iter().filter(|found| found.code == country).collect();
            found.first().map(|first| (first.calling_code.clone(), found.len()))
        };
        assert_eq!(code("BR"), Some(("55".to_owned(), 1)));
        assert_eq!(code("CA"), Some(("1".to_owned(), 1)));
        assert_eq!(code("001"), None);
        assert!(countries.len() > 200);
    }
}
