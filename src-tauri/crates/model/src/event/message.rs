//! The value of the field `messages`, and inbound messages of every type (contract §6.1–§6.4; upstream §8.1, §8.2).

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Object;
use crate::event::status::StatusUpdate;
use crate::event::user_action::UserAction;
use crate::failure::{Failure, failures, one_or_several};
use crate::lenient::{if_readable, maybe_flag, maybe_text, or_default, readable_members, text};
use crate::open::open_enum;

/// The value of a change of the field `messages`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct MessagesValue {
    /// Constant that names the channel.
    #[serde(deserialize_with = "text")]
    pub messaging_product: String,
    /// The business's phone number.
    #[serde(deserialize_with = "metadata")]
    pub metadata: Metadata,
    #[serde(deserialize_with = "readable_members", skip_serializing_if = "Vec::is_empty")]
    pub contacts: Vec<Contact>,
    #[serde(deserialize_with = "readable_members", skip_serializing_if = "Vec::is_empty")]
    pub messages: Vec<InboundMessage>,
    #[serde(deserialize_with = "readable_members", skip_serializing_if = "Vec::is_empty")]
    pub statuses: Vec<StatusUpdate>,
    /// Actions of people on marketing messages.
    #[serde(deserialize_with = "readable_members", skip_serializing_if = "Vec::is_empty")]
    pub user_actions: Vec<UserAction>,
    /// Errors that concern no single message.
    #[serde(deserialize_with = "failures", skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<Failure>,
    /// The same, under the contract's other name.
    #[serde(deserialize_with = "failures", serialize_with = "one_or_several", skip_serializing_if = "Vec::is_empty")]
    pub error: Vec<Failure>,
    #[serde(flatten)]
    pub extra: Object,
}

fn metadata<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Metadata, D::Error> {
    Ok(if_readable(deserializer)?.unwrap_or_default())
}

/// A phone number of the business.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Metadata {
    #[serde(deserialize_with = "text")]
    pub display_phone_number: String,
    #[serde(deserialize_with = "text")]
    pub phone_number_id: String,
    #[serde(flatten)]
    pub extra: Object,
}

/// A person.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Contact {
    #[serde(deserialize_with = "if_readable", skip_serializing_if = "Option::is_none")]
    pub profile: Option<Profile>,
    /// The person's number; may be empty if only a business-scoped identifier is known.
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub wa_id: Option<String>,
    /// Business-scoped identifier.
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub user_id: Option<String>,
    #[serde(flatten)]
    pub extra: Object,
}

impl Contact {
    /// The name in the person's profile.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.profile.as_ref().map(|profile| profile.name.as_str()).filter(|name| !name.is_empty())
    }
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Profile {
    #[serde(deserialize_with = "text")]
    pub name: String,
    #[serde(flatten)]
    pub extra: Object,
}

open_enum! {
    MessageType {
        Text = "text",
        Image = "image",
        Video = "video",
        /// Audio or voice message.
        Audio = "audio",
        /// File.
        Document = "document",
        Sticker = "sticker",
        Location = "location",
        /// Contact cards.
        Contacts = "contacts",
        Reaction = "reaction",
        /// A tap on a template's quick reply.
        Button = "button",
        /// A reply to an interactive message, or a button tap as in contract §6.4.
        Interactive = "interactive",
        /// Products from the catalog.
        Order = "order",
        /// A number or identity changed.
        System = "system",
        /// The author edited an earlier message.
        Edit = "edit",
        /// The author deleted an earlier message for everyone.
        Revoke = "revoke",
        /// A type that the channel doesn't deliver.
        Unsupported = "unsupported",
    }
}

impl MessageType {
    /// Whether the message has a file.
    #[must_use]
    pub fn is_media(&self) -> bool {
        matches!(self, Self::Image | Self::Video | Self::Audio | Self::Document | Self::Sticker)
    }
}

/// An inbound message. The content is in the field named after the type; see [`InboundMessage::content`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InboundMessage {
    /// The sender's number; may be empty if only a business-scoped identifier is known.
    #[serde(default, deserialize_with = "text")]
    pub from: String,
    #[serde(default, deserialize_with = "text")]
    pub id: String,
    /// Seconds since 1970, as text.
    #[serde(default, deserialize_with = "text")]
    pub timestamp: String,
    #[serde(rename = "type")]
    pub kind: MessageType,
    /// Reference to the message that it replies to, or that it was forwarded from.
    #[serde(default, deserialize_with = "if_readable", skip_serializing_if = "Option::is_none")]
    pub context: Option<Context>,
    #[serde(default, deserialize_with = "failures", skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<Failure>,
    /// The same, under the contract's other name.
    #[serde(
        default,
        deserialize_with = "failures",
        serialize_with = "one_or_several",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub error: Vec<Failure>,
    /// The content, and fields this version does not know.
    #[serde(flatten)]
    pub extra: Object,
}

/// The message that another one refers to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Context {
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    #[serde(deserialize_with = "maybe_flag", skip_serializing_if = "Option::is_none")]
    pub forwarded: Option<bool>,
    #[serde(deserialize_with = "maybe_flag", skip_serializing_if = "Option::is_none")]
    pub frequently_forwarded: Option<bool>,
    #[serde(flatten)]
    pub extra: Object,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    Text(Text),
    /// Image, video, audio, document or sticker.
    Media(Box<InboundMedia>),
    Location(Box<Location>),
    /// Contact cards, as received.
    Contacts(Vec<Value>),
    Reaction(Reaction),
    /// A tap on a template's quick reply.
    Button(ButtonTap),
    /// A reply to an interactive message.
    Interactive(Box<Interactive>),
    /// Products from the catalog.
    Order(Order),
    /// A number or identity changed, as received.
    System(Object),
    /// Another type, or an undecodable content: the value of the field named after the type.
    Other(Option<Value>),
}

impl InboundMessage {
    /// A message of `kind` with `content`.
    ///
    /// # Errors
    /// When `content` can't be serialised as JSON.
    pub fn new<T: Serialize>(
        from: &str,
        id: &str,
        timestamp: &str,
        kind: MessageType,
        content: &T,
    ) -> serde_json::Result<Self> {
        let content = serde_json::to_value(content)?;
        Ok(Self {
            from: from.to_owned(),
            id: id.to_owned(),
            timestamp: timestamp.to_owned(),
            extra: Object::from_iter([(kind.as_str().to_owned(), content)]),
            kind,
            context: None,
            errors: Vec::new(),
            error: Vec::new(),
        })
    }

    /// The content, decoded by the type.
    #[must_use]
    pub fn content(&self) -> Content {
        let value = self.extra.get(self.kind.as_str());
        fn typed<T: DeserializeOwned>(value: Option<&Value>, content: impl FnOnce(T) -> Content) -> Content {
            match value.map(T::deserialize) {
                Some(Ok(read)) => content(read),
                _ => Content::Other(value.cloned()),
            }
        }
        match &self.kind {
            MessageType::Text => typed(value, Content::Text),
            MessageType::Image
            | MessageType::Video
            | MessageType::Audio
            | MessageType::Document
            | MessageType::Sticker => typed(value, |media| Content::Media(Box::new(media))),
            MessageType::Location => typed(value, |place| Content::Location(Box::new(place))),
            MessageType::Contacts => typed(value, Content::Contacts),
            MessageType::Reaction => typed(value, Content::Reaction),
            MessageType::Button => typed(value, Content::Button),
            MessageType::Interactive => typed(value, |answer| Content::Interactive(Box::new(answer))),
            MessageType::Order => typed(value, Content::Order),
            MessageType::System => typed(value, Content::System),
            MessageType::Edit | MessageType::Revoke | MessageType::Unsupported | MessageType::Unknown(_) => {
                Content::Other(value.cloned())
            }
        }
    }

    /// The sender among `contacts`: matched by number or business-scoped identifier, else the only contact.
    #[must_use]
    pub fn contact<'a>(&self, contacts: &'a [Contact]) -> Option<&'a Contact> {
        let writer = self.extra.get("from_user_id").and_then(Value::as_str);
        let same = |id: Option<&str>, other: &str| !other.is_empty() && id == Some(other);
        contacts
            .iter()
            .find(|contact| {
                same(contact.wa_id.as_deref(), &self.from)
                    || same(contact.user_id.as_deref(), &self.from)
                    || writer.is_some_and(|writer| same(contact.user_id.as_deref(), writer))
            })
            .or(match contacts {
                [only] => Some(only),
                _ => None,
            })
    }

    /// The timestamp in seconds since 1970.
    #[must_use]
    pub fn seconds(&self) -> Option<i64> {
        super::status::seconds(&self.timestamp)
    }
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Text {
    #[serde(deserialize_with = "text")]
    pub body: String,
    #[serde(flatten)]
    pub extra: Object,
}

/// A received file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct InboundMedia {
    #[serde(deserialize_with = "text")]
    pub id: String,
    /// Such as `audio/ogg; codecs=opus`.
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub caption: Option<String>,
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub filename: Option<String>,
    /// The channel's address: expires, and requires the access token.
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The provider's address: public, and does not expire.
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub s3_url: Option<String>,
    /// Whether it was recorded as a voice message.
    #[serde(deserialize_with = "maybe_flag", skip_serializing_if = "Option::is_none")]
    pub voice: Option<bool>,
    #[serde(deserialize_with = "maybe_flag", skip_serializing_if = "Option::is_none")]
    pub animated: Option<bool>,
    #[serde(flatten)]
    pub extra: Object,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Location {
    /// Degrees, in the received format.
    pub latitude: Value,
    /// Degrees, in the received format.
    pub longitude: Value,
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    #[serde(flatten)]
    pub extra: Object,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Reaction {
    #[serde(deserialize_with = "text")]
    pub message_id: String,
    /// The emoji; absent or empty if the reaction was removed.
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub emoji: Option<String>,
    #[serde(flatten)]
    pub extra: Object,
}

/// A tap on a template's quick reply.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ButtonTap {
    /// The payload from the send, else the label.
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub payload: Option<String>,
    #[serde(deserialize_with = "text")]
    pub text: String,
    #[serde(flatten)]
    pub extra: Object,
}

/// A reply to an interactive message.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Interactive {
    /// `button_reply`, `list_reply`, `nfm_reply`, `call_permission_reply`.
    #[serde(rename = "type", deserialize_with = "text")]
    pub kind: String,
    #[serde(deserialize_with = "if_readable", skip_serializing_if = "Option::is_none")]
    pub button_reply: Option<Reply>,
    /// A chosen row.
    #[serde(deserialize_with = "if_readable", skip_serializing_if = "Option::is_none")]
    pub list_reply: Option<Reply>,
    /// A completed form.
    #[serde(deserialize_with = "if_readable", skip_serializing_if = "Option::is_none")]
    pub nfm_reply: Option<FormReply>,
    #[serde(flatten)]
    pub extra: Object,
}

/// A chosen option.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Reply {
    /// Identifier set by the sender.
    #[serde(deserialize_with = "text")]
    pub id: String,
    #[serde(deserialize_with = "text")]
    pub title: String,
    /// Second line of a row.
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(flatten)]
    pub extra: Object,
}

/// A completed form.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct FormReply {
    /// `flow`.
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Text shown in the conversation.
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// The answers, as a string of JSON.
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub response_json: Option<String>,
    #[serde(flatten)]
    pub extra: Object,
}

/// Products from the catalog.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Order {
    #[serde(deserialize_with = "text")]
    pub catalog_id: String,
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    #[serde(deserialize_with = "or_default", skip_serializing_if = "Vec::is_empty")]
    pub product_items: Vec<ProductItem>,
    #[serde(flatten)]
    pub extra: Object,
}

/// A product of an order; numbers in the received format.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ProductItem {
    /// The seller's product identifier.
    #[serde(deserialize_with = "text")]
    pub product_retailer_id: String,
    pub quantity: Value,
    /// Unit price, in whole units of the currency.
    pub item_price: Value,
    /// Three-letter currency code.
    #[serde(deserialize_with = "maybe_text", skip_serializing_if = "Option::is_none")]
    pub currency: Option<String>,
    #[serde(flatten)]
    pub extra: Object,
}
