//! Converts the records of each source about a template to one form.

use model::event::kind::ItemKind;
use model::event::template::{
    CategoryChange, DisableInfo, TemplateCategoryUpdate, TemplateQualityUpdate, TemplateStatusUpdate,
};
use model::vocabulary::TemplateStatus;
use store::desk::{
    BulkActionKind, CallState, ItemState, Observation, Submission, SubmissionKind, TemplateAction, TemplateEvent,
};

use crate::templates::pretty;
use command_types::history::{EntryKind, HistoryEntry, HistoryKind, HistoryOutcome, HistorySource};

/// An entry, with the keys for merging it with those of other sources.
#[derive(Clone, Debug)]
pub(super) struct ReportedEntry {
    pub(super) entry: HistoryEntry,
    /// The property that changed: entries with the same subject are compared.
    pub(super) subject: String,
    /// The new value, in capitals.
    pub(super) value: String,
    /// Key of the webhook's item.
    pub(super) key: Option<String>,
}

impl ReportedEntry {
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
            due_at: None,
            version: None,
            deliveries: None,
            item: None,
            raw: None,
            outcome: None,
            gap: None,
            wabas: Vec::new(),
        };
        Self { entry, subject, value: String::new(), key: None }
    }

    pub(super) fn with_value(mut self, subject: &str, value: &str) -> Self {
        subject.clone_into(&mut self.subject);
        self.value = value.to_uppercase();
        self
    }
}

/// Entries of a webhook event. `known_category` returns the last known category before an instant: a status event
/// contains the category too, and a different one is a change.
pub(super) fn by_webhook(event: &TemplateEvent, known_category: impl Fn(i64) -> Option<String>) -> Vec<ReportedEntry> {
    let reported = |kind: HistoryKind| {
        let mut reported = ReportedEntry::new(format!("event:{}", event.key), event.at, HistorySource::Webhook, kind);
        reported.entry.raw = Some(pretty(&event.value));
        reported.entry.reason.clone_from(&event.reason);
        reported.entry.wabas.extend(event.waba.clone());
        reported.key = Some(event.key.clone());
        reported
    };
    match ItemKind::from(event.event.as_str()) {
        ItemKind::TemplateQuality => {
            let update: TemplateQualityUpdate = serde_json::from_str(&event.value).unwrap_or_default();
            let mut reported = reported(HistoryKind::Quality)
                .with_value("quality", update.new_quality_score.as_deref().unwrap_or_default());
            reported.entry.before = update.previous_quality_score;
            reported.entry.after = update.new_quality_score;
            vec![reported]
        }
        ItemKind::TemplateCategory => {
            let update: TemplateCategoryUpdate = serde_json::from_str(&event.value).unwrap_or_default();
            let mut reported = reported(HistoryKind::Category);
            let (before, after) = match update.change() {
                Some(CategoryChange::Announced { current, coming }) => {
                    reported.entry.field = Some("announced".to_owned());
                    reported.entry.due_at = update.due_at();
                    reported = reported.with_value("announcement", coming);
                    (current, Some(coming))
                }
                Some(CategoryChange::Done { previous, current }) => {
                    reported = reported.with_value("category", current);
                    (previous, Some(current))
                }
                None => (None, None),
            };
            reported.entry.before = before.map(str::to_owned);
            reported.entry.after = after.map(str::to_owned);
            vec![reported]
        }
        ItemKind::TemplateComponents => {
            let mut reported = reported(HistoryKind::Content);
            reported.entry.field = Some("components".to_owned());
            vec![reported]
        }
        _ => {
            let update = serde_json::from_str::<TemplateStatusUpdate>(&event.value).ok();
            let status = TemplateStatus::from(event.event.as_str());
            let mut first = match status {
                TemplateStatus::Archived => reported(HistoryKind::Archived).with_value("archived", "true"),
                TemplateStatus::Unarchived => reported(HistoryKind::Unarchived).with_value("archived", "false"),
                TemplateStatus::Deleted => reported(HistoryKind::Deleted).with_value("listed", "false"),
                _ => reported(HistoryKind::Status)
                    .with_value("status", status.resulting().as_ref().unwrap_or(&status).as_str()),
            };
            first.entry.after = Some(event.event.clone());
            let other = update.as_ref().and_then(|update| update.other_info.clone());
            let rejection = update.as_ref().and_then(|update| update.rejection_info.clone());
            let disabled = update.as_ref().and_then(|update| update.disable_info.clone());
            first.entry.due_at = disabled.as_ref().and_then(DisableInfo::instant);
            // A date as text is shown as it came.
            let disabled = disabled.filter(|info| info.instant().is_none()).and_then(|info| info.disable_date);
            first.entry.advice =
                rejection.and_then(|info| info.advice()).or_else(|| other.as_ref()?.description.clone()).or(disabled);
            if first.entry.reason.is_none() {
                first.entry.reason = other.and_then(|other| other.title);
            }
            let named = update.and_then(|update| update.message_template_category);
            let known = known_category(event.at);
            let category = named.zip(known).filter(|(named, known)| !named.eq_ignore_ascii_case(known));
            let second = category.map(|(named, known)| {
                let mut reported = reported(HistoryKind::Category).with_value("category", &named);
                reported.entry.id.push_str(":category");
                reported.entry.reason = None;
                reported.entry.before = Some(known);
                reported.entry.after = Some(named);
                reported
            });
            std::iter::once(first).chain(second).collect()
        }
    }
}

/// Entries of the differences in a listing. `version` finds the version that was stored for new content.
pub(super) fn by_sync(observed: &[Observation], version: impl Fn(i64) -> Option<String>) -> Vec<ReportedEntry> {
    let mut all = Vec::with_capacity(observed.len());
    for change in observed {
        let status_too = || observed.iter().any(|other| other.at == change.at && other.field == "status");
        // It belongs to the status that changed with it.
        if change.field == "rejected_reason" && status_too() {
            continue;
        }
        // The most restrictive status changed because those of the WABAs did.
        let in_a_waba = |other: &Observation| other.at == change.at && other.waba.is_some();
        if change.field == "status" && change.waba.is_none() && observed.iter().any(in_a_waba) {
            continue;
        }
        let (before, after) = (change.before.clone(), change.after.clone());
        let value = after.clone().unwrap_or_default();
        let reported = |kind: EntryKind| {
            let waba = change.waba.iter().map(|waba| format!(":{waba}")).collect::<String>();
            let id = format!("seen:{}:{}{waba}", change.at, change.field);
            let mut reported = ReportedEntry::new(id, change.at, HistorySource::Sync, kind);
            reported.entry.wabas.extend(change.waba.clone());
            reported.entry.exact = false;
            reported.entry.not_before = change.since;
            reported
        };
        let plain = |kind: EntryKind| {
            let subject = kind.as_str().to_owned();
            let mut reported = reported(kind).with_value(&subject, &value);
            (reported.entry.before, reported.entry.after) = (before.clone(), after.clone());
            reported
        };
        all.push(match change.field.as_str() {
            "status" => {
                let mut reported = plain(HistoryKind::Status.into());
                let reason = observed.iter().find(|other| other.at == change.at && other.field == "rejected_reason");
                let is_other = change.waba.is_some() && value != TemplateStatus::Rejected.as_str();
                reported.entry.reason = reason.filter(|_| !is_other).and_then(|reason| reason.after.clone());
                reported
            }
            "archived" if value == "true" => reported(HistoryKind::Archived.into()).with_value("archived", "true"),
            "archived" => reported(HistoryKind::Unarchived.into()).with_value("archived", "false"),
            "added" | "removed" => {
                let (kind, listed) = if change.field == "added" {
                    (HistoryKind::Added, "true")
                } else {
                    (HistoryKind::Deleted, "false")
                };
                let mut reported = reported(kind.into()).with_value("listed", listed);
                reported.entry.raw = after.or(before).as_deref().map(pretty);
                reported
            }
            "components" => {
                let mut reported = reported(HistoryKind::Content.into()).with_value("content", "");
                reported.entry.field = Some("components".to_owned());
                reported.entry.version = version(change.at);
                reported.entry.raw = after.as_deref().map(pretty);
                reported
            }
            field @ ("name" | "language" | "sub_category" | "type") => {
                let mut reported = plain(HistoryKind::Content.into());
                reported.entry.field = Some(field.to_owned());
                reported.with_value(field, &value)
            }
            field => plain(field.into()),
        });
    }
    all
}

/// The entry of a submission from here. `version` finds the version that was stored for it.
pub(super) fn by_submission(submission: &Submission, version: impl Fn(i64) -> Option<String>) -> ReportedEntry {
    let id = format!("submission:{}", submission.id);
    let mut reported = ReportedEntry::new(id, submission.created_at, HistorySource::Own, HistoryKind::Submitted)
        .with_value("content", "");
    let (field, subject) = match submission.kind {
        SubmissionKind::Create => ("create", "listed"),
        SubmissionKind::Edit => ("edit", "content"),
    };
    reported.entry.field = Some(field.to_owned());
    reported = reported.with_value(subject, "true");
    reported.entry.outcome = Some(match submission.state {
        CallState::Accepted => HistoryOutcome::Done,
        CallState::Refused => HistoryOutcome::Failed,
        CallState::Recorded | CallState::Unknown => HistoryOutcome::Unknown,
    });
    reported.entry.reason = submission.error.as_deref().and_then(error_text);
    reported.entry.version = version(submission.created_at);
    reported.entry.wabas = submission.waba.split(',').filter(|waba| !waba.is_empty()).map(str::to_owned).collect();
    reported.entry.raw = Some(pretty(&submission.request));
    reported
}

/// A recorded error, as text.
pub(super) fn error_text(error: &str) -> Option<String> {
    serde_json::from_str::<command_types::error::DeskError>(error).ok().map(|error| error.to_string())
}

/// The entry of an own action on an existing template.
pub(super) fn by_action(action: &TemplateAction) -> ReportedEntry {
    let (kind, subject, value) = match action.action {
        BulkActionKind::Archive => (HistoryKind::Archived, "archived", "true"),
        BulkActionKind::Unarchive => (HistoryKind::Unarchived, "archived", "false"),
        BulkActionKind::Delete => (HistoryKind::Deleted, "listed", "false"),
    };
    let id = format!("order:{}:{}", action.order, action.position);
    let mut reported = ReportedEntry::new(id, action.sent_at, HistorySource::Own, kind).with_value(subject, value);
    reported.entry.outcome = Some(match action.state {
        ItemState::Done => HistoryOutcome::Done,
        ItemState::Failed => HistoryOutcome::Failed,
        ItemState::Planned | ItemState::InFlight | ItemState::Unknown | ItemState::Cancelled | ItemState::Skipped => {
            HistoryOutcome::Unknown
        }
    });
    reported.entry.reason = action.error.as_deref().and_then(error_text);
    reported
}

/// The category that an event reports as the template's from then on.
pub(super) fn category_set_by(event: &TemplateEvent) -> Option<String> {
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
pub(crate) fn truncate_to_second(at: i64) -> i64 {
    at - at.rem_euclid(1_000)
}
