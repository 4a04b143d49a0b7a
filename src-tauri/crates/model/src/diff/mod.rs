//! Differences between two versions of a template, component by component, for its history.

mod changes;
mod lines;

pub use changes::{Change, Span, SpanKind, changes};
pub use lines::{Line, LineChange, json_lines};

use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

use crate::component::{Component, HeaderExample};
use crate::template::Template;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "model.ts", optional_fields)]
pub struct Difference {
    /// JSON pointer: a field such as `/category`, or a component such as `/components/BODY`. Components are named by
    /// type, not by position, because moving one has no visible effect; a second one of a type, which the channel
    /// rejects, is `/components/BODY/1`.
    pub path: String,
    /// Old value; absent if it was added.
    #[ts(optional, type = "unknown")]
    pub before: Option<Value>,
    /// New value; absent if it was removed.
    #[ts(optional, type = "unknown")]
    pub after: Option<Value>,
}

/// The differences between two versions: first the fields, then the components, each in their order.
///
/// Samples of header files are ignored: the channel returns a new address each time.
#[must_use]
pub fn diff(before: &Template, after: &Template) -> Vec<Difference> {
    let (old, new) = both_fields(before, after);
    let mut differences = Vec::new();
    for (name, value) in &old {
        let now = new.get(name);
        if now != Some(value) {
            differences.push(Difference {
                path: format!("/{}", escaped(name)),
                before: Some(value.clone()),
                after: now.cloned(),
            });
        }
    }
    for (name, value) in new.iter().filter(|(name, _)| !old.contains_key(*name)) {
        differences.push(Difference { path: format!("/{}", escaped(name)), before: None, after: Some(value.clone()) });
    }
    let (old, new) = (components(before), components(after));
    for (path, before, after) in paired(&old, &new) {
        if before != after {
            differences.push(Difference { path: path.to_owned(), before: before.cloned(), after: after.cloned() });
        }
    }
    differences
}

/// The fields beside the components of both versions. A category can't be removed, so if it is absent in the second
/// version, it counts as unchanged.
fn both_fields(before: &Template, after: &Template) -> (crate::Object, crate::Object) {
    let (mut old, new) = (fields(before), fields(after));
    if after.category.is_absent() {
        old.shift_remove("category");
    }
    (old, new)
}

/// The fields beside the components. `null` counts as absent.
fn fields(template: &Template) -> crate::Object {
    let without = Template { components: Vec::new(), ..template.clone() };
    let mut fields = match serde_json::to_value(&without) {
        Ok(Value::Object(fields)) => fields,
        _ => crate::Object::new(),
    };
    fields.shift_remove("components");
    fields.retain(|_, value| !value.is_null());
    fields
}

fn components(template: &Template) -> Vec<(String, Value)> {
    let mut paths = Paths::new("/components");
    let of = |component: &Component| {
        let mut component = component.clone();
        remove_files(&mut component);
        let path = paths.next(component.type_name());
        // Serialisation can't fail: the component was read from JSON.
        (path, serde_json::to_value(&component).unwrap_or_default())
    };
    template.components.iter().map(of).collect()
}

/// Assigns paths to components by type: `/components/BODY`, and `/components/BODY/1` for the second one of that type.
struct Paths<'b> {
    base: &'b str,
    counts: HashMap<String, usize>,
}

impl<'b> Paths<'b> {
    fn new(base: &'b str) -> Self {
        Self { base, counts: HashMap::new() }
    }

    fn next(&mut self, kind: &str) -> String {
        let path = format!("{}/{}", self.base, escaped(&kind.to_ascii_uppercase()));
        let count = self.counts.entry(path.clone()).or_default();
        *count += 1;
        if *count == 1 { path } else { format!("{path}/{}", *count - 1) }
    }
}

/// Matches the members of two lists by path: in the order of the first list, then those only in the second.
fn paired<'l>(
    old: &'l [(String, Value)],
    new: &'l [(String, Value)],
) -> impl Iterator<Item = (&'l str, Option<&'l Value>, Option<&'l Value>)> {
    let places: HashMap<&str, &Value> = new.iter().map(|(path, value)| (path.as_str(), value)).collect();
    let known: HashSet<&str> = old.iter().map(|(path, _)| path.as_str()).collect();
    let both = old.iter().map(move |(path, value)| (path.as_str(), Some(value), places.get(path.as_str()).copied()));
    let added = new.iter().filter(move |(path, _)| !known.contains(path.as_str()));
    both.chain(added.map(|(path, value)| (path.as_str(), None, Some(value))))
}

fn remove_files(component: &mut Component) {
    match component {
        Component::Header(header) => {
            if let Some(example) = &mut header.example {
                example.header_handle.clear();
            }
            if header.example == Some(HeaderExample::default()) {
                header.example = None;
            }
        }
        Component::Carousel(carousel) => {
            carousel.cards.iter_mut().flat_map(|card| &mut card.components).for_each(remove_files);
        }
        _ => {}
    }
}

/// Escapes a name for use in a JSON pointer.
fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that cannot read its own input should fail")]

    use super::*;
    use serde_json::json;

    fn template(json: Value) -> Template {
        serde_json::from_value(json).unwrap()
    }

    #[test]
    fn differences_are_listed_by_field_and_component() {
        let base = json!({"name": "n", "language": "en", "category": "utility", "sub_category": "x", "components": [
            {"type": "HEADER", "format": "IMAGE", "example": {"header_handle": ["https://cdn.example/1"]}},
            {"type": "BODY", "text": "Hello"}, {"type": "SPARKLE", "a": 1}]});
        let changed = |change: &dyn Fn(&mut Value)| {
            let mut json = base.clone();
            change(&mut json);
            template(json)
        };
        let cases: [(Template, Value); 8] = [
            (changed(&|_| {}), json!([])),
            (changed(&|json| json["category"] = json!("UTILITY")), json!([])),
            (changed(&|json| json["components"].as_array_mut().unwrap().reverse()), json!([])),
            (
                changed(&|json| json["components"][0]["example"]["header_handle"] = json!(["https://cdn.example/2"])),
                json!([]),
            ),
            (
                changed(&|json| json["category"] = json!("marketing")),
                json!([{"path": "/category", "before": "utility", "after": "marketing"}]),
            ),
            (
                changed(&|json| {
                    json["sub_category"] = Value::Null;
                    json["a/b"] = json!(1);
                }),
                json!([{"path": "/sub_category", "before": "x", "after": null}, {"path": "/a~1b", "before": null, "after": 1}]),
            ),
            (
                changed(&|json| json["components"][1]["text"] = json!("Bye")),
                json!([{"path": "/components/BODY", "before": {"type": "BODY", "text": "Hello"}, "after": {"type": "BODY", "text": "Bye"}}]),
            ),
            (
                changed(&|json| {
                    json["components"].as_array_mut().unwrap().remove(2);
                    json["components"].as_array_mut().unwrap().push(json!({"type": "BODY", "text": "More"}));
                }),
                json!([
                    {"path": "/components/SPARKLE", "before": {"type": "SPARKLE", "a": 1}, "after": null},
                    {"path": "/components/BODY/1", "before": null, "after": {"type": "BODY", "text": "More"}}]),
            ),
        ];
        for (after, expected) in cases {
            assert_eq!(serde_json::to_value(diff(&template(base.clone()), &after)).unwrap(), expected);
        }
    }
}
