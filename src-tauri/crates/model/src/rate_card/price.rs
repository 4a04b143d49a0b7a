//! Prices as people and spreadsheets write them.

use rust_decimal::Decimal;

/// Why a text is no price.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PriceFault {
    Unreadable,
    /// Its separator may group thousands or begin decimals.
    Ambiguous,
}

/// A price with a decimal point or comma, with or without its currency. `None` for a cell that says there is none.
pub(super) fn read_price(text: &str, currency: &str) -> Result<Option<Decimal>, PriceFault> {
    let text = text.trim();
    if matches!(text.to_lowercase().as_str(), "" | "n/a" | "na" | "-" | "–" | "—") {
        return Ok(None);
    }
    let bare: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let bare = bare.strip_prefix(currency).or_else(|| bare.strip_suffix(currency)).unwrap_or(&bare);
    let symbols: &[char] = &['$', '€', '£', '₹', '¥'];
    let bare = bare.trim_start_matches("US$").trim_start_matches("R$").trim_matches(symbols);
    let is_digit_or_separator = |c: char| c.is_ascii_digit() || c == '.' || c == ',';
    if bare.is_empty() || !bare.chars().all(is_digit_or_separator) {
        return Err(PriceFault::Unreadable);
    }
    let plain = match (bare.rfind('.'), bare.rfind(',')) {
        (Some(point), Some(comma)) => {
            // The last one begins the decimals.
            let (group, decimal) = if point > comma { (',', '.') } else { ('.', ',') };
            bare.replace(group, "").replace(decimal, ".")
        }
        (None, Some(_)) => one_separator(bare, ',')?,
        (Some(_), None) => one_separator(bare, '.')?,
        (None, None) => bare.to_owned(),
    };
    plain.parse().map(Some).map_err(|_| PriceFault::Unreadable)
}

/// A price with one kind of separator. `0,025` has decimals, `1,250,000` has groups, and `1,250` may have either; a
/// decimal point is what files have unless they say otherwise, so `1.250` has decimals.
fn one_separator(text: &str, separator: char) -> Result<String, PriceFault> {
    let parts: Vec<&str> = text.split(separator).collect();
    let are_groups = parts.iter().skip(1).all(|part| part.len() == 3);
    match parts.as_slice() {
        [whole, decimals] if separator == '.' || decimals.len() != 3 || matches!(*whole, "" | "0") => {
            Ok(format!("{whole}.{decimals}"))
        }
        [_, _] => Err(PriceFault::Ambiguous),
        _ if are_groups => Ok(parts.concat()),
        _ => Err(PriceFault::Unreadable),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_are_read_as_they_are_written() {
        for (text, price) in [
            ("0.0625", "0.0625"),
            ("$0.0625", "0.0625"),
            ("US$ 0.0625", "0.0625"),
            ("R$ 0,0625", "0.0625"),
            ("USD 0.0625", "0.0625"),
            ("0.0625 USD", "0.0625"),
            ("0,025", "0.025"),
            (",025", "0.025"),
            ("12,5", "12.5"),
            ("1,234.56", "1234.56"),
            ("1.234,56", "1234.56"),
            ("1.250", "1.250"),
            ("1,250,000", "1250000"),
            ("0", "0"),
        ] {
            assert_eq!(read_price(text, "USD"), Ok(Some(price.parse().expect("a number"))), "{text}");
        }
    }

    #[test]
    fn no_price_is_not_0() {
        for text in ["", " ", "n/a", "N/A", "-"] {
            assert_eq!(read_price(text, "USD"), Ok(None), "{text}");
        }
    }

    #[test]
    fn nothing_is_guessed() {
        for (text, fault) in [
            ("1,250", PriceFault::Ambiguous),
            ("-0.05", PriceFault::Unreadable),
            ("free", PriceFault::Unreadable),
            ("0.05/msg", PriceFault::Unreadable),
            ("1.2.3", PriceFault::Unreadable),
            ("5e-2", PriceFault::Unreadable),
            ("=1+1", PriceFault::Unreadable),
            ("$", PriceFault::Unreadable),
            (".", PriceFault::Unreadable),
        ] {
            assert_eq!(read_price(text, "USD"), Err(fault), "{text}");
        }
    }
}
