//! Serialises a template's file: fixed key order, two-space indent, unescaped UTF-8, a line break at the end.
//!
//! Known keys have the order of the contract's tables and of the model; all others follow, sorted by name. Equal
//! templates therefore give equal bytes, whatever order the provider uses.

use model::template::CreateTemplate;
use serde_json::{Map, Value};

/// The fields of a creation (contract §2.1, §4.2).
const TEMPLATE_FIELDS: [&str; 12] = [
    "waba_ids",
    "name",
    "language",
    "category",
    "sub_category",
    "type",
    "parameter_format",
    "components",
    "message_send_ttl_seconds",
    "display_format",
    "pix_data",
    "order_data",
];

/// The fields of nested objects: components, buttons, cards, samples (contract §2.2; upstream §2).
const NESTED_FIELDS: [&str; 32] = [
    "type",
    "otp_type",
    "format",
    "param_name",
    "text",
    "url",
    "phone_number",
    "flow_id",
    "flow_name",
    "flow_json",
    "flow_action",
    "navigate_screen",
    "icon",
    "ttl_minutes",
    "autofill_text",
    "zero_tap_terms_accepted",
    "supported_apps",
    "package_name",
    "signature_hash",
    "example",
    "header_handle",
    "header_text",
    "header_text_named_params",
    "body_text",
    "body_text_named_params",
    "add_security_recommendation",
    "code_expiration_minutes",
    "buttons",
    "cards",
    "components",
    "limited_time_offer",
    "has_expiration",
];

/// The text of a template's file.
pub(super) fn text(create: &CreateTemplate) -> String {
    let mut value = serde_json::to_value(create).unwrap_or_default();
    if let Value::Object(fields) = &mut value {
        // Some providers write keys without a value. Payment data is opaque and stays unchanged.
        let no_wabas = create.waba_ids.is_empty();
        fields.retain(|key, value| !value.is_null() && (key != "waba_ids" || !no_wabas));
        if let Some(components) = fields.get_mut("components") {
            remove_nulls(components);
        }
        for data in ["pix_data", "order_data"] {
            if let Some(data) = fields.get_mut(data) {
                *data = super::compare::object(data);
            }
        }
        for value in fields.values_mut() {
            order(value);
        }
        sort(fields, &TEMPLATE_FIELDS);
    }
    // The alternate format indents by two spaces and doesn't escape letters.
    format!("{value:#}\n")
}

fn order(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(order),
        Value::Object(fields) => {
            fields.values_mut().for_each(order);
            sort(fields, &NESTED_FIELDS);
        }
        _ => {}
    }
}

fn sort(fields: &mut Map<String, Value>, known: &[&str]) {
    let place = |key: &str| known.iter().position(|known| *known == key).unwrap_or(known.len());
    let mut sorted: Vec<_> = std::mem::take(fields).into_iter().collect();
    sorted.sort_by(|(one, _), (other, _)| place(one).cmp(&place(other)).then_with(|| one.cmp(other)));
    fields.extend(sorted);
}

fn remove_nulls(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(remove_nulls),
        Value::Object(fields) => {
            fields.retain(|_, value| !value.is_null());
            fields.values_mut().for_each(remove_nulls);
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed expectation is the test's failure")]

    use super::*;
    use serde_json::json;

    fn read(value: Value) -> CreateTemplate {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn fields_have_one_order() {
        let one = json!({
            "zeta": 1, "components": [
                {"text": "Olá {{1}}, até já 🌷", "own": null, "type": "body", "example": {"body_text": [["Ana"]]}},
                {"buttons": [{"zz": {"b": 1, "a": [{"d": 1, "c": 2}]}, "url": "https://a/{{1}}", "example": ["x"],
                    "text": "Go", "type": "URL"}], "type": "BUTTONS"}],
            "alpha": {"b": null, "a": 1}, "language": "pt_BR", "type": null, "category": "UTILITY", "name": "a",
            "pix_data": "{\"key\": \"x\", \"code\": null}", "waba_ids": [12, "13"]
        });
        let text = text(&read(one));
        let expected = r#"{
  "waba_ids": [
    12,
    "13"
  ],
  "name": "a",
  "language": "pt_BR",
  "category": "utility",
  "components": [
    {
      "type": "BODY",
      "text": "Olá {{1}}, até já 🌷",
      "example": {
        "body_text": [
          [
            "Ana"
          ]
        ]
      }
    },
    {
      "type": "BUTTONS",
      "buttons": [
        {
          "type": "URL",
          "text": "Go",
          "url": "https://a/{{1}}",
          "example": [
            "x"
          ],
          "zz": {
            "a": [
              {
                "c": 2,
                "d": 1
              }
            ],
            "b": 1
          }
        }
      ]
    }
  ],
  "pix_data": {
    "code": null,
    "key": "x"
  },
  "alpha": {
    "a": 1,
    "b": null
  },
  "zeta": 1
}
"#;
        assert_eq!(text, expected);
        assert_eq!(super::text(&serde_json::from_str(&text).unwrap()), text, "written again it is the same");
    }

    /// Checks that the lists above match the field order of the model.
    #[test]
    fn known_keys_have_the_order_of_the_model() {
        let named = json!([{"param_name": "first", "example": "Ana"}]);
        let whole = json!({
            "waba_ids": [1], "name": "a", "language": "en", "category": "utility", "sub_category": "x",
            "type": "cloud_api", "parameter_format": "NAMED",
            "components": [
                {"type": "HEADER", "format": "TEXT", "text": "x", "example": {"header_handle": ["h"],
                    "header_text": ["t"], "header_text_named_params": named}},
                {"type": "BODY", "text": "x", "example": {"body_text": [["a"]], "body_text_named_params": named},
                    "add_security_recommendation": true},
                {"type": "FOOTER", "text": "x", "code_expiration_minutes": 5},
                {"type": "LIMITED_TIME_OFFER", "limited_time_offer": {"text": "x", "has_expiration": true}},
                {"type": "CAROUSEL", "cards": [{"components": [{"type": "BODY", "text": "x"}]}]},
                {"type": "BUTTONS", "buttons": [
                    {"type": "URL", "text": "x", "url": "https://a", "example": ["b"]},
                    {"type": "PHONE_NUMBER", "text": "x", "phone_number": "+1"},
                    {"type": "COPY_CODE", "example": "x"},
                    {"type": "OTP", "otp_type": "ONE_TAP", "text": "x", "autofill_text": "y",
                        "zero_tap_terms_accepted": true,
                        "supported_apps": [{"package_name": "p", "signature_hash": "h"}]},
                    {"type": "FLOW", "text": "x", "flow_id": "1", "flow_name": "n", "flow_json": "{}",
                        "flow_action": "navigate", "navigate_screen": "s", "icon": "i"},
                    {"type": "VOICE_CALL", "text": "x", "ttl_minutes": 5}]}],
            "message_send_ttl_seconds": 60, "display_format": "ORDER_DETAILS", "pix_data": {}, "order_data": {}
        });
        let create = read(whole);
        assert_eq!(text(&create), serde_json::to_string_pretty(&create).unwrap() + "\n");
    }
}
