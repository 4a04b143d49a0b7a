//! Several sources, one history: what two of them tell of is shown once.

use super::sources::{Told, whole_second};
use api::history::{HistoryOutcome, HistorySource};

/// Puts what webhooks, listings and own actions tell into one list, newest first.
///
/// Two of them tell of the same change where that is certain, and nowhere else:
/// - A listing that differs from the one before says nothing new about a field whose new value a webhook or an own
///   action told of between the two listings, unless it was told to be something else after that. The entry is the
///   earlier one's. Where it is not known when the listing before was asked for, nothing is certain.
/// - A webhook that says of a field what an own action has just made of it is the provider's word about that action, when
///   nothing else was told about the field in between. The entry is the action's, with the webhook's event.
///
/// A webhook that names no instant and comes after a listing that saw the same stays beside it: in between, it could have
/// been something else.
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

/// Whether what a listing saw was told by a webhook or done here.
fn is_told(seen: &Told, exact: &[Told]) -> bool {
    let Some(since) = seen.entry.not_before else { return false };
    let last = exact.iter().rev().filter(|told| !is_failed(told)).find(|told| {
        told.subject == seen.subject && told.entry.at <= seen.entry.at && told.entry.at >= whole_second(since)
    });
    // Content has no value to compare: a webhook says that it changed, and the listing what to. Both are shown.
    last.is_some_and(|told| !seen.value.is_empty() && told.value == seen.value)
}

/// Gives own actions the events that confirm them.
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
            // That it came to that is certain now.
            action.entry.outcome = Some(HistoryOutcome::Done);
        }
    }
}

fn is_failed(told: &Told) -> bool {
    told.entry.outcome == Some(HistoryOutcome::Failed)
}

/// In which order things happened: webhooks tell whole seconds, and within one they follow on what was done here.
fn order(told: &Told) -> (i64, u8, i64) {
    let rank = match told.entry.source {
        HistorySource::Own => 0,
        HistorySource::Webhook => 1,
        HistorySource::Sync | HistorySource::Gap => 2,
    };
    (whole_second(told.entry.at), rank, told.entry.at)
}
