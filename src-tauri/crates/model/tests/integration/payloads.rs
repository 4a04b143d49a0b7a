//! The exact payload of sends: every row of the channel's table (upstream §6.1, §6.2, §10) and of the contract's
//! (§2.3), filled through the form. `index` is always a string and `card_index` a number (contract §2.3).

#![expect(clippy::unwrap_used, reason = "a test that cannot read its own input should fail")]

use model::send::{
    SendComponent, SendLanguage, SendMessage, SendTemplate, SendText, SendValues, check_send, check_values, fill_send,
    send_form,
};
use model::template::Template;
use serde_json::{Value, json};

/// Noon of 1 December 2023 in UTC: before the timestamps of the examples.
const NOW: i64 = 1_701_432_000_000;

fn template(mut template: Value) -> Template {
    template["name"] = json!("order_update");
    template["language"] = json!("pt_BR");
    serde_json::from_value(template).unwrap()
}

fn send(template: &Template, values: &SendValues) -> SendTemplate {
    SendTemplate {
        name: template.name.clone(),
        language: SendLanguage { code: template.language.clone(), ..SendLanguage::default() },
        components: fill_send(template, values),
        ..SendTemplate::default()
    }
}

struct Row {
    /// Row of the table.
    what: &'static str,
    template: Value,
    values: Value,
    /// `components` as JSON text.
    payload: &'static str,
}

fn row(what: &'static str, template: Value, values: Value, payload: &'static str) -> Row {
    Row { what, template, values, payload }
}

fn buttons(button: Value) -> Value {
    json!({"components": [{"type": "BODY", "text": "Hi"}, {"type": "BUTTONS", "buttons": [button]}]})
}

fn header(header: Value) -> Value {
    json!({"components": [header, {"type": "BODY", "text": "Hi"}]})
}

fn rows() -> Vec<Row> {
    let link = "https://x.example/a.png";
    let order = r#"{"reference_id":"ord-1","type":"digital-goods","payment_type":"br","currency":"BRL","payment_settings":[{"type":"payment_link","payment_link":{"uri":"https://x.example/pay"}}],"total_amount":{"value":50000,"offset":100},"order":{"status":"pending","tax":{"value":0,"offset":100,"description":"opt"},"items":[{"retailer_id":"1234567","name":"Cake","amount":{"value":50000,"offset":100},"quantity":1}],"subtotal":{"value":50000,"offset":100}}}"#;
    vec![
        row(
            "header text",
            header(json!({"type": "HEADER", "format": "TEXT", "text": "Our {{1}} is on!"})),
            json!({"header.1": "Ana"}),
            r#"[{"type":"header","parameters":[{"type":"text","text":"Ana"}]}]"#,
        ),
        row(
            "header text, named",
            header(json!({"type": "HEADER", "format": "TEXT", "text": "Sale starts {{sale_start}}!"})),
            json!({"header.sale_start": "today"}),
            r#"[{"type":"header","parameters":[{"type":"text","parameter_name":"sale_start","text":"today"}]}]"#,
        ),
        row(
            "header image by link",
            header(json!({"type": "HEADER", "format": "IMAGE"})),
            json!({"header.link": link}),
            r#"[{"type":"header","parameters":[{"type":"image","image":{"link":"https://x.example/a.png"}}]}]"#,
        ),
        row(
            "header image by upload",
            header(json!({"type": "HEADER", "format": "IMAGE"})),
            json!({"header.link": "1013859600285441"}),
            r#"[{"type":"header","parameters":[{"type":"image","image":{"id":"1013859600285441"}}]}]"#,
        ),
        row(
            "header video",
            header(json!({"type": "HEADER", "format": "VIDEO"})),
            json!({"header.link": " https://x.example/a.mp4 "}),
            r#"[{"type":"header","parameters":[{"type":"video","video":{"link":"https://x.example/a.mp4"}}]}]"#,
        ),
        row(
            "header gif",
            header(json!({"type": "HEADER", "format": "GIF"})),
            json!({"header.link": "https://x.example/a.mp4"}),
            r#"[{"type":"header","parameters":[{"type":"video","video":{"link":"https://x.example/a.mp4"}}]}]"#,
        ),
        row(
            "header document",
            header(json!({"type": "HEADER", "format": "DOCUMENT"})),
            json!({"header.link": "https://x.example/f/7", "header.filename": "order.pdf"}),
            r#"[{"type":"header","parameters":[{"type":"document","document":{"link":"https://x.example/f/7","filename":"order.pdf"}}]}]"#,
        ),
        row(
            "header document named by its link",
            header(json!({"type": "HEADER", "format": "DOCUMENT"})),
            json!({"header.link": "https://x.example/my%20order.pdf?a=1"}),
            r#"[{"type":"header","parameters":[{"type":"document","document":{"link":"https://x.example/my%20order.pdf?a=1","filename":"my order.pdf"}}]}]"#,
        ),
        row(
            "header location",
            header(json!({"type": "HEADER", "format": "LOCATION"})),
            json!({"header.latitude": "37.48", "header.longitude": "-122.14", "header.name": "Shop", "header.address": "1 Way"}),
            r#"[{"type":"header","parameters":[{"type":"location","location":{"latitude":"37.48","longitude":"-122.14","name":"Shop","address":"1 Way"}}]}]"#,
        ),
        row(
            "header product",
            json!({"components": [{"type": "HEADER", "format": "PRODUCT"}, {"type": "BODY", "text": "Hi"},
                {"type": "BUTTONS", "buttons": [{"type": "SPM", "text": "View"}]}]}),
            json!({"header.product_retailer_id": "p", "header.catalog_id": "c"}),
            r#"[{"type":"header","parameters":[{"type":"product","product":{"product_retailer_id":"p","catalog_id":"c"}}]}]"#,
        ),
        row(
            "body positional",
            json!({"components": [{"type": "BODY", "text": "Hi {{1}}, order {{2}} is on its way."}]}),
            json!({"body.1": "Ana", "body.2": " 860198 "}),
            r#"[{"type":"body","parameters":[{"type":"text","text":"Ana"},{"type":"text","text":" 860198 "}]}]"#,
        ),
        row(
            "body positional, written out of order and twice",
            json!({"components": [{"type": "BODY", "text": "Order {{2}} of {{1}} ({{2}}) and {{10}}, {{9}}, {{3}}{{4}}{{5}}{{6}}{{7}}{{8}}."}]}),
            json!({"body.1": "1", "body.2": "2", "body.3": "3", "body.4": "4", "body.5": "5", "body.6": "6", "body.7": "7",
                "body.8": "8", "body.9": "9", "body.10": "10"}),
            r#"[{"type":"body","parameters":[{"type":"text","text":"1"},{"type":"text","text":"2"},{"type":"text","text":"3"},{"type":"text","text":"4"},{"type":"text","text":"5"},{"type":"text","text":"6"},{"type":"text","text":"7"},{"type":"text","text":"8"},{"type":"text","text":"9"},{"type":"text","text":"10"}]}]"#,
        ),
        row(
            "body named",
            json!({"parameter_format": "NAMED", "components": [{"type": "BODY", "text": "Hi {{first_name}}, order {{order_number}} is here."}]}),
            json!({"body.first_name": "Ana", "body.order_number": "7"}),
            r#"[{"type":"body","parameters":[{"type":"text","parameter_name":"first_name","text":"Ana"},{"type":"text","parameter_name":"order_number","text":"7"}]}]"#,
        ),
        row(
            "footer (contract §2.3)",
            json!({"components": [{"type": "BODY", "text": "Hi"}, {"type": "FOOTER", "text": "Bye"}]}),
            json!({"footer.text": "Until {today} \"é\""}),
            r#"[{"type":"footer","parameters":[{"type":"text","text":"Until {today} \"é\""}]}]"#,
        ),
        row(
            "footer left empty",
            json!({"components": [{"type": "BODY", "text": "Hi"}, {"type": "FOOTER", "text": "Bye"}]}),
            json!({"footer.text": ""}),
            "[]",
        ),
        row(
            "quick reply (contract §2.3)",
            buttons(json!({"type": "QUICK_REPLY", "text": "Unsubscribe"})),
            json!({"button.0.payload": "STOP"}),
            r#"[{"type":"button","sub_type":"quick_reply","index":"0","parameters":[{"type":"payload","payload":"STOP"}]}]"#,
        ),
        row("quick reply left empty", buttons(json!({"type": "QUICK_REPLY", "text": "No"})), json!({}), "[]"),
        row(
            "url",
            json!({"components": [{"type": "BODY", "text": "Hi"}, {"type": "BUTTONS", "buttons": [
                {"type": "PHONE_NUMBER", "text": "Call", "phone_number": "15550051310"},
                {"type": "URL", "text": "Open", "url": "https://x.example/{{1}}"}, {"type": "URL", "text": "Home", "url": "https://x.example"}]}]}),
            json!({"button.1.url": "BLUE_ELF"}),
            r#"[{"type":"button","sub_type":"url","index":"1","parameters":[{"type":"text","text":"BLUE_ELF"}]}]"#,
        ),
        row(
            "url, percent-encoded",
            buttons(json!({"type": "URL", "text": "Open", "url": "https://x.example/?q={{1}}"})),
            json!({"button.0.url": "São Paulo & 100%#%20"}),
            r#"[{"type":"button","sub_type":"url","index":"0","parameters":[{"type":"text","text":"S%C3%A3o%20Paulo%20&%20100%25#%20"}]}]"#,
        ),
        row(
            "copy code",
            buttons(json!({"type": "COPY_CODE", "example": "250FF"})),
            json!({"button.0.code": "25OFF"}),
            r#"[{"type":"button","sub_type":"copy_code","index":"0","parameters":[{"type":"coupon_code","coupon_code":"25OFF"}]}]"#,
        ),
        row(
            "flow",
            buttons(json!({"type": "FLOW", "text": "Book", "flow_id": "1"})),
            json!({"button.0.flow_token": "t", "button.0.flow_action_data": "{ }"}),
            r#"[{"type":"button","sub_type":"flow","index":"0","parameters":[{"type":"action","action":{"flow_token":"t","flow_action_data":{}}}]}]"#,
        ),
        row(
            "flow without a token",
            buttons(json!({"type": "FLOW", "text": "Book", "flow_id": "1"})),
            json!({"button.0.flow_action_data": "{\"z\": 1, \"a\": [1.50, null]}"}),
            r#"[{"type":"button","sub_type":"flow","index":"0","parameters":[{"type":"action","action":{"flow_token":"unused","flow_action_data":{"z":1,"a":[1.50,null]}}}]}]"#,
        ),
        row(
            "flow left empty",
            buttons(json!({"type": "FLOW", "text": "Book", "flow_id": "1"})),
            json!({}),
            r#"[{"type":"button","sub_type":"flow","index":"0","parameters":[{"type":"action","action":{"flow_token":"unused"}}]}]"#,
        ),
        row(
            "catalog",
            buttons(json!({"type": "CATALOG", "text": "View catalog"})),
            json!({"button.0.thumbnail_product_retailer_id": "2lc20305pt"}),
            r#"[{"type":"button","sub_type":"CATALOG","index":"0","parameters":[{"type":"action","action":{"thumbnail_product_retailer_id":"2lc20305pt"}}]}]"#,
        ),
        row(
            "catalog left empty",
            buttons(json!({"type": "CATALOG", "text": "View catalog"})),
            json!({}),
            r#"[{"type":"button","sub_type":"CATALOG","index":"0","parameters":[{"type":"action","action":{}}]}]"#,
        ),
        row(
            "buttons without a component",
            buttons(json!({"type": "PHONE_NUMBER", "text": "a", "phone_number": "1"})),
            json!({}),
            "[]",
        ),
        row(
            "mpm",
            buttons(json!({"type": "MPM", "text": "View items"})),
            json!({"button.0.thumbnail_product_retailer_id": "p",
                "button.0.sections": "[{\"title\": \"Popular\", \"product_items\": [{\"product_retailer_id\": \"p\"}]}]"}),
            r#"[{"type":"button","sub_type":"mpm","index":"0","parameters":[{"type":"action","action":{"thumbnail_product_retailer_id":"p","sections":[{"title":"Popular","product_items":[{"product_retailer_id":"p"}]}]}}]}]"#,
        ),
        row(
            "voice call",
            buttons(json!({"type": "VOICE_CALL", "text": "Call now"})),
            json!({}),
            r#"[{"type":"button","sub_type":"voice_call","index":"0","parameters":[]}]"#,
        ),
        row(
            "order details (upstream §10)",
            buttons(json!({"type": "ORDER_DETAILS", "text": "Copy Pix code"})),
            json!({"button.0.order_details": order}),
            r#"[{"type":"button","sub_type":"order_details","index":"0","parameters":[{"type":"action","action":{"order_details":{"reference_id":"ord-1","type":"digital-goods","payment_type":"br","currency":"BRL","payment_settings":[{"type":"payment_link","payment_link":{"uri":"https://x.example/pay"}}],"total_amount":{"value":50000,"offset":100},"order":{"status":"pending","tax":{"value":0,"offset":100,"description":"opt"},"items":[{"retailer_id":"1234567","name":"Cake","amount":{"value":50000,"offset":100},"quantity":1}],"subtotal":{"value":50000,"offset":100}}}}}]}]"#,
        ),
        row(
            "limited-time offer",
            json!({"components": [{"type": "HEADER", "format": "IMAGE"},
                {"type": "LIMITED_TIME_OFFER", "limited_time_offer": {"text": "Expiring!", "has_expiration": true}},
                {"type": "BODY", "text": "Hi {{1}}!"}, {"type": "BUTTONS", "buttons": [{"type": "COPY_CODE", "example": "A"},
                {"type": "URL", "text": "Book", "url": "https://x.example/o?code={{1}}"}]}]}),
            json!({"header.link": link, "offer.expiration": "1704067200000", "body.1": "Pablo", "button.0.code": "CARIBE25", "button.1.url": "n3mtql"}),
            r#"[{"type":"header","parameters":[{"type":"image","image":{"link":"https://x.example/a.png"}}]},{"type":"limited_time_offer","parameters":[{"type":"limited_time_offer","limited_time_offer":{"expiration_time_ms":1704067200000}}]},{"type":"body","parameters":[{"type":"text","text":"Pablo"}]},{"type":"button","sub_type":"copy_code","index":"0","parameters":[{"type":"coupon_code","coupon_code":"CARIBE25"}]},{"type":"button","sub_type":"url","index":"1","parameters":[{"type":"text","text":"n3mtql"}]}]"#,
        ),
        row(
            "offer without a countdown",
            json!({"components": [{"type": "LIMITED_TIME_OFFER", "limited_time_offer": {"text": "Offer", "has_expiration": false}}, {"type": "BODY", "text": "Hi"}]}),
            json!({"offer.expiration": "1704067200000"}),
            "[]",
        ),
        row(
            "authentication",
            json!({"category": "authentication", "components": [{"type": "BODY", "add_security_recommendation": true},
                {"type": "FOOTER", "code_expiration_minutes": 5}, {"type": "BUTTONS", "buttons": [{"type": "OTP", "otp_type": "ONE_TAP"}]}]}),
            json!({"body.1": "J$FpnYnP"}),
            r#"[{"type":"body","parameters":[{"type":"text","text":"J$FpnYnP"}]},{"type":"button","sub_type":"url","index":"0","parameters":[{"type":"text","text":"J$FpnYnP"}]}]"#,
        ),
        row(
            "authentication as the provider lists it, with a URL button",
            json!({"category": "AUTHENTICATION", "components": [{"type": "BODY", "text": "*{{1}}* is your verification code."},
                {"type": "BUTTONS", "buttons": [{"type": "URL", "text": "Copy", "url": "https://x.example/otp?code={{1}}"}]}]}),
            json!({"body.1": "123456"}),
            r#"[{"type":"body","parameters":[{"type":"text","text":"123456"}]},{"type":"button","sub_type":"url","index":"0","parameters":[{"type":"text","text":"123456"}]}]"#,
        ),
        row(
            "carousel (upstream §6.2)",
            json!({"components": [{"type": "BODY", "text": "Rare plants for sale, {{1}}!"}, {"type": "CAROUSEL", "cards": [
                {"components": [{"type": "HEADER", "format": "IMAGE"}, {"type": "BODY", "text": "Use {{1}} for a discount"},
                    {"type": "BUTTONS", "buttons": [{"type": "QUICK_REPLY", "text": "More like this"}, {"type": "URL", "text": "Shop", "url": "https://x.example/p/{{1}}"}]}]},
                {"components": [{"type": "HEADER", "format": "VIDEO"}, {"type": "BODY", "text": "Nothing to fill"},
                    {"type": "BUTTONS", "buttons": [{"type": "QUICK_REPLY", "text": "More like this"}, {"type": "URL", "text": "Shop", "url": "https://x.example/p"}]}]}]}]}),
            json!({"body.1": "Pablo", "card.0.header.link": link, "card.0.body.1": "15OFF", "card.0.button.0.payload": "more-0",
                "card.0.button.1.url": "BLUE_ELF", "card.1.header.link": "https://x.example/b.mp4"}),
            r#"[{"type":"body","parameters":[{"type":"text","text":"Pablo"}]},{"type":"carousel","cards":[{"card_index":0,"components":[{"type":"header","parameters":[{"type":"image","image":{"link":"https://x.example/a.png"}}]},{"type":"body","parameters":[{"type":"text","text":"15OFF"}]},{"type":"button","sub_type":"quick_reply","index":"0","parameters":[{"type":"payload","payload":"more-0"}]},{"type":"button","sub_type":"url","index":"1","parameters":[{"type":"text","text":"BLUE_ELF"}]}]},{"card_index":1,"components":[{"type":"header","parameters":[{"type":"video","video":{"link":"https://x.example/b.mp4"}}]}]}]}]"#,
        ),
        row(
            "carousel of products",
            json!({"components": [{"type": "BODY", "text": "Hi"}, {"type": "CAROUSEL", "cards": [
                {"components": [{"type": "HEADER", "format": "PRODUCT"}, {"type": "BUTTONS", "buttons": [{"type": "SPM", "text": "View"}]}]}]}]}),
            json!({"card.0.header.product_retailer_id": "p", "card.0.header.catalog_id": "c"}),
            r#"[{"type":"carousel","cards":[{"card_index":0,"components":[{"type":"header","parameters":[{"type":"product","product":{"product_retailer_id":"p","catalog_id":"c"}}]}]}]}]"#,
        ),
        row(
            "cards with nothing filled keep their entries",
            json!({"components": [{"type": "BODY", "text": "Hi"}, {"type": "CAROUSEL", "cards": [
                {"components": [{"type": "BUTTONS", "buttons": [{"type": "QUICK_REPLY", "text": "More"}]}]},
                {"components": [{"type": "BUTTONS", "buttons": [{"type": "QUICK_REPLY", "text": "More"}]}]}]}]}),
            json!({"card.1.button.0.payload": "more-1"}),
            r#"[{"type":"carousel","cards":[{"card_index":0,"components":[]},{"card_index":1,"components":[{"type":"button","sub_type":"quick_reply","index":"0","parameters":[{"type":"payload","payload":"more-1"}]}]}]}]"#,
        ),
        row(
            "marketing_lite needs nothing more (upstream §6.3)",
            json!({"type": "marketing_lite", "category": "marketing", "components": [{"type": "BODY", "text": "Hi {{1}}!"}]}),
            json!({"body.1": "Ana"}),
            r#"[{"type":"body","parameters":[{"type":"text","text":"Ana"}]}]"#,
        ),
        row(
            "nothing to fill",
            json!({"components": [{"type": "BODY", "text": "Hi"}, {"type": "CALL_PERMISSION_REQUEST"}, {"type": "HOLOGRAM", "text": "{{1}}"}]}),
            json!({"body.1": "of another template", "button.0.payload": "P"}),
            "[]",
        ),
    ]
}

#[test]
fn every_row_serialises_to_the_expected_bytes() {
    for Row { what, template: content, values, payload } in rows() {
        let template = template(content);
        let values: SendValues = serde_json::from_value(values).unwrap();
        let send = send(&template, &values);
        assert_eq!(serde_json::to_string(&send.components).unwrap(), payload, "{what}");
        assert_eq!(check_send(&template, &send), [], "{what}");
        let errors: Vec<_> = check_values(&template, &values, NOW).into_iter().filter(|it| it.is_error()).collect();
        assert_eq!(errors, [], "{what}");
        // The written payload is read back unchanged.
        let read: Vec<SendComponent> = serde_json::from_str(payload).unwrap();
        assert_eq!(read, send.components, "{what}");
    }
}

#[test]
fn requested_parts_are_the_filled_parts() {
    for Row { what, template: content, values, payload } in rows() {
        let template = template(content);
        let values: SendValues = serde_json::from_value(values).unwrap();
        let parts = send_form(&template).parts;
        // A missing required part is reported; an unknown part has no effect.
        for id in values.keys() {
            let mut fewer = values.clone();
            fewer.remove(id);
            let asked = parts.iter().find(|part| part.id == *id);
            let written = serde_json::to_string(&fill_send(&template, &fewer)).unwrap();
            let given = !values[id].is_empty();
            assert_eq!(written != payload, asked.is_some() && given, "{what}: {id}");
            let missed = check_values(&template, &fewer, NOW)
                .into_iter()
                .any(|problem| problem.is_error() && problem.field == *id && problem.code.as_str() == "value.missing");
            assert_eq!(missed, asked.is_some_and(|part| part.required), "{what}: {id}");
        }
        assert!(parts.iter().all(|part| !part.required || values.contains_key(&part.id)), "{what}");
    }
}

#[test]
fn parameters_without_a_form_part_are_unchanged() {
    for component in [
        r#"{"type":"body","parameters":[{"type":"currency","currency":{"fallback_value":"R$ 10,50","code":"BRL","amount_1000":10500}}]}"#,
        r#"{"type":"body","parameters":[{"type":"date_time","date_time":{"fallback_value":"25 de fevereiro"}}]}"#,
        r#"{"type":"button","sub_type":"voice_call","index":"0","parameters":[{"type":"payload","payload":"x"}]}"#,
        r#"{"type":"tap_target_configuration","parameters":[{"type":"tap_target_configuration","tap_target_configuration":[{"url":"https://x.example","title":"X"}]}]}"#,
    ] {
        let read: SendComponent = serde_json::from_str(component).unwrap();
        assert_eq!(serde_json::to_string(&read).unwrap(), component);
    }
    // Both forms of `index` are read; one is written (upstream §12 #14).
    let read: SendComponent =
        serde_json::from_str(r#"{"type":"BUTTON","sub_type":"url","index":1,"parameters":[]}"#).unwrap();
    assert_eq!(
        serde_json::to_string(&read).unwrap(),
        r#"{"type":"button","sub_type":"url","index":"1","parameters":[]}"#
    );
}

#[test]
fn whole_messages_serialise_to_the_expected_bytes() {
    let template =
        template(json!({"components": [{"type": "BODY", "text": "Hi {{1}}!"}, {"type": "FOOTER", "text": "Bye"}]}));
    let message = |values: Value, callback: Option<&str>| {
        let values: SendValues = serde_json::from_value(values).unwrap();
        let message = SendMessage {
            messaging_product: "messaging".to_owned(),
            recipient_type: Some("individual".to_owned()),
            to: Some("5511999999999".to_owned()),
            kind: "template".to_owned(),
            biz_opaque_callback_data: callback.map(str::to_owned),
            template: Some(send(&template, &values)),
            ..SendMessage::default()
        };
        serde_json::to_string(&message).unwrap()
    };
    assert_eq!(
        message(json!({"body.1": "Ana"}), Some(r#"{"job":42}"#)),
        r#"{"messaging_product":"messaging","recipient_type":"individual","to":"5511999999999","type":"template","biz_opaque_callback_data":"{\"job\":42}","template":{"name":"order_update","language":{"code":"pt_BR"},"components":[{"type":"body","parameters":[{"type":"text","text":"Ana"}]}]}}"#
    );
    let bare = SendMessage {
        messaging_product: "messaging".to_owned(),
        to: Some("5511999999999".to_owned()),
        kind: "text".to_owned(),
        text: Some(SendText { body: "Olá".to_owned(), ..SendText::default() }),
        ..SendMessage::default()
    };
    assert_eq!(
        serde_json::to_string(&bare).unwrap(),
        r#"{"messaging_product":"messaging","to":"5511999999999","type":"text","text":{"body":"Olá"}}"#
    );
    let recipient = Some("BR.13491208655302741918".to_owned());
    let hidden = SendMessage { to: None, recipient, ..bare };
    assert_eq!(
        serde_json::to_string(&hidden).unwrap(),
        r#"{"messaging_product":"messaging","recipient":"BR.13491208655302741918","type":"text","text":{"body":"Olá"}}"#
    );
}
