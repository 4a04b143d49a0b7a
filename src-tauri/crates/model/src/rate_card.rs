//! Rate cards: what the channel charges for a delivered message, by market, category and day.
//!
//! Prices are decimal numbers. A price that no card has is unknown, never 0.

mod change;
mod cost;
mod current;
mod price;
mod read;

use std::collections::{HashMap, HashSet};

use chrono::NaiveDate;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

pub use self::change::PriceChange;
pub use self::cost::{Added, Cost, CostLine, Costs, Messages};
pub use self::current::CurrentPrice;
pub use self::read::{MAX_RATES, RateCardFault, RateCardFaultCode, read};

use self::read::market_key;
use crate::market::Market;

/// A price of a rate card.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rate {
    /// A region, or a country by its English name.
    pub market: String,
    /// In lower case, words joined by `_`.
    pub category: String,
    #[serde(with = "as_text")]
    pub price: Decimal,
    /// The first day, in UTC, on which deliveries cost this.
    #[serde(with = "as_text")]
    pub valid_from: NaiveDate,
    /// The message of a month, from 1, from which the price applies.
    pub tier_from: u64,
}

/// The prices of a workspace, in one currency.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RateCard {
    /// ISO 4217 code.
    pub currency: String,
    /// Whether the prices are invented, as in the sample that the app writes.
    pub is_sample: bool,
    pub rates: Vec<Rate>,
}

/// What a rate card has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "model.ts")]
#[serde(rename_all = "camelCase")]
pub struct RateCardSummary {
    pub currency: String,
    pub is_sample: bool,
    pub rates: u32,
    pub markets: u32,
    /// Markets that are no country and no region known here: their prices are not used.
    pub unknown_markets: Vec<String>,
    /// The days from which prices apply, `YYYY-MM-DD`, in order.
    pub valid_from: Vec<String>,
}

/// The prices of a card, by what they are for.
#[derive(Debug)]
struct Prices<'c>(HashMap<Market, HashMap<&'c str, Vec<&'c Rate>>>);

/// A market's prices of one day, from the lowest volume tier.
struct Applicable<'p, 'c> {
    market: Market,
    tiers: &'p [&'c Rate],
}

impl RateCard {
    /// Adds the prices of an older card in the same currency for other markets, categories and days, so that a card with
    /// what has changed, or of a new quarter, leaves earlier deliveries their price. Returns how many were added. Sample
    /// prices and real ones are never joined.
    pub fn keep_from(&mut self, older: Self) -> usize {
        if older.currency != self.currency || older.is_sample != self.is_sample {
            return 0;
        }
        let key = |rate: &Rate| (market_key(&rate.market), rate.category.clone(), rate.valid_from);
        let renewed: HashSet<_> = self.rates.iter().map(key).collect();
        let before = self.rates.len();
        // Prices of markets that are not known are not used: the next file corrects their names.
        let is_kept = |rate: &Rate| Market::named(&rate.market).is_some() && !renewed.contains(&key(rate));
        self.rates.extend(older.rates.into_iter().filter(is_kept));
        self.rates.len() - before
    }

    #[must_use]
    pub fn summary(&self) -> RateCardSummary {
        let mut markets: Vec<&str> = self.rates.iter().map(|rate| rate.market.as_str()).collect();
        markets.sort_unstable();
        markets.dedup();
        let mut days: Vec<NaiveDate> = self.rates.iter().map(|rate| rate.valid_from).collect();
        days.sort_unstable();
        days.dedup();
        let unknown = markets.iter().filter(|name| Market::named(name).is_none());
        RateCardSummary {
            currency: self.currency.clone(),
            is_sample: self.is_sample,
            rates: self.rates.len() as u32,
            markets: markets.len() as u32,
            unknown_markets: unknown.map(|name| (*name).to_owned()).collect(),
            valid_from: days.iter().map(NaiveDate::to_string).collect(),
        }
    }
}

impl<'c> Prices<'c> {
    fn of(card: &'c RateCard) -> Self {
        let mut prices: HashMap<_, HashMap<_, Vec<&Rate>>> = HashMap::new();
        let mut named: HashMap<&str, Option<Market>> = HashMap::new();
        for rate in &card.rates {
            if let Some(market) = *named.entry(&rate.market).or_insert_with(|| Market::named(&rate.market)) {
                prices.entry(market).or_default().entry(rate.category.as_str()).or_default().push(rate);
            }
        }
        for rates in prices.values_mut().flat_map(HashMap::values_mut) {
            rates.sort_by_key(|rate| (rate.valid_from, rate.tier_from));
        }
        Self(prices)
    }

    /// Of a country's own prices and those of its region, the first that has any on the day; of these, the newest.
    fn applicable(&self, country: &str, category: &str, day: NaiveDate) -> Option<Applicable<'_, 'c>> {
        Market::of_country(country).into_iter().find_map(|market| {
            let rates = self.0.get(&market)?.get(category)?;
            let valid = &rates[..rates.partition_point(|rate| rate.valid_from <= day)];
            let newest = valid.last()?.valid_from;
            let tiers = &valid[valid.partition_point(|rate| rate.valid_from < newest)..];
            Some(Applicable { market, tiers })
        })
    }
}

/// Numbers and dates as JSON texts.
mod as_text {
    use std::fmt::Display;
    use std::str::FromStr;

    use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};

    pub(super) fn serialize<T: Display, S: Serializer>(value: &T, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(value)
    }

    pub(super) fn deserialize<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
        String::deserialize(from)?.parse().map_err(D::Error::custom)
    }
}
