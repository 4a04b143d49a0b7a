//! What happens to bodies: the table of all changes.

use std::{io::Write as _, sync::LazyLock};

use flate2::{Compression, write::GzEncoder, write::ZlibEncoder};

use super::super::{Change, json, json::Text, probe};
use super::{CHANNEL, PLAIN};

pub(super) fn gzip(body: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(body).unwrap();
    encoder.finish().unwrap()
}

fn zlib(body: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(body).unwrap();
    encoder.finish().unwrap()
}

fn utf16(text: &str, little: bool, mark: bool) -> Vec<u8> {
    let text = format!("{}{text}", if mark { "\u{feff}" } else { "" });
    let bytes = |unit: u16| if little { unit.to_le_bytes() } else { unit.to_be_bytes() };
    text.encode_utf16().flat_map(bytes).collect()
}

fn latin1(text: &str) -> Vec<u8> {
    text.chars().map(|character| u8::try_from(u32::from(character)).unwrap()).collect()
}

fn percent_encoded(text: &str) -> String {
    url::form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

/// Parsed and printed by the library that this program has: keys in order, no escapes.
fn through_serde(text: &str) -> String {
    serde_json::from_str::<serde_json::Value>(text).unwrap().to_string()
}

fn pretty(text: &str) -> String {
    serde_json::to_string_pretty(&serde_json::from_str::<serde_json::Value>(text).unwrap()).unwrap()
}

/// Indented, but with numbers, repeated keys and escapes as they are.
fn pretty_kept(text: &str, indent: &'static str) -> String {
    let layout = json::Layout::Indented(indent, "\n");
    let style =
        json::Style { layout, letters: json::Letters::Kept, slashes: json::Slashes::Kept, signs: json::Signs::Kept };
    Text::read(text).write(style).unwrap().0
}

fn latin1_read(bytes: &[u8]) -> String {
    bytes.iter().copied().map(char::from).collect()
}

/// A name, what was signed, what arrived, and what the doctor has to say.
pub(super) type Arrival = (&'static str, Vec<u8>, Vec<u8>, Vec<Change>);

/// Every change, done to a signed body.
pub(super) static CHANGES: LazyLock<Vec<Arrival>> = LazyLock::new(|| {
    use Change::{
        Appended, Base64Encoded, BlanksAdded, BomAdded, BomRemoved, Compressed, Cut, Escaped, EscapesRecased,
        HtmlEscaped, LineEndings, NewlineAdded, NewlineRemoved, PercentEncoded, Quoted, ReencodedLatin1,
        ReencodedTwice, ReencodedUtf16, Reserialised, SignedEmpty, SignsEscaped, SignsUnescaped, SlashesEscaped,
        SlashesUnescaped, Unescaped, Wrapped,
    };
    let letters = r#"{"t":"caf\u00e9 \ud83d\ude00"}"#;
    let raw_letters = r#"{"t":"café 😀"}"#;
    let lines = "{\n  \"a\": 1\n}";
    let latin = r#"{"t":"café"}"#;
    let windows = r#"{"t":"5 € – “q”"}"#;
    let bytes = |text: &str| text.as_bytes().to_vec();
    let bom = |text: &str| [b"\xef\xbb\xbf", text.as_bytes()].concat();
    let channel = CHANNEL.replace(",\"n\":1.0,\"n\":[],\"o\":{}", "");
    let parsed = through_serde(&channel);
    vec![
        ("unescaped", bytes(letters), bytes(raw_letters), vec![Unescaped]),
        ("half unescaped", bytes(letters), bytes(r#"{"t":"café \ud83d\ude00"}"#), vec![Unescaped]),
        ("escaped", bytes(raw_letters), bytes(letters), vec![Escaped]),
        ("upper-case escapes", bytes(letters), bytes(r#"{"t":"caf\u00E9 \uD83D\uDE00"}"#), vec![EscapesRecased]),
        ("slashes unescaped", bytes(r#"{"u":"https:\/\/x"}"#), bytes(r#"{"u":"https://x"}"#), vec![SlashesUnescaped]),
        ("slashes escaped", bytes(r#"{"u":"https://x"}"#), bytes(r#"{"u":"https:\/\/x"}"#), vec![SlashesEscaped]),
        ("signs", bytes(r#"{"t":"\u003Cb a\u0040b \u0025"}"#), bytes(r#"{"t":"<b a@b %"}"#), vec![SignsUnescaped]),
        ("signs of Go", bytes(r#"{"t":"\u003cb\u003e \u0026"}"#), bytes(r#"{"t":"<b> &"}"#), vec![SignsUnescaped]),
        ("signs escaped", bytes(r#"{"t":"<b> &"}"#), bytes(r#"{"t":"\u003cb\u003e \u0026"}"#), vec![SignsEscaped]),
        ("the channel's, parsed", bytes(&channel), bytes(&parsed), vec![Unescaped, SlashesUnescaped]),
        (
            "the channel's, parsed and indented",
            bytes(&channel),
            bytes(&pretty(&channel)),
            vec![Reserialised, Unescaped, SlashesUnescaped],
        ),
        (
            "the channel's, parsed, with a line end",
            bytes(&channel),
            bytes(&format!("{parsed}\n")),
            vec![Unescaped, SlashesUnescaped, NewlineAdded],
        ),
        ("compact to indented", bytes(CHANNEL), bytes(&pretty_kept(CHANNEL, "  ")), vec![Reserialised]),
        ("indented to compact", bytes(&pretty_kept(CHANNEL, "\t")), bytes(CHANNEL), vec![Reserialised]),
        ("indented by four", bytes(&pretty_kept(PLAIN, "    ")), bytes(PLAIN), vec![Reserialised]),
        (
            "spaced to compact",
            bytes(r#"{"a": [1, 2], "b": "x, y"}"#),
            bytes(r#"{"a":[1,2],"b":"x, y"}"#),
            vec![Reserialised],
        ),
        ("blanks nobody writes", bytes(r#"{"a":[1,2]}"#), bytes(r#"{ "a" :[1 ,2] }"#), vec![Reserialised]),
        (
            "indented with a line end to compact",
            bytes(&format!("{}\n", pretty(r#"{"a":[1,2]}"#))),
            bytes(r#"{"a":[1,2]}"#),
            vec![Reserialised, NewlineRemoved],
        ),
        ("line end added", bytes(CHANNEL), bytes(&format!("{CHANNEL}\n")), vec![NewlineAdded]),
        ("CR LF added", bytes(CHANNEL), bytes(&format!("{CHANNEL}\r\n")), vec![NewlineAdded]),
        ("one of two line ends added", bytes("{}\n"), bytes("{}\n\n"), vec![NewlineAdded]),
        ("line end removed", bytes(&format!("{CHANNEL}\n")), bytes(CHANNEL), vec![NewlineRemoved]),
        ("CR LF removed", bytes(&format!("{CHANNEL}\r\n")), bytes(CHANNEL), vec![NewlineRemoved]),
        ("blanks added", bytes(CHANNEL), bytes(&format!(" {CHANNEL}  ")), vec![BlanksAdded]),
        ("LF to CR LF", bytes(lines), bytes(&lines.replace('\n', "\r\n")), vec![LineEndings]),
        ("CR LF to LF", bytes(&lines.replace('\n', "\r\n")), bytes(lines), vec![LineEndings]),
        ("mark added", bytes(CHANNEL), bom(CHANNEL), vec![BomAdded]),
        ("mark removed", bom(CHANNEL), bytes(CHANNEL), vec![BomRemoved]),
        ("mark and line end added", bytes(CHANNEL), bom(&format!("{CHANNEL}\n")), vec![BomAdded, NewlineAdded]),
        ("Latin-1", bytes(latin), latin1(latin), vec![ReencodedLatin1]),
        ("Windows-1252", bytes(windows), b"{\"t\":\"5 \x80 \x96 \x93q\x94\"}".to_vec(), vec![ReencodedLatin1]),
        ("encoded twice", bytes(latin), bytes(&latin1_read(latin.as_bytes())), vec![ReencodedTwice]),
        ("encoded twice as Windows-1252", bytes(r#"{"t":"€"}"#), bytes("{\"t\":\"â‚¬\"}"), vec![ReencodedTwice]),
        ("UTF-16 LE", bytes(PLAIN), utf16(PLAIN, true, false), vec![ReencodedUtf16]),
        ("UTF-16 BE", bytes(PLAIN), utf16(PLAIN, false, false), vec![ReencodedUtf16]),
        ("UTF-16 LE with mark", bytes(PLAIN), utf16(PLAIN, true, true), vec![ReencodedUtf16]),
        ("UTF-16 BE with mark", bytes(PLAIN), utf16(PLAIN, false, true), vec![ReencodedUtf16]),
        ("percent-encoded", bytes(PLAIN), bytes(&percent_encoded(PLAIN)), vec![PercentEncoded]),
        (
            "a form's field",
            bytes(PLAIN),
            bytes(&format!("a=1&payload={}", percent_encoded(PLAIN))),
            vec![PercentEncoded],
        ),
        (
            "HTML entities",
            bytes(PLAIN),
            bytes(&PLAIN.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;").replace('>', "&gt;")),
            vec![HtmlEscaped],
        ),
        ("in a string", bytes(CHANNEL), bytes(&serde_json::to_string(CHANNEL).unwrap()), vec![Quoted]),
        ("in an object", bytes(PLAIN), bytes(&format!(r#"{{"id":1,"event":{PLAIN}}}"#)), vec![Wrapped]),
        (
            "a string in an object",
            bytes(CHANNEL),
            bytes(&serde_json::json!({"isBase64Encoded": false, "body": CHANNEL}).to_string()),
            vec![Wrapped],
        ),
        ("base64", bytes(CHANNEL), bytes(&probe::base64(CHANNEL.as_bytes())), vec![Base64Encoded]),
        (
            "base64 in an object",
            bytes(CHANNEL),
            bytes(&serde_json::json!({"isBase64Encoded": true, "body": probe::base64(CHANNEL.as_bytes())}).to_string()),
            vec![Base64Encoded, Wrapped],
        ),
        ("gzip", bytes(CHANNEL), gzip(CHANNEL.as_bytes()), vec![Compressed]),
        ("zlib", bytes(CHANNEL), zlib(CHANNEL.as_bytes()), vec![Compressed]),
        ("parsed and packed", bytes(letters), gzip(raw_letters.as_bytes()), vec![Unescaped, Compressed]),
        ("cut", bytes(CHANNEL), bytes(&CHANNEL[..CHANNEL.len() - 4]), vec![Cut]),
        ("appended", bytes(CHANNEL), bytes(&format!("{CHANNEL}\0\0")), vec![Appended]),
        ("signed empty", Vec::new(), bytes(CHANNEL), vec![SignedEmpty]),
    ]
});
