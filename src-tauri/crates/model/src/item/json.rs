//! Splits JSON text into raw pieces without parsing all of it.

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// The members of an object: decoded key, raw key, raw value. Keys may be duplicated.
pub(super) struct Members<'a>(Vec<(Cow<'a, str>, &'a RawValue, &'a RawValue)>);

impl<'a> Members<'a> {
    /// `None` unless `json` is an object.
    pub(super) fn of(json: &'a RawValue) -> Option<Self> {
        if json.get().starts_with('{') { serde_json::from_str(json.get()).ok() } else { None }
    }

    /// The value of the last member with that name; the last one counts, as in common JSON parsers.
    pub(super) fn get(&self, name: &str) -> Option<&'a RawValue> {
        self.0.iter().rev().find(|(key, ..)| key == name).map(|(_, _, value)| *value)
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&Cow<'a, str>, &'a RawValue)> {
        self.0.iter().map(|(key, _, value)| (key, *value))
    }

    /// Whether there are no members with other names.
    pub(super) fn only(&self, names: &[&str]) -> bool {
        self.0.iter().all(|(key, ..)| names.contains(&key.as_ref()))
    }

    /// The object with the members at the positions in `narrowed` reduced to the given elements (as an array, if it was
    /// one), the members at `others` unchanged, and no other members. The order is kept.
    pub(super) fn narrowed(&self, narrowed: &[(usize, &str)], others: &[usize]) -> Box<RawValue> {
        let whole = others.iter().map(|at| (*at, None));
        let mut members: Vec<_> = narrowed.iter().map(|(at, elements)| (*at, Some(*elements))).chain(whole).collect();
        members.sort_unstable_by_key(|(at, _)| *at);
        let mut json = String::from("{");
        members.into_iter().for_each(|(at, elements)| self.write(&mut json, at, elements));
        json.push('}');
        raw(json)
    }

    fn write(&self, json: &mut String, at: usize, elements: Option<&str>) {
        let (_, key, value) = &self.0[at];
        if json.len() > 1 {
            json.push(',');
        }
        json.push_str(key.get());
        json.push(':');
        match elements {
            Some(elements) if value.get().starts_with('[') => {
                json.push('[');
                json.push_str(elements);
                json.push(']');
            }
            Some(element) => json.push_str(element),
            None => json.push_str(value.get()),
        }
    }
}

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collect;
        impl<'de> Visitor<'de> for Collect {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some((key, value)) = map.next_entry::<&RawValue, &RawValue>()? {
                    // A key with a lone surrogate can't be decoded; it is kept and never matches.
                    members.push((scalar(key).unwrap_or_default(), key, value));
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Collect)
    }
}

/// The elements of an array; an object counts as an array with one element.
pub(super) fn elements(json: &RawValue) -> Option<Vec<&RawValue>> {
    match json.get().as_bytes().first() {
        Some(b'[') => serde_json::from_str(json.get()).ok(),
        Some(b'{') => Some(vec![json]),
        _ => None,
    }
}

/// A string, or a number or boolean as text.
pub(super) fn scalar(json: &RawValue) -> Option<Cow<'_, str>> {
    let text = json.get();
    match text.as_bytes().first() {
        Some(b'"') if !text.contains('\\') => Some(Cow::Borrowed(&text[1..text.len() - 1])),
        Some(b'"') => serde_json::from_str(text).ok().map(Cow::Owned),
        Some(b'{' | b'[') | None => None,
        _ if text == "null" => None,
        _ => Some(Cow::Borrowed(text)),
    }
}

/// A raw value that was assembled from valid JSON.
pub(super) fn raw(json: String) -> Box<RawValue> {
    RawValue::from_string(json).expect("pieces of valid JSON joined by its own grammar are valid JSON")
}
