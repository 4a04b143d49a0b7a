//! Removes line breaks, emoji, formatting or accents from texts.

use crate::rules::is_emoji;
use crate::variable::scan;
use crate::visible::is_zero_width;

pub(super) fn one_line(text: &str) -> String {
    text.split(['\n', '\r']).map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The text without double spaces and surrounding spaces, after a removal.
fn tidy(text: &str) -> String {
    let mut tidy = String::with_capacity(text.len());
    for c in text.trim().chars() {
        if !(c == ' ' && tidy.ends_with(' ')) {
            tidy.push(c);
        }
    }
    tidy
}

/// The text without emoji and their joiners.
pub(super) fn without_emoji(text: &str) -> String {
    const JOINER: char = '\u{200D}';
    let mut plain = String::with_capacity(text.len());
    let mut after_emoji = false;
    for c in text.chars() {
        // Some scripts use the same joiner between letters.
        after_emoji = is_emoji(c) || (c == JOINER && after_emoji);
        if !after_emoji {
            plain.push(c);
        }
    }
    tidy(&plain)
}

/// The text without formatting signs. Variables are unchanged.
pub(super) fn without_formatting(text: &str) -> String {
    let mut inside = vec![false; text.len()];
    for variable in scan(text) {
        inside[variable.range].fill(true);
    }
    let outside = || text.char_indices().filter(|(at, _)| !inside[*at]);
    let pairs = |sign: char| outside().filter(|(_, c)| *c == sign).count() >= 2;
    let (strike, italic) = (pairs('~'), pairs('_'));
    let mut plain = String::with_capacity(text.len());
    let mut before = None;
    for (at, c) in text.char_indices() {
        let after = text[at + c.len_utf8()..].chars().next();
        match c {
            _ if inside[at] => plain.push(c),
            '*' | '`' => {}
            '~' if strike => {}
            // Between letters it is part of a word, such as `order_id`.
            '_' if italic && before.is_some_and(char::is_alphanumeric) && after.is_some_and(char::is_alphanumeric) => {
                plain.push(' ');
            }
            '_' if italic => {}
            c => plain.push(c),
        }
        before = Some(c);
    }
    tidy(&plain)
}

/// The text as a name of lower-case letters, digits and underscores; `None` if nothing remains.
pub(in crate::rewrite) fn as_name(text: &str) -> Option<String> {
    let mut name = String::with_capacity(text.len());
    let mut gap = false;
    for c in text.trim().chars().flat_map(char::to_lowercase) {
        let letters = match c {
            'a'..='z' | '0'..='9' | '_' => None,
            '\u{300}'..='\u{36F}' => continue,
            other if is_zero_width(other) => continue,
            other => match plain_letters(other) {
                Some(letters) => Some(letters),
                None => {
                    gap = true;
                    continue;
                }
            },
        };
        if gap && !name.is_empty() && !name.ends_with('_') && c != '_' {
            name.push('_');
        }
        gap = false;
        match letters {
            Some(letters) => name.push_str(letters),
            None => name.push(c),
        }
    }
    name.bytes().any(|byte| byte != b'_').then_some(name)
}

/// A lower-case Latin letter without its accent.
fn plain_letters(c: char) -> Option<&'static str> {
    Some(match c {
        'à'..='å' | 'ā' | 'ă' | 'ą' | 'ª' => "a",
        'æ' => "ae",
        'ç' | 'ć' | 'č' => "c",
        'ď' | 'đ' | 'ð' => "d",
        'è'..='ë' | 'ē' | 'ė' | 'ę' | 'ě' => "e",
        'ğ' => "g",
        'ì'..='ï' | 'ī' | 'į' | 'ı' => "i",
        'ł' => "l",
        'ñ' | 'ń' | 'ň' => "n",
        'ò'..='ö' | 'ø' | 'ō' | 'ő' | 'º' => "o",
        'œ' => "oe",
        'ř' => "r",
        'ś' | 'š' | 'ş' | 'ș' => "s",
        'ß' => "ss",
        'ť' | 'ţ' | 'ț' => "t",
        'ù'..='ü' | 'ū' | 'ů' | 'ű' => "u",
        'ý' | 'ÿ' => "y",
        'ź' | 'ż' | 'ž' => "z",
        _ => return None,
    })
}

/// The text with incomplete braces around a name completed: `{{1}` and `{1}}` become `{{1}}`.
pub(super) fn closed(text: &str) -> String {
    braced(text, |open, close| matches!((open, close), (1, 2) | (2, 1)))
}

/// The text with single braces around a name doubled.
pub(super) fn doubled(text: &str) -> String {
    braced(text, |open, close| open == 1 && close == 1)
}

/// The text with double braces around every name whose numbers of braces match `wrong`.
fn braced(text: &str, wrong: impl Fn(usize, usize) -> bool) -> String {
    let mut out = String::with_capacity(text.len() + 4);
    let mut rest = text;
    while let Some(start) = rest.find('{') {
        out.push_str(&rest[..start]);
        let from = &rest[start..];
        let open = from.bytes().take_while(|byte| *byte == b'{').count();
        let inner = from[open..].bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
        let close = from[open + inner..].bytes().take_while(|byte| *byte == b'}').count();
        let end = open + inner + close;
        if inner > 0 && wrong(open, close) {
            out.push_str(&format!("{{{{{}}}}}", &from[open..open + inner]));
        } else {
            out.push_str(&from[..end]);
        }
        rest = &from[end..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_normalised() {
        type Respell = fn(&str) -> String;
        let name: Respell = |text| as_name(text).unwrap_or_default();
        for (respell, rows) in [
            (one_line as Respell, &[("a\n b\r\n\r\nc", "a b c"), ("\n", "")][..]),
            (without_emoji, &[("Sale 🎉 now", "Sale now"), ("👩‍👩‍👧‍👦 ok ❤️", "ok"), ("क\u{200D}ष", "क\u{200D}ष")]),
            (
                without_formatting,
                &[
                    ("*Sale* `now`", "Sale now"),
                    ("_a_ ~b~ {{x_y_z}}", "a b {{x_y_z}}"),
                    ("order_id user_id", "order id user id"),
                    ("order_id ~", "order_id ~"),
                ],
            ),
            (
                name,
                &[
                    ("Promoção de Verão!", "promocao_de_verao"),
                    ("a__b - C", "a__b_c"),
                    ("_x", "_x"),
                    ("cafe\u{301} №1", "cafe_1"),
                    ("שלום", ""),
                    ("--", ""),
                ],
            ),
            (closed, &[("{{1} {1}} {1} {{a}} {{{b}}} {{ ", "{{1}} {{1}} {1} {{a}} {{{b}}} {{ ")]),
            (doubled, &[("{1} {name} {{1}} {a b} {}", "{{1}} {{name}} {{1}} {a b} {}")]),
        ] {
            for (text, expected) in rows {
                assert_eq!(respell(text), *expected, "{text:?}");
            }
        }
    }
}
