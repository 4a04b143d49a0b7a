//! Digest of JSON: SHA-256 over a canonical notation of the text.

use sha2::{Digest as _, Sha256};

/// Separates the timestamp of a key from its digest.
pub(super) const TIME_END: char = '.';

/// A digest of several parts, each prefixed with its length: `("a", "bc")` differs from `("ab", "c")`.
pub(super) struct Identity {
    digest: Sha256,
    /// When the event happened, in seconds since 1970, if that is part of it.
    seconds: Option<u32>,
}

impl Identity {
    pub(super) fn new(kind: &str) -> Self {
        Self { digest: Sha256::new(), seconds: None }.text(kind)
    }

    pub(super) fn text(mut self, text: &str) -> Self {
        self.digest.update((text.len() as u64).to_le_bytes());
        self.digest.update(text.as_bytes());
        self
    }

    /// Adds a text that may be absent; absent differs from empty.
    pub(super) fn maybe(self, text: Option<&str>) -> Self {
        match text {
            Some(text) => self.text("1").text(text),
            None => self.text("0"),
        }
    }

    /// Adds valid JSON, ignoring white space between tokens and the choice of escapes in strings.
    ///
    /// A retry may come from a process that formats the same event differently. The order of keys counts: no JSON
    /// serialiser on the way changes it.
    pub(super) fn json(self, json: &str) -> Self {
        self.text(&plain(json))
    }

    /// Adds bytes as they are.
    pub(super) fn bytes(mut self, bytes: &[u8]) -> Self {
        self.digest.update((bytes.len() as u64).to_le_bytes());
        self.digest.update(bytes);
        self
    }

    /// Adds a timestamp in seconds since 1970 that may be absent. A key has one that can be read also as it is, so that
    /// keys can be sorted by time.
    pub(super) fn timestamp(mut self, text: Option<&str>) -> Self {
        self.seconds = text.and_then(|text| text.parse().ok());
        self.maybe(text)
    }

    /// The first 128 bits, as a number and in hexadecimal after the timestamp: short enough for a key, and collisions
    /// are practically impossible.
    pub(super) fn finish(self) -> (u128, String) {
        let digest = self.digest.finalize();
        let number = digest.iter().take(16).fold(0_u128, |number, byte| number << 8 | u128::from(*byte));
        let text = match self.seconds {
            Some(seconds) => format!("{seconds:08x}{TIME_END}{number:032x}"),
            None => format!("{number:032x}"),
        };
        (number, text)
    }
}

/// JSON without white space between tokens and without unnecessary escapes.
fn plain(json: &str) -> String {
    let mut plain = String::with_capacity(json.len());
    let mut rest = json;
    while let Some(quote) = rest.find('"') {
        plain.extend(rest[..quote].chars().filter(|c| !c.is_ascii_whitespace()));
        plain.push('"');
        rest = &rest[quote + 1..];
        loop {
            // Valid JSON closes every string; an unclosed one extends to the end.
            let Some(stop) = rest.find(['"', '\\']) else {
                plain.push_str(rest);
                return plain;
            };
            plain.push_str(&rest[..stop]);
            if rest.as_bytes()[stop] == b'"' {
                plain.push('"');
                rest = &rest[stop + 1..];
                break;
            }
            let (unit, length) = escape(&rest[stop..]);
            match unit {
                // Control characters, quotes and backslashes stay escaped, each in one form.
                Some(c) if c < ' ' || c == '"' || c == '\\' => plain.extend(c.escape_unicode()),
                Some(c) => plain.push(c),
                None => plain.push_str(&rest[stop..stop + length].to_ascii_lowercase()),
            }
            rest = &rest[stop + length..];
        }
    }
    plain.extend(rest.chars().filter(|c| !c.is_ascii_whitespace()));
    plain
}

/// The character of the escape at the start of `text`, and the length of the escape; no character for a lone surrogate.
fn escape(text: &str) -> (Option<char>, usize) {
    let code = |at: usize| text.get(at..at + 4).and_then(|hex| u32::from_str_radix(hex, 16).ok());
    match text.as_bytes().get(1) {
        Some(b'n') => (Some('\n'), 2),
        Some(b't') => (Some('\t'), 2),
        Some(b'r') => (Some('\r'), 2),
        Some(b'b') => (Some('\u{8}'), 2),
        Some(b'f') => (Some('\u{c}'), 2),
        Some(b'u') => {
            let Some(unit) = code(2) else { return (None, 2) };
            if let Some(c) = char::from_u32(unit) {
                return (Some(c), 6);
            }
            let low = (text.get(6..8) == Some("\\u")).then(|| code(8)).flatten();
            match low {
                Some(low) if (0xd800..0xdc00).contains(&unit) && (0xdc00..0xe000).contains(&low) => {
                    (char::from_u32(0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00)), 12)
                }
                _ => (None, 6),
            }
        }
        Some(byte) if byte.is_ascii() => (Some(char::from(*byte)), 2),
        _ => (None, 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_json_in_two_notations_has_one_identity() {
        for (left, right) in [
            (r#"{"a": [1, 2]}"#, r#"{"a":[1,2]}"#),
            (r#"{"text":"caf\u00e9 \ud83d\ude00 a\u0040b.c https:\/\/x"}"#, r#"{"text":"café 😀 a@b.c https://x"}"#),
            (r#""\u000a\u0022\u005C""#, r#""\n\"\\""#),
            (r#""\uD83d\uDE00""#, r#""😀""#),
        ] {
            assert_eq!(plain(left), plain(right), "{left}");
        }
    }

    #[test]
    fn different_json_has_different_identities() {
        for (left, right) in [
            (r#"" ""#, r#""""#),
            ("1", "1.0"),
            (r#"["a","b"]"#, r#"["a\",\"b"]"#),
            (r#""\ud800""#, r#""\ud801""#),
            (r#""\\u0041""#, r#""A""#),
            (r#""\\n""#, r#""\n""#),
        ] {
            assert_ne!(plain(left), plain(right), "{left}");
        }
        assert_ne!(Identity::new("k").text("a").text("bc").finish(), Identity::new("k").text("ab").text("c").finish());
        assert_ne!(Identity::new("k").maybe(None).finish(), Identity::new("k").maybe(Some("")).finish());
    }
}
