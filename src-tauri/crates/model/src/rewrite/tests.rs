//! Renaming, renumbering and conversion of variables with their samples.

#![expect(clippy::unwrap_used, reason = "a test that cannot read its own input should fail")]

use super::*;
use serde_json::{Value, json};

fn apply(template: &Value, change: Value) -> Result<Value, RewriteFault> {
    let template: Template = serde_json::from_value(template.clone()).unwrap();
    let change: Rewrite = serde_json::from_value(change).unwrap();
    rewrite(&template, &change).map(|after| serde_json::to_value(after).unwrap())
}

fn template(components: Value) -> Value {
    json!({"name": "n", "language": "en", "category": "utility", "components": components})
}

fn body(text: &str, row: Value) -> Value {
    template(json!([{"type": "BODY", "text": text, "example": {"body_text": [row]}, "x_kept": 1}]))
}

fn named(text: &str, samples: Value) -> Value {
    template(json!([{"type": "BODY", "text": text, "example": {"body_text_named_params": samples}}]))
}

const BODY: &str = "/components/0/text";

#[test]
fn texts_and_samples_change_together() {
    let rename = |from: &str, to: &str| json!({"kind": "rename", "path": BODY, "from": from, "to": to});
    let renumber = json!({"kind": "renumber", "path": BODY});
    let sample = |name: &str, example: &str| json!({"param_name": name, "example": example});
    for (before, change, after) in [
        (
            body("a {{1}} b {{2}} c", json!(["x", "y"])),
            rename("1", "3"),
            body("a {{3}} b {{2}} c", json!(["", "y", "x"])),
        ),
        (body("a {{1}} b {{1}} c", json!(["x"])), rename("1", "2"), body("a {{2}} b {{2}} c", json!(["", "x"]))),
        (body("a {{1}} c", json!(["x"])), rename("1", "1"), body("a {{1}} c", json!(["x"]))),
        (
            named(
                "a {{one}} b {{two}} c",
                json!([{"param_name": "one", "example": "x", "y": 2}, sample("other", "o")]),
            ),
            rename("one", "first_name"),
            named(
                "a {{first_name}} b {{two}} c",
                json!([{"param_name": "first_name", "example": "x", "y": 2}, sample("other", "o")]),
            ),
        ),
        (
            body("a {{3}} b {{1}} c {{3}}", json!(["x", "left over", "z"])),
            renumber.clone(),
            body("a {{1}} b {{2}} c {{1}}", json!(["z", "x"])),
        ),
        (body("a {{0}} b {{7}} c", json!(["x"])), renumber.clone(), body("a {{1}} b {{2}} c", json!(["x"]))),
        (
            body("a {{1}} b {{2}} c", json!(["x", "y", "z"])),
            renumber,
            body("a {{1}} b {{2}} c", json!(["x", "y", "z"])),
        ),
    ] {
        assert_eq!(apply(&before, change.clone()), Ok(after), "{before} {change}");
    }
}

#[test]
fn whole_templates_switch_between_numbers_and_names() {
    let url =
        json!({"type": "URL", "text": "Go", "url": "https://x.example/{{1}}", "example": ["https://x.example/1"]});
    let with = |format: Value, header: Value, body: Value, card: Value| {
        let mut template = template(json!([header, body, {"type": "BUTTONS", "buttons": [url]},
            {"type": "CAROUSEL", "cards": [{"components": [card]}]}]));
        if !format.is_null() {
            template["parameter_format"] = format;
        }
        template
    };
    let positional = |format: Value| {
        with(
            format,
            json!({"type": "HEADER", "format": "TEXT", "text": "Sale {{1}} on", "example": {"header_text": ["May"]}}),
            json!({"type": "BODY", "text": "Hi {{1}} and {{2}}, all", "example": {"body_text": [["Ana", "42"]]}}),
            json!({"type": "BODY", "text": "No {{1}} yet"}),
        )
    };
    let names = with(
        json!("NAMED"),
        json!({"type": "HEADER", "format": "TEXT", "text": "Sale {{value_1}} on",
            "example": {"header_text_named_params": [{"param_name": "value_1", "example": "May"}]}}),
        json!({"type": "BODY", "text": "Hi {{value_1}} and {{value_2}}, all", "example": {"body_text_named_params":
            [{"param_name": "value_1", "example": "Ana"}, {"param_name": "value_2", "example": "42"}]}}),
        json!({"type": "BODY", "text": "No {{value_1}} yet"}),
    );
    let to = |format: &str| json!({"kind": "format", "format": format});
    assert_eq!(apply(&positional(Value::Null), to("NAMED")), Ok(names.clone()));
    assert_eq!(apply(&names, to("POSITIONAL")), Ok(positional(json!("POSITIONAL"))));
    // A name that is in use is not assigned again.
    let mixed = named("{{value_1}} a {{1}} b {{1}}", json!([{"param_name": "value_1", "example": "x"}]));
    let mut after =
        named("{{value_1}} a {{value_2}} b {{value_2}}", json!([{"param_name": "value_1", "example": "x"}]));
    after["parameter_format"] = json!("NAMED");
    assert_eq!(apply(&mixed, to("NAMED")), Ok(after));
}

#[test]
fn failures_are_reported_at_their_field() {
    let rename = |path: &str, from: &str, to: &str| json!({"kind": "rename", "path": path, "from": from, "to": to});
    let numbers = body("a {{1}} b {{2}} c", json!(["x", "y"]));
    let names = named("a {{one}} b", json!([]));
    let link =
        template(json!([{"type": "BUTTONS", "buttons": [{"type": "URL", "text": "a", "url": "https://x/{{1}}"}]}]));
    for (template, change, field) in [
        (&numbers, rename(BODY, "1", "2"), "to"),
        (&numbers, rename(BODY, "1", "0"), "to"),
        (&numbers, rename(BODY, "1", "201"), "to"),
        (&numbers, rename(BODY, "1", "99999999999999999999999"), "to"),
        (&numbers, rename(BODY, "1", "name"), "to"),
        (&numbers, rename(BODY, "1", ""), "to"),
        (&numbers, rename(BODY, "3", "4"), "from"),
        (&numbers, rename("/components/00/text", "1", "3"), "path"),
        (&numbers, rename("/components/1/text", "1", "3"), "path"),
        (&numbers, rename("/components/0/text/0", "1", "3"), "path"),
        (&numbers, rename("", "1", "3"), "path"),
        (&names, rename(BODY, "one", "1"), "to"),
        (&names, rename(BODY, "one", "Two"), "to"),
        (&names, rename(BODY, "one", "2nd"), "to"),
        (&names, json!({"kind": "renumber", "path": BODY}), "path"),
        (&names, json!({"kind": "format", "format": "ROMAN"}), "format"),
        (&link, rename("/components/0/buttons/0/url", "1", "2"), "to"),
        (&names, json!({"kind": "fix", "code": "body.too_long", "path": BODY}), "code"),
    ] {
        let fault = apply(template, change.clone()).unwrap_err();
        assert_eq!((fault.field, fault.message.ends_with('.')), (field, true), "{change}: {fault}");
    }
}
