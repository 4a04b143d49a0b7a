//! A text with variables and its samples; both are changed together.

use std::collections::{HashMap, HashSet};

use crate::button::{Button, UrlButton};
use crate::component::{Body, BodyExample, Component, Header, HeaderExample, NamedSample};
use crate::template::Template;
use crate::variable::{MAX_FILLED_BYTES, SamplePlace, Samples, Variable, scan};

/// Last cell of a row to which a sample is moved. Variables can have numbers with twenty digits, and a row has a cell
/// for every lower number.
const MAX_SAMPLE_CELL: usize = 100_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Header,
    Body,
    Address,
}

/// A text with its samples.
pub(super) enum Part<'t> {
    Header(&'t mut Header),
    Body(&'t mut Body),
    Address(&'t mut UrlButton),
}

/// The text at a JSON pointer: `…/text` of a header or body, `…/url` of a button.
pub(super) fn part_at<'t>(template: &'t mut Template, path: &str) -> Option<Part<'t>> {
    let (owner, field) = path.rsplit_once('/')?;
    match (owner_at(template, owner)?, field) {
        (Owner::Component(Component::Header(header)), "text") if header.text.is_some() => Some(Part::Header(header)),
        (Owner::Component(Component::Body(body)), "text") if body.text.is_some() => Some(Part::Body(body)),
        (Owner::Button(Button::Url(button)), "url") => Some(Part::Address(button)),
        _ => None,
    }
}

/// A component or button.
pub(super) enum Owner<'t> {
    Component(&'t mut Component),
    Button(&'t mut Button),
}

/// The component or button at a JSON pointer.
pub(super) fn owner_at<'t>(template: &'t mut Template, path: &str) -> Option<Owner<'t>> {
    let mut steps = path.split('/');
    if steps.next() != Some("") || steps.next() != Some("components") {
        return None;
    }
    let mut component = template.components.get_mut(index(&mut steps)?)?;
    loop {
        match (component, steps.next()) {
            (component, None) => return Some(Owner::Component(component)),
            (Component::Buttons(buttons), Some("buttons")) => {
                let button = buttons.buttons.get_mut(index(&mut steps)?)?;
                return steps.next().is_none().then_some(Owner::Button(button));
            }
            (Component::Carousel(carousel), Some("cards")) => {
                let card = carousel.cards.get_mut(index(&mut steps)?)?;
                if steps.next() != Some("components") {
                    return None;
                }
                component = card.components.get_mut(index(&mut steps)?)?;
            }
            _ => return None,
        }
    }
}

/// Splits a path into that of the component or button, and the rest.
pub(super) fn owner_path(path: &str) -> (&str, &str) {
    let mut end = 0;
    let mut steps = path.split('/').skip(1).peekable();
    while let Some(step) = steps.next_if(|step| matches!(*step, "components" | "cards" | "buttons")) {
        let Some(index) = steps.next_if(|step| step.bytes().all(|byte| byte.is_ascii_digit())) else { break };
        end += step.len() + index.len() + 2;
    }
    path.split_at(end)
}

/// The components at a JSON pointer: those of the template, or of a card.
pub(super) fn list_at<'t>(template: &'t mut Template, path: &str) -> Option<&'t mut Vec<Component>> {
    if path == "/components" {
        return Some(&mut template.components);
    }
    let (cards, card) = path.strip_suffix("/components")?.rsplit_once('/')?;
    match owner_at(template, cards.strip_suffix("/cards")?)? {
        Owner::Component(Component::Carousel(carousel)) => {
            Some(&mut carousel.cards.get_mut(card.parse::<usize>().ok()?)?.components)
        }
        _ => None,
    }
}

/// The text at a JSON pointer: a field of a component or button, or a sample.
pub(super) fn string_at<'t>(template: &'t mut Template, path: &str) -> Option<&'t mut String> {
    let (owner, field) = owner_path(path);
    let mut steps = field.split('/').skip(1);
    let first = steps.next()?;
    match (owner_at(template, owner)?, first) {
        (Owner::Component(Component::Header(header)), "text") => header.text.as_mut(),
        (Owner::Component(Component::Body(body)), "text") => body.text.as_mut(),
        (Owner::Component(Component::Footer(footer)), "text") => footer.text.as_mut(),
        (Owner::Component(Component::Header(header)), "example") => {
            let example = header.example.as_mut()?;
            match steps.next()? {
                "header_text" => example.header_text.get_mut(index(&mut steps)?),
                "header_text_named_params" => {
                    Some(&mut example.header_text_named_params.get_mut(index(&mut steps)?)?.example)
                }
                _ => None,
            }
        }
        (Owner::Component(Component::Body(body)), "example") => {
            let example = body.example.as_mut()?;
            match steps.next()? {
                "body_text" => example.body_text.get_mut(index(&mut steps)?)?.get_mut(index(&mut steps)?),
                "body_text_named_params" => {
                    Some(&mut example.body_text_named_params.get_mut(index(&mut steps)?)?.example)
                }
                _ => None,
            }
        }
        (Owner::Button(Button::Url(button)), "url") => Some(&mut button.url),
        (Owner::Button(Button::PhoneNumber(button)), "phone_number") => Some(&mut button.phone_number),
        (Owner::Button(Button::CopyCode(button)), "example") => Some(&mut button.example),
        (Owner::Button(button), "text") => match button {
            Button::Url(button) => Some(&mut button.text),
            Button::QuickReply(button)
            | Button::Catalog(button)
            | Button::Mpm(button)
            | Button::Spm(button)
            | Button::OrderDetails(button) => Some(&mut button.text),
            Button::PhoneNumber(button) => Some(&mut button.text),
            Button::Flow(button) => Some(&mut button.text),
            Button::VoiceCall(button) => Some(&mut button.text),
            Button::Otp(button) => button.text.as_mut(),
            Button::CopyCode(_) | Button::RequestContactInfo(_) | Button::Unknown(_) => None,
        },
        _ => None,
    }
}

/// Parses an array index as in RFC 6901.
fn index<'p>(steps: &mut impl Iterator<Item = &'p str>) -> Option<usize> {
    let step = steps.next()?;
    let plain = step.bytes().all(|byte| byte.is_ascii_digit()) && (step.len() == 1 || !step.starts_with('0'));
    if plain { step.parse().ok() } else { None }
}

/// Calls `change` for every text with its samples.
pub(super) fn each_part(template: &mut Template, change: &mut dyn FnMut(Part<'_>)) {
    each_of(&mut template.components, change);
}

fn each_of(components: &mut [Component], change: &mut dyn FnMut(Part<'_>)) {
    for component in components {
        match component {
            Component::Header(header) if header.text.is_some() => change(Part::Header(header)),
            Component::Body(body) if body.text.is_some() => change(Part::Body(body)),
            Component::Buttons(buttons) => {
                for button in &mut buttons.buttons {
                    if let Button::Url(url) = button {
                        change(Part::Address(url));
                    }
                }
            }
            Component::Carousel(carousel) => {
                carousel.cards.iter_mut().for_each(|card| each_of(&mut card.components, change));
            }
            _ => {}
        }
    }
}

impl Part<'_> {
    pub(super) fn place(&self) -> Place {
        match self {
            Self::Header(_) => Place::Header,
            Self::Body(_) => Place::Body,
            Self::Address(_) => Place::Address,
        }
    }

    pub(super) fn text(&self) -> &str {
        match self {
            Self::Header(header) => header.text.as_deref().unwrap_or_default(),
            Self::Body(body) => body.text.as_deref().unwrap_or_default(),
            Self::Address(button) => &button.url,
        }
    }

    pub(super) fn set_text(&mut self, text: String) {
        match self {
            Self::Header(header) => header.text = Some(text),
            Self::Body(body) => body.text = Some(text),
            Self::Address(button) => button.url = text,
        }
    }

    fn samples(&self) -> Samples<'_> {
        match self {
            Self::Header(header) => Samples::of_header(header.example.as_ref()),
            Self::Body(body) => Samples::of_body(body.example.as_ref()),
            Self::Address(button) => Samples::of_address(&button.example),
        }
    }

    /// Distinct names and numbers, in the order of the text.
    pub(super) fn names(&self) -> Vec<String> {
        let mut seen = HashSet::new();
        scan(self.text()).map(|variable| variable.name).filter(|name| seen.insert(*name)).map(str::to_owned).collect()
    }

    /// Renames every variable to the result of `name`, and moves the samples. `name` gets the position of the variable
    /// in the text, counting repetitions.
    pub(super) fn rename(&mut self, mut name: impl FnMut(usize, &Variable<'_>) -> String) {
        let mut text = String::with_capacity(self.text().len());
        let mut done = 0;
        // Each new name with its sample.
        let mut moved: Vec<(String, Option<NamedSample>)> = Vec::new();
        let mut taken: HashSet<String> = HashSet::new();
        // Each old name with its sample, and the number of new names that use it.
        let mut known: HashMap<&str, (Option<NamedSample>, usize)> = HashMap::new();
        let mut samples = self.samples();
        // Limits memory: a long sample could be copied to many new names.
        let mut remaining = MAX_FILLED_BYTES;
        for (order, variable) in scan(self.text()).enumerate() {
            let (sample, copies) =
                known.entry(variable.name).or_insert_with(|| (self.sample_of(samples.find(&variable)), 0));
            let new = name(order, &variable);
            if taken.insert(new.clone()) {
                let bytes = sample.as_ref().filter(|_| *copies > 0).map_or(0, |sample| sample.example.len());
                let room = remaining.checked_sub(bytes);
                remaining = room.unwrap_or(remaining);
                *copies += 1;
                moved.push((new.clone(), room.and_then(|_| sample.clone())));
            }
            if new != variable.name {
                text.push_str(&self.text()[done..variable.range.start]);
                text.push_str(&format!("{{{{{new}}}}}"));
                done = variable.range.end;
            }
        }
        text.push_str(&self.text()[done..]);
        if text == self.text() {
            return;
        }
        let removed: HashSet<String> = known.into_keys().map(str::to_owned).collect();
        self.set_text(text);
        self.set_samples(moved, &removed);
    }

    fn sample_of(&self, (place, text): (SamplePlace, Option<&str>)) -> Option<NamedSample> {
        let text = text?;
        let named = match (self, place) {
            (Self::Header(header), SamplePlace::Named(at)) => {
                header.example.as_ref().and_then(|example| example.header_text_named_params.get(at))
            }
            (Self::Body(body), SamplePlace::Named(at)) => {
                body.example.as_ref().and_then(|example| example.body_text_named_params.get(at))
            }
            _ => None,
        };
        Some(named.cloned().unwrap_or_else(|| NamedSample { example: text.to_owned(), ..NamedSample::default() }))
    }

    fn set_samples(&mut self, moved: Vec<(String, Option<NamedSample>)>, removed: &HashSet<String>) {
        if let Self::Address(_) = self {
            // An address has one sample, whatever its variable is called.
            return;
        }
        let by_number = matches!(self, Self::Body(_));
        let mut row: Vec<String> = Vec::new();
        let mut named: Vec<NamedSample> = Vec::new();
        let mut order = 0;
        for (name, sample) in moved {
            let number = Variable { name: &name, range: 0..0 }.number();
            let Some(number) = number else {
                named.extend(sample.map(|sample| NamedSample { param_name: name, ..sample }));
                continue;
            };
            let cell = if by_number { number.saturating_sub(1) } else { order };
            order += 1;
            let Some(sample) = sample else { continue };
            if cell > MAX_SAMPLE_CELL {
                named.push(NamedSample { param_name: name, ..sample });
                continue;
            }
            if row.len() <= cell {
                row.resize(cell + 1, String::new());
            }
            row[cell] = sample.example;
        }
        match self {
            Self::Header(header) => {
                let example = header.example.get_or_insert_default();
                keep_unused_samples(&mut named, &example.header_text_named_params, removed);
                example.header_text = row;
                example.header_text_named_params = named;
                if *example == HeaderExample::default() {
                    header.example = None;
                }
            }
            Self::Body(body) => {
                let example = body.example.get_or_insert_default();
                keep_unused_samples(&mut named, &example.body_text_named_params, removed);
                if example.body_text.is_empty() {
                    example.body_text.push(row);
                } else {
                    example.body_text[0] = row;
                }
                if example.body_text.iter().all(Vec::is_empty) {
                    example.body_text.clear();
                }
                example.body_text_named_params = named;
                if *example == BodyExample::default() {
                    body.example = None;
                }
            }
            Self::Address(_) => {}
        }
    }
}

/// Keeps named samples that belong to no variable.
fn keep_unused_samples(named: &mut Vec<NamedSample>, before: &[NamedSample], removed: &HashSet<String>) {
    let taken: HashSet<&str> = named.iter().map(|sample| sample.param_name.as_str()).collect();
    let others = before.iter().filter(|sample| !removed.contains(&sample.param_name));
    let others: Vec<NamedSample> =
        others.filter(|sample| !taken.contains(sample.param_name.as_str())).cloned().collect();
    named.extend(others);
}
