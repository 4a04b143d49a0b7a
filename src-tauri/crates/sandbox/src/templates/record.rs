//! A template as it is answered: the fields of the contract §2.1 and what the channel lists beside them.

use model::Object;
use serde_json::{Value, json};

use crate::Sandbox;
use crate::state::Entry;
use crate::time::rfc3339;
use crate::uploads;

/// Fields that a client may not set by naming them in a creation: they belong to the record.
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

/// The JSON of a template.
pub(crate) fn record(sandbox: &Sandbox, entry: &Entry) -> Value {
    let mut template = entry.template.clone();
    uploads::show(sandbox, &mut template.components);
    let mut record = Object::new();
    record.insert("uuid".into(), json!(entry.uuid));
    // Like the channel, a string: the number does not fit into what JavaScript can hold.
    record.insert("id".into(), json!(entry.ids.values().next().map(u64::to_string)));
    let Ok(Value::Object(content)) = serde_json::to_value(&template) else {
        unreachable!("a template serialises to an object");
    };
    record.extend(content);
    if !record.contains_key("type") {
        record.insert("type".into(), json!("cloud_api"));
    }
    record.insert("parameter_format".into(), json!(template.effective_parameter_format()));
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
        record.insert(part.clone(), json!(uploads::address_of(sandbox, handle)));
    }
    record.insert("created_at".into(), json!(rfc3339(entry.created_at)));
    record.insert("updated_at".into(), json!(rfc3339(entry.updated_at)));
    Value::Object(record)
}
