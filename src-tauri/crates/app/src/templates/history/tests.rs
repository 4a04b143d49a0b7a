//! Tables for merged entries, review decisions and gaps.

mod by_waba;

use serde_json::json;
use store::desk::{
    BulkActionKind, CallState, ItemState, Observation, Submission, SubmissionKind, TemplateAction, TemplateEvent,
};

use super::decisions::decisions;
use super::gaps::MAX_RECORD_INTERVAL;
use super::gaps::{offline_spans, with_gaps};
use super::known_since::listed_since;
use super::merge::merged;
use super::sources::{self, ReportedEntry};
use command_types::history::HistoryOutcome;

fn event(at: i64, word: &str) -> Vec<ReportedEntry> {
    sources::by_webhook(&webhook_event(at, word, json!({"event": word})), |_| None)
}

/// A webhook event of the template `n` in `en`.
pub(crate) fn webhook_event(at: i64, word: &str, value: serde_json::Value) -> TemplateEvent {
    TemplateEvent {
        workspace_id: "w".to_owned(),
        key: at.to_string(),
        template_name: "n".to_owned(),
        language: "en".to_owned(),
        channel_id: None,
        waba: None,
        at,
        event: word.to_owned(),
        reason: None,
        value: value.to_string(),
    }
}

fn observed(since: Option<i64>, at: i64, field: &str, after: &str) -> Observation {
    Observation {
        workspace_id: "w".to_owned(),
        template_ref: "r".to_owned(),
        at,
        since,
        field: field.to_owned(),
        waba: None,
        before: Some("before".to_owned()),
        after: Some(after.to_owned()),
    }
}

fn sync(since: Option<i64>, at: i64, field: &str, after: &str) -> Vec<ReportedEntry> {
    sources::by_sync(&[observed(since, at, field, after)], |_| None)
}

fn action(at: i64, action: BulkActionKind, state: ItemState) -> Vec<ReportedEntry> {
    vec![sources::by_action(&TemplateAction {
        order: "o".to_owned(),
        position: 0,
        template_ref: "r".to_owned(),
        name: "n".to_owned(),
        language: "en".to_owned(),
        action,
        state,
        error: None,
        sent_at: at,
        answered_at: Some(at),
    })]
}

fn submitted(at: i64, kind: SubmissionKind, state: CallState) -> Vec<ReportedEntry> {
    let submission = Submission {
        id: at.to_string(),
        workspace_id: "w".to_owned(),
        draft_id: None,
        template_ref: Some("r".to_owned()),
        waba: "1".to_owned(),
        kind,
        request: "{}".to_owned(),
        state,
        response_status: None,
        response_body: None,
        error: None,
        created_at: at,
        answered_at: None,
        status_before: None,
        files: None,
    };
    vec![sources::by_submission(&submission, |at| Some(format!("v{at}")))]
}

/// Source, kind and instant of each entry, oldest first.
fn shown(history: &[ReportedEntry]) -> Vec<String> {
    let word = |reported: &ReportedEntry| {
        let source = serde_json::to_value(reported.entry.source).unwrap_or_default();
        let after = reported.entry.after.as_deref().unwrap_or("-");
        format!(
            "{} {} {after} {}",
            source.as_str().unwrap_or_default(),
            reported.entry.kind.as_str(),
            reported.entry.at
        )
    };
    history.iter().rev().map(word).collect()
}

const CREATE: SubmissionKind = SubmissionKind::Create;
const EDIT: SubmissionKind = SubmissionKind::Edit;

#[test]
fn a_change_that_two_sources_report_is_shown_once() {
    type Case = (
        &'static str,
        Vec<Vec<ReportedEntry>>,
        Vec<Vec<ReportedEntry>>,
        Vec<Vec<ReportedEntry>>,
        &'static [&'static str],
    );
    let cases: Vec<Case> = vec![
        (
            "a listing shows what a webhook reported since the previous one",
            vec![event(5_000, "APPROVED")],
            vec![],
            vec![sync(Some(4_000), 9_000, "status", "APPROVED")],
            &["webhook status APPROVED 5000"],
        ),
        (
            "a webhook of before the listing before is about another change",
            vec![event(3_000, "APPROVED")],
            vec![],
            vec![sync(Some(4_000), 9_000, "status", "APPROVED")],
            &["webhook status APPROVED 3000", "sync status APPROVED 9000"],
        ),
        (
            "the time of the previous listing is unknown",
            vec![event(5_000, "APPROVED")],
            vec![],
            vec![sync(None, 9_000, "status", "APPROVED")],
            &["webhook status APPROVED 5000", "sync status APPROVED 9000"],
        ),
        (
            "another value",
            vec![event(5_000, "APPROVED")],
            vec![],
            vec![sync(Some(4_000), 9_000, "status", "PAUSED")],
            &["webhook status APPROVED 5000", "sync status PAUSED 9000"],
        ),
        (
            "it was something else after that",
            vec![event(5_000, "APPROVED"), event(6_000, "PAUSED")],
            vec![],
            vec![sync(Some(4_000), 9_000, "status", "APPROVED")],
            &["webhook status APPROVED 5000", "webhook status PAUSED 6000", "sync status APPROVED 9000"],
        ),
        (
            "the webhook comes after the listing",
            vec![event(9_500, "APPROVED")],
            vec![],
            vec![sync(Some(4_000), 9_000, "status", "APPROVED")],
            &["webhook status APPROVED 9500", "sync status APPROVED 9000"],
        ),
        (
            "an event by another word that leads to the status",
            vec![event(5_000, "REINSTATED")],
            vec![],
            vec![sync(Some(4_000), 9_000, "status", "approved")],
            &["webhook status REINSTATED 5000"],
        ),
        (
            "an action, its webhook and the listing after them",
            vec![event(5_000, "ARCHIVED")],
            vec![action(5_700, BulkActionKind::Archive, ItemState::Done)],
            vec![sync(Some(4_000), 9_000, "archived", "true")],
            &["own archived - 5700"],
        ),
        (
            "an action that failed is none",
            vec![event(6_000, "ARCHIVED")],
            vec![action(5_700, BulkActionKind::Archive, ItemState::Failed)],
            vec![],
            &["own archived - 5700", "webhook archived ARCHIVED 6000"],
        ),
        (
            "archived again elsewhere",
            vec![event(6_000, "ARCHIVED"), event(7_000, "UNARCHIVED"), event(8_000, "ARCHIVED")],
            vec![action(5_700, BulkActionKind::Archive, ItemState::Done)],
            vec![],
            &["own archived - 5700", "webhook unarchived UNARCHIVED 7000", "webhook archived ARCHIVED 8000"],
        ),
        (
            "between the action and the webhook a listing saw the opposite",
            vec![event(10_500, "ARCHIVED")],
            vec![action(5_700, BulkActionKind::Archive, ItemState::Done)],
            vec![sync(Some(6_000), 9_000, "archived", "false")],
            &["own archived - 5700", "sync unarchived - 9000", "webhook archived ARCHIVED 10500"],
        ),
        (
            "a creation whose answer was lost is listed",
            vec![],
            vec![submitted(5_000, CREATE, CallState::Unknown)],
            vec![sync(Some(4_000), 9_000, "added", "{}")],
            &["own submitted - 5000"],
        ),
        (
            "deleted here and gone",
            vec![event(5_000, "DELETED")],
            vec![action(5_100, BulkActionKind::Delete, ItemState::Done)],
            vec![sync(Some(4_000), 9_000, "removed", "")],
            &["own deleted - 5100"],
        ),
        (
            "content has no value to compare",
            vec![sources::by_webhook(&webhook_event(5_000, "template_components", json!({})), |_| None)],
            vec![],
            vec![sync(Some(4_000), 9_000, "components", "[]")],
            &["webhook content - 5000", "sync content - 9000"],
        ),
    ];
    for (what, webhooks, own, observed, expected) in cases {
        let history = merged(webhooks.concat(), own.concat(), observed.concat());
        assert_eq!(shown(&history), expected, "{what}");
    }
}

#[test]
fn an_action_is_merged_with_the_event_that_confirms_it() {
    let history = merged(event(6_000, "ARCHIVED"), action(5_700, BulkActionKind::Archive, ItemState::Unknown), vec![]);
    let entry = &history[0].entry;
    assert_eq!((history.len(), entry.outcome), (1, Some(HistoryOutcome::Done)));
    assert_eq!(history[0].key.as_deref(), Some("6000"), "the key of the webhook's event");
    assert!(entry.raw.as_deref().is_some_and(|raw| raw.contains("ARCHIVED")));
}

#[test]
fn webhook_fields_become_history_entries() {
    let known = |_| Some("UTILITY".to_owned());
    let laid_out = |word: &str, value: serde_json::Value| -> Vec<serde_json::Value> {
        let entries = sources::by_webhook(&webhook_event(1, word, value), known);
        let fields = |reported: &ReportedEntry| {
            let entry = &reported.entry;
            let shown = [
                json!(entry.kind),
                json!(entry.before),
                json!(entry.after),
                json!(entry.field),
                json!(entry.reason),
                json!(entry.advice),
            ];
            // Few entries have a date to come.
            json!(shown.into_iter().chain(entry.due_at.map(|at| json!(at))).collect::<Vec<_>>())
        };
        entries.iter().map(fields).collect()
    };
    for (word, value, expected) in [
        ("APPROVED", json!({"event": "APPROVED"}), json!([["status", null, "APPROVED", null, null, null]])),
        // Requested as utility, approved as marketing.
        (
            "APPROVED",
            json!({"event": "APPROVED", "message_template_category": "MARKETING"}),
            json!([
                ["status", null, "APPROVED", null, null, null],
                ["category", "UTILITY", "MARKETING", null, null, null]
            ]),
        ),
        (
            "APPROVED",
            json!({"event": "APPROVED", "message_template_category": "utility"}),
            json!([["status", null, "APPROVED", null, null, null]]),
        ),
        (
            "REJECTED",
            json!({"event": "REJECTED", "rejection_info": {"reason": "why", "recommendation": "do"}}),
            json!([["status", null, "REJECTED", null, null, "do"]]),
        ),
        (
            "PAUSED",
            json!({"event": "PAUSED", "other_info": {"title": "FIRST_PAUSE", "description": "for 3 hours"}}),
            json!([["status", null, "PAUSED", null, "FIRST_PAUSE", "for 3 hours"]]),
        ),
        (
            "FLAGGED",
            json!({"event": "FLAGGED", "disable_info": {"disable_date": 1_700_000_000}}),
            json!([["status", null, "FLAGGED", null, null, null, 1_700_000_000_000_i64]]),
        ),
        ("UNHEARD_OF", json!({"event": "UNHEARD_OF"}), json!([["status", null, "UNHEARD_OF", null, null, null]])),
        (
            "template_quality",
            json!({"previous_quality_score": "GREEN", "new_quality_score": "RED"}),
            json!([["quality", "GREEN", "RED", null, null, null]]),
        ),
        (
            "template_category",
            json!({"previous_category": "UTILITY", "new_category": "MARKETING"}),
            json!([["category", "UTILITY", "MARKETING", null, null, null]]),
        ),
        (
            "template_category",
            json!({"correct_category": "MARKETING", "new_category": "UTILITY",
                "category_update_timestamp": 1_800_000_000}),
            json!([["category", "UTILITY", "MARKETING", "announced", null, null, 1_800_000_000_000_i64]]),
        ),
        (
            "template_components",
            json!({"message_template_element": "Hi"}),
            json!([["content", null, null, "components", null, null]]),
        ),
    ] {
        assert_eq!(json!(laid_out(word, value.clone())), expected, "{word} {value}");
    }
}

#[test]
fn reasons_are_attached_to_the_status_that_changed_with_them() {
    let together = [observed(Some(1), 9, "status", "REJECTED"), observed(Some(1), 9, "rejected_reason", "SCAM")];
    let reported = sources::by_sync(&together, |_| None);
    assert_eq!((reported.len(), reported[0].entry.reason.as_deref()), (1, Some("SCAM")));
    let alone = sources::by_sync(&together[1..], |_| None);
    assert_eq!((alone[0].entry.kind.as_str(), alone[0].entry.after.as_deref()), ("rejected_reason", Some("SCAM")));
    assert_eq!((alone[0].entry.exact, alone[0].entry.not_before), (false, Some(1)));
}

#[test]
fn a_review_is_decided_by_the_first_outcome_after_it() {
    let (accepted, refused) = (CallState::Accepted, CallState::Refused);
    type Case = (&'static str, Vec<Vec<ReportedEntry>>, Vec<&'static str>);
    let cases: Vec<Case> = vec![
        ("no outcome", vec![submitted(5_700, CREATE, accepted)], vec!["5700 - exact v5700"]),
        (
            "reported within the second",
            vec![submitted(5_700, CREATE, accepted), event(5_000, "PENDING"), event(5_000, "APPROVED")],
            vec!["5700 APPROVED 0 exact v5700"],
        ),
        (
            "a listing reported it",
            vec![submitted(5_000, CREATE, accepted), sync(Some(6_000), 9_000, "status", "REJECTED")],
            vec!["5000 REJECTED 4000 late v5000"],
        ),
        (
            "made elsewhere",
            vec![event(5_000, "PENDING"), event(8_000, "REJECTED"), event(9_000, "APPROVED")],
            vec!["5000 REJECTED 3000 exact -"],
        ),
        ("the start is unknown", vec![event(8_000, "REJECTED")], vec![]),
        (
            "rejected, fixed, approved",
            vec![
                submitted(5_000, CREATE, accepted),
                event(7_000, "REJECTED"),
                submitted(8_000, EDIT, accepted),
                event(8_000, "PENDING"),
                event(9_000, "APPROVED"),
                event(10_000, "PAUSED"),
            ],
            vec!["5000 REJECTED 2000 exact v5000", "8000 APPROVED 1000 exact v8000"],
        ),
        (
            "edited before anything was decided",
            vec![submitted(5_000, CREATE, accepted), submitted(6_000, EDIT, accepted), event(9_000, "APPROVED")],
            vec!["5000 - exact v5000", "6000 APPROVED 3000 exact v6000"],
        ),
        ("refused at the door", vec![submitted(5_000, CREATE, refused), event(9_000, "APPROVED")], vec![]),
        (
            "in several WABAs at once",
            vec![submitted(5_000, CREATE, accepted), submitted(5_100, CREATE, accepted), event(9_000, "APPROVED")],
            vec!["5000 APPROVED 4000 exact v5000"],
        ),
    ];
    for (what, reported, expected) in cases {
        let history: Vec<_> =
            merged(vec![], reported.concat(), vec![]).into_iter().map(|reported| reported.entry).collect();
        let found = decisions(&history).into_iter().rev().map(|decision| {
            let took = decision.took_ms.map(|took| format!("{took} ")).unwrap_or_default();
            let outcome = decision.outcome.as_deref().unwrap_or("-");
            let exact = if decision.exact { "exact" } else { "late" };
            format!("{} {outcome} {took}{exact} {}", decision.submitted_at, decision.version.as_deref().unwrap_or("-"))
        });
        assert_eq!(found.collect::<Vec<_>>(), expected, "{what}");
    }
}

#[test]
fn offline_spans_are_the_times_without_a_receiver() {
    for (spans, expected) in [
        (vec![], vec![]),
        (vec![(10, 20)], vec![]),
        (vec![(10 - MAX_RECORD_INTERVAL, 89 - MAX_RECORD_INTERVAL)], vec![(89 - MAX_RECORD_INTERVAL, i64::MAX)]),
        (vec![(10, 20), (15, 18), (19, 30), (40, 50)], vec![(30, 40)]),
        (vec![(10, 20), (20, 30)], vec![]),
        (vec![(10, 20), (25, 30), (31, 90)], vec![(20, 25), (30, 31)]),
    ] {
        assert_eq!(offline_spans(&spans, 90), expected, "{spans:?}");
    }
}

#[test]
fn only_gaps_that_can_hide_changes_are_shown() {
    let created = submitted(1_000, CREATE, CallState::Accepted);
    let (since, at) = (Some(4_000), 9_000);
    type Case = (&'static str, Vec<ReportedEntry>, Vec<(i64, i64)>, bool, Vec<&'static str>);
    let cases: Vec<Case> = vec![
        ("no change", created.clone(), vec![(2_000, 3_000)], false, vec![]),
        (
            "away within",
            [created.clone(), sync(since, at, "status", "PAUSED")].concat(),
            vec![(2_000, 3_000), (5_000, 6_000), (7_000, 8_000), (9_500, i64::MAX)],
            false,
            vec!["5000..8000 notListening"],
        ),
        (
            "away at both ends",
            [created.clone(), sync(since, at, "status", "PAUSED")].concat(),
            vec![(2_000, 4_500), (8_500, 10_000)],
            false,
            vec!["4000..9000 notListening"],
        ),
        (
            "listening all the time",
            [created.clone(), sync(since, at, "status", "PAUSED")].concat(),
            vec![(2_000, 4_000), (9_000, i64::MAX)],
            false,
            vec![],
        ),
        (
            "not known whether it listened",
            [created.clone(), sync(since, at, "status", "PAUSED")].concat(),
            vec![],
            false,
            vec![],
        ),
        (
            "two changes, one gap",
            [created.clone(), sync(since, at, "quality", "RED"), sync(since, at, "status", "PAUSED")].concat(),
            vec![(5_000, 6_000)],
            false,
            vec!["5000..6000 notListening"],
        ),
        ("a webhook reported it", [created, event(5_000, "PAUSED")].concat(), vec![(4_000, 6_000)], false, vec![]),
        ("not made here", event(5_000, "PAUSED"), vec![], false, vec!["?..5000 notListed"]),
        ("first seen in a later listing", sync(since, at, "added", "{}"), vec![], false, vec![]),
        ("first seen, by an older version", sync(None, at, "added", "{}"), vec![], false, vec!["?..9000 notListed"]),
        ("more than is looked at", event(5_000, "PAUSED"), vec![], true, vec!["?..5000 limit"]),
        ("nothing at all", vec![], vec![], true, vec![]),
    ];
    for (what, reported, offline_spans, cut, expected) in cases {
        let history = with_gaps(merged(vec![], reported, vec![]), &offline_spans, None, cut);
        let gaps = history.iter().filter_map(|reported| {
            let reason = serde_json::to_value(reported.entry.gap?).ok()?;
            let from = reported.entry.not_before.map_or_else(|| "?".to_owned(), |from| from.to_string());
            Some(format!("{from}..{} {}", reported.entry.at, reason.as_str()?))
        });
        assert_eq!(gaps.collect::<Vec<_>>(), expected, "{what}");
    }
}

#[test]
fn a_template_is_known_since_the_first_listing_that_contained_it() {
    let (status, added) =
        (observed(Some(4_000), 9_000, "status", "PAUSED"), observed(Some(4_000), 9_000, "added", "{}"));
    let removed = observed(Some(3_000), 6_000, "removed", "");
    for (what, observed, first_listed, expected) in [
        ("unchanged since the first listing", vec![], Some(2_000), Some(2_000)),
        ("changed later", vec![status.clone()], Some(2_000), Some(2_000)),
        ("when the first listing was is not recorded", vec![status.clone()], None, Some(4_000)),
        ("nothing is recorded", vec![], None, None),
        ("added by a later listing", vec![added.clone(), status], Some(2_000), Some(9_000)),
        ("removed, and listed again", vec![added, removed], Some(2_000), Some(2_000)),
    ] {
        assert_eq!(listed_since(&observed, &[], first_listed), expected, "{what}");
    }
}

#[test]
fn a_template_was_not_listed_before_only_where_that_is_so() {
    for (what, reported, since, expected) in [
        ("an event after the first listing", event(5_000, "PAUSED"), Some(2_000), 0),
        ("an event before the first listing", event(1_000, "PAUSED"), Some(2_000), 1),
        ("an event within the second of the first listing", event(2_000, "PAUSED"), Some(2_700), 0),
        ("a change in a listing", sync(Some(2_000), 5_000, "status", "PAUSED"), Some(2_000), 0),
        ("added, by an older version", sync(None, 5_000, "added", "{}"), Some(5_000), 1),
    ] {
        let history = with_gaps(merged(vec![], reported, vec![]), &[], since, false);
        assert_eq!(history.len() - 1, expected, "{what}");
    }
}
