//! Rate cards from the rows of a table.
//!
//! Two forms are read. In the long one each row is a price: `market`, `category`, `price`, `currency`, `valid_from`, and
//! optionally `type` and `tier_from`. In the wide one, which the channel publishes, each row is a market and each category
//! a column; currency and first day are columns or in rows above the header.

use std::collections::HashMap;

use chrono::NaiveDate;
use serde::Serialize;
use ts_rs::TS;

use super::price::{PriceFault, read_price, ungrouped};
use super::{Rate, RateCard};
use crate::market::{Market, words};

/// Maximum number of prices of a card.
pub const MAX_RATES: usize = 20_000;
/// The header is among so many first rows.
const HEADER_ROWS: usize = 20;
/// Categories of the channel's prices (upstream §8.3).
const CATEGORIES: [&str; 6] =
    ["marketing", "utility", "authentication", "authentication_international", "service", "marketing_lite"];

/// A faulty row of a rate card.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "model.ts")]
#[serde(rename_all = "camelCase")]
pub struct RateCardFault {
    /// The line of the file where the row begins, from 1; 0 for the whole file.
    pub line: u32,
    pub code: RateCardFaultCode,
    /// What is written in the cell.
    pub value: String,
}

crate::closed_enum! {
    /// What is wrong with a rate card.
    RateCardFaultCode in "model.ts" {
        /// It has no row with the names of the columns `market` and `price`, or of categories.
        Header = "header",
        /// It has no price.
        Empty = "empty",
        TooMany = "tooMany",
        Market = "market",
        Category = "category",
        /// The type is neither `regular` nor one that is free.
        Type = "type",
        Price = "price",
        /// The price may have decimals or groups of thousands.
        PriceAmbiguous = "priceAmbiguous",
        /// Neither a column nor a row above the header has the currency.
        NoCurrency = "noCurrency",
        /// The currency is no ISO 4217 code.
        Currency = "currency",
        /// It is another currency than that of the first price.
        CurrencyDiffers = "currencyDiffers",
        /// Neither a column nor a row above the header has the first day.
        NoValidFrom = "noValidFrom",
        /// The first day is no date like 2026-10-01.
        ValidFrom = "validFrom",
        /// The rows above the header have several dates.
        ValidFromDiffers = "validFromDiffers",
        /// The tier does not begin with a number of messages.
        Tier = "tier",
        /// No tier of the same market, category and day begins with the first message.
        TierBase = "tierBase",
        /// Another row has a different price for the same.
        Duplicate = "duplicate",
    }
}

/// Columns of a rate card, by their place.
#[derive(Default)]
struct Columns {
    market: usize,
    category: Option<usize>,
    price: Option<usize>,
    kind: Option<usize>,
    currency: Option<usize>,
    valid_from: Option<usize>,
    tier: Option<usize>,
    note: Option<usize>,
    /// Categories that are columns.
    wide: Vec<(usize, String)>,
}

impl Columns {
    /// `None` if the row is not a header.
    fn of(row: &[&str]) -> Option<Self> {
        let mut columns = Self::default();
        let mut market = None;
        for (place, cell) in row.iter().enumerate() {
            let column = match words(cell).as_str() {
                "market" | "country" | "mercado" | "pais" => &mut market,
                "category" | "categoria" => &mut columns.category,
                "price" | "rate" | "precio" | "preco" | "tarifa" => &mut columns.price,
                "type" | "tipo" => &mut columns.kind,
                "currency" | "moneda" | "moeda" => &mut columns.currency,
                "valid from" | "effective" | "effective date" | "effective from" | "valido desde" | "desde" => {
                    &mut columns.valid_from
                }
                "tier from" | "volume tier" | "tier" | "tramo desde" | "faixa desde" => &mut columns.tier,
                "note" | "nota" => &mut columns.note,
                name => {
                    if let Some(category) = category(name) {
                        columns.wide.push((place, category));
                    }
                    continue;
                }
            };
            column.get_or_insert(place);
        }
        columns.market = market?;
        let is_long = columns.category.is_some() && columns.price.is_some();
        (is_long || !columns.wide.is_empty()).then_some(columns)
    }

    fn is_long(&self) -> bool {
        self.category.is_some() && self.price.is_some()
    }
}

/// A category as statuses name it.
fn category(name: &str) -> Option<String> {
    let name = words(name).replace(' ', "_");
    (CATEGORIES.contains(&name.as_str()) || name.starts_with("group_")).then_some(name)
}

/// What the rows above the header say about all others.
#[derive(Default)]
struct Preamble {
    currency: Option<String>,
    valid_from: Option<NaiveDate>,
    /// Another date than the first, with its line and cell.
    other_date: Option<(u32, String)>,
}

/// Words with the first day of prices, rather than with that of the publication.
const EFFECTIVE: [&str; 6] = ["effective", "valid", "valido", "vigente", "vigencia", "vigor"];

impl Preamble {
    fn of(rows: &[(u32, Vec<&str>)]) -> Self {
        let cells = || rows.iter().flat_map(|(line, row)| row.iter().map(|cell| (*line, *cell)));
        let dated = || cells().filter_map(|(line, cell)| Some((line, cell, date_in(cell)?)));
        let is_effective = |cell: &str| words(cell).split(' ').any(|word| EFFECTIVE.contains(&word));
        let mut dates: Vec<_> = dated().filter(|(_, cell, _)| is_effective(cell)).collect();
        if dates.is_empty() {
            dates = dated().collect();
        }
        let valid_from = dates.first().map(|(_, _, date)| *date);
        let other = dates.iter().find(|(_, _, date)| Some(*date) != valid_from);
        Self {
            currency: cells().find_map(|(_, cell)| currency_in(cell)),
            valid_from,
            other_date: other.map(|(line, cell, _)| (*line, (*cell).to_owned())),
        }
    }
}

/// Reads a whole card, given as its rows with their lines from 1.
///
/// # Errors
/// Every fault of the file; then nothing of it can be used.
pub fn read(rows: &[(u32, Vec<&str>)]) -> Result<RateCard, Vec<RateCardFault>> {
    let whole = |code| vec![RateCardFault { line: 0, code, value: String::new() }];
    let header = rows.iter().take(HEADER_ROWS).enumerate().find_map(|(at, (_, row))| Some((at, Columns::of(row)?)));
    let (at, columns) = header.ok_or_else(|| whole(RateCardFaultCode::Header))?;
    let preamble = Preamble::of(&rows[..at]);
    if let (None, Some((line, value))) = (columns.valid_from, preamble.other_date.clone()) {
        return Err(vec![RateCardFault { line, code: RateCardFaultCode::ValidFromDiffers, value }]);
    }
    // Each row would have the same fault.
    let missing: Vec<RateCardFault> = [
        (RateCardFaultCode::NoCurrency, columns.currency.is_none() && preamble.currency.is_none()),
        (RateCardFaultCode::NoValidFrom, columns.valid_from.is_none() && preamble.valid_from.is_none()),
    ]
    .into_iter()
    .filter(|(_, is_missing)| *is_missing)
    .map(|(code, _)| RateCardFault { line: rows[at].0, code, value: String::new() })
    .collect();
    if !missing.is_empty() {
        return Err(missing);
    }
    let mut reading = Reading { columns, preamble, ..Reading::default() };
    for (line, row) in &rows[at + 1..] {
        let read = reading.row(*line, row);
        if let Err((code, value)) = read {
            reading.faults.push(RateCardFault { line: *line, code, value: value.to_owned() });
        }
        if reading.card.rates.len() > MAX_RATES {
            return Err(whole(RateCardFaultCode::TooMany));
        }
    }
    reading.find_tiers_without_base();
    let Reading { card, faults, .. } = reading;
    match card.rates.len() {
        _ if !faults.is_empty() => Err(faults),
        0 => Err(whole(RateCardFaultCode::Empty)),
        _ => Ok(card),
    }
}

/// A market, a category, a first day and a tier.
type Key = (String, String, NaiveDate, u64);

#[derive(Default)]
struct Reading {
    columns: Columns,
    preamble: Preamble,
    card: RateCard,
    /// Places of the prices, by what they are for.
    known: HashMap<Key, usize>,
    /// The lines of the prices.
    lines: Vec<u32>,
    faults: Vec<RateCardFault>,
}

impl Reading {
    fn row<'r>(&mut self, line: u32, row: &[&'r str]) -> Result<(), (RateCardFaultCode, &'r str)> {
        let cell = |place: Option<usize>| place.and_then(|place| row.get(place)).map_or("", |cell| cell.trim());
        let market = cell(Some(self.columns.market));
        let prices: Vec<(String, &str)> = if self.columns.is_long() {
            let name = cell(self.columns.category);
            let category = category(name).ok_or((RateCardFaultCode::Category, name))?;
            vec![(category, cell(self.columns.price))]
        } else {
            self.columns.wide.iter().map(|(place, category)| (category.clone(), cell(Some(*place)))).collect()
        };
        // Notes below the table.
        if !self.columns.is_long() && prices.iter().all(|(_, price)| price.is_empty()) {
            return Ok(());
        }
        if market.is_empty() {
            return Err((RateCardFaultCode::Market, market));
        }
        let kind = cell(self.columns.kind).to_lowercase();
        match kind.as_str() {
            "" | "regular" => {}
            // The channel charges nothing for these, whatever the card says.
            free if free.starts_with("free_") => return Ok(()),
            _ => return Err((RateCardFaultCode::Type, cell(self.columns.kind))),
        }
        let currency = match (cell(self.columns.currency), &self.preamble.currency) {
            ("", Some(above)) => above.clone(),
            (written, _) => {
                is_currency(written).then(|| written.to_uppercase()).ok_or((RateCardFaultCode::Currency, written))?
            }
        };
        let valid_from = match (cell(self.columns.valid_from), self.preamble.valid_from) {
            ("", Some(above)) => above,
            (written, _) => date_in(written).ok_or((RateCardFaultCode::ValidFrom, written))?,
        };
        let tier = cell(self.columns.tier);
        let tier_from = tier_start(tier).ok_or((RateCardFaultCode::Tier, tier))?;
        let note = cell(self.columns.note).to_lowercase();
        if ["sample", "muestra", "exemplo"].iter().any(|word| note.starts_with(word)) {
            self.card.is_sample = true;
        }
        for (category, written) in prices {
            let price = read_price(written, &currency).map_err(|fault| match fault {
                PriceFault::Unreadable => (RateCardFaultCode::Price, written),
                PriceFault::Currency => (RateCardFaultCode::CurrencyDiffers, written),
                PriceFault::Ambiguous => (RateCardFaultCode::PriceAmbiguous, written),
            })?;
            let Some(price) = price else { continue };
            if self.card.rates.is_empty() {
                self.card.currency.clone_from(&currency);
            } else if self.card.currency != currency {
                return Err((RateCardFaultCode::CurrencyDiffers, cell(self.columns.currency)));
            }
            let key = (market_key(market), category.clone(), valid_from, tier_from);
            match self.known.get(&key).map(|place| self.card.rates[*place].price) {
                Some(known) if known != price => return Err((RateCardFaultCode::Duplicate, written)),
                Some(_) => {}
                None => {
                    self.known.insert(key, self.card.rates.len());
                    self.lines.push(line);
                    self.card.rates.push(Rate { market: market.to_owned(), category, price, valid_from, tier_from });
                }
            }
        }
        Ok(())
    }

    fn find_tiers_without_base(&mut self) {
        let mut lowest: HashMap<_, (u64, usize)> = HashMap::new();
        for ((market, category, day, tier), place) in &self.known {
            let tier = (*tier, *place);
            lowest.entry((market, category, day)).and_modify(|known| *known = tier.min(*known)).or_insert(tier);
        }
        for (tier, place) in lowest.into_values().filter(|(tier, _)| *tier > 1) {
            let line = self.lines.get(place).copied().unwrap_or_default();
            self.faults.push(RateCardFault { line, code: RateCardFaultCode::TierBase, value: tier.to_string() });
        }
        self.faults.sort_by_key(|fault| fault.line);
    }
}

/// The same for all names of a market.
pub(super) fn market_key(name: &str) -> String {
    Market::named(name).map_or_else(|| words(name), |market| market.as_str().to_owned())
}

fn is_currency(text: &str) -> bool {
    text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// Currencies in which the channel publishes cards.
const CARD_CURRENCIES: [&str; 16] =
    ["USD", "EUR", "GBP", "INR", "IDR", "BRL", "MXN", "ARS", "COP", "AED", "SAR", "AUD", "MYR", "PEN", "CLP", "SGD"];

fn currency_in(text: &str) -> Option<String> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric());
    words.into_iter().find(|word| CARD_CURRENCIES.contains(word)).map(str::to_owned)
}

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// A date as `2026-10-01`, or with the English name of its month. Others may begin with the day or the month.
fn date_in(text: &str) -> Option<NaiveDate> {
    let tokens: Vec<&str> = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    tokens.windows(3).find_map(|window| {
        let &[first, second, third] = window else { return None };
        if first.len() == 4 && second.len() == 2 && third.len() >= 2 {
            let day = third.get(..2).filter(|_| third.len() == 2 || third[2..].starts_with('T'))?;
            return NaiveDate::from_ymd_opt(first.parse().ok()?, second.parse().ok()?, day.parse().ok()?);
        }
        let month_of = |word: &str| {
            let start = Some(word.to_lowercase()).filter(|word| word.len() >= 3)?;
            MONTHS.iter().position(|month| month.starts_with(&start)).map(|place| place as u32 + 1)
        };
        let (month, day) = match (month_of(first), month_of(second)) {
            (Some(month), _) => (month, second),
            (None, Some(month)) => (month, first),
            (None, None) => return None,
        };
        let year = Some(third).filter(|year| year.len() == 4)?;
        NaiveDate::from_ymd_opt(year.parse().ok()?, month, day.parse().ok()?)
    })
}

/// The first message of a tier such as `100001`, `100,001+` or `100001-250000`.
fn tier_start(text: &str) -> Option<u64> {
    if text.is_empty() {
        return Some(1);
    }
    let start = text.split(['-', '–', '+']).next().unwrap_or_default();
    let bare: String = start.chars().filter(|c| !matches!(c, ' ' | '\u{a0}')).collect();
    let digits = ungrouped(&bare, ',').or_else(|| ungrouped(&bare, '.'))?;
    digits.parse::<u64>().ok().map(|start| start.max(1))
}

#[cfg(test)]
mod tests;
