//! Values of a column, rewritten for the language of a template: dates, numbers and amounts of money. What can be read
//! in two ways is decided by the whole column or by a person, never guessed.

mod date;
mod money;
mod number;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::problem::{SendProblem, SendProblemCode};
use super::title_case::title_case;

/// How the texts of a column are rewritten.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts", optional_fields = nullable)]
#[serde(rename_all = "camelCase")]
pub enum ValueTransform {
    /// `MARIA DA SILVA` becomes `Maria da Silva`.
    TitleCase,
    /// `2026-11-28` becomes `November 28, 2026`.
    Date {
        /// Absent where the column decides.
        #[serde(default)]
        order: Option<DateOrder>,
    },
    /// `1234.5` becomes `1,234.5`.
    Number {
        /// Decimal mark of the cells; absent where the column decides.
        #[serde(default)]
        mark: Option<DecimalMark>,
    },
    /// `1234.5` becomes `$1,234.50`.
    Money {
        /// ISO 4217 code.
        currency: String,
        /// As of a number.
        #[serde(default)]
        mark: Option<DecimalMark>,
    },
}

/// How a date of three numbers is read if its year is last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts")]
#[serde(rename_all = "camelCase")]
pub enum DateOrder {
    /// `28/11/2026`.
    DayFirst,
    /// `11/28/2026`.
    MonthFirst,
    /// `46354`: days since the end of 1899, as spreadsheets store dates.
    SpreadsheetDays,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts")]
#[serde(rename_all = "camelCase")]
pub enum DecimalMark {
    /// `1,234.56`.
    Point,
    /// `1.234,56`.
    Comma,
}

impl DecimalMark {
    fn char(self) -> char {
        match self {
            Self::Point => '.',
            Self::Comma => ',',
        }
    }

    fn other(self) -> Self {
        match self {
            Self::Point => Self::Comma,
            Self::Comma => Self::Point,
        }
    }
}

/// Why a cell cannot be rewritten.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Unread {
    Date,
    /// It is one of two dates.
    DateOrder(String, String),
    /// It is a number, and may count days.
    SpreadsheetDays,
    Number,
    /// It is one of two numbers.
    DecimalMark(String, String),
    /// A spreadsheet replaced its last digits with an exponent.
    Shortened,
    Currency,
    /// The column has no currency of three letters.
    NoCurrency,
    Decimals,
}

/// A transform for the cells of one column.
#[derive(Clone, Debug)]
pub struct ColumnTransform {
    transform: ValueTransform,
    /// Language of the template.
    language: String,
}

impl ColumnTransform {
    /// Reads the whole column to find what only some of its cells say.
    #[must_use]
    pub fn of(transform: &ValueTransform, language: &str, cells: impl Iterator<Item: AsRef<str>>) -> Self {
        let transform = match transform {
            ValueTransform::Date { order: None } => ValueTransform::Date { order: date::order_of(cells) },
            ValueTransform::Number { mark: None } => ValueTransform::Number { mark: number::mark_of(cells) },
            ValueTransform::Money { currency, mark: None } => {
                let amounts = cells.filter_map(|cell| money::amount(cell.as_ref(), currency).ok().map(str::to_owned));
                ValueTransform::Money { currency: currency.clone(), mark: number::mark_of(amounts) }
            }
            chosen => chosen.clone(),
        };
        Self { transform, language: model_language(language) }
    }

    /// A cell as it is sent; a blank one is for the caller.
    ///
    /// # Errors
    /// The problem of a cell that cannot be read, for the part `field`.
    pub fn apply(&self, field: &str, cell: &str) -> Result<String, SendProblem> {
        let language = &self.language;
        let written = match &self.transform {
            ValueTransform::TitleCase => Ok(title_case(cell)),
            ValueTransform::Date { order } => date::read(cell, *order).map(|date| date::write(date, language)),
            ValueTransform::Number { mark } => number::read(cell, *mark).map(|number| number::write(number, language)),
            ValueTransform::Money { currency, mark } => money::amount(cell, currency)
                .and_then(|amount| number::read(amount, *mark))
                .and_then(|amount| money::write(amount, currency, language)),
        };
        written.map_err(|why| problem(field, cell, &why, self.currency()))
    }

    fn currency(&self) -> &str {
        match &self.transform {
            ValueTransform::Money { currency, .. } => currency,
            _ => "",
        }
    }
}

fn model_language(language: &str) -> String {
    language.replace('-', "_")
}

/// Language and region of a code such as `pt_BR`.
fn parts(language: &str) -> (&str, &str) {
    language.split_once('_').unwrap_or((language, ""))
}

/// The longest cell that a problem quotes, in characters.
const MAX_QUOTED: usize = 60;

fn problem(field: &str, cell: &str, why: &Unread, currency: &str) -> SendProblem {
    let written: String = cell.chars().take(MAX_QUOTED).collect();
    let new = |code, more: &[(&str, &dyn std::fmt::Display)]| {
        let mut values: Vec<(&str, &dyn std::fmt::Display)> = vec![("written", &written)];
        values.extend_from_slice(more);
        SendProblem::new(field, code, &values)
    };
    match why {
        Unread::Date => new(SendProblemCode::ValueDateUnread, &[]),
        Unread::DateOrder(first, second) => {
            new(SendProblemCode::ValueDateOrder, &[("first", first), ("second", second)])
        }
        Unread::SpreadsheetDays => new(SendProblemCode::ValueDateDays, &[]),
        Unread::Number => new(SendProblemCode::ValueNumberUnread, &[]),
        Unread::DecimalMark(first, second) => {
            new(SendProblemCode::ValueDecimalMark, &[("first", first), ("second", second)])
        }
        Unread::Shortened => new(SendProblemCode::ValueShortened, &[]),
        Unread::Currency => new(SendProblemCode::ValueCurrency, &[("currency", &currency)]),
        Unread::NoCurrency => SendProblem::new(field, SendProblemCode::ValueCurrencyMissing, &[]),
        Unread::Decimals => new(SendProblemCode::ValueDecimals, &[("currency", &currency)]),
    }
}

#[cfg(test)]
mod tests;
