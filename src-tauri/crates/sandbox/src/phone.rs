//! The recipients' phones: what they show, and actions of their users.
//!
//! A message appears on the phone once it is delivered or read. Every action of a user is sent to the business as an
//! inbound event (contract §6.1, §6.2, §6.4; upstream §8.1, §8.2).

use bytes::Bytes;
use model::Object;
use model::render::Bubble;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::script::Script;
use crate::settings::TapForm;
use crate::state::Tapped;

mod file;
mod marketing;
mod person;
mod shown;

pub use crate::rendering::said;

/// Maximum length of a profile name, in characters.
pub const NAME_LIMIT: usize = 100;
/// Maximum length of a text, in characters.
pub const TEXT_LIMIT: usize = 4096;

/// A phone in the list of phones.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PhoneSummary {
    /// Digits with country code.
    pub recipient: String,
    pub name: String,
    /// Whether the name was set explicitly.
    pub named: bool,
    pub messages: usize,
    /// When the last item appeared, or when the phone was added: RFC 3339.
    pub last_at: String,
    /// Type of the last item, such as `image`; `template` or `text` from a business. Empty if there are none.
    pub last_kind: String,
    /// Excerpt of the last item; empty if it has no text.
    pub excerpt: String,
    /// Script for its next messages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub script: Option<Script>,
    /// IDs of the sending numbers whose marketing messages the recipient stopped.
    pub marketing_stopped: Vec<String>,
}

/// A phone and all its items.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Phone {
    /// Digits with country code.
    pub recipient: String,
    pub name: String,
    /// In order of appearance.
    pub items: Vec<Item>,
    /// Messages to this recipient that are not on the phone: in flight or failed.
    pub not_shown: Vec<Received>,
}

/// One entry on a phone.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "direction", rename_all = "lowercase")]
pub enum Item {
    /// A message from the business.
    Received(Box<Received>),
    /// An action of the recipient.
    Sent(Box<Sent>),
}

/// A message from the business as the phone shows it, without the callback data (contract §2.3).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Received {
    pub message_id: String,
    /// ID of the sending number.
    pub number: String,
    /// When it was sent, RFC 3339.
    pub at: String,
    /// The last status; `failed` if it failed, `accepted` before the first status.
    pub status: String,
    /// The error of a failed message, as in the webhook.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<Value>,
    /// The message as the phone shows it; absent if it cannot be rendered.
    pub bubble: Option<Bubble>,
    /// The free text; absent for a template.
    pub text: Option<String>,
    /// Quick replies that can be tapped.
    pub quick_replies: Vec<QuickReply>,
    /// Taps, in order.
    pub taps: Vec<Tapped>,
}

/// A quick reply that can be tapped.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct QuickReply {
    /// Index of its card; absent for the message's own buttons.
    pub card: Option<usize>,
    /// Zero-based position among the buttons.
    pub index: usize,
    pub label: String,
    /// Payload of the reply: from the send, otherwise the label.
    pub payload: String,
}

/// An action of the recipient.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Sent {
    /// The sending number that it was addressed to.
    pub number: String,
    /// Time, RFC 3339.
    pub at: String,
    /// The item of the event: `id`, `type` and the object named like the type.
    pub content: Object,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub media: Option<SentMedia>,
}

/// A file that a recipient sent.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SentMedia {
    pub id: String,
    /// File name, if it had one.
    pub filename: Option<String>,
    /// Its media type, without parameters.
    pub mime_type: String,
    /// Size in bytes.
    pub size: u64,
    /// Thumbnail as a `data:` URL.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thumbnail: Option<String>,
}

/// A tap: the JSON of `POST /sandbox/phones/{recipient}/tap`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tap {
    /// The message; the newest one with quick replies if absent.
    #[serde(default)]
    pub message_id: Option<String>,
    /// Position (zero-based) or label of the quick reply.
    pub button: ButtonChoice,
    /// Index of its card, zero-based.
    #[serde(default)]
    pub card: Option<usize>,
    /// Form of the event; the one in the settings if absent.
    #[serde(default)]
    pub form: Option<TapForm>,
}

/// A quick reply by its position or its label.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum ButtonChoice {
    /// Zero-based position among all buttons.
    Index(usize),
    Label(String),
}

impl Default for ButtonChoice {
    fn default() -> Self {
        Self::Index(0)
    }
}

/// A file that a recipient sends.
#[derive(Clone, Debug, Default)]
pub struct PhoneFile {
    pub bytes: Bytes,
    pub filename: Option<String>,
    /// `audio`, `image`, `video`, `document` or `sticker`; detected from the bytes if absent.
    pub kind: Option<String>,
    /// Caption, for images, videos and documents.
    pub caption: Option<String>,
    /// Thumbnail as a `data:` URL, for views of the phone.
    pub thumbnail: Option<String>,
}

/// The profile name; a generated one if `name` is empty.
fn name_of(name: &str, recipient: &str) -> String {
    if name.is_empty() { format!("Person {recipient}") } else { name.to_owned() }
}
