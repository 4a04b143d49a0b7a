//! Events of the history, in the order in which they are delivered.

use super::History;
use super::lives::{LIVES, Step, account_events};
use crate::time::Instant;

/// What an event reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Past {
    /// A step of a template in one of its WABAs.
    Life {
        template: usize,
        step: usize,
        waba: u64,
    },
    /// An event of an account or number.
    Account(usize),
    /// A status of a message.
    Status {
        sent: usize,
        status: usize,
    },
    Inbound(usize),
    Click(usize),
    /// The page behind a link.
    Landing(usize),
    Stop(usize),
}

impl Past {
    /// Whether it is about a template or an account.
    pub(crate) fn is_of_account(self) -> bool {
        matches!(self, Self::Life { .. } | Self::Account(_))
    }
}

/// All events: those about templates and accounts, then those about messages; each oldest first. So the lists of
/// templates are right after the first delivery.
pub(crate) fn events(history: &History) -> Vec<(Instant, Past)> {
    let calendar = history.calendar();
    let mut events = Vec::new();
    for (template, life) in LIVES.iter().enumerate() {
        for (step, (at, kind)) in life.steps(calendar).enumerate() {
            if kind != Step::Archived {
                let wabas = history.identities[template].ids.keys();
                events.extend(wabas.map(|waba| (at, Past::Life { template, step, waba: *waba })));
            }
        }
    }
    let accounts = account_events(calendar).into_iter().enumerate();
    events.extend(accounts.map(|(index, (at, ..))| (at, Past::Account(index))));
    for (sent, message) in history.sends.iter().enumerate() {
        let statuses = message.statuses.iter().enumerate();
        events.extend(statuses.map(|(status, (_, at))| (*at, Past::Status { sent, status })));
    }
    events.extend(history.inbound.iter().enumerate().map(|(index, inbound)| (inbound.at, Past::Inbound(index))));
    for (index, click) in history.clicks.iter().enumerate() {
        events.push((click.at, Past::Click(index)));
        events.extend(click.landed.map(|at| (at, Past::Landing(index))));
    }
    events.extend(history.stops.iter().enumerate().map(|(index, stop)| (stop.at, Past::Stop(index))));
    events.retain(|(at, _)| *at < history.anchor);
    events.sort_by_key(|(at, past)| (!past.is_of_account(), *at, *past));
    events
}
