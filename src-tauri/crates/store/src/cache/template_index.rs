//! In-memory index of the templates of a workspace, by the properties that lists filter and order by.
//!
//! No table index can answer every combination of filters, in two orders, from any offset, with the number of results.
//! That needs a scan of all templates, which takes a millisecond if each is a few numbers. Every change of a template
//! has a number of the clock (`template_clock`), so that a reader updates the index to its state by reading the changes
//! since the last update, and misses no committed change.
//!
//! The index is locked before the reader's transaction starts, so that it never goes back behind a state that it has
//! already returned.

mod figures;
mod filter;
mod text;

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use model::archival::TemplateUse;
use rusqlite::{Connection, Row};

use self::filter::{Values, members};
use self::text::{Typed, Vocabulary};
use super::template_filter::{Facets, TemplateFilter, TemplateSort};
use crate::StoreError;
use crate::fold::fold;
use crate::rows::{all, scalar, tuple};

/// Cached results, for the next page of the same list.
const MAX_CACHED: usize = 16;
/// Number of templates whose texts are read in one step, so that other readers do not wait long.
const TEXTS_PER_STEP: usize = 2_000;
/// If more than one in this many templates changed, the whole index is sorted.
const REBUILD_FRACTION: usize = 8;

/// The indexes of all workspaces used so far.
#[derive(Debug, Default)]
pub(super) struct TemplateIndexes {
    open: Mutex<HashMap<String, Arc<Mutex<TemplateIndex>>>>,
}

impl TemplateIndexes {
    pub(super) fn of(&self, workspace_id: &str) -> Arc<Mutex<TemplateIndex>> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.entry(workspace_id.to_owned()).or_default().clone()
    }

    pub(super) fn forget(&self, workspace_id: &str) {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).remove(workspace_id);
    }
}

/// Locks an index. An index whose last user panicked is reset.
pub(super) fn lock(index: &Mutex<TemplateIndex>) -> MutexGuard<'_, TemplateIndex> {
    index.lock().unwrap_or_else(|poisoned| {
        index.clear_poison();
        let mut index = poisoned.into_inner();
        *index = TemplateIndex::default();
        index
    })
}

/// Properties with one value for each template.
const PROPERTIES: usize = 7;
const STATUS: usize = 0;
const LANGUAGE: usize = 2;

const ARCHIVED: u8 = 1;
const CAROUSEL: u8 = 2;
const SAMPLE: u8 = 4;
const CATEGORY_CHANGED: u8 = 8;
const WAITING: u8 = 16;

/// A template without its texts: small, because every filter scans all of them.
#[derive(Debug)]
struct Slot {
    id: i64,
    updated_at: i64,
    /// [`i64::MIN`]: never.
    last_sent_at: i64,
    /// When it got its status; [`i64::MAX`]: unknown.
    status_since: i64,
    /// When it was last used, if the channel may archive it; [`i64::MAX`]: unknown.
    used_at: i64,
    /// When it was archived; [`i64::MIN`]: unknown, or it is not.
    archived_at: i64,
    /// Status, category, language, sending API, business manager, quality, header.
    values: [u32; PROPERTIES],
    wabas: u32,
    /// Its statuses in its WABAs, if they differ.
    statuses: u32,
    shape: u32,
    flags: u8,
}

#[derive(Debug, Default)]
struct Texts {
    name: Box<str>,
    /// Absent if it equals the name.
    folded: Option<Box<str>>,
    /// Absent until the first search.
    words: Option<Box<[u32]>>,
}

impl Texts {
    fn folded(&self) -> &str {
        self.folded.as_deref().unwrap_or(&self.name)
    }
}

/// The templates of a workspace.
#[derive(Debug, Default)]
pub(super) struct TemplateIndex {
    /// The file and its clock at the last update.
    clock: Option<(i64, i64)>,
    slots: Vec<Option<Slot>>,
    /// By slot index.
    texts: Vec<Texts>,
    free: Vec<u32>,
    positions: HashMap<i64, u32>,
    properties: [Values; PROPERTIES],
    /// Single WABAs, and the sets of WABAs as stored in the table.
    wabas: Values,
    waba_sets: Values,
    /// Differing statuses by WABA, as stored in the table; the empty text where they do not differ.
    status_sets: Values,
    shapes: Values,
    newest: Vec<u32>,
    by_name: Vec<u32>,
    vocabulary: Vocabulary,
    /// Slots whose texts are not read yet.
    unread: Vec<u32>,
    results: VecDeque<(TemplateFilter, Arc<[u32]>)>,
    facets: [Option<Facets>; 3],
}

impl TemplateIndex {
    /// Updates the index to the state that this connection reads.
    pub(super) fn update(&mut self, c: &Connection, workspace_id: &str) -> Result<(), StoreError> {
        let clock: (i64, i64) = c.prepare_cached("SELECT epoch, version FROM template_clock")?.query_row([], tuple)?;
        if self.clock == Some(clock) {
            return Ok(());
        }
        if self.clock.is_none_or(|(epoch, version)| epoch != clock.0 || version > clock.1) {
            *self = Self::default();
        }
        let since = self.clock.map_or(-1, |(_, version)| version);
        let gone: Vec<i64> = all(
            c,
            "SELECT id FROM template_gone WHERE workspace_id = ?1 AND version > ?2",
            (workspace_id, since),
            scalar,
        )?;
        let mut moved = Vec::new();
        for id in gone {
            if let Some(position) = self.positions.remove(&id) {
                self.slots[position as usize] = None;
                self.texts[position as usize] = Texts::default();
                self.free.push(position);
                moved.push(position);
            }
        }
        let mut changed = Vec::new();
        let mut statement = c.prepare_cached(
            "SELECT id, name, status, category, language, kind, coalesce(business_id, ''), coalesce(quality, ''),
               coalesce(header_format, ''), wabas, shape, archived, carousel, sample, asked_category, updated_at,
               last_sent_at, status_since, statuses, status_exact, archived_since, archived_exact
             FROM template WHERE workspace_id = ?1 AND version > ?2",
        )?;
        let mut rows = statement.query((workspace_id, since))?;
        while let Some(row) = rows.next()? {
            changed.push(self.upsert_slot(row)?);
        }
        moved.extend_from_slice(&changed);
        if !moved.is_empty() {
            self.reorder(&moved, changed);
            let (slots, texts) = (&self.slots, &self.texts);
            let is_unread = |position: usize| slots[position].is_some() && texts[position].words.is_none();
            self.unread.retain(|position| is_unread(*position as usize));
            self.unread.sort_unstable();
            self.unread.dedup();
            self.results.clear();
            self.facets = Default::default();
        }
        self.clock = Some(clock);
        Ok(())
    }

    fn upsert_slot(&mut self, row: &Row<'_>) -> Result<u32, StoreError> {
        let id: i64 = row.get(0)?;
        let name = row.get_ref(1)?.as_str().map_err(rusqlite::Error::from)?;
        let mut values = [0; PROPERTIES];
        for (position, value) in values.iter_mut().enumerate() {
            *value =
                self.properties[position].number(row.get_ref(position + 2)?.as_str().map_err(rusqlite::Error::from)?);
        }
        let wabas = row.get_ref(9)?.as_str().map_err(rusqlite::Error::from)?;
        for waba in members(wabas) {
            self.wabas.number(waba);
        }
        let shape = row.get_ref(10)?.as_str().map_err(rusqlite::Error::from)?;
        let asked: Option<String> = row.get(14)?;
        let category = &self.properties[1].values[values[1] as usize];
        let is_changed = asked.is_some_and(|asked| model::lifecycle::is_other_category(&asked, category));
        let archived = row.get::<_, Option<bool>>(11)? == Some(true);
        let status = &self.properties[STATUS].values[values[STATUS] as usize];
        let is_waiting = !archived && model::lifecycle::is_in_review(status);
        let exactly = |at: usize, exact: usize| {
            let is_exact = row.get::<_, bool>(exact)?;
            Ok::<_, rusqlite::Error>(row.get::<_, Option<i64>>(at)?.filter(|_| is_exact))
        };
        let known = TemplateUse {
            status,
            is_archived: archived,
            archived_changed_at: exactly(20, 21)?,
            status_at: exactly(17, 19)?,
            sent_at: row.get(16)?,
        };
        let (used_at, archived_at) = (known.archivable_activity(), known.archived_at());
        let flag = |is: bool, flag: u8| if is { flag } else { 0 };
        let folded = fold(name);
        let slot = Slot {
            id,
            updated_at: row.get(15)?,
            last_sent_at: row.get::<_, Option<i64>>(16)?.unwrap_or(i64::MIN),
            status_since: row.get::<_, Option<i64>>(17)?.unwrap_or(i64::MAX),
            used_at: used_at.unwrap_or(i64::MAX),
            archived_at: archived_at.unwrap_or(i64::MIN),
            values,
            wabas: self.waba_sets.number(wabas),
            statuses: self.status_sets.number(row.get_ref(18)?.as_str().map_err(rusqlite::Error::from)?),
            shape: self.shapes.number(shape),
            flags: flag(archived, ARCHIVED)
                | flag(row.get(12)?, CAROUSEL)
                | flag(row.get(13)?, SAMPLE)
                | flag(is_changed, CATEGORY_CHANGED)
                | flag(is_waiting, WAITING),
        };
        let texts = Texts { folded: (folded != name).then(|| folded.into()), name: name.into(), words: None };
        let position = match (self.positions.get(&id), self.free.pop()) {
            (Some(position), free) => {
                self.free.extend(free);
                *position
            }
            (None, Some(free)) => free,
            (None, None) => {
                self.slots.push(None);
                self.texts.push(Texts::default());
                u32::try_from(self.slots.len() - 1).map_err(|_| StoreError::Value("too many templates".to_owned()))?
            }
        };
        self.positions.insert(id, position);
        self.slots[position as usize] = Some(slot);
        self.texts[position as usize] = texts;
        self.unread.push(position);
        Ok(position)
    }

    /// Removes moved slots from both orders and inserts changed ones at their positions.
    fn reorder(&mut self, moved: &[u32], changed: Vec<u32>) {
        let mut is_moved = vec![false; self.slots.len()];
        for position in moved {
            is_moved[*position as usize] = true;
        }
        let (mut newest, mut by_name) = (std::mem::take(&mut self.newest), std::mem::take(&mut self.by_name));
        newest.retain(|position| !is_moved[*position as usize]);
        by_name.retain(|position| !is_moved[*position as usize]);
        let slots = &self.slots;
        let slot = |position: u32| slots[position as usize].as_ref();
        let key = |position: u32| slot(position).map(|slot| std::cmp::Reverse((slot.updated_at, slot.id)));
        let languages = &self.properties[LANGUAGE].values;
        let texts = &self.texts;
        let name = |position: u32| {
            slot(position)
                .map(|slot| (&*texts[position as usize].name, &*languages[slot.values[LANGUAGE] as usize], slot.id))
        };
        self.newest = merged(newest, changed.clone(), |a, b| key(a).cmp(&key(b)));
        self.by_name = merged(by_name, changed, |a, b| name(a).cmp(&name(b)));
    }

    /// Reads some of the missing texts. Returns whether more are missing.
    pub(super) fn read_texts(&mut self, c: &Connection) -> Result<bool, StoreError> {
        let mut body = c.prepare_cached("SELECT body_text FROM template WHERE id = ?1")?;
        let from = self.unread.len().saturating_sub(TEXTS_PER_STEP);
        for position in self.unread.split_off(from) {
            let Some(slot) = &self.slots[position as usize] else { continue };
            let mut rows = body.query([slot.id])?;
            let Some(row) = rows.next()? else { continue };
            let text = row.get_ref(0)?.as_str().map_err(rusqlite::Error::from)?;
            let texts = &mut self.texts[position as usize];
            texts.words = Some(self.vocabulary.take(texts.folded(), text));
        }
        if self.unread.is_empty() {
            self.vocabulary.sort_new();
        }
        Ok(!self.unread.is_empty())
    }

    /// The templates that match a filter, in its order.
    pub(super) fn select(&mut self, c: &Connection, filter: &TemplateFilter) -> Result<Arc<[u32]>, StoreError> {
        let question = TemplateFilter { offset: 0, limit: 0, ..filter.clone() };
        if let Some(at) = self.results.iter().position(|(asked, _)| *asked == question) {
            let kept = self.results.remove(at).map(|kept| (kept.1.clone(), self.results.push_front(kept)));
            return Ok(kept.map(|(found, ())| found).unwrap_or_default());
        }
        let typed = filter.search.as_deref().and_then(Typed::read);
        if typed.is_some() {
            while self.read_texts(c)? {}
        }
        let test = self.test(filter);
        let needle = typed.as_ref().map(|typed| self.vocabulary.needle(typed));
        let is_found = |position: usize| {
            let texts = &self.texts[position];
            needle
                .as_ref()
                .is_none_or(|needle| needle.is_in(texts.folded(), texts.words.as_deref().unwrap_or_default()))
        };
        // Scan in memory order and sort afterwards: several times as fast as scanning in list order.
        let slots = self.slots.iter().enumerate();
        let fits = |(position, slot): (usize, &Option<Slot>)| {
            slot.as_ref().is_some_and(|slot| test.accepts(slot)) && is_found(position)
        };
        let hits: Vec<bool> = slots.map(fits).collect();
        let reorder = match filter.sort {
            TemplateSort::Newest => &self.newest,
            TemplateSort::Name => &self.by_name,
        };
        let found: Arc<[u32]> = reorder.iter().copied().filter(|position| hits[*position as usize]).collect();
        self.results.push_front((question, Arc::clone(&found)));
        self.results.truncate(MAX_CACHED);
        Ok(found)
    }

    /// The identifiers of templates at these slots.
    pub(super) fn ids(&self, positions: &[u32]) -> Vec<i64> {
        positions.iter().filter_map(|position| Some(self.slots[*position as usize].as_ref()?.id)).collect()
    }
}

/// Merges elements into an ordered list. They are usually few, so each position is found by binary search.
fn merged(ordered: Vec<u32>, mut more: Vec<u32>, compare: impl Fn(u32, u32) -> std::cmp::Ordering) -> Vec<u32> {
    if more.len() * REBUILD_FRACTION > ordered.len() {
        more.extend(ordered);
        more.sort_unstable_by(|a, b| compare(*a, *b));
        return more;
    }
    more.sort_unstable_by(|a, b| compare(*a, *b));
    let mut merged = Vec::with_capacity(ordered.len() + more.len());
    let mut rest = &ordered[..];
    for position in more {
        let before = rest.partition_point(|other| compare(*other, position).is_lt());
        merged.extend_from_slice(&rest[..before]);
        merged.push(position);
        rest = &rest[before..];
    }
    merged.extend_from_slice(rest);
    merged
}
