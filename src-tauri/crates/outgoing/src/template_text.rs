//! The creation JSON as text: pasted, imported or edited by hand (contract §4.2).

use std::borrow::Cow;

use model::component::Component;
use model::listed::creation_form;
use model::template::Template;
use serde_json::{Value, json};

use command_types::composer::{TemplateText, TextFault};

/// Maximum size of a template file, in bytes.
pub const MAX_TEXT_BYTES: u64 = 1024 * 1024;

/// Parses a text. Unknown keys are kept in the template.
pub fn read(text: &str) -> TemplateText {
    match parse(text) {
        Ok((template, waba_ids)) => TemplateText { template: Some(template), waba_ids, fault: None },
        Err(fault) => TemplateText { template: None, waba_ids: Vec::new(), fault: Some(fault) },
    }
}

fn parse(text: &str) -> Result<(Template, Vec<String>), TextFault> {
    let text = text_without_mark(text);
    let value = value_of(text)?;
    if !value.is_object() {
        let message = "A template must be a JSON object with name, category, language and components.".to_owned();
        return Err(at_start("read.no_template", message));
    }
    // Parse the text again instead of the value, because only the text has line numbers.
    let mut template: Template = serde_json::from_str(text).map_err(|error| TextFault {
        message: unreadable(&value, &error),
        code: "read.shape",
        ..fault(text, &error)
    })?;
    let waba_ids = take_wabas(&mut template);
    Ok((creation_form(&template).into_owned(), waba_ids))
}

/// A text without the byte order mark that some editors add.
pub(crate) fn text_without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// The JSON of a text.
pub(crate) fn value_of(text: &str) -> Result<Value, TextFault> {
    if text.trim().is_empty() {
        let message = "Write or paste the JSON of a template.".to_owned();
        return Err(at_start("read.empty", message));
    }
    serde_json::from_str(text).map_err(|error| fault(text, &error))
}

/// A fault of a text as a whole.
#[must_use]
pub fn at_start(code: &'static str, message: String) -> TextFault {
    TextFault { line: 1, column: 1, message, code }
}

/// Takes the WABAs that a template's JSON names out of it.
pub(crate) fn take_wabas(template: &mut Template) -> Vec<String> {
    let mut waba_ids = Vec::new();
    for key in ["waba_ids", "waba_id"] {
        if let Some(ids) = template.extra.shift_remove(key) {
            collect_ids(&ids, &mut waba_ids);
        }
    }
    waba_ids
}

/// Which part of a template's JSON can't be read, and what to do.
pub(crate) fn unreadable(value: &Value, error: &serde_json::Error) -> String {
    let alone = |key: &str, value: &Value| model::json::read::<Template>(&json!({ key: value })).is_err();
    let culprit = value.as_object().and_then(|object| object.iter().find(|(key, value)| alone(key, value)));
    match culprit {
        Some((key, Value::Array(items))) if key == "components" => {
            let nth = items.iter().position(|item| alone(key, &json!([item]))).unwrap_or_default();
            let kind = kind(&items[nth]);
            format!("Component {} is {kind}, where an object with a type is expected. Correct the JSON.", nth + 1)
        }
        Some((key, value)) => {
            format!("`{key}` is {}, which is not valid there in a template. Correct the JSON.", kind(value))
        }
        None => format!("This cannot be read as a template: {}. Correct the JSON.", without_position(error)),
    }
}

pub(crate) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// Collects identifiers in any form: a number, a string, or an array of them.
fn collect_ids(value: &Value, found: &mut Vec<String>) {
    let id = match value {
        Value::Array(items) => return items.iter().for_each(|item| collect_ids(item, found)),
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.trim().to_owned(),
        _ => return,
    };
    if !id.is_empty() && !found.contains(&id) {
        found.push(id);
    }
}

/// Position and text of an error; columns are counted as the window does.
fn fault(text: &str, error: &serde_json::Error) -> TextFault {
    let line = error.line().max(1);
    let content = text.split('\n').nth(line - 1).unwrap_or_default();
    // serde counts bytes from 1; the column includes the byte at fault.
    let before = content.floor_char_boundary(error.column().saturating_sub(1).min(content.len()));
    let column = content[..before].encode_utf16().count() + 1;
    let message = format!("Invalid JSON: {}. Correct it here.", without_position(error));
    TextFault { line, column, message, code: "read.json" }
}

/// The text of an error without its position, which is reported separately.
fn without_position(error: &serde_json::Error) -> String {
    let words = error.to_string();
    words.rsplit_once(" at line ").map(|(words, _)| words.to_owned()).unwrap_or(words)
}

/// Whether a field belongs to the provider's record, not to the content of a template.
pub fn is_provider_field(field: &str) -> bool {
    const PROVIDER_FIELDS: [&str; 17] = [
        "uuid",
        "status",
        "archived",
        "business_id",
        "created_at",
        "updated_at",
        "quality_score",
        "previous_category",
        "correct_category",
        "rejected_reason",
        "rejection_info",
        "archived_at",
        "workspace_uuid",
        "message_template_id",
        "template_ids",
        "data",
        "id",
    ];
    PROVIDER_FIELDS.contains(&field)
}

/// The content of an existing template as it is created: without the provider's fields, and not in the form that only
/// listings have.
pub fn content_of(mut template: Template) -> Template {
    template.extra.retain(|key, _| !is_provider_field(key));
    match creation_form(&template) {
        Cow::Borrowed(_) => template,
        Cow::Owned(created) => created,
    }
}

/// The text of a template's body; empty if there is none.
pub fn body_text(template: &Template) -> &str {
    template
        .find(|component| match component {
            Component::Body(body) => body.text.as_deref(),
            _ => None,
        })
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that cannot read its own input should fail")]

    use super::*;

    #[test]
    fn creations_are_read_with_wabas_and_unknown_keys() {
        let text = "\u{feff}{\"waba_ids\": [200000000000001, \"2\", 2], \"name\": \"a\", \"later\": {\"b\": 1},
            \"components\": [{\"type\": \"BODY\", \"text\": \"Hi\"}, {\"type\": \"SPARKLE\", \"x\": 1}]}";
        let read = read(text);
        assert_eq!((read.fault, read.waba_ids), (None, vec!["200000000000001".to_owned(), "2".to_owned()]));
        let template = read.template.unwrap();
        assert_eq!(template.components.len(), 2);
        assert_eq!(template.extra.keys().collect::<Vec<_>>(), ["later"]);
    }

    #[test]
    fn a_listed_authentication_template_becomes_its_creation() {
        let listed = r#"{"name": "sign_in", "language": "pt_BR", "category": "AUTHENTICATION", "status": "APPROVED", "components": [
            {"type": "BODY", "text": "*{{1}}* é seu código. Não o compartilhe.", "example": {"body_text": [["1"]]}},
            {"type": "BUTTONS", "buttons": [{"type": "URL", "text": "Copiar", "example": ["x"],
                "url": "https://www.whatsapp.com/otp/code/?otp_type=COPY_CODE&code=otp{{1}}"}]}]}"#;
        let created = serde_json::json!([{"type": "BODY", "add_security_recommendation": true},
            {"type": "BUTTONS", "buttons": [{"type": "OTP", "otp_type": "COPY_CODE", "text": "Copiar"}]}]);
        let components = |template: &Template| serde_json::to_value(&template.components).unwrap();
        assert_eq!(components(&read(listed).template.unwrap()), created, "pasted or imported");
        assert_eq!(components(&content_of(serde_json::from_str(listed).unwrap())), created, "edited or copied");
    }

    #[test]
    fn parse_errors_have_a_position() {
        let deep = "[".repeat(1_000);
        for (text, line, column, words) in [
            ("", 1, 1, "Write or paste"),
            ("  \n ", 1, 1, "Write or paste"),
            ("[]", 1, 1, "JSON object"),
            ("\"text\"", 1, 1, "JSON object"),
            ("{\"name\": \"a\",}", 1, 14, "trailing comma"),
            ("{\n  \"name\": \"a\"\n  \"language\": \"en\"\n}", 3, 3, "expected `,` or `}`"),
            // é has two bytes; the emoji has four, and the window counts it as two.
            ("{\"é😀\": nothing}", 1, 10, "expected"),
            ("{\"name\": {}}", 1, 12, "`name` is an object"),
            ("{\"name\": \"a\",\n \"components\": [{}, 5]}", 2, 23, "Component 2 is a number"),
            ("{\"components\": 5}", 1, 17, "`components` is a number"),
            ("{\"name\": \"a\", \"name\": \"b\"}", 1, 20, "duplicate field"),
            (deep.as_str(), 1, 128, "recursion limit"),
        ] {
            let fault = read(text).fault.unwrap();
            assert!(fault.message.contains(words), "{text}: {}", fault.message);
            assert!(!fault.message.contains(" at line "), "{}", fault.message);
            assert_eq!((fault.line, fault.column), (line, column), "{text}: {}", fault.message);
        }
    }
}
