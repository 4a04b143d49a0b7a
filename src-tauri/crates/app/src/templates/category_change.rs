//! Changes of a template's category that are announced or done, and what those cost that cost more.

use std::collections::{BTreeMap, HashMap};

use model::event::kind::ItemKind;
use model::event::template::{CategoryChange, TemplateCategoryUpdate};
use model::language;
use model::lifecycle::{category_appeal_until, costs_more, is_other_category};
use model::rate_card::{PriceChange, RateCard};
use model::vocabulary::Category;
use store::cache::{TemplateFilter, TemplateRow};
use store::desk::{TemplateEvent, TemplateIds};

use crate::costs::usable_rate_card;
use crate::date_range::{DAY, day_of};
use crate::templates::Templates;
use command_types::error::Result;
use command_types::template::{ComingCategory, RaisedCategory};
use outgoing::now;

/// Days whose messages say what a month costs.
const MONTH_DAYS: i64 = 30;

/// What is known of changes of the category of listed templates, by their references.
#[derive(Debug, Default)]
pub(super) struct CategoryChanges {
    pub(super) coming: BTreeMap<String, ComingCategory>,
    pub(super) raised: BTreeMap<String, RaisedCategory>,
}

impl Templates {
    /// The category changes of listed templates that are announced, and those that cost more.
    pub(super) async fn category_changes(&self, workspace: &str, rows: &[TemplateRow]) -> Result<CategoryChanges> {
        let kind = ItemKind::TemplateCategory.as_str();
        let mut events = self.0.context.desk.events_of_kind(workspace, rows.iter().map(ids_of).collect(), kind).await?;
        let references = rows.iter().map(|row| row.reference.clone()).collect();
        let listed = self.0.context.cache.announced_categories(workspace, references).await?;
        let (mut coming, mut rises) = (BTreeMap::new(), Vec::new());
        for row in rows {
            let about = match events.remove(&row.reference) {
                Some(events) => self.events_about(workspace, &row.reference, events, |_| false).await?,
                None => Vec::new(),
            };
            let listed = listed.get(&row.reference).map(String::as_str);
            let announced = coming_category(row, listed, &about);
            rises.extend(rise(row, announced.as_ref(), &about));
            coming.extend(announced.map(|coming| (row.reference.clone(), coming)));
        }
        Ok(CategoryChanges { coming, raised: self.priced(workspace, rises).await? })
    }

    /// That the category of one template costs more than the one before, or will.
    pub(super) async fn raised_category(
        &self,
        workspace: &str,
        row: &TemplateRow,
        coming: Option<&ComingCategory>,
        events: &[TemplateEvent],
    ) -> Result<Option<RaisedCategory>> {
        let rises = rise(row, coming, events).into_iter().collect();
        Ok(self.priced(workspace, rises).await?.remove(&row.reference))
    }

    /// What all templates that match and whose category was raised cost more; `None` without a rate card.
    pub(super) async fn raised_cost(&self, filter: TemplateFilter, count: u64) -> Result<Option<PriceChange>> {
        if count == 0 {
            return Ok(None);
        }
        let workspace = filter.workspace_id.clone();
        let limit = u32::try_from(count).unwrap_or(u32::MAX);
        let changed = self.0.context.cache.templates(TemplateFilter { limit, offset: 0, ..filter }).await?;
        let rises = changed.rows.iter().filter_map(|row| rise(row, None, &[])).collect();
        let changes = self.priced(&workspace, rises).await?.into_values().filter_map(|raised| raised.month);
        Ok(changes.reduce(|mut sum, change| {
            sum += &change;
            sum
        }))
    }

    async fn priced(&self, workspace: &str, rises: Vec<Rise>) -> Result<BTreeMap<String, RaisedCategory>> {
        if rises.is_empty() {
            return Ok(BTreeMap::new());
        }
        let card = usable_rate_card(&self.0.context, workspace).await?;
        let mut delivered: HashMap<String, BTreeMap<String, u64>> = HashMap::new();
        if card.is_some() {
            let references: Vec<String> = rises.iter().map(|rise| rise.reference.clone()).collect();
            let since = now().saturating_sub(MONTH_DAYS * DAY);
            for (reference, country, count) in
                self.0.context.desk.delivered_of_templates(workspace, &references, since).await?
            {
                delivered.entry(reference).or_default().insert(country, count);
            }
        }
        let priced = |rise: Rise| {
            let countries = delivered.remove(&rise.reference).unwrap_or_default();
            let month = card.as_ref().map(|card| rise.month(card, &countries));
            (rise.reference, RaisedCategory { appeal_until: rise.done_at.map(category_appeal_until), month })
        };
        Ok(rises.into_iter().map(priced).collect())
    }
}

/// What events name a template by.
pub(crate) fn ids_of(row: &TemplateRow) -> TemplateIds {
    TemplateIds {
        reference: row.reference.clone(),
        name: row.name.clone(),
        language: language::normalise(&row.language).into_owned(),
        channel_id: row.channel_id.clone(),
    }
}

/// A change of the category that costs more.
struct Rise {
    reference: String,
    before: String,
    after: String,
    /// When it is announced to take place.
    due_at: Option<i64>,
    /// When it was reported.
    done_at: Option<i64>,
}

impl Rise {
    /// What the messages of a month cost in both categories, at the prices of today or of the day of the change.
    fn month(&self, card: &RateCard, countries: &BTreeMap<String, u64>) -> PriceChange {
        let at = self.due_at.unwrap_or(0).max(now());
        card.price_change((&self.before, &self.after), day_of(at.div_euclid(DAY)), countries)
    }
}

/// The change that costs more, if there is one: the announced one, else that from the requested category.
fn rise(row: &TemplateRow, coming: Option<&ComingCategory>, events: &[TemplateEvent]) -> Option<Rise> {
    if row.archived == Some(true) {
        return None;
    }
    let of = |before: &str, after: &str, due_at, done_at| {
        let [before, after] = [before, after].map(|word| Category::from(word).as_str().to_owned());
        costs_more(&before, &after).then(|| Rise { reference: row.reference.clone(), before, after, due_at, done_at })
    };
    coming.and_then(|coming| of(&row.category, &coming.category, coming.at, None)).or_else(|| {
        let asked = row.asked_category.as_deref().filter(|_| row.is_category_changed())?;
        let done = events.iter().find(|event| reports_done(event));
        of(asked, &row.category, None, done.map(|event| event.at))
    })
}

/// What an event about a category says; `None` for another event, and for one that cannot be read.
fn update_of(event: &TemplateEvent) -> Option<TemplateCategoryUpdate> {
    let is_about_category = event.event == ItemKind::TemplateCategory.as_str();
    is_about_category.then(|| serde_json::from_str(&event.value).ok()).flatten()
}

/// Whether an event reports a change of the category that has taken place.
fn reports_done(event: &TemplateEvent) -> bool {
    update_of(event).is_some_and(|update| matches!(update.change(), Some(CategoryChange::Done { .. })))
}

/// The category that the template will get. The latest word of an event counts; without one, that of the listing
/// (upstream §5.4).
pub(super) fn coming_category(
    row: &TemplateRow,
    listed: Option<&str>,
    events: &[TemplateEvent],
) -> Option<ComingCategory> {
    let kind = ItemKind::TemplateCategory.as_str();
    let update = events.iter().find(|event| event.event == kind);
    let update = update.and_then(update_of);
    let announced = match update.as_ref().and_then(TemplateCategoryUpdate::change) {
        Some(CategoryChange::Announced { coming, .. }) => {
            Some((coming.to_owned(), update.as_ref().and_then(TemplateCategoryUpdate::due_at)))
        }
        Some(CategoryChange::Done { .. }) => None,
        None => listed.map(|category| (category.to_owned(), None)),
    };
    let (category, at) = announced?;
    let category = Category::from(category.as_str()).as_str().to_owned();
    is_other_category(&category, &row.category).then_some(ComingCategory { category, at })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::templates::history::tests::webhook_event;

    fn row(status: &str, category: &str) -> TemplateRow {
        TemplateRow { status: status.to_owned(), category: category.to_owned(), ..TemplateRow::default() }
    }

    #[test]
    fn a_coming_category_is_announced_by_an_event_or_the_listing() {
        let announced = webhook_event(
            7,
            "template_category",
            json!({"correct_category": "MARKETING",
            "new_category": "UTILITY", "category_update_timestamp": 1_800_000_000}),
        );
        let done =
            webhook_event(8, "template_category", json!({"previous_category": "UTILITY", "new_category": "MARKETING"}));
        let utility = row("APPROVED", "UTILITY");
        let coming = |at| Some(ComingCategory { category: "marketing".to_owned(), at });
        let events = [announced];
        assert_eq!(coming_category(&utility, None, &events), coming(Some(1_800_000_000_000)));
        assert_eq!(coming_category(&row("APPROVED", "MARKETING"), None, &events), None);
        assert_eq!(coming_category(&utility, None, &[done, events[0].clone()]), None);
        assert_eq!(coming_category(&utility, Some("MARKETING"), &[]), coming(None));
        assert_eq!(coming_category(&utility, Some("UTILITY"), &[]), None);
        assert_eq!(coming_category(&utility, None, &[]), None);
    }
}
