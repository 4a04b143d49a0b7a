//! Restores template metadata from the desk for templates that the cache does not have, because it was lost or events
//! arrived before the first listing: when each status was entered, why it was rejected, its quality, the requested
//! category, when the template was last sent and changed.
//!
//! Nothing is guessed. Recorded events, listings and own actions are replayed in the order in which they happened, by
//! the rules by which the cache applied them originally. If the replay ends in another state than the listing shows,
//! the listing is taken as the first observation of its state.

use std::collections::{HashMap, HashSet};

use model::event::kind::ItemKind;
use model::event::template::{CategoryChange, TemplateCategoryUpdate, TemplateQualityUpdate, TemplateStatusUpdate};
use model::lifecycle;
use model::template::{Template, TemplateRecord};
use model::vocabulary::{Category, TemplateStatus};
use store::cache::{CachedTemplate, Since, TemplateRow};
use store::desk::{BulkActionKind, Observation, StoredHistory, Submission, TemplateAction, TemplateEvent};

use crate::templates::Templates;
use crate::templates::category_change::ids_of;
use crate::templates::history::truncate_to_second;
use command_types::error::Result;
use outgoing::submission::answered;

/// The cached data of a workspace before a listing.
#[derive(Debug, Default)]
pub(crate) struct KnownTemplates {
    references: HashSet<String>,
    /// This cache contains no listing of the workspace yet.
    pub(crate) is_first: bool,
    /// When the first complete listing of the workspace ever was requested.
    first_listed: Option<i64>,
    /// Whether the desk has any recorded data.
    has_records: bool,
}

impl Templates {
    /// The cached data before a listing.
    pub(crate) async fn known_before_listing(&self, workspace: &str) -> Result<KnownTemplates> {
        Ok(KnownTemplates {
            references: self.0.context.cache.references(workspace).await?,
            is_first: self.0.context.cache.listed_at(workspace).await?.is_none(),
            first_listed: self.first_listed(workspace).await?,
            has_records: self.0.context.desk.has_history(workspace).await?,
        })
    }

    /// Adds recorded metadata to listed templates that are not cached. The answer was received at `at`.
    pub(crate) async fn backfill(
        &self,
        workspace: &str,
        known: &KnownTemplates,
        templates: &mut [CachedTemplate],
        at: i64,
    ) -> Result<()> {
        if !known.has_records && known.first_listed.is_none() {
            return Ok(());
        }
        let is_new = |row: &TemplateRow| !known.references.contains(&row.reference);
        let new_templates = templates.iter().map(|template| &template.row).filter(|row| is_new(row)).map(ids_of);
        let mut histories: HashMap<_, _> = self.0.context.desk.histories(workspace, new_templates.collect()).await?;
        for row in templates.iter_mut().map(|template| &mut template.row) {
            if !is_new(row) {
                continue;
            }
            let memory = histories.get_mut(&row.reference).map(|memory| {
                memory.events.retain(|event| is_about(event, row));
                &*memory
            });
            if let Some(memory) = memory {
                fill_in(row, memory, at);
            }
            // A template that reappears has changed.
            if known.is_first && row.updated_at == 0 {
                row.updated_at = memory.and_then(last_change).unwrap_or(0);
            }
        }
        Ok(())
    }

    /// When the first complete listing of a workspace was requested, if there was one.
    pub(crate) async fn first_listed(&self, workspace: &str) -> Result<Option<i64>> {
        let first_listed = self.0.context.desk.setting(&first_listing_key(workspace)).await?;
        Ok(first_listed.and_then(|at| at.parse().ok()))
    }

    /// Records when the first complete listing of a workspace was requested: a state without a recorded change is at
    /// least as old.
    pub(crate) async fn record_first_listing(&self, workspace: &str, known: &KnownTemplates, at: i64) -> Result<()> {
        if known.is_first && known.first_listed.is_none() {
            self.0.context.desk.set_setting(&first_listing_key(workspace), at.to_string()).await?;
        }
        Ok(())
    }

    /// Deletes that record for a deleted workspace.
    pub(crate) async fn delete_first_listing(&self, workspace: &str) -> Result<()> {
        Ok(self.0.context.desk.remove_setting(&first_listing_key(workspace)).await?)
    }
}

/// Whether an event with a template's name is about this template, not one of the same name in another WABA.
pub(crate) fn is_about(event: &TemplateEvent, row: &TemplateRow) -> bool {
    let same_id = event.channel_id.is_some() && event.channel_id == row.channel_id;
    same_id || row.wabas.is_empty() || event.waba.as_ref().is_none_or(|waba| row.wabas.contains(waba))
}

fn first_listing_key(workspace: &str) -> String {
    format!("first_listed.{workspace}")
}

/// When a change of a template was last observed or made here.
fn last_change(memory: &StoredHistory) -> Option<i64> {
    let events = memory.events.iter().map(|event| event.at);
    let actions = memory.actions.iter().map(|action| action.sent_at);
    let submissions = memory.submissions.iter().map(|submission| submission.created_at);
    events.chain(actions).chain(submissions).chain(memory.last_observed_at).max()
}

/// Fills in the values that an answer does not contain.
fn fill_in(row: &mut TemplateRow, memory: &StoredHistory, at: i64) {
    let reports = reports(memory);
    // A status that was reported at any time says that there may have been others before.
    let is_unreported = reports.iter().all(|report| report.status.is_none());
    let mut replay = Replay { listed_status: Some(row.status.clone()).filter(|_| is_unreported), ..Replay::default() };
    for report in reports {
        replay.apply(report);
    }
    row.last_sent_at = row.last_sent_at.max(memory.last_sent_at);
    row.status_since = row.status_since.or_else(|| replay.status.as_ref()?.since(&row.status, at));
    // Values that the listing does not contain are as last reported.
    row.archived = row.archived.or(replay.archived.as_ref().map(|observed| observed.value));
    row.archived_since = row.archived_since.or_else(|| replay.archived.as_ref()?.since(&row.archived?, at));
    if let (true, Some(observed)) = (row.status.is_empty(), &replay.status) {
        row.status.clone_from(&observed.value);
    }
    if row.rejected_reason.is_none() && row.status == TemplateStatus::Rejected.as_str() {
        row.rejected_reason = replay.rejected_reason.take();
    }
    row.quality = row.quality.take().or(replay.quality.take());
    if let (true, Some(category)) = (row.category.is_empty(), &replay.category) {
        row.category.clone_from(category);
    }
    row.asked_category = row.asked_category.take().or(replay.requested).or_else(|| {
        let (status, category) = (replay.status?.value, replay.category?);
        lifecycle::asked_category(&status, &category, &row.category).map(str::to_owned)
    });
}

/// Sources, in the order in which they count within one second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum ReportSource {
    #[default]
    Own,
    Webhook,
    Listing,
}

/// What a source reported about a template at an instant.
#[derive(Debug, Default)]
struct Report {
    at: i64,
    source: ReportSource,
    status: Option<String>,
    status_before: Option<String>,
    rejected_reason: Option<String>,
    quality: Option<String>,
    archived: Option<bool>,
    category: Option<String>,
    category_before: Option<String>,
    /// The requested category, according to this source.
    requested: Option<String>,
    /// It no longer existed.
    gone: bool,
}

/// All reports in the order in which they happened.
fn reports(memory: &StoredHistory) -> Vec<Report> {
    let mut reports: Vec<Report> = Vec::new();
    reports.extend(memory.submissions.iter().map(by_submission));
    reports.extend(memory.actions.iter().map(by_action));
    reports.extend(memory.events.iter().map(by_event));
    // The changes of one listing are one report.
    let listings = memory.observations.chunk_by(|a, b| a.at == b.at);
    reports.extend(listings.map(by_listing));
    reports.sort_by_key(|report| (truncate_to_second(report.at), report.source, report.at));
    reports
}

fn by_submission(submission: &Submission) -> Report {
    let mut report = Report { at: submission.created_at, source: ReportSource::Own, ..Report::default() };
    let Ok(sent) = serde_json::from_str::<Template>(&submission.request) else { return report };
    let requested = sent.category.as_str().to_owned();
    // A submission that a listing reconciled has no answer to read.
    if submission.response_status.is_some() {
        let (status, category) = answered(submission.response_body.as_deref());
        report.status = Some(status.unwrap_or(TemplateStatus::Pending).as_str().to_owned());
        let category = category.map_or_else(|| requested.clone(), |category| category.as_str().to_owned());
        report.category = Some(category).filter(|category| !category.is_empty());
    }
    report.requested = Some(requested).filter(|requested| !requested.is_empty());
    report
}

fn by_action(action: &TemplateAction) -> Report {
    let (archived, gone) = match action.action {
        BulkActionKind::Archive => (Some(true), false),
        BulkActionKind::Unarchive => (Some(false), false),
        BulkActionKind::Delete => (None, true),
    };
    Report { at: action.sent_at, source: ReportSource::Own, archived, gone, ..Report::default() }
}

fn by_event(event: &TemplateEvent) -> Report {
    let mut report = Report { at: event.at, source: ReportSource::Webhook, ..Report::default() };
    let category = |report: &str| Some(Category::from(report).as_str().to_owned());
    match ItemKind::from(event.event.as_str()) {
        ItemKind::TemplateCategory => {
            let update: TemplateCategoryUpdate = serde_json::from_str(&event.value).unwrap_or_default();
            if let Some(CategoryChange::Done { previous: Some(previous), current }) = update.change() {
                (report.category_before, report.category) = (category(previous), category(current));
            }
        }
        ItemKind::TemplateQuality => {
            let update: TemplateQualityUpdate = serde_json::from_str(&event.value).unwrap_or_default();
            report.quality = update.new_quality_score;
        }
        ItemKind::TemplateComponents => {}
        _ => {
            let status = TemplateStatus::from(event.event.as_str());
            report.status = status.resulting().map(|status| status.as_str().to_owned());
            report.archived = match status {
                TemplateStatus::Archived => Some(true),
                TemplateStatus::Unarchived => Some(false),
                _ => None,
            };
            let update = serde_json::from_str::<TemplateStatusUpdate>(&event.value).ok();
            report.rejected_reason = update.as_ref().and_then(|update| update.stated_reason()).map(str::to_owned);
            report.category = update.and_then(|update| category(&update.message_template_category?));
        }
    }
    report
}

fn by_listing(seen: &[Observation]) -> Report {
    let mut report = Report { source: ReportSource::Listing, ..Report::default() };
    for Observation { at, field, before, after, .. } in seen.iter().filter(|change| change.waba.is_none()) {
        report.at = *at;
        match field.as_str() {
            "status" => (report.status_before, report.status) = (before.clone(), after.clone()),
            "category" => (report.category_before, report.category) = (before.clone(), after.clone()),
            "rejected_reason" => report.rejected_reason.clone_from(after),
            "quality" => report.quality.clone_from(after),
            "archived" => report.archived = after.as_deref().map(|archived| archived == "true"),
            "removed" => report.gone = true,
            "added" => {
                let record = after.as_deref().and_then(|after| serde_json::from_str::<TemplateRecord>(after).ok());
                let Some(record) = record else { continue };
                report.archived = record.is_archived();
                report.requested = record.template.previous_category();
                report.category =
                    Some(record.template.category.as_str().to_owned()).filter(|category| !category.is_empty());
                report.status = record.status.map(|status| status.as_str().to_owned());
            }
            _ => {}
        }
    }
    report
}

/// The state of a template during the replay.
#[derive(Debug, Default)]
struct Replay {
    /// The status that the listing shows, if none was ever reported, for a change of the category.
    listed_status: Option<String>,
    status: Option<Observed<String>>,
    /// Of that status, if it is a rejection.
    rejected_reason: Option<String>,
    quality: Option<String>,
    archived: Option<Observed<bool>>,
    category: Option<String>,
    requested: Option<String>,
}

/// The value of one property, and when it was entered.
#[derive(Debug)]
struct Observed<T> {
    value: T,
    since: Since,
    source: ReportSource,
}

impl Replay {
    fn apply(&mut self, report: Report) {
        if report.gone {
            // A listing may leave out a template that exists, and what was deleted does not come back under the same
            // reference. After a deletion from here the requested category is kept; the state is unknown.
            if report.source == ReportSource::Own {
                let (listed_status, requested) = (self.listed_status.take(), self.requested.take());
                *self = Self { listed_status, requested, ..Self::default() };
            }
            return;
        }
        if let Some(category) = &report.category {
            let listed = self.listed_status.as_ref().filter(|_| report.source == ReportSource::Webhook);
            let known = self.status.as_ref().map(|status| &status.value).or(listed);
            let status = report.status_before.as_deref().or(known.map(String::as_str));
            let before = report.category_before.as_deref().or(self.category.as_deref());
            if let (None, Some(status), Some(before)) = (&self.requested, status, before) {
                self.requested = lifecycle::asked_category(status, before, category).map(str::to_owned);
            }
        }
        if report.source == ReportSource::Own {
            // Submitted again.
            self.requested = report.requested.or(self.requested.take());
        } else {
            self.requested = self.requested.take().or(report.requested);
        }
        self.category = report.category.or(self.category.take());
        self.quality = report.quality.or(self.quality.take());
        // A listing that shows the same status says nothing about its reason.
        let known = self.status.as_ref().map(|status| &status.value);
        if report.status.is_some() && (report.source != ReportSource::Listing || report.status.as_ref() != known) {
            self.rejected_reason = None;
        }
        self.rejected_reason = report.rejected_reason.or(self.rejected_reason.take());
        // An answer with another status than the one that follows a submission does not show when that was entered.
        let is_exact = report.source != ReportSource::Listing;
        let exact = is_exact && (report.source != ReportSource::Own || report.status.as_deref() == Some("PENDING"));
        apply_value(&mut self.status, report.status, report.source, Since { at: report.at, exact });
        apply_value(&mut self.archived, report.archived, report.source, Since { at: report.at, exact: is_exact });
    }
}

/// Applies a reported value to the known one.
fn apply_value<T: PartialEq>(known: &mut Option<Observed<T>>, reported: Option<T>, source: ReportSource, since: Since) {
    let Some(value) = reported else { return };
    let Some(observed) = known.as_mut().filter(|observed| observed.value == value) else {
        *known = Some(Observed { value, since, source });
        return;
    };
    if source == ReportSource::Listing {
        // A listing shows what an event reports later. But if the action was made here and its answer was lost, the
        // listing was the first report.
        if observed.source == ReportSource::Own {
            *observed = Observed { value, since, source };
        }
        return;
    }
    // An exact instant replaces a first observation; of two exact instants, the earlier one counts.
    if since.exact {
        observed.since =
            if observed.since.exact { Since { at: observed.since.at.min(since.at), ..since } } else { since };
    }
    observed.source = source;
}

impl<T: PartialEq> Observed<T> {
    /// When the state shown by the listing was entered; the listing was answered at `at`.
    fn since(&self, shown: &T, at: i64) -> Option<Since> {
        Some(if self.value == *shown { self.since } else { Since { at, exact: false } })
    }
}

#[cfg(test)]
mod tests;
