//! Numbers that are written without the code of their country.

use command_types::send::{NumberKind, NumberReading, RecipientFacts};
use command_types::workspace::{CODE_INCLUDED, Country, WorkspaceSettings};
use phonenumber::metadata::DATABASE;

use super::notation::{self, Fault, Notation};
use super::{facts_of, is_reachable};

/// Numbers with fewer digits are of no country.
const MIN_DIGITS: usize = 5;

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
    Fault(Fault),
    /// The country is unknown; what it is if its first digits are the country code, if that is a number.
    CountryUnknown(Option<NumberReading>),
}

impl From<Fault> for Refusal {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

pub(super) fn read(typed: &str, country: NumberCountry<'_>) -> Result<RecipientFacts, Refusal> {
    let Notation { digits, international, .. } = notation::read(typed)?;
    if international {
        return Ok(facts_of(&digits)?);
    }
    match country {
        NumberCountry::Included => Ok(facts_of(&digits)?),
        NumberCountry::Of(country) => Ok(of_country(&digits, country)?),
        NumberCountry::Unknown if digits.len() < MIN_DIGITS => {
            Err(Fault::new("tooShort", "it is too short; check its digits").into())
        }
        NumberCountry::Unknown => {
            let facts = facts_of(&digits).ok().filter(is_assigned);
            Err(Refusal::CountryUnknown(facts.as_ref().and_then(reading_of)))
        }
    }
}

/// Whether a number is in a range of its country's plan.
fn is_assigned(facts: &RecipientFacts) -> bool {
    facts.kind.is_some_and(|kind| kind != NumberKind::Unknown)
}

/// Reads digits as a number of a country, and as one with the code of its country if that is the only reading, or the
/// likelier one.
fn of_country(digits: &str, country: &str) -> Result<RecipientFacts, Fault> {
    let code = DATABASE.by_id(country).map(|plan| plan.country_code().to_string()).unwrap_or_default();
    let national = facts_of(&format!("{code}{digits}"));
    let international = facts_of(digits);
    let national_reading = |facts: RecipientFacts| RecipientFacts { country_assumed: true, ..facts };
    let known = |facts: &Result<RecipientFacts, Fault>| facts.as_ref().ok().cloned().filter(is_assigned);
    match (known(&national), known(&international)) {
        (Some(national), Some(international)) if national.digits == international.digits => Ok(international),
        // A number of the country itself that has its code: nobody leaves out the national prefix of a landline.
        (Some(national), Some(international))
            if digits.starts_with(&code) && is_reachable(&international) && !is_reachable(&national) =>
        {
            Ok(RecipientFacts { other_reading: reading_of(&national), ..international })
        }
        (Some(national), international) => Ok(RecipientFacts {
            other_reading: international.as_ref().and_then(reading_of),
            ..national_reading(national)
        }),
        (None, Some(international)) => Ok(international),
        // Outside all ranges: a warning, not an error.
        (None, None) if digits.starts_with(&code) && international.is_ok() => international,
        (None, None) => national.map(national_reading).or_else(|fault| international.map_err(|_| fault)),
    }
}

fn reading_of(facts: &RecipientFacts) -> Option<NumberReading> {
    let digits = facts.digits.clone()?;
    Some(NumberReading { formatted: facts.formatted.clone()?, country: facts.country.clone(), digits })
}

#[cfg(test)]
mod tests {
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
