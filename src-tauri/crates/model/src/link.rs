//! Addresses: of files, and of buttons with the suffix from a send.

use std::borrow::Cow;

use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};

use crate::variable::Variable;

/// Characters that must be percent-encoded in an address (RFC 3986 §2.2, §2.3). Non-ASCII letters always are.
const ENCODED: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'%')
    .add(b'<')
    .add(b'>')
    .add(b'\\')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// Whether the text is a complete web address.
pub(crate) fn is_address(text: &str) -> bool {
    let rest = ["https://", "http://"].into_iter().find_map(|scheme| {
        text.get(..scheme.len()).filter(|start| start.eq_ignore_ascii_case(scheme)).map(|_| &text[scheme.len()..])
    });
    rest.is_some_and(|rest| !rest.is_empty() && !rest.starts_with(['/', '?', '#', ':']))
        && !text.contains(|letter: char| letter.is_whitespace() || letter.is_control())
}

/// Whether the text is the identifier of an upload: digits only.
pub(crate) fn is_upload(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The parts of an address before and after its variable.
pub(crate) fn without_variable<'u>(address: &'u str, variable: &Variable<'_>) -> (&'u str, &'u str) {
    (&address[..variable.range.start], &address[variable.range.end..])
}

/// Percent-encodes a suffix, because the channel inserts it into the address without encoding (upstream §3.4). Existing
/// percent-encoding is kept.
pub(crate) fn encode_suffix(suffix: &str) -> Cow<'_, str> {
    if first_unencoded(suffix).is_none() {
        return Cow::Borrowed(suffix);
    }
    let mut encoded = String::with_capacity(suffix.len() + 8);
    let mut pieces = suffix.split('%');
    encoded.extend(utf8_percent_encode(pieces.next().unwrap_or_default(), ENCODED));
    for piece in pieces {
        encoded.push_str(if starts_with_hex(piece) { "%" } else { "%25" });
        encoded.extend(utf8_percent_encode(piece, ENCODED));
    }
    Cow::Owned(encoded)
}

/// The first character of a suffix that must be percent-encoded.
pub(crate) fn first_unencoded(suffix: &str) -> Option<char> {
    suffix
        .char_indices()
        .find(|(at, letter)| match letter {
            '%' => !starts_with_hex(&suffix[at + 1..]),
            letter => {
                !letter.is_ascii_graphic() || matches!(letter, '"' | '<' | '>' | '\\' | '^' | '`' | '{' | '|' | '}')
            }
        })
        .map(|(_, letter)| letter)
}

fn starts_with_hex(piece: &str) -> bool {
    piece.as_bytes().get(..2).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
}

/// The file name at the end of an address, if it has an extension.
pub(crate) fn file_name(address: &str) -> Option<String> {
    let path = address.split_once("://")?.1.split(['?', '#']).next()?;
    let (_, name) = path.rsplit_once('/')?;
    let name = percent_decode_str(name).decode_utf8().ok()?;
    let (stem, extension) = name.rsplit_once('.')?;
    let whole = !stem.is_empty() && !extension.is_empty() && !name.contains(['/', '\\']);
    (whole && !name.contains(char::is_control)).then(|| name.into_owned())
}

#[cfg(test)]
mod tests {
    use super::{encode_suffix, file_name, first_unencoded, is_address, is_upload};

    #[test]
    fn suffixes_are_encoded_once() {
        for (suffix, encoded, first) in [
            ("BLUE_ELF", "BLUE_ELF", None),
            ("", "", None),
            ("a/b?c=d&e=f+g#h~i.(j)'!*,;:@$[]", "a/b?c=d&e=f+g#h~i.(j)'!*,;:@$[]", None),
            ("two words", "two%20words", Some(' ')),
            ("already%20done%C3%A9", "already%20done%C3%A9", None),
            ("100%", "100%25", Some('%')),
            ("50%zz%2", "50%25zz%252", Some('%')),
            ("é 日", "%C3%A9%20%E6%97%A5", Some('é')),
            ("{a}|\\^`\"<>", "%7Ba%7D%7C%5C%5E%60%22%3C%3E", Some('{')),
            ("a%20b c", "a%20b%20c", Some(' ')),
            ("%é", "%25%C3%A9", Some('%')),
        ] {
            assert_eq!(encode_suffix(suffix), encoded);
            assert_eq!(first_unencoded(suffix), first, "{suffix}");
            assert_eq!(encode_suffix(encoded), encoded, "what is encoded stays");
        }
    }

    #[test]
    fn web_addresses_are_recognized() {
        for address in
            ["https://x.example/a.png", "HTTP://x.example", "https://[::1]:8080/a", "http://127.0.0.1:8080/é"]
        {
            assert!(is_address(address), "{address}");
        }
        for text in [
            "",
            "a.png",
            "ftp://x.example/a",
            "https://",
            "https:///a",
            "https://?a",
            "https://:80",
            "https://x.example/a b",
            "https://x.example/a\n",
            " https://x.example",
            "httpsé",
            "javascript:alert(1)",
            "file:///etc/hosts",
        ] {
            assert!(!is_address(text), "{text}");
        }
        assert!(is_upload("1013859600285441") && !is_upload("") && !is_upload("12a"));
    }

    #[test]
    fn file_names_are_read_from_links() {
        for (address, name) in [
            ("https://x.example/files/order.pdf?a=1#b", Some("order.pdf")),
            ("https://x.example/my%20order%20%C3%A9.pdf", Some("my order é.pdf")),
            ("https://x.example/download", None),
            ("https://x.example/", None),
            ("https://x.example", None),
            ("https://x.example/.pdf", None),
            ("https://x.example/a.", None),
            ("https://x.example/..%2F..%2Fa.pdf", None),
            ("https://x.example/%ff.pdf", None),
            ("https://x.example/a%0Ab.pdf", None),
            ("5", None),
        ] {
            assert_eq!(file_name(address).as_deref(), name, "{address}");
        }
    }
}
