//! Checks whether a send fits its template; reports what the channel would reject, with its error code (upstream §6,
//! §7).

mod buttons;

use std::collections::{HashMap, HashSet};
use std::fmt::Display;

use serde_json::Value;

use super::form::distinct;
use super::limits::{CARD_BODY_LENGTH, CODE_LENGTH, HEADER_LENGTH};
use super::problem::{SendProblem, SendProblemCode};
use super::{Media, Parameter, SendCarousel, SendComponent, SendTemplate, TextParameter};
use crate::component::{Body, Card, Component, Header};
use crate::link::is_address;
use crate::rules::{ValueFault, body_limit, value_fault};
use crate::template::Template;
use crate::variable;
use crate::vocabulary::{Category, HeaderFormat, ParameterFormat};

/// The number of parameters differs from the template's.
const COUNT: u32 = 132_000;
/// The template does not exist in this language.
const NO_TEMPLATE: u32 = 132_001;
/// A text is too long with its variables filled in.
const TOO_LONG: u32 = 132_005;
/// A parameter has another type or format than the template requires.
const FORMAT: u32 = 132_012;
/// A required parameter is missing.
const MISSING: u32 = 131_008;
/// A parameter's value is not valid.
const VALUE: u32 = 131_009;
/// A field has a word that the channel doesn't accept there.
const UNSUPPORTED: u32 = 100;

/// A fault that the channel would reject, in terms of the payload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SendFault {
    /// The channel's error code.
    pub code: u32,
    /// JSON pointer into the `template` object of the send, such as `/components/0/parameters/1`.
    pub path: String,
    /// The problem with the payload, and the expected value.
    pub message: String,
    /// The same in terms of the send form. `field` is a part of [`super::send_form`], or empty.
    pub problem: SendProblem,
}

/// All faults of a send of `template` that the channel would reject.
#[must_use]
pub fn check_send(template: &Template, send: &SendTemplate) -> Vec<SendFault> {
    let mut check = Check {
        faults: Vec::new(),
        named: template.effective_parameter_format() == ParameterFormat::Named,
        prefix: String::new(),
    };
    if send.name != template.name {
        check.add(NO_TEMPLATE, "/name", "", format!("the template is named `{}`, not `{}`", template.name, send.name));
    }
    if send.language.code != template.language {
        let message = format!("the template's language is `{}`, not `{}`", template.language, send.language.code);
        check.add(NO_TEMPLATE, "/language/code", "", message);
    }
    let limit = body_limit(template);
    let authentication = template.category == Category::Authentication;
    check.components(&template.components, &send.components, "/components", limit, authentication);
    check.faults
}

struct Check {
    faults: Vec<SendFault>,
    named: bool,
    /// `card.2.` within a card.
    prefix: String,
}

impl Check {
    /// Adds a fault with the default sentence of its code.
    fn add(&mut self, code: u32, path: &str, part: &str, message: impl Into<String>) {
        let message = message.into();
        let problem = match code {
            COUNT => SendProblemCode::ValueCount,
            FORMAT => SendProblemCode::ValueFormat,
            MISSING => SendProblemCode::ValueMissing,
            NO_TEMPLATE => SendProblemCode::TemplateUnknown,
            _ => SendProblemCode::ValueInvalid,
        };
        self.add_as(problem, &[("detail", &message)], code, path, part, message.clone());
    }

    /// Adds a fault with a specific sentence.
    fn add_as(
        &mut self,
        problem: SendProblemCode,
        values: &[(&str, &dyn Display)],
        code: u32,
        path: &str,
        part: &str,
        message: String,
    ) {
        let field = if part.is_empty() { String::new() } else { format!("{}{part}", self.prefix) };
        let problem = SendProblem::new(field, problem, values).with_error_code(code);
        self.faults.push(SendFault { code, path: path.to_owned(), message, problem });
    }

    fn filled_too_long(&mut self, path: &str, length: usize, limit: usize, section: &str) {
        let message = format!("the {section} has {length} characters once it is filled in, and takes {limit}");
        let values: [(&str, &dyn Display); 2] = [("length", &length), ("limit", &limit)];
        self.add_as(SendProblemCode::ValueFilledTooLong, &values, TOO_LONG, path, "", message);
    }

    /// Adds a fault for a code with more than [`CODE_LENGTH`] characters.
    fn code_too_long(&mut self, code: u32, path: &str, part: &str, length: usize) {
        let message = format!("the code has {length} characters; the channel takes at most {CODE_LENGTH}");
        let values: [(&str, &dyn Display); 2] = [("length", &length), ("limit", &CODE_LENGTH)];
        self.add_as(SendProblemCode::ValueCodeTooLong, &values, code, path, part, message);
    }

    fn components(
        &mut self,
        template: &[Component],
        send: &[SendComponent],
        path: &str,
        limit: usize,
        authentication: bool,
    ) {
        self.sound(send, path);
        let given = |kind: &str| {
            send.iter()
                .enumerate()
                .find(|(_, component)| component.type_name().eq_ignore_ascii_case(kind))
                .map(|(at, component)| (format!("{path}/{at}"), component))
        };
        let list = |kind: &str| {
            given(kind).map(|(path, component)| match component {
                SendComponent::Header(list)
                | SendComponent::Body(list)
                | SendComponent::Footer(list)
                | SendComponent::LimitedTimeOffer(list) => (path, list.parameters.as_slice()),
                _ => (path, [].as_slice()),
            })
        };
        let find = |kind: &str| template.iter().find(|component| component.type_name().eq_ignore_ascii_case(kind));

        match (find("HEADER"), list("header")) {
            (Some(Component::Header(header)), given) => self.header(header, given, path),
            (_, Some((path, list))) if !list.is_empty() => {
                self.add(COUNT, &path, "", "the template has no header, so it takes no parameters");
            }
            _ => {}
        }
        match (find("BODY"), list("body")) {
            (Some(Component::Body(body)), given) => self.body(body, given, path, limit, authentication),
            (_, Some((path, list))) if !list.is_empty() => {
                self.add(COUNT, &path, "", "the template has no body, so it takes no parameters");
            }
            _ => {}
        }
        if let (None, Some((path, [_, ..]))) = (find("FOOTER"), list("footer")) {
            self.add(COUNT, &path, "", "the template has no footer, so it takes no parameters");
        }
        match (find("LIMITED_TIME_OFFER"), list("limited_time_offer")) {
            (Some(Component::LimitedTimeOffer(offer)), given)
                if offer.limited_time_offer.has_expiration == Some(true) =>
            {
                self.offer(given, path);
            }
            (_, Some((path, [_, ..]))) => self.add(COUNT, &path, "", "the template has no offer with a countdown"),
            _ => {}
        }
        self.buttons(template, send, path, authentication);
        match (find("CAROUSEL"), given("carousel")) {
            (Some(Component::Carousel(carousel)), Some((path, SendComponent::Carousel(send)))) => {
                self.carousel(&carousel.cards, send, &path);
            }
            (Some(Component::Carousel(_)), None) => {
                self.add(
                    MISSING,
                    path,
                    "",
                    "the template has a carousel: a component `carousel` with its cards is required",
                );
            }
            (None, Some((path, _))) => self.add(FORMAT, &path, "", "the template has no carousel"),
            _ => {}
        }
    }

    /// Checks for unreadable and duplicate components.
    fn sound(&mut self, send: &[SendComponent], path: &str) {
        for (at, component) in send.iter().enumerate() {
            let kind = component.type_name();
            let here = format!("{path}/{at}");
            let known = SendComponent::TYPES.iter().any(|known| known.eq_ignore_ascii_case(kind));
            if matches!(component, SendComponent::Unknown(_)) && (known || kind.is_empty()) {
                let message = "the component cannot be read; its `type` or another required field is missing or wrong";
                self.add(VALUE, &here, "", message);
            } else if known
                && !kind.eq_ignore_ascii_case("button")
                && send[..at].iter().any(|earlier| earlier.type_name().eq_ignore_ascii_case(kind))
            {
                self.add(VALUE, &here, "", format!("there is more than one component `{kind}`"));
            }
        }
    }

    fn header(&mut self, header: &Header, given: Option<(String, &[Parameter])>, path: &str) {
        let (path, list) = given.unwrap_or_else(|| (path.to_owned(), &[]));
        if header.format == HeaderFormat::Text {
            let text = header.text.as_deref().unwrap_or_default();
            if let Some(filled) = self.texts("header", text, &path, list) {
                let length = filled.chars().count();
                if length > HEADER_LENGTH {
                    self.filled_too_long(&path, length, HEADER_LENGTH, "header");
                }
            }
            return;
        }
        if matches!(header.format, HeaderFormat::Unknown(_)) {
            return;
        }
        let part = match header.format {
            HeaderFormat::Location => "header.latitude",
            HeaderFormat::Product => "header.product_retailer_id",
            _ => "header.link",
        };
        let expected = header.format.as_str().to_ascii_lowercase();
        let [parameter] = list else {
            let code = if list.is_empty() { FORMAT } else { COUNT };
            let message = format!("the header takes one parameter of the type `{expected}`; {} are given", list.len());
            self.add(code, &path, part, message);
            return;
        };
        let here = format!("{path}/parameters/0");
        match (&header.format, parameter) {
            (HeaderFormat::Image, Parameter::Image(image)) => self.media(&image.image, &format!("{here}/image")),
            (HeaderFormat::Video | HeaderFormat::Gif, Parameter::Video(video)) => {
                self.media(&video.video, &format!("{here}/video"));
            }
            (HeaderFormat::Document, Parameter::Document(document)) => {
                self.media(&document.document, &format!("{here}/document"));
            }
            (HeaderFormat::Location, Parameter::Location(location)) => {
                for (name, most, out_of_range) in [
                    ("latitude", 90.0, SendProblemCode::ValueLatitude),
                    ("longitude", 180.0, SendProblemCode::ValueLongitude),
                ] {
                    let value = location.location.get(name);
                    let path = format!("{here}/location/{name}");
                    let part = format!("header.{name}");
                    let number = value.and_then(|value| match value {
                        Value::String(text) => text.trim().parse().ok(),
                        other => other.as_f64(),
                    });
                    match (value, number) {
                        (None | Some(Value::Null), _) => {
                            self.add(MISSING, &path, &part, format!("`{name}` is required"))
                        }
                        (_, Some(degrees)) if f64::abs(degrees) <= most => {}
                        (_, Some(degrees)) if degrees.is_finite() => {
                            let message = format!("`{name}` lies between -{most} and {most} degrees");
                            self.add_as(out_of_range, &[], VALUE, &path, &part, message);
                        }
                        _ => {
                            let message = format!("`{name}` is a number of degrees");
                            self.add_as(SendProblemCode::ValueNumber, &[], VALUE, &path, &part, message);
                        }
                    }
                }
            }
            (HeaderFormat::Product, parameter) if parameter.type_name() == "product" => {}
            (HeaderFormat::Gif, parameter) if parameter.type_name() == "gif" => {}
            (_, other) => {
                let message =
                    format!("the header takes a parameter of the type `{expected}`, not `{}`", other.type_name());
                self.add(FORMAT, &here, part, message);
            }
        }
    }

    fn media(&mut self, media: &Media, path: &str) {
        let given = |source: &Option<String>| source.as_deref().is_some_and(|source| !source.trim().is_empty());
        if !given(&media.link) && !given(&media.id) {
            self.add(MISSING, path, "header.link", "a `link` to the file, or the `id` of an upload, is required");
        } else if media.link.as_deref().is_some_and(|link| !link.trim().is_empty() && !is_address(link)) {
            let (path, part) = (format!("{path}/link"), "header.link");
            self.add_as(SendProblemCode::ValueLink, &[], VALUE, &path, part, "the link is no web address".to_owned());
        }
    }

    fn body(
        &mut self,
        body: &Body,
        given: Option<(String, &[Parameter])>,
        path: &str,
        limit: usize,
        authentication: bool,
    ) {
        let (path, list) = given.unwrap_or_else(|| (path.to_owned(), &[]));
        if authentication {
            self.passcode_body(&path, list);
            return;
        }
        let text = body.text.as_deref().unwrap_or_default();
        if let Some(filled) = self.texts("body", text, &path, list) {
            let length = filled.chars().count();
            if length > limit {
                self.filled_too_long(&path, length, limit, "body");
            }
        }
    }

    fn passcode_body(&mut self, path: &str, list: &[Parameter]) {
        let [parameter] = list else {
            self.add(
                COUNT,
                path,
                "body.1",
                format!("the body takes one parameter, the code; {} are given", list.len()),
            );
            return;
        };
        let here = format!("{path}/parameters/0");
        let Some(code) = self.text(parameter, &here, "body.1") else { return };
        let length = code.chars().count();
        if length > CODE_LENGTH {
            self.code_too_long(TOO_LONG, &here, "body.1", length);
        }
    }

    /// Checks the parameters of a text with variables. Returns the filled text, unless a parameter is missing or wrong.
    fn texts(&mut self, section: &str, text: &str, path: &str, list: &[Parameter]) -> Option<String> {
        let names: Vec<&str> = distinct(text).iter().map(|variable| variable.name).collect();
        if names.len() != list.len() {
            let message =
                format!("the {section} has {} variables, but {} parameters are given", names.len(), list.len());
            let first = names.first().map(|name| format!("{section}.{name}")).unwrap_or_default();
            self.add(COUNT, path, &first, message);
            return None;
        }
        let before = self.faults.len();
        let known: HashSet<&str> = names.iter().copied().collect();
        let mut values: HashMap<&str, String> = HashMap::new();
        for (at, parameter) in list.iter().enumerate() {
            let here = format!("{path}/parameters/{at}");
            let name = match parameter {
                Parameter::Text(TextParameter { parameter_name: given, .. }) if self.named => {
                    match given.as_deref().and_then(|given| known.get(given)) {
                        Some(name) if !values.contains_key(name) => *name,
                        Some(name) => {
                            self.add(FORMAT, &here, &format!("{section}.{name}"), format!("`{name}` is given twice"));
                            continue;
                        }
                        None => {
                            // Limit the list: long ones are unreadable, and repeated for every parameter.
                            let expected = names[..names.len().min(20)].join("`, `");
                            let message = format!("`parameter_name` is one of `{expected}`");
                            self.add(FORMAT, &here, &format!("{section}.{}", names[at]), message);
                            continue;
                        }
                    }
                }
                _ => names[at],
            };
            if let Some(value) = self.text(parameter, &here, &format!("{section}.{name}")) {
                values.insert(name, value);
            }
        }
        (self.faults.len() == before)
            .then(|| variable::fill(text, |variable| values.get(variable.name).map(String::as_str)))
    }

    /// The text of a parameter; for currencies and dates, their fallback.
    fn text(&mut self, parameter: &Parameter, path: &str, part: &str) -> Option<String> {
        let text = match parameter {
            Parameter::Text(text) => Some(text.text.clone()),
            Parameter::Unknown(object) => match parameter.type_name() {
                kind @ ("currency" | "date_time") => {
                    let fallback = object.get(kind).and_then(|value| value.get("fallback_value"));
                    Some(fallback.and_then(Value::as_str).unwrap_or_default().to_owned())
                }
                _ => None,
            },
            _ => None,
        };
        let Some(text) = text else {
            let kind = parameter.type_name();
            let message = format!("a parameter of the type `text` with a `text` is expected, not `{kind}`");
            self.add(FORMAT, path, part, message);
            return None;
        };
        if text.trim().is_empty() {
            self.add(MISSING, path, part, "the text is empty");
            return None;
        }
        if let Some(fault) = value_fault(&text) {
            let message = format!("the text has {}, which the channel refuses in a parameter", fault.words());
            let problem = value_problem(fault);
            self.add_as(problem, &[("most", &ValueFault::MAX_SPACES)], FORMAT, path, part, message);
            return None;
        }
        Some(text)
    }

    fn offer(&mut self, given: Option<(String, &[Parameter])>, path: &str) {
        let part = "offer.expiration";
        let (path, list) = given.unwrap_or_else(|| (path.to_owned(), &[]));
        match list {
            [Parameter::LimitedTimeOffer(offer)] => {
                let here = format!("{path}/parameters/0/limited_time_offer/expiration_time_ms");
                match offer.limited_time_offer.get("expiration_time_ms") {
                    None | Some(Value::Null) => {
                        self.add(MISSING, &here, part, "`expiration_time_ms`, the end of the offer, is required");
                    }
                    Some(end) if end.as_u64().is_some_and(|end| end > 0) => {}
                    Some(_) => {
                        let message = "`expiration_time_ms` is a whole number of milliseconds since 1970".to_owned();
                        self.add_as(SendProblemCode::ValueInstant, &[], VALUE, &here, part, message);
                    }
                }
            }
            [] => self.add(MISSING, &path, part, "the offer has a countdown: its end is required"),
            _ => self.add(FORMAT, &path, part, "one parameter of the type `limited_time_offer` is expected"),
        }
    }

    fn carousel(&mut self, cards: &[Card], send: &SendCarousel, path: &str) {
        let product = cards.iter().any(|card| {
            card.components.iter().any(
                |component| matches!(component, Component::Header(header) if header.format == HeaderFormat::Product),
            )
        });
        let given = send.cards.len();
        let here = format!("{path}/cards");
        // A template has two product cards; a send has up to ten (upstream §2.8).
        let fits = if product { (1..=10).contains(&given) } else { given == cards.len() };
        if !fits {
            let expected = if product { "1 to 10".to_owned() } else { cards.len().to_string() };
            self.add(COUNT, &here, "", format!("the carousel takes {expected} cards; {given} are given"));
        }
        let count = if product { 10 } else { cards.len() };
        let mut seen = vec![false; count];
        for (at, card) in send.cards.iter().enumerate() {
            let here = format!("{here}/{at}");
            let index = usize::try_from(card.card_index).unwrap_or(usize::MAX);
            if index >= count || std::mem::replace(&mut seen[index], true) {
                let message = format!("`card_index` counts from 0 to {}, each once", count.saturating_sub(1));
                self.add(VALUE, &format!("{here}/card_index"), "", message);
                continue;
            }
            let Some(template) = cards.get(index).or_else(|| cards.first()) else { continue };
            let outer = std::mem::replace(&mut self.prefix, format!("card.{index}."));
            self.components(
                &template.components,
                &card.components,
                &format!("{here}/components"),
                CARD_BODY_LENGTH,
                false,
            );
            self.prefix = outer;
        }
    }
}

/// The problem code for invalid characters in a value.
pub(super) fn value_problem(fault: ValueFault) -> SendProblemCode {
    match fault {
        ValueFault::LineBreak => SendProblemCode::ValueNewline,
        ValueFault::Tab => SendProblemCode::ValueTab,
        ValueFault::Spaces => SendProblemCode::ValueSpaces,
    }
}

#[cfg(test)]
mod tests;
