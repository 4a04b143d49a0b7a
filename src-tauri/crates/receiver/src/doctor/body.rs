//! Reverts the changes that proxies and programs make to a body.

use std::io::{self, Read as _};

use flate2::read::{GzDecoder, ZlibDecoder};
use serde_json::{Serializer, Value, ser::Formatter};

use super::Change;

/// Maximum length, in bytes, of a body whose changes are reverted. A longer one is checked only as received.
const MAX_BODY: usize = 1024 * 1024;
/// Maximum decompressed length, in bytes.
const MAX_DECOMPRESSED: u64 = 1024 * 1024;
const BOM: &[u8] = b"\xef\xbb\xbf";

/// Reverts one change: returns the bodies that may have been signed.
type Undo = fn(&[u8]) -> Vec<Vec<u8>>;

const CHANGES: [(Change, Undo); 8] = [
    (Change::NewlineAdded, |body| vec![body.trim_ascii().to_vec()]),
    (Change::NewlineRemoved, |body| vec![[body, b"\n"].concat(), [body, b"\r\n"].concat()]),
    (Change::LineEndings, other_line_endings),
    (Change::BomAdded, |body| body.strip_prefix(BOM).map(<[u8]>::to_vec).into_iter().collect()),
    (Change::BomRemoved, |body| vec![[BOM, body].concat()]),
    (Change::CharsetChanged, in_utf8),
    (Change::Compressed, |body| decompressed(body).into_iter().collect()),
    (Change::Reserialised, reserialised),
];

/// The candidates for the body before one change, computed lazily.
pub(super) fn candidates(body: &[u8]) -> impl Iterator<Item = (Change, Vec<u8>)> {
    let changes: &[_] = if body.len() <= MAX_BODY { &CHANGES } else { &[] };
    changes.iter().flat_map(move |(change, undo)| undo(body).into_iter().map(|before| (*change, before)))
}

/// Whether the body is empty or truncated JSON.
pub(super) fn is_cut(body: &[u8]) -> bool {
    serde_json::from_slice::<serde::de::IgnoredAny>(body).is_err_and(|error| error.is_eof())
}

fn other_line_endings(body: &[u8]) -> Vec<Vec<u8>> {
    let Ok(text) = std::str::from_utf8(body) else { return Vec::new() };
    let unix = text.replace("\r\n", "\n");
    let windows = unix.replace('\n', "\r\n");
    vec![unix.into_bytes(), windows.into_bytes()]
}

/// The body in UTF-8, if it was converted to Latin-1 or UTF-16, or read as Latin-1 and encoded a second time.
fn in_utf8(body: &[u8]) -> Vec<Vec<u8>> {
    let mut found: Vec<Vec<u8>> = Vec::new();
    found.extend(from_utf16(body).map(String::into_bytes));
    match std::str::from_utf8(body) {
        Ok(text) => found.extend(text.chars().map(|letter| u8::try_from(letter).ok()).collect::<Option<Vec<u8>>>()),
        Err(_) => found.push(body.iter().copied().map(char::from).collect::<String>().into_bytes()),
    }
    found
}

fn from_utf16(body: &[u8]) -> Option<String> {
    let (pairs, []) = body.as_chunks::<2>() else { return None };
    let decode: fn([u8; 2]) -> u16 = match body {
        // A byte order mark, or an ASCII character at the start, as in JSON.
        [0xff, 0xfe, ..] | [_, 0, ..] => u16::from_le_bytes,
        [0xfe, 0xff, ..] | [0, _, ..] => u16::from_be_bytes,
        _ => return None,
    };
    let text = String::from_utf16(&pairs.iter().copied().map(decode).collect::<Vec<_>>()).ok()?;
    Some(text.trim_start_matches('\u{feff}').to_owned())
}

fn decompressed(body: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = match body {
        [0x1f, 0x8b, ..] => GzDecoder::new(body).take(MAX_DECOMPRESSED).read_to_end(&mut bytes),
        [0x78, ..] => ZlibDecoder::new(body).take(MAX_DECOMPRESSED).read_to_end(&mut bytes),
        _ => return None,
    };
    read.ok().map(|_| bytes)
}

/// Formatting of JSON by a sender.
#[derive(Clone, Copy)]
struct Style {
    /// A space after `,` and `:`, as in Python.
    spaced: bool,
    /// Non-ASCII characters as `\u00e9`.
    escaped_letters: bool,
    /// `/` as `\/`, as in PHP.
    escaped_slashes: bool,
    /// `<`, `%` and `@` as `\u003C`, `\u0025` and `\u0040` (upstream §9.2).
    escaped_signs: bool,
}

const STYLES: [Style; 8] = [
    // The channel's.
    Style { spaced: false, escaped_letters: true, escaped_slashes: true, escaped_signs: false },
    Style { spaced: false, escaped_letters: true, escaped_slashes: true, escaped_signs: true },
    Style { spaced: false, escaped_letters: true, escaped_slashes: false, escaped_signs: false },
    Style { spaced: false, escaped_letters: false, escaped_slashes: true, escaped_signs: false },
    Style { spaced: false, escaped_letters: false, escaped_slashes: false, escaped_signs: false },
    Style { spaced: true, escaped_letters: true, escaped_slashes: true, escaped_signs: false },
    Style { spaced: true, escaped_letters: true, escaped_slashes: false, escaped_signs: false },
    Style { spaced: true, escaped_letters: false, escaped_slashes: false, escaped_signs: false },
];

/// The body's JSON in the formats of common senders. Numbers and the order of keys are kept; a changed order is not
/// detected.
fn reserialised(body: &[u8]) -> Vec<Vec<u8>> {
    let Ok(value) = serde_json::from_slice::<Value>(body) else { return Vec::new() };
    STYLES.iter().filter_map(|style| written(&value, *style)).collect()
}

fn written(value: &Value, style: Style) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    serde::Serialize::serialize(value, &mut Serializer::with_formatter(&mut out, style)).ok()?;
    Some(out)
}

impl Style {
    fn separate<W: ?Sized + io::Write>(self, writer: &mut W, first: bool) -> io::Result<()> {
        if first {
            return Ok(());
        }
        writer.write_all(if self.spaced { b", " } else { b"," })
    }
}

impl Formatter for Style {
    fn begin_array_value<W: ?Sized + io::Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.separate(writer, first)
    }

    fn begin_object_key<W: ?Sized + io::Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.separate(writer, first)
    }

    fn begin_object_value<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(if self.spaced { b": " } else { b":" })
    }

    fn write_string_fragment<W: ?Sized + io::Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        for letter in fragment.chars() {
            match letter {
                '/' if self.escaped_slashes => writer.write_all(b"\\/")?,
                '<' | '%' | '@' if self.escaped_signs => write!(writer, "\\u{:04X}", u32::from(letter))?,
                _ if self.escaped_letters && !letter.is_ascii() => {
                    for unit in letter.encode_utf16(&mut [0; 2]) {
                        write!(writer, "\\u{unit:04x}")?;
                    }
                }
                _ => write!(writer, "{letter}")?,
            }
        }
        Ok(())
    }
}
