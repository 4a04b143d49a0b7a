//! Differences between two versions for display: every changed text, number and flag, with a word diff.

use std::collections::HashMap;

use serde::Serialize;
use serde_json::Value;
use similar::{Algorithm, ChangeTag, DiffOp, TextDiff, capture_diff_slices};
use ts_rs::TS;

use super::{Paths, both_fields, components, escaped, paired};
use crate::component::{Component, UPLOAD_PENDING};
use crate::template::Template;

/// Maximum length of a text for a word diff, in bytes. Longer texts are shown as a whole: the diff would be slow and
/// unreadable.
const MAX_WORD_DIFF_BYTES: usize = 8_000;

/// Maximum steps for the word diffs of all texts of a template, counted as the product of their lengths.
const MAX_STEPS: usize = 200_000_000;

/// Maximum length of a list for an aligned comparison. Longer lists of buttons or cards are compared by position, after
/// their common beginning and end. The channel accepts ten of each.
const MAX_ALIGNED_ITEMS: usize = 50;

/// One changed text, number or flag.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "model.ts", optional_fields = nullable)]
pub struct Change {
    /// Path, with components named by their type: `/category`, `/components/BODY/text`, `/components/BUTTONS/0/url`,
    /// `/components/CAROUSEL/cards/1/BODY/text`. Positions are those of the new version; for removed elements, those of
    /// the old version.
    pub path: String,
    /// Old value; absent if it was added.
    pub before: Option<String>,
    /// New value; absent if it was removed.
    pub after: Option<String>,
    pub words: Vec<Span>,
}

/// A span of text that is unchanged, added or removed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "model.ts")]
pub struct Span {
    pub kind: SpanKind,
    pub text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "model.ts")]
#[serde(rename_all = "lowercase")]
pub enum SpanKind {
    /// In both versions.
    Same,
    /// Only in the new version.
    Added,
    /// Only in the old version.
    Removed,
}

/// The differences between two versions, field by field: first the fields beside the components, then the components.
///
/// Addresses of sample files are ignored, because the channel returns a new one each time; a file that is uploaded
/// again counts.
#[must_use]
pub fn changes(before: &Template, after: &Template) -> Vec<Change> {
    let mut found = Vec::new();
    let (old, new) = both_fields(before, after);
    compare_objects("", &old, &new, &mut found);
    let (old, new) = (components(before), components(after));
    for (path, before, after) in paired(&old, &new) {
        component(path, before, after, &mut found);
    }
    uploads(after, &mut found);
    let mut remaining = MAX_STEPS;
    for change in &mut found {
        let text = |text: &Option<String>| text.as_deref().unwrap_or_default().to_owned();
        let (before, after) = (text(&change.before), text(&change.after));
        let steps = before.len() * after.len();
        let by_word = before.len().max(after.len()) <= MAX_WORD_DIFF_BYTES && steps <= remaining;
        change.words = if by_word { words(&before, &after) } else { whole(&before, &after) };
        remaining -= if by_word { steps } else { 0 };
    }
    // In the order of the new components; removed ones at their old position.
    let places = |components: &[(String, Value)]| -> HashMap<String, usize> {
        components.iter().enumerate().rev().map(|(at, (path, _))| (path.clone(), at)).collect()
    };
    let (old, new) = (places(&old), places(&new));
    found.sort_by_cached_key(|change| {
        // A path begins with that of its component: `/components/BODY`, or `/components/BODY/1`.
        let ends = change.path.match_indices('/').map(|(at, _)| at).chain([change.path.len()]).skip(2).take(2);
        let ends: Vec<usize> = ends.collect();
        let place = |places: &HashMap<String, usize>| {
            ends.iter().filter_map(|end| places.get(&change.path[..*end])).min().copied()
        };
        place(&new).or_else(|| place(&old))
    });
    found
}

/// Files that are uploaded with the new version.
fn uploads(after: &Template, found: &mut Vec<Change>) {
    let waits = |component: &Component| match component {
        Component::Header(header) => header
            .example
            .as_ref()
            .is_some_and(|example| example.header_handle.first().is_some_and(|handle| handle == UPLOAD_PENDING)),
        _ => false,
    };
    let mut upload = |path: String| {
        found.push(Change { path, before: None, after: Some(UPLOAD_PENDING.to_owned()), words: Vec::new() });
    };
    for component in &after.components {
        if waits(component) {
            upload("/components/HEADER/example/header_handle".to_owned());
        }
        if let Component::Carousel(carousel) = component {
            for (at, card) in carousel.cards.iter().enumerate() {
                if card.components.iter().any(waits) {
                    upload(format!("/components/CAROUSEL/cards/{at}/HEADER/example/header_handle"));
                }
            }
        }
    }
}

/// Compares two components of the same type. Buttons and cards are matched by content.
fn component(path: &str, before: Option<&Value>, after: Option<&Value>, found: &mut Vec<Change>) {
    let member = |value: Option<&Value>, name: &str| value.and_then(|value| value.get(name)).cloned();
    let rest = |value: Option<&Value>| {
        let mut rest = value.and_then(Value::as_object).cloned().unwrap_or_default();
        for name in ["type", "buttons", "cards"] {
            if name == "type" || rest.get(name).is_some_and(Value::is_array) {
                rest.shift_remove(name);
            }
        }
        rest
    };
    let only_type = |value: Option<&Value>, rest: &crate::Object| {
        rest.is_empty() && value.is_some_and(|value| value.as_object().is_some_and(|object| object.len() <= 1))
    };
    let (old, new) = (rest(before), rest(after));
    if before.is_none() && only_type(after, &new) || after.is_none() && only_type(before, &old) {
        // The component has no content; only its presence counts.
        let kind = |value: Option<&Value>| member(value, "type").and_then(|kind| kind.as_str().map(str::to_owned));
        leaf(path, kind(before), kind(after), found);
    }
    compare_objects(path, &old, &new, found);
    let list = |value, name| match member(value, name) {
        Some(Value::Array(values)) => values,
        _ => Vec::new(),
    };
    aligned(path, &list(before, "buttons"), &list(after, "buttons"), found, &|path, before, after, found| {
        compare(path, before, after, found);
    });
    let cards = format!("{path}/cards");
    aligned(&cards, &list(before, "cards"), &list(after, "cards"), found, &card);
}

/// Compares two cards, whose components are named by their type.
fn card(path: &str, before: Option<&Value>, after: Option<&Value>, found: &mut Vec<Change>) {
    let parts = |value: Option<&Value>| -> Vec<(String, Value)> {
        let components = value.and_then(|value| value.get("components")).and_then(Value::as_array);
        let mut paths = Paths::new(path);
        let kind = |component: &Value| paths.next(component.get("type").and_then(Value::as_str).unwrap_or_default());
        let mut kind = kind;
        components.into_iter().flatten().map(|component| (kind(component), component.clone())).collect()
    };
    let (old, new) = (parts(before), parts(after));
    for (path, before, after) in paired(&old, &new) {
        component(path, before, after, found);
    }
    let rest = |value: Option<&Value>| {
        let mut rest = value.and_then(Value::as_object).cloned().unwrap_or_default();
        rest.shift_remove("components");
        rest
    };
    compare_objects(path, &rest(before), &rest(after), found);
}

type Compare<'c> = &'c dyn Fn(&str, Option<&Value>, Option<&Value>, &mut Vec<Change>);

/// Compares lists by their equal elements, so that an added or removed element doesn't shift all the others.
fn aligned(path: &str, before: &[Value], after: &[Value], found: &mut Vec<Change>, compare: Compare<'_>) {
    let ops = if before.len().max(after.len()) > MAX_ALIGNED_ITEMS {
        let start = before.iter().zip(after).take_while(|(old, new)| old == new).count();
        let (old, new) = (&before[start..], &after[start..]);
        let end = old.iter().rev().zip(new.iter().rev()).take_while(|(old, new)| old == new).count();
        let (old_len, new_len) = (old.len() - end, new.len() - end);
        vec![DiffOp::Replace { old_index: start, old_len, new_index: start, new_len }]
    } else {
        capture_diff_slices(Algorithm::Myers, before, after)
    };
    for op in ops {
        if matches!(op, DiffOp::Equal { .. }) {
            continue;
        }
        let (old, new) = (op.old_range(), op.new_range());
        for at in 0..old.len().max(new.len()) {
            let removed = (at < old.len()).then(|| &before[old.start + at]);
            let come = (at < new.len()).then(|| &after[new.start + at]);
            let index = if come.is_some() { new.start + at } else { old.start + at };
            compare(&format!("{path}/{index}"), removed, come, found);
        }
    }
}

fn compare_objects(path: &str, before: &crate::Object, after: &crate::Object, found: &mut Vec<Change>) {
    for (name, value) in before {
        compare(&format!("{path}/{}", escaped(name)), Some(value), after.get(name), found);
    }
    for (name, value) in after.iter().filter(|(name, _)| !before.contains_key(*name)) {
        compare(&format!("{path}/{}", escaped(name)), None, Some(value), found);
    }
}

fn compare(path: &str, before: Option<&Value>, after: Option<&Value>, found: &mut Vec<Change>) {
    if before == after {
        return;
    }
    let empty = crate::Object::new();
    let object = |value: Option<&Value>| value.is_none_or(|value| value.is_object() || value.is_null());
    let array = |value: Option<&Value>| value.is_none_or(|value| value.is_array() || value.is_null());
    if object(before) && object(after) {
        let members = |value: Option<&Value>| value.and_then(Value::as_object).unwrap_or(&empty).clone();
        compare_objects(path, &members(before), &members(after), found);
    } else if array(before) && array(after) {
        let at = |value: Option<&Value>, at: usize| value.and_then(|value| value.get(at)).cloned();
        let length = |value: Option<&Value>| value.and_then(Value::as_array).map_or(0, Vec::len);
        for index in 0..length(before).max(length(after)) {
            compare(&format!("{path}/{index}"), at(before, index).as_ref(), at(after, index).as_ref(), found);
        }
    } else {
        let shown = |value: Option<&Value>| match value {
            None | Some(Value::Null) => None,
            Some(Value::String(text)) => Some(text.clone()),
            Some(value) => Some(value.to_string()),
        };
        leaf(path, shown(before), shown(after), found);
    }
}

fn leaf(path: &str, before: Option<String>, after: Option<String>, found: &mut Vec<Change>) {
    if before != after {
        found.push(Change { path: path.to_owned(), before, after, words: Vec::new() });
    }
}

/// The whole old text removed, and the whole new text added.
fn whole(before: &str, after: &str) -> Vec<Span> {
    let spans = [(SpanKind::Removed, before), (SpanKind::Added, after)];
    let spans = spans.into_iter().filter(|(_, text)| !text.is_empty());
    spans.map(|(kind, text)| Span { kind, text: text.to_owned() }).collect()
}

fn words(before: &str, after: &str) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    let mut add = |kind: SpanKind, text: &str| match spans.last_mut() {
        _ if text.is_empty() => {}
        Some(last) if last.kind == kind => last.text.push_str(text),
        _ => spans.push(Span { kind, text: text.to_owned() }),
    };
    for change in TextDiff::from_words(before, after).iter_all_changes() {
        let kind = match change.tag() {
            ChangeTag::Equal => SpanKind::Same,
            ChangeTag::Insert => SpanKind::Added,
            ChangeTag::Delete => SpanKind::Removed,
        };
        add(kind, change.value());
    }
    spans
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that cannot read its own input should fail")]

    use super::*;
    use serde_json::json;

    #[test]
    fn changes_are_listed_by_field_and_word() {
        let button = |text: &str| json!({"type": "QUICK_REPLY", "text": text});
        let card = |text: &str| json!({"components": [{"type": "BODY", "text": text}, {"type": "BUTTONS", "buttons": [button(text)]}]});
        let base = json!({"name": "n", "language": "en", "category": "utility", "components": [
            {"type": "HEADER", "format": "IMAGE", "example": {"header_handle": ["https://cdn.example/1"]}},
            {"type": "BODY", "text": "Hello dear friend", "example": {"body_text": [["a", "b"]]}},
            {"type": "BUTTONS", "buttons": [button("A"), button("B"), button("C")]},
            {"type": "CAROUSEL", "cards": [card("one"), card("two"), card("three")]}]});
        let read = |json: &Value| -> Template { serde_json::from_value(json.clone()).unwrap() };
        type Edit<'e> = &'e dyn Fn(&mut Value);
        let cases: [(Edit<'_>, &[&str]); 12] = [
            (&|_| {}, &[]),
            (&|json| json["components"][0]["example"]["header_handle"] = json!(["https://cdn.example/2"]), &[]),
            (
                &|json| json["components"][0]["example"]["header_handle"] = json!(["UPLOAD_PENDING"]),
                &["/components/HEADER/example/header_handle +UPLOAD_PENDING"],
            ),
            (&|json| json["category"] = json!("marketing"), &["/category -utility +marketing"]),
            (&|json| json["message_send_ttl_seconds"] = json!(60), &["/message_send_ttl_seconds +60"]),
            (
                &|json| json["components"][1]["text"] = json!("Hello my dear friend"),
                &["/components/BODY/text =Hello  +my  =dear friend"],
            ),
            (
                &|json| json["components"][1]["example"]["body_text"] = json!([["a"]]),
                &["/components/BODY/example/body_text/0/1 -b"],
            ),
            (
                &|json| drop(json["components"][2]["buttons"].as_array_mut().unwrap().remove(0)),
                &["/components/BUTTONS/0/type -QUICK_REPLY", "/components/BUTTONS/0/text -A"],
            ),
            (&|json| json["components"][2]["buttons"][1]["text"] = json!("X"), &["/components/BUTTONS/1/text -B +X"]),
            (
                &|json| json["components"][3]["cards"][1]["components"][0]["text"] = json!("2"),
                &["/components/CAROUSEL/cards/1/BODY/text -two +2"],
            ),
            (
                &|json| drop(json["components"][3]["cards"].as_array_mut().unwrap().remove(0)),
                &[
                    "/components/CAROUSEL/cards/0/BODY/text -one",
                    "/components/CAROUSEL/cards/0/BUTTONS/0/type -QUICK_REPLY",
                    "/components/CAROUSEL/cards/0/BUTTONS/0/text -one",
                ],
            ),
            (
                &|json| {
                    let components = json["components"].as_array_mut().unwrap();
                    components.insert(0, json!({"type": "FOOTER", "text": "f"}));
                    components.insert(0, json!({"type": "CALL_PERMISSION_REQUEST"}));
                    components.remove(2);
                },
                &[
                    "/components/HEADER/format -IMAGE",
                    "/components/CALL_PERMISSION_REQUEST +CALL_PERMISSION_REQUEST",
                    "/components/FOOTER/text +f",
                ],
            ),
        ];
        for (at, (edit, expected)) in cases.into_iter().enumerate() {
            let mut json = base.clone();
            edit(&mut json);
            let shown: Vec<String> = changes(&read(&base), &read(&json))
                .iter()
                .map(|change| {
                    let sign = |kind| match kind {
                        SpanKind::Same => '=',
                        SpanKind::Added => '+',
                        SpanKind::Removed => '-',
                    };
                    let words: Vec<_> =
                        change.words.iter().map(|span| format!("{}{}", sign(span.kind), span.text)).collect();
                    format!("{} {}", change.path, words.join(" "))
                })
                .collect();
            assert_eq!(shown, expected, "case {at}");
        }
    }

    #[test]
    fn long_texts_are_shown_completely() {
        let body = |text: &str| -> Template {
            let body = json!({"type": "BODY", "text": text});
            serde_json::from_value(json!({"components": [body]})).unwrap()
        };
        let found = changes(&body(&"a b ".repeat(MAX_WORD_DIFF_BYTES)), &body(&"a c ".repeat(MAX_WORD_DIFF_BYTES)));
        assert_eq!(found[0].words.len(), 2);
        let many = |word: &str| -> Template {
            let texts: Vec<String> = (0..40).map(|_| format!("{word} a ").repeat(1_000)).collect();
            serde_json::from_value(json!({"texts": texts})).unwrap()
        };
        let found = changes(&many("b"), &many("c"));
        assert!(found[0].words.len() > 2 && found[39].words.len() == 2, "the steps for all texts have a limit");
        assert_eq!(words("", ""), []);
    }
}
