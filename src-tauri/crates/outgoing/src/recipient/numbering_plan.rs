//! Numbers in the numbering plans of the countries.

use command_types::send::NumberKind;
use phonenumber::metadata::DATABASE;
use phonenumber::{Metadata, PhoneNumber, Type};

use super::alternatives::in_current_plan;
use super::notation::Fault;

/// Allowed number of digits with the country code (ITU-T E.164; in practice no country has shorter numbers).
const DIGIT_COUNT: std::ops::RangeInclusive<usize> = 8..=15;

const TOO_SHORT: (&str, &str) = ("tooShort", "it is too short for its country; check its digits");
const TOO_LONG: (&str, &str) = ("tooLong", "it is too long for its country; check its digits");

/// Parses digits that begin with the code of a country.
pub(super) fn read(digits: &str) -> Result<PhoneNumber, Fault> {
    let fault = |(key, reason): (&'static str, &str)| Fault::new(key, reason);
    if digits.len() < *DIGIT_COUNT.start() {
        return Err(Fault::new(
            "tooShort",
            "it is too short to have a country code; include it, such as +55 11 91234-5678",
        ));
    }
    if digits.len() > *DIGIT_COUNT.end() {
        return Err(Fault::new("tooLong", "it has more digits than any number; check whether there are two"));
    }
    let number = phonenumber::parse(None, format!("+{}", in_current_plan(digits))).map_err(|error| match error {
        phonenumber::ParseError::TooShortAfterIdd | phonenumber::ParseError::TooShortNsn => fault(TOO_SHORT),
        phonenumber::ParseError::TooLong => fault(TOO_LONG),
        _ => Fault::new(
            "noCountry",
            "it does not begin with the code of a country; include it, such as +55 11 91234-5678",
        ),
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
    Err(fault(if lengths().all(|possible| possible < length) { TOO_LONG } else { TOO_SHORT }))
}

/// The digits without national prefixes that are not dialled from abroad: a leading zero, and digits without
/// which the number matches a known kind and with which it doesn't.
pub(super) fn dialled_digits(digits: &str, number: &PhoneNumber) -> String {
    let code = number.code().value().to_string();
    let national = number.national().to_string();
    let planned = in_current_plan(digits);
    let Some(within) = planned.strip_prefix(&code).filter(|within| *within != national) else {
        return digits.to_owned();
    };
    let has_kind = |national: &str| plans(number).iter().any(|plan| kind_of(plan, national).is_some());
    let zero = within.starts_with('0') && !national.starts_with('0');
    if zero || has_kind(&national) && !has_kind(within) { format!("{code}{national}") } else { digits.to_owned() }
}

/// The numbering plans of a country code, the main one first.
pub(super) fn plans(number: &PhoneNumber) -> Vec<&'static Metadata> {
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
pub(super) fn kind_of(plan: &Metadata, national: &str) -> Option<NumberKind> {
    let is = |kind: Type| plan.descriptors().get(kind).is_some_and(|descriptor| descriptor.is_match(national));
    let (_, kind) = KINDS.into_iter().find(|(kind, _)| is(*kind))?;
    let is_either = kind == NumberKind::FixedLine && is(Type::Mobile);
    Some(if is_either { NumberKind::FixedLineOrMobile } else { kind })
}
