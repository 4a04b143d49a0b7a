//! People to whom no marketing template is sent, and from which numbers.
//!
//! A preference is about a business: that of the account or number which it names. Where a stop does not say it, or where
//! it is not known whether two numbers are of one business, what is not said is not a no: the stop counts.

use std::collections::HashMap;
use std::sync::Arc;

use chrono::DateTime;
use command_types::opt_outs::{MarketingPreference, MarketingSource, MarketingStop, OtherStop};
use command_types::send::RecipientFacts;
use command_types::workspace::{SendingNumber, WorkspaceSettings};
use model::send::{SendProblem, SendProblemCode};

use crate::submission::Businesses;

/// One of our numbers and its account; each is empty if it is not known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Sender<'a> {
    pub number: &'a str,
    pub waba: &'a str,
}

/// Which accounts the numbers of a workspace have, and which businesses own the accounts.
#[derive(Clone, Debug, Default)]
pub struct Accounts {
    settings: WorkspaceSettings,
    businesses: Businesses,
}

impl Accounts {
    pub fn new(settings: WorkspaceSettings, businesses: Businesses) -> Self {
        Self { settings, businesses }
    }

    /// A number with its account, as the settings have it.
    pub fn sender<'a>(&'a self, number: &'a str) -> Sender<'a> {
        let known = self.settings.numbers.iter().find(|known| known.id == number);
        Sender { number, waba: known.map_or("", |known| known.waba_id.as_str()) }
    }

    /// What a preference is about: the account that it names, else the one of its number.
    pub fn subject<'a>(&'a self, preference: &'a MarketingPreference) -> Sender<'a> {
        let waba = match preference.waba.as_str() {
            "" => self.sender(&preference.number).waba,
            waba => waba,
        };
        Sender { number: &preference.number, waba }
    }

    /// An account of a business.
    pub fn account_of_business(&self, business: &str) -> Option<&str> {
        self.businesses.wabas(business).first().copied()
    }

    /// The business manager of a sender, if it is known.
    pub fn business(&self, sender: Sender<'_>) -> Option<&str> {
        self.businesses.of(sender.waba)
    }

    /// Whether both are of one business; `None` if an account is not known. Without both businesses, the accounts count.
    fn belong_together(&self, one: Sender<'_>, other: Sender<'_>) -> Option<bool> {
        if !one.number.is_empty() && one.number == other.number {
            return Some(true);
        }
        if one.waba.is_empty() || other.waba.is_empty() {
            return None;
        }
        Some(match (self.businesses.of(one.waba), self.businesses.of(other.waba)) {
            (Some(one), Some(other)) => one == other,
            _ => one.waba == other.waba,
        })
    }

    /// Whether a stop about `subject` counts for a sender.
    pub fn concerns(&self, subject: Sender<'_>, sender: Sender<'_>) -> bool {
        self.belong_together(subject, sender).unwrap_or(true)
    }

    /// Whether both are certainly of one business, or neither says anything.
    pub fn is_same(&self, one: Sender<'_>, other: Sender<'_>) -> bool {
        one == other || self.belong_together(one, other) == Some(true)
    }

    /// Names of the accounts or numbers for which a stop counts; `None` if it counts for all.
    fn limited_to(&self, stop: &MarketingPreference, preferences: &[MarketingPreference]) -> Option<String> {
        let numbers = &self.settings.numbers;
        let subject = self.subject(stop);
        let counts = |known: &&SendingNumber| self.counts(stop, preferences, self.sender(&known.id));
        if numbers.iter().all(|known| counts(&known)) {
            return None;
        }
        let is_named = |known: &&SendingNumber| {
            counts(known) && (subject.waba.is_empty() || self.is_same(subject, self.sender(&known.id)))
        };
        let mut names: Vec<&str> = Vec::new();
        for known in numbers.iter().filter(is_named) {
            let name = self.settings.waba_names.get(&known.waba_id).map_or(known.name(), String::as_str);
            if !names.contains(&name) {
                names.push(name);
            }
        }
        if names.is_empty() {
            names.push(if subject.waba.is_empty() { subject.number } else { self.settings.waba_name(subject.waba) });
        }
        Some(names.join(", ")).filter(|names| !names.is_empty())
    }

    /// Names of the accounts for which a stop about our number would count; `None` if for all.
    pub fn reach(&self, number: &str) -> Option<String> {
        let stop = MarketingPreference {
            workspace_id: String::new(),
            person: String::new(),
            source: MarketingSource::Note,
            waba: self.sender(number).waba.to_owned(),
            number: number.to_owned(),
            is_stopped: true,
            at: 0,
            file: None,
            name: None,
        };
        self.limited_to(&stop, &[])
    }

    /// The stop that counts for a sender. A note is taken back only here. A choice of the person ends with their later
    /// `resume`; a failure and an opt-out word also with a later note that allows marketing again. What ends a stop is
    /// certainly about the same business, or about that of the sender.
    pub fn stop_for(&self, preferences: &[MarketingPreference], sender: Sender<'_>) -> Option<MarketingStop> {
        let counting = preferences.iter().filter(|stop| stop.is_stopped && self.counts(stop, preferences, sender));
        let stop = counting.max_by_key(|stop| (stop.source == MarketingSource::Note, stop.at))?;
        Some(self.shown(stop, preferences))
    }

    fn shown(&self, stop: &MarketingPreference, preferences: &[MarketingPreference]) -> MarketingStop {
        MarketingStop {
            since: stop.at,
            source: stop.source,
            accounts: self.limited_to(stop, preferences),
            file: stop.file.clone().filter(|_| stop.source == MarketingSource::Note),
        }
    }

    /// Whether a stop concerns a sender, and nothing ends it for them.
    fn counts(&self, stop: &MarketingPreference, preferences: &[MarketingPreference], sender: Sender<'_>) -> bool {
        self.concerns(self.subject(stop), sender) && !preferences.iter().any(|end| self.ends(end, stop, sender))
    }

    /// What ends a stop for every number of ours that it concerns, the newest; `None` if it counts for one of them.
    pub fn ended_by<'p>(
        &self,
        stop: &MarketingPreference,
        preferences: &'p [MarketingPreference],
    ) -> Option<&'p MarketingPreference> {
        let subject = self.subject(stop);
        let numbers = self.settings.numbers.iter().map(|known| self.sender(&known.id));
        let mut concerned: Vec<Sender<'_>> = numbers.filter(|ours| self.concerns(subject, *ours)).collect();
        if concerned.is_empty() {
            concerned.push(subject);
        }
        let end = |sender| preferences.iter().filter(|end| self.ends(end, stop, sender)).max_by_key(|end| end.at);
        let ends: Option<Vec<_>> = concerned.into_iter().map(end).collect();
        ends?.into_iter().max_by_key(|end| end.at)
    }

    fn ends(&self, end: &MarketingPreference, stop: &MarketingPreference, sender: Sender<'_>) -> bool {
        use MarketingSource::{Failure, Note, Preference, Reply};
        let may = matches!(
            (end.source, stop.source),
            (Note, Note | Failure | Reply) | (Preference, Preference | Failure | Reply)
        );
        let subject = self.subject(end);
        may && !end.is_stopped
            && end.at >= stop.at
            && (self.is_same(subject, self.subject(stop)) || self.is_same(subject, sender))
    }

    /// The stops that count for a number of ours, each business once: which preference it is, and the stop.
    pub fn lasting<'p>(&self, preferences: &'p [MarketingPreference]) -> Vec<(&'p MarketingPreference, MarketingStop)> {
        let mut lasting: Vec<(&MarketingPreference, MarketingStop)> = Vec::new();
        let mut stops: Vec<&MarketingPreference> = preferences.iter().filter(|stop| stop.is_stopped).collect();
        stops.sort_by_key(|stop| (stop.source != MarketingSource::Note, std::cmp::Reverse(stop.at)));
        for stop in stops {
            let subject = self.subject(stop);
            let is_known = lasting.iter().any(|(other, _)| self.is_same(self.subject(other), subject));
            if is_known || self.ended_by(stop, preferences).is_some() {
                continue;
            }
            lasting.push((stop, self.shown(stop, preferences)));
        }
        lasting
    }
}

/// What is known about people who have stopped marketing messages at some time, by each spelling of their identifiers.
#[derive(Clone, Debug, Default)]
pub struct OptOuts {
    pub accounts: Accounts,
    pub people: HashMap<String, Arc<[MarketingPreference]>>,
}

impl OptOuts {
    /// Whether a person has stopped marketing messages of the business of our number.
    pub fn stop(&self, person: &str, number: &str) -> Option<MarketingStop> {
        self.accounts.stop_for(self.people.get(person)?, self.accounts.sender(number.trim()))
    }

    /// Whether a person has stopped the marketing of any business of ours.
    pub fn has_stopped(&self, person: &str) -> bool {
        self.people.get(person).is_some_and(|known| !self.accounts.lasting(known).is_empty())
    }

    /// What a person has stopped that does not count for our number, newest first.
    pub fn other_stops(&self, person: &str, number: &str) -> Vec<OtherStop> {
        let Some(known) = self.people.get(person) else { return Vec::new() };
        let sender = self.accounts.sender(number.trim());
        let lasting = self.accounts.lasting(known).into_iter();
        let others = lasting.filter(|(said, _)| !self.accounts.counts(said, known, sender));
        let other = |(said, stop): (&MarketingPreference, _)| OtherStop {
            stop,
            number: said.number.clone(),
            waba: said.waba.clone(),
        };
        let mut others: Vec<OtherStop> = others.map(other).collect();
        others.sort_by_key(|other| std::cmp::Reverse(other.stop.since));
        others
    }

    /// Whether a wish of a person to stop marketing, said at `at`, is still to be decided on: they have not stopped the
    /// marketing of the business of our number, and it was not allowed again since.
    pub fn is_undecided(&self, person: &str, number: &str, at: i64) -> bool {
        let Some(known) = self.people.get(person) else { return true };
        let sender = self.accounts.sender(number.trim());
        let is_later = |one: &MarketingPreference| {
            !one.is_stopped && one.at >= at && self.accounts.concerns(self.accounts.subject(one), sender)
        };
        self.accounts.stop_for(known, sender).is_none() && !known.iter().any(is_later)
    }

    /// Whether a wish of a person, said at `at` to the number `written_to`, is one about the business of `number` on which
    /// nobody has decided. A wish to an unknown number is about all.
    pub fn is_open_wish(&self, person: &str, written_to: &str, number: &str, at: i64) -> bool {
        let written_to = if written_to.is_empty() { number } else { written_to };
        self.accounts.concerns(self.accounts.sender(written_to), self.accounts.sender(number.trim()))
            && self.is_undecided(person, written_to, at)
    }

    /// The problem of a marketing template to this recipient from our number.
    pub(super) fn problem(&self, recipient: &RecipientFacts, number: &str) -> Option<SendProblem> {
        let stop = self.stop(recipient.addressee()?, number)?;
        let how = match stop.source {
            MarketingSource::Preference => "in WhatsApp",
            MarketingSource::Failure => "WhatsApp rejected a message because of it",
            MarketingSource::Reply => "with a reply",
            MarketingSource::Note => "noted here",
        };
        let since = DateTime::from_timestamp_millis(stop.since).unwrap_or_default().format("%Y-%m-%d");
        let accounts = stop.accounts.as_deref();
        let mut problem = SendProblem::new(
            "to",
            SendProblemCode::ToOptedOut,
            &[("accounts", &accounts.unwrap_or("you")), ("since", &since), ("how", &how)],
        );
        // For the window, which has its own words for them.
        problem.values.insert("at".to_owned(), stop.since.to_string());
        problem.values.insert("source".to_owned(), stop.source.as_str().to_owned());
        problem.values.insert("limited".to_owned(), accounts.is_some().to_string());
        Some(problem)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use MarketingSource::{Failure, Note, Preference, Reply};

    fn preference(source: MarketingSource, is_stopped: bool, at: i64, about: &str) -> MarketingPreference {
        let (waba, number) = about.split_once('/').unwrap_or((about, ""));
        MarketingPreference {
            workspace_id: "w".to_owned(),
            person: "55".to_owned(),
            source,
            waba: waba.to_owned(),
            number: number.to_owned(),
            is_stopped,
            at,
            file: None,
            name: None,
        }
    }

    /// Two accounts of business a, one of b, two of unknown businesses, and a number whose account nobody has said.
    fn accounts() -> Accounts {
        let number = |id: &str, waba: &str| SendingNumber {
            id: id.to_owned(),
            label: format!("Number {id}"),
            waba_id: waba.to_owned(),
            ..SendingNumber::default()
        };
        let numbers = vec![
            number("1", "a1"),
            number("2", "a2"),
            number("3", "b1"),
            number("4", "x1"),
            number("5", "x2"),
            number("6", ""),
        ];
        let pair = |waba: &str, business: &str| (waba.to_owned(), business.to_owned());
        let settings = WorkspaceSettings { numbers, ..WorkspaceSettings::default() };
        Accounts::new(settings, [pair("a1", "a"), pair("a2", "a"), pair("b1", "b")].into_iter().collect())
    }

    /// The numbers from which the person gets no marketing.
    fn stopped(preferences: &[MarketingPreference]) -> String {
        let accounts = accounts();
        let numbers = ["1", "2", "3", "4", "5", "6", "7", ""];
        let is_stopped = |number: &&&str| accounts.stop_for(preferences, accounts.sender(number)).is_some();
        numbers.iter().filter(is_stopped).copied().collect::<Vec<_>>().join(" ").trim().to_owned()
    }

    #[test]
    fn a_stop_counts_for_all_numbers_of_its_business_and_for_no_other() {
        for (about, expected) in [
            // 7 is not in the settings.
            ("a1", "1 2 6 7"),
            ("a2/2", "1 2 6 7"),
            // The account of its number.
            ("/1", "1 2 6 7"),
            ("b1", "3 6 7"),
            ("x1", "4 6 7"),
            // An account that the workspace does not know.
            ("z", "6 7"),
            ("/6", "1 2 3 4 5 6 7"),
            ("", "1 2 3 4 5 6 7"),
        ] {
            assert_eq!(stopped(&[preference(Preference, true, 1, about)]), expected, "{about}");
        }
    }

    #[test]
    fn a_resume_ends_only_the_stops_of_its_business() {
        let (at_a, at_b) = (preference(Preference, true, 1, "a1"), preference(Reply, true, 1, "b1"));
        assert_eq!(stopped(&[at_a.clone(), at_b.clone()]), "1 2 3 6 7");
        assert_eq!(stopped(&[at_a.clone(), at_b.clone(), preference(Preference, false, 2, "a2")]), "3 6 7");
        // Nobody knows to whom it was said.
        assert_eq!(stopped(&[at_a, preference(Preference, false, 2, "")]), "1 2 6 7");
        let unknown = preference(Failure, true, 1, "");
        assert_eq!(stopped(&[unknown, preference(Preference, false, 2, "a1")]), "3 4 5 6 7");
    }

    #[test]
    fn a_choice_is_taken_back_by_whoever_made_it() {
        let accounts = accounts();
        let stop = |all: &[(MarketingSource, bool, i64)]| {
            let stored: Vec<_> =
                all.iter().map(|(source, is_stopped, at)| preference(*source, *is_stopped, *at, "a1/1")).collect();
            accounts.stop_for(&stored, accounts.sender("2")).map(|stop| (stop.source, stop.since))
        };
        assert_eq!(stop(&[]), None);
        assert_eq!(stop(&[(Preference, true, 1)]), Some((Preference, 1)));
        assert_eq!(stop(&[(Preference, false, 2)]), None);
        for source in [Failure, Reply] {
            assert_eq!(stop(&[(source, true, 1), (Preference, false, 2)]), None, "the person resumed");
            assert_eq!(stop(&[(source, true, 3), (Preference, false, 2)]), Some((source, 3)));
            assert_eq!(stop(&[(Note, false, 9), (source, true, 2)]), None);
            assert_eq!(stop(&[(Note, false, 1), (source, true, 2)]), Some((source, 2)), "it was said again");
        }
        assert_eq!(stop(&[(Note, true, 1), (Preference, false, 2)]), Some((Note, 1)), "only a person here resumes");
        assert_eq!(stop(&[(Note, false, 9), (Preference, true, 2)]), Some((Preference, 2)));
        assert_eq!(
            stop(&[(Note, true, 1), (Preference, true, 5)]),
            Some((Note, 1)),
            "what can be taken back here first"
        );
        assert_eq!(stop(&[(Reply, true, 1), (Preference, true, 5)]), Some((Preference, 5)));
    }

    #[test]
    fn a_stop_says_for_whom_it_counts_unless_it_counts_for_all() {
        let accounts = accounts();
        let limited = |about: &str| accounts.limited_to(&preference(Note, true, 1, about), &[]);
        assert_eq!(limited("a1").as_deref(), Some("Number 1, Number 2"));
        assert_eq!(limited("z").as_deref(), Some("z"), "the settings do not have the account");
        assert_eq!((limited(""), limited("/6")), (None, None));
    }

    #[test]
    fn a_stop_that_counts_for_no_number_is_not_listed() {
        let accounts = accounts();
        let listed = |preferences: &[MarketingPreference]| {
            let lasting = accounts.lasting(preferences);
            lasting.into_iter().map(|(_, stop)| stop.accounts.unwrap_or_default()).collect::<Vec<_>>()
        };
        let everywhere = preference(Reply, true, 1, "");
        let allowed = |about: &str| preference(Note, false, 2, about);
        assert_eq!(listed(std::slice::from_ref(&everywhere)), [""]);
        let some = [everywhere.clone(), allowed("a1"), allowed("b1"), allowed("/6")];
        assert_eq!((listed(&some), stopped(&some)), (vec!["Number 4, Number 5".to_owned()], "4 5 7".to_owned()));
        let all = [&some[..], &[allowed("x1"), allowed("x2")]].concat();
        assert_eq!(listed(&all), [""; 0]);
        assert_eq!(accounts.ended_by(&everywhere, &all).map(|end| end.at), Some(2));
        assert_eq!(accounts.ended_by(&everywhere, &some), None);
    }

    #[test]
    fn the_stops_of_a_person_are_listed_once_for_each_business() {
        let accounts = accounts();
        let lasting = |preferences: &[MarketingPreference]| {
            let lasting = accounts.lasting(preferences);
            lasting.iter().map(|(of, stop)| (of.waba.clone(), stop.source, stop.since)).collect::<Vec<_>>()
        };
        let all = [
            preference(Reply, true, 3, "a1"),
            preference(Preference, true, 4, "a2"),
            preference(Reply, true, 5, "b1"),
            preference(Note, true, 1, ""),
            preference(Failure, true, 2, "x1"),
            preference(Preference, false, 9, "x1"),
        ];
        let expected = [("".to_owned(), Note, 1), ("b1".to_owned(), Reply, 5), ("a2".to_owned(), Preference, 4)];
        assert_eq!(lasting(&all), expected);
    }
}
