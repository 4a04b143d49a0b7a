//! Templates that are no longer listed, and two ways to restore them: unarchiving, and another request to the
//! provider's listing.

use std::collections::HashSet;

use provider_client::ListedTemplate;
use store::cache::{RequestMark, Since};
use store::desk::BulkActionKind;

use crate::templates::Templates;
use crate::templates::listed_record::{cached, record};
use command_types::error::{DeskError, Missing, Result};
use command_types::history::{LookedFor, RemovedTemplate};
use command_types::template::{RefreshTemplates, TemplateId};
use command_types::workspace::WorkspaceId;

/// Maximum number of removed templates listed.
const MAX_REMOVED: u32 = 200;

impl Templates {
    /// Templates that were listed once and no longer are, newest first.
    pub async fn list_removed(&self, request: WorkspaceId) -> Result<Vec<RemovedTemplate>> {
        let workspace = request.workspace;
        let mut all: Vec<RemovedTemplate> = Vec::new();
        // A template that was archived here and is not cached was lost with the cache: listings may leave out archived
        // templates.
        for (action, archived) in [(BulkActionKind::Delete, false), (BulkActionKind::Archive, true)] {
            for done in self.0.context.desk.last_done(&workspace, action, MAX_REMOVED).await? {
                all.push(RemovedTemplate {
                    reference: done.template_ref,
                    name: done.name,
                    language: done.language,
                    at: done.sent_at,
                    exact: !archived,
                    archived,
                    can_unarchive: archived,
                });
            }
        }
        for seen in self.0.context.desk.removals(&workspace, MAX_REMOVED).await? {
            let Some(record) = seen.before.as_deref().and_then(record) else { continue };
            all.push(RemovedTemplate {
                reference: seen.template_ref,
                name: record.template.name,
                language: record.template.language,
                at: seen.at,
                exact: false,
                archived: false,
                // Providers may leave out archived templates, and it may have been archived elsewhere.
                can_unarchive: true,
            });
        }
        // A deletion here takes precedence over its absence from the next listing.
        all.sort_by_key(|removed| (std::cmp::Reverse(removed.exact), std::cmp::Reverse(removed.at)));
        let mut once = HashSet::new();
        all.retain(|removed| once.insert(removed.reference.clone()));
        all.sort_by_key(|removed| std::cmp::Reverse(removed.at));
        all.truncate(MAX_REMOVED as usize);
        let mut gone = Vec::with_capacity(all.len());
        for removed in all {
            // It may be listed again.
            if self.0.context.cache.template(&workspace, &removed.reference).await?.is_none() {
                gone.push(removed);
            }
        }
        Ok(gone)
    }

    /// Fetches the listing with the name of a template (contract §4.7), and returns whether it is listed. Removes no
    /// template that the answer leaves out.
    pub async fn look_for_template(&self, id: TemplateId) -> Result<LookedFor> {
        let name = self.template_name(&id.workspace, &id.reference).await?;
        if name.is_empty() {
            return Err(DeskError::not_found(Missing::TemplateName));
        }
        let request =
            RefreshTemplates { workspace: id.workspace.clone(), search: Some(name), ..RefreshTemplates::default() };
        self.refresh_templates(request).await?;
        Ok(LookedFor { found: self.0.context.cache.template(&id.workspace, &id.reference).await?.is_some() })
    }

    /// Adds a template that was unarchived at that instant to the list in its last known state if no listing contains
    /// it, and fetches its current state from the provider.
    pub(crate) async fn restore_unarchived(&self, workspace: &str, reference: &str, asked: RequestMark) -> Result<()> {
        if self.0.context.cache.template(workspace, reference).await?.is_some() {
            return Ok(());
        }
        if let Some(raw) = self.0.context.desk.removed_record(workspace, reference).await?.and_then(|seen| seen.before)
            && let Some(record) = record(&raw)
            && let listed = (ListedTemplate { record, raw, unreadable: Vec::new(), is_damaged: false })
            && let Some(mut template) = cached(workspace, listed, asked)
        {
            // The last reported status may be newer than the record.
            let status = std::mem::take(&mut template.row.status);
            let known = self.known_before_listing(workspace).await?;
            let mut templates = [template];
            self.backfill(workspace, &known, &mut templates, asked.at).await?;
            let [mut template] = templates;
            if template.row.status.is_empty() {
                template.row.status = status;
            }
            template.row.archived = Some(false);
            template.row.archived_since = Some(Since { at: asked.at, exact: true });
            self.0.context.cache.upsert_template(template).await?;
        }
        let this = self.clone();
        let id = TemplateId { workspace: workspace.to_owned(), reference: reference.to_owned() };
        self.0.context.spawn(async move {
            match this.look_for_template(id).await {
                Ok(_) | Err(DeskError::Conflict { .. }) => {}
                Err(error) => {
                    tracing::info!(error = error.without_provider_text(), "an unarchived template could not be fetched")
                }
            }
        });
        Ok(())
    }
}
