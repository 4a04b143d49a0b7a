//! What delivered messages cost, by day and template.

use std::collections::BTreeMap;

use model::rate_card::{Added, Costs};
use store::desk::CostFigure;

use crate::costs;
use crate::date_range::{Range, date};
use crate::insights::Insights;
use crate::insights::senders::Senders;
use command_types::error::Result;
use command_types::insights::{Spend, SpendRow};

/// Templates shown.
const MAX_TEMPLATES: usize = 50;

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
        let (first, last) = range.days();
        // The volume tiers begin with the month.
        let from = range.first.map_or(i64::MIN, costs::month_start);
        let chosen = senders.map(|senders| senders.chosen.as_slice());
        let delivered = self.0.context.desk.delivered(workspace, (from, last), chosen).await?;
        let start = delivered.partition_point(|figure| figure.period < first);
        let mut costs = Costs::new(&card);
        costs::count_before(&mut costs, &delivered[..start]);
        let mut days: BTreeMap<i64, Sum> = BTreeMap::new();
        let mut templates: BTreeMap<String, Sum> = BTreeMap::new();
        for figure in &delivered[start..] {
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
}
