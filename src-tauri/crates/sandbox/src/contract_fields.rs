//! Reduces statuses, template events and errors to the fields that the contract names, for the profile `minimal`.

use model::Object;
use model::vocabulary::TemplateStatus;
use serde_json::{Value, json};

/// One of the four statuses of the contract §3.1; statuses that can't be sent map to `DISABLED`.
pub(crate) fn status(status: &TemplateStatus) -> TemplateStatus {
    match status {
        TemplateStatus::Pending | TemplateStatus::Rejected => status.clone(),
        other if other.is_sendable() => TemplateStatus::Approved,
        _ => TemplateStatus::Disabled,
    }
}

/// The value of a template event with the four fields of the contract §6.5; `None` if the contract has no such event.
pub(crate) fn template_event(event: &TemplateStatus, id: u64, name: &str, language: &str) -> Option<Value> {
    let event = status(&event.resulting()?);
    Some(json!({
        "message_template_id": id,
        "message_template_name": name,
        "message_template_language": language,
        "event": event,
    }))
}

/// The error reduced to the fields of the contract's error object (§7).
pub(crate) fn error(error: &Value) -> Value {
    const FIELDS: &[&str] = &["code", "title", "message", "retryable", "classification", "details"];
    let mut fields: Object =
        FIELDS.iter().filter_map(|key| Some(((*key).to_owned(), error.get(*key)?.clone()))).collect();
    if let Some(reason) = error.pointer("/error_data/details") {
        fields.insert("details".to_owned(), json!({ "reason": reason }));
    }
    Value::Object(fields)
}
