//! Notices about accounts and numbers that hold now, read from the stored events.

use std::cmp::Reverse;
use std::collections::HashSet;

use command_types::error::Result;
use model::event::kind::ItemKind;
use model::item::Decoded;
use model::item::account_notice::{AccountNotice, Initiator, NoticeSeverity, account_notice};
use model::item::meaning::EventMeaning;
use outgoing::now;
use store::cache::{ItemFilter, ItemRow};

use crate::context::Context;
use crate::own_numbers::OwnNumbers;
use crate::stored_item::decoded;

/// Kinds of events that can be notices.
pub(crate) static KINDS: [ItemKind; 7] = [
    ItemKind::AccountAlert,
    ItemKind::AccountUpdate,
    ItemKind::AccountReview,
    ItemKind::BusinessCapability,
    ItemKind::PhoneNumberQuality,
    ItemKind::PhoneNumberName,
    ItemKind::Security,
];
/// Maximum number of events of a kind that are read.
const MAX_EVENTS: u32 = 30;
/// A notice without an end is listed this long, in milliseconds.
const MAX_AGE: i64 = 30 * 24 * 60 * 60 * 1_000;

/// A notice and its event.
#[derive(Debug)]
pub(crate) struct CurrentNotice {
    pub(crate) row: ItemRow,
    pub(crate) notice: AccountNotice,
}

impl CurrentNotice {
    /// Whether it concerns what is sent from a number.
    pub(crate) fn concerns(&self, numbers: &OwnNumbers<'_>, number: &str) -> bool {
        let is_of_other = self.notice.number_id().is_some_and(|id| id != number && numbers.has(id));
        !is_of_other && numbers.concerns(number, self.row.entry_id.as_deref(), self.notice.phone())
    }

    pub(crate) fn forbids(&self, initiator: Initiator) -> bool {
        self.notice.forbids(initiator, now())
    }
}

/// The notices of a workspace that need attention, also dismissed ones, the newest first.
pub(crate) async fn current_notices(context: &Context, workspace: &str) -> Result<Vec<CurrentNotice>> {
    Ok(current_of(account_events(context, workspace).await?))
}

/// Those of the events that are notices which need attention.
pub(crate) fn current_of(events: Vec<(ItemRow, Decoded)>) -> Vec<CurrentNotice> {
    let now = now();
    let mut topics = HashSet::new();
    let mut notices = Vec::new();
    for CurrentNotice { row, mut notice } in notices_of(events) {
        let is_latest = topics.insert((row.entry_id.clone(), notice.topic.clone()));
        // Older ones about what it ends do not hold either.
        topics.extend(notice.ends().map(|topic| (row.entry_id.clone(), topic.to_owned())));
        let ends = notice.until.unwrap_or_else(|| row.received_at.saturating_add(MAX_AGE));
        if is_latest && notice.severity != NoticeSeverity::Information && ends > now {
            notice.remove_ended(now);
            notices.push(CurrentNotice { row, notice });
        }
    }
    notices
}

/// Those of the events, newest first, that are notices.
fn notices_of(events: Vec<(ItemRow, Decoded)>) -> Vec<CurrentNotice> {
    let mut notices: Vec<CurrentNotice> = Vec::new();
    for (row, decoded) in events.into_iter().rev() {
        let Some(mut notice) = account_notice(&decoded) else { continue };
        let is_before = |one: &&CurrentNotice| one.row.entry_id == row.entry_id && one.notice.topic == notice.topic;
        if let Some(before) = notices.iter().rev().find(is_before) {
            notice = notice.after(&before.notice);
        }
        notices.push(CurrentNotice { row, notice });
    }
    notices.reverse();
    notices
}

/// A notice of an event that has arrived, after what was said before.
pub(crate) async fn after_earlier(
    context: &Context,
    workspace: &str,
    event: i64,
    notice: AccountNotice,
) -> Result<AccountNotice> {
    if notice.meaning != EventMeaning::LimitChanged {
        return Ok(notice);
    }
    let notices = notices_of(account_events(context, workspace).await?);
    Ok(notices.into_iter().find(|one| one.row.id == event).map_or(notice, |found| found.notice))
}

/// Events about accounts and numbers, newest first. Those whose delivery is not stored any more are left out.
pub(crate) async fn account_events(context: &Context, workspace: &str) -> Result<Vec<(ItemRow, Decoded)>> {
    let mut rows = Vec::new();
    for kind in &KINDS {
        let (route, kind) = (Some(workspace.to_owned()), Some(kind.as_str().to_owned()));
        let filter = ItemFilter { route, kind, limit: MAX_EVENTS, ..ItemFilter::default() };
        rows.extend(context.cache.items(filter).await?.rows);
    }
    let mut events = Vec::new();
    for row in newest_first(rows, |row| (row.id, row.at, row.received_at)) {
        if let Some(decoded) = decoded(context, &row).await? {
            events.push((row, decoded));
        }
    }
    Ok(events)
}

/// Sorts events by their id, time and arrival. An undated one has the time of its arrival, by a clock that may have been
/// wrong: it counts as no later than what arrived after it (decision 0053).
fn newest_first<T>(mut events: Vec<T>, times: impl Fn(&T) -> (i64, i64, i64)) -> Vec<T> {
    events.sort_by_key(|event| Reverse(times(event).0));
    let mut earliest_after = i64::MAX;
    let timed = events.into_iter().map(|event| {
        let (id, at, received_at) = times(&event);
        let at = if at == received_at { at.min(earliest_after) } else { at };
        earliest_after = earliest_after.min(at);
        ((at, id), event)
    });
    let mut timed: Vec<_> = timed.collect();
    timed.sort_by_key(|(time, _)| Reverse(*time));
    timed.into_iter().map(|(_, event)| event).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_undated_event_is_no_later_than_what_arrived_after_it() {
        let order = |events: &[(i64, i64, i64)]| -> Vec<i64> {
            newest_first(events.to_vec(), |event| *event).into_iter().map(|(id, ..)| id).collect()
        };
        // The first arrived while the clock was a day ahead; the others were undated or dated.
        assert_eq!(order(&[(1, 1_000, 1_000), (2, 100, 100), (3, 200, 200)]), [3, 2, 1]);
        assert_eq!(order(&[(1, 1_000, 1_000), (2, 90, 100)]), [2, 1]);
        // A delivery that was late keeps its own time.
        assert_eq!(order(&[(1, 90, 100), (2, 50, 200)]), [1, 2]);
    }
}
