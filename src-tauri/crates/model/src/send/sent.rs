//! Renders a message from the request that sent it.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Media, Parameter, SendComponent};
use crate::render::{Bubble, BubbleHeader, Fill, render};
use crate::template::Template;

/// The message that `components`, the values in a request, make of `template`, with the media of the request instead of
/// the template's samples.
#[must_use]
pub fn render_sent(template: &Template, components: &[SendComponent]) -> Bubble {
    let mut bubble = render(template, &fill_of(components));
    bring(&mut bubble, components);
    bubble
}

/// The values of a send, as rendering takes them.
fn fill_of(components: &[SendComponent]) -> Fill {
    let mut fill = Fill::default();
    for component in components {
        match component {
            SendComponent::Header(header) => fill.header = values(&header.parameters),
            SendComponent::Body(body) => fill.body = values(&body.parameters),
            SendComponent::Button(button) => match button.parameters.first() {
                Some(Parameter::Text(text)) => drop(fill.urls.insert(button.index.clone(), text.text.clone())),
                Some(Parameter::CouponCode(code)) => {
                    fill.codes.insert(button.index.clone(), code.coupon_code.clone());
                }
                _ => {}
            },
            SendComponent::Carousel(carousel) => {
                for card in &carousel.cards {
                    let index = usize::try_from(card.card_index).unwrap_or(usize::MAX);
                    // A template has at most ten cards; further cards are not rendered.
                    if index < 10 {
                        fill.cards.resize_with(fill.cards.len().max(index + 1), Fill::default);
                        fill.cards[index] = fill_of(&card.components);
                    }
                }
            }
            _ => {}
        }
    }
    fill
}

/// Texts by the name or the position of the variable.
fn values(parameters: &[Parameter]) -> BTreeMap<String, String> {
    let texts = parameters.iter().enumerate().filter_map(|(index, parameter)| match parameter {
        Parameter::Text(text) => {
            let name = text.parameter_name.clone().unwrap_or_else(|| (index + 1).to_string());
            Some((name, text.text.clone()))
        }
        // Amounts and dates are rendered as their fallback (upstream §6.1).
        Parameter::Unknown(object) => {
            let kind = object.get("type")?.as_str()?;
            let fallback = object.get(kind)?.get("fallback_value")?.as_str()?;
            let name = object.get("parameter_name").and_then(Value::as_str);
            Some((name.map_or_else(|| (index + 1).to_string(), str::to_owned), fallback.to_owned()))
        }
        _ => None,
    });
    texts.collect()
}

fn bring(bubble: &mut Bubble, components: &[SendComponent]) {
    for component in components {
        match component {
            SendComponent::Header(header) => {
                let brought = header.parameters.iter().find_map(link_of);
                if let (Some(BubbleHeader::Media { link, .. }), Some(brought)) = (&mut bubble.header, brought) {
                    *link = brought.link.clone();
                }
            }
            SendComponent::Carousel(carousel) => {
                for card in &carousel.cards {
                    let shown = usize::try_from(card.card_index).ok().and_then(|index| bubble.cards.get_mut(index));
                    if let Some(shown) = shown {
                        bring(shown, &card.components);
                    }
                }
            }
            _ => {}
        }
    }
}

fn link_of(parameter: &Parameter) -> Option<&Media> {
    match parameter {
        Parameter::Image(image) => Some(&image.image),
        Parameter::Video(video) => Some(&video.video),
        Parameter::Document(document) => Some(&document.document),
        _ => None,
    }
}
