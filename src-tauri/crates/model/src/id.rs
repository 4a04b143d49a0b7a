//! Identifiers that the provider writes as a number in some places and as a string in others.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Number, Value};

/// An identifier of the provider. Stored as text: JavaScript numbers above 2^53 lose digits.
///
/// Written in the form it was read in; [`Id::number`] creates one that is written as a number.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Id {
    text: String,
    numeric: bool,
}

impl Id {
    /// An identifier that is written as a JSON string.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), numeric: false }
    }

    /// An identifier that is written as a JSON number; `None` unless `digits` is an unsigned 64-bit integer.
    #[must_use]
    pub fn number(digits: &str) -> Option<Self> {
        let number: u64 = digits.parse().ok()?;
        Some(Self { text: number.to_string(), numeric: true })
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl std::fmt::Display for Id {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

impl Serialize for Id {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if !self.numeric {
            return serializer.serialize_str(&self.text);
        }
        match self.text.parse::<Number>() {
            Ok(number) => number.serialize(serializer),
            Err(_) => serializer.serialize_str(&self.text),
        }
    }
}

impl<'de> Deserialize<'de> for Id {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::Number(number) => Ok(Self { text: number.to_string(), numeric: true }),
            Value::String(text) => Ok(Self { text, numeric: false }),
            _ => Err(serde::de::Error::custom("expected a number or a text")),
        }
    }
}
