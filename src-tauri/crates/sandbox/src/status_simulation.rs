//! Simulates the statuses of an accepted message: measures its media, then schedules and reports each status.

use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::{DateTime, Datelike as _};
use model::event::identity::is_number;
use model::send::{Parameter, SendComponent, SendMessage};
use model::vocabulary::{HeaderFormat, MessageStatus};
use serde_json::{Value, json};

use crate::contract_fields;
use crate::measure::measure;
use crate::runtime::Runtime;
use crate::schedule::{StatusTask, Task};
use crate::script::{self, Next, Script, channel_error};
use crate::settings::{ErrorForm, Settings};
use crate::special::{self, SpecialOutcome};
use crate::state::{Message, PhoneItem, ReachedStatus, Stage, State};
use crate::time::{Instant, now};

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// Measures the media of a message and schedules its statuses.
pub(crate) async fn begin(runtime: Arc<Runtime>, sequence: u64) {
    let Some(message) = runtime.read(|state| state.messages.get(&sequence).cloned()) else { return };
    if message.stage != Stage::Accepted {
        return;
    }
    let mut error = None;
    for (format, link) in media_links(&message) {
        if let Err(failure) = measure(&runtime, &format, &link).await {
            error = Some(failure);
            break;
        }
    }
    runtime.change(|state| plan(state, sequence, error));
}

/// The media links of a send: headers of the message and of its cards.
fn media_links(message: &Message) -> Vec<(HeaderFormat, String)> {
    fn collect(components: &[SendComponent], links: &mut Vec<(HeaderFormat, String)>) {
        for component in components {
            match component {
                SendComponent::Header(header) => {
                    for parameter in &header.parameters {
                        let (format, media) = match parameter {
                            Parameter::Image(image) => (HeaderFormat::Image, &image.image),
                            Parameter::Video(video) => (HeaderFormat::Video, &video.video),
                            Parameter::Document(document) => (HeaderFormat::Document, &document.document),
                            _ => continue,
                        };
                        links.extend(media.link.clone().map(|link| (format, link)));
                    }
                }
                SendComponent::Carousel(carousel) => {
                    carousel.cards.iter().for_each(|card| collect(&card.components, links));
                }
                _ => {}
            }
        }
    }
    let mut links = Vec::new();
    if let Some(SendMessage { template: Some(template), .. }) = message.read_payload() {
        collect(&template.components, &mut links);
    }
    links
}

/// The statuses of a message and the error of its failure.
type Way = (Vec<&'static str>, Option<Value>);

/// The statuses of a message without failure.
fn ordinary(auto_read: bool) -> Vec<&'static str> {
    if auto_read { vec!["sent", "delivered", "read"] } else { vec!["sent", "delivered"] }
}

fn scripted(script: &Script, message: &Message, auto_read: bool) -> Way {
    match (script.next, script.code) {
        (Next::Fail, Some(code)) => {
            let format = media_links(message).into_iter().next().map(|(format, _)| format);
            let error = script::failure(code, format.as_ref());
            (if script.fails_after_sent() { vec!["sent", "failed"] } else { vec!["failed"] }, Some(error))
        }
        (Next::Stop, _) => (vec!["sent"], None),
        (Next::Reorder, _) => (ordinary(auto_read).into_iter().rev().collect(), None),
        _ => (ordinary(auto_read), None),
    }
}

/// The outcome of a message after its media are measured.
fn way(state: &State, message: &Message, media_error: Option<Value>) -> Way {
    let window_open = || {
        let phone = state.phones.get(&message.recipient);
        phone.and_then(|phone| phone.wrote.get(&message.number)).is_some_and(|at| *at > now() - DAY_MS)
    };
    let auto_read = state.settings.auto_read;
    let fails = message.script.as_ref().filter(|script| script.next == Next::Fail);
    let to = message.payload.get("to").and_then(Value::as_str).unwrap_or(&message.recipient);
    match (media_error, fails, special::outcome_for(to)) {
        (Some(error), ..) => (vec!["failed"], Some(error)),
        (None, Some(script), _) => scripted(script, message, auto_read),
        (None, None, _) if message.template.is_none() && !window_open() => {
            let details = "More than 24 hours have passed since the recipient last wrote to this number; send a template instead.";
            (vec!["failed"], Some(channel_error(131_047, "Re-engagement message", details)))
        }
        (None, None, outcome) => match (&message.script, outcome) {
            (Some(script), _) => scripted(script, message, auto_read),
            (None, SpecialOutcome::Fails { code, title, details, after_sent }) => {
                let statuses = if after_sent { vec!["sent", "failed"] } else { vec!["failed"] };
                (statuses, Some(channel_error(code.into(), title, details)))
            }
            (None, SpecialOutcome::Statuses(statuses)) => (statuses.to_vec(), None),
            (None, SpecialOutcome::Ordinary | SpecialOutcome::OtherId | SpecialOutcome::Refused { .. }) => {
                (ordinary(auto_read), None)
            }
        },
    }
}

/// Schedules the statuses of a message.
fn plan(state: &mut State, sequence: u64, media_error: Option<Value>) {
    let Some(message) = state.messages.get(&sequence) else { return };
    let (statuses, error) = way(state, message, media_error);
    let script = message.script.clone();
    if let Some(message) = state.messages.get_mut(&sequence) {
        message.stage = if statuses.is_empty() { Stage::Settled } else { Stage::OnItsWay };
        message.error = error;
    }
    let delay = script.as_ref().and_then(|script| script.ms).unwrap_or(state.settings.status_delay_ms);
    let delay = i64::try_from(delay).unwrap_or(i64::MAX);
    let begun = now();
    let after = |steps: usize| begun.saturating_add(delay.saturating_mul(i64::try_from(steps).unwrap_or(i64::MAX)));
    for (index, step) in steps(&statuses).into_iter().enumerate() {
        let task = StatusTask {
            message: sequence,
            status: step.status.to_owned(),
            last: index + 1 == statuses.len(),
            happened: Some(after(step.happens)),
            copies: script.as_ref().map_or(0, Script::copies),
        };
        state.schedule_at(after(step.comes), Task::Status(task));
    }
}

/// A status, and the number of pauses before it is reached and before it is reported.
#[derive(Debug, PartialEq)]
struct Step {
    status: &'static str,
    happens: usize,
    comes: usize,
}

/// The times at which statuses are reached and reported. They differ when statuses are reported out of order.
fn steps(statuses: &[&'static str]) -> Vec<Step> {
    let rank = |status: &str| MessageStatus::from(status).rank().unwrap_or(u8::MAX);
    let in_order = statuses.is_sorted_by_key(|status| rank(status));
    let held_back = if in_order { 0 } else { statuses.len() };
    let step = |(index, status): (usize, &&'static str)| Step {
        status,
        happens: 1 + statuses.iter().filter(|other| rank(other) < rank(status)).count(),
        comes: 1 + index + held_back,
    };
    statuses.iter().enumerate().map(step).collect()
}

/// Reports a status (contract §6.3; upstream §8.3).
pub(crate) fn report(state: &mut State, product: &str, task: &StatusTask) {
    let StatusTask { message: sequence, status, last, happened, copies } = task;
    let at: Instant = happened.unwrap_or_else(now);
    let settings = state.settings.clone();
    let Some(message) = state.messages.get_mut(sequence) else { return };
    let was_on_phone = message.is_on_phone();
    if *last {
        message.stage = Stage::Settled;
    }
    // Already marked as read on the phone, before this scheduled status.
    if message.statuses.iter().any(|reached| reached.status == *status) {
        return;
    }
    message.statuses.push(ReachedStatus { status: status.clone(), at });
    let message = message.clone();
    if message.is_on_phone() && !was_on_phone {
        state.show(&message.recipient, PhoneItem::Received { message: message.id.clone() });
    }

    let mut value = json!({
        "id": message.id,
        "status": status,
        "timestamp": (at / 1000).to_string(),
        "recipient_id": message.recipient,
    });
    if !is_number(&message.recipient) {
        value["recipient_id"] = json!("");
        value["recipient_user_id"] = json!(message.recipient);
    }
    if let Some(callback) = &message.callback {
        value["biz_opaque_callback_data"] = json!(callback);
    }
    match (&message.error, status.as_str()) {
        (Some(error), "failed") => put_error(&settings, &mut value, error),
        _ => {
            let about = (message.number.as_str(), message.recipient.as_str(), message.category.as_str(), message.at);
            value["conversation"] = conversation(&settings, about, (status == "sent").then_some(at));
            let free = message.category == "service" && is_in_free_tier(&state.messages, &message);
            value["pricing"] = pricing(&settings, &message.category, free);
        }
    }
    let value = json!({
        "messaging_product": product,
        "metadata": metadata(state, &message.number),
        "statuses": [value],
    });
    for _copy in 0..*copies {
        state.emit(message.entry.clone(), Some(message.number.clone()), "messages", value.clone());
    }
    state.emit(message.entry, Some(message.number), "messages", value);
}

/// `conversation` of a status of a message: its number, recipient, category and instant. `sent_at` is the instant of the
/// status `sent`, which reports the end of the conversation.
pub(crate) fn conversation(
    settings: &Settings,
    (number, recipient, category, at): (&str, &str, &str, Instant),
    sent_at: Option<Instant>,
) -> Value {
    let mut conversation = json!({ "id": conversation_id(number, recipient, category, at) });
    if let Some(sent_at) = sent_at.filter(|_| !settings.is_minimal()) {
        conversation["expiration_timestamp"] = json!(((sent_at + DAY_MS) / 1000).to_string());
    }
    conversation["origin"] = json!({ "type": category });
    conversation
}

/// `pricing` of a status.
pub(crate) fn pricing(settings: &Settings, category: &str, free: bool) -> Value {
    let mut pricing = json!({ "billable": !free, "pricing_model": "PMP", "category": category });
    if !settings.is_minimal() {
        pricing["type"] = json!(if free { "free_customer_service" } else { "regular" });
    }
    pricing
}

/// Adds the error of a failure to its status, in the form of the settings.
pub(crate) fn put_error(settings: &Settings, status: &mut Value, failure: &Value) {
    let minimal = settings.is_minimal();
    let failure = if minimal { contract_fields::error(failure) } else { failure.clone() };
    match settings.error_form {
        ErrorForm::Profile if minimal => status["error"] = failure,
        ErrorForm::Profile | ErrorForm::Array => status["errors"] = json!([failure]),
        ErrorForm::Object => status["error"] = failure,
        ErrorForm::ErrorArray => status["error"] = json!([failure]),
    }
}

/// Free service messages per number and calendar month (upstream §14.1).
const FREE_SERVICE_MESSAGES: usize = 1_000;

/// Whether a service message is among the free ones of its number in its month.
fn is_in_free_tier(messages: &BTreeMap<u64, Message>, message: &Message) -> bool {
    let month = |at: Instant| DateTime::from_timestamp_millis(at).map(|at| (at.year(), at.month()));
    let earlier = messages.values().take_while(|other| other.id != message.id).filter(|other| {
        other.category == message.category
            && other.number == message.number
            && other.error.is_none()
            && month(other.at) == month(message.at)
    });
    earlier.take(FREE_SERVICE_MESSAGES).count() < FREE_SERVICE_MESSAGES
}

/// Marks the unread messages on a phone as read. Returns their number.
pub(crate) fn read(state: &mut State, product: &str, recipient: &str) -> usize {
    let unread =
        |message: &&Message| message.is_on_phone() && !message.statuses.iter().any(|reached| reached.status == "read");
    let items = state.phones.get(recipient).map(|phone| phone.items.as_slice()).unwrap_or_default();
    let shown: Vec<&str> = items
        .iter()
        .filter_map(|item| match item {
            PhoneItem::Received { message } => state.message(message),
            PhoneItem::Sent { .. } => None,
        })
        .filter(unread)
        .map(|message| message.id.as_str())
        .collect();
    let tasks: Vec<StatusTask> = shown
        .into_iter()
        .filter_map(|id| {
            let (sequence, message) = state.message_entry(id)?;
            Some(StatusTask {
                message: sequence,
                status: "read".to_owned(),
                last: message.stage == Stage::Settled,
                happened: None,
                copies: message.script.as_ref().map_or(0, Script::copies),
            })
        })
        .collect();
    for task in &tasks {
        report(state, product, task);
    }
    tasks.len()
}

/// One conversation per pair, category and day.
fn conversation_id(number: &str, recipient: &str, category: &str, at: Instant) -> String {
    let day = at / DAY_MS;
    let name = format!("{number} {recipient} {category} {day}");
    let digest = ring::digest::digest(&ring::digest::SHA256, name.as_bytes());
    digest.as_ref().iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

/// `metadata` of a messages event: the sending number.
pub(crate) fn metadata(state: &State, number: &str) -> Value {
    let display = state.numbers.get(number).map_or(number, |number| number.display.as_str());
    json!({ "display_phone_number": display.trim_start_matches('+').replace([' ', '-'], ""), "phone_number_id": number })
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that cannot read its own input fails")]

    use super::*;

    #[test]
    fn reordered_statuses_are_sent_after_the_last_one_happened() {
        let step = |status, happens, comes| Step { status, happens, comes };
        assert_eq!(
            steps(&["sent", "delivered", "read"]),
            [step("sent", 1, 1), step("delivered", 2, 2), step("read", 3, 3)]
        );
        assert_eq!(
            steps(&["read", "delivered", "sent"]),
            [step("read", 3, 4), step("delivered", 2, 5), step("sent", 1, 6)]
        );
        assert_eq!(steps(&["sent", "failed"]), [step("sent", 1, 1), step("failed", 2, 2)]);
    }

    #[test]
    fn a_number_has_1000_free_service_messages_a_month() {
        const NOVEMBER: Instant = 1_793_500_000_000;
        const DECEMBER: Instant = NOVEMBER + 31 * DAY_MS;
        let message = |id: u64, number: &str, category: &str, at: Instant, error: Value| -> Message {
            serde_json::from_value(json!({"id": id.to_string(), "number": number, "entry": "1", "recipient": "2", "at": at,
                "payload": {}, "template": null, "category": category, "callback": null, "stage": "settled", "statuses": [],
                "error": error}))
            .unwrap()
        };
        let mut messages: BTreeMap<u64, Message> =
            (0..999).map(|id| (id, message(id, "n", "service", NOVEMBER, Value::Null))).collect();
        for (id, number, category, at, error, free) in [
            (1_000, "n", "service", NOVEMBER, json!({"code": 131_047}), true),
            (1_001, "n", "utility", NOVEMBER, Value::Null, true),
            (1_002, "n", "service", NOVEMBER, Value::Null, true),
            (1_003, "n", "service", NOVEMBER, Value::Null, false),
            (1_004, "other", "service", NOVEMBER, Value::Null, true),
            (1_005, "n", "service", DECEMBER, Value::Null, true),
        ] {
            let message = message(id, number, category, at, error);
            messages.insert(id, message.clone());
            assert_eq!(is_in_free_tier(&messages, &message), free, "{id}");
        }
    }
}
