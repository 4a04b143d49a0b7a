//! Numbers that JavaScript can't represent, in requests from the window and responses to it.
//!
//! The window parses JSON numbers as doubles. A number that a double would print differently is sent as the object
//! `{"$number": "…"}` with its text (`ui/src/lib/exact-json.ts`), so that the provider's JSON keeps every digit. The
//! commands' own numbers don't need this.

use std::borrow::Cow;

use memchr::memchr2;
use serde_json::{Number, Value};

const CARRIER: &str = "$number";

/// The largest integer up to which a double represents every integer.
const MAX_SAFE_INTEGER: u64 = (1 << 53) - 1;

/// Encodes the numbers of a JSON response that the window can't represent.
pub(crate) fn to_window(json: &str) -> Cow<'_, str> {
    let bytes = json.as_bytes();
    let mut out = String::new();
    let (mut at, mut copied) = (0, 0);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => at = end_of_string(bytes, at),
            b'-' | b'0'..=b'9' => {
                let rest = &bytes[at..];
                let length =
                    rest.iter().position(|byte| !matches!(byte, b'-' | b'+' | b'.' | b'0'..=b'9' | b'e' | b'E'));
                let end = at + length.unwrap_or(rest.len());
                let number = &json[at..end];
                if !is_safe(number) {
                    out.push_str(&json[copied..at]);
                    out.push_str("{\"");
                    out.push_str(CARRIER);
                    out.push_str("\":\"");
                    out.push_str(number);
                    out.push_str("\"}");
                    copied = end;
                }
                at = end;
            }
            _ => at += 1,
        }
    }
    if copied == 0 {
        return Cow::Borrowed(json);
    }
    out.push_str(&json[copied..]);
    Cow::Owned(out)
}

/// The position after the string that begins at `at`.
fn end_of_string(bytes: &[u8], at: usize) -> usize {
    let mut at = at + 1;
    loop {
        match bytes.get(at..).and_then(|rest| memchr2(b'"', b'\\', rest)) {
            Some(ahead) if bytes[at + ahead] == b'"' => return at + ahead + 1,
            Some(ahead) => at += ahead + 2,
            None => return bytes.len(),
        }
    }
}

/// Decodes the numbers of a request.
pub(crate) fn from_window(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(from_window),
        Value::Object(fields) => {
            let carried = match fields.get(CARRIER) {
                Some(Value::String(text)) if fields.len() == 1 && !is_safe(text) => text.parse::<Number>().ok(),
                _ => None,
            };
            match carried {
                Some(number) => *value = Value::Number(number),
                None => fields.values_mut().for_each(from_window),
            }
        }
        _ => {}
    }
}

/// Whether a double prints this number exactly as it is written.
fn is_safe(number: &str) -> bool {
    let digits = number.strip_prefix('-').unwrap_or(number);
    if digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return number != "-0" && digits.parse::<u64>().is_ok_and(|integer| integer <= MAX_SAFE_INTEGER);
    }
    // Outside this range JavaScript uses an exponent, which has several spellings.
    number.parse::<f64>().is_ok_and(|double| (1e-6..1e21).contains(&double.abs()) && double.to_string() == number)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that cannot read its own input should fail")]

    use super::*;

    #[test]
    fn numbers_that_a_double_cannot_hold_are_sent_as_text() {
        for (json, window) in [
            (r#"{"a":[0,-1,9007199254740991,0.1,-2.5,true,null],"b":"1e400 \\\" 1.0"}"#, None),
            ("9007199254740992", Some(r#"{"$number":"9007199254740992"}"#)),
            ("[1.0,2,-0]", Some(r#"[{"$number":"1.0"},2,{"$number":"-0"}]"#)),
            (r#"{"x":1e+400,"y":"1.0"}"#, Some(r#"{"x":{"$number":"1e+400"},"y":"1.0"}"#)),
            (
                r#"["a\\",0.1000000000000000055,12345678901234567890123]"#,
                Some(r#"["a\\",{"$number":"0.1000000000000000055"},{"$number":"12345678901234567890123"}]"#),
            ),
        ] {
            let sent = to_window(json);
            assert_eq!(sent, window.unwrap_or(json));
            let mut back: Value = serde_json::from_str(&sent).unwrap();
            from_window(&mut back);
            assert_eq!(back.to_string(), json);
        }
    }

    #[test]
    fn other_objects_of_that_shape_are_unchanged() {
        for json in [r#"{"$number":"5"}"#, r#"{"$number":"x"}"#, r#"{"$number":1}"#, r#"{"$number":"1.0","b":1}"#] {
            let mut value: Value = serde_json::from_str(json).unwrap();
            from_window(&mut value);
            assert_eq!(value.to_string(), json);
        }
    }
}
