//! Contract §4.2 and §4.4–§4.7: creating, archiving, deleting and listing.

use reqwest::Method;
use reqwest::multipart::{Form, Part};
use sandbox::Options;
use serde_json::{Value, json};

use crate::bench::{Bench, PNG, TEMPLATES, answer, assert_refused, options, template};

fn with(field: &str, value: Value) -> Value {
    let mut body = template("changed");
    body[field] = value;
    body
}

fn without(field: &str) -> Value {
    let mut body = template("changed");
    body.as_object_mut().unwrap().remove(field);
    body
}

#[tokio::test]
async fn a_creation_returns_a_uuid_and_a_pending_record() {
    let bench = Bench::start(Options { review: sandbox::ReviewPolicy::Manual, ..options() }).await;
    let mut body = template("order_update");
    body["waba_ids"] = json!([2001, 2002]);
    body["type"] = json!("cloud_api");
    body["sub_category"] = json!("ORDER_STATUS");
    body["parameter_format"] = json!("NAMED");
    body["components"] = json!([{
        "type": "BODY",
        "text": "Ol\u{e1} {{cliente}}, seu pedido chegou.",
        "example": { "body_text_named_params": [{ "param_name": "cliente", "example": "Ana" }] },
    }]);
    body["pix_data"] = json!({ "key": "a@b.c" });
    body["order_data"] = json!("{\"reference\": 7}");
    body["some_new_field"] = json!({ "kept": true });
    let (status, answer) = bench.post(TEMPLATES, body.clone()).await;
    assert_eq!(status, 200, "{answer}");
    let uuid = answer["uuid"].as_str().unwrap();
    assert_eq!(uuid.len(), 36);
    let record = bench.record(uuid).await.unwrap();
    assert_eq!(record, answer["data"]);
    assert_eq!(record["status"], "PENDING");
    assert_eq!(record["archived"], false);
    for field in [
        "name",
        "category",
        "sub_category",
        "language",
        "type",
        "waba_ids",
        "components",
        "parameter_format",
        "pix_data",
        "order_data",
        "some_new_field",
    ] {
        assert_eq!(record[field], body[field], "{field}");
    }
    assert!(record["business_id"].is_string());
}

#[tokio::test]
async fn a_creation_is_refused_with_the_field_named() {
    let bench = Bench::start(options()).await;
    let cases = [
        (without("waba_ids"), "waba_ids"),
        (with("waba_ids", json!("2001")), "waba_ids"),
        (with("waba_ids", json!([])), "waba_ids"),
        (with("waba_ids", json!(["2001"])), "waba_ids[0]"),
        (with("waba_ids", json!([2001, -1])), "waba_ids[1]"),
        (with("waba_ids", json!([2001, 1.5])), "waba_ids[1]"),
        (with("waba_ids", json!([2001, 2001])), "waba_ids[1]"),
        (without("name"), "name"),
        (with("name", json!("")), "name"),
        (with("name", json!(7)), "name"),
        (with("name", json!("Order Update")), "name"),
        (with("name", json!("a".repeat(513))), "name"),
        (without("language"), "language"),
        (with("language", json!(["pt_BR"])), "language"),
        (without("category"), "category"),
        (with("category", json!("promo")), "category"),
        (with("type", json!("other")), "type"),
        (with("type", json!("marketing_lite")), "type"),
        (with("parameter_format", json!("OTHER")), "parameter_format"),
        (without("components"), "components"),
        (with("components", json!("[]")), "components"),
        (with("components", json!([])), "components"),
        (with("components", json!([1])), "components[0]"),
        (with("components", json!([{ "text": "no type" }])), "components[0].type"),
        (with("components", json!([{ "type": "SIDEBAR" }])), "components[0]"),
        (with("components", json!([{ "type": "FOOTER", "text": "no body" }])), "components"),
        (with("components", json!([{ "type": "BODY", "text": 5 }])), "components[0].text"),
        (with("components", json!([{ "type": "BODY", "text": "a".repeat(1025) }])), "components[0].text"),
        (with("components", json!([{ "type": "BODY", "text": "{{1}} at the start" }])), "components[0].text"),
        (
            with("components", json!([{ "type": "BODY", "text": "b" }, { "type": "FOOTER", "text": "f".repeat(61) }])),
            "components[1].text",
        ),
        (with("components", json!([{ "type": "BODY", "text": "b" }, { "type": "BUTTONS" }])), "components[1].buttons"),
        (
            with(
                "components",
                json!([{ "type": "BODY", "text": "b" }, { "type": "BUTTONS", "buttons": [{ "type": "LEVER", "text": "x" }] }]),
            ),
            "components[1].buttons[0]",
        ),
        (
            with(
                "components",
                json!([
                    { "type": "BODY", "text": "b" },
                    { "type": "BUTTONS", "buttons": [{ "type": "QUICK_REPLY", "text": "t".repeat(26) }] },
                ]),
            ),
            "components[1].buttons[0].text",
        ),
        (
            with("components", json!([{ "type": "HEADER", "format": "IMAGE" }, { "type": "BODY", "text": "b" }])),
            "components[0].example.header_handle",
        ),
        (
            with(
                "components",
                json!([
                    { "type": "HEADER", "format": "IMAGE", "example": { "header_handle": ["UPLOAD_PENDING"] } },
                    { "type": "BODY", "text": "b" },
                ]),
            ),
            "UPLOAD_PENDING",
        ),
    ];
    for (body, field) in cases {
        let answer = bench.post(TEMPLATES, body.clone()).await;
        assert_eq!(answer.0, 400, "{body} was answered {}", answer.1);
        assert_refused(answer, 400, field);
    }
    let (_, list) = bench.get(TEMPLATES).await;
    assert_eq!(list["data"], json!([]), "nothing that was refused is kept");
}

#[tokio::test]
async fn categories_and_types_are_case_insensitive() {
    let bench = Bench::start(options()).await;
    for (name, category) in [("a", "UTILITY"), ("b", "utility"), ("c", "Marketing")] {
        let mut body = template(name);
        body["category"] = json!(category);
        let uuid = bench.create(body).await;
        assert_eq!(bench.record(&uuid).await.unwrap()["category"], category.to_lowercase());
    }
    let mut lite = template("lite");
    lite["type"] = json!("marketing_lite");
    lite["category"] = json!("MARKETING");
    bench.create(lite).await;
}

#[tokio::test]
async fn a_name_and_language_is_unique_in_a_waba() {
    let bench = Bench::start(options()).await;
    bench.create(template("taken")).await;
    let answer = bench.post(TEMPLATES, template("taken")).await;
    assert_eq!(answer.1["code"], 2_388_024);
    assert_refused(answer, 409, "name");
    let mut other_language = template("taken");
    other_language["language"] = json!("en_US");
    bench.create(other_language).await;
    let mut other_waba = template("taken");
    other_waba["waba_ids"] = json!([2009]);
    bench.create(other_waba).await;
    let mut overlapping = template("taken");
    overlapping["waba_ids"] = json!([2010, 2009]);
    assert_refused(bench.post(TEMPLATES, overlapping).await, 409, "2009");
}

#[tokio::test]
async fn wabas_must_belong_to_one_business_manager() {
    let bench = Bench::start(Options { seed: Some(sandbox::Seed::Samples), adopt_unknown: false, ..options() }).await;
    let (_, index) = bench.get("/sandbox").await;
    let wabas = index["wabas"].as_array().unwrap();
    let business = &wabas[0]["business_id"];
    let other = wabas.iter().find(|waba| waba["business_id"] != *business).unwrap();
    let mut body = template("across");
    body["waba_ids"] = json!([wabas[0]["id"], other["id"]]);
    assert_refused(bench.post(TEMPLATES, body.clone()).await, 400, "waba_ids[1]");
    body["waba_ids"] = json!([77]);
    assert_refused(bench.post(TEMPLATES, body).await, 400, "waba_ids[0]");
}

fn form(components: Value) -> Form {
    Form::new()
        .text("name", "with_file")
        .text("language", "pt_BR")
        .text("category", "marketing")
        .text("components", components.to_string())
}

fn image_components() -> Value {
    json!([
        { "type": "HEADER", "format": "IMAGE", "example": { "header_handle": ["UPLOAD_PENDING"] } },
        { "type": "BODY", "text": "Veja a novidade" },
    ])
}

fn png() -> Part {
    Part::bytes(PNG.to_vec()).file_name("header.png").mime_str("image/png").unwrap()
}

async fn post_form(bench: &Bench, form: Form) -> (u16, Value) {
    answer(bench.request(Method::POST, TEMPLATES).multipart(form)).await
}

#[tokio::test]
async fn a_multipart_creation_stores_the_header_file_for_download() {
    let bench = Bench::start(options()).await;
    let (status, body) =
        post_form(&bench, form(image_components()).text("waba_ids", "2001").part("header_file", png())).await;
    assert_eq!(status, 200, "{body}");
    assert_eq!(body["data"]["waba_ids"], json!([2001]));
    let record = bench.record(body["uuid"].as_str().unwrap()).await.unwrap();
    let address = record["components"][0]["example"]["header_handle"][0].as_str().unwrap();
    assert!(address.starts_with(&bench.base), "{address}");
    let file = bench.client.get(address).send().await.unwrap();
    assert_eq!(file.status(), 200);
    assert_eq!(file.headers()["content-type"], "image/png");
    assert_eq!(file.bytes().await.unwrap(), PNG);
    // The contract's text names the field `waba_id`.
    let other = Form::new()
        .text("name", "with_other_name")
        .text("language", "pt_BR")
        .text("category", "marketing")
        .text("components", image_components().to_string())
        .text("waba_id", "2001")
        .part("header_file", png());
    assert_eq!(post_form(&bench, other).await.0, 200);
}

#[tokio::test]
async fn a_header_file_must_match_each_format() {
    let bench = Bench::start(options()).await;
    let files: [(&str, &[u8]); 3] =
        [("IMAGE", PNG), ("VIDEO", b"\0\0\0\x18ftypisom film"), ("DOCUMENT", b"%PDF-1.7 paper")];
    for (format, _) in files {
        for (of, bytes) in files {
            let components = json!([
                { "type": "HEADER", "format": format, "example": { "header_handle": ["UPLOAD_PENDING"] } },
                { "type": "BODY", "text": "Veja a novidade" },
            ]);
            let form = Form::new()
                .text("name", format!("{format}_of_{of}").to_lowercase())
                .text("language", "pt_BR")
                .text("category", "marketing")
                .text("components", components.to_string())
                .text("waba_ids", "2001")
                .part("header_file", Part::bytes(bytes.to_vec()).file_name("file"));
            let answer = post_form(&bench, form).await;
            if of == format {
                assert_eq!(answer.0, 200, "{format}: {}", answer.1);
            } else {
                assert_refused(answer, 400, "header_file");
            }
        }
    }
}

#[tokio::test]
async fn a_multipart_creation_is_refused_with_the_part_named() {
    let bench = Bench::start(options()).await;
    let base = || form(image_components()).text("waba_ids", "2001");
    let document = Part::bytes(b"%PDF-1.7 ...".to_vec()).file_name("header.png").mime_str("image/png").unwrap();
    let large = [PNG, &vec![0; 5_242_881 - PNG.len()]].concat();
    let text_only = json!([{ "type": "BODY", "text": "Sem arquivo" }]);
    let cases = [
        (base(), "header_file"),
        (base().part("header_file", document), "header_file"),
        (base().part("header_file", Part::bytes(Vec::new()).file_name("a.png")), "header_file"),
        (base().part("header_file", Part::bytes(large).file_name("a.png")), "5242881"),
        (base().part("header_file", png()).part("header_file", png()), "header_file"),
        (base().part("header_file", png()).part("carousel_files[]", png()), "carousel_files[]"),
        (form(image_components()).part("header_file", png()), "waba_ids"),
        (form(image_components()).text("waba_ids", "2001,2002").part("header_file", png()), "waba_ids"),
        (form(image_components()).text("waba_ids", "1").text("waba_id", "1").part("header_file", png()), "waba_id"),
        (form(text_only.clone()).text("waba_ids", "2001").part("header_file", png()), "header_file"),
        // Files under another name, readable as text or not.
        (base().part("headerFile", png()), "headerFile"),
        (form(text_only).text("waba_ids", "2001").part("file", png()), "file"),
        (
            form(json!([{ "type": "BODY", "text": "Sem arquivo" }]))
                .text("waba_ids", "2001")
                .part("header", Part::bytes(b"%PDF-1.7".to_vec()).file_name("a.pdf")),
            "header",
        ),
        (form(json!("not an array")).text("waba_ids", "2001").part("header_file", png()), "components"),
        (
            Form::new()
                .text("name", "with_file")
                .text("language", "pt_BR")
                .text("category", "marketing")
                .text("components", "[{")
                .text("waba_ids", "2001"),
            "components",
        ),
    ];
    for (form, field) in cases {
        assert_refused(post_form(&bench, form).await, 400, field);
    }
    assert_eq!(bench.get(TEMPLATES).await.1["data"], json!([]));
}

#[tokio::test]
async fn cards_take_their_files_in_order() {
    let bench = Bench::start(options()).await;
    let card = |text: &str| {
        json!({ "components": [
            { "type": "HEADER", "format": "IMAGE", "example": { "header_handle": ["UPLOAD_PENDING"] } },
            { "type": "BODY", "text": text },
            { "type": "BUTTONS", "buttons": [{ "type": "QUICK_REPLY", "text": "Quero" }] },
        ] })
    };
    let components = json!([
        { "type": "BODY", "text": "Escolha uma" },
        { "type": "CAROUSEL", "cards": [card("Um"), card("Dois")] },
    ]);
    let file = |name: &str| Part::bytes([PNG, name.as_bytes()].concat()).file_name(format!("{name}.png"));
    let whole = form(components.clone())
        .text("waba_ids", "2001")
        .part("carousel_files[]", file("first"))
        .part("carousel_files[]", file("second"));
    let (status, body) = post_form(&bench, whole).await;
    assert_eq!(status, 200, "{body}");
    for (index, name) in ["first", "second"].iter().enumerate() {
        let address = &body["data"]["components"][1]["cards"][index]["components"][0]["example"]["header_handle"][0];
        let bytes = bench.client.get(address.as_str().unwrap()).send().await.unwrap().bytes().await.unwrap();
        assert!(bytes.ends_with(name.as_bytes()), "card {index}");
    }
    let short = form(components).text("waba_ids", "2002").part("carousel_files[]", file("first"));
    assert_refused(post_form(&bench, short).await, 400, "cards[1]");
}

#[tokio::test]
async fn archive_unarchive_and_delete() {
    let bench = Bench::start(options()).await;
    let uuid = bench.approved(template("kept")).await;
    for (action, archived) in [("archive", true), ("archive", true), ("unarchive", false), ("unarchive", false)] {
        let (status, body) = answer(bench.request(Method::POST, &format!("{TEMPLATES}/{uuid}/{action}"))).await;
        assert_eq!(status, 200, "{body}");
        assert_eq!(body["data"]["uuid"], uuid);
        let record = bench.record(&uuid).await.unwrap();
        assert_eq!(record["archived"], archived, "{action}");
        assert_eq!(record["archived_at"].is_string(), archived);
        assert_eq!(record["status"], "APPROVED", "the status stays");
    }
    let (status, body) = answer(bench.request(Method::DELETE, &format!("{TEMPLATES}/{uuid}"))).await;
    assert_eq!(status, 200, "{body}");
    assert_eq!(body["data"]["uuid"], uuid);
    assert!(bench.record(&uuid).await.is_none());
    for (method, rest) in [(Method::DELETE, ""), (Method::POST, "/archive"), (Method::POST, "/unarchive")] {
        assert_refused(answer(bench.request(method, &format!("{TEMPLATES}/{uuid}{rest}"))).await, 404, &uuid);
    }
    assert_refused(bench.put(&format!("{TEMPLATES}/{uuid}"), json!({})).await, 404, &uuid);
    assert_refused(bench.put(&format!("{TEMPLATES}/no-uuid"), json!({})).await, 404, "no-uuid");
}

async fn names(bench: &Bench, query: &str) -> Vec<String> {
    let (status, body) = bench.get(&format!("{TEMPLATES}?{query}")).await;
    assert_eq!(status, 200, "{body}");
    body["data"].as_array().unwrap().iter().map(|record| record["name"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn filters_combine() {
    let bench = Bench::start(Options { review: sandbox::ReviewPolicy::Manual, ..options() }).await;
    let mut uuids = Vec::new();
    for (name, waba, category) in [
        ("promo_one", 2001, "marketing"),
        ("promo_two", 2002, "marketing"),
        ("order", 2001, "utility"),
        ("old_order", 2001, "utility"),
    ] {
        let mut body = template(name);
        body["waba_ids"] = json!([waba]);
        body["category"] = json!(category);
        uuids.push(bench.create(body).await);
    }
    for (uuid, event) in [(&uuids[0], "APPROVED"), (&uuids[2], "REJECTED"), (&uuids[3], "APPROVED")] {
        let (status, body) =
            bench.post(&format!("/sandbox/templates/{uuid}/decision"), json!({ "event": event })).await;
        assert_eq!(status, 200, "{body}");
    }
    answer(bench.request(Method::POST, &format!("{TEMPLATES}/{}/archive", uuids[3]))).await;
    let business = bench.record(&uuids[0]).await.unwrap()["business_id"].as_str().unwrap().to_owned();
    let all = ["old_order", "order", "promo_two", "promo_one"];
    for (query, wanted) in [
        (String::new(), &all[..]),
        ("waba_id=2001".to_owned(), &["old_order", "order", "promo_one"]),
        ("status=APPROVED".to_owned(), &["promo_one"]),
        ("status=approved".to_owned(), &["promo_one"]),
        ("status=PENDING".to_owned(), &["promo_two"]),
        ("status=REJECTED".to_owned(), &["order"]),
        ("status=ARCHIVED".to_owned(), &["old_order"]),
        ("status=NONSENSE".to_owned(), &[]),
        ("category=MARKETING".to_owned(), &["promo_two", "promo_one"]),
        ("search=ORDER".to_owned(), &["old_order", "order"]),
        ("search=order&status=REJECTED&waba_id=2001&category=utility".to_owned(), &["order"]),
        ("search=order&status=REJECTED&waba_id=2002".to_owned(), &[]),
        (format!("business_id={business}&search=promo"), &["promo_two", "promo_one"]),
        ("business_id=1".to_owned(), &[]),
        ("search=&status=&waba_id=".to_owned(), &all[..]),
    ] {
        assert_eq!(names(&bench, &query).await, wanted, "for `{query}`");
    }
}

#[tokio::test]
async fn pages_follow_their_cursors_completely() {
    let bench = Bench::start(options()).await;
    for index in 0..7 {
        bench.create(template(&format!("page_{index}"))).await;
    }
    let mut address = format!("{}{TEMPLATES}?limit=3&search=page_", bench.base);
    let mut seen = Vec::new();
    let mut pages = 0;
    loop {
        let path = address.strip_prefix(&bench.base).unwrap().to_owned();
        let (status, body) = bench.get(&path).await;
        assert_eq!(status, 200, "{body}");
        pages += 1;
        seen.extend(body["data"].as_array().unwrap().iter().map(|record| record["name"].as_str().unwrap().to_owned()));
        match body["paging"]["next"].as_str() {
            Some(next) => address = next.to_owned(),
            None => break,
        }
    }
    assert_eq!(pages, 3);
    assert_eq!(seen, (0..7).rev().map(|index| format!("page_{index}")).collect::<Vec<_>>());

    let (_, second) = bench.get(&format!("{TEMPLATES}?limit=2")).await;
    let after = second["paging"]["cursors"]["after"].as_str().unwrap();
    assert_eq!(names(&bench, &format!("limit=2&after={after}")).await, ["page_4", "page_3"]);
    let (_, third) = bench.get(&format!("{TEMPLATES}?limit=2&after={after}")).await;
    let before = third["paging"]["cursors"]["before"].as_str().unwrap();
    assert_eq!(names(&bench, &format!("limit=2&before={before}")).await, ["page_6", "page_5"]);
    for (query, field) in [("limit=0", "limit"), ("limit=x", "limit"), ("limit=1001", "limit"), ("after=zz", "after")] {
        assert_refused(bench.get(&format!("{TEMPLATES}?{query}")).await, 400, field);
    }
}

#[tokio::test]
async fn many_templates_are_created_on_request() {
    let bench = Bench::start(options()).await;
    assert_eq!(bench.post("/sandbox/templates", json!({ "count": 2_500 })).await.0, 200);
    let mut path = format!("{TEMPLATES}?limit=1000");
    let mut sizes = Vec::new();
    loop {
        let (_, page) = bench.get(&path).await;
        sizes.push(page["data"].as_array().unwrap().len());
        match page["paging"]["next"].as_str() {
            Some(next) => path = next.strip_prefix(&bench.base).unwrap().to_owned(),
            None => break,
        }
    }
    assert_eq!(sizes, [1000, 1000, 500]);
    let (_, found) = bench.get(&format!("{TEMPLATES}?search=invoice&status=APPROVED&limit=5")).await;
    assert_eq!(found["data"].as_array().unwrap().len(), 5);
    for count in [0, 200_001] {
        assert_refused(bench.post("/sandbox/templates", json!({ "count": count })).await, 400, "count");
    }
}
