//! What phones show.

use model::button::Button;
use model::component::Component;
use model::render::{Block, Bubble, BubbleHeader};
use model::send::{Media as Link, Parameter, SendComponent, SendMessage, SendTemplate};
use model::template::Template;
use model::vocabulary::MessageStatus;
use serde_json::Value;

use super::{Item, Phone, PhoneSummary, QuickReply, Received, Sent, SentMedia, name_of};
use crate::Sandbox;
use crate::fill::fill_of;
use crate::state::{Message, PhoneItem, State};
use crate::time::{Instant, rfc3339};

/// Longest beginning of a message in the list of phones, in characters.
const EXCERPT: usize = 120;

impl Sandbox {
    /// Every phone that was written to, wrote, or was added.
    #[must_use]
    pub fn phones(&self) -> Vec<PhoneSummary> {
        self.runtime.read(|state| {
            let summary = |(recipient, phone): (&String, &crate::state::Phone)| PhoneSummary {
                recipient: recipient.clone(),
                name: name_of(&phone.name, recipient),
                named: !phone.name.is_empty(),
                messages: phone.items.len(),
                last_at: rfc3339(phone.last_at.max(phone.since)),
                excerpt: phone.excerpt.clone(),
                script: state.scripts.get(recipient).cloned(),
            };
            state.phones.iter().map(summary).collect()
        })
    }

    /// What a phone shows; nothing yet for one that was never written to.
    #[must_use]
    pub fn phone(&self, recipient: &str) -> Phone {
        self.runtime.read(|state| {
            let phone = state.phones.get(recipient);
            let items = phone.map(|phone| phone.items.as_slice()).unwrap_or_default();
            let hidden =
                state.messages.values().filter(|message| message.recipient == recipient && !message.is_on_phone());
            Phone {
                recipient: recipient.to_owned(),
                name: name_of(phone.map_or("", |phone| phone.name.as_str()), recipient),
                items: items.iter().filter_map(|item| shown(state, item)).collect(),
                not_shown: hidden.map(received).collect(),
            }
        })
    }
}

fn shown(state: &State, item: &PhoneItem) -> Option<Item> {
    match item {
        PhoneItem::Sent { number, at, content } => Some(Item::Sent(Box::new(Sent {
            number: number.clone(),
            at: rfc3339(*at),
            content: content.clone(),
            media: sent_media(state, content),
        }))),
        PhoneItem::Received { message } => Some(Item::Received(Box::new(received(state.message(message)?)))),
    }
}

fn received(message: &Message) -> Received {
    let send = payload(message);
    let failed = message.statuses.iter().any(|reached| reached.status == "failed");
    let rank = |status: &str| MessageStatus::from(status).rank();
    let furthest = message.statuses.iter().max_by_key(|reached| rank(&reached.status));
    Received {
        message_id: message.id.clone(),
        number: message.number.clone(),
        at: rfc3339(message.at),
        status: match furthest {
            _ if failed => "failed".to_owned(),
            Some(reached) => reached.status.clone(),
            None => "accepted".to_owned(),
        },
        error: message.error.clone().filter(|_| failed),
        bubble: match (&message.template, &send) {
            (Some(template), Some(SendMessage { template: Some(sent), .. })) => Some(bubble(template, sent)),
            _ => None,
        },
        text: send.and_then(|send| send.text).map(|text| text.body),
        quick_replies: quick_replies(message),
        taps: message.taps.clone(),
    }
}

/// The file that an item of `messages[]` carries, as it is stored here.
fn sent_media(state: &State, content: &model::Object) -> Option<SentMedia> {
    let kind = content.get("type")?.as_str()?;
    let id = content.get(kind)?.get("id")?.as_str()?;
    let media = state.media.get(id)?;
    Some(SentMedia {
        id: id.to_owned(),
        filename: media.filename.clone(),
        mime_type: media.mime_type.clone(),
        size: media.size,
        thumbnail: media.thumbnail.clone(),
    })
}

/// When an item appeared, and the beginning of what it says, in a line.
pub(crate) fn glance(state: &State, item: &PhoneItem) -> (Instant, String) {
    let (at, text) = match item {
        PhoneItem::Sent { at, content, .. } => (*at, said(content)),
        PhoneItem::Received { message } => match state.message(message) {
            Some(message) => (message.at, words(message)),
            None => (0, String::new()),
        },
    };
    let mut line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((end, _)) = line.char_indices().nth(EXCERPT) {
        line.truncate(end);
        line.push('\u{2026}');
    }
    (at, line)
}

/// What a message of the business says.
fn words(message: &Message) -> String {
    match (payload(message), &message.template) {
        (Some(SendMessage { template: Some(sent), .. }), Some(template)) => plain(&bubble(template, &sent).body),
        (Some(SendMessage { text: Some(text), .. }), _) => text.body,
        _ => String::new(),
    }
}

/// What the person said, from the content of their message; the word for its type where that has no words.
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

fn payload(message: &Message) -> Option<SendMessage> {
    model::json::read(&message.payload).ok()
}

pub(super) fn quick_replies(message: &Message) -> Vec<QuickReply> {
    let (Some(template), Some(send)) = (&message.template, payload(message)) else { return Vec::new() };
    let sent = send.template.unwrap_or_default();
    let mut replies = replies_in(&template.components, &sent.components, None);
    for component in &template.components {
        if let Component::Carousel(carousel) = component {
            for (index, card) in carousel.cards.iter().enumerate() {
                let filled = sent.components.iter().find_map(|component| match component {
                    SendComponent::Carousel(carousel) => {
                        carousel.cards.iter().find(|card| usize::try_from(card.card_index) == Ok(index))
                    }
                    _ => None,
                });
                let filled = filled.map(|card| card.components.as_slice()).unwrap_or_default();
                replies.extend(replies_in(&card.components, filled, Some(index)));
            }
        }
    }
    replies
}

fn replies_in(components: &[Component], filled: &[SendComponent], card: Option<usize>) -> Vec<QuickReply> {
    let buttons = components.iter().find_map(|component| match component {
        Component::Buttons(buttons) => Some(buttons.buttons.as_slice()),
        _ => None,
    });
    let replies = buttons.unwrap_or_default().iter().enumerate().filter_map(|(index, button)| match button {
        Button::QuickReply(reply) => {
            let payload = payload_of(filled, index).unwrap_or_else(|| reply.text.clone());
            Some(QuickReply { card, index, label: reply.text.clone(), payload })
        }
        _ => None,
    });
    replies.collect()
}

fn payload_of(filled: &[SendComponent], index: usize) -> Option<String> {
    filled.iter().find_map(|component| match component {
        SendComponent::Button(button) if button.index.parse() == Ok(index) => {
            button.parameters.iter().find_map(|parameter| match parameter {
                Parameter::Payload(payload) => Some(payload.payload.clone()),
                _ => None,
            })
        }
        _ => None,
    })
}

/// The message as rendered, with the media that this send brought instead of the template's samples.
fn bubble(template: &Template, sent: &SendTemplate) -> Bubble {
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

/// A text without its formatting.
fn plain(blocks: &[Block]) -> String {
    let line = |block: &Block| match block {
        Block::Line { runs } | Block::Bullet { runs } | Block::Numbered { runs, .. } | Block::Quote { runs } => {
            runs.iter().map(|run| run.text.as_str()).collect()
        }
        Block::Code { text } => text.clone(),
    };
    blocks.iter().map(line).collect::<Vec<String>>().join(" ")
}
