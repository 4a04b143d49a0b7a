//! The phones of customers with a conversation or an open reply window: everything they got and wrote.

use super::{deliveries, records};
use crate::history::calendar::DAY;
use crate::history::files::{DOCUMENT, File, PICTURE};
use crate::history::{Content, History, Said, Sent};
use crate::runtime::Runtime;
use crate::script;
use crate::seed::BUSINESS_WABAS;
use crate::state::{Media, Message, PhoneItem, ReachedStatus, Stage, State};

pub(crate) fn store_files(runtime: &Runtime, history: &History) -> std::io::Result<()> {
    for inbound in &history.inbound {
        let (file, name): (&File, _) = match &inbound.said {
            Said::Picture(_) => (&PICTURE, None),
            Said::Document(name) => (&DOCUMENT, Some((*name).to_owned())),
            _ => continue,
        };
        let bytes = file.bytes();
        // The channel's address expired long ago.
        let media = Media { url_expires: Some(inbound.at), ..Media::new(file.mime_type, name, bytes.len() as u64) };
        runtime.store_file_as(inbound.file.clone(), bytes, media)?;
    }
    Ok(())
}

/// Customers with a conversation, and those who wrote last enough that a free text reaches them.
fn with_phone(history: &History) -> Vec<usize> {
    let mut people = history.in_conversation.clone();
    for inbound in history.inbound.iter().filter(|inbound| inbound.at > history.anchor - DAY) {
        if !people.contains(&inbound.person) {
            people.push(inbound.person);
        }
    }
    people
}

/// Adds the phones with their messages.
pub(crate) fn fill(runtime: &Runtime, state: &mut State, history: &History) {
    for person in &with_phone(history) {
        let recipient = &history.people[*person].number;
        let mut items = Vec::new();
        for sent in history.sends.iter().filter(|sent| sent.person == *person) {
            let message = message(runtime, history, sent);
            let shown = message.is_on_phone().then(|| PhoneItem::Received { message: message.id.clone() });
            state.add_message(message);
            // A phone shows a message when it arrives.
            let arrived =
                sent.statuses.iter().find(|(status, _)| *status == "delivered").map_or(sent.at, |(_, at)| *at);
            items.extend(shown.map(|item| (arrived, item)));
        }
        for inbound in history.inbound.iter().filter(|inbound| inbound.person == *person) {
            let serde_json::Value::Object(content) = deliveries::message(runtime, state, history, inbound) else {
                continue;
            };
            let number = inbound.number.to_owned();
            items.push((inbound.at, PhoneItem::Sent { number, at: inbound.at, content }));
        }
        items.sort_by_key(|(at, _)| *at);
        let phone = state.phone_mut(recipient);
        phone.name.clone_from(&history.people[*person].name);
        phone.since = items.first().map_or(history.anchor, |(at, _)| *at);
        let wrote = history.inbound.iter().filter(|inbound| inbound.person == *person);
        for inbound in wrote {
            let last = phone.wrote.entry(inbound.number.to_owned()).or_default();
            *last = inbound.at.max(*last);
        }
        for (_, item) in items {
            state.show(recipient, item);
        }
    }
}

fn message(runtime: &Runtime, history: &History, sent: &Sent) -> Message {
    let template = match &sent.content {
        Content::Template { template, .. } => Some(history.templates[*template].clone()),
        Content::Text(_) => None,
    };
    let waba = if sent.number == crate::seed::SECOND_NUMBER { BUSINESS_WABAS[1] } else { BUSINESS_WABAS[0] };
    Message {
        id: sent.message_id.clone(),
        number: sent.number.to_owned(),
        entry: waba.to_string(),
        recipient: history.people[sent.person].number.clone(),
        at: sent.at,
        payload: records::payload(runtime, history, sent),
        template,
        category: sent.category.to_owned(),
        callback: Some(deliveries::callback(&sent.tracking_id)),
        stage: Stage::Settled,
        statuses: sent
            .statuses
            .iter()
            .map(|(status, at)| ReachedStatus { status: (*status).to_owned(), at: *at })
            .collect(),
        error: sent.error.map(|code| script::failure(code, None)),
        script: None,
        taps: Vec::new(),
    }
}
