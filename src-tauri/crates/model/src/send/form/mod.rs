//! What a send of a template asks for, and the components made from the answers (contract §2.3; upstream §6).

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use ts_rs::TS;

use super::{
    ActionParameter, CouponCodeParameter, DocumentParameter, ImageParameter, LimitedTimeOfferParameter,
    LocationParameter, Media, Parameter, Parameters, PayloadParameter, SendButton, SendCard, SendCarousel,
    SendComponent, TextParameter, VideoParameter,
};
use crate::Object;
use crate::button::Button;
use crate::component::{Body, Component, Header};
use crate::render::{Fill, body_sample};
use crate::template::Template;
use crate::variable;
use crate::vocabulary::{Category, HeaderFormat, ParameterFormat};

/// Answers by the identifiers of parts.
pub type SendValues = BTreeMap<String, String>;

/// A part that can be filled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts", optional_fields = nullable)]
pub struct SendPart {
    /// Key of the answer, the same for every send of the template: `body.1`, `header.link`, `button.0.url`,
    /// `card.2.body.name`.
    pub id: String,
    /// What it is: `text`, `link`, `filename`, `suffix`, `payload`, `code`, `token`, `instant` (milliseconds since
    /// 1970), `number` (degrees), `identifier` or `json`. Decides label and keyboard.
    pub kind: String,
    /// Where it belongs: `header`, `body`, `footer`, `offer` or `button`.
    pub section: String,
    /// Card it belongs to, from 0.
    pub card: Option<u32>,
    /// Variable, button or field it fills, as shown beside the label.
    pub label: String,
    /// Whether a send without it is refused.
    pub required: bool,
    /// Sample of the template; empty where there is none.
    pub sample: String,
}

/// Everything that can be filled in a send of a template.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts")]
pub struct SendForm {
    /// In the order of the message.
    pub parts: Vec<SendPart>,
}

/// The form of a send of `template`.
#[must_use]
pub fn send_form(template: &Template) -> SendForm {
    let mut form = Form { parts: Vec::new(), prefix: String::new(), card: None };
    let authentication = template.category == Category::Authentication;
    form.components(&template.components, authentication);
    SendForm { parts: form.parts }
}

struct Form {
    parts: Vec<SendPart>,
    prefix: String,
    card: Option<u32>,
}

impl Form {
    fn part(&mut self, id: &str, kind: &str, label: &str, required: bool, sample: &str) {
        let section = id.split('.').next().unwrap_or_default();
        self.parts.push(SendPart {
            id: format!("{}{id}", self.prefix),
            kind: kind.to_owned(),
            section: section.to_owned(),
            card: self.card,
            label: label.to_owned(),
            required,
            sample: sample.to_owned(),
        });
    }

    fn components(&mut self, components: &[Component], authentication: bool) {
        for component in components {
            match component {
                Component::Header(header) => self.header(header),
                Component::Body(_) if authentication => self.part("body.1", "code", "1", true, ""),
                Component::Body(body) => self.body(body),
                // The contract shows parameters of footers, though no footer has variables (upstream §12 #9).
                Component::Footer(footer) => {
                    if let Some(text) = footer.text.as_deref().filter(|_| !authentication) {
                        self.part("footer.text", "text", text, false, "");
                    }
                }
                Component::LimitedTimeOffer(offer) => {
                    if offer.limited_time_offer.has_expiration == Some(true) {
                        self.part("offer.expiration", "instant", &offer.limited_time_offer.text, true, "");
                    }
                }
                // The passcode's button takes the same code as the body.
                Component::Buttons(_) if authentication => {}
                Component::Buttons(buttons) => {
                    for (index, button) in buttons.buttons.iter().enumerate() {
                        self.button(index, button);
                    }
                }
                Component::Carousel(carousel) => {
                    for (index, card) in carousel.cards.iter().enumerate() {
                        self.prefix = format!("card.{index}.");
                        self.card = u32::try_from(index).ok();
                        self.components(&card.components, false);
                    }
                    self.prefix.clear();
                    self.card = None;
                }
                Component::CallPermissionRequest(_) | Component::Unknown(_) => {}
            }
        }
    }

    fn header(&mut self, header: &Header) {
        let example = header.example.as_ref();
        match &header.format {
            HeaderFormat::Text => {
                for name in names(header.text.as_deref().unwrap_or_default()) {
                    let sample = example.and_then(|example| {
                        let named = example.header_text_named_params.iter().find(|sample| sample.param_name == name);
                        named.map(|sample| &sample.example).or_else(|| example.header_text.first())
                    });
                    self.part(&format!("header.{name}"), "text", name, true, sample.map_or("", String::as_str));
                }
            }
            HeaderFormat::Image | HeaderFormat::Video | HeaderFormat::Document | HeaderFormat::Gif => {
                // Only an address can be sent again; a handle cannot.
                let sample = example
                    .and_then(|example| example.header_handle.first())
                    .filter(|handle| is_address(handle))
                    .map_or("", String::as_str);
                self.part("header.link", "link", header.format.as_str(), true, sample);
                if header.format == HeaderFormat::Document {
                    self.part("header.filename", "filename", header.format.as_str(), false, "");
                }
            }
            HeaderFormat::Location => {
                self.part("header.latitude", "number", "latitude", true, "");
                self.part("header.longitude", "number", "longitude", true, "");
                self.part("header.name", "text", "name", false, "");
                self.part("header.address", "text", "address", false, "");
            }
            HeaderFormat::Product => {
                self.part("header.product_retailer_id", "identifier", "product_retailer_id", true, "");
                self.part("header.catalog_id", "identifier", "catalog_id", true, "");
            }
            HeaderFormat::Unknown(_) => {}
        }
    }

    fn body(&mut self, body: &Body) {
        let text = body.text.as_deref().unwrap_or_default();
        let mut seen = BTreeSet::new();
        for (order, variable) in variable::scan(text).enumerate() {
            if seen.insert(variable.name) {
                let sample = body_sample(body.example.as_ref(), &variable, order).unwrap_or_default();
                self.part(&format!("body.{}", variable.name), "text", variable.name, true, sample);
            }
        }
    }

    fn button(&mut self, index: usize, button: &Button) {
        let label = button.label().unwrap_or(button.type_name());
        let id = |field: &str| format!("button.{index}.{field}");
        match button {
            Button::Url(url) => {
                if let Some(variable) = variable::scan(&url.url).next() {
                    let whole = url.example.first().map(String::as_str).unwrap_or_default();
                    // A sample of the whole address holds the suffix behind the part that is fixed.
                    let fixed = &url.url[..variable.range.start];
                    let suffix = whole.strip_prefix(fixed).unwrap_or(if is_address(whole) { "" } else { whole });
                    self.part(&id("url"), "suffix", label, true, suffix);
                }
            }
            Button::QuickReply(_) => self.part(&id("payload"), "payload", label, false, label),
            Button::CopyCode(code) => self.part(&id("code"), "code", label, true, &code.example),
            Button::Flow(_) => self.part(&id("flow_token"), "token", label, false, ""),
            Button::Catalog(_) => {
                self.part(&id("thumbnail_product_retailer_id"), "identifier", label, false, "");
            }
            Button::Mpm(_) => {
                self.part(&id("thumbnail_product_retailer_id"), "identifier", label, true, "");
                self.part(&id("sections"), "json", label, true, "");
            }
            Button::OrderDetails(_) => self.part(&id("order_details"), "json", label, true, ""),
            Button::PhoneNumber(_)
            | Button::Otp(_)
            | Button::Spm(_)
            | Button::VoiceCall(_)
            | Button::RequestContactInfo(_)
            | Button::Unknown(_) => {}
        }
    }
}

/// The variables of a text, each once.
fn names(text: &str) -> Vec<&str> {
    let mut names = Vec::new();
    for variable in variable::scan(text) {
        if !names.contains(&variable.name) {
            names.push(variable.name);
        }
    }
    names
}

fn is_address(text: &str) -> bool {
    text.starts_with("https://") || text.starts_with("http://")
}

/// The components of a send, from the answers to [`send_form`].
///
/// What is required stands in them even when its answer is missing, as an empty text: [`super::check_send`] then names
/// it. What is optional and unanswered is left out, and so are components without parameters.
#[must_use]
pub fn fill_send(template: &Template, values: &SendValues) -> Vec<SendComponent> {
    let answers = Answers { values, prefix: String::new() };
    let named = template.effective_parameter_format() == ParameterFormat::Named;
    if template.category == Category::Authentication {
        return answers.passcode();
    }
    answers.components(&template.components, named)
}

struct Answers<'v> {
    values: &'v SendValues,
    prefix: String,
}

impl Answers<'_> {
    fn given(&self, id: &str) -> Option<&str> {
        self.values.get(&format!("{}{id}", self.prefix)).map(String::as_str).filter(|value| !value.is_empty())
    }

    fn text(&self, id: &str) -> String {
        self.given(id).unwrap_or_default().to_owned()
    }

    /// The same code for the body and the button (upstream §6.1).
    fn passcode(&self) -> Vec<SendComponent> {
        let code = || Parameter::Text(TextParameter { text: self.text("body.1"), ..TextParameter::default() });
        vec![SendComponent::Body(parameters(vec![code()])), button("url", 0, code())]
    }

    fn components(&self, components: &[Component], named: bool) -> Vec<SendComponent> {
        let mut filled = Vec::new();
        for component in components {
            match component {
                Component::Header(header) => {
                    filled.extend(self.header(header, named).map(|list| SendComponent::Header(parameters(list))));
                }
                Component::Body(body) => {
                    let list = self.texts("body", body.text.as_deref().unwrap_or_default(), named);
                    filled.extend(list.map(|list| SendComponent::Body(parameters(list))));
                }
                Component::Footer(_) => {
                    if let Some(text) = self.given("footer.text") {
                        let text = TextParameter { text: text.to_owned(), ..TextParameter::default() };
                        filled.push(SendComponent::Footer(parameters(vec![Parameter::Text(text)])));
                    }
                }
                Component::LimitedTimeOffer(offer) => {
                    if offer.limited_time_offer.has_expiration == Some(true) {
                        let instant = number_or_text(&self.text("offer.expiration"));
                        let offer = Object::from_iter([("expiration_time_ms".to_owned(), instant)]);
                        let offer = LimitedTimeOfferParameter { limited_time_offer: offer, extra: Object::new() };
                        let list = vec![Parameter::LimitedTimeOffer(offer)];
                        filled.push(SendComponent::LimitedTimeOffer(parameters(list)));
                    }
                }
                Component::Buttons(buttons) => {
                    let buttons = buttons.buttons.iter().enumerate();
                    filled.extend(buttons.filter_map(|(index, button)| self.button(index, button)));
                }
                Component::Carousel(carousel) => {
                    let cards = (0..).zip(&carousel.cards).map(|(card_index, card)| {
                        let card_answers = Answers { values: self.values, prefix: format!("card.{card_index}.") };
                        let components = card_answers.components(&card.components, named);
                        SendCard { card_index, components, extra: Object::new() }
                    });
                    let carousel = SendCarousel { cards: cards.collect(), extra: Object::new() };
                    filled.push(SendComponent::Carousel(carousel));
                }
                Component::CallPermissionRequest(_) | Component::Unknown(_) => {}
            }
        }
        filled
    }

    fn texts(&self, section: &str, text: &str, named: bool) -> Option<Vec<Parameter>> {
        let names = names(text);
        let texts = names.iter().map(|name| {
            Parameter::Text(TextParameter {
                parameter_name: named.then(|| (*name).to_owned()),
                text: self.text(&format!("{section}.{name}")),
                extra: Object::new(),
            })
        });
        (!names.is_empty()).then(|| texts.collect())
    }

    fn header(&self, header: &Header, named: bool) -> Option<Vec<Parameter>> {
        let extra = Object::new;
        let parameter = match &header.format {
            HeaderFormat::Text => return self.texts("header", header.text.as_deref().unwrap_or_default(), named),
            HeaderFormat::Image => Parameter::Image(ImageParameter { image: self.media(false), extra: extra() }),
            HeaderFormat::Video | HeaderFormat::Gif => {
                Parameter::Video(VideoParameter { video: self.media(false), extra: extra() })
            }
            HeaderFormat::Document => {
                Parameter::Document(DocumentParameter { document: self.media(true), extra: extra() })
            }
            HeaderFormat::Location => {
                let fields = ["latitude", "longitude", "name", "address"].into_iter();
                let location = fields
                    .filter_map(|name| Some((name.to_owned(), Value::from(self.given(&format!("header.{name}"))?))))
                    .collect();
                Parameter::Location(LocationParameter { location, extra: extra() })
            }
            HeaderFormat::Product => {
                let product = json!({
                    "product_retailer_id": self.text("header.product_retailer_id"),
                    "catalog_id": self.text("header.catalog_id"),
                });
                let fields = [("type".to_owned(), Value::from("product")), ("product".to_owned(), product)];
                Parameter::Unknown(Object::from_iter(fields))
            }
            HeaderFormat::Unknown(_) => return None,
        };
        Some(vec![parameter])
    }

    /// A link, or the identifier of an upload where only digits were given.
    fn media(&self, document: bool) -> Media {
        let source = self.text("header.link");
        let is_id = !source.is_empty() && source.bytes().all(|byte| byte.is_ascii_digit());
        let filename = document.then(|| {
            self.given("header.filename").map(str::to_owned).or_else(|| Some(last_segment(&source)?.to_owned()))
        });
        let (link, id) = if is_id { (None, Some(source.clone())) } else { (Some(source.clone()), None) };
        Media { link, id, filename: filename.flatten(), extra: Object::new() }
    }

    fn button(&self, index: usize, template_button: &Button) -> Option<SendComponent> {
        let id = |field: &str| format!("button.{index}.{field}");
        let action = |action: Value| Parameter::Action(ActionParameter { action, extra: Object::new() });
        Some(match template_button {
            Button::Url(url) => {
                variable::scan(&url.url).next()?;
                let text = TextParameter { text: self.text(&id("url")), ..TextParameter::default() };
                button("url", index, Parameter::Text(text))
            }
            Button::QuickReply(_) => {
                let payload = self.given(&id("payload"))?.to_owned();
                button("quick_reply", index, Parameter::Payload(PayloadParameter { payload, extra: Object::new() }))
            }
            Button::CopyCode(_) => {
                let code = CouponCodeParameter { coupon_code: self.text(&id("code")), extra: Object::new() };
                button("copy_code", index, Parameter::CouponCode(code))
            }
            Button::Flow(_) => button("flow", index, action(json!({"flow_token": self.given(&id("flow_token"))?}))),
            Button::Catalog(_) => {
                let product = self.given(&id("thumbnail_product_retailer_id"))?;
                button("catalog", index, action(json!({"thumbnail_product_retailer_id": product})))
            }
            Button::Mpm(_) => {
                let product = self.text(&id("thumbnail_product_retailer_id"));
                let sections = json_or_text(&self.text(&id("sections")));
                button("mpm", index, action(json!({"thumbnail_product_retailer_id": product, "sections": sections})))
            }
            Button::OrderDetails(_) => {
                let order = json_or_text(&self.text(&id("order_details")));
                button("order_details", index, action(json!({"order_details": order})))
            }
            _ => return None,
        })
    }
}

fn parameters(parameters: Vec<Parameter>) -> Parameters {
    Parameters { parameters, extra: Object::new() }
}

fn button(sub_type: &str, index: usize, parameter: Parameter) -> SendComponent {
    SendComponent::Button(SendButton {
        sub_type: sub_type.to_owned(),
        index: index.to_string(),
        parameters: vec![parameter],
        extra: Object::new(),
    })
}

fn number_or_text(text: &str) -> Value {
    text.trim().parse::<i64>().map_or_else(|_| Value::from(text), Value::from)
}

fn json_or_text(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| Value::from(text))
}

/// The name of the file an address leads to.
fn last_segment(address: &str) -> Option<&str> {
    let path = address.split_once("://")?.1.split(['?', '#']).next()?;
    let (_, name) = path.rsplit_once('/')?;
    Some(name).filter(|name| !name.is_empty())
}

/// The answers in the form in which [`crate::render::render`] takes them.
#[must_use]
pub fn preview_fill(template: &Template, values: &SendValues) -> Fill {
    let section = |prefix: &str, name: &str| -> BTreeMap<String, String> {
        let prefix = format!("{prefix}{name}.");
        let of_section = values.range(prefix.clone()..).take_while(|(id, _)| id.starts_with(&prefix));
        of_section.map(|(id, value)| (id[prefix.len()..].to_owned(), value.clone())).collect()
    };
    let fill = |prefix: &str| {
        let buttons = section(prefix, "button");
        let field = |name: &str| {
            let of_field = buttons.iter().filter_map(|(id, value)| {
                let (index, field) = id.split_once('.')?;
                (field == name).then(|| (index.to_owned(), value.clone()))
            });
            of_field.collect()
        };
        Fill {
            header: section(prefix, "header"),
            body: section(prefix, "body"),
            urls: field("url"),
            codes: field("code"),
            cards: Vec::new(),
        }
    };
    let cards = template.find(|component| match component {
        Component::Carousel(carousel) => Some(carousel.cards.len()),
        _ => None,
    });
    let cards = (0..cards.unwrap_or_default()).map(|index| fill(&format!("card.{index}."))).collect();
    Fill { cards, ..fill("") }
}

#[cfg(test)]
mod tests;
