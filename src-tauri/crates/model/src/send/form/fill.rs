//! Builds the components of a send from the answers to its form (contract §2.3; upstream §6).

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{SendValues, distinct};
use crate::Object;
use crate::button::Button;
use crate::component::{Component, Header};
use crate::link::{encode_suffix, file_name, is_upload};
use crate::render::Fill;
use crate::send::{
    ActionParameter, CouponCodeParameter, DocumentParameter, ImageParameter, LimitedTimeOfferParameter,
    LocationParameter, Media, Parameter, Parameters, PayloadParameter, SendButton, SendCard, SendCarousel,
    SendComponent, TextParameter, VideoParameter,
};
use crate::template::Template;
use crate::variable;
use crate::visible::is_zero_width;
use crate::vocabulary::{Category, HeaderFormat, ParameterFormat};

/// The token of a form if none is given: the channel's own default.
const UNUSED_FLOW_TOKEN: &str = "unused";

/// The components of a send, from the answers to [`super::send_form`].
///
/// A required part without an answer becomes an empty text, so that [`super::super::check_send`] reports it. An
/// optional part without an answer is omitted, and so are components without parameters, except buttons that the channel
/// refuses to send without their component. Texts, payloads, codes and
/// tokens are sent as typed; links, numbers, identifiers and JSON are trimmed; suffixes of addresses are
/// percent-encoded.
#[must_use]
pub fn fill_send(template: &Template, values: &SendValues) -> Vec<SendComponent> {
    let answers = Answers { values, prefix: String::new() };
    let named = template.effective_parameter_format() == ParameterFormat::Named;
    if template.category == Category::Authentication {
        return answers.passcode(template);
    }
    answers.components(&template.components, named)
}

struct Answers<'v> {
    values: &'v SendValues,
    prefix: String,
}

impl Answers<'_> {
    /// An answer as typed; `None` if it is blank.
    fn given(&self, id: &str) -> Option<&str> {
        answer(self.values, &format!("{}{id}", self.prefix))
    }

    fn text(&self, id: &str) -> String {
        self.given(id).unwrap_or_default().to_owned()
    }

    fn trimmed(&self, id: &str) -> Option<&str> {
        self.given(id).map(str::trim)
    }

    fn identifier(&self, id: &str) -> &str {
        self.trimmed(id).unwrap_or_default()
    }

    /// The same code for the body and the button (upstream §6.1), which is listed as a URL button (upstream §1.3).
    fn passcode(&self, template: &Template) -> Vec<SendComponent> {
        let code = || Parameter::Text(TextParameter { text: self.text("body.1"), ..TextParameter::default() });
        let index = template.find(|component| match component {
            Component::Buttons(row) => {
                row.buttons.iter().position(|button| matches!(button, Button::Otp(_) | Button::Url(_)))
            }
            _ => None,
        });
        let mut filled = vec![SendComponent::Body(parameters(vec![code()]))];
        filled.extend(index.map(|index| button("url", index, code())));
        filled
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
                        let instant = number_or_text(self.identifier("offer.expiration"));
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
        let variables = distinct(text);
        let texts = variables.iter().map(|variable| {
            Parameter::Text(TextParameter {
                parameter_name: named.then(|| variable.name.to_owned()),
                text: self.text(&format!("{section}.{}", variable.name)),
                extra: Object::new(),
            })
        });
        (!variables.is_empty()).then(|| texts.collect())
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
                let degrees = ["latitude", "longitude"].map(|name| (name, self.trimmed(&format!("header.{name}"))));
                let texts = ["name", "address"].map(|name| (name, self.given(&format!("header.{name}"))));
                let fields = degrees.into_iter().chain(texts);
                let location =
                    fields.filter_map(|(name, value)| Some((name.to_owned(), Value::from(value?)))).collect();
                Parameter::Location(LocationParameter { location, extra: extra() })
            }
            HeaderFormat::Product => {
                let product = json!({
                    "product_retailer_id": self.identifier("header.product_retailer_id"),
                    "catalog_id": self.identifier("header.catalog_id"),
                });
                let fields = [("type".to_owned(), Value::from("product")), ("product".to_owned(), product)];
                Parameter::Unknown(Object::from_iter(fields))
            }
            HeaderFormat::Unknown(_) => return None,
        };
        Some(vec![parameter])
    }

    /// A link, or the identifier of an upload if the answer has digits only. The name of a document defaults to the
    /// file name of its link.
    fn media(&self, document: bool) -> Media {
        let source = self.identifier("header.link").to_owned();
        let filename =
            document.then(|| self.given("header.filename").map(str::to_owned).or_else(|| file_name(&source)));
        let (link, id) = if is_upload(&source) { (None, Some(source)) } else { (Some(source), None) };
        Media { link, id, filename: filename.flatten(), extra: Object::new() }
    }

    fn button(&self, index: usize, template_button: &Button) -> Option<SendComponent> {
        let id = |field: &str| format!("button.{index}.{field}");
        let action = |action: Value| Parameter::Action(ActionParameter { action, extra: Object::new() });
        Some(match template_button {
            Button::Url(url) => {
                variable::scan(&url.url).next()?;
                let text = encode_suffix(self.given(&id("url")).unwrap_or_default()).into_owned();
                button("url", index, Parameter::Text(TextParameter { text, ..TextParameter::default() }))
            }
            Button::QuickReply(_) => {
                let payload = self.given(&id("payload"))?.to_owned();
                button("quick_reply", index, Parameter::Payload(PayloadParameter { payload, extra: Object::new() }))
            }
            Button::CopyCode(_) => {
                let code = CouponCodeParameter { coupon_code: self.text(&id("code")), extra: Object::new() };
                button("copy_code", index, Parameter::CouponCode(code))
            }
            // A form, a catalog and a call are refused without their component, even if it says nothing (131009).
            Button::Flow(_) => {
                let token = self.given(&id("flow_token")).unwrap_or(UNUSED_FLOW_TOKEN);
                let data = self.trimmed(&id("flow_action_data")).map(json_or_text);
                let fields = [("flow_token", Some(Value::from(token))), ("flow_action_data", data)].into_iter();
                let fields: Object = fields.filter_map(|(name, value)| Some((name.to_owned(), value?))).collect();
                button("flow", index, action(Value::Object(fields)))
            }
            Button::Catalog(_) => {
                let product = self.trimmed(&id("thumbnail_product_retailer_id"));
                let fields = product.map(|product| ("thumbnail_product_retailer_id".to_owned(), Value::from(product)));
                // The only sub-type that the channel writes in capitals.
                button("CATALOG", index, action(Value::Object(fields.into_iter().collect())))
            }
            Button::VoiceCall(_) => SendComponent::Button(SendButton {
                sub_type: "voice_call".to_owned(),
                index: index.to_string(),
                ..SendButton::default()
            }),
            Button::Mpm(_) => {
                let product = self.identifier(&id("thumbnail_product_retailer_id"));
                let sections = json_or_text(self.identifier(&id("sections")));
                button("mpm", index, action(json!({"thumbnail_product_retailer_id": product, "sections": sections})))
            }
            Button::OrderDetails(_) => {
                let order = json_or_text(self.identifier(&id("order_details")));
                button("order_details", index, action(json!({"order_details": order})))
            }
            Button::PhoneNumber(_)
            | Button::Otp(_)
            | Button::Spm(_)
            | Button::RequestContactInfo(_)
            | Button::Unknown(_) => return None,
        })
    }
}

/// An answer as typed; `None` if it has no visible character.
pub(in crate::send) fn answer<'v>(values: &'v SendValues, id: &str) -> Option<&'v str> {
    let is_blank = |value: &str| value.chars().all(|c| c.is_whitespace() || is_zero_width(c));
    values.get(id).map(String::as_str).filter(|value| !is_blank(value))
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
    text.parse::<i64>().map_or_else(|_| Value::from(text), Value::from)
}

fn json_or_text(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| Value::from(text))
}

/// Converts the answers for [`crate::render::render`], so that the preview shows what is sent.
#[must_use]
pub fn preview_fill(template: &Template, values: &SendValues) -> Fill {
    let section = |prefix: &str, name: &str| -> BTreeMap<String, String> {
        let prefix = format!("{prefix}{name}.");
        let of_section = values.range(prefix.clone()..).take_while(|(id, _)| id.starts_with(&prefix));
        of_section.map(|(id, value)| (id[prefix.len()..].to_owned(), value.clone())).collect()
    };
    let fill = |prefix: &str| {
        let buttons = section(prefix, "button");
        let field = |name: &str, sent: fn(&str) -> String| {
            let of_field = buttons.iter().filter_map(|(id, value)| {
                let (index, field) = id.split_once('.')?;
                (field == name).then(|| (index.to_owned(), sent(value)))
            });
            of_field.collect()
        };
        Fill {
            header: section(prefix, "header"),
            body: section(prefix, "body"),
            urls: field("url", |suffix| encode_suffix(suffix).into_owned()),
            codes: field("code", str::to_owned),
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
