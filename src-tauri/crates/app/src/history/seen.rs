//! What a listing told that differs from the one before, noted down before it is forgotten.

use model::diff::changes;
use model::template::{Template, TemplateRecord};
use store::cache::Change;
use store::desk::{Observation, Version};

use crate::core::Core;
use crate::drafts::content_of;
use crate::error::Result;
use crate::parts::to_json;
use crate::versions::{content, is_filled_in};

impl Core {
    /// Keeps the differences between two listings. Other content becomes a version, also what was there before where no
    /// version is known; components that differ only in what nobody made, such as the address of a sample, are the same.
    pub(crate) async fn note_differences(&self, workspace: &str, differences: Vec<Change>, at: i64) -> Result<()> {
        let mut seen = Vec::with_capacity(differences.len());
        for change in differences {
            if let Some((before, after)) = &change.records
                && let (Some(before), Some(after)) = (content_in(before), content_in(after))
            {
                if is_same(&before, &after) {
                    continue;
                }
                let since = change.since.unwrap_or(at - 1);
                self.note_content(workspace, &change.reference, (since, &before), (at, &after)).await?;
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
        Ok(self.0.desk.add_observations(seen).await?)
    }

    async fn note_content(
        &self,
        workspace: &str,
        reference: &str,
        (since, before): (i64, &Template),
        (at, after): (i64, &Template),
    ) -> Result<()> {
        let known = self.0.desk.versions(workspace, reference).await?;
        let version = |at: i64, document: String| Version {
            id: uuid::Uuid::new_v4().to_string(),
            workspace_id: workspace.to_owned(),
            template_ref: reference.to_owned(),
            at,
            origin: "observed".to_owned(),
            document,
        };
        let newest = known.first().and_then(|newest| content(newest).ok());
        if newest.is_none() {
            self.0.desk.add_version(version(since, to_json(before)?)).await?;
        }
        // What was sent from here is what is there now.
        if !newest.is_some_and(|newest| is_same(&newest, after)) {
            self.0.desk.add_version(version(at, to_json(after)?)).await?;
        }
        Ok(())
    }
}

fn content_in(record: &str) -> Option<Template> {
    serde_json::from_str::<TemplateRecord>(record).ok().map(|record| content_of(record.template))
}

/// Whether two contents have components that differ in nothing which a person made.
fn is_same(before: &Template, after: &Template) -> bool {
    changes(before, after).iter().all(|change| !change.path.starts_with("/components") || is_filled_in(change))
}
