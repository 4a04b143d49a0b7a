//! Compares a file with the provider's record, and converts a record into the content of a file.

use model::Id;
use model::language::{is_known, normalise};
use model::listed::creation_form;
use model::template::{CreateTemplate, EditTemplate, Template, TemplateRecord};
use model::vocabulary::{ParameterFormat, TemplateType};
use serde_json::Value;

use super::sidecar_media::{expected_files, handle, media_headers};
use outgoing::submission::edit_of;
use outgoing::template_text::{content_of, is_provider_field};

/// Fields that a provider keeps about a template and that are not part of its content. If they were compared, every
/// pull would report a change.
const PROVIDER_FIELDS: [&str; 7] =
    ["createdAt", "updatedAt", "last_updated_time", "rejected_at", "approved_at", "pix_file", "order_file"];

/// The creation JSON of a record. States the format of named variables, which a provider may omit.
pub fn creation(record: &TemplateRecord) -> CreateTemplate {
    let mut template = creation_form(&record.template).into_owned();
    template
        .extra
        .retain(|key, value| !is_provider_field(key) && !PROVIDER_FIELDS.contains(&key.as_str()) && !value.is_null());
    let language = normalise(&template.language);
    if is_known(&language) {
        template.language = language.into_owned();
    }
    let format = template.effective_parameter_format();
    if template.parameter_format.is_none() && format == ParameterFormat::Named {
        template.parameter_format = Some(format);
    }
    let waba_ids = record.wabas().into_iter().map(|id| Id::number(&id).unwrap_or_else(|| Id::text(id))).collect();
    CreateTemplate { waba_ids, template }
}

/// The record's content, updated with every field of the file. Fields that the file doesn't name keep their value, and
/// so do media samples if nothing else in the components differs. Fields in `cleared` are removed.
pub(crate) fn merged(file: &Template, record: &Template, cleared: &[&str]) -> Template {
    let (file, old) = (&*creation_form(file), content_of(record.clone()));
    let format = file.parameter_format.clone().filter(|format| *format != old.effective_parameter_format());
    let data = |file: &Option<Value>, old: &Option<Value>| match file {
        Some(value) if old.as_ref().map(object) != Some(object(value)) => Some(value.clone()),
        _ => old.clone(),
    };
    let mut extra = old.extra.clone();
    extra.extend(
        file.extra.iter().filter(|(_, value)| !value.is_null()).map(|(key, value)| (key.clone(), value.clone())),
    );
    let stays = |field: &&str| !cleared.contains(field);
    Template {
        // If either category is absent, it counts as unchanged.
        category: if [file, &old].iter().any(|template| template.category.is_absent()) {
            old.category.clone()
        } else {
            file.category.clone()
        },
        sub_category: file.sub_category.clone().or(old.sub_category.clone()).filter(|_| stays(&"sub_category")),
        kind: file.kind.clone().or(old.kind.clone()),
        parameter_format: format.or(old.parameter_format.clone()).filter(|_| stays(&"parameter_format")),
        components: if comparable(file) == comparable(&old) { old.components } else { file.components.clone() },
        message_send_ttl_seconds: file.message_send_ttl_seconds.or(old.message_send_ttl_seconds),
        display_format: file.display_format.clone().or(old.display_format.clone()),
        pix_data: data(&file.pix_data, &old.pix_data).filter(|_| stays(&"pix_data")),
        order_data: data(&file.order_data, &old.order_data).filter(|_| stays(&"order_data")),
        // Name and language identify the template, so they can differ in spelling only.
        name: old.name,
        language: old.language,
        extra,
    }
}

/// What an edit that makes the record equal to the file changes: names of fields, and JSON pointers below `components`.
/// Empty when an edit can change nothing (contract §4.3).
pub fn changed(file: &Template, record: &Template, cleared: &[&str]) -> Vec<String> {
    let EditTemplate { category, sub_category, components, parameter_format, pix_data, order_data, .. } =
        edit_of(&content_of(record.clone()), &merged(file, record, cleared));
    let fields = [
        ("category", category.is_some()),
        ("sub_category", sub_category.is_some()),
        ("parameter_format", parameter_format.is_some()),
        ("pix_data", pix_data.is_some()),
        ("order_data", order_data.is_some()),
    ];
    let mut changed: Vec<String> =
        fields.into_iter().filter(|(_, changes)| *changes).map(|(name, _)| name.to_owned()).collect();
    if components.is_some() {
        changed.extend(differences(&comparable(&creation_form(file)), &comparable(&creation_form(record))));
    }
    changed
}

/// Whether a file matches a creation that was made from a record. The file may omit the WABAs and fields that a
/// provider fills in. Sample addresses are ignored because a provider may renew them at any time, but the same headers
/// must expect a file.
pub(crate) fn matches_creation(file: &CreateTemplate, created: &CreateTemplate) -> bool {
    let mut wabas = [file, created].map(|create| create.waba_ids.iter().map(Id::as_str).collect::<Vec<_>>());
    wabas.iter_mut().for_each(|wabas| wabas.sort_unstable());
    (wabas[0].is_empty() || wabas[0] == wabas[1])
        && expected_files(&file.template) == expected_files(&created.template)
        && same_content(&file.template, &created.template)
}

/// Whether two templates have the same content, apart from sample addresses and fields that a provider fills in.
pub(crate) fn same_content(one: &Template, other: &Template) -> bool {
    bare(one) == bare(other)
}

/// Whether a listed template has everything that a creation requested. Fields that only the list has say nothing: the
/// contract leaves them open (§2.1). The category is not compared, because the channel may change it (upstream §5.4).
pub fn has_content(listed: &TemplateRecord, requested: &Template) -> bool {
    let listed = Template { category: requested.category.clone(), ..creation(listed).template };
    let listed = Template { language: requested.language.clone(), ..listed };
    contains(&bare(&listed), &bare(requested))
}

fn bare(template: &Template) -> Value {
    let mut template = creation_form(template).into_owned();
    if template.parameter_format.is_none() {
        template.parameter_format = Some(template.effective_parameter_format());
    }
    template.kind.get_or_insert(TemplateType::CloudApi);
    template.extra.retain(|_, value| !value.is_null());
    for data in [&mut template.pix_data, &mut template.order_data] {
        *data = data.as_ref().filter(|value| !value.is_null()).map(object);
    }
    let mut value = serde_json::to_value(&template).unwrap_or_default();
    value["components"] = comparable(&template);
    value
}

/// Whether a value has all members of another one, and the same texts but for white space at their ends.
fn contains(whole: &Value, part: &Value) -> bool {
    match (whole, part) {
        (Value::Object(whole), Value::Object(part)) => {
            part.iter().all(|(key, value)| whole.get(key).is_some_and(|other| contains(other, value)))
        }
        (Value::Array(whole), Value::Array(part)) => {
            whole.len() == part.len() && whole.iter().zip(part).all(|(whole, part)| contains(whole, part))
        }
        (Value::String(whole), Value::String(part)) => {
            whole.trim().replace("\r\n", "\n") == part.trim().replace("\r\n", "\n")
        }
        _ => whole == part,
    }
}

/// Whether two records of the same name and language have the same content, however the language is spelled.
pub(crate) fn same_but_spelling(one: &Template, other: &Template) -> bool {
    same_content(one, &Template { language: one.language.clone(), ..other.clone() })
}

/// Copies the upload handles from a file into the template: an upload handle identifies the media, an address in an
/// answer does not.
pub(crate) fn keep_handles(template: &mut Template, file: &Template) {
    let mut file = file.clone();
    let known = media_headers(&mut file);
    for (place, header) in media_headers(template) {
        let Some((_, own)) = known.iter().find(|(known, own)| *known == place && own.format == header.format) else {
            continue;
        };
        if is_address(handle(header)) && is_upload(handle(own)) {
            header.example.clone_from(&own.example);
        }
    }
}

/// Whether the handle of a sample is an address.
pub(crate) fn is_address(handle: &str) -> bool {
    let start = |scheme: &str| handle.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme));
    start("https://") || start("http://")
}

/// Whether the handle of a sample comes from an upload.
fn is_upload(handle: &str) -> bool {
    !handle.is_empty() && handle != model::component::UPLOAD_PENDING && !is_address(handle)
}

/// JSON data, given as an object or as a string that contains JSON (contract §2.1).
pub(crate) fn object(value: &Value) -> Value {
    value.as_str().and_then(|text| serde_json::from_str(text).ok()).unwrap_or_else(|| value.clone())
}

/// The components without handles of media samples: a file has the upload handle, a record the current address.
fn comparable(template: &Template) -> Value {
    let mut value = serde_json::to_value(&template.components).unwrap_or_default();
    remove_handles(&mut value);
    value
}

fn remove_handles(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(remove_handles),
        Value::Object(object) => {
            if let Some(Value::Object(example)) = object.get_mut("example") {
                example.shift_remove("header_handle");
                if example.is_empty() {
                    object.shift_remove("example");
                }
            }
            // Absent and `null` are equal; some providers write every key.
            object.retain(|_, value| !value.is_null());
            object.values_mut().for_each(remove_handles);
        }
        _ => {}
    }
}

/// Paths of the differences, relative to the template (`components/…`).
fn differences(ours: &Value, theirs: &Value) -> Vec<String> {
    let mut paths = Vec::new();
    differ("components", ours, theirs, &mut paths);
    paths
}

fn differ(at: &str, ours: &Value, theirs: &Value, paths: &mut Vec<String>) {
    match (ours, theirs) {
        (Value::Object(ours), Value::Object(theirs)) => {
            for (key, value) in ours {
                match theirs.get(key) {
                    Some(other) => differ(&format!("{at}/{key}"), value, other, paths),
                    None => paths.push(format!("{at}/{key}")),
                }
            }
            paths.extend(theirs.keys().filter(|key| !ours.contains_key(*key)).map(|key| format!("{at}/{key}")));
        }
        (Value::Array(ours), Value::Array(theirs)) if ours.len() == theirs.len() => {
            for (index, (ours, theirs)) in ours.iter().zip(theirs).enumerate() {
                differ(&format!("{at}/{index}"), ours, theirs, paths);
            }
        }
        _ if ours == theirs => {}
        _ => paths.push(at.to_owned()),
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
    fn only_differences_are_edited() {
        let header = json!({"type": "header", "format": "image", "example": {"header_handle": ["https://media.example.com/1?sig=2"]}});
        let body = |text: &str| json!({"type": "BODY", "text": text, "example": {"body_text": [["Ana"]]}});
        for (record, expected) in [
            (json!({}), vec![]),
            (json!({"category": "UTILITY", "created_at": "x", "parameter_format": "POSITIONAL"}), vec![]),
            (json!({"components": [header, body("Hi {{1}}")]}), vec![]),
            (json!({"category": "marketing"}), vec!["category"]),
            (json!({"components": [header, body("Hello {{1}}")]}), vec!["components/1/text"]),
            (json!({"components": [header]}), vec!["components"]),
            (json!({"components": [header, {"type": "BODY", "text": "Hi {{1}}"}]}), vec!["components/1/example"]),
        ] {
            assert_eq!(changed(&template(json!({})), &template(record.clone()), &[]), expected, "{record}");
        }
        let (file, record) = (template(json!({"category": "marketing"})), template(json!({"sub_category": "x"})));
        assert_eq!(
            serde_json::to_value(edit_of(&record, &merged(&file, &record, &[]))).unwrap(),
            json!({"category": "marketing"})
        );
    }

    #[test]
    fn json_in_a_string_equals_the_object() {
        let file = template(json!({"pix_data": {"key": 1}}));
        let none: [&str; 0] = [];
        assert_eq!(changed(&file, &template(json!({"pix_data": "{\"key\": 1}"})), &[]), none);
        assert_eq!(changed(&file, &template(json!({"pix_data": "{\"key\": 2}"})), &[]), ["pix_data"]);
        assert_eq!(
            changed(&template(json!({})), &template(json!({"pix_data": {"key": 1}})), &[]),
            none,
            "the file is silent"
        );
        let record = template(json!({"pix_data": {"key": 1}, "sub_category": "x"}));
        let cleared = ["pix_data", "sub_category"];
        assert_eq!(changed(&template(json!({})), &record, &cleared), ["sub_category", "pix_data"]);
        assert_eq!(
            serde_json::to_value(edit_of(&record, &merged(&template(json!({})), &record, &cleared))).unwrap(),
            json!({"sub_category": null, "pix_data": null})
        );
        assert_eq!(changed(&template(json!({})), &template(json!({})), &cleared), none, "nothing to clear");
    }

    #[test]
    fn creation_json_keeps_unknown_fields() {
        let record: TemplateRecord = serde_json::from_value(json!({
            "uuid": "u", "id": "9", "status": "APPROVED", "archived": false, "waba_ids": ["12"], "business_id": "3",
            "name": "a", "language": "en", "category": "UTILITY", "components": [], "created_at": "now",
            "createdAt": "now", "rejected_reason": "NONE", "later": {"x": 1}, "nothing": null
        }))
        .unwrap();
        assert_eq!(
            serde_json::to_value(creation(&record)).unwrap(),
            json!({"waba_ids": [12], "name": "a", "language": "en", "category": "utility", "components": [], "later": {"x": 1}})
        );
    }

    #[test]
    fn a_file_may_omit_fields_of_the_provider() {
        let create = |wabas: Value, fields: Value| {
            let mut whole = serde_json::to_value(template(fields)).unwrap();
            whole["waba_ids"] = wabas;
            serde_json::from_value::<CreateTemplate>(whole).unwrap()
        };
        let header = |handle: &str| json!({"components": [{"type": "HEADER", "format": "IMAGE", "example": {"header_handle": [handle]}}]});
        for (file, record, same) in [
            (create(json!([]), json!({})), create(json!([1, 2]), json!({})), true),
            (create(json!(["2", 1]), json!({})), create(json!([1, 2]), json!({})), true),
            (create(json!([1]), json!({})), create(json!([1, 2]), json!({})), false),
            (
                create(json!([1]), json!({})),
                create(json!([1]), json!({"type": "cloud_api", "parameter_format": "POSITIONAL", "x": null})),
                true,
            ),
            (create(json!([1]), json!({})), create(json!([1]), json!({"type": "marketing_lite"})), false),
            (create(json!([1]), json!({})), create(json!([1]), json!({"message_send_ttl_seconds": 60})), false),
            (create(json!([1]), json!({})), create(json!([1]), json!({"later": 1})), false),
            (create(json!([1]), header("https://a/1")), create(json!([1]), header("https://a/2")), true),
            (create(json!([1]), header("https://a/1")), create(json!([1]), header("UPLOAD_PENDING")), false),
        ] {
            assert_eq!(matches_creation(&file, &record), same, "{file:?} {record:?}");
        }
    }

    #[test]
    fn handles_of_uploads_stay_in_their_file() {
        let header = |handle: &str| {
            template(
                json!({"components": [{"type": "HEADER", "format": "IMAGE", "example": {"header_handle": [handle]}}]}),
            )
        };
        for (file, record, kept) in [
            ("4::abc", "https://a/1", "4::abc"),
            ("4::abc", "4::other", "4::other"),
            ("UPLOAD_PENDING", "https://a/1", "https://a/1"),
            ("http://a/0", "HTTPS://a/1", "HTTPS://a/1"),
        ] {
            let mut template = header(record);
            keep_handles(&mut template, &header(file));
            assert_eq!(template, header(kept), "{file} {record}");
        }
    }
}
