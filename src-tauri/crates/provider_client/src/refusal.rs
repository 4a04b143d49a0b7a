//! Parses the provider's rejection from a body of any shape.

use reqwest::header::{DATE, HeaderMap, HeaderName, RETRY_AFTER};
use serde_json::{Map, Value};
use std::time::{Duration, SystemTime};

use crate::error::{Error, MAX_STORED_BODY, Refusal, capped, is_inconclusive};

/// Upper limit of `Retry-After`; longer values are capped.
const MAX_RETRY_AFTER: Duration = Duration::from_secs(24 * 60 * 60);

/// The error for an answer with this status. `changes` says whether the request was a changing one.
pub(crate) fn error(endpoint: &str, status: u16, retry_after: Option<Duration>, body: &str, changes: bool) -> Error {
    let (refusal, channel_code) = read(endpoint, status, body);
    let maybe_received = changes && is_inconclusive(status, channel_code);
    let refusal = Box::new(Refusal { retry_after, maybe_received, ..refusal });
    match status {
        401 => Error::Unauthorized(refusal),
        403 => Error::Forbidden(refusal),
        404 | 410 => Error::NotFound(refusal),
        429 => Error::RateLimited(refusal),
        408 | 500.. => Error::Server(refusal),
        _ => Error::Refused(refusal),
    }
}

/// The error in an answer with a success status: `{error: {…}}`, a list of them, or `{success: false}`. `changes` says
/// whether the request was a changing one: if the answer also names the created object, the request may have been
/// carried out.
pub(crate) fn embedded_error(endpoint: &str, status: u16, value: &Value, body: &str, changes: bool) -> Option<Error> {
    let object = value.as_object()?;
    let has_error = object.get("error").is_some_and(|error| match error {
        Value::Object(error) => !error.is_empty(),
        Value::Array(errors) => !errors.is_empty(),
        Value::String(text) => !text.is_empty(),
        _ => false,
    }) || object.get("errors").and_then(|errors| errors.get(0)?.get("code")).is_some();
    let denied = object.get("success") == Some(&Value::Bool(false));
    let made = ["uuid", "messages", "message_id"].iter().any(|key| {
        let layers = [Some(object), object.get("data").and_then(Value::as_object)];
        layers.into_iter().flatten().any(|layer| layer.get(*key).is_some_and(|made| !made.is_null()))
    });
    (has_error || denied).then(|| {
        let maybe_received = changes && made;
        Error::Refused(Box::new(Refusal { maybe_received, ..read(endpoint, status, body).0 }))
    })
}

/// `Retry-After`: seconds, or a date, which is compared with the answer's own `Date` because clocks differ.
pub(crate) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = |name: HeaderName| headers.get(name)?.to_str().ok().map(str::trim);
    let asked = text(RETRY_AFTER)?;
    let pause = match asked.parse() {
        Ok(seconds) => Duration::from_secs(seconds),
        Err(_) => {
            let now = text(DATE).and_then(|date| httpdate::parse_http_date(date).ok()).unwrap_or_else(SystemTime::now);
            httpdate::parse_http_date(asked).ok()?.duration_since(now).unwrap_or_default()
        }
    };
    Some(pause.min(MAX_RETRY_AFTER))
}

/// Parses a body; the flag says whether it has a code of the channel.
fn read(endpoint: &str, status: u16, body: &str) -> (Refusal, bool) {
    let mut refusal =
        Refusal { endpoint: endpoint.to_owned(), status, body: capped(body, MAX_STORED_BODY), ..Refusal::default() };
    let mut channel_code = false;
    match serde_json::from_str::<Value>(body) {
        Ok(Value::Object(object)) => channel_code = read_object(&object, &mut refusal),
        Ok(Value::String(text)) => refusal.message = text,
        Ok(Value::Array(items)) => refusal.message = text_of(&Value::Array(items)).unwrap_or_default(),
        _ => refusal.message = plain_text(body),
    }
    (refusal, channel_code)
}

/// Whether a code belongs to the channel: it is known, or in the ranges for sends and templates (upstream §7). Gateways
/// use the same field for other numbers, such as their HTTP status, and RPC gateways for one below 17 at the top of the
/// body, where the channel has no codes that small.
fn is_of_channel(code: i64, at_top: bool) -> bool {
    let numbered = (130_000..140_000).contains(&code) || (2_388_000..2_389_000).contains(&code);
    numbered || model::error_code::find(code).is_some() && !(at_top && (0..17).contains(&code))
}

/// Parses an object; returns whether it has a code of the channel.
fn read_object(object: &Map<String, Value>, refusal: &mut Refusal) -> bool {
    // The channel nests the error one level down, as an object or in a list; the provider may add its own text beside
    // it.
    let inner = ["error", "errors"].iter().find_map(|key| match object.get(*key)? {
        Value::Array(items) => items.first()?.as_object().filter(|item| *key == "error" || item.contains_key("code")),
        Value::Object(inner) if *key == "error" => Some(inner),
        _ => None,
    });
    let both = || inner.into_iter().chain([object]);
    let text = |keys: &[&str]| both().find_map(|object| keys.iter().find_map(|key| object.get(*key).and_then(text_of)));

    let code_in = |object: &Map<String, Value>| object.get("code").and_then(integer);
    let (inner_code, top_code) = (inner.and_then(code_in), code_in(object));
    let channel_code = inner_code.is_some_and(|code| is_of_channel(code, false))
        || top_code.is_some_and(|code| is_of_channel(code, true));
    refusal.code = inner_code.or(top_code);
    refusal.subcode = both().find_map(|object| object.get("error_subcode").and_then(integer));
    refusal.message = text(&["message", "error_user_title", "title"])
        .or_else(|| object.get("error").and_then(text_of))
        .or_else(|| text(&["detail", "error_description", "reason"]))
        .or_else(|| object.get("errors").and_then(text_of))
        .unwrap_or_default();
    let data = both().find_map(|object| object.get("error_data").and_then(Value::as_object));
    refusal.details = both()
        .find_map(|object| object.get("details").filter(|details| !details.is_null()).cloned())
        .or_else(|| data.and_then(|data| data.get("details")).cloned())
        .or_else(|| {
            text(&["error_user_msg", "detail"]).filter(|text_of| *text_of != refusal.message).map(Value::String)
        })
        .or_else(|| {
            object.get("errors").and_then(text_of).filter(|text_of| *text_of != refusal.message).map(Value::String)
        });
    // The channel has a text for people in a third field.
    if let Some(advice) = inner.and_then(|error| error.get("error_user_msg")).and_then(text_of)
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
    channel_code
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

/// The text in a value: a string, a list of strings, an object with a message, or a message per field.
fn text_of(value: &Value) -> Option<String> {
    let joined = |parts: Vec<String>| (!parts.is_empty()).then(|| parts.join(" "));
    match value {
        Value::String(text) => Some(text.trim().to_owned()).filter(|text| !text.is_empty()),
        Value::Array(items) => joined(items.iter().filter_map(text_of).collect()),
        Value::Object(object) => {
            match ["message", "msg", "detail", "title"].iter().find_map(|key| text_of(object.get(*key)?)) {
                Some(text) => Some(text),
                None => joined(
                    object.iter().filter_map(|(key, value)| Some(format!("{key}: {}", text_of(value)?))).collect(),
                ),
            }
        }
        _ => None,
    }
}

/// The text of an answer that is not JSON.
fn plain_text(body: &str) -> String {
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

    /// Body, then the expected code, message, details and field.
    type Case = (Value, Option<i64>, &'static str, &'static str, Option<&'static str>);

    #[test]
    fn every_form_of_refusal_is_read() {
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
            (
                json!({"error": [{"message": "m", "code": 131_016, "error_data": {"details": "d"}}]}),
                Some(131_016),
                "m",
                "d",
                None,
            ),
            (json!({"errors": [{"code": "131016", "title": "t", "details": "d"}]}), Some(131_016), "t", "d", None),
            (json!({}), None, "", "", None),
            (json!("just words"), None, "just words", "", None),
        ];
        for (body, code, message, details, field) in cases {
            let (refusal, _) = read("GET /x", 400, &body.to_string());
            assert_eq!(refusal.code, code, "{body}");
            assert_eq!(refusal.message, message, "{body}");
            assert_eq!(refusal.details_text(), details, "{body}");
            assert_eq!(refusal.field.as_deref(), field, "{body}");
        }
        assert_eq!(
            read("GET /x", 502, "<html>bad gateway</html>").0.message,
            "The answer is a web page, not the provider's API."
        );
        assert_eq!(read("GET /x", 502, "upstream gone\nmore").0.message, "upstream gone");
    }

    #[test]
    fn codes_that_a_gateway_may_write_are_not_the_channels() {
        for (body, expected) in [
            (r#"{"error": {"code": 131016}}"#, true),
            (r#"{"error": {"code": "2"}}"#, true),
            (r#"{"error": [{"code": 131016}]}"#, true),
            (r#"{"errors": [{"code": 131016}]}"#, true),
            (r#"{"code": 131053}"#, true),
            (r#"{"code": 503, "message": "Service Unavailable"}"#, false),
            (r#"{"error": {"code": 503, "status": "UNAVAILABLE"}}"#, false),
            (r#"{"error": {"code": 503}, "code": 131016}"#, true),
            (r#"{"code": 14, "message": "upstream connect error", "details": []}"#, false),
            (r#"{"code": 4, "message": "context deadline exceeded"}"#, false),
            (r#"{"code": "ECONNRESET"}"#, false),
            (r#"{"error": "timeout"}"#, false),
            (r#"{"errors": [{"field": "to"}]}"#, false),
            (r#"{"errors": {"code": 131016}}"#, false),
            (r#"{"code": 1000, "message": "upstream timeout"}"#, false),
            (r#"{"error": {"code": -1}}"#, false),
            (r#"{"error": {"code": 502}}"#, false),
            (r#"{"error": {"code": 139999}}"#, true),
            (r#"{"error": {"code": 190}}"#, true),
            ("[]", false),
            ("busy", false),
            ("", false),
        ] {
            assert_eq!(read("POST /x", 503, body).1, expected, "{body}");
        }
    }

    #[test]
    fn retry_after_is_read() {
        let asked = |retry_after: &str, date: Option<&str>| {
            let mut headers = HeaderMap::new();
            headers.insert(RETRY_AFTER, retry_after.parse().unwrap());
            if let Some(date) = date {
                headers.insert(DATE, date.parse().unwrap());
            }
            super::retry_after(&headers).map(|pause| pause.as_secs())
        };
        let now = Some("Sun, 22 Nov 2026 10:00:00 GMT");
        for (header, date, expected) in [
            ("120", None, Some(120)),
            (" 0 ", None, Some(0)),
            ("99999999", None, Some(86_400)),
            ("Sun, 22 Nov 2026 10:00:30 GMT", now, Some(30)),
            ("Sun, 22 Nov 2026 09:00:00 GMT", now, Some(0)),
            ("Sun, 06 Nov 1994 08:49:37 GMT", None, Some(0)),
            ("soon", now, None),
            ("-1", now, None),
        ] {
            assert_eq!(asked(header, date), expected, "{header}");
        }
        assert_eq!(retry_after(&HeaderMap::new()), None);
    }

    #[test]
    fn errors_in_successful_answers_are_found() {
        for body in [
            json!({"error": {"message": "no"}}),
            json!({"error": [{"message": "no"}]}),
            json!({"errors": [{"code": 131_026, "message": "no"}]}),
            json!({"success": false, "message": "no"}),
            json!({"error": "no"}),
        ] {
            let error = embedded_error("POST /x", 200, &body, &body.to_string(), true).unwrap();
            assert_eq!(error.refusal().unwrap().message, "no", "{body}");
            assert!(!error.maybe_received(), "{body}");
        }
        for body in [
            json!({"messages": [{"id": "wamid.1"}], "error": "late"}),
            json!({"data": {"uuid": "u1"}, "errors": [{"code": 1}]}),
        ] {
            let error = |changes| embedded_error("POST /x", 200, &body, &body.to_string(), changes).unwrap();
            assert!(error(true).maybe_received() && !error(false).maybe_received(), "{body}");
        }
        for body in [
            json!({"uuid": "1", "error": null}),
            json!({"success": true}),
            json!([]),
            json!({"error": {}}),
            json!({"error": [], "errors": []}),
        ] {
            assert!(embedded_error("POST /x", 200, &body, &body.to_string(), true).is_none(), "{body}");
        }
    }
}
