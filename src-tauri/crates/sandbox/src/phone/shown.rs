//! Read access to the phones.

use model::button::Button;
use model::component::Component;
use model::send::{Parameter, SendComponent, sent_bubble};
use model::vocabulary::MessageStatus;

use super::{Item, Phone, PhoneSummary, QuickReply, Received, Sent, SentMedia, name_of};
use crate::Sandbox;
use crate::marketing_stops::stopped_numbers;
use crate::state::{Message, PhoneItem, State};
use crate::time::rfc3339;

impl Sandbox {
    /// Every phone that received or sent a message or was added.
    #[must_use]
    pub fn phones(&self) -> Vec<PhoneSummary> {
        self.runtime.read(|state| {
            let summary = |(recipient, phone): (&String, &crate::state::Phone)| PhoneSummary {
                recipient: recipient.clone(),
                name: name_of(&phone.name, recipient),
                named: !phone.name.is_empty(),
                messages: phone.items.len(),
                last_at: rfc3339(phone.last_at.max(phone.since)),
                last_kind: phone.last_kind.clone(),
                excerpt: phone.excerpt.clone(),
                script: state.scripts.get(recipient).cloned(),
                marketing_stopped: stopped_numbers(state, recipient),
            };
            state.phones.iter().map(summary).collect()
        })
    }

    /// The items of a phone; empty for a phone without messages.
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
    let send = message.read_payload();
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
        bubble: send.as_ref().and_then(|send| sent_bubble(send, message.template.as_ref())),
        text: send.and_then(|send| send.text).map(|text| text.body),
        quick_replies: quick_replies(message),
        taps: message.taps.clone(),
    }
}

/// The stored file of an item of `messages[]`.
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

pub(super) fn quick_replies(message: &Message) -> Vec<QuickReply> {
    let (Some(template), Some(send)) = (&message.template, message.read_payload()) else { return Vec::new() };
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
