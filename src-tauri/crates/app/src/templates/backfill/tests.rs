//! Tables of restored and unknown values.

use serde_json::{Value, json};
use store::desk::{CallState, ItemState, SubmissionKind};

use super::*;
use crate::templates::history::tests::webhook_event;

const SECOND: i64 = 1_000;

fn event(at: i64, word: &str, value: &Value) -> TemplateEvent {
    webhook_event(at, word, value.clone())
}

fn seen(at: i64, field: &str, before: &str, after: &str) -> Observation {
    Observation {
        workspace_id: "w".to_owned(),
        template_ref: "r".to_owned(),
        at,
        since: Some(at - 1),
        field: field.to_owned(),
        waba: None,
        before: Some(before.to_owned()),
        after: Some(after.to_owned()),
    }
}

fn added(at: i64, record: &Value) -> Observation {
    Observation { before: None, ..seen(at, "added", "", &record.to_string()) }
}

fn action(at: i64, action: BulkActionKind) -> TemplateAction {
    TemplateAction {
        order: "o".to_owned(),
        position: 0,
        template_ref: "r".to_owned(),
        name: "n".to_owned(),
        language: "en".to_owned(),
        action,
        state: ItemState::Done,
        error: None,
        sent_at: at,
        answered_at: Some(at + 1),
    }
}

fn submission(at: i64, kind: SubmissionKind, category: &str, answer: Option<&Value>) -> Submission {
    Submission {
        id: at.to_string(),
        workspace_id: "w".to_owned(),
        draft_id: None,
        template_ref: Some("r".to_owned()),
        waba: "1".to_owned(),
        kind,
        request: json!({"name": "n", "language": "en", "category": category, "components": []}).to_string(),
        state: CallState::Accepted,
        response_status: answer.map(|_| 200),
        response_body: answer.map(Value::to_string),
        error: None,
        created_at: at,
        answered_at: Some(at + 1),
        status_before: None,
        files: None,
    }
}

/// A template after a listing that was answered at [`NOW`].
fn shown(status: &str, archived: bool, category: &str, memory: &StoredHistory) -> TemplateRow {
    let mut row = TemplateRow {
        status: status.to_owned(),
        archived: Some(archived),
        category: category.to_owned(),
        ..TemplateRow::default()
    };
    fill_in(&mut row, memory, NOW);
    row
}

const NOW: i64 = 9_000 * SECOND;

fn exact(at: i64) -> Option<Since> {
    Some(Since { at, exact: true })
}

fn not_exact(at: i64) -> Option<Since> {
    Some(Since { at, exact: false })
}

#[test]
fn a_status_is_dated_by_its_last_change() {
    let status = |events: &[(i64, &str)], seen_at: &[(i64, &str, &str)], submitted: &[i64]| {
        let created = |at: &i64| submission(*at, SubmissionKind::Create, "utility", Some(&json!({"uuid": "r"})));
        let memory = StoredHistory {
            events: events.iter().map(|(at, word)| event(*at, word, &json!({"event": word}))).collect(),
            observations: seen_at.iter().map(|(at, before, after)| seen(*at, "status", before, after)).collect(),
            submissions: submitted.iter().map(created).collect(),
            ..StoredHistory::default()
        };
        shown("APPROVED", false, "utility", &memory).status_since
    };
    let is = "APPROVED";
    for (events, listings, submissions, since) in [
        (&[][..], &[][..], &[][..], None),
        (&[(10 * SECOND, is)], &[], &[], exact(10 * SECOND)),
        (&[], &[(10_500, "PENDING", is)], &[], not_exact(10_500)),
        // Events have timestamps in whole seconds, and follow submissions of the same second.
        (&[(10 * SECOND, is)], &[], &[10_400], exact(10 * SECOND)),
        (&[(10 * SECOND, "PENDING"), (20 * SECOND, is), (30 * SECOND, is)], &[], &[], exact(20 * SECOND)),
        (&[(20 * SECOND, is), (30 * SECOND, "PAUSED"), (40 * SECOND, is)], &[], &[], exact(40 * SECOND)),
        // A flagged template can still be sent.
        (&[(20 * SECOND, is), (30 * SECOND, "FLAGGED")], &[], &[], exact(20 * SECOND)),
        // A status first observed in a listing and reported by a later event.
        (&[(20 * SECOND, is)], &[(25_000, "PENDING", is)], &[], exact(20 * SECOND)),
        (&[(20 * SECOND, "PAUSED")], &[(25_000, "PAUSED", is)], &[], not_exact(25_000)),
        // The status changed without a report.
        (&[(20 * SECOND, "PAUSED")], &[], &[], not_exact(NOW)),
        (&[], &[], &[10_400], not_exact(NOW)),
    ] {
        assert_eq!(status(events, listings, submissions), since, "{events:?} {listings:?} {submissions:?}");
    }
}

#[test]
fn a_submitted_template_is_pending_since_its_submission() {
    let pending = |answer: Option<&Value>, before: Vec<Observation>| {
        let submissions = vec![submission(10_400, SubmissionKind::Edit, "utility", answer)];
        let memory = StoredHistory { submissions, observations: before, ..StoredHistory::default() };
        shown("PENDING", false, "utility", &memory).status_since
    };
    let rejected = || vec![seen(5_000, "status", "PENDING", "REJECTED")];
    assert_eq!(pending(Some(&json!({"uuid": "r"})), rejected()), exact(10_400));
    assert_eq!(pending(Some(&json!({"data": {"status": "PENDING"}})), rejected()), exact(10_400));
    assert_eq!(pending(Some(&json!({"status": "APPROVED"})), rejected()), not_exact(NOW));
    // The answer was lost, and the submission was reconciled with a listing.
    assert_eq!(pending(None, rejected()), not_exact(NOW));
    assert_eq!(pending(None, vec![seen(11_000, "status", "REJECTED", "PENDING")]), not_exact(11_000));
}

#[test]
fn an_archived_template_is_dated_by_its_archiving() {
    use BulkActionKind::{Archive, Unarchive};
    let archived = |memory: &StoredHistory| shown("APPROVED", true, "utility", memory).archived_since;
    let event = |at, word| event(at, word, &json!({"event": word}));
    let actions = |actions: &[(i64, BulkActionKind)]| StoredHistory {
        actions: actions.iter().map(|(at, done)| action(*at, *done)).collect(),
        ..StoredHistory::default()
    };
    assert_eq!(archived(&actions(&[(10_400, Archive)])), exact(10_400));
    assert_eq!(archived(&actions(&[(10_400, Archive), (11_000, Unarchive), (12_000, Archive)])), exact(12_000));
    assert_eq!(archived(&actions(&[(10_400, Unarchive)])), not_exact(NOW));
    // Confirmed by an event.
    let confirmed = StoredHistory { events: vec![event(10 * SECOND, "ARCHIVED")], ..actions(&[(10_400, Archive)]) };
    assert_eq!(archived(&confirmed), exact(10 * SECOND));
    // The answer was lost, and a listing was the first report.
    let settled = StoredHistory {
        observations: vec![seen(15_000, "archived", "false", "true")],
        ..actions(&[(10_400, Archive)])
    };
    assert_eq!(archived(&settled), not_exact(15_000));
    let listed =
        StoredHistory { observations: vec![added(15_000, &json!({"archived": true}))], ..StoredHistory::default() };
    assert_eq!(archived(&listed), not_exact(15_000));
    // The provider's own value takes precedence.
    let mut row = TemplateRow { archived: Some(true), archived_since: exact(7), ..TemplateRow::default() };
    fill_in(&mut row, &confirmed, NOW);
    assert_eq!(row.archived_since, exact(7));
}

#[test]
fn a_template_that_listings_left_out_is_as_before_when_it_is_listed_again() {
    let rejection = json!({"event": "REJECTED", "reason": "SCAM"});
    let added = added(30_000, &json!({"name": "n", "category": "marketing", "status": "REJECTED"}));
    let memory = StoredHistory {
        events: vec![event(11 * SECOND, "REJECTED", &rejection)],
        observations: vec![seen(20_000, "removed", "{}", ""), added],
        ..StoredHistory::default()
    };
    let row = shown("REJECTED", false, "marketing", &memory);
    assert_eq!((row.rejected_reason.as_deref(), row.status_since), (Some("SCAM"), exact(11_000)));
    // Rejected again after a listing showed it as approved: the earlier reason is of another review.
    let approved = seen(40_000, "status", "REJECTED", "APPROVED");
    let rejected = seen(50_000, "status", "APPROVED", "REJECTED");
    let observations = memory.observations.iter().cloned().chain([approved, rejected]).collect();
    let row = shown("REJECTED", false, "marketing", &StoredHistory { observations, ..memory });
    assert_eq!((row.rejected_reason, row.status_since), (None, not_exact(50_000)));
}

#[test]
fn a_template_that_was_deleted_keeps_only_its_requested_category() {
    let gone = action(20_000, BulkActionKind::Delete);
    let memory = StoredHistory {
        submissions: vec![submission(10_400, SubmissionKind::Create, "utility", Some(&json!({})))],
        events: vec![event(11 * SECOND, "APPROVED", &json!({"event": "APPROVED"}))],
        actions: vec![gone],
        last_sent_at: Some(12_000),
        ..StoredHistory::default()
    };
    let row = shown("APPROVED", false, "marketing", &memory);
    assert_eq!((row.status_since, row.asked_category.as_deref()), (None, Some("utility")));
    assert_eq!(row.last_sent_at, Some(12_000));
    let added = added(30_000, &json!({"name": "n", "category": "marketing", "status": "APPROVED"}));
    let back = StoredHistory { observations: vec![added], ..memory };
    assert_eq!(shown("APPROVED", false, "marketing", &back).status_since, not_exact(30_000));
}

#[test]
fn the_requested_category_is_derived_from_submissions_and_category_changes() {
    let asked = |memory: &StoredHistory| shown("APPROVED", false, "marketing", memory).asked_category;
    let approved = |at, category: &str| {
        event(at, "APPROVED", &json!({"event": "APPROVED", "message_template_category": category}))
    };
    let utility = Some("utility".to_owned());
    let created = submission(10_400, SubmissionKind::Create, "utility", Some(&json!({"category": "MARKETING"})));
    let memory = StoredHistory { submissions: vec![created.clone()], ..StoredHistory::default() };
    assert_eq!(asked(&memory), utility, "the answer says otherwise at once");
    let edited = submission(20_400, SubmissionKind::Edit, "marketing", Some(&json!({})));
    let memory =
        StoredHistory { submissions: vec![created, edited], events: vec![approved(15_000, "MARKETING")], ..memory };
    assert_eq!(asked(&memory).as_deref(), Some("marketing"), "the last request counts");

    let pending = added(5_000, &json!({"name": "n", "category": "utility", "status": "PENDING"}));
    let memory = StoredHistory { observations: vec![pending.clone()], ..StoredHistory::default() };
    assert_eq!(asked(&memory), utility, "it was in review when it was seen, and is in another category now");
    let memory = StoredHistory { events: vec![approved(15_000, "MARKETING")], ..memory };
    assert_eq!(asked(&memory), utility, "or the event reported it");
    let listed = || vec![seen(9_000, "category", "utility", "marketing"), seen(9_000, "status", "PENDING", "APPROVED")];
    assert_eq!(asked(&StoredHistory { observations: listed(), ..StoredHistory::default() }), utility, "or a listing");
    let edited = vec![seen(9_000, "category", "utility", "marketing"), seen(9_000, "status", "REJECTED", "PENDING")];
    assert_eq!(
        asked(&StoredHistory { observations: edited, ..StoredHistory::default() }),
        None,
        "people may have changed it"
    );
    let changed = json!({"previous_category": "UTILITY", "new_category": "MARKETING"});
    let changed = event(20_000, "template_category", &changed);
    let memory = StoredHistory { events: vec![approved(15_000, "UTILITY"), changed], ..StoredHistory::default() };
    assert_eq!(asked(&memory), utility);
    let record = json!({"name": "n", "category": "marketing", "previous_category": "utility", "status": "PENDING"});
    assert_eq!(
        asked(&StoredHistory { observations: vec![added(5_000, &record)], ..StoredHistory::default() }),
        utility
    );
    assert_eq!(asked(&StoredHistory { events: vec![approved(15_000, "MARKETING")], ..StoredHistory::default() }), None);
}

#[test]
fn what_only_events_said_is_known_after_the_first_listing() {
    let rejected = event(10_000, "REJECTED", &json!({"event": "REJECTED", "reason": "SCAM"}));
    let red = event(11_000, "template_quality", &json!({"new_quality_score": "RED"}));
    let memory = StoredHistory { events: vec![rejected.clone(), red], ..StoredHistory::default() };
    let row = shown("REJECTED", false, "marketing", &memory);
    assert_eq!((row.rejected_reason.as_deref(), row.quality.as_deref()), (Some("SCAM"), Some("RED")));
    assert_eq!(shown("APPROVED", false, "marketing", &memory).rejected_reason, None, "it was approved since");
    let approved = event(20_000, "APPROVED", &json!({"event": "APPROVED"}));
    let again = StoredHistory { events: vec![rejected, approved], ..StoredHistory::default() };
    assert_eq!(shown("REJECTED", false, "marketing", &again).rejected_reason, None, "this rejection has no event");

    let changed = json!({"previous_category": "UTILITY", "new_category": "MARKETING"});
    let changed = vec![event(12_000, "template_category", &changed)];
    let memory = StoredHistory { events: changed, ..StoredHistory::default() };
    assert_eq!(shown("APPROVED", false, "marketing", &memory).asked_category.as_deref(), Some("utility"));
    assert_eq!(shown("REJECTED", false, "marketing", &memory).asked_category, None, "people may have changed it");
    let events = [memory.events.as_slice(), &[event(20_000, "APPROVED", &json!({"event": "APPROVED"}))]].concat();
    let memory = StoredHistory { events, ..memory };
    assert_eq!(shown("APPROVED", false, "marketing", &memory).asked_category, None, "it may have been rejected before");
}

#[test]
fn the_last_change_may_come_from_any_source() {
    assert_eq!(last_change(&StoredHistory::default()), None);
    let memory = StoredHistory { last_sent_at: Some(99), last_observed_at: Some(5), ..StoredHistory::default() };
    assert_eq!(last_change(&memory), Some(5), "a send changes nothing");
    let memory = StoredHistory { actions: vec![action(7, BulkActionKind::Archive)], ..memory };
    assert_eq!(last_change(&memory), Some(7));
    let memory = StoredHistory { events: vec![event(9, "PAUSED", &json!({}))], ..memory };
    assert_eq!(last_change(&memory), Some(9));
    let created = submission(11, SubmissionKind::Create, "utility", None);
    assert_eq!(last_change(&StoredHistory { submissions: vec![created], ..memory }), Some(11));
}
