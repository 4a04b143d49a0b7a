//! What messages cost by a rate card.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use chrono::{Datelike as _, NaiveDate};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{Prices, RateCard};
use crate::market::Market;

/// Messages that are alike in what they cost.
#[derive(Clone, Copy, Debug)]
pub struct Messages<'a> {
    /// ISO 3166 code of the recipients' country; empty if unknown.
    pub country: &'a str,
    /// In lower case, its words joined by `_` or `-`; empty if unknown.
    pub category: &'a str,
    /// The day of delivery in UTC.
    pub day: NaiveDate,
    pub count: u64,
}

/// What messages added to the costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Added {
    /// The sum of the known prices.
    pub amount: Decimal,
    /// Messages without a known price.
    pub unknown: u64,
}

/// What messages cost: the sum, and its parts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts")]
#[serde(rename_all = "camelCase")]
pub struct Cost {
    /// ISO 4217 code.
    pub currency: String,
    /// Whether the prices are invented, as in the sample that the app writes.
    pub is_sample: bool,
    /// The sum of the known prices, as a decimal number.
    pub total: String,
    /// Messages that are charged, at a known price.
    pub priced: u64,
    /// Messages that are not charged.
    pub free: u64,
    /// Messages whose price the card does not have, or of which it is unknown whether they are charged. The total is
    /// without them.
    pub unknown: u64,
    /// By market and category; the most expensive first, unknown prices last.
    pub lines: Vec<CostLine>,
}

/// Messages of a market and category that have one price.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub struct CostLine {
    /// The ISO 3166 code of the country, or the region whose price applies; empty without a country.
    pub market: String,
    pub category: String,
    pub messages: u64,
    /// Of one message, as a decimal number; absent if unknown.
    pub price: Option<String>,
    /// Of all, as a decimal number; absent if unknown.
    pub amount: Option<String>,
}

/// Month of a market's category, in which messages count for the volume tiers.
type Volume = (Market, String, (i32, u32));

/// Costs that are being summed. Messages must be added in the order of their days.
#[derive(Debug)]
pub struct Costs<'c> {
    card: &'c RateCard,
    prices: Prices<'c>,
    volumes: HashMap<Volume, u64>,
    lines: BTreeMap<(String, String, Option<Decimal>), u64>,
    free: u64,
}

impl<'c> Costs<'c> {
    #[must_use]
    pub fn new(card: &'c RateCard) -> Self {
        Self { card, prices: Prices::of(card), volumes: HashMap::new(), lines: BTreeMap::new(), free: 0 }
    }

    /// Counts messages that were charged before those in question: they fill the volume tiers of their month.
    pub fn count_before(&mut self, messages: Messages<'_>) {
        let category = &canonical(messages.category);
        if let Some(applicable) = self.prices.applicable(messages.country, category, messages.day) {
            *self.volumes.entry(volume(applicable.market, category, messages.day)).or_default() += messages.count;
        }
    }

    /// Counts messages of which it is unknown whether they are charged.
    pub fn add_unknown(&mut self, messages: Messages<'_>) -> Added {
        let key = (messages.country.to_owned(), canonical(messages.category).into_owned(), None);
        *self.lines.entry(key).or_default() += messages.count;
        Added { unknown: messages.count, ..Added::default() }
    }

    pub fn add_free(&mut self, count: u64) {
        self.free += count;
    }

    pub fn add(&mut self, messages: Messages<'_>) -> Added {
        let category = canonical(messages.category).into_owned();
        let Some(applicable) = self.prices.applicable(messages.country, &category, messages.day) else {
            return self.add_unknown(messages);
        };
        let seen = self.volumes.entry(volume(applicable.market, &category, messages.day)).or_default();
        let (first, last) = (*seen + 1, *seen + messages.count);
        *seen = last;
        let mut added = Added::default();
        let market = applicable.market.as_str();
        for (place, rate) in applicable.tiers.iter().enumerate() {
            let from = if place == 0 { 1 } else { rate.tier_from };
            let to = applicable.tiers.get(place + 1).map_or(u64::MAX, |next| next.tier_from.saturating_sub(1));
            let count = (last.min(to) + 1).saturating_sub(first.max(from));
            if count > 0 {
                added.amount += rate.price * Decimal::from(count);
                *self.lines.entry((market.to_owned(), category.clone(), Some(rate.price))).or_default() += count;
            }
        }
        added
    }

    #[must_use]
    pub fn finish(self) -> Cost {
        let mut lines: Vec<_> = self.lines.into_iter().collect();
        let amount = |price: Option<Decimal>, count: u64| price.map(|price| price * Decimal::from(count));
        let sort_key = |price: Option<Decimal>, count| std::cmp::Reverse(amount(price, count));
        lines.sort_by_key(|((_, _, price), count)| (price.is_none(), sort_key(*price, *count)));
        let total: Decimal = lines.iter().filter_map(|((_, _, price), count)| amount(*price, *count)).sum();
        let counted = |known: bool| {
            lines.iter().filter(|((_, _, price), _)| price.is_some() == known).map(|(_, count)| count).sum()
        };
        Cost {
            currency: self.card.currency.clone(),
            is_sample: self.card.is_sample,
            total: plain(total),
            priced: counted(true),
            free: self.free,
            unknown: counted(false),
            lines: lines
                .iter()
                .map(|((market, category, price), count)| CostLine {
                    market: market.clone(),
                    category: category.clone(),
                    messages: *count,
                    price: price.map(plain),
                    amount: amount(*price, *count).map(plain),
                })
                .collect(),
        }
    }
}

fn volume(market: Market, category: &str, day: NaiveDate) -> Volume {
    (market, category.to_owned(), (day.year(), day.month()))
}

/// A category as rate cards name it. Statuses write `authentication-international` (upstream §8.3).
fn canonical(category: &str) -> Cow<'_, str> {
    if category.contains('-') { category.replace('-', "_").into() } else { category.into() }
}

/// Without zeros at its end.
fn plain(amount: Decimal) -> String {
    amount.normalize().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rate_card::Rate;

    fn day(text: &str) -> NaiveDate {
        text.parse().expect("a date")
    }

    fn card(rates: &[(&str, &str, &str, &str, u64)]) -> RateCard {
        let rate = |&(market, category, price, from, tier_from): &(&str, &str, &str, &str, u64)| Rate {
            market: market.to_owned(),
            category: category.to_owned(),
            price: price.parse().expect("a price"),
            valid_from: day(from),
            tier_from,
        };
        RateCard { currency: "USD".to_owned(), is_sample: false, rates: rates.iter().map(rate).collect() }
    }

    fn messages<'a>(country: &'a str, category: &'a str, on: &str, count: u64) -> Messages<'a> {
        Messages { country, category, day: day(on), count }
    }

    /// Sums by hand: 0.1 and 0.2 are no binary fractions.
    #[test]
    fn sums_are_exact() {
        let card =
            card(&[("Brazil", "marketing", "0.1", "2026-07-01", 1), ("India", "marketing", "0.2", "2026-07-01", 1)]);
        let mut costs = Costs::new(&card);
        costs.add(messages("BR", "marketing", "2026-08-01", 3));
        costs.add(messages("IN", "marketing", "2026-08-01", 3));
        assert_eq!(costs.finish().total, "0.9");
    }

    #[test]
    fn the_price_is_that_of_the_day_of_delivery() {
        let card =
            card(&[("Brazil", "utility", "0.0080", "2026-07-01", 1), ("Brazil", "utility", "0.0068", "2026-10-01", 1)]);
        for (on, total, unknown) in [
            ("2026-06-30", "0", 1_000),
            ("2026-07-01", "8", 0),
            ("2026-09-30", "8", 0),
            ("2026-10-01", "6.8", 0),
            ("2027-01-01", "6.8", 0),
        ] {
            let mut costs = Costs::new(&card);
            costs.add(messages("BR", "utility", on, 1_000));
            let cost = costs.finish();
            assert_eq!((cost.total.as_str(), cost.unknown), (total, unknown), "{on}");
        }
    }

    #[test]
    fn a_country_that_leaves_its_region_gets_its_own_price() {
        let card = card(&[
            ("Rest of Asia Pacific", "utility", "0.0113", "2026-07-01", 1),
            ("Bangladesh", "utility", "0.0037", "2026-10-01", 1),
        ]);
        for (on, market, price) in [("2026-09-30", "Rest of Asia Pacific", "0.0113"), ("2026-10-01", "BD", "0.0037")] {
            let mut costs = Costs::new(&card);
            costs.add(messages("BD", "utility", on, 1));
            let line = costs.finish().lines.remove(0);
            assert_eq!((line.market.as_str(), line.price.as_deref()), (market, Some(price)), "{on}");
        }
    }

    #[test]
    fn unknown_prices_are_unknown() {
        let card = card(&[("Brazil", "marketing", "0.0625", "2026-07-01", 1)]);
        let mut costs = Costs::new(&card);
        for (country, category) in [("AR", "marketing"), ("BR", "utility"), ("", "marketing"), ("BR", "")] {
            let added = costs.add(messages(country, category, "2026-11-01", 2));
            assert_eq!(added, Added { amount: Decimal::ZERO, unknown: 2 }, "{country} {category}");
        }
        costs.add_free(5);
        let cost = costs.finish();
        assert_eq!((cost.total.as_str(), cost.priced, cost.free, cost.unknown), ("0", 0, 5, 8));
        assert!(cost.lines.iter().all(|line| line.price.is_none() && line.amount.is_none()));
    }

    #[test]
    fn both_spellings_of_a_category_have_its_price() {
        let card = card(&[("India", "authentication_international", "0.5", "2026-10-01", 1)]);
        let mut costs = Costs::new(&card);
        costs.count_before(messages("IN", "authentication-international", "2026-11-01", 1));
        costs.add(messages("IN", "authentication-international", "2026-11-01", 1));
        costs.add(messages("IN", "authentication_international", "2026-11-01", 1));
        let cost = costs.finish();
        assert_eq!((cost.total.as_str(), cost.lines.len(), cost.unknown), ("1", 1, 0));
    }

    #[test]
    fn a_newer_card_keeps_what_it_does_not_renew() {
        let older = card(&[
            ("Brazil", "utility", "8", "2026-07-01", 1),
            ("Brazil", "utility", "7", "2026-10-01", 1),
            ("Brazil", "utility", "6", "2026-10-01", 101),
            ("Mexico", "utility", "5", "2026-07-01", 1),
        ]);
        let mut newer = card(&[("BR", "utility", "4", "2026-10-01", 1)]);
        assert_eq!(newer.keep_from(older.clone()), 2);
        for (country, on, total) in [("BR", "2026-09-30", "8"), ("BR", "2026-10-01", "400"), ("MX", "2026-10-01", "5")]
        {
            let mut costs = Costs::new(&newer);
            let count = if total == "400" { 100 } else { 1 };
            costs.add(messages(country, "utility", on, count));
            assert_eq!(costs.finish().total, total, "{country} {on}");
        }
        for other in [RateCard { currency: "EUR".to_owned(), ..older.clone() }, RateCard { is_sample: true, ..older }] {
            assert_eq!(newer.keep_from(other), 0);
        }
    }

    /// Of 250 messages in a month, the first 100 cost 2, the next 100 cost 1, and the last 50 a half.
    #[test]
    fn volume_tiers_count_the_messages_of_a_month() {
        let card = card(&[
            ("Brazil", "utility", "0.5", "2026-10-01", 201),
            ("Brazil", "utility", "2", "2026-10-01", 1),
            ("Brazil", "utility", "1", "2026-10-01", 101),
        ]);
        for (before, count, total) in [
            (0, 250, "325"),
            (0, 100, "200"),
            (0, 101, "201"),
            (99, 2, "3"),
            (100, 100, "100"),
            (200, 10, "5"),
            (1_000, 1, "0.5"),
        ] {
            let mut costs = Costs::new(&card);
            costs.count_before(messages("BR", "utility", "2026-11-02", before));
            costs.add(messages("BR", "utility", "2026-11-03", count));
            assert_eq!(costs.finish().total, total, "{count} after {before}");
        }
        let mut costs = Costs::new(&card);
        costs.add(messages("BR", "utility", "2026-10-31", 100));
        costs.add(messages("BR", "utility", "2026-11-01", 1));
        assert_eq!(costs.finish().total, "202", "each month begins at the first tier");
    }
}
