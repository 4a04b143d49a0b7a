//! Renders a template as the phone shows it: variables filled and the channel's formatting parsed.

mod direction;
mod markup;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::button::{Button, UrlButton};
use crate::component::{Body, Component, Footer, Header};
use crate::link::is_address;
use crate::passcode;
use crate::template::Template;
use crate::variable::{self, MAX_FILLED_BYTES, ShownSamples};
use crate::vocabulary::{Category, HeaderFormat, OtpType};

/// Values for the variables of a template. A missing value is replaced by the sample, else by the variable itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts")]
#[serde(default)]
pub struct Fill {
    /// Header values by position (`"1"`) or name; `link` is the address of its file.
    pub header: BTreeMap<String, String>,
    /// Body values by position (`"1"`) or name.
    pub body: BTreeMap<String, String>,
    /// Suffix of each URL button's address, by button position (`"0"`).
    pub urls: BTreeMap<String, String>,
    /// Code of each copy-code button, by button position.
    pub codes: BTreeMap<String, String>,
    /// Values for each card, in order.
    pub cards: Vec<Fill>,
}

/// A message as the phone shows it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts", optional_fields = nullable)]
pub struct Bubble {
    pub header: Option<BubbleHeader>,
    /// Heading of a limited-time offer.
    pub offer: Option<String>,
    pub body: Vec<Block>,
    pub footer: Option<String>,
    /// In order; if there are more than three, the phone shows two and hides the others behind "See all options".
    pub buttons: Vec<BubbleButton>,
    /// Number of buttons before "See all options": all, or two if there are more than three.
    pub visible_buttons: usize,
    pub cards: Vec<Bubble>,
    /// Whether the first strong character of the text is right-to-left.
    pub right_to_left: bool,
    /// Types of the components that can't be shown.
    pub unknown: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts")]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum BubbleHeader {
    Text {
        /// With its variable filled.
        text: String,
    },
    /// An image, video, document, location, product or other header, shown as a placeholder or by its sample.
    Media {
        /// `IMAGE`, `VIDEO`, `DOCUMENT`, `LOCATION`, `PRODUCT`, `GIF` or an unknown word.
        format: String,
        /// Address of the file that is sent, else of the sample if the provider returned one.
        link: Option<String>,
    },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts", optional_fields = nullable)]
pub struct BubbleButton {
    /// `URL`, `QUICK_REPLY`, … as on the wire; determines the icon.
    pub kind: String,
    /// The label; the phone's own if the template has none.
    pub label: String,
    /// Target of a URL button with its variable filled; number of a phone button; code of a copy button.
    pub target: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts")]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum Block {
    /// A line; an empty one has no runs.
    Line { runs: Vec<Run> },
    /// Lines that begin with `* ` or `- `.
    Bullet { runs: Vec<Run> },
    /// Lines that begin with `1. `.
    Numbered {
        /// The number as written.
        number: String,
        runs: Vec<Run>,
    },
    /// Lines that begin with `> `.
    Quote { runs: Vec<Run> },
    /// Text between triple backticks, unchanged.
    Code { text: String },
}

/// A span of text in one style. JSON leaves out the styles it does not have, as a long text has hundreds of spans.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts")]
pub struct Run {
    pub text: String,
    /// `*…*`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(as = "Option<bool>", optional)]
    pub bold: bool,
    /// `_…_`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(as = "Option<bool>", optional)]
    pub italic: bool,
    /// `~…~`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(as = "Option<bool>", optional)]
    pub strike: bool,
    /// `` `…` ``.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(as = "Option<bool>", optional)]
    pub code: bool,
    /// Value of a variable: highlighted in the composer.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(as = "Option<bool>", optional)]
    pub variable: bool,
}

/// Maximum number of buttons without "See all options".
const SHOWN_BUTTONS: usize = 3;

/// Placeholder for the code of an authentication template.
pub(crate) const SAMPLE_CODE: &str = "123456";

/// Renders a template with the values of `fill`, else with its samples, else with the variables themselves.
#[must_use]
pub fn render(template: &Template, fill: &Fill) -> Bubble {
    let authentication = template.category == Category::Authentication;
    bubble(&template.components, fill, authentication, &template.language)
}

/// Renders a message that is only a text, with the channel's formatting.
#[must_use]
pub fn render_text(text: &str) -> Bubble {
    Bubble {
        body: markup::blocks(text, &[]),
        right_to_left: direction::of(text) == Some(direction::Direction::RightToLeft),
        ..Bubble::default()
    }
}

/// The text of blocks without formatting, one line for each block.
#[must_use]
pub fn plain_text(blocks: &[Block]) -> String {
    let line = |block: &Block| match block {
        Block::Line { runs } | Block::Bullet { runs } | Block::Numbered { runs, .. } | Block::Quote { runs } => {
            runs.iter().map(|run| run.text.as_str()).collect()
        }
        Block::Code { text } => text.clone(),
    };
    blocks.iter().map(line).collect::<Vec<String>>().join("\n")
}

fn bubble(components: &[Component], fill: &Fill, authentication: bool, language: &str) -> Bubble {
    let mut bubble = Bubble::default();
    let mut direction = None;
    for component in components {
        match component {
            Component::Header(header) => bubble.header = Some(shown_header(header, fill)),
            Component::Body(body) => {
                let text = if authentication && body.text.is_none() {
                    shown_passcode(body, fill, language)
                } else {
                    shown_body(body, fill)
                };
                direction = direction::of(&text.text);
                bubble.body = markup::blocks(&text.text, &text.variables);
            }
            Component::Footer(footer) => bubble.footer = shown_footer(footer, language),
            Component::Buttons(buttons) => {
                let buttons = buttons.buttons.iter().enumerate();
                bubble.buttons = buttons.map(|(at, button)| shown_button(at, button, fill, language)).collect();
            }
            Component::Carousel(carousel) => {
                let empty = Fill::default();
                bubble.cards = carousel
                    .cards
                    .iter()
                    .enumerate()
                    .map(|(at, card)| {
                        self::bubble(&card.components, fill.cards.get(at).unwrap_or(&empty), false, language)
                    })
                    .collect();
            }
            Component::LimitedTimeOffer(offer) => bubble.offer = Some(offer.limited_time_offer.text.clone()),
            Component::CallPermissionRequest(_) | Component::Unknown(_) => {
                let kind = component.type_name();
                bubble.unknown.push(if kind.is_empty() { "?".to_owned() } else { kind.to_ascii_uppercase() });
            }
        }
    }
    let direction = direction.or_else(|| match &bubble.header {
        Some(BubbleHeader::Text { text }) => direction::of(text),
        _ => None,
    });
    bubble.right_to_left = direction == Some(direction::Direction::RightToLeft);
    bubble.visible_buttons =
        if bubble.buttons.len() > SHOWN_BUTTONS { SHOWN_BUTTONS - 1 } else { bubble.buttons.len() };
    bubble
}

/// A text with its variables filled, and their new positions.
struct Filled {
    text: String,
    variables: Vec<Range<usize>>,
}

fn filled<'v>(text: &'v str, mut value: impl FnMut(&variable::Variable<'v>, usize) -> Option<&'v str>) -> Filled {
    let mut filled = Filled { text: String::with_capacity(text.len()), variables: Vec::new() };
    let mut done = 0;
    let mut remaining = MAX_FILLED_BYTES;
    for (order, variable) in variable::scan(text).enumerate() {
        filled.text.push_str(&text[done..variable.range.start]);
        let start = filled.text.len();
        let value = value(&variable, order).filter(|value| value.len() <= remaining);
        remaining -= value.map_or(0, str::len);
        filled.text.push_str(value.unwrap_or(&text[variable.range.clone()]));
        filled.variables.push(start..filled.text.len());
        done = variable.range.end;
    }
    filled.text.push_str(&text[done..]);
    filled
}

/// A typed value; an empty one counts as missing.
fn typed<'f>(values: &'f BTreeMap<String, String>, name: &str) -> Option<&'f str> {
    values.get(name).map(String::as_str).filter(|value| !value.is_empty())
}

fn shown_header(header: &Header, fill: &Fill) -> BubbleHeader {
    let example = header.example.as_ref();
    if header.format != HeaderFormat::Text {
        let sample = example.and_then(|example| example.header_handle.first()).map(String::as_str);
        let link = typed(&fill.header, "link").or(sample).map(str::trim).filter(|link| is_address(link));
        return BubbleHeader::Media { format: header.format.as_str().to_owned(), link: link.map(str::to_owned) };
    }
    let text = header.text.as_deref().unwrap_or_default();
    let samples = ShownSamples::of_header(example);
    let text = filled(text, |variable, _| typed(&fill.header, variable.name).or_else(|| samples.of_only(variable)));
    BubbleHeader::Text { text: text.text }
}

fn shown_body(body: &Body, fill: &Fill) -> Filled {
    let samples = ShownSamples::of_body(body.example.as_ref());
    filled(body.text.as_deref().unwrap_or_default(), |variable, order| {
        typed(&fill.body, variable.name).or_else(|| samples.of(variable, order))
    })
}

/// The text that the channel writes for an authentication template.
fn shown_passcode(body: &Body, fill: &Fill, language: &str) -> Filled {
    let code = typed(&fill.body, "1").unwrap_or(SAMPLE_CODE);
    filled(&passcode::body_text(language, body.add_security_recommendation == Some(true)), |_, _| Some(code))
}

fn shown_footer(footer: &Footer, language: &str) -> Option<String> {
    let expiry = || footer.code_expiration_minutes.map(|minutes| passcode::expiry_text(language, minutes));
    footer.text.clone().or_else(expiry)
}

fn shown_button(at: usize, button: &Button, fill: &Fill, language: &str) -> BubbleButton {
    let position = at.to_string();
    let target = match button {
        Button::Url(url) => Some(address(url, typed(&fill.urls, &position)).into_owned()),
        Button::PhoneNumber(phone) => Some(phone.phone_number.clone()),
        Button::CopyCode(code) => {
            Some(typed(&fill.codes, &position).unwrap_or(&code.example).to_owned()).filter(|code| !code.is_empty())
        }
        Button::Otp(_) => Some(typed(&fill.body, "1").unwrap_or(SAMPLE_CODE).to_owned()),
        _ => None,
    };
    let label = match button.label() {
        Some(label) if !label.is_empty() => label,
        _ => own_label(button, language),
    };
    BubbleButton { kind: button.type_name().to_ascii_uppercase(), label: label.to_owned(), target }
}

/// The phone's own label for a button without one.
fn own_label<'b>(button: &'b Button, language: &str) -> &'b str {
    match button {
        Button::CopyCode(_) => "Copy offer code",
        Button::Otp(otp) if otp.otp_type == OtpType::OneTap => {
            otp.autofill_text.as_deref().unwrap_or_else(|| passcode::autofill_label(language))
        }
        Button::Otp(_) => passcode::copy_label(language),
        Button::RequestContactInfo(_) => "Share Contact Info",
        Button::Catalog(_) => "View catalog",
        Button::Mpm(_) => "View items",
        Button::Spm(_) => "View",
        _ => "",
    }
}

/// The target of a URL button, filled with `value`, else with its sample. The sample is the whole address or only the
/// value of the variable; both occur (upstream §2.4).
fn address<'u>(button: &'u UrlButton, value: Option<&str>) -> Cow<'u, str> {
    if variable::scan(&button.url).next().is_none() {
        return Cow::Borrowed(&button.url);
    }
    let sample = button.example.first().map(String::as_str).filter(|sample| !sample.is_empty());
    match (value, sample) {
        (None, None) => Cow::Borrowed(&button.url),
        (None, Some(whole)) if whole.contains("://") => Cow::Borrowed(whole),
        (Some(value), _) | (None, Some(value)) => Cow::Owned(variable::fill(&button.url, |_| Some(value))),
    }
}

#[cfg(test)]
mod tests;
