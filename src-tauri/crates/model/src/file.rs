//! Reads the JSON of files that were edited or merged by hand.

use std::collections::HashSet;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

/// Parses the JSON of a file in UTF-8, or in UTF-16 with a byte order mark, which `>` of Windows PowerShell writes. In UTF-8
/// a mark is allowed, which some editors add.
///
/// # Errors
/// Invalid JSON, or an object with a duplicate key: a merge of two changes can produce one without a conflict, and one
/// of the values would be lost silently.
pub fn json(bytes: &[u8]) -> serde_json::Result<Value> {
    let wide = from_utf_16(bytes);
    let bytes = wide.as_ref().map_or(bytes, String::as_bytes);
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let value = serde_json::from_slice(bytes)?;
    serde_json::from_slice::<UniqueKeys>(bytes)?;
    Ok(value)
}

/// The text of UTF-16 after its byte order mark; `None` for anything else.
fn from_utf_16(bytes: &[u8]) -> Option<String> {
    let (text, unit): (_, fn([u8; 2]) -> u16) = match bytes {
        [0xff, 0xfe, text @ ..] => (text, u16::from_le_bytes),
        [0xfe, 0xff, text @ ..] => (text, u16::from_be_bytes),
        _ => return None,
    };
    let (units, []) = text.as_chunks() else { return None };
    String::from_utf16(&units.iter().copied().map(unit).collect::<Vec<_>>()).ok()
}

/// Checks that no object of the JSON has a duplicate key.
struct UniqueKeys;

impl<'de> Deserialize<'de> for UniqueKeys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(UniqueKeysVisitor)
    }
}

struct UniqueKeysVisitor;

impl<'de> Visitor<'de> for UniqueKeysVisitor {
    type Value = UniqueKeys;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<UniqueKeys, A::Error> {
        let mut keys = HashSet::new();
        while let Some(key) = map.next_key::<String>()? {
            if keys.contains(&key) {
                return Err(A::Error::custom(format_args!(
                    "the key `{key}` appears twice in one object; keep one of them"
                )));
            }
            keys.insert(key);
            map.next_value::<UniqueKeys>()?;
        }
        Ok(UniqueKeys)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<UniqueKeys, A::Error> {
        while items.next_element::<UniqueKeys>()?.is_some() {}
        Ok(UniqueKeys)
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<UniqueKeys, E> {
        Ok(UniqueKeys)
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<UniqueKeys, E> {
        Ok(UniqueKeys)
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<UniqueKeys, E> {
        Ok(UniqueKeys)
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<UniqueKeys, E> {
        Ok(UniqueKeys)
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<UniqueKeys, E> {
        Ok(UniqueKeys)
    }

    fn visit_unit<E: Error>(self) -> Result<UniqueKeys, E> {
        Ok(UniqueKeys)
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed expectation is the test's failure")]

    use super::*;

    #[test]
    fn duplicate_keys_are_rejected() {
        let good = r#"{"a": [1, -2, 0.5, true, null, "x", {"b": {}}, {"b": []}], "b": 1}"#;
        assert_eq!(json(good.as_bytes()).unwrap(), serde_json::from_str::<Value>(good).unwrap());
        assert_eq!(json(b"\xef\xbb\xbf[]").unwrap(), serde_json::json!([]));
        for (text, expected) in [
            (r#"{"a": 1, "b": 2, "a": 3}"#, "the key `a` appears twice"),
            (
                "[{\"x\": {\"y\": 1,\n \"\\u0079\": 1}}]",
                "the key `y` appears twice in one object; keep one of them at line 2",
            ),
            ("<<<<<<< ours\n{}", "expected value at line 1"),
            ("{} {}", "trailing characters"),
        ] {
            let error = json(text.as_bytes()).unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }

    #[test]
    fn text_in_utf_16_is_read() {
        let text = "{\"text\": \"Olá 🌷\"}\r\n";
        let units = || std::iter::once(0xfeff).chain(text.encode_utf16());
        for bytes in
            [units().flat_map(u16::to_le_bytes).collect::<Vec<_>>(), units().flat_map(u16::to_be_bytes).collect()]
        {
            assert_eq!(json(&bytes).unwrap(), serde_json::json!({"text": "Olá 🌷"}));
            assert!(json(&bytes[..bytes.len() - 1]).is_err(), "half a unit");
        }
        assert!(json(b"\xff\xfe\x00\xd8{}").is_err(), "half a character");
    }
}
