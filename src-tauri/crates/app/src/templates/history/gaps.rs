//! Gaps of a history: periods for which data is missing.

use super::sources::{ReportedEntry, truncate_to_second};
use command_types::history::{EntryKind, GapReason, HistoryEntry, HistoryKind, HistorySource};

/// A receiver without a record for this many milliseconds is considered not listening.
pub(super) const MAX_RECORD_INTERVAL: i64 = 2 * 5 * 60 * 1_000;

/// The periods between `spans` of listening (first and last instant, ordered by their ends). The time before the first
/// span is unknown; after the last one, the receiver is still listening, unless its last record is old.
pub(super) fn offline_spans(spans: &[(i64, i64)], now: i64) -> Vec<(i64, i64)> {
    let mut offline_spans: Vec<(i64, i64)> = Vec::with_capacity(spans.len());
    let mut until: Option<i64> = None;
    for (first, last) in spans {
        if let Some(until) = until.filter(|until| first > until) {
            offline_spans.push((until, *first));
        }
        until = until.max(Some(*last));
    }
    offline_spans.extend(until.filter(|until| now - until > MAX_RECORD_INTERVAL).map(|until| (until, i64::MAX)));
    offline_spans
}

/// Adds the gaps to a history that is newest first.
///
/// - A listing showed a change that no webhook reported, and webhooks could not be received for a part of the time
///   since the previous listing: the gap is that part, from the first instant without to the last. `offline_spans` are the known
///   periods without receiving.
/// - The time before the first entry, unless that is the template's creation or the template was listed before it, since
///   `listed_since`: the template was not listed before, or, if `cut`, there are more records than are read.
pub(super) fn with_gaps(
    history: Vec<ReportedEntry>,
    offline_spans: &[(i64, i64)],
    listed_since: Option<i64>,
    cut: bool,
) -> Vec<ReportedEntry> {
    let mut all = Vec::with_capacity(history.len() + 1);
    for reported in history {
        let gap = offline_span_of(&reported.entry, offline_spans);
        all.push(reported);
        if let Some((from, to)) = gap {
            let id = format!("gap:{from}:{to}");
            // Several changes in one listing share one gap.
            if !all.iter().any(|known: &ReportedEntry| known.entry.id == id) {
                all.push(gap_entry(id, Some(from), to, GapReason::NotListening));
            }
        }
    }
    // Events have timestamps in whole seconds: one within the second of the listing counts as later.
    let was_listed = |at: i64| listed_since.is_some_and(|since| truncate_to_second(since) <= at);
    let is_start = |first: &HistoryEntry| is_first_entry(first) || (!is_added(first) && was_listed(first.at));
    let first = all.iter().rev().map(|reported| &reported.entry).find(|entry| entry.source != HistorySource::Gap);
    if let Some(at) = first.filter(|first| cut || !is_start(first)).map(earliest_instant) {
        let reason = if cut { GapReason::Limit } else { GapReason::NotListed };
        all.push(gap_entry("gap:before".to_owned(), None, at, reason));
    }
    all
}

/// The part of the time before a listing showed a change in which no webhook could be received.
fn offline_span_of(entry: &HistoryEntry, offline_spans: &[(i64, i64)]) -> Option<(i64, i64)> {
    let since = entry.not_before.filter(|_| entry.source == HistorySource::Sync)?;
    let parts =
        offline_spans.iter().map(|(from, to)| (since.max(*from), entry.at.min(*to))).filter(|(from, to)| from < to);
    parts.reduce(|(from, _), (_, to)| (from, to))
}

/// Whether the template did not exist before.
fn is_first_entry(entry: &HistoryEntry) -> bool {
    match entry.kind {
        EntryKind::Known(HistoryKind::Submitted) => entry.field.as_deref() == Some("create"),
        _ => is_added(entry) && entry.not_before.is_some(),
    }
}

fn is_added(entry: &HistoryEntry) -> bool {
    entry.kind == EntryKind::Known(HistoryKind::Added)
}

fn earliest_instant(entry: &HistoryEntry) -> i64 {
    entry.not_before.unwrap_or(entry.at)
}

fn gap_entry(id: String, not_before: Option<i64>, at: i64, reason: GapReason) -> ReportedEntry {
    let mut reported = ReportedEntry::new(id, at, HistorySource::Gap, HistoryKind::Gap);
    reported.entry.exact = false;
    reported.entry.not_before = not_before;
    reported.entry.gap = Some(reason);
    reported
}
