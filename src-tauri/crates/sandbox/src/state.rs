//! The state of the sandbox: plain data, saved as one JSON file.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::fault::Fault;
use crate::history::Progress;
use crate::obstacle::Obstacle;
use crate::schedule::{Schedule, Task};
use crate::script::{EVERY, Script};
use crate::settings::Settings;
use crate::time::{Instant, now};

mod account;
mod event;
mod excerpt;
mod message;
mod phone;
mod template;

pub(crate) use account::{Number, Waba, Workspace};
pub(crate) use event::{Attempt, Delivery, Event, Outcome};
pub use message::Tapped;
pub(crate) use message::{Count, Message, ReachedStatus, Stage};
pub(crate) use phone::{Media, Phone, PhoneItem};
pub(crate) use template::{BlockedName, Entry, Templates};

/// Maximum number of finished deliveries; older ones are dropped. Every save writes all of them.
const KEPT_DELIVERIES: usize = 2_000;
/// Maximum number of finished messages; older ones are dropped.
const KEPT_MESSAGES: usize = 5_000;
/// Maximum number of items on a phone; older ones are dropped.
const KEPT_ON_PHONE: usize = 1_000;

/// The whole state. The fields without a default distinguish a state file from other JSON, which must not be
/// overwritten.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct State {
    pub(crate) settings: Settings,
    /// Last number assigned to a template, message, event or delivery.
    pub(crate) sequence: u64,
    #[serde(default)]
    pub(crate) wabas: BTreeMap<u64, Waba>,
    #[serde(default)]
    pub(crate) numbers: BTreeMap<String, Number>,
    pub(crate) templates: Templates,
    /// Obstacles by template; `*` is every template.
    #[serde(default)]
    pub(crate) obstacles: BTreeMap<String, Obstacle>,
    /// Blocked names of deleted approved templates, by WABA, with the end of the block.
    #[serde(default)]
    pub(crate) blocked_names: Vec<BlockedName>,
    #[serde(default)]
    pub(crate) messages: BTreeMap<u64, Message>,
    #[serde(default)]
    pub(crate) phones: BTreeMap<String, Phone>,
    /// Scripts by recipient; `*` is every recipient.
    #[serde(default)]
    pub(crate) scripts: BTreeMap<String, Script>,
    #[serde(default)]
    pub(crate) faults: Vec<Fault>,
    /// Send counts by recipient.
    #[serde(default)]
    pub(crate) counts: BTreeMap<String, Count>,
    #[serde(default)]
    pub(crate) media: BTreeMap<String, Media>,
    #[serde(default)]
    pub(crate) schedule: Schedule,
    #[serde(default)]
    pub(crate) outbox: VecDeque<Event>,
    #[serde(default)]
    pub(crate) deliveries: BTreeMap<u64, Delivery>,
    /// Whether the seed was applied; templates that are deleted later do not come back.
    #[serde(default)]
    pub(crate) seeded: bool,
    /// What is reported about single accounts once a client has listed the templates: before, the list would show it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) account_statuses: Vec<Task>,
    /// The history before the first start, with [`crate::Seed::History`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) history: Option<Progress>,
    /// Deliveries that wait for their next attempt, by due time.
    #[serde(skip)]
    waiting: BTreeSet<(Instant, u64)>,
    /// Deliveries in flight.
    #[serde(skip)]
    under_way: BTreeSet<u64>,
    #[serde(skip)]
    message_index: HashMap<String, u64>,
}

impl State {
    pub(crate) fn next(&mut self) -> u64 {
        self.sequence += 1;
        self.sequence
    }

    /// Removes everything but the settings. Numbers of templates, messages, events and deliveries are not used again.
    pub(crate) fn clear(&mut self) {
        let settings = std::mem::take(&mut self.settings);
        *self = Self { settings, sequence: self.sequence, seeded: true, ..Self::default() };
    }

    /// Rebuilds what is not saved: the indexes, and the tasks of messages whose processing was interrupted.
    pub(crate) fn restore(&mut self) {
        self.templates.index();
        self.message_index = self.messages.iter().map(|(sequence, message)| (message.id.clone(), *sequence)).collect();
        let interrupted: Vec<u64> = self
            .messages
            .iter()
            .filter(|(_, message)| message.stage == Stage::Accepted)
            .map(|(sequence, _)| *sequence)
            .filter(|sequence| !self.schedule.holds(&Task::Begin { message: *sequence }))
            .collect();
        for message in interrupted {
            self.schedule_at(now(), Task::Begin { message });
        }
        // For state files from versions without this field.
        let unglanced = self.phones.iter().filter(|(_, phone)| phone.last_at == 0);
        let glances: Vec<_> = unglanced
            .filter_map(|(recipient, phone)| Some((recipient.clone(), self.glance(phone.items.last()?))))
            .collect();
        for (recipient, glance) in glances {
            let phone = self.phone_mut(&recipient);
            (phone.last_at, phone.last_kind, phone.excerpt) = glance;
        }
        let pending = self.deliveries.values().filter(|delivery| delivery.outcome == Outcome::Pending);
        self.waiting = pending.map(|delivery| (delivery.due, delivery.id)).collect();
    }

    pub(crate) fn schedule_at(&mut self, at: Instant, task: Task) {
        let sequence = self.next();
        self.schedule.insert(at, sequence, task);
    }

    pub(crate) fn add_message(&mut self, message: Message) -> u64 {
        let sequence = self.next();
        self.message_index.insert(message.id.clone(), sequence);
        self.messages.insert(sequence, message);
        if self.messages.len() > KEPT_MESSAGES {
            let oldest = self.messages.iter().find(|(_, message)| message.stage == Stage::Settled).map(|(key, _)| *key);
            if let Some(message) = oldest.and_then(|key| self.messages.remove(&key)) {
                self.message_index.remove(&message.id);
            }
        }
        sequence
    }

    /// Returns the script for a message to `recipient`, and counts the message.
    pub(crate) fn take_script(&mut self, recipient: &str) -> Option<Script> {
        let key = [recipient, EVERY].into_iter().find(|key| self.scripts.contains_key(*key))?;
        let script = self.scripts.get_mut(key)?;
        let taken = script.clone();
        match script.count {
            Some(1) => drop(self.scripts.remove(key)),
            Some(count) => script.count = Some(count.saturating_sub(1)),
            None => {}
        }
        Some(taken)
    }

    pub(crate) fn message(&self, id: &str) -> Option<&Message> {
        self.message_entry(id).map(|(_, message)| message)
    }

    pub(crate) fn message_entry(&self, id: &str) -> Option<(u64, &Message)> {
        let sequence = *self.message_index.get(id)?;
        self.messages.get(&sequence).map(|message| (sequence, message))
    }

    pub(crate) fn message_mut(&mut self, id: &str) -> Option<&mut Message> {
        self.messages.get_mut(self.message_index.get(id)?)
    }

    /// The phone of a recipient; added if it does not exist.
    pub(crate) fn phone_mut(&mut self, recipient: &str) -> &mut Phone {
        self.phones.entry(recipient.to_owned()).or_insert_with(|| Phone { since: now(), ..Phone::default() })
    }

    /// Adds an item to a phone.
    pub(crate) fn show(&mut self, recipient: &str, item: PhoneItem) {
        let glance = self.glance(&item);
        let phone = self.phone_mut(recipient);
        (phone.last_at, phone.last_kind, phone.excerpt) = glance;
        phone.items.push(item);
        if phone.items.len() > KEPT_ON_PHONE {
            phone.items.remove(0);
        }
    }

    /// Time, type and excerpt of an item.
    fn glance(&self, item: &PhoneItem) -> (Instant, String, String) {
        match item {
            PhoneItem::Sent { at, content, .. } => {
                (*at, excerpt::type_of(content.get("type")), excerpt::of_content(content))
            }
            PhoneItem::Received { message } => self
                .message(message)
                .map(|message| {
                    (message.at, excerpt::type_of(message.payload.get("type")), excerpt::of_message(message))
                })
                .unwrap_or_default(),
        }
    }

    /// Queues an event for delivery.
    pub(crate) fn emit(&mut self, entry: String, number: Option<String>, field: &str, value: Value) {
        let sequence = self.next();
        let at = now();
        let delay = i64::try_from(self.settings.delivery.delay_ms).unwrap_or(i64::MAX);
        self.outbox.push_back(Event {
            sequence,
            at,
            due: at.saturating_add(delay),
            entry,
            number,
            field: field.to_owned(),
            value,
        });
    }

    pub(crate) fn add_delivery(&mut self, delivery: Delivery) {
        if delivery.outcome == Outcome::Pending {
            self.waiting.insert((delivery.due, delivery.id));
        }
        self.deliveries.insert(delivery.id, delivery);
        if self.deliveries.len() > KEPT_DELIVERIES {
            let oldest = self.deliveries.iter().find(|(_, delivery)| delivery.outcome != Outcome::Pending);
            if let Some(id) = oldest.map(|(id, _)| *id) {
                self.deliveries.remove(&id);
            }
        }
    }

    /// Due time of the next delivery, if the concurrency limit permits another one.
    pub(crate) fn next_delivery(&self) -> Option<Instant> {
        let free = self.under_way.len() < self.settings.delivery.concurrency;
        self.waiting.first().filter(|_| free).map(|(due, _)| *due)
    }

    /// Moves the due deliveries into flight, up to the concurrency limit.
    pub(crate) fn start_deliveries(&mut self, now: Instant) -> Vec<u64> {
        let mut started = Vec::new();
        while self.next_delivery().is_some_and(|due| due <= now) {
            if let Some((_, id)) = self.waiting.pop_first() {
                self.under_way.insert(id);
                started.push(id);
            }
        }
        started
    }

    /// Schedules a retry of a delivery.
    pub(crate) fn retry_delivery(&mut self, id: u64, due: Instant) {
        self.under_way.remove(&id);
        if let Some(delivery) = self.deliveries.get_mut(&id) {
            self.waiting.remove(&(delivery.due, id));
            delivery.due = due;
            self.waiting.insert((due, id));
        }
    }

    /// Records the final outcome of a delivery.
    pub(crate) fn settle_delivery(&mut self, id: u64, outcome: Outcome) {
        self.under_way.remove(&id);
        if let Some(delivery) = self.deliveries.get_mut(&id) {
            self.waiting.remove(&(delivery.due, id));
            delivery.outcome = outcome;
        }
        // Deliveries of the history are many and large, and their content can be generated again.
        if let Some(history) = &mut self.history
            && history.pending.contains(&id)
        {
            history.pending.retain(|pending| *pending != id);
            if outcome == Outcome::Delivered {
                self.deliveries.remove(&id);
            }
        }
    }

    /// Delivers the same bytes again immediately. Returns whether the delivery exists.
    pub(crate) fn redeliver(&mut self, id: u64) -> bool {
        let Some(delivery) = self.deliveries.get_mut(&id) else { return false };
        delivery.outcome = Outcome::Pending;
        delivery.created_at = now();
        delivery.tries = 0;
        let due = delivery.created_at;
        self.retry_delivery(id, due);
        true
    }
}
