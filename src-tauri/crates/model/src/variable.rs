//! Variables in template texts: `{{1}}`, `{{first_name}}` (upstream §3.1).

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use serde::Serialize;
use ts_rs::TS;

use crate::button::Button;
use crate::component::{BodyExample, Component, Header, HeaderExample, NamedSample};
use crate::template::Template;
use crate::vocabulary::ParameterFormat;

/// A placeholder with double braces in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable<'a> {
    /// Text between the braces, trimmed.
    pub name: &'a str,
    /// Range in the text including the braces, in bytes.
    pub range: Range<usize>,
}

impl Variable<'_> {
    /// The number of a positional variable.
    #[must_use]
    pub fn number(&self) -> Option<usize> {
        if self.name.bytes().all(|byte| byte.is_ascii_digit()) { self.name.parse().ok() } else { None }
    }
}

/// All `{{…}}` in `text`, in order. Unclosed braces are skipped: `{{1}, from {{2}}` has the variable `2` only.
pub fn scan(text: &str) -> impl Iterator<Item = Variable<'_>> {
    let mut from = 0;
    std::iter::from_fn(move || {
        loop {
            let first = from + find_pair(&text[from..], b'{')? + 2;
            let close = first + find_pair(&text[first..], b'}')?;
            let inner = text[first..close].rfind("{{").map_or(first, |at| first + at + 2);
            from = close + 2;
            if !text[inner..close].contains('}') {
                return Some(Variable { name: text[inner..close].trim(), range: inner - 2..from });
            }
        }
    })
}

/// The first `{{` or `}}` that belongs to no variable, with the word at it, such as `{{name` or `name}}`.
#[must_use]
pub fn stray_braces(text: &str) -> Option<&str> {
    let mut from = 0;
    for variable in scan(text).map(|variable| variable.range).chain(std::iter::once(text.len()..text.len())) {
        if let Some(found) = stray_in(&text[from..variable.start]) {
            return Some(found);
        }
        from = variable.end;
    }
    None
}

fn stray_in(part: &str) -> Option<&str> {
    let opened = find_pair(part, b'{');
    let closed = find_pair(part, b'}');
    match (opened, closed) {
        (Some(open), closed) if closed.is_none_or(|closed| open < closed) => {
            let rest = &part[open..];
            let word = rest.trim_start_matches(['{', ' ']);
            let length = word.find(|c: char| c.is_whitespace() || c == '{').unwrap_or(word.len());
            Some(rest[..rest.len() - word.len() + length].trim_end())
        }
        (_, Some(close)) => {
            let word = part[..close].trim_end();
            let from = word.rfind(|c: char| c.is_whitespace() || c == '}');
            let from = from.map_or(0, |at| at + word[at..].chars().next().map_or(0, char::len_utf8));
            Some(&part[from..close + 2])
        }
        _ => None,
    }
}

/// Byte offset of the first two consecutive `brace`s. Performance matters: every keystroke scans all texts of a
/// template.
pub(crate) fn find_pair(text: &str, brace: u8) -> Option<usize> {
    let bytes = text.as_bytes();
    memchr::memchr_iter(brace, bytes).find(|at| bytes.get(at + 1) == Some(&brace))
}

/// Maximum number of bytes that the values of variables add to a text. A long value for thousands of variables would
/// exhaust the memory; real messages are a thousand times shorter.
pub(crate) const MAX_FILLED_BYTES: usize = 1 << 20;

/// Replaces each variable in `text` with the result of `value`. Variables without a value are unchanged, and so are
/// those whose value would exceed [`MAX_FILLED_BYTES`].
pub fn fill<'v>(text: &str, mut value: impl FnMut(&Variable<'_>) -> Option<&'v str>) -> String {
    let mut filled = String::with_capacity(text.len());
    let mut done = 0;
    let mut remaining = MAX_FILLED_BYTES;
    for variable in scan(text) {
        if let Some(value) = value(&variable).filter(|value| value.len() <= remaining) {
            remaining -= value.len();
            filled.push_str(&text[done..variable.range.start]);
            filled.push_str(value);
            done = variable.range.end;
        }
    }
    filled.push_str(&text[done..]);
    filled
}

/// The texts whose variables follow the parameter format of the template: headers and bodies, cards included.
///
/// Addresses of buttons are excluded: they use `{{1}}` in every documented template (upstream §3.1).
pub fn message_texts(template: &Template) -> impl Iterator<Item = &str> {
    component_texts(&template.components)
}

fn component_texts(components: &[Component]) -> Box<dyn Iterator<Item = &str> + '_> {
    Box::new(components.iter().flat_map(|component| -> Box<dyn Iterator<Item = &str> + '_> {
        match component {
            Component::Header(Header { text: Some(text), .. }) => Box::new(std::iter::once(text.as_str())),
            Component::Body(body) => Box::new(body.text.as_deref().into_iter()),
            Component::Carousel(carousel) => {
                Box::new(carousel.cards.iter().flat_map(|card| component_texts(&card.components)))
            }
            _ => Box::new(std::iter::empty()),
        }
    }))
}

impl Template {
    /// The format of the variables: as declared, else named if any variable has a name. Empty braces say nothing about it.
    #[must_use]
    pub fn effective_parameter_format(&self) -> ParameterFormat {
        if let Some(format) = &self.parameter_format {
            return format.clone();
        }
        let mut variables = message_texts(self).flat_map(scan);
        let named = variables.any(|variable| !variable.name.is_empty() && variable.number().is_none());
        if named { ParameterFormat::Named } else { ParameterFormat::Positional }
    }
}

/// A variable of a text with its sample. A variable that occurs twice in a text is listed once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "model.ts")]
#[serde(rename_all = "camelCase")]
pub struct VariableUse {
    /// JSON pointer to the text: `/components/1/text`, `/components/3/buttons/0/url`.
    pub path: String,
    /// Number or name between the braces.
    pub name: String,
    /// Its sample; empty if there is none.
    pub sample: String,
    /// JSON pointer to the sample, which may not exist yet: `/components/1/example/body_text/0/2`.
    pub sample_path: String,
}

/// All variables of all texts with their samples, in the order of the template: headers, bodies, addresses of buttons,
/// cards.
#[must_use]
pub fn variables(template: &Template) -> Vec<VariableUse> {
    let mut found = Vec::new();
    collect(&template.components, "/components", &mut found);
    found
}

fn collect(components: &[Component], path: &str, found: &mut Vec<VariableUse>) {
    for (index, component) in components.iter().enumerate() {
        let path = format!("{path}/{index}");
        match component {
            Component::Header(header) => {
                let samples = Samples::of_header(header.example.as_ref());
                uses(header.text.as_deref(), &format!("{path}/text"), &format!("{path}/example"), samples, found);
            }
            Component::Body(body) => {
                let samples = Samples::of_body(body.example.as_ref());
                uses(body.text.as_deref(), &format!("{path}/text"), &format!("{path}/example"), samples, found);
            }
            Component::Buttons(buttons) => {
                for (index, button) in buttons.buttons.iter().enumerate() {
                    if let Button::Url(url) = button {
                        let path = format!("{path}/buttons/{index}");
                        let (text, example) = (format!("{path}/url"), format!("{path}/example"));
                        uses(Some(&url.url), &text, &example, Samples::of_address(&url.example), found);
                    }
                }
            }
            Component::Carousel(carousel) => {
                for (index, card) in carousel.cards.iter().enumerate() {
                    collect(&card.components, &format!("{path}/cards/{index}/components"), found);
                }
            }
            _ => {}
        }
    }
}

fn uses(text: Option<&str>, path: &str, example: &str, mut samples: Samples<'_>, found: &mut Vec<VariableUse>) {
    let mut names = HashSet::new();
    for variable in scan(text.unwrap_or_default()) {
        if variable.name.is_empty() || !names.insert(variable.name) {
            continue;
        }
        let (place, sample) = samples.find(&variable);
        found.push(VariableUse {
            path: path.to_owned(),
            name: variable.name.to_owned(),
            sample: sample.unwrap_or_default().to_owned(),
            sample_path: match place {
                SamplePlace::Positional(index) => format!("{example}{}/{index}", samples.row_path),
                SamplePlace::Named(index) => format!("{example}/{}/{index}/example", samples.named_key),
            },
        });
    }
}

/// Position of a variable's sample among the samples of its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SamplePlace {
    /// Index in the row of positional samples.
    Positional(usize),
    /// Index in the list of named samples.
    Named(usize),
}

/// Index of each named sample; the first of several with the same name counts.
fn by_name(samples: &[NamedSample]) -> HashMap<&str, usize> {
    samples.iter().enumerate().rev().map(|(at, sample)| (sample.param_name.as_str(), at)).collect()
}

/// The samples of a text for the preview and for sends: by name, else by number, else by the position of the variable.
pub(crate) struct ShownSamples<'e> {
    row: &'e [String],
    named: &'e [NamedSample],
    places: HashMap<&'e str, usize>,
}

impl<'e> ShownSamples<'e> {
    /// Samples of a header, which has one variable.
    pub(crate) fn of_header(example: Option<&'e HeaderExample>) -> Self {
        let named = example.map_or(&[][..], |example| &example.header_text_named_params);
        let row = example.map_or(&[][..], |example| &example.header_text);
        Self { row: &row[..row.len().min(1)], named, places: by_name(named) }
    }

    pub(crate) fn of_body(example: Option<&'e BodyExample>) -> Self {
        let named = example.map_or(&[][..], |example| &example.body_text_named_params);
        let row = example.and_then(|example| example.body_text.first()).map_or(&[][..], Vec::as_slice);
        Self { row, named, places: by_name(named) }
    }

    pub(crate) fn named(&self, name: &str) -> Option<&'e str> {
        self.places.get(name).map(|at| self.named[*at].example.as_str())
    }

    /// The positional sample at `index`, from 0.
    pub(crate) fn positional(&self, index: usize) -> Option<&'e str> {
        self.row.get(index).map(String::as_str)
    }

    /// The sample of the header's variable; `None` if it is empty.
    pub(crate) fn of_only(&self, variable: &Variable<'_>) -> Option<&'e str> {
        self.named(variable.name).or_else(|| self.positional(0)).filter(|sample| !sample.is_empty())
    }

    /// The sample of the body's variable at position `order` in its text, from 0; `None` if it is empty.
    pub(crate) fn of(&self, variable: &Variable<'_>, order: usize) -> Option<&'e str> {
        let index = variable.number().and_then(|number| number.checked_sub(1)).unwrap_or(order);
        self.named(variable.name).or_else(|| self.positional(index)).filter(|sample| !sample.is_empty())
    }
}

/// The samples of one text. Call `find` for its distinct variables in order.
pub(crate) struct Samples<'e> {
    row: &'e [String],
    named: &'e [NamedSample],
    places: HashMap<&'e str, usize>,
    /// Whether the number of the variable is the index; else its position is.
    by_number: bool,
    /// Path between `example` and the cell.
    row_path: &'static str,
    named_key: &'static str,
    order: usize,
    missing: usize,
}

impl<'e> Samples<'e> {
    pub(crate) fn of_header(example: Option<&'e HeaderExample>) -> Self {
        let named = example.map_or(&[][..], |example| &example.header_text_named_params);
        Self {
            row: example.map_or(&[], |example| &example.header_text),
            named,
            places: by_name(named),
            by_number: false,
            row_path: "/header_text",
            named_key: "header_text_named_params",
            order: 0,
            missing: 0,
        }
    }

    pub(crate) fn of_body(example: Option<&'e BodyExample>) -> Self {
        let named = example.map_or(&[][..], |example| &example.body_text_named_params);
        Self {
            row: example.and_then(|example| example.body_text.first()).map_or(&[], Vec::as_slice),
            named,
            places: by_name(named),
            by_number: true,
            row_path: "/body_text/0",
            named_key: "body_text_named_params",
            order: 0,
            missing: 0,
        }
    }

    /// Samples of an address: a single one, whatever its variable is called.
    pub(crate) fn of_address(example: &'e [String]) -> Self {
        Self {
            row: example,
            named: &[],
            places: HashMap::new(),
            by_number: false,
            row_path: "",
            named_key: "",
            order: 0,
            missing: 0,
        }
    }

    /// The place and the text of the sample of the next distinct variable.
    pub(crate) fn find(&mut self, variable: &Variable<'_>) -> (SamplePlace, Option<&'e str>) {
        let number = variable.number();
        if number.is_none() && !self.named_key.is_empty() {
            let at = self.places.get(variable.name).copied();
            // A missing sample would be appended to the list.
            let place = at.unwrap_or_else(|| {
                self.missing += 1;
                self.named.len() + self.missing - 1
            });
            return (SamplePlace::Named(place), at.map(|at| self.named[at].example.as_str()));
        }
        let order = self.order;
        self.order += 1;
        let cell = number.filter(|_| self.by_number).map_or(order, |number| number.saturating_sub(1));
        (SamplePlace::Positional(cell), self.row.get(cell).map(String::as_str))
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that cannot read its own input should fail")]

    use super::*;
    use serde_json::json;

    #[test]
    fn braces_that_belong_to_no_variable_are_found_with_their_word() {
        for (text, found) in [
            ("Chave {{chave", Some("{{chave")),
            ("{{name}}, {{ key} is here", Some("{{ key}")),
            ("key}} {{name}}", Some("key}}")),
            ("{{1}, from {{2}}", Some("{{1},")),
            ("a }} b {{", Some("a }}")),
            ("é}}", Some("é}}")),
            ("{{ ", Some("{{")),
            ("{{name}} {off} 50 % }", None),
            ("", None),
        ] {
            assert_eq!(stray_braces(text), found, "{text}");
        }
    }

    #[test]
    fn every_variable_is_listed_once_per_text() {
        let template: Template = serde_json::from_value(json!({"components": [
            {"type": "HEADER", "format": "TEXT", "text": "For {{1}} now", "example": {"header_text": ["Ana"]}},
            {"type": "BODY", "text": "{{2}} and {{1}} and {{2}} and {{3}}", "example": {"body_text": [["a", "b"]]}},
            {"type": "BUTTONS", "buttons": [{"type": "QUICK_REPLY", "text": "No"},
                {"type": "URL", "text": "Go", "url": "https://x.example/{{1}}", "example": ["https://x.example/7"]}]},
            {"type": "CAROUSEL", "cards": [{"components": [{"type": "BODY", "text": "{{c}} {{a}} {{b}} {{d}}",
                "example": {"body_text_named_params": [{"param_name": "a", "example": "A"}, {"param_name": "b", "example": "B"}]}}]}]}
        ]}))
        .unwrap();
        let card = "/components/3/cards/0/components/0";
        let found: Vec<_> =
            variables(&template).into_iter().map(|it| [it.path, it.name, it.sample, it.sample_path]).collect();
        let expected = [
            ["/components/0/text", "1", "Ana", "/components/0/example/header_text/0"].map(str::to_owned),
            ["/components/1/text", "2", "b", "/components/1/example/body_text/0/1"].map(str::to_owned),
            ["/components/1/text", "1", "a", "/components/1/example/body_text/0/0"].map(str::to_owned),
            ["/components/1/text", "3", "", "/components/1/example/body_text/0/2"].map(str::to_owned),
            ["/components/2/buttons/1/url", "1", "https://x.example/7", "/components/2/buttons/1/example/0"]
                .map(str::to_owned),
        ];
        assert_eq!(found[..5], expected);
        let rest: Vec<_> =
            found[5..].iter().map(|[_, name, sample, path]| (&name[..], &sample[..], &path[..])).collect();
        let named = |at: usize| format!("{card}/example/body_text_named_params/{at}/example");
        assert_eq!(
            rest,
            [("c", "", &named(2)[..]), ("a", "A", &named(0)), ("b", "B", &named(1)), ("d", "", &named(3))]
        );
    }
}
