//! Splits deliveries into items, each with a key that identifies its effect (upstream §9.3).
//!
//! A delivery can batch any statuses, messages and other changes, and a retry may batch them differently. An item is
//! one status, one message or one other change, so its effect is applied exactly once, however often and in whatever
//! batch it arrives. The content of an item is cut from the body as text: numbers, unknown keys and the order of keys
//! are unchanged.

mod digest;
mod json;
mod split;

pub mod account_notice;
pub mod meaning;
pub mod said_limit;

use serde_json::value::RawValue;

use crate::event::account::AccountEvent;
use crate::event::kind::ItemKind;
use crate::event::message::{Contact, InboundMessage, MessagesValue, Metadata};
use crate::event::status::StatusUpdate;
use crate::event::template::{
    TemplateCategoryUpdate, TemplateComponentsUpdate, TemplateQualityUpdate, TemplateStatusUpdate,
};
use crate::event::user_action::UserAction;
use crate::failure::Failure;
use digest::{Identity, TIME_END};
pub use split::{items, items_from, items_to_decode};

/// Memory of an item besides its texts, in bytes.
const ITEM_BYTES: usize = 400;

/// One event of a delivery.
#[derive(Clone, Debug)]
pub struct Item {
    pub kind: ItemKind,
    /// The change's `field`; empty if the body is not an envelope.
    pub field: String,
    /// The entry's `id`, the business account; absent if there is none.
    pub entry_id: Option<String>,
    /// Time of the event as stated by the entry, in Unix milliseconds; the channel omits it for messages (upstream §8).
    pub entry_at: Option<i64>,
    /// The change's `value` reduced to this item, as received text. `null` if the body is not JSON.
    pub value: Box<RawValue>,
    /// Identity of the effect. Items with the same key are the same event, delivered twice, unless `subject` is set.
    pub key: String,
    /// Subject of an item without a time. Its key identifies the content, which can recur as a new event. See
    /// [`is_redelivery`].
    pub subject: Option<String>,
    /// Length of its content in the body, about.
    bytes: usize,
    /// Its decoded form, if [`items_to_decode`] decoded it.
    decoded: Option<Decoded>,
}

/// Window in milliseconds in which an undated item with the same content and subject counts as a redelivery. After the
/// window, or after another event of the same subject, it is a new event: applying an event twice does less harm than
/// losing one, and the next listing corrects it.
pub const REDELIVERY_WINDOW: i64 = 60 * 60 * 1_000;

/// Whether an undated item received at `at` is a redelivery of the previous one with the same subject and content, last
/// received at `before`; both in Unix milliseconds. `changed_here_at` is the time of the last change of the subject by
/// this app, up to `at`.
#[must_use]
pub fn is_redelivery(before: i64, at: i64, changed_here_at: Option<i64>) -> bool {
    at.abs_diff(before) <= REDELIVERY_WINDOW.unsigned_abs() && changed_here_at.is_none_or(|changed| changed < before)
}

/// The key of one occurrence of an undated item: `key`, the time of receipt, and the position in the delivery from 0.
#[must_use]
pub fn occurrence_key(key: &str, received_at: i64, ordinal: i64) -> String {
    format!("{key}@{received_at}.{ordinal}")
}

/// The part of a key that identifies the content; accepts keys of items and of occurrences.
#[must_use]
pub fn key_of_occurrence(key: &str) -> &str {
    key.split_once('@').map_or(key, |(key, _)| key)
}

/// When an event happened, in seconds since 1970, if its key has that: keys of statuses have.
#[must_use]
pub fn key_seconds(key: &str) -> Option<u32> {
    let (_, identity) = key.split_once(':')?;
    let (seconds, _) = identity.split_once(TIME_END)?;
    (seconds.len() == 8).then(|| u32::from_str_radix(seconds, 16).ok())?
}

#[derive(Clone, Debug, PartialEq)]
pub enum Decoded {
    Status {
        status: Box<StatusUpdate>,
        /// The recipient, if the delivery says more than its number.
        contact: Option<Contact>,
        /// The sending number.
        metadata: Metadata,
    },
    Message {
        message: Box<InboundMessage>,
        /// The sender; absent if the delivery has no contact for this message.
        contact: Option<Contact>,
        /// The number that received it.
        metadata: Metadata,
    },
    UserAction {
        action: Box<UserAction>,
        /// The number that sent the message.
        metadata: Metadata,
    },
    /// Errors that concern no single message.
    Errors(Vec<Failure>),
    TemplateStatus(Box<TemplateStatusUpdate>),
    TemplateQuality(TemplateQualityUpdate),
    TemplateCategory(TemplateCategoryUpdate),
    TemplateComponents(TemplateComponentsUpdate),
    /// An event about the account, its numbers or its people.
    Account(Box<AccountEvent>),
    /// An unknown kind, or a known kind in an undecodable shape.
    Other,
}

impl Item {
    /// Approximate memory in bytes, including the decoded form.
    #[must_use]
    pub fn memory(&self) -> usize {
        ITEM_BYTES + self.field.len() + 2 * self.bytes
    }

    /// Decodes the item. Never fails: an undecodable item is [`Decoded::Other`], and `value` still has all data.
    #[must_use]
    pub fn decode(&self) -> Decoded {
        self.decoded.clone().unwrap_or_else(|| Decoded::read(&self.kind, self.value.get()))
    }

    /// As [`Item::decode`], and leaves the item without its decoded form.
    #[must_use]
    pub fn take_decoded(&mut self) -> Decoded {
        self.decoded.take().unwrap_or_else(|| Decoded::read(&self.kind, self.value.get()))
    }
}

impl Decoded {
    /// Decodes the JSON of an item of `kind`. Never fails: an undecodable item is [`Decoded::Other`].
    #[must_use]
    pub fn read(kind: &ItemKind, json: &str) -> Self {
        match kind {
            ItemKind::Status | ItemKind::Message | ItemKind::UserAction | ItemKind::Errors => {
                let Ok(value) = serde_json::from_str::<MessagesValue>(json) else { return Decoded::Other };
                messages_value(kind, value)
            }
            ItemKind::TemplateStatus => read(json, |update| Decoded::TemplateStatus(Box::new(update))),
            ItemKind::TemplateQuality => read(json, Decoded::TemplateQuality),
            ItemKind::TemplateCategory => read(json, Decoded::TemplateCategory),
            ItemKind::TemplateComponents => read(json, Decoded::TemplateComponents),
            ItemKind::Unrecognised | ItemKind::Unknown(_) => Decoded::Other,
            account => {
                AccountEvent::read(account, json).map_or(Decoded::Other, |event| Decoded::Account(Box::new(event)))
            }
        }
    }
}

fn read<T: serde::de::DeserializeOwned>(json: &str, decoded: impl FnOnce(T) -> Decoded) -> Decoded {
    serde_json::from_str(json).map_or(Decoded::Other, decoded)
}

fn messages_value(kind: &ItemKind, value: MessagesValue) -> Decoded {
    match kind {
        ItemKind::Status => match value.statuses.into_iter().next() {
            Some(status) => {
                // Without any user id, a contact only repeats the recipient.
                let contact = status.contact(&value.contacts);
                let contact = contact.filter(|contact| contact.user_id.is_some() || status.has_user_id()).cloned();
                Decoded::Status { status: Box::new(status), contact, metadata: value.metadata }
            }
            None => Decoded::Other,
        },
        ItemKind::Message => match value.messages.into_iter().next() {
            Some(message) => {
                let contact = message.contact(&value.contacts).cloned();
                Decoded::Message { message: Box::new(message), contact, metadata: value.metadata }
            }
            None => Decoded::Other,
        },
        ItemKind::UserAction => match value.user_actions.into_iter().next() {
            Some(action) => Decoded::UserAction { action: Box::new(action), metadata: value.metadata },
            None => Decoded::Other,
        },
        _ => {
            let failures: Vec<Failure> = value.errors.into_iter().chain(value.error).collect();
            if failures.is_empty() { Decoded::Other } else { Decoded::Errors(failures) }
        }
    }
}

/// The key of the item for an inbound message, by the message ID.
#[must_use]
pub fn message_key(message_id: &str) -> String {
    let kind = ItemKind::Message;
    format!("{kind}:{}", Identity::new(kind.as_str()).text(message_id).finish().1)
}

#[cfg(test)]
mod tests;
