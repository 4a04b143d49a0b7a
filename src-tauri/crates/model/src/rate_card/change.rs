//! What a change of the category does to what messages cost.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use chrono::NaiveDate;
use rust_decimal::Decimal;
use serde::Serialize;
use ts_rs::TS;

use super::{Costs, Messages, RateCard, as_text};

/// What the same messages cost in two categories.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "model.ts")]
#[serde(rename_all = "camelCase")]
pub struct PriceChange {
    /// ISO 4217 code.
    pub currency: String,
    /// Whether the prices are invented, as in the sample that the app writes.
    pub is_sample: bool,
    /// The sum in the category before, as a decimal number.
    #[serde(with = "as_text")]
    #[ts(as = "String")]
    pub before: Decimal,
    /// The sum in the category after, as a decimal number.
    #[serde(with = "as_text")]
    #[ts(as = "String")]
    pub after: Decimal,
    /// `after` less `before`.
    #[serde(with = "as_text")]
    #[ts(as = "String")]
    pub added: Decimal,
    /// Messages, with those of unknown price.
    pub messages: u64,
    /// Messages that have no price in one of the categories. The sums are without them.
    pub unknown: u64,
}

impl RateCard {
    /// What messages cost in a category and in another, given their numbers by the recipients' country. All of them are
    /// of one month; no others count for its volume tiers.
    #[must_use]
    pub fn price_change(
        &self,
        (before, after): (&str, &str),
        day: NaiveDate,
        countries: &BTreeMap<String, u64>,
    ) -> PriceChange {
        let (mut costs_before, mut costs_after) = (Costs::new(self), Costs::new(self));
        let mut change = PriceChange {
            currency: self.currency.clone(),
            is_sample: self.is_sample,
            before: Decimal::ZERO,
            after: Decimal::ZERO,
            added: Decimal::ZERO,
            messages: 0,
            unknown: 0,
        };
        for (country, &count) in countries {
            change.messages += count;
            let was = costs_before.add(Messages { country, category: before, day, count });
            let is = costs_after.add(Messages { country, category: after, day, count });
            if was.unknown + is.unknown > 0 {
                change.unknown += count;
                continue;
            }
            change.before += was.amount;
            change.after += is.amount;
        }
        change.before = change.before.normalize();
        change.after = change.after.normalize();
        change.added = (change.after - change.before).normalize();
        change
    }
}

/// Sums of one rate card.
impl AddAssign<&Self> for PriceChange {
    fn add_assign(&mut self, other: &Self) {
        self.before += other.before;
        self.after += other.after;
        self.added += other.added;
        self.messages += other.messages;
        self.unknown += other.unknown;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rate_card::Rate;

    fn card() -> RateCard {
        let rate = |&(market, category, price, from, tier_from): &(&str, &str, &str, &str, u64)| Rate {
            market: market.to_owned(),
            category: category.to_owned(),
            price: price.parse().expect("a price"),
            valid_from: from.parse().expect("a day"),
            tier_from,
        };
        let rates = [
            ("Brazil", "utility", "0.0080", "2026-07-01", 1),
            ("Brazil", "utility", "0.0068", "2026-10-01", 1),
            ("Brazil", "utility", "0.005", "2026-10-01", 101),
            ("Brazil", "marketing", "0.0625", "2026-07-01", 1),
            ("India", "marketing", "0.01", "2026-07-01", 1),
        ];
        RateCard { currency: "USD".to_owned(), is_sample: false, rates: rates.iter().map(rate).collect() }
    }

    fn countries(of: &[(&str, u64)]) -> BTreeMap<String, u64> {
        of.iter().map(|(country, count)| ((*country).to_owned(), *count)).collect()
    }

    /// Sums by hand. Those without a price in one of the categories are in neither sum.
    #[test]
    fn the_difference_is_of_messages_that_have_both_prices() {
        let up = ("utility", "marketing");
        for (of, day, before, after, added, messages, unknown) in [
            (&[("BR", 1_000)][..], "2026-09-30", "8", "62.5", "54.5", 1_000, 0),
            // 100 × 0.0068 + 900 × 0.005: the volume tier of the new quarter.
            (&[("BR", 1_000)], "2026-10-01", "5.18", "62.5", "57.32", 1_000, 0),
            (&[("BR", 10), ("IN", 5), ("", 2)], "2026-09-30", "0.08", "0.625", "0.545", 17, 7),
            (&[("BR", 10)], "2026-06-30", "0", "0", "0", 10, 10),
            (&[], "2026-10-01", "0", "0", "0", 0, 0),
        ] {
            let change = card().price_change(up, day.parse().expect("a day"), &countries(of));
            let sums = [change.before, change.after, change.added].map(|sum| sum.to_string());
            assert_eq!(
                (sums, change.messages, change.unknown),
                ([before, after, added].map(str::to_owned), messages, unknown)
            );
        }
    }

    #[test]
    fn changes_are_added_up() {
        let day = "2026-09-30".parse().expect("a day");
        let of = |count| card().price_change(("utility", "marketing"), day, &countries(&[("BR", count), ("IN", 1)]));
        let mut sum = of(10);
        sum += &of(90);
        assert_eq!((sum.added.to_string().as_str(), sum.messages, sum.unknown), ("5.450", 102, 2));
    }
}
