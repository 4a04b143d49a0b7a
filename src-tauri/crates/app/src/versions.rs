//! The chain of attempts: every version of a template that is known here, and what the review said to it.

use model::diff::changes;
use model::envelope::RejectionInfo;
use model::event::template::TemplateStatusUpdate;
use model::render::{Fill, render};
use model::template::Template;
use model::vocabulary::TemplateStatus;
use store::cache::CachedTemplate;
use store::desk::{TemplateEvent, Version};

use crate::core::Core;
use crate::error::{DeskError, Result};
use crate::view::edit::TemplateVersion;
use crate::view::template::TemplateId;

/// Most events of a template that are looked at.
const EVENTS: u32 = 200;

impl Core {
    /// The versions of a template, newest first.
    ///
    /// # Errors
    /// [`DeskError::NotFound`] when the cache does not know the template.
    pub async fn list_versions(&self, request: TemplateId) -> Result<Vec<TemplateVersion>> {
        let cached = self.cached(&request.workspace, &request.reference).await?;
        let versions = self.0.desk.versions(&request.workspace, &request.reference).await?;
        let events = self.template_events(&cached).await?;
        let mut shown: Vec<TemplateVersion> = Vec::with_capacity(versions.len());
        let mut until = i64::MAX;
        for version in versions {
            let template = content(&version)?;
            // Shown newest first, so the one before this is still to come: it is compared when it does.
            if let Some(newer) = shown.last_mut() {
                newer.changes = changes(&template, &newer.template);
            }
            let review = outcome(&events, version.at, until);
            until = version.at;
            shown.push(TemplateVersion {
                bubble: render(&template, &Fill::default()),
                outcome: review.map(|event| event.event.clone()),
                reason: review.and_then(|event| event.reason.clone()).filter(|reason| reason != "NONE"),
                advice: review.and_then(rejection_of).and_then(|info| info.recommendation.or(info.reason)),
                id: version.id,
                at: version.at,
                origin: version.origin,
                template,
                changes: Vec::new(),
            });
        }
        if let Some(newest) = shown.first_mut()
            && newest.outcome.is_none()
        {
            // No webhook came, but a listing may have told.
            let status = cached.row.status;
            if matches!(TemplateStatus::from(status.as_str()), TemplateStatus::Approved | TemplateStatus::Rejected) {
                newest.outcome = Some(status);
                newest.reason = cached.row.rejected_reason;
            }
        }
        Ok(shown)
    }

    /// The content of a version.
    pub(crate) async fn version_content(&self, workspace: &str, id: &str) -> Result<Template> {
        let version = self.0.desk.version(workspace, id).await?;
        content(&version.ok_or_else(|| DeskError::not_found("The version"))?)
    }

    /// The events of a template, newest first.
    pub(crate) async fn template_events(&self, cached: &CachedTemplate) -> Result<Vec<TemplateEvent>> {
        let row = &cached.row;
        let channel_id = row.channel_id.as_deref();
        Ok(self.0.desk.template_events(&row.workspace_id, &row.name, &row.language, channel_id, EVENTS).await?)
    }
}

fn content(version: &Version) -> Result<Template> {
    serde_json::from_str(&version.document)
        .map_err(|error| DeskError::Storage { reason: format!("a version of the template cannot be read: {error}") })
}

/// The first word of the review between two instants. `events` are newest first.
fn outcome(events: &[TemplateEvent], from: i64, until: i64) -> Option<&TemplateEvent> {
    let between = events.iter().filter(|event| (from..until).contains(&event.at));
    between.rev().find(|event| matches!(event.event.as_str(), "APPROVED" | "REJECTED"))
}

/// What an event tells about a rejection.
pub(crate) fn rejection_of(event: &TemplateEvent) -> Option<RejectionInfo> {
    serde_json::from_str::<TemplateStatusUpdate>(&event.value).ok()?.rejection_info
}
