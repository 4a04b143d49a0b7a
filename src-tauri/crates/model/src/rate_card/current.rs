//! The prices of a card that apply now or later, to be looked up.

use chrono::NaiveDate;
use serde::Serialize;
use ts_rs::TS;

use super::{Prices, Rate, RateCard};

/// A price that applies, or will.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "model.ts")]
#[serde(rename_all = "camelCase")]
pub struct CurrentPrice {
    /// ISO 3166 code of a country, or the region as rate cards name it.
    pub market: String,
    /// In lower case, words joined by `_`.
    pub category: String,
    /// Of one message, as a decimal number.
    pub price: String,
    /// The first day, in UTC: `YYYY-MM-DD`.
    pub valid_from: String,
    /// Whether that day is yet to come.
    pub is_coming: bool,
    /// The message of a month, from 1, from which the price applies.
    pub tier_from: u64,
}

impl RateCard {
    /// The prices of a day and of all later days, by market, category, day and tier. Markets that are unknown here are
    /// not among them, because their prices are not used.
    #[must_use]
    pub fn current(&self, day: NaiveDate) -> Vec<CurrentPrice> {
        let Prices(by_market) = Prices::of(self);
        let mut found: Vec<CurrentPrice> = Vec::new();
        for (market, categories) in &by_market {
            for rates in categories.values() {
                let newest = rates.iter().filter(|rate| rate.valid_from <= day).map(|rate| rate.valid_from).max();
                let applies = |rate: &&&Rate| rate.valid_from > day || Some(rate.valid_from) == newest;
                found.extend(rates.iter().filter(applies).map(|rate| CurrentPrice {
                    market: market.as_str().to_owned(),
                    category: rate.category.clone(),
                    price: rate.price.normalize().to_string(),
                    valid_from: rate.valid_from.to_string(),
                    is_coming: rate.valid_from > day,
                    tier_from: rate.tier_from,
                }));
            }
        }
        let key = |price: &CurrentPrice| {
            (price.market.clone(), price.category.clone(), price.valid_from.clone(), price.tier_from)
        };
        found.sort_by_cached_key(key);
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_of_the_past_and_of_unknown_markets_are_left_out() {
        let rate = |market: &str, price: &str, from: &str, tier_from| Rate {
            market: market.to_owned(),
            category: "utility".to_owned(),
            price: price.parse().expect("a price"),
            valid_from: from.parse().expect("a day"),
            tier_from,
        };
        let rates = vec![
            rate("Brazil", "0.0080", "2026-07-01", 1),
            rate("Brazil", "0.0068", "2026-10-01", 1),
            rate("Brazil", "0.0060", "2026-10-01", 100_001),
            rate("Brazil", "0.0050", "2027-01-01", 1),
            rate("Other", "0.01", "2026-07-01", 1),
            rate("Atlantis", "0.02", "2026-07-01", 1),
        ];
        let card = RateCard { currency: "USD".to_owned(), is_sample: false, rates };
        let found: Vec<_> = card
            .current("2026-10-01".parse().expect("a day"))
            .into_iter()
            .map(|price| (price.market, price.price, price.tier_from, price.is_coming))
            .collect();
        let expected = [
            ("BR", "0.0068", 1, false),
            ("BR", "0.006", 100_001, false),
            ("BR", "0.005", 1, true),
            ("Other", "0.01", 1, false),
        ];
        assert_eq!(
            found,
            expected.map(|(market, price, tier, coming)| (market.to_owned(), price.to_owned(), tier, coming))
        );
    }
}
