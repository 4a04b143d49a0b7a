//! Validates the answers to a form while they are typed (upstream §3.4, §4.1, §6, §10).

mod json;
mod suffix;

use std::cell::RefCell;
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
    let check = ValueCheck::of(template);
    let mut problems = check.problems(values, now_ms);
    problems.extend(check.unknown_parts());
    problems.sort_by_key(|problem| problem.severity);
    problems
}

/// Checks answers to the form of one template, many times.
#[derive(Debug)]
pub struct ValueCheck<'t> {
    template: &'t Template,
    parts: Vec<SendPart>,
    /// Index of each part, by identifier.
    places: HashMap<String, usize>,
    filled: Vec<FilledText>,
    /// Which parts had an answer in the last send that was built and has no fault. Answers without errors give faults only
    /// by their presence, so another send with answers to the same parts need not be built.
    last_without_faults: RefCell<Option<Vec<bool>>>,
}

impl<'t> ValueCheck<'t> {
    #[must_use]
    pub fn of(template: &'t Template) -> Self {
        let parts = send_form(template).parts;
        let places = parts.iter().enumerate().map(|(place, part)| (part.id.clone(), place)).collect();
        let mut filled = Vec::new();
        if template.category != Category::Authentication {
            FilledText::collect(&template.components, "", body_limit(template), &parts, &places, &mut filled);
        }
        Self { template, parts, places, filled, last_without_faults: RefCell::new(None) }
    }

    /// At most one problem per part, errors first, each severity in the order of the form. `now_ms` is the current time in
    /// Unix milliseconds.
    ///
    /// Answers without errors give a send without faults in [`check_send`].
    #[must_use]
    pub fn problems(&self, values: &SendValues, now_ms: i64) -> Vec<SendProblem> {
        let authentication = self.template.category == Category::Authentication;
        let checked = Checked { parts: &self.parts, values, now_ms, authentication };
        let mut problems: Vec<Option<SendProblem>> = self.parts.iter().map(|part| checked.problem(part)).collect();
        for text in &self.filled {
            checked.filled(text, &mut problems);
        }
        let mut problems: Vec<SendProblem> = problems.into_iter().flatten().collect();
        let answered = || self.parts.iter().map(|part| answer(values, &part.id).is_some());
        let is_known =
            || self.last_without_faults.borrow().as_ref().is_some_and(|known| known.iter().copied().eq(answered()));
        if !problems.iter().any(SendProblem::is_error) && !is_known() {
            let faults = self.faults(values);
            if faults.is_empty() {
                *self.last_without_faults.borrow_mut() = Some(answered().collect());
            }
            problems.retain(|known| !faults.iter().any(|fault| fault.field == known.field));
            problems.extend(faults);
        }
        problems.sort_by_key(|problem| problem.severity);
        problems
    }

    /// A warning about parts of the template of which this version knows no parameters: the same for every send.
    #[must_use]
    pub fn unknown_parts(&self) -> Option<SendProblem> {
        unknown_parts(self.template)
    }

    /// Problems that concern no single answer, such as a carousel without cards; an approved template has none. Of each
    /// field the first problem, or its first error.
    fn faults(&self, values: &SendValues) -> Vec<SendProblem> {
        let template = self.template;
        let send = SendTemplate {
            name: template.name.clone(),
            language: SendLanguage { code: template.language.clone(), ..SendLanguage::default() },
            components: fill_send(template, values),
            ..SendTemplate::default()
        };
        let mut found: Vec<SendProblem> = Vec::new();
        let mut of_field: HashMap<String, usize> = HashMap::new();
        for fault in check_send(template, &send) {
            // A fault in a part that the form doesn't have can't be fixed by the person.
            let problem = if self.places.contains_key(fault.problem.field.as_str()) {
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
        found
    }
}

/// A text that is filled with answers and has a maximum length.
#[derive(Debug)]
struct FilledText {
    /// Maximum number of characters.
    limit: usize,
    /// Number of its characters that are no variables.
    fixed: usize,
    /// Identifier of the part of each variable, as often as it occurs.
    variables: Vec<String>,
    /// Indexes of its text parts.
    places: Vec<usize>,
}

impl FilledText {
    fn collect(
        components: &[Component],
        prefix: &str,
        body_limit: usize,
        parts: &[SendPart],
        places: &HashMap<String, usize>,
        found: &mut Vec<Self>,
    ) {
        for component in components {
            let (section, text, limit) = match component {
                Component::Header(header) => ("header", header.text.as_deref(), HEADER_LENGTH),
                Component::Body(body) => ("body", body.text.as_deref(), body_limit),
                Component::Carousel(carousel) => {
                    for (index, card) in carousel.cards.iter().enumerate() {
                        let prefix = format!("card.{index}.");
                        Self::collect(&card.components, &prefix, CARD_BODY_LENGTH, parts, places, found);
                    }
                    continue;
                }
                _ => continue,
            };
            let Some(text) = text else { continue };
            let id = |name: &str| format!("{prefix}{section}.{name}");
            let of_variable = |variable: &variable::Variable<'_>| places.get(id(variable.name).as_str()).copied();
            let is_text = |place: &usize| parts[*place].kind == PartKind::Text;
            found.push(Self {
                limit,
                fixed: variable::fill(text, |_| Some("")).chars().count(),
                variables: variable::scan(text).map(|variable| id(variable.name)).collect(),
                places: distinct(text).iter().filter_map(of_variable).filter(is_text).collect(),
            });
        }
    }
}

struct Checked<'a> {
    parts: &'a [SendPart],
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

    /// A text that is too long only with all its values. Reported at the longest value, since shortening it helps most.
    fn filled(&self, text: &FilledText, problems: &mut [Option<SendProblem>]) {
        let FilledText { limit, fixed, variables, places } = text;
        let long = |id: &str| answer(self.values, id).map_or(0, |value| value.chars().count());
        let length = fixed + variables.iter().map(|id| long(id)).sum::<usize>();
        let is_wrong = |place: &usize| {
            problems[*place].as_ref().is_some_and(|problem| problem.is_error() && problem.code != Code::ValueMissing)
        };
        if length <= *limit || places.iter().any(is_wrong) {
            return;
        }
        let long = |place: &usize| long(&self.parts[*place].id);
        // The first of several with the same length.
        if let Some(place) = places.iter().copied().rev().max_by_key(long).filter(|place| long(place) > 0) {
            let values: Named<'_> = &[("length", &length), ("limit", limit)];
            problems[place] = Some(SendProblem::new(self.parts[place].id.clone(), Code::ValueFilledTooLong, values));
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
