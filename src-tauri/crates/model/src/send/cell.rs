//! Values from cells of a file or fields of an address book: what counts as empty, and how they are cleaned.

use std::borrow::Cow;

use crate::visible::is_zero_width;

/// Whether a cell shows nothing: spaces, line breaks and invisible characters are all that it has.
#[must_use]
pub fn is_blank(cell: &str) -> bool {
    // Joiners are visible only between other characters.
    cell.chars().all(|c| is_edge(c) || matches!(c, '\u{200c}' | '\u{200d}'))
}

/// A text without spaces and invisible characters around it, and with single spaces. Line breaks and tabs between words
/// stay: the channel's rules are about them.
#[must_use]
pub fn tidy(cell: &str) -> Cow<'_, str> {
    let is_tidy = cell.is_ascii() && cell.trim_matches(is_edge).len() == cell.len() && !cell.contains("  ");
    if is_tidy {
        return Cow::Borrowed(cell);
    }
    let mut text = String::with_capacity(cell.len());
    let mut in_spaces = false;
    for c in cell.trim_matches(is_edge).chars() {
        let is_space = c.is_whitespace() && !matches!(c, '\t' | '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}');
        if !(is_space && in_spaces) {
            // A no-break space between two words that are written together stays one.
            text.push(c);
        } else if c == ' ' && text.ends_with(|last: char| last != ' ') {
            text.pop();
            text.push(' ');
        }
        in_spaces = is_space;
    }
    Cow::Owned(text)
}

/// Whether a character is dropped at the edges of a text. Tags are the end of emoji flags.
fn is_edge(c: char) -> bool {
    c.is_whitespace() || is_zero_width(c) && !matches!(c, '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_that_show_nothing_are_blank() {
        for cell in ["", " ", "\u{a0}", "\t\r\n", "\u{200b}", "\u{feff} \u{200e}", "\u{200d}", "\u{3000}"] {
            assert!(is_blank(cell), "{cell:?}");
            let rest = tidy(cell);
            assert!(rest.is_empty() || rest == "\u{200d}", "{cell:?}");
        }
        for cell in ["-", ".", "0", "null", "N/A", "👩\u{200d}🚀"] {
            assert!(!is_blank(cell), "{cell:?}");
        }
    }

    #[test]
    fn spaces_and_invisible_characters_around_a_text_are_dropped() {
        for (cell, text) in [
            ("  Ana  ", "Ana"),
            ("Ana Maria", "Ana Maria"),
            ("Ana  Maria", "Ana Maria"),
            ("Ana\r\n", "Ana"),
            ("\u{feff}Ana\u{200b}", "Ana"),
            ("Ana \u{a0} Maria", "Ana Maria"),
            ("Ana   Maria  Silva", "Ana Maria Silva"),
            ("10\u{a0}€", "10\u{a0}€"),
            ("Ana\nMaria", "Ana\nMaria"),
            ("Ana\t Maria", "Ana\t Maria"),
            ("עדן\u{200f} x", "עדן\u{200f} x"),
            (
                "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
                "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
            ),
        ] {
            assert_eq!(tidy(cell), text, "{cell:?}");
        }
    }
}
