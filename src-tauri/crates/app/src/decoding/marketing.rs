//! What an event says about whether people want marketing messages, and from which of our numbers.

use std::collections::HashMap;

use model::event::account::AccountEvent;
use model::event::marketing::MarketingChoice;
use model::item::Decoded;
use model::opt_out_word::{PRESET_OPT_OUT_WORDS, ShortReply, comparable};
use store::cache::ProjectedItem;
use store::desk::{MarketingPreference, MarketingSource, OptOutWord};

/// Entry of events that name no account.
const NO_ACCOUNT: &str = "0";

/// A message that is an opt-out if its workspace has the word.
#[derive(Clone, Debug)]
pub(crate) struct MaybeOptOut {
    reply: ShortReply,
    /// For each identifier of the person; not empty.
    preferences: Vec<MarketingPreference>,
    received_at: i64,
}

impl MaybeOptOut {
    pub(crate) fn workspace(&self) -> &str {
        self.preferences.first().map_or("", |preference| preference.workspace_id.as_str())
    }

    /// What it says with the words that its workspace had when it was received.
    pub(crate) fn preferences(self, words: &Words) -> Vec<MarketingPreference> {
        let is_opt_out = self.reply.is_word(|word| words.count(word, self.received_at));
        if is_opt_out { self.preferences } else { Vec::new() }
    }
}

/// The opt-out words of a workspace, as they are compared, with the times from and until which they count.
#[derive(Clone, Debug)]
pub(crate) struct Words(HashMap<String, Vec<(i64, Option<i64>)>>);

impl Words {
    /// Those that a workspace has stored, else the preset ones.
    pub(crate) fn of(stored: Vec<OptOutWord>) -> Self {
        if stored.is_empty() {
            return Self(PRESET_OPT_OUT_WORDS.iter().map(|word| (comparable(word), vec![(0, None)])).collect());
        }
        let mut words: HashMap<String, Vec<_>> = HashMap::new();
        for word in stored {
            words.entry(comparable(&word.word)).or_default().push((word.counts_from, word.counts_until));
        }
        Self(words)
    }

    fn count(&self, word: &str, received_at: i64) -> bool {
        let times = self.0.get(word).map(Vec::as_slice).unwrap_or_default();
        times.iter().any(|(from, until)| *from <= received_at && until.is_none_or(|until| received_at < until))
    }
}

/// What an event says about whether people want marketing messages.
pub(crate) fn marketing_preferences(item: &ProjectedItem, decoded: &Decoded) -> Vec<MarketingPreference> {
    let (source, choices) = match decoded {
        Decoded::Account(event) => match event.as_ref() {
            AccountEvent::Preferences(preferences) => (MarketingSource::Preference, preferences.marketing_choices()),
            _ => return Vec::new(),
        },
        Decoded::Status { status, contact, .. } => {
            (MarketingSource::Failure, status.marketing_choice(contact.as_ref()).into_iter().collect())
        }
        _ => return Vec::new(),
    };
    let of_choice = |MarketingChoice { person, is_stopped, at }| {
        let at = at.unwrap_or(item.received_at);
        person.into_iter().map(move |person| preference(item, person, source, is_stopped, at))
    };
    choices.into_iter().flat_map(of_choice).collect()
}

/// What a received message may say with one of the opt-out words.
pub(crate) fn maybe_opt_out(item: &ProjectedItem, decoded: &Decoded) -> Option<MaybeOptOut> {
    let Decoded::Message { message, contact, metadata } = decoded else { return None };
    let reply = message.short_reply(metadata)?;
    let contact = contact.as_ref();
    let mut people: Vec<String> = message.lasting_author(contact).into_iter().collect();
    people.extend(message.author(contact).filter(|author| !people.contains(author)));
    let of = |person| preference(item, person, MarketingSource::Reply, true, item.at);
    let preferences: Vec<_> = people.into_iter().map(of).collect();
    (!preferences.is_empty()).then_some(MaybeOptOut { reply, preferences, received_at: item.received_at })
}

fn preference(
    item: &ProjectedItem,
    person: String,
    source: MarketingSource,
    is_stopped: bool,
    at: i64,
) -> MarketingPreference {
    let waba = item.entry_id.clone().filter(|waba| waba != NO_ACCOUNT);
    MarketingPreference {
        workspace_id: item.route.clone(),
        person,
        source,
        waba: waba.unwrap_or_default(),
        number: item.number_id.clone().unwrap_or_default(),
        is_stopped,
        at,
        file: None,
        name: None,
    }
}
