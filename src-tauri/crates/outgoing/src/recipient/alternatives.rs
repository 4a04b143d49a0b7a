//! Numbers of one person that differ: the channel's identifier (`wa_id`) is not always the number that people dial, and
//! stays what it was when a country renumbers.

use std::borrow::Cow;

/// A country with two spellings of a number. `variant` returns the other spelling of national digits, in both
/// directions, and nothing for numbers that have one spelling only.
struct Country {
    code: &'static str,
    other: fn(&str) -> Option<String>,
    /// Number of national digits of the spelling that the numbering plan no longer has, if there is one.
    former_length: Option<usize>,
}

const BRAZIL: &str = "55";

/// Sources: upstream §6 and the channel's help on international numbers (Brazil, Mexico, Argentina); Anatel's resolution
/// 553/2010 (ninth digit of mobiles); ARTCI's numbering plan of 31 January 2021 (Côte d'Ivoire); ARCEP Bénin's plan of
/// 30 November 2024. Accounts from before a renumbering keep their identifier.
const COUNTRIES: [Country; 5] = [
    Country { code: BRAZIL, other: brazil, former_length: None },
    Country { code: "52", other: mexico, former_length: Some(11) },
    Country { code: "54", other: argentina, former_length: None },
    Country { code: "225", other: ivory_coast, former_length: Some(8) },
    Country { code: "229", other: benin, former_length: Some(8) },
];

/// All numbers of the person with this one, which comes first. Numbers of different people have no number in common.
pub fn alternative_numbers(digits: &str) -> Vec<String> {
    let mut known = vec![digits.to_owned()];
    known.extend(other_number(digits).map(|(_, other)| other));
    known
}

/// The number of a mobile of Brazil that is written without its ninth digit, with it.
pub fn with_ninth_digit(digits: &str) -> Option<String> {
    let (country, other) = other_number(digits)?;
    (country.code == BRAZIL && other.len() > digits.len()).then_some(other)
}

/// The same text for all numbers of one person.
pub fn person_key(id: &str) -> String {
    other_number(id).map(|(_, other)| other).filter(|other| other.as_str() < id).unwrap_or_else(|| id.to_owned())
}

/// All spellings of several identifiers. A number that is written in two ways has one conversation.
pub fn spellings<'a>(ids: impl IntoIterator<Item = &'a String>) -> Vec<String> {
    ids.into_iter().flat_map(|id| alternative_numbers(id)).collect()
}

/// The digits in the current numbering plan.
pub(super) fn in_current_plan(digits: &str) -> Cow<'_, str> {
    match other_number(digits) {
        Some((country, other)) if country.former_length == Some(digits.len() - country.code.len()) => other.into(),
        _ => digits.into(),
    }
}

fn other_number(digits: &str) -> Option<(&'static Country, String)> {
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    COUNTRIES.iter().find_map(|country| {
        let other = (country.other)(digits.strip_prefix(country.code)?)?;
        Some((country, format!("{}{other}", country.code)))
    })
}

/// Mobiles have a ninth digit since 2016, before the eight that begin with 6 to 9. Landlines have eight digits.
fn brazil(national: &str) -> Option<String> {
    let (area, local) = national.split_at_checked(2)?;
    let (is_long, number) = match local.len() {
        8 => (false, local),
        9 => (true, local.strip_prefix('9')?),
        _ => return None,
    };
    if !number.starts_with(['6', '7', '8', '9']) {
        return None;
    }
    Some(if is_long { format!("{area}{number}") } else { format!("{area}9{number}") })
}

/// The 1 before mobiles was abolished in 2019.
fn mexico(national: &str) -> Option<String> {
    match (national.len(), national.strip_prefix('1')) {
        (11, Some(number)) if !number.starts_with('1') => Some(number.to_owned()),
        (10, None) => Some(format!("1{national}")),
        _ => None,
    }
}

/// Mobiles have a 9 in front when they are called from abroad. A number of ten digits is given out once, as a mobile or
/// as a landline (ENACOM, Plan Fundamental de Numeración Nacional).
fn argentina(national: &str) -> Option<String> {
    match (national.len(), national.strip_prefix('9')) {
        (11, Some(number)) if !number.starts_with('9') => Some(number.to_owned()),
        (10, None) => Some(format!("9{national}")),
        _ => None,
    }
}

/// Mobiles of eight digits got the prefix of their operator, which their second digit names. No mobile began with 2 or 3.
fn ivory_coast(national: &str) -> Option<String> {
    let prefix = |former: &str| match former.as_bytes() {
        [b'2' | b'3', ..] => None,
        [_, b'0'..=b'3', ..] => Some("01"),
        [_, b'4'..=b'6', ..] => Some("05"),
        [_, b'7'..=b'9', ..] => Some("07"),
        _ => None,
    };
    match national.len() {
        8 => Some(format!("{}{national}", prefix(national)?)),
        10 => {
            let (current, former) = national.split_at(2);
            (prefix(former)? == current).then(|| former.to_owned())
        }
        _ => None,
    }
}

/// All numbers of eight digits got 01 in front.
fn benin(national: &str) -> Option<String> {
    match national.len() {
        8 => Some(format!("01{national}")),
        10 => national.strip_prefix("01").map(str::to_owned),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_person_has_the_number_of_the_channel_and_the_dialled_one() {
        for (digits, other) in [
            ("5511987654321", "551187654321"),
            ("5584961234567", "558461234567"),
            ("5215512345678", "525512345678"),
            ("5491123456789", "541123456789"),
            ("2250707123456", "22507123456"),
            ("2250506123456", "22506123456"),
            ("2250140123456", "22540123456"),
            ("2290197123456", "22997123456"),
        ] {
            assert_eq!(alternative_numbers(digits), [digits, other]);
            assert_eq!(alternative_numbers(other), [other, digits]);
        }
    }

    #[test]
    fn only_a_mobile_of_brazil_can_lack_a_ninth_digit() {
        assert_eq!(with_ninth_digit("551187654321").as_deref(), Some("5511987654321"));
        for digits in ["5511987654321", "551133334444", "525512345678", "22507123456", "16502530000", ""] {
            assert_eq!(with_ninth_digit(digits), None, "{digits}");
        }
    }

    #[test]
    fn similar_numbers_of_two_people_are_different() {
        for digits in [
            // Landlines of Brazil, and the mobiles with a 9 before the same digits.
            "551133334444",
            "5511933334444",
            "551123456789",
            "5511923456789",
            "555133334444",
            "5551933334444",
            // The prefix of another operator.
            "2250507123456",
            "2250107123456",
            // Landlines of Côte d'Ivoire.
            "22520123456",
            "2252720123456",
            "16502530000",
            "351912345678",
            "",
            "BR.13491208655302741918",
        ] {
            assert_eq!(alternative_numbers(digits), [digits]);
        }
    }

    #[test]
    fn former_numbers_are_found_in_the_current_plan() {
        for (digits, current) in [
            ("5215512345678", "525512345678"),
            ("22507123456", "2250707123456"),
            ("22997123456", "2290197123456"),
            ("525512345678", "525512345678"),
            ("551187654321", "551187654321"),
            ("541123456789", "541123456789"),
        ] {
            assert_eq!(in_current_plan(digits), current);
        }
    }

    proptest! {
        #[test]
        fn numbers_of_a_person_name_each_other(digits in "(55|52|54|225|229)[0-9]{8,11}") {
            let mut all = alternative_numbers(&digits);
            all.sort();
            for number in all.clone() {
                let mut found = alternative_numbers(&number);
                found.sort();
                prop_assert_eq!(&found, &all);
            }
        }
    }
}
