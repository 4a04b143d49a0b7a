//! Checks a recipient's number against the international numbering plans, offline.

use std::borrow::Cow;

use model::send::{SendProblem, SendProblemCode};
use phonenumber::metadata::DATABASE;
use phonenumber::{Metadata, Mode, PhoneNumber, Type};

use command_types::send::{NumberKind, RecipientFacts};
use command_types::workspace::SendingNumber;

/// Field of the problems.
const FIELD: &str = "to";
/// Allowed number of digits with the country code (ITU-T E.164; in practice no country has shorter numbers).
const DIGIT_COUNT: std::ops::RangeInclusive<usize> = 8..=15;

/// The digits of a number without separators. A leading `00`, the international prefix of many countries, is removed
/// like a plus: no country code begins with 0.
pub fn digits(typed: &str) -> String {
    let digits: String = typed.chars().filter(char::is_ascii_digit).collect();
    digits.strip_prefix("00").map(str::to_owned).unwrap_or(digits)
}

/// A number in the notation of its country, with country code; `+` and the digits if it is of none. A text that is not
/// only digits, such as the identifier of a contact who hides the number, is unchanged.
pub fn formatted(digits: &str) -> String {
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return digits.to_owned();
    }
    check_recipient(digits).0.formatted.unwrap_or_else(|| format!("+{digits}"))
}

/// Parses a number as typed; returns its facts and its problem.
pub fn check_recipient(typed: &str) -> (RecipientFacts, Option<SendProblem>) {
    let nothing = RecipientFacts::default;
    if typed.trim().is_empty() {
        return (nothing(), Some(SendProblem::new(FIELD, SendProblemCode::ToMissing, &[])));
    }
    // The window translates the fault; the reason is the English text.
    let invalid = |fault: &str, reason: &str| {
        SendProblem::new(FIELD, SendProblemCode::ToInvalid, &[("reason", &reason), ("fault", &fault)])
    };
    if is_scientific(typed) {
        let problem = invalid("shortened", "a spreadsheet shortened it; format the column as text and export again");
        return (nothing(), Some(problem));
    }
    // The channel doesn't accept digits of other scripts, and dropping them would change the number.
    if let Some(letter) = typed.chars().find(|letter| letter.is_alphanumeric() && !letter.is_ascii_digit()) {
        return (nothing(), Some(invalid("letters", &format!("it has the letter {letter}"))));
    }
    let number = match read(&digits(typed)) {
        Ok(number) => number,
        Err((fault, reason)) => return (nothing(), Some(invalid(fault, reason))),
    };
    let national = number.national().to_string();
    let plans = plans(&number);
    let known = plans.iter().find_map(|plan| Some((plan.id(), kind_of(plan, &national)?)));
    // A number outside all known ranges still belongs to a country if only one country has the code.
    let country = known.map(|(country, _)| country).or(if let [plan] = *plans { Some(plan.id()) } else { None });
    let kind = known.map_or(NumberKind::Unknown, |(_, kind)| kind);
    let digits = dialled_digits(typed, &number);
    let facts = RecipientFacts {
        e164: Some(format!("+{digits}")),
        digits: Some(digits),
        formatted: Some(number.format().mode(Mode::International).to_string()),
        // International numbers without a country have a code made of digits.
        country: country.filter(|country| country.bytes().all(|byte| byte.is_ascii_uppercase())).map(str::to_owned),
        kind: Some(kind),
    };
    use NumberKind::{FixedLineOrMobile, Mobile, Personal, Voip};
    let reachable = matches!(kind, Mobile | FixedLineOrMobile | Voip | Personal);
    let problem = (!reachable).then(|| SendProblem::new(FIELD, SendProblemCode::ToKind, &[("kind", &kind)]));
    (facts, problem)
}

/// Whether a spreadsheet wrote the number in scientific notation, such as `5.5119E+12`: its last digits are lost.
fn is_scientific(typed: &str) -> bool {
    let Some((mantissa, exponent)) = typed.trim().split_once(['e', 'E']) else { return false };
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, fraction) = mantissa.split_once(['.', ',']).unwrap_or((mantissa, "0"));
    is_number(whole) && is_number(fraction) && is_number(exponent.strip_prefix('+').unwrap_or(exponent))
}

/// Reason why digits are not a valid number: a key, and the text in English.
type Fault = (&'static str, &'static str);

fn read(digits: &str) -> Result<PhoneNumber, Fault> {
    const TOO_SHORT: Fault = ("tooShort", "it is too short for its country");
    const TOO_LONG: Fault = ("tooLong", "it is too long for its country");
    if digits.len() < *DIGIT_COUNT.start() {
        return Err(("tooShort", "it is too short to have a country code"));
    }
    if digits.len() > *DIGIT_COUNT.end() {
        return Err(("tooLong", "it has more digits than any number"));
    }
    let number = phonenumber::parse(None, format!("+{}", in_current_plan(digits))).map_err(|error| match error {
        phonenumber::ParseError::TooShortAfterIdd | phonenumber::ParseError::TooShortNsn => TOO_SHORT,
        phonenumber::ParseError::TooLong => TOO_LONG,
        _ => ("noCountry", "it does not begin with the code of a country"),
    })?;
    let length = number.national().to_string().len();
    let plans = plans(&number);
    let descriptors =
        || plans.iter().flat_map(|plan| KINDS.iter().filter_map(|(kind, _)| plan.descriptors().get(*kind)));
    let lengths =
        || descriptors().flat_map(|descriptor| descriptor.possible_length()).map(|length| usize::from(*length));
    if lengths().any(|possible| possible == length) || lengths().next().is_none() {
        return Ok(number);
    }
    Err(if lengths().all(|possible| possible < length) { TOO_LONG } else { TOO_SHORT })
}

/// The digits in the current numbering plan. The channel uses the previous plan for Mexico, which has a 1 after the
/// country code (upstream §6).
fn in_current_plan(digits: &str) -> Cow<'_, str> {
    match digits.strip_prefix("521") {
        Some(national) if national.len() == 10 => format!("52{national}").into(),
        _ => digits.into(),
    }
}

/// The digits as typed, without national prefixes that are not dialled from abroad: a leading zero, and digits without
/// which the number matches a known kind and with which it doesn't.
fn dialled_digits(typed: &str, number: &PhoneNumber) -> String {
    let typed = digits(typed);
    let code = number.code().value().to_string();
    let national = number.national().to_string();
    let planned = in_current_plan(&typed);
    let Some(within) = planned.strip_prefix(&code).filter(|within| *within != national) else { return typed };
    let has_kind = |national: &str| plans(number).iter().any(|plan| kind_of(plan, national).is_some());
    let zero = within.starts_with('0') && !national.starts_with('0');
    if zero || has_kind(&national) && !has_kind(within) { format!("{code}{national}") } else { typed }
}

/// The numbering plans of a country code, the main one first.
fn plans(number: &PhoneNumber) -> Vec<&'static Metadata> {
    DATABASE.by_code(&number.country().code()).unwrap_or_default()
}

/// Kinds of numbers: special ones first, since their ranges are inside those of the others.
const KINDS: [(Type, NumberKind); 10] = [
    (Type::PremiumRate, NumberKind::PremiumRate),
    (Type::TollFree, NumberKind::TollFree),
    (Type::SharedCost, NumberKind::SharedCost),
    (Type::Voip, NumberKind::Voip),
    (Type::PersonalNumber, NumberKind::Personal),
    (Type::Pager, NumberKind::Pager),
    (Type::Uan, NumberKind::Uan),
    (Type::Voicemail, NumberKind::Voicemail),
    (Type::FixedLine, NumberKind::FixedLine),
    (Type::Mobile, NumberKind::Mobile),
];

/// The kind of a number in a plan; `None` outside of all its ranges.
///
/// The library's own function loses the leading zero of Italian numbers.
fn kind_of(plan: &Metadata, national: &str) -> Option<NumberKind> {
    let is = |kind: Type| plan.descriptors().get(kind).is_some_and(|descriptor| descriptor.is_match(national));
    let (_, kind) = KINDS.into_iter().find(|(kind, _)| is(*kind))?;
    let is_either = kind == NumberKind::FixedLine && is(Type::Mobile);
    Some(if is_either { NumberKind::FixedLineOrMobile } else { kind })
}

/// A problem if the recipient is the sending number itself (131021). `number` is an identifier, which may be the phone
/// number; the label often is.
pub fn own_problem(to: &RecipientFacts, number: &str, numbers: &[SendingNumber]) -> Option<SendProblem> {
    let to = to.digits.as_deref()?;
    let label = numbers.iter().find(|known| known.id == number.trim()).map(|known| known.label.as_str());
    let is_own = [Some(number), label].into_iter().flatten().any(|known| digits(known) == to);
    is_own.then(|| SendProblem::new(FIELD, SendProblemCode::ToOwn, &[]))
}

/// A problem for marketing to the United States, which is not delivered (upstream §4.3).
pub fn country_problem(to: &RecipientFacts, marketing: bool) -> Option<SendProblem> {
    (marketing && to.country.as_deref() == Some("US")).then(|| SendProblem::new(FIELD, SendProblemCode::ToCountry, &[]))
}

/// Alternative numbers under which the channel may know a recipient: numbers of Brazil and Mexico can have one digit
/// more or less than typed (upstream §6).
pub fn alternative_numbers(digits: &str) -> Vec<String> {
    let mut known = vec![digits.to_owned()];
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return known;
    }
    match (digits.get(..2), digits.len()) {
        (Some("55"), 13) if digits.as_bytes()[4] == b'9' => known.push(format!("{}{}", &digits[..4], &digits[5..])),
        (Some("55"), 12) => known.push(format!("{}9{}", &digits[..4], &digits[4..])),
        (Some("52"), 13) if digits.as_bytes()[2] == b'1' => known.push(format!("52{}", &digits[3..])),
        (Some("52"), 12) => known.push(format!("521{}", &digits[2..])),
        _ => {}
    }
    known
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
            let (facts, problem) = check_recipient(typed);
            let found = [&facts.digits, &facts.formatted, &facts.country].map(|fact| fact.as_deref());
            assert_eq!(found, [digits, formatted, country].map(Some), "{typed}");
            assert_eq!(facts.kind, NumberKind::of(kind), "{typed}");
            assert_eq!(facts.e164, Some(format!("+{digits}")));
            let unlikely = matches!(kind, "fixedLine" | "unknown");
            assert_eq!(problem.map(|problem| problem.code), unlikely.then_some(SendProblemCode::ToKind), "{typed}");
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
            ("5.5119E+", "letters", "the letter E"),
            ("55119123456789", "tooLong", "too long for its country"),
            ("55119123", "tooShort", "too short for its country"),
            ("055 11 91234 5678", "noCountry", "code of a country"),
            ("00", "tooShort", "too short to have"),
            ("9991234567890", "noCountry", "code of a country"),
            ("1234567890123456", "tooLong", "more digits"),
            ("٠١٢٣٤٥٦٧٨٩", "letters", "the letter ٠"),
            // Dropping the digit would change the number.
            ("5511٩12345678", "letters", "the letter ٩"),
            ("52155123456789", "tooLong", "too long for its country"),
        ] {
            let (facts, problem) = check_recipient(typed);
            assert_eq!(facts, RecipientFacts::default(), "{typed}");
            let Some(problem) = problem else { panic!("{typed} is no number") };
            assert_eq!(problem.code, SendProblemCode::ToInvalid, "{typed}");
            assert_eq!(problem.values.get("fault").map(String::as_str), Some(fault), "{typed}");
            assert!(problem.message.contains(reason), "{typed}: {}", problem.message);
        }
        assert_eq!(check_recipient(" ").1.map(|problem| problem.code), Some(SendProblemCode::ToMissing));
    }

    #[test]
    fn sends_to_the_own_number_are_reported() {
        let (to, _) = check_recipient("+55 11 91234-5678");
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
            let (facts, _) = check_recipient(typed);
            assert_eq!(country_problem(&facts, marketing).is_some(), warned, "{typed}");
        }
    }

    #[test]
    fn numbers_with_an_optional_digit_are_equivalent() {
        for (digits, other) in [
            ("5511912345678", Some("551112345678")),
            ("551112345678", Some("5511912345678")),
            ("5215512345678", Some("525512345678")),
            ("525512345678", Some("5215512345678")),
            ("16502530000", None),
            ("", None),
        ] {
            let known = alternative_numbers(digits);
            assert_eq!((known[0].as_str(), known.get(1).map(String::as_str)), (digits, other));
        }
    }
}
