//! Renders messages as people see them: templates as bubbles, inbound messages as text.

use model::render::{Block, Bubble, BubbleHeader};
use model::send::{Media as Link, Parameter, SendComponent, SendTemplate};
use model::template::Template;
use serde_json::Value;

use crate::fill::fill_of;

/// The rendered message, with the media of the send instead of the template's samples.
pub(crate) fn bubble(template: &Template, sent: &SendTemplate) -> Bubble {
    let mut bubble = model::render::render(template, &fill_of(&sent.components));
    bring(&mut bubble, &sent.components);
    bubble
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

fn link_of(parameter: &Parameter) -> Option<&Link> {
    match parameter {
        Parameter::Image(image) => Some(&image.image),
        Parameter::Video(video) => Some(&video.video),
        Parameter::Document(document) => Some(&document.document),
        _ => None,
    }
}

/// Text without formatting.
pub(crate) fn plain(blocks: &[Block]) -> String {
    let line = |block: &Block| match block {
        Block::Line { runs } | Block::Bullet { runs } | Block::Numbered { runs, .. } | Block::Quote { runs } => {
            runs.iter().map(|run| run.text.as_str()).collect()
        }
        Block::Code { text } => text.clone(),
    };
    blocks.iter().map(line).collect::<Vec<String>>().join(" ")
}

/// The text of an inbound message; the name of its type if it has no text.
pub fn said(content: &model::Object) -> String {
    const PLACES: &[&[&str]] = &[
        &["text", "body"],
        &["button", "text"],
        &["interactive", "button_reply", "title"],
        &["interactive", "list_reply", "title"],
        &["image", "caption"],
        &["video", "caption"],
        &["document", "caption"],
        &["document", "filename"],
        &["reaction", "emoji"],
        &["location", "name"],
        &["order", "text"],
        &["system", "body"],
    ];
    let text = |place: &&[&str]| {
        let (first, rest) = place.split_first()?;
        let value = rest.iter().try_fold(content.get(*first)?, |value, key| value.get(*key))?;
        value.as_str().filter(|text| !text.is_empty()).map(str::to_owned)
    };
    let kind = || content.get("type").and_then(Value::as_str).unwrap_or_default().to_owned();
    PLACES.iter().find_map(text).unwrap_or_else(kind)
}
