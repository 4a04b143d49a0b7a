//! Merges several sources into one history: a change that two of them report is shown once.

use super::sources::{ReportedEntry, truncate_to_second};
use command_types::history::{HistoryOutcome, HistorySource};

/// Merges webhooks, own actions and listings into one list, newest first.
///
/// Two reports are merged only if they certainly are about the same change:
/// - A change in a listing is left out if a webhook or an own action reported the new value of the field, for its WABA if
///   both name one, between the previous listing and this one, and no later value was reported. The entry is that of the earlier report. If it is
///   unknown when the previous listing was requested, nothing is certain.
/// - A webhook that reports the value that an own action has just set confirms that action, if nothing else was
///   reported about the field in between. The entry is the action's, with the webhook's event.
///
/// A webhook without a timestamp that is received after a listing showed the same value is kept: the value may have
/// been different in between.
pub(super) fn merged(
    webhooks: Vec<ReportedEntry>,
    own: Vec<ReportedEntry>,
    observed: Vec<ReportedEntry>,
) -> Vec<ReportedEntry> {
    let mut exact: Vec<ReportedEntry> = webhooks.into_iter().chain(own).collect();
    exact.sort_by_key(sort_key);
    let mut all: Vec<ReportedEntry> = observed.into_iter().filter(|observed| !is_reported(observed, &exact)).collect();
    confirm_actions(&mut exact, &all);
    all.extend(exact);
    all.sort_by_key(sort_key);
    all.reverse();
    all
}

/// Whether a change in a listing was reported by a webhook or made here.
fn is_reported(observed: &ReportedEntry, exact: &[ReportedEntry]) -> bool {
    let Some(since) = observed.entry.not_before else { return false };
    let last = exact.iter().rev().filter(|reported| !is_failed(reported)).find(|reported| {
        reported.subject == observed.subject
            && may_concern_same_waba(reported, observed)
            && reported.entry.at <= observed.entry.at
            && reported.entry.at >= truncate_to_second(since)
    });
    // Content has no value to compare: a webhook reports that it changed, and the listing the new content. Both are
    // shown.
    last.is_some_and(|reported| !observed.value.is_empty() && reported.value == observed.value)
}

/// Whether two reports may be about the same WABA: one that names none is about each.
fn may_concern_same_waba(one: &ReportedEntry, other: &ReportedEntry) -> bool {
    let (one, other) = (&one.entry.wabas, &other.entry.wabas);
    one.is_empty() || other.is_empty() || one.iter().any(|waba| other.contains(waba))
}

/// Adds the confirming events to own actions.
fn confirm_actions(exact: &mut Vec<ReportedEntry>, observed: &[ReportedEntry]) {
    let mut index = 0;
    while let Some(action) = exact.get(index) {
        index += 1;
        if action.entry.source != HistorySource::Own || action.value.is_empty() || is_failed(action) {
            continue;
        }
        let (subject, value, at) = (action.subject.clone(), action.value.clone(), action.entry.at);
        let next = exact[index..].iter().position(|reported| reported.subject == subject && !is_failed(reported));
        let Some(next) = next.map(|next| index + next) else { continue };
        let reported = &exact[next];
        let between = |observed: &ReportedEntry| {
            observed.subject == subject && (at..reported.entry.at).contains(&observed.entry.at)
        };
        if reported.entry.source == HistorySource::Webhook && reported.value == value && !observed.iter().any(between) {
            let reported = exact.remove(next);
            let action = &mut exact[index - 1];
            action.key = reported.key;
            action.entry.raw = reported.entry.raw;
            action.entry.reason = reported.entry.reason.or(action.entry.reason.take());
            // The action is now confirmed.
            action.entry.outcome = Some(HistoryOutcome::Done);
        }
    }
}

fn is_failed(reported: &ReportedEntry) -> bool {
    reported.entry.outcome == Some(HistoryOutcome::Failed)
}

/// Sort key: webhooks have timestamps in whole seconds, and follow own actions of the same second.
fn sort_key(reported: &ReportedEntry) -> (i64, u8, i64) {
    let rank = match reported.entry.source {
        HistorySource::Own => 0,
        HistorySource::Webhook => 1,
        HistorySource::Sync | HistorySource::Gap => 2,
    };
    (truncate_to_second(reported.entry.at), rank, reported.entry.at)
}
