//! The conversation object of a message, as its row holds it: what differs between messages apart from what few texts
//! are enough for.

use std::borrow::Cow;
use std::ops::Range;

use rusqlite::ToSql;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSqlOutput, Value, ValueRef};

/// Takes the place of the identifier in a [`Parts::rest`]. JSON contains no control characters.
const IDENTIFIER: char = '\u{1}';
/// Takes the place of the digits of the expiry in a [`Parts::rest`].
const EXPIRY: char = '\u{2}';
/// Precedes the identifier.
const IDENTIFIER_KEY: &str = r#""id":""#;
/// Precedes the expiry, which is a text or a number.
const EXPIRY_KEY: &str = r#""expiration_timestamp":"#;
/// Digits of an identifier that is stored as bytes.
const HEX_DIGITS: usize = 32;

/// A conversation object in columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Parts<'a> {
    /// The identifier; the whole object if there is no `rest`.
    pub(super) value: PartValue<'a>,
    /// Seconds since 1970 when the conversation expires, if the object has them.
    pub(super) expires: Option<i64>,
    /// The object without its identifier and its expiry: a shared text.
    pub(super) rest: Option<String>,
}

/// A text, or the bytes of a text of 32 lower-case hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PartValue<'a> {
    /// A text as it is.
    Text(Cow<'a, str>),
    /// Half as long as its text.
    Hex(u128),
}

impl<'a> Parts<'a> {
    /// Splits an object so that [`join`] returns the same text.
    pub(super) fn of(json: &'a str) -> Self {
        Self::split(json).unwrap_or(Parts { value: PartValue::Text(json.into()), expires: None, rest: None })
    }

    fn split(json: &'a str) -> Option<Self> {
        if json.contains([IDENTIFIER, EXPIRY]) {
            return None;
        }
        let (before, after) = split_at_end_of(json, IDENTIFIER_KEY)?;
        let (identifier, after) = after.split_at(after.find('"')?);
        let mut rest = String::with_capacity(json.len());
        rest.push_str(before);
        rest.push(IDENTIFIER);
        rest.push_str(after);
        let expires = expiry(&rest).map(|(range, seconds)| {
            rest.replace_range(range, EXPIRY.encode_utf8(&mut [0; 4]));
            seconds
        });
        // With further numbers, the rest may be another one for each message.
        if rest.contains(|c: char| c.is_ascii_digit()) {
            return None;
        }
        Some(Parts { value: PartValue::of(identifier), expires, rest: Some(rest) })
    }
}

/// Where the digits of the expiry are, and its seconds.
fn expiry(json: &str) -> Option<(Range<usize>, i64)> {
    let (_, after) = split_at_end_of(json, EXPIRY_KEY)?;
    let after = after.strip_prefix('"').unwrap_or(after);
    let digits = &after[..after.bytes().take_while(u8::is_ascii_digit).count()];
    // A number in another notation would not be read back as the same text.
    let seconds = digits.parse::<i64>().ok().filter(|seconds| seconds.to_string() == digits)?;
    let start = json.len() - after.len();
    Some((start..start + digits.len(), seconds))
}

/// The texts up to and including the first `key`, and after it.
fn split_at_end_of<'a>(text: &'a str, key: &str) -> Option<(&'a str, &'a str)> {
    Some(text.split_at(text.find(key)? + key.len()))
}

/// The object of its parts.
pub(super) fn join(value: PartValue<'_>, expires: Option<i64>, rest: Option<&str>) -> String {
    let value = match value {
        PartValue::Text(text) => text,
        PartValue::Hex(number) => format!("{number:032x}").into(),
    };
    let Some(rest) = rest else { return value.into_owned() };
    let mut json = String::with_capacity(rest.len() + value.len() + 20);
    for c in rest.chars() {
        match (c, expires) {
            (IDENTIFIER, _) => json.push_str(&value),
            (EXPIRY, Some(seconds)) => json.push_str(&seconds.to_string()),
            _ => json.push(c),
        }
    }
    json
}

impl<'a> PartValue<'a> {
    fn of(identifier: &'a str) -> Self {
        let is_hex =
            identifier.len() == HEX_DIGITS && identifier.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        match u128::from_str_radix(identifier, 16) {
            Ok(number) if is_hex => PartValue::Hex(number),
            _ => PartValue::Text(identifier.into()),
        }
    }
}

impl ToSql for PartValue<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self {
            PartValue::Text(text) => ToSqlOutput::Borrowed(ValueRef::Text(text.as_bytes())),
            PartValue::Hex(number) => ToSqlOutput::Owned(Value::Blob(number.to_be_bytes().to_vec())),
        })
    }
}

impl FromSql for PartValue<'_> {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        match value {
            ValueRef::Text(_) => Ok(PartValue::Text(value.as_str()?.to_owned().into())),
            ValueRef::Blob(bytes) => {
                let bytes = bytes
                    .try_into()
                    .map_err(|_| FromSqlError::InvalidBlobSize { expected_size: 16, blob_size: bytes.len() })?;
                Ok(PartValue::Hex(u128::from_be_bytes(bytes)))
            }
            _ => Err(FromSqlError::InvalidType),
        }
    }
}
