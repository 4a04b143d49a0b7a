//! Problems of the answers, by part.

#![expect(clippy::unwrap_used, reason = "a test that cannot read its own input should fail")]

use serde_json::{Value, json};

use super::*;

/// Noon of 1 January 2026 in UTC.
const NOW: i64 = 1_767_268_800_000;

fn template(components: Value) -> Template {
    serde_json::from_value(json!({"name": "n", "language": "pt_BR", "category": "marketing", "components": components}))
        .unwrap()
}

fn values(json: Value) -> SendValues {
    serde_json::from_value(json).unwrap()
}

/// `E field code` or `W field code` of every problem.
fn found(template: &Template, answers: &Value) -> Vec<String> {
    let problems = check_values(template, &values(answers.clone()), NOW);
    let line = |problem: &SendProblem| {
        assert!(!problem.message.is_empty());
        format!("{} {} {}", if problem.is_error() { "E" } else { "W" }, problem.field, problem.code.as_str())
    };
    problems.iter().map(line).collect()
}

fn table(template: &Template, rows: Vec<(Value, &[&str])>) {
    for (answers, expected) in rows {
        assert_eq!(found(template, &answers), expected, "{answers}");
    }
}

fn only(template: &Template, answers: Value) -> SendProblem {
    let mut problems = check_values(template, &values(answers), NOW);
    assert_eq!(problems.len(), 1, "{problems:?}");
    problems.remove(0)
}

#[test]
fn texts() {
    let long = "x".repeat(1007);
    table(
        &template(json!([{"type": "HEADER", "format": "TEXT", "text": "Our {{1}}!"},
            {"type": "BODY", "text": "Hi {{1}} and {{2}} all"}, {"type": "FOOTER", "text": "Bye"}])),
        vec![
            (json!({"header.1": "Sale", "body.1": "a", "body.2": "b    c"}), &[]),
            (json!({}), &["E header.1 value.missing", "E body.1 value.missing", "E body.2 value.missing"]),
            (
                json!({"header.1": " ", "body.1": "\n", "body.2": "b"}),
                &["E header.1 value.missing", "E body.1 value.missing"],
            ),
            (
                json!({"header.1": "\u{200b}", "body.1": " \u{feff}\u{2060}", "body.2": "b\u{200b}"}),
                &["E header.1 value.missing", "E body.1 value.missing"],
            ),
            (
                json!({"header.1": "a\nb", "body.1": "a\rb", "body.2": "b"}),
                &["E header.1 value.newline", "E body.1 value.newline"],
            ),
            (
                json!({"header.1": "a", "body.1": "a\tb", "body.2": "b     c"}),
                &["E body.1 value.tab", "E body.2 value.spaces"],
            ),
            (json!({"header.1": "x".repeat(55), "body.1": "a", "body.2": "b"}), &[]),
            (json!({"header.1": "x".repeat(56), "body.1": "a", "body.2": "b"}), &["E header.1 value.tooLong"]),
            (json!({"header.1": "é".repeat(55), "body.1": "a", "body.2": "b"}), &[]),
            (json!({"header.1": "a", "body.1": "x".repeat(1013), "body.2": "b"}), &["E body.1 value.tooLong"]),
            (json!({"header.1": "a", "body.1": "a", "body.2": long}), &[]),
            (json!({"header.1": "a", "body.1": "abcdefg", "body.2": long}), &["E body.2 value.filledTooLong"]),
            (
                json!({"header.1": "a", "body.1": "x".repeat(600), "body.2": "x".repeat(600)}),
                &["E body.1 value.filledTooLong"],
            ),
            (json!({"header.1": "a", "body.1": "x".repeat(1012)}), &["E body.2 value.missing"]),
            // Errors come first, each kind in the order of the form.
            (
                json!({"footer.text": "Bye", "header.1": "a", "body.1": "a"}),
                &["E body.2 value.missing", "W footer.text value.footer"],
            ),
            (
                json!({"footer.text": "x".repeat(61), "header.1": "a", "body.1": "a", "body.2": "b"}),
                &["E footer.text value.tooLong"],
            ),
            (
                json!({"footer.text": "a\nb", "header.1": "a", "body.1": "a", "body.2": "b"}),
                &["E footer.text value.newline"],
            ),
        ],
    );
    // A variable that occurs twice counts twice.
    let twice =
        template(json!([{"type": "HEADER", "format": "TEXT", "text": "{{a}} {{a}}"}, {"type": "BODY", "text": "Hi"}]));
    table(
        &twice,
        vec![
            (json!({"header.a": "x".repeat(29)}), &[]),
            (json!({"header.a": "x".repeat(30)}), &["E header.a value.tooLong"]),
        ],
    );
    let problem = only(&twice, json!({"header.a": "x".repeat(30)}));
    assert_eq!((problem.values["length"].as_str(), problem.values["limit"].as_str()), ("30", "29"));
    assert_eq!(problem.error_code, Some(132_005));
}

#[test]
fn body_limits_depend_on_the_kind() {
    let offer = json!({"type": "LIMITED_TIME_OFFER", "limited_time_offer": {"text": "a"}});
    let spm = json!({"type": "BUTTONS", "buttons": [{"type": "SPM", "text": "View"}]});
    for (beside, limit) in [(json!({"type": "FOOTER"}), 1024), (offer, 600), (spm, 160)] {
        let template = template(json!([{"type": "BODY", "text": "{{1}} and {{2}}"}, beside]));
        let rest = "x".repeat(limit - 6);
        table(
            &template,
            vec![
                (json!({"body.1": "a", "body.2": rest}), &[]),
                (json!({"body.1": "ab", "body.2": rest}), &["E body.2 value.filledTooLong"]),
                (json!({"body.1": "a", "body.2": format!("{rest}xx")}), &["E body.2 value.tooLong"]),
            ],
        );
    }
    let card =
        json!({"components": [{"type": "HEADER", "format": "IMAGE"}, {"type": "BODY", "text": "Use {{1}} on {{2}}"}]});
    let answers = |card: usize, value: &str| {
        let mut answers = SendValues::new();
        for index in 0..2 {
            answers.insert(format!("card.{index}.header.link"), "https://x.example/a.png".to_owned());
            answers
                .insert(format!("card.{index}.body.1"), if index == card { value.to_owned() } else { "a".to_owned() });
            answers.insert(format!("card.{index}.body.2"), "b".to_owned());
        }
        serde_json::to_value(answers).unwrap()
    };
    table(
        &template(json!([{"type": "BODY", "text": "Hi"}, {"type": "CAROUSEL", "cards": [card, card]}])),
        vec![
            (answers(1, &"x".repeat(151)), &[]),
            (answers(1, &"x".repeat(152)), &["E card.1.body.1 value.filledTooLong"]),
            (answers(0, &"x".repeat(153)), &["E card.0.body.1 value.tooLong"]),
        ],
    );
}

#[test]
fn links_and_names_of_files() {
    table(
        &template(json!([{"type": "HEADER", "format": "DOCUMENT"}, {"type": "BODY", "text": "Hi"}])),
        vec![
            (json!({"header.link": "https://x.example/a.pdf"}), &[]),
            (json!({"header.link": " https://x.example/a.pdf\n"}), &[]),
            (json!({"header.link": "https://x.example/a", "header.filename": "a.pdf"}), &[]),
            (json!({"header.link": "https://x.example/a"}), &["W header.filename value.fileName"]),
            (json!({"header.link": "1013859600285441"}), &["W header.filename value.fileName"]),
            (json!({"header.link": "ftp://x.example/a.pdf", "header.filename": "a"}), &["E header.link value.link"]),
            (
                json!({"header.link": "https://x.example/a b.pdf", "header.filename": "a"}),
                &["E header.link value.link"],
            ),
            (json!({"header.filename": "a.pdf"}), &["E header.link value.missing"]),
            (json!({}), &["E header.link value.missing"]),
        ],
    );
}

#[test]
fn places_and_instants() {
    let place = |latitude: &str, longitude: &str| json!({"header.latitude": latitude, "header.longitude": longitude});
    table(
        &template(json!([{"type": "HEADER", "format": "LOCATION"}, {"type": "BODY", "text": "Hi"}])),
        vec![
            (place("37.48", "-122.14"), &[]),
            (place(" -90 ", "+180.0"), &[]),
            (place("90.1", "180.1"), &["E header.latitude value.latitude", "E header.longitude value.longitude"]),
            (place("37,48", "1e1"), &["E header.latitude value.number", "E header.longitude value.number"]),
            (place("NaN", "inf"), &["E header.latitude value.number", "E header.longitude value.number"]),
            (place("", "1"), &["E header.latitude value.missing"]),
        ],
    );
    let end = |end: &str| json!({"offer.expiration": end});
    table(
        &template(json!([{"type": "LIMITED_TIME_OFFER", "limited_time_offer": {"text": "a", "has_expiration": true}},
            {"type": "BODY", "text": "Hi"}])),
        vec![
            (end("1767268800001"), &[]),
            (end(" 1767268800001 "), &[]),
            (end("1767268800000"), &["W offer.expiration value.instantPast"]),
            // Seconds, taken for milliseconds, are in the past.
            (end("1767268801"), &["W offer.expiration value.instantPast"]),
            (end("tomorrow"), &["E offer.expiration value.instant"]),
            (end("-1"), &["E offer.expiration value.instant"]),
            (end("99999999999999999999"), &["E offer.expiration value.instant"]),
            (end(""), &["E offer.expiration value.missing"]),
        ],
    );
}

#[test]
fn buttons() {
    let template = template(json!([{"type": "BODY", "text": "Hi"}, {"type": "BUTTONS", "buttons": [
        {"type": "URL", "text": "a", "url": "https://x.example/{{1}}"}, {"type": "COPY_CODE", "example": "A"},
        {"type": "QUICK_REPLY", "text": "Yes"}]}]));
    let with = |id: &str, value: &str| {
        let mut answers = json!({"button.0.url": "p", "button.1.code": "25OFF"});
        answers[id] = Value::from(value);
        answers
    };
    table(
        &template,
        vec![
            (with("button.0.url", "a/b?c=%20"), &[]),
            (with("button.0.url", "two words"), &["W button.0.url value.urlEncoding"]),
            (with("button.0.url", "100%"), &["W button.0.url value.urlEncoding"]),
            (with("button.0.url", "a\nb"), &["E button.0.url value.newline"]),
            (with("button.0.url", "a\tb"), &["E button.0.url value.tab"]),
            (with("button.0.url", ""), &["E button.0.url value.missing"]),
            (with("button.0.url", &"x".repeat(1982)), &[]),
            (with("button.0.url", &"x".repeat(1983)), &["W button.0.url value.addressTooLong"]),
            (with("button.1.code", ""), &["E button.1.code value.missing"]),
            (with("button.1.code", "123456789012345"), &[]),
            (with("button.1.code", "1234567890123456"), &["E button.1.code value.codeTooLong"]),
            (with("button.1.code", "25-OFF"), &["W button.1.code value.codeCharacters"]),
            (with("button.2.payload", &"x".repeat(256)), &[]),
            (with("button.2.payload", &"x".repeat(257)), &["W button.2.payload value.payloadTooLong"]),
        ],
    );
    let problem = only(&template, with("button.0.url", "é b"));
    assert_eq!((problem.values["char"].as_str(), problem.values["encoded"].as_str()), ("é", "%C3%A9%20b"));
    let problem = only(&template, with("button.0.url", "a b"));
    assert!(problem.message.contains("“ ”"), "a space is seen: {}", problem.message);
    let problem = only(&template, with("button.0.url", &"x".repeat(1983)));
    assert_eq!((problem.values["length"].as_str(), problem.values["limit"].as_str()), ("2001", "2000"));
}

#[test]
fn passcodes() {
    let mut login =
        template(json!([{"type": "BODY"}, {"type": "BUTTONS", "buttons": [{"type": "OTP", "otp_type": "COPY_CODE"}]}]));
    login.category = Category::Authentication;
    table(
        &login,
        vec![
            (json!({"body.1": "J$FpnYnP"}), &[]),
            (json!({}), &["E body.1 value.missing"]),
            (json!({"body.1": "12 34"}), &["W body.1 value.codeCharacters"]),
            (json!({"body.1": "🎉1"}), &["W body.1 value.codeCharacters"]),
            (json!({"body.1": "1\n2"}), &["E body.1 value.newline"]),
        ],
    );
    let problem = only(&login, json!({"body.1": "1234567890123456"}));
    assert_eq!((problem.code, problem.error_code), (Code::ValueCodeTooLong, Some(132_005)));
}

#[test]
fn json_of_buttons() {
    let template = template(json!([{"type": "BODY", "text": "Hi"}, {"type": "BUTTONS", "buttons": [
        {"type": "MPM", "text": "View items"}, {"type": "FLOW", "text": "Book", "flow_id": "1"},
        {"type": "ORDER_DETAILS", "text": "Copy Pix code"}]}]));
    let order = json!({"reference_id": "ord-1", "type": "digital-goods", "payment_type": "br", "currency": "BRL",
        "total_amount": {"value": 50000, "offset": 100}, "order": {"status": "pending", "tax": {"value": 0, "offset": 100},
        "items": [{"retailer_id": "1", "name": "Cake", "amount": {"value": 50000, "offset": 100}, "quantity": 1}],
        "subtotal": {"value": 50000, "offset": 100}}});
    let product = json!({"product_retailer_id": "a"});
    let sections = |count: usize, products: usize| {
        let products = vec![product.clone(); products];
        Value::from(vec![json!({"title": "t", "product_items": products}); count]).to_string()
    };
    let with = |id: &str, value: &str| {
        let mut answers = json!({"button.0.thumbnail_product_retailer_id": "p", "button.0.sections": sections(1, 1),
            "button.2.order_details": order.to_string()});
        answers[id] = Value::from(value);
        answers
    };
    let changed = |path: &str, value: Value| {
        let mut order = order.clone();
        *order.pointer_mut(path).unwrap() = value;
        with("button.2.order_details", &order.to_string())
    };
    let mut expiring = order.clone();
    expiring["order"]["expiration"] = json!({"timestamp": (NOW / 1000 + 299).to_string(), "description": "soon"});
    table(
        &template,
        vec![
            (with("button.1.flow_token", "t"), &[]),
            (with("button.1.flow_action_data", " {\"a\": 1}\n"), &[]),
            (with("button.1.flow_action_data", "[1]"), &["E button.1.flow_action_data value.object"]),
            (with("button.1.flow_action_data", "{\"a\": }"), &["E button.1.flow_action_data value.json"]),
            (with("button.0.sections", ""), &["E button.0.sections value.missing"]),
            (with("button.0.sections", "[]"), &["E button.0.sections value.sections"]),
            (with("button.0.sections", "{}"), &["E button.0.sections value.sections"]),
            (with("button.0.sections", "[{\"title\": \"t\"}]"), &["E button.0.sections value.sections"]),
            (with("button.0.sections", &sections(10, 3)), &[]),
            (with("button.0.sections", &sections(11, 1)), &["E button.0.sections value.sections"]),
            (with("button.0.sections", &sections(1, 31)), &["E button.0.sections value.sections"]),
            (
                with("button.0.thumbnail_product_retailer_id", " "),
                &["E button.0.thumbnail_product_retailer_id value.missing"],
            ),
            (with("button.2.order_details", "5"), &["E button.2.order_details value.object"]),
            (with("button.2.order_details", "{}"), &["W button.2.order_details value.order"]),
            (changed("/total_amount/value", json!(1)), &["W button.2.order_details value.order"]),
            (changed("/currency", json!("USD")), &["W button.2.order_details value.order"]),
            (with("button.2.order_details", &expiring.to_string()), &["W button.2.order_details value.order"]),
        ],
    );
    let problem = only(&template, with("button.2.order_details", "{\n \"a\": 1,\n}"));
    assert_eq!((problem.values["line"].as_str(), problem.values["column"].as_str()), ("3", "1"));
    assert_eq!(problem.message, "Invalid JSON: trailing comma at line 3, column 1.");
    let problem = only(&template, changed("/total_amount/value", json!(1)));
    assert_eq!((problem.values["rule"].as_str(), problem.values["expected"].as_str()), ("order.total", "500.00"));
}

#[test]
fn problems_without_a_form_part_are_found() {
    // Two headers: no approved template has them, but a listing may contain one.
    let double = template(json!([{"type": "HEADER", "format": "TEXT", "text": "Our {{1}}!"},
        {"type": "HEADER", "format": "TEXT", "text": "Our {{1}}!"}, {"type": "BODY", "text": "Hi"}]));
    table(&double, vec![(json!({"header.1": "a"}), &["E  value.invalid"])]);
    assert_eq!(found(&template(json!([])), &json!({"body.9": "left from another template"})), Vec::<String>::new());
}

#[test]
fn parts_that_are_unknown_are_not_left_out_silently() {
    let unknown = template(json!([{"type": "BODY", "text": "Hi"}, {"type": "SPARKLE"},
        {"type": "BUTTONS", "buttons": [{"type": "REMINDER", "text": "Later"}]}]));
    let problem = only(&unknown, json!({}));
    assert_eq!((problem.field.as_str(), problem.code), ("template", Code::TemplateUnknownPart));
    assert_eq!(problem.values["parts"], "SPARKLE, REMINDER");
}

#[test]
fn variables_typed_as_values_are_reported() {
    let text = template(json!([{"type": "BODY", "text": "Hi {{1}}, all of you"},
        {"type": "BUTTONS", "buttons": [{"type": "QUICK_REPLY", "text": "Yes"}]}]));
    table(
        &text,
        vec![
            (json!({"body.1": "{{1}}"}), &["W body.1 value.placeholder"]),
            (json!({"body.1": "Ana {{ name }}"}), &["W body.1 value.placeholder"]),
            (json!({"body.1": "{1}", "button.0.payload": "{\"a\":{{}}"}), &[]),
        ],
    );
}
