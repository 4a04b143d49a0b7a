//! Splits JSON text into its values without decoding them.

use std::borrow::Cow;

use memchr::memchr2;
use serde_json::value::RawValue;

/// The ranges of all values and keys of a JSON text, in their order. A container comes before its parts.
pub(super) struct Outline<'a> {
    json: &'a str,
    spans: Vec<Span>,
}

/// The range of a value or key in bytes.
#[derive(Clone, Copy)]
struct Span {
    start: usize,
    end: usize,
    /// Index of the span after this one and its parts.
    next: usize,
}

impl<'a> Outline<'a> {
    /// `None` unless the text is JSON.
    pub(super) fn of(json: &'a str) -> Option<Self> {
        let json = serde_json::from_str::<&RawValue>(json).ok()?.get();
        // A usual status has a value or key in 11 to 14 bytes.
        let mut outline = Self { json, spans: Vec::with_capacity(json.len() / 10) };
        outline.scan()?;
        Some(outline)
    }

    pub(super) fn root(&'a self) -> Part<'a> {
        Part { outline: self, index: 0 }
    }

    /// Finds the spans. The text was validated, so a value ends where its quotes or brackets do.
    fn scan(&mut self) -> Option<()> {
        let bytes = self.json.as_bytes();
        let mut containers = Vec::new();
        let mut offset = 0;
        while let Some(byte) = bytes.get(offset) {
            match byte {
                b'{' | b'[' => {
                    containers.push(self.spans.len());
                    self.push(offset, offset);
                    offset += 1;
                }
                b'}' | b']' => {
                    offset += 1;
                    let next = self.spans.len();
                    let container = &mut self.spans[containers.pop()?];
                    *container = Span { end: offset, next, ..*container };
                }
                b' ' | b'\t' | b'\n' | b'\r' | b',' | b':' => offset += 1,
                _ => {
                    let start = offset;
                    offset = if *byte == b'"' { end_of_string(bytes, start)? } else { end_of_literal(bytes, start) };
                    self.push(start, offset);
                }
            }
        }
        Some(())
    }

    fn push(&mut self, start: usize, end: usize) {
        self.spans.push(Span { start, end, next: self.spans.len() + 1 });
    }
}

fn end_of_string(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = start + 1;
    loop {
        at += memchr2(b'"', b'\\', bytes.get(at..)?)?;
        match bytes[at] {
            b'"' => return Some(at + 1),
            _ => at += 2,
        }
    }
}

fn end_of_literal(bytes: &[u8], start: usize) -> usize {
    let ends = |byte: &u8| matches!(byte, b',' | b'}' | b']' | b' ' | b'\t' | b'\n' | b'\r');
    bytes[start..].iter().position(ends).map_or(bytes.len(), |length| start + length)
}

/// A value or key of a text.
#[derive(Clone, Copy)]
pub(super) struct Part<'a> {
    outline: &'a Outline<'a>,
    index: usize,
}

impl<'a> Part<'a> {
    pub(super) fn text(self) -> &'a str {
        let Span { start, end, .. } = self.span();
        &self.outline.json[start..end]
    }

    /// The members, if it is an object.
    pub(super) fn members(self) -> Option<Members<'a>> {
        let mut parts = self.parts_of('{')?;
        let mut members = Vec::with_capacity(8);
        while let (Some(key), Some(value)) = (parts.next(), parts.next()) {
            // A key with a lone surrogate can't be decoded; its text is kept, under an empty name.
            members.push((key.scalar().unwrap_or_default(), key.text(), value));
        }
        Some(Members(members))
    }

    /// The elements of an array; an object counts as an array with one element.
    pub(super) fn elements(self) -> Option<Vec<Self>> {
        match self.parts_of('[') {
            Some(elements) => Some(elements.collect()),
            None => self.text().starts_with('{').then(|| vec![self]),
        }
    }

    /// A string, or a number or boolean as text.
    pub(super) fn scalar(self) -> Option<Cow<'a, str>> {
        let text = self.text();
        match text.as_bytes().first() {
            Some(b'"') if !text.contains('\\') => Some(Cow::Borrowed(&text[1..text.len() - 1])),
            Some(b'"') => serde_json::from_str(text).ok().map(Cow::Owned),
            Some(b'{' | b'[') | None => None,
            _ if text == "null" => None,
            _ => Some(Cow::Borrowed(text)),
        }
    }

    fn span(self) -> Span {
        self.outline.spans[self.index]
    }

    /// The parts of a container with that bracket.
    fn parts_of(self, bracket: char) -> Option<impl Iterator<Item = Self>> {
        if !self.text().starts_with(bracket) {
            return None;
        }
        let (mut index, end) = (self.index + 1, self.span().next);
        Some(std::iter::from_fn(move || {
            let part = (index < end).then_some(Self { index, ..self })?;
            index = part.span().next;
            Some(part)
        }))
    }
}

/// The members of an object: decoded key, raw key, value. Keys may be duplicated.
pub(super) struct Members<'a>(Vec<(Cow<'a, str>, &'a str, Part<'a>)>);

impl<'a> Members<'a> {
    /// The value of the last member with that name; the last one counts, as in common JSON parsers.
    pub(super) fn get(&self, name: &str) -> Option<Part<'a>> {
        self.0.iter().rev().find(|(key, ..)| key == name).map(|(_, _, value)| *value)
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&Cow<'a, str>, Part<'a>)> {
        self.0.iter().map(|(key, _, value)| (key, *value))
    }

    /// Whether there are no members with other names.
    pub(super) fn only(&self, names: &[&str]) -> bool {
        self.0.iter().all(|(key, ..)| names.contains(&key.as_ref()))
    }

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
            Some(elements) if value.text().starts_with('[') => {
                json.push('[');
                json.push_str(elements);
                json.push(']');
            }
            Some(element) => json.push_str(element),
            None => json.push_str(value.text()),
        }
    }
}

/// A raw value that was assembled from valid JSON.
pub(super) fn raw(json: String) -> Box<RawValue> {
    RawValue::from_string(json).expect("pieces of valid JSON joined by its own grammar are valid JSON")
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    fn texts(parts: Vec<Part<'_>>) -> Vec<&str> {
        parts.into_iter().map(Part::text).collect()
    }

    #[test]
    fn values_end_with_their_brackets_and_strings() {
        let json =
            r#" { "\ud800":0, "a" : [1, {"b": "]}\"\\"} , "\\" ] ,"c":null , "\u0064":-1.5e3,"":{} ,"c":"\u00e9"} "#;
        let outline = Outline::of(json).unwrap();
        let members = outline.root().members().unwrap();
        let found: Vec<_> = members.iter().map(|(key, value)| (key.as_ref(), value.text())).collect();
        let array = r#"[1, {"b": "]}\"\\"} , "\\" ]"#;
        assert_eq!(found, [("", "0"), ("a", array), ("c", "null"), ("d", "-1.5e3"), ("", "{}"), ("c", r#""\u00e9""#)]);
        let elements = members.get("a").and_then(Part::elements).unwrap();
        assert_eq!(texts(elements.clone()), ["1", r#"{"b": "]}\"\\"}"#, r#""\\""#]);
        let inner = elements[1].members().unwrap();
        assert_eq!(inner.get("b").and_then(Part::scalar).as_deref(), Some(r#"]}"\"#));
        assert_eq!(members.get("c").and_then(Part::scalar).as_deref(), Some("é"), "the last one counts");
        assert_eq!(members.get("").and_then(Part::members).map(|members| members.iter().count()), Some(0));
    }

    #[test]
    fn an_object_counts_as_an_array_with_one_element() {
        for (json, elements) in [
            ("[ ]", Some(vec![])),
            ("{ }", Some(vec!["{ }"])),
            ("[[],[true , false]]", Some(vec!["[]", "[true , false]"])),
            (r#"{"a":[1]}"#, Some(vec![r#"{"a":[1]}"#])),
            ("1", None),
            (r#""[""#, None),
        ] {
            assert_eq!(Outline::of(json).unwrap().root().elements().map(texts), elements, "{json}");
        }
        assert!(Outline::of("[1]").unwrap().root().members().is_none());
        assert!(Outline::of("[1").is_none() && Outline::of("").is_none() && Outline::of("1 2").is_none());
    }
}
