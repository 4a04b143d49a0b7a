//! Names from outside, with what hides in them shown.
//!
//! `invoice\u{202e}fdp.exe` reads as `invoiceexe.pdf` where its mark is obeyed (Unicode technical report 36, §2.10).

use std::borrow::Cow;
use std::fmt::Write as _;

/// Whether a character reorders others, or is none that a person can see: control characters, marks of direction, and what
/// has no width. Joiners are no such characters: scripts and emoji need them.
#[must_use]
pub fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// A name as people are shown it: invisible characters as `⟨U+202E⟩`.
///
/// ```
/// assert_eq!(model::visible::visible("a\u{202e}fdp.exe"), "a⟨U+202E⟩fdp.exe");
/// ```
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

/// JSON with the same values, in which invisible characters are escaped: a terminal shows it as it is.
#[must_use]
pub fn escaped_json(json: &str) -> Cow<'_, str> {
    // Those of ASCII are escaped in JSON anyway, or stand between values; the others only stand in strings.
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
    fn what_hides_in_a_name_is_shown() {
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
