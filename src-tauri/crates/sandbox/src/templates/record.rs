//! Template records in responses: the fields of the contract §2.1, and the channel's additional fields.

use model::Object;
use serde_json::{Value, json};

use super::listed;
use crate::contract_fields;
use crate::profile::Minimal;
use crate::runtime::Runtime;
use crate::state::Entry;
use crate::time::rfc3339;
use crate::uploads;

/// Fields of the record that a creation must not set.
pub(crate) const RESERVED: &[&str] = &[
    "uuid",
    "id",
    "template_ids",
    "status",
    "archived",
    "archived_at",
    "business_id",
    "waba_id",
    "waba_ids",
    "rejected_reason",
    "rejection_info",
    "quality_score",
    "created_at",
    "updated_at",
    "pix_file",
    "order_file",
];

pub(crate) fn record(runtime: &Runtime, entry: &Entry) -> Value {
    let mut template = entry.template.clone();
    uploads::show(runtime, &mut template.components);
    listed::show(&mut template, true);
    let mut record = Object::new();
    record.insert("uuid".into(), json!(entry.uuid));
    // A string, as in the channel: the number exceeds the safe integers of JavaScript.
    record.insert("id".into(), json!(entry.ids.values().next().map(u64::to_string)));
    let Ok(Value::Object(content)) = serde_json::to_value(&template) else {
        unreachable!("a template serialises to an object");
    };
    record.extend(content);
    record.insert("status".into(), json!(entry.status));
    record.insert("archived".into(), json!(entry.archived_at.is_some()));
    record.insert("archived_at".into(), json!(entry.archived_at.map(rfc3339)));
    record.insert("waba_ids".into(), json!(entry.ids.keys().collect::<Vec<_>>()));
    let ids: Object = entry.ids.iter().map(|(waba, id)| (waba.to_string(), json!(id.to_string()))).collect();
    record.insert("template_ids".into(), Value::Object(ids));
    record.insert("business_id".into(), json!(entry.business_id));
    record.insert("rejected_reason".into(), json!(entry.reason.as_deref().unwrap_or("NONE")));
    if let Some(info) = &entry.rejection_info {
        record.insert("rejection_info".into(), json!(info));
    }
    for (part, handle) in &entry.files {
        record.insert(part.clone(), json!(uploads::address_of(runtime, handle)));
    }
    record.insert("created_at".into(), json!(rfc3339(entry.created_at)));
    record.insert("updated_at".into(), json!(rfc3339(entry.updated_at)));
    Value::Object(record)
}

/// A template with the fields of the contract §2.1; optional fields only if they have a value.
pub(crate) fn minimal_record(runtime: &Runtime, entry: &Entry, forms: &Minimal) -> Value {
    let mut template = entry.template.clone();
    uploads::show(runtime, &mut template.components);
    listed::show(&mut template, false);
    let mut record = Object::new();
    let mut put = |key: &str, value: Value| drop(record.insert(key.to_owned(), value));
    put("uuid", json!(entry.uuid));
    put("name", json!(template.name));
    put("language", json!(template.language));
    if forms.category {
        put("category", json!(template.category));
    }
    put("components", json!(template.components));
    put("waba_ids", json!(entry.ids.keys().collect::<Vec<_>>()));
    put("business_id", json!(entry.business_id));
    put("status", json!(contract_fields::status(&entry.status)));
    for (key, value) in [
        ("type", template.kind.as_ref().map(|kind| json!(kind))),
        ("parameter_format", template.parameter_format.as_ref().map(|format| json!(format))),
        ("sub_category", template.sub_category.as_ref().map(|word| json!(word))),
        ("pix_data", template.pix_data.clone()),
        ("order_data", template.order_data.clone()),
    ] {
        if let Some(value) = value {
            put(key, value);
        }
    }
    Value::Object(record)
}

/// The response to an edit (contract §4.3).
pub(crate) fn edited(runtime: &Runtime, entry: &Entry) -> Value {
    let mut components = entry.template.components.clone();
    uploads::show(runtime, &mut components);
    json!({ "data": { "uuid": entry.uuid, "category": entry.template.category, "components": components } })
}
