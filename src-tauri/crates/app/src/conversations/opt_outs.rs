//! The people who have stopped marketing messages: the list, and notes made here.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};

use model::event::identity::{is_number, is_user_id};
use store::cache::searched_digits;
use store::desk::{MarketingPreference, MarketingSource};

use crate::contact_names::{has_words, names};
use crate::conversations::Conversations;
use crate::opt_outs::{accounts, everyone};
use command_types::Nothing;
use command_types::error::Result;
use command_types::opt_outs::{
    AddOptOut, AddOptOuts, MarketingNoted, MarketingStop, NoteMarketing, OptOut, OptOutAdded, OptOutList, OptOutPerson,
    OptOutQuery,
};
use outgoing::message::{Accounts, Sender};
use outgoing::now;
use outgoing::recipient::{NumberCountry, check_recipient, formatted, spellings};

/// Maximum number of rows of an answer.
const MAX_ROWS: u32 = 1_000;

/// A note to store, about one identifier of a person.
pub(super) struct Note {
    pub(super) person: String,
    pub(super) waba: String,
    pub(super) number: String,
    pub(super) is_stopped: bool,
    pub(super) at: i64,
    /// Of an import, as in [`MarketingPreference`].
    pub(super) file: Option<String>,
    pub(super) name: Option<String>,
}

impl Conversations {
    pub async fn list_opt_outs(&self, query: OptOutQuery) -> Result<OptOutList> {
        let rows = self.all_opt_outs(&query.workspace).await?;
        let total = rows.len() as u32;
        let search = query.search.unwrap_or_default();
        let mut rows: Vec<OptOut> = rows.into_iter().filter(|row| matches_search(row, &search)).collect();
        let found = rows.len() as u32;
        rows.truncate(query.limit.clamp(1, MAX_ROWS) as usize);
        Ok(OptOutList { rows, found, total })
    }

    /// Everybody who has stopped, newest first.
    pub(super) async fn all_opt_outs(&self, workspace: &str) -> Result<Vec<OptOut>> {
        let context = &self.0.context;
        let stored = context.desk.marketing_preferences(workspace, None).await?;
        let mut ids: Vec<String> = stored.iter().map(|preference| preference.person.clone()).collect();
        ids.sort();
        ids.dedup();
        let of_person = everyone(context, workspace, ids).await;
        let wrote = self.wrote(workspace, of_person.values().flatten().cloned().collect()).await;
        // Each person once, whichever of their identifiers was named.
        let person = |id: &String| {
            let all = of_person.get(id).map_or(std::slice::from_ref(id), Vec::as_slice);
            all.iter().min().unwrap_or(id).clone()
        };
        let mut people: BTreeMap<String, Vec<MarketingPreference>> = BTreeMap::new();
        for preference in stored {
            people.entry(person(&preference.person)).or_default().push(preference);
        }
        let accounts = accounts(context, workspace, self.0.workspaces.settings(workspace).await?).await;
        let mut rows: Vec<OptOut> = people
            .into_values()
            .flat_map(|all| {
                let ids = all.first().and_then(|preference| of_person.get(&preference.person));
                let number = shown_number(&all, ids.map(Vec::as_slice).unwrap_or_default(), &wrote).cloned();
                rows_of(&accounts, &all, number.as_ref())
            })
            .collect();
        let ids: Vec<String> = rows.iter().map(|row| row.person.clone()).collect();
        let names = names(context, workspace, &ids).await?;
        for row in &mut rows {
            row.name = names.get(&row.person).cloned().or(row.name.take());
        }
        rows.sort_by(|a, b| {
            (Reverse(a.stop.since), &a.person, &a.waba).cmp(&(Reverse(b.stop.since), &b.person, &b.waba))
        });
        Ok(rows)
    }

    /// Those of these identifiers with which people wrote. Where the cache cannot be read, none.
    async fn wrote(&self, workspace: &str, ids: Vec<String>) -> HashSet<String> {
        match self.0.context.cache.contacts_of(workspace, None, &ids).await {
            Ok(contacts) => contacts.into_iter().map(|contact| contact.contact).collect(),
            Err(error) => {
                tracing::warn!(%error, "the numbers with which people wrote cannot be read");
                HashSet::new()
            }
        }
    }

    /// Notes that a contact wants no marketing messages, or that they are allowed again.
    pub async fn note_marketing(&self, request: NoteMarketing) -> Result<MarketingNoted> {
        let NoteMarketing { workspace, contact, is_stopped, number, waba } = request;
        let settings = self.0.workspaces.settings(&workspace).await?;
        let accounts = accounts(&self.0.context, &workspace, settings).await;
        let number = number.unwrap_or_default();
        let waba = waba.unwrap_or_else(|| accounts.sender(&number).waba.to_owned());
        let at = now();
        let note = |person| Note {
            person,
            waba: waba.clone(),
            number: number.clone(),
            is_stopped,
            at,
            file: None,
            name: None,
        };
        let notes = self.identifiers(&workspace, &contact).await?.into_iter().map(note).collect();
        let notes = self.dated(&workspace, &accounts, notes).await?;
        self.0.context.desk.store_marketing_preferences(notes).await?;
        let known = self.known_preferences(&workspace, vec![contact.clone()]).await?;
        let all: Vec<MarketingPreference> = known.of(&contact).cloned().collect();
        let mut stops: Vec<MarketingStop> = accounts.lasting(&all).into_iter().map(|(_, stop)| stop).collect();
        stops.sort_by_key(|stop| Reverse(stop.since));
        Ok(MarketingNoted { stops })
    }

    /// Adds a person by hand, unless what was typed names nobody.
    pub async fn add_opt_out(&self, request: AddOptOut) -> Result<OptOutAdded> {
        let AddOptOut { workspace, person, country, number } = request;
        let settings = self.0.workspaces.settings(&workspace).await?;
        let contact = match person.trim() {
            id if is_user_id(id) => id.to_owned(),
            _ => {
                let (facts, problem) = check_recipient(&person, NumberCountry::of(country.as_deref(), &settings));
                if let Some(problem) = problem.filter(|problem| problem.is_error()) {
                    return Ok(OptOutAdded { problem: Some(problem) });
                }
                facts.digits.unwrap_or_default()
            }
        };
        self.note_marketing(NoteMarketing { workspace, contact, is_stopped: true, number, waba: None }).await?;
        Ok(OptOutAdded::default())
    }

    /// Notes that these people have stopped, now.
    pub async fn add_opt_outs(&self, request: AddOptOuts) -> Result<Nothing> {
        let AddOptOuts { workspace, people } = request;
        let accounts = accounts(&self.0.context, &workspace, self.0.workspaces.settings(&workspace).await?).await;
        let at = now();
        let note = |OptOutPerson { person, number, waba }| Note {
            person,
            waba,
            number,
            is_stopped: true,
            at,
            file: None,
            name: None,
        };
        let notes = self.dated(&workspace, &accounts, people.into_iter().map(note).collect()).await?;
        self.0.context.desk.store_marketing_preferences(notes).await?;
        Ok(Nothing {})
    }

    /// Notes as they are stored: each later than what it takes back, whatever the clocks of this machine and the channel
    /// say.
    pub(super) async fn dated(
        &self,
        workspace: &str,
        accounts: &Accounts,
        notes: Vec<Note>,
    ) -> Result<Vec<MarketingPreference>> {
        let people = notes.iter().map(|note| note.person.clone()).collect();
        let known = self.known_preferences(workspace, people).await?;
        let stored = notes.into_iter().map(|note| {
            let at = later_than(accounts, known.of(&note.person), &note);
            MarketingPreference {
                workspace_id: workspace.to_owned(),
                person: note.person,
                source: MarketingSource::Note,
                waba: note.waba,
                number: note.number,
                is_stopped: note.is_stopped,
                at,
                file: note.file,
                name: note.name,
            }
        });
        Ok(stored.collect())
    }

    /// What is stored about people, under all their identifiers.
    pub(super) async fn known_preferences(&self, workspace: &str, people: Vec<String>) -> Result<KnownPreferences> {
        let of_person = everyone(&self.0.context, workspace, people).await;
        let mut all: Vec<String> = of_person.values().flatten().cloned().collect();
        all.extend(of_person.keys().cloned());
        let mut known = KnownPreferences { of_person, by_id: HashMap::new() };
        for preference in self.0.context.desk.marketing_preferences(workspace, Some(&all)).await? {
            known.add(preference);
        }
        Ok(known)
    }
}

/// Preferences by the identifier under which they are stored, with all identifiers of each person.
pub(super) struct KnownPreferences {
    of_person: HashMap<String, Vec<String>>,
    by_id: HashMap<String, Vec<MarketingPreference>>,
}

impl KnownPreferences {
    pub(super) fn of<'k>(&'k self, person: &'k String) -> impl Iterator<Item = &'k MarketingPreference> {
        let ids = self.of_person.get(person).map_or(std::slice::from_ref(person), Vec::as_slice);
        ids.iter().filter_map(|id| self.by_id.get(id)).flatten()
    }

    pub(super) fn add(&mut self, preference: MarketingPreference) {
        self.by_id.entry(preference.person.clone()).or_default().push(preference);
    }
}

/// The time of a note that has to count after the stops that it takes back, or after what allowed marketing before.
fn later_than<'p>(accounts: &Accounts, preferences: impl Iterator<Item = &'p MarketingPreference>, note: &Note) -> i64 {
    let about = match note.waba.as_str() {
        "" => accounts.sender(&note.number),
        waba => Sender { number: &note.number, waba },
    };
    let before = preferences.filter(|other| {
        let is_taken_back = match note.is_stopped {
            true => other.source == MarketingSource::Note,
            false => other.source != MarketingSource::Preference,
        };
        is_taken_back && other.is_stopped != note.is_stopped && accounts.concerns(accounts.subject(other), about)
    });
    before.map(|other| other.at.saturating_add(1)).fold(note.at, i64::max)
}

/// The number of a person: with which they wrote, else which stopped marketing or was noted, and only then one that
/// messages were sent to, which may have been mistyped. A person who hides the number has a user id only.
fn shown_number<'p>(
    preferences: &'p [MarketingPreference],
    ids: &'p [String],
    wrote: &HashSet<String>,
) -> Option<&'p String> {
    let rank = |source| match source {
        MarketingSource::Preference | MarketingSource::Reply => 0,
        MarketingSource::Note => 1,
        MarketingSource::Failure => 2,
    };
    let numbers = preferences.iter().filter(|preference| is_number(&preference.person));
    let named = || numbers.min_by_key(|preference| rank(preference.source)).map(|preference| &preference.person);
    ids.iter().find(|id| is_number(id) && wrote.contains(*id)).or_else(named)
}

fn rows_of(accounts: &Accounts, preferences: &[MarketingPreference], number: Option<&String>) -> Vec<OptOut> {
    let lasting = accounts.lasting(preferences);
    let row = |(preference, stop): (&MarketingPreference, _)| {
        let person = number.unwrap_or(&preference.person).clone();
        OptOut {
            formatted: formatted(&person),
            person,
            name: preferences.iter().find_map(|known| known.name.clone()),
            stop,
            number: preference.number.clone(),
            waba: preference.waba.clone(),
        }
    };
    lasting.into_iter().map(row).collect()
}

/// Whether every word of a search is in the name or the identifier of a person. A number matches in any notation.
fn matches_search(row: &OptOut, search: &str) -> bool {
    if let Some(digits) = searched_digits(search).filter(|digits| digits.len() >= 3) {
        return spellings([&row.person]).iter().any(|spelling| spelling.contains(&digits));
    }
    let accounts = row.stop.accounts.as_deref().unwrap_or_default();
    has_words(&format!("{}\n{}\n{accounts}", row.name.as_deref().unwrap_or_default(), row.person), search)
}
