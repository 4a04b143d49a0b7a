//! Restores template metadata from the desk after the cache was lost: when each status was entered, the requested
//! category, when the template was last sent and changed.
//!
//! Nothing is guessed. Recorded events, listings and own actions are replayed in the order in which they happened, by
//! the rules by which the cache applied them originally. If the replay ends in another state than the listing shows,
//! the listing is taken as the first observation of its state.

use std::collections::{HashMap, HashSet};

use model::event::kind::ItemKind;
use model::event::template::{CategoryChange, TemplateCategoryUpdate, TemplateStatusUpdate};
use model::template::{Template, TemplateRecord};
use model::vocabulary::{Category, TemplateStatus};
use model::{language, lifecycle};
use store::cache::{CachedTemplate, Since, TemplateRow};
use store::desk::{BulkActionKind, Observation, StoredHistory, Submission, TemplateAction, TemplateEvent, TemplateIds};

use crate::templates::Templates;
use crate::templates::history::whole_second;
use crate::templates::listed_record::previous_category;
use api::error::Result;
use requests::submission::answered;

/// The cached data of a workspace before a listing.
#[derive(Debug, Default)]
pub(crate) struct Known {
    references: HashSet<String>,
    /// This cache contains no listing of the workspace yet.
    pub(crate) is_first: bool,
    /// When the first complete listing of the workspace ever was requested.
    first_listed: Option<i64>,
    /// Whether the desk has any recorded data.
    has_history: bool,
}

impl Templates {
    /// The cached data before a listing.
    pub(crate) async fn known_before(&self, workspace: &str) -> Result<Known> {
        let first_listed = self.0.context.desk.setting(&key(workspace)).await?;
        Ok(Known {
            references: self.0.context.cache.references(workspace).await?,
            is_first: self.0.context.cache.listed_at(workspace).await?.is_none(),
            first_listed: first_listed.and_then(|at| at.parse().ok()),
            has_history: self.0.context.desk.has_history(workspace).await?,
        })
    }

    /// Adds recorded metadata to listed templates that are not cached. The answer was received at `at`.
    pub(crate) async fn remember(
        &self,
        workspace: &str,
        known: &Known,
        templates: &mut [CachedTemplate],
        at: i64,
    ) -> Result<()> {
        if !known.has_history && known.first_listed.is_none() {
            return Ok(());
        }
        let is_new = |row: &TemplateRow| !known.references.contains(&row.reference);
        let wanted = templates.iter().map(|template| &template.row).filter(|row| is_new(row)).map(|row| TemplateIds {
            reference: row.reference.clone(),
            name: row.name.clone(),
            language: language::normalise(&row.language).into_owned(),
            channel_id: row.channel_id.clone(),
        });
        let mut histories: HashMap<_, _> = self.0.context.desk.histories(workspace, wanted.collect()).await?;
        for row in templates.iter_mut().map(|template| &mut template.row) {
            if !is_new(row) {
                continue;
            }
            let memory = histories.get_mut(&row.reference).map(|memory| {
                memory.events.retain(|event| is_about(event, row));
                &*memory
            });
            if let Some(memory) = memory {
                complete(row, memory, at);
            }
            // A template that reappears has changed.
            if known.is_first && row.updated_at == 0 {
                let changed_at = memory.and_then(last_change).max(known.first_listed);
                row.updated_at = changed_at.unwrap_or(0);
            }
        }
        Ok(())
    }

    /// Records when the first complete listing of a workspace was requested: a state without a recorded change is at
    /// least as old.
    pub(crate) async fn note_first_listing(&self, workspace: &str, known: &Known, at: i64) -> Result<()> {
        if known.is_first && known.first_listed.is_none() {
            self.0.context.desk.set_setting(&key(workspace), at.to_string()).await?;
        }
        Ok(())
    }

    /// Deletes that record for a deleted workspace.
    pub(crate) async fn forget_first_listing(&self, workspace: &str) -> Result<()> {
        Ok(self.0.context.desk.remove_setting(&key(workspace)).await?)
    }
}

/// Whether an event with a template's name is about this template, not one of the same name in another WABA.
fn is_about(event: &TemplateEvent, row: &TemplateRow) -> bool {
    let same_id = event.channel_id.is_some() && event.channel_id == row.channel_id;
    same_id || row.wabas.is_empty() || event.waba.as_ref().is_none_or(|waba| row.wabas.contains(waba))
}

fn key(workspace: &str) -> String {
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
fn complete(row: &mut TemplateRow, memory: &StoredHistory, at: i64) {
    let mut course = Course::default();
    for word in words(memory) {
        course.follow(word);
    }
    row.last_sent_at = row.last_sent_at.max(memory.last_sent_at);
    row.status_since = row.status_since.or_else(|| course.status.as_ref()?.since(&row.status, at));
    // Values that the listing does not contain are as last reported.
    row.archived = row.archived.or(course.archived.as_ref().map(|stands| stands.value));
    row.archived_since = row.archived_since.or_else(|| course.archived.as_ref()?.since(&row.archived?, at));
    if let (true, Some(stands)) = (row.status.is_empty(), &course.status) {
        row.status.clone_from(&stands.value);
    }
    if let (true, Some(category)) = (row.category.is_empty(), &course.category) {
        row.category.clone_from(category);
    }
    row.asked_category = row.asked_category.take().or(course.asked).or_else(|| {
        let (status, category) = (course.status?.value, course.category?);
        lifecycle::asked_category(&status, &category, &row.category).map(str::to_owned)
    });
}

/// Sources, in the order in which they count within one second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Source {
    #[default]
    Own,
    Webhook,
    Listing,
}

/// What a source reported about a template at an instant.
#[derive(Debug, Default)]
struct Word {
    at: i64,
    source: Source,
    status: Option<String>,
    status_before: Option<String>,
    archived: Option<bool>,
    category: Option<String>,
    category_before: Option<String>,
    /// The requested category, according to this source.
    asked: Option<String>,
    /// It no longer existed.
    gone: bool,
}

/// All reports in the order in which they happened.
fn words(memory: &StoredHistory) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    words.extend(memory.submissions.iter().map(by_submission));
    words.extend(memory.actions.iter().map(by_action));
    words.extend(memory.events.iter().map(by_event));
    // The changes of one listing are one report.
    let listings = memory.observations.chunk_by(|a, b| a.at == b.at);
    words.extend(listings.map(by_listing));
    words.sort_by_key(|word| (whole_second(word.at), word.source, word.at));
    words
}

fn by_submission(submission: &Submission) -> Word {
    let mut word = Word { at: submission.created_at, source: Source::Own, ..Word::default() };
    let Ok(sent) = serde_json::from_str::<Template>(&submission.request) else { return word };
    let asked = sent.category.as_str().to_owned();
    // A submission that a listing reconciled has no answer to read.
    if submission.response_status.is_some() {
        let (status, category) = answered(submission.response_body.as_deref());
        word.status = Some(status.unwrap_or(TemplateStatus::Pending).as_str().to_owned());
        let category = category.map_or_else(|| asked.clone(), |category| category.as_str().to_owned());
        word.category = Some(category).filter(|category| !category.is_empty());
    }
    word.asked = Some(asked).filter(|asked| !asked.is_empty());
    word
}

fn by_action(action: &TemplateAction) -> Word {
    let (archived, gone) = match action.action {
        BulkActionKind::Archive => (Some(true), false),
        BulkActionKind::Unarchive => (Some(false), false),
        BulkActionKind::Delete => (None, true),
    };
    Word { at: action.sent_at, source: Source::Own, archived, gone, ..Word::default() }
}

fn by_event(event: &TemplateEvent) -> Word {
    let mut word = Word { at: event.at, source: Source::Webhook, ..Word::default() };
    let category = |word: &str| Some(Category::from(word).as_str().to_owned());
    match ItemKind::from(event.event.as_str()) {
        ItemKind::TemplateCategory => {
            let update: TemplateCategoryUpdate = serde_json::from_str(&event.value).unwrap_or_default();
            if let Some(CategoryChange::Done { previous: Some(previous), current }) = update.change() {
                (word.category_before, word.category) = (category(previous), category(current));
            }
        }
        ItemKind::TemplateQuality | ItemKind::TemplateComponents => {}
        _ => {
            let status = TemplateStatus::from(event.event.as_str());
            word.status = status.resulting().map(|status| status.as_str().to_owned());
            word.archived = match status {
                TemplateStatus::Archived => Some(true),
                TemplateStatus::Unarchived => Some(false),
                _ => None,
            };
            let update = serde_json::from_str::<TemplateStatusUpdate>(&event.value).ok();
            word.category = update.and_then(|update| category(&update.message_template_category?));
        }
    }
    word
}

fn by_listing(seen: &[Observation]) -> Word {
    let mut word = Word { source: Source::Listing, ..Word::default() };
    for Observation { at, field, before, after, .. } in seen {
        word.at = *at;
        match field.as_str() {
            "status" => (word.status_before, word.status) = (before.clone(), after.clone()),
            "category" => (word.category_before, word.category) = (before.clone(), after.clone()),
            "archived" => word.archived = after.as_deref().map(|archived| archived == "true"),
            "removed" => word.gone = true,
            "added" => {
                let record = after.as_deref().and_then(|after| serde_json::from_str::<TemplateRecord>(after).ok());
                let Some(record) = record else { continue };
                word.archived = record.is_archived();
                word.asked = previous_category(&record.template);
                word.category = Some(record.template.category.as_str().to_owned()).filter(|said| !said.is_empty());
                word.status = record.status.map(|status| status.as_str().to_owned());
            }
            _ => {}
        }
    }
    word
}

/// The state of a template during the replay.
#[derive(Debug, Default)]
struct Course {
    status: Option<Stand<String>>,
    archived: Option<Stand<bool>>,
    category: Option<String>,
    asked: Option<String>,
}

/// The value of one property, and when it was entered.
#[derive(Debug)]
struct Stand<T> {
    value: T,
    since: Since,
    source: Source,
}

impl Course {
    fn follow(&mut self, word: Word) {
        if word.gone {
            // The requested category is kept; the state after it reappears is unknown.
            *self = Self { asked: self.asked.take(), ..Self::default() };
            return;
        }
        if let Some(category) = &word.category {
            let status = word.status_before.as_deref().or_else(|| Some(&self.status.as_ref()?.value));
            let before = word.category_before.as_deref().or(self.category.as_deref());
            if let (None, Some(status), Some(before)) = (&self.asked, status, before) {
                self.asked = lifecycle::asked_category(status, before, category).map(str::to_owned);
            }
        }
        if word.source == Source::Own {
            // Submitted again.
            self.asked = word.asked.or(self.asked.take());
        } else {
            self.asked = self.asked.take().or(word.asked);
        }
        self.category = word.category.or(self.category.take());
        // An answer with another status than the one that follows a submission does not show when that was entered.
        let is_exact = word.source != Source::Listing;
        let exact = is_exact && (word.source != Source::Own || word.status.as_deref() == Some("PENDING"));
        stand(&mut self.status, word.status, word.source, Since { at: word.at, exact });
        stand(&mut self.archived, word.archived, word.source, Since { at: word.at, exact: is_exact });
    }
}

/// Applies a reported value to the known one.
fn stand<T: PartialEq>(known: &mut Option<Stand<T>>, told: Option<T>, source: Source, since: Since) {
    let Some(value) = told else { return };
    let Some(stands) = known.as_mut().filter(|stands| stands.value == value) else {
        *known = Some(Stand { value, since, source });
        return;
    };
    if source == Source::Listing {
        // A listing shows what an event reports later. But if the action was made here and its answer was lost, the
        // listing was the first report.
        if stands.source == Source::Own {
            *stands = Stand { value, since, source };
        }
        return;
    }
    // An exact instant replaces a first observation; of two exact instants, the earlier one counts.
    if since.exact {
        stands.since = if stands.since.exact { Since { at: stands.since.at.min(since.at), ..since } } else { since };
    }
    stands.source = source;
}

impl<T: PartialEq> Stand<T> {
    /// When the state shown by the listing was entered; the listing was answered at `at`.
    fn since(&self, shown: &T, at: i64) -> Option<Since> {
        Some(if self.value == *shown { self.since } else { Since { at, exact: false } })
    }
}

#[cfg(test)]
mod tests;
