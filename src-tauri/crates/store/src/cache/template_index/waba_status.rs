//! Templates by their status in one WABA, where it differs from the status in their other WABAs, which the index has.

use std::collections::HashSet;
use std::sync::Arc;

use rusqlite::Connection;

use super::TemplateIndex;
use super::filter::members;
use crate::StoreError;
use crate::cache::merge::waba_statuses;
use crate::cache::row::by_id;
use crate::cache::template_filter::TemplateFilter;

impl TemplateIndex {
    /// The templates that match a filter, by their status everywhere or in a WABA.
    pub(super) fn select_in_waba(
        &mut self,
        c: &Connection,
        filter: &TemplateFilter,
        waba: &str,
    ) -> Result<Arc<[u32]>, StoreError> {
        let everywhere = TemplateFilter { status_in: None, ..filter.clone() };
        let with_status: HashSet<u32> = self.select(c, &everywhere)?.iter().copied().collect();
        let of_any_status = self.select(c, &TemplateFilter { statuses: Vec::new(), ..everywhere })?;
        let mut found = Vec::new();
        for &position in of_any_status.iter() {
            if with_status.contains(&position) || self.has_status_in(c, position, waba, &filter.statuses)? {
                found.push(position);
            }
        }
        Ok(found.into())
    }

    fn has_status_in(
        &self,
        c: &Connection,
        position: u32,
        waba: &str,
        statuses: &[String],
    ) -> Result<bool, StoreError> {
        let Some(slot) = &self.slots[position as usize] else { return Ok(false) };
        // In a single WABA, its status is the listed one.
        if members(&self.waba_sets.values[slot.wabas as usize]).count() == 1 {
            return Ok(false);
        }
        let Some((row, record)) = by_id(c, slot.id)? else { return Ok(false) };
        let of_wabas = waba_statuses(c, slot.id, (&row, &record), row.statuses_after())?;
        Ok(of_wabas.iter().any(|of| of.waba == waba && statuses.contains(&of.status)))
    }
}
