//! Updates of templates: one complete listing after another, single answers between them, and events that came in
//! meanwhile.
//!
//! What a row says is the newest of what the provider answered and what its events reported. An answer is as new as
//! the instant its request left; an event is newer than every answer asked for before it came. Both instants are of
//! this machine's clock, so that a clock that differs from the provider's does no harm.

use super::Cache;
use super::merge::{Put, Seen, overlay, put};
use super::refresh::{Finished, Listed, Listing, finish_listing, put_page};
use super::row::{by_id, by_reference, matching, remove, rewrite, tick};
use super::template::{Asked, CachedTemplate, Change, Since, TemplateMatch, TemplatePatch, TemplateRow};
use crate::StoreError;

impl Cache {
    /// Takes a complete listing that is believed, whatever it leaves out: adds, changes and removes so that the workspace
    /// holds exactly `templates` and what is archived, and gives the differences. All or nothing.
    ///
    /// `seen_at` is when the first request of the listing left.
    ///
    /// # Errors
    /// [`StoreError`] when it cannot be written.
    pub async fn replace_listing(
        &self,
        workspace_id: &str,
        templates: Vec<CachedTemplate>,
        seen_at: i64,
    ) -> Result<Vec<Change>, StoreError> {
        let workspace_id = workspace_id.to_owned();
        self.database
            .write(move |c| {
                let mut listed = Listed::default();
                let asked = Asked { left_at: seen_at, answered_at: seen_at };
                let mut changes = put_page(c, &workspace_id, templates, asked, &mut listed)?;
                let listing = Listing { seen_at, has_total: true, ..Listing::default() };
                changes.extend(finish_listing(c, &workspace_id, &listing, &listed)?.changes);
                Ok(changes)
            })
            .await
    }

    /// Takes a part of a listing: adds and changes, and gives the differences. `listed` has what came before, and comes
    /// back with this part. The work begins at once, not when it is awaited.
    ///
    /// # Errors
    /// [`StoreError`] when it cannot be written.
    pub fn put_listed(
        &self,
        workspace_id: &str,
        templates: Vec<CachedTemplate>,
        asked: Asked,
        mut listed: Listed,
    ) -> impl Future<Output = Result<(Vec<Change>, Listed), StoreError>> + Send + 'static {
        let workspace_id = workspace_id.to_owned();
        self.database.write(move |c| {
            let changes = put_page(c, &workspace_id, templates, asked, &mut listed)?;
            Ok((changes, listed))
        })
    }

    /// Ends a complete listing whose parts were put: removes what it did not hold and notes when it was asked for, unless
    /// it has to be confirmed first.
    ///
    /// # Errors
    /// [`StoreError`] when it cannot be written.
    pub async fn finish_listing(
        &self,
        workspace_id: &str,
        listing: Listing,
        listed: Listed,
    ) -> Result<Finished, StoreError> {
        let workspace_id = workspace_id.to_owned();
        self.database.write(move |c| finish_listing(c, &workspace_id, &listing, &listed)).await
    }

    /// Takes one template as an answer gave it, seen at `row.seen_at`, and gives the differences.
    ///
    /// # Errors
    /// [`StoreError`] when it cannot be written.
    pub async fn upsert_template(&self, template: CachedTemplate) -> Result<Vec<Change>, StoreError> {
        self.database
            .write(move |c| {
                let mut changes = Vec::new();
                let Put { id, .. } = put(c, template, &mut changes, Seen::Alone)?;
                overlay(c, id)?;
                Ok(changes)
            })
            .await
    }

    /// Changes what an answer said, and gives the references of the templates that differ now.
    ///
    /// # Errors
    /// [`StoreError`] when it cannot be written.
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
                    let since = Some(Since { at: patch.at, exact: true });
                    if let Some(status) = patch.status.clone().filter(|status| *status != old.status) {
                        (new.status, new.status_since) = (status, since);
                    }
                    if let Some(archived) = patch.archived.filter(|archived| Some(*archived) != old.archived) {
                        (new.archived, new.archived_since) = (Some(archived), since);
                    }
                    new.rejected_reason = patch.rejected_reason.clone().or(new.rejected_reason);
                    new.seen_at = new.seen_at.max(patch.at);
                    let differs = TemplateRow { seen_at: old.seen_at, ..new.clone() } != old;
                    if differs {
                        new.updated_at = new.updated_at.max(patch.at);
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

    /// Removes a template. Says whether there was one.
    ///
    /// # Errors
    /// [`StoreError`] when it cannot be written.
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

    /// Notes that a template was sent from here; an earlier instant changes nothing.
    ///
    /// # Errors
    /// [`StoreError`] when it cannot be written.
    pub async fn note_sent(&self, workspace_id: &str, reference: &str, at: i64) -> Result<(), StoreError> {
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

    /// Removes the templates of a workspace.
    ///
    /// # Errors
    /// [`StoreError`] when it cannot be written.
    pub async fn forget_workspace(&self, workspace_id: &str) -> Result<(), StoreError> {
        self.directories.forget(workspace_id);
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
                ] {
                    c.execute(sql, [&workspace_id])?;
                }
                Ok(())
            })
            .await
    }
}
