//! Templates: one complete listing after another, single answers between them, and events that came in meanwhile.
//!
//! What a row says is the newest of what the provider answered and what its events reported. An answer is as new as
//! the instant its request left; an event is newer than every answer asked for before it came. Both instants are of
//! this machine's clock, so that a clock that differs from the provider's does no harm.

use super::Cache;
use super::merge::{Put, Seen, overlay, put};
use super::refresh::{Finished, Listed, Listing, finish_listing, put_page};
use super::row::{by_id, by_reference, matching, remove, rewrite, tick};
use crate::StoreError;

/// A template in a list. Words are kept as the app writes them; an empty one was not said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TemplateRow {
    /// Workspace.
    pub workspace_id: String,
    /// The provider's reference.
    pub reference: String,
    /// The channel's identifier.
    pub channel_id: Option<String>,
    /// Name.
    pub name: String,
    /// Language.
    pub language: String,
    /// Status.
    pub status: String,
    /// Archived beside its status; none where nobody said. On the way in, none where an answer does not say: what was
    /// known stands.
    pub archived: Option<bool>,
    /// Category.
    pub category: String,
    /// Subcategory.
    pub sub_category: Option<String>,
    /// Which sending API it is for.
    pub kind: String,
    /// Business manager.
    pub business_id: Option<String>,
    /// Quality score.
    pub quality: Option<String>,
    /// Why it was rejected.
    pub rejected_reason: Option<String>,
    /// WABAs it is in.
    pub wabas: Vec<String>,
    /// Format of its header.
    pub header_format: Option<String>,
    /// Has a carousel.
    pub carousel: bool,
    /// One of the channel's own samples.
    pub sample: bool,
    /// The category that was asked for, where that is known; it may be the one it has. On the way in, none where an
    /// answer does not tell: what was known stands.
    pub asked_category: Option<String>,
    /// What languages of one name have in common or not; the store does not read it.
    pub shape: String,
    /// Text of its body.
    pub body_text: String,
    /// Last change. On the way in, 0 where the provider does not say: then it is when a change was first seen.
    pub updated_at: i64,
    /// When the request left whose answer this is.
    pub seen_at: i64,
    /// Since when it has its status. On the way in, none where the answer does not tell.
    pub status_since: Option<Since>,
    /// Since when it is archived, or no longer.
    pub archived_since: Option<Since>,
    /// When it was last sent from here.
    pub last_sent_at: Option<i64>,
}

impl TemplateRow {
    /// Whether it is in another category than was asked for.
    #[must_use]
    pub fn is_category_changed(&self) -> bool {
        self.asked_category.as_deref().is_some_and(|asked| model::lifecycle::is_other_category(asked, &self.category))
    }
}

/// Since when something is so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Since {
    /// Unix milliseconds.
    pub at: i64,
    /// Whether it happened then; otherwise a listing showed it first then.
    pub exact: bool,
}

/// A template with the provider's record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CachedTemplate {
    /// As in lists.
    pub row: TemplateRow,
    /// The record as JSON, as it came.
    pub record: String,
}

/// When a provider was asked, and when that answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked {
    /// When the first request left: what the answers show is no older.
    pub left_at: i64,
    /// When the answer came: what it shows was so by then.
    pub answered_at: i64,
}

/// A difference between what was known and what the provider says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// The provider's reference.
    pub reference: String,
    /// What differs. `added` and `removed` stand for the whole template, with its record as the value.
    pub field: String,
    /// The value before.
    pub before: Option<String>,
    /// The value after.
    pub after: Option<String>,
    /// When the provider was asked for what was there before: it changed after that. Absent where it was not there.
    pub since: Option<i64>,
    /// Of other components, the whole records before and after.
    pub records: Option<(String, String)>,
}

/// Names templates as events and answers do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TemplateMatch {
    /// By the provider's reference.
    Reference(String),
    /// By the channel's identifier.
    ChannelId(String),
    /// By name and language; `-` and `_` in the language are the same.
    Name {
        /// Name.
        name: String,
        /// Language.
        language: String,
    },
}

/// What an answer to a call says about a template.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TemplatePatch {
    /// Its status from now on.
    pub status: Option<String>,
    /// Whether it is archived from now on.
    pub archived: Option<bool>,
    /// Why it was rejected.
    pub rejected_reason: Option<String>,
    /// When the request left.
    pub at: i64,
}

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
