//! Dedupes events without a timestamp: each delivery of one is stored, and redeliveries are left out here.

use std::collections::HashMap;

use model::event::kind::ItemKind;
use model::item::{is_redelivery, key_of_occurrence};
use store::desk::{Submission, SubmissionKind, TemplateEvent};

/// Kind, business account and the channel's template identifier.
type EventIdentity = (String, Option<String>, Option<String>);

/// Events, newest first, without redeliveries of the previous event. The rule is that of Activity: the same content
/// again within a short time, with neither another event of the kind nor an own edit in between.
pub(super) fn without_redeliveries(mut events: Vec<TemplateEvent>, submissions: &[Submission]) -> Vec<TemplateEvent> {
    let edits: Vec<i64> = submissions
        .iter()
        .filter(|submission| submission.kind == SubmissionKind::Edit)
        .map(|submission| submission.created_at)
        .collect();
    let mut last: HashMap<EventIdentity, (String, i64)> = HashMap::new();
    events.reverse();
    events.retain(|event| {
        let kind = ItemKind::from(event.event.as_str());
        let kind = if kind.is_template() { kind } else { ItemKind::TemplateStatus };
        let subject = (kind.to_string(), event.waba.clone(), event.channel_id.clone());
        let key = key_of_occurrence(&event.key).to_owned();
        let edited = edits.iter().copied().filter(|at| *at <= event.at).max();
        let before = last.insert(subject, (key.clone(), event.at));
        !before.is_some_and(|(before, at)| before == key && is_redelivery(at, event.at, edited))
    });
    events.reverse();
    events
}

#[cfg(test)]
mod tests {
    use model::item::{REDELIVERY_WINDOW, occurrence_key};
    use serde_json::json;
    use store::desk::CallState;

    use super::super::tests::webhook_event;
    use super::*;

    fn undated(at: i64, word: &str) -> TemplateEvent {
        let key = occurrence_key(&format!("template_status:{word}"), at, 0);
        TemplateEvent { key, ..webhook_event(at, word, json!({"event": word})) }
    }

    fn edit(at: i64) -> Submission {
        Submission {
            id: at.to_string(),
            workspace_id: "w".to_owned(),
            draft_id: None,
            template_ref: Some("r".to_owned()),
            waba: String::new(),
            kind: SubmissionKind::Edit,
            request: "{}".to_owned(),
            state: CallState::Accepted,
            response_status: None,
            response_body: None,
            error: None,
            created_at: at,
            answered_at: None,
            status_before: None,
            files: None,
        }
    }

    #[test]
    fn redeliveries_are_left_out_and_repeated_events_are_kept() {
        let late = REDELIVERY_WINDOW + 10;
        let cases = [
            ("soon", vec![undated(1, "APPROVED"), undated(9, "APPROVED")], vec![], vec![1]),
            ("late", vec![undated(1, "APPROVED"), undated(late, "APPROVED")], vec![], vec![1, late]),
            (
                "another status between",
                vec![undated(1, "APPROVED"), undated(2, "PAUSED"), undated(3, "APPROVED")],
                vec![],
                vec![1, 2, 3],
            ),
            ("an edit between", vec![undated(1, "APPROVED"), undated(9, "APPROVED")], vec![edit(5)], vec![1, 9]),
            ("an edit before", vec![undated(4, "APPROVED"), undated(9, "APPROVED")], vec![edit(3)], vec![4]),
        ];
        for (what, mut events, edits, expected) in cases {
            events.reverse();
            let mut left: Vec<i64> = without_redeliveries(events, &edits).iter().map(|event| event.at).collect();
            left.reverse();
            assert_eq!(left, expected, "{what}");
        }
    }
}
