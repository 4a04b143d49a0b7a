//! Webhook events for the Activity screen.

mod compare;
mod delivery;
mod export;
mod forward;
mod replay;
mod verify;

use std::collections::{BTreeSet, HashMap, HashSet};

use model::event::identity::is_number;
use model::event::kind::ItemKind;
use model::event::reading::Fact;
use model::item::account_notice::account_notice;
use model::item::meaning::{EventMeaning, meaning};
use model::item::{self, Decoded, Item};
use outgoing::file_digest;
use outgoing::recipient::formatted;
use store::cache::{EventSubject, ItemFilter, ItemRevision, ItemRow, item_key, stored_key};
use store::delivery_log::Delivery;

pub(crate) use self::forward::{Forwarding, Outcome, Target};
use crate::account_notices::KINDS;
use crate::contact_names;
use crate::own_numbers::OwnNumbers;
use crate::stored_item::decoded;
use crate::templates::queries::MAX_ROWS;
use crate::text::message_excerpt;
use crate::webhooks::Webhooks;
use crate::webhooks::account_notices::with_name;
use command_types::activity::{
    Arrival, EventDetail, EventId, EventPage, EventQuery, EventRevision, EventRow, EventTemplate,
};
use command_types::conversations::MessageFact;
use command_types::error::{DeskError, Missing, Result};
use outgoing::compute;

/// Maximum number of deliveries shown for an event.
const MAX_ARRIVALS: u32 = 50;

impl Webhooks {
    /// A page of events, newest first.
    pub async fn list_events(&self, query: EventQuery) -> Result<EventPage> {
        let after = match query.after.as_deref().filter(|after| !after.is_empty()) {
            Some(after) => Some(
                after.parse().map_err(|_| DeskError::invalid("after", "This page does not exist. Reload the list."))?,
            ),
            None => None,
        };
        let limit = query.limit.clamp(1, MAX_ROWS);
        let page = self.0.context.cache.items(ItemFilter { after, limit, ..item_filter(query) }).await?;
        Ok(EventPage {
            rows: self.event_rows(page.rows).await?,
            next: page.next.map(|id| id.to_string()),
            searched_to: page.searched_to,
            behind: self.deliveries_after(page.cursor.as_ref()),
        })
    }

    async fn event_rows(&self, rows: Vec<ItemRow>) -> Result<Vec<EventRow>> {
        let messages = rows.iter().filter(|row| row.kind == ItemKind::Message.as_str()).map(|row| row.id);
        let revisions = self.0.context.cache.revisions_of(messages.collect()).await?;
        let names = self.contact_names(&rows).await?;
        let mut templates = self.event_templates(&rows).await?;
        let mut meanings = self.event_meanings(&rows).await;
        let rows = rows.into_iter().map(|row| {
            let revision = revisions.get(&row.id);
            let contact_name = row.contact.as_ref().and_then(|contact| names.get(&row.route)?.get(contact).cloned());
            let (of_template, meaning) = (templates.remove(&row.id), meanings.remove(&row.id));
            EventRow { contact_name, of_template, meaning, ..event_row(row, revision) }
        });
        Ok(rows.collect())
    }

    /// What those of the events mean that are about accounts and numbers, by the events' identifiers. A delivery that
    /// cannot be read must not hide the others.
    async fn event_meanings(&self, rows: &[ItemRow]) -> HashMap<i64, EventMeaning> {
        let mut meanings = HashMap::new();
        for row in rows.iter().filter(|row| is_of_account(row)) {
            match decoded(&self.0.context, row).await {
                Ok(decoded) => {
                    let known = decoded.as_ref().and_then(meaning_of);
                    meanings.extend(known.map(|(meaning, _)| (row.id, meaning)));
                }
                Err(error) => tracing::warn!(%error, "an event about an account cannot be read"),
            }
        }
        meanings
    }

    /// The templates of events, by the events' identifiers: named by them, or sent with the message they report on.
    async fn event_templates(&self, rows: &[ItemRow]) -> Result<HashMap<i64, EventTemplate>> {
        let mut workspaces: HashMap<&str, (HashSet<EventSubject>, HashSet<&str>)> = HashMap::new();
        for row in rows {
            let (subjects, messages) = workspaces.entry(&row.route).or_default();
            subjects.extend(subject_of(row));
            messages.extend(sent_message(row));
        }
        let mut templates = HashMap::new();
        for (workspace, (subjects, messages)) in workspaces {
            let listed = self.0.context.cache.resolve_subjects(workspace, subjects.into_iter().collect()).await?;
            let messages: Vec<_> = messages.into_iter().map(str::to_owned).collect();
            let sent = self.0.context.desk.sends_of(workspace, &messages).await?;
            // Texts have no template.
            let sent = sent.into_iter().filter(|send| !send.template_name.is_empty());
            let sent: HashMap<_, _> = sent.filter_map(|send| Some((send.message_id.clone()?, send))).collect();
            for row in rows.iter().filter(|row| row.route == workspace) {
                let sent = sent_message(row).and_then(|message| sent.get(message)).map(|send| EventTemplate {
                    name: send.template_name.clone(),
                    language: send.language.clone(),
                    reference: send.template_ref.clone(),
                });
                let named = subject_of(row).map(|subject| EventTemplate {
                    reference: listed.get(&subject).cloned(),
                    name: subject.name,
                    language: row.template_language.clone().unwrap_or_default(),
                });
                templates.extend(named.or(sent).map(|template| (row.id, template)));
            }
        }
        Ok(templates)
    }

    /// Names of the contacts of events, by workspace.
    async fn contact_names(&self, rows: &[ItemRow]) -> Result<HashMap<String, HashMap<String, String>>> {
        let mut contacts: HashMap<String, BTreeSet<String>> = HashMap::new();
        for row in rows {
            if let Some(contact) = &row.contact {
                contacts.entry(row.route.clone()).or_default().insert(contact.clone());
            }
        }
        let mut names = HashMap::new();
        for (workspace, contacts) in contacts {
            let contacts: Vec<_> = contacts.into_iter().collect();
            let found = contact_names::names(&self.0.context, &workspace, &contacts).await?;
            names.insert(workspace, found);
        }
        Ok(names)
    }

    /// The page of an event, with its first delivery.
    pub async fn get_event(&self, request: EventId) -> Result<EventDetail> {
        let id = request.event.parse().map_err(|_| DeskError::not_found(Missing::Event))?;
        let item = self
            .0
            .context
            .cache
            .item(id, MAX_ARRIVALS - 1)
            .await?
            .ok_or_else(|| DeskError::not_found(Missing::Event))?;
        let delivery = self.0.context.reader.get(item.row.first_seq).await?;
        let (value, delivery) = match delivery {
            Some(delivery) => {
                let row = item.row.clone();
                compute::run(move || (value_in(&delivery, &row), Some(delivery))).await?
            }
            None => (None, None),
        };
        let row = &item.row;
        let first = arrival(row.first_seq, row.ordinal, row.received_at);
        let further = item.repeats.iter().map(|repeat| arrival(repeat.seq, repeat.ordinal, repeat.received_at));
        let arrivals = std::iter::once(first).chain(further).collect();
        let (raw, headers, raw_digest) = match delivery {
            Some(delivery) => {
                let digest = file_digest::of_bytes(&delivery.body);
                (Some(String::from_utf8_lossy(&delivery.body).into_owned()), delivery.headers, Some(digest))
            }
            None => (None, Vec::new(), None),
        };
        let decoded = value.as_ref().map(|value| Decoded::read(&ItemKind::from(item.row.kind.as_str()), value));
        let (meaning, facts) = decoded.as_ref().and_then(meaning_of).unzip();
        let revision = self.0.context.cache.revisions_of(vec![id]).await?.remove(&id);
        let original = revision.as_ref().and_then(|revision| revision.original_text.clone());
        let original = original.filter(|text| !text.is_empty());
        let original = original.map(|value| Fact { label: "originalText".to_owned(), value, link: None });
        let mut facts: Vec<Fact> = original.into_iter().chain(facts.unwrap_or_default()).collect();
        if is_of_account(&item.row) {
            let settings = self.0.workspaces.settings(&item.row.route).await.unwrap_or_default();
            let numbers = OwnNumbers::read(&self.0.context, &item.row.route, &settings).await;
            facts = facts.into_iter().map(|fact| with_name(fact, &numbers)).collect();
        }
        let facts = facts.into_iter().map(MessageFact::from).collect();
        let names = self.contact_names(std::slice::from_ref(&item.row)).await?;
        let contact_name = names.into_values().flatten().map(|(_, name)| name).next();
        let of_template = self.event_templates(std::slice::from_ref(&item.row)).await?.remove(&id);
        let of_account = meaning.filter(|_| is_of_account(&item.row));
        let row = EventRow { contact_name, of_template, meaning: of_account, ..event_row(item.row, revision.as_ref()) };
        Ok(EventDetail { row, meaning, facts, value, raw, headers, raw_digest, arrivals })
    }
}

/// Whether an event is about an account or a number.
fn is_of_account(row: &ItemRow) -> bool {
    KINDS.iter().any(|kind| kind.as_str() == row.kind)
}

/// What an event means, and what it states.
fn meaning_of(decoded: &Decoded) -> Option<(EventMeaning, Vec<Fact>)> {
    meaning(decoded).or_else(|| account_notice(decoded).map(|notice| (notice.meaning, notice.facts)))
}

/// The value of an item in its first delivery.
fn value_in(delivery: &Delivery, row: &ItemRow) -> Option<String> {
    let mut items = (0..).zip(item::items(&delivery.body));
    let found = items.find(|(ordinal, item)| is_item_of(row, item, delivery, *ordinal));
    found.map(|(_, item)| item.value.get().to_owned())
}

/// Whether an item at position `ordinal`, from 0, of its first delivery is the one of a row.
fn is_item_of(row: &ItemRow, item: &Item, delivery: &Delivery, ordinal: i64) -> bool {
    stored_key(&item_key(&row.route, &event_key(item, delivery, ordinal))) == row.key
}

/// The key of an item at position `ordinal`, from 0, of its first delivery.
pub(crate) fn event_key(item: &Item, delivery: &Delivery, ordinal: i64) -> String {
    match item.subject {
        Some(_) => item::occurrence_key(&item.key, delivery.received_at, ordinal),
        None => item.key.clone(),
    }
}

/// The filter of a query, starting at its first page.
fn item_filter(query: EventQuery) -> ItemFilter {
    let non_empty = |filter: Option<String>| filter.filter(|value| !value.is_empty());
    ItemFilter {
        route: non_empty(query.workspace),
        kind: non_empty(query.kind),
        status: non_empty(query.status),
        number: non_empty(query.number),
        contact: non_empty(query.contact),
        template: non_empty(query.template),
        search: non_empty(query.search),
        from: query.from,
        to: query.to,
        ..ItemFilter::default()
    }
}

fn arrival(seq: i64, ordinal: i64, received_at: i64) -> Arrival {
    let number = |value: i64| u64::try_from(value).unwrap_or_default();
    Arrival { seq: number(seq), ordinal: number(ordinal), received_at }
}

/// The template that an event names, as it names it.
fn subject_of(row: &ItemRow) -> Option<EventSubject> {
    Some(EventSubject {
        name: row.template_name.clone()?,
        language_key: row.template_language.clone().unwrap_or_default(),
        channel_id: row.template_id.clone(),
        waba: row.entry_id.clone(),
    })
}

/// The message whose status an event reports.
fn sent_message(row: &ItemRow) -> Option<&str> {
    row.message_id.as_deref().filter(|_| row.kind == ItemKind::Status.as_str())
}

fn event_row(row: ItemRow, revision: Option<&ItemRevision>) -> EventRow {
    let template = row.template_name.clone().map(|name| match row.template_language {
        Some(language) => format!("{name} ({language})"),
        None => name,
    });
    let contact = row.contact.as_deref().map(|id| if is_number(id) { formatted(id) } else { id.to_owned() });
    let account = row.entry_id;
    let subject = template.or(contact).or(row.number_id.clone()).or(account.clone()).unwrap_or_default();
    let summary = [row.status.clone().unwrap_or_default(), message_excerpt(&row.text)]
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join(" · ");
    EventRow {
        id: row.id.to_string(),
        seq: u64::try_from(row.first_seq).unwrap_or_default(),
        received_at: row.received_at,
        at: row.at,
        kind: row.kind,
        field: row.field,
        workspace: row.route,
        subject,
        summary,
        status: row.status,
        number: row.number_id,
        contact: row.contact,
        message: row.message_id,
        contact_name: None,
        template: row.template_name,
        of_template: None,
        deliveries: row.deliveries,
        revision: revision.map(|it| EventRevision { deletion: it.is_deletion, ignored: it.is_ignored }),
        account,
        meaning: None,
    }
}
