//! Validates the answers to a form while they are typed (upstream §3.4, §4.1, §6, §10).

mod json;
mod suffix;

use std::collections::HashMap;
use std::fmt::Display;

use super::check::{check_send, value_problem};
use super::form::{PartKind, PartMedia, PartSection, SendPart, SendValues, answer, distinct, fill_send, send_form};
use super::limits::{CARD_BODY_LENGTH, CODE_LENGTH, HEADER_LENGTH, PAYLOAD_LENGTH};
use super::problem::{SendProblem, SendProblemCode as Code};
use super::{SendLanguage, SendTemplate};
use crate::button::Button;
use crate::component::Component;
use crate::link::{file_name, is_address, is_upload};
use crate::rules::{ValueFault, body_limit, is_emoji, value_fault};
use crate::template::Template;
use crate::variable;
use crate::vocabulary::{Category, HeaderFormat};

/// Problems of the answers to [`send_form`], as [`ValueCheck::problems`].
#[must_use]
pub fn check_values(template: &Template, values: &SendValues, now_ms: i64) -> Vec<SendProblem> {
    ValueCheck::of(template).problems(values, now_ms)
}

/// Checks answers to the form of one template, many times.
#[derive(Debug)]
pub struct ValueCheck<'t> {
    template: &'t Template,
    parts: Vec<SendPart>,
    /// Index of each part, by identifier.
    places: HashMap<String, usize>,
}

impl<'t> ValueCheck<'t> {
    #[must_use]
    pub fn of(template: &'t Template) -> Self {
        let parts = send_form(template).parts;
        let places = parts.iter().enumerate().map(|(place, part)| (part.id.clone(), place)).collect();
        Self { template, parts, places }
    }

    /// At most one problem per part, errors first, each severity in the order of the form. `now_ms` is the current time in
    /// Unix milliseconds.
    ///
    /// Answers without errors give a send without faults in [`check_send`].
    #[must_use]
    pub fn problems(&self, values: &SendValues, now_ms: i64) -> Vec<SendProblem> {
        problems(self, values, now_ms)
    }
}

fn problems(
    ValueCheck { template, parts, places }: &ValueCheck<'_>,
    values: &SendValues,
    now_ms: i64,
) -> Vec<SendProblem> {
    let authentication = template.category == Category::Authentication;
    let checked = Checked { parts, places, values, now_ms, authentication };
    let mut problems: Vec<Option<SendProblem>> = parts.iter().map(|part| checked.problem(part)).collect();
    if !authentication {
        checked.filled(&template.components, "", body_limit(template), &mut problems);
    }
    let mut problems: Vec<SendProblem> = problems.into_iter().flatten().collect();
    if !problems.iter().any(SendProblem::is_error) {
        // Problems that concern no single answer, such as a carousel without cards. An approved template has none.
        let send = SendTemplate {
            name: template.name.clone(),
            language: SendLanguage { code: template.language.clone(), ..SendLanguage::default() },
            components: fill_send(template, values),
            ..SendTemplate::default()
        };
        // The first problem of each field, or its first error.
        let mut found: Vec<SendProblem> = Vec::new();
        let mut of_field: HashMap<String, usize> = HashMap::new();
        for fault in check_send(template, &send) {
            // A fault in a part that the form doesn't have can't be fixed by the person.
            let problem = if places.contains_key(fault.problem.field.as_str()) {
                fault.problem
            } else {
                SendProblem::new("", Code::ValueInvalid, &[("detail", &fault.message)]).with_error_code(fault.code)
            };
            let place = *of_field.entry(problem.field.clone()).or_insert(found.len());
            match found.get_mut(place) {
                None => found.push(problem),
                Some(known) if !known.is_error() => *known = problem,
                Some(_) => {}
            }
        }
        problems.retain(|known| !of_field.contains_key(&known.field));
        problems.append(&mut found);
    }
    problems.extend(unknown_parts(template));
    problems.sort_by_key(|problem| problem.severity);
    problems
}

struct Checked<'a> {
    parts: &'a [SendPart],
    /// Index of each part, by identifier.
    places: &'a HashMap<String, usize>,
    values: &'a SendValues,
    now_ms: i64,
    authentication: bool,
}

/// Names and values for a sentence.
type Named<'a> = &'a [(&'static str, &'a dyn Display)];

impl Checked<'_> {
    /// The problem with the answer to one part, checked alone.
    fn problem(&self, part: &SendPart) -> Option<SendProblem> {
        let found = |code: Code, values: Named<'_>| Some(SendProblem::new(part.id.clone(), code, values));
        let Some(value) = answer(self.values, &part.id) else {
            if part.required {
                return found(Code::ValueMissing, &[]);
            }
            return (part.kind == PartKind::Filename && self.is_unnamed(part))
                .then(|| SendProblem::new(part.id.clone(), Code::ValueFileName, &[]));
        };
        let trimmed = value.trim();
        let length = value.chars().count();
        match part.kind {
            PartKind::Text => self.text(part, value, length),
            PartKind::Link if is_upload(trimmed) || is_address(trimmed) => None,
            PartKind::Link => found(Code::ValueLink, &[]),
            PartKind::Suffix => suffix::problem(part, value),
            PartKind::Payload if length > PAYLOAD_LENGTH => {
                found(Code::ValuePayloadTooLong, &[("length", &length), ("limit", &PAYLOAD_LENGTH)])
            }
            PartKind::Code => self.code(part, value, length),
            PartKind::Instant => match trimmed.parse::<i64>() {
                Ok(instant) if instant > self.now_ms => None,
                Ok(instant) if instant > 0 => found(Code::ValueInstantPast, &[]),
                _ => found(Code::ValueInstant, &[]),
            },
            PartKind::Number => match degrees(trimmed) {
                None => found(Code::ValueNumber, &[]),
                Some(degrees) if part.id.ends_with("latitude") && degrees.abs() > 90.0 => {
                    found(Code::ValueLatitude, &[])
                }
                Some(degrees) if degrees.abs() > 180.0 => found(Code::ValueLongitude, &[]),
                Some(_) => None,
            },
            PartKind::Json => json::problem(part, trimmed, self.now_ms),
            PartKind::Payload | PartKind::Filename | PartKind::Token | PartKind::Identifier => None,
        }
    }

    /// Whether a document has neither a name nor a link with a file name.
    fn is_unnamed(&self, filename: &SendPart) -> bool {
        let link = self.parts.iter().find(|part| {
            part.media == Some(PartMedia::Document) && part.card == filename.card && part.section == filename.section
        });
        let link = link.and_then(|part| answer(self.values, &part.id)).map(str::trim);
        link.is_some_and(|link| file_name(link).is_none())
    }

    fn text(&self, part: &SendPart, value: &str, length: usize) -> Option<SendProblem> {
        let footer = part.section == PartSection::Footer;
        // Names and addresses of locations are not text parameters.
        if part.context.is_none() && !footer {
            return None;
        }
        let found = |code: Code, values: Named<'_>| Some(SendProblem::new(part.id.clone(), code, values));
        if let Some(fault) = value_fault(value) {
            return found(value_problem(fault), &[("most", &ValueFault::MAX_SPACES)]);
        }
        if let Some(limit) = part.limit.filter(|limit| length > *limit) {
            return found(Code::ValueTooLong, &[("length", &length), ("limit", &limit)]);
        }
        if footer { found(Code::ValueFooter, &[]) } else { placeholder(part, value) }
    }

    fn code(&self, part: &SendPart, value: &str, length: usize) -> Option<SendProblem> {
        let found = |code: Code, values: Named<'_>| Some(SendProblem::new(part.id.clone(), code, values));
        if let Some(fault) = value_fault(value) {
            return found(value_problem(fault), &[("most", &ValueFault::MAX_SPACES)]);
        }
        if length > CODE_LENGTH {
            let problem = found(Code::ValueCodeTooLong, &[("length", &length), ("limit", &CODE_LENGTH)])?;
            // A one-time code is a text of the body, and gets the body's error code.
            return Some(if self.authentication { problem.with_error_code(132_005) } else { problem });
        }
        // Coupons have letters and digits (upstream §2.6); one-time codes may have other characters, but no emoji
        // (upstream §2.9).
        let odd = |letter: &char| {
            if self.authentication {
                is_emoji(*letter) || letter.is_whitespace() || letter.is_control()
            } else {
                !letter.is_ascii_alphanumeric()
            }
        };
        let Some(odd) = value.chars().find(odd) else { return placeholder(part, value) };
        found(Code::ValueCodeCharacters, &[("char", &odd)])
    }

    /// Texts that are too long only with all their values. Reported at the longest value, since shortening it helps
    /// most.
    fn filled(&self, components: &[Component], prefix: &str, body_limit: usize, problems: &mut [Option<SendProblem>]) {
        for component in components {
            let (section, text, limit) = match component {
                Component::Header(header) => ("header", header.text.as_deref(), HEADER_LENGTH),
                Component::Body(body) => ("body", body.text.as_deref(), body_limit),
                Component::Carousel(carousel) => {
                    for (index, card) in carousel.cards.iter().enumerate() {
                        self.filled(&card.components, &format!("card.{index}."), CARD_BODY_LENGTH, problems);
                    }
                    continue;
                }
                _ => continue,
            };
            let Some(text) = text else { continue };
            let id = |name: &str| format!("{prefix}{section}.{name}");
            let length =
                variable::fill(text, |variable| Some(answer(self.values, &id(variable.name)).unwrap_or_default()))
                    .chars()
                    .count();
            let names = distinct(text);
            let places = names.iter().filter_map(|variable| {
                let place = self.places.get(id(variable.name).as_str()).copied();
                place.filter(|place| self.parts[*place].kind == PartKind::Text)
            });
            let places: Vec<usize> = places.collect();
            let is_wrong = |place: &usize| {
                problems[*place]
                    .as_ref()
                    .is_some_and(|problem| problem.is_error() && problem.code != Code::ValueMissing)
            };
            if length <= limit || places.iter().any(is_wrong) {
                continue;
            }
            let long =
                |place: &usize| answer(self.values, &self.parts[*place].id).map_or(0, |value| value.chars().count());
            // The first of several with the same length.
            if let Some(place) = places.into_iter().rev().max_by_key(long).filter(|place| long(place) > 0) {
                let values: Named<'_> = &[("length", &length), ("limit", &limit)];
                problems[place] =
                    Some(SendProblem::new(self.parts[place].id.clone(), Code::ValueFilledTooLong, values));
            }
        }
    }
}

/// A warning if a value has a variable, which is sent as it is typed.
fn placeholder(part: &SendPart, value: &str) -> Option<SendProblem> {
    let variable = &value[variable::scan(value).next()?.range];
    Some(SendProblem::new(part.id.clone(), Code::ValuePlaceholder, &[("variable", &variable)]))
}

/// A warning about parts of the template of which this version knows no parameters.
fn unknown_parts(template: &Template) -> Option<SendProblem> {
    let mut parts = Vec::new();
    collect_unknown(&template.components, &mut parts);
    parts.dedup();
    let parts = parts.join(", ");
    (!parts.is_empty()).then(|| SendProblem::new("template", Code::TemplateUnknownPart, &[("parts", &parts)]))
}

fn collect_unknown<'t>(components: &'t [Component], parts: &mut Vec<&'t str>) {
    for component in components {
        match component {
            Component::Unknown(_) => parts.push(component.type_name()),
            Component::Header(header) if matches!(header.format, HeaderFormat::Unknown(_)) => {
                parts.push(header.format.as_str());
            }
            Component::Buttons(row) => {
                let unknown = row.buttons.iter().filter(|button| matches!(button, Button::Unknown(_)));
                parts.extend(unknown.map(Button::type_name));
            }
            Component::Carousel(carousel) => {
                carousel.cards.iter().for_each(|card| collect_unknown(&card.components, parts));
            }
            _ => {}
        }
    }
}

/// Parses a decimal number in plain notation.
fn degrees(text: &str) -> Option<f64> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'-' | b'+'));
    text.parse().ok().filter(|number: &f64| plain && number.is_finite())
}

#[cfg(test)]
mod tests;
