//! The recipients' phones: what they show, and what people do on them.
//!
//! A message stands on the phone once it was delivered or read. Whatever a person does comes back to the business as
//! an inbound event (contract §6.1, §6.2, §6.4; upstream §8.1, §8.2).

use bytes::Bytes;
use model::Object;
use model::render::Bubble;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::script::Script;
use crate::settings::TapForm;
use crate::state::Tapped;

mod file;
mod person;
mod shown;

pub use crate::rendering::said;

/// Longest name in a profile, in characters.
const NAME_LIMIT: usize = 100;

/// A phone in the list of phones.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PhoneSummary {
    /// Digits with country code.
    pub recipient: String,
    /// Name in the profile.
    pub name: String,
    /// Whether somebody gave it that name.
    pub named: bool,
    /// How many messages it shows.
    pub messages: usize,
    /// When something last appeared on it, or it was first heard of: RFC 3339.
    pub last_at: String,
    /// Beginning of what was last said on it; empty while nothing was.
    pub excerpt: String,
    /// What happens to its next messages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub script: Option<Script>,
}

/// A phone with everything it shows.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Phone {
    /// Digits with country code.
    pub recipient: String,
    /// Name in the profile.
    pub name: String,
    /// In the order they appeared.
    pub items: Vec<Item>,
    /// Messages to this recipient that the phone does not show: those on their way, and those that failed.
    pub not_shown: Vec<Received>,
}

/// Something a phone shows.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "direction", rename_all = "lowercase")]
pub enum Item {
    /// A message of the business.
    Received(Box<Received>),
    /// Something the person did.
    Sent(Box<Sent>),
}

/// A message of the business as the phone shows it. Callback data stay hidden from the person (contract §2.3).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Received {
    /// Identifier of the message.
    pub message_id: String,
    /// The sending number.
    pub number: String,
    /// When it was sent, RFC 3339.
    pub at: String,
    /// The furthest status; `failed` once it failed, `accepted` before the first.
    pub status: String,
    /// The error of its failure, as the webhook carries it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<Value>,
    /// The rendered template; absent for a plain text.
    pub bubble: Option<Bubble>,
    /// The plain text; absent for a template.
    pub text: Option<String>,
    /// What can be tapped.
    pub quick_replies: Vec<QuickReply>,
    /// What was tapped, in order.
    pub taps: Vec<Tapped>,
}

/// A quick reply that can be tapped.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct QuickReply {
    /// Card it stands on; absent for the message's own buttons.
    pub card: Option<usize>,
    /// Zero-based position among the buttons.
    pub index: usize,
    /// Its label.
    pub label: String,
    /// What comes back: the payload of the send, else the label.
    pub payload: String,
}

/// Something the person did.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Sent {
    /// The number it went to.
    pub number: String,
    /// When, RFC 3339.
    pub at: String,
    /// The item of the event: `id`, `type` and the object named after the type.
    pub content: Object,
    /// The file it carries.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub media: Option<SentMedia>,
}

/// A file that a person sent.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SentMedia {
    /// Identifier of the file.
    pub id: String,
    /// Its name, where it had one.
    pub filename: Option<String>,
    /// Its media type, without parameters.
    pub mime_type: String,
    /// Bytes.
    pub size: u64,
    /// A small picture of it, as a `data:` URL.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thumbnail: Option<String>,
}

/// A tap: the JSON of `POST /sandbox/phones/{recipient}/tap`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tap {
    /// The message; the newest one with quick replies when absent.
    #[serde(default)]
    pub message_id: Option<String>,
    /// Position (zero-based) or label of the quick reply.
    pub button: ButtonChoice,
    /// Card it stands on, zero-based.
    #[serde(default)]
    pub card: Option<usize>,
    /// How the tap comes back; the setting when absent.
    #[serde(default)]
    pub form: Option<TapForm>,
}

/// A quick reply by its position or its label.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum ButtonChoice {
    /// Zero-based among all buttons.
    Index(usize),
    /// The label.
    Label(String),
}

impl Default for ButtonChoice {
    fn default() -> Self {
        Self::Index(0)
    }
}

/// A file that a person sends.
#[derive(Clone, Debug, Default)]
pub struct PhoneFile {
    /// Its bytes.
    pub bytes: Bytes,
    /// Its name.
    pub filename: Option<String>,
    /// `audio`, `image`, `video`, `document` or `sticker`; by its bytes when absent.
    pub kind: Option<String>,
    /// Text below it, for images, films and documents.
    pub caption: Option<String>,
    /// A small picture of it, as a `data:` URL, for whoever shows the phone.
    pub thumbnail: Option<String>,
}

/// The name in a profile; an invented one where nobody gave any.
fn name_of(name: &str, recipient: &str) -> String {
    if name.is_empty() { format!("Person {recipient}") } else { name.to_owned() }
}
