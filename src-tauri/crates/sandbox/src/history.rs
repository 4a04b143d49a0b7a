//! The past of the seed [`crate::Seed::History`]: what a business sent and received in the 60 days before the sandbox was
//! first opened, and what happened to its templates and numbers.
//!
//! A function of the anchor, which is the instant of the first start: the state stores the anchor and how many events
//! were delivered, and the rest is generated again. Events are delivered like any others, signed and retried, with their
//! own instants; see [`crate::history_playback`]. What a client had sent is served under `/sandbox/history`; see [`crate::history_playback`].

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use model::template::Template;
use serde::{Deserialize, Serialize};

use self::calendar::Calendar;
use self::lives::LIVES;
use self::people::Person;
use self::random::Random;
use crate::seed;
use crate::time::Instant;

pub(crate) mod calendar;
pub(crate) mod campaigns;
pub(crate) mod events;
pub(crate) mod files;
pub(crate) mod lives;
pub(crate) mod people;
pub(crate) mod random;
pub(crate) mod scripts;
pub(crate) mod simulation;

/// Milliseconds before the anchor in which nothing happens any more.
const QUIET: i64 = 2 * calendar::MINUTE;

/// Events in one delivery: the channel reports many at once (upstream §9).
pub(crate) const PAGE: usize = 150;

/// What the state stores of the history.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Progress {
    /// When the sandbox was first opened.
    pub(crate) anchor: Instant,
    /// Handle of the samples' picture.
    pub(crate) image: String,
    /// How many events are in deliveries.
    pub(crate) next: usize,
    /// Deliveries of events that were not answered yet.
    pub(crate) pending: Vec<u64>,
    /// Whether all events are in deliveries.
    pub(crate) done: bool,
    /// Whether the phones show the conversations.
    pub(crate) phones: bool,
}

impl Progress {
    /// How many events were delivered.
    pub(crate) fn delivered(&self) -> usize {
        if self.pending.is_empty() { self.next } else { self.next.saturating_sub(PAGE) }
    }
}

#[derive(Clone, Debug)]
pub(crate) enum Content {
    Template {
        /// Its position among the samples.
        template: usize,
        values: Vec<String>,
    },
    Text(&'static str),
}

/// A message of the business.
#[derive(Clone, Debug)]
pub(crate) struct Sent {
    pub(crate) at: Instant,
    pub(crate) person: usize,
    pub(crate) number: &'static str,
    pub(crate) content: Content,
    /// Pricing category.
    pub(crate) category: &'static str,
    /// Row of the batch.
    pub(crate) row: Option<u32>,
    /// In the order in which they were reached.
    pub(crate) statuses: Vec<(&'static str, Instant)>,
    /// Code of the failure.
    pub(crate) error: Option<i64>,
    pub(crate) message_id: String,
    /// Value of `td` in the callback data.
    pub(crate) tracking_id: String,
}

/// Content of a customer's message.
#[derive(Clone, Debug)]
pub(crate) enum Said {
    Text(&'static str),
    /// Label of a quick reply.
    Tap(&'static str),
    /// Caption.
    Picture(&'static str),
    /// File name.
    Document(&'static str),
    /// Name and address.
    Place(&'static str, &'static str),
    /// Emoji, and the message it is about.
    Reaction(&'static str, String),
}

/// A message of a customer.
#[derive(Clone, Debug)]
pub(crate) struct Inbound {
    pub(crate) at: Instant,
    pub(crate) person: usize,
    pub(crate) number: &'static str,
    pub(crate) id: String,
    /// Identifier of its file, if it has one.
    pub(crate) file: String,
    /// The message that it answers.
    pub(crate) context: Option<String>,
    pub(crate) said: Said,
}

/// A followed link of a marketing message.
#[derive(Clone, Debug)]
pub(crate) struct Click {
    pub(crate) at: Instant,
    pub(crate) number: &'static str,
    pub(crate) id: String,
    pub(crate) token: String,
    /// When the page behind it was shown inside the channel's app.
    pub(crate) landed: Option<Instant>,
}

/// A customer who unsubscribed from marketing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stop {
    pub(crate) at: Instant,
    pub(crate) person: usize,
}

/// Identifiers of a template.
#[derive(Clone, Debug)]
pub(crate) struct Identity {
    pub(crate) uuid: String,
    /// The channel's identifier in each WABA.
    pub(crate) ids: BTreeMap<u64, u64>,
}

/// The whole history.
#[derive(Debug)]
pub(crate) struct History {
    pub(crate) anchor: Instant,
    pub(crate) people: Vec<Person>,
    /// The samples as they are now, in their order.
    pub(crate) templates: Vec<Template>,
    pub(crate) identities: Vec<Identity>,
    /// Oldest first.
    pub(crate) sends: Vec<Sent>,
    pub(crate) inbound: Vec<Inbound>,
    pub(crate) clicks: Vec<Click>,
    pub(crate) stops: Vec<Stop>,
    /// Customers with a conversation.
    pub(crate) in_conversation: Vec<usize>,
    /// What is delivered, in that order.
    pub(crate) events: Vec<(Instant, events::Past)>,
}

impl History {
    /// The history before `anchor`; `image` is the handle of the samples' picture.
    pub(crate) fn new(anchor: Instant, image: &str) -> Self {
        let calendar = Calendar::new(anchor);
        let people = people::people();
        let mut history = Self {
            anchor,
            templates: seed::sample_templates(image),
            identities: identities(anchor),
            sends: Vec::new(),
            inbound: Vec::new(),
            clicks: Vec::new(),
            stops: Vec::new(),
            in_conversation: Vec::new(),
            events: Vec::new(),
            people,
        };
        let planned = campaigns::planned(calendar, &history.people);
        simulation::simulate(&mut history, planned, anchor - QUIET);
        history.events = events::events(&history);
        history
    }

    pub(crate) fn len(&self) -> usize {
        self.events.len()
    }

    pub(crate) fn calendar(&self) -> Calendar {
        Calendar::new(self.anchor)
    }
}

/// The identifiers of the samples in a history.
pub(crate) fn identities(anchor: Instant) -> Vec<Identity> {
    let mut random = Random::new(u64::try_from(anchor).unwrap_or_default() ^ 0x7e_3b1a);
    let identity = |wabas: &[u64], random: &mut Random| Identity {
        uuid: random.uuid(),
        ids: wabas.iter().map(|waba| (*waba, (1 << 53) | (random.next() >> 3))).collect(),
    };
    seed::sample_wabas().iter().map(|wabas| identity(wabas, &mut random)).collect()
}

/// Instants of a sample in a history: when it was created, last changed, and archived.
pub(crate) fn instants(anchor: Instant, sample: usize) -> (Instant, Instant, Option<Instant>) {
    let steps: Vec<_> = LIVES[sample].steps(Calendar::new(anchor)).collect();
    let changes = steps.iter().filter(|(_, step)| !matches!(step, lives::Step::Quality(..)));
    let archived = steps.iter().find(|(_, step)| *step == lives::Step::Archived);
    (
        steps.first().map_or(anchor, |(at, _)| *at),
        changes.map(|(at, _)| *at).max().unwrap_or(anchor),
        archived.map(|(at, _)| *at),
    )
}

/// The category of a sample before the channel moved it to another one.
pub(crate) fn former_category(sample: usize) -> Option<&'static str> {
    LIVES[sample].steps.iter().any(|(_, step)| *step == lives::Step::Category).then_some("UTILITY")
}

/// The generated history, while it is needed.
#[derive(Default)]
pub(crate) struct Shelf(Mutex<Option<std::sync::Arc<History>>>);

impl Shelf {
    /// The history that was generated for this anchor.
    pub(crate) fn get(&self, anchor: Instant) -> Option<std::sync::Arc<History>> {
        let history = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        history.as_ref().filter(|history| history.anchor == anchor).cloned()
    }

    pub(crate) fn put(&self, history: std::sync::Arc<History>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(history);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed::{NUMBER, sample_wabas};

    const ANCHOR: Instant = 1_795_440_000_000;

    fn history(anchor: Instant) -> History {
        History::new(anchor, "4::sandbox-picture")
    }

    #[test]
    fn the_same_anchor_gives_the_same_history() {
        let (one, other, later) = (history(ANCHOR), history(ANCHOR), history(ANCHOR + 1));
        assert_eq!(format!("{one:?}"), format!("{other:?}"));
        assert_ne!(one.sends[0].message_id, later.sends[0].message_id);
    }

    #[test]
    fn the_lives_are_those_of_the_samples() {
        let samples = seed::sample_templates("4::sandbox-picture");
        let named = |name: &str, language: &str| (name.to_owned(), language.to_owned());
        let lives: Vec<_> = LIVES.iter().map(|life| named(life.name, life.language)).collect();
        assert_eq!(lives, samples.iter().map(|sample| named(&sample.name, &sample.language)).collect::<Vec<_>>());
        assert_eq!(sample_wabas().len(), LIVES.len());
        for life in LIVES {
            assert!(life.steps.windows(2).all(|pair| pair[0].0.0 >= pair[1].0.0), "{}", life.name);
        }
    }

    /// Also when the first start is at night, or on a Sunday.
    #[test]
    fn a_history_is_believable_at_any_anchor() {
        for hours in [0, 3, 9, 14, 31, 52, 76, 100] {
            let anchor = ANCHOR + hours * calendar::HOUR;
            let history = history(anchor);
            let count = |status: &str| {
                history.sends.iter().filter(|sent| sent.statuses.iter().any(|(known, _)| *known == status)).count()
            };
            let sends = history.sends.len();
            assert!((2_500..4_000).contains(&sends), "{sends}");
            assert!((18..50).contains(&(count("failed") * 1_000 / sends)), "{} of {sends} failed", count("failed"));
            assert!((550..850).contains(&(count("read") * 1_000 / sends)), "{} of {sends} read", count("read"));
            assert!(history.events.is_sorted_by_key(|(at, past)| (!past.is_of_account(), *at)));
            assert!(history.events.iter().all(|(at, _)| *at < anchor));
            assert!(history.events.iter().all(|(at, _)| *at >= anchor - 62 * calendar::DAY));
            assert_eq!(history.in_conversation.len(), 38);
            assert!(history.clicks.len() > 100 && history.stops.len() > 4, "{} clicks", history.clicks.len());
            assert!(history.inbound.len() > 200, "{} messages", history.inbound.len());
            let rows = history.sends.iter().filter(|sent| sent.row.is_some()).count();
            assert_eq!(rows, 247);
            let codes: std::collections::BTreeSet<_> = history.sends.iter().filter_map(|sent| sent.error).collect();
            assert!(codes.len() >= 4, "{codes:?}");
            assert!(history.sends.iter().all(|sent| sent.number == NUMBER || sent.category == "marketing"));
        }
    }
}
