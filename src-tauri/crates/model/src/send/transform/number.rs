//! Numbers: read with either decimal mark, and written with that of a language.

use rust_decimal::Decimal;

use super::{DecimalMark, Unread, parts};

/// Digits of a group.
const GROUP: usize = 3;
/// No-break spaces, which number formats use as the separator of groups.
const NO_BREAK_SPACE: char = '\u{a0}';

/// The decimal mark that some cells prove and none disproves.
pub(super) fn mark_of(cells: impl Iterator<Item: AsRef<str>>) -> Option<DecimalMark> {
    let (mut point, mut comma) = (false, false);
    for cell in cells {
        let (as_point, as_comma) = readings(cell.as_ref());
        point |= as_point.is_some() && as_comma.is_none();
        comma |= as_comma.is_some() && as_point.is_none();
    }
    match (point, comma) {
        (true, false) => Some(DecimalMark::Point),
        (false, true) => Some(DecimalMark::Comma),
        _ => None,
    }
}

pub(super) fn read(cell: &str, mark: Option<DecimalMark>) -> Result<Decimal, Unread> {
    let (as_point, as_comma) = readings(cell);
    let unread = || if is_shortened(cell) { Unread::Shortened } else { Unread::Number };
    match (mark, as_point, as_comma) {
        (Some(DecimalMark::Point), number, _) | (Some(DecimalMark::Comma), _, number) => number.ok_or_else(unread),
        (None, Some(number), None) | (None, None, Some(number)) => Ok(number),
        (None, Some(point), Some(comma)) if point == comma => Ok(point),
        (None, Some(point), Some(comma)) => Err(Unread::DecimalMark(point.to_string(), comma.to_string())),
        (None, None, None) => Err(unread()),
    }
}

/// The number with a decimal point, and with a decimal comma.
fn readings(cell: &str) -> (Option<Decimal>, Option<Decimal>) {
    (reading(cell, DecimalMark::Point), reading(cell, DecimalMark::Comma))
}

fn reading(cell: &str, mark: DecimalMark) -> Option<Decimal> {
    let cell = cell.trim();
    let (sign, digits) = match cell.strip_prefix(['-', '\u{2212}']) {
        Some(rest) => ("-", rest.trim_start()),
        None => ("", cell.strip_prefix('+').unwrap_or(cell)),
    };
    let (whole, fraction) = match digits.split_once(mark.char()) {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (digits, None),
    };
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if fraction.is_some_and(|fraction| !is_digits(fraction)) {
        return None;
    }
    let whole = ungrouped(whole, mark.other().char()).filter(|whole| is_digits(whole))?;
    // A number of an order, not of things.
    if whole.len() > 1 && whole.starts_with('0') {
        return None;
    }
    let fraction = fraction.map(|fraction| format!(".{fraction}")).unwrap_or_default();
    Decimal::from_str_exact(&format!("{sign}{whole}{fraction}")).ok()
}

/// The digits without separators, which are all the same and between groups of three.
fn ungrouped(whole: &str, group: char) -> Option<String> {
    let Some(separator) = whole.chars().find(|c| !c.is_ascii_digit()) else { return Some(whole.to_owned()) };
    if separator != group && !separator.is_whitespace() && !matches!(separator, '\'' | '’') {
        return None;
    }
    let mut groups = whole.split(separator);
    let first = groups.next().filter(|first| (1..=GROUP).contains(&first.len()) && !first.starts_with('0'))?;
    let mut digits = first.to_owned();
    for group in groups {
        if group.len() != GROUP {
            return None;
        }
        digits.push_str(group);
    }
    Some(digits)
}

/// Whether a spreadsheet wrote it with an exponent, such as `5,51199E+12`.
fn is_shortened(cell: &str) -> bool {
    let Some((digits, exponent)) = cell.trim().split_once(['e', 'E']) else { return false };
    let exponent = exponent.trim_start_matches(['+', '-']);
    let is_number = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
    is_number(digits) && is_number(exponent) && exponent.bytes().all(|byte| byte.is_ascii_digit())
}

/// The separators of a language: of groups, of decimals, and the digits from which groups are separated.
fn separators(language: &str) -> Option<(char, char, usize)> {
    match parts(language) {
        ("en", _) | ("es", "MX") => Some((',', '.', 4)),
        ("pt", "PT") => Some((NO_BREAK_SPACE, ',', 5)),
        ("pt", _) | ("es", "AR") => Some(('.', ',', 4)),
        ("es", _) => Some(('.', ',', 5)),
        _ => None,
    }
}

/// With the separators of the language; digits and a point for a language without a table.
pub(super) fn write(number: Decimal, language: &str) -> String {
    let Some((group, mark, grouped_from)) = separators(language) else { return number.to_string() };
    let text = number.abs().to_string();
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let mut written = String::from(if number.is_sign_negative() && !number.is_zero() { "-" } else { "" });
    for (place, digit) in whole.chars().enumerate() {
        if place > 0 && whole.len() >= grouped_from && (whole.len() - place).is_multiple_of(GROUP) {
            written.push(group);
        }
        written.push(digit);
    }
    if !fraction.is_empty() {
        written.push(mark);
        written.push_str(fraction);
    }
    written
}
