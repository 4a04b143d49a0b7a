//! What a client of the sandbox had sent and made in the history: `GET /sandbox/history` and `/sandbox/history/sends`.
//!
//! No webhook could report it, so a client records it itself, and the statuses of the history then match its messages.

use std::collections::BTreeMap;

use model::send::{PartKind, SendLanguage, SendTemplate, SendValues, fill_send, send_form};
use model::template::Template;
use serde_json::{Value, json};

use super::deliveries;
use crate::history::campaigns::{BATCH_FLAWS, BATCH_ROWS, batch_end, batch_start};
use crate::history::lives::{FORMER_BODY, LIVES, Step};
use crate::history::people::{Language, Person};
use crate::history::random::Random;
use crate::history::{Content, History, Inbound, Sent, calendar};
use crate::runtime::Runtime;
use crate::seed::{NUMBER, WABA};
use crate::time::Instant;
use crate::uploads;

/// Largest number of sends in a page.
pub(crate) const MOST_SENDS: usize = 1_000;
/// Milliseconds before the anchor in which an unanswered message is not read yet.
const UNREAD: i64 = 18 * calendar::HOUR;
/// Number of messages that are unread, however long ago they arrived.
const MIN_UNREAD: usize = 3;
/// Labels and notes in the address book.
const LABELS: &[&[&str]] = &[&["VIP"], &[], &["Corporativo"], &["Noivas"], &[], &["VIP", "Assinatura"]];
const NOTES: &[&str] = &["", "Prefere rosas claras", "", "", "Entregar na portaria", ""];
/// Milliseconds between a request and its answer.
const ANSWERED: i64 = 240;

/// The values of a message by the parts of [`send_form`].
fn values(runtime: &Runtime, template: &Template, values: &[String], at: Instant) -> SendValues {
    let mut rest = values.iter();
    let mut image = None;
    let mut answers = BTreeMap::new();
    for part in send_form(template).parts {
        let value = match part.kind {
            PartKind::Link => {
                let image = image.get_or_insert_with(|| sample_link(runtime, template));
                image.clone()
            }
            PartKind::Text if part.card.is_none() && part.required => rest.next().cloned().unwrap_or(part.sample),
            PartKind::Suffix if part.card.is_none() => rest.next().cloned().unwrap_or(part.sample),
            PartKind::Code if template.category == model::vocabulary::Category::Authentication => {
                rest.next().cloned().unwrap_or_default()
            }
            PartKind::Instant => (at + 2 * calendar::DAY).to_string(),
            _ if part.required => part.sample,
            _ => continue,
        };
        answers.insert(part.id, value);
    }
    answers
}

/// The address of the samples' picture.
fn sample_link(runtime: &Runtime, template: &Template) -> String {
    let mut components = template.components.clone();
    uploads::show(runtime, &mut components);
    let shown = json!(components).to_string();
    let start = shown.find(&runtime.address("/sandbox/public/"));
    let address = start.and_then(|start| shown[start..].split('"').next());
    address.unwrap_or_default().to_owned()
}

/// The body of the request that sent a message (contract §2.3).
pub(super) fn payload(runtime: &Runtime, history: &History, sent: &Sent) -> Value {
    let mut payload = json!({
        "messaging_product": runtime.messaging_product,
        "recipient_type": "individual",
        "to": history.people[sent.person].number,
        "biz_opaque_callback_data": deliveries::callback(&sent.tracking_id),
    });
    match &sent.content {
        Content::Text(body) => {
            payload["type"] = json!("text");
            payload["text"] = json!({ "body": body });
        }
        Content::Template { template, values: given } => {
            let template = &history.templates[*template];
            let send = SendTemplate {
                name: template.name.clone(),
                language: SendLanguage { code: template.language.clone(), ..SendLanguage::default() },
                components: fill_send(template, &values(runtime, template, given, sent.at)),
                ..SendTemplate::default()
            };
            payload["type"] = json!("template");
            payload["template"] = json!(send);
        }
    }
    payload
}

/// A page of sends, oldest first, and the position of the next page.
pub(crate) fn sends(runtime: &Runtime, history: &History, after: usize, limit: usize) -> Value {
    let page = history.sends.iter().skip(after).take(limit);
    let data: Vec<Value> = page.map(|sent| send(runtime, history, sent)).collect();
    let next = after.saturating_add(data.len());
    json!({ "data": data, "next": (next < history.sends.len()).then_some(next) })
}

fn send(runtime: &Runtime, history: &History, sent: &Sent) -> Value {
    let to = &history.people[sent.person].number;
    let mut record = json!({
        "at": sent.at,
        "answered_at": sent.at + ANSWERED,
        "number": sent.number,
        "to": to,
        "category": sent.category,
        "tracking_id": sent.tracking_id,
        "message_id": sent.message_id,
        "request": payload(runtime, history, sent),
        "status": 200,
        "answer": {
            "messaging_product": runtime.messaging_product,
            "contacts": [{ "input": to, "wa_id": to }],
            "messages": [{ "id": sent.message_id, "message_status": "accepted" }],
        },
        "row": sent.row,
    });
    match &sent.content {
        Content::Text(_) => {}
        Content::Template { template, values: given } => {
            record["template"] = json!(history.identities[*template].uuid);
            record["values"] = json!(values(runtime, &history.templates[*template], given, sent.at));
        }
    }
    record
}

/// Everything but the sends, and how many of the events were delivered.
pub(crate) fn summary(runtime: &Runtime, history: &History) -> Value {
    let delivered = runtime.read(|state| state.history.as_ref().map_or(0, crate::history::Progress::delivered));
    json!({
        "id": history.anchor.to_string(),
        "sends": history.sends.len(),
        "events": { "total": history.len(), "delivered": delivered },
        "batch": batch(runtime, history),
        "submissions": submissions(history),
        "drafts": drafts(history),
        "recipients": recipients(history),
        "read": read(history),
    })
}

fn batch(runtime: &Runtime, history: &History) -> Value {
    let calendar = history.calendar();
    let sent: Vec<&Sent> = history.sends.iter().filter(|sent| sent.row.is_some()).collect();
    let (start, end) = (batch_start(calendar), batch_end(calendar));
    let Some(first) = sent.first() else { return Value::Null };
    let Content::Template { template, .. } = &first.content else { return Value::Null };
    let (sample, identity) = (&history.templates[*template], &history.identities[*template]);
    let part = "body.1";
    let own = |values: &[String]| json!({ part: values.first() });
    let mut common = match &first.content {
        Content::Template { values: given, .. } => values(runtime, sample, given, first.at),
        Content::Text(_) => SendValues::new(),
    };
    common.remove(part);
    let row = |number: u32| {
        let flaw = BATCH_FLAWS.iter().find(|(flawed, ..)| *flawed == number);
        if let Some((_, name, to)) = flaw {
            let first_name = name.split(' ').next().unwrap_or_default();
            return Some(json!({ "row": number, "to": to, "name": name, "values": { part: first_name } }));
        }
        let sent = sent.iter().find(|sent| sent.row == Some(number))?;
        let Content::Template { values, .. } = &sent.content else { return None };
        let person = &history.people[sent.person];
        Some(json!({ "row": number, "to": person.number, "name": person.name, "values": own(values) }))
    };
    json!({
        "id": Random::new(u64::try_from(history.anchor).unwrap_or_default() ^ 0xba7c).uuid(),
        "number": NUMBER,
        "template": identity.uuid,
        "name": sample.name,
        "language": sample.language,
        "source": "clientes-primavera.csv",
        "values": common,
        "created_at": start - 4 * calendar::MINUTE,
        "started_at": start,
        "ended_at": end,
        "rows": (1..=BATCH_ROWS).filter_map(row).collect::<Vec<_>>(),
    })
}

/// Creations and edits of templates from here, oldest first.
fn submissions(history: &History) -> Vec<Value> {
    let mut submissions = Vec::new();
    for (index, life) in LIVES.iter().enumerate().filter(|(_, life)| life.made_here) {
        let now = &history.templates[index];
        let identity = &history.identities[index];
        let moved = life.steps.iter().any(|(_, step)| *step == Step::Category);
        let was_rejected = life.steps.iter().any(|(_, step)| *step == Step::Rejected);
        let rounds: Vec<Instant> =
            life.steps(history.calendar()).filter(|(_, step)| *step == Step::Pending).map(|(at, _)| at).collect();
        for (round, at) in rounds.into_iter().enumerate() {
            let mut content = json!(now);
            if was_rejected && round == 0 {
                former(&mut content);
            }
            if moved {
                content["category"] = json!("utility");
            }
            let (kind, request) = match round {
                0 => {
                    let mut request = content.clone();
                    request["waba_ids"] = json!(identity.ids.keys().collect::<Vec<_>>());
                    ("create", request)
                }
                _ => ("edit", json!({ "components": content["components"] })),
            };
            submissions.push(json!({
                "at": at - ANSWERED,
                "answered_at": at,
                "kind": kind,
                "template": identity.uuid,
                "wabas": identity.ids.keys().map(u64::to_string).collect::<Vec<_>>(),
                "request": request,
                "content": content,
                "status": 200,
                "answer": { "uuid": identity.uuid, "data": { "uuid": identity.uuid, "status": "PENDING" } },
                "status_before": (round > 0).then_some("REJECTED"),
            }));
        }
    }
    submissions.sort_by_key(|submission| submission["at"].as_i64());
    submissions
}

/// The text before the rejection was fixed.
fn former(content: &mut Value) {
    let components = content["components"].as_array_mut();
    for component in components.into_iter().flatten().filter(|component| component["type"] == "BODY") {
        component["text"] = json!(FORMER_BODY);
    }
}

/// Templates that are not submitted yet.
fn drafts(history: &History) -> Vec<Value> {
    let calendar = history.calendar();
    let mut random = Random::new(u64::try_from(history.anchor).unwrap_or_default() ^ 0xd4af);
    let draft = |random: &mut Random, at: Instant, template: Value| json!({ "id": random.uuid(), "at": at, "wabas": [WABA.to_string()], "template": template });
    vec![
        draft(
            &mut random,
            calendar.at(4, 17, 20),
            json!({
                "name": "mothers_day",
                "language": "pt_BR",
                "category": "marketing",
                "components": [
                    { "type": "BODY", "text": "Oi {{1}}, o Dia das Mães está chegando! 🌸\nReserve o buquê até sexta e ganhe a entrega.", "example": { "body_text": [["Ana"]] } },
                    { "type": "FOOTER", "text": "Responda SAIR para não receber ofertas" },
                    { "type": "BUTTONS", "buttons": [{ "type": "QUICK_REPLY", "text": "Quero reservar" }, { "type": "QUICK_REPLY", "text": "SAIR" }] },
                ],
            }),
        ),
        draft(
            &mut random,
            calendar.at(1, 11, 5),
            json!({
                "name": "delivery_delay",
                "language": "en_US",
                "category": "utility",
                "components": [
                    { "type": "BODY", "text": "Hi {{1}}, your order {{2}} is running late. We will deliver it before {{3}}", "example": { "body_text": [["Ana", "860198", "6 pm"]] } },
                ],
            }),
        ),
    ]
}

/// The address book: all customers.
fn recipients(history: &History) -> Vec<Value> {
    let added = history.calendar().at(55, 15, 0);
    let entry = |(index, person): (usize, &Person)| {
        let note = if person.language == Language::Portuguese { NOTES[index % NOTES.len()] } else { "" };
        json!({
            "name": person.name,
            "number": person.number,
            "labels": LABELS[index % LABELS.len()],
            "note": note,
            "at": added + i64::try_from(index).unwrap_or_default() * calendar::MINUTE,
        })
    };
    history.people.iter().enumerate().map(entry).collect()
}

/// How far the conversations were read: whole, except the newest messages, which nobody answered yet.
fn read(history: &History) -> Vec<Value> {
    let mut answers: BTreeMap<usize, Instant> = BTreeMap::new();
    for text in history.sends.iter().filter(|sent| matches!(sent.content, Content::Text(_))) {
        let last = answers.entry(text.person).or_default();
        *last = text.at.max(*last);
    }
    let is_answered = |inbound: &Inbound| answers.get(&inbound.person).is_some_and(|last| *last > inbound.at);
    let mut unanswered: Vec<Instant> =
        history.inbound.iter().filter(|inbound| !is_answered(inbound)).map(|inbound| inbound.at).collect();
    unanswered.sort_unstable_by_key(|at| std::cmp::Reverse(*at));
    // After a quiet Sunday, the newest are older.
    let oldest = unanswered.get(MIN_UNREAD - 1).or(unanswered.last()).copied().unwrap_or_default();
    let unread_since = oldest.min(history.anchor - UNREAD);
    let mut last: BTreeMap<&str, Instant> = BTreeMap::new();
    for inbound in history.inbound.iter().filter(|inbound| inbound.at < unread_since || is_answered(inbound)) {
        let at = last.entry(history.people[inbound.person].number.as_str()).or_default();
        *at = inbound.at.max(*at);
    }
    last.into_iter().map(|(contact, at)| json!({ "contact": contact, "at": at })).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_messages_are_unread_at_any_hour_of_the_week() {
        const MONDAY: Instant = 1_764_547_200_000;
        for hours in (0..7 * 24).step_by(5) {
            let history = History::new(MONDAY + hours * calendar::HOUR, "image");
            let read = read(&history);
            let is_unread = |inbound: &&Inbound| {
                let number = &history.people[inbound.person].number;
                let mark = read.iter().find(|mark| mark["contact"] == **number);
                mark.is_none_or(|mark| mark["at"].as_i64() < Some(inbound.at))
            };
            let unread: std::collections::BTreeSet<usize> =
                history.inbound.iter().filter(is_unread).map(|inbound| inbound.person).collect();
            assert!((1..20).contains(&unread.len()), "{} after {hours} hours", unread.len());
        }
    }
}
