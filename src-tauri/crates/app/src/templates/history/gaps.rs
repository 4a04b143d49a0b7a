//! Gaps of a history: periods for which data is missing.

use super::sources::Told;
use api::history::{EntryKind, GapReason, HistoryEntry, HistoryKind, HistorySource};

/// A receiver without a record for this many milliseconds is considered not listening.
pub(super) const STALE: i64 = 2 * 5 * 60 * 1_000;

/// The periods between `spans` of listening (first and last instant, ordered by their ends). The time before the first
/// span is unknown; after the last one, the receiver is still listening, unless its last record is old.
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

/// Adds the gaps to a history that is newest first.
///
/// - A listing showed a change that no webhook reported, and webhooks could not be received for a part of the time
///   since the previous listing: the gap is that part, from the first instant without to the last. `away` are the known
///   periods without receiving.
/// - The time before the first entry, unless that is the template's creation: the template was not listed before, or,
///   if `cut`, there are more records than are read.
pub(super) fn with_gaps(history: Vec<Told>, away: &[(i64, i64)], cut: bool) -> Vec<Told> {
    let mut all = Vec::with_capacity(history.len() + 1);
    for told in history {
        let gap = unheard(&told.entry, away);
        all.push(told);
        if let Some((from, to)) = gap {
            let id = format!("gap:{from}:{to}");
            // Several changes in one listing share one gap.
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

/// The part of the time before a listing showed a change in which no webhook could be received.
fn unheard(entry: &HistoryEntry, away: &[(i64, i64)]) -> Option<(i64, i64)> {
    let since = entry.not_before.filter(|_| entry.source == HistorySource::Sync)?;
    let parts = away.iter().map(|(from, to)| (since.max(*from), entry.at.min(*to))).filter(|(from, to)| from < to);
    parts.reduce(|(from, _), (_, to)| (from, to))
}

/// Whether the template did not exist before.
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
