//! Findings by code and path, for templates that break one rule each.

#![expect(clippy::unwrap_used, reason = "a test that cannot read its own input should fail")]

mod authentication;
mod buttons;
mod carousels;
mod headers;
mod placeholders;
mod sources;
mod texts;
mod untouched;

use super::*;
use crate::finding::Severity;
use crate::media::Encoding;
use serde_json::json;

/// A valid marketing template with these components, and with the format of their variables if they have names.
fn template(components: Value) -> Value {
    let template =
        json!({"name": "spring_sale", "language": "pt_BR", "category": "marketing", "components": components});
    let named = lint_json(&template).iter().any(|finding| finding.code == FORMAT_MISSING);
    if named { with(template, "parameter_format", json!("NAMED")) } else { template }
}

/// A valid marketing template with a body and these buttons. Equal quick replies, websites and calls get numbers.
fn with_buttons(mut buttons: Value) -> Value {
    let before = buttons.clone();
    for (index, button) in buttons.as_array_mut().unwrap().iter_mut().enumerate() {
        let is_repeated = before.as_array().unwrap()[..index].contains(button);
        if let Some(label) = button["text"].as_str().filter(|_| is_repeated) {
            button["text"] = json!(format!("{label} {index}"));
        }
    }
    template(json!([{"type": "BODY", "text": "Hello"}, {"type": "BUTTONS", "buttons": buttons}]))
}

fn with_body(text: &str, samples: Value) -> Value {
    template(json!([{"type": "BODY", "text": text, "example": {"body_text": [samples]}}]))
}

fn with(mut template: Value, key: &str, value: Value) -> Value {
    template[key] = value;
    template
}

fn login(components: Value) -> Value {
    with(template(components), "category", json!("authentication"))
}

/// Asserts that the window has a sentence for a finding in every language except English, which comes from the rule,
/// and that the sentence uses only values that the finding has.
pub(crate) fn is_translated(finding: &Finding) {
    static SENTENCES: std::sync::LazyLock<[Value; 2]> = std::sync::LazyLock::new(|| {
        [
            include_str!("../../../../../ui/src/locales/pt-BR/findings.json"),
            include_str!("../../../../../ui/src/locales/es/findings.json"),
        ]
        .map(|json| serde_json::from_str(json).unwrap())
    });
    for sentences in SENTENCES.iter() {
        let (group, name) = finding.code.split_once('.').unwrap();
        let sentence = sentences["rules"][group][name].as_str();
        let sentence = sentence.unwrap_or_else(|| panic!("no sentence for {}", finding.code));
        for variable in crate::variable::scan(sentence) {
            let value = variable.name.strip_prefix("braced_").unwrap_or(variable.name);
            assert!(finding.values.contains_key(value), "{}: {sentence}", finding.code);
        }
    }
}

/// `E`, `W` or `H`, the code and the path of every finding.
fn found(template: &Value) -> Vec<String> {
    let findings = lint_json(template);
    for finding in &findings {
        assert!(finding.message.ends_with(['.', '!']) && !finding.source.is_empty(), "{finding:?}");
        is_translated(finding);
    }
    findings
        .iter()
        .map(|finding| {
            let severity = match finding.severity {
                Severity::Error => 'E',
                Severity::Warning => 'W',
                Severity::Hint => 'H',
            };
            format!("{severity} {} {}", finding.code, finding.path)
        })
        .collect()
}

fn table(rows: Vec<(Value, &[&str])>) {
    for (template, expected) in rows {
        assert_eq!(found(&template), expected, "{template}");
    }
}

#[test]
fn heading() {
    let sound = template(json!([{"type": "BODY", "text": "Hello"}]));
    table(vec![
        (sound.clone(), &[]),
        (json!(5), &["E template.malformed "]),
        (json!({"components": 7}), &["E template.malformed "]),
        (
            json!({}),
            &[
                "E name.required /name",
                "E language.required /language",
                "E category.required /category",
                "E components.required /components",
            ],
        ),
        (with(sound.clone(), "name", json!("Spring")), &["E name.characters /name"]),
        (with(sound.clone(), "name", json!("a".repeat(512))), &[]),
        (with(sound.clone(), "name", json!("a".repeat(513))), &["E name.too_long /name"]),
        (with(sound.clone(), "language", json!("pt-BR")), &["E language.spelling /language"]),
        (with(sound.clone(), "language", json!("en")), &[]),
        (with(sound.clone(), "language", json!("xx_YY")), &["W language.unknown /language"]),
        (with(sound.clone(), "category", json!("MARKETING")), &[]),
        (with(sound.clone(), "category", json!("news")), &["E category.unknown /category"]),
        (with(sound.clone(), "type", json!("marketing_lite")), &[]),
        (
            with(with(sound.clone(), "type", json!("marketing_lite")), "category", json!("utility")),
            &["E type.marketing_only /type"],
        ),
        (with(sound.clone(), "type", json!("other")), &["E type.unknown /type"]),
        (with(sound.clone(), "parameter_format", json!("x")), &["E parameter_format.unknown /parameter_format"]),
        (
            with(
                template(json!([{"type": "BODY", "text": "Hello {{first_name}}, it is here for you now.",
                    "example": {"body_text_named_params": [{"param_name": "first_name", "example": "Ana"}]}}])),
                "parameter_format",
                Value::Null,
            ),
            &["W parameter_format.missing /parameter_format"],
        ),
        (
            with(with(sound.clone(), "category", json!("utility")), "message_send_ttl_seconds", json!(29)),
            &["E ttl.range /message_send_ttl_seconds"],
        ),
        (with(with(sound.clone(), "category", json!("utility")), "message_send_ttl_seconds", json!(-1)), &[]),
        (
            with(sound.clone(), "message_send_ttl_seconds", json!(43_200)),
            &["W ttl.marketing_lite_only /message_send_ttl_seconds"],
        ),
        (
            with(with(sound.clone(), "type", json!("marketing_lite")), "message_send_ttl_seconds", json!(-1)),
            &["E ttl.range /message_send_ttl_seconds"],
        ),
        (with(sound.clone(), "pix_data", json!("{}")), &[]),
        (with(sound.clone(), "pix_data", json!("{")), &["E payment.malformed /pix_data"]),
        (with(sound.clone(), "order_data", json!([1])), &["E payment.malformed /order_data"]),
        (with(sound.clone(), "waba_ids", json!([102_290_129_340_398_u64])), &[]),
        (with(sound.clone(), "waba_ids", json!(["1"])), &["E waba_ids.malformed /waba_ids"]),
        (with(sound.clone(), "waba_ids", json!([])), &["E waba_ids.malformed /waba_ids"]),
        (with(sound.clone(), "display_format", json!("ORDER_DETAILS")), &["W order.button_required /display_format"]),
    ]);
}

#[test]
fn payments() {
    let sound = template(json!([{"type": "BODY", "text": "Hello"}]));
    let amount = |value: i64| json!({"value": value, "offset": 100});
    let order = || {
        json!({"reference_id": "ord-1", "type": "digital-goods", "payment_type": "br", "currency": "BRL",
            "payment_settings": [{"type": "payment_link", "payment_link": {"uri": "https://pay.example/1"}}],
            "total_amount": amount(50_000),
            "order": {"status": "pending", "tax": amount(0), "subtotal": amount(50_000),
                "items": [{"retailer_id": "1", "name": "Cake", "amount": amount(25_000), "quantity": 2}]}})
    };
    let pix = json!({"code": "0002016304", "merchant_name": "Shop", "key": "39580525000189", "key_type": "CNPJ"});
    let with_order = |pointer: &str, value: Value| {
        let mut order = order();
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        match order.pointer_mut(parent).unwrap() {
            Value::Array(values) => values[key.parse::<usize>().unwrap()] = value,
            parent => parent[key] = value,
        }
        with(sound.clone(), "order_data", order)
    };
    table(vec![
        (with(sound.clone(), "order_data", order()), &[]),
        (with(sound.clone(), "order_data", json!(order().to_string())), &[]),
        (with(sound.clone(), "order_data", json!({"order_details": order()})), &[]),
        (with(sound.clone(), "order_data", json!({"x": 1})), &["H payment.unknown /order_data"]),
        (with(sound.clone(), "pix_data", json!({})), &[]),
        (with(sound.clone(), "pix_data", pix.clone()), &["W pix.code /pix_data/code"]),
        (with(sound.clone(), "pix_data", json!(pix.to_string())), &["W pix.code /pix_data"]),
        (
            with(sound.clone(), "pix_data", json!({"pix_dynamic_code": {"key": "x", "key_type": "CPF"}})),
            &[
                "H payment.field_missing /pix_data/pix_dynamic_code/code",
                "H payment.field_missing /pix_data/pix_dynamic_code/merchant_name",
                "W pix.key /pix_data/pix_dynamic_code/key",
            ],
        ),
        (
            with(sound.clone(), "pix_data", json!({"key": "x", "key_type": "RG", "code": "", "merchant_name": "a"})),
            &["H payment.field_missing /pix_data/code", "W payment.word /pix_data/key_type"],
        ),
        (
            with(sound.clone(), "order_data", json!({"currency": "BRL"})),
            &[
                "H payment.field_missing /order_data/reference_id",
                "H payment.field_missing /order_data/type",
                "H payment.field_missing /order_data/total_amount",
                "H payment.field_missing /order_data/order",
            ],
        ),
        (with_order("/reference_id", json!("a b")), &["W order.reference_id /order_data/reference_id"]),
        (with_order("/reference_id", json!("a".repeat(61))), &["W order.reference_id /order_data/reference_id"]),
        (with_order("/currency", json!("USD")), &["W payment.word /order_data/currency"]),
        (with_order("/type", json!(5)), &["W payment.word /order_data/type"]),
        (
            with_order("/total_amount", json!({"value": 1.5, "offset": 100})),
            &["W payment.amount /order_data/total_amount"],
        ),
        (with_order("/total_amount", json!({"value": 50_000})), &["W payment.amount /order_data/total_amount"]),
        (with_order("/total_amount", amount(1)), &["W order.total /order_data/total_amount"]),
        (with_order("/order/discount", amount(1)), &["W order.total /order_data/total_amount"]),
        (
            with_order("/order/subtotal", amount(1)),
            &["W order.subtotal /order_data/order/subtotal", "W order.total /order_data/total_amount"],
        ),
        (with_order("/order/status", json!("paid")), &["W payment.word /order_data/order/status"]),
        (with_order("/order/tax", Value::Null), &["H payment.field_missing /order_data/order/tax"]),
        (
            with_order("/order/tax", json!({"value": 0, "offset": 100, "description": "a".repeat(61)})),
            &["W payment.text_too_long /order_data/order/tax/description"],
        ),
        (with_order("/order/items", json!([])), &["W order.items /order_data/order/items"]),
        (with_order("/order/items/0", json!(1)), &["W order.items /order_data/order/items/0"]),
        (with_order("/order/items/0/quantity", json!(0)), &["W order.quantity /order_data/order/items/0/quantity"]),
        (
            with_order("/order/items/0/sale_amount", amount(25_000)),
            &["W order.sale_amount /order_data/order/items/0/sale_amount"],
        ),
        (
            with_order("/order/expiration", json!({"timestamp": 5, "description": "a".repeat(121)})),
            &[
                "W payment.text_too_long /order_data/order/expiration/description",
                "W order.timestamp /order_data/order/expiration/timestamp",
            ],
        ),
        (with_order("/payment_settings", json!({})), &["W payment.settings /order_data/payment_settings"]),
        (with_order("/payment_settings/0", json!("x")), &["W payment.settings /order_data/payment_settings/0"]),
        (
            with_order("/payment_settings/0", json!({"type": "cheque"})),
            &["W payment.word /order_data/payment_settings/0/type"],
        ),
        (
            with_order("/payment_settings/0", json!({"type": "boleto"})),
            &["H payment.field_missing /order_data/payment_settings/0/boleto"],
        ),
        (
            with_order("/payment_settings/0", json!({"type": "boleto", "boleto": {"digitable_line": "12"}})),
            &["W payment.form /order_data/payment_settings/0/boleto/digitable_line"],
        ),
        (
            with_order("/payment_settings/0/payment_link/uri", json!("http://x")),
            &["W payment.form /order_data/payment_settings/0/payment_link/uri"],
        ),
    ]);
}

#[test]
fn options_of_the_channel() {
    let sound = template(json!([{"type": "BODY", "text": "Hello"}]));
    table(vec![
        (with(sound.clone(), "cta_url_link_tracking_opted_out", json!(true)), &[]),
        (
            with(sound.clone(), "cta_url_link_tracking_opted_out", json!("yes")),
            &["W link_tracking.malformed /cta_url_link_tracking_opted_out"],
        ),
        (
            with(sound.clone(), "degrees_of_freedom_spec", json!({})),
            &["H creative.marketing_lite_only /degrees_of_freedom_spec"],
        ),
        (with(sound.clone(), "display_format", json!("X")), &["H display_format.unknown /display_format"]),
        (with(sound.clone(), "sub_category", json!("")), &["W sub_category.blank /sub_category"]),
        (with(sound.clone(), "sub_category", json!("ORDER_STATUS")), &[]),
        (
            with(with_buttons(json!([{"type": "COPY_CODE", "example": "A"}])), "category", json!("utility")),
            &["H code.marketing /components/1/buttons/0"],
        ),
        (
            template(json!([{"type": "BODY", "text": "Hi", "example": {"body_text": [["a"], ["b"]]}}])),
            &[
                "W body.sample_rows /components/0/example/body_text",
                "W body.sample_extra /components/0/example/body_text/0",
            ],
        ),
    ]);
}

#[test]
fn components() {
    table(vec![
        (template(json!([{"type": "FOOTER", "text": "x"}])), &["E body.required /components"]),
        (
            template(json!([{"type": "BODY", "text": "a"}, {"type": "BODY", "text": "b"}])),
            &["E component.duplicate /components/1"],
        ),
        (template(json!([{"type": "BODY", "text": "a"}, {"type": "SPARKLE"}])), &["H component.unknown /components/1"]),
        (template(json!([{"type": "BODY", "text": "a"}, {"text": "b"}])), &["E component.malformed /components/1"]),
        (template(json!([{"type": "BODY", "text": {}}])), &["E component.malformed /components/0"]),
        (
            template(json!([{"type": "BODY", "text": "a"}, {"type": "BUTTONS", "buttons": 3}])),
            &["E component.malformed /components/1"],
        ),
        (template(json!([{"type": "BODY"}])), &["E body.text_required /components/0/text"]),
        (
            template(json!([{"type": "BODY", "text": "a", "add_security_recommendation": true}])),
            &["W body.recommendation_unused /components/0/add_security_recommendation"],
        ),
    ]);
}

#[test]
fn unusual_templates_are_checked_too() {
    let text: String = (1..=100_000).map(|number| format!("{{{{{number}}}}}")).collect();
    let huge = template(json!([{"type": "BODY", "text": text}, {"type": "HEADER", "format": "TEXT", "text": text}]));
    assert!(found(&huge).iter().any(|finding| finding.starts_with("E body.too_long")));
    let many = template(Value::Array(vec![json!({"type": "BODY", "text": "a\tb"}); 20_000]));
    assert!(found(&many).len() >= 20_000);
    let read: Template = serde_json::from_value(huge).unwrap();
    assert_eq!(crate::variable::variables(&read).len(), 200_000);
}

#[test]
fn limited_lengths_are_counted() {
    let template: Template = serde_json::from_value(json!({
        "name": "sale", "language": "en_US", "category": "marketing",
        "components": [
            {"type": "BODY", "text": "Olá"}, {"type": "FOOTER", "text": "Bye"},
            {"type": "BUTTONS", "buttons": [{"type": "QUICK_REPLY", "text": "Yes"}]},
        ],
    }))
    .unwrap();
    let (findings, counters) = inspect(&template, &LintContext::default());
    assert_eq!(findings, lint(&template));
    let counted: Vec<_> = counters.iter().map(|counter| (counter.path.as_str(), counter.used, counter.limit)).collect();
    assert_eq!(
        counted,
        [
            ("/name", 4, 512),
            ("/components/0/text", 3, 1024),
            ("/components/1/text", 3, 60),
            ("/components/2/buttons", 1, 10),
            ("/components/2/buttons/0/text", 3, 25),
        ]
    );
}

#[test]
fn every_character_that_a_name_cannot_have_is_listed_once() {
    let template: Template = serde_json::from_value(json!({
        "name": "Blümen Sale!!", "language": "en_US", "category": "marketing",
        "components": [{"type": "BODY", "text": "Hello"}],
    }))
    .unwrap();
    let findings = lint(&template);
    let message = findings.iter().find(|finding| finding.code == "name.characters").map(|finding| &*finding.message);
    let expected = "Names can't contain “B”, “ü”, “ ”, “S”, “!”. Use lowercase letters without accents, digits and _.";
    assert_eq!(message, Some(expected));
}
