//! Lookup of templates by their identifiers, and the state of the last listing.

use std::collections::{BTreeMap, HashMap, HashSet};

use rusqlite::Connection;

use super::Cache;
use super::refresh::{self, Omission};
use super::row::{
    COLUMNS, EventSubject, TEMPLATES, by_id, by_reference, language_key, listed_at, matching, resolve_subject,
    template_row,
};
use super::template::{CachedTemplate, TemplateMatch, TemplateRow};
use super::waba_status::{WabaStatus, waba_statuses};
use crate::StoreError;
use crate::rows::{all, scalar, to_json, tuple};

impl Cache {
    pub async fn template(&self, workspace_id: &str, reference: &str) -> Result<Option<CachedTemplate>, StoreError> {
        let key = (workspace_id.to_owned(), reference.to_owned());
        self.database
            .read(move |c| Ok(by_reference(c, &key.0, &key.1)?.map(|(_, row, record)| CachedTemplate { row, record })))
            .await
    }

    /// The references of all templates of a workspace.
    pub async fn references(&self, workspace_id: &str) -> Result<HashSet<String>, StoreError> {
        let workspace_id = workspace_id.to_owned();
        self.database
            .read(move |c| {
                let references = all(c, "SELECT ref FROM template WHERE workspace_id = ?1", [workspace_id], scalar)?;
                Ok(references.into_iter().collect())
            })
            .await
    }

    /// Templates by the provider's references, in that order, each once; unknown ones are left out.
    pub async fn templates_by_reference(
        &self,
        workspace_id: &str,
        references: Vec<String>,
    ) -> Result<Vec<TemplateRow>, StoreError> {
        let workspace_id = workspace_id.to_owned();
        self.database
            .read(move |c| {
                let mut rows = Vec::with_capacity(references.len());
                let mut once = HashSet::new();
                for reference in references.iter().filter(|reference| once.insert(reference.as_str())) {
                    rows.extend(by_reference(c, &workspace_id, reference)?.map(|(_, row, _)| row));
                }
                Ok(rows)
            })
            .await
    }

    /// The templates that an event or a send refers to.
    pub async fn find_templates(
        &self,
        workspace_id: &str,
        which: TemplateMatch,
    ) -> Result<Vec<CachedTemplate>, StoreError> {
        let workspace_id = workspace_id.to_owned();
        self.database
            .read(move |c| {
                let mut found = Vec::new();
                for id in matching(c, &workspace_id, &which)? {
                    found.extend(by_id(c, id)?.map(|(row, record)| CachedTemplate { row, record }));
                }
                Ok(found)
            })
            .await
    }

    /// The WABAs of the templates of a workspace, each with its business manager, where a listing says it.
    pub async fn businesses(&self, workspace_id: &str) -> Result<Vec<(String, String)>, StoreError> {
        let workspace_id = workspace_id.to_owned();
        self.database
            .read(move |c| {
                let sql = "SELECT DISTINCT wabas, business_id FROM template
                           WHERE workspace_id = ?1 AND business_id IS NOT NULL AND business_id <> ''";
                let stated: Vec<(String, String)> = all(c, sql, [workspace_id], tuple)?;
                let mut pairs = Vec::new();
                for (wabas, business) in stated {
                    pairs.extend(wabas.lines().map(|waba| (waba.to_owned(), business.clone())));
                }
                Ok(pairs)
            })
            .await
    }

    pub async fn languages_of(&self, workspace_id: &str, name: &str) -> Result<Vec<TemplateRow>, StoreError> {
        let key = (workspace_id.to_owned(), name.to_owned());
        self.database
            .read(move |c| {
                let sql = format!(
                    "SELECT {COLUMNS} FROM {TEMPLATES} WHERE t.workspace_id = ?1 AND t.name = ?2
                     ORDER BY t.language_key, t.id"
                );
                all(c, &sql, key, template_row)
            })
            .await
    }

    /// References of the templates that events refer to, if unambiguous: the template with the channel's identifier,
    /// else the one with that name, language and business account.
    pub async fn resolve_subjects(
        &self,
        workspace_id: &str,
        events: Vec<EventSubject>,
    ) -> Result<HashMap<EventSubject, String>, StoreError> {
        let workspace_id = workspace_id.to_owned();
        self.database
            .read(move |c| {
                let mut found = HashMap::new();
                for event in events {
                    let key = EventSubject { language_key: language_key(&event.language_key), ..event.clone() };
                    if let Some(id) = resolve_subject(c, &workspace_id, &key)?
                        && let Some((row, _)) = by_id(c, id)?
                    {
                        found.insert(event, row.reference);
                    }
                }
                Ok(found)
            })
            .await
    }

    /// Status of a template in each of its business accounts, by their identifiers; empty unless it is in several.
    pub async fn waba_statuses(&self, workspace_id: &str, reference: &str) -> Result<Vec<WabaStatus>, StoreError> {
        let key = (workspace_id.to_owned(), reference.to_owned());
        self.database.read(move |c| statuses_of(c, &key.0, &key.1)).await
    }

    /// As [`Self::waba_statuses`], of several templates by their references; without those that are not in several.
    pub async fn waba_statuses_of(
        &self,
        workspace_id: &str,
        references: Vec<String>,
    ) -> Result<BTreeMap<String, Vec<WabaStatus>>, StoreError> {
        let workspace_id = workspace_id.to_owned();
        self.database
            .read(move |c| {
                let mut of_templates = BTreeMap::new();
                for reference in references {
                    let statuses = statuses_of(c, &workspace_id, &reference)?;
                    if !statuses.is_empty() {
                        of_templates.insert(reference, statuses);
                    }
                }
                Ok(of_templates)
            })
            .await
    }

    /// The records of those of these templates that tell apart the business accounts, by their references.
    pub async fn records_by_account(
        &self,
        workspace_id: &str,
        references: Vec<String>,
    ) -> Result<Vec<(String, String)>, StoreError> {
        let key = (workspace_id.to_owned(), to_json(&references)?);
        self.database
            .read(move |c| {
                let sql = "SELECT t.ref, r.record FROM json_each(?2) w
                           CROSS JOIN template t ON t.workspace_id = ?1 AND t.ref = w.value
                           CROSS JOIN template_record r ON r.id = t.id
                           WHERE instr(r.record, '\"wabas\"') > 0 OR instr(r.record, '\"accounts\"') > 0";
                all(c, sql, key, tuple)
            })
            .await
    }

    /// The categories that the listing announces for these templates (upstream §5.4), by their references.
    pub async fn announced_categories(
        &self,
        workspace_id: &str,
        references: Vec<String>,
    ) -> Result<HashMap<String, String>, StoreError> {
        let key = (workspace_id.to_owned(), to_json(&references)?);
        self.database
            .read(move |c| {
                // Few records have the field: the others need not be parsed.
                let sql = "SELECT t.ref, r.record ->> '$.correct_category' FROM json_each(?2) w
                           CROSS JOIN template t ON t.workspace_id = ?1 AND t.ref = w.value
                           CROSS JOIN template_record r ON r.id = t.id
                           WHERE instr(r.record, '\"correct_category\"') > 0
                             AND json_type(r.record, '$.correct_category') = 'text'";
                Ok(all(c, sql, key, tuple)?.into_iter().collect())
            })
            .await
    }

    /// When the last complete listing of a workspace was requested.
    pub async fn listed_at(&self, workspace_id: &str) -> Result<Option<i64>, StoreError> {
        let workspace_id = workspace_id.to_owned();
        self.database.read(move |c| listed_at(c, &workspace_id)).await
    }

    /// The omission of an existing template: of an archived one, or of one that another listing must confirm.
    pub async fn omission(&self, workspace_id: &str, reference: &str) -> Result<Option<Omission>, StoreError> {
        let key = (workspace_id.to_owned(), reference.to_owned());
        self.database.read(move |c| refresh::omission(c, &key.0, &key.1)).await
    }

    /// Number of unarchived templates that a listing omitted which had so few that it does not count; see
    /// [`Omission::Collapse`].
    pub async fn left_out(&self, workspace_id: &str) -> Result<u64, StoreError> {
        let workspace_id = workspace_id.to_owned();
        self.database.read(move |c| refresh::left_out(c, &workspace_id)).await
    }

    /// The JSON keys of the list in the last complete listing that was not empty.
    pub async fn list_path(&self, workspace_id: &str) -> Result<Option<String>, StoreError> {
        let workspace_id = workspace_id.to_owned();
        self.database.read(move |c| refresh::list_path(c, &workspace_id)).await
    }
}

fn statuses_of(c: &Connection, workspace_id: &str, reference: &str) -> Result<Vec<WabaStatus>, StoreError> {
    match by_reference(c, workspace_id, reference)? {
        Some((id, row, record)) => waba_statuses(c, id, (&row, &record), row.statuses_after()),
        None => Ok(Vec::new()),
    }
}
