//! What differs between a file and the provider's record, and the record as a file.

use model::Id;
use model::template::{CreateTemplate, EditTemplate, Template, TemplateRecord};
use serde_json::Value;

/// Fields that a provider keeps about a template and that are no part of it: they would make every pull a change.
const BOOKKEEPING: [&str; 12] = [
    "created_at",
    "createdAt",
    "updated_at",
    "updatedAt",
    "last_updated_time",
    "quality_score",
    "template_ids",
    "rejected_at",
    "approved_at",
    "pix_file",
    "order_file",
    "workspace_uuid",
];

/// The creation JSON of a record.
pub(super) fn creation(record: &TemplateRecord) -> CreateTemplate {
    let mut template = record.template.clone();
    template.extra.retain(|key, value| !BOOKKEEPING.contains(&key.as_str()) && !value.is_null());
    let waba_ids = record.wabas().into_iter().map(|id| Id::number(&id).unwrap_or_else(|| Id::text(id))).collect();
    CreateTemplate { waba_ids, template }
}

/// The edit that makes the record like the file, and the names of what it changes. `None` when nothing differs.
///
/// Only what the file has and an edit can carry (contract §4.3) is compared.
pub(super) fn edit(file: &Template, record: &Template) -> Option<(EditTemplate, Vec<String>)> {
    let mut edit = EditTemplate::default();
    let mut changed = Vec::new();
    if file.category != record.category {
        edit.category = Some(file.category.clone());
        changed.push("category".to_owned());
    }
    if file.sub_category.is_some() && file.sub_category != record.sub_category {
        edit.sub_category.clone_from(&file.sub_category);
        changed.push("sub_category".to_owned());
    }
    if file.parameter_format.is_some() && file.parameter_format != Some(record.effective_parameter_format()) {
        edit.parameter_format.clone_from(&file.parameter_format);
        changed.push("parameter_format".to_owned());
    }
    for (name, ours, theirs, target) in [
        ("pix_data", &file.pix_data, &record.pix_data, &mut edit.pix_data),
        ("order_data", &file.order_data, &record.order_data, &mut edit.order_data),
    ] {
        if ours.is_some() && ours.as_ref().map(object) != theirs.as_ref().map(object) {
            target.clone_from(ours);
            changed.push(name.to_owned());
        }
    }
    let places = differences(&comparable(file), &comparable(record));
    if !places.is_empty() {
        edit.components = Some(file.components.clone());
        changed.extend(places);
    }
    (!changed.is_empty()).then_some((edit, changed))
}

/// Whether two creations say the same, apart from addresses of sample media, which a provider may renew at any time.
pub(super) fn same(one: &CreateTemplate, other: &CreateTemplate) -> bool {
    one.waba_ids == other.waba_ids && same_content(&one.template, &other.template)
}

/// Whether two templates say the same, apart from addresses of sample media.
pub(super) fn same_content(one: &Template, other: &Template) -> bool {
    let bare = |template: &Template| {
        let mut value = serde_json::to_value(template).unwrap_or_default();
        value["components"] = comparable(template);
        value
    };
    bare(one) == bare(other)
}

/// JSON data that is written as an object or as a string of JSON (contract §2.1).
fn object(value: &Value) -> Value {
    value.as_str().and_then(|text| serde_json::from_str(text).ok()).unwrap_or_else(|| value.clone())
}

/// The components without the handles of sample media: a file holds what was uploaded, a record where it lies now.
fn comparable(template: &Template) -> Value {
    let mut value = serde_json::to_value(&template.components).unwrap_or_default();
    forget_handles(&mut value);
    value
}

fn forget_handles(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(forget_handles),
        Value::Object(object) => {
            if let Some(Value::Object(example)) = object.get_mut("example") {
                example.shift_remove("header_handle");
                if example.is_empty() {
                    object.shift_remove("example");
                }
            }
            // Keys without a value say nothing, and some providers write them all.
            object.retain(|_, value| !value.is_null());
            object.values_mut().for_each(forget_handles);
        }
        _ => {}
    }
}

/// JSON pointers of what differs, from `components` on.
fn differences(ours: &Value, theirs: &Value) -> Vec<String> {
    let mut places = Vec::new();
    differ("components", ours, theirs, &mut places);
    places
}

fn differ(at: &str, ours: &Value, theirs: &Value, places: &mut Vec<String>) {
    match (ours, theirs) {
        (Value::Object(ours), Value::Object(theirs)) => {
            for (key, value) in ours {
                match theirs.get(key) {
                    Some(other) => differ(&format!("{at}/{key}"), value, other, places),
                    None => places.push(format!("{at}/{key}")),
                }
            }
            places.extend(theirs.keys().filter(|key| !ours.contains_key(*key)).map(|key| format!("{at}/{key}")));
        }
        (Value::Array(ours), Value::Array(theirs)) if ours.len() == theirs.len() => {
            for (index, (ours, theirs)) in ours.iter().zip(theirs).enumerate() {
                differ(&format!("{at}/{index}"), ours, theirs, places);
            }
        }
        _ if ours == theirs => {}
        _ => places.push(at.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed expectation is the test's failure")]

    use super::*;
    use serde_json::json;

    fn template(value: Value) -> Template {
        let mut base = json!({"name": "a", "language": "en", "category": "utility", "components": [
            {"type": "HEADER", "format": "IMAGE", "example": {"header_handle": ["UPLOAD_PENDING"]}},
            {"type": "BODY", "text": "Hi {{1}}", "example": {"body_text": [["Ana"]]}},
        ]});
        base.as_object_mut().unwrap().extend(value.as_object().unwrap().clone());
        serde_json::from_value(base).unwrap()
    }

    #[test]
    fn names_what_differs_and_edits_no_more() {
        let header = json!({"type": "header", "format": "image", "example": {"header_handle": ["https://media.example.com/1?sig=2"]}});
        let body = |text: &str| json!({"type": "BODY", "text": text, "example": {"body_text": [["Ana"]]}});
        for (record, changed) in [
            (json!({}), vec![]),
            (json!({"category": "UTILITY", "created_at": "x", "parameter_format": "POSITIONAL"}), vec![]),
            (json!({"components": [header, body("Hi {{1}}")]}), vec![]),
            (json!({"category": "marketing"}), vec!["category"]),
            (json!({"components": [header, body("Hello {{1}}")]}), vec!["components/1/text"]),
            (json!({"components": [header]}), vec!["components"]),
            (json!({"components": [header, {"type": "BODY", "text": "Hi {{1}}"}]}), vec!["components/1/example"]),
        ] {
            let edit = edit(&template(json!({})), &template(record.clone()));
            let found = edit.map(|(_, changed)| changed).unwrap_or_default();
            assert_eq!(found, changed, "{record}");
        }
        let (edit, _) = edit(&template(json!({"category": "marketing"})), &template(json!({}))).unwrap();
        assert_eq!(serde_json::to_value(edit).unwrap(), json!({"category": "marketing"}));
    }

    #[test]
    fn data_as_a_string_of_json_is_the_same_data() {
        let file = template(json!({"pix_data": {"key": 1}}));
        assert!(edit(&file, &template(json!({"pix_data": "{\"key\": 1}"}))).is_none());
        assert!(edit(&file, &template(json!({"pix_data": "{\"key\": 2}"}))).is_some());
        assert!(edit(&template(json!({})), &template(json!({"pix_data": {"key": 1}}))).is_none(), "the file is silent");
    }

    #[test]
    fn a_record_becomes_creation_json_with_what_nobody_knows() {
        let record: TemplateRecord = serde_json::from_value(json!({
            "uuid": "u", "id": "9", "status": "APPROVED", "archived": false, "waba_ids": ["12"], "business_id": "3",
            "name": "a", "language": "en", "category": "UTILITY", "components": [], "created_at": "now",
            "rejected_reason": "NONE", "later": {"x": 1}, "nothing": null
        }))
        .unwrap();
        assert_eq!(
            serde_json::to_value(creation(&record)).unwrap(),
            json!({"waba_ids": [12], "name": "a", "language": "en", "category": "utility", "components": [], "later": {"x": 1}})
        );
    }
}
