//! Amounts of money: read with the code or sign of their currency, and written as people of a language write them.

use rust_decimal::Decimal;

use super::number;
use super::{Unread, parts};

/// Currencies without minor unit (ISO 4217).
const NO_DECIMALS: [&str; 16] =
    ["BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "VND", "VUV", "XAF", "XOF", "XPF"];
/// Currencies with three decimals (ISO 4217).
const THREE_DECIMALS: [&str; 7] = ["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"];
/// Signs that mean one currency.
const SIGNS: [(&str, &str); 6] =
    [("R$", "BRL"), ("US$", "USD"), ("MX$", "MXN"), ("€", "EUR"), ("£", "GBP"), ("₹", "INR")];
/// Currencies that people write with a lone dollar sign.
const DOLLARS: [&str; 10] = ["ARS", "AUD", "BRL", "CAD", "CLP", "COP", "MXN", "NZD", "USD", "UYU"];

/// The number of a cell, without the code or sign of its currency.
pub(super) fn amount<'c>(cell: &'c str, currency: &str) -> Result<&'c str, Unread> {
    if currency.len() != 3 || !currency.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        return Err(Unread::NoCurrency);
    }
    let cell = cell.trim();
    let is_of_number = |c: char| c.is_ascii_digit() || "+-.,\u{2212}".contains(c);
    let start = cell.find(is_of_number).ok_or(Unread::Number)?;
    let end = cell.rfind(|c: char| c.is_ascii_digit()).map_or(start, |end| end + 1);
    if end <= start {
        return Err(Unread::Number);
    }
    let (before, after) = (cell[..start].trim(), cell[end..].trim());
    for sign in [before, after].into_iter().filter(|sign| !sign.is_empty()) {
        let known = SIGNS.iter().find(|(known, _)| known.eq_ignore_ascii_case(sign)).map(|(_, code)| *code);
        let is_code = sign.len() == 3 && sign.bytes().all(|byte| byte.is_ascii_alphabetic());
        let is_meant =
            known.unwrap_or(sign).eq_ignore_ascii_case(currency) || sign == "$" && DOLLARS.contains(&currency);
        match is_meant {
            true => {}
            false if known.is_some() || is_code || sign == "$" => return Err(Unread::Currency),
            false => return Err(Unread::Number),
        }
    }
    Ok(&cell[start..end])
}

fn decimals(currency: &str) -> u32 {
    if NO_DECIMALS.contains(&currency) {
        0
    } else if THREE_DECIMALS.contains(&currency) {
        3
    } else {
        2
    }
}

/// An amount with its currency, and its code for a language without a table.
pub(super) fn write(amount: Decimal, currency: &str, language: &str) -> Result<String, Unread> {
    let decimals = decimals(currency);
    // An amount is not rounded.
    if amount.normalize().scale() > decimals {
        return Err(Unread::Decimals);
    }
    let mut whole = amount.abs();
    whole.rescale(decimals);
    let digits = number::write(whole, language);
    let sign = if amount.is_sign_negative() && !amount.is_zero() { "-" } else { "" };
    let symbol = symbol(currency, language);
    Ok(match (parts(language), symbol) {
        (("en", _) | ("es", "MX"), Some(symbol)) => format!("{sign}{symbol}{digits}"),
        (("en", _) | ("pt", "BR" | "") | ("es", "AR" | "MX"), _) => {
            format!("{sign}{}\u{a0}{digits}", symbol.unwrap_or(currency))
        }
        (("pt" | "es", _), _) => format!("{sign}{digits}\u{a0}{}", symbol.unwrap_or(currency)),
        _ => format!("{sign}{digits} {currency}"),
    })
}

/// The sign of a currency, where readers of the language know which one it means.
fn symbol(currency: &str, language: &str) -> Option<&'static str> {
    match (parts(language), currency) {
        (("en", _), "USD") | (("es", "MX"), "MXN") | (("es", "AR"), "ARS") => Some("$"),
        (("pt" | "es", _), "USD") => Some("US$"),
        (("en" | "pt" | "es", _), "EUR") => Some("€"),
        (("en" | "pt", _), "GBP") => Some("£"),
        (("en" | "pt", _), "BRL") => Some("R$"),
        (("en", _), "MXN") => Some("MX$"),
        _ => None,
    }
}
