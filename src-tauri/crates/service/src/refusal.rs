//! Reads the words of a refusal from whatever body it comes in.

use reqwest::header::{HeaderMap, RETRY_AFTER};
use serde_json::{Map, Value};
use std::time::Duration;

use crate::error::{Error, KEPT_BODY, Refusal, capped};

/// The longest pause a provider is believed to mean.
const LONGEST_PAUSE: Duration = Duration::from_secs(24 * 60 * 60);

/// The error that an answer of this status stands for.
pub(crate) fn error(endpoint: &str, status: u16, retry_after: Option<Duration>, body: &str) -> Error {
    let refusal = Box::new(Refusal { retry_after, ..read(endpoint, status, body) });
    match status {
        401 => Error::Unauthorized(refusal),
        403 => Error::Forbidden(refusal),
        404 | 410 => Error::NotFound(refusal),
        429 => Error::RateLimited(refusal),
        500..=599 => Error::Server(refusal),
        _ => Error::Refused(refusal),
    }
}

/// The error inside an answer that claims success: `{error: {…}}` or `{success: false}`.
pub(crate) fn hidden(endpoint: &str, status: u16, value: &Value, body: &str) -> Option<Error> {
    let object = value.as_object()?;
    let has_error = object.get("error").is_some_and(|error| {
        error.as_object().is_some_and(|error| !error.is_empty()) || error.as_str().is_some_and(|text| !text.is_empty())
    });
    let denied = object.get("success") == Some(&Value::Bool(false));
    (has_error || denied).then(|| Error::Refused(Box::new(read(endpoint, status, body))))
}

/// `Retry-After` in seconds. A date is not read: clocks differ, and without it the caller waits by its own measure.
pub(crate) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let seconds: u64 = headers.get(RETRY_AFTER)?.to_str().ok()?.trim().parse().ok()?;
    Some(Duration::from_secs(seconds).min(LONGEST_PAUSE))
}

fn read(endpoint: &str, status: u16, body: &str) -> Refusal {
    let mut refusal =
        Refusal { endpoint: endpoint.to_owned(), status, body: capped(body, KEPT_BODY), ..Refusal::default() };
    match serde_json::from_str::<Value>(body) {
        Ok(Value::Object(object)) => read_object(&object, &mut refusal),
        Ok(Value::String(text)) => refusal.message = text,
        Ok(Value::Array(items)) => refusal.message = words(&Value::Array(items)).unwrap_or_default(),
        _ => refusal.message = plain(body),
    }
    refusal
}

fn read_object(object: &Map<String, Value>, refusal: &mut Refusal) {
    // The channel's form keeps everything one level down; the provider may put its own words beside it.
    let inner = object.get("error").and_then(Value::as_object);
    let both = || inner.into_iter().chain([object]);
    let text = |keys: &[&str]| both().find_map(|object| keys.iter().find_map(|key| object.get(*key).and_then(words)));

    refusal.code = both().find_map(|object| object.get("code").and_then(integer));
    refusal.subcode = both().find_map(|object| object.get("error_subcode").and_then(integer));
    refusal.message = text(&["message", "error_user_title", "title"])
        .or_else(|| object.get("error").and_then(words))
        .or_else(|| text(&["detail", "error_description", "reason"]))
        .or_else(|| object.get("errors").and_then(words))
        .unwrap_or_default();
    let data = both().find_map(|object| object.get("error_data").and_then(Value::as_object));
    refusal.details = both()
        .find_map(|object| object.get("details").filter(|details| !details.is_null()).cloned())
        .or_else(|| data.and_then(|data| data.get("details")).cloned())
        .or_else(|| text(&["error_user_msg", "detail"]).filter(|words| *words != refusal.message).map(Value::String))
        .or_else(|| object.get("errors").and_then(words).filter(|words| *words != refusal.message).map(Value::String));
    // The channel explains itself to people in a third place.
    if let Some(advice) = inner.and_then(|error| error.get("error_user_msg")).and_then(words)
        && let Some(Value::String(details)) = &mut refusal.details
        && !details.contains(&advice)
    {
        details.push(' ');
        details.push_str(&advice);
    }
    refusal.field = both()
        .chain(data)
        .chain(object.get("details").and_then(Value::as_object))
        .find_map(named_field)
        .or_else(|| field_of_errors(object.get("errors")?));
}

fn named_field(object: &Map<String, Value>) -> Option<String> {
    ["path", "field", "param", "property"]
        .iter()
        .find_map(|key| object.get(*key)?.as_str())
        .filter(|field| !field.is_empty())
        .map(str::to_owned)
}

/// The first field of `[{field, message}]` or of `{field: [messages]}`.
fn field_of_errors(errors: &Value) -> Option<String> {
    match errors {
        Value::Array(items) => items.iter().find_map(|item| named_field(item.as_object()?)),
        Value::Object(fields) => fields.keys().next().cloned(),
        _ => None,
    }
}

fn integer(value: &Value) -> Option<i64> {
    value.as_i64().or_else(|| value.as_str()?.parse().ok())
}

/// The words in a value: a string, a list of words, an object with a message, or a message for each field.
fn words(value: &Value) -> Option<String> {
    let joined = |parts: Vec<String>| (!parts.is_empty()).then(|| parts.join(" "));
    match value {
        Value::String(text) => Some(text.trim().to_owned()).filter(|text| !text.is_empty()),
        Value::Array(items) => joined(items.iter().filter_map(words).collect()),
        Value::Object(object) => {
            match ["message", "msg", "detail", "title"].iter().find_map(|key| words(object.get(*key)?)) {
                Some(text) => Some(text),
                None => {
                    joined(object.iter().filter_map(|(key, value)| Some(format!("{key}: {}", words(value)?))).collect())
                }
            }
        }
        _ => None,
    }
}

/// The words of an answer that is not JSON.
fn plain(body: &str) -> String {
    let body = body.trim();
    if body.starts_with('<') {
        return "The answer is a web page, not the provider's API.".to_owned();
    }
    let line = body.lines().next().unwrap_or_default();
    capped(line, 300)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed expectation is the test's failure")]

    use super::*;
    use serde_json::json;

    /// Body, then what is read: code, message, details, field.
    type Case = (Value, Option<i64>, &'static str, &'static str, Option<&'static str>);

    #[test]
    fn reads_every_form_of_refusal() {
        let cases: Vec<Case> = vec![
            (
                json!({"message": "Authentication required", "details": "Supply a token"}),
                None,
                "Authentication required",
                "Supply a token",
                None,
            ),
            (
                json!({"message": "m", "details": "d", "path": "/components/0/format", "code": 100}),
                Some(100),
                "m",
                "d",
                Some("/components/0/format"),
            ),
            (
                json!({"error": {"message": "(#132001) gone", "code": 132001, "error_subcode": 7, "error_data": {"details": "no such template"}, "fbtrace_id": "x"}}),
                Some(132_001),
                "(#132001) gone",
                "no such template",
                None,
            ),
            (
                json!({"error": {"message": "Invalid parameter", "code": 100, "error_user_title": "T", "error_user_msg": "Variables cannot lead."}}),
                Some(100),
                "Invalid parameter",
                "Variables cannot lead.",
                None,
            ),
            (
                json!({"error": {"message": "m", "code": "100", "error_data": {"details": "d"}, "error_user_msg": "u"}}),
                Some(100),
                "m",
                "d u",
                None,
            ),
            (json!({"error": "invalid_request", "error_description": "no waba"}), None, "invalid_request", "", None),
            (
                json!({"message": ["name must be a string", "language is empty"], "statusCode": 400}),
                None,
                "name must be a string language is empty",
                "",
                None,
            ),
            (
                json!({"message": "Invalid.", "errors": {"name": ["is required"]}}),
                None,
                "Invalid.",
                "name: is required",
                Some("name"),
            ),
            (json!({"errors": [{"field": "to", "message": "bad number"}]}), None, "bad number", "", Some("to")),
            (
                json!({"code": 131053, "title": "t", "message": "too big", "details": {"max_size_bytes": 5_242_880}}),
                Some(131_053),
                "too big",
                r#"{"max_size_bytes":5242880}"#,
                None,
            ),
            (json!({}), None, "", "", None),
            (json!("just words"), None, "just words", "", None),
        ];
        for (body, code, message, details, field) in cases {
            let refusal = read("GET /x", 400, &body.to_string());
            assert_eq!(refusal.code, code, "{body}");
            assert_eq!(refusal.message, message, "{body}");
            assert_eq!(refusal.details_text(), details, "{body}");
            assert_eq!(refusal.field.as_deref(), field, "{body}");
        }
        assert_eq!(
            read("GET /x", 502, "<html>bad gateway</html>").message,
            "The answer is a web page, not the provider's API."
        );
        assert_eq!(read("GET /x", 502, "upstream gone\nmore").message, "upstream gone");
    }

    #[test]
    fn finds_an_error_inside_a_success() {
        for body in
            [json!({"error": {"message": "no"}}), json!({"success": false, "message": "no"}), json!({"error": "no"})]
        {
            let error = hidden("POST /x", 200, &body, &body.to_string()).unwrap();
            assert_eq!(error.refusal().unwrap().message, "no", "{body}");
        }
        for body in [json!({"uuid": "1", "error": null}), json!({"success": true}), json!([]), json!({"error": {}})] {
            assert!(hidden("POST /x", 200, &body, &body.to_string()).is_none(), "{body}");
        }
    }
}
