//! The profile `minimal`: sends, statuses and inbound messages have exactly the fields that the contract names.

use reqwest::Method;
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};

use super::minimal::{RECIPIENT, approved, envelopes, keys, only_value, start};
use crate::bench::{NUMBER, PNG, answer, message, send_path, template, until};

#[tokio::test]
async fn a_send_returns_an_identifier_if_configured() {
    let (bench, recorder) = start().await;
    approved(&bench, template("sent")).await;
    let mut send = message("sent", RECIPIENT);
    send["biz_opaque_callback_data"] = json!("{\"td\":\"x\"}");
    let (status, body) = bench.post(&send_path(), send.clone()).await;
    assert_eq!(status, 200);
    let id = body["messages"][0]["id"].as_str().unwrap().to_owned();
    assert_eq!(body, json!({ "messages": [{ "id": id }] }));
    bench.settings(json!({ "minimal": { "message_id": false } })).await;
    assert_eq!(bench.post(&send_path(), send.clone()).await, (200, json!({})));
    bench.settings(json!({ "minimal": { "empty_answers": true } })).await;
    let response = bench.request(Method::POST, &send_path()).json(&send).send().await.unwrap();
    assert_eq!((response.status().as_u16(), response.text().await.unwrap().as_str()), (200, ""));

    // Each message has its statuses, regardless of the response to the send.
    let statuses = envelopes(&recorder, "messages", 9).await;
    for envelope in &statuses {
        let value = only_value(envelope);
        assert_eq!(keys(value), ["messaging_product", "metadata", "statuses"]);
        assert_eq!(keys(&value["metadata"]), ["display_phone_number", "phone_number_id"]);
        assert_eq!(value["metadata"]["phone_number_id"], NUMBER);
        let status = &value["statuses"][0];
        assert_eq!(
            keys(status),
            ["biz_opaque_callback_data", "conversation", "id", "pricing", "recipient_id", "status", "timestamp"]
        );
        assert_eq!(keys(&status["conversation"]), ["id", "origin"]);
        assert_eq!(keys(&status["conversation"]["origin"]), ["type"]);
        assert_eq!(keys(&status["pricing"]), ["billable", "category", "pricing_model"]);
    }
    let words: Vec<Value> = recorder.statuses(&id).iter().map(|status| status["status"].clone()).collect();
    assert_eq!(json!(words), json!(["sent", "delivered", "read"]));
}

#[tokio::test]
async fn failed_statuses_have_their_error_in_each_form() {
    let (bench, recorder) = start().await;
    approved(&bench, template("failing")).await;
    for (round, (form, pointer, member)) in [
        ("profile", "/error", "error"),
        ("object", "/error", "error"),
        ("error_array", "/error/0", "error"),
        ("array", "/errors/0", "errors"),
    ]
    .into_iter()
    .enumerate()
    {
        bench.settings(json!({ "error_form": form })).await;
        for (code, fields) in [
            (131_049, &["code", "details", "message", "title"][..]),
            // The error object of the contract §7.
            (131_053, &["classification", "code", "details", "message", "retryable", "title"]),
        ] {
            let script = json!({ "next": "fail", "code": code, "count": 1 });
            bench.put(&format!("/sandbox/phones/{RECIPIENT}/script"), script).await;
            let (_, body) = bench.post(&send_path(), message("failing", RECIPIENT)).await;
            let id = body["messages"][0]["id"].as_str().unwrap();
            let status = until("a failure", async || {
                recorder.statuses(id).into_iter().find(|status| status["status"] == "failed")
            })
            .await;
            let mut wanted = vec![member, "id", "recipient_id", "status", "timestamp"];
            wanted.sort_unstable();
            assert_eq!(keys(&status), wanted, "round {round}");
            let error = status.pointer(pointer).unwrap();
            assert_eq!(keys(error), fields, "{error}");
            assert_eq!(error["code"], code);
        }
    }
}

#[tokio::test]
async fn inbound_messages_have_the_fields_of_the_contract() {
    let (bench, recorder) = start().await;
    let mut asking = template("asking");
    asking["components"] = json!([
        { "type": "BODY", "text": "Gostou do que recebeu?" },
        { "type": "BUTTONS", "buttons": [{ "type": "QUICK_REPLY", "text": "Sim" }] },
    ]);
    approved(&bench, asking).await;
    let mut send = message("asking", RECIPIENT);
    send["template"]["components"] = json!([]);
    let (_, body) = bench.post(&send_path(), send).await;
    let id = body["messages"][0]["id"].as_str().unwrap().to_owned();
    until("it is read", async || (recorder.statuses(&id).len() == 3).then_some(())).await;

    let phone = format!("/sandbox/phones/{RECIPIENT}");
    let (status, body) = bench.post(&format!("{phone}/tap"), json!({ "message_id": id, "button": 0 })).await;
    assert_eq!(status, 200, "{body}");
    bench.post(&format!("{phone}/text"), json!({ "body": "Obrigada", "reply_to": id })).await;
    for (bytes, name) in [(PNG, "photo.png"), (b"%PDF-1.7 x", "bill.pdf"), (b"OggS\0\x02 OpusHead", "voice.ogg")] {
        let form = Form::new().part("file", Part::bytes(bytes.to_vec()).file_name(name)).text("caption", "Veja");
        let (status, body) = answer(bench.request(Method::POST, &format!("{phone}/media")).multipart(form)).await;
        assert_eq!(status, 200, "{body}");
    }
    let inbound = until("five messages", async || {
        let inbound = recorder.inbound();
        (inbound.len() == 5).then_some(inbound)
    })
    .await;
    for value in &inbound {
        assert_eq!(keys(value), ["contacts", "messages", "messaging_product", "metadata"]);
        assert_eq!(keys(&value["contacts"][0]), ["profile", "wa_id"]);
        assert_eq!(keys(&value["contacts"][0]["profile"]), ["name"]);
        let item = &value["messages"][0];
        let kind = item["type"].as_str().unwrap();
        let mut wanted = vec!["from", "id", "timestamp", "type", kind];
        wanted.sort_unstable();
        assert_eq!(keys(item), wanted, "{item}");
        match kind {
            "interactive" => assert_eq!(
                item["interactive"],
                json!({ "type": "button_reply", "button_reply": { "id": "Sim", "title": "Sim" } })
            ),
            "text" => assert_eq!(keys(&item["text"]), ["body"]),
            "image" => {
                assert_eq!(keys(&item["image"]), ["caption", "id", "mime_type", "s3_url", "sha256", "url"]);
            }
            "document" => {
                assert_eq!(keys(&item["document"]), ["filename", "id", "mime_type", "s3_url", "sha256", "url"]);
            }
            "audio" => assert_eq!(keys(&item["audio"]), ["id", "mime_type", "s3_url", "sha256", "url"]),
            other => panic!("an unexpected {other}"),
        }
    }
}

#[tokio::test]
async fn a_send_needs_a_number() {
    let (bench, _) = start().await;
    approved(&bench, template("numbered")).await;
    let mut send = message("numbered", RECIPIENT);
    send.as_object_mut().unwrap().remove("to");
    send["recipient"] = json!("BR.13491208655302741918");
    let (status, body) = bench.post(&send_path(), send).await;
    assert_eq!(status, 400, "{body}");
    assert!(body.to_string().contains("`to` is required"), "{body}");
}
