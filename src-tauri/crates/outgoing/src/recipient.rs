//! Checks a recipient's number against the international numbering plans, offline.

mod alternatives;
mod annotation;
mod characters;
mod country;
mod fault;
mod former_prefixes;
mod notation;
mod numbering_plan;

use model::event::identity::is_user_id;
use model::send::{SendProblem, SendProblemCode};
use model::vocabulary::Category;
use phonenumber::{Metadata, Mode};

use command_types::send::{NumberKind, NumberReading, RecipientFacts};
use command_types::workspace::{SendingNumber, WorkspaceSettings};

pub use self::alternatives::{alternative_numbers, person_key, spellings, with_ninth_digit};
use self::characters::MIN_NUMBER_DIGITS;
use self::country::Refusal;
pub use self::country::{NumberCountry, countries, is_country};
use self::fault::{FaultKind, NumberFault};
use self::former_prefixes::without_former_prefix;
use self::numbering_plan::{Planned, dialled_digits};

/// Field of the problems.
const FIELD: &str = "to";

/// The digits to search for: those of the number with its country code, or all digits of a text that is no number, such
/// as a part of one. A user id is searched for as it is.
pub fn digits(typed: &str, country: NumberCountry<'_>) -> String {
    if is_user_id(typed.trim()) {
        return typed.trim().to_owned();
    }
    match country::read(typed, country) {
        Ok(facts) => facts.digits.unwrap_or_default(),
        Err(Refusal::CountryUnknown(Some(reading))) => reading.digits,
        Err(_) => digits_in(typed),
    }
}

fn digits_in(text: &str) -> String {
    text.chars().filter(char::is_ascii_digit).collect()
}

/// Whether a number is written as the contract has it: nothing but digits, which begin with the country code.
fn is_plain(typed: &str) -> bool {
    notation::read(typed).is_ok_and(|notation| notation.plain)
}

/// A text for a number that is read the same whatever the country of numbers without country code is: the typed one if
/// it has a country code. A user id stays as it is.
pub fn explicit(typed: &str, digits: &str) -> String {
    if is_user_id(digits) {
        return digits.to_owned();
    }
    let is_explicit = notation::read(typed).is_ok_and(|notation| notation.international);
    if is_explicit || digits.is_empty() { typed.to_owned() } else { format!("+{digits}") }
}

/// Whether a text is written like a number, or is a number that was written wrongly or changed by a spreadsheet. The name
/// of a column is not.
pub fn is_number_like(text: &str) -> bool {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    if digits < MIN_NUMBER_DIGITS {
        return false;
    }
    match notation::read(text) {
        Ok(_) => true,
        Err(NumberFault { kind: FaultKind::Letters | FaultKind::OtherDigits | FaultKind::Character, .. }) => {
            digits * 2 >= text.chars().filter(|c| !c.is_whitespace()).count()
        }
        Err(NumberFault { kind, .. }) => kind != FaultKind::Date,
    }
}

/// A number in the notation of its country, with country code; `+` and the digits if it is of none. A text that is not
/// only digits, such as the identifier of a contact who hides the number, is unchanged.
pub fn formatted(digits: &str) -> String {
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return digits.to_owned();
    }
    notation_of(digits).unwrap_or_else(|| format!("+{digits}"))
}

/// A number in a notation with country code that is read as the same digits, whatever the country of other numbers is.
/// The notation of its country leaves out what is not dialled any more, such as the 1 of mobiles in Mexico.
pub fn exact_notation(digits: &str) -> String {
    let notation = formatted(digits);
    let is_same = |text: &str| read_recipient(text, NumberCountry::Included).0.digits.as_deref() == Some(digits);
    if is_same(&notation) {
        return notation;
    }
    // Spreadsheets keep digits with a blank between them as they are.
    let spaced = digits.split_at_checked(2).map(|(first, rest)| format!("+{first} {rest}"));
    spaced.filter(|text| is_same(text)).unwrap_or(notation)
}

/// The international notation of digits that begin with the code of a country.
fn notation_of(digits: &str) -> Option<String> {
    let number = numbering_plan::read(digits).ok()?.number;
    Some(number.format().mode(Mode::International).to_string())
}

/// Whether digits are a number in a known range of a country, with its code.
pub fn is_whole_number(digits: &str) -> bool {
    facts_of(digits).is_ok_and(|facts| facts.kind.is_some_and(|kind| kind != NumberKind::Unknown))
}

/// ISO 3166 code of the country of a number, given by its digits.
pub fn country_of(digits: &str) -> Option<String> {
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    facts_of(digits).ok()?.country
}

/// Parses a number as typed; returns its facts and its problem.
pub fn check_recipient(typed: &str, country: NumberCountry<'_>) -> (RecipientFacts, Option<SendProblem>) {
    let (facts, problem) = read_recipient(typed, country);
    (with_notation(facts), problem)
}

fn with_notation(facts: RecipientFacts) -> RecipientFacts {
    RecipientFacts { formatted: facts.digits.as_deref().and_then(notation_of), ..facts }
}

/// As [`check_recipient`], without the international notation, which takes as long as everything else together.
pub fn read_recipient(typed: &str, country: NumberCountry<'_>) -> (RecipientFacts, Option<SendProblem>) {
    if typed.trim().is_empty() {
        return (RecipientFacts::default(), Some(SendProblem::new(FIELD, SendProblemCode::ToMissing, &[])));
    }
    match country::read(typed, country) {
        Ok(facts) => {
            let problem = kind_problem(&facts);
            (facts, problem)
        }
        Err(Refusal::Fault(fault)) => (RecipientFacts::default(), Some(invalid(&fault))),
        Err(Refusal::CountryUnknown(reading)) => (RecipientFacts::default(), Some(country_unknown(reading.as_ref()))),
    }
}

/// Parses a recipient of a message as typed: a number or, where the provider takes it, a user id.
pub fn check_addressee(
    typed: &str,
    country: Option<&str>,
    settings: &WorkspaceSettings,
) -> (RecipientFacts, Option<SendProblem>) {
    let (facts, problem) = read_addressee(typed, country, settings);
    (with_notation(facts), problem)
}

/// As [`check_addressee`], without the international notation: of a hundred thousand rows a few are shown.
pub fn read_addressee(
    typed: &str,
    country: Option<&str>,
    settings: &WorkspaceSettings,
) -> (RecipientFacts, Option<SendProblem>) {
    let id = typed.trim();
    if !is_user_id(id) {
        return read_recipient(typed, NumberCountry::of(country, settings));
    }
    if settings.takes_user_ids {
        return (RecipientFacts { user_id: Some(id.to_owned()), ..RecipientFacts::default() }, None);
    }
    (RecipientFacts::default(), Some(SendProblem::new(FIELD, SendProblemCode::ToUserId, &[])))
}

/// A problem for templates that the channel sends to numbers only (upstream §14.6).
pub fn user_id_problem(to: &RecipientFacts, category: &Category) -> Option<SendProblem> {
    (to.user_id.is_some() && *category == Category::Authentication)
        .then(|| SendProblem::new(FIELD, SendProblemCode::ToUserIdAuthentication, &[]))
}

/// The problem of a number whose country nobody has said, with the number that it would be with its first digits as the
/// country code. The window translates it and offers that reading.
fn country_unknown(reading: Option<&NumberReading>) -> SendProblem {
    let formatted = reading.map(|reading| reading.formatted.as_str());
    let digits = reading.map(|reading| reading.digits.as_str()).unwrap_or_default();
    let country = reading.and_then(|reading| reading.country.as_deref()).unwrap_or_default();
    let sentence = formatted.map_or_else(String::new, |formatted| {
        let country = if country.is_empty() { String::new() } else { format!(" ({country})") };
        format!(" If its first digits are the country code, it is {formatted}{country}.")
    });
    let formatted = formatted.unwrap_or_default();
    let values: [(&str, &dyn std::fmt::Display); 4] =
        [("reading", &sentence), ("formatted", &formatted), ("digits", &digits), ("country", &country)];
    SendProblem::new(FIELD, SendProblemCode::ToCountryUnknown, &values)
}

/// The problem of a text that is no number. The window translates the fault and offers the correction; the reason is
/// the English text.
fn invalid(fault: &NumberFault) -> SendProblem {
    let key = fault.kind.as_str();
    let mut values: Vec<(&str, &dyn std::fmt::Display)> = vec![("reason", &fault.reason), ("fault", &key)];
    if let Some(correction) = &fault.correction {
        values.push(("correction", correction));
    }
    if let Some(character) = &fault.character {
        values.push(("character", character));
    }
    SendProblem::new(FIELD, SendProblemCode::ToInvalid, &values)
}

/// A warning for numbers that are not of a person who could use the channel. The channel's identifier of a mobile may
/// look like another number: those of Argentina have no 9.
fn kind_problem(facts: &RecipientFacts) -> Option<SendProblem> {
    let kind = facts.kind.unwrap_or(NumberKind::Unknown);
    (!has_spelling(facts, is_reachable)).then(|| SendProblem::new(FIELD, SendProblemCode::ToKind, &[("kind", &kind)]))
}

fn is_reachable(facts: &RecipientFacts) -> bool {
    use NumberKind::{FixedLineOrMobile, Mobile, Personal, Voip};
    matches!(facts.kind, Some(Mobile | FixedLineOrMobile | Voip | Personal))
}

/// Whether a spelling of the person's number meets a condition.
fn has_spelling(facts: &RecipientFacts, condition: fn(&RecipientFacts) -> bool) -> bool {
    let others = || alternative_numbers(facts.digits.as_deref().unwrap_or_default()).into_iter().skip(1);
    condition(facts) || others().any(|other| facts_of(&other).is_ok_and(|other| condition(&other)))
}

/// Facts about digits that begin with the code of a country.
fn facts_of(digits: &str) -> Result<RecipientFacts, NumberFault> {
    let Planned { number, plans, known } = numbering_plan::read(digits).map_err(|fault| {
        let number = without_former_prefix(digits).and_then(|digits| notation_of(&digits));
        fault.with_correction(number)
    })?;
    // A number outside all known ranges still belongs to a country if only one country has the code.
    let plan = known.map(|(plan, _)| plan).or(if let [plan] = *plans { Some(plan) } else { None });
    let country = plan.map(Metadata::id);
    let digits = dialled_digits(digits, &number);
    Ok(RecipientFacts {
        digits: Some(digits),
        // International numbers without a country have a code made of digits.
        country: country.filter(|country| country.bytes().all(|byte| byte.is_ascii_uppercase())).map(str::to_owned),
        kind: Some(known.map_or(NumberKind::Unknown, |(_, kind)| kind)),
        ..RecipientFacts::default()
    })
}

/// A problem if the recipient is the sending number itself (131021). `number` is an identifier, which may be the phone
/// number; the label often is.
pub fn own_problem(to: &RecipientFacts, number: &str, numbers: &[SendingNumber]) -> Option<SendProblem> {
    let to = to.digits.as_deref()?;
    let label = numbers.iter().find(|known| known.id == number.trim()).map(|known| known.label.as_str());
    let mut own = [Some(number), label].into_iter().flatten().map(digits_in);
    let spellings = alternative_numbers(to);
    let is_own = own.any(|own| spellings.contains(&own));
    is_own.then(|| SendProblem::new(FIELD, SendProblemCode::ToOwn, &[]))
}

/// A problem for marketing to the United States, which is not delivered (upstream §4.3).
pub fn country_problem(to: &RecipientFacts, marketing: bool) -> Option<SendProblem> {
    (marketing && to.country.as_deref() == Some("US")).then(|| SendProblem::new(FIELD, SendProblemCode::ToCountry, &[]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_in_common_notations() {
        for (typed, digits, formatted, country, kind) in [
            ("+55 (11) 91234-5678", "5511912345678", "+55 11 91234-5678", "BR", "mobile"),
            ("5511912345678", "5511912345678", "+55 11 91234-5678", "BR", "mobile"),
            ("+55 11 3071 0000", "551130710000", "+55 11 3071-0000", "BR", "fixedLine"),
            // Without the ninth digit; the channel may still know the number.
            ("55 11 9123-4567", "551191234567", "+55 1191234567", "BR", "unknown"),
            ("+1 650 253 0000", "16502530000", "+1 650-253-0000", "US", "fixedLineOrMobile"),
            ("+1 (604) 555-0123", "16045550123", "+1 604-555-0123", "CA", "fixedLineOrMobile"),
            ("+49 (0) 1512 3456789", "4915123456789", "+49 1512 3456789", "DE", "mobile"),
            ("+39 02 1234 5678", "390212345678", "+39 02 1234 5678", "IT", "fixedLine"),
            ("+52 55 1234 5678", "525512345678", "+52 55 1234 5678", "MX", "fixedLineOrMobile"),
            ("+44 7400 123456", "447400123456", "+44 7400 123456", "GB", "mobile"),
            ("+351.912.345.678", "351912345678", "+351 912 345 678", "PT", "mobile"),
            ("+54 9 11 2345 6789", "5491123456789", "+54 9 11 2345-6789", "AR", "mobile"),
            // National prefixes: the 15 of Argentina, the 8 of Russia.
            ("+54 11 15-2345-6789", "5491123456789", "+54 9 11 2345-6789", "AR", "mobile"),
            ("+7 8 912 345-67-89", "79123456789", "+7 912 345-67-89", "RU", "mobile"),
            ("+7 912 345-67-89", "79123456789", "+7 912 345-67-89", "RU", "mobile"),
            // The channel uses this older form for Mexico.
            ("5215512345678", "5215512345678", "+52 55 1234 5678", "MX", "fixedLineOrMobile"),
            ("0055 11 91234-5678", "5511912345678", "+55 11 91234-5678", "BR", "mobile"),
        ] {
            let (facts, problem) = check_recipient(typed, NumberCountry::Included);
            assert_eq!(check_recipient(&format!("+{digits}"), NumberCountry::Of("FR")).0, facts, "{typed}");
            let found = [&facts.digits, &facts.formatted, &facts.country].map(|fact| fact.as_deref());
            assert_eq!(found, [digits, formatted, country].map(Some), "{typed}");
            assert_eq!(facts.kind, NumberKind::of(kind), "{typed}");
            // The same person has a mobile number: with the ninth digit.
            let unlikely = kind == "fixedLine";
            assert_eq!(problem.map(|problem| problem.code), unlikely.then_some(SendProblemCode::ToKind), "{typed}");
        }
    }

    #[test]
    fn identifiers_of_mobiles_have_no_warning() {
        for (typed, warned) in [
            ("541123456789", false),
            ("5491123456789", false),
            ("551191234567", false),
            ("551130710000", true),
            ("5511712345678", true),
            ("493012345678", true),
        ] {
            let (facts, problem) = check_recipient(typed, NumberCountry::Included);
            assert_eq!(facts.digits.as_deref(), Some(typed));
            assert_eq!(problem.map(|problem| problem.code), warned.then_some(SendProblemCode::ToKind), "{typed}");
        }
    }

    #[test]
    fn only_digits_are_formatted() {
        for (contact, shown) in [
            ("5511912345678", "+55 11 91234-5678"),
            ("551191234567", "+55 1191234567"),
            ("999", "+999"),
            ("BR.13491208655302741918", "BR.13491208655302741918"),
            ("not a number", "not a number"),
            ("", ""),
        ] {
            assert_eq!(formatted(contact), shown);
        }
    }

    #[test]
    fn invalid_numbers_are_reported() {
        for (typed, fault, reason) in [
            ("12", "tooShort", "too short to have"),
            ("11 91234-5678x", "letters", "the letter x"),
            ("+1-800-FLOWERS", "letters", "the letter F"),
            ("5.5119E+12", "shortened", "format the column as text"),
            ("5,5119e12", "shortened", "format the column as text"),
            ("628123456789.0", "decimals", "remove them: 628123456789"),
            ("5.5119E+", "letters", "the letter E"),
            ("55119123456789", "tooLong", "too long for its country"),
            ("55119123", "tooShort", "too short for its country"),
            ("055 11 91234 5678", "noCountry", "code of a country"),
            ("00", "tooShort", "too short to have"),
            ("9991234567890", "noCountry", "code of a country"),
            ("+5500000000000", "afterCode", "after its country code"),
            ("1234567890123456", "tooLong", "more digits"),
            ("٠١٢٣٤٥٦٧٨٩", "otherDigits", "the character ٠"),
            // Dropping the digit would change the number.
            ("5511٩12345678", "otherDigits", "the character ٩"),
            ("52155123456789", "tooLong", "too long for its country"),
            ("+55 11 3071-0000 ext. 5", "extension", "remove it: +55 11 3071-0000"),
        ] {
            let (facts, problem) = check_recipient(typed, NumberCountry::Included);
            assert_eq!(facts, RecipientFacts::default(), "{typed}");
            let Some(problem) = problem else { panic!("{typed} is no number") };
            assert_eq!(problem.code, SendProblemCode::ToInvalid, "{typed}");
            assert_eq!(problem.values.get("fault").map(String::as_str), Some(fault), "{typed}");
            assert!(problem.message.contains(reason), "{typed}: {}", problem.message);
        }
        assert_eq!(
            check_recipient(" ", NumberCountry::Unknown).1.map(|problem| problem.code),
            Some(SendProblemCode::ToMissing)
        );
    }

    #[test]
    fn sends_to_the_own_number_are_reported() {
        let (to, _) = check_recipient("+55 11 91234-5678", NumberCountry::Unknown);
        let (id, label) = ("100200".to_owned(), "Shop +55 11 91234-5678".to_owned());
        let numbers = [SendingNumber { id, label, ..SendingNumber::default() }];
        for (number, own) in [("5511912345678", true), ("+55 11 91234-5678", true), ("100200", true), ("100201", false)]
        {
            assert_eq!(own_problem(&to, number, &numbers).is_some(), own, "{number}");
        }
        assert_eq!(own_problem(&RecipientFacts::default(), "", &[]), None);
    }

    #[test]
    fn marketing_to_the_united_states_has_a_warning() {
        for (typed, marketing, warned) in
            [("+16502530000", true, true), ("+16502530000", false, false), ("+16045550123", true, false)]
        {
            let (facts, _) = check_recipient(typed, NumberCountry::Included);
            assert_eq!(country_problem(&facts, marketing).is_some(), warned, "{typed}");
        }
    }

    #[test]
    fn an_exact_notation_is_read_as_the_same_digits() {
        for (digits, notation) in [
            ("5511987654321", "+55 11 98765-4321"),
            ("551191234567", "+55 1191234567"),
            ("5215512345678", "+52 15512345678"),
            ("541123456789", "+54 11 2345-6789"),
            ("447400123456", "+44 7400 123456"),
        ] {
            assert_eq!(exact_notation(digits), notation);
            let read = read_recipient(notation, NumberCountry::Of("FR")).0;
            assert_eq!(read.digits.as_deref(), Some(digits), "{notation}");
        }
        assert_eq!(exact_notation("999"), "+999");
    }

    #[test]
    fn a_number_without_country_says_what_it_could_be() {
        let (facts, problem) = check_recipient("(33) 98765-4321", NumberCountry::Unknown);
        assert_eq!(facts, RecipientFacts::default(), "nothing is sent to a guess");
        let Some(problem) = problem else { panic!("it has no country") };
        assert_eq!((problem.code, problem.field.as_str()), (SendProblemCode::ToCountryUnknown, "to"));
        let values = ["formatted", "digits", "country"].map(|name| problem.values[name].as_str());
        assert_eq!(values, ["+33 9 87 65 43 21", "33987654321", "FR"]);
        assert!(problem.message.ends_with("it is +33 9 87 65 43 21 (FR)."), "{}", problem.message);
        let (_, problem) = check_recipient("(11) 91234-5678", NumberCountry::Unknown);
        assert!(problem.is_some_and(|problem| problem.message.ends_with("before the number.")));
    }

    #[test]
    fn a_number_is_repeated_as_it_was_read() {
        for (typed, digits, again) in [
            ("(33) 98765-4321", "5533987654321", "+5533987654321"),
            ("+33 9 87 65 43 21", "33987654321", "+33 9 87 65 43 21"),
            ("33987654321", "33987654321", "+33987654321"),
        ] {
            assert_eq!(explicit(typed, digits), again);
        }
    }
}
