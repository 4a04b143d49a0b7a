//! The history of a template: merges webhooks, listings and own actions, each change once, with gaps where data is
//! missing.

pub(crate) mod decisions;
mod dedupe;
mod gaps;
mod known_since;
mod merge;
pub(crate) mod observations;
mod sources;

use std::collections::HashMap;

use model::diff::changes;
use model::language;
use model::render::{Fill, render};
use model::template::Template;
use store::cache::{TemplateRow, item_key};
use store::desk::{Observation, Receiver, TemplateEvent, Version, VersionOrigin};

use self::sources::ReportedEntry;
pub(crate) use self::sources::truncate_to_second;
use crate::templates::Templates;
use crate::templates::listed_record::record;
use crate::templates::read;
use crate::templates::versions::{content, is_generated};
use crate::workspaces::SANDBOX_ID;
use command_types::edit::TemplateVersion;
use command_types::error::{DeskError, Missing, Result};
use command_types::history::{CompareVersions, HistoryQuery, TemplateHistory, VersionComparison};
use outgoing::compute;
use outgoing::now;
use outgoing::template_text::content_of;

/// Maximum number of records read from each source.
const MAX_RECORDS: u32 = 1_000;
/// Maximum number of entries on a page.
const PAGE_SIZE: u32 = 500;
/// Identifier of the version that was listed last.
const CURRENT_VERSION: &str = "current";

struct HistoryTemplate {
    workspace: String,
    reference: String,
    name: String,
    language: String,
    channel_id: Option<String>,
    /// WABAs that it is or was in, if known.
    wabas: Vec<String>,
    removed: bool,
}

impl Templates {
    /// The history of a template, also of one that is no longer listed.
    pub async fn get_history(&self, query: HistoryQuery) -> Result<TemplateHistory> {
        let subject = self.subject(&query.workspace, &query.reference).await?;
        let (history, listed_since) = self.history(&subject).await?;
        let shown: Vec<_> = history.iter().map(|reported| reported.entry.clone()).collect();
        let decisions = decisions::decisions(&shown);
        // Entries of the same second are not ordered by their instants.
        let first = shown.iter().map(|entry| entry.at).min();
        let known_since = first.map(|first| listed_since.map_or(first, |since| since.min(first)));
        let wanted = |reported: &ReportedEntry| query.kinds.is_empty() || query.kinds.contains(&reported.entry.kind);
        let mut wanted: Vec<ReportedEntry> = history.into_iter().filter(wanted).collect();
        let total = wanted.len() as u64;
        let from = (query.offset as usize).min(wanted.len());
        wanted.drain(..from);
        wanted.truncate(query.limit.clamp(1, PAGE_SIZE) as usize);
        self.find_items(&query.workspace, &mut wanted).await?;
        Ok(TemplateHistory {
            entries: wanted.into_iter().map(|reported| reported.entry).collect(),
            total,
            name: subject.name,
            language: subject.language,
            removed: subject.removed,
            known_since,
            decisions,
        })
    }

    /// The template as it is listed, or was listed last.
    async fn subject(&self, workspace: &str, reference: &str) -> Result<HistoryTemplate> {
        let (workspace, reference) = (workspace.to_owned(), reference.to_owned());
        if let Some(cached) = self.0.context.cache.template(&workspace, &reference).await? {
            let TemplateRow { name, language, channel_id, wabas, .. } = cached.row;
            return Ok(HistoryTemplate { workspace, reference, name, language, channel_id, wabas, removed: false });
        }
        if let Some(observed) = self.0.context.desk.removed_record(&workspace, &reference).await?
            && let Some(record) = observed.before.as_deref().and_then(record)
        {
            let (wabas, channel_id) = (record.wabas(), record.id.map(|id| id.as_str().to_owned()));
            let (name, language) = (record.template.name, record.template.language);
            return Ok(HistoryTemplate { workspace, reference, name, language, channel_id, wabas, removed: true });
        }
        let deleted = self.0.context.desk.actions_of(&workspace, &reference, 1).await?;
        let deleted = deleted.into_iter().next().ok_or_else(|| DeskError::not_found(Missing::Template))?;
        let (name, language) = (deleted.name, deleted.language);
        Ok(HistoryTemplate { workspace, reference, name, language, channel_id: None, wabas: Vec::new(), removed: true })
    }

    /// The name of a template, also of one that is no longer listed.
    pub(crate) async fn template_name(&self, workspace: &str, reference: &str) -> Result<String> {
        Ok(self.subject(workspace, reference).await?.name)
    }

    /// All entries, newest first, and when the template was listed for the first time, if that is known.
    async fn history(&self, subject: &HistoryTemplate) -> Result<(Vec<ReportedEntry>, Option<i64>)> {
        let HistoryTemplate { workspace, reference, name, .. } = subject;
        let desk = &self.0.context.desk;
        let language = language::normalise(&subject.language);
        let events =
            desk.template_events(workspace, name, &language, subject.channel_id.as_deref(), MAX_RECORDS).await?;
        // For a template that is no longer listed: events from its WABAs, and events that belong to no listed template.
        let belongs_here = |event: &TemplateEvent| {
            let elsewhere = event.waba.as_ref().is_some_and(|waba| !subject.wabas.contains(waba));
            subject.removed && (subject.wabas.is_empty() || !elsewhere)
        };
        let events = self.events_about(workspace, reference, events, belongs_here).await?;
        let observed = desk.observations_of(workspace, reference, MAX_RECORDS).await?;
        let submissions = desk.submissions_of_template(workspace, reference, MAX_RECORDS).await?;
        let actions = desk.actions_of(workspace, reference, MAX_RECORDS).await?;
        let versions = desk.versions(workspace, reference).await?;
        let cut =
            [events.len(), observed.len(), submissions.len(), actions.len()].iter().any(|n| *n >= MAX_RECORDS as usize);
        let events = dedupe::without_redeliveries(events, &submissions);
        let categories = categories(&versions, &events, &observed);
        let known_category = |at: i64| {
            let known = categories.iter().filter(|(since, _)| *since < at).max_by_key(|(since, _)| *since);
            known.map(|(_, category)| category.clone())
        };
        let webhooks = events.iter().rev().flat_map(|event| sources::by_webhook(event, known_category)).collect();
        let version = |made_here: bool| {
            let versions = &versions;
            move |at: i64| {
                let fits =
                    |version: &&Version| version.at == at && (version.origin != VersionOrigin::Observed) == made_here;
                versions.iter().find(fits).map(|version| version.id.clone())
            }
        };
        let own = submissions
            .iter()
            .map(|submission| sources::by_submission(submission, version(true)))
            .chain(actions.iter().map(sources::by_action))
            .collect();
        let all = merge::merged(webhooks, own, sources::by_sync(&observed, version(false)));
        let receiver = if *workspace == SANDBOX_ID { Receiver::Sandbox } else { Receiver::World };
        let uptime = desk.uptime(receiver).await?;
        let first_listed = self.first_listed(workspace).await?;
        let listed_since = known_since::listed_since(&observed, &submissions, first_listed).filter(|_| !cut);
        Ok((gaps::with_gaps(all, &gaps::offline_spans(&uptime, now()), listed_since, cut), listed_since))
    }

    /// Adds the identifiers of webhook events that still exist.
    async fn find_items(&self, workspace: &str, entries: &mut [ReportedEntry]) -> Result<()> {
        let keys =
            entries.iter().filter_map(|reported| reported.key.as_deref()).map(|key| item_key(workspace, key)).collect();
        let items: HashMap<_, _> = self
            .0
            .context
            .cache
            .items_of(keys)
            .await?
            .into_iter()
            .map(|(key, item)| (key, (item.id, item.deliveries)))
            .collect();
        for reported in entries {
            let item = reported.key.as_deref().and_then(|key| items.get(&item_key(workspace, key)));
            reported.entry.item = item.map(|(id, _)| id.to_string());
            reported.entry.deliveries = item.map(|(_, deliveries)| *deliveries);
        }
        Ok(())
    }

    /// Compares two versions of a template.
    pub async fn compare_versions(&self, request: CompareVersions) -> Result<VersionComparison> {
        let left = self.version_of(&request, &request.left).await?;
        let right = self.version_of(&request, &request.right).await?;
        let (before, after) = (left.template.clone(), right.template.clone());
        let mut changes = compute::run(move || changes(&before, &after)).await?;
        changes.retain(|change| !is_generated(change));
        Ok(VersionComparison { left, right, changes })
    }

    async fn version_of(&self, request: &CompareVersions, id: &str) -> Result<TemplateVersion> {
        let (workspace, reference) = (&request.workspace, &request.reference);
        let shown = async |id: &str, at: i64, origin: VersionOrigin, template: Template| {
            let (bubble, template) = compute::run(move || (render(&template, &Fill::default()), template)).await?;
            Ok(TemplateVersion {
                id: id.to_owned(),
                at,
                origin,
                bubble,
                template,
                outcome: None,
                reason: None,
                advice: None,
                changes: Vec::new(),
            })
        };
        if id == CURRENT_VERSION {
            let cached = self.cached(workspace, reference).await?;
            let template = content_of(read(&cached)?.template);
            return shown(CURRENT_VERSION, cached.row.asked.at, VersionOrigin::Current, template).await;
        }
        let version = self.0.context.desk.version(workspace, id).await?;
        let version = version.filter(|version| version.template_ref == *reference);
        let version = version.ok_or_else(|| DeskError::not_found(Missing::Version))?;
        shown(&version.id, version.at, version.origin, content(&version)?).await
    }
}

/// Known categories and when each was set, from submissions, events and listings.
fn categories(versions: &[Version], events: &[TemplateEvent], observed: &[Observation]) -> Vec<(i64, String)> {
    let mut known = Vec::new();
    for version in versions {
        let category = content(version).ok().map(|template| template.category).filter(|category| !category.is_absent());
        let category = category.map(|category| category.as_str().to_owned());
        // Events have timestamps in whole seconds; an event within the second of a submission answers it.
        known.extend(category.map(|category| (version.at - version.at.rem_euclid(1_000) - 1, category)));
    }
    for event in events {
        known.extend(sources::category_set_by(event).map(|category| (event.at, category)));
    }
    for observed in observed.iter().filter(|observed| observed.field == "category") {
        known.extend(observed.since.zip(observed.before.clone()));
        known.extend(observed.after.clone().map(|after| (observed.at, after)));
    }
    known
}

#[cfg(test)]
pub(crate) mod tests;
