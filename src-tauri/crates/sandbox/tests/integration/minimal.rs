//! The profile `minimal`: every response and every event has exactly the fields that the contract names.

use reqwest::Method;
use reqwest::multipart::Form;
use sandbox::{Options, Profile, ReviewPolicy};
use serde_json::{Value, json};

use crate::bench::{
    Bench, Recorder, TEMPLATES, TOKEN, WORKSPACE, answer, message, options, send_path, template, until,
};

pub(super) const RECIPIENT: &str = "5511988887777";

fn minimal() -> Options {
    Options { profile: Profile::Minimal, ..options() }
}

pub(super) async fn start() -> (Bench, Recorder) {
    Bench::with_recorder(minimal()).await
}

/// The keys of an object, sorted.
pub(super) fn keys(value: &Value) -> Vec<&str> {
    let mut keys: Vec<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort_unstable();
    keys
}

/// Creates a template and returns its UUID.
async fn create(bench: &Bench, body: Value) -> String {
    let (status, body) = bench.post(TEMPLATES, body).await;
    assert_eq!(status, 200, "{body}");
    body["uuid"].as_str().unwrap().to_owned()
}

pub(super) async fn approved(bench: &Bench, body: Value) -> String {
    let uuid = create(bench, body).await;
    bench.until_status(&uuid, "APPROVED").await;
    uuid
}

/// The received envelopes with the field, once there are `count` of them.
pub(super) async fn envelopes(recorder: &Recorder, field: &str, count: usize) -> Vec<Value> {
    until(&format!("{count} envelopes of {field}"), async || {
        let all: Vec<Value> = recorder.all().iter().map(|received| received.json()).collect();
        let with_field: Vec<Value> =
            all.into_iter().filter(|body| body["entry"][0]["changes"][0]["field"] == field).collect();
        (with_field.len() >= count).then_some(with_field)
    })
    .await
}

/// The value of an envelope that holds one change and only members of the contract (§2.4).
pub(super) fn only_value(envelope: &Value) -> &Value {
    assert_eq!(keys(envelope), ["entry", "object"]);
    let entries = envelope["entry"].as_array().unwrap();
    assert_eq!(entries.len(), 1);
    assert_eq!(keys(&entries[0]), ["changes", "id"]);
    let changes = entries[0]["changes"].as_array().unwrap();
    assert_eq!(changes.len(), 1);
    assert_eq!(keys(&changes[0]), ["field", "value"]);
    &changes[0]["value"]
}

#[tokio::test]
async fn records_have_the_fields_of_the_contract() {
    let (bench, _recorder) = start().await;
    let mut full = template("full");
    full["sub_category"] = json!("ORDER_STATUS");
    full["pix_data"] = json!({ "key": "a@b.c" });
    full["order_data"] = json!({ "reference": 7 });
    full["message_send_ttl_seconds"] = json!(600);
    full["surprise"] = json!(true);
    create(&bench, full).await;
    let plain = create(&bench, template("plain")).await;
    let (status, body) = bench.get(TEMPLATES).await;
    assert_eq!(status, 200);
    assert_eq!(keys(&body), ["data"], "no paging");
    let records = body["data"].as_array().unwrap();
    let named = |name: &str| records.iter().find(|record| record["name"] == name).unwrap();
    let always = ["business_id", "category", "components", "language", "name", "status", "uuid", "waba_ids"];
    assert_eq!(keys(named("plain")), always);
    let mut with_options = [&always[..], &["order_data", "pix_data", "sub_category"]].concat();
    with_options.sort_unstable();
    assert_eq!(keys(named("full")), with_options);
    assert_eq!(named("plain")["uuid"], plain);
    assert_eq!(named("plain")["waba_ids"], json!([2001]));
    assert_eq!(named("plain")["components"], template("plain")["components"]);

    bench.settings(json!({ "minimal": { "category": false } })).await;
    let (_, body) = bench.get(TEMPLATES).await;
    for record in body["data"].as_array().unwrap() {
        assert_eq!(record.get("category"), None, "{record}");
    }
}

#[tokio::test]
async fn a_listing_has_every_shape_and_no_pages() {
    let (bench, _recorder) = start().await;
    bench.sandbox.add_templates(1_234).unwrap();
    for (shape, pointer) in [
        ("data", "/data"),
        ("array", ""),
        ("data_items", "/data/items"),
        ("data_templates", "/data/templates"),
        ("templates", "/templates"),
        ("results", "/results"),
        ("items", "/items"),
    ] {
        bench.settings(json!({ "minimal": { "listing": shape } })).await;
        let (_, body) = bench.get(&format!("{TEMPLATES}?limit=10&after=0000000000000005")).await;
        assert_eq!(body.pointer(pointer).unwrap().as_array().unwrap().len(), 1_234, "{shape}");
        for object in [&body, body.get("data").unwrap_or(&Value::Null)] {
            assert!(object.as_object().is_none_or(|members| members.len() == 1), "{shape}: {:?}", keys(object));
        }
    }
}

#[tokio::test]
async fn statuses_match_the_contract() {
    let (bench, recorder) = start().await;
    let uuid = approved(&bench, template("words")).await;
    envelopes(&recorder, "message_template_status_update", 1).await;
    for (word, status) in [
        ("PAUSED", "DISABLED"),
        ("REINSTATED", "APPROVED"),
        ("LIMIT_EXCEEDED", "DISABLED"),
        ("REJECTED", "REJECTED"),
        ("FLAGGED", "APPROVED"),
        ("PENDING", "PENDING"),
    ] {
        let count = recorder.all().len() + 1;
        bench.post(&format!("/sandbox/templates/{uuid}/decision"), json!({ "event": word })).await;
        let events = envelopes(&recorder, "message_template_status_update", count).await;
        assert_eq!(only_value(&events[count - 1])["event"], status, "{word}");
        assert_eq!(bench.record(&uuid).await.unwrap()["status"], status, "{word}");
        for (filter, found) in [(status, 1), ("ARCHIVED", 0)] {
            let (_, body) = bench.get(&format!("{TEMPLATES}?status={filter}")).await;
            assert_eq!(body["data"].as_array().unwrap().len(), found, "{word} as {filter}");
        }
    }
}

#[tokio::test]
async fn template_events_have_four_fields_and_others_are_not_sent() {
    let (bench, recorder) = start().await;
    let mut both = template("told");
    both["waba_ids"] = json!([2001, 2002]);
    let uuid = approved(&bench, both).await;
    let decide = json!({
        "event": "REJECTED",
        "reason": "INCORRECT_CATEGORY",
        "rejection_info": { "reason": "a", "recommendation": "b" },
        "other_info": { "title": "t" },
        "new_category": "MARKETING",
    });
    let (status, _) = bench.post(&format!("/sandbox/templates/{uuid}/decision"), decide).await;
    assert_eq!(status, 200);
    // The contract has no event for these two.
    for word in ["ARCHIVED", "UNARCHIVED"] {
        bench.post(&format!("/sandbox/templates/{uuid}/decision"), json!({ "event": word })).await;
    }
    bench.post(&format!("/sandbox/templates/{uuid}/decision"), json!({ "event": "APPROVED" })).await;
    let told = envelopes(&recorder, "message_template_status_update", 6).await;
    let words: Vec<&str> = told.iter().map(|envelope| only_value(envelope)["event"].as_str().unwrap()).collect();
    assert_eq!(words, ["APPROVED", "APPROVED", "REJECTED", "REJECTED", "APPROVED", "APPROVED"]);
    let wabas: Vec<&str> = told.iter().map(|envelope| envelope["entry"][0]["id"].as_str().unwrap()).collect();
    assert_eq!(wabas[..2], ["2001", "2002"]);
    for envelope in &told {
        let value = only_value(envelope);
        assert_eq!(keys(value), ["event", "message_template_id", "message_template_language", "message_template_name"]);
        assert_eq!(
            (&value["message_template_name"], &value["message_template_language"]),
            (&json!("told"), &json!("pt_BR"))
        );
    }
    assert_eq!(recorder.all().len(), 6, "the change of the category is not told");
}

#[tokio::test]
async fn a_creation_answers_the_uuid_in_each_shape() {
    let (bench, _recorder) = start().await;
    for (shape, pointer, count) in [("uuid", "/uuid", 1), ("data_uuid", "/data/uuid", 1), ("id", "/id", 1)] {
        bench.settings(json!({ "minimal": { "creation": shape } })).await;
        let (status, body) = bench.post(TEMPLATES, template(&format!("shape_{shape}"))).await;
        assert_eq!(status, 200, "{body}");
        let uuid = body.pointer(pointer).unwrap().as_str().unwrap();
        assert!(bench.record(uuid).await.is_some(), "{shape}");
        assert_eq!(keys(&body).len(), count);
        assert!(body.get("data").is_none_or(|data| keys(data) == ["uuid"]), "{body}");
    }
}

#[tokio::test]
async fn an_edit_returns_three_fields_and_is_accepted_in_every_state() {
    let (bench, _recorder) = Bench::with_recorder(Options { review: ReviewPolicy::Manual, ..minimal() }).await;
    let uuid = create(&bench, template("edited")).await;
    let path = format!("{TEMPLATES}/{uuid}");
    let body = |text: &str| json!([{ "type": "BODY", "text": text }]);
    for (round, state) in ["PENDING", "DISABLED", "PAUSED", "APPROVED", "REJECTED"].into_iter().enumerate() {
        bench.post(&format!("/sandbox/templates/{uuid}/decision"), json!({ "event": state })).await;
        let category = if round % 2 == 0 { "marketing" } else { "UTILITY" };
        let components = body(&format!("Texto depois de {state}"));
        let (status, edited) = bench.put(&path, json!({ "components": components, "category": category })).await;
        assert_eq!(status, 200, "{state}: {edited}");
        assert_eq!(keys(&edited), ["data"]);
        assert_eq!(
            edited["data"],
            json!({ "uuid": uuid, "category": category.to_lowercase(), "components": components }),
            "{state}"
        );
    }
}

#[tokio::test]
async fn an_edit_clears_optional_fields() {
    for profile in [Profile::Minimal, Profile::Whatsapp] {
        let bench = Bench::start(Options { profile, ..options() }).await;
        let mut full = template("cleared");
        full["sub_category"] = json!("ORDER_STATUS");
        full["parameter_format"] = json!("NAMED");
        full["components"] = json!([{ "type": "BODY", "text": "Um texto simples." }]);
        let (_, body) = bench.post(TEMPLATES, full).await;
        let uuid = body["uuid"].as_str().unwrap().to_owned();
        bench.until_status(&uuid, "APPROVED").await;
        let path = format!("{TEMPLATES}/{uuid}");
        for (clear, multipart) in [(Value::Null, false), (json!(""), false), (json!(""), true)] {
            let set = json!({
                "sub_category": "A", "parameter_format": "NAMED", "pix_data": { "k": 1 }, "order_data": "{\"o\":1}",
            });
            let (status, body) = bench.put(&path, set).await;
            assert_eq!(status, 200, "{body}");
            let before = bench.until_status(&uuid, "APPROVED").await;
            assert_eq!(before["order_data"], json!({ "o": 1 }));
            let fields = ["sub_category", "parameter_format", "pix_data", "order_data"];
            let request = bench.request(Method::PUT, &path);
            let (status, body) = if multipart {
                answer(request.multipart(fields.iter().fold(Form::new(), |form, field| form.text(*field, "")))).await
            } else {
                let edit: Value = fields.iter().map(|field| ((*field).to_owned(), clear.clone())).collect();
                answer(request.json(&edit)).await
            };
            assert_eq!(status, 200, "{body}");
            let after = bench.until_status(&uuid, "APPROVED").await;
            for field in ["sub_category", "parameter_format", "pix_data", "order_data"] {
                assert!(after.get(field).is_none_or(Value::is_null), "{field} in {after}");
            }
        }
    }
}

#[tokio::test]
async fn archived_templates_are_listed_without_a_mark_or_left_out() {
    let (bench, recorder) = start().await;
    let uuid = approved(&bench, template("archived")).await;
    let kept = approved(&bench, template("kept")).await;
    let path = format!("{TEMPLATES}/{uuid}");
    let before = bench.record(&uuid).await.unwrap();
    for empty in [false, true] {
        bench.settings(json!({ "minimal": { "archived": true, "empty_answers": empty } })).await;
        let act = async |action: &str| {
            let response = bench.request(Method::POST, &format!("{path}/{action}")).send().await.unwrap();
            assert_eq!(response.status(), 200);
            assert_eq!(response.text().await.unwrap(), if empty { "" } else { "{}" }, "{action}");
        };
        act("archive").await;
        assert_eq!(bench.record(&uuid).await.unwrap(), before, "nothing says that it is archived");
        let (status, refused) = bench.post(&send_path(), message("archived", RECIPIENT)).await;
        assert_eq!(status, 400, "{refused}");
        bench.settings(json!({ "minimal": { "archived": false } })).await;
        for query in ["", "?status=APPROVED", "?search=archived"] {
            let (_, body) = bench.get(&format!("{TEMPLATES}{query}")).await;
            let listed = body["data"].as_array().unwrap();
            assert!(listed.iter().all(|record| record["uuid"] == kept), "{query}: {body}");
        }
        act("unarchive").await;
        assert_eq!(bench.record(&uuid).await.unwrap(), before);
    }
    bench.settings(json!({ "minimal": { "empty_answers": false } })).await;
    let (status, body) = answer(bench.request(Method::DELETE, &path)).await;
    assert_eq!((status, body), (200, json!({})));
    assert_eq!(bench.record(&uuid).await, None);
    let told = recorder.changes().into_iter().filter(|(field, _)| field == "message_template_status_update").count();
    assert_eq!(told, 2, "archiving and deleting are not told");
}

#[tokio::test]
async fn refusals_have_a_message_and_details() {
    let (bench, _recorder) = start().await;
    create(&bench, template("pending")).await;
    let missing = format!("{TEMPLATES}/00000000-0000-4000-8000-000000000000");
    for (status, request) in [
        (400, bench.request(Method::POST, TEMPLATES).json(&json!({ "name": "x" }))),
        (409, bench.request(Method::POST, TEMPLATES).json(&template("pending"))),
        (404, bench.request(Method::PUT, &missing).json(&json!({}))),
        (400, bench.request(Method::POST, &send_path()).json(&message("nobody_knows", RECIPIENT))),
        (429, bench.request(Method::POST, &send_path()).json(&message("pending", "5511990131056"))),
        (401, bench.bare(Method::GET, TEMPLATES)),
        (401, bench.bare(Method::GET, TEMPLATES).bearer_auth(TOKEN)),
        (401, bench.bare(Method::GET, TEMPLATES).bearer_auth("other").header("x-workspace-uuid", WORKSPACE)),
        (405, bench.request(Method::PATCH, TEMPLATES)),
        (404, bench.request(Method::GET, "/messaging/provider/x/y/z")),
    ] {
        let (got, body) = answer(request).await;
        assert_eq!(got, status, "{body}");
        assert_eq!(keys(&body), ["details", "message"], "{body}");
        assert!(body["message"].is_string() && body["details"].is_string());
    }
    // Control endpoints are not part of the contract.
    let (status, body) = bench.put("/sandbox/settings", json!({ "delivery": { "batch": 0 } })).await;
    assert_eq!((status, &body["path"]), (400, &json!("/delivery/batch")));
}

#[tokio::test]
async fn rules_of_the_channel_are_not_enforced() {
    let (bench, _recorder) = start().await;
    let with = |name: &str, components: Value| {
        let mut body = template(name);
        body["components"] = components;
        body
    };
    for (name, components) in [
        ("no_samples", json!([{ "type": "BODY", "text": "Ol\u{e1} {{1}}, seu pedido {{2}} chegou hoje." }])),
        ("no_handle", json!([{ "type": "HEADER", "format": "IMAGE" }, { "type": "BODY", "text": "Com imagem" }])),
        ("at_edge", json!([{ "type": "BODY", "text": "{{1}}" }])),
        ("long_body", json!([{ "type": "BODY", "text": "x".repeat(1_100) }])),
        (
            "url_sample",
            json!([
                { "type": "BODY", "text": "Acompanhe" },
                { "type": "BUTTONS", "buttons": [{ "type": "URL", "text": "Ver", "url": "https://x.example/{{1}}" }] },
            ]),
        ),
    ] {
        approved(&bench, with(name, components)).await;
    }
    // Rules that the contract itself states still apply.
    for (field, body) in [
        ("language", json!({ "waba_ids": [2001], "name": "x", "category": "utility", "components": [] })),
        ("components", with("empty", json!([]))),
        (
            "UPLOAD_PENDING",
            with(
                "pending_file",
                json!([
                    { "type": "HEADER", "format": "IMAGE", "example": { "header_handle": ["UPLOAD_PENDING"] } },
                    { "type": "BODY", "text": "Com imagem" },
                ]),
            ),
        ),
    ] {
        let (status, body) = bench.post(TEMPLATES, body).await;
        assert_eq!(status, 400, "{body}");
        assert!(body["details"].as_str().unwrap().contains(field), "{body}");
    }
}

#[tokio::test]
async fn the_profile_can_be_changed_at_runtime() {
    let bench = Bench::start(options()).await;
    let (_, body) = bench.post(TEMPLATES, template("both")).await;
    assert_eq!(body["data"]["archived"], false);
    bench.settings(json!({ "profile": "minimal" })).await;
    let (_, body) = bench.get(TEMPLATES).await;
    assert_eq!((body.get("paging"), body["data"][0].get("archived")), (None, None));
    bench.settings(json!({ "profile": "whatsapp" })).await;
    let (_, body) = bench.get(TEMPLATES).await;
    assert_eq!(body["data"][0]["archived"], false);
    let (status, body) = bench.put("/sandbox/settings", json!({ "profile": "rich" })).await;
    assert_eq!(status, 400, "{body}");
}
