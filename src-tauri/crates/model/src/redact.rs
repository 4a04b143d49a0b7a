//! Redacts the secret in answers that echo it.

use std::borrow::Cow;

/// Replacement for the secret.
const MASK: &str = "•••";
/// Minimum length of a secret that is redacted: a shorter one would match ordinary words.
pub const MIN_SECRET_LENGTH: usize = 8;

/// Redacts the secret in a text, in every encoding of its characters: literal, with JSON escapes (some encoders write
/// `/` as `\/` and `+` as `\u002B`), or percent-encoded.
#[must_use]
pub fn redacted<'t>(text: &'t str, secret: &str) -> Cow<'t, str> {
    let secret = secret.trim().as_bytes();
    if secret.len() < MIN_SECRET_LENGTH {
        return Cow::Borrowed(text);
    }
    let bytes = text.as_bytes();
    let mut clean = String::new();
    let (mut at, mut copied) = (0, 0);
    while at < bytes.len() {
        let starts = matches!(bytes[at], b'\\' | b'%') || bytes[at] == secret[0];
        match starts.then(|| match_length(&bytes[at..], secret)).flatten() {
            // The match begins and ends at character boundaries: it is ASCII, or the secret byte by byte.
            Some(length) => {
                clean.push_str(&text[copied..at]);
                clean.push_str(MASK);
                at += length;
                copied = at;
            }
            None => at += 1,
        }
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    clean.push_str(&text[copied..]);
    Cow::Owned(clean)
}

/// The length of the encoded secret at the beginning of `text`. All decodings are tried, since a backslash can be part
/// of the secret or begin an escape.
fn match_length(text: &[u8], secret: &[u8]) -> Option<usize> {
    let mut ends = vec![0];
    for &byte in secret {
        let mut next: Vec<usize> =
            ends.iter().flat_map(|end| encoded_lengths(&text[*end..], byte).map(move |length| end + length)).collect();
        next.sort_unstable();
        next.dedup();
        if next.is_empty() {
            return None;
        }
        ends = next;
    }
    ends.into_iter().max()
}

/// The possible encoded lengths of one byte of the secret at the beginning of `text`.
fn encoded_lengths(text: &[u8], byte: u8) -> impl Iterator<Item = usize> {
    let is = |digits: Option<&[u8]>| {
        let digits = digits.filter(|digits| digits.iter().all(u8::is_ascii_hexdigit));
        let number = digits.and_then(|digits| u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok());
        number == Some(u32::from(byte))
    };
    let raw = text.first() == Some(&byte);
    let escaped = text.first() == Some(&b'\\') && text.get(1) == Some(&byte) && byte.is_ascii_punctuation();
    let unicode = text.starts_with(b"\\u") && is(text.get(2..6));
    let percent = text.starts_with(b"%") && is(text.get(1..3));
    [(raw, 1), (escaped, 2), (percent, 3), (unicode, 6)].into_iter().filter_map(|(fits, length)| fits.then_some(length))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SECRET: &str = "ab/c+d=e\"f";

    #[test]
    fn every_encoding_of_the_secret_is_redacted() {
        for (text, expected) in [
            ("", ""),
            ("nothing of it", "nothing of it"),
            ("ab/c+d=e\"f", "•••"),
            ("<ab/c+d=e\"f>é", "<•••>é"),
            (r#"{"token":"ab\/c\u002bd=e\"f"}"#, r#"{"token":"•••"}"#),
            (r#"\u0061b/c\u002Bd\u003de\u0022f."#, "•••."),
            ("?t=ab%2Fc%2bd%3De%22f&", "?t=•••&"),
            ("ab/c+d=e\"fab/c+d=e\"f", "••••••"),
            ("aab/c+d=e\"f", "a•••"),
            ("ab/c+d=e\"", "ab/c+d=e\""),
            (r"\u00", r"\u00"),
            ("%", "%"),
        ] {
            assert_eq!(redacted(text, SECRET), expected, "{text}");
        }
    }

    #[test]
    fn ordinary_words_are_not_redacted() {
        assert_eq!(redacted("a secret token", "token"), "a secret token");
        assert_eq!(redacted("a secret token", "   "), "a secret token");
    }

    proptest! {
        #[test]
        fn redacted_text_never_contains_the_secret(
            before in ".{0,20}", after in ".{0,20}", secret in "[!-~]{8,40}",
            ways in prop::collection::vec(0..4_u8, 40),
        ) {
            let encoded_lengths: String = secret
                .chars()
                .zip(ways)
                .map(|(letter, way)| match way {
                    1 => format!("\\u{:04x}", u32::from(letter)),
                    2 => format!("%{:02X}", u32::from(letter)),
                    3 if letter.is_ascii_punctuation() => format!("\\{letter}"),
                    _ => letter.to_string(),
                })
                .collect();
            let text = format!("{before}{encoded_lengths}{after}");
            let clean = redacted(&text, &secret);
            prop_assert!(clean.contains(MASK), "{}", clean);
            prop_assert!(!clean.contains(&encoded_lengths) && !clean.contains(&secret), "{}", clean);
        }
    }
}
