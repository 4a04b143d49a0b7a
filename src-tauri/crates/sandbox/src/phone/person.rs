//! Actions of recipients on their phones; each is sent to the business as an inbound event.

use model::Object;
use model::event::identity::is_number;
use serde_json::{Value, json};

use super::shown::quick_replies;
use super::{ButtonChoice, NAME_LIMIT, TEXT_LIMIT, Tap, name_of};
use crate::recipient::check_recipient;
use crate::refusal::Refusal;
use crate::runtime::Runtime;
use crate::settings::TapForm;
use crate::state::{Message, PhoneItem, State, Tapped};
use crate::status_simulation::metadata;
use crate::time::now;
use crate::{Sandbox, status_simulation};

impl Sandbox {
    /// Taps a quick reply. Returns the identifier of the inbound message.
    pub fn tap(&self, recipient: &str, tap: &Tap) -> Result<String, Refusal> {
        self.runtime.change(|state| {
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
            let made = Tapped { card: reply.card, button: reply.index, at: now() };
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
            if let Some(message) = state.message_mut(&message.id) {
                message.taps.push(made);
            }
            Ok(inbound(&self.runtime, state, recipient, &message.number, Some(context), content))
        })
    }

    /// Sends a text to the business, as a reply to `reply_to` if given. Returns the identifier of the inbound message.
    ///
    /// # Errors
    /// If the text is empty or too long, `reply_to` is not on the phone, or there is no number to write to.
    pub fn write_text(
        &self,
        recipient: &str,
        text: &str,
        number: Option<&str>,
        reply_to: Option<&str>,
    ) -> Result<String, Refusal> {
        check_recipient(recipient)?;
        check_text(text)?;
        self.runtime.change(|state| {
            let (number, context) = quoted(state, recipient, number, reply_to)?;
            let content = json!({ "type": "text", "text": { "body": text } });
            Ok(inbound(&self.runtime, state, recipient, &number, context, content))
        })
    }

    /// Edits a text that the phone sent or, without a new text, deletes it. Returns the identifier of the inbound message.
    ///
    /// # Errors
    /// If the phone did not send this text, or the new one is empty or too long.
    pub fn revise_text(&self, recipient: &str, message_id: &str, text: Option<&str>) -> Result<String, Refusal> {
        check_recipient(recipient)?;
        text.map(check_text).transpose()?;
        self.runtime.change(|state| {
            let items = state.phones.get(recipient).map(|phone| phone.items.as_slice()).unwrap_or_default();
            let number = items.iter().rev().find_map(|item| match item {
                PhoneItem::Sent { number, content, .. } => {
                    let is_it = content.get("id").is_some_and(|id| id == message_id) && content.contains_key("text");
                    is_it.then(|| number.clone())
                }
                PhoneItem::Received { .. } => None,
            });
            let number = number.ok_or_else(|| {
                let reason = format!("is `{message_id}`, which is no text that the phone of {recipient} sent");
                Refusal::field("/message_id", reason)
            })?;
            let content = match text {
                Some(text) => json!({ "type": "edit", "edit": {
                    "original_message_id": message_id,
                    "message": { "type": "text", "text": { "body": text } },
                } }),
                None => json!({ "type": "revoke", "revoke": { "original_message_id": message_id } }),
            };
            Ok(inbound(&self.runtime, state, recipient, &number, None, content))
        })
    }

    /// Sends an item of `messages[]` unchanged, of any type: location, contacts, reaction, order, unknown types
    /// (upstream §8.1). Adds `from`, `id` and `timestamp` if absent. Returns the identifier.
    ///
    /// # Errors
    /// If the item has no `type`, or there is no number to write to.
    pub fn send_item(&self, recipient: &str, item: Object, number: Option<&str>) -> Result<String, Refusal> {
        check_recipient(recipient)?;
        match item.get("type") {
            Some(Value::String(kind)) if !kind.is_empty() => {}
            _ => return Err(Refusal::field("/message/type", "is required: a string such as `location`")),
        }
        if item.get("id").is_some_and(|id| !id.is_string()) {
            return Err(Refusal::field("/message/id", "must be a string"));
        }
        self.runtime.change(|state| {
            let number = number_for(state, recipient, number)?;
            Ok(inbound(&self.runtime, state, recipient, &number, None, Value::Object(item)))
        })
    }

    /// Adds a phone, or changes its profile name. `None` keeps the current name.
    ///
    /// # Errors
    /// If the recipient is not a phone number, or the name is longer than 100 characters; names the field.
    pub fn add_phone(&self, recipient: &str, name: Option<&str>) -> Result<(), Refusal> {
        check_recipient(recipient)?;
        let name = name.map(str::trim);
        if name.is_some_and(|name| name.chars().count() > NAME_LIMIT) {
            return Err(Refusal::field("/name", format!("must have at most {NAME_LIMIT} characters")));
        }
        self.runtime.change(|state| {
            let phone = state.phone_mut(recipient);
            if let Some(name) = name {
                phone.name = name.to_owned();
            }
        });
        Ok(())
    }

    /// Marks the unread messages on a phone as read. Returns their number.
    pub fn read_phone(&self, recipient: &str) -> Result<usize, Refusal> {
        check_recipient(recipient)?;
        Ok(self.runtime.change(|state| status_simulation::read(state, &self.runtime.messaging_product, recipient)))
    }
}

fn check_text(text: &str) -> Result<(), Refusal> {
    if text.trim().is_empty() || text.chars().count() > TEXT_LIMIT {
        return Err(Refusal::field("/body", format!("must have between 1 and {TEXT_LIMIT} characters")));
    }
    Ok(())
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

/// The number that the recipient writes to: `number`, otherwise the number of the last message, otherwise the first
/// one.
pub(super) fn number_for(state: &State, recipient: &str, number: Option<&str>) -> Result<String, Refusal> {
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

/// The number that the recipient writes to, and the `context` of a reply to `reply_to`, a message on the phone.
pub(super) fn quoted(
    state: &State,
    recipient: &str,
    number: Option<&str>,
    reply_to: Option<&str>,
) -> Result<(String, Option<Value>), Refusal> {
    let Some(id) = reply_to else { return Ok((number_for(state, recipient, number)?, None)) };
    let items = state.phones.get(recipient).map(|phone| phone.items.as_slice()).unwrap_or_default();
    let quoted = items.iter().rev().find_map(|item| match item {
        PhoneItem::Received { message } if message == id => {
            let number = state.message(message)?.number.clone();
            Some((display(state, &number), number))
        }
        PhoneItem::Sent { number, content, .. } if content.get("id").is_some_and(|own| own == id) => {
            Some((json!(recipient), number.clone()))
        }
        _ => None,
    });
    let Some((from, its_number)) = quoted else {
        return Err(Refusal::field("/reply_to", format!("is `{id}`, which the phone of {recipient} does not show")));
    };
    let number = number_for(state, recipient, Some(number.unwrap_or(&its_number)))?;
    Ok((number, Some(json!({ "from": from, "id": id }))))
}

fn display(state: &State, number: &str) -> Value {
    metadata(state, number)["display_phone_number"].clone()
}

/// Adds an action to the phone and emits its event.
pub(super) fn inbound(
    runtime: &Runtime,
    state: &mut State,
    recipient: &str,
    number: &str,
    context: Option<Value>,
    content: Value,
) -> String {
    let at = now();
    let mut message = Object::new();
    // A person who hides the number has only a user id (upstream §14.6).
    let is_number = is_number(recipient);
    message.insert(if is_number { "from" } else { "from_user_id" }.into(), json!(recipient));
    message.insert("id".into(), json!(Message::new_id()));
    message.insert("timestamp".into(), json!((at / 1000).to_string()));
    // The contract has no `context` (§6.1, §6.4).
    if let Some(context) = context.filter(|_| !state.settings.is_minimal()) {
        message.insert("context".into(), context);
    }
    if let Value::Object(content) = content {
        message.extend(content);
    }
    let id = message.get("id").and_then(Value::as_str).unwrap_or_default().to_owned();
    let phone = state.phone_mut(recipient);
    phone.wrote.insert(number.to_owned(), at);
    let name = name_of(&phone.name, recipient);
    state.show(recipient, PhoneItem::Sent { number: number.to_owned(), at, content: message.clone() });
    let waba = state.numbers.get(number).and_then(|number| number.waba).or_else(|| state.wabas.keys().next().copied());
    let profile = json!({ "name": name });
    let contact = match is_number {
        true => json!({ "profile": profile, "wa_id": recipient }),
        false => json!({ "profile": profile, "user_id": recipient }),
    };
    let value = json!({
        "messaging_product": runtime.messaging_product,
        "metadata": metadata(state, number),
        "contacts": [contact],
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
