//! Events of the history, and the deliveries that report them.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::contract_fields;
use crate::history::events::Past;
use crate::history::files::{self, File};
use crate::history::lives::{FORMER_REJECTION, LIVES, Step, account_events};
use crate::history::{Content, History, Inbound, PAGE, Said};
use crate::runtime::Runtime;
use crate::script;
use crate::seed::{BUSINESS_WABAS, rejection_of_sample};
use crate::settings::Settings;
use crate::state::{Event, Number, State};
use crate::status_simulation::{conversation, pricing, put_error};
use crate::time::Instant;

/// The changes of a page of events from `first` on, as the webhooks report them. Neighbouring statuses of a number are
/// one change.
pub(crate) fn changes(runtime: &Runtime, state: &State, history: &History, first: usize) -> Vec<Event> {
    let page = history.events.iter().skip(first).take(PAGE);
    let mut changes: Vec<Event> = Vec::new();
    for (at, past) in page {
        let Some(event) = change(runtime, state, history, *at, *past) else { continue };
        if let Some(last) = changes.last_mut()
            && (&last.entry, &last.number, &last.field) == (&event.entry, &event.number, &event.field)
            && let (Some(known), Some(further)) = (last.value.get_mut("statuses"), event.value.get("statuses"))
            && let (Some(known), Some(further)) = (known.as_array_mut(), further.as_array())
        {
            known.extend(further.iter().cloned());
            continue;
        }
        changes.push(event);
    }
    changes
}

/// The change that reports an event; `None` if the profile has no such event.
fn change(runtime: &Runtime, state: &State, history: &History, at: Instant, past: Past) -> Option<Event> {
    let minimal = state.settings.is_minimal();
    let (entry, number, field, value) = match past {
        Past::Life { template, step, waba } => {
            let (field, value) = life(history, (template, step), waba, minimal)?;
            (waba, None, field, value)
        }
        Past::Account(index) => {
            let (_, waba, field, value) = account_events(history.calendar()).into_iter().nth(index)?;
            (BUSINESS_WABAS[waba], None, field, value)
        }
        Past::Status { sent, status } => {
            let number = history.sends[sent].number;
            let value = json!({ "statuses": [status_of(&state.settings, history, sent, status)] });
            (waba_of(state, number), Some(number), "messages", value)
        }
        Past::Inbound(index) => {
            let inbound = &history.inbound[index];
            let person = &history.people[inbound.person];
            let value = json!({
                "contacts": [{ "profile": { "name": person.name }, "wa_id": person.number }],
                "messages": [message(runtime, state, history, inbound)],
            });
            (waba_of(state, inbound.number), Some(inbound.number), "messages", value)
        }
        Past::Click(index) | Past::Landing(index) => {
            let click = &history.clicks[index];
            let landing = matches!(past, Past::Landing(_));
            let value = json!({ "user_actions": [{
                "action_type": if landing { model::event::user_action::LANDING_PAGE_VIEW } else { model::event::user_action::LINK_CLICK },
                "timestamp": seconds(at),
                "marketing_messages_link_click_data": {
                    "click_component": "cta",
                    "click_id": click.id,
                    "tracking_token": click.token,
                },
            }] });
            (waba_of(state, click.number), Some(click.number), "messages", value)
        }
        Past::Stop(index) => {
            let person = &history.people[history.stops[index].person];
            let value = json!({ "user_preferences": [{
                "wa_id": person.number,
                "detail": "User requested to stop marketing messages",
                "category": "marketing_messages",
                "value": "stop",
                "timestamp": seconds(at),
            }] });
            (waba_of(state, crate::seed::NUMBER), Some(crate::seed::NUMBER), "user_preferences", value)
        }
    };
    // The contract has no other events (§6).
    if minimal && matches!(past, Past::Account(_) | Past::Click(_) | Past::Landing(_) | Past::Stop(_)) {
        return None;
    }
    let mut value = value;
    if let (Some(number), Value::Object(fields)) = (number, &mut value) {
        fields.insert("messaging_product".into(), json!(runtime.messaging_product));
        fields.insert("metadata".into(), crate::status_simulation::metadata(state, number));
    }
    Some(Event {
        sequence: 0,
        at,
        due: at,
        entry: entry.to_string(),
        number: number.map(str::to_owned),
        field: field.to_owned(),
        value,
    })
}

fn seconds(at: Instant) -> String {
    (at / 1_000).to_string()
}

fn waba_of(state: &State, number: &str) -> u64 {
    let of_number = |number: &Number| number.waba;
    state.numbers.get(number).and_then(of_number).unwrap_or(BUSINESS_WABAS[0])
}

/// Field and value of a step in the life of a template.
fn life(history: &History, at: (usize, usize), waba: u64, minimal: bool) -> Option<(&'static str, Value)> {
    let (template, step) = at;
    let life = &LIVES[template];
    let id = history.identities[template].ids.get(&waba)?;
    let (_, step) = *life.steps.get(step)?;
    let now = history.templates[template].category.as_str().to_uppercase();
    // Before its category changed, it was in the other one.
    let moves = life.steps.iter().position(|(_, step)| *step == Step::Category);
    let category = if moves.is_some_and(|moved| at.1 < moved) { "UTILITY".to_owned() } else { now };
    let named = json!({
        "message_template_id": id,
        "message_template_name": life.name,
        "message_template_language": life.language,
    });
    let with = |further: Value| {
        let mut value = named.clone();
        if let (Value::Object(value), Value::Object(further)) = (&mut value, further) {
            value.extend(further);
        }
        value
    };
    let (event, reason, further) = match step {
        Step::Quality(before, after) => {
            let scores = json!({ "previous_quality_score": before, "new_quality_score": after });
            return (!minimal).then(|| ("message_template_quality_update", with(scores)));
        }
        Step::Category => {
            let categories = json!({ "previous_category": "UTILITY", "new_category": "MARKETING" });
            return (!minimal).then(|| ("template_category_update", with(categories)));
        }
        Step::Archived => return None,
        Step::Pending => ("PENDING", "NONE", json!({})),
        Step::Approved => ("APPROVED", "NONE", json!({})),
        Step::Disabled => ("DISABLED", "NONE", json!({})),
        Step::Paused(title) => {
            let description = "Recipients blocked or reported this template. It cannot be sent while it is paused.";
            ("PAUSED", "NONE", json!({ "other_info": { "title": title, "description": description } }))
        }
        Step::Rejected | Step::StillRejected => {
            let rejection = if step == Step::Rejected { FORMER_REJECTION } else { rejection_of_sample(template)? };
            let (reason, problem, recommendation) = rejection;
            let info = json!({ "rejection_info": { "reason": problem, "recommendation": recommendation } });
            ("REJECTED", reason, if problem.is_empty() { json!({}) } else { info })
        }
    };
    const FIELD: &str = "message_template_status_update";
    if minimal {
        return contract_fields::template_event(&event.into(), *id, life.name, life.language)
            .map(|value| (FIELD, value));
    }
    let mut value = with(json!({ "event": event, "reason": reason, "message_template_category": category }));
    if let (Value::Object(value), Value::Object(further)) = (&mut value, further) {
        value.extend(further);
    }
    Some((FIELD, value))
}

/// A status of a message (contract §6.3).
fn status_of(settings: &Settings, history: &History, sent: usize, status: usize) -> Value {
    let message = &history.sends[sent];
    let (status, at) = message.statuses[status];
    let person = &history.people[message.person];
    let mut value = json!({
        "id": message.message_id,
        "status": status,
        "timestamp": seconds(at),
        "recipient_id": person.number,
        "biz_opaque_callback_data": callback(&message.tracking_id),
    });
    match message.error {
        Some(code) if status == "failed" => {
            let format =
                matches!(message.content, Content::Template { .. }).then_some(model::vocabulary::HeaderFormat::Image);
            put_error(settings, &mut value, &script::failure(code, format.as_ref()));
        }
        // The price is reported with `sent` and `delivered`.
        _ if status == "read" => {}
        _ => {
            let free = message.category == "service";
            let expires = (status == "sent").then_some(at);
            value["conversation"] =
                conversation(settings, (message.number, &person.number, message.category, message.at), expires);
            value["pricing"] = pricing(settings, message.category, free);
        }
    }
    value
}

/// The callback data of a message.
pub(super) fn callback(tracking_id: &str) -> String {
    json!({ "td": tracking_id }).to_string()
}

/// The item of `messages[]` (contract §6.1, §6.2, §6.4).
pub(super) fn message(runtime: &Runtime, state: &State, history: &History, inbound: &Inbound) -> Value {
    let minimal = state.settings.is_minimal();
    let mut message = json!({
        "from": history.people[inbound.person].number,
        "id": inbound.id,
        "timestamp": seconds(inbound.at),
    });
    if let Some(context) = inbound.context.as_ref().filter(|_| !minimal) {
        let from = crate::status_simulation::metadata(state, inbound.number)["display_phone_number"].clone();
        message["context"] = json!({ "from": from, "id": context });
    }
    let (kind, content) = match &inbound.said {
        Said::Text(body) => ("text", json!({ "body": body })),
        Said::Tap(label) => {
            ("interactive", json!({ "type": "button_reply", "button_reply": { "id": label, "title": label } }))
        }
        Said::Picture(caption) => ("image", file(runtime, inbound, &files::PICTURE, json!({ "caption": caption }))),
        Said::Document(name) => ("document", file(runtime, inbound, &files::DOCUMENT, json!({ "filename": name }))),
        Said::Place(name, address) => {
            ("location", json!({ "latitude": -23.5505, "longitude": -46.6333, "name": name, "address": address }))
        }
        Said::Reaction(emoji, about) => ("reaction", json!({ "message_id": about, "emoji": emoji })),
    };
    message["type"] = json!(kind);
    message[kind] = content;
    message
}

fn file(runtime: &Runtime, inbound: &Inbound, file: &File, further: Value) -> Value {
    let id = &inbound.file;
    let mut content = json!({
        "id": id,
        "mime_type": file.mime_type,
        "sha256": file.sha256(),
        "url": runtime.address(&format!("/sandbox/media/{id}")),
        "s3_url": runtime.address(&format!("/sandbox/public/{id}")),
    });
    if let (Value::Object(content), Value::Object(further)) = (&mut content, further) {
        content.extend(further);
    }
    content
}

/// The events of a page by the webhook that gets them: that of a sending number, or the common one.
pub(crate) fn addressed(runtime: &Runtime, state: &State, events: Vec<Event>) -> Vec<(Option<String>, Vec<Event>)> {
    let webhooks = runtime.webhooks();
    let mut addressed: BTreeMap<Option<String>, Vec<Event>> = BTreeMap::new();
    for event in events {
        let own = event.number.clone().filter(|number| webhooks.numbers.contains_key(number));
        let targets = match (&own, &event.number, &webhooks.common) {
            (Some(_), ..) => vec![own],
            (None, _, Some(_)) => vec![None],
            (None, Some(_), None) => Vec::new(),
            (None, None, None) => webhooks.numbers_of(state, &event.entry).into_iter().map(Some).collect(),
        };
        for target in targets {
            addressed.entry(target).or_default().push(event.clone());
        }
    }
    addressed.into_iter().collect()
}
