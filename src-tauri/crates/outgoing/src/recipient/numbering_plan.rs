//! Numbers in the numbering plans of the countries.

use std::collections::HashMap;
use std::sync::{LazyLock, OnceLock};

use command_types::send::NumberKind;
use phonenumber::metadata::{DATABASE, Descriptor};
use phonenumber::{Metadata, PhoneNumber, Type};
use regex::{Regex, RegexBuilder};

use super::alternatives::in_current_plan;
use super::fault::{FaultKind, NumberFault};

/// Allowed number of digits with the country code: at most those of ITU-T E.164; numbers of Niue and Saint Helena have
/// the fewest.
const E164_DIGITS: std::ops::RangeInclusive<usize> = 7..=15;

/// A number with its plan.
pub(super) struct Planned {
    pub(super) number: PhoneNumber,
    /// The plans of its country code, the main one first.
    pub(super) plans: Vec<&'static Metadata>,
    /// The first of them that knows the number, and its kind.
    pub(super) known: Option<(&'static Metadata, NumberKind)>,
}

/// Parses digits that begin with the code of a country.
pub(super) fn read(digits: &str) -> Result<Planned, NumberFault> {
    let too_short = || NumberFault::new(FaultKind::TooShort, "it is too short for its country; check its digits");
    let too_long = || NumberFault::new(FaultKind::TooLong, "it is too long for its country; check its digits");
    if digits.len() < *E164_DIGITS.start() {
        let reason = "it is too short to have a country code; include it, such as +55 11 91234-5678";
        return Err(NumberFault::new(FaultKind::TooShort, reason));
    }
    if digits.len() > *E164_DIGITS.end() {
        let reason = "it has more digits than any number; check whether there are two";
        return Err(NumberFault::new(FaultKind::TooLong, reason));
    }
    let number = phonenumber::parse(None, format!("+{}", in_current_plan(digits))).map_err(|error| match error {
        phonenumber::ParseError::TooShortAfterIdd | phonenumber::ParseError::TooShortNsn => too_short(),
        phonenumber::ParseError::TooLong => too_long(),
        _ if has_country_code(digits) => {
            let reason = "the digits after its country code are no number; check them";
            NumberFault::new(FaultKind::AfterCode, reason)
        }
        _ => {
            let reason = "it does not begin with the code of a country; include it, such as +55 11 91234-5678";
            NumberFault::new(FaultKind::NoCountry, reason)
        }
    })?;
    let national = number.national().to_string();
    let plans = plans(&number);
    let known = plans.iter().find_map(|plan| Some((*plan, kind_of(plan, &national)?)));
    if known.is_some() {
        return Ok(Planned { number, plans, known });
    }
    // A new range of numbers has the length of the others. Special numbers have lengths of their own, such as Brazil's
    // toll-free ones with nine digits: a mobile without its area code would be taken for one.
    let descriptors = |kinds: &[Type]| -> Vec<&Descriptor> {
        plans.iter().flat_map(|plan| kinds.iter().filter_map(|kind| plan.descriptors().get(*kind))).collect()
    };
    let ordinary = descriptors(&[Type::FixedLine, Type::Mobile]);
    let described = if ordinary.is_empty() { descriptors(&KINDS.map(|(kind, _)| kind)) } else { ordinary };
    let has = |lengths: &[u16]| lengths.iter().any(|length| usize::from(*length) == national.len());
    let mut lengths = described.iter().flat_map(|descriptor| descriptor.possible_length()).peekable();
    if lengths.peek().is_none() || described.iter().any(|descriptor| has(descriptor.possible_length())) {
        return Ok(Planned { number, plans, known });
    }
    if described.iter().any(|descriptor| has(descriptor.possible_local_length())) {
        return Err(NumberFault::new(FaultKind::NoAreaCode, "it has no area code; write it before the number"));
    }
    Err(if lengths.all(|length| usize::from(*length) < national.len()) { too_long() } else { too_short() })
}

/// Whether digits begin with the code of a country, which has at most three digits.
fn has_country_code(digits: &str) -> bool {
    let code = |length| digits.get(..length).and_then(|code: &str| code.parse::<u16>().ok());
    !digits.starts_with('0') && (1..=3).filter_map(code).any(|code| DATABASE.by_code(&code).is_some())
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
pub(super) fn kind_of(plan: &'static Metadata, national: &str) -> Option<NumberKind> {
    let is = |kind: Type| plan.descriptors().get(kind).is_some_and(|descriptor| is_of(descriptor, national));
    let (_, kind) = KINDS.into_iter().find(|(kind, _)| is(*kind))?;
    let is_either = kind == NumberKind::FixedLine && is(Type::Mobile);
    Some(if is_either { NumberKind::FixedLineOrMobile } else { kind })
}

/// The patterns of all plans. Each is compiled when a number is first compared with it.
static PATTERNS: LazyLock<HashMap<&'static str, OnceLock<Option<Regex>>>> = LazyLock::new(|| {
    let descriptors = |plan: &'static Metadata| KINDS.iter().filter_map(|(kind, _)| plan.descriptors().get(*kind));
    DATABASE
        .iter()
        .flat_map(descriptors)
        .map(|descriptor| (descriptor.national_number().as_str(), OnceLock::new()))
        .collect()
});

/// Whether a national number is of a kind.
///
/// The library's `Descriptor::is_match` compares only the beginning: (11) 71234-5678 was a Brazilian mobile, because
/// 11 7123-4567 is one. The end of that match is no help, since the first alternative of a pattern wins over a longer one.
fn is_of(descriptor: &'static Descriptor, national: &str) -> bool {
    let lengths = descriptor.possible_length();
    if !lengths.is_empty() && !lengths.iter().any(|length| usize::from(*length) == national.len()) {
        return false;
    }
    let pattern = descriptor.national_number().as_str();
    let whole = || RegexBuilder::new(&format!("^(?:{pattern})$")).ignore_whitespace(true).unicode(false).build().ok();
    let compiled = PATTERNS.get(pattern).and_then(|compiled| compiled.get_or_init(whole).as_ref());
    compiled.is_some_and(|compiled| compiled.is_match(national))
}
