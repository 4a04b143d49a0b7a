//! The recipients' phones: what they show, and what people do on them.
//!
//! A message stands on the phone once it was delivered or read. Whatever a person does comes back to the business as
//! an inbound event (contract §6.1, §6.2, §6.4; upstream §8.1, §8.2).

use bytes::Bytes;
use model::Object;
use model::button::Button;
use model::component::Component;
use model::media;
use model::render::Bubble;
use model::send::{Parameter, SendComponent, SendMessage, SendTemplate};
use model::template::Template;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::Sandbox;
use crate::course::metadata;
use crate::fill::fill_of;
use crate::inner::Inner;
use crate::refusal::Refusal;
use crate::send::message_id;
use crate::settings::TapForm;
use crate::state::{Media, Message, PhoneItem, State, now, written};

/// Longest text a person may write.
const TEXT_LIMIT: usize = 4096;
/// Kinds of media a person may send (contract §6.2).
const MEDIA_KINDS: &[&str] = &["audio", "image", "video", "document", "sticker"];

/// A phone in the list of phones.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PhoneSummary {
    /// Digits with country code.
    pub recipient: String,
    /// Name in the profile.
    pub name: String,
    /// How many messages it shows.
    pub messages: usize,
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
}

/// Something a phone shows.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "direction", rename_all = "lowercase")]
pub enum Item {
    /// A message of the business.
    Received(Box<Received>),
    /// Something the person did.
    Sent(Sent),
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
    /// The furthest status.
    pub status: String,
    /// The rendered template; absent for a plain text.
    pub bubble: Option<Bubble>,
    /// The plain text; absent for a template.
    pub text: Option<String>,
    /// What can be tapped.
    pub quick_replies: Vec<QuickReply>,
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
#[derive(Clone, Debug)]
pub struct PhoneFile {
    /// Its bytes.
    pub bytes: Bytes,
    /// Its name.
    pub filename: Option<String>,
    /// `audio`, `image`, `video`, `document` or `sticker`; by its bytes when absent.
    pub kind: Option<String>,
    /// Text below it, for images, films and documents.
    pub caption: Option<String>,
}

impl Sandbox {
    /// Every phone that ever showed something.
    #[must_use]
    pub fn phones(&self) -> Vec<PhoneSummary> {
        self.inner.read(|state| {
            let summary = |(recipient, phone): (&String, &crate::state::Phone)| PhoneSummary {
                recipient: recipient.clone(),
                name: name_of(&phone.name, recipient),
                messages: phone.items.len(),
            };
            state.phones.iter().map(summary).collect()
        })
    }

    /// What a phone shows; nothing yet for one that was never written to.
    #[must_use]
    pub fn phone(&self, recipient: &str) -> Phone {
        self.inner.read(|state| {
            let phone = state.phones.get(recipient);
            let items = phone.map(|phone| phone.items.as_slice()).unwrap_or_default();
            Phone {
                recipient: recipient.to_owned(),
                name: name_of(phone.map_or("", |phone| phone.name.as_str()), recipient),
                items: items.iter().filter_map(|item| shown(state, item)).collect(),
            }
        })
    }

    /// Taps a quick reply. Answers the identifier of the inbound message.
    ///
    /// # Errors
    /// When there is no such message or quick reply on the phone.
    pub fn tap(&self, recipient: &str, tap: &Tap) -> Result<String, Refusal> {
        self.inner.change(|state| {
            let message = tapped_message(state, recipient, tap.message_id.as_deref())?;
            let replies = quick_replies(&message);
            let reply = replies
                .iter()
                .find(|reply| {
                    reply.card == tap.card
                        && match &tap.button {
                            ButtonChoice::Index(index) => reply.index == *index,
                            ButtonChoice::Label(label) => reply.label == *label,
                        }
                })
                .ok_or_else(|| {
                    let known: Vec<String> =
                        replies.iter().map(|reply| format!("{} `{}`", reply.index, reply.label)).collect();
                    Refusal::field(
                        "/button",
                        format!("is no quick reply of that message; it has: {}", known.join(", ")),
                    )
                })?;
            let content = match tap.form.unwrap_or(state.settings.tap_form) {
                TapForm::Button => {
                    json!({ "type": "button", "button": { "payload": reply.payload, "text": reply.label } })
                }
                TapForm::Interactive => json!({
                    "type": "interactive",
                    "interactive": {
                        "type": "button_reply",
                        "button_reply": { "id": reply.payload, "title": reply.label },
                    },
                }),
            };
            let context = json!({ "from": display(state, &message.number), "id": message.id });
            Ok(inbound(&self.inner, state, recipient, &message.number, Some(context), content))
        })
    }

    /// Writes a text to the business. Answers the identifier of the inbound message.
    ///
    /// # Errors
    /// When the text is empty or too long, or no number can be written to.
    pub fn write_text(&self, recipient: &str, text: &str, number: Option<&str>) -> Result<String, Refusal> {
        check_recipient(recipient)?;
        if text.trim().is_empty() || text.chars().count() > TEXT_LIMIT {
            return Err(Refusal::field("/body", format!("must have between 1 and {TEXT_LIMIT} characters")));
        }
        self.inner.change(|state| {
            let number = number_for(state, recipient, number)?;
            let content = json!({ "type": "text", "text": { "body": text } });
            Ok(inbound(&self.inner, state, recipient, &number, None, content))
        })
    }

    /// Sends a file to the business. Answers the identifier of the inbound message.
    ///
    /// # Errors
    /// When the file is empty, too large or of no type the channel carries, or no number can be written to.
    pub async fn send_file(&self, recipient: &str, file: PhoneFile, number: Option<&str>) -> Result<String, Refusal> {
        check_recipient(recipient)?;
        let number = self.inner.change(|state| number_for(state, recipient, number))?;
        if file.bytes.is_empty() {
            return Err(Refusal::field("/file", "is an empty file"));
        }
        let mime_type = media::of_file(&file.bytes, file.filename.as_deref())
            .ok_or_else(|| Refusal::field("/file", "is of a type that the channel does not carry"))?;
        let (known_kind, limit) = media::message_kind(mime_type);
        let kind = match file.kind.as_deref() {
            None => known_kind,
            // Anything can be sent as a document; the other kinds need their own types.
            Some("document") => "document",
            Some(kind) if kind == known_kind => known_kind,
            Some(kind) if MEDIA_KINDS.contains(&kind) => {
                return Err(Refusal::field(
                    "/type",
                    format!("is `{kind}`, but the file is {mime_type}, which is {known_kind}"),
                ));
            }
            Some(kind) => {
                let known = MEDIA_KINDS.join(", ");
                return Err(Refusal::field("/type", format!("must be one of {known}, not `{kind}`")));
            }
        };
        let size = file.bytes.len() as u64;
        if size > limit {
            return Err(Refusal::field("/file", format!("has {size} bytes; {kind} may have {limit}")));
        }
        let digest = ring::digest::digest(&ring::digest::SHA256, &file.bytes);
        let sha256: String = digest.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
        let stored = Media { mime_type: mime_type.to_owned(), filename: file.filename.clone(), size };
        let id = self.inner.store_file(file.bytes, stored).await.map_err(Refusal::unstored)?;

        let shown_type = if mime_type == "audio/ogg" { "audio/ogg; codecs=opus" } else { mime_type };
        let mut object = json!({
            "id": id,
            "mime_type": shown_type,
            "sha256": sha256,
            "url": self.inner.address(&format!("/sandbox/media/{id}")),
            "s3_url": self.inner.address(&format!("/sandbox/public/{id}")),
        });
        match kind {
            "document" => object["filename"] = json!(file.filename.as_deref().unwrap_or("document")),
            "audio" => object["voice"] = json!(mime_type == "audio/ogg"),
            "sticker" => object["animated"] = json!(false),
            _ => {}
        }
        if let (Some(caption), "image" | "video" | "document") = (&file.caption, kind) {
            object["caption"] = json!(caption);
        }
        let mut content = json!({ "type": kind });
        content[kind] = object;
        Ok(self.inner.change(|state| inbound(&self.inner, state, recipient, &number, None, content)))
    }
}

fn name_of(name: &str, recipient: &str) -> String {
    if name.is_empty() { format!("Person {recipient}") } else { name.to_owned() }
}

pub(crate) fn check_recipient(recipient: &str) -> Result<(), Refusal> {
    if (7..=15).contains(&recipient.len()) && recipient.bytes().all(|byte| byte.is_ascii_digit()) {
        Ok(())
    } else {
        Err(Refusal::field(
            "/recipient",
            format!("in the path must be a phone number of 7 to 15 digits, not `{recipient}`"),
        ))
    }
}

fn shown(state: &State, item: &PhoneItem) -> Option<Item> {
    match item {
        PhoneItem::Sent { number, at, content } => {
            Some(Item::Sent(Sent { number: number.clone(), at: written(*at), content: content.clone() }))
        }
        PhoneItem::Received { message } => {
            let message = state.message(message)?;
            let send = payload(message);
            let rank = |status: &str| model::vocabulary::MessageStatus::from(status).rank();
            let furthest = message.statuses.iter().max_by_key(|reached| rank(&reached.status));
            Some(Item::Received(Box::new(Received {
                message_id: message.id.clone(),
                number: message.number.clone(),
                at: written(message.at),
                status: furthest.map(|reached| reached.status.clone()).unwrap_or_default(),
                bubble: match (&message.template, &send) {
                    (Some(template), Some(SendMessage { template: Some(sent), .. })) => Some(bubble(template, sent)),
                    _ => None,
                },
                text: send.and_then(|send| send.text).map(|text| text.body),
                quick_replies: quick_replies(message),
            })))
        }
    }
}

fn payload(message: &Message) -> Option<SendMessage> {
    serde_json::from_value(message.payload.clone()).ok()
}

fn quick_replies(message: &Message) -> Vec<QuickReply> {
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

fn bubble(template: &Template, sent: &SendTemplate) -> Bubble {
    model::render::render(template, &fill_of(&sent.components))
}

fn tapped_message(state: &State, recipient: &str, id: Option<&str>) -> Result<Message, Refusal> {
    let items = state.phones.get(recipient).map(|phone| phone.items.as_slice()).unwrap_or_default();
    let received = items.iter().rev().filter_map(|item| match item {
        PhoneItem::Received { message } => state.message(message),
        PhoneItem::Sent { .. } => None,
    });
    let mut matching = received.filter(|message| match id {
        Some(id) => message.id == id,
        None => !quick_replies(message).is_empty(),
    });
    matching.next().cloned().ok_or_else(|| match id {
        Some(id) => Refusal::field("/message_id", format!("is `{id}`, which the phone of {recipient} does not show")),
        None => Refusal::field("/message_id", format!("is needed: the phone of {recipient} shows no quick reply")),
    })
}

/// The number a person writes to: the one named, else the one that wrote last, else the first.
fn number_for(state: &State, recipient: &str, number: Option<&str>) -> Result<String, Refusal> {
    if let Some(number) = number {
        return if state.numbers.contains_key(number) {
            Ok(number.to_owned())
        } else {
            Err(Refusal::field("/number", format!("is `{number}`, which this workspace does not have")))
        };
    }
    let items = state.phones.get(recipient).map(|phone| phone.items.as_slice()).unwrap_or_default();
    let last = items.iter().rev().find_map(|item| match item {
        PhoneItem::Received { message } => state.message(message).map(|message| message.number.clone()),
        PhoneItem::Sent { number, .. } => Some(number.clone()),
    });
    last.or_else(|| state.numbers.keys().next().cloned())
        .ok_or_else(|| Refusal::field("/number", "is needed: this workspace has no sending number yet"))
}

fn display(state: &State, number: &str) -> Value {
    metadata(state, number)["display_phone_number"].clone()
}

/// Puts something the person did onto the phone and tells the business.
fn inbound(
    inner: &Inner,
    state: &mut State,
    recipient: &str,
    number: &str,
    context: Option<Value>,
    content: Value,
) -> String {
    let at = now();
    let id = message_id();
    let mut message = Object::new();
    message.insert("from".into(), json!(recipient));
    message.insert("id".into(), json!(id));
    message.insert("timestamp".into(), json!((at / 1000).to_string()));
    if let Some(context) = context {
        message.insert("context".into(), context);
    }
    if let Value::Object(content) = content {
        message.extend(content);
    }
    let phone = state.phones.entry(recipient.to_owned()).or_default();
    phone.wrote.insert(number.to_owned(), at);
    phone.show(PhoneItem::Sent { number: number.to_owned(), at, content: message.clone() });
    let name = name_of(&phone.name, recipient);
    let waba = state.numbers.get(number).and_then(|number| number.waba).or_else(|| state.wabas.keys().next().copied());
    let value = json!({
        "messaging_product": inner.messaging_product,
        "metadata": metadata(state, number),
        "contacts": [{ "profile": { "name": name }, "wa_id": recipient }],
        "messages": [message],
    });
    state.emit(
        waba.map_or_else(|| "0".to_owned(), |waba| waba.to_string()),
        Some(number.to_owned()),
        "messages",
        value,
    );
    id
}
