//! What delivered messages cost, by day and template.

use std::collections::BTreeMap;

use model::rate_card::{Added, Costs};
use store::desk::CostFigure;

use crate::costs;
use crate::date_range::{Range, date};
use crate::insights::Insights;
use crate::insights::senders::Senders;
use command_types::error::{DeskError, Missing, Result};
use command_types::insights::{PricingQuery, Spend, SpendRow};

/// Templates shown.
const MAX_TEMPLATES: usize = 50;

/// What messages cost that were delivered on a day, from a template, to a country, in a category.
#[derive(Debug)]
pub(super) struct SpendLine {
    /// Counted from 1970-01-01 UTC.
    pub(super) day: i64,
    /// Empty for free texts.
    pub(super) template: String,
    pub(super) country: String,
    pub(super) category: String,
    /// Charged messages of a known price.
    pub(super) charged: u64,
    pub(super) free: u64,
    /// Messages without a known price, or of which it is unknown whether they are charged.
    pub(super) unknown: u64,
    /// Of the charged ones, as a decimal number.
    pub(super) amount: String,
    pub(super) currency: String,
}

#[derive(Default)]
struct Sum {
    added: Added,
    messages: u64,
}

impl Sum {
    fn add(&mut self, added: Added, figure: &CostFigure) {
        self.added.amount += added.amount;
        self.added.unknown += added.unknown;
        self.messages += figure.charged + figure.free + figure.unsaid;
    }

    fn row(self, key: String) -> SpendRow {
        let amount = self.added.amount.normalize().to_string();
        SpendRow { key, messages: self.messages, amount, unknown: self.added.unknown }
    }
}

impl Insights {
    /// `None` without a rate card. Volume tiers count the messages of the chosen numbers only.
    pub(super) async fn spend(
        &self,
        workspace: &str,
        range: Range,
        senders: Option<&Senders>,
    ) -> Result<Option<Spend>> {
        let Some(card) = costs::usable_rate_card(&self.0.context, workspace).await? else { return Ok(None) };
        let mut costs = Costs::new(&card);
        let delivered = self.delivered(workspace, range, senders, &mut costs).await?;
        let mut days: BTreeMap<i64, Sum> = BTreeMap::new();
        let mut templates: BTreeMap<String, Sum> = BTreeMap::new();
        for figure in &delivered {
            let added = costs::add(&mut costs, figure);
            days.entry(figure.period).or_default().add(added, figure);
            templates.entry(figure.template_name.clone()).or_default().add(added, figure);
        }
        let mut templates: Vec<(String, Sum)> = templates.into_iter().collect();
        templates.sort_by_key(|(_, sum)| std::cmp::Reverse((sum.added.amount, sum.messages)));
        templates.truncate(MAX_TEMPLATES);
        Ok(Some(Spend {
            cost: costs.finish(),
            days: days.into_iter().map(|(day, sum)| sum.row(date(day))).collect(),
            templates: templates.into_iter().map(|(name, sum)| sum.row(name)).collect(),
        }))
    }

    /// What was spent, by day, template, country and category.
    ///
    /// # Errors
    /// [`DeskError::NotFound`] without a rate card.
    pub(super) async fn spend_lines(&self, query: &PricingQuery) -> Result<Vec<SpendLine>> {
        let range = Range::of(query.from.as_deref(), query.to.as_deref())?;
        let senders = self.senders(&query.workspace, query.waba.as_deref(), query.number.as_deref()).await?;
        let card = costs::rate_card(&self.0.context, &query.workspace).await?;
        let card = card.ok_or_else(|| DeskError::not_found(Missing::RateCard))?;
        let mut costs = Costs::new(&card);
        let delivered = self.delivered(&query.workspace, range, senders.as_ref(), &mut costs).await?;
        let line = |figure: CostFigure| {
            let added = costs::add(&mut costs, &figure);
            SpendLine {
                day: figure.period,
                charged: (figure.charged + figure.unsaid).saturating_sub(added.unknown),
                free: figure.free,
                unknown: added.unknown,
                amount: added.amount.normalize().to_string(),
                currency: card.currency.clone(),
                template: figure.template_name,
                country: figure.country,
                category: figure.category,
            }
        };
        Ok(delivered.into_iter().map(line).collect())
    }

    /// Messages that were delivered in a range, in the order of their days. Those of the month before it are counted for
    /// the volume tiers.
    async fn delivered(
        &self,
        workspace: &str,
        range: Range,
        senders: Option<&Senders>,
        costs: &mut Costs<'_>,
    ) -> Result<Vec<CostFigure>> {
        let (first, last) = range.days();
        // The volume tiers begin with the month.
        let from = range.first.map_or(i64::MIN, costs::month_start);
        let chosen = senders.map(|senders| senders.chosen.as_slice());
        let mut delivered = self.0.context.desk.delivered(workspace, (from, last), chosen).await?;
        let start = delivered.partition_point(|figure| figure.period < first);
        let of_range = delivered.split_off(start);
        costs::count_before(costs, &delivered);
        Ok(of_range)
    }
}
