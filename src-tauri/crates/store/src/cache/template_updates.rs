//! Updates of templates: complete listings, single answers between them, and events received meanwhile.
//!
//! A row is the newest of the provider's answers and its events. Answers are as new as their requests, which are
//! numbered; an event is newer than every answer requested before it was delivered. No clock takes part, neither the
//! provider's nor this computer's: see [`RequestMark`].

use super::Cache;
use super::merge::{AnswerScope, Upserted, overlay, upsert};
use super::refresh::{
    Listing, ListingPage, ListingProgress, ListingResult, finish_listing, known_records, upsert_page,
};
use super::row::{by_id, by_reference, matching, remove, rewrite, tick};
use super::template::{
    CachedTemplate, Change, RequestMark, RequestTimes, Since, TemplateMatch, TemplatePatch, TemplateRow,
};
use crate::StoreError;

impl Cache {
    /// Applies a complete listing without a plausibility check: adds, changes and removes so that the workspace holds
    /// exactly `templates` and the archived ones, and returns the differences. Atomic.
    ///
    /// `asked` is the first request of the listing.
    pub async fn replace_listing(
        &self,
        workspace_id: &str,
        templates: Vec<CachedTemplate>,
        asked: RequestMark,
    ) -> Result<Vec<Change>, StoreError> {
        let workspace_id = workspace_id.to_owned();
        self.database
            .write(move |c| {
                let mut listed = ListingProgress::default();
                let times = RequestTimes { asked, answered_at: asked.at };
                let page = upsert_page(c, &workspace_id, templates.into(), times, &mut listed)?;
                let mut changes = page.unwrap_or_default();
                let listing = Listing { asked, has_total: true, ..Listing::default() };
                changes.extend(finish_listing(c, &workspace_id, &listing, &listed)?.changes);
                Ok(changes)
            })
            .await
    }

    /// Applies a part of a listing: adds and changes templates, and returns the differences. `listed` has the previous
    /// parts, and is returned with this part. The work starts at once, not when the future is awaited.
    ///
    /// The differences are `None`, and nothing is written, if templates of records that the page left out have changed
    /// meanwhile: then the page must be applied with all its records.
    pub fn apply_listing_page(
        &self,
        workspace_id: &str,
        page: ListingPage,
        times: RequestTimes,
        mut listed: ListingProgress,
    ) -> impl Future<Output = Result<(Option<Vec<Change>>, ListingProgress), StoreError>> + Send + 'static {
        let workspace_id = workspace_id.to_owned();
        self.database.write(move |c| {
            let changes = upsert_page(c, &workspace_id, page, times, &mut listed)?;
            Ok((changes, listed))
        })
    }

    /// Completes a listing whose parts were applied: removes the templates that it omitted and records when it was
    /// requested, unless it must be confirmed first.
    pub async fn finish_listing(
        &self,
        workspace_id: &str,
        listing: Listing,
        listed: ListingProgress,
    ) -> Result<ListingResult, StoreError> {
        let workspace = workspace_id.to_owned();
        let (result, known) = self
            .database
            .write(move |c| {
                let result = finish_listing(c, &workspace, &listing, &listed)?;
                Ok((result, known_records(c, &workspace, listed)?))
            })
            .await?;
        self.known_records.set(workspace_id, known);
        Ok(result)
    }

    /// Upserts one template from the answer to the request `row.asked`, and returns the differences.
    pub async fn upsert_template(&self, template: CachedTemplate) -> Result<Vec<Change>, StoreError> {
        self.database
            .write(move |c| {
                let mut changes = Vec::new();
                let Upserted { id, .. } = upsert(c, template, &mut changes, AnswerScope::Alone)?;
                overlay(c, id)?;
                Ok(changes)
            })
            .await
    }

    /// Applies the response to a call, and returns the references of the templates that changed.
    pub async fn set_template_status(
        &self,
        workspace_id: &str,
        which: TemplateMatch,
        patch: TemplatePatch,
    ) -> Result<Vec<String>, StoreError> {
        let workspace_id = workspace_id.to_owned();
        self.database
            .write(move |c| {
                let mut changed = Vec::new();
                for id in matching(c, &workspace_id, &which)? {
                    let Some((old, record)) = by_id(c, id)? else { continue };
                    let mut new = old.clone();
                    let since = Some(Since { at: patch.asked.at, exact: true });
                    if let Some(status) = patch.status.clone().filter(|status| *status != old.status) {
                        (new.status, new.status_since) = (status, since);
                    }
                    if let Some(archived) = patch.archived.filter(|archived| Some(*archived) != old.archived) {
                        (new.archived, new.archived_since) = (Some(archived), since);
                    }
                    new.rejected_reason = patch.rejected_reason.clone().or(new.rejected_reason);
                    if new.asked.number < patch.asked.number {
                        new.asked = patch.asked;
                    }
                    let differs = TemplateRow { asked: old.asked, ..new.clone() } != old;
                    if differs {
                        new.updated_at = new.updated_at.max(patch.asked.at);
                    }
                    rewrite(c, id, (&old, &record), (&new, &record))?;
                    overlay(c, id)?;
                    if differs {
                        changed.push(new.reference);
                    }
                }
                Ok(changed)
            })
            .await
    }

    /// Removes a template. Returns whether it existed.
    pub async fn remove_template(&self, workspace_id: &str, reference: &str) -> Result<bool, StoreError> {
        let key = (workspace_id.to_owned(), reference.to_owned());
        self.database
            .write(move |c| {
                let Some((id, ..)) = by_reference(c, &key.0, &key.1)? else { return Ok(false) };
                remove(c, id)?;
                Ok(true)
            })
            .await
    }

    /// Records that a template was sent from here; an earlier instant changes nothing.
    pub async fn record_sent(&self, workspace_id: &str, reference: &str, at: i64) -> Result<(), StoreError> {
        let key = (workspace_id.to_owned(), reference.to_owned(), at);
        self.database
            .write(move |c| {
                c.prepare_cached(
                    "UPDATE template SET last_sent_at = ?3, version = ?4
                     WHERE workspace_id = ?1 AND ref = ?2 AND coalesce(last_sent_at < ?3, TRUE)",
                )?
                .execute((key.0, key.1, key.2, tick(c)?))?;
                Ok(())
            })
            .await
    }

    pub async fn remove_workspace(&self, workspace_id: &str) -> Result<(), StoreError> {
        self.template_indexes.forget(workspace_id);
        self.known_records.forget(workspace_id);
        let workspace_id = workspace_id.to_owned();
        self.database
            .write(move |c| {
                c.prepare_cached(
                    "INSERT INTO template_gone (workspace_id, version, id)
                     SELECT workspace_id, ?2, id FROM template WHERE workspace_id = ?1",
                )?
                .execute((&workspace_id, tick(c)?))?;
                for sql in [
                    "DELETE FROM template WHERE workspace_id = ?1",
                    "DELETE FROM listing WHERE workspace_id = ?1",
                    "DELETE FROM read_mark WHERE route = ?1",
                    "DELETE FROM identity_link WHERE route = ?1",
                    "DELETE FROM identity WHERE route = ?1",
                    "DELETE FROM person_name WHERE route = ?1",
                ] {
                    c.execute(sql, [&workspace_id])?;
                }
                Ok(())
            })
            .await
    }
}
