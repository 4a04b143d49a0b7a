//! Lenient deserialisation of known fields: `null` counts as absent, and a number is accepted as a string.
//!
//! One field in an unexpected form must not make a whole template or delivery unreadable.

use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer};
use serde_json::Value;

/// A string; numbers and booleans as text, `null` as the empty string.
pub(crate) fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    Ok(maybe_text(deserializer)?.unwrap_or_default())
}

/// An optional string; numbers and booleans as text.
pub(crate) fn maybe_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Ok(Option::<Scalar>::deserialize(deserializer)?.map(Scalar::into_text))
}

/// A nested string, read like [`text()`].
#[derive(Deserialize)]
pub(crate) struct Text(#[serde(deserialize_with = "text")] pub(crate) String);

pub(crate) fn strings(texts: Vec<Text>) -> Vec<String> {
    texts.into_iter().map(|text| text.0).collect()
}

/// An array of strings, or a single string; both occur for the same fields.
pub(crate) fn texts<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    crate::open::one_or_many(deserializer).map(strings)
}

/// An optional integer, also written as a string or with a zero fraction.
pub(crate) fn maybe_integer<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i64>, D::Error> {
    let Some(scalar) = Option::<Scalar>::deserialize(deserializer)? else { return Ok(None) };
    let text = scalar.into_text();
    let number = text.trim();
    number
        .parse::<i64>()
        .ok()
        .or_else(|| number.strip_suffix(".0").and_then(|whole| whole.parse().ok()))
        .map(Some)
        .ok_or_else(|| serde::de::Error::custom(format!("`{number}` is not a whole number")))
}

/// An optional integer from 0, also written as a string.
pub(crate) fn maybe_count<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    maybe_integer(deserializer)?
        .map(|number| u64::try_from(number).map_err(|_| serde::de::Error::custom("a negative number")))
        .transpose()
}

/// An optional boolean, also written as a string.
pub(crate) fn maybe_flag<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<bool>, D::Error> {
    let Some(scalar) = Option::<Scalar>::deserialize(deserializer)? else { return Ok(None) };
    match scalar.into_text().to_ascii_lowercase().as_str() {
        "true" | "1" => Ok(Some(true)),
        "false" | "0" => Ok(Some(false)),
        other => Err(serde::de::Error::custom(format!("`{other}` is neither true nor false"))),
    }
}

/// Any value; `null` becomes the default.
pub(crate) fn or_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + Default,
{
    Ok(Option::<T>::deserialize(deserializer)?.unwrap_or_default())
}

/// A value that is present, possibly `null`.
pub(crate) fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

/// A value, or `None` if it can't be read: for informational parts of a whole that must be applied.
pub(crate) fn if_readable<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    let value = Value::deserialize(deserializer)?;
    Ok(if value.is_null() { None } else { crate::json::read(&value).ok() })
}

/// The readable elements of an array; a single object counts as an array with one element.
pub(crate) fn readable_members<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    Ok(match Value::deserialize(deserializer)? {
        Value::Null => Vec::new(),
        Value::Array(values) => values.iter().filter_map(|value| crate::json::read(value).ok()).collect(),
        value => crate::json::read(&value).into_iter().collect(),
    })
}

/// A string, a number or a boolean.
struct Scalar(String);

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(match Value::deserialize(deserializer)? {
            Value::String(text) => text,
            Value::Number(number) => number.to_string(),
            Value::Bool(flag) => flag.to_string(),
            _ => return Err(serde::de::Error::custom("expected a text, a number, true or false")),
        }))
    }
}

impl Scalar {
    fn into_text(self) -> String {
        self.0
    }
}
