//! Dates: read as people write them in the languages of the window, and written in the language of a template.

use chrono::{Datelike as _, Days, NaiveDate};

use super::{DateOrder, Unread, parts};

/// Names of the months in English, Portuguese and Spanish, which are also written with their first three letters.
const MONTHS: [[&str; 3]; 12] = [
    ["january", "janeiro", "enero"],
    ["february", "fevereiro", "febrero"],
    ["march", "março", "marzo"],
    ["april", "abril", "abril"],
    ["may", "maio", "mayo"],
    ["june", "junho", "junio"],
    ["july", "julho", "julio"],
    ["august", "agosto", "agosto"],
    ["september", "setembro", "septiembre"],
    ["october", "outubro", "octubre"],
    ["november", "novembro", "noviembre"],
    ["december", "dezembro", "diciembre"],
];
/// Other spellings.
const OTHER_NAMES: [(&str, u32); 4] = [("marco", 3), ("sept", 9), ("setiembre", 9), ("juno", 6)];
/// Words between the parts of a date.
const FILLERS: [&str; 4] = ["de", "del", "of", "the"];
/// The day that spreadsheets number 60 did not exist.
const NO_DAY: u32 = 60;
/// 31 December 9999, the last day of spreadsheets.
const MAX_DAYS: u32 = 2_958_465;

/// Day, month and year of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// It has one meaning.
    Clear(NaiveDate),
    /// Two numbers and the year.
    Numbers(u32, u32, i32),
    /// A single number.
    Days(u32),
}

/// The order that some cells prove and none disproves.
pub(super) fn order_of(cells: impl Iterator<Item: AsRef<str>>) -> Option<DateOrder> {
    let (mut day_first, mut month_first) = (false, false);
    for cell in cells {
        if let Some(Form::Numbers(first, second, year)) = form(cell.as_ref()) {
            let as_day = NaiveDate::from_ymd_opt(year, second, first).is_some();
            let as_month = NaiveDate::from_ymd_opt(year, first, second).is_some();
            day_first |= as_day && !as_month;
            month_first |= as_month && !as_day;
        }
    }
    match (day_first, month_first) {
        (true, false) => Some(DateOrder::DayFirst),
        (false, true) => Some(DateOrder::MonthFirst),
        _ => None,
    }
}

pub(super) fn read(cell: &str, order: Option<DateOrder>) -> Result<NaiveDate, Unread> {
    let (first, second, year) = match form(cell).ok_or(Unread::Date)? {
        Form::Clear(date) => return Ok(date),
        Form::Days(days) if order == Some(DateOrder::SpreadsheetDays) => return of_days(days).ok_or(Unread::Date),
        Form::Days(_) => return Err(Unread::SpreadsheetDays),
        Form::Numbers(first, second, year) => (first, second, year),
    };
    let day_first = NaiveDate::from_ymd_opt(year, second, first);
    let month_first = NaiveDate::from_ymd_opt(year, first, second);
    match (order, day_first, month_first) {
        (Some(DateOrder::DayFirst), date, _) | (Some(DateOrder::MonthFirst), _, date) => date.ok_or(Unread::Date),
        (_, Some(date), None) | (_, None, Some(date)) => Ok(date),
        (_, Some(day_first), Some(month_first)) if day_first == month_first => Ok(day_first),
        (_, Some(day_first), Some(month_first)) => {
            Err(Unread::DateOrder(day_first.to_string(), month_first.to_string()))
        }
        (_, None, None) => Err(Unread::Date),
    }
}

fn form(cell: &str) -> Option<Form> {
    let cell = without_time(cell.trim());
    if !cell.is_empty() && cell.bytes().all(|byte| byte.is_ascii_digit()) {
        return cell.parse().ok().map(Form::Days);
    }
    numbers(cell).or_else(|| named_month(cell).map(Form::Clear))
}

/// The text before a time of day, which exports add: `2026-11-28T00:00:00`, `28/11/2026 00:00`.
fn without_time(cell: &str) -> &str {
    let is_time = |rest: &str| {
        let rest = rest.trim_end_matches('Z');
        let fields: Vec<&str> = rest.split(':').collect();
        let is_field =
            |field: &&str| !field.is_empty() && field.chars().all(|c| c.is_ascii_digit() || "+-.".contains(c));
        fields.len() >= 2 && fields.iter().all(is_field)
    };
    cell.split_once(['T', ' ']).filter(|(_, rest)| is_time(rest.trim())).map_or(cell, |(date, _)| date)
}

/// Three numbers with the same separator, the year first or last.
fn numbers(cell: &str) -> Option<Form> {
    let separator = cell.chars().find(|c| !c.is_ascii_digit()).filter(|c| "-/.".contains(*c))?;
    let fields: Vec<&str> = cell.split(separator).map(str::trim).collect();
    let &[first, middle, last] = fields.as_slice() else { return None };
    let number = |field: &str, most: usize| -> Option<u32> {
        let is_number = (1..=most).contains(&field.len()) && field.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| field.parse().ok())?
    };
    // Years of two digits have two meanings.
    match (first.len(), last.len()) {
        (4, 1 | 2) => {
            let date = NaiveDate::from_ymd_opt(first.parse().ok()?, number(middle, 2)?, number(last, 2)?)?;
            Some(Form::Clear(date))
        }
        (1 | 2, 4) => Some(Form::Numbers(number(first, 2)?, number(middle, 2)?, number(last, 4)?.try_into().ok()?)),
        _ => None,
    }
}

/// A date with a month in words, such as `28 de novembro de 2026` or `Nov 28th, 2026`.
fn named_month(cell: &str) -> Option<NaiveDate> {
    let lower = cell.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty() && !FILLERS.contains(word));
    let (mut day, mut month, mut year) = (None, None, None);
    for word in words {
        let place = if word.starts_with(|c: char| c.is_ascii_digit()) {
            let digits = word.trim_end_matches(|c: char| !c.is_ascii_digit());
            let is_ordinal = ["", "st", "nd", "rd", "th", "º", "°"].contains(&&word[digits.len()..]);
            let value: u32 = digits.parse().ok().filter(|_| is_ordinal)?;
            match digits.len() {
                1 | 2 => day.replace(value),
                4 => year.replace(value),
                _ => return None,
            }
        } else {
            month.replace(month_of(word)?)
        };
        // Each comes once.
        if place.is_some() {
            return None;
        }
    }
    NaiveDate::from_ymd_opt(i32::try_from(year?).ok()?, month?, day?)
}

fn month_of(word: &str) -> Option<u32> {
    let is_name = |name: &str| name == word || name.char_indices().nth(3).is_some_and(|(end, _)| &name[..end] == word);
    let named = MONTHS.iter().position(|names| names.iter().any(|name| is_name(name)));
    let other = OTHER_NAMES.iter().find(|(name, _)| *name == word).map(|(_, month)| *month);
    named.and_then(|place| u32::try_from(place + 1).ok()).or(other)
}

fn of_days(days: u32) -> Option<NaiveDate> {
    if days == 0 || days == NO_DAY || days > MAX_DAYS {
        return None;
    }
    let skipped = u64::from(days > NO_DAY);
    NaiveDate::from_ymd_opt(1899, 12, 31)?.checked_add_days(Days::new(u64::from(days) - skipped))
}

/// The long form of the language; ISO 8601 for a language without one here.
pub(super) fn write(date: NaiveDate, language: &str) -> String {
    let (day, year) = (date.day(), date.year());
    let name = |place: usize| MONTHS[date.month0() as usize][place];
    match parts(language) {
        ("pt", _) => format!("{day} de {} de {year}", name(1)),
        ("es", _) => format!("{day} de {} de {year}", name(2)),
        ("en", region) => {
            let month = super::title_case(name(0));
            if region.is_empty() || region == "US" {
                format!("{month} {day}, {year}")
            } else {
                format!("{day} {month} {year}")
            }
        }
        _ => date.to_string(),
    }
}
