//! Makes invisible characters in untrusted names visible.
//!
//! `invoice\u{202e}fdp.exe` is displayed as `invoiceexe.pdf` if the direction mark is applied (Unicode technical report
//! 36, §2.10).

use std::borrow::Cow;
use std::fmt::Write as _;

/// Whether a character is invisible or reorders others: control characters, direction marks, zero-width characters.
/// Joiners are excluded, because scripts and emoji need them.
#[must_use]
pub fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// Whether a character is invisible and is not a space: pasted texts have them without anybody having typed them.
#[must_use]
pub fn is_zero_width(c: char) -> bool {
    is_invisible(c) && !c.is_whitespace() && !c.is_control()
}

/// A name for display, with invisible characters as `⟨U+202E⟩`.
#[must_use]
pub fn visible(name: &str) -> Cow<'_, str> {
    if !name.chars().any(is_invisible) {
        return Cow::Borrowed(name);
    }
    let mut shown = String::with_capacity(name.len() + 8);
    for c in name.chars() {
        if is_invisible(c) {
            let _infallible = write!(shown, "⟨U+{:04X}⟩", u32::from(c));
        } else {
            shown.push(c);
        }
    }
    Cow::Owned(shown)
}

/// JSON with the same values and escaped invisible characters, safe to print to a terminal.
#[must_use]
pub fn escaped_json(json: &str) -> Cow<'_, str> {
    // ASCII control characters are already escaped in strings, or are white space between values. The other characters
    // occur only in strings.
    let escapes = |c: char| !c.is_ascii() && is_invisible(c);
    if json.is_ascii() || !json.chars().any(escapes) {
        return Cow::Borrowed(json);
    }
    let mut escaped = String::with_capacity(json.len() + 8);
    for c in json.chars() {
        if escapes(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _infallible = write!(escaped, "\\u{unit:04x}");
            }
        } else {
            escaped.push(c);
        }
    }
    Cow::Owned(escaped)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed expectation is the test's failure")]

    use super::*;
    use proptest::prelude::*;

    #[test]
    fn invisible_characters_are_shown() {
        for (name, shown) in [
            ("spring.png", "spring.png"),
            ("فاتورة.pdf", "فاتورة.pdf"),
            ("a\u{202e}fdp.exe", "a⟨U+202E⟩fdp.exe"),
            ("\u{200f}\u{2066}x\u{2069}", "⟨U+200F⟩⟨U+2066⟩x⟨U+2069⟩"),
            ("a\u{200b}b\u{feff}", "a⟨U+200B⟩b⟨U+FEFF⟩"),
            ("a\nb\u{1b}[31m\u{9b}", "a⟨U+000A⟩b⟨U+001B⟩[31m⟨U+009B⟩"),
            ("", ""),
        ] {
            assert_eq!(visible(name), shown, "{name:?}");
        }
    }

    proptest! {
        #[test]
        fn escaped_json_has_the_same_values(name in "[a-z\n\u{202a}-\u{202e}\u{200b}\u{e0001}\\\\\"]{0,12}") {
            let value = serde_json::json!({ &name: [&name] });
            let lines = format!("{value:#}");
            let escaped = escaped_json(&lines);
            prop_assert!(escaped.chars().all(|c| c == '\n' || !is_invisible(c)));
            prop_assert_eq!(serde_json::from_str::<serde_json::Value>(&escaped).unwrap(), value);
        }
    }
}
