//! Delivery funnel and prices of sends.

use std::collections::BTreeMap;

use store::desk::{FigureFilter, FigureKey};

use crate::date_range::{DAY, Range, date, monday, month};
use crate::insights::Insights;
use crate::insights::senders::Senders;
use command_types::error::{DeskError, Result};
use command_types::insights::{
    Coverage, CoverageNote, Funnel, FunnelBy, FunnelQuery, FunnelRow, Pricing, PricingDay, PricingQuery, PricingRow,
};
use command_types::template::Facet;

const MAX_ROWS: u32 = 1_000;

impl Insights {
    /// The delivery funnel of template sends, from stored figures. Free texts are not included.
    pub async fn get_funnel(&self, query: FunnelQuery) -> Result<Funnel> {
        let limit = query.limit.clamp(1, MAX_ROWS) as usize;
        let (total, mut rows, covers) = self.funnel(&query).await?;
        let more = rows.len().saturating_sub(limit);
        if is_time(query.by) {
            rows.drain(..more);
        } else {
            rows.truncate(limit);
        }
        Ok(Funnel { total, rows, more: more as u64, covers })
    }

    /// The whole funnel: the total, and every row.
    pub(super) async fn funnel(&self, query: &FunnelQuery) -> Result<(FunnelRow, Vec<FunnelRow>, Coverage)> {
        let range = Range::of(query.from.as_deref(), query.to.as_deref())?;
        let senders = self.senders(&query.workspace, query.waba.as_deref(), query.number.as_deref()).await?;
        let filter = FigureFilter {
            workspace_id: query.workspace.clone(),
            by: match query.by {
                FunnelBy::Template => FigureKey::Template,
                FunnelBy::Language => FigureKey::Language,
                FunnelBy::Category => FigureKey::Category,
                FunnelBy::Day | FunnelBy::Week | FunnelBy::Month => FigureKey::Day,
            },
            from: range.first,
            to: range.last,
            template: query.template.clone().filter(|name| !name.is_empty()),
            language: query.language.clone().filter(|language| !language.is_empty()),
            category: query.category.as_deref().map(str::to_lowercase),
            numbers: senders.as_ref().map(|senders| senders.chosen.clone()),
        };
        let categories = FigureFilter { by: FigureKey::Category, ..filter.clone() };
        let mut rows: BTreeMap<String, FunnelRow> = BTreeMap::new();
        let mut total = FunnelRow::default();
        for figures in self.0.context.desk.figures(filter).await? {
            let key = match query.by {
                FunnelBy::Template | FunnelBy::Language | FunnelBy::Category => figures.key.clone(),
                FunnelBy::Day => date(day(&figures)),
                FunnelBy::Week => date(monday(day(&figures))),
                FunnelBy::Month => month(day(&figures)),
            };
            total.add(&figures);
            rows.entry(key.clone()).or_insert_with(|| FunnelRow { key, ..FunnelRow::default() }).add(&figures);
        }
        let mut rows: Vec<FunnelRow> = rows.into_values().collect();
        if !is_time(query.by) {
            // Stable sort: rows with equal numbers remain in the order of their keys.
            rows.sort_by_key(|row| std::cmp::Reverse(row.sent));
        }
        for row in rows.iter_mut().chain([&mut total]) {
            row.codes.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.code.cmp(&b.code)));
        }
        let mut covers = self.coverage(&query.workspace, range, senders.as_ref(), total.sent).await?;
        if let Some(senders) = senders {
            let sent = async |numbers| {
                let figures = self.0.context.desk.figures(FigureFilter { numbers, ..categories.clone() }).await?;
                Ok::<u64, DeskError>(figures.iter().map(|figures| figures.sent).sum())
            };
            covers.unknown_sender = sent(None).await?.saturating_sub(sent(Some(senders.known)).await?);
        }
        covers.notes.extend([CoverageNote::TemplatesOnly, CoverageNote::RepliesByContext]);
        if self.0.context.desk.figures(categories).await?.iter().any(|figures| figures.key.is_empty()) {
            covers.notes.push(CoverageNote::UnknownCategory);
        }
        Ok((total, rows, covers))
    }

    /// Prices of messages, as reported by statuses; includes free texts.
    pub async fn get_pricing(&self, query: PricingQuery) -> Result<Pricing> {
        let (range, senders, prices) = self.prices(&query).await?;
        let spend = self.spend(&query.workspace, range, senders.as_ref()).await?;
        let mut rows: BTreeMap<(String, String), PricingRow> = BTreeMap::new();
        let mut days: BTreeMap<i64, BTreeMap<String, u64>> = BTreeMap::new();
        let mut sends = 0;
        for (day, price) in prices {
            let of_day = messages(&price);
            sends += of_day;
            *days.entry(day).or_default().entry(price.category.clone()).or_default() += of_day;
            let row = rows.entry((price.category, price.model)).or_default();
            row.billable += price.billable;
            row.free += price.free;
            row.unknown += price.unknown;
        }
        let mut covers = self.coverage(&query.workspace, range, senders.as_ref(), sends).await?;
        if let Some(senders) = senders {
            let sent = async |numbers| {
                let prices = self.0.context.desk.prices(&query.workspace, range.days(), numbers).await?;
                Ok::<u64, DeskError>(prices.iter().map(|(_, price)| messages(price)).sum())
            };
            covers.unknown_sender = sent(None).await?.saturating_sub(sent(Some(&senders.known)).await?);
        }
        if rows.keys().any(|(category, _)| category.is_empty()) {
            covers.notes.push(CoverageNote::UnknownCategory);
        }
        let named = |((category, model), row)| PricingRow { category, model, ..row };
        let counts =
            |counts: BTreeMap<String, u64>| counts.into_iter().map(|(value, count)| Facet { value, count }).collect();
        Ok(Pricing {
            rows: rows.into_iter().map(named).collect(),
            days: days.into_iter().map(|(day, of_day)| PricingDay { day: date(day), counts: counts(of_day) }).collect(),
            spend,
            covers,
        })
    }

    /// The range, the numbers and the prices of a query.
    pub(super) async fn prices(
        &self,
        query: &PricingQuery,
    ) -> Result<(Range, Option<Senders>, Vec<(i64, PricingRow)>)> {
        let range = Range::of(query.from.as_deref(), query.to.as_deref())?;
        let senders = self.senders(&query.workspace, query.waba.as_deref(), query.number.as_deref()).await?;
        let chosen = senders.as_ref().map(|senders| senders.chosen.as_slice());
        let prices = self.0.context.desk.prices(&query.workspace, range.days(), chosen).await?;
        Ok((range, senders, prices))
    }

    async fn coverage(&self, workspace: &str, range: Range, senders: Option<&Senders>, sends: u64) -> Result<Coverage> {
        let chosen = senders.map(|senders| senders.chosen.as_slice());
        let ends = self.0.context.desk.sent_days(workspace, range.days(), chosen).await?;
        let mut notes = vec![CoverageNote::Elsewhere];
        if self.0.context.reader.mark().await?.removed > 0 {
            notes.push(CoverageNote::Retention);
        }
        let (from, to) = (ends.map(|(from, _)| from * DAY), ends.map(|(_, to)| to * DAY));
        Ok(Coverage { from, to, sends, unknown_sender: 0, notes })
    }
}

/// Number of messages that have these prices.
fn messages(price: &PricingRow) -> u64 {
    price.billable + price.free + price.unknown
}

fn is_time(by: FunnelBy) -> bool {
    matches!(by, FunnelBy::Day | FunnelBy::Week | FunnelBy::Month)
}

/// The day of figures that are grouped by day.
fn day(figures: &FunnelRow) -> i64 {
    figures.key.parse().unwrap_or_default()
}
