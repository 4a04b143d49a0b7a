//! Templates with their review, indexed by uuid and by WABA, name and language.

use std::collections::{BTreeMap, HashMap};

use model::envelope::RejectionInfo;
use model::template::Template;
use model::vocabulary::TemplateStatus;
use serde::{Deserialize, Serialize};

use super::account::Workspace;
use crate::time::Instant;

/// Templates in the order of their creation, found by uuid and by (WABA, name, language).
#[derive(Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Templates {
    entries: BTreeMap<u64, Entry>,
    #[serde(skip)]
    by_uuid: HashMap<String, u64>,
    #[serde(skip)]
    by_key: HashMap<(u64, String, String), u64>,
}

impl Templates {
    /// Rebuilds the indexes, which are not saved.
    pub(super) fn index(&mut self) {
        self.by_uuid.clear();
        self.by_key.clear();
        for (sequence, entry) in &self.entries {
            self.by_uuid.insert(entry.uuid.clone(), *sequence);
            for key in entry.keys() {
                self.by_key.insert(key, *sequence);
            }
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub(crate) fn insert(&mut self, sequence: u64, entry: Entry) {
        self.by_uuid.insert(entry.uuid.clone(), sequence);
        for key in entry.keys() {
            self.by_key.insert(key, sequence);
        }
        self.entries.insert(sequence, entry);
    }

    pub(crate) fn remove(&mut self, uuid: &str) -> Option<Entry> {
        let entry = self.entries.remove(&self.by_uuid.remove(uuid)?)?;
        for key in entry.keys() {
            self.by_key.remove(&key);
        }
        Some(entry)
    }

    pub(crate) fn get(&self, uuid: &str) -> Option<&Entry> {
        self.entries.get(self.by_uuid.get(uuid)?)
    }

    pub(crate) fn get_mut(&mut self, uuid: &str) -> Option<&mut Entry> {
        self.entries.get_mut(self.by_uuid.get(uuid)?)
    }

    pub(crate) fn in_waba(&self, waba: u64, name: &str, language: &str) -> Option<&Entry> {
        self.entries.get(self.by_key.get(&(waba, name.to_owned(), language.to_owned()))?)
    }

    /// Newest first, each with its sequence number.
    pub(crate) fn newest_first(&self) -> impl Iterator<Item = (u64, &Entry)> {
        self.entries.iter().rev().map(|(sequence, entry)| (*sequence, entry))
    }
}

/// A template and its metadata.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Entry {
    pub(crate) uuid: String,
    /// The channel's ID of the template in each WABA.
    pub(crate) ids: BTreeMap<u64, u64>,
    pub(crate) business_id: String,
    #[serde(default)]
    pub(crate) workspace: Workspace,
    pub(crate) template: Template,
    pub(crate) status: TemplateStatus,
    pub(crate) archived_at: Option<Instant>,
    pub(crate) created_at: Instant,
    pub(crate) updated_at: Instant,
    pub(crate) reason: Option<String>,
    pub(crate) rejection_info: Option<RejectionInfo>,
    /// Times of edits while approved, for the quota.
    #[serde(default)]
    pub(crate) edits: Vec<Instant>,
    /// Number of the review round, so that the outcome of an older round is not applied to a newer one.
    #[serde(default)]
    pub(crate) round: u64,
    /// Handles of the files for `pix_data` and `order_data`.
    #[serde(default)]
    pub(crate) files: BTreeMap<String, String>,
}

impl Entry {
    fn keys(&self) -> Vec<(u64, String, String)> {
        let template = &self.template;
        self.ids.keys().map(|waba| (*waba, template.name.clone(), template.language.clone())).collect()
    }
}

/// A name that is blocked for some time after its template was deleted.
#[derive(Serialize, Deserialize)]
pub(crate) struct BlockedName {
    pub(crate) waba: u64,
    pub(crate) name: String,
    pub(crate) until: Instant,
}
