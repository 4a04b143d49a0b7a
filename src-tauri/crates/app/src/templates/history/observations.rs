//! Records the differences between two listings before the old one is replaced.

use std::collections::HashMap;

use model::diff::changes;
use model::template::{Template, TemplateRecord};
use store::cache::Change;
use store::desk::{Observation, Version, VersionOrigin};

use crate::templates::Templates;
use crate::templates::versions::{content, is_generated};
use command_types::error::Result;
use outgoing::compute;
use outgoing::template_text::content_of;
use outgoing::to_json;

/// A difference, and when it was observed.
struct Difference {
    at: i64,
    change: Change,
    /// The content, if it changed.
    content_change: Option<ContentChange>,
}

/// Changed content of a template.
struct ContentChange {
    /// The content before, and when a listing that showed it was requested.
    before: (i64, Template),
    after: Template,
}

impl Templates {
    /// Records the differences between two listings. Changed content becomes a version, and so does the previous
    /// content if no version is known. Components that differ only in generated values, such as the address of a
    /// sample, count as the same.
    pub(crate) async fn record_differences(&self, workspace: &str, answers: Vec<ListingChanges>) -> Result<()> {
        let difference = compute::run(move || {
            let changes =
                answers.into_iter().flat_map(|(at, changes)| changes.into_iter().map(move |change| (at, change)));
            changes.filter_map(|(at, change)| difference(at, change)).collect::<Vec<Difference>>()
        })
        .await?;
        if difference.is_empty() {
            return Ok(());
        }
        let content_change = difference.iter().filter(|difference| difference.content_change.is_some());
        let references: Vec<&str> = content_change.map(|difference| difference.change.reference.as_str()).collect();
        let newest = self.0.context.desk.newest_versions(workspace, &references).await?;
        let route = workspace.to_owned();
        let (observed, versions) = compute::run(move || rows_to_store(&route, difference, &newest)).await??;
        Ok(self.0.context.desk.store_observations(observed, versions).await?)
    }
}

/// The rows to store: each difference, and the contents that are not versions yet.
fn rows_to_store(
    workspace: &str,
    difference: Vec<Difference>,
    newest: &HashMap<String, Version>,
) -> Result<(Vec<Observation>, Vec<Version>)> {
    let (mut observed, mut versions) = (Vec::with_capacity(difference.len()), Vec::new());
    for Difference { at, change, content_change } in difference {
        if let Some(content_change) = content_change {
            let newest = newest.get(&change.reference).and_then(|newest| content(newest).ok());
            versions.extend(new_versions(workspace, &change.reference, &content_change, newest.as_ref(), at)?);
        }
        observed.push(Observation {
            workspace_id: workspace.to_owned(),
            template_ref: change.reference,
            at,
            since: change.since,
            field: change.field,
            waba: change.waba,
            before: change.before,
            after: change.after,
        });
    }
    Ok((observed, versions))
}

/// `None` if only generated values differ.
fn difference(at: i64, change: Change) -> Option<Difference> {
    let records = change.records.as_ref();
    let contents = records.and_then(|(before, after)| content_in(before).zip(content_in(after)));
    if contents.as_ref().is_some_and(|(before, after)| has_same_components(before, after)) {
        return None;
    }
    let since = change.since.unwrap_or(at - 1);
    let content_change = contents.map(|(before, after)| ContentChange { before: (since, before), after });
    Some(Difference { at, change, content_change })
}

fn new_versions(
    workspace: &str,
    reference: &str,
    ContentChange { before: (since, before), after }: &ContentChange,
    newest: Option<&Template>,
    at: i64,
) -> Result<Vec<Version>> {
    let version = |at: i64, content: &Template| -> Result<Version> {
        Ok(Version {
            id: uuid::Uuid::new_v4().to_string(),
            workspace_id: workspace.to_owned(),
            template_ref: reference.to_owned(),
            at,
            origin: VersionOrigin::Observed,
            document: to_json(content)?,
        })
    };
    match newest {
        None => Ok(vec![version(*since, before)?, version(at, after)?]),
        // The current content is the one that was submitted here.
        Some(newest) if has_same_components(newest, after) => Ok(Vec::new()),
        Some(_) => Ok(vec![version(at, after)?]),
    }
}

fn content_in(record: &str) -> Option<Template> {
    serde_json::from_str::<TemplateRecord>(record).ok().map(|record| content_of(record.template))
}

/// Whether two contents have the same components apart from generated values.
fn has_same_components(before: &Template, after: &Template) -> bool {
    changes(before, after).iter().all(|change| !change.path.starts_with("/components") || is_generated(change))
}

/// The differences in an answer, and when it was received.
pub(crate) type ListingChanges = (i64, Vec<Change>);
