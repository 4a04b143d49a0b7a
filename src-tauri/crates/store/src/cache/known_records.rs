//! Records of the last complete listing whose templates have not changed since. If the next listing has the same
//! record, its template needs no decoding, comparison or writing.
//!
//! Kept in memory only: after a start, the first listing is decoded completely, so that a newer version reads every
//! record by its own rules. The clock of templates (`template_clock`) shows which templates changed.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::Connection;

use super::Cache;
use crate::StoreError;

/// The known records of all workspaces.
#[derive(Debug, Default)]
pub(super) struct AllKnownRecords(Mutex<HashMap<String, Arc<KnownRecords>>>);

impl AllKnownRecords {
    pub(super) fn of(&self, workspace_id: &str) -> Arc<KnownRecords> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.get(workspace_id).cloned().unwrap_or_default()
    }

    pub(super) fn set(&self, workspace_id: &str, records: KnownRecords) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.insert(workspace_id.to_owned(), Arc::new(records));
    }

    pub(super) fn forget(&self, workspace_id: &str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(workspace_id);
    }
}

#[derive(Clone, Debug, Default)]
pub struct KnownRecords {
    /// The file and its clock when every template was as its record says.
    clock: (i64, i64),
    /// By [`model::listing::text_digest`].
    templates: HashMap<u64, KnownTemplate>,
}

/// A template that is as its record says.
#[derive(Clone, Copy, Debug)]
pub(super) struct KnownTemplate {
    pub(super) id: i64,
    /// [`model::listing::text_digest`] of its reference.
    pub(super) reference: u64,
    /// The clock when it was last compared with its record.
    pub(super) version: i64,
}

impl KnownRecords {
    /// Whether the record with this digest can be left out of a page.
    #[must_use]
    pub fn contains(&self, digest: u64) -> bool {
        self.templates.contains_key(&digest)
    }

    pub(super) fn template(&self, digest: u64) -> Option<&KnownTemplate> {
        self.templates.get(&digest)
    }

    /// Adds records, and removes those whose templates have changed since.
    pub(super) fn update(
        &mut self,
        c: &Connection,
        workspace_id: &str,
        added: impl IntoIterator<Item = (u64, KnownTemplate)>,
    ) -> Result<(), StoreError> {
        let now = clock(c)?;
        if self.clock.0 != now.0 {
            // Another file.
            self.templates.clear();
            self.clock = (now.0, 0);
        }
        self.templates.extend(added);
        let changed = changed_since(c, workspace_id, self.clock.1)?;
        if !changed.is_empty() {
            self.templates
                .retain(|_, template| changed.get(&template.id).is_none_or(|version| *version <= template.version));
        }
        self.clock = now;
        Ok(())
    }
}

/// Templates that changed while a listing is applied.
#[derive(Clone, Debug, Default)]
pub(super) struct ChangedTemplates {
    since: Option<(i64, i64)>,
    ids: HashMap<i64, i64>,
}

impl ChangedTemplates {
    /// Reads the changes since the last call or, at the first one, since `known` was current. Returns whether the file
    /// is still the one that `known` is about.
    pub(super) fn update(
        &mut self,
        c: &Connection,
        workspace_id: &str,
        known: &KnownRecords,
    ) -> Result<bool, StoreError> {
        let since = self.since.unwrap_or(known.clock);
        let now = clock(c)?;
        if now.0 != known.clock.0 {
            return Ok(false);
        }
        if now.1 != since.1 {
            self.ids.extend(changed_since(c, workspace_id, since.1)?);
        }
        self.since = Some(now);
        Ok(true)
    }

    pub(super) fn contains(&self, id: i64) -> bool {
        self.ids.contains_key(&id)
    }
}

/// The file and its clock.
pub(super) fn clock(c: &Connection) -> Result<(i64, i64), StoreError> {
    let sql = "SELECT epoch, version FROM template_clock";
    Ok(c.prepare_cached(sql)?.query_row([], |row| Ok((row.get(0)?, row.get(1)?)))?)
}

/// The templates that changed or were removed after a version, with the version of their last change.
fn changed_since(c: &Connection, workspace_id: &str, version: i64) -> Result<HashMap<i64, i64>, StoreError> {
    let mut statement = c.prepare_cached(
        "SELECT id, version FROM template WHERE workspace_id = ?1 AND version > ?2
         UNION ALL SELECT id, version FROM template_gone WHERE workspace_id = ?1 AND version > ?2 ORDER BY version",
    )?;
    let rows = statement.query_map((workspace_id, version), |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

impl Cache {
    /// The records of the last complete listing of a workspace whose templates have not changed since.
    pub async fn known_records(&self, workspace_id: &str) -> Result<Arc<KnownRecords>, StoreError> {
        let known = self.known_records.of(workspace_id);
        let workspace_id = workspace_id.to_owned();
        self.database
            .read(move |c| {
                if clock(c)? == known.clock {
                    return Ok(known);
                }
                let mut known = KnownRecords::clone(&known);
                known.update(c, &workspace_id, [])?;
                Ok(Arc::new(known))
            })
            .await
    }
}
