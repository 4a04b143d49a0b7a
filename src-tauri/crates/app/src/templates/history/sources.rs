//! Converts the records of each source about a template to one form.

use model::event::kind::ItemKind;
use model::event::template::{CategoryChange, TemplateCategoryUpdate, TemplateQualityUpdate, TemplateStatusUpdate};
use model::vocabulary::TemplateStatus;
use store::desk::{
    BulkActionKind, CallState, ItemState, Observation, Submission, SubmissionKind, TemplateAction, TemplateEvent,
};

use crate::templates::pretty;
use api::history::{EntryKind, HistoryEntry, HistoryKind, HistoryOutcome, HistorySource};

/// An entry, with the keys for merging it with those of other sources.
#[derive(Clone, Debug)]
pub(super) struct Told {
    pub(super) entry: HistoryEntry,
    /// The property that changed: entries with the same subject are compared.
    pub(super) subject: String,
    /// The new value, in capitals.
    pub(super) value: String,
    /// Key of the webhook's item.
    pub(super) key: Option<String>,
}

impl Told {
    pub(super) fn new(id: String, at: i64, source: HistorySource, kind: impl Into<EntryKind>) -> Self {
        let kind = kind.into();
        let subject = kind.as_str().to_owned();
        let entry = HistoryEntry {
            id,
            at,
            exact: true,
            not_before: None,
            source,
            kind,
            before: None,
            after: None,
            field: None,
            reason: None,
            advice: None,
            version: None,
            deliveries: None,
            item: None,
            raw: None,
            outcome: None,
            gap: None,
        };
        Self { entry, subject, value: String::new(), key: None }
    }

    pub(super) fn now_is(mut self, subject: &str, value: &str) -> Self {
        subject.clone_into(&mut self.subject);
        self.value = value.to_uppercase();
        self
    }
}

/// Entries of a webhook event. `known_category` returns the last known category before an instant: a status event
/// contains the category too, and a different one is a change.
pub(super) fn by_webhook(event: &TemplateEvent, known_category: impl Fn(i64) -> Option<String>) -> Vec<Told> {
    let told = |kind: HistoryKind| {
        let mut told = Told::new(format!("event:{}", event.key), event.at, HistorySource::Webhook, kind);
        told.entry.raw = Some(pretty(&event.value));
        told.entry.reason.clone_from(&event.reason);
        told.key = Some(event.key.clone());
        told
    };
    match ItemKind::from(event.event.as_str()) {
        ItemKind::TemplateQuality => {
            let update: TemplateQualityUpdate = serde_json::from_str(&event.value).unwrap_or_default();
            let mut told =
                told(HistoryKind::Quality).now_is("quality", update.new_quality_score.as_deref().unwrap_or_default());
            told.entry.before = update.previous_quality_score;
            told.entry.after = update.new_quality_score;
            vec![told]
        }
        ItemKind::TemplateCategory => {
            let update: TemplateCategoryUpdate = serde_json::from_str(&event.value).unwrap_or_default();
            let mut told = told(HistoryKind::Category);
            let (before, after) = match update.change() {
                Some(CategoryChange::Announced { current, coming }) => {
                    told.entry.field = Some("announced".to_owned());
                    told = told.now_is("announcement", coming);
                    (current, Some(coming))
                }
                Some(CategoryChange::Done { previous, current }) => {
                    told = told.now_is("category", current);
                    (previous, Some(current))
                }
                None => (None, None),
            };
            told.entry.before = before.map(str::to_owned);
            told.entry.after = after.map(str::to_owned);
            vec![told]
        }
        ItemKind::TemplateComponents => {
            let mut told = told(HistoryKind::Content);
            told.entry.field = Some("components".to_owned());
            vec![told]
        }
        _ => {
            let update = serde_json::from_str::<TemplateStatusUpdate>(&event.value).ok();
            let status = TemplateStatus::from(event.event.as_str());
            let mut first = match status {
                TemplateStatus::Archived => told(HistoryKind::Archived).now_is("archived", "true"),
                TemplateStatus::Unarchived => told(HistoryKind::Unarchived).now_is("archived", "false"),
                TemplateStatus::Deleted => told(HistoryKind::Deleted).now_is("listed", "false"),
                _ => {
                    told(HistoryKind::Status).now_is("status", status.resulting().as_ref().unwrap_or(&status).as_str())
                }
            };
            first.entry.after = Some(event.event.clone());
            let other = update.as_ref().and_then(|update| update.other_info.clone());
            let rejection = update.as_ref().and_then(|update| update.rejection_info.clone());
            let disabled = update.as_ref().and_then(|update| update.disable_info.clone()?.disable_date);
            first.entry.advice = rejection
                .and_then(|info| info.recommendation.or(info.reason))
                .or_else(|| other.as_ref()?.description.clone())
                .or(disabled);
            if first.entry.reason.is_none() {
                first.entry.reason = other.and_then(|other| other.title);
            }
            let named = update.and_then(|update| update.message_template_category);
            let known = known_category(event.at);
            let category = named.zip(known).filter(|(named, known)| !named.eq_ignore_ascii_case(known));
            let second = category.map(|(named, known)| {
                let mut told = told(HistoryKind::Category).now_is("category", &named);
                told.entry.id.push_str(":category");
                told.entry.reason = None;
                told.entry.before = Some(known);
                told.entry.after = Some(named);
                told
            });
            std::iter::once(first).chain(second).collect()
        }
    }
}

/// Entries of the differences in a listing. `version` finds the version that was stored for new content.
pub(super) fn by_sync(seen: &[Observation], version: impl Fn(i64) -> Option<String>) -> Vec<Told> {
    let mut all = Vec::with_capacity(seen.len());
    for change in seen {
        let status_too = || seen.iter().any(|other| other.at == change.at && other.field == "status");
        // It belongs to the status that changed with it.
        if change.field == "rejected_reason" && status_too() {
            continue;
        }
        let (before, after) = (change.before.clone(), change.after.clone());
        let value = after.clone().unwrap_or_default();
        let told = |kind: EntryKind| {
            let id = format!("seen:{}:{}", change.at, change.field);
            let mut told = Told::new(id, change.at, HistorySource::Sync, kind);
            told.entry.exact = false;
            told.entry.not_before = change.since;
            told
        };
        let plain = |kind: EntryKind| {
            let subject = kind.as_str().to_owned();
            let mut told = told(kind).now_is(&subject, &value);
            (told.entry.before, told.entry.after) = (before.clone(), after.clone());
            told
        };
        all.push(match change.field.as_str() {
            "status" => {
                let mut told = plain(HistoryKind::Status.into());
                let reason = seen.iter().find(|other| other.at == change.at && other.field == "rejected_reason");
                told.entry.reason = reason.and_then(|reason| reason.after.clone());
                told
            }
            "archived" if value == "true" => told(HistoryKind::Archived.into()).now_is("archived", "true"),
            "archived" => told(HistoryKind::Unarchived.into()).now_is("archived", "false"),
            "added" | "removed" => {
                let (kind, listed) = if change.field == "added" {
                    (HistoryKind::Added, "true")
                } else {
                    (HistoryKind::Deleted, "false")
                };
                let mut told = told(kind.into()).now_is("listed", listed);
                told.entry.raw = after.or(before).as_deref().map(pretty);
                told
            }
            "components" => {
                let mut told = told(HistoryKind::Content.into()).now_is("content", "");
                told.entry.field = Some("components".to_owned());
                told.entry.version = version(change.at);
                told.entry.raw = after.as_deref().map(pretty);
                told
            }
            field @ ("name" | "language" | "sub_category" | "type") => {
                let mut told = plain(HistoryKind::Content.into());
                told.entry.field = Some(field.to_owned());
                told.now_is(field, &value)
            }
            field => plain(field.into()),
        });
    }
    all
}

/// The entry of a submission from here. `version` finds the version that was stored for it.
pub(super) fn by_submission(submission: &Submission, version: impl Fn(i64) -> Option<String>) -> Told {
    let id = format!("submission:{}", submission.id);
    let mut told =
        Told::new(id, submission.created_at, HistorySource::Own, HistoryKind::Submitted).now_is("content", "");
    let (field, subject) = match submission.kind {
        SubmissionKind::Create => ("create", "listed"),
        SubmissionKind::Edit => ("edit", "content"),
    };
    told.entry.field = Some(field.to_owned());
    told = told.now_is(subject, "true");
    told.entry.outcome = Some(match submission.state {
        CallState::Accepted => HistoryOutcome::Done,
        CallState::Refused => HistoryOutcome::Failed,
        CallState::Recorded | CallState::Unknown => HistoryOutcome::Unknown,
    });
    told.entry.reason = submission.error.as_deref().and_then(words_of_error);
    told.entry.version = version(submission.created_at);
    told.entry.raw = Some(pretty(&submission.request));
    told
}

/// A recorded error, as text.
pub(super) fn words_of_error(error: &str) -> Option<String> {
    serde_json::from_str::<api::error::DeskError>(error).ok().map(|error| error.to_string())
}

/// The entry of an own action on an existing template.
pub(super) fn by_action(action: &TemplateAction) -> Told {
    let (kind, subject, value) = match action.action {
        BulkActionKind::Archive => (HistoryKind::Archived, "archived", "true"),
        BulkActionKind::Unarchive => (HistoryKind::Unarchived, "archived", "false"),
        BulkActionKind::Delete => (HistoryKind::Deleted, "listed", "false"),
    };
    let id = format!("order:{}:{}", action.order, action.position);
    let mut told = Told::new(id, action.sent_at, HistorySource::Own, kind).now_is(subject, value);
    told.entry.outcome = Some(match action.state {
        ItemState::Done => HistoryOutcome::Done,
        ItemState::Failed => HistoryOutcome::Failed,
        ItemState::Planned | ItemState::InFlight | ItemState::Unknown | ItemState::Cancelled | ItemState::Skipped => {
            HistoryOutcome::Unknown
        }
    });
    told.entry.reason = action.error.as_deref().and_then(words_of_error);
    told
}

/// The category that an event reports as the template's from then on.
pub(super) fn category_after(event: &TemplateEvent) -> Option<String> {
    match ItemKind::from(event.event.as_str()) {
        ItemKind::TemplateCategory => {
            let update: TemplateCategoryUpdate = serde_json::from_str(&event.value).ok()?;
            match update.change()? {
                CategoryChange::Done { current, .. } => Some(current.to_owned()),
                CategoryChange::Announced { current, .. } => current.map(str::to_owned),
            }
        }
        ItemKind::TemplateQuality | ItemKind::TemplateComponents => None,
        _ => serde_json::from_str::<TemplateStatusUpdate>(&event.value).ok()?.message_template_category,
    }
}

/// Events have timestamps in whole seconds: an own action within the same second may have caused them.
pub(crate) fn whole_second(at: i64) -> i64 {
    at - at.rem_euclid(1_000)
}
