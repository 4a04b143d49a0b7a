//! Splits JSON text into raw pieces without parsing all of it.
//!
//! The text was validated as a whole before: a piece of it ends where its brackets and strings do, which one scan
//! finds.

use std::borrow::Cow;

use memchr::memchr2;
use serde_json::value::RawValue;

/// The members of an object: decoded key, raw key, raw value. Keys may be duplicated.
pub(super) struct Members<'a>(Vec<(Cow<'a, str>, &'a str, &'a str)>);

impl<'a> Members<'a> {
    /// The members of valid JSON; `None` unless it is an object.
    pub(super) fn of(json: &'a str) -> Option<Self> {
        let mut scan = Scan { json, at: json.strip_prefix('{').map(|_| 1)? };
        let mut members = Vec::with_capacity(8);
        while scan.next_is_not(b'}')? {
            let key = scan.value()?;
            let value = scan.value()?;
            // A key with a lone surrogate can't be decoded; it is kept and never matches.
            members.push((scalar(key).unwrap_or_default(), key, value));
        }
        Some(Self(members))
    }

    /// The value of the last member with that name; the last one counts, as in common JSON parsers.
    pub(super) fn get(&self, name: &str) -> Option<&'a str> {
        self.0.iter().rev().find(|(key, ..)| key == name).map(|(_, _, value)| *value)
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&Cow<'a, str>, &'a str)> {
        self.0.iter().map(|(key, _, value)| (key, *value))
    }

    /// Whether there are no members with other names.
    pub(super) fn only(&self, names: &[&str]) -> bool {
        self.0.iter().all(|(key, ..)| names.contains(&key.as_ref()))
    }

    /// Whether every member has another name.
    pub(super) fn are_unique(&self) -> bool {
        self.0.iter().enumerate().all(|(at, (key, ..))| self.0[..at].iter().all(|(other, ..)| other != key))
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
        json.push_str(key);
        json.push(':');
        match elements {
            Some(elements) if value.starts_with('[') => {
                json.push('[');
                json.push_str(elements);
                json.push(']');
            }
            Some(element) => json.push_str(element),
            None => json.push_str(value),
        }
    }
}

/// A position in valid JSON.
struct Scan<'a> {
    json: &'a str,
    at: usize,
}

impl<'a> Scan<'a> {
    /// Skips white space and separators. Whether another byte than `end` follows; `None` at the end of the text.
    fn next_is_not(&mut self, end: u8) -> Option<bool> {
        self.skip();
        self.json.as_bytes().get(self.at).map(|byte| *byte != end)
    }

    fn skip(&mut self) {
        let rest = &self.json.as_bytes()[self.at..];
        let skipped = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b',' | b':'));
        self.at += skipped.count();
    }

    /// The value that starts after white space and separators.
    fn value(&mut self) -> Option<&'a str> {
        self.skip();
        let start = self.at;
        match *self.json.as_bytes().get(start)? {
            b'"' => self.string()?,
            b'{' | b'[' => self.container()?,
            _ => {
                let rest = &self.json.as_bytes()[start..];
                let ends = |byte: &u8| matches!(byte, b',' | b'}' | b']' | b':' | b' ' | b'\t' | b'\n' | b'\r');
                self.at += rest.iter().position(ends).unwrap_or(rest.len());
            }
        }
        self.json.get(start..self.at)
    }

    /// Moves behind the string that starts here.
    fn string(&mut self) -> Option<()> {
        self.at += 1;
        loop {
            self.at += memchr2(b'"', b'\\', self.json.as_bytes().get(self.at..)?)?;
            match self.json.as_bytes()[self.at] {
                b'"' => break,
                _ => self.at += 2,
            }
        }
        self.at += 1;
        Some(())
    }

    /// Moves behind the object or array that starts here.
    fn container(&mut self) -> Option<()> {
        let mut depth = 0_usize;
        loop {
            match *self.json.as_bytes().get(self.at)? {
                b'"' => {
                    self.string()?;
                    continue;
                }
                b'{' | b'[' => depth += 1,
                b'}' | b']' => depth -= 1,
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                return Some(());
            }
        }
    }
}

/// The elements of an array of valid JSON; an object counts as an array with one element.
pub(super) fn elements(json: &str) -> Option<Vec<&str>> {
    match json.as_bytes().first() {
        Some(b'[') => {
            let mut scan = Scan { json, at: 1 };
            let mut elements = Vec::new();
            while scan.next_is_not(b']')? {
                elements.push(scan.value()?);
            }
            Some(elements)
        }
        Some(b'{') => Some(vec![json]),
        _ => None,
    }
}

/// A string, or a number or boolean as text.
pub(super) fn scalar(text: &str) -> Option<Cow<'_, str>> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_end_with_their_brackets_and_strings() {
        let json = r#"{ "a" : [1, {"b": "]}\"\\"} , "\\" ] ,"c":null , "\u0064":-1.5e3,"":{} ,"c":"\u00e9"}"#;
        let members = Members::of(json)
            .map(|members| members.iter().map(|(key, value)| (key.clone().into_owned(), value)).collect::<Vec<_>>());
        let expected = [
            ("a", r#"[1, {"b": "]}\"\\"} , "\\" ]"#),
            ("c", "null"),
            ("d", "-1.5e3"),
            ("", "{}"),
            ("c", r#""\u00e9""#),
        ];
        assert_eq!(members, Some(expected.map(|(key, value)| (key.to_owned(), value)).to_vec()));
        assert_eq!(elements(expected[0].1), Some(vec!["1", r#"{"b": "]}\"\\"}"#, r#""\\""#]));
        assert_eq!(elements("[ ]"), Some(Vec::new()));
        assert_eq!(elements("[[],[true , false]]"), Some(vec!["[]", "[true , false]"]));
        assert!(Members::of("{ }").is_some_and(|members| members.iter().next().is_none()));
        assert!(Members::of("[]").is_none() && elements("1").is_none());
    }
}
