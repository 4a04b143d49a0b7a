//! Contract §2.3: each kind of send component, and the refusals for it.

use serde_json::{Value, json};

use crate::bench::{Bench, assert_refused, message, options, send_path};

const TO: &str = "5511987654321";

fn send(name: &str, components: Value) -> Value {
    let mut body = message(name, TO);
    body["template"]["components"] = components;
    body
}

async fn approved(bench: &Bench, name: &str, components: Value) {
    let template = json!({
        "waba_ids": [2001], "name": name, "category": "marketing", "language": "pt_BR", "components": components,
    });
    bench.approved(template).await;
}

fn media(format: &str, content: Value) -> Value {
    json!([{ "type": "header", "parameters": [{ "type": format, format: content }] }])
}

#[tokio::test]
async fn a_header_accepts_media_of_its_format() {
    let bench = Bench::start(options()).await;
    let link = "http://127.0.0.1:9/file";
    let contents = [
        ("image", json!({ "link": link })),
        ("video", json!({ "link": link })),
        ("document", json!({ "link": link, "filename": "boleto.pdf" })),
    ];
    for (format, _) in &contents {
        let header = json!({
            "type": "HEADER", "format": format.to_uppercase(), "example": { "header_handle": ["4::aGFuZGxl"] },
        });
        approved(&bench, &format!("with_{format}"), json!([header, { "type": "BODY", "text": "Veja isto" }])).await;
    }
    for (format, content) in &contents {
        let name = format!("with_{format}");
        bench.send(send(&name, media(format, content.clone()))).await;
        for (other, content) in contents.iter().filter(|(other, _)| other != format) {
            let answer = bench.post(&send_path(), send(&name, media(other, content.clone()))).await;
            assert_eq!(answer.1["code"], 132_012, "{}", answer.1);
            assert_refused(answer, 400, "template.components[0].parameters[0]");
        }
        for (components, field) in [
            (json!([]), "template.components"),
            (media(format, json!({})), "template.components[0].parameters[0]"),
            (media(format, json!({ "link": "no address" })), "link"),
            (media(format, json!({ "link": "ftp://loja.example/a" })), "link"),
            (media(format, json!({ "link": 5 })), "link"),
        ] {
            assert_refused(bench.post(&send_path(), send(&name, components)).await, 400, field);
        }
    }
    let unnamed = media("document", json!({ "link": link, "filename": 5 }));
    assert_refused(bench.post(&send_path(), send("with_document", unnamed)).await, 400, "filename");
}

#[tokio::test]
async fn a_footer_accepts_texts() {
    let bench = Bench::start(options()).await;
    let components = json!([{ "type": "BODY", "text": "Boas festas" }, { "type": "FOOTER", "text": "Loja" }]);
    approved(&bench, "with_footer", components).await;
    let footer = |parameters: Value| send("with_footer", json!([{ "type": "footer", "parameters": parameters }]));
    bench.send(footer(json!([{ "type": "text", "text": "Loja Centro" }]))).await;
    for (parameters, field) in [
        (json!({ "type": "text", "text": "x" }), "template.components[0].parameters"),
        (json!([{ "type": "text", "text": 5 }]), "template.components[0].parameters[0].text"),
    ] {
        assert_refused(bench.post(&send_path(), footer(parameters)).await, 400, field);
    }
}

fn button(sub_type: &str, index: Value, parameter: Value) -> Value {
    json!({ "type": "button", "sub_type": sub_type, "index": index, "parameters": [parameter] })
}

fn quick_reply(index: Value) -> Value {
    button("quick_reply", index, json!({ "type": "payload", "payload": "YES" }))
}

#[tokio::test]
async fn buttons_are_filled_by_their_index() {
    let bench = Bench::start(options()).await;
    let buttons = json!([
        { "type": "QUICK_REPLY", "text": "Sim" },
        { "type": "QUICK_REPLY", "text": "N\u{e3}o" },
        { "type": "URL", "text": "Ver", "url": "https://loja.example/{{1}}", "example": ["https://loja.example/a"] },
    ]);
    let components = json!([{ "type": "BODY", "text": "Gostou?" }, { "type": "BUTTONS", "buttons": buttons }]);
    approved(&bench, "with_buttons", components).await;
    let url = || button("url", json!("2"), json!({ "type": "text", "text": "pedido" }));
    for index in [json!("0"), json!(1)] {
        bench.send(send("with_buttons", json!([quick_reply(index), url()]))).await;
    }
    bench.send(send("with_buttons", json!([quick_reply(json!("0")), quick_reply(json!(1)), url()]))).await;
    for (components, field) in [
        (json!([]), "template.components"),
        (json!([quick_reply(json!("9")), url()]), "template.components[0].index"),
        (json!([quick_reply(json!("first")), url()]), "template.components[0].index"),
        (json!([quick_reply(json!(-1)), url()]), "index"),
        (json!([quick_reply(json!(0.5)), url()]), "index"),
        (json!([quick_reply(json!("0")), quick_reply(json!(0)), url()]), "template.components[1].index"),
        (json!([quick_reply(json!("2"))]), "template.components[0].sub_type"),
        (json!([{ "type": "button", "index": "0", "parameters": [] }, url()]), "sub_type"),
        (json!([button("quick_reply", json!("0"), json!({ "type": "payload", "payload": 1 })), url()]), "payload"),
    ] {
        assert_refused(bench.post(&send_path(), send("with_buttons", components)).await, 400, field);
    }
}

#[tokio::test]
async fn a_carousel_accepts_each_card_once() {
    let bench = Bench::start(options()).await;
    let made = json!({ "components": [
        { "type": "HEADER", "format": "IMAGE", "example": { "header_handle": ["4::aGFuZGxl"] } },
        { "type": "BODY", "text": "Uma oferta" },
        { "type": "BUTTONS", "buttons": [{ "type": "QUICK_REPLY", "text": "Quero" }] },
    ] });
    let components = json!([{ "type": "BODY", "text": "Escolha" }, { "type": "CAROUSEL", "cards": [made, made] }]);
    approved(&bench, "with_cards", components).await;
    let image = || media("image", json!({ "link": "http://127.0.0.1:9/a.png" }))[0].clone();
    let card = |index: Value| json!({ "card_index": index, "components": [image(), quick_reply(json!("0"))] });
    let cards = |cards: Value| send("with_cards", json!([{ "type": "carousel", "cards": cards }]));
    bench.send(cards(json!([card(json!(0)), card(json!(1))]))).await;
    bench.send(cards(json!([card(json!(1)), card(json!(0))]))).await;
    for (body, field) in [
        (send("with_cards", json!([])), "template.components"),
        (cards(json!([card(json!(0))])), "template.components[0].cards"),
        (cards(json!([card(json!(0)), card(json!(0))])), "template.components[0].cards[1].card_index"),
        (cards(json!([card(json!(0)), card(json!(2))])), "card_index"),
        (cards(json!([card(json!("0")), card(json!(1))])), "card_index"),
        (cards(json!([{ "components": [image()] }, card(json!(1))])), "card_index"),
        (cards(json!({})), "template.components[0]"),
        (cards(json!([1, 2])), "template.components[0]"),
        (cards(json!([card(json!(0)), { "card_index": 1 }])), "template.components[0].cards[1].components"),
    ] {
        assert_refused(bench.post(&send_path(), body).await, 400, field);
    }
}

#[tokio::test]
async fn a_marketing_lite_template_is_sent_like_any_other() {
    let bench = Bench::start(options()).await;
    let components = json!([{ "type": "BODY", "text": "Boas festas" }]);
    let template = json!({
        "waba_ids": [2001], "name": "lite", "type": "marketing_lite", "category": "MARKETING", "language": "pt_BR",
        "components": components,
    });
    bench.approved(template).await;
    bench.send(send("lite", json!([]))).await;
}

#[tokio::test]
async fn named_variables_are_filled_by_their_names() {
    let bench = Bench::start(options()).await;
    let template = json!({
        "waba_ids": [2001], "name": "named", "category": "utility", "language": "pt_BR", "parameter_format": "NAMED",
        "components": [{
            "type": "BODY",
            "text": "Ol\u{e1} {{cliente}}, seu pedido chegou.",
            "example": { "body_text_named_params": [{ "param_name": "cliente", "example": "Ana" }] },
        }],
    });
    bench.approved(template).await;
    let body = |parameter: Value| send("named", json!([{ "type": "body", "parameters": [parameter] }]));
    bench.send(body(json!({ "type": "text", "parameter_name": "cliente", "text": "Rui" }))).await;
    for parameter in
        [json!({ "type": "text", "parameter_name": "other", "text": "Rui" }), json!({ "type": "text", "text": "Rui" })]
    {
        let answer = bench.post(&send_path(), body(parameter)).await;
        assert_refused(answer, 400, "template.components[0].parameters[0]");
    }
}
