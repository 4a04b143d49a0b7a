//! Versions: every known content of a template, and the review outcome of each.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use model::diff::{Change, changes};
use model::envelope::RejectionInfo;
use model::event::template::TemplateStatusUpdate;
use model::render::{Fill, render};
use model::template::Template;
use model::vocabulary::TemplateStatus;
use store::cache::{CachedTemplate, EventSubject, TemplateRow};
use store::desk::{Submission, TemplateEvent, Version, VersionOrigin};

use crate::templates::Templates;
use command_types::edit::TemplateVersion;
use command_types::error::{DeskError, Missing, Result};
use command_types::template::TemplateId;
use outgoing::compute;
use outgoing::template_text::is_provider_field;

/// Maximum number of events of a template that are read.
const MAX_EVENTS: u32 = 200;

/// Whether the provider only filled in a value that was not set: not a change by a person.
pub(crate) fn is_generated(change: &Change) -> bool {
    let field = change.path.trim_start_matches('/').split('/').next().unwrap_or_default();
    let default = match field {
        "type" => change.after.as_deref() == Some("cloud_api"),
        "parameter_format" => change.after.as_deref() == Some("POSITIONAL"),
        // A category that was not set before.
        "category" => true,
        field => is_provider_field(field),
    };
    change.before.is_none() && default
}

impl Templates {
    /// The versions of a template, newest first.
    pub async fn list_versions(&self, request: TemplateId) -> Result<Vec<TemplateVersion>> {
        let cached = self.cached(&request.workspace, &request.reference).await?;
        let versions = self.0.context.desk.versions(&request.workspace, &request.reference).await?;
        let events = self.template_events(&cached).await?;
        let submissions =
            self.0.context.desk.submissions_of_template(&request.workspace, &request.reference, MAX_EVENTS).await?;
        let row = cached.row;
        compute::run(move || listed(versions, &events, &submissions, row)).await?
    }

    pub(crate) async fn version_content(&self, workspace: &str, id: &str) -> Result<Template> {
        let version = self.0.context.desk.version(workspace, id).await?;
        content(&version.ok_or_else(|| DeskError::not_found(Missing::Version))?)
    }

    /// The contents that templates had at instants, each given with its reference. Templates whose content is not known
    /// are left out.
    pub(crate) async fn contents_at(
        &self,
        workspace: &str,
        wanted: &[(String, i64)],
    ) -> Result<HashMap<(String, i64), Arc<Template>>> {
        let mut instants: HashMap<&str, Vec<i64>> = HashMap::new();
        for (reference, at) in wanted {
            instants.entry(reference).or_default().push(*at);
        }
        let mut contents = HashMap::with_capacity(wanted.len());
        for (reference, instants) in instants {
            let known = self.contents_of(workspace, reference).await?;
            for at in instants {
                // The oldest version is also what was sent before it was recorded.
                let content = known.iter().find(|(since, _)| *since <= at).or(known.last());
                if let Some((_, Some(content))) = content {
                    contents.insert((reference.to_owned(), at), Arc::clone(content));
                }
            }
        }
        Ok(contents)
    }

    /// The contents that a template had, newest first, each with the instant from which it had it; `None` for one that
    /// cannot be read.
    pub(crate) async fn contents_of(
        &self,
        workspace: &str,
        reference: &str,
    ) -> Result<Vec<(i64, Option<Arc<Template>>)>> {
        let versions = self.0.context.desk.versions(workspace, reference).await?;
        if !versions.is_empty() {
            return Ok(versions.iter().map(|version| (version.at, content(version).ok().map(Arc::new))).collect());
        }
        let listed = self.0.context.cache.template(workspace, reference).await?;
        let listed = listed.and_then(|cached| super::read(&cached).ok()).map(|record| Arc::new(record.template));
        Ok(listed.map(|content| (i64::MIN, Some(content))).into_iter().collect())
    }

    /// The events of a template, newest first.
    pub(crate) async fn template_events(&self, cached: &CachedTemplate) -> Result<Vec<TemplateEvent>> {
        let row = &cached.row;
        let channel_id = row.channel_id.as_deref();
        let language = model::language::normalise(&row.language);
        let events = self
            .0
            .context
            .desk
            .template_events(&row.workspace_id, &row.name, &language, channel_id, MAX_EVENTS)
            .await?;
        self.events_about(&row.workspace_id, &row.reference, events, |_| false).await
    }

    /// The events that are about this template, not one of the same name in another WABA. `unclaimed` decides about
    /// events that belong to no listed template.
    pub(crate) async fn events_about(
        &self,
        workspace: &str,
        reference: &str,
        events: Vec<TemplateEvent>,
        unclaimed: impl Fn(&TemplateEvent) -> bool,
    ) -> Result<Vec<TemplateEvent>> {
        let subject = |event: &TemplateEvent| EventSubject {
            name: event.template_name.clone(),
            language_key: event.language.clone(),
            channel_id: event.channel_id.clone(),
            waba: event.waba.clone(),
        };
        let subjects: HashSet<EventSubject> = events.iter().map(subject).collect();
        let meant = self.0.context.cache.resolve_subjects(workspace, subjects.into_iter().collect()).await?;
        let mut events = events;
        events.retain(|event| match meant.get(&subject(event)) {
            Some(other) => other == reference,
            None => unclaimed(event),
        });
        Ok(events)
    }
}

/// Versions for the window, newest first, with the review outcome of each.
fn listed(
    versions: Vec<Version>,
    events: &[TemplateEvent],
    submissions: &[Submission],
    row: TemplateRow,
) -> Result<Vec<TemplateVersion>> {
    let reviews = reviews(&versions, events);
    let mut shown: Vec<TemplateVersion> = Vec::with_capacity(versions.len());
    for (version, review) in versions.into_iter().zip(reviews) {
        let template = content(&version)?;
        // Newest first, so the previous version follows: the difference is computed then.
        if let Some(newer) = shown.last_mut() {
            newer.changes = changes(&template, &newer.template);
            newer.changes.retain(|change| !is_generated(change));
        }
        let before = || {
            let next = submissions.iter().rev().find(|submission| submission.created_at > version.at)?;
            next.status_before.clone().filter(|status| is_outcome(status))
        };
        shown.push(TemplateVersion {
            bubble: render(&template, &Fill::default()),
            outcome: match review {
                Some(event) => Some(event.event.clone()),
                // No webhook was received, but its status at the time of the edit is known.
                None => before(),
            },
            reason: review.and_then(|event| event.reason.clone()).filter(|reason| reason != "NONE"),
            advice: review.and_then(rejection_of).and_then(|info| info.advice()),
            id: version.id,
            at: version.at,
            origin: version.origin,
            template,
            changes: Vec::new(),
        });
    }
    if let Some(newest) = shown.first_mut().filter(|newest| newest.outcome.is_none())
        && is_outcome(&row.status)
    {
        // No webhook was received, but a listing may show the outcome.
        newest.outcome = Some(row.status);
        newest.reason = row.rejected_reason;
    }
    Ok(shown)
}

pub(crate) fn content(version: &Version) -> Result<Template> {
    serde_json::from_str(&version.document)
        .map_err(|error| DeskError::Storage { reason: format!("a version of the template cannot be read: {error}") })
}

pub(crate) fn is_outcome(word: &str) -> bool {
    matches!(TemplateStatus::from(word), TemplateStatus::Approved | TemplateStatus::Rejected)
}

/// The review outcome of each version: the first one after it and before the next version. Versions and events are
/// newest first, and so is the result.
///
/// Events have timestamps in whole seconds, so the instant of a version is truncated in the same way; an event counts
/// for one version only.
fn reviews<'a>(versions: &[Version], events: &'a [TemplateEvent]) -> Vec<Option<&'a TemplateEvent>> {
    let mut outcomes = events.iter().rev().filter(|event| is_outcome(&event.event)).peekable();
    let mut found = Vec::with_capacity(versions.len());
    for (place, version) in versions.iter().enumerate().rev() {
        let until = place.checked_sub(1).map_or(i64::MAX, |newer| versions[newer].at);
        let mut review = None;
        // Made elsewhere and observed at its first edit: the last outcome before that belongs to it.
        if version.origin == VersionOrigin::Observed {
            while let Some(event) = outcomes.next_if(|event| event.at <= version.at) {
                review = Some(event);
            }
        } else {
            let from = version.at - version.at.rem_euclid(1_000);
            while outcomes.next_if(|event| event.at < from).is_some() {}
            review = outcomes.next_if(|event| event.at <= until);
        }
        found.push(review);
    }
    found.reverse();
    found
}

/// The rejection that an event reports.
pub(crate) fn rejection_of(event: &TemplateEvent) -> Option<RejectionInfo> {
    serde_json::from_str::<TemplateStatusUpdate>(&event.value).ok()?.rejection_info
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::templates::history::tests::webhook_event;

    fn version(at: i64, origin: VersionOrigin) -> Version {
        Version {
            id: at.to_string(),
            workspace_id: "w".to_owned(),
            template_ref: "r".to_owned(),
            at,
            origin,
            document: "{}".to_owned(),
        }
    }

    fn event(at: i64, word: &str) -> TemplateEvent {
        webhook_event(at, word, serde_json::json!({}))
    }

    #[test]
    fn values_generated_by_the_provider_are_not_changes() {
        let change = |path: &str, before: Option<&str>, after: &str| Change {
            path: path.to_owned(),
            before: before.map(str::to_owned),
            after: Some(after.to_owned()),
            words: Vec::new(),
        };
        for (change, filled_in) in [
            (change("/type", None, "cloud_api"), true),
            (change("/type", None, "marketing_lite"), false),
            (change("/parameter_format", None, "POSITIONAL"), true),
            (change("/parameter_format", Some("NAMED"), "POSITIONAL"), false),
            (change("/template_ids/200000000000001", None, "1442579716092415814"), true),
            (change("/category", None, "utility"), true),
            (change("/category", Some("marketing"), "utility"), false),
            (change("/sub_category", None, "ORDER_STATUS"), false),
            (change("/components/BODY/text", None, "Hello"), false),
        ] {
            assert_eq!(is_generated(&change), filled_in, "{change:?}");
        }
    }

    #[test]
    fn each_version_has_the_first_outcome_after_it() {
        use VersionOrigin::{Edited as edited, Observed as observed, Submitted as submitted};
        let cases = [
            (vec![version(5_500, submitted)], vec![], vec![None]),
            // In the same second as the version: events have no fractions.
            (vec![version(5_500, submitted)], vec![event(5_000, "APPROVED")], vec![Some("APPROVED")]),
            (vec![version(5_500, submitted)], vec![event(4_000, "APPROVED")], vec![None]),
            (
                vec![version(9_000, edited), version(5_500, submitted)],
                vec![event(9_000, "PENDING"), event(7_000, "REJECTED")],
                vec![None, Some("REJECTED")],
            ),
            (
                vec![version(5_900, edited), version(5_500, submitted)],
                vec![event(5_000, "APPROVED"), event(5_000, "PENDING"), event(5_000, "REJECTED")],
                vec![Some("APPROVED"), Some("REJECTED")],
            ),
            // Later events about the same version do not change its outcome.
            (
                vec![version(5_500, submitted)],
                vec![event(9_000, "REJECTED"), event(8_000, "PAUSED"), event(6_000, "APPROVED")],
                vec![Some("APPROVED")],
            ),
            (
                vec![version(9_000, edited), version(8_999, observed)],
                vec![event(12_000, "APPROVED"), event(4_000, "REJECTED"), event(2_000, "APPROVED")],
                vec![Some("APPROVED"), Some("REJECTED")],
            ),
        ];
        for (versions, events, expected) in cases {
            let found: Vec<_> =
                reviews(&versions, &events).into_iter().map(|event| event.map(|event| event.event.as_str())).collect();
            assert_eq!(found, expected, "{versions:?} {events:?}");
        }
    }
}
