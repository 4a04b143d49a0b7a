//! Template properties as numbers, and the compiled filter.

use std::collections::HashMap;
use std::sync::Arc;

use super::{ARCHIVED, CAROUSEL, CATEGORY_CHANGED, SAMPLE, STATUS, Slot, TemplateIndex, WAITING};
use crate::cache::template_filter::{AtRisk, Facet, TemplateFilter};

/// Values, numbered.
#[derive(Debug, Default)]
pub(super) struct Values {
    numbers: HashMap<Arc<str>, u32>,
    pub(super) values: Vec<Arc<str>>,
}

impl Values {
    pub(super) fn number(&mut self, value: &str) -> u32 {
        if let Some(number) = self.numbers.get(value) {
            return *number;
        }
        let number = u32::try_from(self.values.len()).unwrap_or(u32::MAX);
        let value: Arc<str> = value.into();
        self.values.push(Arc::clone(&value));
        self.numbers.insert(value, number);
        number
    }

    /// Flags of the numbers of these values; `None` if everything is accepted.
    fn accepted(&self, values: &[String]) -> Option<Vec<bool>> {
        if values.is_empty() {
            return None;
        }
        let mut accepted = vec![false; self.values.len()];
        for number in values.iter().filter_map(|value| self.numbers.get(value.as_str())) {
            accepted[*number as usize] = true;
        }
        Some(accepted)
    }

    pub(super) fn facets(&self, counts: &[u64]) -> Vec<Facet> {
        let counted = self.values.iter().zip(counts).filter(|(_, count)| **count > 0);
        let mut facets: Vec<Facet> =
            counted.map(|(value, count)| Facet { value: value.to_string(), count: *count }).collect();
        facets.sort_unstable_by(|a, b| a.value.cmp(&b.value));
        facets
    }
}

impl TemplateIndex {
    pub(super) fn test(&self, filter: &TemplateFilter) -> Test {
        let lists = [
            &filter.statuses,
            &filter.categories,
            &filter.languages,
            &filter.kinds,
            &filter.businesses,
            &filter.qualities,
            &filter.headers,
        ];
        let mut mask = 0;
        let mut flags = 0;
        for (wanted, flag) in [
            (filter.archived, ARCHIVED),
            (filter.carousel, CAROUSEL),
            (filter.samples, SAMPLE),
            (filter.category_changed, CATEGORY_CHANGED),
        ] {
            if let Some(wanted) = wanted {
                mask |= flag;
                flags |= if wanted { flag } else { 0 };
            }
        }
        let in_wabas = |set: &Arc<str>| {
            let fits =
                |waba: &String| if waba.is_empty() { set.is_empty() } else { members(set).any(|one| one == waba) };
            filter.wabas.iter().any(fits)
        };
        // Without a status where they do not differ: then the one of the property counts.
        let fits = |(waba, status): &(String, String)| {
            filter.statuses.contains(status) && (filter.wabas.is_empty() || filter.wabas.contains(waba))
        };
        let has_status = |set: &Arc<str>| (!set.is_empty()).then(|| statuses(set).iter().any(fits));
        let properties = lists.iter().enumerate();
        let properties = properties.filter_map(|(at, values)| Some((at, self.properties[at].accepted(values)?)));
        Test {
            properties: properties.collect(),
            status_sets: self.status_sets.values.iter().map(has_status).collect(),
            waba_sets: (!filter.wabas.is_empty()).then(|| self.waba_sets.values.iter().map(in_wabas).collect()),
            mask,
            flags,
            sent_since: filter.sent_since,
            not_sent_since: filter.not_sent_since,
            waiting_before: filter.waiting_before,
            at_risk: filter.at_risk,
        }
    }
}

/// A compiled filter.
#[derive(Debug)]
pub(super) struct Test {
    properties: Vec<(usize, Vec<bool>)>,
    /// Whether differing statuses have a wanted one; `None` where they do not differ.
    status_sets: Vec<Option<bool>>,
    waba_sets: Option<Vec<bool>>,
    mask: u8,
    flags: u8,
    sent_since: Option<i64>,
    not_sent_since: Option<i64>,
    waiting_before: Option<i64>,
    at_risk: Option<AtRisk>,
}

impl Test {
    pub(super) fn accepts(&self, slot: &Slot) -> bool {
        slot.flags & self.mask == self.flags
            && self.properties.iter().all(|(property, accepted)| {
                let differing = self.status_sets[slot.statuses as usize].filter(|_| *property == STATUS);
                differing.unwrap_or_else(|| accepted[slot.values[*property] as usize])
            })
            && self.waba_sets.as_ref().is_none_or(|accepted| accepted[slot.wabas as usize])
            && self.sent_since.is_none_or(|since| slot.last_sent_at != i64::MIN && slot.last_sent_at >= since)
            && self.not_sent_since.is_none_or(|since| slot.last_sent_at == i64::MIN || slot.last_sent_at < since)
            && self.waiting_before.is_none_or(|before| slot.flags & WAITING != 0 && slot.status_since < before)
            && self
                .at_risk
                .is_none_or(|risk| slot.used_at <= risk.used_until || slot.archived_at >= risk.archived_since)
    }
}

/// The differing statuses of a set as stored in the table, each with its WABA.
pub(super) fn statuses(set: &str) -> Vec<(String, String)> {
    serde_json::from_str(set).unwrap_or_default()
}

/// The WABAs of a set as stored in the table.
pub(super) fn members(set: &str) -> impl Iterator<Item = &str> {
    set.split('\n').filter(|waba| !waba.is_empty())
}
