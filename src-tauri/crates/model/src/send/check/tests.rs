//! Faults of a payload, by error code and path.

#![expect(clippy::unwrap_used, reason = "a test that cannot read its own input should fail")]

use super::*;
use serde_json::json;

fn template(components: Value) -> Template {
    serde_json::from_value(json!({"name": "n", "language": "pt_BR", "category": "marketing", "components": components}))
        .unwrap()
}

fn found(template: &Template, components: Value) -> Vec<String> {
    let send = json!({"name": "n", "language": {"code": "pt_BR"}, "components": components});
    let send: SendTemplate = serde_json::from_value(send).unwrap();
    check_send(template, &send).into_iter().map(|problem| format!("{} {}", problem.code, problem.path)).collect()
}

fn table(template: &Template, rows: Vec<(Value, &[&str])>) {
    for (components, expected) in rows {
        assert_eq!(found(template, components.clone()), expected, "{components}");
    }
}

fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

fn body(parameters: Value) -> Value {
    json!({"type": "body", "parameters": parameters})
}

#[test]
fn name_and_language_must_match_the_template() {
    let template = template(json!([{"type": "BODY", "text": "Hi"}]));
    let send: SendTemplate = serde_json::from_value(json!({"name": "m", "language": {"code": "en"}})).unwrap();
    let codes: Vec<u32> = check_send(&template, &send).into_iter().map(|problem| problem.code).collect();
    assert_eq!(codes, [132_001, 132_001]);
}

#[test]
fn bodies() {
    table(
        &template(json!([{"type": "BODY", "text": "Hi {{1}} and {{2}} all"}])),
        vec![
            (json!([body(json!([text("a"), text("b")]))]), &[]),
            (
                json!([{"type": "body", "parameters": [text("a"), {"type": "currency", "currency": {"fallback_value": "R$ 1", "code": "BRL", "amount_1000": 1000}}]}]),
                &[],
            ),
            (json!([]), &["132000 /components"]),
            (json!([body(json!([]))]), &["132000 /components/0"]),
            (json!([body(json!([text("a")]))]), &["132000 /components/0"]),
            (json!([body(json!([text("a"), text("b"), text("c")]))]), &["132000 /components/0"]),
            (json!([body(json!([text("a"), text(" ")]))]), &["131008 /components/0/parameters/1"]),
            (json!([body(json!([text("a\nb"), text("b")]))]), &["132012 /components/0/parameters/0"]),
            (
                json!([body(json!([text("a\tb"), text("b     c")]))]),
                &["132012 /components/0/parameters/0", "132012 /components/0/parameters/1"],
            ),
            (
                json!([body(json!([text("a"), {"type": "payload", "payload": "x"}]))]),
                &["132012 /components/0/parameters/1"],
            ),
            (json!([body(json!([text("a"), {"type": "text"}]))]), &["132012 /components/0/parameters/1"]),
            (json!([body(json!([text(&"x".repeat(1020)), text("b")]))]), &["132005 /components/0"]),
            (
                json!([body(json!([text("a"), text("b")])), body(json!([text("a"), text("b")]))]),
                &["131009 /components/1"],
            ),
            (json!([{"type": "body", "parameters": 5}]), &["131009 /components/0", "132000 /components/0"]),
            (
                json!([body(json!([text("a"), text("b")])), {"type": "footer", "parameters": [text("x")]}]),
                &["132000 /components/1"],
            ),
            (
                json!([body(json!([text("a"), text("b")])), {"type": "header", "parameters": [text("x")]}]),
                &["132000 /components/1"],
            ),
            (json!([body(json!([text("a"), text("b")])), {"type": "tap_target_configuration", "parameters": []}]), &[]),
        ],
    );
    table(
        &template(json!([{"type": "BODY", "text": "Hi {{first}} and {{last}} all"}])),
        vec![
            (
                json!([body(
                    json!([{"type": "text", "parameter_name": "last", "text": "b"}, {"type": "text", "parameter_name": "first", "text": "a"}])
                )]),
                &[],
            ),
            (
                json!([body(json!([text("a"), text("b")]))]),
                &["132012 /components/0/parameters/0", "132012 /components/0/parameters/1"],
            ),
            (
                json!([body(
                    json!([{"type": "text", "parameter_name": "first", "text": "b"}, {"type": "text", "parameter_name": "first", "text": "a"}])
                )]),
                &["132012 /components/0/parameters/1"],
            ),
        ],
    );
    let second_first = template(json!([{"type": "BODY", "text": "Hi {{2}} and {{1}} all"}]));
    let long = "x".repeat(1010);
    table(&second_first, vec![(json!([body(json!([text("a"), text(&long)]))]), &[])]);
    table(
        &template(json!([{"type": "BODY", "text": "Hi"}])),
        vec![(json!([]), &[]), (json!([body(json!([text("a")]))]), &["132000 /components/0"])],
    );
}

#[test]
fn headers() {
    let header = |parameters: Value| json!([{"type": "header", "parameters": parameters}]);
    table(
        &template(json!([{"type": "HEADER", "format": "IMAGE"}, {"type": "BODY", "text": "Hi"}])),
        vec![
            (header(json!([{"type": "image", "image": {"link": "https://x.example/a.png"}}])), &[]),
            (header(json!([{"type": "image", "image": {"id": "5"}}])), &[]),
            (json!([]), &["132012 /components"]),
            (
                header(json!([{"type": "video", "video": {"link": "https://x.example/a"}}])),
                &["132012 /components/0/parameters/0"],
            ),
            (header(json!([{"type": "image", "image": {}}])), &["131008 /components/0/parameters/0/image"]),
            (
                header(json!([{"type": "image", "image": {"link": "a.png"}}])),
                &["131009 /components/0/parameters/0/image/link"],
            ),
            (header(json!([text("a"), text("b")])), &["132000 /components/0"]),
        ],
    );
    table(
        &template(json!([{"type": "HEADER", "format": "TEXT", "text": "Our {{1}}!"}, {"type": "BODY", "text": "Hi"}])),
        vec![
            (header(json!([text("Sale")])), &[]),
            (json!([]), &["132000 /components"]),
            (header(json!([text(&"x".repeat(56))])), &["132005 /components/0"]),
        ],
    );
    table(
        &template(json!([{"type": "HEADER", "format": "LOCATION"}, {"type": "BODY", "text": "Hi"}])),
        vec![
            (header(json!([{"type": "location", "location": {"latitude": "37.48", "longitude": -122.14}}])), &[]),
            (
                header(json!([{"type": "location", "location": {"latitude": "north"}}])),
                &[
                    "131009 /components/0/parameters/0/location/latitude",
                    "131008 /components/0/parameters/0/location/longitude",
                ],
            ),
        ],
    );
}

#[test]
fn buttons() {
    let button = |sub_type: &str, index: Value, parameters: Value| json!({"type": "button", "sub_type": sub_type, "index": index, "parameters": parameters});
    let payload = json!([{"type": "payload", "payload": "P"}]);
    table(
        &template(json!([{"type": "BODY", "text": "Hi"}, {"type": "BUTTONS", "buttons": [
            {"type": "QUICK_REPLY", "text": "Yes"}, {"type": "QUICK_REPLY", "text": "No"},
            {"type": "URL", "text": "a", "url": "https://x.example/{{1}}"}, {"type": "PHONE_NUMBER", "text": "b", "phone_number": "1"}]}])),
        vec![
            (json!([button("url", json!("2"), json!([text("p")]))]), &[]),
            (
                json!([
                    button("URL", json!(2), json!([text("p")])),
                    button("quick_reply", json!("0"), payload.clone())
                ]),
                &[],
            ),
            (json!([]), &["131008 /components"]),
            (json!([button("url", json!("2"), json!([]))]), &["131008 /components/0"]),
            (json!([button("url", json!("2"), json!([text("")]))]), &["131008 /components/0/parameters/0"]),
            (json!([button("quick_reply", json!("2"), payload.clone())]), &["132012 /components/0/sub_type"]),
            (
                json!([
                    button("url", json!("2"), json!([text("p")])),
                    button("quick_reply", json!("7"), payload.clone())
                ]),
                &["131009 /components/1/index"],
            ),
            (
                json!([
                    button("url", json!("2"), json!([text("p")])),
                    button("quick_reply", json!("x"), payload.clone())
                ]),
                &["131009 /components/1/index"],
            ),
            (
                json!([button("url", json!("2"), json!([text("p")])), button("url", json!("2"), json!([text("p")]))]),
                &["131009 /components/1/index"],
            ),
            (
                json!([
                    button("url", json!("2"), json!([text("p")])),
                    button("quick_reply", json!("0"), json!([text("p")]))
                ]),
                &["132012 /components/1/parameters/0"],
            ),
            (
                json!([
                    button("url", json!("2"), json!([text("p")])),
                    button("phone_number", json!("3"), json!([text("p")]))
                ]),
                &["100 /components/1/sub_type"],
            ),
            (
                json!([button("url", json!("2"), json!([text("p")])), {"type": "button", "index": "0"}]),
                &["131009 /components/1"],
            ),
        ],
    );
    table(
        &template(
            json!([{"type": "BODY", "text": "Hi"}, {"type": "BUTTONS", "buttons": [{"type": "COPY_CODE", "example": "A"}]}]),
        ),
        vec![
            (json!([button("copy_code", json!("0"), json!([{"type": "coupon_code", "coupon_code": "25OFF"}]))]), &[]),
            (json!([]), &["131008 /components"]),
            (
                json!([button(
                    "copy_code",
                    json!("0"),
                    json!([{"type": "coupon_code", "coupon_code": "1234567890123456"}])
                )]),
                &["131009 /components/0/parameters/0/coupon_code"],
            ),
        ],
    );
}

#[test]
fn passcodes() {
    let mut login =
        template(json!([{"type": "BODY"}, {"type": "BUTTONS", "buttons": [{"type": "OTP", "otp_type": "COPY_CODE"}]}]));
    login.category = Category::Authentication;
    let button = |code: &str| json!({"type": "button", "sub_type": "url", "index": 0, "parameters": [text(code)]});
    table(
        &login,
        vec![
            (json!([body(json!([text("12")])), button("12")]), &[]),
            (json!([body(json!([text("12")])), button("13")]), &["131009 /components/1/parameters/0"]),
            (json!([body(json!([text("12")]))]), &["131008 /components"]),
            (json!([button("12")]), &["132000 /components"]),
            (
                json!([body(json!([text("1234567890123456")])), button("1234567890123456")]),
                &["132005 /components/0/parameters/0"],
            ),
        ],
    );
}

#[test]
fn carousels_and_offers() {
    let card = json!({"components": [{"type": "HEADER", "format": "IMAGE"}]});
    let image =
        json!([{"type": "header", "parameters": [{"type": "image", "image": {"link": "https://x.example/a.png"}}]}]);
    let sent = |index: Value, components: &Value| json!({"card_index": index, "components": components});
    let carousel = |cards: Value| json!([{"type": "carousel", "cards": cards}]);
    table(
        &template(json!([{"type": "BODY", "text": "Hi"}, {"type": "CAROUSEL", "cards": [card, card]}])),
        vec![
            (carousel(json!([sent(json!(0), &image), sent(json!(1), &image)])), &[]),
            (json!([]), &["131008 /components"]),
            (carousel(json!([sent(json!(0), &image)])), &["132000 /components/0/cards"]),
            (
                carousel(json!([sent(json!(0), &image), sent(json!(0), &image)])),
                &["131009 /components/0/cards/1/card_index"],
            ),
            (
                carousel(json!([sent(json!(0), &image), sent(json!(2), &image)])),
                &["131009 /components/0/cards/1/card_index"],
            ),
            (carousel(json!([sent(json!("0"), &image)])), &["131009 /components/0"]),
            (
                carousel(json!([sent(json!(0), &image), sent(json!(1), &json!([]))])),
                &["132012 /components/0/cards/1/components"],
            ),
        ],
    );
    let product = json!({"components": [{"type": "HEADER", "format": "PRODUCT"}]});
    let shown = json!([{"type": "header", "parameters": [{"type": "product", "product": {"product_retailer_id": "a", "catalog_id": "b"}}]}]);
    table(
        &template(json!([{"type": "BODY", "text": "Hi"}, {"type": "CAROUSEL", "cards": [product, product]}])),
        vec![(carousel(json!([sent(json!(0), &shown), sent(json!(1), &shown), sent(json!(2), &shown)])), &[])],
    );
    let offer = |parameters: Value| json!([{"type": "limited_time_offer", "parameters": parameters}]);
    let end = |end: Value| json!([{"type": "limited_time_offer", "limited_time_offer": {"expiration_time_ms": end}}]);
    table(
        &template(
            json!([{"type": "LIMITED_TIME_OFFER", "limited_time_offer": {"text": "a", "has_expiration": true}}, {"type": "BODY", "text": "Hi"}]),
        ),
        vec![
            (offer(end(json!(1_704_067_200_000_u64))), &[]),
            (json!([]), &["131008 /components"]),
            (offer(end(json!("soon"))), &["131009 /components/0/parameters/0/limited_time_offer/expiration_time_ms"]),
            (offer(end(json!(null))), &["131008 /components/0/parameters/0/limited_time_offer/expiration_time_ms"]),
        ],
    );
}

#[test]
fn every_kind_of_button_has_the_component_that_the_channel_wants() {
    let flow = json!({"type": "FLOW", "text": "Pick", "flow_id": "1"});
    let catalog = json!({"type": "CATALOG", "text": "View catalog"});
    let call = json!({"type": "VOICE_CALL", "text": "Call"});
    let phone = json!({"type": "PHONE_NUMBER", "text": "Call", "phone_number": "1"});
    let contact = json!({"type": "REQUEST_CONTACT_INFO"});
    let one =
        |button: &Value| template(json!([{"type": "BODY", "text": "Hi"}, {"type": "BUTTONS", "buttons": [button]}]));
    let named = |sub_type: &str, action: Value| {
        json!([{"type": "button", "sub_type": sub_type, "index": "0",
        "parameters": [{"type": "action", "action": action}]}])
    };
    let bare = |sub_type: &str| json!([{"type": "button", "sub_type": sub_type, "index": "0"}]);
    table(
        &one(&flow),
        vec![
            (json!([]), &["131009 /components"]),
            (named("flow", json!({"flow_token": "t"})), &[]),
            (named("FLOW", json!({})), &[]),
            (named("flow", json!({"flow_token": ""})), &["131009 /components/0/parameters/0/action"]),
            (named("url", json!({"flow_token": "t"})), &["132012 /components/0/sub_type"]),
        ],
    );
    table(&one(&catalog), vec![(json!([]), &["131009 /components"]), (named("CATALOG", json!({})), &[])]);
    table(
        &one(&call),
        vec![(json!([]), &[]), (bare("voice_call"), &[]), (bare("url"), &["132012 /components/0/sub_type"])],
    );
    table(&one(&phone), vec![(json!([]), &[]), (bare("phone_number"), &["100 /components/0/sub_type"])]);
    table(&one(&contact), vec![(json!([]), &[]), (bare("request_contact_info"), &["100 /components/0/sub_type"])]);
}
