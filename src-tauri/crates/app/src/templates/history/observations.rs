//! Records the differences between two listings before the old one is replaced.

use std::collections::HashMap;

use model::diff::changes;
use model::template::{Template, TemplateRecord};
use store::cache::Change;
use store::desk::{Observation, Version, VersionOrigin};

use crate::parts::to_json;
use crate::templates::Templates;
use crate::templates::versions::{content, is_filled_in};
use api::error::Result;
use requests::compute;
use requests::template_text::content_of;

/// A difference, and when it was observed.
struct Noted {
    at: i64,
    change: Change,
    /// The content, if it changed.
    rewritten: Option<Rewritten>,
}

/// Changed content of a template.
struct Rewritten {
    /// The content before, and when a listing that showed it was requested.
    before: (i64, Template),
    after: Template,
}

impl Templates {
    /// Records the differences between two listings. Changed content becomes a version, and so does the previous
    /// content if no version is known. Components that differ only in generated values, such as the address of a
    /// sample, count as the same.
    pub(crate) async fn note_differences(&self, workspace: &str, answers: Vec<Shown>) -> Result<()> {
        let noted = compute::run(move || {
            let changes =
                answers.into_iter().flat_map(|(at, changes)| changes.into_iter().map(move |change| (at, change)));
            changes.filter_map(|(at, change)| noted(at, change)).collect::<Vec<Noted>>()
        })
        .await?;
        if noted.is_empty() {
            return Ok(());
        }
        let rewritten = noted.iter().filter(|noted| noted.rewritten.is_some());
        let references: Vec<&str> = rewritten.map(|noted| noted.change.reference.as_str()).collect();
        let newest = self.0.context.desk.newest_versions(workspace, &references).await?;
        let route = workspace.to_owned();
        let (seen, versions) = compute::run(move || kept(&route, noted, &newest)).await??;
        Ok(self.0.context.desk.store_observations(seen, versions).await?)
    }
}

/// The rows to store: each difference, and the contents that are not versions yet.
fn kept(
    workspace: &str,
    noted: Vec<Noted>,
    newest: &HashMap<String, Version>,
) -> Result<(Vec<Observation>, Vec<Version>)> {
    let (mut seen, mut versions) = (Vec::with_capacity(noted.len()), Vec::new());
    for Noted { at, change, rewritten } in noted {
        if let Some(rewritten) = rewritten {
            let newest = newest.get(&change.reference).and_then(|newest| content(newest).ok());
            versions.extend(new_versions(workspace, &change.reference, &rewritten, newest.as_ref(), at)?);
        }
        seen.push(Observation {
            workspace_id: workspace.to_owned(),
            template_ref: change.reference,
            at,
            since: change.since,
            field: change.field,
            before: change.before,
            after: change.after,
        });
    }
    Ok((seen, versions))
}

/// `None` if only generated values differ.
fn noted(at: i64, change: Change) -> Option<Noted> {
    let records = change.records.as_ref();
    let contents = records.and_then(|(before, after)| content_in(before).zip(content_in(after)));
    if contents.as_ref().is_some_and(|(before, after)| is_same(before, after)) {
        return None;
    }
    let since = change.since.unwrap_or(at - 1);
    let rewritten = contents.map(|(before, after)| Rewritten { before: (since, before), after });
    Some(Noted { at, change, rewritten })
}

fn new_versions(
    workspace: &str,
    reference: &str,
    Rewritten { before: (since, before), after }: &Rewritten,
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
        Some(newest) if is_same(newest, after) => Ok(Vec::new()),
        Some(_) => Ok(vec![version(at, after)?]),
    }
}

fn content_in(record: &str) -> Option<Template> {
    serde_json::from_str::<TemplateRecord>(record).ok().map(|record| content_of(record.template))
}

/// Whether two contents have the same components apart from generated values.
fn is_same(before: &Template, after: &Template) -> bool {
    changes(before, after).iter().all(|change| !change.path.starts_with("/components") || is_filled_in(change))
}

/// The differences in an answer, and when it was received.
pub(crate) type Shown = (i64, Vec<Change>);
