//! Figures of a workspace, all from stored counters.

mod export;
mod funnel;
mod rate_card;
mod senders;
mod spend;

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::date_range::{DAY, date};

use crate::context::Context;
use crate::templates::Templates;
use crate::workspaces::Workspaces;
use command_types::error::Result;
use command_types::insights::{DayFigures, InsightsOverview};
use command_types::template::Facet;
use command_types::workspace::WorkspaceId;
use outgoing::now;

/// Days shown.
const OVERVIEW_DAYS: i64 = 30;
/// Status of archived templates.
const ARCHIVED: &str = "ARCHIVED";
/// Kind of items that report the status of a message.
const STATUS_KIND: &str = "status";

/// Figures of all workspaces. Clones share one state.
#[derive(Clone, Debug)]
pub struct Insights(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    context: Arc<Context>,
    workspaces: Workspaces,
    templates: Templates,
}

impl Insights {
    pub(crate) fn new(context: Arc<Context>, workspaces: Workspaces, templates: Templates) -> Self {
        Self(Arc::new(Inner { context, workspaces, templates }))
    }
}

impl Insights {
    pub async fn get_insights(&self, request: WorkspaceId) -> Result<InsightsOverview> {
        let workspace = request.workspace;
        // An archived template counts as archived, whatever status it had before, as in the list.
        let mut templates = self.0.context.cache.facets(&workspace, Some(false)).await?.statuses;
        let archived = self.0.context.cache.facets(&workspace, Some(true)).await?.statuses;
        let archived = archived.iter().map(|facet| facet.count).sum();
        match templates.iter_mut().find(|facet| facet.value == ARCHIVED) {
            Some(facet) => facet.count += archived,
            None if archived > 0 => templates.push(Facet { value: ARCHIVED.to_owned(), count: archived }),
            None => {}
        }
        let mut statuses = BTreeMap::new();
        let mut kinds = BTreeMap::new();
        for counter in self.0.context.cache.totals(Some(&workspace)).await? {
            *kinds.entry(counter.kind.clone()).or_default() += counter.count;
            if counter.kind == STATUS_KIND {
                *statuses.entry(counter.status).or_default() += counter.count;
            }
        }
        let today = now().div_euclid(DAY);
        let mut days: BTreeMap<i64, BTreeMap<String, u64>> = BTreeMap::new();
        for counter in self.0.context.cache.counters(Some(&workspace), today - OVERVIEW_DAYS + 1..=today).await? {
            if counter.kind == STATUS_KIND {
                *days.entry(counter.day).or_default().entry(counter.status).or_default() += counter.count;
            }
        }
        Ok(InsightsOverview {
            templates,
            statuses: list(statuses),
            kinds: list(kinds),
            days: days
                .into_iter()
                .map(|(day, statuses)| DayFigures { day: date(day), statuses: list(statuses) })
                .collect(),
        })
    }
}

fn list(counts: BTreeMap<String, u64>) -> Vec<Facet> {
    counts.into_iter().map(|(value, count)| Facet { value, count }).collect()
}
