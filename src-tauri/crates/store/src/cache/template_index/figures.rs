//! Counts over all templates: values to filter by, and names with their languages.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::Connection;

use super::filter::{members, statuses};
use super::{ARCHIVED, CAROUSEL, CATEGORY_CHANGED, LANGUAGE, PROPERTIES, SAMPLE, STATUS, Slot, TemplateIndex};
use crate::StoreError;
use crate::cache::template_filter::{Facet, Facets, NameFilter, TemplateFilter, TemplateSort};

impl TemplateIndex {
    /// The values that occur, counted over archived templates, over the others, or over all.
    pub(in crate::cache) fn facets(&mut self, archived: Option<bool>) -> Facets {
        let kept = match archived {
            None => 0,
            Some(false) => 1,
            Some(true) => 2,
        };
        if self.facets[kept].is_none() {
            self.facets[kept] = Some(self.count(archived));
        }
        self.facets[kept].clone().unwrap_or_default()
    }

    fn count(&self, archived: Option<bool>) -> Facets {
        let mut counts: [Vec<u64>; PROPERTIES] =
            std::array::from_fn(|property| vec![0; self.properties[property].values.len()]);
        let mut sets = vec![0_u64; self.waba_sets.values.len()];
        let mut differing = vec![0_u64; self.status_sets.values.len()];
        let mut facets = Facets::default();
        let flag = |slot: &Slot, flag: u8| u64::from(slot.flags & flag != 0);
        for slot in self.slots.iter().flatten() {
            facets.total += 1;
            facets.archived += flag(slot, ARCHIVED);
            if archived.is_some_and(|archived| (slot.flags & ARCHIVED != 0) != archived) {
                continue;
            }
            for (counts, value) in counts.iter_mut().zip(slot.values) {
                counts[value as usize] += 1;
            }
            sets[slot.wabas as usize] += 1;
            differing[slot.statuses as usize] += 1;
            if !self.status_sets.values[slot.statuses as usize].is_empty() {
                counts[STATUS][slot.values[STATUS] as usize] -= 1;
            }
            facets.carousels += flag(slot, CAROUSEL);
            facets.samples += flag(slot, SAMPLE);
            facets.category_changed += flag(slot, CATEGORY_CHANGED);
        }
        let mut wabas: BTreeMap<&str, u64> = BTreeMap::new();
        for (set, count) in self.waba_sets.values.iter().zip(sets).filter(|(_, count)| *count > 0) {
            for waba in members(set) {
                *wabas.entry(waba).or_default() += count;
            }
        }
        facets.wabas = wabas.into_iter().map(|(value, count)| Facet { value: value.to_owned(), count }).collect();
        let mut lists = self.properties.iter().zip(&counts).map(|(values, counts)| values.facets(counts));
        let mut next = || lists.next().unwrap_or_default();
        facets.statuses = next();
        for (set, count) in self.status_sets.values.iter().zip(differing).filter(|(_, count)| *count > 0) {
            for status in statuses(set).into_iter().map(|(_, status)| status).collect::<BTreeSet<_>>() {
                match facets.statuses.iter_mut().find(|facet| facet.value == status) {
                    Some(facet) => facet.count += count,
                    None => facets.statuses.push(Facet { value: status, count }),
                }
            }
        }
        facets.statuses.sort_unstable_by(|a, b| a.value.cmp(&b.value));
        facets.categories = next();
        facets.languages = next();
        facets.kinds = next();
        facets.businesses = next();
        facets.qualities = next();
        facets.headers = next();
        facets
    }

    /// The names that match a filter, by name, each with the slots of its templates by language, and the languages of
    /// all of them.
    pub(in crate::cache) fn names(
        &mut self,
        c: &Connection,
        filter: &NameFilter,
    ) -> Result<(Vec<Vec<u32>>, Vec<Facet>), StoreError> {
        let chosen = self.select(c, &TemplateFilter { sort: TemplateSort::Name, ..filter.templates.clone() })?;
        let shown = TemplateFilter {
            workspace_id: filter.templates.workspace_id.clone(),
            languages: filter.templates.languages.clone(),
            wabas: filter.templates.wabas.clone(),
            businesses: filter.templates.businesses.clone(),
            ..TemplateFilter::default()
        };
        let test = self.test(&shown);
        let slot = |position: &u32| self.slots[*position as usize].as_ref();
        let name = |position: &u32| &*self.texts[*position as usize].name;
        let mut counts = vec![0_u64; self.properties[LANGUAGE].values.len()];
        let mut groups: Vec<Vec<u32>> = Vec::new();
        // Both are ordered by name.
        let mut chosen = chosen.iter().peekable();
        let mut rest = &self.by_name[..];
        while let (Some(_), Some(first)) = (chosen.peek(), rest.first()) {
            let (group, others) =
                rest.split_at(rest.iter().take_while(|position| name(position) == name(first)).count());
            rest = others;
            let wanted = group.iter().filter(|position| chosen.next_if_eq(position).is_some()).count();
            if wanted == 0 {
                continue;
            }
            let fitting = group.iter().filter(|position| slot(position).is_some_and(|slot| test.accepts(slot)));
            let group: Vec<u32> = fitting.copied().collect();
            for slot in group.iter().filter_map(slot) {
                counts[slot.values[LANGUAGE] as usize] += 1;
            }
            if !group.is_empty() {
                groups.push(group);
            }
        }
        let mut languages = self.properties[LANGUAGE].facets(&counts);
        for asked in &filter.templates.languages {
            if !languages.iter().any(|facet| facet.value == *asked) {
                languages.push(Facet { value: asked.clone(), count: 0 });
            }
        }
        languages.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.value.cmp(&b.value)));
        groups.retain(|group| {
            let slots = || group.iter().filter_map(slot);
            // Sorted by language, so that equal ones are adjacent.
            let mut languages_of_name: Vec<u32> = slots().map(|slot| slot.values[LANGUAGE]).collect();
            languages_of_name.dedup();
            let shape = slots().next().map(|slot| slot.shape);
            (!filter.incomplete || languages_of_name.len() < languages.len())
                && (!filter.different || slots().any(|slot| Some(slot.shape) != shape))
        });
        Ok((groups, languages))
    }
}
