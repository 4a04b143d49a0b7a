//! Renders a message from the request that sent it.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Media, Parameter, SendComponent, SendMessage};
use crate::button::Button;
use crate::component::Component;
use crate::render::{Block, Bubble, BubbleHeader, Fill, render, render_text};
use crate::template::Template;

/// A sent message as its recipient sees it: with the values and the media of the request, and without the marks of
/// variables. `template` is the content that the template had when the message was sent. `None` if the message has
/// neither a text nor a template, or if `template` is missing.
#[must_use]
pub fn sent_bubble(message: &SendMessage, template: Option<&Template>) -> Option<Bubble> {
    if let Some(text) = &message.text {
        return Some(render_text(&text.body));
    }
    let components = &message.template.as_ref()?.components;
    let mut bubble = render(template?, &fill_of(components));
    bring(&mut bubble, components);
    Some(without_marks(bubble))
}

/// What was written for this recipient: the free text, or the values of the template.
#[must_use]
pub fn written_texts(message: &SendMessage) -> Vec<String> {
    let mut texts: Vec<String> = message.text.iter().map(|text| text.body.clone()).collect();
    if let Some(template) = &message.template {
        collect(&fill_of(&template.components), &mut texts);
    }
    texts
}

/// The texts that all recipients of a template see, with their variables as written: headers, bodies, footers and labels of
/// buttons, cards included.
#[must_use]
pub fn fixed_texts(components: &[Component]) -> Vec<&str> {
    fn texts(component: &Component) -> Vec<&str> {
        match component {
            Component::Header(header) => header.text.iter().map(String::as_str).collect(),
            Component::Body(body) => body.text.iter().map(String::as_str).collect(),
            Component::Footer(footer) => footer.text.iter().map(String::as_str).collect(),
            Component::Buttons(buttons) => buttons.buttons.iter().filter_map(Button::label).collect(),
            Component::Carousel(carousel) => {
                carousel.cards.iter().flat_map(|card| fixed_texts(&card.components)).collect()
            }
            _ => Vec::new(),
        }
    }
    components.iter().flat_map(texts).collect()
}

fn collect(fill: &Fill, texts: &mut Vec<String>) {
    for values in [&fill.header, &fill.body] {
        texts.extend(values.values().cloned());
    }
    texts.extend(fill.urls.values().chain(fill.codes.values()).cloned());
    fill.cards.iter().for_each(|card| collect(card, texts));
}

/// The message without the marks of its variables.
fn without_marks(mut bubble: Bubble) -> Bubble {
    for block in &mut bubble.body {
        if let Block::Line { runs } | Block::Bullet { runs } | Block::Numbered { runs, .. } | Block::Quote { runs } =
            block
        {
            runs.iter_mut().for_each(|run| run.variable = false);
        }
    }
    bubble.cards = bubble.cards.into_iter().map(without_marks).collect();
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
