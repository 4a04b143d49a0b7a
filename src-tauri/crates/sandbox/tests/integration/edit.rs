//! Contract §4.3: editing.

use reqwest::Method;
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};

use crate::bench::{Bench, PNG, TEMPLATES, WORKSPACE, answer, assert_refused, options, template, until};

fn body(text: &str) -> Value {
    json!([{ "type": "BODY", "text": text }])
}

#[tokio::test]
async fn an_edit_returns_the_record_and_starts_a_review() {
    let (bench, recorder) = Bench::with_recorder(options()).await;
    let uuid = bench.approved(template("edited")).await;
    let path = format!("{TEMPLATES}/{uuid}");
    let edit = json!({
        "category": "UTILITY",
        "sub_category": "ORDER_STATUS",
        "components": body("Outro texto, sem vari\u{e1}veis."),
        "parameter_format": "NAMED",
        "workspace_uuid": WORKSPACE,
        "is_administrator": false,
        "pix_data": { "key": "a@b.c" },
        "order_data": "{\"reference\": 7}",
    });
    let (status, answer) = bench.put(&path, edit).await;
    assert_eq!(status, 200, "{answer}");
    let data = &answer["data"];
    assert_eq!(data["uuid"], uuid);
    assert_eq!(data["category"], "utility");
    assert_eq!(data["components"], body("Outro texto, sem vari\u{e1}veis."));
    assert_eq!(data["sub_category"], "ORDER_STATUS");
    assert_eq!(data["parameter_format"], "NAMED");
    assert_eq!(data["pix_data"], json!({ "key": "a@b.c" }));
    assert_eq!(data["order_data"], json!({ "reference": 7 }));
    assert_eq!(data["status"], "PENDING");
    bench.until_status(&uuid, "APPROVED").await;
    let events = until("three events", async || {
        let events: Vec<String> =
            recorder.changes().iter().map(|(_, value)| value["event"].as_str().unwrap().to_owned()).collect();
        (events.len() == 3).then_some(events)
    })
    .await;
    assert_eq!(events, ["APPROVED", "PENDING", "APPROVED"]);
}

#[tokio::test]
async fn immutable_fields_are_refused_by_name() {
    let bench = Bench::start(options()).await;
    let uuid = bench.approved(template("fixed")).await;
    let path = format!("{TEMPLATES}/{uuid}");
    for (field, value) in [
        ("name", json!("fixed")),
        ("language", json!("pt_BR")),
        ("waba_ids", json!([2001])),
        ("waba_id", json!("2001")),
        ("business_id", json!("1")),
        ("name", Value::Null),
    ] {
        assert_refused(bench.put(&path, json!({ "components": body("x"), field: value })).await, 400, field);
        let form = Form::new().text("components", body("x").to_string()).text(field, "anything");
        assert_refused(answer(bench.request(Method::PUT, &path).multipart(form)).await, 400, field);
    }
    assert_eq!(bench.record(&uuid).await.unwrap()["status"], "APPROVED", "nothing changed");
}

#[tokio::test]
async fn an_edit_is_refused_with_the_field_named() {
    let bench = Bench::start(options()).await;
    let uuid = bench.approved(template("strict")).await;
    let path = format!("{TEMPLATES}/{uuid}");
    for (edit, field) in [
        (json!({ "category": "other" }), "category"),
        (json!({ "category": "marketing" }), "category"),
        (json!({ "sub_category": 1 }), "sub_category"),
        (json!({ "components": "[]" }), "components"),
        (json!({ "components": [] }), "components"),
        (json!({ "components": body(&"x".repeat(1025)) }), "components[0].text"),
        (json!({ "parameter_format": "OTHER" }), "parameter_format"),
        (json!({ "is_administrator": "yes" }), "is_administrator"),
        (json!({ "workspace_uuid": "00000000-0000-4000-8000-000000000000" }), "workspace_uuid"),
        (json!({ "pix_data": 5 }), "pix_data"),
        (json!({ "order_data": "{" }), "order_data"),
    ] {
        assert_refused(bench.put(&path, edit).await, 400, field);
    }
    assert_eq!(bench.record(&uuid).await.unwrap()["status"], "APPROVED", "nothing changed");
}

#[tokio::test]
async fn templates_in_review_or_disabled_cannot_be_edited() {
    let bench = Bench::start(sandbox::Options { review: sandbox::ReviewPolicy::Manual, ..options() }).await;
    let uuid = bench.create(template("in_review")).await;
    let path = format!("{TEMPLATES}/{uuid}");
    for (event, wanted) in
        [("PENDING", 409), ("DISABLED", 409), ("IN_APPEAL", 409), ("REJECTED", 200), ("PAUSED", 200), ("APPROVED", 200)]
    {
        bench.post(&format!("/sandbox/templates/{uuid}/decision"), json!({ "event": event })).await;
        let (status, answer) =
            bench.put(&path, json!({ "components": body(&format!("Texto depois de {event}")) })).await;
        assert_eq!(status, wanted, "{event}: {answer}");
        if wanted == 409 {
            assert_eq!(answer["code"], 2_388_039);
            assert_refused((status, answer), 409, event);
        }
    }
}

#[tokio::test]
async fn edit_quotas_are_enforced_if_configured() {
    let bench = Bench::start(options()).await;
    let uuid = bench.approved(template("counted")).await;
    let path = format!("{TEMPLATES}/{uuid}");
    for (round, enforce, wanted) in [(1, false, 200), (2, false, 200), (3, true, 409)] {
        bench.settings(json!({ "enforce_quotas": enforce })).await;
        let (status, answer) =
            bench.put(&path, json!({ "components": body(&format!("Rodada {round} do texto")) })).await;
        assert_eq!(status, wanted, "round {round}: {answer}");
        bench.until_status(&uuid, "APPROVED").await;
    }
    answer(bench.request(Method::DELETE, &path)).await;
    assert_refused(bench.post(TEMPLATES, template("counted")).await, 409, "name");
    bench.settings(json!({ "enforce_quotas": false })).await;
    bench.create(template("counted")).await;
}

#[tokio::test]
async fn a_multipart_edit_takes_every_file() {
    let bench = Bench::start(options()).await;
    let mut with_image = template("pictured");
    with_image["components"] = json!([
        { "type": "HEADER", "format": "IMAGE", "example": { "header_handle": ["4::aGFuZGxl"] } },
        { "type": "BODY", "text": "Com imagem" },
    ]);
    let uuid = bench.approved(with_image.clone()).await;
    let path = format!("{TEMPLATES}/{uuid}");
    let part = |tail: &str| Part::bytes([PNG, tail.as_bytes()].concat()).file_name(format!("{tail}.png"));
    with_image["components"][0]["example"]["header_handle"] = json!(["UPLOAD_PENDING"]);
    let form = Form::new()
        .text("components", with_image["components"].to_string())
        .text("pix_data", r#"{"key": "k"}"#)
        .text("is_administrator", "true")
        .part("header_file", part("header"))
        .part("pix_file", part("pix"))
        .part("order_file", part("order"));
    let (status, edited) = answer(bench.request(Method::PUT, &path).multipart(form)).await;
    assert_eq!(status, 200, "{edited}");
    let data = &edited["data"];
    for (address, tail) in [
        (&data["components"][0]["example"]["header_handle"][0], "header"),
        (&data["pix_file"], "pix"),
        (&data["order_file"], "order"),
    ] {
        let bytes = bench.client.get(address.as_str().unwrap()).send().await.unwrap().bytes().await.unwrap();
        assert!(bytes.ends_with(tail.as_bytes()), "{tail}");
    }
    bench.until_status(&uuid, "APPROVED").await;

    // The listed URL is resolved to the file: sent back in JSON, the file is kept.
    let listed = bench.record(&uuid).await.unwrap()["components"].clone();
    let (status, again) = bench.put(&path, json!({ "components": listed.clone(), "sub_category": "X" })).await;
    assert_eq!(status, 200, "{again}");
    assert_eq!(again["data"]["components"], listed);
    bench.until_status(&uuid, "APPROVED").await;

    let form = Form::new().part("header_file", Part::bytes(b"%PDF-1.7".to_vec()).file_name("a.pdf"));
    assert_refused(answer(bench.request(Method::PUT, &path).multipart(form)).await, 400, "header_file");
    let form = Form::new().part("carousel_files[]", part("card"));
    assert_refused(answer(bench.request(Method::PUT, &path).multipart(form)).await, 400, "carousel_files[]");
    let form = Form::new().part("header_file", part("alone"));
    let (status, alone) = answer(bench.request(Method::PUT, &path).multipart(form)).await;
    assert_eq!(status, 200, "{alone}");
}

#[tokio::test]
async fn the_cards_of_an_edit_take_their_files_in_order() {
    let bench = Bench::start(options()).await;
    let card = |handle: &str| {
        json!({ "components": [
            { "type": "HEADER", "format": "IMAGE", "example": { "header_handle": [handle] } },
            { "type": "BODY", "text": "Uma oferta" },
            { "type": "BUTTONS", "buttons": [{ "type": "QUICK_REPLY", "text": "Quero" }] },
        ] })
    };
    let components =
        |cards: [Value; 2]| json!([{ "type": "BODY", "text": "Escolha uma" }, { "type": "CAROUSEL", "cards": cards }]);
    let mut carousel = template("carousel");
    carousel["category"] = json!("marketing");
    carousel["components"] = components([card("4::b25l"), card("4::dHdv")]);
    let uuid = bench.approved(carousel).await;
    let path = format!("{TEMPLATES}/{uuid}");
    let file = |tail: &str| Part::bytes([PNG, tail.as_bytes()].concat()).file_name(format!("{tail}.png"));
    let form =
        || Form::new().text("components", components([card("UPLOAD_PENDING"), card("UPLOAD_PENDING")]).to_string());
    let edit = async |form: Form| answer(bench.request(Method::PUT, &path).multipart(form)).await;

    let short = form().part("carousel_files[]", file("only"));
    assert_refused(edit(short).await, 400, "cards[1]");
    let mut long = form();
    for tail in ["one", "two", "three"] {
        long = long.part("carousel_files[]", file(tail));
    }
    assert_refused(edit(long).await, 400, "carousel_files[]");
    let (status, edited) =
        edit(form().part("carousel_files[]", file("first")).part("carousel_files[]", file("second"))).await;
    assert_eq!(status, 200, "{edited}");
    for (index, tail) in ["first", "second"].iter().enumerate() {
        let address = &edited["data"]["components"][1]["cards"][index]["components"][0]["example"]["header_handle"][0];
        let bytes = bench.client.get(address.as_str().unwrap()).send().await.unwrap().bytes().await.unwrap();
        assert!(bytes.ends_with(tail.as_bytes()), "card {index}");
    }
}
