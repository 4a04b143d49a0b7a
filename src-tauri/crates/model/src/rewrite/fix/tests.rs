//! Every fix removes its finding and causes no error.

#![expect(clippy::unwrap_used, reason = "a test that cannot read its own input should fail")]

use super::*;
use crate::lint::lint;
use serde_json::{Value, json};

fn template(category: &str, components: Value) -> Value {
    json!({"name": "n", "language": "en", "category": category, "components": components})
}

fn read(json: &Value) -> Template {
    serde_json::from_value(json.clone()).unwrap()
}

/// Asserts that the finding of `code` is fixable, and that the value at `pointer` is then `expected`.
fn corrects(before: &Value, code: &str, pointer: &str, expected: &Value) {
    let template = read(before);
    let findings = lint(&template);
    let finding =
        findings.iter().find(|finding| finding.code == code).unwrap_or_else(|| panic!("{code}: {findings:?}"));
    assert!(finding.fixable, "{code}: {before}");
    let after = serde_json::to_value(fixed(&template, code, &finding.path).unwrap()).unwrap();
    assert_eq!(after.pointer(pointer).unwrap_or(&Value::Null), expected, "{code}: {after}");
}

#[test]
fn no_fix_of_braces_swallows_words() {
    // The words outside variables are those with more than four letters.
    let words = |text: &str| -> Vec<String> {
        let words = text.split(|letter: char| !letter.is_alphabetic() && letter != '_');
        words.filter(|word| word.len() > 4).map(str::to_owned).collect()
    };
    for text in [
        "Hello {{1}, our sale of orchids ends on {{2}}, please come early",
        "Hello {{1}, our sale of orchids ends on {2}}, please come early",
        "Hello {1}}, our sale of orchids ends on {{2}, please come early",
        "Hello {{1, our sale of orchids ends on {{2}}, please come early",
        "Hello {{1 }, our sale of orchids ends on {{ 2 }}, please come {3} early",
        "Hello {{name}, our sale of orchids ends on {{2}}, please come {{1}} early",
        "Hello {{{1}, our sale of orchids ends on {{2}}}, please come early",
    ] {
        let components = json!([{"type": "BODY", "text": text, "example": {"body_text": [["a", "b"]]}}]);
        let before = read(&template("utility", components));
        for finding in lint(&before).into_iter().filter(|finding| finding.fixable) {
            let after = serde_json::to_value(fixed(&before, finding.code, &finding.path).unwrap()).unwrap();
            let after = after.pointer("/components/0/text").unwrap().as_str().unwrap();
            assert_eq!(words(after), words(text), "{}", finding.code);
        }
    }
}

#[test]
fn the_table_is_in_order() {
    assert!(FIXES.windows(2).all(|pair| pair[0].0 < pair[1].0));
}

#[test]
fn a_name_is_corrected_beside_other_findings() {
    for (field, value) in [
        ("language", json!("pt-br")),
        ("category", json!("")),
        ("components", json!([])),
        ("components", json!([{"type": "BODY", "text": ""}])),
        ("components", json!([{"type": "BODY", "text": "{{Nome}}"}, {"type": "FOOTER", "text": "{{1}}"}])),
        ("components", json!([{"type": "HEADER", "format": "IMAGE"}, {"type": "BODY", "text": "Hello"}])),
    ] {
        let mut before = template("marketing", json!([{"type": "BODY", "text": "Hello"}]));
        before["name"] = json!("Promoção");
        before[field] = value;
        corrects(&before, "name.characters", "/name", &json!("promocao"));
    }
}

#[test]
fn fields_of_the_template_are_corrected() {
    let hello = || template("marketing", json!([{"type": "BODY", "text": "Hello"}]));
    for (key, value, code, expected) in [
        ("name", json!("Promoção 10%"), "name.characters", json!("promocao_10")),
        ("name", json!("\u{feff}pro\u{200b}mo\u{2060}"), "name.characters", json!("promo")),
        ("language", json!("pt-br"), "language.spelling", json!("pt_BR")),
        ("parameter_format", json!("x"), "parameter_format.unknown", json!("POSITIONAL")),
        ("message_send_ttl_seconds", json!(60), "ttl.marketing_lite_only", Value::Null),
        ("sub_category", json!(" "), "sub_category.blank", Value::Null),
        ("waba_ids", json!(["12", 3]), "waba_ids.malformed", json!([12, 3])),
        ("waba_ids", json!("12"), "waba_ids.malformed", json!([12])),
        ("order_data", json!({"currency": "brl"}), "payment.word", json!({"currency": "BRL"})),
        (
            "order_data",
            json!({"items": [], "expiration": {"timestamp": 1_798_761_600}}),
            "order.timestamp",
            json!({"items": [], "expiration": {"timestamp": "1798761600"}}),
        ),
        (
            "pix_data",
            json!({"key": "529.982.247-25", "key_type": "CPF"}),
            "pix.key",
            json!({"key": "52998224725", "key_type": "CPF"}),
        ),
    ] {
        let mut before = hello();
        before[key] = value;
        corrects(&before, code, &format!("/{key}"), &expected);
    }
    for (category, seconds, expected) in
        [("utility", 5, 30), ("authentication", 100_000, 900), ("marketing", -1, 2_592_000), ("utility", -2, 30)]
    {
        let mut before = hello();
        before["category"] = json!(category);
        before["type"] = json!("marketing_lite");
        before["message_send_ttl_seconds"] = json!(seconds);
        corrects(&before, "ttl.range", "/message_send_ttl_seconds", &json!(expected));
    }
    let mut lite = template("utility", json!([{"type": "BODY", "text": "Hello"}]));
    lite["type"] = json!("marketing_lite");
    corrects(&lite, "type.marketing_only", "/type", &json!("cloud_api"));
}

#[test]
fn texts_are_corrected() {
    const TEXT: &str = "/components/0/text";
    let body = |text: &str, row: Value| {
        template("utility", json!([{"type": "BODY", "text": text, "example": {"body_text": [row]}}]))
    };
    for (text, row, code, expected) in [
        ("a\tb", json!([]), "body.tab", "a b"),
        ("a      b    c", json!([]), "body.spaces", "a b    c"),
        ("a\n\n\n\n\nb\n\n\nc", json!([]), "body.line_breaks", "a\n\nb\n\n\nc"),
        (
            "Hi {{1}}{{2}} and so on and so on",
            json!(["a", "b"]),
            "variable.adjacent",
            "Hi {{1}} {{2}} and so on and so on",
        ),
        ("Hi {{2}}, all of you", json!(["", "b"]), "variable.numbering", "Hi {{1}}, all of you"),
        ("Hi {{ 1 }}, all of you", json!(["a"]), "variable.spaces", "Hi {{1}}, all of you"),
        ("Hi {{1}, all of you", json!(["a"]), "variable.malformed", "Hi {{1}}, all of you"),
        (
            "Hello {{1}, our sale of orchids ends on {{2}}, come early",
            json!(["a", "b"]),
            "variable.malformed",
            "Hello {{1}}, our sale of orchids ends on {{2}}, come early",
        ),
        (
            "Hello {{1}, our sale of orchids ends on {2}}, come early",
            json!(["a", "b"]),
            "variable.malformed",
            "Hello {{1}}, our sale of orchids ends on {{2}}, come early",
        ),
        ("Hi {1}, all of you", json!(["a"]), "variable.single_brace", "Hi {{1}}, all of you"),
        ("Hi {{1}}, all {{1}} of you and me", json!(["a"]), "variable.repeated", "Hi {{1}}, all {{2}} of you and me"),
    ] {
        corrects(&body(text, row), code, TEXT, &json!(expected));
    }
    corrects(
        &body("Hi {{1}}, all {{1}} of you and me", json!(["a"])),
        "variable.repeated",
        "/components/0/example/body_text",
        &json!([["a", "a"]]),
    );
    for (samples, code, pointer, expected) in [
        (json!({"body_text": [["a\n\tb", "c"]]}), "sample.characters", "/body_text/0/0", json!("a b")),
        (json!({"body_text": [["a", "c"]]}), "body.sample_extra", "/body_text/0", json!(["a"])),
        (json!({"body_text": [["a"], ["b"]]}), "body.sample_rows", "/body_text", json!([["a"]])),
        (
            json!({"body_text": [["a"]], "body_text_named_params": [{"param_name": "x", "example": "b"}]}),
            "body.sample_extra",
            "/body_text_named_params",
            Value::Null,
        ),
    ] {
        let before = template("utility", json!([{"type": "BODY", "text": "Hi {{1}}, all of you", "example": samples}]));
        corrects(&before, code, &format!("/components/0/example{pointer}"), &expected);
    }
    let named = |text: &str, name: &str| {
        template(
            "utility",
            json!([{"type": "BODY", "text": text, "example": {"body_text_named_params": [{"param_name": name, "example": "Ana"}]}}]),
        )
    };
    let bad_name = named("Hi {{First name}}, all of you", "First name");
    corrects(&bad_name, "variable.name", TEXT, &json!("Hi {{first_name}}, all of you"));
    let sample = "/components/0/example/body_text_named_params/0/param_name";
    corrects(&bad_name, "variable.name", sample, &json!("first_name"));
    let mut mixed = named("Hi {{name}}, all of you", "name");
    mixed["parameter_format"] = json!("POSITIONAL");
    corrects(&mixed, "variable.format", TEXT, &json!("Hi {{1}}, all of you"));
    corrects(&mixed, "variable.format", "/components/0/example/body_text/0/0", &json!("Ana"));
}

#[test]
fn headers_and_footers_are_corrected() {
    let body = json!({"type": "BODY", "text": "Hi {{1}}, all of you", "example": {"body_text": [["Ana"]]}});
    for (component, code, pointer, expected) in [
        (json!({"type": "HEADER", "format": "TEXT", "text": "a\nb"}), "header.line_break", "/text", json!("a b")),
        (json!({"type": "HEADER", "format": "TEXT", "text": "Sale 🎉"}), "header.emoji", "/text", json!("Sale")),
        (json!({"type": "HEADER", "format": "TEXT", "text": "A *b*"}), "header.formatting", "/text", json!("A b")),
        (json!({"type": "HEADER", "format": "TEXT", "text": " "}), "header.text_required", "/format", Value::Null),
        (json!({"type": "HEADER", "format": "LOCATION", "text": "x"}), "header.text_unused", "/text", Value::Null),
        (
            json!({"type": "HEADER", "format": "GIF", "example": {"header_handle": ["4::a"]}}),
            "header.gif",
            "/format",
            json!("VIDEO"),
        ),
        (json!({"type": "FOOTER", "text": "a\nb"}), "footer.line_break", "/text", json!("a b")),
        (json!({"type": "FOOTER", "text": ""}), "footer.text_required", "/text", Value::Null),
        (json!({"type": "FOOTER", "text": "For {{1}}"}), "footer.variable", "/text", json!("For Ana")),
        (
            json!({"type": "FOOTER", "text": "a", "code_expiration_minutes": 5}),
            "footer.expiration_unused",
            "/code_expiration_minutes",
            Value::Null,
        ),
        (json!({"type": "BUTTONS", "buttons": []}), "buttons.required", "/type", Value::Null),
        (body.clone(), "component.duplicate", "/type", Value::Null),
    ] {
        corrects(&template("utility", json!([body, component])), code, &format!("/components/1{pointer}"), &expected);
    }
}

#[test]
fn buttons_are_corrected() {
    let quick = |text: &str| json!({"type": "QUICK_REPLY", "text": text});
    let url = |url: &str, sample: &str| json!({"type": "URL", "text": "Go", "url": url, "example": [sample]});
    let code = json!({"type": "COPY_CODE", "example": "A-1"});
    let phone = json!({"type": "PHONE_NUMBER", "text": "Call", "phone_number": "+55 (11) 9-1"});
    for (buttons, code, pointer, expected) in [
        (json!([quick("a"), phone, quick("b")]), "buttons.grouping", "/1/text", json!("b")),
        (json!([quick("*Yes*\n🎉")]), "button.label_characters", "/0/text", json!("Yes")),
        (json!([phone]), "phone.characters", "/0/phone_number", json!("+55119 1".replace(' ', ""))),
        (json!([code]), "code.characters", "/0/example", json!("A1")),
        (json!([url("x.example/a", "")]), "url.incomplete", "/0/url", json!("https://x.example/a")),
        (
            json!([url("https://x.example/a b/{{ 1 }}", "https://x.example/1")]),
            "url.spaces",
            "/0/url",
            json!("https://x.example/a%20b/{{1}}"),
        ),
        (
            json!([url("https://x.example/natal {{1}}", "https://x.example/natal/1")]),
            "url.spaces",
            "/0/url",
            json!("https://x.example/natal/{{1}}"),
        ),
        (
            json!([url("https://x.example/?q=natal {{1}}", "https://x.example/?q=natal%201")]),
            "url.spaces",
            "/0/url",
            json!("https://x.example/?q=natal%20{{1}}"),
        ),
        (
            json!([url("https://x.example/{{3}}", "https://x.example/1")]),
            "url.variable_name",
            "/0/url",
            json!("https://x.example/{{1}}"),
        ),
        (
            json!([url("https://x.example/{{1}}", "abc")]),
            "url.sample_not_whole",
            "/0/example/0",
            json!("https://x.example/abc"),
        ),
        (json!([{"type": "CATALOG", "text": "Shop"}]), "button.fixed_label", "/0/text", json!("View catalog")),
        (json!([{"type": "REQUEST_CONTACT_INFO", "text": "Shop"}]), "button.fixed_label", "/0/text", Value::Null),
        (
            json!([{"type": "VOICE_CALL", "text": "Call", "ttl_minutes": 1}]),
            "voice_call.ttl",
            "/0/ttl_minutes",
            json!(1440),
        ),
    ] {
        let before =
            template("marketing", json!([{"type": "BODY", "text": "Hi"}, {"type": "BUTTONS", "buttons": buttons}]));
        corrects(&before, code, &format!("/components/1/buttons{pointer}"), &expected);
    }
    let order = template(
        "utility",
        json!([{"type": "BODY", "text": "Hi"},
        {"type": "BUTTONS", "buttons": [{"type": "ORDER_DETAILS", "text": "Pay"}]}]),
    );
    corrects(&order, "order.display_format", "/display_format", &json!("ORDER_DETAILS"));
    let product = template(
        "marketing",
        json!([{"type": "BODY", "text": "Hi"},
        {"type": "BUTTONS", "buttons": [{"type": "SPM", "text": "View"}]}]),
    );
    corrects(&product, "product.header_required", "/components/0/format", &json!("PRODUCT"));
    let offer = template(
        "marketing",
        json!([{"type": "BODY", "text": "Hi"}, {"type": "FOOTER", "text": "x"},
        {"type": "LIMITED_TIME_OFFER", "limited_time_offer": {"text": "Now"}},
        {"type": "BUTTONS", "buttons": [url("https://x.example", ""), {"type": "COPY_CODE", "example": "A"}]}]),
    );
    corrects(&offer, "offer.footer", "/components/1/type", &json!("LIMITED_TIME_OFFER"));
    corrects(&offer, "offer.button_order", "/components/3/buttons/0/type", &json!("COPY_CODE"));
    let card = |buttons: Value, extra: Value| {
        let mut components = vec![json!({"type": "HEADER", "format": "IMAGE", "example": {"header_handle": ["4::a"]}})];
        components.push(json!({"type": "BUTTONS", "buttons": buttons}));
        components.extend(Some(extra).filter(|extra| !extra.is_null()));
        json!({"components": components})
    };
    let cards = |second: Value, extra: Value| {
        template(
            "marketing",
            json!([{"type": "BODY", "text": "Hi"}, {"type": "CAROUSEL", "cards":
            [card(json!([quick("a"), url("https://x.example", "")]), extra.clone()), card(second, extra)]}]),
        )
    };
    corrects(
        &cards(json!([url("https://x.example", ""), quick("b")]), Value::Null),
        "card.button_order",
        "/components/1/cards/1/components/1/buttons/0/text",
        &json!("b"),
    );
    corrects(
        &cards(json!([quick("b"), url("https://x.example", "")]), json!({"type": "LIMITED_TIME_OFFER"})),
        "card.component",
        "/components/1/cards/0/components/2",
        &Value::Null,
    );
}

#[test]
fn leftovers_of_another_category_are_removed() {
    let otp = json!({"type": "BUTTONS", "buttons": [{"type": "OTP", "otp_type": "COPY_CODE"}]});
    let login = |components: Value| template("authentication", components);
    for (before, code, pointer, expected) in [
        (
            login(json!([{"type": "HEADER", "format": "LOCATION"}, {"type": "BODY"}, otp])),
            "authentication.component",
            "/components/0/type",
            json!("BODY"),
        ),
        (
            login(json!([{"type": "BODY", "text": "x"}, otp])),
            "authentication.body_text",
            "/components/0/text",
            Value::Null,
        ),
        (
            login(json!([{"type": "BODY", "example": {"body_text": [["a"]]}}, otp])),
            "authentication.body_sample",
            "/components/0/example",
            Value::Null,
        ),
        (
            login(json!([{"type": "BODY"}, {"type": "FOOTER", "text": "x", "code_expiration_minutes": 5}, otp])),
            "authentication.footer_text",
            "/components/1/text",
            Value::Null,
        ),
        (
            login(json!([{"type": "BODY"}, {"type": "FOOTER"}, otp])),
            "authentication.expiration_required",
            "/components/1/type",
            json!("BUTTONS"),
        ),
        (
            login(json!([{"type": "BODY"}, {"type": "FOOTER", "code_expiration_minutes": 91}, otp])),
            "authentication.expiration",
            "/components/1/code_expiration_minutes",
            json!(90),
        ),
        (
            login(json!([{"type": "BODY"}])),
            "authentication.otp_required",
            "/components/1/buttons/0/otp_type",
            json!("COPY_CODE"),
        ),
        (
            login(json!([{"type": "BODY"}, {"type": "BUTTONS", "buttons": [{"type": "QUICK_REPLY", "text": "a"}]}])),
            "authentication.buttons",
            "/components/1/buttons",
            json!([{"type": "OTP", "otp_type": "COPY_CODE"}]),
        ),
        (login(json!([otp])), "body.required", "/components/0/type", json!("BODY")),
        (
            template("utility", json!([{"type": "BODY", "text": "a", "add_security_recommendation": true}])),
            "body.recommendation_unused",
            "/components/0/add_security_recommendation",
            Value::Null,
        ),
    ] {
        corrects(&before, code, pointer, &expected);
    }
}

#[test]
fn corrections_that_need_text_or_a_decision_are_not_made() {
    let body = |text: &str| template("utility", json!([{"type": "BODY", "text": text}]));
    for (before, code) in [
        (body(""), "body.text_required"),
        (body("{{1}} is here for you"), "variable.at_edge"),
        (body("Hi {{1}}, all of you"), "body.sample_missing"),
        // The variable would need a sample.
        (body("Hi {1}, all of you"), "variable.single_brace"),
        (body(&"a".repeat(1025)), "body.too_long"),
        (template("utility", json!([{"type": "FOOTER", "text": "x"}])), "body.required"),
        (
            template("utility", json!([{"type": "BODY", "text": "a"}, {"type": "FOOTER", "text": "{{1}}"}])),
            "footer.variable",
        ),
        (
            template(
                "utility",
                json!([{"type": "BODY", "text": "a"}, {"type": "HEADER", "format": "TEXT", "text": "*"}]),
            ),
            "header.formatting",
        ),
        (
            template("utility", json!([{"type": "BODY", "text": "a"}, {"type": "BODY", "text": "b"}])),
            "component.duplicate",
        ),
    ] {
        let template = read(&before);
        let findings = lint(&template);
        let finding = findings.iter().find(|finding| finding.code == code).unwrap();
        assert!(!finding.fixable, "{code}: {before}");
        assert_eq!(fixed(&template, code, &finding.path), None, "{code}");
    }
    let sound = read(&body("Hello"));
    assert_eq!(fixed(&sound, "body.tab", "/components/0/text"), None);
}
