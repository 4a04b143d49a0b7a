//! The form for a send: all values that a template requires (contract §2.3; upstream §6).

mod fill;

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::{Deserialize, Serialize};
use ts_rs::TS;

pub(super) use fill::answer;
pub use fill::{fill_send, preview_fill};

use super::limits::{ADDRESS_LENGTH, CARD_BODY_LENGTH, CODE_LENGTH, FOOTER_LENGTH, HEADER_LENGTH, PAYLOAD_LENGTH};
use super::person_name::is_person_name;
use crate::button::Button;
use crate::component::{Body, Component, Header};
use crate::link::{is_address, without_variable};
use crate::render::SAMPLE_CODE;
use crate::rules::body_limit;
use crate::template::Template;
use crate::variable::{self, ShownSamples, Variable};
use crate::vocabulary::{Category, HeaderFormat};

/// Characters of context on either side of a variable.
const CONTEXT: usize = 40;

/// Answers by the identifiers of parts.
pub type SendValues = BTreeMap<String, String>;

/// Kind of a part; determines label and keyboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts")]
#[serde(rename_all = "lowercase")]
pub enum PartKind {
    /// A single-line text.
    Text,
    /// Address of a file, or the numeric identifier of an upload.
    Link,
    /// Displayed name of a document.
    Filename,
    /// End of a button's address.
    Suffix,
    Payload,
    /// A coupon code or one-time code.
    Code,
    /// A flow token.
    Token,
    /// Milliseconds since 1970.
    Instant,
    /// Degrees.
    Number,
    /// An identifier in the catalog.
    Identifier,
    /// JSON as text.
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts")]
#[serde(rename_all = "lowercase")]
pub enum PartSection {
    Header,
    Body,
    Footer,
    Offer,
    Button,
}

/// Kind of file behind a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts")]
#[serde(rename_all = "lowercase")]
pub enum PartMedia {
    Image,
    Video,
    Document,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts", optional_fields = nullable)]
pub struct SendPart {
    /// Key of the answer, stable for all sends of the template: `body.1`, `header.link`, `button.0.url`,
    /// `card.2.body.name`.
    pub id: String,
    pub kind: PartKind,
    pub section: PartSection,
    /// Its card, from 0.
    pub card: Option<u32>,
    /// Variable, button or field that it fills, shown beside the label; empty for a button that the phone labels.
    pub label: String,
    /// Whether a send without it is rejected.
    pub required: bool,
    /// Sample of the template; empty if there is none.
    pub sample: String,
    /// Expected kind of file behind a link.
    pub media: Option<PartMedia>,
    /// Whether it accepts several lines; absent means no.
    pub multiline: Option<bool>,
    /// Maximum number of characters, if known.
    pub limit: Option<usize>,
    /// The fixed part of the address before the suffix.
    pub prefix: Option<String>,
    /// The text around the variable, shortened, with the variable in its braces.
    pub context: Option<String>,
    /// Whether it is the name of a person, by its name or the greeting before it; absent means no.
    pub person: Option<bool>,
}

impl SendPart {
    /// Whether a text or the end of an address is the sample of the review, which a person may have left there. A sample picture
    /// or coupon is often the right one.
    #[must_use]
    pub fn is_left_sample(&self, value: &str) -> bool {
        let sample = self.sample.trim();
        matches!(self.kind, PartKind::Text | PartKind::Suffix) && !sample.is_empty() && value.trim() == sample
    }
}

/// All values to fill in for a send of a template.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts")]
pub struct SendForm {
    /// In the order of the message; the variables of a text by their numbers.
    pub parts: Vec<SendPart>,
}

#[must_use]
pub fn send_form(template: &Template) -> SendForm {
    let mut form = Form { parts: Vec::new(), ids: HashSet::new(), prefix: String::new(), card: None };
    let authentication = template.category == Category::Authentication;
    form.components(&template.components, authentication, body_limit(template));
    SendForm { parts: form.parts }
}

struct Form {
    parts: Vec<SendPart>,
    ids: HashSet<String>,
    prefix: String,
    card: Option<u32>,
}

impl Form {
    fn part(&mut self, id: &str, kind: PartKind, section: PartSection, label: &str) -> Option<&mut SendPart> {
        let id = format!("{}{id}", self.prefix);
        // A duplicate component, which no approved template has, is asked for once.
        if !self.ids.insert(id.clone()) {
            return None;
        }
        self.parts.push(SendPart {
            id,
            kind,
            section,
            card: self.card,
            label: label.to_owned(),
            required: true,
            sample: String::new(),
            media: None,
            multiline: (kind == PartKind::Json).then_some(true),
            limit: None,
            prefix: None,
            context: None,
            person: None,
        });
        self.parts.last_mut()
    }

    fn optional(&mut self, id: &str, kind: PartKind, section: PartSection, label: &str) -> Option<&mut SendPart> {
        let part = self.part(id, kind, section, label)?;
        part.required = false;
        Some(part)
    }

    fn components(&mut self, components: &[Component], authentication: bool, body_limit: usize) {
        for component in components {
            match component {
                Component::Header(header) => self.header(header),
                Component::Body(_) if authentication => {
                    if let Some(part) = self.part("body.1", PartKind::Code, PartSection::Body, "1") {
                        part.sample = SAMPLE_CODE.to_owned();
                        part.limit = Some(CODE_LENGTH);
                    }
                }
                Component::Body(body) => self.body(body, body_limit),
                // The contract shows footer parameters, though footers have no variables (upstream §12 #9).
                Component::Footer(footer) => {
                    if let Some(text) = footer.text.as_deref().filter(|_| !authentication)
                        && let Some(part) = self.optional("footer.text", PartKind::Text, PartSection::Footer, text)
                    {
                        part.limit = Some(FOOTER_LENGTH);
                    }
                }
                Component::LimitedTimeOffer(offer) => {
                    if offer.limited_time_offer.has_expiration == Some(true) {
                        let heading = &offer.limited_time_offer.text;
                        self.part("offer.expiration", PartKind::Instant, PartSection::Offer, heading);
                    }
                }
                // The one-time code button uses the same code as the body.
                Component::Buttons(_) if authentication => {}
                Component::Buttons(buttons) => {
                    for (index, button) in buttons.buttons.iter().enumerate() {
                        self.button(index, button);
                    }
                }
                Component::Carousel(carousel) => {
                    let outer = std::mem::take(&mut self.prefix);
                    for (index, card) in carousel.cards.iter().enumerate() {
                        self.prefix = format!("card.{index}.");
                        self.card = u32::try_from(index).ok();
                        self.components(&card.components, false, CARD_BODY_LENGTH);
                    }
                    self.prefix = outer;
                    self.card = None;
                }
                Component::CallPermissionRequest(_) | Component::Unknown(_) => {}
            }
        }
    }

    fn header(&mut self, header: &Header) {
        let section = PartSection::Header;
        let example = header.example.as_ref();
        let label = header.format.as_str();
        match &header.format {
            HeaderFormat::Text => {
                let text = header.text.as_deref().unwrap_or_default();
                let samples = ShownSamples::of_header(example);
                let limits = TextLimit::of(text, HEADER_LENGTH);
                for variable in distinct(text) {
                    let sample = samples.of_only(&variable);
                    self.variable("header", section, text, &variable, &limits, sample.unwrap_or_default());
                }
            }
            HeaderFormat::Image | HeaderFormat::Video | HeaderFormat::Document | HeaderFormat::Gif => {
                // Only an address can be sent again; a handle can't.
                let sample = example.and_then(|example| example.header_handle.first()).filter(|it| is_address(it));
                if let Some(part) = self.part("header.link", PartKind::Link, section, label) {
                    part.sample = sample.cloned().unwrap_or_default();
                    part.media = Some(match &header.format {
                        HeaderFormat::Image => PartMedia::Image,
                        HeaderFormat::Document => PartMedia::Document,
                        _ => PartMedia::Video,
                    });
                }
                if header.format == HeaderFormat::Document {
                    self.optional("header.filename", PartKind::Filename, section, label);
                }
            }
            HeaderFormat::Location => {
                self.part("header.latitude", PartKind::Number, section, "latitude");
                self.part("header.longitude", PartKind::Number, section, "longitude");
                self.optional("header.name", PartKind::Text, section, "name");
                self.optional("header.address", PartKind::Text, section, "address");
            }
            HeaderFormat::Product => {
                for field in ["product_retailer_id", "catalog_id"] {
                    self.part(&format!("header.{field}"), PartKind::Identifier, section, field);
                }
            }
            HeaderFormat::Unknown(_) => {}
        }
    }

    fn body(&mut self, body: &Body, limit: usize) {
        let text = body.text.as_deref().unwrap_or_default();
        let samples = ShownSamples::of_body(body.example.as_ref());
        let limits = TextLimit::of(text, limit);
        for (order, variable) in distinct(text).into_iter().enumerate() {
            let sample = samples.of(&variable, order).unwrap_or_default();
            self.variable("body", PartSection::Body, text, &variable, &limits, sample);
        }
    }

    fn variable(
        &mut self,
        id: &str,
        section: PartSection,
        text: &str,
        variable: &Variable<'_>,
        limits: &TextLimit<'_>,
        sample: &str,
    ) {
        if let Some(part) = self.part(&format!("{id}.{}", variable.name), PartKind::Text, section, variable.name) {
            part.sample = sample.to_owned();
            part.limit = Some(limits.of_variable(variable.name));
            part.context = Some(context(text, variable));
            part.person = is_person_name(variable.name, &text[..variable.range.start]).then_some(true);
        }
    }

    fn button(&mut self, index: usize, button: &Button) {
        let label = button.label().unwrap_or_default();
        let section = PartSection::Button;
        let id = |field: &str| format!("button.{index}.{field}");
        match button {
            Button::Url(url) => {
                let Some(variable) = variable::scan(&url.url).next() else { return };
                let whole = url.example.first().map(String::as_str).unwrap_or_default();
                let (fixed, rest) = without_variable(&url.url, &variable);
                // A sample of the whole address contains the suffix between its fixed parts.
                let suffix = whole.strip_prefix(fixed).map(|end| end.strip_suffix(rest).unwrap_or(end));
                if let Some(part) = self.part(&id("url"), PartKind::Suffix, section, label) {
                    part.sample = suffix.unwrap_or(if is_address(whole) { "" } else { whole }).to_owned();
                    part.limit = Some(ADDRESS_LENGTH.saturating_sub(fixed.chars().count() + rest.chars().count()));
                    part.prefix = Some(fixed.to_owned());
                    part.context = (!rest.is_empty()).then(|| url.url.clone());
                }
            }
            Button::QuickReply(_) => {
                if let Some(part) = self.optional(&id("payload"), PartKind::Payload, section, label) {
                    part.sample = label.to_owned();
                    part.limit = Some(PAYLOAD_LENGTH);
                }
            }
            Button::CopyCode(code) => {
                if let Some(part) = self.part(&id("code"), PartKind::Code, section, label) {
                    part.sample = code.example.clone();
                    part.limit = Some(CODE_LENGTH);
                }
            }
            Button::Flow(_) => {
                self.optional(&id("flow_token"), PartKind::Token, section, label);
                self.optional(&id("flow_action_data"), PartKind::Json, section, label);
            }
            Button::Catalog(_) => {
                self.optional(&id("thumbnail_product_retailer_id"), PartKind::Identifier, section, label);
            }
            Button::Mpm(_) => {
                self.part(&id("thumbnail_product_retailer_id"), PartKind::Identifier, section, label);
                self.part(&id("sections"), PartKind::Json, section, label);
            }
            Button::OrderDetails(_) => {
                self.part(&id("order_details"), PartKind::Json, section, label);
            }
            Button::PhoneNumber(_)
            | Button::Otp(_)
            | Button::Spm(_)
            | Button::VoiceCall(_)
            | Button::RequestContactInfo(_)
            | Button::Unknown(_) => {}
        }
    }
}

/// The distinct variables of a text in the order of their values in a send: by number, named ones in the order of the
/// text.
pub(super) fn distinct(text: &str) -> Vec<Variable<'_>> {
    let mut seen = HashSet::new();
    let mut variables: Vec<Variable<'_>> = variable::scan(text).filter(|variable| seen.insert(variable.name)).collect();
    variables.sort_by_key(|variable| variable.number().unwrap_or(usize::MAX));
    variables
}

/// Space for the variables of a text.
struct TextLimit<'t> {
    /// Total number of characters.
    characters: usize,
    /// Number of occurrences of each variable.
    times: HashMap<&'t str, usize>,
}

impl<'t> TextLimit<'t> {
    fn of(text: &'t str, limit: usize) -> Self {
        let mut times: HashMap<&str, usize> = HashMap::new();
        let mut fixed = text.chars().count();
        for variable in variable::scan(text) {
            fixed -= text[variable.range].chars().count();
            *times.entry(variable.name).or_default() += 1;
        }
        Self { characters: limit.saturating_sub(fixed), times }
    }

    /// For one variable, if the others are empty.
    fn of_variable(&self, name: &str) -> usize {
        self.characters / self.times.get(name).copied().unwrap_or(1)
    }
}

/// The line that contains a variable, shortened on both sides.
fn context(text: &str, variable: &Variable<'_>) -> String {
    let (before, after) = (&text[..variable.range.start], &text[variable.range.end..]);
    // Scan only the part to show: a line may contain thousands of variables.
    let near = |letters: &mut dyn Iterator<Item = char>| -> (usize, bool) {
        let mut bytes = 0;
        for (count, letter) in letters.take_while(|letter| *letter != '\n').enumerate() {
            if count == CONTEXT {
                return (bytes, true);
            }
            bytes += letter.len_utf8();
        }
        (bytes, false)
    };
    let (start, is_cut_before) = near(&mut before.chars().rev());
    let (end, is_cut_after) = near(&mut after.chars());
    let ellipsis = |is_cut: bool| if is_cut { "…" } else { "" };
    format!(
        "{}{}{}{}{}",
        ellipsis(is_cut_before),
        before[before.len() - start..].trim_start(),
        &text[variable.range.clone()],
        after[..end].trim_end(),
        ellipsis(is_cut_after),
    )
}

#[cfg(test)]
mod tests;
