//! Reads the JSON of files that were edited or merged by hand.

use std::collections::HashSet;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

/// Parses the JSON of a file; a byte order mark, which some editors add, is allowed.
///
/// # Errors
/// Invalid JSON, or an object with a duplicate key: a merge of two changes can produce one without a conflict, and one
/// of the values would be lost silently.
pub fn json(bytes: &[u8]) -> serde_json::Result<Value> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let value = serde_json::from_slice(bytes)?;
    serde_json::from_slice::<UniqueKeys>(bytes)?;
    Ok(value)
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
}
