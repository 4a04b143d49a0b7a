//! Merges several sources into one history: a change that two of them report is shown once.

use super::sources::{Told, whole_second};
use api::history::{HistoryOutcome, HistorySource};

/// Merges webhooks, own actions and listings into one list, newest first.
///
/// Two reports are merged only if they certainly are about the same change:
/// - A change in a listing is left out if a webhook or an own action reported the new value of the field between the
///   previous listing and this one, and no later value was reported. The entry is that of the earlier report. If it is
///   unknown when the previous listing was requested, nothing is certain.
/// - A webhook that reports the value that an own action has just set confirms that action, if nothing else was
///   reported about the field in between. The entry is the action's, with the webhook's event.
///
/// A webhook without a timestamp that is received after a listing showed the same value is kept: the value may have
/// been different in between.
pub(super) fn joined(webhooks: Vec<Told>, own: Vec<Told>, seen: Vec<Told>) -> Vec<Told> {
    let mut exact: Vec<Told> = webhooks.into_iter().chain(own).collect();
    exact.sort_by_key(order);
    let mut all: Vec<Told> = seen.into_iter().filter(|seen| !is_told(seen, &exact)).collect();
    confirm(&mut exact, &all);
    all.extend(exact);
    all.sort_by_key(order);
    all.reverse();
    all
}

/// Whether a change in a listing was reported by a webhook or made here.
fn is_told(seen: &Told, exact: &[Told]) -> bool {
    let Some(since) = seen.entry.not_before else { return false };
    let last = exact.iter().rev().filter(|told| !is_failed(told)).find(|told| {
        told.subject == seen.subject && told.entry.at <= seen.entry.at && told.entry.at >= whole_second(since)
    });
    // Content has no value to compare: a webhook reports that it changed, and the listing the new content. Both are
    // shown.
    last.is_some_and(|told| !seen.value.is_empty() && told.value == seen.value)
}

/// Adds the confirming events to own actions.
fn confirm(exact: &mut Vec<Told>, seen: &[Told]) {
    let mut place = 0;
    while let Some(action) = exact.get(place) {
        place += 1;
        if action.entry.source != HistorySource::Own || action.value.is_empty() || is_failed(action) {
            continue;
        }
        let (subject, value, at) = (action.subject.clone(), action.value.clone(), action.entry.at);
        let next = exact[place..].iter().position(|told| told.subject == subject && !is_failed(told));
        let Some(next) = next.map(|next| place + next) else { continue };
        let told = &exact[next];
        let between = |seen: &Told| seen.subject == subject && (at..told.entry.at).contains(&seen.entry.at);
        if told.entry.source == HistorySource::Webhook && told.value == value && !seen.iter().any(between) {
            let told = exact.remove(next);
            let action = &mut exact[place - 1];
            action.key = told.key;
            action.entry.raw = told.entry.raw;
            action.entry.reason = told.entry.reason.or(action.entry.reason.take());
            // The action is now confirmed.
            action.entry.outcome = Some(HistoryOutcome::Done);
        }
    }
}

fn is_failed(told: &Told) -> bool {
    told.entry.outcome == Some(HistoryOutcome::Failed)
}

/// Sort key: webhooks have timestamps in whole seconds, and follow own actions of the same second.
fn order(told: &Told) -> (i64, u8, i64) {
    let rank = match told.entry.source {
        HistorySource::Own => 0,
        HistorySource::Webhook => 1,
        HistorySource::Sync | HistorySource::Gap => 2,
    };
    (whole_second(told.entry.at), rank, told.entry.at)
}
