//! Prices as people and spreadsheets write them.

use rust_decimal::Decimal;

/// Why a text is no price.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PriceFault {
    Unreadable,
    /// Its symbol is that of another currency.
    Currency,
    /// Its separator may group thousands or begin decimals.
    Ambiguous,
}

/// The highest price of one message, in any currency: higher ones are typing errors, and their sums could overflow.
const MAX_PRICE: Decimal = Decimal::from_parts(1_000_000, 0, 0, false, 0);
/// The most decimals of a price.
const MAX_DECIMALS: u32 = 12;

/// Symbols of currencies, the longest first. The dollar sign is that of all currencies without a symbol of their own.
const SYMBOLS: [(&str, &[&str]); 7] = [
    ("US$", &["USD"]),
    ("R$", &["BRL"]),
    ("€", &["EUR"]),
    ("£", &["GBP"]),
    ("₹", &["INR"]),
    ("¥", &["JPY", "CNY"]),
    ("$", &[]),
];

/// A price with a decimal point or comma, with or without its currency. `None` for a cell that says there is none.
pub(super) fn read_price(text: &str, currency: &str) -> Result<Option<Decimal>, PriceFault> {
    let text = text.trim();
    if matches!(text.to_lowercase().as_str(), "" | "n/a" | "na" | "-" | "–" | "—") {
        return Ok(None);
    }
    let bare: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let bare = bare.strip_prefix(currency).or_else(|| bare.strip_suffix(currency)).unwrap_or(&bare);
    let bare = without_symbol(bare, currency)?;
    let is_digit_or_separator = |c: char| c.is_ascii_digit() || c == '.' || c == ',';
    if bare.is_empty() || !bare.chars().all(is_digit_or_separator) {
        return Err(PriceFault::Unreadable);
    }
    let plain = match (bare.rfind('.'), bare.rfind(',')) {
        (Some(point), Some(comma)) => {
            // The last one begins the decimals.
            let (group, decimals) = if point > comma { (',', point) } else { ('.', comma) };
            let whole = ungrouped(&bare[..decimals], group).ok_or(PriceFault::Unreadable)?;
            format!("{whole}.{}", &bare[decimals + 1..])
        }
        (None, Some(_)) => one_separator(bare, ',')?,
        (Some(_), None) => one_separator(bare, '.')?,
        (None, None) => bare.to_owned(),
    };
    let price: Decimal = plain.parse().map_err(|_| PriceFault::Unreadable)?;
    if price > MAX_PRICE || price.scale() > MAX_DECIMALS {
        return Err(PriceFault::Unreadable);
    }
    Ok(Some(price))
}

/// A price without the symbol of its currency before or after it.
fn without_symbol<'t>(text: &'t str, currency: &str) -> Result<&'t str, PriceFault> {
    for (symbol, currencies) in SYMBOLS {
        let Some(bare) = text.strip_prefix(symbol).or_else(|| text.strip_suffix(symbol)) else { continue };
        let has_own_symbol = || SYMBOLS.iter().any(|(_, own)| currency != "USD" && own.contains(&currency));
        let is_other = if currencies.is_empty() { has_own_symbol() } else { !currencies.contains(&currency) };
        return if is_other { Err(PriceFault::Currency) } else { Ok(bare) };
    }
    Ok(text)
}

/// The digits of a whole number whose groups of three are separated. `None` for other groups.
pub(super) fn ungrouped(text: &str, separator: char) -> Option<String> {
    let parts: Vec<&str> = text.split(separator).collect();
    let is_whole = text.chars().all(|c| c.is_ascii_digit() || c == separator);
    let are_groups = parts.iter().skip(1).all(|part| part.len() == 3);
    (is_whole && are_groups).then(|| parts.concat())
}

/// A price with one kind of separator. `0,025` has decimals, `1,250,000` has groups, and `1,250` may have either; a
/// decimal point is what files have unless they say otherwise, so `1.250` has decimals.
fn one_separator(text: &str, separator: char) -> Result<String, PriceFault> {
    let parts: Vec<&str> = text.split(separator).collect();
    match parts.as_slice() {
        [whole, decimals] if separator == '.' || decimals.len() != 3 || matches!(*whole, "" | "0") => {
            Ok(format!("{whole}.{decimals}"))
        }
        [_, _] => Err(PriceFault::Ambiguous),
        _ => ungrouped(text, separator).ok_or(PriceFault::Unreadable),
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
            ("USD 0.0625", "0.0625"),
            ("0.0625 USD", "0.0625"),
            ("0,025", "0.025"),
            (",025", "0.025"),
            ("12,5", "12.5"),
            ("1,234.56", "1234.56"),
            ("1.234,56", "1234.56"),
            ("1.250", "1.250"),
            ("1,000,000", "1000000"),
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
            ("0.06,05", PriceFault::Unreadable),
            ("1,2345.6", PriceFault::Unreadable),
            ("1.234.567,8,9", PriceFault::Unreadable),
            ("79228162514264337593543950335", PriceFault::Unreadable),
            ("0.0000000000001", PriceFault::Unreadable),
            ("5e-2", PriceFault::Unreadable),
            ("=1+1", PriceFault::Unreadable),
            ("$", PriceFault::Unreadable),
            (".", PriceFault::Unreadable),
        ] {
            assert_eq!(read_price(text, "USD"), Err(fault), "{text}");
        }
    }

    #[test]
    fn symbols_agree_with_the_currency() {
        for (text, currency, read) in [
            ("R$ 0,0625", "BRL", Ok(())),
            ("R$ 0,0625", "USD", Err(PriceFault::Currency)),
            ("0.05 €", "EUR", Ok(())),
            ("€0.05", "USD", Err(PriceFault::Currency)),
            ("$0.05", "MXN", Ok(())),
            ("$0.05", "EUR", Err(PriceFault::Currency)),
            ("US$0.05", "MXN", Err(PriceFault::Currency)),
        ] {
            assert_eq!(read_price(text, currency).map(|_| ()), read, "{text} {currency}");
        }
    }
}
