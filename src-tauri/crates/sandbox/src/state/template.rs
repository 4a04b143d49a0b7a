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
    /// Status in the first WABA, whose ID is that of the record, and in those without one of their own.
    pub(crate) status: TemplateStatus,
    /// Statuses in other WABAs, where they differ. A record has one status (contract §2.1), so only events and sends show
    /// them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) other_statuses: BTreeMap<u64, TemplateStatus>,
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
    /// Status in a WABA; in the first one for a number of no WABA.
    pub(crate) fn status_in(&self, waba: Option<u64>) -> &TemplateStatus {
        waba.and_then(|waba| self.other_statuses.get(&waba)).unwrap_or(&self.status)
    }

    /// Status in each WABA.
    pub(crate) fn statuses(&self) -> impl Iterator<Item = &TemplateStatus> {
        self.ids.keys().map(|waba| self.status_in(Some(*waba)))
    }

    /// Whether the record shows the status in this WABA.
    pub(crate) fn is_first(&self, waba: u64) -> bool {
        self.ids.keys().next() == Some(&waba)
    }

    /// Changes the status in one WABA.
    pub(crate) fn set_status_in(&mut self, waba: u64, status: TemplateStatus) {
        let others: Vec<u64> = self.ids.keys().copied().filter(|other| !self.is_first(*other)).collect();
        let mut statuses: BTreeMap<u64, TemplateStatus> =
            others.into_iter().map(|other| (other, self.status_in(Some(other)).clone())).collect();
        if self.is_first(waba) {
            self.status = status;
        } else {
            statuses.insert(waba, status);
        }
        statuses.retain(|_, other| *other != self.status);
        self.other_statuses = statuses;
    }

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
