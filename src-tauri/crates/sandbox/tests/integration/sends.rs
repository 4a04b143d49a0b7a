//! Contract §2.3, §4.1, §6.3 and §7: sends, their refusals, and the statuses that follow.

use axum::Router;
use axum::body::Body;
use axum::http::StatusCode;
use axum::routing::get;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::bench::{Bench, NUMBER, PNG, Recorder, assert_refused, message, options, send_path, template, until};

const TO: &str = "5511987654321";

async fn statuses(recorder: &Recorder, id: &str, count: usize) -> Vec<Value> {
    until(&format!("{count} statuses"), async || {
        let statuses = recorder.statuses(id);
        (statuses.len() >= count).then_some(statuses)
    })
    .await
}

fn words(statuses: &[Value]) -> Vec<&str> {
    statuses.iter().map(|status| status["status"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn a_send_is_accepted_and_followed_to_read() {
    let (bench, recorder) = Bench::with_recorder(options()).await;
    bench.approved(template("followed")).await;
    let callback = r#"{"job": 42,  "note":"caf\u00e9 é / \"x\" 😀"}"#;
    let mut body = message("followed", TO);
    body["biz_opaque_callback_data"] = json!(callback);
    body["recipient_type"] = json!("individual");
    let (status, answer) = bench.post(&send_path(), body).await;
    assert_eq!(status, 200, "{answer}");
    assert_eq!(answer["messaging_product"], "messaging");
    assert_eq!(answer["contacts"], json!([{ "input": TO, "wa_id": TO }]));
    assert_eq!(answer["messages"][0]["message_status"], "accepted");
    let id = answer["messages"][0]["id"].as_str().unwrap();
    assert!(id.starts_with("wamid."));

    let statuses = statuses(&recorder, id, 3).await;
    assert_eq!(words(&statuses), ["sent", "delivered", "read"]);
    for status in &statuses {
        assert_eq!(status["biz_opaque_callback_data"], callback);
        assert_eq!(status["recipient_id"], TO);
        assert!(status["timestamp"].as_str().unwrap().parse::<u64>().is_ok());
        assert!(status["conversation"]["id"].is_string());
        assert_eq!(status["conversation"]["origin"]["type"], "utility");
        assert_eq!(status["pricing"]["billable"], true);
        assert_eq!(status["pricing"]["category"], "utility");
        assert!(status["pricing"]["pricing_model"].is_string());
        assert!(status.get("errors").is_none());
    }
    let received =
        recorder.all().into_iter().find(|received| received.json().to_string().contains("statuses")).unwrap();
    let envelope = received.json();
    assert_eq!(envelope["entry"][0]["id"], "2001");
    let change = &envelope["entry"][0]["changes"][0];
    assert_eq!(change["field"], "messages");
    assert_eq!(change["value"]["messaging_product"], "messaging");
    assert_eq!(change["value"]["metadata"], json!({ "display_phone_number": NUMBER, "phone_number_id": NUMBER }));
}

fn changed(pointer: &str, value: Value) -> Value {
    let mut body = message("plain_send", TO);
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    let parent = if parent.is_empty() { &mut body } else { body.pointer_mut(parent).unwrap() };
    match (parent, value) {
        (Value::Object(parent), Value::Null) => drop(parent.remove(key)),
        (Value::Object(parent), value) => drop(parent.insert(key.to_owned(), value)),
        (Value::Array(parent), value) => parent[key.parse::<usize>().unwrap()] = value,
        _ => panic!("{pointer} has no parent"),
    }
    body
}

#[tokio::test]
async fn a_send_is_refused_with_the_field_named() {
    let bench = Bench::start(options()).await;
    bench.approved(template("plain_send")).await;
    for (body, field, code) in [
        (changed("/messaging_product", Value::Null), "messaging_product", None),
        (changed("/messaging_product", json!("other")), "messaging_product", Some(100)),
        (changed("/to", Value::Null), "to", None),
        (changed("/to", json!(5_511_987_654_321_u64)), "to", None),
        (changed("/to", json!("+5511987654321")), "to", Some(131_009)),
        (changed("/to", json!("55 11 98765-4321")), "to", Some(131_009)),
        (changed("/to", json!("123456")), "to", Some(131_009)),
        (changed("/to", json!("1234567890123456")), "to", Some(131_009)),
        (changed("/type", Value::Null), "type", None),
        (changed("/type", json!("image")), "type", Some(131_051)),
        (changed("/recipient_type", json!("group")), "recipient_type", Some(100)),
        (changed("/biz_opaque_callback_data", json!({ "job": 1 })), "biz_opaque_callback_data", Some(100)),
        (changed("/biz_opaque_callback_data", json!(1)), "biz_opaque_callback_data", Some(100)),
        (changed("/template", Value::Null), "template", Some(131_008)),
        (changed("/template", json!("plain_send")), "template", Some(100)),
        (changed("/template/name", Value::Null), "template.name", Some(131_008)),
        (changed("/template/language", Value::Null), "template.language", Some(131_008)),
        (changed("/template/language", json!("pt_BR")), "template.language", Some(100)),
        (changed("/template/language/code", json!("")), "template.language.code", Some(131_008)),
        (changed("/template/components", json!({})), "template.components", Some(100)),
        (changed("/template/components/0", json!("body")), "template.components[0]", Some(100)),
        (changed("/template/components/0/type", Value::Null), "template.components[0].type", Some(131_008)),
        (changed("/template/components/0/type", json!("sidebar")), "template.components[0]", Some(100)),
        (changed("/template/components/0/parameters", json!({})), "template.components[0].parameters", Some(100)),
        (changed("/template/name", json!("unknown_name")), "template.name", Some(132_001)),
        (changed("/template/language/code", json!("en_US")), "template.name", Some(132_001)),
        (changed("/template/components", Value::Null), "template.components", Some(132_000)),
        (
            changed("/template/components/0/parameters", json!([{ "type": "text", "text": "one" }])),
            "template.components",
            Some(132_000),
        ),
        (
            changed(
                "/template/components/0/parameters/0",
                json!({ "type": "image", "image": { "link": "http://x/y" } }),
            ),
            "template.components[0].parameters[0]",
            Some(132_012),
        ),
    ] {
        let answer = bench.post(&send_path(), body.clone()).await;
        if let Some(code) = code {
            assert_eq!(answer.1["code"], code, "{body} was answered {}", answer.1);
        }
        assert_refused(answer, 400, field);
    }
    let path = "/messaging/provider/not-a-number/send-message";
    assert_refused(bench.post(path, message("plain_send", TO)).await, 404, "number");
    bench.settings(json!({ "adopt_unknown": false })).await;
    let path = "/messaging/provider/999/send-message";
    assert_refused(bench.post(path, message("plain_send", TO)).await, 404, "number");
}

#[tokio::test]
async fn only_approved_unarchived_templates_can_be_sent() {
    let bench = Bench::start(sandbox::Options { review: sandbox::ReviewPolicy::Manual, ..options() }).await;
    let uuid = bench.create(template("standing")).await;
    let decision = format!("/sandbox/templates/{uuid}/decision");
    for (event, code) in [
        (None, Some(132_001)),
        (Some("REJECTED"), Some(132_001)),
        (Some("PAUSED"), Some(132_015)),
        (Some("DISABLED"), Some(132_016)),
        (Some("ARCHIVED"), Some(132_001)),
        (Some("UNARCHIVED"), Some(132_016)),
        (Some("APPROVED"), None),
        (Some("FLAGGED"), None),
        (Some("ARCHIVED"), Some(132_001)),
        (Some("UNARCHIVED"), None),
    ] {
        if let Some(event) = event {
            bench.post(&decision, json!({ "event": event })).await;
        }
        let (status, answer) = bench.post(&send_path(), message("standing", TO)).await;
        assert_eq!(status, if code.is_some() { 400 } else { 200 }, "{event:?}: {answer}");
        if let Some(code) = code {
            assert_eq!(answer["code"], code, "{event:?}: {answer}");
            assert_refused((status, answer), 400, "template.name");
        }
    }
}

#[tokio::test]
async fn special_recipients_have_their_outcomes() {
    let (bench, recorder) = Bench::with_recorder(options()).await;
    bench.approved(template("special")).await;
    for (to, wanted, code) in [
        ("551190200001", &["sent"][..], None),
        ("551190200002", &["sent", "delivered"], None),
        ("551190200003", &["sent", "read"], None),
        ("551190200004", &["read", "delivered", "sent"], None),
        ("551190131026", &["failed"], Some(131_026)),
        ("551190131049", &["failed"], Some(131_049)),
        ("551190131050", &["failed"], Some(131_050)),
        ("551190130472", &["failed"], Some(130_472)),
        ("551190131000", &["sent", "failed"], Some(131_000)),
    ] {
        let id = bench.send(message("special", to)).await;
        let statuses = statuses(&recorder, &id, wanted.len()).await;
        assert_eq!(words(&statuses), wanted, "{to}");
        if let Some(code) = code {
            let failed = statuses.last().unwrap();
            assert_eq!(failed["errors"][0]["code"], code, "{failed}");
            for field in ["title", "message", "href"] {
                assert!(failed["errors"][0][field].is_string(), "{field} in {failed}");
            }
            assert!(failed["errors"][0]["error_data"]["details"].is_string(), "{failed}");
            assert!(failed.get("pricing").is_none());
        }
    }
    for (to, status, code) in [
        ("551190130429", 429, 130_429),
        ("551190131056", 429, 131_056),
        ("551190131016", 503, 131_016),
        ("551190131031", 403, 131_031),
    ] {
        let answer = bench.post(&send_path(), message("special", to)).await;
        assert_eq!(answer.1["code"], code);
        assert_refused(answer, status, "to");
    }
    let (_, answer) = bench.post(&send_path(), message("special", "551190200006")).await;
    assert_eq!(answer["contacts"], json!([{ "input": "551190200006", "wa_id": "55110200006" }]));
    let id = answer["messages"][0]["id"].as_str().unwrap();
    assert_eq!(statuses(&recorder, id, 1).await[0]["recipient_id"], "55110200006");
}

/// Files of many kinds, with and without a declared length.
async fn file_server() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let png = |size: usize| [PNG, &vec![0; size - PNG.len()]].concat();
    let chunked = |size: usize| {
        let chunks = [PNG.to_vec(), vec![0; size - PNG.len()]].map(Ok::<_, std::io::Error>);
        Body::from_stream(futures_util::stream::iter(chunks))
    };
    let router = Router::new()
        .route("/fits.png", get(move || async move { png(5_242_880) }))
        .route("/large.png", get(move || async move { png(5_242_881) }))
        .route("/large-chunked.png", get(move || async move { chunked(5_300_000) }))
        .route("/document.pdf", get(|| async { "%PDF-1.7 a document" }))
        .route("/moved.png", get(|| async { (StatusCode::FOUND, [("location", "/fits.png")]) }))
        .route("/page.png", get(|| async { ([("content-type", "text/html")], "<html>") }))
        .route("/gone.png", get(|| async { StatusCode::GONE }));
    tokio::spawn(async move { axum::serve(listener, router).await });
    base
}

fn with_image(name: &str, link: &str) -> Value {
    let mut body = message(name, TO);
    body["template"]["components"] =
        json!([{ "type": "header", "parameters": [{ "type": "image", "image": { "link": link } }] }]);
    body
}

#[tokio::test]
async fn media_links_are_checked_for_their_size() {
    let (bench, recorder) = Bench::with_recorder(options()).await;
    let mut pictured = template("pictured");
    pictured["components"] = json!([
        { "type": "HEADER", "format": "IMAGE", "example": { "header_handle": ["4::aGFuZGxl"] } },
        { "type": "BODY", "text": "Uma imagem" },
    ]);
    bench.approved(pictured).await;
    let files = file_server().await;

    for link in ["/fits.png", "/moved.png"] {
        let id = bench.send(with_image("pictured", &format!("{files}{link}"))).await;
        assert_eq!(words(&statuses(&recorder, &id, 3).await), ["sent", "delivered", "read"], "{link}");
    }
    for (link, size) in [("/large.png", 5_242_881), ("/large-chunked.png", 5_300_000)] {
        let mut body = with_image("pictured", &format!("{files}{link}"));
        body["biz_opaque_callback_data"] = json!("{\"td\":\"x\"}");
        let id = bench.send(body).await;
        let failed = statuses(&recorder, &id, 1).await.remove(0);
        assert_eq!(failed["status"], "failed");
        assert_eq!(failed["biz_opaque_callback_data"], "{\"td\":\"x\"}");
        let error = &failed["errors"][0];
        assert_eq!(error["code"], 131_053);
        assert!(error["title"].is_string() && error["message"].is_string());
        assert_eq!(error["retryable"], false);
        assert_eq!(error["classification"], "UserError");
        assert_eq!(error["details"]["file_size_bytes"], size, "{link}");
        assert_eq!(error["details"]["max_size_bytes"], 5_242_880);
        assert!(error["details"]["reason"].is_string());
        let keys: Vec<&String> = error.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["code", "title", "message", "retryable", "classification", "details"]);
    }
    for link in ["/gone.png", "/document.pdf", "/page.png"] {
        let id = bench.send(with_image("pictured", &format!("{files}{link}"))).await;
        let failed = statuses(&recorder, &id, 1).await.remove(0);
        assert_eq!(failed["errors"][0]["code"], 131_053, "{link}");
        assert!(failed["errors"][0]["error_data"]["details"].as_str().unwrap().contains(link));
    }
    let id = bench.send(with_image("pictured", "http://127.0.0.1:9/closed.png")).await;
    assert_eq!(statuses(&recorder, &id, 1).await[0]["status"], "failed");

    bench.settings(json!({ "error_form": "object" })).await;
    let id = bench.send(with_image("pictured", &format!("{files}/large.png"))).await;
    let failed = statuses(&recorder, &id, 1).await.remove(0);
    assert_eq!(failed["error"]["code"], 131_053);
    assert!(failed.get("errors").is_none());
}

#[tokio::test]
async fn a_free_text_needs_an_open_window() {
    let (bench, recorder) = Bench::with_recorder(options()).await;
    let text = json!({ "messaging_product": "messaging", "to": TO, "type": "text", "text": { "body": "Oi" } });
    let id = bench.send(text.clone()).await;
    let failed = statuses(&recorder, &id, 1).await.remove(0);
    assert_eq!(failed["status"], "failed");
    assert_eq!(failed["errors"][0]["code"], 131_047);
    let (status, body) = bench.post(&format!("/sandbox/phones/{TO}/text"), json!({ "body": "Ol\u{e1}" })).await;
    assert_eq!(status, 200, "{body}");
    let id = bench.send(text.clone()).await;
    let statuses = statuses(&recorder, &id, 3).await;
    assert_eq!(words(&statuses), ["sent", "delivered", "read"]);
    assert_eq!(statuses[0]["pricing"]["billable"], false);
    assert_eq!(statuses[0]["pricing"]["category"], "service");
    for (field, value) in [("text", json!({})), ("text", json!({ "body": "" })), ("text", json!("Oi"))] {
        let mut body = text.clone();
        body[field] = value;
        assert_refused(bench.post(&send_path(), body).await, 400, "text");
    }
}

const USER_ID: &str = "BR.13491208655302741918";

fn to_user(mut body: Value) -> Value {
    body.as_object_mut().unwrap().remove("to");
    body["recipient"] = json!(USER_ID);
    body
}

#[tokio::test]
async fn a_user_id_is_a_recipient_in_place_of_a_number() {
    let (bench, recorder) = Bench::with_recorder(options()).await;
    bench.approved(template("hidden")).await;
    let (status, answer) = bench.post(&send_path(), to_user(message("hidden", TO))).await;
    assert_eq!(status, 200, "{answer}");
    assert_eq!(answer["contacts"], json!([{ "input": USER_ID, "user_id": USER_ID }]));
    let id = answer["messages"][0]["id"].as_str().unwrap();
    for status in statuses(&recorder, id, 3).await {
        assert_eq!((&status["recipient_id"], &status["recipient_user_id"]), (&json!(""), &json!(USER_ID)));
    }
    // `to` wins.
    let mut both = message("hidden", TO);
    both["recipient"] = json!(USER_ID);
    assert_eq!(bench.post(&send_path(), both).await.1["contacts"], json!([{ "input": TO, "wa_id": TO }]));
    let mut no_id = to_user(message("hidden", TO));
    no_id["recipient"] = json!(TO);
    assert_refused(bench.post(&send_path(), no_id).await, 400, "recipient");

    // The person writes back, with no number anywhere.
    bench.post(&format!("/sandbox/phones/{USER_ID}/text"), json!({ "body": "Oi" })).await;
    let inbound = until("the message of the person", async || {
        recorder
            .all()
            .into_iter()
            .map(|received| received.json())
            .find(|body| body.to_string().contains("from_user_id"))
    })
    .await;
    let value = &inbound["entry"][0]["changes"][0]["value"];
    assert_eq!(value["messages"][0]["from_user_id"], USER_ID);
    assert_eq!((value["messages"][0].get("from"), value["contacts"][0].get("wa_id")), (None, None));
    assert_eq!(value["contacts"][0]["user_id"], USER_ID);
}
