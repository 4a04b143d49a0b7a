//! What the sandbox remembers: plain data, saved as one JSON file.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use model::Object;
use model::envelope::RejectionInfo;
use model::template::Template;
use model::vocabulary::TemplateStatus;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::fault::Fault;
use crate::obstacle::Obstacle;
use crate::schedule::{Schedule, Task};
use crate::script::{EVERY, Script};
use crate::settings::Settings;
use crate::time::{Instant, now};

mod event;

pub(crate) use event::{Attempt, Delivery, Event, Outcome};

/// Finished deliveries beyond this many are forgotten, oldest first. Every save writes all of them.
const KEPT_DELIVERIES: usize = 2_000;
/// Settled messages beyond this many are forgotten, oldest first.
const KEPT_MESSAGES: usize = 5_000;
/// What a phone showed beyond this many things is forgotten, oldest first.
const KEPT_ON_PHONE: usize = 1_000;

/// The whole state. The fields without a default tell a state file from other JSON, which must not be overwritten.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct State {
    pub(crate) settings: Settings,
    /// Last number given to a template, message, event or delivery.
    pub(crate) sequence: u64,
    #[serde(default)]
    pub(crate) wabas: BTreeMap<u64, Waba>,
    #[serde(default)]
    pub(crate) numbers: BTreeMap<String, Number>,
    pub(crate) templates: Templates,
    /// Operations on a template that fail, or on all of them under `*`.
    #[serde(default)]
    pub(crate) obstacles: BTreeMap<String, Obstacle>,
    /// Names of deleted approved templates, by WABA, with the end of their block.
    #[serde(default)]
    pub(crate) blocked_names: Vec<BlockedName>,
    #[serde(default)]
    pub(crate) messages: BTreeMap<u64, Message>,
    #[serde(default)]
    pub(crate) phones: BTreeMap<String, Phone>,
    /// What happens to the next messages to a recipient, or to all of them under `*`.
    #[serde(default)]
    pub(crate) scripts: BTreeMap<String, Script>,
    /// Faults that the next requests meet.
    #[serde(default)]
    pub(crate) faults: Vec<Fault>,
    /// What arrived for each recipient.
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
    /// Deliveries that wait for their first or next try, by when it is due.
    #[serde(skip)]
    waiting: BTreeSet<(Instant, u64)>,
    /// Deliveries that are being tried.
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

    /// Brings back what is not saved: the indexes, and the processing of messages that was cut short.
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
        // Files of before this was kept.
        let unglanced = self.phones.iter().filter(|(_, phone)| phone.last_at == 0);
        let glances: Vec<_> = unglanced
            .filter_map(|(recipient, phone)| Some((recipient.clone(), crate::phone::glance(self, phone.items.last()?))))
            .collect();
        for (recipient, (last_at, excerpt)) in glances {
            let phone = self.phone_mut(&recipient);
            (phone.last_at, phone.excerpt) = (last_at, excerpt);
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

    /// Takes the script for a message to `recipient`, and counts it.
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

    /// A message with its sequence number.
    pub(crate) fn message_entry(&self, id: &str) -> Option<(u64, &Message)> {
        let sequence = *self.message_index.get(id)?;
        self.messages.get(&sequence).map(|message| (sequence, message))
    }

    pub(crate) fn message_mut(&mut self, id: &str) -> Option<&mut Message> {
        self.messages.get_mut(self.message_index.get(id)?)
    }

    /// The phone of a recipient, known from now on.
    pub(crate) fn phone_mut(&mut self, recipient: &str) -> &mut Phone {
        self.phones.entry(recipient.to_owned()).or_insert_with(|| Phone { since: now(), ..Phone::default() })
    }

    /// Lets something appear on a phone.
    pub(crate) fn show(&mut self, recipient: &str, item: PhoneItem) {
        let (last_at, excerpt) = crate::phone::glance(self, &item);
        let phone = self.phone_mut(recipient);
        (phone.last_at, phone.excerpt) = (last_at, excerpt);
        phone.items.push(item);
        if phone.items.len() > KEPT_ON_PHONE {
            phone.items.remove(0);
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

    /// When the next delivery is to be tried, if another one may be under way.
    pub(crate) fn next_delivery(&self) -> Option<Instant> {
        let free = self.under_way.len() < self.settings.delivery.concurrency;
        self.waiting.first().filter(|_| free).map(|(due, _)| *due)
    }

    /// Takes the deliveries that are due, as many as may be under way.
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

    /// Lets a delivery wait for another try.
    pub(crate) fn retry_delivery(&mut self, id: u64, due: Instant) {
        self.under_way.remove(&id);
        if let Some(delivery) = self.deliveries.get_mut(&id) {
            self.waiting.remove(&(delivery.due, id));
            delivery.due = due;
            self.waiting.insert((due, id));
        }
    }

    /// Ends the tries of a delivery.
    pub(crate) fn settle_delivery(&mut self, id: u64, outcome: Outcome) {
        self.under_way.remove(&id);
        if let Some(delivery) = self.deliveries.get_mut(&id) {
            self.waiting.remove(&(delivery.due, id));
            delivery.outcome = outcome;
        }
    }

    /// Delivers the same bytes again, now. Whether there is such a delivery.
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

/// How often a recipient was sent to.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
pub(crate) struct Count {
    /// Send requests that arrived and could be read.
    pub(crate) requests: u64,
    /// Messages: requests that were carried out.
    pub(crate) messages: u64,
}

/// A workspace that templates belong to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Workspace {
    /// The one the sandbox was opened for.
    #[default]
    Main,
    /// Another one, by its UUID.
    Additional(String),
}

/// A business account.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Waba {
    pub(crate) business_id: String,
    pub(crate) name: String,
}

/// A sending number.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Number {
    /// Where its templates live; an adopted number may send those of every WABA.
    pub(crate) waba: Option<u64>,
    pub(crate) display: String,
    pub(crate) name: String,
}

#[derive(Serialize, Deserialize)]
pub(crate) struct BlockedName {
    pub(crate) waba: u64,
    pub(crate) name: String,
    pub(crate) until: Instant,
}

/// Templates in the order of their creation, found by uuid and by (WABA, name, language).
#[derive(Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Templates {
    entries: BTreeMap<u64, Entry>,
    #[serde(skip)]
    by_uuid: HashMap<String, u64>,
    #[serde(skip)]
    by_key: HashMap<(u64, String, String), u64>,
}

impl Templates {
    fn index(&mut self) {
        self.by_uuid.clear();
        self.by_key.clear();
        for (sequence, entry) in &self.entries {
            self.by_uuid.insert(entry.uuid.clone(), *sequence);
            for key in entry.keys() {
                self.by_key.insert(key, *sequence);
            }
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub(crate) fn insert(&mut self, sequence: u64, entry: Entry) {
        self.by_uuid.insert(entry.uuid.clone(), sequence);
        for key in entry.keys() {
            self.by_key.insert(key, sequence);
        }
        self.entries.insert(sequence, entry);
    }

    pub(crate) fn remove(&mut self, uuid: &str) -> Option<Entry> {
        let entry = self.entries.remove(&self.by_uuid.remove(uuid)?)?;
        for key in entry.keys() {
            self.by_key.remove(&key);
        }
        Some(entry)
    }

    pub(crate) fn get(&self, uuid: &str) -> Option<&Entry> {
        self.entries.get(self.by_uuid.get(uuid)?)
    }

    pub(crate) fn get_mut(&mut self, uuid: &str) -> Option<&mut Entry> {
        self.entries.get_mut(self.by_uuid.get(uuid)?)
    }

    pub(crate) fn in_waba(&self, waba: u64, name: &str, language: &str) -> Option<&Entry> {
        self.entries.get(self.by_key.get(&(waba, name.to_owned(), language.to_owned()))?)
    }

    /// Newest first, each with its sequence number.
    pub(crate) fn newest_first(&self) -> impl Iterator<Item = (u64, &Entry)> {
        self.entries.iter().rev().map(|(sequence, entry)| (*sequence, entry))
    }
}

/// A template with all that is known about it.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Entry {
    pub(crate) uuid: String,
    /// The channel's identifier of the template in each WABA.
    pub(crate) ids: BTreeMap<u64, u64>,
    pub(crate) business_id: String,
    #[serde(default)]
    pub(crate) workspace: Workspace,
    pub(crate) template: Template,
    pub(crate) status: TemplateStatus,
    pub(crate) archived_at: Option<Instant>,
    pub(crate) created_at: Instant,
    pub(crate) updated_at: Instant,
    pub(crate) reason: Option<String>,
    pub(crate) rejection_info: Option<RejectionInfo>,
    /// Instants of edits while approved, for the quota.
    #[serde(default)]
    pub(crate) edits: Vec<Instant>,
    /// Counts the rounds of review, so that the outcome of an older round is not applied to a newer one.
    #[serde(default)]
    pub(crate) round: u64,
    /// Handles of the files tied to `pix_data` and `order_data`.
    #[serde(default)]
    pub(crate) files: BTreeMap<String, String>,
}

impl Entry {
    fn keys(&self) -> Vec<(u64, String, String)> {
        let template = &self.template;
        self.ids.keys().map(|waba| (*waba, template.name.clone(), template.language.clone())).collect()
    }
}

/// How far a message has come in the sandbox itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Stage {
    /// Answered to the sender; media are still to be measured.
    Accepted,
    /// Its statuses are scheduled.
    OnItsWay,
    /// Nothing more will happen to it.
    Settled,
}

/// A message of the business.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Message {
    pub(crate) id: String,
    pub(crate) number: String,
    pub(crate) entry: String,
    pub(crate) recipient: String,
    pub(crate) at: Instant,
    /// What was posted.
    pub(crate) payload: Value,
    /// The template as it was when it was sent.
    pub(crate) template: Option<Template>,
    /// Category of its pricing.
    pub(crate) category: String,
    pub(crate) callback: Option<String>,
    pub(crate) stage: Stage,
    pub(crate) statuses: Vec<Reached>,
    pub(crate) error: Option<Value>,
    /// What was set to happen to it when it was accepted.
    #[serde(default)]
    pub(crate) script: Option<Script>,
    /// Taps on its quick replies.
    #[serde(default)]
    pub(crate) taps: Vec<Tapped>,
}

impl Message {
    /// Whether it ever got onto the recipient's phone.
    pub(crate) fn is_on_phone(&self) -> bool {
        self.statuses.iter().any(|reached| matches!(reached.status.as_str(), "delivered" | "read"))
    }
}

/// A tap on a quick reply.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tapped {
    /// Card it stands on, zero-based; absent for the message's own buttons.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub card: Option<usize>,
    /// Position of the button, zero-based.
    pub button: usize,
    /// When, in Unix milliseconds.
    pub at: i64,
}

/// A status of a message and when it was reached.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Reached {
    pub(crate) status: String,
    pub(crate) at: Instant,
}

/// A recipient's phone.
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Phone {
    /// Name in the recipient's profile.
    pub(crate) name: String,
    /// When it was first heard of; 0 for phones of before this was kept.
    pub(crate) since: Instant,
    /// When something last appeared here, and the beginning of what it said. Kept, so that a list of many phones costs
    /// no rendering.
    pub(crate) last_at: Instant,
    pub(crate) excerpt: String,
    /// When each sending number was last written to from here: opens the 24-hour window.
    pub(crate) wrote: BTreeMap<String, Instant>,
    /// Everything that was shown here, in order.
    pub(crate) items: Vec<PhoneItem>,
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(tag = "direction", rename_all = "lowercase")]
pub(crate) enum PhoneItem {
    /// Sent by the business; the message holds the rest.
    Received { message: String },
    /// Sent by the person; `content` is the item of the webhook.
    Sent { number: String, at: Instant, content: Object },
}

/// A stored file; its bytes are kept apart.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Media {
    pub(crate) mime_type: String,
    pub(crate) filename: Option<String>,
    pub(crate) size: u64,
    /// When its `url` stops downloading; never, where absent.
    #[serde(default)]
    pub(crate) url_expires: Option<Instant>,
    /// A small picture of it, as a `data:` URL.
    #[serde(default)]
    pub(crate) thumbnail: Option<String>,
}

impl Media {
    /// A file that stays.
    pub(crate) fn new(mime_type: &str, filename: Option<String>, size: u64) -> Self {
        Self { mime_type: mime_type.to_owned(), filename, size, url_expires: None, thumbnail: None }
    }
}
