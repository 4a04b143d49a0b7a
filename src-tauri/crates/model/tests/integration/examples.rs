//! Reads every example into types, and checks that nothing is lost and that the rules find no errors.

#![expect(clippy::unwrap_used, reason = "a test that cannot read its own input should fail")]

use model::component::Component;
use model::event::message::Content;
use model::finding::has_errors;
use model::item::{Decoded, items};
use model::lint::lint_json;
use model::send::{Parameter, SendComponent, SendMessage};
use model::template::Template;
use serde_json::{Value, json};

pub(crate) fn templates() -> Vec<Value> {
    serde_json::from_str(include_str!("examples/templates.json")).unwrap()
}

pub(crate) fn sends() -> Vec<Value> {
    serde_json::from_str(include_str!("examples/sends.json")).unwrap()
}

/// Objects `{kind, field, value}`.
pub(crate) fn events() -> Vec<Value> {
    serde_json::from_str(include_str!("examples/events.json")).unwrap()
}

pub(crate) fn delivery(event: &Value) -> Value {
    let change = json!({"field": event["field"], "value": event["value"]});
    json!({"object": "account", "entry": [{"id": "102290129340398", "time": 1_739_321_024, "changes": [change]}]})
}

/// The value in a normal form: case of words, numbers as indices.
pub(crate) fn meaning(value: &Value) -> Value {
    match value {
        Value::Array(values) => values.iter().map(meaning).collect(),
        Value::Object(object) => {
            let member = |(key, value): (&String, &Value)| {
                let value = match (key.as_str(), value) {
                    ("index", Value::Number(index)) => Value::from(index.to_string()),
                    (
                        "type" | "category" | "format" | "parameter_format" | "otp_type" | "event" | "status",
                        Value::String(word),
                    ) => Value::from(word.to_ascii_uppercase()),
                    (_, value) => meaning(value),
                };
                (key.clone(), value)
            };
            Value::Object(object.iter().map(member).collect())
        }
        value => value.clone(),
    }
}

#[test]
fn example_templates_round_trip_without_findings() {
    for json in templates() {
        let template: Template = serde_json::from_value(json.clone()).unwrap();
        assert!(template.components.iter().all(|component| !matches!(component, Component::Unknown(_))), "{json}");
        assert!(template.extra.is_empty(), "{json}");
        assert_eq!(meaning(&serde_json::to_value(&template).unwrap()), meaning(&json));
        let findings = lint_json(&json);
        assert!(!has_errors(&findings), "{json}: {findings:?}");
    }
}

#[test]
fn lower_case_and_flat_samples_are_accepted() {
    let template: Template =
        serde_json::from_value(json!({"name": "a", "language": "en", "category": "MARKETING", "components": [
        {"type": "header", "format": "text", "text": "Our {{1}}!", "example": {"header_text": "Sale"}},
        {"type": "body", "text": "Hi {{1}}", "example": {"body_text": "Ana"}},
        {"type": "call_permission_request"},
        {"type": "buttons", "buttons": [{"type": "copy_code", "example": ["A"]}]}]}))
        .unwrap();
    assert_eq!(
        serde_json::to_value(&template).unwrap(),
        json!({"name": "a", "language": "en", "category": "marketing", "components": [
            {"type": "HEADER", "format": "TEXT", "text": "Our {{1}}!", "example": {"header_text": ["Sale"]}},
            {"type": "BODY", "text": "Hi {{1}}", "example": {"body_text": [["Ana"]]}},
            {"type": "CALL_PERMISSION_REQUEST"},
            {"type": "BUTTONS", "buttons": [{"type": "COPY_CODE", "example": "A"}]}]})
    );
}

#[test]
fn example_sends_round_trip() {
    for json in sends() {
        let send: SendMessage = serde_json::from_value(json.clone()).unwrap();
        assert_eq!(meaning(&serde_json::to_value(&send).unwrap()), meaning(&json));
        for component in send.template.iter().flat_map(|template| &template.components) {
            let known = SendComponent::TYPES.contains(&component.type_name());
            assert_eq!(matches!(component, SendComponent::Unknown(_)), !known, "{component:?}");
            let (SendComponent::Header(list) | SendComponent::Body(list)) = component else { continue };
            for parameter in &list.parameters {
                let known = Parameter::TYPES.contains(&parameter.type_name());
                assert_eq!(matches!(parameter, Parameter::Unknown(_)), !known, "{parameter:?}");
            }
        }
    }
}

#[test]
fn example_events_are_classified_and_read() {
    for event in events() {
        let items = items(delivery(&event).to_string().as_bytes());
        assert_eq!(items.len(), 1, "{event}");
        let item = &items[0];
        assert_eq!(item.kind.as_str(), event["kind"], "{event}");
        assert_eq!(item.entry_id.as_deref(), Some("102290129340398"));
        assert_eq!(serde_json::from_str::<Value>(item.value.get()).unwrap(), event["value"]);
        let written = match item.decode() {
            Decoded::Status { status, metadata, .. } => {
                assert_eq!(status.failures().count(), usize::from(status.status.as_str() == "failed"));
                assert!(!metadata.phone_number_id.is_empty() && status.seconds().is_some());
                (event["value"]["statuses"][0].clone(), serde_json::to_value(status).unwrap())
            }
            Decoded::Message { message, .. } => {
                let known = event["value"]["messages"][0]["type"] != "hologram" && message.errors.is_empty();
                assert_eq!(matches!(message.content(), Content::Other(_)), !known, "{event}");
                (event["value"]["messages"][0].clone(), serde_json::to_value(message).unwrap())
            }
            Decoded::UserAction { action, .. } => {
                assert!(action.seconds().is_some());
                (event["value"]["user_actions"][0].clone(), serde_json::to_value(action).unwrap())
            }
            Decoded::Errors(errors) => (event["value"]["errors"].clone(), serde_json::to_value(errors).unwrap()),
            Decoded::TemplateStatus(update) => (event["value"].clone(), serde_json::to_value(update).unwrap()),
            Decoded::TemplateQuality(update) => (event["value"].clone(), serde_json::to_value(update).unwrap()),
            Decoded::TemplateCategory(update) => {
                assert!(update.change().is_some());
                (event["value"].clone(), serde_json::to_value(update).unwrap())
            }
            Decoded::TemplateComponents(update) => (event["value"].clone(), serde_json::to_value(update).unwrap()),
            Decoded::Account(account) => {
                assert!(!format!("{account:?}").contains("None, extra: {}}"), "{account:?}");
                continue;
            }
            Decoded::Other => {
                assert_eq!(event["kind"], "unknown");
                continue;
            }
        };
        assert_eq!(meaning(&written.0), meaning(&written.1));
    }
}

#[test]
fn both_forms_of_an_error_are_read() {
    let error = json!({"code": 131_053, "title": "t", "message": "m", "retryable": false, "classification": "UserError",
        "details": {"file_size_bytes": 6_000_000, "max_size_bytes": 5_242_880, "reason": "too large"}});
    for (member, failures) in [
        (json!({"error": error}), 1),
        (json!({"error": [error]}), 1),
        (json!({"errors": error}), 1),
        (json!({"errors": [error, {"code": "131049"}]}), 2),
        (json!({"errors": [error], "error": error}), 2),
        (json!({"errors": null, "error": null}), 0),
        // Plain text is a reason without a code.
        (json!({"errors": "no"}), 1),
    ] {
        let mut status = json!({"id": "m", "status": "failed", "timestamp": "1"});
        status.as_object_mut().unwrap().extend(member.as_object().unwrap().clone());
        let event = json!({"field": "messages", "value": {"statuses": [status]}});
        let items = items(delivery(&event).to_string().as_bytes());
        let Decoded::Status { status, .. } = items[0].decode() else { panic!("{event}") };
        assert_eq!(status.failures().count(), failures, "{event}");
        assert!(status.failures().all(|failure| failure.code.is_some() || failure.words() == Some("no")));
    }
}
