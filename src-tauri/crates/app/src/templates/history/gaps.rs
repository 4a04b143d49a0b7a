//! What is not known, shown as such.

use super::sources::Told;
use api::history::{EntryKind, GapReason, HistoryEntry, HistoryKind, HistorySource};

/// A receiver of which nothing was noted for so many milliseconds does not listen.
pub(super) const STALE: i64 = 2 * 5 * 60 * 1_000;

/// The times between `spans` of listening (first and last instant, in the order in which they ended). Of those before the
/// first one nothing is known; after the last one it listens still, unless nothing was noted of that for long.
pub(super) fn away(spans: &[(i64, i64)], now: i64) -> Vec<(i64, i64)> {
    let mut away: Vec<(i64, i64)> = Vec::with_capacity(spans.len());
    let mut until: Option<i64> = None;
    for (first, last) in spans {
        if let Some(until) = until.filter(|until| first > until) {
            away.push((until, *first));
        }
        until = until.max(Some(*last));
    }
    away.extend(until.filter(|until| now - until > STALE).map(|until| (until, i64::MAX)));
    away
}

/// Adds the gaps of a history that is newest first.
///
/// - Where a listing saw a change that no webhook told of, and webhooks could not come in for a part of the time since the
///   listing before: that part, from the first instant without to the last. `away` are these times, as far as they are
///   known.
/// - What was before the first thing known, unless that is the template's creation: nobody listed it before, or, where
///   `cut`, there is more than is looked at.
pub(super) fn with_gaps(history: Vec<Told>, away: &[(i64, i64)], cut: bool) -> Vec<Told> {
    let mut all = Vec::with_capacity(history.len() + 1);
    for told in history {
        let gap = unheard(&told.entry, away);
        all.push(told);
        if let Some((from, to)) = gap {
            let id = format!("gap:{from}:{to}");
            // Several changes that one listing saw have one gap.
            if !all.iter().any(|known: &Told| known.entry.id == id) {
                all.push(gap_entry(id, Some(from), to, GapReason::NotListening));
            }
        }
    }
    let first = all.last().map(|told| &told.entry);
    if let Some(at) = first.filter(|first| cut || !is_beginning(first)).map(first_instant) {
        let reason = if cut { GapReason::Limit } else { GapReason::NotListed };
        all.push(gap_entry("gap:before".to_owned(), None, at, reason));
    }
    all
}

/// The part of the time before a listing saw a change in which no webhook could have told of it.
fn unheard(entry: &HistoryEntry, away: &[(i64, i64)]) -> Option<(i64, i64)> {
    let since = entry.not_before.filter(|_| entry.source == HistorySource::Sync)?;
    let parts = away.iter().map(|(from, to)| (since.max(*from), entry.at.min(*to))).filter(|(from, to)| from < to);
    parts.reduce(|(from, _), (_, to)| (from, to))
}

/// Whether there was nothing of the template before.
fn is_beginning(entry: &HistoryEntry) -> bool {
    match entry.kind {
        EntryKind::Known(HistoryKind::Submitted) => entry.field.as_deref() == Some("create"),
        EntryKind::Known(HistoryKind::Added) => entry.not_before.is_some(),
        _ => false,
    }
}

fn first_instant(entry: &HistoryEntry) -> i64 {
    entry.not_before.unwrap_or(entry.at)
}

fn gap_entry(id: String, not_before: Option<i64>, at: i64, reason: GapReason) -> Told {
    let mut told = Told::new(id, at, HistorySource::Gap, HistoryKind::Gap);
    told.entry.exact = false;
    told.entry.not_before = not_before;
    told.entry.gap = Some(reason);
    told
}
