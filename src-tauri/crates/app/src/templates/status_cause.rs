//! Why a template is paused, disabled, flagged or rated below high and when that ends, and the category change that is
//! announced: from its row and the events about it.

use std::collections::BTreeMap;

use model::event::kind::ItemKind;
use model::event::template::{CategoryChange, DisableInfo, TemplateCategoryUpdate, TemplateStatusUpdate};
use model::language;
use model::lifecycle::{is_other_category, pause_length};
use model::vocabulary::{Category, QualityRating, TemplateStatus};
use store::cache::TemplateRow;
use store::desk::{TemplateEvent, TemplateIds};

use crate::templates::Templates;
use command_types::error::Result;
use command_types::template::{ComingCategory, StatusCause, StatusCauseKind};

/// What the last event with the current status says, or the rating; `None` if nothing needs an explanation here.
pub(super) fn status_cause(row: &TemplateRow, events: &[TemplateEvent]) -> Option<StatusCause> {
    let status = TemplateStatus::from(row.status.as_str());
    let is_flagged = |event: &&TemplateEvent| matches!(last_status(event), Some(TemplateStatus::Flagged));
    let event = match status {
        TemplateStatus::Paused | TemplateStatus::Disabled => {
            events.iter().find(|event| last_status(event) == Some(status.clone()))
        }
        // A flagged template is still approved; the event before any other status event counts.
        _ => events.iter().find(|event| last_status(event).is_some()).filter(is_flagged),
    };
    let update = event.and_then(|event| serde_json::from_str::<TemplateStatusUpdate>(&event.value).ok());
    let said = event.zip(update);
    let kind = match status {
        TemplateStatus::Paused => StatusCauseKind::Paused,
        TemplateStatus::Disabled => StatusCauseKind::Disabled,
        TemplateStatus::Flagged => StatusCauseKind::Flagged,
        _ if said.is_some() => StatusCauseKind::Flagged,
        _ => rating_cause(row, &status)?,
    };
    let Some((event, update)) = said else { return Some(kind.into()) };
    let other = update.other_info.clone().unwrap_or_default();
    let ends_at = other.title.as_deref().and_then(pause_length).map(|length| event.at.saturating_add(length));
    Some(StatusCause {
        kind,
        at: Some(event.at),
        reason: update.stated_reason().map(str::to_owned).or(event.reason.clone()),
        title: other.title,
        description: other.description,
        ends_at: ends_at.filter(|_| status == TemplateStatus::Paused),
        disabled_at: update.disable_info.as_ref().and_then(DisableInfo::instant),
        disabled_on: update.disable_info.filter(|info| info.instant().is_none()).and_then(|info| info.disable_date),
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
fn last_status(event: &TemplateEvent) -> Option<TemplateStatus> {
    // Events about the status are stored under its word, others under their kind.
    let is_status = !ItemKind::from(event.event.as_str()).is_template();
    is_status.then(|| TemplateStatus::from(event.event.as_str()))
}

impl Templates {
    /// The category changes that are announced for listed templates, by their references.
    pub(super) async fn coming_categories(
        &self,
        workspace: &str,
        rows: &[TemplateRow],
    ) -> Result<BTreeMap<String, ComingCategory>> {
        let ids = rows.iter().map(|row| TemplateIds {
            reference: row.reference.clone(),
            name: row.name.clone(),
            language: language::normalise(&row.language).into_owned(),
            channel_id: row.channel_id.clone(),
        });
        let kind = ItemKind::TemplateCategory.as_str();
        let mut events = self.0.context.desk.events_of_kind(workspace, ids.collect(), kind).await?;
        let references = rows.iter().map(|row| row.reference.clone()).collect();
        let listed = self.0.context.cache.announced_categories(workspace, references).await?;
        let mut coming = BTreeMap::new();
        for row in rows {
            let about = match events.remove(&row.reference) {
                Some(events) => self.events_about(workspace, &row.reference, events, |_| false).await?,
                None => Vec::new(),
            };
            let listed = listed.get(&row.reference).map(String::as_str);
            coming.extend(coming_category(row, listed, &about).map(|coming| (row.reference.clone(), coming)));
        }
        Ok(coming)
    }
}

/// The category that the template will get. The latest word of an event counts; without one, that of the listing
/// (upstream §5.4).
pub(super) fn coming_category(
    row: &TemplateRow,
    listed: Option<&str>,
    events: &[TemplateEvent],
) -> Option<ComingCategory> {
    let kind = ItemKind::TemplateCategory.as_str();
    let update = events.iter().find(|event| event.event == kind);
    let update = update.and_then(|event| serde_json::from_str::<TemplateCategoryUpdate>(&event.value).ok());
    let announced = match update.as_ref().and_then(TemplateCategoryUpdate::change) {
        Some(CategoryChange::Announced { coming, .. }) => {
            Some((coming.to_owned(), update.as_ref().and_then(TemplateCategoryUpdate::due_at)))
        }
        Some(CategoryChange::Done { .. }) => None,
        None => listed.map(|category| (category.to_owned(), None)),
    };
    let (category, at) = announced?;
    let category = Category::from(category.as_str()).as_str().to_owned();
    is_other_category(&category, &row.category).then_some(ComingCategory { category, at })
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
        assert_eq!(cause.reason, None);
        let second = status_cause(&row("PAUSED", ""), &[pause(9, "SECOND_PAUSE"), pause(1, "FIRST_PAUSE")]).unwrap();
        assert_eq!(second.ends_at, Some(9 + 6 * 60 * 60 * 1_000));
        // A pause by pacing does not end by itself, and an unknown one at no known time.
        assert_eq!(status_cause(&row("PAUSED", ""), &[pause(9, "RATE_LIMITING_PAUSE")]).unwrap().ends_at, None);
        // Without an event, only the status is known.
        assert_eq!(status_cause(&row("PAUSED", ""), &[]), Some(StatusCauseKind::Paused.into()));
        assert_eq!(status_cause(&row("APPROVED", ""), &[pause(9, "FIRST_PAUSE")]), None);
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
        assert_eq!(status_cause(&row("APPROVED", ""), &[approved, flagged]), None);
    }

    #[test]
    fn a_coming_category_is_announced_by_an_event_or_the_listing() {
        let announced = webhook_event(
            7,
            "template_category",
            json!({"correct_category": "MARKETING",
            "new_category": "UTILITY", "category_update_timestamp": 1_800_000_000}),
        );
        let done =
            webhook_event(8, "template_category", json!({"previous_category": "UTILITY", "new_category": "MARKETING"}));
        let utility = row("APPROVED", "UTILITY");
        let coming = |at| Some(ComingCategory { category: "marketing".to_owned(), at });
        let events = [announced];
        assert_eq!(coming_category(&utility, None, &events), coming(Some(1_800_000_000_000)));
        assert_eq!(coming_category(&row("APPROVED", "MARKETING"), None, &events), None);
        assert_eq!(coming_category(&utility, None, &[done, events[0].clone()]), None);
        assert_eq!(coming_category(&utility, Some("MARKETING"), &[]), coming(None));
        assert_eq!(coming_category(&utility, Some("UTILITY"), &[]), None);
        assert_eq!(coming_category(&utility, None, &[]), None);
    }
}
