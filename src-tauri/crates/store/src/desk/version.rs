//! Past versions of template content.

use std::collections::HashMap;

use rusqlite::{Connection, Row};

use super::{Desk, VersionOrigin};
use crate::StoreError;
use crate::rows::{all, first, from_row, insert_row, to_json};

/// The newest version of each template.
const NEWEST: &str = "SELECT v.* FROM json_each(?2) w CROSS JOIN version v ON v.id = (
     SELECT id FROM version WHERE workspace_id = ?1 AND template_ref = w.value ORDER BY at DESC, id DESC LIMIT 1)";

/// The content of a template at an instant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    pub id: String,
    pub workspace_id: String,
    /// The provider's reference.
    pub template_ref: String,
    /// When the template had this content.
    pub at: i64,
    pub origin: VersionOrigin,
    /// The content as JSON.
    pub document: String,
}

impl Desk {
    pub async fn add_version(&self, version: Version) -> Result<(), StoreError> {
        self.database.write(move |c| insert(c, &version, "")).await
    }

    /// The versions of a template, newest first.
    pub async fn versions(&self, workspace_id: &str, template_ref: &str) -> Result<Vec<Version>, StoreError> {
        let key = (workspace_id.to_owned(), template_ref.to_owned());
        self.database
            .read(move |c| {
                let sql = "SELECT * FROM version WHERE workspace_id = ?1 AND template_ref = ?2
                           ORDER BY at DESC, id DESC";
                all(c, sql, key, version)
            })
            .await
    }

    pub async fn version(&self, workspace_id: &str, id: &str) -> Result<Option<Version>, StoreError> {
        let key = (workspace_id.to_owned(), id.to_owned());
        self.database
            .read(move |c| first(c, "SELECT * FROM version WHERE workspace_id = ?1 AND id = ?2", key, version))
            .await
    }

    /// The newest versions of these templates, by reference; those without one are left out.
    pub async fn newest_versions(
        &self,
        workspace_id: &str,
        references: &[&str],
    ) -> Result<HashMap<String, Version>, StoreError> {
        if references.is_empty() {
            return Ok(HashMap::new());
        }
        let wanted = to_json(references)?;
        let workspace_id = workspace_id.to_owned();
        self.database
            .read(move |c| {
                let newest = all(c, NEWEST, (workspace_id, wanted), version)?;
                Ok(newest.into_iter().map(|version| (version.template_ref.clone(), version)).collect())
            })
            .await
    }
}

/// Adds a version, with an `ON CONFLICT` clause or an empty text.
pub(super) fn insert(c: &Connection, version: &Version, on_conflict: &str) -> Result<(), StoreError> {
    insert_row!(c, "version" => version { id, workspace_id, template_ref, at, origin, document }, on_conflict)?;
    Ok(())
}

fn version(row: &Row<'_>) -> rusqlite::Result<Version> {
    from_row!(row => Version { id, workspace_id, template_ref, at, origin, document })
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::*;
    use crate::connection::open_in_memory;

    #[test]
    fn the_newest_version_is_found_by_index() {
        let c = open_in_memory(&super::super::SCHEMA).unwrap();
        let mut explained = c.prepare(&format!("EXPLAIN QUERY PLAN {NEWEST}")).unwrap();
        let plan = explained.query_map(("w", "[]"), |row| row.get::<_, String>("detail")).unwrap();
        let plan = plan.map(Result::unwrap).collect::<Vec<_>>().join("; ");
        assert!(plan.contains("COVERING INDEX version_newest (workspace_id=? AND template_ref=?)"), "{plan}");
        assert!(!plan.contains("SCAN v") && !plan.contains("TEMP B-TREE"), "{plan}");
    }
}
