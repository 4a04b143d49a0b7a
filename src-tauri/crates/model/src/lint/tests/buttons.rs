//! Findings of buttons, offers and call permissions.

use super::*;

#[test]
fn rows_of_buttons() {
    let url = json!({"type": "URL", "text": "Open", "url": "https://x.example"});
    let quick = json!({"type": "QUICK_REPLY", "text": "Yes"});
    let phone = json!({"type": "PHONE_NUMBER", "text": "Call", "phone_number": "15550051310"});
    let many = |button: &Value, count: usize| Value::Array(vec![button.clone(); count]);
    table(vec![
        (with_buttons(json!([])), &["E buttons.required /components/1/buttons"]),
        (with_buttons(json!([quick])), &[]),
        (with_buttons(many(&quick, 4)), &["H buttons.see_all /components/1/buttons"]),
        (with_buttons(many(&quick, 11)), &["E buttons.too_many /components/1/buttons"]),
        (with_buttons(json!([url, quick, quick])), &["H buttons.mixed /components/1/buttons"]),
        (with_buttons(json!([quick, quick, url, phone])), &["H buttons.see_all /components/1/buttons"]),
        (with_buttons(json!([quick, url, quick])), &["E buttons.grouping /components/1/buttons/2"]),
        (with_buttons(json!([url, quick, url])), &["E buttons.grouping /components/1/buttons/2"]),
        (with_buttons(many(&url, 3)), &["E buttons.too_many_of_type /components/1/buttons/2"]),
        (with_buttons(many(&phone, 2)), &["E buttons.too_many_of_type /components/1/buttons/1"]),
        (with_buttons(json!([{"type": "MPM", "text": "View items"}])), &["W products.header /components"]),
        (
            with_buttons(json!([{"type": "CATALOG", "text": "Shop"}, quick])),
            &[
                "H buttons.mixed /components/1/buttons",
                "E buttons.not_alone /components/1/buttons/0",
                "W button.fixed_label /components/1/buttons/0/text",
            ],
        ),
        (
            with(with_buttons(json!([{"type": "CATALOG", "text": "View catalog"}])), "category", json!("utility")),
            &["E button.marketing_only /components/1/buttons/0"],
        ),
        (with_buttons(json!([{"type": "SPM", "text": "View"}])), &["E product.header_required /components"]),
        (
            template(json!([{"type": "HEADER", "format": "PRODUCT"}, {"type": "BODY", "text": "a".repeat(161)},
                {"type": "BUTTONS", "buttons": [{"type": "SPM", "text": "View"}]}])),
            &["E body.too_long /components/1/text"],
        ),
    ]);
}

#[test]
fn single_buttons() {
    let url = |url: &str, example: Value| {
        with_buttons(json!([{"type": "URL", "text": "Open", "url": url, "example": example}]))
    };
    let label = |text: &str| with_buttons(json!([{"type": "QUICK_REPLY", "text": text}]));
    table(vec![
        (label(""), &["E button.label_required /components/1/buttons/0/text"]),
        (label(&"é".repeat(25)), &[]),
        (label(&"a".repeat(26)), &["E button.label_too_long /components/1/buttons/0/text"]),
        (label("Yes {{1}}"), &["E button.label_variable /components/1/buttons/0/text"]),
        (label("Yes 🎉"), &["W button.label_characters /components/1/buttons/0/text"]),
        (label("*Yes*"), &["W button.label_characters /components/1/buttons/0/text"]),
        (url("https://x.example/a?c={{1}}", json!(["https://x.example/a?c=summer"])), &[]),
        (url("https://x.example/a?c={{1}}", json!("https://x.example/a?c=summer")), &[]),
        (
            url("https://x.example/a?c={{1}}", json!(["summer"])),
            &["H url.sample_not_whole /components/1/buttons/0/example/0"],
        ),
        (url("https://x.example/a?c={{1}}", json!([])), &["W url.sample_missing /components/1/buttons/0/example/0"]),
        (url("", json!([])), &["E url.required /components/1/buttons/0/url"]),
        (
            url(&format!("https://x.example/{}", "a".repeat(2000)), json!([])),
            &["E url.too_long /components/1/buttons/0/url"],
        ),
        (url("x.example", json!([])), &["W url.incomplete /components/1/buttons/0/url"]),
        (url("https://{{1}}", json!(["https://x"])), &["W url.incomplete /components/1/buttons/0/url"]),
        (url("https://x.example/a b", json!([])), &["W url.spaces /components/1/buttons/0/url"]),
        (url("https://bit.ly/a", json!([])), &["W url.shortener /components/1/buttons/0/url"]),
        (
            url("https://x.example/{{1}}/b", json!(["https://x.example/a/b"])),
            &["E url.variable_not_last /components/1/buttons/0/url"],
        ),
        (
            url("https://x.example/{{1}}{{2}}", json!(["https://x.example/a"])),
            &["E url.too_many_variables /components/1/buttons/0/url"],
        ),
        (
            url("https://x.example/{{2}}", json!(["https://x.example/a"])),
            &["E url.variable_name /components/1/buttons/0/url"],
        ),
        (
            url("https://x.example/{{a}}", json!(["https://x.example/a"])),
            &["W url.variable_name /components/1/buttons/0/url"],
        ),
        (
            with(url("https://x.example/{{1}}", json!(["https://x.example/a"])), "parameter_format", json!("NAMED")),
            &["W url.variable_format /components/1/buttons/0/url"],
        ),
        (url("https://x.example/{{1}", json!([])), &["E variable.malformed /components/1/buttons/0/url"]),
        (
            with_buttons(json!([{"type": "PHONE_NUMBER", "text": "Call"}])),
            &["E phone.required /components/1/buttons/0/phone_number"],
        ),
        (
            with_buttons(json!([{"type": "PHONE_NUMBER", "text": "Call", "phone_number": "1".repeat(21)}])),
            &["E phone.too_long /components/1/buttons/0/phone_number"],
        ),
        (
            with_buttons(json!([{"type": "PHONE_NUMBER", "text": "Call", "phone_number": "+55 (11) 9"}])),
            &["W phone.characters /components/1/buttons/0/phone_number"],
        ),
        (with_buttons(json!([{"type": "COPY_CODE", "example": "250FF"}])), &[]),
        (with_buttons(json!([{"type": "COPY_CODE", "example": ["250FF"]}])), &[]),
        (with_buttons(json!([{"type": "COPY_CODE"}])), &["W code.sample_missing /components/1/buttons/0/example"]),
        (
            with_buttons(json!([{"type": "COPY_CODE", "example": "1234567890123456"}])),
            &["W code.too_long /components/1/buttons/0/example"],
        ),
        (
            with_buttons(json!([{"type": "COPY_CODE", "example": "123456789012345678901"}])),
            &["E code.too_long /components/1/buttons/0/example"],
        ),
        (
            with_buttons(json!([{"type": "COPY_CODE", "example": "A-B"}])),
            &["W code.characters /components/1/buttons/0/example"],
        ),
        (
            with_buttons(json!([{"type": "OTP", "otp_type": "COPY_CODE"}])),
            &["E button.authentication_only /components/1/buttons/0"],
        ),
        (with_buttons(json!([{"type": "FLOW", "text": "Book", "flow_id": "1"}])), &[]),
        (with_buttons(json!([{"type": "FLOW", "text": "Book"}])), &["E flow.reference /components/1/buttons/0"]),
        (
            with_buttons(json!([{"type": "FLOW", "text": "Book", "flow_id": "1", "flow_name": "b", "icon": "STAR"}])),
            &["E flow.reference /components/1/buttons/0", "W flow.word /components/1/buttons/0/icon"],
        ),
        (with_buttons(json!([{"type": "VOICE_CALL", "text": "Call now", "ttl_minutes": 1440}])), &[]),
        (
            with_buttons(json!([{"type": "VOICE_CALL", "text": "Call now and talk to us", "ttl_minutes": 1}])),
            &[
                "W button.label_long /components/1/buttons/0/text",
                "E voice_call.ttl /components/1/buttons/0/ttl_minutes",
            ],
        ),
        (with_buttons(json!([{"type": "REQUEST_CONTACT_INFO"}])), &[]),
        (
            with_buttons(json!([{"type": "REQUEST_CONTACT_INFO", "text": "x"}])),
            &["W button.fixed_label /components/1/buttons/0/text"],
        ),
        (
            with_buttons(json!([{"type": "ORDER_DETAILS", "text": "Copy Pix code"}])),
            &["W order.display_format /display_format"],
        ),
        (with_buttons(json!([{"type": "APP", "text": "x"}])), &["H button.unknown /components/1/buttons/0"]),
        (with_buttons(json!([{"text": "x"}])), &["E button.malformed /components/1/buttons/0"]),
        (with_buttons(json!([{"type": "URL", "text": ["x"]}])), &["E button.malformed /components/1/buttons/0"]),
    ]);
}

#[test]
fn offers_and_call_permission() {
    let offer = |header: Value, extra: Value, buttons: Value| {
        let mut components = vec![
            json!({"type": "LIMITED_TIME_OFFER", "limited_time_offer": {"text": "Expiring offer!", "has_expiration": true}}),
            json!({"type": "BODY", "text": "Good news"}),
            json!({"type": "BUTTONS", "buttons": buttons}),
        ];
        components.extend([header, extra].into_iter().filter(|component| !component.is_null()));
        template(Value::Array(components))
    };
    let code = json!({"type": "COPY_CODE", "example": "CARIBE25"});
    let url = json!({"type": "URL", "text": "Book now!", "url": "https://x.example"});
    let image = json!({"type": "HEADER", "format": "IMAGE", "example": {"header_handle": ["4::a"]}});
    table(vec![
        (offer(image, Value::Null, json!([code, url])), &[]),
        (
            offer(json!({"type": "HEADER", "format": "TEXT", "text": "x"}), Value::Null, json!([code, url])),
            &["E offer.header /components/3/format"],
        ),
        (
            offer(Value::Null, json!({"type": "FOOTER", "text": "x"}), json!([code, url])),
            &["E offer.footer /components/3"],
        ),
        (offer(Value::Null, Value::Null, json!([url, code])), &["E offer.button_order /components/2/buttons"]),
        (
            with(offer(Value::Null, Value::Null, json!([code])), "category", json!("utility")),
            &["H code.marketing /components/2/buttons/0", "E offer.marketing_only /components/0"],
        ),
        (
            template(
                json!([{"type": "LIMITED_TIME_OFFER", "limited_time_offer": {"text": "a".repeat(17)}}, {"type": "BODY", "text": "b".repeat(601)}]),
            ),
            &["E body.too_long /components/1/text", "E offer.too_long /components/0/limited_time_offer/text"],
        ),
        (
            template(json!([{"type": "LIMITED_TIME_OFFER"}, {"type": "BODY", "text": "b"}])),
            &["E offer.text_required /components/0/limited_time_offer/text"],
        ),
        (template(json!([{"type": "call_permission_request"}, {"type": "BODY", "text": "May we call?"}])), &[]),
        (
            template(json!([{"type": "call_permission_request"}, {"type": "BODY", "text": "May we call?"},
                {"type": "BUTTONS", "buttons": [{"type": "QUICK_REPLY", "text": "Yes"}]}])),
            &["E call_permission.not_alone /components/2"],
        ),
    ]);
}

#[test]
fn labels_that_read_alike_are_reported() {
    let row = |labels: &[&str]| {
        let buttons: Vec<_> = labels.iter().map(|label| json!({"type": "QUICK_REPLY", "text": label})).collect();
        json!([{"type": "BODY", "text": "Hello"}, {"type": "BUTTONS", "buttons": buttons}])
    };
    let second = "W button.label_repeated /components/1/buttons/1/text";
    table(vec![
        (template(row(&["Tomorrow", "Tomorrow", "Other day"])), &[second]),
        (template(row(&["Tomorrow", " TOMORROW\u{200b}", "Other day"])), &[second]),
        (template(row(&["Other  day", "other day"])), &[second]),
        (template(row(&["Tomorrow", "Tomorrow 2"])), &[]),
        (
            template(json!([{"type": "BODY", "text": "Hello"}, {"type": "BUTTONS", "buttons": [
                {"type": "QUICK_REPLY", "text": "Open"}, {"type": "URL", "text": "open", "url": "https://wa.me/5511999999999"}]}])),
            &[
                "H buttons.mixed /components/1/buttons",
                "W url.whatsapp_link /components/1/buttons/1/url",
                "W button.label_repeated /components/1/buttons/1/text",
            ],
        ),
    ]);
    let finding = lint_json(&template(row(&["Yes", "Yes"]))).remove(0);
    assert!(finding.needs_override());
}
