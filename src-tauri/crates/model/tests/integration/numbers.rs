//! Unknown numbers in JSON keep every digit, however the surrounding types are deserialised.

#![expect(clippy::unwrap_used, reason = "a test that cannot read its own input should fail")]

use model::Id;
use model::send::SendMessage;
use model::template::{CreateTemplate, EditTemplate, Template, TemplateRecord};
use proptest::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Numbers that a double or 64 bits can't represent, or that have several spellings.
const NUMBERS: [&str; 14] = [
    "1e+400",
    "-1e-400",
    "0.1000000000000000055",
    "9007199254740993",
    "18446744073709551616",
    "12345678901234567890123",
    "-12345678901234567890123",
    "1234567890123456789012345678901234567890123456789012345678901234567890",
    "10000000000000000000000000000000000000000000000",
    "1.0",
    "1.50",
    "-0",
    "-0.0",
    "1e+2",
];

/// A template's JSON in its serialised order, with the number wherever an unknown field is possible.
fn template(number: &str) -> String {
    let unknown = format!(r#"{{"type":"SPARKLE","level":{number},"list":[{number}]}}"#);
    let parts = [
        format!(
            r#"{{"type":"HEADER","format":"IMAGE","example":{{"header_handle":["4::a"],"later":{number}}},"later":{number}}}"#
        ),
        format!(
            r#"{{"type":"BODY","text":"Hi {{{{1}}}}","example":{{"body_text":[["Ana"]],"later":{number}}},"later":[{number}]}}"#
        ),
        format!(
            r#"{{"type":"BUTTONS","buttons":[{unknown},{{"type":"URL","text":"Go","url":"https://e.com","later":{number}}}],"later":{number}}}"#
        ),
        format!(r#"{{"type":"CAROUSEL","cards":[{{"components":[{unknown}],"later":{number}}}]}}"#),
        unknown,
    ];
    format!(
        r#"{{"name":"a","language":"en","category":"utility","components":[{}],"pix_data":{{"amount":{number},"l":[{number}]}},"order_data":{number},"later":{number},"deep":{{"x":[{{"y":{number}}}]}}}}"#,
        parts.join(",")
    )
}

/// Asserts that the JSON is unchanged after deserialising it from text and from a value.
fn keeps<T: DeserializeOwned + Serialize>(text: &str) {
    let read: T = serde_json::from_str(text).unwrap();
    assert_eq!(serde_json::to_string(&read).unwrap(), text);
    let value: Value = serde_json::from_str(text).unwrap();
    assert_eq!(value.to_string(), text);
    let read: T = model::json::read(&value).unwrap();
    assert_eq!(serde_json::to_string(&read).unwrap(), text);
    assert_eq!(serde_json::to_value(&read).unwrap().to_string(), text);
}

fn kept_everywhere(number: &str) {
    let template = template(number);
    keeps::<Template>(&template);
    let fields = template.strip_prefix('{').unwrap();
    keeps::<TemplateRecord>(&format!(r#"{{"uuid":"u","status":"APPROVED",{fields}"#));
    keeps::<CreateTemplate>(&format!(r#"{{"waba_ids":[1],{fields}"#));
    keeps::<EditTemplate>(&format!(r#"{{"pix_data":{{"a":{number}}},"order_data":[{number}]}}"#));
    keeps::<SendMessage>(&format!(
        r#"{{"messaging_product":"m","to":"1","type":"template","template":{{"name":"a","language":{{"code":"en"}},"components":[{{"type":"body","parameters":[{{"type":"sparkle","v":{number}}}]}}]}},"later":{number}}}"#
    ));
}

#[test]
fn every_digit_of_an_unknown_number_is_kept() {
    for number in NUMBERS {
        kept_everywhere(number);
    }
}

#[test]
fn identifiers_beyond_64_bits_are_unchanged() {
    for text in ["[5,\"5\",12345678901234567890123,-3]", "[\"a\"]"] {
        assert_eq!(serde_json::to_string(&serde_json::from_str::<Vec<Id>>(text).unwrap()).unwrap(), text);
    }
}

proptest! {
    #[test]
    fn any_number_is_kept(number in "-?(0|[1-9][0-9]{0,50})(\\.[0-9]{1,40})?(e[+-][0-9]{1,5})?") {
        kept_everywhere(&number);
    }
}
