//! Why a template cannot be sent or edited, will be disabled or is rated below high, and when that ends: from its row and
//! the events about it.

use std::collections::HashSet;

use model::event::kind::ItemKind;
use model::event::template::{DisableInfo, TemplateStatusUpdate};
use model::lifecycle::pause_length;
use model::vocabulary::{QualityRating, TemplateStatus};
use store::cache::TemplateRow;
use store::desk::TemplateEvent;

use command_types::template::{StatusCause, StatusCauseKind};

/// What the last event with the current status says, or the rating; `None` if nothing needs an explanation here.
pub(super) fn status_cause(row: &TemplateRow, events: &[TemplateEvent]) -> Option<StatusCause> {
    let status = TemplateStatus::from(row.status.as_str());
    let event = match status {
        TemplateStatus::Paused
        | TemplateStatus::Disabled
        | TemplateStatus::InAppeal
        | TemplateStatus::LimitExceeded
        | TemplateStatus::Locked => unanswered(events, &status),
        // A flagged template is still approved.
        _ => unanswered(events, &TemplateStatus::Flagged),
    };
    let update = event.and_then(|event| serde_json::from_str::<TemplateStatusUpdate>(&event.value).ok());
    let said = event.zip(update);
    let kind = match status {
        TemplateStatus::Paused => StatusCauseKind::Paused,
        TemplateStatus::Disabled => StatusCauseKind::Disabled,
        TemplateStatus::Flagged => StatusCauseKind::Flagged,
        TemplateStatus::InAppeal => StatusCauseKind::InAppeal,
        TemplateStatus::LimitExceeded => StatusCauseKind::LimitExceeded,
        TemplateStatus::Locked => StatusCauseKind::Locked,
        _ if said.is_some() => StatusCauseKind::Flagged,
        _ => rating_cause(row, &status)?,
    };
    let Some((event, update)) = said else { return Some(kind.into()) };
    let other = update.other_info.clone().unwrap_or_default();
    let ends_at = other.title.as_deref().and_then(pause_length).map(|length| event.at.saturating_add(length));
    Some(StatusCause {
        kind,
        at: Some(event.at),
        waba: event.waba.clone().filter(|waba| !waba.is_empty()),
        reason: update.stated_reason().map(str::to_owned).or(event.reason.clone()),
        title: other.title,
        description: other.description,
        ends_at: ends_at.filter(|_| status == TemplateStatus::Paused),
        disabled_at: update.disable_info.as_ref().and_then(DisableInfo::instant),
        disabled_on: update.disable_info.filter(|info| info.instant().is_none()).and_then(|info| info.disable_date),
    })
}

/// The event, of those newest first, that reported a status for an account which no later one replaced there.
fn unanswered<'e>(events: &'e [TemplateEvent], wanted: &TemplateStatus) -> Option<&'e TemplateEvent> {
    let mut later = HashSet::new();
    events.iter().find(|event| {
        let Some(status) = last_status(event) else { return false };
        // Without an account, an event is about all of them, and any later one can be the answer to it.
        let account = event.waba.as_deref().filter(|waba| !waba.is_empty());
        let is_answered = later.contains(&account) || later.contains(&None) || (account.is_none() && !later.is_empty());
        later.insert(account);
        status == *wanted && !is_answered
    })
}

/// That a template in use is rated below high.
fn rating_cause(row: &TemplateRow, status: &TemplateStatus) -> Option<StatusCauseKind> {
    let rating = row.quality.as_deref().filter(|_| status.is_sendable() && row.archived != Some(true))?;
    match QualityRating::from(rating) {
        QualityRating::Low => Some(StatusCauseKind::LowQuality),
        QualityRating::Medium => Some(StatusCauseKind::MediumQuality),
        QualityRating::High | QualityRating::Unrated | QualityRating::Unknown(_) => None,
    }
}

/// The status that an event reports, if it is one about the status.
pub(super) fn last_status(event: &TemplateEvent) -> Option<TemplateStatus> {
    // Events about the status are stored under its word, others under their kind.
    let is_status = !ItemKind::from(event.event.as_str()).is_template();
    is_status.then(|| TemplateStatus::from(event.event.as_str()))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use serde_json::json;

    use super::*;
    use crate::templates::history::tests::webhook_event;

    fn row(status: &str, category: &str) -> TemplateRow {
        TemplateRow { status: status.to_owned(), category: category.to_owned(), ..TemplateRow::default() }
    }

    #[test]
    fn the_cause_of_a_pause_is_in_its_event_and_its_end_by_the_rule_of_the_channel() {
        let pause = |at: i64, title: &str| {
            webhook_event(
                at,
                "PAUSED",
                json!({"event": "PAUSED", "reason": "NONE",
                "other_info": {"title": title, "description": "Low quality"}}),
            )
        };
        let cause = status_cause(&row("PAUSED", ""), &[pause(1_000, "FIRST_PAUSE")]).unwrap();
        assert_eq!((cause.at, cause.ends_at), (Some(1_000), Some(1_000 + 3 * 60 * 60 * 1_000)));
        assert_eq!((cause.title.as_deref(), cause.description.as_deref()), (Some("FIRST_PAUSE"), Some("Low quality")));
        assert_eq!((cause.reason, cause.waba.as_deref()), (None, None));
        let named = TemplateEvent { waba: Some("222".to_owned()), ..pause(1_000, "FIRST_PAUSE") };
        assert_eq!(status_cause(&row("PAUSED", ""), &[named]).unwrap().waba.as_deref(), Some("222"));
        let second = status_cause(&row("PAUSED", ""), &[pause(9, "SECOND_PAUSE"), pause(1, "FIRST_PAUSE")]).unwrap();
        assert_eq!(second.ends_at, Some(9 + 6 * 60 * 60 * 1_000));
        // A pause by pacing does not end by itself, and an unknown one at no known time.
        assert_eq!(status_cause(&row("PAUSED", ""), &[pause(9, "RATE_LIMITING_PAUSE")]).unwrap().ends_at, None);
        // Without an event, only the status is known.
        assert_eq!(status_cause(&row("PAUSED", ""), &[]), Some(StatusCauseKind::Paused.into()));
        assert_eq!(status_cause(&row("APPROVED", ""), &[pause(9, "FIRST_PAUSE")]), None);
        for (status, kind) in [
            ("IN_APPEAL", StatusCauseKind::InAppeal),
            ("LIMIT_EXCEEDED", StatusCauseKind::LimitExceeded),
            ("LOCKED", StatusCauseKind::Locked),
        ] {
            assert_eq!(status_cause(&row(status, ""), &[pause(9, "FIRST_PAUSE")]), Some(kind.into()));
            let said = webhook_event(7, status, json!({"event": status}));
            let cause = status_cause(&row(status, ""), &[said]).unwrap();
            assert_eq!((cause.kind, cause.at), (kind, Some(7)));
            // What was over meanwhile is not the cause of what a listing shows now.
            let of = |at, status: &str| webhook_event(at, status, json!({"event": status}));
            assert_eq!(status_cause(&row(status, ""), &[of(8, "APPROVED"), of(7, status)]), Some(kind.into()));
        }
    }

    #[test]
    fn a_template_in_use_that_is_rated_below_high_says_so() {
        let of = |status: &str, quality: &str, archived| {
            let row = TemplateRow { quality: Some(quality.to_owned()), archived, ..row(status, "") };
            status_cause(&row, &[]).map(|cause| cause.kind)
        };
        assert_eq!(of("APPROVED", "RED", None), Some(StatusCauseKind::LowQuality));
        assert_eq!(of("APPROVED", "YELLOW", Some(false)), Some(StatusCauseKind::MediumQuality));
        assert_eq!(of("APPROVED", "GREEN", None), None);
        assert_eq!(of("APPROVED", "UNKNOWN", None), None);
        assert_eq!(of("APPROVED", "RED", Some(true)), None, "archived");
        assert_eq!(of("REJECTED", "RED", None), None, "not in use");
        assert_eq!(of("PAUSED", "RED", None), Some(StatusCauseKind::Paused));
    }

    #[test]
    fn a_flagged_template_has_the_date_on_which_it_is_disabled() {
        let flagged =
            webhook_event(7, "FLAGGED", json!({"event": "FLAGGED", "disable_info": {"disable_date": "May 1"}}));
        let cause = status_cause(&row("APPROVED", ""), std::slice::from_ref(&flagged)).unwrap();
        assert_eq!((cause.kind, cause.disabled_on.as_deref()), (StatusCauseKind::Flagged, Some("May 1")));
        let approved = webhook_event(8, "APPROVED", json!({"event": "APPROVED"}));
        let of = |waba: &str, event: &TemplateEvent| TemplateEvent { waba: Some(waba.to_owned()), ..event.clone() };
        for (events, is_flagged) in [
            (vec![approved.clone(), flagged.clone()], false),
            (vec![of("1", &approved), of("1", &flagged)], false),
            // Of another account.
            (vec![of("2", &approved), of("1", &flagged)], true),
            (vec![of("2", &approved), of("1", &approved), of("1", &flagged)], false),
            (vec![approved.clone(), of("1", &flagged)], false),
            (vec![of("1", &approved), flagged.clone()], false),
        ] {
            assert_eq!(status_cause(&row("APPROVED", ""), &events).is_some(), is_flagged, "{events:?}");
        }
    }
}
