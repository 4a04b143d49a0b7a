//! Applies a listing page by page: upserts its templates, and after a complete listing removes those that it omitted,
//! once a second one confirms that.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use model::listing::{has_collapsed, text_digest};
use model::vocabulary::TemplateStatus;
use rusqlite::Connection;

use super::account_records;
use super::known_records::{ChangedTemplates, KnownRecords, KnownTemplate, clock};
use super::merge::{AnswerScope, Upserted, overlay_recent, upsert};
use super::row::{by_id, by_reference, clear_omission, remove, rewrite};
use super::template::{CachedTemplate, Change, RequestMark, RequestTimes, TemplateRow};
use super::waba_status::{WabaStatus, waba_statuses};
use crate::StoreError;
use crate::rows::{all, first, scalar};

#[derive(Clone, Debug, Default)]
pub struct ListingProgress {
    /// The listed templates by the digests of their references, and whether the listing added them. Not by their ids: a
    /// template may be removed meanwhile, and another one get its id.
    references: HashMap<u64, bool>,
    /// The WABAs in the listing, of templates known to be in others too: a provider may list a template once per WABA,
    /// so only the end of the listing shows which ones it left.
    wabas: HashMap<String, Vec<String>>,
    /// The records that need not be decoded.
    known: Arc<KnownRecords>,
    changed: ChangedTemplates,
    /// The templates that are as their records say now.
    compared: Vec<(u64, KnownTemplate)>,
    /// Templates whose records could be read in part only.
    partly_read: HashSet<String>,
}

impl ListingProgress {
    /// A listing that has not begun, whose pages may leave out `known` records.
    #[must_use]
    pub fn new(known: Arc<KnownRecords>) -> Self {
        Self { known, ..Self::default() }
    }

    /// Records a listed template that could not be read: it remains as stored.
    pub fn record_unreadable(&mut self, reference: String) {
        self.references.entry(text_digest(&reference)).or_insert(true);
    }

    /// Records a listed template of which some values could not be read: its record is decoded in every listing.
    pub fn record_partly_read(&mut self, reference: String) {
        self.partly_read.insert(reference);
    }

    /// The templates of the records that a page left out. `None` if they cannot be left out: a template has changed, or
    /// the page has another record of it.
    fn unchanged(
        &mut self,
        c: &Connection,
        workspace_id: &str,
        page: &ListingPage,
    ) -> Result<Option<Vec<KnownTemplate>>, StoreError> {
        if page.unchanged.is_empty() {
            return Ok(Some(Vec::new()));
        }
        if !self.changed.update(c, workspace_id, &self.known)? {
            return Ok(None);
        }
        let decoded: HashSet<u64> =
            page.templates.iter().map(|template| text_digest(&template.row.reference)).collect();
        let fits =
            |template: &&KnownTemplate| !self.changed.contains(template.id) && !decoded.contains(&template.reference);
        Ok(page.unchanged.iter().map(|digest| self.known.template(*digest).filter(fits).copied()).collect())
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListingPage {
    pub templates: Vec<CachedTemplate>,
    /// Digests of the [`KnownRecords`] in it, which `templates` leaves out.
    pub unchanged: Vec<u64>,
}

impl From<Vec<CachedTemplate>> for ListingPage {
    fn from(templates: Vec<CachedTemplate>) -> Self {
        Self { templates, unchanged: Vec::new() }
    }
}

/// A complete listing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// Its first request.
    pub asked: RequestMark,
    /// The JSON keys of the list in its answers, such as `data`.
    pub list_path: String,
    /// Whether the provider reported a total and listed as many templates.
    pub has_total: bool,
}

/// Result of completing a listing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListingResult {
    /// Removed templates, and WABAs that templates left.
    pub changes: Vec<Change>,
    /// Number of removed templates that nothing had called deleted.
    pub removed: u64,
    /// Number of omitted templates that are missing for the first time: another listing must confirm that they do not
    /// exist.
    pub missing: u64,
    /// The same number, if there are so many that the listing does not count; see [`has_collapsed`].
    pub kept: u64,
}

/// Upserts the templates of a page of a listing, and records them in `listed`. For a template that already occurred in
/// the listing, only its WABAs are added. `None`, and nothing is written, if records that the page left out are needed.
pub(super) fn upsert_page(
    c: &Connection,
    workspace_id: &str,
    page: ListingPage,
    times: RequestTimes,
    listed: &mut ListingProgress,
) -> Result<Option<Vec<Change>>, StoreError> {
    let Some(unchanged) = listed.unchanged(c, workspace_id, &page)? else { return Ok(None) };
    let mut changes = Vec::new();
    let mut ids = HashSet::with_capacity(page.templates.len() + unchanged.len());
    for template in unchanged {
        ids.insert(template.id);
        // Another record of a template only adds WABAs, and this one has no new ones.
        listed.references.entry(template.reference).or_insert(false);
    }
    let mut compared = Vec::with_capacity(page.templates.len());
    for JoinedTemplate { mut template, is_single } in joined(page.templates) {
        workspace_id.clone_into(&mut template.row.workspace_id);
        template.row.asked = times.asked;
        let reference = template.row.reference.clone();
        let reference_digest = text_digest(&reference);
        if let Some(added) = listed.references.get(&reference_digest).copied() {
            let mut further = Vec::new();
            ids.extend(add_record(c, &template, listed, times, &mut further)?);
            changes.extend(further.into_iter().filter(|_| !added));
            continue;
        }
        let named = template.row.wabas.clone();
        let has_others = join_known_wabas(c, &mut template)?;
        let is_whole = is_single && !has_others && !listed.partly_read.contains(&reference);
        let digest = is_whole.then(|| text_digest(&template.record));
        let Upserted { id, added, is_outdated, named_wabas } =
            upsert(c, template, &mut changes, AnswerScope::InListing { at: times.answered_at })?;
        ids.insert(id);
        if let Some(named) = named_wabas.or(has_others.then_some(named)) {
            listed.wabas.insert(reference, named);
        } else if let (Some(digest), false) = (digest, is_outdated) {
            compared.push((digest, id, reference_digest));
        }
        listed.references.insert(reference_digest, added);
    }
    // Later changes, also by events of this page's templates, have a later version.
    let (_, version) = clock(c)?;
    let known = |(digest, id, reference)| (digest, KnownTemplate { id, reference, version });
    listed.compared.extend(compared.into_iter().map(known));
    // Without statistics, SQLite would read all templates of the workspace, for each page.
    let sql = "SELECT id FROM template INDEXED BY template_left_out
               WHERE workspace_id = ?1 AND left_out_by IS NOT NULL";
    let left_out: Vec<i64> = all(c, sql, [workspace_id], scalar)?;
    for id in left_out.into_iter().filter(|id| ids.contains(id)) {
        clear_omission(c, id)?;
    }
    overlay_recent(c, workspace_id, times.asked, |id| ids.contains(&id))?;
    Ok(Some(changes))
}

/// The records of a template on one page.
struct JoinedTemplate {
    template: CachedTemplate,
    /// Whether there is only one.
    is_single: bool,
}

/// Joins the records of each template of a page.
fn joined(templates: Vec<CachedTemplate>) -> Vec<JoinedTemplate> {
    let mut positions: HashMap<String, usize> = HashMap::with_capacity(templates.len());
    let mut once: Vec<JoinedTemplate> = Vec::with_capacity(templates.len());
    for template in templates {
        if let Some(known) = positions.get(&template.row.reference).and_then(|position| once.get_mut(*position)) {
            account_records::join(&mut known.template, &template);
            known.is_single = false;
        } else {
            positions.insert(template.row.reference.clone(), once.len());
            once.push(JoinedTemplate { template, is_single: true });
        }
    }
    once
}

/// Adds what is known about WABAs that a record does not name, if the template has another status or category there: the record for
/// them may be on another page. Returns whether any were added.
fn join_known_wabas(c: &Connection, template: &mut CachedTemplate) -> Result<bool, StoreError> {
    let row = &template.row;
    if row.wabas.is_empty() || row.status.is_empty() {
        return Ok(false);
    }
    // Most templates are in the same WABAs as before, which the table shows.
    let sql = "SELECT id FROM template WHERE workspace_id = ?1 AND ref = ?2 AND wabas <> ?3";
    let Some(id) = first(c, sql, (&row.workspace_id, &row.reference, row.wabas.join("\n")), scalar)? else {
        return Ok(false);
    };
    let Some((old, record)) = by_id(c, id)? else { return Ok(false) };
    if old.wabas.iter().all(|waba| row.wabas.contains(waba)) {
        return Ok(false);
    }
    let known = waba_statuses(c, id, (&old, &record), old.statuses_after())?;
    let is_same = !WabaStatus::differ(&known) && old.status == row.status && old.category == row.category;
    if known.is_empty() || is_same {
        return Ok(false);
    }
    let known = known.into_iter().map(|of| (of.waba, (of.status, of.reason))).collect();
    account_records::join_known(template, &CachedTemplate { row: old, record }, known);
    Ok(true)
}

/// Adds another record of a template, from a later page. Returns the template.
fn add_record(
    c: &Connection,
    more: &CachedTemplate,
    listed: &mut ListingProgress,
    times: RequestTimes,
    changes: &mut Vec<Change>,
) -> Result<Option<i64>, StoreError> {
    if let Some(named) = listed.wabas.get_mut(more.row.reference.as_str()) {
        named.extend(more.row.wabas.iter().cloned());
    }
    let Some((id, old, record)) = by_reference(c, &more.row.workspace_id, &more.row.reference)? else {
        return Ok(None);
    };
    let row = TemplateRow { asked: times.asked, ..old.clone() };
    let mut joined = CachedTemplate { row, record: record.clone() };
    account_records::join(&mut joined, more);
    if joined.record == record && joined.row.wabas == old.wabas {
        return Ok(Some(id));
    }
    Ok(Some(upsert(c, joined, changes, AnswerScope::InListing { at: times.answered_at })?.id))
}

fn change_wabas(
    c: &Connection,
    id: i64,
    (old, new): (&TemplateRow, &TemplateRow),
    record: &str,
) -> Result<Option<Change>, StoreError> {
    if old.wabas == new.wabas {
        return Ok(None);
    }
    let of_wabas = waba_statuses(c, id, (new, record), new.statuses_after())?;
    let new = &TemplateRow { statuses: WabaStatus::indexed(&of_wabas)?, ..new.clone() };
    rewrite(c, id, (old, record), (new, record))?;
    let list = |row: &TemplateRow| Some(row.wabas.join(", ")).filter(|wabas| !wabas.is_empty());
    Ok(Some(Change {
        reference: new.reference.clone(),
        field: "waba_ids".to_owned(),
        before: list(old),
        after: list(new),
        since: Some(old.asked.at),
        ..Change::default()
    }))
}

/// Completes a listing: removes the templates that it omitted, except known archived ones, and unless this is the first
/// listing that collapsed. After a collapse, the time of the list does not change.
pub(super) fn finish_listing(
    c: &Connection,
    workspace_id: &str,
    listing: &Listing,
    listed: &ListingProgress,
) -> Result<ListingResult, StoreError> {
    let asked = listing.asked;
    let mut finished = ListingResult::default();
    for (reference, named) in &listed.wabas {
        if let Some((id, old, record)) = by_reference(c, workspace_id, reference)? {
            if old.wabas.iter().all(|waba| named.contains(waba)) {
                continue;
            }
            let row = TemplateRow { asked, ..old.clone() };
            let mut left = CachedTemplate { row, record: record.clone() };
            if account_records::keep_wabas(&mut left, named) {
                upsert(c, left, &mut finished.changes, AnswerScope::Alone)?;
            } else {
                let new = TemplateRow { wabas: left.row.wabas, ..old.clone() };
                finished.changes.extend(change_wabas(c, id, (&old, &new), &record)?);
            }
        }
    }
    // Templates created here after the listing was requested could not be in it.
    let known: Vec<CandidateTemplate> = all(
        c,
        "SELECT id, ref, archived IS TRUE, left_out_by, status FROM template WHERE workspace_id = ?1 AND asked_number <= ?2",
        (workspace_id, asked.number),
        |row| {
            Ok(CandidateTemplate {
                id: row.get(0)?,
                reference: row.get(1)?,
                is_archived: row.get(2)?,
                left_out_by: row.get(3)?,
                status: row.get(4)?,
            })
        },
    )?;
    let active = known.iter().filter(|known| !known.is_archived).count() as u64;
    let is_listed = |known: &CandidateTemplate| listed.references.contains_key(&text_digest(&known.reference));
    let left_out: Vec<_> = known.into_iter().filter(|known| !is_listed(known)).collect();
    let missing = left_out.iter().filter(|known| !known.is_archived).count() as u64;
    let is_plausible = listing.has_total || !has_collapsed(active - missing, missing);
    let sql = "SELECT asked_number FROM listing WHERE workspace_id = ?1";
    let last_counted: i64 = first(c, sql, [workspace_id], scalar)?.unwrap_or(0);
    // A listing that collapsed confirms only one that collapsed before it.
    let has_collapsed_before =
        |known: &CandidateTemplate| !known.is_archived && known.left_out_by.is_some_and(|by| by > last_counted);
    let counts = is_plausible || left_out.iter().any(has_collapsed_before);
    for CandidateTemplate { id, reference, is_archived, left_out_by, status } in left_out {
        // One listing may be faulty, unless it says the same as the template's status.
        let is_deleted =
            matches!(TemplateStatus::from(status.as_str()), TemplateStatus::PendingDeletion | TemplateStatus::Deleted);
        let is_confirmed = counts && left_out_by.is_some_and(|before| before < asked.number);
        let is_confirmed = is_confirmed || (is_deleted && is_plausible);
        if is_archived || !is_confirmed {
            keep_last_listing(c, id)?;
            c.prepare_cached(
                "UPDATE template SET left_out_by = coalesce(left_out_by, ?2), left_out_at = coalesce(left_out_at, ?3)
                 WHERE id = ?1",
            )?
            .execute((id, asked.number, asked.at))?;
            finished.missing += u64::from(!is_archived);
        } else if let Some((row, record)) = by_id(c, id)? {
            remove(c, id)?;
            finished.removed += u64::from(!is_deleted);
            let (field, since) = ("removed".to_owned(), Some(row.asked.at));
            finished.changes.push(Change { reference, field, before: Some(record), since, ..Change::default() });
        }
    }
    finished.kept = if is_plausible { 0 } else { finished.missing };
    if finished.kept == 0 {
        let path = Some(listing.list_path.as_str()).filter(|_| !listed.references.is_empty());
        c.prepare_cached(
            "INSERT INTO listing (workspace_id, asked_number, asked_last_seq, asked_at, list_path)
             VALUES (?1, ?2, ?3, ?4, ?5)
             ON CONFLICT DO UPDATE SET asked_number = excluded.asked_number, asked_last_seq = excluded.asked_last_seq,
               asked_at = excluded.asked_at, list_path = coalesce(excluded.list_path, list_path)",
        )?
        .execute((workspace_id, asked.number, asked.last_seq, asked.at, path))?;
        overlay_recent(c, workspace_id, asked, |_| true)?;
    }
    Ok(finished)
}

/// Stores the last listing of a template that the next one omits: until then, the listing of the workspace says when it
/// was last listed.
fn keep_last_listing(c: &Connection, id: i64) -> Result<(), StoreError> {
    c.prepare_cached(
        "UPDATE template SET (asked_number, asked_last_seq, asked_at) = (l.asked_number, l.asked_last_seq, l.asked_at)
         FROM listing l WHERE template.id = ?1 AND l.workspace_id = template.workspace_id
           AND l.asked_number > template.asked_number AND template.left_out_by IS NULL",
    )?
    .execute([id])?;
    Ok(())
}

/// The records that the next listing may leave out.
pub(super) fn known_records(
    c: &Connection,
    workspace_id: &str,
    listed: ListingProgress,
) -> Result<KnownRecords, StoreError> {
    let ListingProgress { known, compared, .. } = listed;
    let mut known = Arc::unwrap_or_clone(known);
    known.update(c, workspace_id, compared)?;
    Ok(known)
}

/// A template that the listing could contain.
struct CandidateTemplate {
    id: i64,
    reference: String,
    is_archived: bool,
    left_out_by: Option<i64>,
    status: String,
}

/// A listing that omitted an existing template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Omission {
    /// The last complete listing.
    Listing,
    /// One that omitted so many templates that it does not count.
    Collapse,
}

/// The omission of an existing template, since when it was in no listing.
pub(super) fn omission(c: &Connection, workspace_id: &str, reference: &str) -> Result<Option<Omission>, StoreError> {
    let sql = "SELECT l.asked_number >= t.left_out_by FROM template t
               LEFT JOIN listing l ON l.workspace_id = t.workspace_id
               WHERE t.workspace_id = ?1 AND t.ref = ?2 AND t.left_out_by IS NOT NULL";
    let counts: Option<Option<bool>> = first(c, sql, (workspace_id, reference), scalar)?;
    Ok(counts.map(|counts| if counts == Some(true) { Omission::Listing } else { Omission::Collapse }))
}

/// Number of unarchived templates that a listing omitted which does not count.
pub(super) fn left_out(c: &Connection, workspace_id: &str) -> Result<u64, StoreError> {
    let sql = "SELECT count(*) FROM template INDEXED BY template_left_out
               WHERE workspace_id = ?1 AND left_out_by IS NOT NULL AND archived IS NOT TRUE
                 AND left_out_by > coalesce((SELECT asked_number FROM listing WHERE workspace_id = ?1), 0)";
    Ok(first(c, sql, [workspace_id], scalar)?.unwrap_or(0))
}

/// The JSON keys of the list in the last complete listing that was not empty.
pub(super) fn list_path(c: &Connection, workspace_id: &str) -> Result<Option<String>, StoreError> {
    let sql = "SELECT list_path FROM listing WHERE workspace_id = ?1";
    Ok(first(c, sql, [workspace_id], scalar)?.flatten())
}
