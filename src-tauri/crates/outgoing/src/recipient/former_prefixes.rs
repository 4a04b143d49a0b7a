//! Prefixes that were dialled before a number, or inside it, and are no part of it any more.

/// Digits with the country code, without a prefix that the country has abolished or that is dialled only at home;
/// nothing if it is not certain which digits those are.
///
/// Sources: IFT's numbering plan of 3 August 2019 (Mexico: 01, 044 and 045 before ten digits); ENACOM's Plan
/// Fundamental de Numeración Nacional (Argentina: 15 after the area code of a mobile, instead of the 9 before it).
pub(super) fn without_former_prefix(digits: &str) -> Option<String> {
    if let Some(national) = digits.strip_prefix("52") {
        let number = ["044", "045", "01"].iter().find_map(|prefix| national.strip_prefix(prefix))?;
        return (number.len() == 10 && !number.starts_with('0')).then(|| format!("52{number}"));
    }
    let national = digits.strip_prefix("54")?;
    let national = national.strip_prefix('0').unwrap_or(national);
    let national = national.strip_prefix('9').unwrap_or(national);
    // Of all area codes, only that of Buenos Aires has two digits: the end of a longer one is not known.
    let number = national.strip_prefix('0').unwrap_or(national).strip_prefix("1115")?;
    (number.len() == 8).then(|| format!("54911{number}"))
}
