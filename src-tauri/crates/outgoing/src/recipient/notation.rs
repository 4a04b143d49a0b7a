//! How people, phones and spreadsheets write a number. A text that could mean another number, or more than one, is
//! refused.

use model::visible::is_invisible;

use super::annotation::{Annotation, annotations, list_number};
use super::characters::{MIN_NUMBER_DIGITS, SEPARATORS, count_digits, is_dash};
use super::fault::{FaultKind, NumberFault};

/// The digits of a number as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Notation {
    pub(super) digits: String,
    /// Whether it begins with `+` or `00`: the digits, which are without them, begin with the code of a country.
    pub(super) international: bool,
    /// Whether it has nothing but digits.
    pub(super) plain: bool,
    /// Digits that may not be part of the number. Whether they are depends on its country.
    pub(super) annotations: Vec<Annotation>,
}

/// Schemes of links to a number.
const SCHEMES: [&str; 2] = ["tel:", "whatsapp:"];
/// Addresses of links whose parameter `phone` is a number.
const CHAT_ADDRESSES: [&str; 2] = ["api.whatsapp.com/send", "web.whatsapp.com/send"];
/// Maximum number of digits of an area code, with the national prefix, before a slash.
const MAX_AREA_DIGITS: usize = 6;

pub(super) fn read(typed: &str) -> Result<Notation, NumberFault> {
    let text = unwrapped(typed);
    if is_scientific(&text) {
        let reason =
            "a spreadsheet shortened it and its last digits are lost; format the column as text and export again";
        return Err(NumberFault::new(FaultKind::Shortened, reason));
    }
    if is_date(&text) {
        return Err(NumberFault::new(FaultKind::Date, "it is a date; choose the column with the numbers"));
    }
    if has_several(&text) {
        return Err(NumberFault::new(FaultKind::Several, "it has more than one number; leave one"));
    }
    if let Some(number) = without_extension(&text) {
        let reason = format!("it has an extension, which can't get messages; remove it: {number}");
        return Err(NumberFault::new(FaultKind::Extension, reason).with_correction(Some(number)));
    }
    check_amount(&text)?;
    let plus = text.find(['+', '＋']);
    let first_digit = text.find(|c: char| c.is_ascii_digit()).unwrap_or(text.len());
    let misplaced = |(at, c): &(usize, char)| match c {
        '+' | '＋' => Some(*at) != plus || *at > first_digit,
        '.' | '/' => *at < first_digit,
        c => !c.is_ascii_digit() && !c.is_whitespace() && !SEPARATORS.contains(*c),
    };
    // The channel doesn't accept digits of other scripts, and dropping them would change the number.
    if let Some((_, c)) = text.char_indices().find(misplaced) {
        if let Some(listed) = list_number(&text).filter(|listed| listed.number.starts_with(['+', '＋'])) {
            let reason = format!("it begins with its place in a list; remove it: {}", listed.number);
            return Err(NumberFault::new(FaultKind::ListNumber, reason).with_correction(Some(listed.number)));
        }
        let fault = if c.is_numeric() {
            NumberFault::new(FaultKind::OtherDigits, format!("it has the character {c}; use only the digits 0 to 9"))
        } else if c.is_alphabetic() {
            NumberFault::new(FaultKind::Letters, format!("it has the letter {c}"))
        } else {
            NumberFault::new(FaultKind::Character, format!("it has the character {c}"))
        };
        return Err(NumberFault { character: Some(c), ..fault });
    }
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let plain = digits.len() == text.len();
    // No country code begins with 0.
    let (digits, international) = match digits.strip_prefix("00") {
        Some(rest) if plus.is_none() => (rest.to_owned(), true),
        _ => (digits, plus.is_some()),
    };
    Ok(Notation { digits, international, plain, annotations: annotations(&text) })
}

/// The text without what programs write around a number: invisible marks, a formula or quotes around it, the apostrophe
/// of text cells, the scheme of a link, and punctuation after it.
fn unwrapped(typed: &str) -> String {
    let visible: String = typed.chars().filter(|c| c.is_whitespace() || !is_mark(*c)).collect();
    let mut text = visible.trim();
    if let Some(formula) = text.strip_prefix("=\"").and_then(|text| text.strip_suffix('"')) {
        text = formula.trim();
    }
    for (open, close) in [('"', '"'), ('\'', '\''), ('“', '”')] {
        if let Some(quoted) = text.strip_prefix(open).and_then(|text| text.strip_suffix(close)) {
            text = quoted.trim();
        }
    }
    text = text.strip_prefix(['\'', '’', '‘', '`']).unwrap_or(text).trim_start();
    if let Some(number) = number_of_link(text) {
        return number;
    }
    for scheme in SCHEMES {
        if let Some(start) = text.get(..scheme.len())
            && start.eq_ignore_ascii_case(scheme)
        {
            text = text[scheme.len()..].trim_start();
        }
    }
    text.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '.' | ',' | ';')).to_owned()
}

/// The number of a link that opens a chat, such as `https://wa.me/5511987654321`, with `+`: its digits begin with the
/// code of a country. Any other link is left as it is, and refused for its letters.
fn number_of_link(text: &str) -> Option<String> {
    let after = |text: &str, start: &str| {
        text.get(..start.len()).is_some_and(|found| found.eq_ignore_ascii_case(start)).then_some(start.len())
    };
    let app = after(text, "whatsapp://");
    let web = ["https://www.", "http://www.", "https://", "http://"].into_iter().find_map(|start| after(text, start));
    let link = text[app.or(web).unwrap_or(0)..].split('#').next()?;
    let (address, query) = link.split_once('?').unwrap_or((link, ""));
    let address = address.trim_end_matches('/');
    let known: &[&str] = if app.is_some() { &["send"] } else { &CHAT_ADDRESSES };
    let number = if let Some(host) = after(address, "wa.me/").filter(|_| app.is_none()) {
        &address[host..]
    } else if known.iter().any(|known| address.eq_ignore_ascii_case(known)) {
        let mut numbers = query.split('&').filter_map(|pair| pair.strip_prefix("phone="));
        numbers.next().filter(|_| numbers.next().is_none())?
    } else {
        return None;
    };
    let number = number.replace("%2B", "+").replace("%2b", "+").replace("%20", " ");
    let number = number.trim();
    let number = number.strip_prefix('+').unwrap_or(number);
    let is_number = number.starts_with(|c: char| c.is_ascii_digit())
        && number.chars().all(|c| c.is_ascii_digit() || matches!(c, ' ' | '-' | '(' | ')'));
    is_number.then(|| format!("+{number}"))
}

/// Whether a character is invisible, including the joiners that scripts and emoji need and numbers don't.
fn is_mark(c: char) -> bool {
    is_invisible(c) || matches!(c, '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}')
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a spreadsheet wrote the number in scientific notation, such as `5.5119E+12`: its last digits are lost.
fn is_scientific(text: &str) -> bool {
    let Some((mantissa, exponent)) = text.split_once(['e', 'E']) else { return false };
    let mantissa = mantissa.trim().trim_start_matches(['+', '-', '\u{2212}']);
    let (whole, fraction) = mantissa.split_once(['.', ',']).unwrap_or((mantissa, "0"));
    is_number(whole) && is_number(fraction) && is_number(exponent.trim().trim_start_matches(['+', '-']).trim())
}

/// Whether a text is a date such as `2024-05-12` or `12/05/2024`, with or without a time.
fn is_date(text: &str) -> bool {
    let day = text.split_once([' ', 'T']).filter(|(_, time)| time.contains(':')).map_or(text, |(day, _)| day);
    ['-', '/', '.'].into_iter().any(|separator| {
        let parts: Vec<&str> = day.split(separator).collect();
        let &[first, middle, last] = parts.as_slice() else { return false };
        let within = |part: &str, most: u32| {
            (1..=2).contains(&part.len()) && is_number(part) && part.parse().is_ok_and(|n: u32| (1..=most).contains(&n))
        };
        let year =
            |part: &str| part.len() == 4 && is_number(part) && (part.starts_with("19") || part.starts_with("20"));
        let days = |day: &str, month: &str| within(day, 31) && within(month, 12);
        year(first) && days(last, middle) || year(last) && (days(first, middle) || days(middle, first))
    })
}

/// Whether a text has more than one number.
fn has_several(text: &str) -> bool {
    let second_plus = text.char_indices().filter(|(_, c)| matches!(c, '+' | '＋')).nth(1);
    if let Some((at, _)) = second_plus {
        return count_digits(&text[..at]) >= MIN_NUMBER_DIGITS;
    }
    let halves = |at: usize, length: usize| (count_digits(&text[..at]), count_digits(&text[at + length..]));
    let splits = text.char_indices().any(|(at, c)| match c {
        ',' | ';' | '|' | '&' | '\n' | '\r' | '\t' | '\\' => {
            let (before, after) = halves(at, c.len_utf8());
            before >= MIN_NUMBER_DIGITS && after >= MIN_NUMBER_DIGITS
        }
        '/' => {
            let (before, after) = halves(at, 1);
            let area = if text.starts_with(['+', '＋']) || text.starts_with("00") {
                MIN_NUMBER_DIGITS + 1
            } else {
                MAX_AREA_DIGITS
            };
            // `3071-0000/0001` are two numbers, too.
            before > area && after > 0 || before > 0 && after > 0 && after < 5
        }
        _ => false,
    });
    let mut groups: Vec<usize> = vec![0];
    for c in text.chars() {
        match (c.is_whitespace() || c.is_alphabetic(), groups.last_mut()) {
            (false, Some(digits)) => *digits += usize::from(c.is_ascii_digit()),
            _ => groups.push(0),
        }
    }
    splits || groups.iter().filter(|digits| **digits > MIN_NUMBER_DIGITS).count() > 1
}

/// Words and characters before an extension, longest first.
const EXTENSIONS: [&str; 13] =
    [";ext=", "extension", "interno", "ramal", "anexo", "extn", "poste", "ext.", "ext", "int.", "int", "x", "#"];

/// The number before an extension such as `ext. 5`, `;ext=5` or `x12`.
fn without_extension(text: &str) -> Option<String> {
    let lower = text.to_ascii_lowercase();
    let before = lower.trim_end_matches(|c: char| c.is_ascii_digit());
    if before.len() == lower.len() {
        return None;
    }
    let before = before.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '.' | ':' | '=' | '(' | '-'));
    let word = EXTENSIONS.iter().find_map(|word| before.strip_suffix(word.trim_end_matches(['=', '.'])))?;
    let number = text.get(..word.len())?.trim_end_matches(|c: char| c.is_whitespace() || ",;.(-".contains(c));
    let is_number = count_digits(number) >= MIN_NUMBER_DIGITS && !number.chars().any(char::is_alphabetic);
    is_number.then(|| number.to_owned())
}

/// Refuses what a spreadsheet wrote as an amount: decimals, thousands separators, a minus.
fn check_amount(text: &str) -> Result<(), NumberFault> {
    if text.starts_with(is_dash) || text.ends_with(is_dash) {
        return Err(NumberFault::new(
            FaultKind::Negative,
            "it begins or ends with a minus sign; remove it if the number is right",
        ));
    }
    let Some((at, mark)) = text.char_indices().rfind(|(_, c)| matches!(c, '.' | ',')) else { return Ok(()) };
    let (whole, fraction) = (&text[..at], &text[at + 1..]);
    if !is_number(fraction) {
        return without_comma(text);
    }
    let groups: Vec<&str> =
        whole.trim_start_matches(['+', '＋']).split(['.', ',', ' ', '\u{a0}', '\u{202f}']).collect();
    let is_grouped = is_thousands(&groups);
    if mark == ',' && fraction.len() == 3 && is_grouped && whole.contains(',') && !whole.contains('.') {
        let number = text.replace(',', "");
        let reason = format!("it is written like an amount, with commas; write it without them: {number}");
        return Err(NumberFault::new(FaultKind::Thousands, reason).with_correction(Some(number)));
    }
    let plain = groups.len() == 1 && is_number(groups[0]);
    let is_decimal = match mark {
        ',' => plain || is_grouped && !whole.contains(','),
        // Dots also separate groups: of a decimal, the whole part is the whole number.
        _ => {
            plain && groups[0].len() >= MIN_NUMBER_DIGITS
                || !whole.contains('.') && fraction.len() < 3
                || fraction.len() == 1
                || is_grouped && fraction.len() < 3 && fraction.bytes().all(|byte| byte == b'0')
        }
    };
    if !is_decimal {
        return without_comma(text);
    }
    let decimals = format!("{mark}{fraction}");
    if fraction.bytes().any(|byte| byte != b'0') {
        return Err(NumberFault::new(
            FaultKind::DecimalsNotZero,
            format!("it ends in the decimals {decimals}; look up the right number"),
        ));
    }
    let number = whole.trim_end().replace(',', "");
    let reason = format!("it ends in {decimals}, the decimals of a spreadsheet; remove them: {number}");
    Err(NumberFault::new(FaultKind::Decimals, reason).with_correction(Some(number)))
}

/// Whether groups of digits are those of an amount: three digits in each but the first.
fn is_thousands(groups: &[&str]) -> bool {
    let [first, rest @ ..] = groups else { return false };
    !rest.is_empty()
        && (1..=3).contains(&first.len())
        && groups.iter().all(|group| is_number(group))
        && rest.iter().all(|group| group.len() == 3)
}

/// No number is written with a comma.
fn without_comma(text: &str) -> Result<(), NumberFault> {
    if !text.contains(',') {
        return Ok(());
    }
    Err(NumberFault { character: Some(','), ..NumberFault::new(FaultKind::Character, "it has the character ,") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notations_of_people_and_programs_are_understood() {
        for typed in [
            "+5511912345678",
            "+55 11 91234-5678",
            "+55\u{a0}11\u{a0}91234\u{2011}5678",
            "+55\u{202f}11\u{2009}91234\u{2013}5678",
            "+55 (11) 91234.5678",
            "+55.11.91234.5678",
            "+5.511.912.345.678",
            "(+55) 11 91234-5678",
            "＋55 11 91234－5678",
            "+55 - 11 - 91234 - 5678",
            "+55/11/912345678",
            "'+5511912345678",
            "’+55 11 91234-5678",
            "\"+5511912345678\"",
            "'+5511912345678'",
            "=\"+5511912345678\"",
            "\u{202a}+5511912345678\u{202c}",
            "\u{feff}+55 11\u{200b} 91234\u{ad}5678\u{2060}",
            "tel:+55-11-91234-5678",
            "TEL: +5511912345678",
            "whatsapp:+5511912345678",
            "+55 11 91234-5678.",
            "+55 11 91234-5678 ;",
            "00 55 11 91234-5678",
            "(00 55) 11 91234-5678",
            "https://wa.me/5511912345678",
            "http://www.wa.me/+5511912345678/",
            "WA.ME/5511912345678?text=Ol%C3%A1%202025",
            "https://api.whatsapp.com/send?phone=5511912345678",
            "https://api.whatsapp.com/send/?text=oi&phone=%2B55%2011%2091234-5678&app_absent=0",
            "https://web.whatsapp.com/send?phone=+5511912345678#x",
            "whatsapp://send?phone=5511912345678",
        ] {
            let digits = "5511912345678".to_owned();
            let notation = Ok(Notation { digits, international: true, plain: false, annotations: Vec::new() });
            assert_eq!(read(typed).map(|found| Notation { plain: false, ..found }), notation, "{typed}");
        }
        for (typed, plain) in [("5511912345678", true), ("'5511912345678", true), ("55 11 91234-5678", false)] {
            let digits = "5511912345678".to_owned();
            assert_eq!(
                read(typed),
                Ok(Notation { digits, international: false, plain, annotations: Vec::new() }),
                "{typed}"
            );
        }
        for (typed, digits) in [
            ("+49 123 / 42 42 42", "49123424242"),
            ("+49 171/1234567", "491711234567"),
            ("0171/1234567", "01711234567"),
            ("0171.1234567", "01711234567"),
            ("06.12.34.56.00", "0612345600"),
            ("+33 6 12 34 56 00", "33612345600"),
            ("20 12 19 99", "20121999"),
        ] {
            assert_eq!(read(typed).map(|notation| notation.digits), Ok(digits.to_owned()), "{typed}");
        }
    }

    #[test]
    fn no_text_becomes_another_number() {
        for (typed, key, correction) in [
            ("628123456789.0", "decimals", Some("628123456789")),
            ("436641234567.0", "decimals", Some("436641234567")),
            ("5511981234567.0", "decimals", Some("5511981234567")),
            ("628123456789,0", "decimals", Some("628123456789")),
            ("628123456789.00", "decimals", Some("628123456789")),
            ("628123456789.000000", "decimals", Some("628123456789")),
            ("+628123456789.0", "decimals", Some("+628123456789")),
            ("'628123456789.0", "decimals", Some("628123456789")),
            (" 628123456789.0 ", "decimals", Some("628123456789")),
            ("\u{202a}628123456789.0\u{202c}", "decimals", Some("628123456789")),
            ("=\"628123456789.0\"", "decimals", Some("628123456789")),
            ("tel:628123456789.0", "decimals", Some("628123456789")),
            ("628 123 456 789,00", "decimals", Some("628 123 456 789")),
            ("628.123.456.789,0", "decimals", Some("628.123.456.789")),
            ("628,123,456,789.00", "decimals", Some("628123456789")),
            ("628.123.456.789.0", "decimals", Some("628.123.456.789")),
            ("628.123.456.789.00", "decimals", Some("628.123.456.789")),
            ("+62 812 3456 789.0", "decimals", Some("+62 812 3456 789")),
            ("628123456789.5", "decimalsNotZero", None),
            ("62812345678.9", "decimalsNotZero", None),
            ("6281234567.89", "decimalsNotZero", None),
            ("628123456,789", "decimalsNotZero", None),
            ("5,511,912,345,678", "thousands", Some("5511912345678")),
            ("5,51199E+12", "shortened", None),
            ("5.51199E+12", "shortened", None),
            ("5.51199e12", "shortened", None),
            ("+5,51199E+0012", "shortened", None),
            ("6E+12", "shortened", None),
            ("-5511912345678", "negative", None),
            ("\u{2212}5511912345678", "negative", None),
            ("5511912345678-", "negative", None),
            ("5511912345678%", "character", None),
            ("$5511912345678", "character", None),
            ("R$ 5511912345678", "letters", None),
            ("2024-05-12", "date", None),
            ("2024-05-12 10:30:00", "date", None),
            ("12/05/2024", "date", None),
            ("05/31/1999", "date", None),
            ("31.12.1999", "date", None),
            ("5511912345678, 5511912345679", "several", None),
            ("5511912345678/5511912345679", "several", None),
            ("5511912345678;5511912345679", "several", None),
            ("5511912345678 | 5511912345679", "several", None),
            ("5511912345678 ou 5511912345679", "several", None),
            ("5511912345678\n5511912345679", "several", None),
            ("5511912345678 5511912345679", "several", None),
            ("+5511912345678 +5511912345679", "several", None),
            ("+5511912345678+5511912345679", "several", None),
            ("3071-0000/0001", "several", None),
            ("+55 11 3071-0000 ext. 5", "extension", Some("+55 11 3071-0000")),
            ("+55 11 3071-0000;ext=5", "extension", Some("+55 11 3071-0000")),
            ("tel:+55-11-3071-0000;ext=5", "extension", Some("+55-11-3071-0000")),
            ("+55 11 3071-0000 x12", "extension", Some("+55 11 3071-0000")),
            ("551130710000x12", "extension", Some("551130710000")),
            ("+55 11 3071-0000 ramal 12", "extension", Some("+55 11 3071-0000")),
            ("+55 11 3071-0000, Ext: 12", "extension", Some("+55 11 3071-0000")),
            ("+55 11 3071-0000 #12", "extension", Some("+55 11 3071-0000")),
            ("5511912345678a", "letters", None),
            ("5511912345678x", "letters", None),
            ("55119l2345678", "letters", None),
            ("٠١٢٣٤٥٦٧٨٩", "otherDigits", None),
            ("5511٩12345678", "otherDigits", None),
            ("5511912345678²", "otherDigits", None),
            ("1. +55 11 91234-5678", "listNumber", Some("+55 11 91234-5678")),
            ("[1] +5511912345678", "listNumber", Some("+5511912345678")),
            ("55+11912345678", "character", None),
            ("++5511912345678", "character", None),
            ("5511912345678*", "character", None),
            ("5511912345678:", "character", None),
            ("5511·91234·5678", "character", None),
            ("11 91234,5678", "character", None),
            (".5511912345678", "character", None),
            ("https://wa.me/message/5511912345678", "letters", None),
            ("https://wa.me.example.com/5511912345678", "letters", None),
            ("https://example.com/?u=https://wa.me/5511912345678", "letters", None),
            ("https://wa.me@example.com/5511912345678", "letters", None),
            ("https://wa.me/55119l2345678", "letters", None),
            ("https://wa.me/٥٥١١٩١٢٣٤٥٦٧٨", "letters", None),
            ("https://wa.me/5511912345678/5511912345679", "several", None),
            ("https://api.whatsapp.com/send?phone=5511912345678&phone=5511912345679", "several", None),
            ("https://api.whatsapp.com/send?text=5511912345678", "letters", None),
            ("https://example.com/send?phone=5511912345678", "letters", None),
            ("https://send?phone=5511912345678", "letters", None),
            ("send?phone=5511912345678", "letters", None),
            ("https://www.https://wa.me/5511912345678", "letters", None),
            ("https://wa.me/5511912345678%205511912345679", "several", None),
            ("=5511912345678", "character", None),
        ] {
            let Err(fault) = read(typed) else { panic!("{typed} is understood") };
            assert_eq!(
                (fault.kind.as_str(), fault.correction.as_deref()),
                (key, correction),
                "{typed}: {}",
                fault.reason
            );
            if let Some(correction) = correction {
                assert!(read(correction).is_ok(), "{typed}: {correction}");
            }
        }
    }
}
