//! The messaging limit of a number, and who of it is used, as far as seen here: sends of this desk, and messages of other
//! systems whose statuses arrive here. Systems whose statuses go elsewhere are not counted.

use std::collections::{HashMap, HashSet};

use command_types::error::Result;
use command_types::send::ServiceWindow;
use command_types::workspace::WorkspaceSettings;
use model::item::Decoded;
use model::item::said_limit::said_limit;
use model::messaging_limit::{LIMIT_WINDOW, MessagingLimit};
use outgoing::message::{Accounts, Sender};
use outgoing::now;
use outgoing::recipient::person_key;
use store::cache::ItemRow;

use crate::account_notices::account_events;
use crate::context::Context;
use crate::opt_outs::{accounts, everyone};
use crate::own_numbers::OwnNumbers;

/// A messaging limit that an event stated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KnownLimit {
    pub(crate) limit: MessagingLimit,
    /// When it was said, in Unix milliseconds.
    pub(crate) at: i64,
}

/// How much a number may send, as far as seen here.
#[derive(Debug, Default)]
pub(crate) struct SendingRoom {
    /// Absent while no event stated it.
    pub(crate) limit: Option<KnownLimit>,
    /// People who count now, by [`person_key`], and when they were last written to.
    pub(crate) counted: HashMap<String, i64>,
}

/// The room of a number, which it shares with the other numbers of its business.
pub(crate) async fn sending_room(
    context: &Context,
    workspace: &str,
    settings: &WorkspaceSettings,
    number: &str,
) -> Result<SendingRoom> {
    let events = account_events(context, workspace).await?;
    let accounts = accounts(context, workspace, settings.clone()).await;
    let seen = SeenSends::read(context, workspace).await?;
    Ok(SendingRoom {
        limit: known_limit(&accounts, &OwnNumbers::read(context, workspace, settings).await, number, &events),
        counted: seen.counted(&accounts, number),
    })
}

/// The limit of a number: what the newest event about its business states, also one about another number of it. Where the
/// account of the number is not known, an event has to be about the only account, and about no other number.
pub(crate) fn known_limit(
    accounts: &Accounts,
    numbers: &OwnNumbers<'_>,
    number: &str,
    events: &[(ItemRow, Decoded)],
) -> Option<KnownLimit> {
    let sender = accounts.sender(number);
    let stated = events.iter().filter_map(|(row, decoded)| Some((row, said_limit(decoded)?)));
    let stated: Vec<_> = stated.collect();
    let stating: HashSet<Option<&str>> = stated.iter().map(|(row, _)| row.entry_id.as_deref()).collect();
    let of_business = stated.iter().find(|(row, said)| match (sender.waba, row.entry_id.as_deref()) {
        ("", _) | (_, None) => {
            let is_own = said.number.as_deref().is_none_or(|phone| numbers.has_phone(number, phone));
            stating.len() == 1 && is_own
        }
        (_, Some(waba)) => accounts.is_same(sender, Sender { number: "", waba }),
    });
    of_business.map(|(row, said)| KnownLimit { limit: said.limit, at: row.at })
}

/// To whom messages went in the last 24 hours, from all numbers of a workspace.
#[derive(Debug, Default)]
pub(crate) struct SeenSends {
    /// Number, person, and when the first and the last template went to them.
    sent: Vec<(String, String, i64, i64)>,
    /// When people wrote to a number, by number and person.
    wrote: HashMap<(String, String), Vec<i64>>,
}

impl SeenSends {
    pub(crate) async fn read(context: &Context, workspace: &str) -> Result<Self> {
        let since = now().saturating_sub(LIMIT_WINDOW);
        let own = context.desk.sent_people(workspace, since, false).await?;
        let mut sent: Vec<_> = own
            .into_iter()
            .map(|person| (person.number, person_key(&person.recipient), person.first_at, person.last_at))
            .collect();
        for seen in context.cache.people_written_to(workspace, since).await? {
            sent.push((seen.number, person_key(&seen.person), seen.at, seen.at));
        }
        let written = context.cache.people_who_wrote(workspace, since.saturating_sub(ServiceWindow::LENGTH)).await?;
        let people: HashSet<String> = written.iter().map(|seen| seen.person.clone()).collect();
        let identifiers = everyone(context, workspace, people.into_iter().collect()).await;
        let mut wrote: HashMap<(String, String), Vec<i64>> = HashMap::new();
        for seen in written {
            let own = vec![seen.person.clone()];
            let spellings = identifiers.get(&seen.person).unwrap_or(&own);
            let keys: HashSet<String> = spellings.iter().map(|id| person_key(id)).collect();
            for key in keys {
                wrote.entry((seen.number.clone(), key)).or_default().push(seen.at);
            }
        }
        Ok(Self { sent, wrote })
    }

    /// People who count towards the limit of a number: those to whom a number of its business wrote outside their reply
    /// window.
    pub(crate) fn counted(&self, accounts: &Accounts, number: &str) -> HashMap<String, i64> {
        let sender = accounts.sender(number);
        let mut counted: HashMap<String, i64> = HashMap::new();
        for (from, person, first, last) in &self.sent {
            if !accounts.is_same(accounts.sender(from), sender) {
                continue;
            }
            let wrote = self.wrote.get(&(from.clone(), person.clone()));
            let is_reply = |at: i64| {
                wrote.is_some_and(|times| times.iter().any(|wrote| *wrote <= at && at - wrote < ServiceWindow::LENGTH))
            };
            let Some(at) = [*last, *first].into_iter().find(|at| !is_reply(*at)) else { continue };
            let known = counted.entry(person.clone()).or_insert(at);
            *known = at.max(*known);
        }
        counted
    }
}

#[cfg(test)]
mod tests {
    use command_types::workspace::SendingNumber;

    use super::*;

    const HOUR: i64 = 60 * 60 * 1_000;

    fn accounts() -> Accounts {
        let number = |id: &str, waba: &str| SendingNumber {
            id: id.to_owned(),
            label: format!("+{id}"),
            waba_id: waba.to_owned(),
            ..SendingNumber::default()
        };
        let numbers = vec![number("1", "a1"), number("2", "a2"), number("3", "b1")];
        let pair = |waba: &str, business: &str| (waba.to_owned(), business.to_owned());
        let settings = WorkspaceSettings { numbers, ..WorkspaceSettings::default() };
        Accounts::new(settings, [pair("a1", "a"), pair("a2", "a"), pair("b1", "b")].into_iter().collect())
    }

    #[test]
    fn people_count_once_for_all_numbers_of_the_business_unless_they_were_answered() {
        let sent = |number: &str, person: &str, first, last| (number.to_owned(), person.to_owned(), first, last);
        let wrote = |number: &str, person: &str, at| ((number.to_owned(), person.to_owned()), vec![at]);
        let seen = SeenSends {
            sent: vec![
                sent("1", "ana", 5 * HOUR, 5 * HOUR),
                sent("2", "ana", 7 * HOUR, 7 * HOUR),
                sent("3", "rui", 7 * HOUR, 7 * HOUR),
                sent("1", "eva", 9 * HOUR, 9 * HOUR),
                sent("1", "leo", 2 * HOUR, 9 * HOUR),
                sent("1", "bia", 9 * HOUR, 9 * HOUR),
            ],
            // Eva and Leo wrote before the later message; Bia wrote to another number.
            wrote: HashMap::from([wrote("1", "eva", 8 * HOUR), wrote("1", "leo", 8 * HOUR), wrote("2", "bia", HOUR)]),
        };
        let counted = |number: &str| {
            let mut counted: Vec<_> = seen.counted(&accounts(), number).into_iter().collect();
            counted.sort();
            counted
        };
        let of_business = [("ana", 7 * HOUR), ("bia", 9 * HOUR), ("leo", 2 * HOUR)];
        let of_business = of_business.map(|(person, at)| (person.to_owned(), at)).to_vec();
        assert_eq!((counted("1"), counted("2")), (of_business.clone(), of_business));
        assert_eq!(counted("3"), [("rui".to_owned(), 7 * HOUR)]);
    }
}
