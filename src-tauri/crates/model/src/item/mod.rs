//! Items: a delivery split into the things it reports, each with the identity of its effect (upstream §9.3).
//!
//! One delivery batches statuses, messages and other changes as it pleases, and a retry may batch them differently.
//! An item is one status, one message or one other change, so that its effect is applied once however often and in
//! whatever company it arrives. What an item carries is cut out of the body as text: numbers, unknown keys and the
//! order of keys stay as they came.

mod digest;
mod json;
mod split;

pub mod meaning;

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
use digest::Identity;
pub use split::{items, items_from};

/// Bytes that an item takes beside its texts.
const ITEM_BYTES: usize = 400;

/// One thing that a delivery reports.
#[derive(Clone, Debug)]
pub struct Item {
    /// What it is.
    pub kind: ItemKind,
    /// The change's `field`; empty where the body is no envelope.
    pub field: String,
    /// The entry's `id`, the business account; absent where there is none.
    pub entry_id: Option<String>,
    /// When the entry says that it happened, in Unix milliseconds; the channel leaves it out of messages (upstream §8).
    pub entry_at: Option<i64>,
    /// The change's `value` narrowed to this item, as text that came in. `null` where the body is not JSON.
    pub value: Box<RawValue>,
    /// Identity of the effect. Two items with one key are one event, delivered twice; unless `subject` says otherwise.
    pub key: String,
    /// What an item is about that says nowhere when it happened: its key says what happened, and that may happen again.
    /// See [`is_redelivery`].
    pub subject: Option<String>,
}

/// How long after an undated item the same words about the same subject are taken for another delivery of it, in
/// milliseconds. Beyond, and wherever something else happened to the subject in between, they are a new event: applying
/// an event twice does less harm than losing one, and a listing tells.
pub const REDELIVERY_WINDOW: i64 = 60 * 60 * 1_000;

/// Whether an undated item that came at `at` is another delivery of the one before it about the same subject, which said
/// the same and came last at `before`; both in Unix milliseconds. `changed_here_at` is when the subject was changed from
/// here last, by that time.
#[must_use]
pub fn is_redelivery(before: i64, at: i64, changed_here_at: Option<i64>) -> bool {
    at.abs_diff(before) <= REDELIVERY_WINDOW.unsigned_abs() && changed_here_at.is_none_or(|changed| changed < before)
}

/// The key of one occurrence of an undated item: `key` with when it came, and its place in the delivery from 0.
#[must_use]
pub fn occurrence_key(key: &str, received_at: i64, ordinal: i64) -> String {
    format!("{key}@{received_at}.{ordinal}")
}

/// What happened, of the key of an item or of one of its occurrences.
#[must_use]
pub fn key_of_occurrence(key: &str) -> &str {
    key.split_once('@').map_or(key, |(key, _)| key)
}

/// The typed view of an item.
#[derive(Clone, Debug, PartialEq)]
pub enum Decoded {
    /// What happened to a sent message.
    Status {
        /// The status.
        status: Box<StatusUpdate>,
        /// The sending number.
        metadata: Metadata,
    },
    /// An inbound message.
    Message {
        /// The message.
        message: Box<InboundMessage>,
        /// Who wrote it; absent when the delivery names nobody for this message.
        contact: Option<Contact>,
        /// The number it was written to.
        metadata: Metadata,
    },
    /// What a person did with a marketing message.
    UserAction {
        /// The action.
        action: Box<UserAction>,
        /// The number that sent the message.
        metadata: Metadata,
    },
    /// Errors that belong to no single message.
    Errors(Vec<Failure>),
    /// A template's status.
    TemplateStatus(Box<TemplateStatusUpdate>),
    /// A template's quality.
    TemplateQuality(TemplateQualityUpdate),
    /// A template's category.
    TemplateCategory(TemplateCategoryUpdate),
    /// A template's content.
    TemplateComponents(TemplateComponentsUpdate),
    /// Something about the account, its numbers or its people.
    Account(Box<AccountEvent>),
    /// Of an unknown kind, or of a known kind in a shape that cannot be read.
    Other,
}

impl Item {
    /// Bytes of memory that it takes with what is made of it, about.
    #[must_use]
    pub fn memory(&self) -> usize {
        ITEM_BYTES + self.field.len() + 2 * self.value.get().len()
    }

    /// The item in types. Never fails: what cannot be read is [`Decoded::Other`], and `value` still has it all.
    #[must_use]
    pub fn decode(&self) -> Decoded {
        Decoded::read(&self.kind, self.value.get())
    }
}

impl Decoded {
    /// The JSON of an item of `kind` in types. Never fails: what cannot be read is [`Decoded::Other`].
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
            Some(status) => Decoded::Status { status: Box::new(status), metadata: value.metadata },
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

/// The key of the item that an inbound message is, by the message's identifier.
#[must_use]
pub fn message_key(message_id: &str) -> String {
    let kind = ItemKind::Message;
    format!("{kind}:{}", Identity::new(kind.as_str()).text(message_id).finish().1)
}

#[cfg(test)]
mod tests;
