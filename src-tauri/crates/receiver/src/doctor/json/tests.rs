//! Texts keep what they say, and come out as the libraries write them.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use proptest::prelude::*;

use super::*;

const KEPT: Style = Style { layout: Layout::Kept, letters: Letters::Kept, slashes: Slashes::Kept, signs: Signs::Kept };

fn laid_out(text: &str, layout: Layout) -> String {
    Text::read(text).write(Style { layout, ..KEPT }).map_or_else(|| text.to_owned(), |(text, _)| text)
}

/// The layouts are those of the libraries they stand for.
#[test]
fn layouts() {
    let compact = r#"{"a":[1,{"b":[],"c":{}},"x, y: z"],"a":1.0}"#;
    let spaced = r#"{"a": [1, {"b": [], "c": {}}, "x, y: z"], "a": 1.0}"#;
    let indented = "{\n  \"a\": [\n    1,\n    {\n      \"b\": [],\n      \"c\": {}\n    },\n    \"x, y: z\"\n  ],\n  \"a\": 1.0\n}";
    for source in [compact, spaced, indented] {
        assert_eq!(laid_out(source, Layout::Kept), source);
        assert_eq!(laid_out(source, Layout::Compact), compact);
        assert_eq!(laid_out(source, Layout::Spaced), spaced);
        assert_eq!(laid_out(source, Layout::Indented("  ", "\n")), indented);
        let wide = indented.replace("  ", "\t").replace('\n', "\r\n").replace('\t', "    ");
        assert_eq!(laid_out(source, Layout::Indented("    ", "\r\n")), wide);
    }
    let value: serde_json::Value = serde_json::from_str(r#"{"a":[1,{"b":[],"c":{}},"é\n/"]}"#).unwrap();
    let pretty = serde_json::to_string_pretty(&value).unwrap();
    assert_eq!(laid_out(&value.to_string(), Layout::Indented("  ", "\n")), pretty);
    // White space around the value is not the library's.
    assert_eq!(laid_out("{\"a\": 1}\n", Layout::Compact), "{\"a\":1}\n");
}

#[test]
fn what_is_missing_and_what_is_too_much() {
    for (text, missing) in [
        (r#"{"a":[1"#, "]}"),
        (r#"{"a":"b"#, "\"}"),
        (r#"{"a":"b\"#, "\"}"),
        (r#"{"a":1}"#, ""),
        ("\"", "\""),
        ("", ""),
    ] {
        assert_eq!(Text::read(text).missing(), missing, "{text}");
    }
    for (text, first) in [(r#"{"a":1}x"#, Some(r#"{"a":1}"#)), ("{}{}", Some("{}")), ("{} \n", None), ("{", None)] {
        assert_eq!(Text::read(text).first_value(), first, "{text}");
    }
}

/// Nesting without end must not become indentation without end.
#[test]
fn deep_nesting_is_given_up() {
    let deep = "[".repeat(50_000) + &"]".repeat(50_000);
    assert!(Text::read(&deep).write(Style { layout: Layout::Indented("    ", "\n"), ..KEPT }).is_none());
}

fn style() -> impl Strategy<Value = Style> {
    (0..LAYOUTS.len(), 0..LETTERS.len(), 0..SLASHES.len(), 0..SIGNS.len()).prop_map(
        |(layout, letters, slashes, signs)| Style {
            layout: LAYOUTS[layout],
            letters: LETTERS[letters],
            slashes: SLASHES[slashes],
            signs: SIGNS[signs],
        },
    )
}

fn value() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![any::<i64>().prop_map(Into::into), ".*".prop_map(serde_json::Value::String)];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(serde_json::Value::Array),
            prop::collection::vec((".{0,6}", inner), 0..4)
                .prop_map(|members| serde_json::Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    /// Another style never changes what a text says.
    #[test]
    fn the_content_stays(value in value(), style in style(), first in style()) {
        let text = value.to_string();
        let text = Text::read(&text).write(first).map_or(text.clone(), |(text, _)| text);
        if let Some((other, changes)) = Text::read(&text).write(style) {
            prop_assert_eq!(serde_json::from_str::<serde_json::Value>(&other).unwrap(), value);
            prop_assert!(!changes.is_empty() || Text::read(&text).is_laid_out_unlike(&other));
        }
    }

    #[test]
    fn any_text_can_be_read(text in r#"([{}\[\],:"\\ u/d8é😀0-9a-f\n]|.){0,60}"#, style in style()) {
        let read = Text::read(&text);
        read.write(style);
        prop_assert!(read.write(KEPT).is_none() || !read.missing().is_empty());
    }
}
