//! Builds the callback data of a send: the person's data with the tracking ID merged in.

use std::fmt;

use command_types::send::SendOptions;
use model::send::{SendProblem, SendProblemCode};
use serde::de::{Deserializer as _, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::message::TRACKING_KEY;

/// Length in characters above which the channel may reject it: documented for calls, not for messages (upstream §4.1).
const LIMIT: usize = 512;
/// Field of the problems.
const FIELD: &str = "callbackData";

#[derive(Clone, Copy, Debug)]
pub(super) struct CallbackRequest<'a> {
    /// As typed.
    pub(super) own: &'a str,
    /// Whether it is sent unchanged.
    pub(super) exact: bool,
    /// The tracking ID to merge in.
    pub(super) tracking_id: Option<&'a str>,
}

impl<'a> CallbackRequest<'a> {
    pub(super) fn of(options: &'a SendOptions, tracking_id: &'a str) -> Self {
        Self {
            own: &options.callback_data,
            exact: options.exact_callback,
            tracking_id: options.track.then_some(tracking_id),
        }
    }
}

/// The callback data to send, if any, and its problem.
pub(super) fn data(wish: CallbackRequest<'_>) -> (Option<String>, Option<SendProblem>) {
    let data = match wish.tracking_id {
        _ if wish.exact => Some(wish.own.to_owned()),
        None => Some(wish.own.trim().to_owned()),
        Some(tracking_id) => merged(wish.own.trim(), tracking_id),
    };
    let Some(data) = data else {
        return (None, Some(SendProblem::new(FIELD, SendProblemCode::CallbackNotObject, &[])));
    };
    let length = data.chars().count();
    let too_long = (length > LIMIT)
        .then(|| SendProblem::new(FIELD, SendProblemCode::CallbackTooLong, &[("length", &length), ("limit", &LIMIT)]));
    (Some(data).filter(|data| !data.is_empty()), too_long)
}

/// The person's JSON object with the tracking ID added, on one line. The order of keys and the spelling of numbers and
/// strings are kept. `None` if it is not an object.
fn merged(own: &str, tracking_id: &str) -> Option<String> {
    let members = match own {
        "" => Members(Vec::new()),
        own => members(own)?,
    };
    let mut written = String::from("{");
    for (key, value) in members.0.into_iter().filter(|(key, _)| key != TRACKING_KEY) {
        written.push_str(&serde_json::Value::from(key).to_string());
        written.push(':');
        written.push_str(&without_space(value.get()));
        written.push(',');
    }
    written.push_str(&format!("\"{TRACKING_KEY}\":{}}}", serde_json::Value::from(tracking_id)));
    Some(written)
}

/// The members of an object, with raw values.
struct Members<'a>(Vec<(String, &'a RawValue)>);

fn members(json: &str) -> Option<Members<'_>> {
    struct Object;
    impl<'de> Visitor<'de> for Object {
        type Value = Members<'de>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut members = Vec::new();
            while let Some(member) = map.next_entry()? {
                members.push(member);
            }
            Ok(Members(members))
        }
    }
    let mut json = serde_json::Deserializer::from_str(json);
    let members = json.deserialize_map(Object).ok()?;
    json.end().ok()?;
    Some(members)
}

/// Removes white space between the tokens of JSON. Strings are unchanged.
fn without_space(json: &str) -> String {
    let mut compact = String::with_capacity(json.len());
    let (mut in_text, mut escaped) = (false, false);
    for letter in json.chars() {
        if in_text {
            compact.push(letter);
            in_text = escaped || letter != '"';
            escaped = !escaped && letter == '\\';
        } else if !letter.is_ascii_whitespace() {
            compact.push(letter);
            in_text = letter == '"';
        }
    }
    compact
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tracked(own: &str) -> Option<String> {
        data(CallbackRequest { own, exact: false, tracking_id: Some("t1") }).0
    }

    #[test]
    fn tracking_keeps_the_fields_of_the_person() {
        for (own, expected) in [
            ("", r#"{"td":"t1"}"#),
            ("{}", r#"{"td":"t1"}"#),
            (" { } ", r#"{"td":"t1"}"#),
            (r#"{"job":42,"é":"ü"}"#, r#"{"job":42,"é":"ü","td":"t1"}"#),
            // Numbers beyond any numeric type, and spellings other than the shortest.
            (
                r#"{"z":12345678901234567890123,"a":1.10e+5,"m":-0}"#,
                r#"{"z":12345678901234567890123,"a":1.10e+5,"m":-0,"td":"t1"}"#,
            ),
            (
                "{\n  \"a\" : [ 1,\t{ \"b\" : null } ],\n  \"c\": \" x  y \"\n}\n",
                r#"{"a":[1,{"b":null}],"c":" x  y ","td":"t1"}"#,
            ),
            (r#"{"a":"\" , \\","b":"\u00e9 {"}"#, r#"{"a":"\" , \\","b":"\u00e9 {","td":"t1"}"#),
            // The new ID replaces one of an earlier send.
            (r#"{"td":"old","a":1}"#, r#"{"a":1,"td":"t1"}"#),
            (r#"{"a":{"td":"theirs"}}"#, r#"{"a":{"td":"theirs"},"td":"t1"}"#),
            (r#"{"a":1,"a":2}"#, r#"{"a":1,"a":2,"td":"t1"}"#),
        ] {
            assert_eq!(tracked(own).as_deref(), Some(expected), "{own}");
        }
        for own in ["order 7", "[1]", "7", "null", "{\"a\":1", "{\"a\":1} x", "{a:1}", "{\"a\":01}", "{\"a\":1,}"] {
            let (data, problem) = data(CallbackRequest { own, exact: false, tracking_id: Some("t1") });
            assert_eq!(
                (data, problem.map(|problem| problem.code)),
                (None, Some(SendProblemCode::CallbackNotObject)),
                "{own}"
            );
        }
    }

    #[test]
    fn untracked_callback_data_is_unchanged() {
        for (own, exact, expected) in [
            ("order 7", false, Some("order 7")),
            (" order 7\n", false, Some("order 7")),
            (" order 7\n", true, Some(" order 7\n")),
            ("{ \"a\": 1 }", true, Some("{ \"a\": 1 }")),
            ("", false, None),
            ("", true, None),
        ] {
            let (data, problem) = data(CallbackRequest { own, exact, tracking_id: None });
            assert_eq!((data.as_deref(), problem), (expected, None), "{own}");
        }
        // `exact` wins over `tracking_id`.
        let (exact, _) = data(CallbackRequest { own: "x", exact: true, tracking_id: Some("t1") });
        assert_eq!(exact.as_deref(), Some("x"));
    }

    #[test]
    fn long_callback_data_has_a_warning() {
        let own = format!("{{\"a\":\"{}\"}}", "é".repeat(600));
        let (data, problem) = data(CallbackRequest { own: &own, exact: true, tracking_id: None });
        assert_eq!(data, Some(own));
        assert!(problem.is_some_and(|problem| problem.code == SendProblemCode::CallbackTooLong && !problem.is_error()));
    }
}
