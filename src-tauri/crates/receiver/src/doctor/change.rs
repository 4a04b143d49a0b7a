//! Undoes what happens to bodies on their way, one change at a time.

use std::{collections::BTreeMap, io::Read as _};

use flate2::read::{GzDecoder, ZlibDecoder};
use serde_json::value::RawValue;

use super::{Change, form, json::Text};

/// What a packed body may become.
const MOST_UNPACKED: u64 = 1024 * 1024;
/// Members of an object, or fields of a form, that may hold the body.
const MOST_MEMBERS: usize = 4;

/// The bodies that `body` may have been before one change.
pub(super) fn before(body: &[u8]) -> Vec<(Change, Vec<u8>)> {
    let mut found = Vec::new();
    ends(body, &mut found);
    encodings(body, &mut found);
    containers(body, &mut found);
    extent(body, &mut found);
    found.retain(|(_, bytes)| bytes != body);
    found
}

fn ends(body: &[u8], found: &mut Vec<(Change, Vec<u8>)>) {
    let is_line_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
    let bare = &body[..body.len() - body.iter().rev().take_while(|byte| is_line_end(byte)).count()];
    found.push((Change::NewlineAdded, bare.to_vec()));
    if bare.len() + 1 < body.len() {
        found.push((Change::NewlineAdded, body[..body.len() - 1].to_vec()));
    }
    found.push((Change::BlanksAdded, body.trim_ascii().to_vec()));
    for end in [&b"\n"[..], b"\r\n"] {
        found.push((Change::NewlineRemoved, [body, end].concat()));
    }
    const BOM: &[u8] = b"\xef\xbb\xbf";
    match body.strip_prefix(BOM) {
        Some(bare) => found.push((Change::BomAdded, bare.to_vec())),
        None => found.push((Change::BomRemoved, [BOM, body].concat())),
    }
    if body.contains(&b'\n') {
        let unix: Vec<u8> = replaced(body, b"\r\n", b"\n");
        let windows = replaced(&unix, b"\n", b"\r\n");
        found.push((Change::LineEndings, unix));
        found.push((Change::LineEndings, windows));
    }
}

fn replaced(body: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(body.len());
    let mut kept = 0;
    for at in memchr::memmem::find_iter(body, from) {
        out.extend_from_slice(&body[kept..at]);
        out.extend_from_slice(to);
        kept = at + from.len();
    }
    out.extend_from_slice(&body[kept..]);
    out
}

/// What Windows-1252 has where Latin-1 has controls; the control itself where it has nothing.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}', '‘', '’',
    '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

fn encodings(body: &[u8], found: &mut Vec<(Change, Vec<u8>)>) {
    if let Some(text) = from_utf16(body) {
        found.push((Change::ReencodedUtf16, text.into_bytes()));
    }
    let Ok(text) = std::str::from_utf8(body) else {
        let latin1: String = body.iter().copied().map(char::from).collect();
        let windows: String = body
            .iter()
            .map(|byte| match byte {
                0x80..=0x9f => WINDOWS_1252[usize::from(byte - 0x80)],
                other => char::from(*other),
            })
            .collect();
        found.push((Change::ReencodedLatin1, windows.into_bytes()));
        found.push((Change::ReencodedLatin1, latin1.into_bytes()));
        return;
    };
    if text.is_ascii() {
        return;
    }
    let byte_of = |character: char| {
        u8::try_from(u32::from(character)).ok().or_else(|| {
            let place = WINDOWS_1252.iter().position(|known| *known == character)?;
            u8::try_from(0x80 + place).ok()
        })
    };
    let once: Option<Vec<u8>> = text.chars().map(byte_of).collect();
    found.extend(once.filter(|once| std::str::from_utf8(once).is_ok()).map(|once| (Change::ReencodedTwice, once)));
}

fn from_utf16(body: &[u8]) -> Option<String> {
    let (body, little) = match body {
        [0xff, 0xfe, rest @ ..] => (rest, true),
        [0xfe, 0xff, rest @ ..] => (rest, false),
        // JSON begins with an ASCII character.
        [first, 0, ..] if *first != 0 => (body, true),
        [0, first, ..] if *first != 0 => (body, false),
        _ => return None,
    };
    let (pairs, []) = body.as_chunks::<2>() else { return None };
    let units = pairs.iter().map(|pair| if little { u16::from_le_bytes(*pair) } else { u16::from_be_bytes(*pair) });
    char::decode_utf16(units).collect::<Result<_, _>>().ok()
}

fn containers(body: &[u8], found: &mut Vec<(Change, Vec<u8>)>) {
    if let Some(bytes) = unpacked(body) {
        found.push((Change::Compressed, bytes));
    }
    let trimmed = body.trim_ascii();
    if trimmed.len() >= 4
        && let Some(bytes) = form::unbase64(trimmed)
    {
        found.push((Change::Base64Encoded, bytes));
    }
    let Ok(text) = std::str::from_utf8(trimmed) else { return };
    if text.contains("%7B") || text.contains("%7b") || text.contains("%5B") {
        for (name, value) in url::form_urlencoded::parse(trimmed).take(MOST_MEMBERS) {
            let content = if value.is_empty() { name } else { value };
            found.push((Change::PercentEncoded, content.into_owned().into_bytes()));
        }
    }
    if text.contains("&quot;") || text.contains("&#34;") {
        found.push((Change::HtmlEscaped, without_entities(text).into_bytes()));
    }
    if text.starts_with('"') {
        found.extend(serde_json::from_str::<String>(text).ok().map(|inner| (Change::Quoted, inner.into_bytes())));
    }
    if text.starts_with('{')
        && let Ok(members) = serde_json::from_str::<BTreeMap<String, &RawValue>>(text)
    {
        let holders = members.values().map(|member| member.get()).filter(|member| member.starts_with(['"', '{']));
        for member in holders.take(MOST_MEMBERS) {
            let inner = serde_json::from_str::<String>(member).unwrap_or_else(|_| member.to_owned());
            found.push((Change::Wrapped, inner.into_bytes()));
        }
    }
}

fn unpacked(body: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = match body {
        [0x1f, 0x8b, ..] => GzDecoder::new(body).take(MOST_UNPACKED).read_to_end(&mut bytes),
        [0x78, ..] => ZlibDecoder::new(body).take(MOST_UNPACKED).read_to_end(&mut bytes),
        _ => return None,
    };
    read.ok().map(|_| bytes)
}

fn without_entities(text: &str) -> String {
    // `&amp;` last, so that `&amp;quot;` is unescaped once.
    let entities = [
        ("&quot;", "\""),
        ("&#34;", "\""),
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&#39;", "'"),
        ("&#x27;", "'"),
        ("&apos;", "'"),
        ("&#47;", "/"),
        ("&#x2F;", "/"),
        ("&amp;", "&"),
    ];
    entities.iter().fold(text.to_owned(), |text, (entity, sign)| text.replace(entity, sign))
}

fn extent(body: &[u8], found: &mut Vec<(Change, Vec<u8>)>) {
    let Ok(text) = std::str::from_utf8(body) else { return };
    let read = Text::read(text);
    if !read.missing().is_empty() {
        found.push((Change::Cut, [body, read.missing().as_bytes()].concat()));
    }
    found.extend(read.first_value().map(|first| (Change::Appended, first.as_bytes().to_vec())));
    found.push((Change::SignedEmpty, Vec::new()));
}
