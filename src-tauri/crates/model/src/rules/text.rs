//! Rules of texts: lengths, variables and their samples, characters (upstream §3).

use std::collections::HashSet;

use super::length::code_points;
use super::placeholders;
use super::report::{At, Report, source};
use crate::finding::Severity;
use crate::variable::{Variable, find_pair, scan};
use crate::vocabulary::ParameterFormat;

/// Reports a text with more than `limit` characters. `code` ends in `too_long`; `what` is the text's name for display.
pub(super) fn limit(
    report: &mut Report,
    code: &'static str,
    at: &At<'_>,
    source: &'static str,
    what: &str,
    text: &str,
    limit: usize,
) {
    report.count(at, text, limit);
    if text.len() <= limit {
        return;
    }
    let length = code_points(text);
    if length > limit {
        let message =
            format_args!("{what} has {length} characters; the limit is {limit}. Shorten it by {}.", length - limit);
        report.error(code, at, source, message, &[("length", &length), ("limit", &limit)]);
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Header,
    Body,
}

impl Place {
    fn name(self) -> &'static str {
        match self {
            Self::Header => "header",
            Self::Body => "body",
        }
    }
}

/// Maximum number of variables of a text that are checked. A text with more is far too long anyway.
pub(super) const MAX_VARIABLES: usize = 2_000;

/// Checks the variables of a header or body, and returns at most [`MAX_VARIABLES`] of them. Empty braces are one finding;
/// they are not returned, because a variable without a name has no sample and no number.
pub(super) fn variables<'t>(
    report: &mut Report,
    at: &At<'_>,
    place: Place,
    text: &'t str,
    format: &ParameterFormat,
) -> Vec<Variable<'t>> {
    if memchr::memchr2(b'{', b'}', text.as_bytes()).is_none() {
        return Vec::new();
    }
    braces(report, at, text);
    let mut variables: Vec<Variable<'_>> = scan(text).take(MAX_VARIABLES).collect();
    let mut has_empty = false;
    for variable in &variables {
        if !variable.name.is_empty() || !std::mem::replace(&mut has_empty, true) {
            name(report, at, variable, format);
        }
    }
    numbering(report, at, &variables);
    repetition(report, at, &variables);
    position(report, at, place, text, &variables);
    if has_empty {
        variables.retain(|variable| !variable.name.is_empty());
    }
    variables
}

/// Whether a text has white space of any kind.
/// Warns of what a text leaves to be filled in.
pub(super) fn placeholder(report: &mut Report, at: &At<'_>, text: &str) {
    let Some(words) = placeholders::in_text(text) else { return };
    let message = format_args!("The text has “{words}”, which is a placeholder. Write what customers should read.");
    report.warning("text.placeholder", at, source::OBSERVED, message, &[("words", &words)]);
}

pub(super) fn has_space(text: &str) -> bool {
    memchr::memchr3(b' ', b'\t', b'\n', text.as_bytes()).is_some()
        || (!text.is_ascii() && text.contains(char::is_whitespace))
}

/// Whether a text has this many empty lines in a row. Spaces don't fill a line.
pub(super) fn has_blank_lines(text: &str, count: usize) -> bool {
    let mut blank = 0;
    // The first line is not preceded by a line break.
    text.split('\n').enumerate().any(|(index, line)| {
        blank = if line.trim().is_empty() && index > 0 { blank + 1 } else { 0 };
        blank >= count
    })
}

/// Whether all double braces are balanced.
pub(super) fn well_formed(text: &str) -> bool {
    let mut rest = text;
    loop {
        match (find_pair(rest, b'{'), find_pair(rest, b'}')) {
            (None, None) => return true,
            (Some(open), Some(close)) if open < close => {
                let inner = &rest[open + 2..close];
                if find_pair(inner, b'{').is_some() || inner.contains('}') {
                    return false;
                }
                rest = &rest[close + 2..];
            }
            _ => return false,
        }
    }
}

fn braces(report: &mut Report, at: &At<'_>, text: &str) {
    if !well_formed(text) {
        report.error(
            "variable.malformed",
            at,
            source::REVIEW,
            "A brace is missing, and the review rejects incomplete variables. Write variables \
             as {{1}}.",
            &[],
        );
        return;
    }
    let outside = outside_variables(text);
    if let Some(single) = outside.iter().find_map(|part| single_braces(part)) {
        report.warning(
            "variable.single_brace",
            at,
            source::REVIEW,
            format_args!("`{single}` is sent as plain text. If you mean a variable, write two braces on each side."),
            &[("text", &single)],
        );
    }
}

fn outside_variables(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut from = 0;
    for variable in scan(text) {
        parts.push(&text[from..variable.range.start]);
        from = variable.range.end;
    }
    parts.push(&text[from..]);
    parts
}

/// The first text in single braces that is probably meant as a variable: `{1}`, `{ name }`.
fn single_braces(part: &str) -> Option<&str> {
    part.match_indices('{').find_map(|(open, _)| {
        let length = part[open + 1..].find(['{', '}'])?;
        let close = open + 1 + length;
        let inner = part[open + 1..close].trim_matches(' ');
        let like_a_name = !inner.is_empty() && inner.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        (like_a_name && part[close..].starts_with('}')).then(|| &part[open..=close])
    })
}

fn name(report: &mut Report, at: &At<'_>, variable: &Variable<'_>, format: &ParameterFormat) {
    let name = variable.name;
    let shown = name.to_owned();
    if !name.is_empty() && variable.range.len() != name.len() + 4 {
        report.warning(
            "variable.spaces",
            at,
            source::REVIEW,
            format_args!("`{name}` has spaces inside its braces. Write {{{{{name}}}}}."),
            &[("name", &shown)],
        );
    }
    if variable.number().is_some() {
        if *format == ParameterFormat::Named {
            report.error(
                "variable.format",
                at,
                source::OVERVIEW,
                format_args!("{{{{{name}}}}} is a number, but this template uses names. Use all numbers or all names."),
                &[("name", &shown)],
            );
        }
        return;
    }
    let lower = |byte: u8| byte.is_ascii_lowercase() || byte == b'_';
    if name.is_empty() || !name.bytes().all(|byte| lower(byte) || byte.is_ascii_digit()) {
        report.error(
            "variable.name",
            at,
            source::OVERVIEW,
            format_args!(
                "{{{{{name}}}}} is not a variable. Inside the braces, use a number, or a name of lowercase letters and \
                 underscores."
            ),
            &[("name", &shown)],
        );
    } else if *format == ParameterFormat::Positional {
        report.error(
            "variable.format",
            at,
            source::OVERVIEW,
            format_args!("{{{{{name}}}}} is a name, but this template uses numbers. Use all numbers or all names."),
            &[("name", &shown)],
        );
    } else if !name.bytes().all(lower) {
        report.warning(
            "variable.name_digits",
            at,
            source::OVERVIEW,
            format_args!("{{{{{name}}}}} has digits; WhatsApp documents only letters and underscores in names."),
            &[("name", &shown)],
        );
    }
}

fn numbering(report: &mut Report, at: &At<'_>, variables: &[Variable<'_>]) {
    let mut numbers: Vec<usize> = variables.iter().filter_map(Variable::number).collect();
    numbers.sort_unstable();
    numbers.dedup();
    if let Some((expected, found)) = numbers.iter().enumerate().map(|(at, n)| (at + 1, *n)).find(|(e, n)| e != n) {
        report.error(
            "variable.numbering",
            at,
            source::REVIEW,
            format_args!("Number variables without gaps: {{{{{expected}}}}} is missing before {{{{{found}}}}}."),
            &[("expected", &expected), ("found", &found)],
        );
    }
}

fn repetition(report: &mut Report, at: &At<'_>, variables: &[Variable<'_>]) {
    let mut seen = HashSet::new();
    for variable in variables {
        if variable.name.is_empty() || seen.insert(variable.name) {
            continue;
        }
        let name = variable.name.to_owned();
        if variable.number().is_some() {
            report.warning(
                "variable.repeated",
                at,
                source::OVERVIEW,
                format_args!("{{{{{name}}}}} is used more than once. Use each number once."),
                &[("name", &name)],
            );
        } else {
            report.error(
                "variable.repeated",
                at,
                source::OVERVIEW,
                format_args!("{{{{{name}}}}} is used more than once. Use each name once per component."),
                &[("name", &name)],
            );
        }
        return;
    }
}

fn position(report: &mut Report, at: &At<'_>, place: Place, text: &str, variables: &[Variable<'_>]) {
    let (Some(first), Some(last)) = (variables.first(), variables.last()) else { return };
    let starts = text[..first.range.start].trim().is_empty();
    let after = text[last.range.end..].trim();
    let what = place.name();
    // Empty braces have a finding of their own.
    let at_edge = if starts { first } else { last };
    if at_edge.name.is_empty() {
        // Nothing can be said about its position before it is a variable.
    } else if starts || after.is_empty() {
        let (end, side, name) = if starts { ("starts", "before", first.name) } else { ("ends", "after", last.name) };
        let name = name.to_owned();
        // Approved headers end with their variable, in the channel's own library too.
        let (severity, how) = match place {
            Place::Header => (Severity::Warning, "may reject"),
            Place::Body => (Severity::Error, "rejects"),
        };
        report.add(
            severity,
            "variable.at_edge",
            at,
            source::ERRORS,
            format_args!("Add text {side} {{{{{name}}}}}. WhatsApp {how} a {what} that {end} with a variable."),
            &[("name", &name), ("errorCode", &2_388_299)],
        );
    } else if place == Place::Body && !after.chars().any(char::is_alphanumeric) {
        let name = last.name.to_owned();
        report.warning(
            "variable.near_end",
            at,
            source::OBSERVED,
            format_args!(
                "Add text after {{{{{name}}}}}. Some reviews don't count punctuation at the end of the {what}."
            ),
            &[("name", &name)],
        );
    }
    if let Some(pair) = touching(variables) {
        let (left, right) = (pair[0].name.to_owned(), pair[1].name.to_owned());
        report.error(
            "variable.adjacent",
            at,
            source::STATUS_EVENT,
            format_args!(
                "Put a space or text between {{{{{left}}}}} and {{{{{right}}}}}. The review rejects variables that touch."
            ),
            &[("left", &left), ("right", &right)],
        );
    }
}

/// The first two variables without text between them.
fn touching<'v, 't>(variables: &'v [Variable<'t>]) -> Option<&'v [Variable<'t>]> {
    variables
        .windows(2)
        .find(|pair| pair[0].range.end == pair[1].range.start && pair.iter().all(|variable| !variable.name.is_empty()))
}

pub(super) fn has_emoji(text: &str) -> bool {
    !text.is_ascii() && text.chars().any(is_emoji)
}

/// Whether a character is an emoji or turns the previous character into one.
pub(crate) fn is_emoji(c: char) -> bool {
    matches!(c,
        '\u{1F000}'..='\u{1FAFF}' | '\u{2600}'..='\u{27BF}' | '\u{2B00}'..='\u{2BFF}' | '\u{231A}'..='\u{23FF}'
        | '\u{FE0F}' | '\u{20E3}' | '\u{3030}' | '\u{303D}' | '\u{3297}' | '\u{3299}')
}

/// The first character with a meaning in the channel's formatting, outside of variables.
pub(super) fn formatting_sign(text: &str) -> Option<char> {
    if !text.contains(['*', '`', '_', '~']) {
        return None;
    }
    let outside = outside_variables(text);
    outside.iter().find_map(|part| part.chars().find(|c| matches!(c, '*' | '`'))).or_else(|| {
        // Single underscores and tildes are ordinary characters.
        ['_', '~'].into_iter().find(|sign| outside.iter().map(|part| part.matches(*sign).count()).sum::<usize>() >= 2)
    })
}

/// Reason why the channel rejects the value of a variable (upstream §3.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ValueFault {
    LineBreak,
    Tab,
    Spaces,
}

impl ValueFault {
    /// Maximum number of consecutive spaces.
    pub(crate) const MAX_SPACES: usize = 4;

    /// Wording for use in a sentence.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::LineBreak => "a line break",
            Self::Tab => "a tab",
            Self::Spaces => "more than four spaces in a row",
        }
    }
}

/// Why the channel rejects this value of a variable; `None` if it is valid.
pub(crate) fn value_fault(value: &str) -> Option<ValueFault> {
    if value.contains(['\n', '\r']) {
        Some(ValueFault::LineBreak)
    } else if value.contains('\t') {
        Some(ValueFault::Tab)
    } else if value.contains("     ") {
        Some(ValueFault::Spaces)
    } else {
        None
    }
}

/// Reports a sample that says nothing about the values of its variable.
pub(super) fn sample(report: &mut Report, at: &At<'_>, sample: &str, name: &str) {
    const PLACEHOLDERS: [&str; 12] = [
        "ejemplo",
        "example",
        "exemplo",
        "foo",
        "lorem ipsum",
        "placeholder",
        "sample",
        "string",
        "test",
        "todo",
        "variable",
        "xxx",
    ];
    let read = sample.trim().to_lowercase();
    let is_name = read == name && name.parse::<usize>().is_err();
    if scan(sample).next().is_some() {
        let message = format_args!("The sample for {{{{{name}}}}} has a variable. Write a value as it will be sent.");
        report.warning("sample.variable", at, source::REVIEW, message, &[("name", &name)]);
    } else if is_name || PLACEHOLDERS.contains(&read.as_str()) {
        let message = format_args!(
            "The sample for {{{{{name}}}}} doesn't show a real value, and the review may reject it. Write one."
        );
        report.warning("sample.placeholder", at, source::REVIEW, message, &[("name", &name)]);
    }
}

/// Number of words without variables. Scripts without spaces count by character.
pub(super) fn words(text: &str) -> usize {
    outside_variables(text).iter().flat_map(|part| part.split_whitespace()).map(words_of).sum()
}

fn words_of(token: &str) -> usize {
    if token.is_ascii() {
        return usize::from(token.bytes().any(|byte| byte.is_ascii_alphanumeric()));
    }
    let spaceless = token.chars().filter(|c| is_spaceless(*c)).count();
    if spaceless > 0 { spaceless } else { usize::from(token.chars().any(char::is_alphanumeric)) }
}

fn is_spaceless(c: char) -> bool {
    matches!(c, '\u{0E00}'..='\u{0EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}'
        | '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{20000}'..='\u{3FFFF}')
}

/// Whether a text contains a complete payment-card number: 13 to 19 digits with a valid check digit.
pub(super) fn has_card_number(text: &str) -> bool {
    if text.bytes().filter(u8::is_ascii_digit).count() < 13 {
        return false;
    }
    let mut digits: Vec<u8> = Vec::new();
    for c in text.chars().chain(std::iter::once('.')) {
        match c {
            '0'..='9' => digits.push(c as u8 - b'0'),
            ' ' | '-' if !digits.is_empty() => {}
            _ => {
                if (13..=19).contains(&digits.len()) && luhn(&digits) {
                    return true;
                }
                digits.clear();
            }
        }
    }
    false
}

fn luhn(digits: &[u8]) -> bool {
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(at, digit)| {
            let digit = u32::from(*digit);
            if at % 2 == 0 { digit } else { digit * 2 / 10 + digit * 2 % 10 }
        })
        .sum();
    sum.is_multiple_of(10) && digits.iter().any(|digit| *digit != 0)
}
