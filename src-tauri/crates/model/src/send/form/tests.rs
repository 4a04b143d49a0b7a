//! Parts of the form for each kind of template, and the send they fill.

#![expect(clippy::unwrap_used, reason = "a test that cannot read its own input should fail")]

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::*;
use crate::render::render;
use crate::send::{SendTemplate, check_send};

fn template(json: Value) -> Template {
    serde_json::from_value(json).unwrap()
}

/// `id kind required sample` of every part.
fn parts(template: &Template) -> Vec<String> {
    let line = |part: SendPart| {
        let required = if part.required { "!" } else { "?" };
        let kind = serde_json::to_value(part.kind).unwrap();
        format!("{} {}{required} {}", part.id, kind.as_str().unwrap(), part.sample).trim_end().to_owned()
    };
    send_form(template).parts.into_iter().map(line).collect()
}

fn values(json: Value) -> SendValues {
    serde_json::from_value(json).unwrap()
}

#[test]
fn forms_have_the_parts_of_every_kind_of_template() {
    for (content, expected, answers, components) in [
        (
            json!({"components": [{"type": "BODY", "text": "Hello"}, {"type": "FOOTER", "text": "Bye"}]}),
            vec!["footer.text text?"],
            json!({}),
            json!([]),
        ),
        (
            json!({"components": [
                {"type": "HEADER", "format": "TEXT", "text": "Our {{1}}!", "example": {"header_text": ["Sale"]}},
                {"type": "BODY", "text": "Hi {{1}}, order {{2}}.", "example": {"body_text": [["Ana", "860"]]}},
                {"type": "FOOTER", "text": "Bye"},
                {"type": "BUTTONS", "buttons": [
                    {"type": "URL", "text": "Open", "url": "https://x.example/{{1}}", "example": ["https://x.example/p7"]},
                    {"type": "URL", "text": "Fixed", "url": "https://x.example"},
                    {"type": "QUICK_REPLY", "text": "Yes"}, {"type": "QUICK_REPLY", "text": "No"}]}]}),
            vec![
                "header.1 text! Sale",
                "body.1 text! Ana",
                "body.2 text! 860",
                "footer.text text?",
                "button.0.url suffix! p7",
                "button.2.payload payload? Yes",
                "button.3.payload payload? No",
            ],
            json!({"header.1": "Fair", "body.1": "Bo", "body.2": "7", "button.0.url": "p9", "button.3.payload": "NO"}),
            json!([
                {"type": "header", "parameters": [{"type": "text", "text": "Fair"}]},
                {"type": "body", "parameters": [{"type": "text", "text": "Bo"}, {"type": "text", "text": "7"}]},
                {"type": "button", "sub_type": "url", "index": "0", "parameters": [{"type": "text", "text": "p9"}]},
                {"type": "button", "sub_type": "quick_reply", "index": "3", "parameters": [{"type": "payload", "payload": "NO"}]}]),
        ),
        (
            json!({"parameter_format": "NAMED", "components": [{"type": "BODY", "text": "Hi {{first_name}} of {{city}}.",
                "example": {"body_text_named_params": [{"param_name": "first_name", "example": "Ana"}]}}, {"type": "FOOTER", "text": "x"}]}),
            vec!["body.first_name text! Ana", "body.city text!", "footer.text text?"],
            json!({"body.first_name": "Bo", "body.city": "Rio", "footer.text": "Bye"}),
            json!([
                {"type": "body", "parameters": [{"type": "text", "parameter_name": "first_name", "text": "Bo"}, {"type": "text", "parameter_name": "city", "text": "Rio"}]},
                {"type": "footer", "parameters": [{"type": "text", "text": "Bye"}]}]),
        ),
        (
            json!({"components": [{"type": "HEADER", "format": "DOCUMENT", "example": {"header_handle": ["4::a"]}}, {"type": "BODY", "text": "Hi"}]}),
            vec!["header.link link!", "header.filename filename?"],
            json!({"header.link": "https://x.example/files/order.pdf?a=1"}),
            json!([{"type": "header", "parameters": [{"type": "document", "document": {"link": "https://x.example/files/order.pdf?a=1", "filename": "order.pdf"}}]}]),
        ),
        (
            json!({"components": [{"type": "HEADER", "format": "IMAGE", "example": {"header_handle": ["https://x.example/a.png"]}}, {"type": "BODY", "text": "Hi"}]}),
            vec!["header.link link! https://x.example/a.png"],
            json!({"header.link": "1013859600285441"}),
            json!([{"type": "header", "parameters": [{"type": "image", "image": {"id": "1013859600285441"}}]}]),
        ),
        (
            json!({"components": [{"type": "HEADER", "format": "LOCATION"}, {"type": "BODY", "text": "Hi"}]}),
            vec!["header.latitude number!", "header.longitude number!", "header.name text?", "header.address text?"],
            json!({"header.latitude": "37.48", "header.longitude": "-122.14", "header.name": "Shop"}),
            json!([{"type": "header", "parameters": [{"type": "location", "location": {"latitude": "37.48", "longitude": "-122.14", "name": "Shop"}}]}]),
        ),
        (
            json!({"components": [{"type": "LIMITED_TIME_OFFER", "limited_time_offer": {"text": "Soon", "has_expiration": true}}, {"type": "BODY", "text": "Hi"},
                {"type": "BUTTONS", "buttons": [{"type": "COPY_CODE", "example": "25OFF"}]}]}),
            vec!["offer.expiration instant!", "button.0.code code! 25OFF"],
            json!({"offer.expiration": "1704067200000", "button.0.code": "30OFF"}),
            json!([
                {"type": "limited_time_offer", "parameters": [{"type": "limited_time_offer", "limited_time_offer": {"expiration_time_ms": 1_704_067_200_000_u64}}]},
                {"type": "button", "sub_type": "copy_code", "index": "0", "parameters": [{"type": "coupon_code", "coupon_code": "30OFF"}]}]),
        ),
        (
            json!({"components": [{"type": "BODY", "text": "Hi"}, {"type": "BUTTONS", "buttons": [{"type": "FLOW", "text": "Book", "flow_id": "1"}]}]}),
            vec!["button.0.flow_token token?", "button.0.flow_action_data json?"],
            json!({"button.0.flow_token": "t"}),
            json!([{"type": "button", "sub_type": "flow", "index": "0", "parameters": [{"type": "action", "action": {"flow_token": "t"}}]}]),
        ),
        (
            json!({"components": [{"type": "BODY", "text": "Hi"}, {"type": "BUTTONS", "buttons": [{"type": "MPM", "text": "View items"}]}]}),
            vec!["button.0.thumbnail_product_retailer_id identifier!", "button.0.sections json!"],
            json!({"button.0.thumbnail_product_retailer_id": "p", "button.0.sections": "[{\"title\":\"a\"}]"}),
            json!([{"type": "button", "sub_type": "mpm", "index": "0", "parameters": [{"type": "action", "action": {"thumbnail_product_retailer_id": "p", "sections": [{"title": "a"}]}}]}]),
        ),
        (
            json!({"category": "authentication", "components": [{"type": "BODY"}, {"type": "FOOTER", "code_expiration_minutes": 5},
                {"type": "BUTTONS", "buttons": [{"type": "OTP", "otp_type": "COPY_CODE"}]}]}),
            vec!["body.1 code! 123456"],
            json!({"body.1": "J$FpnYnP"}),
            json!([
                {"type": "body", "parameters": [{"type": "text", "text": "J$FpnYnP"}]},
                {"type": "button", "sub_type": "url", "index": "0", "parameters": [{"type": "text", "text": "J$FpnYnP"}]}]),
        ),
        (
            json!({"components": [{"type": "BODY", "text": "Hi {{1}} you"}, {"type": "CAROUSEL", "cards": [
                {"components": [{"type": "HEADER", "format": "IMAGE"}, {"type": "BODY", "text": "Use {{1}} now"},
                    {"type": "BUTTONS", "buttons": [{"type": "QUICK_REPLY", "text": "More"}, {"type": "URL", "text": "Shop", "url": "https://x.example/{{1}}", "example": ["BLUE"]}]}]},
                {"components": [{"type": "HEADER", "format": "IMAGE"}, {"type": "BODY", "text": "All fixed"},
                    {"type": "BUTTONS", "buttons": [{"type": "QUICK_REPLY", "text": "More"}, {"type": "URL", "text": "Shop", "url": "https://x.example"}]}]}]}]}),
            vec![
                "body.1 text!",
                "card.0.header.link link!",
                "card.0.body.1 text!",
                "card.0.button.0.payload payload? More",
                "card.0.button.1.url suffix! BLUE",
                "card.1.header.link link!",
                "card.1.button.0.payload payload? More",
            ],
            json!({"body.1": "Ana", "card.0.header.link": "https://x.example/a.png", "card.0.body.1": "15OFF", "card.0.button.0.payload": "more-0",
                "card.0.button.1.url": "BLUE_ELF", "card.1.header.link": "https://x.example/b.png"}),
            json!([
                {"type": "body", "parameters": [{"type": "text", "text": "Ana"}]},
                {"type": "carousel", "cards": [
                    {"card_index": 0, "components": [
                        {"type": "header", "parameters": [{"type": "image", "image": {"link": "https://x.example/a.png"}}]},
                        {"type": "body", "parameters": [{"type": "text", "text": "15OFF"}]},
                        {"type": "button", "sub_type": "quick_reply", "index": "0", "parameters": [{"type": "payload", "payload": "more-0"}]},
                        {"type": "button", "sub_type": "url", "index": "1", "parameters": [{"type": "text", "text": "BLUE_ELF"}]}]},
                    {"card_index": 1, "components": [{"type": "header", "parameters": [{"type": "image", "image": {"link": "https://x.example/b.png"}}]}]}]}]),
        ),
    ] {
        let template = template(content);
        assert_eq!(parts(&template), expected);
        let filled = fill_send(&template, &values(answers));
        assert_eq!(serde_json::to_value(&filled).unwrap(), components);
        let send = SendTemplate { components: filled, ..SendTemplate::default() };
        assert_eq!(check_send(&template, &send), [], "{components}");
    }
}

#[test]
fn a_missing_value_is_reported_at_its_part() {
    let template = template(json!({"components": [
        {"type": "HEADER", "format": "IMAGE"}, {"type": "BODY", "text": "Hi {{1}} and {{2}} all"},
        {"type": "BUTTONS", "buttons": [{"type": "COPY_CODE", "example": "A"}, {"type": "URL", "text": "a", "url": "https://x.example/{{1}}"}]},
        {"type": "LIMITED_TIME_OFFER", "limited_time_offer": {"text": "Soon", "has_expiration": true}},
        {"type": "CAROUSEL", "cards": [{"components": [{"type": "HEADER", "format": "VIDEO"}]}]}]}));
    let send = SendTemplate { components: fill_send(&template, &SendValues::new()), ..SendTemplate::default() };
    let parts: BTreeSet<String> = check_send(&template, &send).into_iter().map(|fault| fault.problem.field).collect();
    let required = send_form(&template).parts.into_iter().filter(|part| part.required).map(|part| part.id);
    assert_eq!(parts, required.collect());
}

#[test]
fn the_preview_shows_the_values() {
    let template = template(json!({"components": [
        {"type": "HEADER", "format": "TEXT", "text": "Our {{1}}!"}, {"type": "BODY", "text": "Hi {{1}}"},
        {"type": "BUTTONS", "buttons": [{"type": "COPY_CODE", "example": "A"}, {"type": "URL", "text": "a", "url": "https://x.example/{{1}}"}]},
        {"type": "CAROUSEL", "cards": [{"components": [{"type": "HEADER", "format": "IMAGE", "example": {"header_handle": ["https://x.example/sample.png"]}}]},
            {"components": [{"type": "BODY", "text": "Card {{1}}"}]}]}]}));
    let answers = values(
        json!({"header.1": "Sale", "body.1": "Ana", "button.0.code": "B", "button.1.url": "p é", "card.1.body.1": "two",
            "card.0.header.link": " https://x.example/a.png"}),
    );
    let shown = serde_json::to_string(&render(&template, &preview_fill(&template, &answers))).unwrap();
    for text in [
        "Our Sale!",
        "\"Ana\"",
        "\"target\":\"B\"",
        "https://x.example/p%20%C3%A9",
        "\"two\"",
        "\"link\":\"https://x.example/a.png\"",
    ] {
        assert!(shown.contains(text), "{text} in {shown}");
    }
}

#[test]
fn parts_describe_their_context() {
    let template = template(json!({"components": [
        {"type": "HEADER", "format": "DOCUMENT"},
        {"type": "BODY", "text": "Dear {{name}},\nthe order that you placed with us on the first day of May, number {{order}}, is on its way to you and will be with you soon.\n{{name}}"},
        {"type": "FOOTER", "text": "Bye"},
        {"type": "BUTTONS", "buttons": [
            {"type": "URL", "text": "Open", "url": "https://x.example/é/{{1}}", "example": ["https://x.example/é/p7"]},
            {"type": "URL", "text": "Odd", "url": "https://x.example/{{1}}/end", "example": ["https://x.example/p8/end"]},
            {"type": "QUICK_REPLY", "text": "Yes"}, {"type": "COPY_CODE", "example": "A"},
            {"type": "FLOW", "text": "Book", "flow_id": "1"}]},
        {"type": "CAROUSEL", "cards": [{"components": [{"type": "HEADER", "format": "VIDEO"}, {"type": "BODY", "text": "Use {{1}}"}]}]}]}));
    let parts = send_form(&template).parts;
    let part = |id: &str| parts.iter().find(|part| part.id == id).unwrap();
    assert_eq!(part("header.link").media, Some(PartMedia::Document));
    assert_eq!(part("card.0.header.link").media, Some(PartMedia::Video));
    assert_eq!(part("body.name").context.as_deref(), Some("Dear {{name}},"));
    assert_eq!(
        part("body.order").context.as_deref(),
        Some("…with us on the first day of May, number {{order}}, is on its way to you and will be with…")
    );
    // 1024 minus the fixed text, for two occurrences.
    let fixed = "Dear ,\nthe order that you placed with us on the first day of May, number , is on its way to you and will be with you soon.\n";
    assert_eq!(part("body.name").limit, Some((1024 - fixed.len()) / 2));
    assert_eq!(part("body.order").limit, Some(1024 - fixed.len()));
    assert_eq!(part("card.0.body.1").limit, Some(156));
    assert_eq!((part("button.3.code").label.as_str(), part("button.2.payload").label.as_str()), ("", "Yes"));
    assert_eq!(
        (part("footer.text").limit, part("button.3.code").limit, part("button.2.payload").limit),
        (Some(60), Some(15), Some(256))
    );
    let suffix = part("button.0.url");
    assert_eq!((suffix.prefix.as_deref(), suffix.context.as_deref()), (Some("https://x.example/é/"), None));
    assert_eq!((suffix.limit, suffix.sample.as_str()), (Some(1980), "p7"));
    let odd = part("button.1.url");
    assert_eq!((odd.context.as_deref(), odd.sample.as_str()), (Some("https://x.example/{{1}}/end"), "p8"));
    assert_eq!(
        (part("button.4.flow_action_data").multiline, part("button.4.flow_token").multiline),
        (Some(true), None)
    );
    assert_eq!((part("card.0.body.1").card, part("body.name").card), (Some(0), None));
}
