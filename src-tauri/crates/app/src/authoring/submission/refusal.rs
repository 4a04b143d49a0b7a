//! Maps a refusal of the provider to the fields it is about.

use std::collections::BTreeMap;

use model::component::Component;
use model::finding::{Finding, Severity};
use model::rejection::position_of;
use model::template::Template;
use serde_json::Value;

use command_types::error::DeskError;

/// Where the contract describes refusals.
const SOURCE: &str = "contract §7";

/// Findings for the fields that a refusal names, in the provider's words; empty if it names none.
///
/// A field is named by a list of findings in the answer, by a field next to the message, or by a code whose meaning is
/// known.
pub(super) fn findings(error: &DeskError, template: &Template) -> Vec<Finding> {
    let DeskError::Service { error_code, message, details, field, body, .. } = error else {
        return match error {
            // The client itself refused a field: nothing was sent.
            DeskError::InvalidInput { field, message, .. } => {
                pointer(field, template).map(|path| finding(path, message.clone(), None)).into_iter().collect()
            }
            _ => Vec::new(),
        };
    };
    let body: Value = serde_json::from_str(body).unwrap_or_default();
    let mut found: Vec<Finding> = Vec::new();
    for listed in lists(&body) {
        let Some(path) = field_of(listed).and_then(|field| pointer(field, template)) else { continue };
        let Some(message) = message_of(listed) else { continue };
        let finding = finding(path, message, listed.get("code").and_then(text));
        if !found.contains(&finding) {
            found.push(finding);
        }
    }
    if !found.is_empty() {
        return found;
    }
    let code = error_code.clone();
    let place = field.as_deref().and_then(|field| pointer(field, template)).or_else(|| {
        let codes = [subcode(&body), error_code.as_ref().and_then(|code| code.parse().ok())];
        codes.into_iter().flatten().find_map(|code| position_of(code, template))
    });
    let text = match details {
        Some(details) if !details.is_empty() => details.clone(),
        _ => message.clone(),
    };
    place.map(|path| finding(path, text, code)).into_iter().collect()
}

fn finding(path: String, message: String, code: Option<String>) -> Finding {
    let values = code.into_iter().map(|code| ("code", code)).collect::<BTreeMap<_, _>>();
    Finding {
        code: "provider",
        severity: Severity::Error,
        path,
        message,
        values,
        source: SOURCE,
        fixable: false,
        untouched: false,
    }
}

/// All objects, in all lists, that describe fields.
fn lists(body: &Value) -> impl Iterator<Item = &Value> {
    let inner = [Some(body), body.get("error"), body.get("details"), body.get("data")];
    let lists = inner.into_iter().flatten().flat_map(|object| {
        ["findings", "errors", "details"].into_iter().filter_map(|key| object.get(key).and_then(Value::as_array))
    });
    lists.flatten().filter(|item| item.is_object())
}

fn field_of(item: &Value) -> Option<&str> {
    ["path", "field", "param", "property"].iter().find_map(|key| item.get(key)?.as_str())
}

fn message_of(item: &Value) -> Option<String> {
    ["message", "details", "msg", "reason", "title"].iter().find_map(|key| item.get(key).and_then(text))
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// The channel's subcode (upstream §7).
fn subcode(body: &Value) -> Option<i64> {
    let error = body.get("error").unwrap_or(body);
    let code = error.get("error_subcode").or_else(|| error.get("subcode"))?;
    code.as_i64().or_else(|| code.as_str()?.parse().ok())
}

/// A JSON pointer into the template for the notations of fields: `/components/0/text`, `components[0].text`,
/// `template.components.0.text`, `header_file`. `None` if it is not a field.
fn pointer(field: &str, template: &Template) -> Option<String> {
    let dotted = field.replace(['.', '['], "/").replace(']', "");
    let field = if field.starts_with('/') { field } else { dotted.as_str() };
    let mut steps: Vec<&str> = field.split('/').filter(|step| !step.is_empty()).collect();
    if steps.len() > 1 && matches!(steps[0], "template" | "body" | "data") {
        steps.remove(0);
    }
    let (first, rest) = steps.split_first()?;
    let at = |kind: &str| {
        let found = template.components.iter().position(|component| component.type_name().eq_ignore_ascii_case(kind));
        found.map_or_else(|| "/components".to_owned(), |place| format!("/components/{place}"))
    };
    Some(match *first {
        "header_file" => at("HEADER"),
        "carousel_files" | "carousel_files[]" => match rest.first().and_then(|place| place.parse().ok()) {
            Some(nth) => card_of_file(template, nth).unwrap_or_else(|| at("CAROUSEL")),
            None => at("CAROUSEL"),
        },
        "pix_file" => "/pix_data".to_owned(),
        "order_file" => "/order_data".to_owned(),
        "wabaIds" | "waba_id" => "/waba_ids".to_owned(),
        // A field of the template or of the request; anything else is text that looks like a field.
        first if first.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') => {
            format!("/{}", steps.join("/"))
        }
        _ => return None,
    })
}

/// The card of the nth card file: the nth card whose header needs a file.
fn card_of_file(template: &Template, nth: usize) -> Option<String> {
    let (place, cards) = template.components.iter().enumerate().find_map(|(place, component)| match component {
        Component::Carousel(carousel) => Some((place, &carousel.cards)),
        _ => None,
    })?;
    let needs_file = |components: &[Component]| {
        components.iter().any(|component| match component {
            Component::Header(header) => header.example.as_ref().is_some_and(|example| {
                example.header_handle.iter().any(|handle| handle == model::component::UPLOAD_PENDING)
            }),
            _ => false,
        })
    };
    let mut waiting = cards.iter().enumerate().filter(|(_, card)| needs_file(&card.components));
    waiting.nth(nth).map(|(card, _)| format!("/components/{place}/cards/{card}"))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that cannot read its own input should fail")]

    use super::*;
    use serde_json::json;

    fn template() -> Template {
        serde_json::from_value(json!({"name": "n", "language": "en", "category": "marketing", "components": [
        {"type": "BODY", "text": "Hello"},
        {"type": "HEADER", "format": "IMAGE", "example": {"header_handle": ["UPLOAD_PENDING"]}},
        {"type": "CAROUSEL", "cards": [
            {"components": [{"type": "HEADER", "format": "IMAGE", "example": {"header_handle": ["4::a"]}}]},
            {"components": [{"type": "HEADER", "format": "IMAGE", "example": {"header_handle": ["UPLOAD_PENDING"]}}]}
        ]}]}))
        .unwrap()
    }

    fn refused(field: Option<&str>, code: Option<&str>, body: &Value) -> DeskError {
        DeskError::Service {
            status: 400,
            error_code: code.map(str::to_owned),
            message: "no".to_owned(),
            details: Some("because".to_owned()),
            field: field.map(str::to_owned),
            retry_after: None,
            body: body.to_string(),
        }
    }

    #[test]
    fn fields_are_found_in_every_notation() {
        for (field, expected) in [
            ("/components/0/text", Some("/components/0/text")),
            ("components[0].text", Some("/components/0/text")),
            ("template.components.0.text", Some("/components/0/text")),
            ("name", Some("/name")),
            ("body.name", Some("/name")),
            ("header_file", Some("/components/1")),
            ("/header_file", Some("/components/1")),
            ("carousel_files[]", Some("/components/2")),
            ("/carousel_files[]", Some("/components/2")),
            ("carousel_files[0]", Some("/components/2/cards/1")),
            ("carousel_files[7]", Some("/components/2")),
            ("pix_file", Some("/pix_data")),
            ("waba_ids[0]", Some("/waba_ids/0")),
            ("waba_id", Some("/waba_ids")),
            ("", None),
            ("two words", None),
        ] {
            assert_eq!(pointer(field, &template()).as_deref(), expected, "{field}");
            let found = findings(&refused(Some(field), None, &json!({})), &template());
            assert_eq!(found.first().map(|finding| finding.path.as_str()), expected, "{field}");
            assert!(found.iter().all(|finding| finding.message == "because" && finding.code == "provider"));
        }
    }

    #[test]
    fn finding_lists_come_before_fields_and_codes() {
        let listed = json!({"path": "/name", "findings": [
            {"code": "body.too_long", "path": "/components/0/text", "message": "too long"},
            {"code": "body.too_long", "path": "/components/0/text", "message": "too long"},
            {"path": "/language", "message": "unknown"}, {"message": "nowhere"}, 5]});
        let found = findings(&refused(Some("/name"), None, &listed), &template());
        let seen: Vec<_> = found.iter().map(|finding| (finding.path.as_str(), finding.message.as_str())).collect();
        assert_eq!(seen, [("/components/0/text", "too long"), ("/language", "unknown")]);
        assert_eq!(found[0].values["code"], "body.too_long");

        let coded = json!({"error": {"code": 100, "error_subcode": 2_388_024, "message": "exists"}});
        let found = findings(&refused(None, Some("100"), &coded), &template());
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].path, "/name");
        assert_eq!(findings(&refused(None, Some("131000"), &json!({})), &template()), []);
        assert_eq!(findings(&DeskError::Cancelled {}, &template()), []);
    }
}
